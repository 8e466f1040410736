// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// outputs are the root outputs of a run.
type outputs struct {
	list   []*OutputState // by name
	final  bool           // they have been reported with their values
	change bool           // the plan changes one
}

// output takes note of the root outputs: the form of the plan, which has
// actions, and that of the apply, which has types and values.
func (t *Tracker) output(m *uijson.Message) {
	r := &t.run
	final := true
	for _, o := range m.Outputs {
		if o == nil {
			continue
		}
		if o.Action != "" {
			final = false
		}
		if o.Action != "" && o.Action != uijson.ActionNoOp {
			r.outputs.change = true
		}
	}
	if final {
		r.outputs.final = true
		t.settle()
	}
	for name, o := range m.Outputs {
		if o == nil {
			continue
		}
		i, ok := slices.BinarySearchFunc(r.outputs.list, name, func(s *OutputState, name string) int {
			return strings.Compare(s.Name, name)
		})
		s := new(OutputState)
		if ok {
			*s = *r.outputs.list[i]
		} else {
			s.Name = strings.Clone(name)
			r.outputs.list = slices.Insert(r.outputs.list, i, s)
		}
		// The plan also hides the value of an output that was sensitive before.
		s.Sensitive = o.Sensitive
		if o.Action != "" {
			s.Action = t.keeper.verb(o.Action)
		}
		if o.Type != nil {
			s.Type = bytes.Clone(o.Type)
		}
		s.Value = nil
		if !s.Sensitive {
			s.Value = bytes.Clone(o.Value)
		}
		r.outputs.list[i] = s
	}
}

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
