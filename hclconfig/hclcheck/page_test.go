// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
)

var updatePage = flag.Bool("update-page", false, "write docs/releases.md")

const pageHead = `# Which release has which feature

Reference, for authors of modules that several releases must be able to read.

This page lists the features of the configuration language that only some releases of OpenTofu and Terraform support, from OpenTofu 1.6 and Terraform 1.0 on.
For each feature it gives the first release that supports it and, if it was removed, the first release without it. The table is that of
` + "`hclnames.FeaturesOf`" + `, ` + "`hclnames.NeedOf`" + ` and ` + "`hclcheck.Validate`" + `; ` + "`validate -needs -v DIR`" + ` lists the features that a module uses. The command
` + "`go test ./hclconfig/hclcheck -run TestReleasesPage -update-page`" + ` writes this page, and the same test without the option compares it with the library.

The last column gives the evidence. A *configuration* is one of [releases.txt](../hclconfig/testdata/releases.txt), with the verdicts of the real releases
%s. A *probe* is a line of [verdicts.txt](../internal/hcllang/testdata/verdicts.txt): a name that eighteen
releases accept or refuse. *Functions* are the lists that the releases print themselves. *Changelog* is Terraform's, by tag and line, for releases that were not run.

| feature | OpenTofu | Terraform | source |
|---|---|---|---|
`

// TestReleasesPage: docs/releases.md is what the tables and the recordings say, and the facts
// of changelogs are what NeedOf says.
func TestReleasesPage(t *testing.T) {
	rows := map[string]string{} // the source of each row
	add := func(f hclnames.Feature, source string) {
		if ofNobody.MatchString(f.Name) {
			return
		}
		s := f.Support
		row := fmt.Sprintf("| %s | %s | %s |", pageName(f.Name), pageReleases(s.OpenTofu, s.OpenTofuUntil), pageReleases(s.Terraform, s.TerraformUntil))
		if rows[row] == "" {
			rows[row] = source
		}
	}
	tried := map[string]bool{}
	for _, c := range recorded(t) {
		for r := range c.Verdicts {
			tried[r] = true
		}
		source := "configuration “" + c.Name + "”"
		if c.Changelog != "" {
			var since, tag string
			var line int
			if _, err := fmt.Sscanf(c.Changelog, "terraform >= %s %s %d", &since, &tag, &line); err != nil {
				t.Fatalf("%s: %v", c.Changelog, err)
			}
			if constraint, reasons, err := hclnames.NeedOf(files(c.Files), ".", hclconfig.Terraform); err != nil || constraint != ">= "+since {
				t.Errorf("%s: NeedOf says %q (%v), the changelog %q: %v", c.Name, constraint, err, since, reasons)
			}
			source += fmt.Sprintf(", changelog %s:%d", tag, line)
		}
		for _, d := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			_, reasons, err := hclnames.NeedOf(files(c.Files), ".", d)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range reasons {
				add(x, source)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(c.Files)) {
			if kind, ok := hclconfig.ParseFilename(name); ok && kind.Kind != hclconfig.ValuesFile {
				f, _ := hclconfig.Parse(name, []byte(c.Files[name]))
				for _, x := range hclnames.FeaturesOf(f) {
					add(x, source)
				}
			}
		}
	}
	for _, p := range hcllang.Probes() {
		name := map[hcllang.FileKind]string{hcllang.ConfigFile: "a.tf", hcllang.TestFile: "a.tftest.hcl"}[p.Kind]
		f, _ := hclconfig.Parse(name, []byte(p.Text))
		for _, x := range hclnames.FeaturesOf(f) {
			add(x, "probe `"+p.Name+"`")
		}
	}
	for _, p := range []langfuncs.Program{langfuncs.OpenTofu, langfuncs.Terraform} {
		for name := range langfuncs.Table(p, 99) {
			if strings.Contains(name, "::") {
				continue
			}
			tofu, _ := langfuncs.Since(langfuncs.OpenTofu, name)
			terraform, _ := langfuncs.Since(langfuncs.Terraform, name)
			if tofu != "0" || terraform != "0" {
				add(hclnames.Feature{Name: "function " + name, Support: hclnames.Support{OpenTofu: tofu, Terraform: terraform}}, "functions")
			}
		}
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, pageHead, strings.Join(slices.SortedFunc(maps.Keys(tried), hcllang.CompareReleases), ", "))
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		fmt.Fprintf(&out, "%s %s |\n", row, rows[row])
	}
	const file = "../../docs/releases.md"
	if *updatePage {
		if err := os.WriteFile(file, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	src, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(src, out.Bytes()) {
		t.Errorf("%s is old (%v): -update-page writes it", file, err)
	}
	if len(rows) < 120 {
		t.Errorf("only %d rows", len(rows))
	}
}

// ofNobody matches the features with a name that a test made up.
var ofNobody = regexp.MustCompile(`^(backend|key_provider|method|argument) (nothing|probe|var)\b`)

// pageNames are parts of names that say what one configuration has.
var pageNames = []struct {
	form *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`^provider function provider::terraform::.*`), "function of the built-in provider"},
	{regexp.MustCompile(`^provider function .*`), "function of a provider"},
	{regexp.MustCompile(`with a reference to .*`), "with a reference to something else"},
	{regexp.MustCompile(`^argument \S+ of (backend|key_provider|method) with references`), "arguments of $1 with references"},
}

func pageName(name string) string {
	for _, n := range pageNames {
		name = n.form.ReplaceAllString(name, n.with)
	}
	return strings.ReplaceAll(name, "|", "\\|")
}

func pageReleases(since, until string) string {
	text := ">= " + since
	switch since {
	case "":
		return "no"
	case "0":
		text = "all"
	}
	if until != "" {
		return strings.TrimPrefix(text+", < "+until, "all, ")
	}
	return text
}
