// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/zclconf/go-cty/cty"
)

// A shape writes down all that a tree of HCL's says: types, fields, values and
// places, with byte offsets only. Nodes that are one and the same get one number.
type shape struct {
	strings.Builder
	symbols map[*hclsyntax.AnonSymbolExpr]int
}

func (s *shape) write(v reflect.Value) {
	switch x := v.Interface().(type) {
	case hcl.Range:
		fmt.Fprintf(s, " %d-%d", x.Start.Byte, x.End.Byte)
		return
	case cty.Value:
		fmt.Fprintf(s, " %#v", x)
		return
	case *hclsyntax.Operation:
		fmt.Fprintf(s, " %p", x)
		return
	case *hclsyntax.AnonSymbolExpr:
		if s.symbols == nil {
			s.symbols = map[*hclsyntax.AnonSymbolExpr]int{}
		}
		if _, ok := s.symbols[x]; !ok {
			s.symbols[x] = len(s.symbols)
		}
		fmt.Fprintf(s, " symbol %d %d-%d", s.symbols[x], x.SrcRange.Start.Byte, x.SrcRange.End.Byte)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			s.WriteString(" nil")
			return
		}
		s.write(v.Elem())
	case reflect.Slice:
		fmt.Fprintf(s, " [%d", v.Len())
		for i := range v.Len() {
			s.write(v.Index(i))
		}
		s.WriteString("]")
	case reflect.Struct:
		fmt.Fprintf(s, " %s{", v.Type())
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				s.WriteString(" " + f.Name)
				s.write(v.Field(i))
			}
		}
		s.WriteString("}")
	default:
		fmt.Fprintf(s, " %#v", v.Interface())
	}
}

// dump lists everything that a tree says.
func dump(b *Body, path string, out []string) []string {
	out = append(out, fmt.Sprintf("%s body %d-%d", path, b.at.Start, b.at.End))
	for i := range b.Arguments {
		a := &b.Arguments[i]
		var n shape
		n.write(reflect.ValueOf(a.tree()))
		v, diags := a.tree().Value(nil)
		out = append(out, fmt.Sprintf("%s %s %v %v %v %v %v %s %#v %d", path, a.Name, a.nameAt, a.at, a.kind, a.lit, a.Undecided, n.String(), v, len(diags)))
	}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		inner := fmt.Sprintf("%s/%s%q", path, n.Type, n.Labels)
		out = append(out, fmt.Sprintf("%s %v %v %v %p", inner, n.typeAt, n.labelAt, n.entry, n.spec))
		out = dump(&n.Body, inner, out)
	}
	return out
}

// checkPlain compares the plain reader's tree with the one made of HCL's. It
// reports whether the plain reader read the file.
func checkPlain(t *testing.T, src []byte) bool {
	t.Helper()
	if !utf8.Valid(src) || hcllex.TooDeep(src, false) >= 0 {
		return false
	}
	plain := &File{name: "x.tf", src: src}
	plain.body = Body{file: plain, spec: hcllang.Root}
	r := plainReader{nativeReader: nativeReader{f: plain}, src: src, dry: true}
	if !r.file() {
		return false
	}
	for a := range allArguments(&plain.body) {
		if a.tree() == nil {
			t.Errorf("%q: no tree for %q", src, a.Raw())
			return true
		}
	}
	full := &File{name: "x.tf", src: src}
	full.body = Body{file: full, spec: hcllang.Root}
	full.readWithHCL(src)
	if full.err != nil {
		t.Errorf("%q: HCL says %v, the plain reader nothing", src, full.err)
		return true
	}
	if diff := cmp.Diff(dump(&full.body, "", nil), dump(&plain.body, "", nil)); diff != "" {
		t.Errorf("%q (-HCL +plain):\n%s", src, diff)
	}
	if diff := cmp.Diff(full.diags.sorted(), plain.diags.sorted()); diff != "" {
		t.Errorf("%q: diagnostics (-HCL +plain):\n%s", src, diff)
	}
	return true
}

var plainCases = []struct {
	src   string
	plain bool
}{
	{"", true}, {"\n# c\n// d\n", true}, {"a = 1", true}, {"a = 1 # c", true}, {"a = 1 // c\n", true}, {"a=1\r\nb = 2\r\n", true}, {"a b {}\n", true}, {"a \"b\" \"c d\" { # c\n}\n", true},
	{"a { b = 1 }\n", true}, {"a { b = 1 }", true}, {"a {\n  b = 1\n\n  c \"d\" {\n  }\n}\n", true}, {"a { }", true}, {"a {} // x", true},
	{"a = [1, 2.50, \"x\", true, null, b.c, [\n# c\n], {},]\n", true}, {"a = {\n  b = 1\n  \"c d\" : x.y, e = [] # f\n\n  // g\n}\n", true}, {"a = {b = 1}", true}, {"a = {}", true}, {"a = {b = 1, c = 2,}", true},
	{"a = -1", true}, {"a = b[0].c", true}, {"a = \"x ${y} z\"", true}, {"a = f(\n  1, # c\n  2\n) # d\n", true}, {"a = <<EOT\n} # x\nEOT\nb = 1\n", true}, {"a = <<-EOT\n  ${x}\n  EOT\n", true}, {"a { b = f(x) }", true}, {"a { b = {c = d(1)} }", true},
	{"a = [for x in y : x]", true}, {"a = {for k, v in y : k => v}", true}, {"a = {(b) = 1}", true}, {"a = b ? c : d", true}, {"a = b.*.c", true}, {"a = b.0", true}, {"a = \"\"", true}, {"a = \"\\n\"", true}, {"a = \"$${x}\"", true}, {"a = 1e5", true}, {"a = {a.b = 1}", true},
	{"a = {true = 1, 1 = 2}", true}, {"a = (1)", true}, {"a = provider::x::y(1)", true}, {"a = b\n  . c\n", false}, {"a = for", true}, {"a = [for]", false}, {"a = {for = 1}", false}, {"a = {\"for\" = 1}", true}, {"a = \"$\"", true}, {"a = b-c", true}, {"a = 1.5.5", false},
	{"a = \u00e9", true}, {"\u00e9 = 1", false}, {"a = 1\na = 2\n", false}, {"a = ", false}, {"a", false}, {"a {", false}, {"a }", false}, {"/* x */ a = 1", true}, {"/* x", false}, {"a {\n  /* x\n  y */\n  b = 1\n  /* z */ }\n", true}, {"a = [ /* x */ 1, /* y */ 2 /* z */ ]", true}, {"a = \"x/*y\"\nb = \"${c}/*\"\nd = f(/* e */ 1) + 2\n", true}, {"a = {\n/* b */ c = 1\n}", true}, {"a = b + /* c */ d", true}, {"a = 1 /* x */", false}, {"a { b = 1\n}", false}, {"a {\n b = 1 }", false}, {"a \"${b}\" {}", false}, {"a { b {} }", false},
	{"a = [b + 1, f(x)[0], \"${y}\" # c\n, [for z in w : z]]", true}, {"a = {b = c + 1, d = e ? f : g # h\n i = \"${j}\"\n k = <<E\n}\nE\n}", true}, {"a = b[\"c\"][0].d[e]", true}, {"a = f(1, [\n2],\n# c\n)", true},
	{"a = f(b...)", true}, {"a = f()", true}, {"a = f(\n)[0]", true}, {"a = f(1).b", true}, {"a = f (1)", true}, {"a = b[0 ]", true}, {"a = \"\\n\\t\\\\\\\"\"", true}, {"a = \"\\u00e9\"", true}, {"a = \"\\x\"", false}, {"a = f(for)", true}, {"a = f(for x)", false},
	{"a = {b = c\n+ d}", false}, {"a = {b = (c\n+ d)}", true}, {"a = [b\n+ c]", true}, {"a = b.c[0]", true}, {"a = b[1.5]", true}, {"a = b[\"\"]", true}, {"a = b[0]c", false}, {"a = true[0]", true}, {"a = {b = c,\n# d\n}", true}, {"a = {b = f(c), d = 1}", true}, {"a = [f(b) /* c */]", true},
	{"a = [\"b\" \"c\"]", false}, {"a = [b, # c]\nd]", true}, {"a = f(<<E\nx\nE\n)", true}, {"a = [<<E\nx\nE\n, 1]", true}, {"a=\ufeffa", false}, {"a = -b.c", true}, {"a = !b", true}, {"a = b && c || d", true}, {"a = b == \"c\" ? [1] : []", true},
	{"a = [1 2]", false}, {"a = {b = 1 c = 2}", false}, {"a == 1", false}, {"a = \"x\ny\"", false}, {"\uFEFFa = 1", false}, {"a\rb", false}, {"a {} b {}", false}, {"a = 1 b = 2", false}, {"a = [\n1\n,\n2\n]", true}, {"a = {\nb = 1\n,\n}", false}, {"a = {b = 1\n\n}", true}, {"a = {b\n= 1}", false}, {"a = {b =\n1}", false}, {"a \"\" {}", false},
	{"a = b.true", true}, {"a = true.b", true}, {"a = null.b", true}, {"a = \"a\u0301\"", true}, {"a = 00012", true}, {"a = 1x", false}, {"a =\n1", false}, {"a = [b\n.c]", true}, {"a = b # ${", true}, {"a = {b : c ? d : e}", true}, {"a = b :: c", false}, {"a = [1,,2]", false}, {"a = [,]", false}, {"a = {,}", false},
}

func TestPlainReader(t *testing.T) {
	for _, c := range plainCases {
		if got := checkPlain(t, []byte(c.src)); got != c.plain {
			t.Errorf("%q: read by the plain reader: %v", c.src, got)
		}
	}
	plain, all := 0, 0
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if n, ok := ParseFilename(path); err != nil || d.IsDir() || !ok || n.Syntax != NativeSyntax {
			return err
		}
		src, err := os.ReadFile(path)
		all++
		if checkPlain(t, src) {
			plain++
		}
		return err
	})
	if err != nil || plain < all*2/3 {
		t.Errorf("%d of %d files are plain, %v", plain, all, err)
	}
}

// TestJudgedPlainReader does the same with other projects' files, see depth.Folders,
// and with the seeds of all fuzz targets.
func TestJudgedPlainReader(t *testing.T) {
	dirs := []string{"testdata"}
	dirs = append(dirs, depth.Folders()...)
	plain, all, seeds := 0, 0, 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			seed := strings.Contains(path, filepath.Join("testdata", "fuzz"))
			if ext := filepath.Ext(path); err != nil || !d.Type().IsRegular() || !seed && ext != ".tf" && ext != ".tofu" && ext != ".hcl" && ext != ".tfvars" {
				return err
			}
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !seed {
				all++
				if checkPlain(t, src) {
					plain++
				}
				return nil
			}
			for line := range strings.Lines(string(src)) {
				_, text, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(line), ")"), "(")
				if text, err := strconv.Unquote(text); ok && err == nil {
					seeds++
					checkPlain(t, []byte(text))
					checkPlain(t, []byte("a = "+text))
				}
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d files, %d of them plain; %d seeds", all, plain, seeds)
	if plain < all/2 || seeds == 0 {
		t.Errorf("%d of %d files are plain; %d seeds", plain, all, seeds)
	}
}

func FuzzPlainReader(f *testing.F) {
	for _, c := range plainCases {
		f.Add([]byte(c.src))
	}
	_ = filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if n, ok := ParseFilename(path); err == nil && ok && n.Syntax == NativeSyntax {
			if src, err := os.ReadFile(path); err == nil && len(src) < 4096 {
				f.Add(src)
			}
		}
		return err
	})
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) < 1<<13 {
			checkPlain(t, src)
		}
	})
}

// allArguments visits the arguments of b and of the blocks in it.
func allArguments(b *Body) iter.Seq[*Argument] {
	return func(yield func(*Argument) bool) {
		for i := range b.Arguments {
			if !yield(&b.Arguments[i]) {
				return
			}
		}
		for i := range b.Blocks {
			for a := range allArguments(&b.Blocks[i].Body) {
				if !yield(a) {
					return
				}
			}
		}
	}
}
