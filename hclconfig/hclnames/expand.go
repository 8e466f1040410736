// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"fmt"
	"iter"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

// maxExpanded is how many instances Expand yields of all resources and calls.
const maxExpanded = 100_000

// An Instance is an instance of a managed resource or a data source that a configuration
// declares, as far as the configuration alone says it: see [Evaluator.Expand].
type Instance struct {
	// Tree is the module of the block, and Module the address of its instance.
	Tree   *Tree
	Module addrs.ModuleInstance
	// Resource is the resource. It is nil if the Instance stands for all instances of a module
	// call, because its keys are not known or its module is not there.
	Resource *hclconfig.Resource
	// Call is the module call if Resource is nil.
	Call *hclconfig.ModuleCall
	// Key is the key of the instance.
	Key addrs.InstanceKey
	// Why says why it is not known which instances there are: then the Instance stands for all
	// of them. It is empty if the instance is known.
	Why string

	in *evaluatedModule
	at namedValues
}

// Address returns the address of the instance, as in a plan. If the instance is not known, the
// text ends in [?].
func (i *Instance) Address() string {
	if i == nil || i.Resource == nil && i.Call == nil {
		return ""
	}
	text := strings.TrimPrefix(i.Module.String()+".", ".")
	if i.Resource == nil {
		return text + "module." + i.Call.Name + "[?]"
	}
	if i.Resource.Mode == addrs.Data {
		text += "data."
	}
	text += i.Resource.Type + "." + i.Resource.Name
	if i.Why != "" {
		return text + "[?]"
	}
	return text + i.Key.String()
}

// Block returns the block that declares it.
func (i *Instance) Block() *hclconfig.Block {
	switch {
	case i == nil:
		return nil
	case i.Resource != nil:
		return i.Resource.Block
	case i.Call != nil:
		return i.Call.Block
	}
	return nil
}

// Expand returns an iterator over the instances of all managed resources and data sources of a
// tree, each with its key: those of count, for_each and enabled, in all instances of the module
// calls. The resources of a module come in the order of the text, before the modules that it
// calls. Where keys depend on what only a plan knows, or are wrong, there is one Instance with
// the reason in Why; nothing follows below such a call.
//
// Values are those of the configuration alone: nothing of an instance of a resource is known. Expand
// distinguishes instances as with the field Instances set, and sets it. A tree has at most
// 100,000 instances, calls included: a block that would have more is one Instance with the
// reason in Why.
func (e *Evaluator) Expand(t *Tree) iter.Seq[*Instance] {
	return func(yield func(*Instance) bool) {
		if t == nil || t.Module == nil {
			return
		}
		e.mu.Lock()
		e.Instances, e.maxText = true, 16*maxInstanceText
		root := e.module(t)
		e.mu.Unlock()
		x := expander{e, yield, maxExpanded}
		x.module(root, addrs.ModuleInstance{})
	}
}

// An expander goes through the instances of a tree. It holds the lock of the evaluator only
// while it evaluates.
type expander struct {
	*Evaluator
	yield func(*Instance) bool
	left  int64
}

// module goes through an instance of a module, and reports whether to go on.
func (x *expander) module(m *evaluatedModule, at addrs.ModuleInstance) bool {
	for _, list := range [][]*hclconfig.Resource{m.tree.Module.Resources, m.tree.Module.Data} {
		for _, r := range list {
			if !x.resource(m, at, r) {
				return false
			}
		}
	}
	children := map[*hclconfig.ModuleCall]*Tree{}
	for _, c := range m.tree.Children {
		children[c.Call] = c
	}
	for _, c := range m.tree.Module.Calls {
		if !x.call(m, at, c, children[c]) {
			return false
		}
	}
	return true
}

// resource goes through the instances of a resource.
func (x *expander) resource(m *evaluatedModule, at addrs.ModuleInstance, r *hclconfig.Resource) bool {
	found := x.repeated(m, r.Count, r.ForEach, r.Enabled())
	one := Instance{Tree: m.tree, Module: at, Resource: r, in: m, Why: found.why}
	if one.Why == "" {
		one.Why = x.spend(found)
	}
	if one.Why != "" {
		return x.yield(&one)
	}
	for key, names := range found.all() {
		i := one
		i.Key, i.at = key, namedValues{names, found.origins}
		if !x.yield(&i) {
			return false
		}
	}
	return true
}

// call goes through the instances of a module call.
func (x *expander) call(m *evaluatedModule, at addrs.ModuleInstance, c *hclconfig.ModuleCall, t *Tree) bool {
	found := x.repeated(m, c.Count, c.ForEach, c.Enabled)
	one := &Instance{Tree: m.tree, Module: at, Call: c, Why: found.why, in: m}
	if one.Why == "" && t == nil && found.len() > 0 {
		one.Why = "the module is not installed"
	}
	if one.Why == "" {
		one.Why = x.spend(found)
	}
	if one.Why != "" {
		return x.yield(one)
	}
	for key := range found.all() {
		child, err := at.Child(c.Name, key)
		if err != nil {
			one.Why = err.Error()
			return x.yield(one)
		}
		x.mu.Lock()
		in := x.instance(t, m, key)
		x.mu.Unlock()
		if !x.module(in, child) {
			return false
		}
	}
	return true
}

// spend counts the instances of a block, and says if there are too many.
func (x *expander) spend(r *repetition) (why string) {
	if r.len() > x.left {
		return fmt.Sprintf("there are more than %d instances in all", maxExpanded)
	}
	x.left -= r.len()
	return ""
}

// A repetition has the instances of a block, or why they are not known.
type repetition struct {
	why     string
	counted int64             // without for_each; 1 without count
	single  bool              // no key
	each    []hcleval.Element // of for_each
	isEach  bool
	origins map[string][]Unknown
}

// len returns how many instances there are.
func (r *repetition) len() int64 { return r.counted + int64(len(r.each)) }

// all returns an iterator over the keys, with the names that have values in the instance.
func (r *repetition) all() iter.Seq2[addrs.InstanceKey, map[string]cty.Value] {
	return func(yield func(addrs.InstanceKey, map[string]cty.Value) bool) {
		for _, e := range r.each {
			if !yield(addrs.StringKey(e.Key.AsString()), map[string]cty.Value{"each": e.Object()}) {
				return
			}
		}
		for n := range r.counted {
			if r.single && !yield(addrs.NoKey, nil) || !r.single && !yield(addrs.IntKey(n), counter(n)) {
				return
			}
		}
	}
}

// counter returns the names in the instance with a number.
func counter(n int64) map[string]cty.Value {
	return map[string]cty.Value{"count": cty.ObjectVal(map[string]cty.Value{"index": cty.NumberIntVal(n)})}
}

// repeated finds the instances of a block from its arguments.
func (x *expander) repeated(m *evaluatedModule, count, forEach, enabled hclconfig.Expression) *repetition {
	x.mu.Lock()
	defer x.mu.Unlock()
	name, arg := "count", count
	switch {
	case count.IsSet():
	case forEach.IsSet():
		name, arg = "for_each", forEach
	case enabled.IsSet():
		name, arg = "enabled", enabled
	default:
		return &repetition{counted: 1, single: true}
	}
	e := m.evaluate(arg)
	r := &repetition{single: name == "enabled"}
	fault := ""
	switch v, marks := e.Value.Unmark(); {
	case e.Diagnostics.HasErrors():
		fault = "cannot be evaluated: " + firstError(e.Diagnostics)
	case has(marks, langfuncs.Sensitive) && name != "count" || has(marks, langfuncs.Ephemeral):
		fault = "is sensitive or ephemeral"
	case !v.IsKnown():
		fault = dependsOn(e.Unknown)
	case v.IsNull():
		fault = "is null"
	case name == "for_each":
		r.isEach = true
		r.origins = map[string][]Unknown{"each": e.Unknown}
		r.each, fault = eachOf(v, e.Unknown)
	case name == "enabled":
		exists, err := hcleval.BoolOf(v)
		if err != nil {
			fault = "is not a boolean"
		} else if exists {
			r.counted = 1
		}
	default:
		i := hcleval.Counted(v)
		if r.counted = i.Len(); !i.Known {
			fault = "is not a whole number of instances"
		}
	}
	if fault != "" {
		return &repetition{why: name + " " + fault}
	}
	return r
}

func has(marks cty.ValueMarks, mark any) bool { _, ok := marks[mark]; return ok }

// eachOf returns the elements of a value of for_each, sorted by key, or what is wrong with it.
func eachOf(v cty.Value, unknown []Unknown) (list []hcleval.Element, fault string) {
	t := v.Type()
	switch {
	case !t.IsMapType() && !t.IsObjectType() && !t.IsSetType():
		return nil, "is neither a map nor a set of strings, but " + t.FriendlyName()
	case t.IsSetType() && !v.IsWhollyKnown():
		return nil, dependsOn(unknown)
	case t.IsSetType() && v.LengthInt() > 0 && t.ElementType() != cty.String:
		return nil, "is a set of " + t.ElementType().FriendlyName() + ", not of strings"
	}
	list, _ = hcleval.Elements(v)
	for _, e := range list {
		if e.Key.IsNull() {
			return nil, "has a null value in the set"
		}
	}
	return list, ""
}

// dependsOn says what a value depends on.
func dependsOn(unknown []Unknown) string {
	if len(unknown) == 0 {
		return "is not known"
	}
	u := unknown[0]
	if u.Address == "" {
		return "is not known: " + u.String()
	}
	text := "depends on " + hclsource.Dotted(u.Module) + u.Address
	switch u.Reason {
	case Planned:
		return text + ", known after apply"
	case NotComputed, Absent, NoValue, BadDefault:
		return text + ", which " + string(u.Reason)
	}
	return text + ", which is not known"
}

// firstError returns the words of the first error.
func firstError(list hclconfig.Diagnostics) string {
	for d := range list.Errors() {
		return strings.TrimSuffix(d.Summary+"; "+d.Detail, "; ")
	}
	return ""
}
