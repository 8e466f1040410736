// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
)

// inOrder returns changes in the order in which they are shown: by module, mode, type, name and
// key, then by deposed key. Terraform before 1.4 sorts by the text of the address.
func (s *shower) inOrder(changes []*resourceChange) []*resourceChange {
	sorted := slices.Clone(changes)
	if s.release.before(4) {
		sort.Slice(sorted, func(i, j int) bool { return sorted[i].address < sorted[j].address })
		return sorted
	}
	slices.SortStableFunc(sorted, func(a, b *resourceChange) int {
		return cmp.Or(compareInstances(a.addr, b.addr), cmp.Compare(a.deposed, b.deposed))
	})
	return sorted
}

// compareInstances compares addresses as the tools do: shorter module paths first, ephemeral
// before data before managed, and numbers by value before texts.
func compareInstances(a, b addrs.AbsResourceInstance) int {
	if c := compareModules(a.Module(), b.Module()); c != 0 {
		return c
	}
	ra, rb := a.Resource(), b.Resource()
	return cmp.Or(
		cmp.Compare(modeRank(ra.Mode()), modeRank(rb.Mode())),
		cmp.Compare(ra.Type(), rb.Type()), cmp.Compare(ra.Name(), rb.Name()),
		compareKeys(a.Key(), b.Key()),
	)
}

func compareModules(a, b addrs.ModuleInstance) int {
	if a == b {
		return 0
	}
	if c := cmp.Compare(a.Len(), b.Len()); c != 0 {
		return c
	}
	type aStep struct {
		name string
		key  addrs.InstanceKey
	}
	steps := make([]aStep, 0, b.Len())
	for name, key := range b.Steps() {
		steps = append(steps, aStep{name, key})
	}
	i := 0
	for name, key := range a.Steps() {
		if c := cmp.Or(cmp.Compare(name, steps[i].name), compareKeys(key, steps[i].key)); c != 0 {
			return c
		}
		i++
	}
	return 0
}

// modeRank orders modes: ephemeral, which only plans of OpenTofu 1.11 have, data, managed.
func modeRank(m addrs.Mode) int {
	switch m {
	case addrs.Ephemeral:
		return 0
	case addrs.Data:
		return 1
	}
	return 2
}

func compareKeys(a, b addrs.InstanceKey) int {
	rank := func(k addrs.InstanceKey) int {
		if _, ok := k.Int(); ok {
			return 1
		}
		if _, ok := k.Str(); ok {
			return 2
		}
		return 0
	}
	na, _ := a.Int()
	nb, _ := b.Int()
	sa, _ := a.Str()
	sb, _ := b.Str()
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(na, nb), cmp.Compare(sa, sb))
}

// A shownAttribute is a relevant attribute as it is shown.
type shownAttribute struct {
	resource string
	text     []byte
	key      string // by which Terraform compares
}

// relevantInOrder returns the relevant attributes in the order of the tool: OpenTofu sorts by
// resource, with an algorithm that is not stable. Terraform 1.11 sorts by address and path, but
// compares what stood in two places before it began. Terraform before 1.11 does not sort.
func (s *shower) relevantInOrder() ([]shownAttribute, error) {
	list := make([]shownAttribute, len(s.plan.relevant))
	for i, r := range s.plan.relevant {
		text, err := appendPath(nil, r.path)
		if err != nil {
			return nil, inElement("relevant_attributes", i, inField("attr", err))
		}
		address, err := addrs.ParseAbsResourceInstance(r.resource)
		if err != nil {
			return nil, inElement("relevant_attributes", i, invalid("%w", err))
		}
		list[i] = shownAttribute{resource: address.String(), text: text}
		if s.release.terraform() {
			list[i].key = goString(address, r.path)
		}
	}
	switch {
	case !s.release.terraform():
		sort.Slice(list, func(i, j int) bool { return list[i].resource < list[j].resource })
	case !s.release.before(11):
		original := slices.Clone(list)
		sort.SliceStable(list, func(i, j int) bool { return original[i].key < original[j].key })
	}
	return list, nil
}

// goString returns what Terraform compares: an address and a path as Go prints its values.
func goString(a addrs.AbsResourceInstance, p steps) string {
	var b strings.Builder
	separator := "{"
	b.WriteString("addrs.ModuleInstance")
	for name, key := range a.Module().Steps() {
		fmt.Fprintf(&b, "%saddrs.ModuleInstanceStep{Name:%q, InstanceKey:%s}", separator, name, goKey(key))
		separator = ", "
	}
	if a.Module().IsRoot() {
		b.WriteString("(nil)")
	} else {
		b.WriteString("}")
	}
	r := a.Resource()
	fmt.Fprintf(&b, ", Mode:%d, Type:%q, Name:%q}, Key:%s}}, cty.Path{", modeRank(r.Mode()), r.Type(), r.Name(), goKey(a.Key()))
	for i, s := range p {
		if i > 0 {
			b.WriteString(", ")
		}
		if !s.isKey {
			fmt.Fprintf(&b, "cty.GetAttrStep{Name:%q}", s.name)
		} else if key, err := s.key.value(cty.NilType); err == nil {
			fmt.Fprintf(&b, "cty.IndexStep{Key:%#v}", key)
		}
	}
	b.WriteString("}")
	return b.String()
}

func goKey(k addrs.InstanceKey) string {
	if n, ok := k.Int(); ok {
		return fmt.Sprint(n)
	}
	if s, ok := k.Str(); ok {
		return fmt.Sprintf("%q", s)
	}
	return "addrs.InstanceKey(nil)"
}
