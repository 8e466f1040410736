// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// document returns docs/lint-rules.md: the Doc of each rule.
func document() string {
	var b strings.Builder
	b.WriteString(`# Rules of the linter

Reference, for people who run the linter.

These are the rules of package [` + "`hclconfig/hcllint/rules`" + `](../hclconfig/hcllint/rules), which ` + "`tofuwire lint`" + ` runs. Those that begin with ` + "`terraform_`" + ` have
the names, messages, places and options of [tflint's ruleset](https://github.com/terraform-linters/tflint-ruleset-terraform) for the language;
[comparison.md](comparison.md#the-rules-of-the-linter-and-tflint) says where they differ. A rule that is not in the set ` + "`recommended`" + ` runs only if it is
enabled, by ` + "`-only`" + ` or by a block ` + "`rule`" + ` in ` + "`.tflint.hcl`" + ` or ` + "`.tofuwire-lint.hcl`" + `. Such a block also sets options:

` + "```hcl" + `
rule "terraform_naming_convention" {
  enabled = true
  format  = "mixed_snake_case"
}
` + "```" + `

| rule | finds | severity | sets | fix |
|---|---|---|---|---|
`)
	for _, a := range rules.All() {
		summary, _, _ := strings.Cut(a.Doc, "\n")
		summary, _, _ = strings.Cut(summary, ". ")
		fix := ""
		if strings.Contains(a.Doc, "The fix") || strings.Contains(a.Doc, "the fix") {
			fix = "yes"
		}
		fmt.Fprintf(&b, "| [`%s`](#%[1]s) | %s | %s | %s | %s |\n", a.Name, strings.TrimSuffix(strings.TrimSuffix(summary, "."), ":"), severity(a), sets(a), fix)
	}
	for _, a := range rules.All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", a.Name, markdown(a.Doc))
	}
	return b.String()
}

func severity(a *hcllint.Analyzer) hcllint.Severity {
	if a.Severity == "" {
		return hcllint.Warning
	}
	return a.Severity
}

func sets(a *hcllint.Analyzer) string {
	switch {
	case a.Presets == nil:
		return "recommended, all"
	case slices.Contains(a.Presets, "none"):
		return ""
	}
	return strings.Join(a.Presets, ", ")
}

// markdown returns a Doc with its indented lines between fences.
func markdown(doc string) string {
	var b strings.Builder
	code := false
	lines := strings.Split(doc, "\n")
	for i, line := range lines {
		indented := strings.HasPrefix(line, "\t")
		switch {
		case indented && !code:
			b.WriteString("```hcl\n")
			code = true
		case code && !indented && (line != "" || i+1 < len(lines) && !strings.HasPrefix(lines[i+1], "\t")):
			b.WriteString("```\n")
			code = false
		}
		b.WriteString(strings.TrimPrefix(line, "\t") + "\n")
	}
	if code {
		b.WriteString("```\n")
	}
	return strings.TrimRight(b.String(), "\n")
}
