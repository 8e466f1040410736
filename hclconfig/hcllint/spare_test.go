// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

// linted runs the rules of the project on files, and returns what was printed and the files.
func linted(t *testing.T, files map[string]string, args ...string) (status int, out, errs string, after map[string]string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, files)
	var stdout, stderr bytes.Buffer
	status = hcllint.Command(args, strings.NewReader(""), &stdout, &stderr, rules.All()...)
	after = map[string]string{}
	for name := range files {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		after[name] = string(text)
	}
	return status, stdout.String(), stderr.String(), after
}

// A fix takes nothing away that a caller in the run sets, and callers are looked at again.
func TestFix_Callers(t *testing.T) {
	root := "module \"m\" {\n  source = \"./m\"\n  a      = 1\n}\n"
	files := map[string]string{"main.tf": root, "m/main.tf": "variable \"a\" {\n  type = number\n}\n\nvariable \"b\" {\n  type = number\n}\n"}
	status, out, errs, after := linted(t, files, "-only", "terraform_unused_declarations", "-fix", "./...")
	if after["main.tf"] != root || !strings.Contains(after["m/main.tf"], `variable "a"`) || strings.Contains(after["m/main.tf"], `variable "b"`) || status != 1 || !strings.Contains(out, `variable "a" is declared but not used`) {
		t.Errorf("%d, %s, %s, %v", status, out, errs, after)
	}
	// Nobody in the run sets it.
	if status, out, _, after = linted(t, files, "-only", "terraform_unused_declarations", "-fix", "m"); status != 0 || strings.Contains(after["m/main.tf"], `variable "a"`) {
		t.Errorf("%d, %s, %v", status, out, after)
	}
}

// A fix of one module takes nothing away that a caller in the same repository sets, also one that
// is not in the run; a caller outside of the repository is not looked for.
func TestFix_Repository(t *testing.T) {
	const unused = "variable \"a\" {\n  type = number\n}\n\nvariable \"b\" {\n  type = number\n}\n\nvariable \"c\" {\n  type = number\n}\n"
	files := map[string]string{
		"main.tf":           "module \"m\" {\n  source = \"./repo/m\"\n  c      = 1\n}\n",
		"repo/.git/HEAD":    "ref: refs/heads/main\n",
		"repo/live/main.tf": "module \"m\" {\n  source = \"../m\"\n  a      = 1\n}\n",
		"repo/m/main.tf":    unused,
		"repo/bad/main.tf":  "module {",
	}
	for _, dirs := range [][]string{{"repo/m"}, {"repo/m/..."}, {"repo/m", "repo/live"}, {"repo/live/../m"}} {
		status, out, errs, after := linted(t, files, append([]string{"-only", "terraform_unused_declarations", "-fix"}, dirs...)...)
		if got := after["repo/m/main.tf"]; got != "variable \"a\" {\n  type = number\n}\n" || status != 1 || errs != "" {
			t.Errorf("%v: %d, %s, %s, %s", dirs, status, out, errs, got)
		}
	}
	if _, out, _, _ := linted(t, files, "-only", "terraform_unused_declarations", "-diff", "repo/m"); strings.Contains(out, `-variable "a"`) || !strings.Contains(out, `-variable "b"`) {
		t.Error(out)
	}
	if _, out, _, _ := linted(t, files, "-only", "terraform_unused_declarations", "-format", "rdjson", "repo/m"); strings.Count(out, `"suggestions"`) != 2 {
		t.Error(out)
	}
	// A call that may lead to any module counts for each.
	files["repo/any/main.tf"] = "variable \"d\" {}\nmodule \"m\" {\n  source = var.d\n  b      = 1\n}\n"
	if _, _, _, after := linted(t, files, "-only", "terraform_unused_declarations", "-fix", "repo/m"); !strings.Contains(after["repo/m/main.tf"], `variable "b"`) || strings.Contains(after["repo/m/main.tf"], `variable "c"`) {
		t.Error(after)
	}
	delete(files, "repo/any/main.tf")
	// Without a repository nobody knows where callers may be.
	delete(files, "repo/.git/HEAD")
	if status, out, _, after := linted(t, files, "-only", "terraform_unused_declarations", "-fix", "repo/m"); status != 0 || after["repo/m/main.tf"] != "" {
		t.Errorf("%d, %s, %v", status, out, after)
	}
}

func TestCallModuleType_None(t *testing.T) {
	files := map[string]string{"main.tf": "module \"m\" {\n  source = \"./nosuch\"\n}\n", ".tflint.hcl": "config {\n  call_module_type = \"none\"\n}\n"}
	if status, out, errs, _ := linted(t, files, "-only", "terraform_unused_declarations", "."); status != 0 || out != "" || errs != "" {
		t.Errorf("%d, %s, %s", status, out, errs)
	}
	files[".tflint.hcl"] = "config {\n  call_module_type = \"local\"\n}\n"
	if status, _, errs, _ := linted(t, files, "-only", "terraform_unused_declarations", "."); status != 2 || errs == "" {
		t.Errorf("%d, %s", status, errs)
	}
}

// A file that cannot be read is an error, as in validate.
func TestUnreadable(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, map[string]string{"main.tf": "locals {}\n"})
	if err := os.Symlink("nowhere.tf", "dangling.tf"); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	for format, want := range map[string]string{"text": "", "sarif": `"executionSuccessful": false`} {
		var stdout, stderr bytes.Buffer
		status := hcllint.Command([]string{"-format", format, "."}, strings.NewReader(""), &stdout, &stderr, rules.All()...)
		says := "lint: dangling.tf: The file \"dangling.tf\" could not be read: "
		if status != 2 || !strings.Contains(stdout.String(), want) && !strings.Contains(strings.ReplaceAll(stdout.String(), `":f`, `": f`), want) || !strings.Contains(stderr.String(), says) || strings.Contains(stderr.String(), strings.TrimLeft(filepath.ToSlash(dir), "/")) {
			t.Errorf("%s: %d, %s, %s", format, status, stdout.String(), stderr.String())
		}
	}
}

// A folder of a called module that cannot be read is named as the call has it.
func TestUnreadable_Module(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, map[string]string{"main.tf": "module \"m\" {\n  source = \"./loop\"\n}\n"})
	if err := os.Symlink("loop", "loop"); err != nil {
		t.Skip("needs a system with symbolic links:", err)
	}
	var stdout, stderr bytes.Buffer
	status := hcllint.Command([]string{"."}, strings.NewReader(""), &stdout, &stderr, rules.All()...)
	if status != 2 || !strings.Contains(stderr.String(), "module m cannot be read from ./loop: ") || strings.Contains(stderr.String(), strings.TrimLeft(filepath.ToSlash(dir), "/")) {
		t.Errorf("%d, %s, %s", status, stdout.String(), stderr.String())
	}
}

// Only the fixes that may remove a variable are made, which takes time for the whole file.
func TestKeepVariables(t *testing.T) {
	f, err := hclconfig.Parse("main.tf", []byte("variable \"a\" {}\n\nvariable \"b\" {}\n\nlocals {\n  c = 1\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		block             string
		calls, names, fix int
	}{{"a", 2, 1, 0}, {"b", 1, 1, 1}, {"", 1, 0, 1}} {
		calls, names := 0, 0
		b := f.Body().Block("variable", c.block)
		if c.block == "" {
			b = f.Body().Block("locals")
		}
		r := &hcllint.Report{Diagnostics: []hcllint.Diagnostic{{Fixes: []hcllint.Fix{{Edit: func(e *hcllint.Edits) {
			calls++
			e.In(b).Delete(b)
		}}}}}}
		r.KeepVariables(func() map[string]bool {
			names++
			return map[string]bool{"a": true}
		})
		if calls != c.calls || names != c.names || len(r.Diagnostics[0].Fixes) != c.fix {
			t.Errorf("%s: %d calls, %d names, %v", c.block, calls, names, r.Diagnostics)
		}
	}
}

// All fixes that may remove a variable are made at once, however many there are. One that fails, and one that
// touches the same variable as another, change nothing in that.
func TestKeepVariables_many(t *testing.T) {
	report := func(n int) (r *hcllint.Report, set map[string]bool, kept int) {
		var text strings.Builder
		r, set = &hcllint.Report{}, map[string]bool{}
		for i := range n {
			name := fmt.Sprintf("v%d", i)
			fmt.Fprintf(&text, "variable %q {\n  default = 1\n}\n\n", name)
			set[name] = true
		}
		f, err := hclconfig.Parse("main.tf", []byte(text.String()))
		if err != nil {
			t.Fatal(err)
		}
		add := func(b *hclconfig.Block, edit func(e *hcledit.Editor)) {
			r.Diagnostics = append(r.Diagnostics, hcllint.Diagnostic{Fixes: []hcllint.Fix{{Edit: func(e *hcllint.Edits) { edit(e.In(b)) }}}})
		}
		for b := range f.Body().BlocksOfType("variable") {
			add(b, func(e *hcledit.Editor) { e.Delete(b) })
			switch b.Labels[0] {
			case "v5": // it touches what another one does
				kept++
				add(b, func(e *hcledit.Editor) { e.Set(b, "default", 2) })
			case "v9": // it fails
				kept++
				add(b, func(e *hcledit.Editor) { e.Rename(b, "nothing", "x") })
			case "v11":
				add(b, func(e *hcledit.Editor) { e.Relabel(b, 0, "other") })
			}
		}
		slices.Reverse(r.Diagnostics)
		return r, set, kept
	}
	bounds.Growth(t, "KeepVariables", 50, 8, 10, func(n int) func() {
		r, set, want := report(n)
		return func() {
			r.KeepVariables(func() map[string]bool { return set })
			got := 0
			for _, d := range r.Diagnostics {
				got += len(d.Fixes)
			}
			if got != want {
				t.Errorf("%d of %d fixes are left", got, want)
			}
		}
	})
}
