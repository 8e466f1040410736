// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
)

// early returns the value of an expression that OpenTofu evaluates while it reads the
// configuration, and the faults found on the way. It reports false if something in it is not
// known then.
func (c *treeChecker) early(t *hclnames.Tree, e hclconfig.Expression) (hclnames.Evaluation, bool) {
	v := c.values.Evaluate(t, e)
	if !v.Early {
		v.Diagnostics = nil
	}
	return v, v.Early
}

// isFaulty reports whether a value is unknown because of a variable whose default is wrong.
func isFaulty(v hclnames.Evaluation) bool {
	return slices.ContainsFunc(v.Unknown, func(u hclnames.Unknown) bool { return u.Reason == hclnames.BadDefault })
}

// computed checks the sources and versions of calls that are not constants, as far
// as they can be evaluated.
func (c *treeChecker) computed(t *hclnames.Tree) {
	before := len(c.out)
	defer func() { c.unique(before) }()
	if c.dialect != hcllang.OpenTofu {
		return
	}
	for _, call := range t.Module.Calls {
		if !call.Source.IsSet() {
			continue
		}
		if e := call.Source.Argument.Expression; isComputed(call.Source) {
			if v, ok := c.early(t, e); ok && !v.Diagnostics.HasErrors() {
				c.out = append(c.out, computedSource(call, v)...)
			}
		}
		if v := call.Version; v.IsSet() && !isComputed(v) && call.IsLocal() && len(call.OverriddenBy) > 0 {
			if x, err := v.Argument.Constant(); err == nil && !x.IsNull() {
				c.out = append(c.out, versionOfLocal(call))
			}
		}
		if e := call.Version; e.IsSet() && isComputed(e) {
			switch v, ok := c.early(t, e.Argument.Expression); {
			case v.Diagnostics.HasErrors() && call.IsLocal():
				c.out = append(c.out, versionOfLocal(call))
			case ok && !v.Diagnostics.HasErrors():
				c.out = append(c.out, computedVersion(call, v.Value)...)
			}
		}
	}
}

func isComputed(text hclconfig.Text) bool {
	_, err := text.Argument.Constant()
	return err != nil
}

// computedSource checks the value of the source of a call.
func computedSource(call *hclconfig.ModuleCall, of hclnames.Evaluation) hclconfig.Diagnostics {
	at, v := call.Source.Argument.Expression.Range(), of.Value
	d := unusableSource(at, v)
	if d == nil && isFaulty(of) {
		d = hclconfig.Diagnostics{hclsource.ErrorAt(hclsource.StartRange(call.Source.Argument.Expression), "Unsuitable value type", "Unsuitable value: value must be known.")}
	}
	if d != nil || !v.IsKnown() {
		return d
	}
	fault := func(summary string, err error) hclconfig.Diagnostics {
		return hclconfig.Diagnostics{hclsource.ErrorAt(at, summary, "%s.", hclsource.UpperFirst(err.Error()))}
	}
	text, err := hcleval.TextOf(v)
	if err != nil {
		return fault("Unsuitable value type", err)
	}
	parse, summary := addrs.ParseModuleSource, "Invalid module source address"
	if call.Version.IsSet() {
		if v, err := call.Version.Argument.Constant(); err != nil || v.IsNull() {
			return nil // whether there is a version has to be computed as well
		}
		parse, summary = addrs.ParseModuleRegistrySource, "Invalid registry module source address"
	}
	if _, err := parse(text); err != nil {
		return fault(summary, err)
	}
	return nil
}

// computedVersion checks the value of the version of a call.
func computedVersion(call *hclconfig.ModuleCall, v cty.Value) hclconfig.Diagnostics {
	var d hclconfig.Diagnostic
	switch {
	case v.IsNull() || !v.IsKnown():
		return nil
	case v.IsMarked():
		d = hclsource.ErrorAt(call.Version.Argument.Expression.Range(), "Invalid version constraint", "The version of a module must not be sensitive.")
	case call.IsLocal():
		d = versionOfLocal(call)
	default:
		return nil
	}
	return hclconfig.Diagnostics{d}
}

// versionOfLocal reports a version of a module that has none.
func versionOfLocal(call *hclconfig.ModuleCall) hclconfig.Diagnostic {
	return hclsource.ErrorAt(call.Source.Argument.Expression.Range(), "Invalid registry module source address", "A module with a version must come from a registry.")
}

// unusableSource reports that a source is sensitive or ephemeral.
func unusableSource(at addrs.Range, v cty.Value) hclconfig.Diagnostics {
	kind := ""
	switch {
	case v.HasMark(langfuncs.Sensitive):
		kind = "Sensitive"
	case v.HasMark(langfuncs.Ephemeral):
		kind = "Ephemeral"
	default:
		return nil
	}
	d := hclsource.ErrorAt(at, kind+" value not allowed", "%s values, or values derived from them, cannot be used as the source of a module.", kind)
	return hclconfig.Diagnostics{d}
}
