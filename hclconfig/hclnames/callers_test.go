// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

func TestCallers(t *testing.T) {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		"main.tf":            "module \"a\" {\n  source = \"./m\"\n}\nmodule \"r\" {\n  source = \"hashicorp/x/y\"\n}\nmodule \"no\" {}\n",
		"live/main.tf":       "locals {\n  dir = \"../m\"\n}\nmodule \"b\" {\n  source = local.dir\n}\nvariable \"v\" {}\nmodule \"c\" {\n  source = var.v\n}\nmodule \"d\" {\n  source = \"../n\"\n}\n",
		"live/x.tf.json":     `{"module": {"e": {"source": "../m/"}}}`,
		"m/main.tf":          "variable \"x\" {}\n",
		"n/main.tf":          "}",
		".terraform/m/a.tf":  "module \"z\" {\n  source = \"../../m\"\n}\n",
		"tests/a.tftest.hcl": "run \"x\" {}\n",
	} {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	var got []string
	for c, err := range hclnames.Callers(fsys, "m") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprint(c.Module.Dir, " ", c.Call.Name, " ", c.Unknown))
	}
	if text := strings.Join(got, ", "); text != ". a false, live b false, live c true, live e false" {
		t.Error(text)
	}
	got = nil
	for c, err := range hclnames.Calls(fsys) {
		got = append(got, fmt.Sprint(c.Module.Dir, " ", c.Call.Name, " ", c.Dir, " ", c.Unknown, " ", err))
	}
	if text := strings.Join(got, ", "); text != ". a m false <nil>, live b m false <nil>, live c  true <nil>, live d n false <nil>, live e m false <nil>" {
		t.Error(text)
	}
	for range hclnames.Callers(fsys, "m") {
		break
	}
}

// TestUse_Reference edits what a use leads to.
func TestUse_Reference(t *testing.T) {
	fsys := fstest.MapFS{
		"main.tf":   {Data: []byte("variable \"x\" {}\nlocals {\n  a = \"${var.x} ${upper(var.x)}\"\n}\nmodule \"m\" {\n  source = \"./m\"\n  x      = var.x\n}\n")},
		"m/main.tf": {Data: []byte("variable \"x\" {}\n")},
	}
	m, err := hclconfig.LoadModule(fsys, ".")
	if err != nil {
		t.Fatal(err)
	}
	names := hclnames.NamesOf(m)
	e := hcledit.Edit(m.Files[0])
	n := 0
	for _, u := range names.Uses("var.x") {
		if r, ok := u.Reference(); ok {
			e.ReplaceReference(r, "local.y")
			n++
		}
	}
	out, err := e.Apply()
	if err != nil || n != 3 || strings.Count(string(out.Bytes()), "local.y") != 3 {
		t.Errorf("%d, %v\n%s", n, err, out.Bytes())
	}
	for _, u := range names.Uses("module.m.var.x") {
		if _, ok := u.Reference(); ok {
			t.Error("the name of an input is a reference")
		}
	}
	if _, ok := (hclnames.Use{}).Reference(); ok {
		t.Error("no use has a reference")
	}
}
