// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"fmt"
	"strconv"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// Compare compares two open documents and opens the result as another one.
func (s *Session) Compare(id, first, second int, emit Emit) (*Info, error) {
	a, err := s.document(first)
	if err != nil {
		return nil, err
	}
	b, err := s.document(second)
	if err != nil {
		return nil, err
	}
	d := &Document{emit: emit, Info: Info{Kind: "comparison", Title: "Comparison", Name: a.Info.Name + " and " + b.Info.Name, Facts: []Fact{}, Alarms: []string{}, Can: []string{"changes"}}}
	switch {
	case a.plan != nil && b.plan != nil:
		d.addComparison(plandiff.ComparePlans(a.plan, b.plan, plandiff.Options{}))
	case a.state != nil && b.state != nil:
		d.addComparison(plandiff.CompareStates(a.state, b.state, plandiff.Options{}))
	case a.plan != nil && b.state != nil:
		d.addComparison(plandiff.ComparePlanWithState(a.plan, b.state, plandiff.Options{}))
		d.fact("Compared", "what the plan makes, with the state")
	case a.state != nil && b.plan != nil:
		d.addComparison(plandiff.ComparePlanWithState(b.plan, a.state, plandiff.Options{}))
		d.fact("Compared", "what the plan makes, with the state")
	case a.lock != nil && b.lock != nil:
		d.compareLocks(a.lock, b.lock)
	default:
		return nil, fmt.Errorf("%s and %s cannot be compared; choose plans or states, or two lock files", a.Info.Title, b.Info.Title)
	}
	d.flush()
	d.fact("First", a.Info.Name)
	d.fact("Second", b.Info.Name)
	d.fact("Differences", strconv.Itoa(len(d.rows)))
	s.documents[id] = d
	return &d.Info, nil
}

func (d *Document) addComparison(c *plandiff.Comparison) {
	list := func(part, class, symbol string, resources []*plandiff.Resource, headline string) {
		for _, r := range resources {
			lines := func() []Line {
				all := linesOf(&plandiff.Diff{Resources: []*plandiff.Resource{r}})
				for len(all) > 0 && all[0].Class == "note" {
					all = all[1:] // what a plan would do
				}
				return all
			}
			known := lines()
			d.add(Row{Part: part, Class: class, Symbol: symbol, Address: r.Address, Headline: headline, Lines: len(known)}, textOf(known), lines)
		}
	}
	list("removed", "delete", "-", c.Removed, "only in the first")
	list("added", "create", "+", c.Added, "only in the second")
	list("changed", "update", "~", c.Changed, "differs")
	for _, a := range c.Actions {
		d.addLines(Row{Part: "differs", Class: "other", Symbol: "≠", Address: a.Address, Headline: "the plans do different things"}, []Line{
			{Class: "remove", Text: "  - " + actions(a.Before)}, {Class: "add", Text: "  + " + actions(a.After)}})
	}
	for _, o := range c.Outputs {
		d.addLines(Row{Part: "output", Class: "output", Symbol: "~", Address: "output." + o.Name, Headline: "differs"}, linesOf(&plandiff.Diff{Outputs: []*plandiff.Output{o}}))
	}
}

func actions(list planjson.Actions) string {
	if list == nil {
		return "not in this plan"
	}
	text := ""
	for i, a := range list {
		if i > 0 {
			text += ", then "
		}
		text += string(a)
	}
	return note(text).Text
}
