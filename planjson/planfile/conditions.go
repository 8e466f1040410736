// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// A condition is the result of a precondition or a postcondition in a plan of Terraform 1.2, which has no results of
// checks.
//
// Source: Terraform v1.2.9 internal/plans/internal/planproto/planfile.proto and internal/command/jsonplan/condition.go.
type condition struct {
	addrText, addr string // of the object
	block          string // the address of the block, by which results are sorted
	isTrue         bool
	unknown        bool
	kind           uint64
	message        string
}

// conditionKinds are the types of conditions, by their numbers.
var conditionKinds = []struct {
	name string
	of   addrs.CheckableKind
}{
	1: {"ResourcePrecondition", addrs.CheckableResource},
	2: {"ResourcePostcondition", addrs.CheckableResource},
	3: {"OutputPrecondition", addrs.CheckableOutput},
}

// readResults reads the results of checks, once the release that wrote the plan is known: the same field
// has conditions in Terraform 1.2.
func (m *message) readResults() error {
	hasConditions := m.writtenBy("1.2")
	for i, f := range m.results {
		if !f.isText {
			continue
		}
		read := m.checkResult
		if hasConditions {
			read = m.conditionResult
		}
		if err := read(f); err != nil {
			return inElement("check_results", i, atOffset(f.at, err))
		}
	}
	return nil
}

func (m *message) conditionResult(f protoField) error {
	c := new(condition)
	err := f.message("", func(f protoField) error {
		switch f.number {
		case 1:
			return f.into("addr", &c.addrText)
		case 2:
			return f.into("condition_addr", &c.block)
		case 3: // one of 3 and 4 is set
			c.unknown = false
			return f.into("value", &c.isTrue)
		case 4:
			c.unknown, c.isTrue = true, false
		case 5:
			return f.into("type", &c.kind)
		case 6:
			return f.into("error_message", &c.message)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if c.kind == 0 || c.kind >= uint64(len(conditionKinds)) {
		return inField("type", invalid("there is no type of condition %d", c.kind))
	}
	addr, err := addrs.ParseCheckable(conditionKinds[c.kind].of, c.addrText)
	if err != nil {
		return inField("addr", invalid("%w", err))
	}
	c.addr = addr.String()
	if m.conditions == nil {
		m.conditions = make(map[string]*condition)
	}
	m.conditions[c.block] = c
	return nil
}

// conditionResults writes the member that Terraform 1.2 has for conditions.
func (s *shower) conditionResults() {
	if len(s.plan.conditions) == 0 {
		return
	}
	s.name("condition_results")
	s.open('[')
	for _, block := range slices.Sorted(maps.Keys(s.plan.conditions)) {
		c := s.plan.conditions[block]
		s.element()
		s.open('{')
		s.member("address", c.addr)
		s.member("condition_type", conditionKinds[c.kind].name)
		s.bool("result", c.isTrue)
		s.bool("unknown", c.unknown)
		s.optional("error_message", c.message)
		s.close('}')
	}
	s.close(']')
}
