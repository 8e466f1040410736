// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit

import (
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// A spot is where an expression was read.
type spot struct {
	file       *hclconfig.File
	start, end int
}

// A content is what is in a list, an object or a call, as the steps have left it. The editor knows the
// parts that were read however often the text changes, so that only what came or got another value since has
// to be read again, once a step needs to know it.
type content struct {
	items []*item
	lost  bool // they are in another order
}

// An item is one of a list, an object or the arguments of a call.
type item struct {
	x      hclconfig.Expression
	member *hclconfig.Member // of an object
	came   bool              // it is known by its name only
	other  bool              // it has another value than it was read with
}

// contentOf returns what is in an expression.
func (s *session) contentOf(x hclconfig.Expression) *content {
	var at spot
	at.file, at.start, at.end = x.Place()
	c := s.contents[at]
	if c != nil {
		return c
	}
	c = &content{}
	if x.Form() == hclconfig.FormObject {
		for _, m := range membersOf(x) {
			c.items = append(c.items, &item{x: m.Value, member: &m})
		}
	} else {
		for _, p := range x.Parts() {
			c.items = append(c.items, &item{x: p})
		}
	}
	s.contents[at] = c
	return c
}

// find returns which item a token of an address leads to, or -1.
func (c *content) find(x hclconfig.Expression, p token) int {
	if x.Form() != formOf[p.kind] {
		return -1
	}
	switch p.kind {
	case isIndex, isArg:
		if p.index < len(c.items) {
			return p.index // also -1
		}
	case isKey:
		return slices.IndexFunc(c.items, func(i *item) bool { return !i.member.Computed && i.member.Name == p.name })
	}
	return -1
}

// formOf says what a token of an address leads into.
var formOf = map[tokenKind]hclconfig.Form{isIndex: hclconfig.FormList, isArg: hclconfig.FormCall, isKey: hclconfig.FormObject}

// before returns the place before item i. It reports false if none of its neighbours can be named.
func (c *content) before(i int) (hcledit.Placement, bool) {
	switch {
	case i == 0:
		return hcledit.First(), true
	case i == len(c.items):
		return hcledit.Last(), true
	case !c.items[i].came:
		return hcledit.Before(c.items[i].x), true
	case !c.items[i-1].came:
		return hcledit.After(c.items[i-1].x), true
	}
	return nil, false
}

// move moves an item to another place.
func (c *content) move(from, to int) {
	w := c.items[from]
	c.items = slices.Insert(slices.Delete(c.items, from, from+1), to, w)
}
