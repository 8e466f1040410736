// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// FuzzValidate: whatever the text of a module is, it is checked without a panic,
// each diagnostic has a summary and a place in the module, and each use is where
// its name is.
func FuzzValidate(f *testing.F) {
	for i, c := range slices.Concat(readVerdicts(f, "meaning/*.jsonl"), readVerdicts(f, "plan.jsonl")) {
		if i%depth.Of(8, 1, 1) > 0 {
			continue // TestVerdicts has all of them
		}
		main, json := c.Files["main.tf"], c.Files["main.tf.json"]
		if json == "" {
			json = "{}"
		}
		f.Add(main, json, c.Files["m/main.tf"])
	}
	f.Fuzz(func(t *testing.T, main, json, child string) {
		fsys := files(map[string]string{"main.tf": main, "main.tf.json": json, "m/main.tf": child})
		for _, d := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			tree, err := hclnames.LoadTree(fsys, ".", d)
			if err != nil {
				continue
			}
			for _, x := range hclcheck.Validate(tree, hclcheck.Validation{Plan: true}) {
				if x.Summary == "" || x.Subject.Filename == "" {
					t.Errorf("%v: no place or summary", x)
				}
			}
			for d := range tree.Module.Declarations() {
				for _, u := range hclnames.NamesOf(tree.Module).Uses(d.Address) {
					if r := u.NameRange(); r.Start.Offset < 0 || r.End.Offset < r.Start.Offset {
						t.Errorf("%s: %v", d.Address, r)
					}
				}
			}
		}
	})
}
