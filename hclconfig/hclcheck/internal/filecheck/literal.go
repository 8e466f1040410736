// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package filecheck

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/ext/typeexpr"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// IgnoredAttributes warns of attributes in an object that is written down, which the
// type of the variable does not have: the conversion drops them. OpenTofu does not look at JSON.
func IgnoredAttributes(v *hclconfig.Variable, e hclconfig.Expression) hclconfig.Diagnostics {
	if !v.Type.IsSet() || e.File().Syntax() == hclconfig.JSONSyntax {
		return nil
	}
	typ, _, err := v.TypeConstraint()
	if err != nil {
		return nil
	}
	var out hclconfig.Diagnostics
	for m, attributes := range hcleval.Dropped(typ, e) {
		// OpenTofu 1.12.6, internal/configs/named_values.go: lintVariableDefaultValue.
		out = append(out, hclsource.WarningAt(m.Key.Range(), "Object attribute is ignored",
			"The object type does not include an attribute named %q, so this definition is unused.%s", m.Name, hclsource.DidYouMeanKey(m.Name, attributes)))
	}
	return out
}

// PreventDestroy checks a constant value of prevent_destroy, which is any expression since OpenTofu 1.12. In JSON a
// text is no template.
func PreventDestroy(a *hclconfig.Argument) hclconfig.Diagnostics {
	v, err := a.Constant()
	if err == nil {
		_, err = convert.Convert(v, cty.Bool)
	} else if hclsource.Native(a.Expression) != nil || !strings.Contains(a.Expression.Raw(), "${") {
		err = nil // known with the plan
	}
	if err == nil {
		return nil
	}
	// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.Execute.
	return hclconfig.Diagnostics{hclsource.ErrorAt(a.Expression.Range(), "Invalid value for prevent_destroy", "The argument %q must be true or false.", a.Name)}
}

// passedOver reports whether the tool does not look at the kind of an argument's value,
// or whether it has a rule of its own, which is then checked.
func (c *checker) passedOver(a *hclconfig.Argument, body hclsource.Body, lit hcllang.Literal) bool {
	if a.Name == "prevent_destroy" && c.has(hclsource.PreventDestroy) {
		if !c.loading {
			c.out = append(c.out, PreventDestroy(a)...)
		}
		return true
	}
	// OpenTofu 1.12.6, internal/tofu/node_resource_abstract.go: skipDestroyValueFromConstantExpression.
	if a.Name == "destroy" && lit == hcllang.StrictBool && c.dialect == hcllang.OpenTofu {
		return true // likewise; only the plan looks at it
	}
	if a.Name == "required_version" && !hclsource.IsTofu(c.f) && c.has(hclsource.RequiredVersionInTofu) {
		return true // not looked at
	}
	if c.dialect == hcllang.OpenTofu && body.Spec.Rest == hcllang.RestStatic && hclsource.Needs(a.Expression) && !hclsource.NeedsEarly(a.Expression) {
		return true // a key provider or method, which encryption settings may always name
	}
	// The programs decode these settings by the schema of the backend, when they initialize it.
	if c.backend || body.Spec.Rest == hcllang.RestStatic && c.dialect == hcllang.OpenTofu && !c.has(hclsource.EarlyEvaluation) {
		return true // ignored by validate, refused by init
	}
	return false
}

// literal checks an argument that must be a constant of some type.
func (c *checker) literal(a *hclconfig.Argument, body hclsource.Body, m hcllang.Member) {
	lit := hcllang.AnyLiteral
	if m.Arg != nil {
		lit = m.Arg.Lit
	}
	if c.passedOver(a, body, lit) {
		return
	}
	v, err := a.Constant()
	var diags hclconfig.Diagnostics
	if err != nil {
		v, diags = a.Expression.Value(nil) // unknown without diagnostics where a part is missing, which has been reported
	}
	if diags.HasErrors() {
		c.literalFaults(a, lit, diags)
		return
	}
	if hclsource.IsTest(c.f) && c.testLiteral(a, body, v) {
		return
	}
	want := map[hcllang.Literal]string{hcllang.StringLiteral: "a string", hcllang.BoolLiteral: "true or false", hcllang.NumberLiteral: "a number", hcllang.StrictBool: "true or false"}[lit]
	if want == "" {
		return
	}
	// Constraints are not decoded as texts: null is like absence, and what is no string has words of its own.
	if a.Name == "required_version" || a.Name == "opentofu" {
		if _, err := a.Text(); err != nil && !v.IsNull() {
			// OpenTofu 1.12.6, internal/configs/version_constraint.go: decodeVersionConstraintValue.
			c.report(a.Expression.Range(), "Invalid version constraint", "A string is required.")
		}
		return
	}
	if body.Spec == hcllang.ModuleBlock && a.Name == "version" {
		return // see call
	}
	switch {
	case !v.IsKnown():
		// Unreadable parts have been reported.
	case v.IsNull() && (body.Spec == hcllang.TerraformBlock || body.Spec == hcllang.ProviderBlock && a.Name == "version"):
		// A version constraint may be null, as if it were absent.
	// HCL, gohcl/decode.go: DecodeExpression, which says the same of whatever does not fit the type.
	case v.IsNull():
		c.report(hclsource.StartRange(a.Expression), "Unsuitable value type", "The argument %q cannot be null: %s is required.", a.Name, want)
	case lit == hcllang.StrictBool && v.Type() != cty.Bool:
		c.report(hclsource.StartRange(a.Expression), "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
	default:
		var err error
		if lit == hcllang.StringLiteral {
			_, err = a.Text()
		} else if lit == hcllang.BoolLiteral {
			_, err = a.Bool()
		}
		if err != nil {
			c.report(hclsource.StartRange(a.Expression), "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
		}
	}
}

// literalFaults reports why a literal cannot be evaluated, and that it is not known then, where the release says both.
func (c *checker) literalFaults(a *hclconfig.Argument, lit hcllang.Literal, diags hclconfig.Diagnostics) {
	if hclsource.Needs(a.Expression) {
		if at, cut := c.cutAt(a.Expression); cut {
			// HCL, traversal.go: Traversal.TraverseAbs.
			c.report(at, "Variables not allowed", "Variables may not be used here.")
		} else {
			c.out = append(c.out, diags...)
		}
		if !c.has(hclsource.OneFaultOfLiterals) && lit != hcllang.AnyLiteral && a.Name != "required_version" && a.Name != "version" {
			// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
			c.report(hclsource.StartRange(a.Expression), "Unsuitable value type", "Unsuitable value: value must be known")
		}
		return
	}
	// The programs compute with numbers of 512 bits, and have no number that is too large.
	faults := finite(diags)
	c.out = append(c.out, faults...)
	endless := diags.HasErrors() && !faults.HasErrors()
	isPart := func(d hclconfig.Diagnostic) bool { return d.Summary == "Invalid template interpolation value" }
	if !endless && !slices.ContainsFunc(diags, func(d hclconfig.Diagnostic) bool { return !isPart(d) }) {
		// HCL, hclsyntax/expression_template.go: TemplateExpr.Value returns the text without the part that has the
		// fault.
		return // the rest is a text
	}
	if (endless || !c.has(hclsource.OneFaultOfLiterals)) && lit != hcllang.AnyLiteral && a.Name != "required_version" && a.Name != "version" {
		// HCL, gohcl/decode.go: DecodeExpression converts what was evaluated, although that has a fault.
		c.report(hclsource.StartRange(a.Expression), "Unsuitable value type", "The argument %q must be a known value of another type.", a.Name)
	}
}

// finite removes what is said of numbers without end, which the programs take for
// numbers.
func finite(diags hclconfig.Diagnostics) hclconfig.Diagnostics {
	return slices.DeleteFunc(slices.Clone(diags), func(d hclconfig.Diagnostic) bool { return d.Summary == "Number out of range" })
}

// isText reports whether e is a constant string, and not a value that becomes one.
func isText(e hclconfig.Expression) bool {
	if _, err := e.Text(); err != nil {
		return false
	}
	v, diags := e.Value(nil)
	return diags.HasErrors() || v.Type() == cty.String
}

// testLiteral checks a constant of a test file, and reports whether nothing else
// needs to be checked.
func (c *checker) testLiteral(a *hclconfig.Argument, body hclsource.Body, v cty.Value) bool {
	switch in := body.Spec.Name; {
	case strings.HasPrefix(in, "override_") && (a.Name == "values" || a.Name == "outputs"), in != "" && a.Name == "defaults" && strings.HasPrefix(in, "mock_"):
		if v.IsNull() || !v.Type().IsObjectType() {
			switch {
			case c.dialect == hcllang.OpenTofu:
				// OpenTofu 1.12.6, internal/configs/test_file.go: parseObjectAttrWithNoVariables.
				c.report(a.NameRange(), "Object expected", "The argument %s must be an object.", a.Name)
			case a.Name != "defaults":
				c.report(a.NameRange(), "Invalid "+a.Name+" attribute", "The argument %s must be an object.", a.Name)
			}
		}
		return true
	case in != "module":
		return false
	case a.Name == "source":
		text, err := hcleval.TextOf(v)
		if err != nil || body.Argument("version") != nil {
			return err == nil // reported with the version
		}
		if _, err := addrs.ParseModuleSource(text); err != nil {
			// OpenTofu 1.12.6, internal/configs/module_call.go: decodeModuleBlock.
			c.reportError(a.NameRange(), "Invalid module source address", err)
		}
		return true
	case a.Name == "version":
		if source := body.Argument("source"); source != nil {
			if text, err := source.Text(); err == nil {
				if _, err := addrs.ParseModuleRegistrySource(text); err != nil {
					// OpenTofu 1.12.6, internal/configs/test_file.go: decodeTestRunModuleBlock. With a version the source
					// must be that of a registry.
					c.reportError(source.NameRange(), "Invalid registry module source address", err)
				}
			}
		}
		if v.IsNull() {
			return true
		}
		text, err := hcleval.TextOf(v)
		if err == nil {
			_, err = hclsource.LooseConstraints(text)
			// For a module in a registry any version would do, which an author hardly means with an empty text.
			if text == "" {
				err = errors.New("a version constraint must not be empty")
			}
		}
		if err != nil {
			// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
			c.reportError(a.Expression.Range(), "Invalid version constraint", err)
		}
		return true
	}
	return false
}

// typeConstraint reports the faults of a type, at HCL's places.
func (c *checker) typeConstraint(e hclconfig.Expression) {
	_, _, err := e.TypeConstraint()
	if err == nil {
		return
	}
	p := hclsource.PieceOf(e)
	// HCL, ext/typeexpr/get_type.go: getType reads a text in JSON as a keyword or a call.
	if _, isCall := p.Expr.(*hclsyntax.FunctionCallExpr); hclsource.First(e) == '"' && e.File().Syntax() == hclconfig.JSONSyntax && !isCall {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		c.report(e.Range(), "Invalid type specification", "%s.", hclsource.UpperFirst(err.Error()))
		return
	}
	if p.Expr != nil && !hclsource.IsQuoted(e) && !hclbound.IsTypeTooDeep(p.Expr) {
		p.FromQuote = p.Str != nil // the programs count from the quote
		if _, _, diags := typeexpr.TypeConstraintWithDefaults(p.Expr); diags.HasErrors() {
			c.out = append(c.out, p.Diagnostics(diags)...)
			return
		}
	}
	summary := "Invalid type specification"
	if hclsource.IsQuoted(e) {
		// OpenTofu 1.12.6, internal/configs/named_values.go: decodeVariableType.
		summary = "Invalid quoted type constraints"
		if text, err := e.Text(); err == nil && text != "string" && text != "list" && text != "map" {
			summary = "Invalid legacy variable type hint"
		}
	}
	c.reportError(e.Range(), summary, err)
}

// cutAt returns where the grammar of an old release ends a native expression: before the first
// function in a namespace, whose first word is read as a reference.
func (c *checker) cutAt(e hclconfig.Expression) (addrs.Range, bool) {
	if c.f.Syntax() != hclconfig.NativeSyntax || c.has(hclsource.ProviderFunctions) || !strings.Contains(e.Raw(), "::") {
		return addrs.Range{}, false
	}
	// Functions have namespaces since HCL 2.20. The grammar before that ends an expression before a colon.
	for _, call := range hclsource.Calls(e) {
		if strings.Contains(call.Name, "::") {
			return call.At, true
		}
	}
	return addrs.Range{}, false
}
