// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// machineShapes are texts that the fast reader reads.
var machineShapes = []string{
	"",
	"\n",
	"\ufeff",
	"# only a comment",
	"/* a */ // b\n#c\r\n",
	"provider \"a/b/c\" {\n  version = \"1.0.0\"\n}",
	"\ufeff# x\r\nprovider\t\"ex.com/b/c\"{\r\n\tversion=\"1.0.0\" # x\r\n\tconstraints\t=\"~> 1.0\"\r\n hashes=[\"h1:a\",// c\r\n \"zh:b\" /* d\n */ ,\r\n]\r\n}\r\n",
	"provider \"registry.opentofu.org/hashicorp/null\" {\n  version     = \"3.2.4\"\n  constraints = \">= 3.0.0, < 4.0.0\"\n  hashes = [\n    \"h1:a\",\n    \"zh:b\",\n  ]\n}\n",
	"provider \"ex.com/b/c\" {\n  hashes = [\"h1:\"] // é\n  version = \"1.0\"\n}\n\nprovider \"ex.com/b/c\" {\n  version = \"x\"\n  constraints = \">=1\"\n hashes = [\"nope\"]\n}\n",
}

// otherShapes are texts that only the HCL parser reads.
var otherShapes = []string{
	"provider \"a/b/c\" {\n  version = \"1.0.0\"\n  hashes = []\n}\n",
	"provider \"a/b/c\" { version = \"1.0.0\" }\n",
	"provider \"a/b/c\" {}\n",
	"provider a {\n}\n",
	"provider \"a\" \"b\" {\n}\nmodule \"x\" {\n}\nfoo {\n}\nbar = 1\n",
	"provider \"ex.com/b/c\" {\n  version = \"1.${\"0\"}.0\"\n hashes = [<<E\nh1:x\nE\n, 5, null, foo, (\"h1:a\")]\n}\n",
	"provider \"bücher.example/b/c\" {\n  version = (\"1.0.0\") /* ü */ # é\n  constraints = null\n}\n",
	"<<<<<<< HEAD\nprovider \"a/b/c\" {\n=======\n>>>>>>> x\n",
	"provider \"a/b/c\" {\n  version = 1e999999999\n}\n",
	"provider \"a/b/c\" {\n  version = [for x in [1]: x][0]\n}\n",
}

// FuzzReadersAgree requires that the fast reader, whenever it reads a text,
// finds what the HCL parser finds, to the byte.
func FuzzReadersAgree(f *testing.F) {
	for _, s := range append(machineShapes, otherShapes...) {
		f.Add(s)
	}
	paths, err := filepath.Glob("testdata/*/*.hcl")
	if err != nil || len(paths) == 0 {
		f.Fatal("no fixtures", err)
	}
	for _, path := range paths {
		src, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(src))
	}
	f.Fuzz(func(t *testing.T, text string) {
		raws, ok := scanMachine(text)
		if !ok || len(text) > MaxSize {
			return
		}
		fast := File{filename: "x", text: text}
		fast.adopt(raws)
		g := general{filename: "x", text: text}
		generalRaws := g.read()
		slow := File{filename: "x", text: text, diags: g.diags}
		slow.adopt(generalRaws)
		opts := cmp.Options{cmp.AllowUnexported(rawBlock{}, byteRange{}, attribute{}, element{}), cmpopts.EquateEmpty()}
		if d := cmp.Diff(generalRaws, raws, opts); d != "" {
			t.Errorf("readers disagree on %q (-hcl +fast):\n%s", text, d)
		}
		if d := cmp.Diff(slow.diags, fast.diags); d != "" {
			t.Errorf("diagnostics disagree on %q (-hcl +fast):\n%s", text, d)
		}
	})
}

// TestReaderOfShape makes sure that each of the two readers is tested.
func TestReaderOfShape(t *testing.T) {
	for _, s := range machineShapes {
		if _, ok := scanMachine(s); !ok {
			t.Errorf("the fast reader does not read %q", s)
		}
	}
	for _, s := range otherShapes {
		if _, ok := scanMachine(s); ok {
			t.Errorf("the fast reader reads %q", s)
		}
	}
}
