// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllinttest_test

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/hcllinttest"
)

// secret wants variables with a name that says so to be sensitive.
var secret = &hcllint.Analyzer{
	Name: "acme_secret",
	Doc:  "Variables called ..._secret are sensitive.",
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

// upper wants no calls of upper, also not within each other.
var upper = &hcllint.Analyzer{
	Name: "acme_upper",
	Doc:  "Nothing calls upper.",
	Run: func(pass *hcllint.Pass) (any, error) {
		for _, f := range pass.Module.Files {
			for a := range f.Body().AllArguments() {
				for x := range a.Expression.All() {
					if x.Form() != hclconfig.FormCall || x.Name() != "upper" {
						continue
					}
					pass.Report(hcllint.Diagnostic{Range: x.Range(), Message: "no upper", Fixes: []hcllint.Fix{{
						Edit: func(e *hcllint.Edits) { e.In(x).Replace(x, hcledit.Source(x.Parts()[0].Source())) },
					}}})
				}
			}
		}
		return nil, nil
	},
}

// A recorder is a test that remembers what is reported.
type recorder struct{ texts []string }

func (r *recorder) Helper() {}
func (r *recorder) Errorf(format string, args ...any) {
	r.texts = append(r.texts, fmt.Sprintf(format, args...))
}

func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestExpected has modules that are as their comments say.
func TestExpected(t *testing.T) {
	for _, files := range []map[string]string{
		{"a.tf": "variable \"a\" {}\n"},
		{
			"a.tf":        "variable \"a_secret\" {} # want `a_secret must`\n",
			"a.tf.golden": "variable \"a_secret\" {\n  sensitive = true\n} # want `a_secret must`\n",
		},
		{
			"a.tf":        "locals {\n  a = upper(upper(upper(\"x\"))) // want \"no upper\" `no` \"^no upper$\"\n}\n",
			"a.tf.golden": "locals {\n  a = \"x\" // want \"no upper\" `no` \"^no upper$\"\n}\n",
		},
		{
			"a.tf.json":        `{"variable": {"a_secret": {"//": "want` + " `a_secret must`" + `"}}}`,
			"a.tf.json.golden": `{"variable": {"a_secret": {"//": "want` + " `a_secret must`" + `", "sensitive": true}}}`,
		},
		{
			"a.tf.json":        `{"//": "want 'x'", "variable": {"//": "want \"b_secret\"", "a_secret": {"//": "want \"a_secret\""}, "b_secret": {}}}`,
			"a.tf.json.golden": `{"//": "want 'x'", "variable": {"//": "want \"b_secret\"", "a_secret": {"//": "want \"a_secret\"", "sensitive": true}, "b_secret": {"sensitive": true}}}`,
		},
	} {
		files := files
		for name, text := range files {
			files[name] = strings.Replace(text, "want 'x'", "nothing", 1)
		}
		if report := hcllinttest.Run(t, write(t, files), secret, upper); report == nil {
			t.Error("no report")
		}
	}
}

// TestUnexpected has modules that are not.
func TestUnexpected(t *testing.T) {
	fails := &hcllint.Analyzer{Name: "fails", Doc: "Fails.", Run: func(*hcllint.Pass) (any, error) { return nil, errors.New("no way") }}
	for _, c := range []struct {
		files map[string]string
		rules []*hcllint.Analyzer
		want  []string
	}{
		{map[string]string{"a.txt": ""}, []*hcllint.Analyzer{upper}, []string{"no configuration files"}},
		{map[string]string{"a.tf": "locals {\n"}, []*hcllint.Analyzer{upper}, []string{"a.tf"}},
		{map[string]string{"a.tf": ""}, []*hcllint.Analyzer{fails}, []string{"rule fails: no way"}},
		{map[string]string{"a.tf": ""}, []*hcllint.Analyzer{upper, upper, nil}, []string{"an analyzer is nil"}},
		{map[string]string{"a.tf": "# want `x`\n"}, []*hcllint.Analyzer{upper}, []string{"a.tf:1: no finding that matches \"x\""}},
		{map[string]string{"a.tf": "# want x\n"}, []*hcllint.Analyzer{upper}, []string{"line 1: want is followed by \"x\""}},
		{map[string]string{"a.tf": "# want `(`\n"}, []*hcllint.Analyzer{upper}, []string{"line 1: error parsing regexp"}},
		{map[string]string{"a.tf": "# want \n# want\n"}, []*hcllint.Analyzer{upper}, nil},
		{map[string]string{"a.tf.json": `{"//": "want x"}`}, []*hcllint.Analyzer{upper}, []string{"line 1: want is followed by \"x\""}},
		{map[string]string{"a.tf.json": `{"//": "want ` + "`x`" + `", "variable": [{"a": [1, {}]}]}`}, []*hcllint.Analyzer{upper}, []string{"a.tf.json:1: no finding"}},
		{map[string]string{"a.tf": "locals {\n  a = upper(1)\n}\n", "b.tf": "# no\n", "b.tf.golden": "# yes\n"}, []*hcllint.Analyzer{upper},
			[]string{"a.tf:2,7: unexpected finding of acme_upper: no upper", "-# yes\n+# no", "a.tf has no golden file"}},
		{map[string]string{"c.tf.golden": "", "a.tf": ""}, []*hcllint.Analyzer{upper}, []string{"c.tf"}},
	} {
		r := &recorder{}
		hcllinttest.Run(r, write(t, c.files), c.rules...)
		for i, want := range c.want {
			if i >= len(r.texts) || !strings.Contains(r.texts[i], want) {
				t.Errorf("%v: %q\nwant %q", c.files, r.texts, c.want)
				break
			}
		}
		if c.want == nil && r.texts != nil {
			t.Errorf("%v: %q", c.files, r.texts)
		}
	}
	r := &recorder{}
	if hcllinttest.Run(r, filepath.Join(t.TempDir(), "none"), upper) != nil || len(r.texts) != 1 {
		t.Error(slices.Clone(r.texts))
	}
}

// everywhere is like secret, and looks into called modules too. Its word is an option.
var everywhere = &hcllint.Analyzer{
	Name:    "acme_everywhere",
	Doc:     "Variables called ..._secret are sensitive everywhere.",
	Options: ending{Ending: "_secret"},
	Run: func(pass *hcllint.Pass) (any, error) {
		for t := range pass.Tree.All() {
			for v := range pass.In(t).Blocks("variable") {
				if strings.HasSuffix(v.Labels[0], hcllint.Options[ending](pass).Ending) && !v.Is(v.Expression("sensitive"), true) {
					pass.Report(hcllint.Diagnostic{At: v, Message: v.Labels[0] + " must be sensitive", Fixes: []hcllint.Fix{{
						Edit: func(e *hcllint.Edits) { e.In(v).Set(v.Block, "sensitive", true) },
					}}})
				}
			}
		}
		return nil, nil
	},
}

type ending struct {
	Ending string `hcl:"ending,optional"`
}

// TestCalled has expectations and golden files in called modules, below the directory and
// beside it.
func TestCalled(t *testing.T) {
	const calls = "module \"in\" {\n  source = \"./in\"\n}\nmodule \"out\" {\n  source = \"../out\"\n}\nmodule \"again\" {\n  source = \"../out\"\n}\n"
	const variable, fixed = "variable \"a_secret\" { # want `a_secret must`\n}\n", "variable \"a_secret\" { # want `a_secret must`\n  sensitive = true\n}\n"
	good := map[string]string{
		"live/main.tf": calls, "live/in/main.tf": variable, "live/in/main.tf.golden": fixed,
		"out/main.tf": variable, "out/main.tf.golden": fixed, "live/other/main.tf": "# want `nothing`\n", "live/other/main.tf.golden": "",
	}
	for _, c := range []struct {
		change map[string]string
		run    *hcllint.Analyzer
		want   []string
	}{
		{nil, everywhere, nil},
		{map[string]string{"live/in/main.tf": "variable \"a_secret\" {\n}\n"}, everywhere, []string{
			"in/main.tf:1,1: unexpected finding of acme_everywhere: a_secret must be sensitive", "in/main.tf after the fixes differs",
		}},
		{map[string]string{"out/main.tf": "# want `x`\n" + variable}, everywhere, []string{"../out/main.tf:1: no finding that matches \"x\"", "../out/main.tf after the fixes differs"}},
		{map[string]string{"out/main.tf.golden": ""}, everywhere, []string{"../out/main.tf after the fixes differs"}},
		{map[string]string{"live/in/more.tf": variable}, everywhere, []string{"in/more.tf has no golden file"}},
		{map[string]string{"live/in/main.tf": "# want x\n", "live/in/main.tf.golden": "# want x\n"}, everywhere, []string{"in/main.tf: line 1: want is followed by \"x\""}},
		{map[string]string{"live/in/main.tf": "variable \"a\" {\n"}, everywhere, []string{"in/main.tf:1,14: syntax error: unclosed"}},
		{map[string]string{"live/more.tf": "module \"none\" {\n  source = \"./none\"\n}\n"}, everywhere, []string{"module none cannot be read from ./none: file does not exist"}},
		{nil, secret, []string{"in/main.tf:1: no finding", "../out/main.tf:1: no finding", "in/main.tf after", "../out/main.tf after"}},
	} {
		files := maps.Clone(good)
		maps.Copy(files, c.change)
		r := &recorder{}
		report := hcllinttest.Run(r, filepath.Join(write(t, files), "live"), c.run)
		for i, want := range c.want {
			if i >= len(r.texts) || !strings.Contains(r.texts[i], want) {
				t.Errorf("%v: %q\nwant %q", c.change, r.texts, c.want)
				break
			}
		}
		if report == nil || c.want == nil && r.texts != nil {
			t.Errorf("%v: %q", c.change, r.texts)
		}
	}
	other := *everywhere
	other.Options = ending{Ending: "_token"}
	hcllinttest.Run(t, write(t, map[string]string{
		"a.tf":        "variable \"a_secret\" {\n}\nvariable \"a_token\" { # want \"a_token\"\n}\n",
		"a.tf.golden": "variable \"a_secret\" {\n}\nvariable \"a_token\" { # want \"a_token\"\n  sensitive = true\n}\n",
	}), &other)
}

var update = flag.Bool("update", false, "write golden files")

// TestUpdate writes golden files, and expects findings in heredocs by comments above them.
func TestUpdate(t *testing.T) {
	dir := t.TempDir()
	text := "locals {\n  # want `tab` `tab`\n  a = <<-EOT\n    x\ty\n    \tz\n  EOT\n  b = 1 # want `one`\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	tabs := &hcllint.Analyzer{Name: "tabs", Doc: "No tabs.", Run: func(p *hcllint.Pass) (any, error) {
		f := p.Module.Files[0]
		for i, c := range f.Bytes() {
			at := f.Position(int64(i))
			switch {
			case c == '\t':
				p.Report(hcllint.Diagnostic{Range: addrs.Range{Filename: f.Filename(), Start: at, End: at}, Message: "tab"})
			case c == '1' && f.Bytes()[i-1] == ' ':
				b := p.Module.Locals[1]
				p.Report(hcllint.Diagnostic{At: b.Argument, Message: "one", Fixes: []hcllint.Fix{{Edit: func(e *hcllint.Edits) { e.In(b.Argument).Replace(b.Argument.Expression, 2) }}}})
			}
		}
		return nil, nil
	}}
	r := &recorder{}
	*update = true
	hcllinttest.Run(r, dir, tabs)
	*update = false
	golden, err := os.ReadFile(filepath.Join(dir, "main.tf.golden"))
	if err != nil || !strings.Contains(string(golden), "b = 2") || len(r.texts) > 0 {
		t.Errorf("%s, %v, %v", golden, err, r.texts)
	}
	hcllinttest.Run(r, dir, tabs)
	if len(r.texts) > 0 {
		t.Error(r.texts)
	}
}
