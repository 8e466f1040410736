// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// unknownAction returns the first change whose actions are not known, with the pointer to it, or
// nil.
func unknownAction(p *Plan) (c *Change, at string) {
	for i := range p.ResourceChanges {
		if c := &p.ResourceChanges[i].Change; !c.Actions.IsKnown() {
			return c, fmt.Sprintf("/resource_changes/%d/change", i)
		}
	}
	for i := range p.DeferredChanges {
		if c := &p.DeferredChanges[i].ResourceChange.Change; len(c.Actions) > 0 && !c.Actions.IsKnown() {
			return c, fmt.Sprintf("/deferred_changes/%d/resource_change/change", i)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.OutputChanges)) {
		if c := p.OutputChanges[name]; c != nil && !c.Actions.IsKnown() {
			return c, "/output_changes/" + jsonscan.EscapePointer(name)
		}
	}
	return nil, ""
}

// planMembers are the members of a plan that a program decides by.
var planMembers = []string{
	"format_version", "terraform_version", "variables", "planned_values", "resource_drift", "resource_changes", "deferred_changes",
	"output_changes", "prior_state", "configuration", "relevant_attributes", "checks", "timestamp", "applyable", "complete", "errored",
	"action_invocations", "deferred_action_invocations", "proposed_unknown",
}

// maxMisspelt is by how many characters a misspelt member differs from the one that is meant.
const maxMisspelt = 2

// misspelt returns an extra member at the top of a plan that is nearly the name of one that is
// absent, and that name, or "".
func misspelt(p *Plan) (name, meant string) {
	for extra := range Extra(p) {
		for _, known := range planMembers {
			written, right := folded(extra), folded(known)
			if d := len(written) - len(right); d < -maxMisspelt || d > maxMisspelt || editDistance(written, right) > maxMisspelt {
				continue
			}
			if !slices.Contains(presentMembers(p), known) {
				return extra, known
			}
		}
	}
	return "", ""
}

// folded returns a name as it is in any case: RESOURCE_CHANGES, resourceChanges and resource-changes are one.
func folded(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
}

// presentMembers returns the names of the members that the text of a plan has.
func presentMembers(p *Plan) []string {
	var out []string
	text := p.src.Text()
	if text == nil {
		return nil
	}
	r := jsonscan.Items{Text: text}
	for ok := r.Open('{') && r.Member(); ok; ok = r.Member() {
		for _, known := range planMembers {
			if r.Named(known) {
				out = append(out, known)
			}
		}
	}
	return out
}

// editDistance returns how many characters are inserted, deleted, changed, or swapped with their
// neighbour, between two short texts.
func editDistance(a, b string) int {
	var before, last []int
	for i := 0; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b) && i > 0; j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		if i == 0 {
			for j := range row {
				row[j] = j
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
