// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// A staticReader evaluates expressions that OpenTofu evaluates while it loads a
// module, such as the source of a call.
type staticReader struct {
	// caller is that of the calling module, and call the call. Both are nil for
	// the root, whose variables have no values if given reports that files may
	// give them.
	caller *staticReader
	call   *hclconfig.ModuleCall
	given  bool
	// module is path.module, or empty if it is not known.
	module string
	// workspace is the selected workspace, or empty if it is not known.
	workspace string
	declared
	// known has the variables and local values that were evaluated: cty.NilVal for
	// those that have no value, or are being looked at.
	known map[string]cty.Value
	depth int
	fns   map[string]function.Function
	costs *budget
}

// declared has the variables and local values of a module by name.
type declared struct {
	vars   map[string]*hclconfig.Variable
	locals map[string]*hclconfig.Local
}

// maxStaticDepth is how many local values and variables may lead to one.
const maxStaticDepth = 1000

// staticReaders has the readers of the modules of a tree. Calls of the same module
// share what it declares.
type staticReaders struct {
	readers map[*Tree]*staticReader
	modules map[*hclconfig.Module]declared
}

func newStaticReaders() staticReaders {
	return staticReaders{map[*Tree]*staticReader{}, map[*hclconfig.Module]declared{}}
}

// of returns the reader of t.
func (all staticReaders) of(t *Tree) *staticReader {
	if r := all.readers[t]; r != nil {
		return r
	}
	r := &staticReader{
		call: t.Call, given: t.values, module: t.directory(),
		declared: all.declared(t.Module), known: map[string]cty.Value{},
	}
	if t.Parent != nil {
		r.caller = all.of(t.Parent)
		r.depth, r.fns, r.workspace, r.costs = r.caller.depth+1, r.caller.fns, r.caller.workspace, r.caller.costs
	} else {
		r.workspace, r.costs = t.workspace, &budget{}
		r.fns = langfuncs.Table(langfuncs.OpenTofu, -1)
	}
	all.readers[t] = r
	return r
}

// declared returns what a module declares.
func (all staticReaders) declared(m *hclconfig.Module) declared {
	d, ok := all.modules[m]
	if ok {
		return d
	}
	d = declared{map[string]*hclconfig.Variable{}, map[string]*hclconfig.Local{}}
	for _, v := range m.Variables {
		d.vars[v.Name] = v
	}
	for _, l := range m.Locals {
		d.locals[l.Name] = l
	}
	all.modules[m] = d
	return d
}

// source returns the value of the source of a call from the values of variables
// and from local values.
func (r *staticReader) source(call *hclconfig.ModuleCall) (string, bool) {
	v, ok := r.value(call.Source.Argument.Expression)
	if !ok {
		return "", false
	}
	text, err := textOf(v)
	return text, err == nil
}

func (r *staticReader) value(e hclconfig.Expression) (cty.Value, bool) {
	v, diags, ok := r.evaluate(e)
	return v, ok && !diags.HasErrors()
}

// evaluate returns the value of an expression and the faults found on the way. It
// reports false if something in it is not known here.
func (r *staticReader) evaluate(e hclconfig.Expression) (cty.Value, hclconfig.Diagnostics, bool) {
	vars, locals, paths, program := map[string]cty.Value{}, map[string]cty.Value{}, map[string]cty.Value{}, map[string]cty.Value{}
	for _, p := range pieces(e) {
		for _, t := range p.expr.Variables() {
			s, d := subjectOf(p, t, hcllang.OpenTofu)
			if d != nil {
				return cty.NilVal, nil, false
			}
			var v cty.Value
			ok, into := false, vars
			switch s.kind {
			case toVariable:
				v, ok = r.once("var."+s.name, func() (cty.Value, bool) { return r.variable(s.name) })
			case toLocal:
				into = locals
				v, ok = r.once("local."+s.name, func() (cty.Value, bool) { return r.local(s.name) })
			case toPath:
				into = paths
				v, ok = r.path(s.name)
			case toProgram:
				into = program
				v, ok = cty.StringVal(r.workspace), s.name == "workspace" && r.workspace != ""
			}
			if !ok {
				return cty.NilVal, nil, false
			}
			into[s.name] = v
		}
	}
	ctx := &hcl.EvalContext{Functions: r.fns, Variables: map[string]cty.Value{
		"var": cty.ObjectVal(vars), "local": cty.ObjectVal(locals), "path": cty.ObjectVal(paths),
		"terraform": cty.ObjectVal(program), "tofu": cty.ObjectVal(program),
	}}
	if !r.costs.cheap(e, ctx) {
		return cty.NilVal, nil, false
	}
	v, diags := e.Value(ctx)
	return v, diags, langfuncs.Weight(v) <= langfuncs.MaxWeight
}

// once evaluates what has a name only once.
func (r *staticReader) once(name string, value func() (cty.Value, bool)) (cty.Value, bool) {
	if v, ok := r.known[name]; ok {
		return v, v != cty.NilVal
	}
	r.known[name] = cty.NilVal
	if r.depth >= maxStaticDepth {
		return cty.NilVal, false
	}
	r.depth++
	defer func() { r.depth-- }()
	v, ok := value()
	if ok {
		r.known[name] = v
	}
	return v, ok
}

// faulty marks values that come from variables whose default is wrong: the programs
// take them for unknown.
type faulty struct{}

func (r *staticReader) variable(name string) (cty.Value, bool) {
	v := r.vars[name]
	if v == nil || r.caller == nil && r.given {
		return cty.NilVal, false
	}
	var value cty.Value
	if a := r.argument(name); a != nil {
		given, ok := r.caller.value(a.Expression)
		if !ok {
			return cty.NilVal, false
		}
		typ, defaults, err := v.TypeConstraint()
		if err != nil {
			typ, defaults = cty.DynamicPseudoType, nil // as the programs take it
		}
		if defaults != nil && !given.IsNull() {
			given = defaults.Apply(given)
		}
		if value, err = convert.Convert(given, typ); err != nil {
			return cty.NilVal, false
		}
	}
	if value == cty.NilVal || value.IsNull() && v.Nullable.IsSet() && !v.Nullable.Value {
		d, err := v.TypedDefault()
		if _, _, wrong := v.TypeConstraint(); wrong != nil && v.Default.IsSet() {
			d, err = v.Default.Constant()
		}
		if err != nil && v.Default.IsSet() {
			return cty.DynamicVal.Mark(faulty{}), true
		}
		if err != nil || d == cty.NilVal {
			return cty.NilVal, false
		}
		value = d
	}
	if v.Sensitive.Value {
		value = value.Mark(langfuncs.Sensitive)
	}
	if v.Ephemeral.Value {
		value = value.Mark(langfuncs.Ephemeral)
	}
	return value, true
}

// argument is what the call gives to a variable, or nil.
func (r *staticReader) argument(name string) *hclconfig.Argument {
	if r.caller == nil || r.call == nil || slices.Contains(reservedVariables, name) {
		return nil
	}
	return r.call.Block.Argument(name)
}

func (r *staticReader) local(name string) (cty.Value, bool) {
	l := r.locals[name]
	if l == nil {
		return cty.NilVal, false
	}
	return r.value(l.Argument.Expression)
}

// path is an attribute of the object path. The directory in which the program
// runs is not known.
func (r *staticReader) path(name string) (cty.Value, bool) {
	switch {
	case name == "root":
		return cty.StringVal("."), true
	case name == "module" && r.module != "":
		return cty.StringVal(r.module), true
	}
	return cty.NilVal, false
}

// computed checks the sources and versions of calls that are not constants, as far
// as they can be evaluated.
func (c *treeChecker) computed(t *Tree) {
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
			if v, ok := c.statics.of(t).value(e); ok {
				c.out = append(c.out, computedSource(call, v)...)
			}
		}
		if v := call.Version; v.IsSet() && !isComputed(v) && call.IsLocal() && len(call.OverriddenBy) > 0 {
			if x, err := v.Argument.Constant(); err == nil && !x.IsNull() {
				c.out = append(c.out, versionOfLocal(call))
			}
		}
		if e := call.Version; e.IsSet() && isComputed(e) {
			switch v, diags, ok := c.statics.of(t).evaluate(e.Argument.Expression); {
			case diags.HasErrors() && call.IsLocal():
				c.out = append(c.out, versionOfLocal(call))
			case ok && !diags.HasErrors():
				c.out = append(c.out, computedVersion(call, v)...)
			}
		}
	}
}

func isComputed(text hclconfig.Text) bool {
	_, err := text.Argument.Constant()
	return err != nil
}

// computedSource checks the value of the source of a call.
func computedSource(call *hclconfig.ModuleCall, v cty.Value) hclconfig.Diagnostics {
	at := call.Source.Argument.Expression.Range()
	d := unusableSource(at, v)
	if d == nil && v.HasMark(faulty{}) {
		d = hclconfig.Diagnostics{errorAt(startRange(call.Source.Argument.Expression), "Unsuitable value type", "Unsuitable value: value must be known.")}
	}
	if d != nil || !v.IsKnown() {
		return d
	}
	fault := func(summary string, err error) hclconfig.Diagnostics {
		return hclconfig.Diagnostics{errorAt(at, summary, "%s.", upperFirst(err.Error()))}
	}
	text, err := textOf(v)
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
		d = errorAt(call.Version.Argument.Expression.Range(), "Invalid version constraint", "The version of a module must not be sensitive.")
	case call.IsLocal():
		d = versionOfLocal(call)
	default:
		return nil
	}
	return hclconfig.Diagnostics{d}
}

// versionOfLocal reports a version of a module that has none.
func versionOfLocal(call *hclconfig.ModuleCall) hclconfig.Diagnostic {
	return errorAt(call.Source.Argument.Expression.Range(), "Invalid registry module source address", "A module with a version must come from a registry.")
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
	d := errorAt(at, kind+" value not allowed", "%s values, or values derived from them, cannot be used as the source of a module.", kind)
	return hclconfig.Diagnostics{d}
}
