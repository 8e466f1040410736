// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "slices"

// Progress says how far each of the rules that can apply in an object has
// matched the path to a value. It is carried down the path: each step
// costs the same at any depth.
type progress struct {
	rules  []*Rule
	states [][]uint64 // by rule: which numbers of steps of the pattern have been matched
	done   []bool     // by rule: the path, or a part of it from the root on, matches
}

// rulesFor returns the progress at the root of an object: of the rules that can
// apply to it.
func rulesFor(rules []Rule, typ string, isOf func(address string) bool) *progress {
	var p *progress
	for i := range rules {
		r := &rules[i]
		if r.Type != "" && r.Type != typ || r.Address != "" && !isOf(r.Address) {
			continue
		}
		if p == nil {
			p = new(progress)
		}
		state := make([]uint64, len(r.Path)/64+1)
		state[0] = 1
		r.skip(state)
		p.rules, p.states = append(p.rules, r), append(p.states, state)
		p.done = append(p.done, r.Path == nil || r.matched(state))
	}
	return p
}

// skip goes past each "**" that has been come to, which may match nothing.
func (r *Rule) skip(state []uint64) {
	for i, step := range r.Path {
		if step == "**" && state[i/64]>>(i%64)&1 != 0 {
			state[(i+1)/64] |= 1 << ((i + 1) % 64)
		}
	}
}

func (r *Rule) matched(state []uint64) bool {
	n := len(r.Path)
	return state[n/64]>>(n%64)&1 != 0
}

// in returns the progress one step further.
func (p *progress) in(name string) *progress {
	if p == nil {
		return nil
	}
	next := &progress{rules: p.rules, states: make([][]uint64, len(p.rules)), done: slices.Clone(p.done)}
	for k, r := range p.rules {
		if p.done[k] {
			continue
		}
		to := make([]uint64, len(p.states[k]))
		for i, step := range r.Path {
			if p.states[k][i/64]>>(i%64)&1 == 0 {
				continue
			}
			switch step {
			case "**":
				to[i/64] |= 1 << (i % 64)
			case "*", name:
				to[(i+1)/64] |= 1 << ((i + 1) % 64)
			}
		}
		r.skip(to)
		next.states[k], next.done[k] = to, r.matched(to)
	}
	return next
}

// inName is in for a name that is copied only if there are rules.
func (p *progress) inName(name []byte) *progress {
	if p == nil {
		return nil
	}
	return p.in(string(name))
}

// covers reports whether a rule covers all of the value.
func (p *progress) covers() bool {
	if p == nil {
		return false
	}
	for k, r := range p.rules {
		if p.done[k] && r.Match == nil {
			return true
		}
	}
	return false
}

// mayCover reports whether a rule covers all or a part of the value.
func (p *progress) mayCover() bool {
	if p == nil {
		return false
	}
	for k, r := range p.rules {
		if r.Match == nil && (p.done[k] || slices.ContainsFunc(p.states[k], func(w uint64) bool { return w != 0 })) {
			return true
		}
	}
	return false
}

// asks reports whether a rule has a function that must be asked about a scalar.
func (p *progress) asks(at func() Place, v []byte) bool {
	if p == nil {
		return false
	}
	for k, r := range p.rules {
		if p.done[k] && r.Match != nil && r.Match(at(), v) {
			return true
		}
	}
	return false
}
