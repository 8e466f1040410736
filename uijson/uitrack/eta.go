// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"time"

	"github.com/tofuwire/tofuwire/uijson"
)

// A meanKey is a kind of operation whose duration is worth knowing: an action
// on a type of resource, on any type, or anything.
type meanKey struct {
	typ    string
	action uijson.Action
}

// A mean adds up durations.
type mean struct {
	n     int
	total time.Duration
}

// learn takes note of how long an operation took.
func (r *run) learn(typ string, c *Cycle) {
	if c.Started.IsZero() || c.Action == ActionRefresh {
		return
	}
	if r.means == nil {
		r.means = make(map[meanKey]*mean)
	}
	took := c.Duration(c.Ended)
	for _, key := range []meanKey{{typ, c.Action}, {"", c.Action}, {}} {
		m := r.means[key]
		if m == nil {
			m = new(mean)
			r.means[key] = m
		}
		m.n++
		m.total += took
	}
}

// expect returns how long an operation should take, by those of its kind.
func (r *run) expect(typ string, action uijson.Action) (time.Duration, bool) {
	for _, key := range []meanKey{{typ, action}, {"", action}, {}} {
		if m := r.means[key]; m != nil {
			return m.total / time.Duration(m.n), true
		}
	}
	return 0, false
}

// eta estimates the remaining seconds of the apply: the remaining work divided
// by the highest number of operations seen at once, but at least the remaining
// time of the longest running operation.
func (r *run) eta(now time.Time) *float64 {
	var work, longest time.Duration
	known := false
	for _, s := range r.resources {
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
			if d, ok := r.expect(s.Type, c.Action); ok {
				known = true
				d = max(d-c.Duration(now), 0)
				work += d
				longest = max(longest, d)
			}
		}
		for a, n := range left {
			if d, ok := r.expect(s.Type, a); ok && n > 0 {
				known = true
				work += time.Duration(n) * d
			}
		}
	}
	if !known {
		return nil
	}
	seconds := max(work/time.Duration(max(r.maxActive, 1)), longest).Seconds()
	return &seconds
}
