// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

// instances finds the instances of an object with these arguments.
func (s *moduleScope) instances(count, forEach, enabled hclconfig.Expression) *hcleval.Instances {
	at := setting{m: s}
	value := func(e hclconfig.Expression) cty.Value {
		v, diags := at.evaluate(e, false)
		if v, _ = v.UnmarkDeep(); diags.HasErrors() || v.IsNull() {
			return cty.DynamicVal
		}
		return v
	}
	switch {
	case count.IsSet():
		return hcleval.Counted(value(count))
	case forEach.IsSet():
		return hcleval.Each(value(forEach))
	// OpenTofu 1.12.6, internal/lang/evalchecks/eval_lifecycle_enabled.go: EvaluateEnabledExpression. There is one
	// instance or none.
	case enabled.IsSet() && s.check.dialect == hcllang.OpenTofu:
		v := value(enabled)
		if !v.IsKnown() || v.Type() != cty.Bool {
			return &hcleval.Instances{}
		}
		return hcleval.Single(v.True())
	}
	return hcleval.Single(true)
}

// forEachFaults checks the value of a for_each.
func forEachFaults(e hclconfig.Expression, v cty.Value, summary string, always bool) hclconfig.Diagnostics {
	var diags hclconfig.Diagnostics
	fail := func(format string, args ...any) {
		diags = append(diags, hclsource.ErrorAt(e.Range(), summary, format, args...))
	}
	plain, _ := v.UnmarkDeep()
	t := plain.Type()
	switch {
	case v.IsMarked() && langfuncs.Has(v, langfuncs.Sensitive):
		// OpenTofu 1.12.6, internal/lang/evalchecks/eval_for_each.go: performValueChecks.
		fail("Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the sensitive value could be exposed as a resource instance key.")
	case v.IsMarked() && langfuncs.Has(v, langfuncs.Ephemeral):
		fail("Ephemeral values, or values derived from ephemeral values, cannot be used as for_each arguments. If used, the ephemeral value could be exposed as a resource instance key.")
	case !plain.IsKnown() && !always && t.IsSetType():
		// The programs ignore faults here.
	// OpenTofu 1.12.6, internal/lang/evalchecks/eval_for_each.go: performTypeAndValueChecks and performValueChecks. The
	// keys are parts of addresses: they have to be known, to be texts, and to be shown.
	case plain.IsNull():
		fail("The given \"for_each\" argument value is unsuitable: the given \"for_each\" argument value is null. A map, or set of strings is allowed.")
	case t == cty.DynamicPseudoType || t.IsMapType() || t.IsObjectType():
	case !t.IsSetType():
		fail("The given \"for_each\" argument value is unsuitable: the \"for_each\" argument must be a map, or set of strings, and you have provided a value of type %s.", t.FriendlyName())
	case t.ElementType() != cty.String && t.ElementType() != cty.DynamicPseudoType:
		fail("The given \"for_each\" argument value is unsuitable: \"for_each\" supports sets of strings, but you have provided a set containing type %s.", t.ElementType().FriendlyName())
	case plain.IsWhollyKnown():
		for it := plain.ElementIterator(); it.Next(); {
			if _, x := it.Element(); x.IsNull() {
				fail("The given \"for_each\" argument value is unsuitable: \"for_each\" sets must not contain null values.")
				break
			}
		}
	}
	return diags
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
func (s *moduleScope) resourceInstances(r *hclconfig.Resource) *hcleval.Instances {
	return s.instancesOnce(r.Block, r.Count, r.ForEach, r.Enabled())
}

// callInstances returns the instances of a call in each instance of the module.
func (s *moduleScope) callInstances(call *hclconfig.ModuleCall) *hcleval.Instances {
	return s.instancesOnce(call.Block, call.Count, call.ForEach, call.Enabled)
}

// instancesOnce returns the instances of a block. While they are found, the block counts as one of
// unknown instances: a count may refer to the resource itself, which is reported elsewhere.
func (s *moduleScope) instancesOnce(b *hclconfig.Block, count, forEach, enabled hclconfig.Expression) *hcleval.Instances {
	if i, ok := s.repeated[b]; ok {
		return i
	}
	s.repeated[b] = &hcleval.Instances{Repeated: true} // for references to itself
	s.repeated[b] = s.instances(count, forEach, enabled)
	return s.repeated[b]
}

// exists reports whether the module certainly has instances.
//
// A call with a number of instances that is not known may have none.
func (s *moduleScope) exists() bool {
	for ; s.tree.Parent != nil; s = s.parent() {
		if i := s.parent().callInstances(s.tree.Call); !i.Known || i.Len() == 0 {
			return false
		}
	}
	return true
}

// descend returns the scope of the module at a path below s. It reports false if
// that cannot be known, because a module is not installed.
func (s *moduleScope) descend(path addrs.ModuleInstance) (*moduleScope, bool) {
	for name := range path.Steps() {
		child := s.children[name]
		if child == nil {
			_, called := s.Calls[name]
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
		call := at.Calls[name]
		if call == nil {
			return nil, false, true
		}
		// Each step names a call and the key of one of its instances.
		i := at.callInstances(call)
		if !i.Known {
			return nil, false, false
		}
		if !i.Has(key) {
			return nil, false, true
		}
		if at = at.children[name]; at == nil {
			return nil, false, false
		}
	}
	return at, true, true
}
