// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclschema"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// merge says that a body is that of base with what override files changed.
func (at *setting) merge(body *hclconfig.Body, base *hclconfig.Block, overrides []*hclconfig.Block) {
	if len(overrides) > 0 {
		at.merged, at.base = body, base.Body.Own()
	}
}

// mergedFaults returns the faults of the arguments in a body that override files
// changed. The programs do not look at what the schema does not have, and want what
// is required where the block is declared.
func (at *setting) mergedFaults(schema *provschema.Block, c *hclconfig.Content) hclconfig.Diagnostics {
	// OpenTofu 1.12.6, internal/configs/hcl2shim/merge_body.go: mergeBody.Content.
	c.Extra, c.ExtraBlocks = nil, nil
	isMissing := func(d hclconfig.Diagnostic) bool { return d.Summary == "Missing required argument" }
	out := slices.DeleteFunc(slices.Clone(c.Diagnostics), func(d hclconfig.Diagnostic) bool {
		return isMissing(d) || d.Summary == "Unsupported argument"
	})
	for _, d := range hclschema.Content(schema, at.base).Diagnostics {
		if isMissing(d) {
			out = append(out, d)
		}
	}
	return out
}

// bodyOf checks a body with its schema: first its references, then its content.
func (at *setting) bodyOf(schema *provschema.Block, b *hclconfig.Body) hclconfig.Diagnostics {
	declared := *at
	declared.static = true
	// OpenTofu 1.12.6, internal/lang/eval.go: Scope.ExpandBlock and Scope.EvalBlock. The references of a whole body are
	// compared with the declarations before anything is evaluated: one that is wrong leaves the body without values.
	_, first := declared.bodyReferences(schema, b)
	// Now with the values, since they decide which blocks a dynamic block makes.
	expanded, out := at.bodyReferences(schema, b)
	if first.HasErrors() {
		return append(expanded, first...)
	}
	if out = append(expanded, out...); len(out) > len(expanded) && out.HasErrors() {
		return out
	}
	inner := *at
	inner.whole, inner.reached = hclsource.Missing(b, "").Subject, b
	found := inner.bodyValues(schema, b)
	if stopsDecoding(found) {
		found = slices.DeleteFunc(found, func(d hclconfig.Diagnostic) bool { return d.Summary == ephemeralInTerraform })
	}
	// A warning about a value has the place to which its path leads.
	for i, d := range found {
		if d.Summary == deprecatedSource {
			found[i].Subject = deprecatedPlace(schema, b, d.Subject)
		}
	}
	return append(out, found...)
}

// deprecatedPlace returns where OpenTofu places what is said of a deprecated value at an expression in a block. For an
// argument of the block itself, whichever it is, that is the last of all in the order of their names; otherwise, and if
// that is not set, it is the block. The program keeps the path of the value, and the walk over the values goes on to write
// into it.
//
// OpenTofu 1.12.6, internal/lang/marks/marks.go: ExtractDeprecationDiagnosticsWithBody.
func deprecatedPlace(schema *provschema.Block, b *hclconfig.Body, at addrs.Range) addrs.Range {
	last := ""
	for name := range schema.Implied.AttributeTypes() {
		last = max(last, name)
	}
	isOwn := slices.ContainsFunc(b.Arguments, func(a hclconfig.Argument) bool {
		return schema.Attributes[a.Name] != nil && hclsource.Contains(a.Expression.Range(), at)
	})
	if a := b.Argument(last); a != nil && isOwn {
		return a.Expression.Range()
	}
	return hclsource.Missing(b, "").Subject
}

// bodyReferences checks the references in the arguments that the schema has. Errors in
// the for_each of dynamic blocks are in expanded: the programs go on after them.
func (at *setting) bodyReferences(schema *provschema.Block, b *hclconfig.Body) (expanded, out hclconfig.Diagnostics) {
	c := hclschema.Content(schema, b)
	check := func(e hclconfig.Expression) hclconfig.Diagnostics {
		subjects, diags := at.subjects(e)
		_, more := at.references(subjects)
		return append(diags, more...)
	}
	inside := func(at *setting, schema *provschema.Block, b *hclconfig.Body) {
		first, second := at.bodyReferences(schema, b)
		expanded, out = append(expanded, first...), append(out, second...)
	}
	if !at.structure {
		for _, a := range c.Arguments {
			out = append(out, check(a.Expression)...)
		}
	}
	for _, n := range c.Blocks {
		if hclsource.IsDynamic(n) {
			nested := hclschema.Nested(schema, b, hclsource.Label(n, 0))
			faults := check(hclsource.Expr(n, "for_each"))
			expanded = append(expanded, faults...)
			if nested == nil || faults.HasErrors() {
				continue
			}
			// The programs look for references in the blocks that are made, with their iterators.
			made, _, _ := at.expand(n)
			for _, inner := range made {
				before := len(out)
				inside(inner, nested.Block, contentOf(n))
				if len(out) > before {
					break // the others say the same
				}
			}
			continue
		}
		if nested := hclschema.Nested(schema, b, n.Type); nested != nil && hclschema.Fits(nested, n) {
			inside(at, nested.Block, &n.Body)
		}
	}
	return expanded, out
}

// duplicateBlockAt reports a second block of a type, or of a key where they have keys.
func duplicateBlockAt(b *hclconfig.Block, name string) hclconfig.Diagnostic {
	return hclsource.ErrorAt(hclsource.DefRange(b), "Duplicate "+name+" block", "Only one block of type %q is allowed with the same key.", name)
}

// bodyValues checks the structure of a body and the values of its arguments.
func (at *setting) bodyValues(schema *provschema.Block, b *hclconfig.Body) hclconfig.Diagnostics {
	c := hclschema.Content(schema, b)
	out := slices.Clone(c.Diagnostics)
	if b == at.merged {
		out = at.mergedFaults(schema, c)
	}
	out = append(out, at.m.check.dynamicLabelsIn(b)...)
	reported := map[addrs.Range]bool{}
	if len(c.Extra) > 0 {
		for _, d := range out {
			reported[d.Subject] = true
		}
	}
	c.Extra = slices.DeleteFunc(c.Extra, func(a *hclconfig.Argument) bool { return reported[a.NameRange()] })
	// HCL, hclsyntax/structure.go: Body.Content.
	if len(c.Extra)+len(c.ExtraBlocks) > 0 {
		out = append(out, extra(c, hclschema.Names(schema), hclschema.Names(&provschema.Block{Blocks: schema.Blocks}))...)
	}
	if !at.structure {
		for _, a := range c.Arguments {
			out = append(out, at.attribute(schema.Attributes[a.Name], a)...)
		}
	}
	out = append(out, at.nestedBlocks(schema, b, c)...)
	// OpenTofu 1.12.6, internal/tofu/node_resource_validate.go: NodeValidatableResource.validateResource.
	if !out.HasErrors() { // the programs ask the built-in provider then
		for _, a := range c.Arguments {
			out = append(out, at.builtInFaults(schema.Attributes[a.Name], a)...)
		}
		if schema == hclschema.BuiltIn().RemoteState && !out.HasErrors() {
			out = append(out, at.localState(b)...)
		}
	}
	return out
}

// builtInFaults makes the checks of the built-in provider of the value of an argument.
//
// OpenTofu 1.12.6, internal/builtin/providers/tf/resource_data.go: validateDataStoreResourceConfig;
// internal/builtin/providers/tf/data_source_state.go: dataSourceRemoteStateValidate.
func (at *setting) builtInFaults(schema *provschema.Attribute, a *hclconfig.Argument) hclconfig.Diagnostics {
	b := hclschema.BuiltIn()
	if schema != b.ID && schema != b.Output && schema != b.Backend {
		return nil
	}
	v, _ := at.evaluate(a.Expression, false)
	v, _ = v.UnmarkDeep()
	switch text, err := hcleval.TextOf(v); {
	case v.IsNull():
	case schema != b.Backend:
		return hclconfig.Diagnostics{hclsource.ErrorAt(a.NameRange(), fmt.Sprintf("%q attribute is read-only", a.Name), "The attribute cannot be set.")}
	case v.IsKnown() && err == nil && !slices.Contains(hclschema.Backends, text):
		return hclconfig.Diagnostics{hclsource.ErrorAt(a.Expression.Range(), "Invalid backend configuration", "There is no backend type named %q.", text)}
	}
	return nil
}

// localState checks the configuration of a terraform_remote_state that reads a
// local file: the one backend with a known schema here.
func (at *setting) localState(b *hclconfig.Body) hclconfig.Diagnostics {
	backend, config := b.Argument("backend"), b.Argument("config")
	if backend == nil || config == nil {
		return nil
	}
	// The schemas of the other backends are large and change often, and few configurations name them here.
	if v, _ := at.evaluate(backend.Expression, false); !v.RawEquals(cty.StringVal("local")) {
		return nil
	}
	v, diags := at.evaluate(config.Expression, false)
	if v, _ = v.UnmarkDeep(); diags.HasErrors() || !v.IsWhollyKnown() || v.IsNull() || v.Type().IsMapType() {
		return nil
	}
	fail := func(format string, args ...any) hclconfig.Diagnostics {
		// OpenTofu 1.12.6, internal/builtin/providers/tf/data_source_state.go: dataSourceRemoteStateValidate.
		return hclconfig.Diagnostics{hclsource.ErrorAt(config.Expression.Range(), "Invalid backend configuration", format, args...)}
	}
	if !v.Type().IsObjectType() {
		return fail("The configuration of the backend local must be an object.")
	}
	// OpenTofu 1.12.6, internal/backend/local/backend.go: Local.ConfigSchema has these two.
	members := v.AsValueMap()
	for _, name := range slices.Sorted(maps.Keys(members)) {
		text, err := convert.Convert(members[name], cty.String)
		switch {
		case name != "path" && name != "workspace_dir":
			return fail("The backend local has no argument %q.", name)
		case err != nil:
			return fail("The argument %q of the backend local must be a string.", name)
		case name == "path" && text.RawEquals(cty.StringVal("")):
			d := hclsource.Missing(b, name)
			// OpenTofu 1.12.6, internal/backend/local/backend.go: Local.PrepareConfig.
			d.Summary, d.Detail = "Invalid local state file path", "The path of the backend local must not be empty."
			return hclconfig.Diagnostics{d}
		}
	}
	return nil
}

// attribute checks the value of an argument.
func (at *setting) attribute(schema *provschema.Attribute, a *hclconfig.Argument) hclconfig.Diagnostics {
	v, out := at.partOf(a.Expression, false)
	if schema == nil {
		return out
	}
	// The programs convert what an expression with an error still has for a value, such as a list with
	// an element that could not be evaluated.
	failed := out.HasErrors()
	converted, err := ctyconv.Convert(v, schema.Type)
	// The place and the summary of a second error would be those of the first.
	if failed && err == nil {
		return out
	}
	if err == nil && !at.transient {
		if faults := at.ephemeralFaults(schema, a, converted); faults != nil {
			return append(out, faults...)
		}
	}
	if err != nil {
		// As recorded of Terraform 1.5.7 to 1.11.4: testdata/releases.txt, testdata/meaning.
		return append(out, hclsource.ErrorAt(a.Expression.Range(), "Incorrect attribute value type", "Inappropriate value for attribute %q: %s.", a.Name, err))
	}
	return out
}

// ephemeralInTerraform is what Terraform says of an ephemeral value, as recorded of 1.10 to 1.15.
const ephemeralInTerraform = "Invalid use of ephemeral value"

// stopsDecoding reports whether a block has other errors than ephemeral values. Terraform looks for these in blocks that it
// could decode, and after it has asked the provider about them.
func stopsDecoding(found hclconfig.Diagnostics) bool {
	return slices.ContainsFunc(found, func(d hclconfig.Diagnostic) bool { return isError(d) && d.Summary != ephemeralInTerraform })
}

func isError(d hclconfig.Diagnostic) bool { return d.Severity == hclconfig.SeverityError }

// ephemeralFaults reports what is ephemeral in the value of an attribute where nothing around it is
// write-only.
func (at *setting) ephemeralFaults(schema *provschema.Attribute, a *hclconfig.Argument, v cty.Value) hclconfig.Diagnostics {
	if !langfuncs.Has(v, langfuncs.Ephemeral) {
		return nil
	}
	var out hclconfig.Diagnostics
	_, marks := v.UnmarkDeepWithPaths()
	for _, m := range marks {
		// A write-only attribute is sent to the provider and stored nowhere.
		if _, ok := m.Marks[langfuncs.Ephemeral]; !ok || schema.InWriteOnly(m.Path) {
			continue
		}
		place := at.ephemeralPlace(schema, a, m.Path)
		if slices.ContainsFunc(out, func(d hclconfig.Diagnostic) bool { return d.Subject == place }) {
			continue
		}
		// OpenTofu 1.12.6, internal/lang/eval.go: validEphemeralReferences.
		out = append(out, hclsource.ErrorAt(place, at.m.check.words("Ephemeral value used in non-ephemeral context", ephemeralInTerraform),
			"Attribute %q is referencing an ephemeral value but ephemeral values can be referenced only by other ephemeral attributes or by write-only ones.", a.Name))
	}
	return out
}

// ephemeralPlace returns where the programs place an ephemeral value at a path in the value of an argument: at the
// argument, or at the whole block if they cannot follow the path. OpenTofu looks for attributes of nested types in the
// block itself, Terraform follows no paths into nested blocks, and neither one into sets and what dynamic blocks make.
//
// OpenTofu 1.12.6, internal/tfdiags/contextual.go: attributeDiagnostic.ElaborateFromConfigBody. Terraform as recorded.
func (at *setting) ephemeralPlace(schema *provschema.Attribute, a *hclconfig.Argument, path cty.Path) addrs.Range {
	if !at.whole.IsValid() {
		return a.Expression.Range()
	}
	terraform := at.m.check.dialect == hcllang.Terraform
	if at.unplaced || at.inBlock && terraform {
		return at.whole
	}
	if inner := schema.DeepestName(path); inner != "" && !terraform {
		if other := at.reached.Argument(inner); other != nil {
			return other.Expression.Range()
		}
		return hclsource.Missing(at.reached, "").Subject
	}
	return a.Expression.Range()
}
