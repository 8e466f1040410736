// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// partsOf returns all blocks and arguments of a body.
func partsOf(b *hclconfig.Body) (parts []Part) {
	for i := range b.Arguments {
		parts = append(parts, &b.Arguments[i])
	}
	for i := range b.Blocks {
		parts = append(append(parts, &b.Blocks[i]), partsOf(&b.Blocks[i].Body)...)
	}
	return parts
}

// The comments of a part are the same whether only the text around it is looked at or,
// as before an edit, all of the block around it.
func TestCommentsOf_asBeforeEdits(t *testing.T) {
	files := map[string][]byte{
		"dense.tf": []byte("a = 1 // one\n/* two\nlines */ b = 2 # two\n\n# far\n\n# near\nc { # open\n  x = 1 /* c */ /* d */\n  # above y\n  y = 2\n  # end\n} # shut\nd { z = 1 } // d\ne {}\n# last"),
		"crlf.tf":  []byte("a = 1 # x\r\n# b\r\nb {\r\n  # c\r\n  c = 2 # d\r\n}\r\n"),
	}
	err := filepath.WalkDir("../testdata", func(name string, d fs.DirEntry, err error) error {
		if err == nil && (strings.HasSuffix(name, ".tf") || strings.HasSuffix(name, ".tfvars")) {
			files[name], err = os.ReadFile(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for name, src := range files {
		f, err := hclconfig.ParseNative(name, src, hclconfig.OpenTofu)
		if err != nil {
			continue
		}
		for _, p := range partsOf(f.Body()) {
			texts := func(asRead bool) (out [3][]string) {
				n := readOnly(f).native().notesOf(p, asRead)
				if n == nil {
					return out
				}
				for i, list := range [][]extent{n.above, n.inside, {n.behind}} {
					for _, c := range list {
						out[i] = append(out[i], n.r.text[c.start:c.end])
					}
				}
				return out
			}
			tried++
			if got, want := texts(true), texts(false); !reflect.DeepEqual(got, want) {
				_, at := spot(p)
				t.Errorf("%s, byte %d: got %q, want %q", name, at.Start, got, want)
			}
		}
	}
	if tried < 3000 {
		t.Errorf("only %d parts", tried)
	}
}

// A walk over all parts looks at each text a few times at most, however large the block is.
func TestCommentsOf_proportion(t *testing.T) {
	for _, shape := range []struct{ open, part, shut string }{
		{"", "# %d\na%[1]d = [1, 2] # x\n", ""},
		{"x {\n", "  # %d\n  a%[1]d = 1\n", "}\n"},
		{"x {\n", "  # %d\n  b {\n    a = %[1]d\n  }\n", "}\n"},
		{"", "b {\n  a = %d # a\n}\n", ""},
	} {
		for _, n := range []int{200, 400} {
			var b strings.Builder
			b.WriteString(shape.open)
			for i := range n {
				fmt.Fprintf(&b, shape.part, i)
			}
			b.WriteString(shape.shut)
			f, err := hclconfig.ParseNative("x.tf", []byte(b.String()), hclconfig.OpenTofu)
			if err != nil {
				t.Fatal(err)
			}
			looked := 0
			for _, p := range partsOf(f.Body()) {
				if _, is := p.(*hclconfig.Block); is && shape.open != "" && p == Part(&f.Body().Blocks[0]) {
					continue // has all of the others in it
				}
				e := readOnly(f)
				looked += len(e.native().notesOf(p, true).r.text) + e.parsed
			}
			if looked > 6*b.Len() {
				t.Errorf("%q: looked at %d bytes of %d", shape.part, looked, b.Len())
			}
		}
	}
}
