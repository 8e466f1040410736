// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

// secret wants variables with a name that says so to be sensitive, and has a fix.
var secret = &hcllint.Analyzer{
	Name: "acme_secret",
	Doc:  "Variables called ..._secret are sensitive. Others need not be.",
	URL:  "https://acme.example/rules#secret",
	Run: func(pass *hcllint.Pass) (any, error) {
		for v := range pass.Blocks("variable") {
			if name := v.Labels[0]; strings.HasSuffix(name, "_secret") && !v.Is(v.Expression("sensitive"), true) {
				pass.Report(hcllint.Diagnostic{
					At: v, Message: fmt.Sprintf("variable %s must be sensitive", name),
					Fixes: []hcllint.Fix{{Message: "Add sensitive", Edit: func(e *hcllint.Edits) { e.In(v).Set(v.Block, "sensitive", true) }}},
				})
			}
		}
		return nil, nil
	},
}

// A lengths is the options of the analyzer short.
type lengths struct {
	Max   int     `hcl:"max,optional"`
	Local *inside `hcl:"local,block"`
}

type inside struct {
	Max int `hcl:"max"`
}

// short wants names of variables to be short. It is off by default.
var short = &hcllint.Analyzer{
	Name:     "acme_short",
	Doc:      "Names are short",
	Severity: hcllint.Notice,
	Presets:  []string{"all"},
	Options:  lengths{Max: 10},
	Run: func(pass *hcllint.Pass) (any, error) {
		o := hcllint.Options[lengths](pass)
		for v := range pass.Blocks("variable") {
			if len(v.Labels[0]) > o.Max {
				pass.Reportf(v, "the name of %s has more than %d letters", v.Labels[0], o.Max)
			}
		}
		for _, l := range pass.Module.Locals {
			if o.Local != nil && len(l.Name) > o.Local.Max {
				pass.Reportf(l.Argument, "local %s is long", l.Name)
			}
		}
		return nil, nil
	},
}

// broken fails or panics.
var broken = &hcllint.Analyzer{
	Name: "acme_broken", Doc: "Fails.", Presets: []string{"broken"},
	Run: func(pass *hcllint.Pass) (any, error) {
		pass.Report(hcllint.Diagnostic{Message: "lost"})
		if len(pass.Module.Variables) > 1 {
			panic("many")
		}
		return nil, errors.New("few")
	},
}

// write writes files and makes their directory the working one.
func write(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
}

// lint runs the command and returns what it does, as one text.
func lint(args ...string) string {
	var stdout, stderr strings.Builder
	status := hcllint.Command(args, strings.NewReader(""), &stdout, &stderr, secret, short, broken, hcllint.Checker())
	return fmt.Sprintf("%s%s%d", stdout.String(), stderr.String(), status)
}

func TestCommand(t *testing.T) {
	write(t, map[string]string{
		".git/x":                    "",
		"a/main.tf":                 "variable \"long_name_of_secret\" {}\n",
		"a/b/main.tf.json":          `{"variable": {"c_secret": {}}}`,
		"a/.hidden/main.tf":         "variable \"c_secret\" {}\n",
		"a/empty/readme":            "",
		"none/tests/x":              "",
		"good/main.tf":              "locals {\n  a = 1\n}\n",
		"bad/bad.tf":                "variable \"x_secret\" {\n",
		"bad/good.tf":               "variable \"y_secret\" {}\n",
		"invalid/main.tf":           "output \"o\" {\n  value = 1\n  x     = 2\n}\n",
		"cfg/.tflint.hcl":           "plugin \"terraform\" {\n  preset = \"all\"\n}\nrule \"aws_x\" {\n  enabled = true\n}\nrule \"acme_secret\" {\n  enabled = false\n}\n",
		"cfg/m/main.tf":             "variable \"long_name_of_secret\" {}\nlocals {\n  abcd = 1\n}\n",
		"cfg/n/main.tf":             "variable \"c_secret\" {}\nlocals {\n  abcd = 1\n}\n",
		"cfg/n/.tofuwire-lint.hcl":  "rule \"acme_secret\" {\n  enabled  = true\n  severity = \"error\"\n}\nrule \"acme_short\" {\n  max = 7\n  local {\n    max = 3\n  }\n}\n",
		"force.hcl":                 "config {\n  force = true\n  disabled_by_default = true\n}\nrule \"acme_secret\" {\n  enabled = true\n}\n",
		"unknown.hcl":               "rule \"acme_none\" {\n}\n",
		"syntax.hcl":                "rule \"acme_none\" {\n",
		"option.hcl":                "rule \"acme_secret\" {\n  x = 1\n}\n",
		"option2.hcl":               "rule \"acme_short\" {\n  enabled = true\n  max = []\n}\n",
		"severity.hcl":              "rule \"acme_short\" {\n  severity = \"grave\"\n}\n",
		"label.hcl":                 "rule {\n}\n",
		"block.hcl":                 "rul \"acme_secret\" {\n}\n",
		"argument.hcl":              "acme_secret = true\n",
		"config.hcl":                "config {\n  disabled_by_defalt = true\n}\n",
		"inner.hcl":                 "rule \"acme_secret\" {\n  x {\n  }\n}\n",
		"known.hcl":                 "tflint {\n  required_version = \"1\"\n}\nplugin \"aws\" {\n  version = \"1\"\n}\nconfig {\n  call_module_type = \"all\"\n}\n",
		"theirs/.tflint.hcl":        "rule \"terraform_naming_convention\" {\n  enabled = true\n}\nplugin \"terraform\" {\n  enabled = true\n  preset  = \"recommended\"\n}\n",
		"theirs/main.tf":            "variable \"long_name_of_secret\" {}\n",
		"theirs/old/.tflint.hcl":    "rule \"terraform_dash_in_names\" {\n  enabled = false\n}\n",
		"theirs/old/main.tf":        "variable \"a_secret\" {}\n",
		"theirs/ext/.tflint.hcl":    "rule \"terraform_dash_in_names\" {\n  enabled = false\n}\nplugin \"ext\" {\n  enabled = true\n}\n",
		"theirs/ext/main.tf":        "variable \"long_name_of_secret\" {}\n",
		"theirs/set/.tflint.hcl":    "plugin \"terraform\" {\n  enabled = true\n  preset  = \"strict\"\n}\n",
		"theirs/set/main.tf":        "variable \"a_secret\" {}\n",
		"theirs/call/.tflint.hcl":   "config {\n  call_module_type = \"some\"\n}\n",
		"theirs/call/main.tf":       "variable \"a_secret\" {}\n",
		"theirs/module/.tflint.hcl": "config {\n  module = true\n}\n",
		"theirs/module/main.tf":     "variable \"a_secret\" {}\n",
		"preset.hcl":                "plugin \"terraform\" {\n  preset = \"strict\"\n}\n",
		"preset2.hcl":               "plugin \"terraform\" {\n  enabled = false\n  preset  = \"strict\"\n}\n",
		"foreign/.tflint.hcl":       "rule \"acme_none\" {\n}\nnew \"x\" {\n}\nconfig {\n  newer = 1\n}\n",
		"foreign/main.tf":           "variable \"long_name_of_secret\" {}\n",
		"twice/a.tf":                "module \"m\" {\n  source = \"../twice/m\"\n  x = 1\n}\nlocals {\n  a = 1\n}\nlocals {\n  a = 1\n}\n",
		"twice/m/a.tf":              "variable \"x\" {}\n",
		"redefined/a.tf":            "locals {\n  a = 1\n  a = 2\n}\n",
		"tested/tests/a.tftest.hcl": "run \"x\" {}\n",
		"two/a.tf":                  "variable \"a\" {}\nvariable \"b\" {}\n",
	})
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.ToSlash(dir)
	aFinding := "a/main.tf:1,1: warning: variable long_name_of_secret must be sensitive (acme_secret)\n"
	for _, c := range []struct{ args, want string }{
		{"a", aFinding + "1"},
		{"./a/", aFinding + "1"},
		{"a/...", "a/b/main.tf.json:1,27: warning: variable c_secret must be sensitive (acme_secret)\n" + aFinding + "1"},
		{"good", "0"},
		{"-fail-on error a", aFinding + "0"},
		{"-fail-on warning a", aFinding + "1"},
		{"-fail-on error twice", "twice/a.tf:9,3: error: Duplicate local value definition; local.a was already declared at a.tf:6,3-8. It can be declared only once in a module. (validate)\n1"},
		{"-filter a/*.tf a/...", aFinding + "1"},
		{"-filter **/*.json -filter nope/** a/...", "lint: -filter nope/** matches none of the files that were read\n2"},
		{"-filter **/*.json a/...", "a/b/main.tf.json:1,27: warning: variable c_secret must be sensitive (acme_secret)\n1"},
		{"-exclude a/? a/...", aFinding + "1"},
		{"-exclude b a/...", "lint: -exclude b matches no directory\n2"},
		{"-exclude a/[ a/...", "lint: \"a/[\" is not a pattern of files\n2"},
		{"-format compact a", aFinding + "1"},
		{"a good", aFinding + "1"},
		{"good good/... good/../good", "0"},
		{"-only acme_short a", "a/main.tf:1,1: notice: the name of long_name_of_secret has more than 10 letters (acme_short)\n1"},
		{"-skip acme_secret a", "0"},
		{"-only acme_short,acme_secret -skip acme_short a", aFinding + "1"},
		{"-only acme_none a", "lint: -only: unknown rule \"acme_none\"; acme_broken, acme_secret, acme_short or validate\n2"},
		{"-skip acme_none a", "lint: -skip: unknown rule \"acme_none\"; acme_broken, acme_secret, acme_short or validate\n2"},
		{"none", "lint: none has no configuration files\n2"},
		{"none/...", "lint: none has no configuration files, and neither has any directory below it\n2"},
		{"tested", "0"},
		{"tested/tests", "0"},
		{"tested/...", "0"},
		{"tested a", aFinding + "1"},
		{"nope", "lint: stat nope: no such file or directory\n2"},
		{"nope/...", "lint: lstat nope: no such file or directory\n2"},
		{"good/main.tf", "lint: good/main.tf is not a directory\n2"},
		{"", "lint: . has no configuration files\n2"},
		{"-x", "lint: unknown option -x; \"lint -h\" explains the options\n2"},
		{"-format x good", "lint: -format: unknown value \"x\"; text, full, compact, json, sarif, github, gitlab, junit, checkstyle or rdjson\n2"},
		{"-fix -diff good", "lint: -fix cannot be combined with -diff\n2"},
		{"bad", "bad/good.tf:1,1: warning: variable y_secret must be sensitive (acme_secret)\nlint: bad/bad.tf:1,21: syntax error: unclosed configuration block: there is no closing brace for this block before the end of the file. This may be caused by incorrect brace nesting elsewhere in this file\n2"},
		{"bad good nope", "bad/good.tf:1,1: warning: variable y_secret must be sensitive (acme_secret)\nlint: stat nope: no such file or directory\nlint: bad/bad.tf:1,21: syntax error: unclosed configuration block: there is no closing brace for this block before the end of the file. This may be caused by incorrect brace nesting elsewhere in this file\n2"},
		{"twice", "twice/a.tf:9,3: error: Duplicate local value definition; local.a was already declared at a.tf:6,3-8. It can be declared only once in a module. (validate)\n1"},
		{"redefined", "lint: redefined/a.tf:3,3: syntax error: attribute redefined: the argument \"a\" was already set at a.tf:2,3-4. Each argument may be set only once\n2"},
		{"invalid", "invalid/main.tf:3,3: error: Unsupported argument; An argument named \"x\" is not expected here. (validate)\n1"},
		{"cfg/m", "cfg/m/main.tf:1,1: notice: the name of long_name_of_secret has more than 10 letters (acme_short)\n1"},
		{"cfg/n", "cfg/n/main.tf:1,1: error: variable c_secret must be sensitive (acme_secret)\ncfg/n/main.tf:1,1: notice: the name of c_secret has more than 7 letters (acme_short)\ncfg/n/main.tf:3,3: notice: local abcd is long (acme_short)\n1"},
		{"-config force.hcl a", aFinding + "0"},
		{"-config unknown.hcl a", "lint: a: unknown.hcl:1,1-17: there is no rule \"acme_none\"\n2"},
		{"-config option.hcl a", "lint: a: option.hcl:1,1-19: rule acme_secret has no option x\n2"},
		{"-config option2.hcl a", "lint: a: option2.hcl:3,9-10: Unsuitable value type; Unsuitable value: number required, but have tuple\n2"},
		{"-config severity.hcl a", "lint: severity.hcl:1,1-18: the severity is \"grave\", which is not error, warning or notice\n2"},
		{"-config block.hcl a", "lint: block.hcl:1,1-4: Unsupported block type; Blocks of type \"rul\" are not expected here. Did you mean \"rule\"?\n2"},
		{"-config argument.hcl a", "lint: argument.hcl:1,1-12: Unsupported argument; An argument named \"acme_secret\" is not expected here.\n2"},
		{"-config config.hcl a", "lint: config.hcl:2,3-21: Unsupported argument; An argument named \"disabled_by_defalt\" is not expected here. Did you mean \"disabled_by_default\"?\n2"},
		{"-config inner.hcl a", "lint: a: inner.hcl:2,3-4: Unexpected \"x\" block; Blocks are not allowed here.\n2"},
		{"-config known.hcl a", aFinding + "1"},
		{"foreign", strings.Replace(aFinding, "a/", "foreign/", 1) + "1"},
		{"theirs", strings.Replace(aFinding, "a/", "theirs/", 1) + "1"},
		{"theirs/old", "lint: theirs/old: DIR/theirs/old/.tflint.hcl:1,1-31: there is no rule \"terraform_dash_in_names\"\n2"},
		{"theirs/ext", strings.Replace(aFinding, "a/", "theirs/ext/", 1) + "1"},
		{"theirs/set", "lint: theirs/set: DIR/theirs/set/.tflint.hcl:1,1-19: tflint has no preset \"strict\": it has recommended and all\n2"},
		{"theirs/call", "lint: theirs/call: DIR/theirs/call/.tflint.hcl:1,8-8: call_module_type is \"some\", which is not all, local or none\n2"},
		{"theirs/module", "lint: theirs/module: DIR/theirs/module/.tflint.hcl:2,3-16: tflint has no setting module any more: use call_module_type\n2"},
		{"-config preset.hcl a", "lint: a: preset.hcl:1,1-19: there is no preset \"strict\"\n2"},
		{"-config preset2.hcl a", aFinding + "1"},
		{"-config label.hcl a", "lint: label.hcl:1,6-7: Missing name for rule; All rule blocks must have 1 labels (name).\n2"},
		{"-config nope.hcl a", "lint: open nope.hcl: no such file or directory\n2"},
		{"-schemas nope.json a", "lint: open nope.json: no such file or directory\n2"},
		{"-schemas force.hcl a", "lint: force.hcl: syntax error: schemas: not JSON: expected a value\n2"},
		{"-var-file nope.tfvars a", "lint: open nope.tfvars: no such file or directory\n2"},
		{"-baseline nope a", "lint: open nope: no such file or directory\n2"},
		{"-baseline force.hcl a", "lint: force.hcl: invalid character 'c' looking for beginning of value\n2"},
		{"-only acme_broken a", "lint: a: rule acme_broken: few\n2"},
	} {
		got := strings.ReplaceAll(lint(strings.Fields(c.args)...), dir, "DIR")
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("lint %s (-want +got):\n%s", c.args, diff)
		}
	}
	if got := lint("-only", "acme_broken,acme_short", "two"); got != "lint: two: rule acme_broken: it panicked: many\n2" {
		t.Error(got)
	}
	if got := lint("-config", "syntax.hcl", "a"); !strings.Contains(got, "lint: syntax.hcl:1,") || !strings.HasSuffix(got, "\n2") {
		t.Error(got)
	}
	help := lint("-h")
	if !strings.HasPrefix(help, "usage: lint [OPTION]... [DIR]...\n\nLint runs ") || !strings.Contains(help, "* acme_secret: Variables called ..._secret are sensitive\n  acme_short: Names are short\n* validate: The configuration should be valid, as hclcheck.Validate and the validate command of the\n      dialect's program check it\n\nExit status:\n") {
		t.Error(help)
	}
}

// TestCallSettings has the settings of the block config that rules have as options.
func TestCallSettings(t *testing.T) {
	type options struct {
		CallModuleType string          `hcl:"call_module_type,optional"`
		IgnoreModule   map[string]bool `hcl:"ignore_module,optional"`
		Max            int             `hcl:"max,optional"`
	}
	rule := &hcllint.Analyzer{Name: "acme_calls", Doc: "Calls.", Options: options{CallModuleType: "local", Max: 7}, Run: func(p *hcllint.Pass) (any, error) {
		p.Report(hcllint.Diagnostic{Range: p.Module.Calls[0].Block.Range(), Message: fmt.Sprint(hcllint.Options[options](p))})
		return nil, nil
	}}
	for config, want := range map[string]string{
		"": "{local map[] 7}",
		"config {\n  call_module_type = \"all\"\n}\n": "{all map[] 7}",
		"config {\n  ignore_module = {\n    \"./m\" = true\n  }\n}\nrule \"acme_calls\" {\n  enabled = true\n  max = 8\n}\n":                 "{local map[./m:true] 8}",
		"config {\n  call_module_type = \"all\"\n}\nrule \"acme_calls\" {\n  enabled = true\n  call_module_type = \"none\"\n}\n":             "{none map[] 7}",
		"plugin \"terraform\" {\n  enabled = true\n}\nconfig {\n  call_module_type = \"none\"\n  ignore_module = { \"a/b/c\" = false }\n}\n": "{none map[a/b/c:false] 7}",
	} {
		for _, name := range []string{".tflint.hcl", ".tofuwire-lint.hcl"} {
			write(t, map[string]string{name: config, "main.tf": "module \"m\" {\n  source = \"a/b/c\"\n}\n"})
			var stdout, stderr strings.Builder
			hcllint.Command([]string{"."}, strings.NewReader(""), &stdout, &stderr, rule)
			if got := stdout.String() + stderr.String(); got != "main.tf:1,1: warning: "+want+" (acme_calls)\n" {
				t.Errorf("%s\n%s: %s", config, name, got)
			}
		}
	}
}

// TestCommandFix makes fixes, and shows them.
func TestCommandFix(t *testing.T) {
	write(t, map[string]string{"m/main.tf": "variable \"a_secret\" {}\nvariable \"b_secret\" {\n}\n", "good/main.tf": "# tflint-ignore-file: acme_secret\nvariable \"a_secret\" {}\n"})
	want := "--- a/m/main.tf\n+++ b/m/main.tf\n@@ -1,3 +1,6 @@\n-variable \"a_secret\" {}\n+variable \"a_secret\" {\n+  sensitive = true\n+}\n variable \"b_secret\" {\n+  sensitive = true\n }\n1"
	if diff := cmp.Diff(want, lint("-diff", "m", "good")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := lint("-diff", "good"); got != "0" {
		t.Error(got)
	}
	if got := lint("-fix", "-only", "acme_short,acme_secret", "m"); got != "0" {
		t.Error(got)
	}
	if got, _ := os.ReadFile("m/main.tf"); string(got) != "variable \"a_secret\" {\n  sensitive = true\n}\nvariable \"b_secret\" {\n  sensitive = true\n}\n" {
		t.Errorf("%s", got)
	}
}

// TestFixCalled makes fixes of called modules: only of those in the directories that are named.
func TestFixCalled(t *testing.T) {
	everywhere := &hcllint.Analyzer{
		Name: "acme_everywhere", Doc: "Everywhere.",
		Run: func(pass *hcllint.Pass) (any, error) {
			for tree := range pass.Tree.All() {
				for v := range pass.In(tree).Blocks("variable", "x_secret") {
					if !v.Is(v.Expression("sensitive"), true) {
						pass.Report(hcllint.Diagnostic{At: v, Message: "must be sensitive", Fixes: []hcllint.Fix{{Edit: func(e *hcllint.Edits) {
							e.In(v).Set(v.Block, "sensitive", true)
						}}}})
					}
				}
			}
			return nil, nil
		},
	}
	const variable, fixed = "variable \"x_secret\" {\n}\n", "variable \"x_secret\" {\n  sensitive = true\n}\n"
	const shared = "shared/main.tf:1,1: warning: must be sensitive (acme_everywhere)\n"
	const installed = "live/.terraform/modules/far/main.tf:1,1: warning: must be sensitive (acme_everywhere)\n"
	for _, c := range []struct {
		args, want string
		fixed      []string
	}{
		{"-fix live", installed + shared + "1", []string{"live/main.tf", "live/sub/main.tf"}},
		{"-fix live shared", installed + "1", []string{"live/main.tf", "live/sub/main.tf", "shared/main.tf"}},
		{"-fix ./...", installed + "1", []string{"live/main.tf", "live/sub/main.tf", "shared/main.tf"}},
		{"-fix shared", "0", []string{"shared/main.tf"}},
		{"-diff live/sub", "--- a/live/sub/main.tf\n+++ b/live/sub/main.tf\n@@ -1,2 +1,3 @@\n variable \"x_secret\" {\n+  sensitive = true\n }\n1", nil},
	} {
		write(t, map[string]string{
			"live/main.tf":                         "module \"a\" {\n  source = \"../shared\"\n}\nmodule \"b\" {\n  source = \"./sub\"\n}\nmodule \"far\" {\n  source = \"a/b/c\"\n}\n" + variable,
			"live/.terraform/modules/modules.json": `{"Modules":[{"Key":"far","Source":"a/b/c","Dir":".terraform/modules/far"}]}`,
			"live/.terraform/modules/far/main.tf":  variable, "shared/main.tf": variable, "live/sub/main.tf": variable,
		})
		var out strings.Builder
		status := hcllint.Command(strings.Fields(c.args), nil, &out, &out, everywhere)
		if got := out.String() + fmt.Sprint(status); got != c.want {
			t.Errorf("lint %s:\n%s\nwant:\n%s", c.args, got, c.want)
		}
		for _, name := range []string{"live/main.tf", "live/sub/main.tf", "shared/main.tf", "live/.terraform/modules/far/main.tf"} {
			text, err := os.ReadFile(name)
			if err != nil || strings.HasSuffix(string(text), fixed) != slices.Contains(c.fixed, name) {
				t.Errorf("lint %s: %s, %v\n%s", c.args, name, err, text)
			}
		}
		if c.args == "-fix live" {
			out.Reset()
			hcllint.Command([]string{"-format", "json", "live"}, nil, &out, &out, everywhere)
			if strings.Count(out.String(), `"fixable": false`) != 2 || strings.Contains(out.String(), `"fixable": true`) {
				t.Error(out.String())
			}
		}
	}
}

// TestCommandCalled says once that a module is broken or missing that others call.
func TestCommandCalled(t *testing.T) {
	const call = "module \"m\" {\n  source = \"../m\"\n}\n"
	write(t, map[string]string{"a/main.tf": call, "b/main.tf": call, "m/main.tf": "}\n", "c/main.tf": strings.Replace(call, "../m", "./none", 1)})
	fault := "lint: m/main.tf:1,1: syntax error: argument or block definition required: an argument or block definition is required here\n2"
	for args, want := range map[string]string{
		"a": fault, "a b": fault, "-only acme_secret a m": fault,
		"-only acme_secret c": "lint: c/main.tf:2,12: module m cannot be read from ./none: file does not exist\n2",
	} {
		if got := lint(strings.Fields(args)...); got != want {
			t.Errorf("lint %s:\n%s\nwant:\n%s", args, got, want)
		}
	}
}

// TestBaseline accepts findings, moves them, adds one and removes one.
func TestBaseline(t *testing.T) {
	write(t, map[string]string{"m/main.tf": "variable \"a_secret\" {}\nvariable \"b_secret\" {}\n", "n/main.tf": "variable \"a_secret\" {}\n", "bad.json": `{"version": 2}`})
	if got := lint("-write-baseline", "base.json", "m", "n"); got != "0" {
		t.Fatal(got)
	}
	if got := lint("-baseline", "base.json", "m/...", "n"); got != "0" {
		t.Error(got)
	}
	if got := lint("-baseline", "bad.json", "m"); got != "lint: bad.json has version 2 of the baseline; only version 1 is supported\n2" {
		t.Error(got)
	}
	if err := os.WriteFile("m/main.tf", []byte("\n\nvariable \"a_secret\" {}\nvariable \"c_secret\" {}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	want := "m/main.tf:4,1: warning: variable c_secret must be sensitive (acme_secret)\nlint: warning: base.json: no finding is like this any more: m var.b_secret: variable b_secret must be sensitive (acme_secret)\n1"
	if diff := cmp.Diff(want, lint("-baseline", "base.json", "m")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Accepted findings are not mended.
	if diff := cmp.Diff("lint: warning: base.json: no finding is like this any more: m var.b_secret: variable b_secret must be sensitive (acme_secret)\n0", lint("-baseline", "base.json", "-fix", "m")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got, _ := os.ReadFile("m/main.tf"); !strings.Contains(string(got), "variable \"a_secret\" {}") {
		t.Errorf("%s", got)
	}
	// A baseline is made anew of all findings.
	if got := lint("-baseline", "base.json", "-write-baseline", "base.json", "m", "n"); got != "0" {
		t.Error(got)
	}
	if got := lint("-baseline", "base.json", "m", "n"); got != "0" {
		t.Error(got)
	}
}

// TestJSON reads the document.
func TestJSON(t *testing.T) {
	write(t, map[string]string{"m/a.tf": "# é\nvariable \"a_secret\" {}\n", "m/b.tf": "{"})
	var stdout, stderr strings.Builder
	if got := hcllint.Command([]string{"-format", "json", "m"}, nil, &stdout, &stderr, secret); got != 2 {
		t.Error(got)
	}
	want := `{"findings":[{"rule":"acme_secret","severity":"warning","message":"variable a_secret must be sensitive","range":{"filename":"m/a.tf",` +
		`"start":{"line":2,"column":1,"byte":5},"end":{"line":2,"column":20,"byte":24}},"fixable":true,"url":"https://acme.example/rules#secret"}],` +
		`"errors":[{"message":"m/b.tf:1,1: syntax error: argument or block definition required: an argument or block definition is required here","filename":"m/b.tf","line":1}]}`
	var got any
	if err := json.Unmarshal([]byte(stdout.String()), &got); err != nil {
		t.Fatal(err)
	}
	compact, _ := json.Marshal(got)
	var wanted any
	if err := json.Unmarshal([]byte(want), &wanted); err != nil {
		t.Fatal(err)
	}
	again, _ := json.Marshal(wanted)
	if diff := cmp.Diff(string(again), string(compact)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestVariables has the files of values in the order in which they count.
func TestVariables(t *testing.T) {
	value := &hcllint.Analyzer{Name: "value", Doc: "Shows var.x.", Run: func(pass *hcllint.Pass) (any, error) {
		for b := range pass.Blocks("output") {
			texts, complete := pass.Strings(b.Expression("value"))
			pass.Reportf(b, "%q %v", texts, complete)
		}
		return nil, nil
	}}
	base := map[string]string{
		"main.tf":  "variable \"x\" {\n  default = \"default\"\n}\nvariable \"n\" {\n  type = number\n}\noutput \"o\" {\n  value = \"${var.x}\"\n}\n",
		"v.tfvars": "x = \"file\"\n", "w.json": `{"x": "json${"}`, "bad.tfvars": "x = y\n",
		"cfg.hcl": "config {\n  varfile = [\"v.tfvars\"]\n}\n", "vars.hcl": "config {\n  variables = [\"x=one\", \"y=[1]\"]\n}\n", "novars.hcl": "config {\n  varfile = [\"none.tfvars\"]\n}\n",
	}
	with := func(more ...string) map[string]string {
		out := map[string]string{}
		for k, v := range base {
			out[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			out[more[i]] = more[i+1]
		}
		return out
	}
	all := with("terraform.tfvars", "x = \"1\"\n", "terraform.tfvars.json", `{"x": "2"}`, "a.auto.tfvars.json", `{"x": "3"}`, "b.auto.tfvars", "x = \"4\"\n")
	for _, c := range []struct {
		files map[string]string
		args  string
		want  string
	}{
		{base, "", "[\"default\"] true"},
		{with("terraform.tfvars", "x = \"1\"\n"), "", "[\"1\"] true"},
		{with("terraform.tfvars", "n = 1\n"), "", "[\"default\"] true"},
		{with("terraform.tfvars", "x = \"1\"\n", "terraform.tfvars.json", `{"x": "2"}`), "", "[\"2\"] true"},
		{all, "", "[\"4\"] true"},
		{all, "-var-file v.tfvars", "[\"file\"] true"},
		{all, "-var-file v.tfvars -var-file w.json", "[\"json${\"] true"},
		{base, "-config cfg.hcl", "[\"file\"] true"},
		{base, "-config vars.hcl", "[\"one\"] true"},
		{base, "-config vars.hcl -var-file v.tfvars", "[\"file\"] true"},
		{base, "-config novars.hcl", "none.tfvars: no such file"},
		{base, "-var-file bad.tfvars", "bad.tfvars:1,5"},
		{with("terraform.tfvars", "x = y\n"), "", "terraform.tfvars:1,5"},
		{with("terraform.tfvars", "x = {\n"), "", "terraform.tfvars:2,1"},
	} {
		write(t, c.files)
		var out strings.Builder
		t.Setenv("TF_VAR_x", "environment")
		hcllint.Command(append(strings.Fields(c.args), "."), nil, &out, &out, value)
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%s %v: %s\nwant %s", c.args, c.files, out.String(), c.want)
		}
	}
}

// TestFormats reads the reports for code hosts, of a module that is not at the root of its
// repository.
func TestFormats(t *testing.T) {
	write(t, map[string]string{".git/x": "", "sub/m/a.tf": "variable \"a_secret\" {}\n/* \U0001F600 */ variable \"b_secret\" {}\n", "sub/m/bad.tf": "{\n"})
	t.Chdir("sub")
	format := func(name string) string {
		var stdout, stderr strings.Builder
		hcllint.Command([]string{"-format", name, "m"}, nil, &stdout, &stderr, related, short)
		return stdout.String()
	}
	want := "::error file=sub/m/a.tf,line=1,endLine=1,col=1,endColumn=20,title=acme_related::one%0Aline, 100%25\n" +
		"::error file=sub/m/bad.tf,line=1::m/bad.tf:1,1: syntax error: argument or block definition required: an argument or block definition is required here\n" +
		"::notice file=sub/m/a.tf,title=acme_related::no place\n"
	if diff := cmp.Diff(want, sortedLines(format("github"))); diff != "" {
		t.Errorf("github (-want +got):\n%s", diff)
	}
	var gitlab []struct {
		CheckName   string `json:"check_name"`
		Categories  []string
		Fingerprint string
		Severity    string
		Location    struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(format("gitlab")), &gitlab); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, g := range gitlab {
		seen[g.Fingerprint] = true
		if !slices.Equal(g.Categories, []string{"Style"}) || !strings.HasPrefix(g.Location.Path, "sub/m/") || g.Location.Lines.Begin != 1 {
			t.Errorf("gitlab: %+v", g)
		}
	}
	if len(gitlab) != 3 || len(seen) != 3 || gitlab[0].Severity+gitlab[1].Severity+gitlab[2].Severity != "infomajorcritical" {
		t.Errorf("gitlab: %+v", gitlab)
	}
	junit := format("junit")
	for _, part := range []string{`tests="3" failures="2" errors="1"`, `<testsuite name="m/a.tf" tests="2" failures="2" errors="0" skipped="0">`, `<error message="m/bad.tf:1,1: syntax error`, `message="one line, 100%"`} {
		if !strings.Contains(junit, part) {
			t.Errorf("junit lacks %s:\n%s", part, junit)
		}
	}
	sarif := format("sarif")
	for _, part := range []string{`"uri": "sub/m/a.tf"`, `"executionSuccessful": false`, `"startColumn": 18`, `"relatedLocations"`, `"text": "the other"`, `"text": "Replaces."`} {
		if !strings.Contains(sarif, part) {
			t.Errorf("sarif lacks %s:\n%s", part, sarif)
		}
	}
	if got := format("text"); !strings.Contains(got, "m/a.tf:1,1: error: one line, 100% (acme_related)\n") {
		t.Error(got)
	}
	var stdout strings.Builder
	write(t, map[string]string{"m/a.tf": "locals {\n}\n"})
	if hcllint.Command([]string{"-format", "junit", "m"}, nil, &stdout, &stdout, short) != 0 || !strings.Contains(stdout.String(), `tests="1" failures="0"`) {
		t.Error(stdout.String())
	}
}

// related reports in several lines, without a place, with another place, and has a fix that
// replaces text.
var related = &hcllint.Analyzer{
	Name: "acme_related", Doc: "Reports.", Severity: hcllint.Error,
	Run: func(pass *hcllint.Pass) (any, error) {
		v := pass.Module.Variables
		f := v[0].Block.File()
		pass.Report(hcllint.Diagnostic{
			At: v[0].Block, Message: "one\nline, 100%", Related: []hcllint.Diagnostic{{At: v[1].Block, Message: "the other"}},
			Fixes: []hcllint.Fix{{Message: "Replaces.", Edit: func(e *hcllint.Edits) { e.Replace(f, v[1].Block.LabelRange(0), `"c"`) }}},
		})
		pass.Report(hcllint.Diagnostic{Range: addrs.Range{Filename: f.Filename()}, Message: "no place", Severity: hcllint.Notice})
		return nil, nil
	},
}

func sortedLines(s string) string {
	lines := strings.SplitAfter(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// TestVariablesOfChecker gives a variable that the configuration needs while it is loaded.
func TestVariablesOfChecker(t *testing.T) {
	write(t, map[string]string{
		"a/main.tf": "variable \"from\" {\n  type = string\n}\nmodule \"m\" {\n  source = var.from\n}\n",
		"v.tfvars":  "from = \"a/b/c\"\n",
	})
	if got := lint("a"); !strings.Contains(got, "var.from") {
		t.Errorf("without a value there is no finding:\n%s", got)
	}
	if got := lint("-var-file", "v.tfvars", "a"); got != "0" {
		t.Errorf("with the value:\n%s", got)
	}
}

// TestTestFiles finds what only tests use, and tests that cannot be read.
func TestTestFiles(t *testing.T) {
	unused := &hcllint.Analyzer{Name: "unused", Doc: "Unused.", Run: func(p *hcllint.Pass) (any, error) {
		for _, d := range p.Names().Unused() {
			p.Report(hcllint.Diagnostic{Range: d.Range(), Message: d.Address})
		}
		return nil, nil
	}}
	run := func() (int, string) {
		var out strings.Builder
		return hcllint.Command([]string{"."}, nil, &out, &out, unused), out.String()
	}
	write(t, map[string]string{
		"main.tf":            "locals {\n  for_tests = 1\n  other = 2\n}\n",
		"tests/a.tftest.hcl": "run \"a\" {\n  assert {\n    condition     = local.for_tests == 1\n    error_message = \"x\"\n  }\n}\n",
	})
	if status, out := run(); status != 1 || out != "main.tf:3,3: warning: local.other (unused)\n" {
		t.Error(status, out)
	}
	if err := os.WriteFile("tests/b.tftest.hcl", []byte("run {"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, out := run(); status != 2 || !strings.Contains(out, "tests/b.tftest.hcl:1,") {
		t.Error(status, out)
	}
}

// TestTflintJSON reads the configuration of tflint in JSON, where there is none in HCL.
func TestTflintJSON(t *testing.T) {
	const config = `{"plugin": {"terraform": {"enabled": true, "preset": "all"}, "aws": {"enabled": true}},
		"rule": {"acme_secret": {"enabled": false}, "acme_short": {"enabled": true, "severity": "error", "max": 4}}, "config": {"force": true}}`
	files := map[string]string{
		".git/x": "", ".tflint.json": config, "a/main.tf": "variable \"a_secret\" {}\n",
		"b/.tflint.hcl": "config {\n  disabled_by_default = true\n}\n", "b/.tflint.json": "{", "b/main.tf": "variable \"a_secret\" {}\n",
		"c/.tflint.json": `{"rule": {"acme_short": {"enabled": 5}}}`, "c/main.tf": "variable \"a_secret\" {}\n",
		"d/.tflint.json": "{", "d/main.tf": "variable \"a_secret\" {}\n",
	}
	write(t, files)
	for dir, want := range map[string]string{
		"a": "a/main.tf:1,1: error: the name of a_secret has more than 4 letters (acme_short)\n0",
		"b": "0",
		"c": "lint: c: $/c/.tflint.json:1,37-38: Unsuitable value type",
		"d": "lint: d/.tflint.json:1,2: syntax error: ",
	} {
		wd, _ := os.Getwd()
		if got := strings.ReplaceAll(lint(dir), filepath.ToSlash(wd), "$"); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s", dir, got)
		}
	}
}

// Started with this variable, the test is a linter.
const linterVariable = "HCLLINT_TEST_MAIN"

func init() {
	if os.Getenv(linterVariable) != "" {
		hcllint.Main(short)
	}
}

// TestMain_name checks that a linter calls itself by its own name.
func TestMain_name(t *testing.T) {
	for arg, want := range map[string]string{
		"-h":     "usage: acme-lint [OPTION]... [DIR]...\n\nAcme-lint runs ",
		"-wrong": "acme-lint: unknown option -wrong; \"acme-lint -h\" explains the options\n",
	} {
		cmd := exec.Command(os.Args[0], arg)
		cmd.Args[0] = "/opt/bin/acme-lint.exe"
		cmd.Env = append(os.Environ(), linterVariable+"=1")
		if out, _ := cmd.CombinedOutput(); !strings.HasPrefix(string(out), want) || strings.Contains(string(out), " lint ") || strings.Contains(string(out), "terraform_") {
			t.Errorf("%s: %s", arg, out)
		}
	}
	write(t, map[string]string{"m/main.tf": "variable \"long_name_of_secret\" {\n}\n", "on.hcl": "rule \"acme_short\" {\n  enabled = true\n}\n", "good/main.tf": ""})
	for args, want := range map[string]string{
		"-format sarif m":    "\"driver\": {\n          \"name\": \"acme-lint\",\n          \"fullName\": \"acme-lint ",
		"-format junit m":    "<testsuites name=\"acme-lint\"",
		"-format junit good": "<testsuite name=\"acme-lint\"",
	} {
		cmd := exec.Command(os.Args[0], append([]string{"-config", "on.hcl"}, strings.Fields(args)...)...)
		cmd.Args[0] = "/opt/bin/acme-lint.exe"
		cmd.Env = append(os.Environ(), linterVariable+"=1")
		if out, _ := cmd.CombinedOutput(); !strings.Contains(string(out), want) {
			t.Errorf("%s:\n%s\nlacks %s", args, out, want)
		}
	}
}
