// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs_test

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

// Every release that was recorded has the functions of the table, and no others.
func TestTable_recorded(t *testing.T) {
	releases, err := recordings.Releases()
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, rel := range releases {
		program := map[string]langfuncs.Program{"tofu": langfuncs.OpenTofu, "terraform": langfuncs.Terraform}[rel.Tool]
		_, release := hcllang.SplitRelease(rel.String())
		for f, err := range rel.Files() {
			if err != nil {
				t.Fatal(err)
			}
			if f.Kind != "functions" {
				continue
			}
			var doc struct {
				Functions map[string]any `json:"function_signatures"`
			}
			if err := json.Unmarshal(f.Text, &doc); err != nil {
				t.Fatal(err)
			}
			if len(doc.Functions) == 0 {
				continue
			}
			compared++
			table := langfuncs.Table(program, int(release%1000))
			for _, name := range slices.Sorted(maps.Keys(doc.Functions)) {
				if _, ok := table[name]; !ok {
					t.Errorf("%s has %s, the table has not", rel, name)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(table)) {
				if _, ok := doc.Functions[name]; !ok && !slices.Contains([]string{"list", "map", "core::list", "core::map"}, name) { // which only say that they are gone
					t.Errorf("the table has %s, %s has not", name, rel)
				}
			}
		}
	}
	if compared < 10 {
		t.Errorf("only %d lists of functions", compared)
	}
}
