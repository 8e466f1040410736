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
