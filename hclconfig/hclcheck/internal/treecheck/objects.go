// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"math/big"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck/internal/filecheck"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclschema"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/tofuwire/tofuwire/internal/textspan"
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
	// Before there are instances, there is no count.index, each or self: count and for_each refer to none of them.
	outside := setting{m: s, check: check}
	out = append(out, outside.repetition(r.Count, r.ForEach, false)...)
	out = append(out, outside.dependsOn(r.DependsOn)...)
	body := r.Config()
	at.merge(body, r.Block, r.OverriddenBy)
	switch schema := s.schemaOf(r); {
	case s.lacksType(r):
		out = append(out, s.unknownType(r, r.Block.LabelRange(0))...)
	case schema != nil:
		found := append(at.bodyOf(schema, body), s.managedBlocks(r, schema)...)
		if out = append(out, found...); !found.HasErrors() || s.check.dialect == hcllang.Terraform && !stopsDecoding(found) {
			out = append(out, at.kitFaults(s.provider(r.ProviderName()), schema, body, schema.HasSDK())...)
		}
	default:
		out = append(append(out, at.body(body)...), s.managedBlocks(r, nil)...)
	}
	// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.validateResource. The lifecycle
	// block is looked at once the body has a value; conditions are looked at in any case.
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
		if r.Lifecycle != nil && s.check.has(hclsource.PreventDestroy) {
			for _, b := range append([]*hclconfig.Block{r.Block}, r.OverriddenBy...) {
				if l := b.Block("lifecycle"); l != nil && l.Argument("prevent_destroy") != nil {
					out = append(out, filecheck.PreventDestroy(l.Argument("prevent_destroy"))...)
				}
			}
		}
		at.self = r
		for _, p := range r.Provisioners {
			if out = append(out, at.provisioner(r, p)...); out.HasErrors() {
				break
			}
		}
		if s.check.dialect == hcllang.Terraform || len(r.Provisioners) == 0 || !out.HasErrors() {
			out = append(out, s.check.importsInto(resourceIn{s, r})...)
		}
	}
	return out
}

// managedBlocks reports blocks of a resource that only managed resources have. The programs take them for blocks of the
// provider, which are reported with the others that its schema lacks; OpenTofu has refused those of ephemeral resources
// when it read the file.
func (s *moduleScope) managedBlocks(r *hclconfig.Resource, schema *provschema.Block) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	if r.Mode == addrs.Managed || r.Mode == addrs.Data && schema != nil || r.Mode == addrs.Ephemeral && s.check.dialect == hcllang.OpenTofu {
		return nil
	}
	for i := range r.Block.Body.Blocks {
		if b := &r.Block.Body.Blocks[i]; b.Type == "provisioner" || b.Type == "connection" {
			// HCL, hclsyntax/structure.go: Body.Content.
			out = append(out, hclsource.ErrorAt(b.TypeRange(), "Unsupported block type", "Blocks of type %q are not expected here.", b.Type))
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

// repetition checks count and for_each. Of a resource the programs say nothing
// about a for_each that is a set which is not known; of a module OpenTofu does.
func (at *setting) repetition(count, forEach hclconfig.Expression, always bool) hclconfig.Diagnostics {
	switch {
	case count.IsSet():
		return at.count(count)
	case forEach.IsSet():
		return at.forEach(forEach, always)
	}
	return nil
}

// count checks a value of count: a whole number, which may be unknown before the plan.
//
// OpenTofu 1.12.6, internal/lang/evalchecks/eval_count.go: EvaluateCountExpression.
func (at *setting) count(e hclconfig.Expression) hclconfig.Diagnostics {
	v, diags := at.evaluate(e, false)
	diags = withoutSources(diags)
	if diags.HasErrors() {
		return diags
	}
	fail := func(format string, args ...any) hclconfig.Diagnostics {
		// OpenTofu 1.12.6, internal/lang/evalchecks/eval_count.go: EvaluateCountExpression.
		return append(diags, hclsource.ErrorAt(e.Range(), "Invalid count argument", format, args...))
	}
	converted, err := convert.Convert(v, cty.Number)
	if err != nil {
		// OpenTofu 1.12.6, internal/lang/eval.go: Scope.EvalExpr.
		return append(diags, hclsource.ErrorAt(e.Range(), "Incorrect value type", "Invalid expression value: %s.", err))
	}
	if langfuncs.Has(v, langfuncs.Ephemeral) && at.m.check.has(hclsource.EphemeralCounts) {
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

// forEach checks a value of for_each: a map, or a set of strings.
//
// OpenTofu 1.12.6, internal/lang/evalchecks/eval_for_each.go: EvaluateForEachExpression.
func (at *setting) forEach(e hclconfig.Expression, always bool) hclconfig.Diagnostics {
	v, diags := at.evaluate(e, false)
	if diags.HasErrors() {
		if !at.m.check.has(hclsource.PartialForEach) {
			return diags
		}
		// OpenTofu looks at what there is of the value.
		partial, ok := at.partial(e)
		switch {
		case ok && at.m.check.planning:
			// OpenTofu 1.12.6, internal/lang/evalchecks/eval_for_each.go: performTypeAndValueChecks.
			return append(diags, hclsource.ErrorAt(e.Range(), "Invalid for_each argument", "The given \"for_each\" argument value cannot be evaluated."))
		case ok && partial.Type() == cty.DynamicPseudoType && !always:
			return nil // until the plan
		case !ok || partial.Type() == cty.DynamicPseudoType:
			return diags
		}
		v = partial
	}
	if !at.m.check.has(hclsource.UnknownForEach) && !v.IsKnown() && !v.IsMarked() {
		return diags // whatever its type is
	}
	summary := "Invalid for_each argument"
	secret := v.IsMarked() && (langfuncs.Has(v, langfuncs.Sensitive) || langfuncs.Has(v, langfuncs.Ephemeral))
	// The summary has the word set up to OpenTofu 1.9, and in Terraform.
	if v.Type().IsSetType() && !at.m.check.has(hclsource.PartialForEach) && !v.IsNull() && !secret {
		// OpenTofu 1.9.0, internal/lang/evalchecks/eval_for_each.go: performSetTypeChecks.
		summary = "Invalid for_each set argument"
	}
	return append(diags, forEachFaults(e, v, summary, always && at.m.check.dialect == hcllang.OpenTofu)...)
}

// partial returns what there is of the value of an expression that cannot be
// evaluated, unless what it refers to is at fault.
func (at *setting) partial(e hclconfig.Expression) (cty.Value, bool) {
	ctx, diags := at.scope(e)
	if diags.HasErrors() {
		return cty.DynamicVal, false
	}
	v, _, kept := at.m.check.costs.Value(e, hcleval.WithProviderFunctions(e, ctx, at.m.builtInFunctions, at.m.signature), at.m.check.rules())
	return v, kept
}

// body checks the expressions of a body without a schema.
func (at *setting) body(b *hclconfig.Body) hclconfig.Diagnostics {
	out := at.m.check.dynamicLabelsIn(b)
	// Nothing says here which arguments there are, or of what type: only their expressions can be wrong.
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

// nested checks the expressions of a nested block without a schema, or of the blocks that a dynamic
// block makes.
func (at *setting) nested(b *hclconfig.Block) hclconfig.Diagnostics {
	if !hclsource.IsDynamic(b) {
		return at.body(&b.Body)
	}
	if !hclschema.HasLabel(b) {
		return nil
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
	if out.HasErrors() && s.check.has(hclsource.ConstantSources) {
		return out // which does not look further
	}
	for _, v := range child.m.Variables {
		// OpenTofu 1.12.6, internal/tofu/transform_module_variable.go: ModuleVariableTransformer.transformSingle decodes a
		// call by a schema of its variables.
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
	// The second declaration of a name is reported when the files are read.
	if scoped.Variable != v {
		return nil // declared twice
	}
	value := scoped.value()
	if input != nil {
		at := setting{m: parent, rep: byAny}
		if s.check.planning {
			at.rep = repetitionOf(s.tree.Call.Count, s.tree.Call.ForEach)
		}
		// OpenTofu 1.12.6, internal/tofu/node_module_variable.go: nodeModuleVariable.evalModuleVariable.
		given, diags := at.evaluate(input.Expression, false)
		out = append(out, diags...)
		if diags.HasErrors() {
			return out
		}
		if v.Deprecated.Value != "" && s.check.has(hclsource.DeprecatedInputs) {
			// OpenTofu 1.12.6, internal/tofu/eval_variable.go: evalVariableDeprecation.
			out = append(out, hclsource.WarningAt(input.Expression.Range(), "Variable marked as deprecated by the module author",
				"Variable %q is marked as deprecated with the following message:\n%s", v.Name, v.Deprecated.Value))
		}
		converted, diags := s.convertInput(scoped, input, given)
		out = append(out, diags...)
		if diags.HasErrors() {
			return out
		}
		if s.check.has(hclsource.IgnoredAttributes) {
			out = append(out, filecheck.IgnoredAttributes(v, input.Expression)...)
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
			s.check.costs.ReadValue(d)
			value = scoped.marked(d)
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
		// OpenTofu 1.12.6, internal/tofu/eval_variable.go: prepareFinalInputVariableValue.
		return given, hclconfig.Diagnostics{hclsource.ErrorAt(input.Expression.Range(), c.words("Variable does not allow ephemeral value", "Ephemeral value not allowed"),
			"The value used for the variable %q is ephemeral, but it is not configured to allow one.", v.Name)}
	}
	v.value() // knows the type
	typ, defaults, err := v.typ, v.defaults, v.wrong
	if err != nil {
		return given, nil
	}
	if !c.costs.Keep(input.Expression, given) { // once more, for the conversion
		return cty.UnknownVal(typ.WithoutOptionalAttributesDeep()).WithMarks(c.costs.Marks(given)), nil
	}
	unmarked, marks := given.UnmarkDeep()
	value := unmarked
	if defaults != nil && !value.IsNull() {
		value = hclbound.WithDefaults(defaults, value)
	}
	value, err = ctyconv.Convert(value, typ)
	if err != nil {
		at := input.Expression.Range()
		// The value may come from a file or a command line, which has no place in a configuration: OpenTofu names the
		// variable then.
		if c.has(hclsource.InputAtVariable) {
			at = hclsource.DefRange(v.Block)
		}
		// OpenTofu 1.12.6, internal/tofu/eval_variable.go: prepareFinalInputVariableValue.
		return given, hclconfig.Diagnostics{hclsource.ErrorAt(at, "Invalid value for input variable", "The given value is not suitable for var.%s declared at %s: %s.", v.Name, hclsource.DefRange(v.Block), err)}
	}
	// A null means the default of a variable that is not nullable.
	if value.IsKnown() && value.IsNull() && v.Nullable.IsSet() && !v.Nullable.Value {
		if v.Required() {
			// OpenTofu 1.12.6, internal/tofu/eval_variable.go: prepareFinalInputVariableValue.
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
	// OpenTofu 1.12.6, internal/tofu/eval_variable.go: evalVariableValidation makes one scope for the condition and its
	// message.
	ctx, diags := at.references(append(subjects, more...))
	out = append(out, diags...)
	for _, d := range append(at.functionNames(r.Condition), at.functionNames(r.ErrorMessage)...) {
		if at.m.check.dialect == hcllang.Terraform {
			// OpenTofu 1.12.6, internal/lang/eval.go: enhanceFunctionDiag.
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
		// OpenTofu 1.12.6, internal/tofu/eval_variable.go: evalVariableValidation.
		return append(out, hclsource.ErrorAt(r.Condition.Range(), "Invalid variable validation result", "Validation condition expression must return either true or false, not null."))
	case err != nil:
		return append(out, hclsource.ErrorAt(r.Condition.Range(), "Invalid variable validation result", "Invalid validation condition result value: a bool is required."))
	case ok:
		return out
	}
	text, err := hcleval.TextOf(message)
	switch {
	case langfuncs.Has(message, langfuncs.Sensitive):
		// OpenTofu 1.12.6, internal/tofu/eval_conditions.go: evalCheckErrorMessage.
		out = append(out, hclsource.ErrorAt(r.ErrorMessage.Range(), "Error message refers to sensitive values", "The error expression used to explain this condition refers to sensitive values."))
	case err != nil:
		text = "Failed to evaluate condition error message."
	}
	// OpenTofu 1.12.6, internal/tofu/eval_variable.go: evalVariableValidation. The fault is the caller's, if there is one.
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
	// OpenTofu 1.12.6, internal/tofu/transform_provider.go: PruneProviderTransformer.Transform.
	if !s.check.used(s.tree, p) {
		return nil // the programs leave it out
	}
	at.transient = true
	body := p.Config()
	at.merge(body, p.Block, p.OverriddenBy)
	if schema := s.providerSchema(p.Name); schema != nil {
		out := at.bodyOf(schema, body)
		if !out.HasErrors() {
			out = append(out, at.kitFaults(s.provider(p.Name), schema, body, s.provider(p.Name).HasSDK())...)
		}
		if at.merged == nil {
			return out
		}
		return slices.DeleteFunc(out, func(d hclconfig.Diagnostic) bool {
			return d.Summary == "Unsupported block type" && slices.ContainsFunc(body.Blocks, func(b hclconfig.Block) bool { return hclsource.IsDynamic(&b) && b.LabelRange(0) == d.Subject })
		})
	}
	return at.body(body)
}

// enabled checks the argument of that name.
func (at *setting) enabled(e hclconfig.Expression) hclconfig.Diagnostics {
	if !e.IsSet() {
		return nil
	}
	v, diags := at.evaluate(e, false)
	if diags.HasErrors() {
		return diags
	}
	plain, _ := v.UnmarkDeep()
	// A text that says true or false will do.
	if converted, err := convert.Convert(plain, cty.Bool); err != nil || converted.IsNull() {
		// OpenTofu 1.12.6, internal/lang/evalchecks/eval_lifecycle_enabled.go: EvaluateEnabledExpression.
		diags = append(diags, hclsource.ErrorAt(e.Range(), "Invalid enabled argument", "The value of enabled must be true or false."))
	}
	return diags
}

// splatTrigger reports an element of replace_triggered_by that has a splat.
//
// OpenTofu 1.12.6, internal/configs/resource.go: decodeReplaceTriggeredBy.
func splatTrigger(e hclconfig.Expression) hclconfig.Diagnostics {
	x, ok := hclsource.NativeForm(e)
	if _, isAddress := hclsource.AddressShape(x); !ok || isAddress {
		return nil
	}
	return hclconfig.Diagnostics{hclsource.ErrorAt(e.Range(), "Invalid replace_triggered_by expression", "Unexpected expression found in replace_triggered_by.")}
}

// triggerKeys reports count.index and each.key where there are no instances.
func (at *setting) triggerKeys(subjects []hclsource.Subject) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for i := range subjects {
		if s := &subjects[i]; s.Kind == hclsource.ToCount || s.Kind == hclsource.ToEach {
			if _, d := at.value(s); d != nil {
				out = append(out, *d)
			}
		}
	}
	return out
}

// lifecycle checks the attributes that the lifecycle block of a resource names.
func (s *moduleScope) lifecycle(r *hclconfig.Resource) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	schema := s.schemaOf(r)
	elements, _ := r.Lifecycle.IgnoreChanges.Elements()
	for _, e := range elements {
		if schema == nil {
			break
		}
		// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.validateResource compares each
		// name with the schema.
		p := hclsource.ReferencePiece(e)
		t, diags := hcl.RelTraversalForExpr(hclsource.OrNothing(p.Expr))
		if diags.HasErrors() {
			continue
		}
		diags2 := s.check.traversal(schema, p, t)
		out = append(out, diags2...)
		if a := hclschema.AttributeAt(schema, t); a != nil && a.Computed && !a.Optional && !diags2.HasErrors() {
			// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.validateResource.
			out = append(out, hclsource.WarningAt(r.Block.LabelRange(0), "Redundant ignore_changes element",
				"Adding an attribute name to ignore_changes ignores future changes to the argument in configuration. The attribute %s is decided by the provider alone and therefore there can be no configured value to compare with.", e.Raw()))
		}
	}
	elements, _ = r.Lifecycle.ReplaceTriggeredBy.Elements()
	at := setting{m: s, rep: repetitionOf(r.Count, r.ForEach)}
	for _, e := range elements {
		subjects, diags := at.subjects(e)
		if diags.HasErrors() {
			continue // reported with the structure
		}
		if faults := splatTrigger(e); faults != nil && s.check.dialect == hcllang.OpenTofu {
			out = append(out, faults...)
			continue
		}
		if !s.check.has(hclsource.TriggersChecked) {
			continue // known with the plan
		}
		if faults := at.triggerKeys(subjects); faults != nil {
			out = append(out, faults...)
			continue
		}
		for i := range subjects {
			if t := &subjects[i]; t.Kind == hclsource.ToResource {
				target, ok := s.Resources[t.Address()]
				if !ok {
					// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.validateResource.
					out = append(out, hclsource.ErrorAt(e.Range(), "Undeclared resource in replace_triggered_by", "Resource %s refers to %s in replace_triggered_by, but it is not declared in this module.", hclsource.Address(r), t.Address()))
				} else if schema := s.schemaOf(target); schema != nil {
					out = append(out, s.check.traversal(schema, t.Piece, t.Rest)...)
				}
			}
		}
	}
	return out
}

// checkLocal checks and remembers a local value.
func (s *moduleScope) checkLocal(l *hclconfig.Local) hclconfig.Diagnostics {
	at := setting{m: s}
	e := l.Argument.Expression
	subjects, _ := at.subjects(e)
	var diags hclconfig.Diagnostics
	for _, r := range subjects {
		// All other circles are cycles of the graph, which has no edge from a node to itself.
		if r.Kind == hclsource.ToLocal && r.Name == l.Name {
			// OpenTofu 1.12.6, internal/tofu/node_local.go: NodeLocal.Execute.
			diags = append(diags, r.Piece.ErrorAt(r.At, "Self-referencing local value", "Local value local.%s cannot use its own result as part of its expression.", l.Name))
		}
	}
	if diags != nil {
		return diags
	}
	v, diags := at.evaluate(e, false)
	if !diags.HasErrors() {
		s.values[l.Name] = v
	}
	return diags
}

// checkOutput checks an output.
func (s *moduleScope) checkOutput(o *hclconfig.Output) hclconfig.Diagnostics {
	at := setting{m: s}
	var out hclconfig.Diagnostics
	// OpenTofu 1.12.6, internal/tofu/node_output.go: NodeApplyableOutput.Execute. A value whose conditions fail is not
	// looked at.
	for _, r := range o.Preconditions {
		out = append(out, at.rule(r, "Module output value precondition", hclconfig.SeverityError)...)
	}
	if out.HasErrors() {
		return out
	}
	v, diags := at.evaluate(o.Value, false)
	out = append(out, diags...)
	out = append(out, at.dependsOn(o.DependsOn)...)
	root := s.tree.Parent == nil
	def := func(summary, format string, args ...any) {
		out = append(out, hclsource.ErrorAt(hclsource.DefRange(o.Block), summary, format, args...))
	}
	if root && o.Ephemeral.Value {
		// OpenTofu 1.12.6, internal/tofu/node_output.go: NodeApplyableOutput.validateEphemerality.
		if s.check.dialect == hcllang.Terraform {
			out = nil // before it evaluates anything
		}
		def(s.check.words("Invalid output configuration", "Ephemeral output not allowed"), "Root modules are not allowed to have outputs defined as ephemeral.")
		return out
	}
	if o.Ephemeral.Value && s.check.dialect == hcllang.Terraform && v.IsWhollyKnown() && !langfuncs.Has(v, langfuncs.Ephemeral) && !diags.HasErrors() {
		// As recorded of Terraform 1.11.4: testdata/releases.txt, testdata/meaning.
		out = append(out, hclsource.ErrorAt(o.Value.Range(), "Value not allowed in ephemeral output", "The output is declared as ephemeral, so its value must be ephemeral."))
		return out
	}
	// In OpenTofu the mark of a part counts only if the value is wholly known.
	looksInside := s.check.dialect == hcllang.Terraform || v.IsWhollyKnown() || v.IsMarked()
	if langfuncs.Has(v, langfuncs.Ephemeral) && looksInside && !o.Ephemeral.Value && !diags.HasErrors() {
		// OpenTofu 1.12.6, internal/tofu/node_output.go: NodeApplyableOutput.validateEphemerality.
		out = append(out, hclsource.ErrorAt(o.Value.Range(), s.check.words("Output does not allow ephemeral value", "Ephemeral value not allowed"),
			"The value that was generated for the output is ephemeral, but it is not configured to allow one."))
		return out
	}
	if root && !o.Sensitive.Value && langfuncs.Has(v, langfuncs.Sensitive) && !diags.HasErrors() {
		// OpenTofu 1.12.6, internal/tofu/node_output.go: NodeApplyableOutput.Execute.
		def("Output refers to sensitive values", "To reduce the risk of accidentally exporting sensitive data that was intended to be only internal, %s requires that any root module output containing sensitive data be explicitly marked as sensitive, to confirm your intent.\n\nIf you do intend to export this data, annotate the output value as sensitive by adding the following argument:\n    sensitive = true", s.check.dialect)
	}
	return out
}

// dependsOn checks a list of references to whole objects.
func (at *setting) dependsOn(e hclconfig.Expression) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	subjects, diags := at.subjects(e)
	out = append(out, diags...)
	for i := range subjects {
		s := &subjects[i]
		if len(s.Rest) > 0 {
			rest := textspan.Of(s.Piece.Span(s.Rest[0].SourceRange()).Start, s.All.End)
			// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: validateDependsOn.
			out = append(out, s.Piece.ErrorAt(rest, "Invalid depends_on reference", "References in depends_on must be to a whole object (resource, etc), not to an attribute of an object."))
		}
		if !out.HasErrors() {
			_, diags := at.references(subjects[i : i+1])
			out = append(out, diags...)
		}
	}
	return out
}

// rule checks a condition and its message, and whether the condition is known to fail.
func (at *setting) rule(r *hclconfig.CheckRule, what string, severity hclconfig.Severity) hclconfig.Diagnostics {
	ctx, out := at.ruleMessage(r)
	v, diags := at.valueIn(r.Condition, ctx)
	out = append(out, diags...)
	if out.HasErrors() || !v.IsKnown() {
		return out
	}
	return append(out, outcome(r, v, what+" failed", severity)...)
}

// ruleMessage checks the references of a rule and its message.
func (at *setting) ruleMessage(r *hclconfig.CheckRule) (ctx *hcl.EvalContext, out hclconfig.Diagnostics) {
	ctx, out = at.scope(r.Condition, r.ErrorMessage)
	v, diags := at.valueIn(r.ErrorMessage, ctx)
	out = append(out, diags...)
	if diags.HasErrors() {
		return ctx, out
	}
	message := func(severity hclconfig.Severity, summary, detail string) {
		out = append(out, hclconfig.Diagnostic{Severity: severity, Summary: summary, Detail: detail, Subject: r.ErrorMessage.Range()})
	}
	plain, _ := v.UnmarkDeep()
	switch _, err := hcleval.TextOf(plain); {
	case !plain.IsKnown() && plain.Type() != cty.String && !plain.Type().IsPrimitiveType() && plain.Type() != cty.DynamicPseudoType:
		// OpenTofu 1.12.6, internal/tofu/eval_conditions.go: evalCheckErrorMessage.
		message(hclconfig.SeverityError, "Invalid error message", "Unsuitable value for error message: string required.")
	case !plain.IsKnown():
	// OpenTofu 1.12.6, internal/tofu/eval_conditions.go: evalCheckErrorMessage. What a condition hides, its message must
	// not show.
	case plain.IsNull():
		message(hclconfig.SeverityError, "Invalid error message", "Unsuitable value for error message: must not be null.")
	case err != nil && !plain.Type().IsPrimitiveType():
		message(hclconfig.SeverityError, "Invalid error message", "Unsuitable value for error message: string required.")
	case langfuncs.Has(v, langfuncs.Sensitive):
		message(hclconfig.SeverityWarning, "Error message refers to sensitive values", "The error expression used to explain this condition refers to sensitive values, so the program will not display the resulting message.")
	case langfuncs.Has(v, langfuncs.Ephemeral):
		message(hclconfig.SeverityWarning, "Error message refers to ephemeral values", "The error expression used to explain this condition refers to ephemeral values, so the program will not display the resulting message.")
	}
	return ctx, out
}

// outcome reports a known result of a condition that is not true.
func outcome(r *hclconfig.CheckRule, v cty.Value, failed string, severity hclconfig.Severity) hclconfig.Diagnostics {
	v, _ = v.UnmarkDeep()
	if v.IsNull() {
		// OpenTofu 1.12.6, internal/tofu/eval_conditions.go: evalCheckRule.
		return hclconfig.Diagnostics{hclsource.ErrorAt(r.Condition.Range(), "Invalid condition result", "Condition expression must return either true or false, not null.")}
	}
	ok, err := hcleval.BoolOf(v)
	switch {
	case err != nil:
		// OpenTofu 1.12.6, internal/tofu/eval_conditions.go: evalCheckRule.
		return hclconfig.Diagnostics{hclsource.ErrorAt(r.Condition.Range(), "Invalid condition result", "Invalid condition result value: a bool is required.")}
	case !ok:
		text, _ := r.ErrorMessage.Text()
		return hclconfig.Diagnostics{{Severity: severity, Summary: failed, Detail: text, Subject: r.Condition.Range()}}
	}
	return nil
}

// checkCheck checks the assertions of a check block.
func (s *moduleScope) checkCheck(k *hclconfig.Check) hclconfig.Diagnostics {
	at := setting{m: s, check: k.Name}
	var out hclconfig.Diagnostics
	// OpenTofu 1.12.6, internal/tofu/node_check.go: nodeCheckAssert.Execute. Before the plan the result of an assertion is
	// not looked at.
	for _, r := range k.Asserts {
		_, diags := at.ruleMessage(r)
		out = append(out, diags...)
	}
	return out
}
