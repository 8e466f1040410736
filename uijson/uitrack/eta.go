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

// learn takes note of how long an operation took.
func (r *run) learn(typ string, c *Cycle) {
	if c.Started.IsZero() || c.Action == ActionRefresh {
		return
	}
	if r.means == nil {
		r.means = make(map[meanKey]*mean)
	}
	key := meanKey{typ, c.Action}
	m := r.means[key]
	if m == nil {
		m = new(mean)
		r.means[key] = m
	}
	m.add(1, c.Duration(c.Ended))
}

func (m *mean) add(n int, total time.Duration) {
	m.n += n
	m.total += total
}

// An expectation is how long operations should take, by those that were seen: of
// the same kind, or else with the same action, or else any.
type expectation struct {
	means  map[meanKey]*mean
	action map[uijson.Action]*mean
	all    mean
}

func (r *run) expectation() *expectation {
	e := &expectation{means: r.means, action: make(map[uijson.Action]*mean)}
	for key, m := range r.means {
		of := e.action[key.action]
		if of == nil {
			of = new(mean)
			e.action[key.action] = of
		}
		of.add(m.n, m.total)
		e.all.add(m.n, m.total)
	}
	return e
}

// of returns how long an operation should take.
func (e *expectation) of(typ string, action uijson.Action) (time.Duration, bool) {
	m := e.means[meanKey{typ, action}]
	if m == nil {
		m = e.action[action]
	}
	if m == nil {
		m = &e.all
	}
	if m.n == 0 {
		return 0, false
	}
	return m.total / time.Duration(m.n), true
}

// eta estimates the remaining seconds of the apply: the remaining work divided
// by the highest number of operations seen at once, but at least the remaining
// time of the longest running operation.
func (r *run) eta(now time.Time) *float64 {
	var work, longest time.Duration
	known := false
	expect := r.expectation()
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
			if d, ok := expect.of(s.Type, c.Action); ok {
				known = true
				d = max(d-c.Duration(now), 0)
				work += d
				longest = max(longest, d)
			}
		}
		for a, n := range left {
			if d, ok := expect.of(s.Type, a); ok && n > 0 {
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
