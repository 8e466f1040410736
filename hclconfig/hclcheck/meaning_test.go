// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
)

// A verdict is a line of testdata/meaning.jsonl: a module, and what real
// programs said of it. Command internal/verdict records them.
type verdict struct {
	Name     string
	Files    map[string]string
	Verdicts map[string][]struct{ At, Severity, Summary string }
}

func readVerdicts(t testing.TB) []verdict {
	f, err := os.Open("../testdata/meaning.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []verdict
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v verdict
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// knownDifferences has the modules of which we say something else than a
// program, each with the reason.
var knownDifferences = map[string]string{
	"provisioner without command/tofu":       "a provisioner of the program that checks its own arguments",
	"import each without for_each/terraform": "a second error for the same mistake",
	"deprecated variable/terraform":          "an argument of Terraform 1.15, which the dialect covers",
	"deprecated input/terraform":             "as above",
	"deprecated output/terraform":            "as above",
}

// TestVerdicts compares what Tree.Validate says with what real programs said: the
// same errors at the same places with the same summaries.
func TestVerdicts(t *testing.T) {
	same, total := map[string]int{}, map[string]int{}
	for _, c := range readVerdicts(t) {
		for tool, want := range c.Verdicts {
			name, _, _ := strings.Cut(tool, "-")
			total[tool]++
			t.Run(c.Name+"/"+name, func(t *testing.T) {
				fsys := fstest.MapFS{}
				for file, text := range c.Files {
					fsys[file] = &fstest.MapFile{Data: []byte(text)}
				}
				dialect := hclconfig.OpenTofu
				if name == "terraform" {
					dialect = hclconfig.Terraform
				}
				var wantErrors, got []string
				for _, d := range want {
					// The programs also say of a reference without a name
					// that the empty name is not declared, at no place.
					if d.Severity == "error" && d.At != ":0,0" {
						wantErrors = append(wantErrors, d.At+" "+d.Summary)
					}
				}
				tree, err := hclcheck.LoadTree(fsys, ".", dialect, hclconfig.TestDirectory(""))
				if err != nil {
					got = append(got, err.Error())
				} else {
					for d := range tree.Validate(hclcheck.Validation{}).Errors() {
						at := fmt.Sprintf("%s:%d,%d", d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column)
						if strings.HasPrefix(d.Summary, "Cycle: ") {
							at, d.Summary = "", "Cycle: " // the programs know no place, and name more than one way around
						}
						if slices.Contains(wantErrors, " "+d.Summary) {
							at = "" // the program knows no place
						}
						got = append(got, at+" "+d.Summary)
					}
				}
				slices.Sort(wantErrors)
				slices.Sort(got)
				wantErrors, got = slices.Compact(wantErrors), slices.Compact(got)
				if slices.Equal(wantErrors, got) {
					same[tool]++
					if knownDifferences[c.Name+"/"+name] != "" {
						t.Error("no longer differs")
					}
					return
				}
				if knownDifferences[c.Name+"/"+name] != "" {
					return
				}
				t.Errorf("%s: %s:\n%s", tool, c.Name, difflines(wantErrors, got))
			})
		}
	}
	for tool, n := range total {
		t.Logf("%s: %d of %d modules have the same errors", tool, same[tool], n)
	}
}

func difflines(want, got []string) string {
	var b strings.Builder
	for _, w := range want {
		if !slices.Contains(got, w) {
			fmt.Fprintf(&b, "  - %s\n", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			fmt.Fprintf(&b, "  + %s\n", g)
		}
	}
	return b.String()
}
