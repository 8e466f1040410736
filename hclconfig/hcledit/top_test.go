// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestArgumentsOfFiles edits arguments that are in no block.
func TestArgumentsOfFiles(t *testing.T) {
	add := func(_ *hclconfig.File, e *hcledit.Editor) {
		e.Set(nil, "region", "eu-${x}").Set(nil, "data", []string{"a"})
	}
	many := func(f *hclconfig.File, e *hcledit.Editor) {
		e.Remove(nil, "c").Remove(nil, "none").Rename(nil, "b", "module").Set(nil, "z", 1, hcledit.First())
		e.Set(nil, "y", 2, hcledit.Before(hcledit.Named("a"))).Set(nil, "w", 3, hcledit.After(f.Body().Argument("a")))
	}
	for _, c := range []struct {
		name, src, want string
		edit            func(f *hclconfig.File, e *hcledit.Editor)
	}{
		{"x.tfvars", "", "region = \"eu-$${x}\"\ndata   = [\"a\"]\n", add},
		{"x.tfvars", "\n", "\nregion = \"eu-$${x}\"\ndata   = [\"a\"]\n", add},
		{"x.tfvars", "# header\n", "# header\n\nregion = \"eu-$${x}\"\ndata   = [\"a\"]\n", add},
		{"x.tfvars", "# r\nregion = \"x\" # c\n\n# n\nn = {\n  b = 1\n}", "# r\nregion = \"eu-$${x}\" # c\n\n# n\nn = {\n  b = 1\n}\ndata = [\"a\"]\n", add},
		{"x.tfvars", "\uFEFFn = 1\r\n", "\uFEFFn = 1\r\nregion = \"eu-$${x}\"\r\ndata   = [\"a\"]\r\n", add},
		{"x.tfvars", "a = 1\nb = 2\n# c\nc = 3 # c\n", "z      = 1\ny      = 2\na      = 1\nw      = 3\nmodule = 2\n", many},
		{"terragrunt.hcl", "inputs = {}\n\nterraform {\n  source = \"x\"\n}\n", "inputs = {}\nregion = \"eu-$${x}\"\ndata   = [\"a\"]\n\nterraform {\n  source = \"x\"\n}\n", add},
		{"terragrunt.hcl", "terraform {\n  source = \"x\"\n}", "region = \"eu-$${x}\"\ndata   = [\"a\"]\n\nterraform {\n  source = \"x\"\n}", add},
		{"a.tf", "# r\nlocals {}\n", "region = \"eu-$${x}\"\ndata   = [\"a\"]\n\n# r\nlocals {}\n", add},
		{"x.tfvars.json", "{}", `{"region": "eu-${x}", "data": ["a"]}`, add},
		{"x.tfvars.json", "\n{\n    \"data\": {\"b\": 1}\n}\n", "\n{\n    \"data\": [\"a\"],\n    \"region\": \"eu-${x}\"\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(nil, "data", []string{"a"}).Set(nil, "region", "eu-${x}")
		}},
		{"x.tfvars.json", `{"a": 1, "b": "${x}", "c": 3}`, `{"z": 1, "y": 2, "a": 1, "w": 3, "module": "${x}"}`, many},
	} {
		f, err := hclconfig.Parse(c.name, []byte(c.src))
		if errors.Is(err, hclconfig.ErrFilename) {
			f, err = hclconfig.ParseNative(c.name, []byte(c.src))
		}
		if err != nil {
			t.Fatal(err)
		}
		e := hcledit.Edit(f)
		c.edit(f, e)
		g, err := e.Apply()
		if err != nil {
			t.Errorf("%s %q: %v", c.name, c.src, err)
		} else if diff := cmp.Diff(c.want, string(g.Bytes())); diff != "" {
			t.Errorf("%s %q: (-want +got):\n%s", c.name, c.src, diff)
		}
	}
}

// TestArgumentsOfFilesRefused makes edits of arguments that a file cannot have.
func TestArgumentsOfFilesRefused(t *testing.T) {
	for name, edit := range map[string]func(e *hcledit.Editor){
		"a.tftest.hcl":  func(e *hcledit.Editor) { e.Rename(nil, "a", "b") },
		"a.tfvars":      func(e *hcledit.Editor) { e.Set(nil, "a b", 1) },
		"b.tfvars":      func(e *hcledit.Editor) { e.Rename(nil, "a", "b") },
		"c.tfvars":      func(e *hcledit.Editor) { e.Set(nil, "a", struct{}{}) },
		"c.tfvars.json": func(e *hcledit.Editor) { e.Rename(nil, "a", "b") },
		"d.tfvars":      func(e *hcledit.Editor) { e.Relabel(nil, 0, "b") },
		"e.tfvars":      func(e *hcledit.Editor) { e.Set(nil, "a", 1, hcledit.After(hcledit.Named("b"))) },
	} {
		src := ""
		if f, _ := hclconfig.ParseFilename(name); f.Syntax == hclconfig.JSONSyntax {
			src = "{}"
		}
		e := hcledit.Edit(mustParse(t, name, src))
		edit(e)
		if _, err := e.Apply(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestReplacedArray replaces arrays in a JSON file. Short ones keep their lines.
func TestReplacedArray(t *testing.T) {
	f := mustParse(t, "x.tf.json", "{\"locals\": {\n  \"a\": [\n    1\n  ],\n  \"b\": [1, 2],\n  \"c\": 3,\n  \"//\": \"end\"\n}}\n")
	e := hcledit.Edit(f)
	for _, name := range []string{"a", "b", "c", "d"} {
		e.Set(f.Body().Block("locals"), name, []any{4})
	}
	g, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	want := "{\"locals\": {\n  \"a\": [\n    4\n  ],\n  \"b\": [4],\n  \"c\": [\n    4\n  ],\n  \"d\": [\n    4\n  ],\n  \"//\": \"end\"\n}}\n"
	if diff := cmp.Diff(want, string(g.Bytes())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSameArray sets a value again, whose arrays and objects have lines. Nothing changes,
// neither the indentation nor the short arrays in it.
func TestSameArray(t *testing.T) {
	v := []any{true, []any{[]any{}, []any{5, 6}}, map[string]any{"k": []any{7}}}
	f := mustParse(t, "x.tf.json", "{\"locals\": {\"a\": {\n\t\"b\": 1\n}}}\n")
	for i := range 3 {
		g, err := hcledit.Edit(f).Set(f.Body().Block("locals"), "a", v).Apply()
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 && string(g.Bytes()) != string(f.Bytes()) {
			t.Fatalf("got\n%s\nafter\n%s", g.Bytes(), f.Bytes())
		}
		f = g
	}
}

// TestInsertLikeNeighbours inserts items, which look like those that are there.
func TestInsertLikeNeighbours(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"{\n    \"a\" = 1\n  }", "{\n    \"a\" = 1\n    new = 2\n  }"},
		{"{\n    \"a\" = 1\n    b   = 1\n  }", "{\n    \"a\" = 1\n    b   = 1\n    new = 2\n  }"},
		{"{ \"a\" = 1 }", "{ \"a\" = 1, new = 2 }"},
		{"f(x,\n  {\n    a = 1,\n    b = 2,\n  })", "f(x,\n  {\n    a = 1,\n    b = 2,\n    new = 2,\n  })"},
		{"{ a = 1,\n  b = 2 }", "{ a = 1,\n    b = 2,\n  new = 2 }"},
		{"{ a = 1\n  b = 2 }", "{ a = 1\n    b = 2\n  new = 2 }"},
		{"{ a = 1, b = 2 }", "{ a = 1, b = 2, new = 2 }"},
	} {
		f := mustParse(t, "x.tf", "locals {\n  x = "+c.src+"\n}\n")
		e := hcledit.Edit(f)
		for x := range f.Body().Blocks[0].Argument("x").All() {
			if x.Form() == hclconfig.FormObject {
				e.Insert(x, hcledit.Entry{Key: "new", Value: hcledit.Int(2)})
			}
		}
		g, err := e.Apply()
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
		} else if diff := cmp.Diff("locals {\n  x = "+c.want+"\n}\n", string(g.Bytes())); diff != "" {
			t.Errorf("%s: (-want +got):\n%s", c.src, diff)
		}
	}
}
