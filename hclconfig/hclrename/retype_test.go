// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// marked returns a file system of texts in which ‹ and › are around what changes, and the texts as
// they should become: +‹ and › are around what is added.
func marked(files map[string]string, to string) (fsys fstest.MapFS, want map[string]string) {
	fsys, want = fstest.MapFS{}, map[string]string{}
	for name, text := range files {
		var before, after strings.Builder
		for text != "" {
			plain, rest, ok := strings.Cut(text, "‹")
			added, isAdded := strings.CutSuffix(plain, "+")
			if ok && isAdded {
				plain = added
			}
			before.WriteString(plain)
			after.WriteString(plain)
			if !ok {
				break
			}
			var in string
			in, text, _ = strings.Cut(rest, "›")
			if isAdded {
				after.WriteString(in)
				continue
			}
			before.WriteString(in)
			after.WriteString(to)
		}
		fsys[name] = &fstest.MapFile{Data: []byte(before.String())}
		if before.String() != after.String() {
			want[name] = after.String()
		}
	}
	return fsys, want
}

// compare compares changed files.
func compare(t *testing.T, got map[string][]byte, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if string(got[name]) != text {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got[name], text)
		}
	}
	for name, text := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s changed: %s", name, text)
		}
	}
}

func TestRenameType(t *testing.T) {
	fsys, want := marked(map[string]string{
		"m/main.tf": `terraform {
  required_version = ">= 1.8"
}

# lab_old.a in a comment
resource "‹lab_old›" "a" {
  for_each = toset(["x"])
}

resource "‹lab_old›" "b" {
  name       = "lab_old.a ${‹lab_old›.a["x"].id} ${join("", values(‹lab_old›.a)[*].id)}"
  depends_on = [‹lab_old›.a, data.lab_old.a]

  lifecycle {
    replace_triggered_by = [‹lab_old›.a["x"].id]
  }
}

data "lab_old" "a" {}

resource "terraform_data" "lab_old" {
  input = { lab_old = terraform_data.lab_old_too, n = ‹lab_old› . b.lab_old }
}

resource "terraform_data" "lab_old_too" {}

moved {
  from = lab_old.before
  to   = lab_old.b
}

import {
  to = ‹lab_old›.b
  id = "lab_old.b"
}

check "c" {
  assert {
    condition     = ‹lab_old›.b.id != data.lab_old.a.id
    error_message = "no"
  }
}

module "net" {
  source = "../net"
}
+‹
moved {
  from = lab_old.a
  to   = lab_new.a
}

moved {
  from = lab_old.b
  to   = lab_new.b
}
›`,
		"m/main.tftest.hcl": `mock_provider "lab" {
  mock_resource "‹lab_old›" {
    defaults = {}
  }
}

run "a" {
  override_resource {
    target = ‹lab_old›.b
  }
  override_resource {
    target = module.net.‹lab_old›.n[0]
  }
  assert {
    condition     = ‹lab_old›.b.id != ""
    error_message = "x"
  }
}
`,
		"net/net.tf.json": `{"resource": {"‹lab_old›": {"n": {"count": 1, "v": "${‹lab_old›.n[0].id}"}}}, "data": {"lab_old": {"n": {}}}+‹, "moved": {"from": "lab_old.n", "to": "lab_new.n"}›}`,
		"elsewhere/e.tf":  "resource \"lab_old\" \"e\" {}\n",
		"top/top.tf":      "module \"m\" {\n  source = \"../m\"\n}\n\nremoved {\n  from = lab_old.x\n}\n\nimport {\n  to = module.m.module.net.‹lab_old›.n[0]\n  id = \"1\"\n}\n",
	}, "lab_new")
	got, err := RenameType(fsys, "m", "lab_old", "lab_new", Options{})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, want)
}

// TestRenameTypeForget writes removed and import blocks.
func TestRenameTypeForget(t *testing.T) {
	fsys, want := marked(map[string]string{
		"main.tf": `resource "‹old_a›" "a" {
  for_each = toset(["q r", "$${x}"])
}

resource "‹old_a›" "unborn" {}

module "m" {
  source = "./m"
  count  = 2
}
+‹
removed {
  from = old_a.a

  lifecycle {
    destroy = false
  }
}

import {
  to = new_b.a["$${x}"]
  id = "$${v}\"%%{"
}

import {
  to = new_b.a["q r"]
  id = "2"
}

removed {
  from = module.m.old_a.in

  lifecycle {
    destroy = false
  }
}

import {
  to = module.m[1].new_b.in
  id = "3"
}
›`,
		"m/m.tf":       "resource \"‹old_a›\" \"in\" {}\n",
		"more.tf.json": `{"resource": {"‹old_a›": {"j": {}}}+‹, "removed": {"from": "old_a.j", "lifecycle": {"destroy": false}}, "import": {"to": "new_b.j", "id": "$${v}"}›}`,
	}, "new_b")
	var imports []Import
	for _, i := range [][2]string{{`old_a.a["$${x}"]`, `${v}"%{`}, {`old_a.a["q r"]`, "2"}, {`old_a.j`, "${v}"}, {"module.m[0].old_a.in", ""}, {"module.m[1].old_a.in", "3"}} {
		imports = append(imports, Import{addrs.MustParseAbsResourceInstance(i[0]), i[1]})
	}
	got, err := RenameType(fsys, ".", "old_a", "new_b", Options{Forget: true, Imports: imports})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, want)
	if _, err := RenameType(fsys, ".", "old_a", "new_b", Options{Forget: true, Imports: []Import{{addrs.MustParseAbsResourceInstance("old_a.gone"), "1"}}}); err == nil || !strings.Contains(err.Error(), "old_a.gone") {
		t.Errorf("not declared: %v", err)
	}
}

func TestRenameTypeRefused(t *testing.T) {
	const a = "resource \"old_a\" \"a\" {}\n"
	required := func(c string) string { return a + "terraform {\n  required_version = \"" + c + "\"\n}\n" }
	for name, tt := range map[string]struct {
		text, old, new, want string
		forget               bool
	}{
		"no resource":           {"data \"old_a\" \"a\" {}\n", "old_a", "new_b", "there is no resource of the type old_a", false},
		"the new name is there": {a + "resource \"new_b\" \"a\" {}\n", "old_a", "new_b", "new_b.a already exists", false},
		"the same type":         {a, "old_a", "old_a", "the same type", false},
		"no type":               {a, "old_a", "new b", "must be names", false},
		"removed elsewhere":     {a + "removed {\n  from = old_a.a\n}\n", "old_a", "new_b", "is removed at", false},
		"before 1.8":            {required("~> 1.7.0"), "old_a", "new_b", `"~> 1.7.0" allows no release that moves between types (OpenTofu 1.10, Terraform 1.8); removed and import blocks are possible`, false},
		"before 1.7":            {required("~> 1.5.0"), "old_a", "new_b", "Terraform 1.8)", false},
		"removed before 1.7":    {required("< 1.7"), "old_a", "new_b", "allows no release that has removed blocks", true},
		"removed in 1.7":        {required("~> 1.7.0"), "old_a", "new_b", "", true},
		"a later one":           {required(">= 1.0, != 1.8.0"), "old_a", "new_b", "", false},
		"exactly one":           {required("1.8.3"), "old_a", "new_b", "", false},
		"two constraints":       {required("< 1.9") + "terraform {\n  required_version = \"> 1.9\"\n}\n", "old_a", "new_b", "allows no release", false},
		"a syntax error":        {a + "x = {\n", "old_a", "new_b", "main.tf", false},
	} {
		_, err := RenameType(fstest.MapFS{"main.tf": {Data: []byte(tt.text)}}, ".", tt.old, tt.new, Options{Forget: tt.forget})
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := RenameType(fstest.MapFS{}, "none", "a", "b", Options{}); err == nil {
		t.Error("there is no such directory")
	}
}

// TestAllValues renames a variable in files of values by any name.
func TestAllValues(t *testing.T) {
	files := map[string]string{
		"m/main.tf":              "variable \"‹v›\" {}\n\noutput \"o\" {\n  value = var.‹v›\n}\n",
		"m/prod.tfvars":          "# v = 0\n‹v›     = { v = 1 }\nother = \"v\"\n",
		"m/terraform.tfvars":     "‹v› = 1\n",
		"m/env/eu.tfvars.json":   `{"‹v›": {"v": 1}, "w": 2}`,
		"m/sub/main.tf":          "variable \"v\" {}\n",
		"m/sub/x.tfvars":         "v = 1\n",
		"m/.terraform/x.tfvars":  "v = 1\n",
		"other/terraform.tfvars": "v = 1\n",
		"m/env/readme.txt":       "v = 1\n",
	}
	fsys, want := marked(files, "value")
	want["m/prod.tfvars"] = "# v = 0\nvalue = { v = 1 }\nother = \"v\"\n"
	got, err := Rename(fsys, "m", "var.v", "var.value", Options{AllValues: true})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, want)
	if got, err := Rename(fsys, "m", "var.v", "var.value", Options{}); err != nil || len(got) != 2 {
		t.Errorf("without the option: %v, %v", got, err)
	}
	fsys["m/env/new.tfvars"] = &fstest.MapFile{Data: []byte("value = 1\n")}
	if _, err := Rename(fsys, "m", "var.v", "var.value", Options{AllValues: true}); err == nil || !strings.Contains(err.Error(), "m/env/new.tfvars") {
		t.Errorf("got %v", err)
	}
}

// FuzzRenameType gives the resources of a type another one: the result parses, no managed resource
// has the old type, and each has a moved block.
func FuzzRenameType(f *testing.F) {
	f.Add([]byte("resource \"lab_old\" \"a\" {\n  count = 2\n}\noutput \"o\" {\n  value = \"${lab_old.a[0].id} ${data.lab_old.a.id}\"\n}\ndata \"lab_old\" \"a\" {\n}\n"), false)
	f.Add([]byte("moved {\n  from = lab_old.b\n  to   = lab_old.a\n}\nresource \"lab_old\" \"a\" {\n  depends_on = [lab_old.a]\n}\n"), false)
	f.Add([]byte(`{"resource":{"lab_old":{"a":[{"x":"${lab_old.a.id}"}]}},"output":{"o":{"value":"${lab_old.a}"}}}`), true)
	f.Fuzz(func(t *testing.T, src []byte, isJSON bool) {
		name := "main.tf"
		if isJSON {
			name += ".json"
		}
		out, err := RenameType(fstest.MapFS{name: {Data: src}}, ".", "lab_old", "lab_new", Options{})
		if err != nil {
			return
		}
		text, ok := out[name]
		if !ok {
			t.Fatalf("%q changes %q", src, out)
		}
		fsys := fstest.MapFS{name: {Data: text}}
		module, err := hclconfig.LoadModule(fsys, ".", hclconfig.OpenTofu)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", src, text, err)
		}
		moved := make(map[string]bool)
		for _, m := range module.Moved {
			from, _ := m.From.Address()
			to, _ := m.To.Address()
			moved[from+" "+to] = true
		}
		for _, r := range module.Resources {
			if r.Type == "lab_old" || r.Type == "lab_new" && !bytes.Contains(src, []byte("lab_new")) && !moved["lab_old."+r.Name+" lab_new."+r.Name] {
				t.Errorf("%q becomes %q, with %s.%s", src, text, r.Type, r.Name)
			}
		}
	})
}
