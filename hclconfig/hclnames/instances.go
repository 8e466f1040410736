// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

const (
	// maxInstances is how many instances of a module call are told apart.
	maxInstances = 100
	// maxInstanceText is how much text is evaluated for single instances, in bytes. An
	// instance and an evaluation count for some more.
	maxInstanceText              = 4 << 20
	instanceCost, evaluationCost = 1 << 10, 1 << 6
)

// An instanceOf says which instance of a call an evaluatedModule evaluates.
type instanceOf struct {
	tree   *Tree
	caller *evaluatedModule
	key    addrs.InstanceKey
}

// instances returns the keys of the instances of a module call, and reports whether these
// are known.
func (m *evaluatedModule) instances(c *hclconfig.ModuleCall) (keys []addrs.InstanceKey, known bool) {
	if !m.Instances || c.Enabled.IsSet() || m.instanceText > m.maxText {
		return nil, false
	}
	v, _ := m.repetition(c).UnmarkDeep()
	var i *hcleval.Instances
	switch {
	case c.Count.IsSet():
		i = hcleval.Counted(v)
	case v.IsKnown() && !v.IsNull() && v.CanIterateElements() && v.LengthInt() > maxInstances:
		return nil, false
	default:
		i = hcleval.Each(v)
	}
	if !i.Known || i.Len() > maxInstances {
		return nil, false
	}
	return i.Keys(), true
}

// enabled reports whether there is a module call without count and for_each, if that is known.
func (m *evaluatedModule) enabled(c *hclconfig.ModuleCall) (exists, known bool) {
	if !c.Enabled.IsSet() {
		return true, true
	}
	v := m.once("module."+c.Name, c.Enabled.Range(), func() *Evaluation { return withoutFaults(m.evaluate(c.Enabled)) }).Value
	if !m.Instances || v.IsMarked() || !v.IsKnown() || v.IsNull() {
		return false, false
	}
	exists, err := hcleval.BoolOf(v)
	return exists, err == nil
}

// repetition returns the value of count or for_each of a module call.
func (m *evaluatedModule) repetition(c *hclconfig.ModuleCall) cty.Value {
	return m.repetitionOf(c).Value
}

func (m *evaluatedModule) repetitionOf(c *hclconfig.ModuleCall) *Evaluation {
	return m.repeatedBy("module."+c.Name, c.Count, c.ForEach)
}

// repeatedBy returns the value of count or for_each of what has a name.
func (m *evaluatedModule) repeatedBy(name string, count, forEach hclconfig.Expression) *Evaluation {
	x := forEach
	if count.IsSet() {
		x = count
	}
	if !x.IsSet() {
		return &Evaluation{Value: cty.DynamicVal}
	}
	return m.once(name, x.Range(), func() *Evaluation { return withoutFaults(m.evaluate(x)) })
}

// resource returns the value of a resource: a plan knows which instances it has, before anything
// of them.
func (m *evaluatedModule) resource(s *hclsource.Subject, at addrs.Range) *Evaluation {
	out := m.unknownBecause(cty.DynamicPseudoType, s.Address(), Planned, at)
	r := m.Resources[s.Address()]
	if !m.Instances || r == nil || r.Mode == addrs.Ephemeral || !r.Count.IsSet() && !r.ForEach.IsSet() {
		return out
	}
	v, _ := m.repeatedBy(s.Address(), r.Count, r.ForEach).Value.UnmarkDeep()
	i := hcleval.Each(v)
	if r.Count.IsSet() {
		i = hcleval.Counted(v)
	}
	if all := i.Value(cty.DynamicVal); all != cty.NilVal {
		out.Value = all
	}
	if out.Value.IsWhollyKnown() {
		out.Unknown = nil
	}
	return out
}

// callNames returns the names that have values in the block of the call, for the instance
// that m evaluates.
func (m *evaluatedModule) callNames() map[string]cty.Value {
	if n, ok := m.key.Int(); ok {
		return map[string]cty.Value{"count": cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(n)})}
	}
	k, ok := m.key.Str()
	if !ok {
		return nil
	}
	key := cty.StringVal(k)
	value := cty.DynamicVal
	v, marks := m.caller.repetition(m.tree.Call).Unmark()
	switch t := v.Type(); {
	case !v.IsKnown() || v.IsNull():
	case t.IsSetType():
		value = key
	case t.IsObjectType() && t.HasAttribute(k):
		value = v.GetAttr(k)
	case t.IsMapType() && v.HasIndex(key).True():
		value = v.Index(key)
	}
	return map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": key, "value": value.WithMarks(marks)})}
}

// agreed returns what all instances of the module give to a variable, or nil if that is not
// known or not the same.
func (m *evaluatedModule) agreed(x hclconfig.Expression) *Evaluation {
	keys, known := m.caller.instances(m.tree.Call)
	if !known || len(keys) == 0 {
		return nil
	}
	var first *Evaluation
	for _, k := range keys {
		one := m.instance(m.tree, m.caller, k)
		e := m.caller.evaluateFor(one, x)
		if plain, _ := e.Value.UnmarkDeep(); !plain.IsWhollyKnown() || first != nil && !e.Value.RawEquals(first.Value) {
			return nil
		}
		first = e
	}
	return first
}

// evaluateFor returns the value of an expression in the block of a call for one instance.
func (m *evaluatedModule) evaluateFor(one *evaluatedModule, x hclconfig.Expression) *Evaluation {
	if m.instanceText += len(x.Raw()) + evaluationCost; m.instanceText > m.maxText {
		return m.unknownBecause(cty.DynamicPseudoType, "", NotComputed, x.Range())
	}
	e := m.evaluateIn(x, one.callNames())
	if len(e.Unknown) > 0 {
		e.Unknown = traced(e.Unknown, map[string][]Unknown{"each": m.repetitionOf(one.tree.Call).Unknown})
	}
	return e
}

// isRepeated reports whether a reason is that instances of a call are not told apart.
func isRepeated(u Unknown) bool { return u.Reason == PerInstance }

// outputsOfAll returns the value of a module call with several instances: an object of
// outputs for each of them.
func (m *evaluatedModule) outputsOfAll(t *Tree, s *hclsource.Subject, at addrs.Range) *Evaluation {
	keys, known := m.instances(t.Call)
	if !known {
		return m.unknownBecause(cty.DynamicPseudoType, s.Address(), PerInstance, at)
	}
	out := &Evaluation{}
	objects, list := map[string]cty.Value{}, []cty.Value{}
	for _, k := range keys {
		one := m.instance(t, m, k)
		values := map[string]cty.Value{}
		for _, o := range t.Module.Outputs {
			e := one.outputOnce(o, at)
			values[o.Name] = e.Value
			out.Unknown = append(out.Unknown, e.Unknown...)
		}
		if name, ok := k.Str(); ok {
			objects[name] = cty.ObjectVal(values)
		}
		list = append(list, cty.ObjectVal(values))
	}
	out.Unknown = slices.CompactFunc(out.Unknown, func(a, b Unknown) bool { return a.Address == b.Address && a.Module == b.Module })
	out.Value = cty.TupleVal(list)
	if t.Call.ForEach.IsSet() {
		out.Value = cty.ObjectVal(objects)
	}
	return out
}

// outputOnce returns the value of an output of the module.
func (m *evaluatedModule) outputOnce(o *hclconfig.Output, at addrs.Range) *Evaluation {
	e := *m.once("output."+o.Name, at, func() *Evaluation {
		if !m.key.IsNone() {
			if m.instanceText += len(o.Value.Raw()) + evaluationCost; m.instanceText > m.maxText {
				return m.unknownBecause(cty.DynamicPseudoType, "output."+o.Name, NotComputed, at)
			}
		}
		return withoutFaults(m.evaluate(o.Value))
	})
	if o.Sensitive.Value {
		e.Value = e.Value.Mark(langfuncs.Sensitive)
	}
	return &e
}
