// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDiagram checks that the diagram of CONTRIBUTING.md has an arrow for each
// import among the packages that users compile, and no other.
func TestDiagram(t *testing.T) {
	drawn := map[string]bool{}
	text := string(read(t, "CONTRIBUTING.md"))
	_, text, ok := strings.Cut(text, "```mermaid\n")
	if !ok {
		t.Fatal("CONTRIBUTING.md has no diagram")
	}
	text, _, _ = strings.Cut(text, "```")
	for line := range strings.Lines(text) {
		froms, tos, ok := strings.Cut(line, " --> ")
		if !ok {
			continue
		}
		for from := range strings.SplitSeq(froms, " & ") {
			for to := range strings.SplitSeq(tos, " & ") {
				arrow := strings.TrimSpace(from) + " --> " + strings.TrimSpace(to)
				if drawn[arrow] {
					t.Errorf("the diagram has twice: %s", arrow)
				}
				drawn[arrow] = true
			}
		}
	}
	imported := map[string]bool{}
	seen := map[string]bool{}
	queue := slices.Sorted(maps.Keys(mayImport))
	for len(queue) > 0 {
		pkg := queue[0]
		queue = queue[1:]
		if seen[pkg] {
			continue
		}
		seen[pkg] = true
		for _, imp := range packageOf(t, pkg).Imports {
			if own, ok := strings.CutPrefix(imp, module+"/"); ok {
				imported[own+" --> "+pkg] = true
				queue = append(queue, own)
			}
		}
	}
	for _, arrow := range slices.Sorted(maps.Keys(imported)) {
		if !drawn[arrow] {
			t.Errorf("the diagram lacks %s", arrow)
		}
	}
	for _, arrow := range slices.Sorted(maps.Keys(drawn)) {
		if !imported[arrow] {
			t.Errorf("the diagram has %s, which no file imports", arrow)
		}
	}
	for pkg := range seen {
		if !regexp.MustCompile(`(?m)\b` + regexp.QuoteMeta(pkg) + `\b`).MatchString(text) {
			t.Errorf("the diagram lacks %s", pkg)
		}
	}
}
