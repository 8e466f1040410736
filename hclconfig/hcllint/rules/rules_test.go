// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/hcllinttest"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// TestModules runs each rule on the modules in testdata that have its name, perhaps with a
// word behind. What tflint finds in them was compared with tools/lintverdict.
func TestModules(t *testing.T) {
	dirs, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, d := range dirs {
		if !d.IsDir() || strings.HasPrefix(d.Name(), "plain") {
			continue // without expectations; see TestVerdicts
		}
		t.Run(d.Name(), func(t *testing.T) {
			var run []*hcllint.Analyzer
			name, _, _ := strings.Cut(d.Name(), "-")
			for _, a := range All() {
				if short := strings.TrimPrefix(a.Name, "terraform_"); short == name || name == "documented" && strings.HasPrefix(short, "documented_") {
					run = append(run, a)
					used[a.Name] = true
				}
			}
			if len(run) == 0 {
				t.Fatal("no rule has that name")
			}
			hcllinttest.Run(t, filepath.Join("testdata", d.Name()), run...)
		})
	}
	for _, a := range All() {
		if !used[a.Name] && !strings.HasPrefix(a.Name, "provider_") && a.Name != "validate" && a.Name != "terraform_json_syntax" && a != heredocStripMarker {
			t.Errorf("no module is for %s", a.Name)
		}
	}
}

func TestSets(t *testing.T) {
	all := All()
	if !slices.IsSortedFunc(all, func(a, b *hcllint.Analyzer) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("not sorted")
	}
	for i, a := range All() {
		if a != all[i] {
			t.Errorf("%s is another one at the next call", a.Name)
		}
	}
	for _, a := range Recommended() {
		if !slices.Contains(all, a) {
			t.Errorf("%s is not among all", a.Name)
		}
	}
}

// TestVerdicts compares all findings in all modules with those that tflint printed, which
// tools/lintverdict wrote. Where several files use a provider, tflint takes one at random.
func TestVerdicts(t *testing.T) {
	text, err := os.ReadFile("testdata/tflint.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for line := range strings.Lines(string(text)) {
		want[comparable(strings.TrimSpace(line))]++
	}
	dirs, err := os.ReadDir("testdata")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if !d.IsDir() || strings.HasPrefix(d.Name(), "style_") {
			continue
		}
		tree, err := hclnames.LoadTree(os.DirFS(filepath.Join("testdata", d.Name())), ".", hclconfig.Terraform, hclconfig.Workspace("default")) // as tflint
		if err != nil {
			t.Fatal(err)
		}
		report, err := hcllint.Run(tree, tflints(), hcllint.RunOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Diagnostics {
			at := f.Range
			line := fmt.Sprintf("%s/%s:%d,%d: %s (%s)", d.Name(), at.Filename, at.Start.Line, at.Start.Column, f.Message, f.Analyzer.Name)
			if known := comparable(line); want[known] > 0 {
				want[known]--
			} else if !slices.Contains(onlyOurs, line) {
				t.Errorf("only here: %s", line)
			}
		}
	}
	for line, n := range want {
		if n > 0 && !slices.Contains(onlyTheirs, line) {
			t.Errorf("only in tflint: %s", line)
		}
	}
}

// comparable returns a finding without its place, if that is random.
func comparable(line string) string {
	if dir, rest, _ := strings.Cut(line, "/"); strings.HasSuffix(line, "(terraform_required_providers)") && !strings.HasPrefix(line, "required_providers") {
		_, rest, _ = strings.Cut(rest, ": ")
		return dir + ": " + rest
	}
	return line
}

// tflints returns the rules that tflint has too.
func tflints() []*hcllint.Analyzer {
	return slices.DeleteFunc(All(), func(a *hcllint.Analyzer) bool { return !strings.HasPrefix(a.Name, "terraform_") })
}

// In JSON tflint does not count escapes, and points at the value of the file's top level for a
// call of a provider's function.
var (
	onlyOurs = []string{
		"deprecated_index/other.tf.json:5,28: List items should be accessed using square brackets (terraform_deprecated_index)",
		"deprecated_index/other.tf.json:5,48: List items should be accessed using square brackets (terraform_deprecated_index)",
		"required_providers-json/main.tf.json:4,22: Missing version constraint for provider \"jfun\" in `required_providers` (terraform_required_providers)",
	}
	onlyTheirs = []string{
		"deprecated_index/other.tf.json:5,23: List items should be accessed using square brackets (terraform_deprecated_index)",
		"required_providers-json/main.tf.json:4,15: Missing version constraint for provider \"jfun\" in `required_providers` (terraform_required_providers)",
	}
)

// TestPage checks that docs/lint-rules.md says what the rules say. It is written by
//
//	go run -C tools ./lintverdict -doc ../docs/lint-rules.md
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../../docs/lint-rules.md")
	if err != nil {
		t.Fatal(err)
	}
	_, sections, _ := strings.Cut(string(text), "\n## ")
	var want []string
	for _, a := range All() {
		want = append(want, a.Name+"\n\n"+withoutMarks(a.Doc))
		if a.URL != "" && a.URL != page(a.Name) {
			t.Errorf("%s: %s", a.Name, a.URL)
		}
	}
	got := strings.Split(withoutMarks(sections), "\n## ")
	for i := range want {
		if i >= len(got) || strings.TrimSpace(got[i]) != strings.TrimSpace(want[i]) {
			t.Fatalf("the section of %s is not its Doc", All()[i].Name)
		}
	}
	for _, a := range All() {
		if !strings.Contains(string(text), "| [`"+a.Name+"`](#"+a.Name+") | ") {
			t.Errorf("%s is not in the table", a.Name)
		}
	}
}

// withoutMarks returns a text without the indents and fences of examples.
func withoutMarks(text string) string {
	return strings.NewReplacer("```hcl\n", "", "```\n", "", "```", "", "\n\t", "\n").Replace(text)
}
