// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
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
			got = append(got, err.Error()[:len("hclconfig: n/main.tf:1,1: syntax error")])
			continue
		}
		got = append(got, fmt.Sprint(c.Module.Dir, " ", c.Call.Name, " ", c.Unknown))
	}
	if text := strings.Join(got, ", "); text != ". a false, live b false, live c true, live e false, hclconfig: n/main.tf:1,1: syntax error" {
		t.Error(text)
	}
	got = nil
	for c, err := range hclnames.Calls(fsys) {
		if err != nil {
			continue
		}
		got = append(got, fmt.Sprint(c.Module.Dir, " ", c.Call.Name, " ", c.Dir, " ", c.Unknown, " ", err))
	}
	if text := strings.Join(got, ", "); text != ". a m false <nil>, live b m false <nil>, live c  true <nil>, live d n false <nil>, live e m false <nil>" {
		t.Error(text)
	}
	for range hclnames.Callers(fsys, "m") {
		break
	}
}

// TestCalls_hidden has a directory that Modules leaves out, and that a call leads to.
func TestCalls_hidden(t *testing.T) {
	fsys := fstest.MapFS{
		"live/a.tf":        {Data: []byte("module \"net\" {\n  source = \"../.int/net\"\n}\nmodule \"out\" {\n  source = \"../../out\"\n}\n")},
		".int/net/a.tf":    {Data: []byte("module \"deep\" {\n  source = \"../deep\"\n}\nmodule \"x\" {\n  source = \"../../x\"\n}\n")},
		".int/deep/a.tf":   {Data: []byte("module \"none\" {\n  source = \"./none\"\n}\nmodule \"net\" {\n  source = \"../net\"\n}\n")},
		".int/nobody/a.tf": {Data: []byte("module \"x\" {\n  source = \"../../x\"\n}\n")},
		"x/a.tf":           {Data: []byte("output \"o\" {\n  value = 1\n}\n")},
	}
	var got []string
	for c, err := range hclnames.Calls(fsys) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, c.Module.Dir+" "+c.Dir)
	}
	if text := strings.Join(got, ", "); text != "live .int/net, live ../out, .int/net .int/deep, .int/net x, .int/deep .int/deep/none, .int/deep .int/net" {
		t.Error(text)
	}
}

// TestCalls_ofCallers has sources that the callers of a module choose. Each line of a want is a call and
// where it leads, as "tofu init" 1.12 installs it for one of the callers.
func TestCalls_ofCallers(t *testing.T) {
	const w = "module \"i\" {\n  source = var.impl\n}\n"
	const byDefault, without = "variable \"impl\" {\n  default = \"../a\"\n}\n" + w, "variable \"impl\" {}\n" + w
	call := func(name, dir, impl string) string {
		return "module \"" + name + "\" {\n  source = \"" + dir + "\"\n" + impl + "}\n"
	}
	run := func(file, inRun string) string {
		return file + "run \"r\" {\n  module {\n    source = \"../w\"\n  }\n" + inRun + "}\n"
	}
	const toB, values = "  impl = \"../b\"\n", "variables {\n  impl = \"../b\"\n}\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"default alone":                    {map[string]string{"w/m.tf": byDefault}, "../a"},
		"default, and a caller":            {map[string]string{"w/m.tf": byDefault, "live/m.tf": call("w", "../w", toB)}, "../a ../b"},
		"default, and a caller in JSON":    {map[string]string{"w/m.tf.json": `{"variable":{"impl":{"default":"../a"}},"module":{"i":{"source":"${var.impl}"}}}`, "live/m.tf.json": `{"module":{"w":{"source":"../w","impl":"../b"}}}`}, "../a ../b"},
		"no default":                       {map[string]string{"w/m.tf": without}, "?"},
		"no default, and two callers":      {map[string]string{"w/m.tf": without, "live/m.tf": call("w", "../w", toB) + call("v", "../w", "  impl = \"../c\"\n")}, "../b ../c"},
		"one caller does not know":         {map[string]string{"w/m.tf": without, "live/m.tf": call("w", "../w", toB), "x/m.tf": "variable \"x\" {}\n" + call("w", "../w", "  impl = var.x\n")}, "../b ?"},
		"a caller that gives none":         {map[string]string{"w/m.tf": byDefault, "live/m.tf": call("w", "../w", "")}, "../a"},
		"through levels":                   {map[string]string{"w/m.tf": without, "mid/m.tf": "variable \"x\" {}\n" + call("w", "../w", "  impl = var.x\n"), "live/m.tf": call("mid", "../mid", "  x = \"../b\"\n")}, "../b"},
		"through levels with a default":    {map[string]string{"w/m.tf": without, "mid/m.tf": "variable \"x\" {\n  default = \"../c\"\n}\n" + call("w", "../w", "  impl = var.x\n"), "live/m.tf": call("mid", "../mid", "  x = \"../b\"\n")}, "../b ../c"},
		"a local in between":               {map[string]string{"w/m.tf": "variable \"impl\" {}\nlocals {\n  s = \"../${var.impl}\"\n}\nmodule \"i\" {\n  source = local.s\n}\n", "live/m.tf": call("w", "../w", "  impl = \"b\"\n")}, "../b"},
		"given by an override file":        {map[string]string{"w/m.tf": byDefault, "live/m.tf": call("w", "../w", ""), "live/m_override.tf": "module \"w\" {\n  impl = \"../b\"\n}\n"}, "../a ../b"},
		"for each instance":                {map[string]string{"w/m.tf": byDefault, "live/m.tf": call("w", "../w", "  for_each = toset([\"../b\"])\n  impl = each.key\n")}, "../a ?"},
		"values of a root":                 {map[string]string{"w/m.tf": byDefault, "w/terraform.tfvars": "impl = \"../b\"\n"}, "../b"},
		"values of a root in JSON":         {map[string]string{"w/m.tf": without, "w/x.auto.tfvars.json": `{"impl": "../b"}`}, "../b"},
		"values that cannot be read":       {map[string]string{"w/m.tf": byDefault, "w/terraform.tfvars": "impl = \"../b\n"}, "?"},
		"values of a caller":               {map[string]string{"w/m.tf": without, "live/m.tf": "variable \"x\" {}\n" + call("w", "../w", "  impl = var.x\n"), "live/terraform.tfvars": "x = \"../b\"\n"}, "../b"},
		"a run of another module":          {map[string]string{"w/m.tf": byDefault, "live/m.tf": "", "live/tests/t.tftest.hcl": run("", values)}, "../a ../b"},
		"a run of a module without others": {map[string]string{"w/m.tf": without, "live/m.tf": "", "live/t.tftest.hcl": run("", values)}, "../b"},
		"a run with a reference":           {map[string]string{"w/m.tf": byDefault, "live/m.tf": "", "live/t.tftest.hcl": run("", "variables {\n  impl = run.x.y\n}\n")}, "../a ?"},
		"values of a test file":            {map[string]string{"w/m.tf": byDefault, "live/m.tf": "", "live/t.tftest.hcl": run(values, "")}, "../a"},
		"a test of the module itself":      {map[string]string{"w/m.tf": byDefault, "w/tests/t.tftest.hcl": values + "run \"r\" {\n" + values + "}\n"}, "../a"},
		"out of the tree for one":          {map[string]string{"w/m.tf": byDefault, "live/m.tf": call("w", "../w", "  impl = \"acme/x/aws\"\n")}, "../a ?"},
		"out of the tree for all":          {map[string]string{"w/m.tf": without, "live/m.tf": call("w", "../w", "  impl = \"acme/x/aws\"\n")}, ""},
		"callers in a circle":              {map[string]string{"w/m.tf": byDefault, "x/m.tf": call("y", "../y", ""), "y/m.tf": call("x", "../x", "") + call("w", "../w", toB)}, "../a ?"},
		"the workspace":                    {map[string]string{"w/m.tf": "module \"i\" {\n  source = \"../${terraform.workspace}\"\n}\n", "live/m.tf": call("w", "../w", "")}, "?"},
	} {
		fsys := fstest.MapFS{"a/m.tf": {}, "b/m.tf": {}, "c/m.tf": {}}
		for name, text := range c.files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		var got []string
		for c, err := range hclnames.Calls(fsys) {
			switch {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case c.Call.Name != "i":
			case c.Unknown:
				got = append(got, "?"+c.Dir)
			default:
				got = append(got, "../"+c.Dir)
			}
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: got %s, want %s", name, text, c.want)
		}
	}
}

// TestCalls_unread wants an error for what cannot be read, because uses may be there.
func TestCalls_unread(t *testing.T) {
	const call = "module \"m\" {\n  source = \"../m\"\n}\n"
	for name, c := range map[string]struct{ file, text, want string }{
		"JSON":                     {"a/m.tf.json", `{"locals":{"x":"${module.m.z}"} "module":{}}`, "a/m.tf.json:1,33"},
		"native syntax":            {"a/m.tf", "locals {\n" + call, "a/m.tf:1,8"},
		"a template":               {"a/m.tf.json", `{"locals":{"x":"${module.m.z"},"module":{"m":{"source":"../m"}}}`, "a/m.tf.json:1,16"},
		"a template in a list":     {"a/m.tf.json", `{"locals":{"x":[{"y":"${module.m.z"}]}}`, "a/m.tf.json:1,22"},
		"a template in a test":     {"a/t.tftest.json", `{"variables":{"x":"${module.m.z"}}`, "a/t.tftest.json:1,19"},
		"a link to nothing":        {"a/link.tf", "", "a/link.tf: "},
		"a name declared twice":    {"a/m.tf", call + call, "a/m.tf:4,1"},
		"a template in a comment":  {"a/m.tf.json", `{"//":"${module.m.z","module":{"m":{"//":"${","source":"../m"}}}`, ""},
		"a dollar without a brace": {"a/m.tf.json", `{"locals":{"x":"$${module.m.z $"},"module":{"m":{"source":"../m"}}}`, ""},
	} {
		fsys := fstest.MapFS{"a/main.tf": {}, "m/m.tf": {}, c.file: {Data: []byte(c.text)}}
		var errs []string
		for _, err := range hclnames.Calls(danglingFS{fsys}, hclconfig.TestDirectory("")) {
			if err != nil {
				errs = append(errs, err.Error())
			}
		}
		if syntax := strings.Contains(strings.Join(errs, ""), "syntax error"); syntax == (name == "a name declared twice" || name == "a link to nothing" || c.want == "") {
			t.Errorf("%s: %q", name, errs)
		}
		if c.want == "" && len(errs) > 0 || c.want != "" && (len(errs) != 1 || !strings.HasPrefix(errs[0], "hclconfig: "+c.want)) {
			t.Errorf("%s: %q, want %q", name, errs, c.want)
		}
	}
}

// TestCalls_links has sources through links, which lead to the directory that they stand for.
func TestCalls_links(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"modules/net/m.tf": "output \"id\" {\n  value = 1\n}\n",
		"a/m.tf":           "module \"net\" {\n  source = \"./net\"\n}\nlocals {\n  dir = \"./net\"\n}\nmodule \"computed\" {\n  source = local.dir\n}\nmodule \"below\" {\n  source = \"../linked/net\"\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"a/net": "../modules/net", "linked": "modules"} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, name)); err != nil {
			t.Skip("needs a system with symbolic links:", err)
		}
	}
	n := 0
	for c, err := range hclnames.Callers(os.DirFS(dir), "modules/net") {
		if n++; err != nil || c.Unknown {
			t.Errorf("%v %v", c.Unknown, err)
		}
	}
	if n != 3 {
		t.Errorf("%d calls", n)
	}
}

// A danglingFS has files called link.tf that are links to nothing.
type danglingFS struct{ fstest.MapFS }

func (d danglingFS) Open(name string) (fs.File, error) {
	if path.Base(name) == "link.tf" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return d.MapFS.Open(name)
}

// ReadFile is that of Open.
func (d danglingFS) ReadFile(name string) ([]byte, error) {
	return fs.ReadFile(struct{ fs.FS }{d}, name)
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
