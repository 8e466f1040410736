// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"time"

	"github.com/tofuwire/tofuwire/uijson"
)

// A meanKey is a kind of operation whose duration is worth knowing: an action
// on a type of resource.
type meanKey struct {
	typ    string
	action uijson.Action
}

// A mean adds up durations.
type mean struct {
	n     int
	total time.Duration
}

// A pace is how long the operations took that are done.
type pace struct{ means map[meanKey]*mean }

// learn takes note of how long an operation took.
func (p *pace) learn(typ string, c *Cycle) {
	if c.Started.IsZero() || c.Action == ActionRefresh {
		return
	}
	if p.means == nil {
		p.means = make(map[meanKey]*mean)
	}
	key := meanKey{typ, c.Action}
	m := p.means[key]
	if m == nil {
		m = new(mean)
		p.means[key] = m
	}
	m.n++
	m.total += c.Duration(c.Ended)
}

// of returns how long an operation should take, by those of the same kind.
func (p *pace) of(typ string, action uijson.Action) (time.Duration, bool) {
	m := p.means[meanKey{typ, action}]
	if m == nil {
		return 0, false
	}
	return m.total / time.Duration(m.n), true
}

// eta estimates the remaining seconds of the apply: the remaining work divided
// by the highest number of operations seen at once, but at least the remaining
// time of the longest running operation. It returns nil if one of the remaining
// operations is of a kind that has no finished operation yet, or runs longer than those
// that are done.
func (r *run) eta(now time.Time) *float64 {
	var work, longest time.Duration
	known := false
	for _, s := range r.work.list {
		left := make(map[uijson.Action]int)
		for _, p := range s.Planned {
			for _, a := range p.operations() {
				left[a]++
			}
		}
		for i := range s.Cycles {
			c := &s.Cycles[i]
			left[c.Action]--
			if c.Status != StatusRunning {
				continue
			}
			d, ok := r.pace.of(s.Type, c.Action)
			if d -= c.Duration(now); !ok || d < 0 {
				return nil
			}
			known = true
			work += d
			longest = max(longest, d)
		}
		for a, n := range left {
			if n <= 0 {
				continue
			}
			d, ok := r.pace.of(s.Type, a)
			if !ok {
				return nil
			}
			known = true
			work += time.Duration(n) * d
		}
	}
	if !known {
		return nil
	}
	seconds := max(work/time.Duration(max(r.work.maxActive, 1)), longest).Seconds()
	return &seconds
}
