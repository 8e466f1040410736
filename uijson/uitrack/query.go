// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// lists are the list blocks of a query.
type lists struct {
	all    []*ListState // in the order of their first message
	byAddr map[string]int
	open   int // how many are not complete
}

// list takes note of the results of a query.
func (t *Tracker) list(m *uijson.Message) {
	r := &t.run
	r.phase = PhaseQuery
	var addr string
	switch {
	case m.ListStart != nil:
		addr = m.ListStart.Address
		r.lists.open++
	case m.ListResourceFound != nil:
		addr = m.ListResourceFound.Address
	case m.ListComplete != nil:
		addr = m.ListComplete.Address
		r.lists.open = max(r.lists.open-1, 0)
	default:
		return
	}
	i, ok := r.lists.byAddr[addr]
	if !ok {
		if r.lists.byAddr == nil {
			r.lists.byAddr = make(map[string]int)
		}
		addr = strings.Clone(addr)
		i = len(r.lists.all)
		r.lists.byAddr[addr] = i
		r.lists.all = append(r.lists.all, &ListState{Address: addr, gen: t.keeper.gen})
	}
	s := r.lists.all[i]
	if s.gen != t.keeper.gen {
		c := *s
		c.gen = t.keeper.gen
		s = &c
		r.lists.all[i] = s
	}
	if m.ListResourceFound != nil {
		s.Found++
	}
	if m.ListComplete != nil {
		total := m.ListComplete.Total
		s.Total = &total
	}
}
