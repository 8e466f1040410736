// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"fmt"
	"strings"
	"testing"
)

// TestNames asks for the definition at each mark in some files: ‹NAME› is a use or a declaration
// that leads to FILE:TEXT, where TEXT is what stands at the place, with what is around it.
func TestNames(t *testing.T) {
	files := map[string]string{
		"main.tf":              "terraform {\n  required_providers {\n    lab = {\n      source = \"acme/lab\"\n    }\n  }\n}\n\nprovider \"lab\" {\n  alias = \"west\"\n}\n\nvariable \"v\" {}\n\nresource \"lab_thing\" \"a\" {\n  count    = var.v\n  provider = lab.west\n}\n\nmodule \"net\" {\n  source = \"./net\"\n  in     = lab_thing.a[0].id\n  providers = {\n    lab.inner = lab.west\n  }\n}\n\nmoved {\n  from = lab_thing.old\n  to   = lab_thing.a\n}\n\nimport {\n  to = lab_thing.a[0]\n  id = \"x\"\n}\n\ncheck \"c\" {\n  data \"lab_info\" \"i\" {}\n  assert {\n    condition     = data.lab_info.i.ok\n    error_message = \"no\"\n  }\n}\n\noutput \"o\" {\n  value = [module.net.out, \"var.v is text\"] # var.v\n}\n",
		"more.tf.json":         "{\"locals\": {\"j\": \"${var.v}\"}, \"resource\": {\"lab_thing\": {\"b\": {\"depends_on\": [\"lab_thing.a\"], \"input\": \"${local.j}\"}}}}\n",
		"a_override.tf":        "variable \"v\" {\n  default = 1\n}\n",
		"terraform.tfvars":     "v = 1\n",
		"x.auto.tfvars.json":   "{\"v\": 2}\n",
		"tests/a.tftest.hcl":   "variables {\n  v = 1\n}\nprovider \"lab\" {\n  alias = \"west\"\n}\nrun \"one\" {\n  providers = {\n    lab.west = lab.west\n  }\n  assert {\n    condition     = output.o != var.v\n    error_message = \"x\"\n  }\n}\nrun \"two\" {\n  module {\n    source = \"./net\"\n  }\n  variables {\n    in = run.one.o\n  }\n}\n",
		"net/main.tf":          "terraform {\n  required_providers {\n    lab = {\n      source                = \"acme/lab\"\n      configuration_aliases = [lab.inner]\n    }\n  }\n}\nvariable \"in\" {}\noutput \"out\" {\n  value = var.in\n}\nresource \"lab_thing\" \"n\" {\n  provider = lab.inner\n}\n",
		"tests/b.tftest.hcl":   "provider \"lab\" {\n  alias = \"west\"\n}\nrun \"net\" {\n  module {\n    source = \"./net\"\n  }\n  providers = {\n    lab.inner = lab.west\n  }\n  variables {\n    in = 1\n  }\n  assert {\n    condition     = output.out != lab_thing.n.id\n    error_message = \"x\"\n  }\n}\nrun \"after\" {\n  variables {\n    v = run.net.out\n  }\n}\n",
		"unrelated/main.tofu":  "locals {\n  v = { for var in [\"a\"] : var => var }\n}\n",
		".terraform/x/main.tf": "variable \"v\" {}\n",
	}
	c := session(t, files)
	for name := range files {
		c.open(name)
	}
	for _, tt := range []struct{ file, around, want string }{
		{"main.tf", "var.|v\n", "main.tf variable \"|v\" {}"},
		{"main.tf", "provider = lab.we|st", "main.tf alias = \"|west\""},
		{"main.tf", "lab.|inner =", "net/main.tf [lab.|inner]"},
		{"main.tf", "= lab.|west\n  }", "main.tf alias = \"|west\""},
		{"main.tf", "  |in     =", "net/main.tf variable \"|in\""},
		{"main.tf", "module.net.|out", "net/main.tf output \"|out\""},
		{"main.tf", "module.|net.out", "main.tf module \"|net\""},
		{"main.tf", "to   = lab_thing.|a", "main.tf \"lab_thing\" \"|a\""},
		{"main.tf", "to = lab_thing.|a[0]", "main.tf \"lab_thing\" \"|a\""},
		{"main.tf", "data.lab_info.i|.ok", "main.tf \"lab_info\" \"|i\""},
		{"main.tf", "\"var.|v is", ""},
		{"main.tf", "# var.|v", ""},
		{"more.tf.json", "${var.|v}", "main.tf variable \"|v\" {}"},
		{"more.tf.json", "[\"lab_thing.|a\"]", "main.tf \"lab_thing\" \"|a\""},
		{"more.tf.json", "${local.|j}", "more.tf.json {\"|j\":"},
		{"terraform.tfvars", "|v =", "main.tf variable \"|v\" {}"},
		{"x.auto.tfvars.json", "\"|v\"", "main.tf variable \"|v\" {}"},
		{"tests/a.tftest.hcl", "output.|o !=", "main.tf output \"|o\""},
		{"tests/a.tftest.hcl", "var.|v\n", "main.tf variable \"|v\" {}"},
		{"tests/a.tftest.hcl", "run.|one.o", "tests/a.tftest.hcl run \"|one\""},
		{"tests/a.tftest.hcl", "run.one.|o", "main.tf output \"|o\""},
		{"tests/a.tftest.hcl", "    |in = run", "net/main.tf variable \"|in\""},
		{"tests/a.tftest.hcl", "\"./ne|t\"", "net/main.tf |terraform {"},
		{"net/main.tf", "provider = lab.|inner", "net/main.tf [lab.|inner]"},
		{"unrelated/main.tofu", ": |var =>", ""},
		{"main.tf", "lab_thing.a[0].i|d", "main.tf \"lab_thing\" \"|a\""},
		{"main.tf", "data.lab_info.i.o|k", "main.tf \"lab_info\" \"|i\""},
		{"tests/b.tftest.hcl", "lab.inner = lab.|west", "tests/b.tftest.hcl alias = \"|west\""},
		{"tests/b.tftest.hcl", "lab.|inner = lab.west", "net/main.tf [lab.|inner]"},
		{"tests/a.tftest.hcl", "    lab.|west = lab", "main.tf alias = \"|west\""},
		{"tests/a.tftest.hcl", "lab.west = lab.|west", "tests/a.tftest.hcl alias = \"|west\""},
		{"tests/b.tftest.hcl", "run.net.|out", "net/main.tf output \"|out\""},
		{"tests/b.tftest.hcl", "output.|out != ", "net/main.tf output \"|out\""},
		{"tests/b.tftest.hcl", "lab_thing.|n.id", "net/main.tf \"lab_thing\" \"|n\""},
	} {
		t.Run(tt.file+" "+tt.around, func(t *testing.T) {
			got := c.call("textDocument/definition", "{"+c.at(tt.file, files[tt.file], tt.around)+"}")
			if tt.want == "" {
				if got != "null" {
					t.Errorf("got %s", got)
				}
				return
			}
			name, around, _ := strings.Cut(tt.want, " ")
			before, after, _ := strings.Cut(around, "|")
			i := strings.Index(files[name], before+after)
			p := indexLines([]byte(files[name])).position(i+len(before), utf8Encoding)
			place := fmt.Sprintf(`"targetSelectionRange":{"start":{"line":%d,"character":%d}`, p.Line, p.Character)
			if !strings.Contains(got, place) || !strings.Contains(got, `"targetUri":"$DIR/`+name+`"`) {
				t.Errorf("got %s, want %s in %s", got, place, name)
			}
		})
	}
	got := c.call("textDocument/references", `{`+c.at("main.tf", files["main.tf"], "var.|v\n")+`,"context":{"includeDeclaration":true}}`)
	if n := strings.Count(got, `"uri"`); n != 9 {
		t.Errorf("%d references, want 9 (2 declarations, 2 uses in configuration, 2 values, 3 in tests): %s", n, got)
	}
	// An override file declares it as well.
	if got := c.call("textDocument/definition", "{"+c.at("main.tf", files["main.tf"], "var.|v\n")+"}"); strings.Count(got, "targetUri") != 2 {
		t.Errorf("got %s", got)
	}
	for _, query := range []string{"LAB_THING.A", "var.in", "local.j"} {
		if got := c.call("workspace/symbol", fmt.Sprintf(`{"query":%q}`, query)); strings.Count(got, `"location"`) != 1 {
			t.Errorf("%s: %s", query, got)
		}
	}
	got = c.call("textDocument/rename", `{`+c.at("main.tf", files["main.tf"], "provider = lab.|west")+`,"newName":"us"}`)
	if n := strings.Count(got, `"newText"`); n != 8 || strings.Contains(got, "= lab") { // five of them in tests
		t.Errorf("%d edits of an alias: %s", n, got)
	}
	got = c.call("textDocument/rename", `{`+c.at("net/main.tf", files["net/main.tf"], "output \"|out")+`,"newName":"result"}`)
	if n := strings.Count(got, `"newText"`); n != 4 || !strings.Contains(got, "b.tftest.hcl") {
		t.Errorf("%d edits of an output that a test of another module names: %s", n, got)
	}
	got = c.call("textDocument/rename", `{`+c.at("main.tf", files["main.tf"], "lab.|inner =")+`,"newName":"core"}`)
	if n := strings.Count(got, `"newText"`); n != 4 || !strings.Contains(got, "net/main.tf") {
		t.Errorf("%d edits of an alias of a called module: %s", n, got)
	}
	for query, want := range map[string]int{"tests/a.tftest.hcl": 2, "terraform.tfvars": 1, "main.tf": 10} {
		got := c.call("textDocument/documentSymbol", fmt.Sprintf(`{"textDocument":{"uri":"$DIR/%s"}}`, query))
		if n := strings.Count(got, `"selectionRange"`); n < want {
			t.Errorf("%s: %d symbols", query, n)
		}
	}
}

// TestValuesChange edits a file of values, which is none of the module's files, and has a query.
func TestValuesChange(t *testing.T) {
	files := map[string]string{"main.tf": "variable \"v\" {}\n", "terraform.tfvars": "v = 1\n", "q.tfquery.hcl": "list \"a_b\" \"c\" {\n  provider = a\n  config {\n    x = var.v\n  }\n}\n"}
	c := session(t, files)
	for name := range files {
		c.open(name)
	}
	references := func() string {
		return c.call("textDocument/references", `{`+c.at("main.tf", files["main.tf"], "variable \"|v")+`,"context":{"includeDeclaration":false}}`)
	}
	if got := references(); strings.Count(got, `"uri"`) != 2 || !strings.Contains(got, `"start":{"line":0,"character":0}`) {
		t.Errorf("got %s", got)
	}
	c.change("terraform.tfvars", 2, "# a line\nv = 1\n")
	if got := references(); strings.Count(got, `"uri"`) != 2 || !strings.Contains(got, `"start":{"line":1,"character":0}`) {
		t.Errorf("after a change: %s", got)
	}
	if got := c.call("textDocument/definition", "{"+c.at("q.tfquery.hcl", files["q.tfquery.hcl"], "var.|v")+"}"); !strings.Contains(got, "main.tf") {
		t.Errorf("from a query: %s", got)
	}
}

// TestUTF16 has characters of two units in front of a name.
func TestUTF16(t *testing.T) {
	const text = "locals {\n  a = \"😀\"\n  b = \"😀${local.a}\"\n}\n"
	c := session(t, map[string]string{"main.tf": text}, "", `{"textDocument":{}}`)
	c.open("main.tf")
	got := c.call("textDocument/references", `{"textDocument":{"uri":"$DIR/main.tf"},"position":{"line":2,"character":18},"context":{"includeDeclaration":false}}`)
	if !strings.Contains(got, `"start":{"line":2,"character":17},"end":{"line":2,"character":18}`) {
		t.Errorf("got %s", got)
	}
}
