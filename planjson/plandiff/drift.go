// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// A driftGroup has objects of one type of which the same attributes changed outside.
type driftGroup struct {
	typ, attributes string
	list            []*Resource
}

// maxNamed is how many attributes the line of a group names.
const maxNamed = 6

// alikeDrift groups drift by type and attributes, in the order of the first ones.
func alikeDrift(list []*Resource) []*driftGroup {
	type key struct{ typ, actions, attributes string }
	var groups []*driftGroup
	known := make(map[key]*driftGroup)
	for _, r := range list {
		var names []string
		for a := range r.Object.Leaves() {
			names = append(names, a.String())
		}
		slices.Sort(names)
		names = slices.Compact(names)
		k := key{r.Type, r.Actions.String(), strings.Join(names, "\x00")}
		g := known[k]
		if g == nil {
			more := ""
			if len(names) > maxNamed {
				more = fmt.Sprintf(" and %d more", len(names)-maxNamed)
				names = names[:maxNamed]
			}
			g = &driftGroup{typ: r.Type, attributes: printable.Text(strings.Join(names, ", ")) + more}
			known[k] = g
			groups = append(groups, g)
		}
		g.list = append(g.list, r)
	}
	return groups
}

// headline says what a group of several objects is.
func (g *driftGroup) headline() string {
	text := fmt.Sprintf("%d objects of type %s changed outside", len(g.list), printable.Text(g.typ))
	if g.attributes != "" {
		text += ": " + g.attributes
	}
	return text
}

// drift writes a group of several objects: one line, and the list of addresses.
func (r *renderer) drift(g *driftGroup) {
	r.line("#", 0, append(r.text[:0], g.headline()...), "")
	for _, x := range g.list {
		r.line(plainSign(x.Symbol()), 1, append(r.text[:0], printable.Text(x.Address)...), "")
	}
}
