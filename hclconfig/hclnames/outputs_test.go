// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// unused returns the outputs that nothing uses, or the first line of the error.
func unused(fsys fs.FS, opts ...hclconfig.Option) string {
	outputs, err := hclnames.CalledOutputs(fsys, opts...)
	if err != nil {
		line, _, _ := strings.Cut(err.Error(), "\n")
		return line
	}
	var out []string
	for _, o := range outputs {
		if len(o.Uses) == 0 {
			out = append(out, o.Dir+" "+o.Output.Name)
		}
	}
	return strings.Join(out, ", ")
}

// TestCalledOutputs has a module net with the outputs a and b, and what may use them.
func TestCalledOutputs(t *testing.T) {
	const net = "module \"net\" {\n  source = \"../net\"\n}\n"
	const each = "module \"net\" {\n  source   = \"../net\"\n  for_each = toset([\"a\"])\n}\n"
	test := func(in string) string { return "run \"r\" {\n" + in + "}\n" }
	assert := func(x string) string {
		return "  assert {\n    condition = " + x + " == 1\n    error_message = \"x\"\n  }\n"
	}
	const runsNet = "  module {\n    source = \"../net\"\n  }\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"no caller":                       {map[string]string{}, ""},
		"a caller alone":                  {map[string]string{"live/m.tf": net}, "net a, net b"},
		"an attribute":                    {map[string]string{"live/m.tf": net + "locals {\n  x = module.net.a\n}\n"}, "net b"},
		"JSON":                            {map[string]string{"live/m.tf.json": `{"module":{"net":{"source":"../net","for_each":["x"]}},"output":{"o":{"value":"${[for n in module.net : n.a]}"}}}`}, "net b"},
		"count":                           {map[string]string{"live/m.tf": "module \"net\" {\n  source = \"../net\"\n  count  = 2\n}\nlocals {\n  x = module.net[0].a\n  y = length(module.net)\n}\n"}, "net b"},
		"a splat":                         {map[string]string{"live/m.tf": "module \"net\" {\n  source = \"../net\"\n  count  = 2\n}\nlocals {\n  x = module.net[*].a\n}\n"}, "net b"},
		"the whole":                       {map[string]string{"live/m.tf": net + "locals {\n  x = module.net\n}\n"}, ""},
		"depends_on":                      {map[string]string{"live/m.tf": net + "resource \"a\" \"b\" {\n  depends_on = [module.net]\n}\n"}, "net a, net b"},
		"an address":                      {map[string]string{"live/m.tf": net + "moved {\n  from = module.net.x.a\n  to   = module.net.x.b\n}\nremoved {\n  from = module.net.x.c\n}\n"}, "net a, net b"},
		"import":                          {map[string]string{"live/m.tf": net + "import {\n  to = module.net.x.y\n  id = module.net.a\n}\n"}, "net b"},
		"check":                           {map[string]string{"live/m.tf": net + "check \"c\" {\n" + assert("module.net.a") + "}\n"}, "net b"},
		"an argument of a call":           {map[string]string{"live/m.tf": net + "module \"o\" {\n  source = \"../o\"\n  x      = module.net.b\n}\n", "o/m.tf": "variable \"x\" {}\n"}, "net a"},
		"another module of its name":      {map[string]string{"live/m.tf": net, "x/m.tf": "module \"net\" {\n  source = \"../o\"\n}\nlocals {\n  x = module.net.a\n}\n", "o/m.tf": "output \"a\" {\n  value = 1\n}\n"}, "net a, net b"},
		"an override file":                {map[string]string{"live/m.tf": net, "live/m_override.tf": "locals {\n  x = module.net.a\n}\n"}, "live/m_override.tf"},
		"two callers":                     {map[string]string{"live/m.tf": net + "locals {\n  x = module.net.a\n}\n", "dev/m.tf": net + "locals {\n  x = module.net.b\n}\n"}, ""},
		"a hidden caller":                 {map[string]string{"live/m.tf": net, ".ci/x/m.tf": "module \"net\" {\n  source = \"../../net\"\n}\nlocals {\n  x = module.net.a\n}\n"}, "net b"},
		"a copy of the tool":              {map[string]string{"live/m.tf": net, "live/.terraform/modules/x/m.tf": "module \"net\" {\n  source = \"../../../../net\"\n}\nlocals {\n  x = module.net.a\n}\n"}, "net a, net b"},
		"a module behind":                 {map[string]string{"live/m.tf": "module \"o\" {\n  source = \"../.o\"\n}\nlocals {\n  x = module.o.c\n}\n", ".o/m.tf": net + "output \"c\" {\n  value = module.net.a\n}\n"}, "net b"},
		"a source of its callers":         {map[string]string{"w/m.tf": "variable \"d\" {}\nmodule \"i\" {\n  source = var.d\n}\nlocals {\n  x = module.i.a\n}\n", "live/m.tf": "module \"w\" {\n  source = \"../w\"\n  d      = \"../net\"\n}\n"}, "net b"},
		"a source of a hidden caller":     {map[string]string{"w/m.tf": "variable \"d\" {}\nmodule \"i\" {\n  source = var.d\n}\nlocals {\n  x = module.i.a\n}\n", ".ci/m.tf": "module \"w\" {\n  source = \"../w\"\n  d      = \"../net\"\n}\n"}, "net b"},
		"a source that is not known":      {map[string]string{"live/m.tf": "variable \"d\" {}\nmodule \"i\" {\n  source = var.d\n}\n"}, "live/m.tf:2,1"},
		"tests of its own":                {map[string]string{"live/m.tf": net, "net/t.tftest.hcl": test(assert("output.a"))}, "net b"},
		"tests of its own elsewhere":      {map[string]string{"live/m.tf": net, "net/e2e/x/t.tftest.hcl": test(assert("output.a"))}, "net b"},
		"tests of the caller":             {map[string]string{"live/m.tf": net, "live/tests/t.tftest.hcl": test(assert("module.net.a"))}, "net b"},
		"a run of its own":                {map[string]string{"live/m.tf": net, "net/t.tftest.hcl": test("") + "run \"s\" {\n" + assert("run.r.a") + "}\n"}, "net b"},
		"a run as a whole":                {map[string]string{"live/m.tf": net, "net/t.tftest.hcl": test("") + "run \"s\" {\n" + assert("length(run.r)") + "}\n"}, ""},
		"a run of another":                {map[string]string{"live/m.tf": net, "x/m.tf": "", "x/tests/t.tftest.hcl": test(runsNet+assert("output.a")) + "run \"s\" {\n" + assert("run.r.b") + "}\n"}, ""},
		"a run of a name in two files":    {map[string]string{"live/m.tf": net + "output \"a\" {\n  value = 1\n}\n", "live/s.tftest.hcl": test("") + "run \"s\" {\n" + assert("run.r.a") + "}\n", "live/t.tftest.hcl": test(runsNet) + "run \"s\" {\n" + assert("run.r.b") + "}\n"}, "net a"},
		"a run of a caller":               {map[string]string{"live/m.tf": net, "x/t.tftest.hcl": "run \"r\" {\n  module {\n    source = \"../live\"\n  }\n" + assert("module.net.a") + "}\n"}, "net b"},
		"a run alone":                     {map[string]string{"x/tests/t.tftest.hcl": test(runsNet)}, ""},
		"tests without a module":          {map[string]string{"live/m.tf": net, "x/tests/t.tftest.hcl": test(runsNet) + "run \"s\" {\n" + assert("run.r.b") + "}\n"}, "net a"},
		"an override of a test":           {map[string]string{"live/m.tf": net, "top/m.tf": "module \"live\" {\n  source = \"../live\"\n}\n", "top/t.tftest.hcl": "override_module {\n  target  = module.live.module.net\n  outputs = {\n    a = 1\n  }\n}\n"}, "net b"},
		"a query file":                    {map[string]string{"live/m.tf": net, "live/q.tfquery.hcl": "list \"a\" \"b\" {\n  provider = a\n  config {\n    x = module.net.a\n  }\n}\n"}, "net b"},
		"beside an a.tofu":                {map[string]string{"live/m.tf": net + "locals {\n  x = module.net.a\n}\n", "live/m.tofu": net + "locals {\n  x = module.net.b\n}\n"}, ""},
		"broken native syntax":            {map[string]string{"live/m.tf": net, "x/m.tf": "locals {\n" + net}, "x/m.tf:1,8"},
		"broken JSON":                     {map[string]string{"live/m.tf": net, "x/m.tf.json": `{"locals":{"x":"${module.m.z}"} "module":{}}`}, "x/m.tf.json:1,33"},
		"a broken template":               {map[string]string{"live/m.tf": net, "live/o.tf.json": `{"locals":{"x":"${module.net.a"}}`}, "live/o.tf.json:1,16"},
		"a broken test":                   {map[string]string{"live/m.tf": net, "net/e2e/t.tftest.hcl": "run {"}, "net/e2e/t.tftest.hcl:1,5"},
		"a broken query":                  {map[string]string{"live/m.tf": net, "live/q.tfquery.hcl": "list {"}, "live/q.tfquery.hcl:1,6"},
		"a broken hidden file":            {map[string]string{"live/m.tf": net, ".ci/m.tf": "locals {"}, ".ci/m.tf:1,8"},
		"a call of what is not there":     {map[string]string{"live/m.tf": net + "module \"p\" {\n  source = \"../p\"\n}\n"}, "net a, net b"},
		"a call that leads out":           {map[string]string{"live/m.tf": "module \"o\" {\n  source = \"../../o/net\"\n}\n" + net}, "live/m.tf:1,1"},
		"a call of a path":                {map[string]string{"live/m.tf": "module \"o\" {\n  source = \"/o/net\"\n}\n" + net}, "live/m.tf:1,1"},
		"a computed call that leads out":  {map[string]string{"live/m.tf": "variable \"d\" {\n  default = \"../../o/net\"\n}\nmodule \"o\" {\n  source = var.d\n}\n" + net}, "live/m.tf:4,1"},
		"a computed path":                 {map[string]string{"live/m.tf": "variable \"d\" {\n  default = \"/o/net\"\n}\nmodule \"o\" {\n  source = var.d\n}\n" + net}, "live/m.tf:4,1"},
		"a call without a source":         {map[string]string{"live/m.tf": "module \"o\" {}\n" + net}, "live/m.tf:1,1"},
		"a source that is null":           {map[string]string{"live/m.tf": "variable \"d\" {\n  default = null\n}\nmodule \"o\" {\n  source = var.d\n}\n" + net}, "live/m.tf:4,1"},
		"a run that leads out":            {map[string]string{"live/m.tf": net, "live/t.tftest.hcl": "run \"r\" {\n  module {\n    source = \"../../o/net\"\n  }\n}\n"}, "live/t.tftest.hcl:1,1"},
		"a run without a source":          {map[string]string{"live/m.tf": net, "live/t.tftest.hcl": "run \"r\" {\n  module {\n  }\n}\n"}, "live/t.tftest.hcl:1,1"},
		"values of a map":                 {map[string]string{"live/m.tf": each + "locals {\n  x = values(module.net)[*].a\n}\n"}, "net b"},
		"an old splat of a map":           {map[string]string{"live/m.tf": each + "locals {\n  x = module.net.*.b.a\n}\n"}, "net b"},
		"a splat of a map to an instance": {map[string]string{"live/m.tf": each + "locals {\n  x = module.net[*].a\n}\n"}, ""},
		"a splat of a map":                {map[string]string{"live/m.tf": each + "locals {\n  x = module.net[*].b.a\n}\n"}, "net b"},
		"an instance with a dot":          {map[string]string{"live/m.tf": each + "locals {\n  x = module.net.a\n}\n"}, ""},
		"a key and a name in brackets":    {map[string]string{"live/m.tf": each + "locals {\n  x = module.net.a[\"b\"]\n}\n"}, ""},
		"a key with a dot":                {map[string]string{"live/m.tf": each + "locals {\n  x = module.net.b.a\n}\n"}, "net b"},
		"values of one instance":          {map[string]string{"live/m.tf": net + "locals {\n  x = values(module.net)[*].a\n}\n"}, ""},
		"a key of one instance":           {map[string]string{"live/m.tf": net + "locals {\n  x = module.net[\"b\"].a\n}\n"}, ""},
		"a computed key of one":           {map[string]string{"live/m.tf": net + "locals {\n  x = module.net[var.k].a\n}\nvariable \"k\" {}\n"}, ""},
		"a splat of one instance":         {map[string]string{"live/m.tf": net + "locals {\n  x = module.net[*].a\n}\n"}, "net b"},
		"tests below another module":      {map[string]string{"live/m.tf": net, "live/e2e/m.tf": "", "live/e2e/t.tftest.hcl": test(assert("module.net.a"))}, "net b"},
		"an override file of tofu":        {map[string]string{"live/m.tf": net + "locals {\n  x = module.net.a\n}\n", "live/override.tofu": "module \"net\" {\n  source = \"../o\"\n}\n", "o/m.tf": "output \"a\" {\n  value = 1\n}\noutput \"b\" {\n  value = 1\n}\n"}, "net b, o b"},
	} {
		fsys := fstest.MapFS{"net/m.tf": {Data: []byte("output \"a\" {\n  value = 1\n}\noutput \"b\" {\n  value = 2\n}\n")}}
		for name, text := range c.files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		if got := unused(fsys); got != c.want && (c.want == "" || !strings.HasPrefix(got, "hclconfig: "+c.want+":") && !strings.HasPrefix(got, "hclconfig: "+c.want+" ")) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestCalledOutputs_links has a link to a directory and a file under two names.
func TestCalledOutputs_links(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"modules/net/m.tf":   "output \"a\" {\n  value = 1\n}\noutput \"b\" {\n  value = 1\n}\noutput \"c\" {\n  value = 1\n}\noutput \"d\" {\n  value = 1\n}\n",
		"x/m.tf":             "module \"net\" {\n  source = \"./net\"\n}\nlocals {\n  x = module.net.a\n}\n",
		"e2e/d/t.tftest.hcl": "run \"r\" {\n  assert {\n    condition = module.net.d == 1\n    error_message = \"x\"\n  }\n}\n",
		"shared/common.tf":   "locals {\n  x = module.net.b\n}\n",
		"y/m.tf":             "module \"net\" {\n  source = \"../modules/net\"\n}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"x/net": "../modules/net", "y/common.tf": "../shared/common.tf", "y/e2e": "../e2e", "e2e/up": ".."} {
		if err := os.Symlink(filepath.FromSlash(to), filepath.Join(dir, name)); err != nil {
			t.Skip("needs a system with symbolic links:", err)
		}
	}
	if got := unused(os.DirFS(dir)); got != "modules/net c" {
		t.Error(got)
	}
}

// TestCalledOutputs_answer looks at the callers and at the places of the uses, and at all errors.
func TestCalledOutputs_answer(t *testing.T) {
	fsys := fstest.MapFS{
		"net/m.tf":    {Data: []byte("output \"a\" {\n  value = 1\n}\n")},
		"live/m.tf":   {Data: []byte("module \"net\" {\n  source = \"../net\"\n}\nlocals {\n  x = [module.net.a, module.net]\n}\n")},
		"live/m.tofu": {Data: []byte("module \"net\" {\n  source = \"../net\"\n}\n")},
		"b/m.tf":      {Data: []byte("module \"net\" {\n  source = \"../net\"\n}\n")},
	}
	for _, c := range []struct {
		opts []hclconfig.Option
		want string
	}{
		{nil, "b/m.tf:1,1-13 live/m.tofu:1,1-13 live/m.tf:1,1-13 | live/m.tf:5,8-20 live/m.tf:5,22-32"},
		{[]hclconfig.Option{hclconfig.OpenTofu}, "b/m.tf:1,1-13 live/m.tofu:1,1-13 |"},
		{[]hclconfig.Option{hclconfig.Terraform}, "b/m.tf:1,1-13 live/m.tf:1,1-13 | live/m.tf:5,8-20 live/m.tf:5,22-32"},
	} {
		outputs, err := hclnames.CalledOutputs(fsys, c.opts...)
		if err != nil || len(outputs) != 1 || outputs[0].Dir != "net" {
			t.Fatal(outputs, err)
		}
		var words []string
		for _, caller := range outputs[0].Callers {
			words = append(words, caller.Call.Block.DefRange().String())
		}
		words = append(words, "|")
		for _, u := range outputs[0].Uses {
			words = append(words, u.Range().String())
		}
		if got := strings.Join(words, " "); got != c.want {
			t.Errorf("%v: %s, want %s", c.opts, got, c.want)
		}
	}
	fsys["x/m.tf"], fsys["y/m.tf"] = &fstest.MapFile{Data: []byte("}")}, &fstest.MapFile{Data: []byte("}")}
	_, err := hclnames.CalledOutputs(fsys)
	if _, ok := errors.AsType[*hclconfig.Error](err); !ok || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("%q", err)
	}
}
