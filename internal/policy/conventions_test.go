// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The tests of this file check those rules of API.md for all packages that
// declarations alone can show.

// A function is an exported function or method of a public package.
type function struct {
	pkg, recv, name string
	params, results []parameter
	doc             string
}

func (f function) String() string {
	if f.recv != "" {
		return f.pkg + "." + f.recv + "." + f.name
	}
	return f.pkg + "." + f.name
}

// takes returns the first parameter of a type.
func (f function) takes(typ string) (name string, ok bool) {
	for _, p := range f.params {
		if p.typ == typ {
			return p.name, true
		}
	}
	return "", false
}

type parameter struct{ name, typ string }

// functions returns the exported functions and methods of all public packages.
func functions(t *testing.T) (list []function) {
	t.Helper()
	for pkg, files := range public(t) {
		for _, f := range files {
			for _, decl := range f.Decls {
				d, ok := decl.(*ast.FuncDecl)
				if !ok || !d.Name.IsExported() || d.Recv != nil && !ast.IsExported(receiver(d)) {
					continue
				}
				fn := function{pkg: pkg, name: d.Name.Name, params: parameters(d.Type.Params), results: parameters(d.Type.Results), doc: d.Doc.Text()}
				if d.Recv != nil {
					fn.recv = receiver(d)
				}
				list = append(list, fn)
			}
		}
	}
	if len(list) < 1000 {
		t.Fatalf("only %d functions were found", len(list))
	}
	return list
}

func parameters(fields *ast.FieldList) (list []parameter) {
	if fields == nil {
		return nil
	}
	for _, f := range fields.List {
		names := f.Names
		if len(names) == 0 {
			names = []*ast.Ident{ast.NewIdent("")}
		}
		for _, n := range names {
			list = append(list, parameter{n.Name, source(f.Type)})
		}
	}
	return list
}

// source returns the text of an expression.
func source(e ast.Expr) string {
	var b bytes.Buffer
	if printer.Fprint(&b, token.NewFileSet(), e) != nil {
		return ""
	}
	return b.String()
}

// TestVerbs checks what functions are called that read text, and what they
// take and return.
func TestVerbs(t *testing.T) {
	// These read text and do more with it than to parse it, or less.
	others := []string{"planjson/statefile.Encrypt", "planjson/statefile.Decrypt", "planjson/statefile.EncryptionOf", "planjson/statefile.FindLockInfo", "hclconfig/hcledit.Format", "hclconfig/hcledit.Layout", "planjson.KindOf", "planjson.Find", "planjson/planfile.Open", "lockfile.Resolve"}
	all := functions(t)
	parsers := map[string]function{}
	for _, f := range all {
		if f.recv == "" && strings.HasPrefix(f.name, "Parse") {
			parsers[f.String()] = f
		}
	}
	for _, f := range all {
		if f.recv != "" {
			continue
		}
		_, readsText := f.takes("[]byte")
		switch {
		case strings.HasPrefix(f.name, "Decode"):
			if len(f.params) != 1 || !readsText || len(f.results) != 2 || !strings.HasPrefix(f.results[0].typ, "*") && f.results[0].typ != "Object" || f.results[1].typ != "error" {
				t.Errorf("%s must take one []byte and return a pointer and an error", f)
			}
		case strings.HasPrefix(f.name, "MustParse"):
			p, ok := parsers[f.pkg+".Parse"+strings.TrimPrefix(f.name, "MustParse")]
			if !ok || !slices.Equal(f.params, p.params) || len(f.results) != 1 || f.results[0].typ != p.results[0].typ {
				t.Errorf("%s needs a Parse function that takes and returns the same", f)
			}
		case strings.HasPrefix(f.name, "Parse") && readsText && f.String() != "registry.ParseNetrc":
			if len(f.params) < 2 || f.params[0] != (parameter{"filename", "string"}) || f.params[1] != (parameter{"src", "[]byte"}) {
				t.Errorf("%s must take filename string, src []byte, and perhaps options", f)
			}
		case strings.HasPrefix(f.name, "Encode") || f.name == "Canonical":
			if len(f.results) != 2 || f.results[0].typ != "[]byte" || f.results[1].typ != "error" {
				t.Errorf("%s must return []byte and an error", f)
			}
		}
		if name, _ := f.takes("[]byte"); name == "src" && !strings.HasPrefix(f.name, "Parse") && !strings.HasPrefix(f.name, "Decode") && !slices.Contains(others, f.String()) {
			t.Errorf("%s reads a text: it must be called Parse or Decode", f)
		}
	}
	// A parser returns what it has read, and an error; or a bool, if all that can be wrong is that the
	// text is something else; or nothing, if it accepts everything.
	for name, f := range parsers {
		second := ""
		if len(f.results) == 2 {
			second = f.results[1].typ
		}
		want := "error"
		switch name {
		case "hclconfig.ParseFilename", "checksum.ParsePackageFile", "registry/cliconfig.ParseHost":
			want = "bool"
		case "checksum.ParseSumsLax", "registry.ParseNetrc":
			want = ""
		}
		if second != want {
			t.Errorf("%s: the second result is %q, not %q", name, second, want)
		}
	}
	// No other verbs for the same, neither for functions nor for methods.
	for _, f := range all {
		for _, verb := range []string{"Deserialize", "Serialize", "Unmarshal", "Marshal", "Stringify", "Dump"} {
			rest, ok := strings.CutPrefix(f.name, verb)
			if ok && (f.recv == "" || rest != "JSON" && rest != "Text") {
				t.Errorf("%s: the verbs are Parse and String, Parse and Bytes, Decode and Encode", f)
			}
		}
		if rest, ok := strings.CutPrefix(f.name, "Get"); ok && (rest != "" || len(f.params) == 0) {
			t.Errorf("%s: what an object has is a method without Get", f)
		}
	}
}

// TestPairs checks that what can be written can be read, and so on.
func TestPairs(t *testing.T) {
	methods := map[string]bool{}
	all := functions(t)
	for _, f := range all {
		methods[f.String()] = true
	}
	for _, f := range all {
		for a, b := range map[string]string{"MarshalText": "UnmarshalText", "UnmarshalText": "MarshalText", "MarshalJSON": "UnmarshalJSON", "UnmarshalJSON": "MarshalJSON"} {
			if f.pkg == "planjson/plandiff" && f.recv == "Diff" {
				continue // a report, which nothing reads back
			}
			if f.recv != "" && f.name == a && !methods[f.pkg+"."+f.recv+"."+b] {
				t.Errorf("%s.%s has %s but not %s", f.pkg, f.recv, a, b)
			}
		}
		// Addresses are parsed, and printed, and can be invalid.
		if f.pkg == "addrs" && strings.HasPrefix(f.name, "MustParse") {
			// Of some types every value is valid.
			for _, m := range []string{"String", "IsValid"} {
				if m == "IsValid" && slices.Contains([]string{"Constraints", "Module", "ModuleInstance"}, f.results[0].typ) {
					continue
				}
				if !methods["addrs."+f.results[0].typ+"."+m] {
					t.Errorf("addrs.%s has no method %s", f.results[0].typ, m)
				}
			}
		}
	}
}

// TestOptions checks the two forms of options: a sealed interface Option, as
// the last, variadic parameter; or a struct, whose name ends in Options, by
// value.
func TestOptions(t *testing.T) {
	for pkg, files := range public(t) {
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				s, ok := n.(*ast.TypeSpec)
				if !ok || s.Name.Name != "Option" {
					return true
				}
				i, ok := s.Type.(*ast.InterfaceType)
				if !ok || len(i.Methods.List) != 1 || len(i.Methods.List[0].Names) != 1 || i.Methods.List[0].Names[0].IsExported() {
					t.Errorf("%s.Option must be an interface with one method, which is not exported", pkg)
				}
				return true
			})
		}
	}
	for _, f := range functions(t) {
		for i, p := range f.params {
			last := i == len(f.params)-1
			name := strings.TrimLeft(p.typ, "*[].")
			switch {
			case name == "Option" && (p.typ != "...Option" || p.name != "opts" || !last):
				t.Errorf("%s: options are the last parameter, opts ...Option", f)
			case strings.HasSuffix(name, "Options") && (p.typ != name || !last):
				t.Errorf("%s: %s is passed by value, as the last parameter", f, name)
			}
		}
	}
}

// TestIterators checks that sequences are iterators, and streams have their
// error second.
func TestIterators(t *testing.T) {
	withError := regexp.MustCompile(`iter\.Seq2\[error,|iter\.Seq\[error\]`)
	for _, f := range functions(t) {
		for _, p := range slices.Concat(f.params, f.results) {
			if strings.Contains(p.typ, "chan ") {
				t.Errorf("%s: a sequence is an iterator, not a channel", f)
			}
			if withError.MatchString(p.typ) {
				t.Errorf("%s: the error is the second of an iter.Seq2", f)
			}
			if strings.Contains(p.typ, "yield") || regexp.MustCompile(`^func\(.*\) bool$`).MatchString(p.typ) {
				t.Errorf("%s: a sequence is an iterator, not a callback", f)
			}
		}
		for _, r := range f.results {
			if f.results[0].typ == r.typ && strings.HasPrefix(r.typ, "iter.Seq2[") && strings.HasSuffix(r.typ, ", error]") && !regexp.MustCompile(`(?i)error|fail|\[[A-Z][\w.]*\]`).MatchString(f.doc) {
				t.Errorf("%s: the comment must say what an error means for the rest, or name what it is like", f)
			}
			if strings.HasPrefix(r.typ, "iter.Seq") && len(f.results) != 1 {
				t.Errorf("%s: an iterator is the only result", f)
			}
		}
	}
}

// TestContexts checks that a context is the first parameter, and that errors
// are the last result.
func TestContexts(t *testing.T) {
	for _, f := range functions(t) {
		for i, p := range f.params {
			if p.typ == "context.Context" && i > 0 {
				t.Errorf("%s: the context is the first parameter", f)
			}
		}
		for i, r := range f.results {
			if r.typ == "error" && i < len(f.results)-1 {
				t.Errorf("%s: the error is the last result", f)
			}
			if r.typ == "*Error" {
				t.Errorf("%s: an error is returned as an error", f)
			}
		}
	}
}

// TestGlobals checks that packages have no exported variables, except errors, which
// errors.Is needs, and zero values.
func TestGlobals(t *testing.T) {
	zero := []string{"addrs.NoKey"}
	for pkg, files := range public(t) {
		for _, f := range files {
			for _, decl := range f.Decls {
				d, ok := decl.(*ast.GenDecl)
				if !ok || d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					for _, n := range spec.(*ast.ValueSpec).Names {
						if n.IsExported() && !strings.HasPrefix(n.Name, "Err") && !slices.Contains(zero, pkg+"."+n.Name) {
							t.Errorf("%s.%s is a variable", pkg, n.Name)
						}
					}
				}
			}
		}
	}
}

// TestState checks that no function of a public package, or of an internal package that it
// compiles, changes a variable of the package, that no such variable is made to be changed except
// pools of memory and tables that are computed once, and that there is no function init.
func TestState(t *testing.T) {
	allowed := []string{
		"internal/langfuncs.tablesMu", "internal/langfuncs.tables", // computed once for each release
		"internal/wire.memories",                              // counts the kinds of memory while they are made
		"planjson/statefile.inUse",                            // the files that the process saves
		"internal/wire.tables",                                // counts the tables of types while they are made
		"registry/install.locked", "registry/install.waiting", // the locks that the process holds
		"lockfile.fileSchema", "lockfile.providerSchema", // whose addresses HCL takes and reads
		"planjson/redact.objectTypes", // the same
	}
	variables := 0
	for _, pkg := range append(slices.Collect(maps.Keys(internals(t))), sortedPackages()...) {
		names, files := map[string]bool{}, filesOf(t, pkg)
		for _, f := range files {
			for _, decl := range f.Decls {
				if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
					t.Errorf("%s has a function init", pkg)
				}
				d, ok := decl.(*ast.GenDecl)
				if !ok || d.Tok != token.VAR {
					continue
				}
				for _, spec := range d.Specs {
					spec := spec.(*ast.ValueSpec)
					text := ""
					if spec.Type != nil {
						text = source(spec.Type)
					}
					for _, v := range spec.Values {
						text += " " + source(v)
					}
					for _, n := range spec.Names {
						names[n.Name] = true
						variables++
						if !slices.Contains(allowed, pkg+"."+n.Name) && regexp.MustCompile(`^ ?&?(sync\.(Mutex|RWMutex|Map|Once\b)|atomic\.|chan )|^ ?make\(`).MatchString(text) {
							t.Errorf("%s.%s is state: %.40s", pkg, n.Name, text)
						}
					}
				}
			}
		}
		for _, f := range files {
			for _, decl := range f.Decls {
				if d, ok := decl.(*ast.FuncDecl); ok && d.Body != nil {
					for _, name := range changed(d, names) {
						if name == "_" || slices.Contains(allowed, pkg+"."+name) {
							continue
						}
						t.Errorf("%s.%s changes the variable %s of the package", pkg, d.Name.Name, name)
					}
				}
			}
		}
	}
	if variables < 100 {
		t.Errorf("only %d variables", variables)
	}
}

// filesOf returns the files of a package of this module, without its tests.
func filesOf(t *testing.T, pkg string) []*ast.File {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pkg), "*.go"))
	if err != nil || len(names) == 0 {
		t.Fatal(pkg, err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// changed returns which of the given variables a function assigns to, in whole or in part, and
// does not declare itself.
func changed(d *ast.FuncDecl, names map[string]bool) (found []string) {
	own := map[string]bool{}
	declare := func(list *ast.FieldList) {
		if list != nil {
			for _, f := range list.List {
				for _, n := range f.Names {
					own[n.Name] = true
				}
			}
		}
	}
	declare(d.Recv)
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			declare(n.Params)
			declare(n.Results)
		case *ast.AssignStmt:
			for _, x := range n.Lhs {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
					own[id.Name] = true
				}
			}
		case *ast.RangeStmt:
			for _, x := range []ast.Expr{n.Key, n.Value} {
				if id, ok := x.(*ast.Ident); ok && n.Tok == token.DEFINE {
					own[id.Name] = true
				}
			}
		case *ast.ValueSpec:
			for _, id := range n.Names {
				own[id.Name] = true
			}
		}
		return true
	})
	change := func(x ast.Expr) {
		for {
			switch y := x.(type) {
			case *ast.IndexExpr:
				x = y.X
			case *ast.SelectorExpr:
				x = y.X
			case *ast.StarExpr:
				x = y.X
			case *ast.ParenExpr:
				x = y.X
			case *ast.Ident:
				if names[y.Name] && !own[y.Name] {
					found = append(found, y.Name)
				}
				return
			default:
				return
			}
		}
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				for _, x := range n.Lhs {
					change(x)
				}
			}
		case *ast.IncDecStmt:
			change(n.X)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				change(n.X)
			}
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear" || id.Name == "copy") && len(n.Args) > 0 {
				change(n.Args[0])
			}
		}
		return true
	})
	return found
}

// TestSections checks that the first page of every package begins with code, has at
// most 120 lines, and says the same things under the same headings in the same order.
func TestSections(t *testing.T) {
	for pkg := range mayImport {
		text := string(read(t, pkg+"/doc.go"))
		if !strings.Contains(text, "\n// Package "+filepath.Base(pkg)+" ") {
			t.Errorf("%s/doc.go does not begin with the package's name", pkg)
		}
		if pkg == "registry/registrytest" || pkg == "hclconfig/hcllint/hcllinttest" {
			continue
		}
		var headings []string
		for _, m := range regexp.MustCompile(`(?m)^// # (.+)$`).FindAllStringSubmatch(text, -1) {
			headings = append(headings, m[1])
		}
		if last := headings[max(0, len(headings)-3):]; !slices.Equal(last, []string{"Errors", "Security", "Concurrency"}) {
			t.Errorf("%s/doc.go ends with the sections %q, not with errors, security and concurrency", pkg, last)
		}
		page, _, _ := strings.Cut(text, "\npackage ")
		if n := strings.Count(page, "\n"); n > 120 {
			t.Errorf("%s/doc.go has %d lines, more than 120", pkg, n)
		}
		if code := strings.Index(page, "\n//\t"); code < 0 || strings.Count(page[:code], "\n") > 12 {
			t.Errorf("%s/doc.go does not begin with code", pkg)
		}
		if !regexp.MustCompile(`(?i)goroutine`).MatchString(text) {
			t.Errorf("%s/doc.go does not say what goroutines may do", pkg)
		}
		if !regexp.MustCompile(`(?i)\b(not|no|nothing)\b[^.]*\.`).MatchString(text) {
			t.Errorf("%s/doc.go does not say what the package does not do", pkg)
		}
	}
}

// TestExamples checks that every public package has at least three examples
// that are run and compared with their output.
func TestExamples(t *testing.T) {
	for pkg := range mayImport {
		if pkg == "registry/registrytest" || pkg == "hclconfig/hcllint/hcllinttest" || pkg == "uijson/uirun" { // whose examples run a tool
			continue
		}
		names, err := filepath.Glob(filepath.Join(root, pkg, "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		var files []*ast.File
		for _, name := range names {
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		played := 0
		for _, e := range doc.Examples(files...) {
			if e.Play != nil && e.Output != "" {
				played++
			}
		}
		if played < 3 {
			t.Errorf("%s has %d examples that can be played and show their output, not even 3", pkg, played)
		}
	}
}
