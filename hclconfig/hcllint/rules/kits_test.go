// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/releases"
)

// TestKits wants no error of a rule about providers in a configuration in which the tool has none, of those that real tools and
// two providers have judged, and an error for what the kits always refuse.
func TestKits(t *testing.T) {
	read := func(name string) []byte {
		src, err := os.ReadFile("../../testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return src
	}
	list, err := releases.Parse(string(read("kits.txt")))
	if err != nil {
		t.Fatal(err)
	}
	schemas, err := hclconfig.DecodeSchemas(read("kits-schemas.json"))
	if err != nil {
		t.Fatal(err)
	}
	analyzers := slices.DeleteFunc(All(), func(a *hcllint.Analyzer) bool { return !strings.HasPrefix(a.Name, "provider_") })
	kits := []string{"Invalid Configuration for Read-Only Attribute", "Missing Configuration for Required Attribute", "Value for unconfigurable attribute"}
	accepted, refused := 0, 0
	for _, c := range list {
		files := fstest.MapFS{"prelude.tf": {Data: read("kits-prelude.tf")}}
		for name, text := range c.Files {
			files[name] = &fstest.MapFile{Data: []byte(text)}
		}
		tree, err := hclnames.LoadTree(files, ".")
		if err != nil {
			t.Fatal(err)
		}
		report, err := hcllint.Run(tree, analyzers, hcllint.RunOptions{Schemas: schemas})
		if err != nil {
			t.Fatal(c.Name, err)
		}
		if len(report.Errors) > 0 {
			continue // a file that does not parse
		}
		i := slices.IndexFunc(report.Diagnostics, func(d hcllint.Diagnostic) bool { return d.Severity == hcllint.Error })
		verdict := c.Verdicts["tofu-1.12.6"]
		if !slices.ContainsFunc(verdict, func(d string) bool { return strings.HasPrefix(d, "error ") }) {
			accepted++
			if i >= 0 {
				t.Errorf("%s: %s: %s", c.Name, report.Diagnostics[i].Analyzer.Name, report.Diagnostics[i].Message)
			}
		}
		if slices.ContainsFunc(verdict, func(d string) bool {
			return slices.ContainsFunc(kits, func(k string) bool { return strings.HasSuffix(d, k) })
		}) {
			refused++
			if i < 0 {
				t.Errorf("%s: no error, although the kit has one: %q", c.Name, verdict)
			}
		}
	}
	if accepted < 400 || refused < 40 {
		t.Errorf("%d accepted, %d refused by a kit", accepted, refused)
	}
}
