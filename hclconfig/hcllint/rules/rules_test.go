// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/hcllinttest"
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
		if !used[a.Name] && a.Name != "validate" && a.Name != "terraform_json_syntax" {
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
