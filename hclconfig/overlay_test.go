// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// TestOverlay reads modules of which some files are in memory.
func TestOverlay(t *testing.T) {
	file := func(name, src string) *hclconfig.File {
		f, err := hclconfig.Parse(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	below := fstest.MapFS{
		"main.tf":     {Data: []byte("variable \"a\" {\n}\n")},
		"outputs.tf":  {Data: []byte("output \"o\" {\n  value = var.a\n}\n")},
		"net/main.tf": {Data: []byte("variable \"n\" {\n}\n")},
	}
	edited := []*hclconfig.File{
		file("main.tf", "# gone\n"), nil, file("main.tf", "variable \"b\" {\n}\n"), file("net/more.tf", "output \"m\" {\n  value = 1\n}\n"),
		file("new/deep/x.tf", "locals {\n  x = 1\n}\n"), file("../y.tf", ""),
	}
	both := hclconfig.Overlay(below, edited...)
	if err := fstest.TestFS(both, "main.tf", "outputs.tf", "net/main.tf", "net/more.tf", "new/deep/x.tf"); err != nil {
		t.Error(err)
	}
	if err := fstest.TestFS(hclconfig.Overlay(nil, edited...), "main.tf", "net/more.tf", "new/deep/x.tf"); err != nil {
		t.Error(err)
	}
	m, err := hclconfig.LoadModule(both, ".")
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Files) != 2 || len(m.Variables) != 1 || m.Variables[0].Name != "b" || len(m.Outputs) != 1 {
		t.Errorf("%d files, %d variables", len(m.Files), len(m.Variables))
	}
	if m, err = hclconfig.LoadModule(both, "net"); err != nil || len(m.Variables) != 1 || len(m.Outputs) != 1 {
		t.Error("of the other folder, a part is missing", err)
	}
	if m, err = hclconfig.LoadModule(hclconfig.Overlay(nil, edited...), "."); err != nil || len(m.Variables) != 1 || len(m.Outputs) != 0 {
		t.Error("from memory alone, something else is there", err)
	}
	for _, fsys := range []fs.FS{both, hclconfig.Overlay(nil)} {
		if _, err := fs.ReadFile(fsys, "nothing.tf"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
		if _, err := fs.ReadDir(fsys, "nothing"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("got %v", err)
		}
	}
}

// TestNested finds the blocks of a type that only a schema knows, in both syntaxes.
func TestNested(t *testing.T) {
	const native = `resource "a" "b" {
  ingress {
    port = 1
  }
  egress {
  }
  ingress {
    port = 2
  }
  dynamic "ingress" {
    for_each = []
    content {
    }
  }
  dynamic "egress" {
    for_each = []
    content {
    }
  }
  lifecycle {
  }
  rule "x" {
  }
}
`
	const json = `{"resource": {"a": {"b": {"ingress": [{"port": 1}, {"port": 2}], "egress": {}, "name": "x", "rule": {"x": {}}, "lifecycle": {},
  "dynamic": {"ingress": {"for_each": [], "content": {}}, "egress": {"for_each": [], "content": {}}}}}}}`
	for name, src := range map[string]string{"a.tf": native, "a.tf.json": json} {
		f, err := hclconfig.Parse(name, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		b := f.Body().Block("resource")
		found := b.Body.Nested("ingress", 0)
		if len(found) != 3 || found[0].Argument("port") == nil || found[1].Type != "ingress" || found[2].Type != "dynamic" {
			t.Errorf("%s: %d blocks", name, len(found))
		}
		if n := len(b.Body.Nested("egress", 0)); n != 2 {
			t.Errorf("%s: %d egress", name, n)
		}
		if found := b.Body.Nested("rule", 1); len(found) != 1 || found[0].Labels[0] != "x" {
			t.Errorf("%s: %v", name, found)
		}
		if len(b.Body.Nested("lifecycle", 0)) != 1 || len(b.Body.Nested("name", 0)) != 0 || len(b.Body.Nested("none", 2)) != 0 || (*hclconfig.Body)(nil).Nested("x", 0) != nil || b.Body.Nested("x", -1) != nil {
			t.Errorf("%s: others", name)
		}
		if got, start, end := b.Body.Place(); got != f || int64(start) != b.Body.Range().Start.Offset || int64(end) != b.Body.Range().End.Offset {
			t.Errorf("%s: %d to %d", name, start, end)
		}
	}
	if f, _, _ := (*hclconfig.Body)(nil).Place(); f != nil {
		t.Error("a nil body has a place")
	}
}
