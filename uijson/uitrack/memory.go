// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// A memory hands out what a tracker keeps for resources, several to one
// allocation. Snapshots share it, so nothing is taken back.
type memory struct {
	resources slab[ResourceState]
	planned   slab[PlannedChange]
	cycles    slab[Cycle]
	seconds   slab[int64]

	text strings.Builder // the present chunk of strings; it never grows
	size int             // of the chunk

	stop  func(string, uijson.Value) bool // sets extra
	extra bool
}

const (
	maxSlab   = 16 // values in one allocation
	maxChunk  = 1 << 10
	maxReused = 1000 // entries of a map that is used again
)

// keep returns a copy of s.
func (m *memory) keep(s string) string {
	if len(s) > m.text.Cap()-m.text.Len() {
		if len(s) > maxChunk/4 {
			return strings.Clone(s)
		}
		m.size = min(max(2*m.size, len(s)), maxChunk)
		m.text = strings.Builder{}
		m.text.Grow(m.size)
	}
	at := m.text.Len()
	m.text.WriteString(s)
	return m.text.String()[at:]
}

// A slab hands out values of a type.
type slab[T any] struct {
	free []T
	size int // of the next allocation
}

func (s *slab[T]) take() *T { return &s.list()[:1][0] }

// list returns an empty list with room for one element.
func (s *slab[T]) list() []T {
	if len(s.free) == 0 {
		s.size = min(max(2*s.size, 1), maxSlab)
		s.free = make([]T, s.size)
	}
	list := s.free[:0:1]
	s.free = s.free[1:]
	return list
}

// reused returns m without its entries, or nil if it is large.
func reused[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > maxReused {
		return nil
	}
	clear(m)
	return m
}

// A keeper keeps what a tracker has read: without the messages, in few allocations, and
// strings that messages repeat once.
type keeper struct {
	gen    uint64 // counts snapshots: parts of an older one are shared with it
	words  map[string]string
	recent [recentWords]string
	memory memory
}

// part returns s, as a part of addr if it is one: then it needs no memory of its own.
func (k *keeper) part(addr, s string) string {
	if s == "" {
		return ""
	}
	if i := strings.Index(addr, s); i >= 0 {
		return addr[i : i+len(s)]
	}
	return k.word(s)
}

// word returns a string that does not keep the message alive. Those that
// messages repeat, such as actions and types, are kept once.
func (k *keeper) word(s string) string {
	if s == "" {
		return ""
	}
	recent := &k.recent[place(s)%recentWords]
	if *recent == s {
		return *recent
	}
	w, ok := k.words[s]
	if !ok {
		w = strings.Clone(s)
		if len(w) > maxWord || len(k.words) >= maxWords {
			return w
		}
		if k.words == nil {
			k.words = make(map[string]string)
		}
		k.words[w] = w
	}
	*recent = w
	return w
}

// verb returns an action that does not keep the message alive.
func (k *keeper) verb(a uijson.Action) uijson.Action {
	switch a {
	case uijson.ActionNoOp:
		return uijson.ActionNoOp
	case uijson.ActionCreate:
		return uijson.ActionCreate
	case uijson.ActionRead:
		return uijson.ActionRead
	case uijson.ActionUpdate:
		return uijson.ActionUpdate
	case uijson.ActionReplace:
		return uijson.ActionReplace
	case uijson.ActionDelete:
		return uijson.ActionDelete
	case ActionRefresh:
		return ActionRefresh
	case ActionInvoke:
		return ActionInvoke
	}
	return uijson.Action(k.word(string(a)))
}
