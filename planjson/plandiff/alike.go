// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
)

// minAlike is how many alike changes are shown as one.
const minAlike = 3

// A changeGroup has planned changes in which the same happens: a renderer writes the same lines for
// each, apart from addresses and from what stays as it is.
type changeGroup struct {
	list []*Resource
	each *Resource // what happens to each, without what stays
}

// alikeChanges groups planned changes, in the order of the first ones. What is destroyed, replaced,
// imported or moved is always alone, and so are the changes of a smaller group.
func alikeChanges(list []*Resource) []*changeGroup {
	type key struct {
		provider, typ string
		mode          addrs.Mode
		class         string
		reason        planjson.ActionReason
		lines         uint64
	}
	seed := maphash.MakeSeed()
	keys := make([]*key, len(list))
	counts := make(map[key]int)
	for round := range 2 { // lines are only rendered of those that look alike
		for i, r := range list {
			switch {
			case round == 0 && r.mayBeAlike():
				keys[i] = &key{r.ProviderName, r.Type, r.Mode, r.Class(), r.ActionReason, uint64(len(r.Object.Children))}
			case round == 1 && keys[i] != nil && counts[*keys[i]] < minAlike:
				keys[i] = nil
			case round == 1 && keys[i] != nil:
				k := *keys[i]
				k.lines = r.changing().hash(seed)
				keys[i] = &k
			}
		}
		clear(counts)
		for _, k := range keys {
			if k != nil {
				counts[*k]++
			}
		}
	}
	var groups []*changeGroup
	known := make(map[key]*changeGroup)
	for i, r := range list {
		k := keys[i]
		if k == nil || counts[*k] < minAlike {
			groups = append(groups, &changeGroup{list: list[i : i+1 : i+1]})
			continue
		}
		g := known[*k]
		if g == nil {
			g = &changeGroup{each: r.changing()}
			known[*k] = g
			groups = append(groups, g)
		}
		g.list = append(g.list, r)
	}
	return groups
}

// mayBeAlike reports whether a change can be shown together with others.
func (r *Resource) mayBeAlike() bool {
	return r.urgency() > 1 && !r.Actions.IsReplace() && !r.Importing && !r.isMoved() && !r.Drift && r.Deposed == "" && r.Reason == ""
}

// changing returns a change without the attributes that stay as they are.
func (r *Resource) changing() *Resource {
	only := *r
	o := &only.Object
	o.Children = slices.DeleteFunc(slices.Clone(o.Children), func(c *Attribute) bool { return !c.differs() })
	o.Hidden, o.HiddenBlocks, o.empty, o.width = 0, 0, 0, 0
	return &only
}

// hash returns a hash of the lines of a change.
func (r *Resource) hash(seed maphash.Seed) uint64 {
	h := hashSink{}
	h.SetSeed(seed)
	(&renderer{to: &h}).happens(r, false)
	return h.Sum64()
}

// A hashSink hashes lines.
type hashSink struct{ maphash.Hash }

func (h *hashSink) full() bool { return false }
func (h *hashSink) blank()     { h.WriteByte('\n') }
func (h *hashSink) begin(sign string, depth int) {
	h.WriteString(sign)
	h.WriteByte(byte(depth))
}
func (h *hashSink) add(text []byte) { h.Write(text) }
func (h *hashSink) end(note string) {
	h.WriteByte(0)
	h.WriteString(note)
	h.WriteByte('\n')
}

// headline says what happens to the objects of a group.
func (g *changeGroup) headline(code func(string) string) string {
	return fmt.Sprintf("%d objects of type %s %s", len(g.list), code(g.each.Type), g.each.story(code))
}

// alike writes a group: what happens to each, and the list of addresses.
func (r *renderer) alike(g *changeGroup) {
	r.line("#", 0, append(r.text[:0], g.headline(printable.Text)...), "")
	r.happens(g.each, false)
	r.addresses(g.list)
}

// addresses writes a list of objects, one a line.
func (r *renderer) addresses(list []*Resource) {
	for _, x := range list {
		r.line(plainSign(x.Symbol()), 1, append(r.text[:0], printable.Text(x.Address)...), "")
	}
}

// A driftGroup has objects of one type whose same attributes changed outside.
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
	r.addresses(g.list)
}
