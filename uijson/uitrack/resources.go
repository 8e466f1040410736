// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"slices"

	"github.com/tofuwire/tofuwire/uijson"
)

// resources are the resource instances and actions of a run, and the operations on them.
type resources struct {
	list   []*ResourceState // in the order of their first message
	byAddr map[string]int
	latest int // the resource of the last message about one
	recent [recentResources]int32
	open   []string // the resources with cycles that settle has not looked at

	active, maxActive int
	failed, drifted   int
	unended           int // reads of which no end was reported, although they have ended
}

// known returns the state for an address, to be changed, or nil if there is
// none.
func (w *resources) known(k *keeper, addr string) *ResourceState {
	i := w.latest // the next message is often about the same resource
	if i >= len(w.list) || w.list[i].Addr != addr {
		recent := &w.recent[place(addr)%recentResources]
		if i = int(*recent); i >= len(w.list) || w.list[i].Addr != addr {
			var ok bool
			if i, ok = w.byAddr[addr]; !ok {
				return nil
			}
			*recent = int32(i)
		}
		w.latest = i
	}
	s := w.list[i]
	if s.gen == k.gen {
		return s
	}
	c := *s
	c.gen = k.gen
	c.Planned = slices.Clone(s.Planned)
	c.Cycles = slices.Clone(s.Cycles)
	for i := range c.Cycles {
		c.Cycles[i].Tail = slices.Clone(c.Cycles[i].Tail)
	}
	w.list[i] = &c
	return &c
}

// place returns a number for s that says where it may be found. Texts that begin alike
// have different ones, mostly.
func place(s string) uint32 {
	h := uint32(len(s))
	for _, c := range []byte(s[max(0, len(s)-8):]) {
		h = h*31 + uint32(c)
	}
	return h ^ h>>7
}

// made returns the state for an address that has none yet.
func (w *resources) made(k *keeper, addr string) *ResourceState {
	if w.byAddr == nil {
		w.byAddr = make(map[string]int)
	}
	s := k.memory.resources.take()
	s.Addr, s.gen = k.memory.keep(addr), k.gen
	w.latest = len(w.list)
	w.byAddr[s.Addr] = w.latest
	w.recent[place(addr)%recentResources] = int32(w.latest)
	w.list = append(w.list, s)
	return s
}

// resource returns the state of a resource, to be changed.
func (w *resources) resource(k *keeper, res *uijson.Resource) *ResourceState {
	s := w.known(k, res.Addr)
	if s == nil {
		s = w.made(k, res.Addr)
		s.Module, s.Type = k.part(s.Addr, res.Module), k.part(s.Addr, res.ResourceType)
		s.Mode = string(res.Mode())
	}
	return s
}

// action returns the state of an action, to be changed.
func (w *resources) action(k *keeper, a *uijson.ActionAddress) *ResourceState {
	s := w.known(k, a.Addr)
	if s == nil {
		s = w.made(k, a.Addr)
		s.Module, s.Type, s.Mode = k.part(s.Addr, a.Module), k.part(s.Addr, a.ActionType), "action"
	}
	return s
}

// running returns the first cycle of this action that is running, or nil.
func (s *ResourceState) running(action uijson.Action) *Cycle {
	for i := range s.Cycles {
		if c := &s.Cycles[i]; c.Status == StatusRunning && c.Action == action {
			return c
		}
	}
	return nil
}

// start adds a cycle, and forgets the oldest one that is over if there are too
// many.
func (w *resources) start(k *keeper, s *ResourceState, action uijson.Action) *Cycle {
	if len(s.Cycles) >= maxCycles {
		i := slices.IndexFunc(s.Cycles, func(c Cycle) bool { return c.Status != StatusRunning })
		s.Cycles = slices.Delete(s.Cycles, max(i, 0), max(i, 0)+1)
	}
	if s.Cycles == nil {
		s.Cycles = k.memory.cycles.list()
	}
	s.Cycles = append(s.Cycles, Cycle{Action: action, Status: StatusRunning})
	if !s.open {
		s.open = true
		w.open = append(w.open, s.Addr)
	}
	return &s.Cycles[len(s.Cycles)-1]
}

// status returns the status that the cycles add up to.
func (s *ResourceState) status() Status {
	status := Status("")
	if len(s.Planned) > 0 {
		status = StatusPlanned
	}
	for i := range s.Cycles {
		switch c := &s.Cycles[i]; {
		case c.Status == StatusFailed:
			return StatusFailed
		case c.Action == ActionRefresh && c.Status == StatusDone && status == StatusPlanned:
			// The real work is still to come.
		default:
			status = c.Status
		}
	}
	return status
}

// Running returns the cycle that runs, the first one if there are several, or
// nil.
func (s *ResourceState) Running() *Cycle {
	if s == nil {
		return nil
	}
	for i := range s.Cycles {
		if s.Cycles[i].Status == StatusRunning {
			return &s.Cycles[i]
		}
	}
	return nil
}
