// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/releases"
)

// kitDifferences has the beginnings of the names of configurations of which we say something else
// than a program, each with the reason.
var kitDifferences = map[string]string{
	"function maybe(null)": "what the provider's code does", "function argument maybe(null)": "what the provider's code does",
	"result table()[0]": "the value that the provider's code returns", "result list() ?": "the value that the provider's code returns",
	"obj from table()": "the value that the provider's code returns", "one from table()": "the value that the provider's code returns",
}

// TestKits compares what Validate says with what both programs said of configurations with two
// providers, one of each kit.
func TestKits(t *testing.T) {
	read := func(name string) string {
		src, err := os.ReadFile("../testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return string(src)
	}
	schemas := map[string]*hclconfig.Schemas{}
	for _, host := range []string{"registry.opentofu.org", "registry.terraform.io"} {
		s, err := hclconfig.DecodeSchemas([]byte(strings.ReplaceAll(read("kits-schemas.json"), "registry.opentofu.org", host)))
		if err != nil {
			t.Fatal(err)
		}
		schemas[host] = s
	}
	list, err := releases.Parse(read("kits.txt"))
	if err != nil || len(list) < 900 {
		t.Fatal(len(list), err)
	}
	prelude := read("kits-prelude.tf")
	same, total := map[string]int{}, map[string]int{}
	for _, c := range list {
		for tool, want := range c.Verdicts {
			dialect, host := hclconfig.OpenTofu, "registry.opentofu.org"
			if strings.HasPrefix(tool, "terraform") {
				dialect, host = hclconfig.Terraform, "registry.terraform.io"
			}
			_, release, _ := strings.Cut(tool, "-")
			tree, err := hclnames.LoadTree(files(map[string]string{"main.tf": c.Files["main.tf"], "prelude.tf": prelude}), ".", at(dialect, release))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas[host], Kits: true}) {
				if strings.HasPrefix(d.Summary, "Self reference: ") {
					d.Subject = addrs.Range{} // the programs know no place
				}
				if d.Subject.Filename != "prelude.tf" {
					got = append(got, fmt.Sprintf("%s %s:%d,%d %s", d.Severity, d.Subject.Filename, d.Subject.Start.Line, d.Subject.Start.Column, d.Summary))
				}
			}
			slices.Sort(got)
			total[tool]++
			if got = slices.Compact(got); slices.Equal(got, want) {
				same[tool]++
				continue
			}
			known := false
			for name := range kitDifferences {
				known = known || strings.HasPrefix(c.Name, name)
			}
			if !known {
				t.Errorf("%s: %s\n%s", tool, c.Name, difflines(want, got))
			}
		}
	}
	for tool, n := range total {
		t.Logf("%s: %d of %d are the same", tool, same[tool], n)
		if same[tool]*100 < n*98 {
			t.Errorf("%s: only %d of %d", tool, same[tool], n)
		}
	}
}
