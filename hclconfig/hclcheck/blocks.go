// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// checkResource checks a resource, data or ephemeral block.
func (s *moduleScope) checkResource(r *hclconfig.Resource, check string) hclconfig.Diagnostics {
	if s.check.planning {
		return s.planResource(r, check)
	}
	at := setting{m: s, check: check, rep: repetitionOf(r.Count, r.ForEach), transient: r.Mode == addrs.Ephemeral}
	var out hclconfig.Diagnostics
	outside := setting{m: s, check: check}
	out = append(out, outside.repetition(r.Count, r.ForEach, false)...)
	out = append(out, outside.dependsOn(r.DependsOn)...)
	body := r.Config()
	at.merge(body, r.Block, r.OverriddenBy)
	if schema := s.schemaOf(r); schema != nil {
		out = append(out, at.bodyOf(schema, body)...)
	} else {
		unknown := s.unknownType(r)
		if out = append(out, unknown...); !unknown.HasErrors() {
			out = append(out, at.body(body)...)
		}
	}
	bodyFails := out.HasErrors()
	if r.Lifecycle != nil {
		if !bodyFails && r.Mode == addrs.Managed {
			out = append(out, s.lifecycle(r)...)
		}
		for _, rule := range r.Lifecycle.Preconditions {
			out = append(out, at.loose(rule.Condition)...)
			out = append(out, at.loose(rule.ErrorMessage)...)
		}
		inside := at
		inside.self = r
		for _, rule := range r.Lifecycle.Postconditions {
			out = append(out, inside.loose(rule.Condition)...)
			out = append(out, inside.loose(rule.ErrorMessage)...)
		}
	}
	if r.Mode == addrs.Managed {
		at.self = r
		for _, p := range r.Provisioners {
			out = append(out, at.provisioner(r, p)...)
			if out.HasErrors() {
				break
			}
		}
	}
	return out
}

// loose checks an expression even if its references are wrong.
func (at *setting) loose(e hclconfig.Expression) hclconfig.Diagnostics {
	_, diags := at.evaluate(e, true)
	diags = withoutSources(diags)
	return diags
}

func (at *setting) provisioner(r *hclconfig.Resource, p *hclconfig.Provisioner) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	at.transient = true
	if schema := provisionerSchemas[p.Type]; schema != nil {
		out = append(out, at.bodyOf(schema, p.Block.Body.Own())...)
	} else {
		out = append(out, at.body(p.Block.Body.Own())...)
	}
	for _, c := range []*hclconfig.Block{p.Connection, r.Connection} {
		if c != nil {
			out = append(out, at.bodyOf(connectionSchema, &c.Body)...)
		}
	}
	return out
}

// repetition checks count and for_each. Of a resource the programs say nothing
// about a for_each that is a set which is not known; of a module they always do.
func (at *setting) repetition(count, forEach hclconfig.Expression, always bool) hclconfig.Diagnostics {
	switch {
	case count.IsSet():
		return at.count(count)
	case forEach.IsSet():
		return at.forEach(forEach, always)
	}
	return nil
}

func (at *setting) count(e hclconfig.Expression) hclconfig.Diagnostics {
	v, diags := at.evaluate(e, false)
	diags = withoutSources(diags)
	if diags.HasErrors() {
		return diags
	}
	fail := func(format string, args ...any) hclconfig.Diagnostics {
		return append(diags, hclsource.ErrorAt(e.Range(), "Invalid count argument", format, args...))
	}
	converted, err := convert.Convert(v, cty.Number)
	if err != nil {
		return append(diags, hclsource.ErrorAt(e.Range(), "Incorrect value type", "Invalid expression value: %s.", err))
	}
	if langfuncs.Has(v, langfuncs.Ephemeral) {
		return fail("Ephemeral values, or values derived from ephemeral values, cannot be used as count arguments. If used, the ephemeral value could be exposed as a resource instance key.")
	}
	v, _ = converted.Unmark()
	switch {
	case v.IsNull():
		return fail(`The given "count" argument value is null. An integer is required.`)
	case !v.IsKnown():
		return diags
	}
	switch n := v.AsBigFloat(); {
	case !n.IsInt():
		return fail(`The given "count" argument value is unsuitable: value must be a whole number.`)
	case n.Sign() < 0:
		return fail(`The given "count" argument value is unsuitable: must be greater than or equal to zero.`)
	case n.Cmp(big.NewFloat(1<<62)) > 0:
		return fail(`The given "count" argument value is unsuitable: value is too large.`)
	}
	return diags
}

func (at *setting) forEach(e hclconfig.Expression, always bool) hclconfig.Diagnostics {
	v, diags := at.evaluate(e, false)
	if diags.HasErrors() {
		if at.m.check.dialect != hcllang.OpenTofu {
			return diags
		}
		// OpenTofu looks at what there is of the value.
		partial, ok := at.partial(e)
		switch {
		case ok && at.m.check.planning:
			return append(diags, hclsource.ErrorAt(e.Range(), "Invalid for_each argument", "The given \"for_each\" argument value cannot be evaluated."))
		case ok && partial.Type() == cty.DynamicPseudoType && !always:
			return nil // until the plan
		case !ok || partial.Type() == cty.DynamicPseudoType:
			return diags
		}
		v = partial
	}
	summary := "Invalid for_each argument"
	secret := v.IsMarked() && (langfuncs.Has(v, langfuncs.Sensitive) || langfuncs.Has(v, langfuncs.Ephemeral))
	if v.Type().IsSetType() && at.m.check.dialect == hcllang.Terraform && !v.IsNull() && !secret {
		summary = "Invalid for_each set argument"
	}
	return append(diags, forEachFaults(e, v, summary, always)...)
}

// forEachFaults checks the value of a for_each.
func forEachFaults(e hclconfig.Expression, v cty.Value, summary string, always bool) hclconfig.Diagnostics {
	var diags hclconfig.Diagnostics
	fail := func(format string, args ...any) {
		diags = append(diags, hclsource.ErrorAt(e.Range(), summary, format, args...))
	}
	if v.IsMarked() && langfuncs.Has(v, langfuncs.Sensitive) {
		fail("Sensitive values, or values derived from sensitive values, cannot be used as for_each arguments. If used, the sensitive value could be exposed as a resource instance key.")
		return diags
	}
	if v.IsMarked() && langfuncs.Has(v, langfuncs.Ephemeral) {
		fail("Ephemeral values, or values derived from ephemeral values, cannot be used as for_each arguments. If used, the ephemeral value could be exposed as a resource instance key.")
		return diags
	}
	v, _ = v.UnmarkDeep()
	t := v.Type()
	switch {
	case !v.IsKnown() && !always && t.IsSetType():
		// The programs ignore faults here.
	case v.IsKnown() && v.IsNull():
		fail("The given \"for_each\" argument value is unsuitable: the given \"for_each\" argument value is null. A map, or set of strings is allowed.")
	case t == cty.DynamicPseudoType || t.IsMapType() || t.IsObjectType():
	case !t.IsSetType():
		fail("The given \"for_each\" argument value is unsuitable: the \"for_each\" argument must be a map, or set of strings, and you have provided a value of type %s.", t.FriendlyName())
	case t.ElementType() != cty.String && t.ElementType() != cty.DynamicPseudoType:
		fail("The given \"for_each\" argument value is unsuitable: \"for_each\" supports sets of strings, but you have provided a set containing type %s.", t.ElementType().FriendlyName())
	case v.IsWhollyKnown():
		for it := v.ElementIterator(); it.Next(); {
			if _, x := it.Element(); x.IsNull() {
				fail("The given \"for_each\" argument value is unsuitable: \"for_each\" sets must not contain null values.")
				break
			}
		}
	}
	return diags
}

// partial returns what there is of the value of an expression that cannot be
// evaluated, unless what it refers to is at fault.
func (at *setting) partial(e hclconfig.Expression) (cty.Value, bool) {
	subjects, diags := at.subjects(e)
	ctx, more := at.references(subjects)
	if diags.HasErrors() || more.HasErrors() || !at.m.check.costs.Cheap(e, ctx) {
		return cty.DynamicVal, false
	}
	v, _ := hcleval.ValueOf(e, hcleval.WithProviderFunctions(e, ctx, at.m.builtIn), at.m.check.laxIndexes())
	return v, true
}

// body checks the expressions of a body without a schema.
func (at *setting) body(b *hclconfig.Body) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for i := range b.Arguments {
		a := &b.Arguments[i]
		if !at.structure && hclsource.Evaluated(hcllang.Kind(a.Expression.Kind())) {
			_, diags := at.evaluate(a.Expression, false)
			out = append(out, diags...)
		}
	}
	for i := range b.Blocks {
		out = append(out, at.nested(&b.Blocks[i])...)
	}
	return out
}

func (at *setting) nested(b *hclconfig.Block) hclconfig.Diagnostics {
	if !hclsource.IsDynamic(b) {
		return at.body(&b.Body)
	}
	made, _, out := at.expand(b)
	for _, inner := range made {
		before := len(out)
		for i := range b.Body.Blocks {
			out = append(out, inner.nested(&b.Body.Blocks[i])...)
		}
		if out[before:].HasErrors() {
			break // the others say the same
		}
	}
	return out
}

// checkCall checks the arguments of a module block that are its own.
func (s *moduleScope) checkCall(call *hclconfig.ModuleCall) hclconfig.Diagnostics {
	at := setting{m: s}
	out := at.repetition(call.Count, call.ForEach, true)
	if s.check.planning {
		out = append(out, at.enabled(call.Enabled)...)
	}
	return append(out, at.dependsOn(call.DependsOn)...)
}

// checkMissing checks a call of a module that is not there.
func (s *moduleScope) checkMissing(call *hclconfig.ModuleCall) hclconfig.Diagnostics {
	out := s.checkCall(call)
	at := setting{m: s, rep: byAny}
	inputs := call.Inputs()
	for i := range inputs.Arguments {
		_, diags := at.evaluate(inputs.Arguments[i].Expression, false)
		out = append(out, diags...)
	}
	return append(out, s.inputBlocks(call)...)
}

// inputBlocks returns the faults of the blocks of a call that are not its own: a
// module has no such blocks.
func (s *moduleScope) inputBlocks(call *hclconfig.ModuleCall) hclconfig.Diagnostics {
	if len(call.Block.Body.Blocks) == 0 {
		return nil
	}
	return slices.DeleteFunc(s.m.Diagnostics(), func(d hclconfig.Diagnostic) bool {
		return d.Summary != "Unsupported block type" || !hclsource.Contains(call.Block.Range(), d.Subject)
	})
}

// checkInputs compares the inputs of a call with the variables of the module.
func (s *moduleScope) checkInputs(call *hclconfig.ModuleCall, child *moduleScope) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	inputs := call.Inputs()
	required, merged := inputs, len(call.OverriddenBy) > 0
	if merged {
		required = call.Block.Body.Own() // as mergedFaults has it
	}
	for i := range inputs.Arguments {
		a := &inputs.Arguments[i]
		if _, ok := child.variables[a.Name]; !ok && !merged {
			var names []string
			if len(child.m.Variables) <= hclsource.MaxSuggested {
				for _, v := range child.m.Variables {
					names = append(names, v.Name)
				}
			}
			out = append(out, unsupported(a, hclsource.DidYouMean(a.Name, names)))
		}
	}
	if !merged {
		out = append(out, s.inputBlocks(call)...)
	}
	if out.HasErrors() && s.check.dialect == hcllang.Terraform && s.check.minor >= 15 {
		return out // which does not look further
	}
	for _, v := range child.m.Variables {
		if v.Required() && required.Argument(v.Name) == nil {
			out = append(out, hclsource.Missing(&call.Block.Body, v.Name))
		}
	}
	return out
}

// checkVariable checks the value that a variable gets, and its validations.
func (s *moduleScope) checkVariable(v *hclconfig.Variable, parent *moduleScope, input *hclconfig.Argument) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	scoped := s.variables[v.Name]
	if scoped.Variable != v {
		return nil // declared twice
	}
	value := scoped.value()
	if input != nil {
		at := setting{m: parent, rep: byAny}
		if s.check.planning {
			at.rep = repetitionOf(s.tree.Call.Count, s.tree.Call.ForEach)
		}
		given, diags := at.evaluate(input.Expression, false)
		out = append(out, diags...)
		if diags.HasErrors() {
			return out
		}
		if v.Deprecated.Value != "" && s.check.dialect == hcllang.OpenTofu {
			out = append(out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: "Variable marked as deprecated by the module author",
				Detail: fmt.Sprintf("Variable %q is marked as deprecated with the following message:\n%s", v.Name, v.Deprecated.Value), Subject: input.Expression.Range()})
		}
		if s.check.dialect == hcllang.OpenTofu {
			out = append(out, ignoredAttributes(v, input.Expression)...)
		}
		converted, diags := s.convertInput(scoped, input, given)
		out = append(out, diags...)
		if diags.HasErrors() {
			return out
		}
		value = converted
		if s.check.planning {
			if v.Ephemeral.Value {
				value = value.Mark(langfuncs.Ephemeral)
			}
			scoped.unknown = value
		}
	}
	if input == nil && parent != nil && v.Default.IsSet() {
		// A call without a value: the default is checked.
		if d, err := v.TypedDefault(); err == nil {
			value = d
			if v.Sensitive.Value {
				value = value.Mark(langfuncs.Sensitive)
			}
			if v.Ephemeral.Value {
				value = value.Mark(langfuncs.Ephemeral)
			}
		}
	}
	at := setting{m: s, own: v.Name, ownVal: value}
	for _, r := range v.Validations {
		out = append(out, at.validation(v, r, input)...)
	}
	return out
}

// convertInput converts the value of a call to the type of the variable.
func (s *moduleScope) convertInput(v *scopedVariable, input *hclconfig.Argument, given cty.Value) (cty.Value, hclconfig.Diagnostics) {
	c := s.check
	if langfuncs.Has(given, langfuncs.Ephemeral) && !v.Ephemeral.Value {
		return given, hclconfig.Diagnostics{hclsource.ErrorAt(input.Expression.Range(), c.words("Variable does not allow ephemeral value", "Ephemeral value not allowed"),
			"The value used for the variable %q is ephemeral, but it is not configured to allow one.", v.Name)}
	}
	v.value() // knows the type
	typ, defaults, err := v.typ, v.defaults, v.wrong
	if err != nil {
		return given, nil
	}
	unmarked, marks := given.UnmarkDeep()
	value := unmarked
	if defaults != nil && !value.IsNull() {
		value = defaults.Apply(value)
	}
	value, err = convert.Convert(value, typ)
	if err != nil {
		at := hclsource.DefRange(v.Block)
		summary := "Invalid value for input variable"
		if c.dialect == hcllang.Terraform {
			at = input.Expression.Range()
		}
		return given, hclconfig.Diagnostics{hclsource.ErrorAt(at, summary, "The given value is not suitable for var.%s declared at %s: %s.", v.Name, hclsource.DefRange(v.Block), err)}
	}
	if value.IsKnown() && value.IsNull() && v.Nullable.IsSet() && !v.Nullable.Value {
		if v.Required() {
			return given, hclconfig.Diagnostics{hclsource.ErrorAt(input.Expression.Range(), "Required variable not set",
				"The given value is not suitable for var.%s defined at %s: required variable may not be set to null.", v.Name, hclsource.DefRange(v.Block))}
		}
		if d, err := v.TypedDefault(); err == nil {
			value = d
		}
	}
	if v.Sensitive.Value {
		value = value.Mark(langfuncs.Sensitive)
	}
	return value.WithMarks(marks), nil
}

// validation checks one validation of a variable.
func (at *setting) validation(v *hclconfig.Variable, r *hclconfig.CheckRule, input *hclconfig.Argument) hclconfig.Diagnostics {
	subjects, out := at.subjects(r.Condition)
	more, diags := at.subjects(r.ErrorMessage)
	out = append(out, diags...)
	if out.HasErrors() {
		return out
	}
	ctx, diags := at.references(append(subjects, more...))
	out = append(out, diags...)
	for _, d := range append(at.functionNames(r.Condition), at.functionNames(r.ErrorMessage)...) {
		if at.m.check.dialect == hcllang.Terraform {
			d.Summary = "Call to unknown function"
		}
		out = append(out, d)
	}
	if out.HasErrors() {
		return out
	}
	result, diags := at.valueIn(r.Condition, ctx)
	out = append(out, diags...)
	message, diags := at.valueIn(r.ErrorMessage, ctx)
	out = append(out, diags...)
	if out.HasErrors() || !result.IsKnown() {
		return out
	}
	plain, _ := result.UnmarkDeep()
	ok, err := hcleval.BoolOf(plain)
	switch {
	case plain.IsNull():
		return append(out, hclsource.ErrorAt(r.Condition.Range(), "Invalid variable validation result", "Validation condition expression must return either true or false, not null."))
	case err != nil:
		return append(out, hclsource.ErrorAt(r.Condition.Range(), "Invalid variable validation result", "Invalid validation condition result value: a bool is required."))
	case ok:
		return out
	}
	text, err := hcleval.TextOf(message)
	switch {
	case langfuncs.Has(message, langfuncs.Sensitive):
		out = append(out, hclsource.ErrorAt(r.ErrorMessage.Range(), "Error message refers to sensitive values", "The error expression used to explain this condition refers to sensitive values."))
	case err != nil:
		text = "Failed to evaluate condition error message."
	}
	d := hclsource.ErrorAt(hclsource.DefRange(v.Block), "Invalid value for variable", "%s\n\nThis was checked by the validation rule at %s.", text, hclsource.DefRange(r.Block))
	if input != nil {
		d.Subject = input.Expression.Range()
	}
	return append(out, d)
}

// checkProvider checks a provider configuration.
func (s *moduleScope) checkProvider(p *hclconfig.Provider) hclconfig.Diagnostics {
	at := setting{m: s}
	if p.ForEach.IsSet() {
		at.rep = byEach
	}
	if p.ForEach.IsSet() && s.check.dialect == hcllang.OpenTofu {
		outside := setting{m: s}
		if diags := outside.forEach(p.ForEach, true); diags.HasErrors() {
			return diags
		}
	}
	if !s.check.used(s.tree, p) {
		return nil // the programs leave it out
	}
	at.transient = true
	body := p.Config()
	at.merge(body, p.Block, p.OverriddenBy)
	if schema := s.providerSchema(p.Name); schema != nil {
		out := at.bodyOf(schema, body)
		if at.merged == nil {
			return out
		}
		return slices.DeleteFunc(out, func(d hclconfig.Diagnostic) bool {
			return d.Summary == "Unsupported block type" && slices.ContainsFunc(body.Blocks, func(b hclconfig.Block) bool { return hclsource.IsDynamic(&b) && b.LabelRange(0) == d.Subject })
		})
	}
	return at.body(body)
}

// unsupported reports an argument that is not expected, in the words that the
// programs have for each syntax.
func unsupported(a *hclconfig.Argument, hint string) hclconfig.Diagnostic {
	summary := "Unsupported argument"
	if a.Expression.File().Syntax() == hclconfig.JSONSyntax {
		summary = "Extraneous JSON object property"
	}
	return hclsource.ErrorAt(a.NameRange(), summary, "An argument named %q is not expected here.%s", a.Name, hint)
}
