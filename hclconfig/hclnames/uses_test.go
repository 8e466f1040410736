// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

func files(texts map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// TestUses has each kind of place where something is named: the names that
// are uses are marked, and the marks must be where the uses are. The uses of a file are
// in the order of its text: a rename replaces them from the last to the first.
func TestUses(t *testing.T) {
	for name, c := range map[string]struct {
		address string
		files   map[string]string
	}{
		"variable": {"var.v", map[string]string{
			"a.tf":           "output \"o\" { value = [var.‹v›, \"x-${ var . ‹v›.a }-${upper(var.‹v›)}\", var.w] }\nlocals { v = local.v }\n",
			"b.tf.json":      `{"output":{"p":{"value":"\u0024{var.‹v›}"},"q":{"value":{"${var.‹v›}":["x ${1 + var.‹v›}"]}}}}`,
			"b_override.tf":  "output \"o\" { value = var.‹v› }\n",
			"x.tftest.hcl":   "variables { ‹v› = 1 }\nrun \"r\" {\n  variables {\n    ‹v› = var.‹v›\n  }\n}\n",
			"y.tftest.json":  `{"variables":{"‹v›":1}}`,
			"terraform.data": "var.v",
		}},
		"variable whose name has escapes": {"var.vé", map[string]string{
			"a.tf.json": `{"locals":{"a":"${[var.‹v\u00e9›, var . ‹\u0076é›.x, \"${var.‹vé›}\"]}"}}`,
		}},
		"resource": {"terraform_data.a", map[string]string{
			"a.tf": "locals { x = [terraform_data.‹a›.id, terraform_data.‹a›[0], resource.terraform_data.‹a›, data.terraform_data.a, [for a in terraform_data.‹a› : a]] }\n" +
				"moved {\n  from = terraform_data.‹a›\n  to = terraform_data.b\n}\nimport {\n  to = terraform_data.‹a›[each.key]\n  id = \"x\"\n}\n" +
				"resource \"terraform_data\" \"b\" {\n  depends_on = [terraform_data.‹a›, \"terraform_data.‹a›\"]\n  lifecycle {\n    ignore_changes = [a]\n    replace_triggered_by = [terraform_data.‹a›.id]\n  }\n}\n" +
				"removed { from = terraform_data.‹a› }\nmoved {\n  from = module.m.terraform_data.a\n  to = module.n\n}\n",
			"a.tf.json":    `{"resource":{"terraform_data":{"c":{"depends_on":["terraform_data.‹a›"]}}}}`,
			"x.tftest.hcl": "run \"r\" {\n  plan_options {\n    target = [terraform_data.‹a›]\n  }\n  assert {\n    condition = terraform_data.‹a›.id == \"\"\n    error_message = \"x\"\n  }\n}\noverride_resource {\n  target = terraform_data.‹a›\n}\nrun \"other\" {\n  module { source = \"./m\" }\n  assert {\n    condition = terraform_data.a.id == \"\"\n    error_message = \"x\"\n  }\n}\n",
		}},
		"after a nested block": {"t.main", map[string]string{
			"a.tf": "resource \"t\" \"a\" {\n  lifecycle {\n    replace_triggered_by = [t.‹main›.id]\n  }\n  depends_on = [t.‹main›]\n}\n",
		}},
		"data": {"data.t.a", map[string]string{
			"a.tf": "locals { x = [data.t.‹a›.id, t.a.id] }\noutput \"o\" {\n  value = 1\n  depends_on = [data.t.‹a›]\n}\n",
		}},
		"module": {"module.m", map[string]string{
			"a.tf": "locals { x = [module.‹m›.o, module.‹m›[0].o, module.‹m›[*].o, module.‹m›] }\nmoved {\n  from = module.‹m›.module.n\n  to = module.o\n}\n",
		}},
		"output of a module": {"module.m.output.o", map[string]string{
			"a.tf": "locals { x = [module.m.‹o›, module.m[0].‹o›.x, module.m[*].‹o›, module.m[each.key].‹o›, module.n.o] }\n",
		}},
		"input of a module": {"module.m.var.v", map[string]string{
			"a.tf":      "module \"m\" {\n  source = \"./m\"\n  ‹v› = var.v\n}\nmodule \"n\" {\n  source = \"./m\"\n  v = 1\n}\n",
			"b.tf.json": `{"module":{"m":{"‹v›":1}}}`,
		}},
		"resource of a module": {"module.m.terraform_data.a", map[string]string{
			"a.tf": "moved {\n  from = module.m.terraform_data.‹a›\n  to = terraform_data.a\n}\nremoved { from = module.m.terraform_data.‹a› }\n",
		}},
		"provider configuration": {"provider.aws.w", map[string]string{
			"a.tf":      "resource \"aws_x\" \"a\" { provider = aws.‹w› }\nresource \"aws_x\" \"b\" { provider = \"aws.‹w›\" }\nmodule \"m\" {\n  source = \"./m\"\n  providers = { aws.w = aws.‹w›, aws = aws.x }\n}\n",
			"b.tf.json": `{"resource":{"aws_x":{"c":{"provider":"aws.‹w›"}}}}`,
		}},
		"provider configuration that a test replaces": {"provider.aws.w", map[string]string{
			"x.tftest.hcl":  "provider \"aws\" { alias = \"w\" }\nrun \"r\" {\n  providers = { aws.‹w› = aws.t, aws = aws.w }\n}\nrun \"other\" {\n  module { source = \"./m\" }\n  providers = { aws.w = aws.w }\n}\n",
			"y.tftest.json": `{"run":{"r":{"providers":{"aws.‹w›":"aws.w"}}}}`,
		}},
		"key of a provider configuration": {"local.k", map[string]string{
			"a.tf": "resource \"aws_x\" \"a\" { provider = aws.by[local.‹k›] }\nmodule \"m\" {\n  source = \"./m\"\n  providers = { aws = aws.by[local.‹k›] }\n}\nimport {\n  to = aws_x.a\n  id = \"x\"\n  provider = aws.by[local.‹k›]\n}\n",
		}},
		"in a dynamic block": {"local.k", map[string]string{
			"a.tf": "resource \"x\" \"a\" {\n  dynamic \"k\" {\n    for_each = local.‹k›\n    content { k = k.value + local.‹k› }\n  }\n  dynamic \"b\" {\n    for_each = []\n    iterator = local\n    content { k = local.k }\n  }\n}\n",
		}},
		"local in a test": {"local.k", map[string]string{
			"x.tftest.hcl":  "run \"r\" {\n  assert {\n    condition = local.‹k› == 1 && [for local in [1] : local.k] == []\n    error_message = \"${local.‹k›}\"\n  }\n}\nrun \"other\" {\n  module { source = \"./m\" }\n  assert {\n    condition = local.k == 1\n    error_message = \"x\"\n  }\n}\n",
			"y.tftest.json": `{"run":{"r":{"assert":[{"condition":"${local.‹k› == 1}","error_message":"x"}]}}}`,
		}},
		"variable in a run of another module": {"var.v", map[string]string{
			"x.tftest.hcl": "run \"other\" {\n  module { source = \"./m\" }\n  variables {\n    v = var.‹v›\n  }\n  assert {\n    condition = var.v == 1\n    error_message = \"x\"\n  }\n}\n",
			"y.tftest.hcl": "run \"other\" {\n  module { source = \"./m\" }\n  assert {\n    condition = var.‹v› == 1\n    error_message = \"x\"\n  }\n}\nvariables { ‹v› = 1 }\n",
		}},
		"output that a test overrides": {"module.m.output.o", map[string]string{
			"x.tftest.hcl":  "override_module {\n  target = module.m\n  outputs = { ‹o› = { o = 1 }, \"‹o›\" : 2, (\"x\") = 3, p = 4 }\n}\nrun \"r\" {\n  override_module {\n    target = module.n\n    outputs = { o = 1 }\n  }\n  override_resource {\n    target = module.m.x.y\n    values = { o = 1 }\n  }\n}\nrun \"other\" {\n  module { source = \"./m\" }\n  override_module {\n    target = module.m\n    outputs = { o = 1 }\n  }\n}\n",
			"y.tftest.json": `{"override_module":{"target":"module.m","outputs":{"‹o›":1}}}`,
		}},
		"output of an inner module that a test overrides": {"module.m.module.n.output.o", map[string]string{
			"x.tftest.hcl": "override_module {\n  target = module.m.module.n\n  outputs = { ‹o› = 1 }\n}\noverride_module {\n  outputs = { o = 1 }\n}\noverride_module {\n  target = [module.m.module.n]\n  outputs = { o = 1 }\n}\n",
		}},
		"resource in a run of another module": {"terraform_data.a", map[string]string{
			"x.tftest.hcl": "run \"other\" {\n  module { source = \"./m\" }\n  override_resource { target = terraform_data.a }\n  plan_options {\n    target = [terraform_data.a]\n  }\n}\nrun \"r\" {\n  override_resource { target = terraform_data.‹a› }\n}\n",
		}},
		"output in a test": {"output.o", map[string]string{
			"a.tf":         "output \"o\" { value = 1 }\n",
			"x.tftest.hcl": "run \"r\" {\n  expect_failures = [output.‹o›]\n  assert {\n    condition = output.‹o› == 1\n    error_message = \"x\"\n  }\n}\n",
		}},
		"output of a run": {"run.s.o", map[string]string{
			"x.tftest.hcl":  "run \"s\" {}\nrun \"r\" {\n  variables {\n    a = run.s.‹o›\n    b = run[\"s\"].‹o›\n  }\n}\n",
			"y.tftest.json": `{"run":{"s":{},"r":{"variables":{"a":"${run[\"s\"].‹o›}"}}}}`,
		}},
		"run": {"run.s", map[string]string{
			"x.tftest.hcl":  "run \"s\" {}\nrun \"r\" {\n  variables {\n    a = run.‹s›.o\n    b = run[\"‹s›\"].o\n    c = run[\"‹s›\"]\n  }\n}\n",
			"y.tftest.json": `{"run":{"s":{},"r":{"variables":{"a":"${run[\"‹s›\"].o}"}}}}`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			plain := map[string]string{}
			var want []string
			for file, marked := range c.files {
				text := ""
				for i, part := range strings.FieldsFunc(marked, func(r rune) bool { return r == '‹' || r == '›' }) {
					if i%2 == 1 {
						want = append(want, fmt.Sprintf("%s:%d-%d", file, len(text), len(text)+len(part)))
					}
					text += part
				}
				plain[file] = text
			}
			m, err := hclconfig.LoadModule(files(plain), ".", hclconfig.TestDirectory(""))
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			var last addrs.Range
			for _, u := range hclnames.NamesOf(m).Uses(c.address) {
				at := u.NameRange()
				if at.Filename == last.Filename && at.Start.Offset < last.End.Offset {
					t.Errorf("the use at %s comes after that at %s", at, last)
				}
				last = at
				got = append(got, fmt.Sprintf("%s:%d-%d", at.Filename, at.Start.Offset, at.End.Offset))
			}
			slices.Sort(want)
			slices.Sort(got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("places (-want +got):\n%s\n%s", diff, slices.Sorted(maps.Values(plain)))
			}
		})
	}
}

// TestUnused: what nothing refers to, a validation of a variable aside.
// TestUsesOfRun has a run of another module, in the order of the addresses.
func TestUsesOfRun(t *testing.T) {
	f, err := hclconfig.ParseNative("a.tftest.hcl", []byte("variables {\n  given = 1\n}\nrun \"own\" {}\nrun \"other\" {\n  module {\n    source = \"./m\"\n  }\n  variables {\n    in = [var.given, run.own.x]\n  }\n  providers = {\n    a.b = a.c\n  }\n  assert {\n    condition     = output.o == [var.in, var.given, local.l, t.x.id]\n    error_message = run.own.y\n  }\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	runs := f.Config().Runs
	if got := hclnames.UsesOfRun(runs[0]); len(got) != 0 {
		t.Errorf("of a run of the module itself: %v", got)
	}
	var got []string
	for _, u := range hclnames.UsesOfRun(runs[1]) {
		got = append(got, u.Address)
	}
	slices.Sort(got)
	if want := []string{"local.l", "output.o", "provider.a.b", "t.x", "var.in", "var.in"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	m, err := hclconfig.LoadModule(files(map[string]string{
		"a.tf":         "module \"net\" {}\nlocals {\n  id  = module.net.id\n  all = values(module.net)\n}\n",
		"a.tftest.hcl": "run \"other\" {\n  module {\n    source = \"./m\"\n  }\n}\nrun \"later\" {\n  variables {\n    x = run.other.z\n  }\n}\n",
	}), ".", hclconfig.TestDirectory(""))
	if err != nil {
		t.Fatal(err)
	}
	names := hclnames.NamesOf(m)
	if n := len(names.Uses("run.other.z")); n != 1 {
		t.Errorf("a later run has %d uses of the output of a run", n)
	}
	all := map[string]int{}
	for u := range names.All() {
		if all[u.Address]++; u.IsWhole() {
			all["whole "+u.Address]++
		}
	}
	if want := map[string]int{"module.net": 2, "whole module.net": 1, "module.net.output.id": 1, "run.other": 1, "run.other.z": 1, "var.x": 1}; !maps.Equal(all, want) {
		t.Errorf("got %v, want %v", all, want)
	}
}

func TestUnused(t *testing.T) {
	m, err := hclconfig.LoadModule(files(map[string]string{
		"a.tf": "variable \"a\" {\n  validation {\n    condition = var.a != 1\n    error_message = \"x\"\n  }\n}\nvariable \"b\" {}\nlocals {\n  c = var.b\n  d = 1\n}\ndata \"t\" \"x\" {}\ndata \"t\" \"y\" {}\noutput \"o\" { value = [local.c, data.t.y] }\n",
	}), ".")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range hclnames.NamesOf(m).Unused() {
		got = append(got, d.Address)
	}
	if diff := cmp.Diff([]string{"var.a", "local.d", "data.t.x"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTree: local modules, installed ones, and those that are neither.
func TestTreeOfModules(t *testing.T) {
	fsys := files(map[string]string{
		"r/main.tf":                         "module \"a\" {\n  source = \"./a\"\n}\nmodule \"b\" {\n  source = \"x/y/z\"\n}\nmodule \"c\" {\n  source = \"x/y/w\"\n}\nmodule \"d\" {\n  source = \"./none\"\n}\n",
		"r/a/main.tf":                       "module \"n\" {\n  source = \"../../s\"\n}\n",
		"s/main.tf":                         "output \"o\" { value = 1 }\n",
		"r/.terraform/modules/b/main.tf":    "module \"k\" {\n  source = \"./k\"\n}\n",
		"r/.terraform/modules/b/k/main.tf":  "locals { a = 1 }\n",
		"r/.terraform/modules/modules.json": `{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"b","Source":"x/y/z","Dir":".terraform/modules/b"}]}`,
	})
	tree, err := hclnames.LoadTree(fsys, "r")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for n := range tree.All() {
		got = append(got, n.Path()+"="+n.Module.Dir)
	}
	for _, call := range tree.Missing {
		got = append(got, "missing "+call.Name)
	}
	want := []string{"=r", "module.a=r/a", "module.a.module.n=s", "module.b=r/.terraform/modules/b", "module.b.module.k=r/.terraform/modules/b/k", "missing c", "missing d"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestTreeWithoutEnd: modules that call themselves or each other, and trees that
// grow with every level.
func TestTreeWithoutEnd(t *testing.T) {
	many := map[string]string{}
	for i := range 40 {
		many[fmt.Sprintf("m%d/main.tf", i)] = fmt.Sprintf("module \"a\" {\n  source = \"../m%d\"\n}\nmodule \"b\" {\n  source = \"../m%[1]d\"\n}\n", i+1)
	}
	for name, texts := range map[string]map[string]string{
		"itself": {"m0/main.tf": "module \"a\" {\n  source = \"../m0\"\n}\n"},
		"circle": {"m0/main.tf": "module \"a\" {\n  source = \"../m1\"\n}\n", "m1/main.tf": "module \"a\" {\n  source = \"../m0\"\n}\n"},
		"many":   many,
	} {
		if _, err := hclnames.LoadTree(files(texts), "m0"); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestNames_Lookup(t *testing.T) {
	m, err := hclconfig.LoadModule(fstest.MapFS{"main.tf": {Data: []byte("module \"net\" {\n  source = \"./net\"\n}\nlocals {\n  all = module.net\n  one = module.net.id\n}\n")}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	names := hclnames.NamesOf(m)
	if d, ok := names.Lookup("local.all"); !ok || d.Address != "local.all" {
		t.Errorf("%v %v", d, ok)
	}
	if _, ok := names.Lookup("local.none"); ok {
		t.Error("something that is not declared was found")
	}
	whole := 0
	for _, u := range names.Uses("module.net") {
		if u.IsWhole() {
			whole++
			if got := u.Range().Start.Line; got != 5 {
				t.Errorf("the whole module is used at line %d", got)
			}
		}
	}
	if whole != 1 {
		t.Errorf("%d uses of the whole module", whole)
	}
}

// TestUse_IsWhole: a use of a whole call is told from one that chooses outputs, also
// through loops, splats and functions.
func TestUse_IsWhole(t *testing.T) {
	for src, want := range map[string]string{
		"module.m":                  "whole",
		"module.one":                "whole",
		"module.m[0]":               "whole",
		"module.m[each.key].a":      "a",
		"(module.m[each.key]).a":    "a",
		"module.m[*].x.a":           "a",
		"module.m.x.a.b":            "a",
		"module.m.x":                "whole",
		"module.n[*].a.x":           "a",
		"module.n[*]":               "whole",
		"values(module.m)[*].a":     "a",
		"[for m in module.m : m.a]": "a",
		"[for m in values(module.m) : m.a if m.b.x]":   "a b",
		"{ for k, m in module.m : k => [m.a, var.v] }": "a",
		"[for m in module.m : m]":                      "whole",
		"[for m in module.m : m[0]]":                   "whole",
		"[for k, o in module.one : o.a]":               "whole", // a loop over the outputs
		"length(module.m)":                             "",
		"keys(module.m)":                               "",
		"length(module.one)":                           "whole",
		"length(module.n...)":                          "whole",
		"keys(values(module.m)...)":                    "whole",
		"values(module.n...)[*].a":                     "whole",
		"upper(module.m)":                              "whole",
		"[module.m[*].x.a, module.m]":                  "a whole",
		"module.m[*]":                                  "whole",
		"1\n}\nresource \"a\" \"b\" {\n  depends_on = [module.m, module.one]": "",
	} {
		m, err := hclconfig.LoadModule(files(map[string]string{
			"a.tf": "module \"m\" {\n  source   = \"./m\"\n  for_each = {}\n}\nmodule \"one\" {\n  source = \"./m\"\n}\nmodule \"n\" {\n  source = \"./m\"\n  count  = 1\n}\nlocals {\n  a = " + src + "\n}\n",
		}), ".")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		names := hclnames.NamesOf(m)
		for _, o := range []string{"a", "b"} {
			if len(names.Uses("module.m.output."+o))+len(names.Uses("module.n.output."+o))+len(names.Uses("module.one.output."+o)) > 0 {
				got = append(got, o)
			}
		}
		if len(names.Uses("module.m")) == 0 && strings.Contains(src, "module.m") {
			t.Errorf("%s: the call is not used", src)
		}
		if slices.ContainsFunc(slices.Concat(names.Uses("module.m"), names.Uses("module.n"), names.Uses("module.one")), hclnames.Use.IsWhole) {
			got = append(got, "whole")
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%s: %q, want %q", src, got, want)
		}
	}
}

// TestNothing: nil has no names, nodes, modules, features or places.
func TestNothing(t *testing.T) {
	for _, names := range []*hclnames.Names{nil, hclnames.NamesOf(nil), hclnames.NamesOf(&hclconfig.Module{})} {
		if _, ok := names.Lookup("var.a"); ok || names.Uses("var.a") != nil || names.Unused() != nil {
			t.Errorf("%v has names", names)
		}
	}
	var tree *hclnames.Tree
	for n := range tree.All() {
		t.Errorf("a module %q", n.Path())
	}
	for _, g := range []*hclnames.Graph{nil, tree.Graph()} {
		for n := range g.All() {
			t.Errorf("a node %s", n.Address)
		}
		for n := range g.Dependents("var.a") {
			t.Errorf("a dependent %s", n.Address)
		}
		for c := range g.Cycles() {
			t.Errorf("a cycle %v", c)
		}
	}
	if at := (*hclnames.Node)(nil).Range(); at != (addrs.Range{}) {
		t.Errorf("a place: %v", at)
	}
	if v := hclnames.NewEvaluator(nil).Evaluate(tree, hclconfig.Expression{}); v.Value.IsKnown() || len(v.Unknown) != 1 || v.Unknown[0].Reason != hclnames.NotComputed {
		t.Errorf("%#v %v", v.Value, v.Unknown)
	}
}

// TestIterators_stop: an iterator ends when its loop does.
func TestIterators_stop(t *testing.T) {
	tree, err := hclnames.LoadTree(files(map[string]string{
		"main.tf": "module \"m\" {\n  source = \"./m\"\n}\nmodule \"n\" {\n  source = \"./m\"\n}\nlocals {\n  a = local.b\n  b = local.a\n  c = local.d\n  d = local.c\n}\n",
		"m/a.tf":  "locals {\n  a = 1\n}\n",
	}), ".")
	if err != nil {
		t.Fatal(err)
	}
	g := tree.Graph()
	firstTwo(t, tree.All())
	firstTwo(t, g.All())
	firstTwo(t, g.Cycles())
	firstTwo(t, g.Dependents("module.m"))
}

// firstTwo takes one value, then two, of an iterator that has at least two.
func firstTwo[T any](t *testing.T, all iter.Seq[T]) {
	t.Helper()
	for _, want := range []int{1, 2} {
		n := 0
		for range all {
			if n++; n == want {
				break
			}
		}
		if n != want {
			t.Errorf("%d values, want %d", n, want)
		}
	}
}

// TestProviderUses finds functions of providers, and configurations and data sources that
// nothing uses.
func TestProviderUses(t *testing.T) {
	m, err := hclconfig.LoadModule(fstest.MapFS{"a.tf": {Data: []byte(`
provider "tm" {
}
provider "tm" {
  alias = "west"
}
provider "tm" {
  alias = "east"
}
data "tm_x" "checked" {
  lifecycle {
    postcondition {
      condition     = provider::tm::ok(self.id)
      error_message = "No."
    }
  }
}
data "tm_x" "unused" {
}
ephemeral "tm_y" "also" {
}
resource "tm_y" "west" {
  provider = tm.west
}
check "c" {
  data "tm_x" "in_check" {
  }
}
output "o" {
  value = [provider::tm::west::parse("x"), core::upper("x"), provider::tm::a::b::c()]
}
`)}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	names := hclnames.NamesOf(m)
	var unused []string
	for _, d := range names.Unused() {
		unused = append(unused, d.Address)
	}
	if !slices.Equal(unused, []string{"provider.tm.east", "data.tm_x.unused"}) {
		t.Error(unused)
	}
	for address, want := range map[string]string{
		"provider.tm":      "tm_x tm, provider::tm::ok tm, tm_x tm, tm_y tm, tm_x tm",
		"provider.tm.west": "tm.west west, provider::tm::west::parse west",
	} {
		var got []string
		for _, u := range names.Uses(address) {
			name := u.NameRange()
			got = append(got, u.Text+" "+string(m.Files[0].Bytes()[name.Start.Offset:name.End.Offset]))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: %s", address, strings.Join(got, ", "))
		}
	}
}
