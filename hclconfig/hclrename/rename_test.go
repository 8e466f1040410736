// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write writes files into a new directory.
func write(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, dir string, texts map[string]string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name := range texts {
		src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(src)
	}
	return out
}

// renameIn renames in the module in a directory below the one of write, and writes the result.
func renameIn(from, to, dir string) error {
	root := dir
	for {
		if _, err := os.Stat(filepath.Join(root, ".git")); err == nil {
			break
		}
		root = filepath.Dir(root)
	}
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return err
	}
	texts, err := Rename(os.DirFS(root), filepath.ToSlash(rel), from, to, Options{})
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), text, 0o666); err != nil {
			return err
		}
	}
	return err
}

// TestRename has modules in which ‹ and › are around each place that gets the new
// name, and ¦ where the moved block comes.
func TestRename(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		files    map[string]string
	}{
		"variable": {"var.zone", "var.region", map[string]string{
			"r/main.tf":               "variable \"‹zone›\" {\n  validation {\n    condition = var.‹zone› != \"zone\"\n    error_message = \"zone ${var.‹zone›}\"\n  }\n}\nlocals { zone = { zone = \"${var.‹zone›}\" } }\n",
			"r/more.tf.json":          `{"output":{"zone":{"value":{"${var.‹zone›}": "zone"}}}}`,
			"r/a_override.tf":         "variable \"‹zone›\" {\n  default = 1\n}\n",
			"r/terraform.tfvars":      "# x\n‹zone› = \"zone\"\nother = { zone = 1 }\n",
			"r/x.auto.tfvars.json":    `{"‹zone›": "x", "o": {"zone": 1}}`,
			"r/prod.tfvars":           "zone = 1\n",
			"r/tests/a.tftest.hcl":    "variables { ‹zone› = 1 }\nrun \"a\" {\n  variables { ‹zone› = 1 }\n  assert {\n    condition = var.‹zone› == 1\n    error_message = \"x\"\n  }\n}\n",
			"r/only.tofu":             "output \"t\" { value = var.‹zone› }\n",
			"main.tf":                 "variable \"zone\" {}\nmodule \"r\" {\n  source = \"./r\"\n  ‹zone› = var.zone\n}\n",
			"examples/one/main.tf":    "module \"r\" {\n  source = \"../../r\"\n  ‹zone› = 1\n}\nmodule \"s\" {\n  source = \"../../s\"\n  zone = 1\n}\n",
			"examples/json/a.tf.json": `{"module":{"r":{"source":"../../r","‹zone›":"zone"}}}`,
			"s/main.tf":               "variable \"zone\" {}\n",
		}},
		"variable called as a type of blocks": {"var.data", "var.output", map[string]string{
			"r/main.tf":            "variable \"‹data›\" {\n}\n",
			"r/x.auto.tfvars.json": `{"‹data›": ["data"], "o": {"data": 1}}`,
			"r/y.auto.tfvars.json": `{"‹data›": {"data": {"data": {}}}}`,
			"r/z.auto.tfvars":      "# x\n‹data› = { data = 1 }\n",
		}},
		"resource": {"terraform_data.a", "terraform_data.b", map[string]string{
			"r/main.tf":      "resource \"terraform_data\" \"‹a›\" {\n  count = 1\n}\nmoved {\n  from = terraform_data.old\n  to   = terraform_data.a\n}\noutput \"a\" {\n  value = [terraform_data.‹a›[0].id, [for a in terraform_data.‹a› : a.id]]\n}\nimport {\n  to = terraform_data.‹a›[0]\n  id = \"a\"\n}\n¦",
			"r/more.tf.json": `{"resource":{"terraform_data":{"j":{"depends_on":["terraform_data.‹a›"],"input":"${terraform_data.‹a›[0].id}"}}}}`,
			"r/a.tftest.hcl": "run \"a\" {\n  plan_options {\n    target = [terraform_data.‹a›]\n  }\n}\n",
			"main.tf":        "module \"r\" {\n  source = \"./r\"\n}\nmoved {\n  from = terraform_data.x\n  to   = module.r.terraform_data.a\n}\n",
		}},
		"variable of a module that a test of another one runs": {"var.cidr", "var.range", map[string]string{
			"net/main.tf":        "variable \"‹cidr›\" {}\noutput \"o\" { value = var.‹cidr› }\n",
			"main.tf":            "locals { cidr = 1 }\n",
			"tests/a.tftest.hcl": "run \"a\" {\n  module {\n    source = \"./net\"\n  }\n  variables {\n    ‹cidr› = 1\n  }\n  assert {\n    condition = var.‹cidr› == 1\n    error_message = \"cidr\"\n  }\n}\nrun \"b\" {\n  assert {\n    condition = local.cidr == 1\n    error_message = \"x\"\n  }\n}\n",
		}},
		"output of a module that a test of another one runs": {"output.o", "output.id", map[string]string{
			"net/main.tf":  "output \"‹o›\" { value = 1 }\n",
			"main.tf":      "variable \"o\" {}\noutput \"o\" { value = 1 }\n",
			"a.tftest.hcl": "run \"a\" {\n  module {\n    source = \"./net\"\n  }\n  assert {\n    condition = output.‹o› == 1\n    error_message = \"x\"\n  }\n}\nrun \"b\" {\n  variables {\n    o = run.a.‹o›\n  }\n  assert {\n    condition = output.o == 1\n    error_message = \"x\"\n  }\n}\n",
		}},
		"module": {"module.net", "module.network", map[string]string{
			"main.tf":     "module \"‹net›\" {\n  source = \"./net\"\n}\noutput \"net\" { value = module.‹net›.id }\nresource \"terraform_data\" \"d\" {\n  depends_on = [module.‹net›]\n}\n¦",
			"net/main.tf": "output \"id\" { value = 1 }\n",
		}},
		"output": {"output.id", "output.name", map[string]string{
			"net/main.tf":  "output \"‹id›\" { value = 1 }\n",
			"main.tf":      "module \"net\" {\n  source = \"./net\"\n}\nmodule \"many\" {\n  source = \"./net\"\n  count = 2\n}\noutput \"id\" {\n  value = [module.net.‹id›, module.many[0].‹id›, module.many[*].‹id›, [for i in [0] : module.many[i].‹id›]]\n  depends_on = [module.net]\n}\n",
			"net/t/x.json": "",
		}},
		"output in tests": {"output.id", "output.name", map[string]string{
			"main.tf":       "output \"‹id›\" {\n  value = 1\n}\n",
			"a.tftest.hcl":  "run \"r\" {}\nrun \"s\" {\n  variables {\n    v = run.r.‹id›\n  }\n  assert {\n    condition     = output.‹id› == run.r.‹id›\n    error_message = \"id\"\n  }\n}\n",
			"b.tftest.hcl":  "run \"r\" {\n  module {\n    source = \"./other\"\n  }\n}\nrun \"s\" {\n  variables {\n    v = run.r.id\n  }\n}\n",
			"other/main.tf": "output \"id\" {\n  value = 1\n}\n",
		}},
		"output in loops": {"output.id", "output.name", map[string]string{
			"net/main.tf": "output \"‹id›\" {\n  value = 1\n}\n",
			"main.tf":     "module \"net\" {\n  source   = \"./net\"\n  for_each = toset([\"a\"])\n}\noutput \"o\" {\n  value = [length(module.net), { for id, m in module.net : id => m.‹id› if m.‹id› != 2 }, values(module.net)[*].‹id›, [for m in values(module.net) : m.‹id›]]\n}\n",
		}},
		"addresses in modules further up": {"terraform_data.a", "terraform_data.b", map[string]string{
			"x/y/main.tf":        "resource \"terraform_data\" \"‹a›\" {\n}\n¦",
			"x/a.tf":             "module \"y\" {\n  source = \"./y\"\n}\nresource \"terraform_data\" \"a\" {\n}\n",
			"main.tf":            "module \"x\" {\n  source = \"./x\"\n}\nimport {\n  to = module.x.module.y.terraform_data.‹a›\n  id = \"a\"\n}\n",
			"tests/a.tftest.hcl": "override_resource {\n  target = module.x.module.y.terraform_data.‹a›\n}\noverride_resource {\n  target = module.x.terraform_data.a\n}\n",
		}},
		"output that tests override": {"output.id", "output.name", map[string]string{
			"x/y/main.tf":     "output \"‹id›\" {\n  value = 1\n}\n",
			"x/a.tf":          "module \"y\" {\n  source = \"./y\"\n}\noutput \"id\" {\n  value = module.y.‹id›\n}\n",
			"x/a.tftest.json": `{"override_module":{"target":"module.y","outputs":{"‹id›":{"id":1}}}}`,
			"main.tf":         "module \"x\" {\n  source = \"./x\"\n}\n",
			"a.tftest.hcl":    "override_module {\n  target = module.x.module.y\n  outputs = {\n    ‹id› = 1\n  }\n}\noverride_module {\n  target = module.x\n  outputs = {\n    id = 1\n  }\n}\n",
		}},
		"a source that is not written": {"var.v", "var.w", map[string]string{
			"m/main.tf": "variable \"‹v›\" {\n}\n",
			"main.tf":   "locals {\n  dir = \"./m\"\n}\nmodule \"m\" {\n  source = local.dir\n  ‹v› = 1\n}\n",
		}},
		"tests of two modules": {"var.v", "var.w", map[string]string{
			"main.tf":       "variable \"‹v›\" {\n}\nlocals {\n  v = var.‹v›\n}\n",
			"a.tftest.hcl":  "run \"s\" {\n  module {\n    source = \"./other\"\n  }\n  variables {\n    v = 1\n  }\n  assert {\n    condition     = var.v == 1\n    error_message = \"v\"\n  }\n}\nrun \"m\" {\n  variables {\n    ‹v› = 2\n  }\n  assert {\n    condition     = var.‹v› == local.v\n    error_message = \"v\"\n  }\n}\n",
			"other/main.tf": "variable \"v\" {\n}\n",
		}},
		"local in a test and a query": {"local.x", "local.y", map[string]string{
			"main.tf":       "locals {\n  ‹x› = 1\n}\n",
			"a.tftest.hcl":  "run \"r\" {\n  assert {\n    condition     = local.‹x› == 1\n    error_message = \"x\"\n  }\n}\n",
			"q.tfquery.hcl": "list \"t\" \"x\" {\n  provider = t\n  config {\n    x = \"${local.‹x›}\"\n  }\n}\n",
		}},
		"a file that shadows another": {"terraform_data.a", "terraform_data.b", map[string]string{
			"main.tf":   "resource \"terraform_data\" \"‹a›\" {\n}\n¦",
			"main.tofu": "resource \"terraform_data\" \"‹a›\" {\n}\n¦",
		}},
		"local": {"local.x", "local.y", map[string]string{
			"main.tf": "locals {\n  ‹x› = 1\n  z = { x = local.‹x› }\n}\n",
		}},
		"data source in a check": {"data.terraform_remote_state.s", "data.terraform_remote_state.t", map[string]string{
			"main.tf": "check \"c\" {\n  data \"terraform_remote_state\" \"‹s›\" {\n    backend = \"local\"\n  }\n  assert {\n    condition = data.terraform_remote_state.‹s›.outputs.s == 1\n    error_message = \"s\"\n  }\n}\n",
		}},
		"what is removed in a module": {"module.old", "module.new", map[string]string{
			"main.tf":   "module \"‹old›\" {\n  source = \"./m\"\n}\nremoved {\n  from = module.‹old›.terraform_data.gone\n  lifecycle {\n    destroy = false\n  }\n}\nremoved {\n  from = module.‹old›.module.deep.terraform_data.gone\n}\n¦",
			"m/main.tf": "output \"o\" { value = 1 }\n",
		}},
		"lines that end with CR LF": {"terraform_data.a", "terraform_data.b", map[string]string{
			"main.tf": "resource \"terraform_data\" \"‹a›\" {\r\n}\r\n¦",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			plain, want := map[string]string{}, map[string]string{}
			last := c.to[strings.LastIndexByte(c.to, '.')+1:]
			moved := "\nmoved {\n  from = " + c.from + "\n  to   = " + c.to + "\n}\n"
			dir := "."
			for file, text := range c.files {
				var before, after strings.Builder
				for i, part := range strings.FieldsFunc(text, func(r rune) bool { return r == '‹' || r == '›' }) {
					before.WriteString(strings.ReplaceAll(part, "¦", ""))
					block := moved
					if strings.Contains(text, "\r\n") {
						block = strings.ReplaceAll(moved, "\n", "\r\n")
					}
					if i%2 == 1 {
						part = last
					}
					after.WriteString(strings.ReplaceAll(part, "¦", block))
				}
				plain[file], want[file] = before.String(), after.String()
				if strings.Contains(text, "\"‹") && strings.HasSuffix(file, "main.tf") {
					dir = filepath.Dir(file)
				}
			}
			root := write(t, plain)
			if err := renameIn(c.from, c.to, filepath.Join(root, dir)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, read(t, root, want)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestRename_keepsFmtLayout: a file that fmt leaves alone stays one.
func TestRename_keepsFmtLayout(t *testing.T) {
	dir := write(t, map[string]string{"main.tf": "locals {\n  a  = 1 # one\n  bb = local.a # two\n}\n"})
	clean := map[string]string{"main.tf": "locals {\n  a  = 1       # one\n  bb = local.a # two\n}\n"}
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(clean["main.tf"]), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := renameIn("local.a", "local.longer", dir); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"main.tf": "locals {\n  longer = 1            # one\n  bb     = local.longer # two\n}\n"}
	if diff := cmp.Diff(want, read(t, dir, want)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestJSONMoved: a moved block in a JSON file.
func TestJSONMoved(t *testing.T) {
	dir := write(t, map[string]string{"main.tf.json": `{"resource":{"terraform_data":{"a":{}}}}`})
	if err := renameIn("terraform_data.a", "terraform_data.b", dir); err != nil {
		t.Fatal(err)
	}
	got := read(t, dir, map[string]string{"main.tf.json": ""})["main.tf.json"]
	for _, part := range []string{`"terraform_data":{"b":{}}`, `"moved"`, `"terraform_data.a"`, `"terraform_data.b"`} {
		if !strings.Contains(strings.ReplaceAll(got, " ", ""), part) {
			t.Errorf("no %s in %s", part, got)
		}
	}
}

// TestRefused: what cannot be done safely changes nothing.
func TestRefused(t *testing.T) {
	files := map[string]string{
		"main.tf":             "variable \"a\" {}\nvariable \"b\" {}\nlocals {\n  l = 1\n  m = local.l\n}\nresource \"terraform_data\" \"a\" {}\nmoved {\n  from = terraform_data.gone\n  to   = terraform_data.a\n}\nmodule \"net\" {\n  source = \"./net\"\n}\nlocals { all = module.net }\n",
		"net/main.tf":         "output \"id\" { value = 1 }\n",
		"terraform.tfvars":    "a = 1\nnew = 2\n",
		"esc/a.tf.json":       `{"locals":{"\u0061":1}}`,
		"own/q.tfquery.hcl":   "variable \"a\" {}\n",
		"own/main.tf":         "variable \"a\" {}\n",
		"tested/main.tf":      "variable \"a\" {}\n",
		"tested/a.tftest.hcl": "variables {\n  a = 1\n}\nrun \"r\" {\n  module {\n    source = \"../shared\"\n  }\n}\n",
		"shared/main.tf":      "variable \"a\" {}\n",
		"called/main.tf":      "variable \"called\" {}\n",
		"calls/main.tf":       "variable \"s\" {}\nmodule \"m\" {\n  source = var.s\n  called = 1\n}\n",
		"bad/main.tf":         "locals {\n  a = \n}\n",
	}
	for name, c := range map[string][4]string{
		"there is none":             {"var.nope", "var.x", ".", "there is no"},
		"is there already":          {"var.a", "var.b", ".", "already exists"},
		"the same":                  {"var.a", "var.a", ".", "same name"},
		"another kind":              {"var.a", "local.x", ".", "the same kind"},
		"another type":              {"terraform_data.a", "null_resource.a", ".", "the same kind"},
		"no identifier":             {"local.l", "local.1x", ".", "not the address"},
		"no address":                {"local", "local.x", ".", "not the address"},
		"reserved":                  {"var.a", "var.source", ".", "reserved"},
		"has a value":               {"var.a", "var.new", ".", "has a value"},
		"was moved away":            {"terraform_data.a", "terraform_data.gone", ".", "already named"},
		"outputs are used together": {"output.id", "output.x", "net", "as a whole"},
		"spelled with an escape":    {"local.a", "local.b", "esc", "not written as plain text"},
		"syntax error":              {"local.a", "local.b", "bad", "syntax error"},
		"declared in a query too":   {"var.a", "var.x", "own", "query file"},
		"value of two modules":      {"var.a", "var.x", "tested", "also gets the value"},
		"source is not known":       {"var.called", "var.x", "called", "source of this call is not known"},
		"no directory":              {"local.a", "local.b", "nope", "nope"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := write(t, files)
			if err := renameIn(c[0], c[1], filepath.Join(dir, c[2])); err == nil || !strings.Contains(err.Error(), c[3]) {
				t.Errorf("got the error %v, want one with %q", err, c[3])
			}
			if diff := cmp.Diff(maps.Collect(maps.All(files)), read(t, dir, files)); diff != "" {
				t.Errorf("files changed:\n%s", diff)
			}
		})
	}
}
