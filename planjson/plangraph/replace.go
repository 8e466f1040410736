// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"slices"

	"github.com/tofuwire/tofuwire/planjson"
)

// A Replacement is a replacement that a change of another resource has caused.
type Replacement struct {
	// Change is the planned replacement.
	Change *planjson.ResourceChange

	// Attribute is the argument that forces the replacement.
	Attribute string

	// Because is the last reference on the way from there to the cause.
	Because *Edge
}

// ReplacedBecauseOf returns the planned replacements to which the change of the
// resource at the address contributes: an attribute that forces the replacement
// has a value from that resource. The address is that of an instance or a
// block. The attributes that force are from the plan, the sources of their
// values from the graph.
//
// The graph knows blocks, not instances: one instance counts for all.
// Replacements that the configuration asks for with replace_triggered_by are not
// found, because the format does not show it.
func (g *Graph) ReplacedBecauseOf(p *planjson.Plan, address string) []Replacement {
	if g == nil {
		return nil
	}
	cause := g.Node(address)
	if cause == nil {
		return nil
	}
	var found []Replacement
	for _, rc := range p.ResourceChanges {
		if rc == nil || !rc.Change.Actions.IsReplace() {
			continue
		}
		n := g.Node(rc.Address)
		if n == nil || n == cause {
			continue
		}
		var seen []string
		for _, path := range rc.Change.ReplacePaths {
			name, ok := path.Element(0).Text()
			if !ok || slices.Contains(seen, name) || !n.isArgument(name) {
				continue
			}
			seen = append(seen, name)
			g.walk(n, name, func(e *Edge) bool {
				if e.To == cause {
					found = append(found, Replacement{rc, name, e})
					return false
				}
				return true
			})
		}
	}
	return found
}
