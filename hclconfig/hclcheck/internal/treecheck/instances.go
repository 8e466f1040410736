// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// maxInstances is how many instances of an object are told apart.
const maxInstances = 1000

// An instanceSet has the keys of the instances of an object, as far as the
// configuration alone says them.
type instanceSet struct {
	known bool
	// repeated reports that the instances have keys: numbers below count, or those
	// of each.
	repeated bool
	count    int64
	each     map[string]bool
}

func (i *instanceSet) len() int64 {
	if i.each != nil {
		return int64(len(i.each))
	}
	return i.count
}

// has reports whether there is an instance with a key.
func (i *instanceSet) has(key addrs.InstanceKey) bool {
	if !i.repeated {
		return key.IsNone() && i.count > 0
	}
	if n, ok := key.Int(); ok && i.each == nil {
		return n >= 0 && n < i.count
	}
	text, ok := key.Str()
	return ok && i.each[text]
}

// keys returns the keys of the instances, of many the first maxInstances.
func (i *instanceSet) keys() []addrs.InstanceKey {
	var out []addrs.InstanceKey
	switch {
	case i.each != nil:
		keys := slices.Sorted(maps.Keys(i.each))
		for _, k := range keys[:min(len(keys), maxInstances)] {
			out = append(out, addrs.StringKey(k))
		}
	case i.repeated:
		for n := range min(i.count, maxInstances) {
			out = append(out, addrs.IntKey(n))
		}
	case i.count > 0:
		out = append(out, addrs.NoKey)
	}
	return out
}

// instances finds the instances of an object with these arguments.
func (s *moduleScope) instances(count, forEach, enabled hclconfig.Expression) *instanceSet {
	at := setting{m: s}
	value := func(e hclconfig.Expression) (cty.Value, bool) {
		v, diags := at.evaluate(e, false)
		v, _ = v.UnmarkDeep()
		return v, !diags.HasErrors() && v.IsKnown() && !v.IsNull()
	}
	switch {
	case count.IsSet():
		v, ok := value(count)
		if !ok {
			return &instanceSet{repeated: true}
		}
		v, err := convert.Convert(v, cty.Number)
		if err != nil || !v.IsKnown() || v.IsNull() {
			return &instanceSet{repeated: true}
		}
		n, _ := v.AsBigFloat().Int64()
		return &instanceSet{known: true, repeated: true, count: n}
	case forEach.IsSet():
		out := &instanceSet{repeated: true, each: map[string]bool{}}
		v, ok := value(forEach)
		if !ok || !v.CanIterateElements() || v.Type().IsSetType() && !v.IsWhollyKnown() {
			return out
		}
		for it := v.ElementIterator(); it.Next(); {
			k, _ := it.Element()
			if k.Type() != cty.String {
				return out
			}
			out.each[k.AsString()] = true
		}
		out.known = true
		return out
	case enabled.IsSet() && s.check.dialect == hcllang.OpenTofu:
		v, ok := value(enabled)
		if !ok || v.Type() != cty.Bool {
			return &instanceSet{}
		}
		if v.False() {
			return &instanceSet{known: true}
		}
	}
	return &instanceSet{known: true, count: 1}
}

// repetitionOf says how an object with these arguments is repeated.
func repetitionOf(count, forEach hclconfig.Expression) repetition {
	switch {
	case count.IsSet():
		return byCount
	case forEach.IsSet():
		return byEach
	}
	return repeatsNot
}

// resourceInstances returns the instances of r in each instance of the module.
func (s *moduleScope) resourceInstances(r *hclconfig.Resource) *instanceSet {
	if i, ok := s.repeated[r.Block]; ok {
		return i
	}
	var enabled hclconfig.Expression
	if r.Lifecycle != nil {
		enabled = r.Lifecycle.Enabled
	}
	s.remember(r.Block, &instanceSet{repeated: true}) // for references to itself
	i := s.instances(r.Count, r.ForEach, enabled)
	s.remember(r.Block, i)
	return i
}

// callInstances returns the instances of a call in each instance of the module.
func (s *moduleScope) callInstances(call *hclconfig.ModuleCall) *instanceSet {
	if i, ok := s.repeated[call.Block]; ok {
		return i
	}
	s.remember(call.Block, &instanceSet{repeated: true})
	i := s.instances(call.Count, call.ForEach, call.Enabled)
	s.remember(call.Block, i)
	return i
}

func (s *moduleScope) remember(b *hclconfig.Block, i *instanceSet) {
	if s.repeated == nil {
		s.repeated = map[*hclconfig.Block]*instanceSet{}
	}
	s.repeated[b] = i
}

// exists reports whether the module certainly has instances.
func (s *moduleScope) exists() bool {
	for ; s.tree.Parent != nil; s = s.parent() {
		if i := s.parent().callInstances(s.tree.Call); !i.known || i.len() == 0 {
			return false
		}
	}
	return true
}

// instancesOf returns the value of all instances of an object from that of one of them,
// or cty.NilVal if the instances are not known.
func instancesOf(i *instanceSet, one cty.Value) cty.Value {
	if !i.known || !i.repeated || i.len() > maxInstances {
		return cty.NilVal
	}
	if i.each != nil {
		all := make(map[string]cty.Value, len(i.each))
		for k := range i.each {
			all[k] = one
		}
		return cty.ObjectVal(all)
	}
	return cty.TupleVal(slices.Repeat([]cty.Value{one}, int(i.count)))
}

// descend returns the scope of the module at a path below s. It reports false if
// that cannot be known, because a module is not installed.
func (s *moduleScope) descend(path addrs.ModuleInstance) (*moduleScope, bool) {
	for name := range path.Steps() {
		child := s.children[name]
		if child == nil {
			_, called := s.calls[name]
			return nil, !called
		}
		s = child
	}
	return s, true
}

// moduleInstance returns the scope of a module instance. If it is nil, there is no such
// instance, or that is not known.
func (s *moduleScope) moduleInstance(path addrs.ModuleInstance) (at *moduleScope, has, known bool) {
	at = s
	for name, key := range path.Steps() {
		call := at.calls[name]
		if call == nil {
			return nil, false, true
		}
		i := at.callInstances(call)
		if !i.known {
			return nil, false, false
		}
		if !i.has(key) {
			return nil, false, true
		}
		if at = at.children[name]; at == nil {
			return nil, false, false
		}
	}
	return at, true, true
}
