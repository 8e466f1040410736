// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"fmt"
	"os"
	"regexp"
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

var kitPlaceless = regexp.MustCompile("^Self reference: |^Cycle: |^Missing required provisioner plugin$|^Invalid [a-z-]+ provisioner |^(Cannot set both|Must provide one of) 'source' ")

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
			c.Files["prelude.tf"] = prelude
			tree, err := hclnames.LoadTree(files(c.Files), ".", at(dialect, release))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas[host], Kits: true}) {
				if kitPlaceless.MatchString(d.Summary) || !d.Subject.IsValid() {
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

// TestWithoutKit has a provider that no kit has made, since its blocks nest as a map, and whose configuration nothing but a
// call of its function uses: Terraform does not look at the configuration then.
func TestWithoutKit(t *testing.T) {
	const text = `{"format_version":"1.0","provider_schemas":{"registry.opentofu.org/acme/bare":{"provider":{"version":0,"block":{}},
"resource_schemas":{"bare_thing":{"version":0,"block":{"attributes":{"old":{"type":"string","optional":true,"deprecated":true}},
"block_types":{"m":{"nesting_mode":"map","block":{"deprecated":true}}}}}},"functions":{"f":{"return_type":"string"}}}}}`
	schemas, err := hclconfig.DecodeSchemas([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	const head = "terraform {\n  required_providers {\n    bare = { source = \"acme/bare\" }\n  }\n}\n"
	const function = "provider \"bare\" {\n  nope = 1\n}\noutput \"o\" {\n  value = provider::bare::f()\n}\n"
	for _, test := range []struct {
		dialect hclconfig.Dialect
		src     string
		want    int
	}{
		{hclconfig.OpenTofu, "resource \"bare_thing\" \"a\" {\n  old = \"x\"\n  m \"k\" {\n  }\n}\n", 0}, // only the provider knows
		{hclconfig.OpenTofu, function, 1},
		{hclconfig.Terraform, function, 0},
	} {
		tree, err := hclnames.LoadTree(files(map[string]string{"main.tf": head + test.src}), ".", test.dialect)
		if err != nil {
			t.Fatal(err)
		}
		if got := hclcheck.Validate(tree, hclcheck.Validation{Schemas: schemas}); len(got) != test.want {
			t.Errorf("%s, %s: %v", test.dialect, test.src, got)
		}
	}
}
