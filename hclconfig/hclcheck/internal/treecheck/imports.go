// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/ctyconv"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// An importChecker checks the import blocks of the root module.
type importChecker struct {
	*moduleScope
	absent map[*hclconfig.Import]bool // those without a target, once the plan has asked for them
}

// importsInto checks the imports of the root module into a resource. They are a part of the check of the
// resource: what depends on it is not checked if they fail, nor are they if it cannot be.
func (c *treeChecker) importsInto(r resourceIn) hclconfig.Diagnostics {
	root := importChecker{moduleScope: c.scopes[c.root]}
	if c.intoResources == nil {
		c.intoResources = map[resourceIn][]*hclconfig.Import{}
		for _, i := range root.m.Imports {
			if a, ok := hclsource.ImportAddress(i, c.dialect); ok {
				if s, _ := root.descend(a.Module()); s != nil {
					to := resourceIn{s, s.Resources[a.Resource().String()]}
					c.intoResources[to] = append(c.intoResources[to], i)
				}
			}
		}
	}
	var out hclconfig.Diagnostics
	for _, i := range c.intoResources[r] {
		out = append(out, root.checkImport(i)...)
	}
	return out
}

// imports checks the import blocks of the root module whose target is not declared.
func (s *importChecker) imports() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for _, i := range s.m.Imports {
		if a, ok := hclsource.ImportAddress(i, s.check.dialect); ok && s.resourceAt(a) != nil || s.failsProvider(i) {
			continue
		}
		out = append(out, s.checkImport(i)...)
	}
	return out
}

// failsProvider reports whether the provider of a resource that is to be generated has errors in
// its configuration: the programs do not come to the import then.
func (s *importChecker) failsProvider(i *hclconfig.Import) bool {
	target, ok := hclsource.ImportAddress(i, s.check.dialect)
	if !ok {
		return false
	}
	// The argument provider names the configuration. Without it, that follows from the type.
	name := target.Resource().ImpliedProvider()
	if i.Provider.IsSet() {
		name = i.Provider.String()
	}
	p := s.providers[name]
	return p != nil && slices.ContainsFunc(s.check.out, func(d hclconfig.Diagnostic) bool {
		return isError(d) && hclsource.Contains(p.Block.Range(), d.Subject)
	})
}

// duplicateImports reports imports into an instance that another one is into. The programs look for
// them when they load the module.
func (c *treeChecker) duplicateImports(m *hclconfig.Module) {
	seen := map[string]*hclconfig.Import{}
	for _, i := range m.Imports {
		address, err := i.To.Address()
		if err != nil || i.ForEach.IsSet() || c.dropped(i) {
			continue
		}
		first := seen[address]
		// A module that has two imports into one instance is refused, whatever their ids are.
		if first == nil {
			seen[address] = i
			continue
		}
		at, name := hclsource.DefRange(i.Block), address
		if c.has(hclsource.ManagedImports) {
			at = i.To.Range()
			if a, err := addrs.ParseAbsResourceInstance(address); err == nil {
				name = hclsource.Dotted(a.Module().Module().String()) + a.Resource().String()
			}
		}
		// OpenTofu 1.12.6, internal/configs/module.go: Module.appendFile.
		c.out = append(c.out, hclsource.ErrorAt(at, fmt.Sprintf("Duplicate import configuration for %q", name),
			"An import block for the resource %q was already declared at %s. A resource can have only one import block.", address, hclsource.DefRange(first.Block)))
	}
}

// dropped reports whether the programs leave an import out because of its structure. OpenTofu keeps one in native syntax
// that only has too much or too little in it.
//
// OpenTofu 1.12.6, internal/configs/import.go: decodeImportBlock. Terraform as recorded: testdata/kits.txt.
func (c *treeChecker) dropped(i *hclconfig.Import) bool {
	return slices.ContainsFunc(c.out, func(d hclconfig.Diagnostic) bool {
		switch d.Summary {
		case "Extraneous label for import", "Extraneous JSON object property":
		case "Unsupported argument", "Unsupported block type", "Missing required argument":
			if c.dialect == hcllang.OpenTofu {
				return false
			}
		default:
			return false
		}
		return hclsource.Contains(i.Block.Range(), d.Subject)
	})
}

// checkImport checks an import block. Terraform looks at the target before anything else, and at the
// id even where the target has a fault; OpenTofu begins with the resource.
//
// OpenTofu 1.12.6, internal/tofu/eval_import.go. Terraform as recorded.
func (s *importChecker) checkImport(i *hclconfig.Import) hclconfig.Diagnostics {
	if s.check.dialect == hcllang.Terraform {
		if s.check.badImport {
			return nil // the program looks at no others
		}
		if out := s.importShape(i); out != nil {
			s.check.badImport = out[0].Summary == badImportTarget
			return out
		}
		if out := s.importTarget(i); out != nil {
			return out
		}
	} else if !s.check.planning && (!s.isDeclared(i) || !s.check.has(hclsource.ValidatedImports)) {
		return nil // OpenTofu looks at an import together with its resource
	}
	if !i.ForEach.IsSet() {
		return s.importID(i, cty.NilVal)
	}
	each, out := s.importEach(i)
	for _, v := range each {
		// What is wrong with each of them is said once.
		for _, d := range s.importInstance(i, v) {
			if !slices.ContainsFunc(out, func(o hclconfig.Diagnostic) bool { return o.Summary == d.Summary && o.Subject == d.Subject }) {
				out = append(out, d)
			}
		}
	}
	return out
}

// importEach returns the objects each that the for_each of an import makes, at most
// hcleval.MaxInstances, as far as they are known.
func (s *importChecker) importEach(i *hclconfig.Import) ([]cty.Value, hclconfig.Diagnostics) {
	at := setting{m: s.moduleScope}
	var out hclconfig.Diagnostics
	v, diags := at.evaluate(i.ForEach, false)
	marks := cty.ValueMarks{}
	// OpenTofu 1.12.6, internal/tofu/context_import.go: ImportResolver.ExpandAndResolveImport. Terraform as recorded: it
	// takes lists as well.
	if s.check.dialect == hcllang.OpenTofu {
		// A tuple has the elements of a list, which would not be allowed.
		if diags.HasErrors() || !v.Type().IsTupleType() || v.IsMarked() || v.IsNull() {
			out = at.forEach(i.ForEach, true)
		}
		v, _ = v.Unmark()
	} else {
		out = diags
		v, marks = v.Unmark()
		if !diags.HasErrors() && v.IsWhollyKnown() && !v.IsNull() && !v.CanIterateElements() {
			// OpenTofu 1.12.6, internal/lang/evalchecks/eval_for_each.go: performTypeAndValueChecks.
			out = append(out, hclsource.ErrorAt(i.ForEach.Range(), "Invalid for_each argument", "The value of for_each cannot be iterated over."))
		}
		if !v.IsWhollyKnown() {
			return nil, out
		}
	}
	if out.HasErrors() || !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
		return nil, out
	}
	var each []cty.Value
	for it := v.ElementIterator(); it.Next() && len(each) < hcleval.MaxInstances; {
		key, value := it.Element()
		each = append(each, hcleval.Element{Key: key, Value: value.WithMarks(marks)}.Object())
	}
	return each, out
}

// importInstance checks one of the imports that an import block with for_each makes.
func (s *importChecker) importInstance(i *hclconfig.Import, each cty.Value) hclconfig.Diagnostics {
	if s.check.dialect == hcllang.Terraform {
		if out := s.importKeys(i, each); out != nil {
			return out
		}
	}
	return s.importID(i, each)
}

// importKeys checks the target of an import with for_each in Terraform: it evaluates the
// keys from nothing but each, and their kind has to be that of the resource's instances.
func (s *importChecker) importKeys(i *hclconfig.Import, each cty.Value) hclconfig.Diagnostics {
	p := hclsource.PieceOf(i.To)
	p.FromQuote = p.Str != nil // the programs count from the quote
	// As recorded of Terraform: testdata/releases.txt, testdata/meaning/moves.jsonl.
	t, diags := hcleval.KeyedTraversal(p.Expr, &hcl.EvalContext{Variables: map[string]cty.Value{"each": each}})
	if diags.HasErrors() {
		return p.Diagnostics(diags)
	}
	a, err := s.parseTarget(hcllex.AddressText(t))
	if err != nil {
		read := hclsource.AddressForm{Terraform: true, Keys: true}.Read(t)
		if read.Fault == "" {
			// OpenTofu 1.12.6, internal/addrs/parse_target.go: parseResourceInstanceUnderModule.
			read.Fault, read.At = "Invalid address", t[0]
		}
		return hclconfig.Diagnostics{hclsource.ErrorAt(p.At(read.At.SourceRange()), read.Fault, "This is not the address of an instance of a resource.")}
	}
	// As recorded of Terraform: testdata/releases.txt, testdata/meaning/moves.jsonl.
	if r := s.resourceAt(a); r == nil || !rightKey(r, a.Key()) {
		return hclconfig.Diagnostics{hclsource.ErrorAt(i.To.Range(), badTarget, "The resource %s has no instances with such keys.", a)}
	}
	return nil
}

// importID checks the id of an import. The object each is cty.NilVal if there is none.
func (s *importChecker) importID(i *hclconfig.Import, each cty.Value) hclconfig.Diagnostics {
	if !i.ID.IsSet() {
		return s.importIdentity(i, each)
	}
	if !s.check.has(hclsource.ImportID) && i.ID.File().Syntax() == hclconfig.JSONSyntax {
		return nil // the text is the ID
	}
	at := s.withEach(each)
	v, out := at.partOf(i.ID, false)
	if out.HasErrors() && (v.Type().IsPrimitiveType() || v.Type() == cty.DynamicPseudoType) {
		return out
	}
	fail := func(summary, text string) { out = append(out, hclsource.ErrorAt(i.ID.Range(), summary, "%s", text)) }
	secret := langfuncs.Has(v, langfuncs.Sensitive)
	v, _ = v.UnmarkDeep()
	secret = secret && (v.Type().IsPrimitiveType() || v.Type() == cty.DynamicPseudoType) // a wrong type is said first
	switch text, err := hcleval.TextOf(v); {
	case secret && (v.IsKnown() || s.check.has(hclsource.SecretUnknownID)) && s.check.dialect == hcllang.OpenTofu:
		// OpenTofu 1.11.0, internal/tofu/eval_import.go: evaluateImportIdExpressionInner.
		fail("Invalid import id argument", "The import ID cannot be sensitive.")
	case v.IsKnown() && v.IsNull() && !s.check.has(hclsource.ImportProviders):
	// OpenTofu 1.12.6, internal/tofu/eval_import.go: evaluateImportIdExpression. The id is shown in the plan, and names an
	// object that exists.
	case v.IsKnown() && v.IsNull():
		fail("Invalid import id argument", "The import ID cannot be null.")
	case !v.IsKnown() && (v.Type().IsPrimitiveType() || v.Type() == cty.DynamicPseudoType):
	case !v.Type().IsPrimitiveType():
		// OpenTofu 1.12.6, internal/lang/eval.go: Scope.EvalExpr.
		fail("Incorrect value type", "Invalid expression value: string required.")
	case err == nil && text == "" && s.check.has(hclsource.EmptyID):
		fail("Invalid import id argument", "The import ID value evaluates to an empty string, please provide a non-empty value.")
	}
	return out
}

// importIdentity checks the identity of an import, as far as it is known whether resources of the
// type have one: those of the built-in provider have none. The object each is cty.NilVal if there
// is none.
func (s *importChecker) importIdentity(i *hclconfig.Import, each cty.Value) hclconfig.Diagnostics {
	a, r, _ := s.target(i)
	if r == nil || !i.Identity.IsSet() || s.check.dialect != hcllang.OpenTofu {
		return nil
	}
	in, _ := s.descend(a.Module())
	if in == nil || !in.builtIn(r.ProviderName()) && in.provider(r.ProviderName()) == nil {
		return nil
	}
	fail := func(summary, format string, args ...any) hclconfig.Diagnostics {
		return hclconfig.Diagnostics{hclsource.ErrorAt(i.Identity.Range(), summary, format, args...)}
	}
	var identity *provschema.Identity
	if !in.builtIn(r.ProviderName()) {
		identity = in.provider(r.ProviderName()).Identities[r.Type]
	}
	if identity == nil {
		// OpenTofu 1.12.6, internal/tofu/context_import.go: getIdentitySchema.
		return fail("Unable to determine identity schema for import identity", "Objects of the type %q have no identity by which they could be imported.", r.Type)
	}
	at := s.withEach(each)
	v, out := at.partOf(i.Identity, false)
	secret := langfuncs.Has(v, langfuncs.Sensitive)
	v, _ = v.UnmarkDeep()
	// OpenTofu 1.12.6, internal/tofu/eval_import.go.
	if _, err := ctyconv.Convert(v, identity.Type()); err != nil {
		return append(out, fail("Incorrect value type", "Invalid expression value: %s.", err)...)
	}
	switch {
	case out.HasErrors():
	case v.IsKnown() && v.IsNull():
		out = append(out, fail("Invalid import identity argument", "The import identity cannot be null.")...)
	case secret:
		out = append(out, fail("Invalid import identity argument", "The import identity cannot be sensitive.")...)
	}
	return out
}

// withEach returns the setting in which each is an object, or where there is none if that is cty.NilVal.
func (s *moduleScope) withEach(each cty.Value) setting {
	if each == cty.NilVal {
		return setting{m: s}
	}
	return setting{m: s, rep: byEach, each: each}
}

// badImportTarget is what Terraform says of a target that is not constant.
// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
const badImportTarget = "Invalid expression"

// importShape checks what Terraform wants of import blocks: a target without
// computed keys unless there is a for_each, and an id that is not taken from the
// resource that is imported.
func (s *importChecker) importShape(i *hclconfig.Import) hclconfig.Diagnostics {
	x, ok := hclsource.NativeForm(i.To)
	if !ok {
		return nil
	}
	// As recorded of Terraform: testdata/releases.txt, testdata/meaning/moves.jsonl.
	if _, diags := hcl.AbsTraversalForExpr(x); diags.HasErrors() && !i.ForEach.IsSet() {
		return hclconfig.Diagnostics{hclsource.ErrorAt(i.To.Range(), badImportTarget, "Without for_each the target of an import has only keys that are constants.")}
	}
	target, ok := hclsource.ImportAddress(i, s.check.dialect)
	if !ok {
		return nil
	}
	if !s.check.has(hclsource.ImportID) && i.ID.IsSet() && i.ID.File().Syntax() == hclconfig.JSONSyntax {
		return nil // the text is the ID
	}
	at := setting{m: s.moduleScope}
	subjects, _ := at.subjects(i.ID)
	for _, r := range subjects {
		if r.Kind == hclsource.ToResource && r.Address() == target.Resource().String() {
			// OpenTofu 1.11.0, internal/tofu/eval_import.go: evaluateImportIdExpressionInner.
			return hclconfig.Diagnostics{r.Piece.ErrorAt(r.At, "Invalid import id argument", "The import ID cannot reference the resource being imported.")}
		}
	}
	return nil
}

// importTarget checks that Terraform has something to import into. An import without
// for_each may be into a resource of the root that is not declared, since the program
// can generate it.
func (s *importChecker) importTarget(i *hclconfig.Import) hclconfig.Diagnostics {
	a, r, known := s.target(i)
	if !known || !a.IsValid() {
		return nil
	}
	_, err := i.To.Address()
	constant := err == nil
	switch at, _ := s.descend(a.Module()); {
	// The program generates a configuration for what is imported into the root module, and into no other one. As recorded
	// of Terraform: testdata/releases.txt.
	case at == nil && !s.check.has(hclsource.AbsentModules): // such imports did nothing
	case r == nil && s.check.has(hclsource.ImportID) && (!a.Module().IsRoot() || constant && (i.ForEach.IsSet() || !a.Key().IsNone())):
		return hclconfig.Diagnostics{hclsource.ErrorAt(i.To.Range(), absentTarget, "The configuration for the given import target %s does not exist.", a)}
	case r != nil && !i.ForEach.IsSet() && s.check.has(hclsource.ManagedImports) && !rightKey(r, a.Key()):
		return hclconfig.Diagnostics{hclsource.ErrorAt(i.To.Range(), badTarget, "The resource %s has no instances with such a key.", a)}
	}
	return nil
}

// resourceAt returns the resource of an instance, or nil if it is not declared.
func (s *moduleScope) resourceAt(a addrs.AbsResourceInstance) *hclconfig.Resource {
	if s, _ = s.descend(a.Module()); s == nil {
		return nil
	}
	return s.Resources[a.Resource().String()]
}

// isDeclared reports whether the resource that i imports into is declared, or whether
// that cannot be told.
func (s *importChecker) isDeclared(i *hclconfig.Import) bool {
	a, ok := hclsource.ImportAddress(i, s.check.dialect)
	return !ok || s.resourceAt(a) != nil
}

const (
	// OpenTofu 1.12.6, internal/tofu/context_plan.go: importResourceWithoutConfigDiags.
	absentTarget = "Configuration for import target does not exist"
	// As recorded of Terraform 1.11.4 to 1.15.9: testdata/releases.txt, testdata/meaning.
	badTarget = "Invalid import 'to' expression"
)

// target returns the address that an import is into, without the keys that are
// expressions, and the resource that is there. It reports false if that cannot be
// known.
func (s *importChecker) target(i *hclconfig.Import) (addrs.AbsResourceInstance, *hclconfig.Resource, bool) {
	a, ok := hclsource.ImportAddress(i, s.check.dialect)
	if !ok {
		return addrs.AbsResourceInstance{}, nil, false
	}
	at, known := s.descend(a.Module())
	if at == nil {
		return a, nil, known
	}
	r := at.Resources[a.Resource().String()]
	if r != nil && r.Mode != addrs.Managed {
		r = nil
	}
	return a, r, true
}

// parseTarget parses the address of an instance as the program of s does.
func (s *moduleScope) parseTarget(text string) (addrs.AbsResourceInstance, error) {
	text, _ = hclsource.WithoutWord(text, s.check.dialect)
	return addrs.ParseAbsResourceInstance(text)
}

// absentTargets reports imports into resources that the configuration does not have:
// early before anything is planned, late while it is.
func (s *importChecker) absentTargets() (early, late hclconfig.Diagnostics) {
	tofu := s.check.dialect == hcllang.OpenTofu
	s.absent = map[*hclconfig.Import]bool{}
	for _, i := range s.m.Imports {
		a, r, known := s.target(i)
		if !known || r != nil {
			continue
		}
		s.absent[i] = true
		fail := func(list *hclconfig.Diagnostics, at addrs.Range, summary string) {
			*list = append(*list, hclsource.ErrorAt(at, summary, "The configuration for the given import %s does not exist. All target instances must have an associated configuration to be imported.", a))
		}
		// OpenTofu 1.12.6, internal/tofu/context_plan.go: importResourceWithoutConfigDiags, before the graph is walked;
		// Terraform as recorded.
		switch {
		case tofu:
			fail(&early, hclsource.DefRange(i.Block), absentTarget)
		case i.ForEach.IsSet():
			fail(&late, i.To.Range(), badTarget)
		default:
			fail(&late, i.To.Range(), absentTarget)
		}
	}
	return early, late
}

// rightKey reports whether the instances of r have keys of the kind of key.
func rightKey(r *hclconfig.Resource, key addrs.InstanceKey) bool {
	_, number := key.Int()
	_, text := key.Str()
	switch {
	// A number is a key of count, a text one of for_each.
	case r.Count.IsSet():
		return number
	case r.ForEach.IsSet():
		return text
	}
	return key.IsNone()
}

// A plannedImport is one import of an import block.
type plannedImport struct {
	*hclconfig.Import
	to addrs.AbsResourceInstance
	id cty.Value // or cty.NilVal
}

// expandImports returns the imports of the import blocks, as far as they are known.
func (s *importChecker) expandImports() []plannedImport {
	var out []plannedImport
	for _, i := range s.m.Imports {
		// OpenTofu 1.12.6, internal/tofu/context_import.go: ImportResolver.resolveImport evaluates the id and the keys
		// once for each element.
		one := func(each cty.Value) {
			p, at := plannedImport{Import: i}, s.withEach(each)
			if i.ID.IsSet() {
				if v, diags := at.evaluate(i.ID, false); !diags.HasErrors() {
					p.id = v
				}
			}
			x, ok := hclsource.NativeForm(i.To)
			if !ok {
				return
			}
			known := true
			t, ok := hclsource.Flat(x, func(key hclsyntax.Expression) (hcl.TraverseIndex, bool) {
				e, err := hclconfig.ParseExpression(i.To.File().Filename(), []byte(hclsource.KeyText(i.To, key)), hclconfig.NativeSyntax, hclconfig.KindExpression)
				if err != nil {
					known = false
					return hcl.TraverseIndex{}, false
				}
				v, diags := at.evaluate(e, false)
				if known = known && !diags.HasErrors() && !hclsource.InstanceKey(v).IsNone(); !known {
					return hcl.TraverseIndex{}, false
				}
				v, _ = v.UnmarkDeep()
				return hcl.TraverseIndex{Key: v}, true
			})
			if text := hcllex.AddressText(t); ok && known {
				p.to, _ = s.parseTarget(text)
			}
			out = append(out, p)
		}
		if !i.ForEach.IsSet() {
			one(cty.NilVal)
			continue
		}
		outside := setting{m: s.moduleScope}
		v, diags := outside.evaluate(i.ForEach, false)
		if v, _ = v.UnmarkDeep(); diags.HasErrors() || !v.IsKnown() || v.IsNull() || !v.CanIterateElements() || v.LengthInt() > hcleval.MaxInstances {
			continue
		}
		for it := v.ElementIterator(); it.Next(); {
			key, value := it.Element()
			one(hcleval.Element{Key: key, Value: value}.Object())
		}
	}
	return out
}

// plannedImports reports what the programs say of each import when the plan comes to
// it: of identifiers that are known only then, and, in OpenTofu, of a second import
// into the same instance.
func (s *importChecker) plannedImports() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	tofu := s.check.dialect == hcllang.OpenTofu
	seen := map[addrs.AbsResourceInstance]*hclconfig.Import{}
	for _, i := range s.m.Imports {
		if tofu {
			out = append(out, s.targetKeys(i)...)
		}
	}
	for _, p := range s.expandImports() {
		fail := func(text string) {
			// OpenTofu 1.11.0, internal/tofu/eval_import.go: evaluateImportIdExpressionInner.
			out = append(out, hclsource.ErrorAt(p.ID.Range(), "Invalid import id argument", "%s", text))
		}
		if p.id != cty.NilVal {
			plain, _ := p.id.UnmarkDeep()
			text, err := hcleval.TextOf(plain)
			switch {
			// The plan knows more of the value than validate did: instances of modules and their inputs.
			case tofu && langfuncs.Has(p.id, langfuncs.Sensitive):
				fail("The import ID cannot be sensitive.")
			case plain.IsKnown() && plain.IsNull():
				fail("The import ID cannot be null.")
			case !tofu && err == nil && text == "":
				fail("The import ID value evaluates to an empty string, please provide a non-empty value.")
			}
		}
		if !tofu || !p.to.IsValid() {
			continue
		}
		if first := seen[p.to]; first != nil {
			// OpenTofu 1.12.6, internal/configs/module.go: Module.appendFile.
			out = append(out, hclsource.ErrorAt(hclsource.DefRange(first.Block), fmt.Sprintf("Duplicate import configuration for %q", p.to),
				"An import block for the resource %q was already declared at %s. A resource can have only one import block.", p.to, hclsource.DefRange(first.Block)))
			continue
		}
		seen[p.to] = p.Import
	}
	return out
}

// targetKeys checks the references in the keys of a target.
func (s *importChecker) targetKeys(i *hclconfig.Import) hclconfig.Diagnostics {
	at := setting{m: s.moduleScope}
	if i.ForEach.IsSet() {
		v, _ := at.evaluate(i.ForEach, false) // its faults are reported elsewhere
		if v, _ = v.Unmark(); v.IsKnown() && !v.IsNull() && v.CanIterateElements() && v.LengthInt() == 0 {
			return nil // there is no import
		}
		at.rep = byEach
	}
	subjects, _ := at.subjects(i.To)
	keys := slices.DeleteFunc(subjects, func(x hclsource.Subject) bool {
		return x.Kind == hclsource.ToResource || x.Kind == hclsource.ToModule || x.Kind == hclsource.ToOutput
	})
	_, diags := at.references(keys)
	return diags
}

// absentInstances reports imports into instances that their resources do not have. The
// programs have no place for it.
func (s *importChecker) absentInstances() hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	for _, p := range s.expandImports() {
		if !p.to.IsValid() || s.absent[p.Import] {
			continue
		}
		if has, known := s.hasInstance(p.to); known && !has {
			out = append(out, hclsource.ErrorAt(p.To.Range(), absentTarget, "The configuration for the given import %s does not exist. All target instances must have an associated configuration to be imported.", p.to))
		}
	}
	return out
}

// hasInstance reports whether there is an instance at the address, and whether that
// is known.
func (s *moduleScope) hasInstance(a addrs.AbsResourceInstance) (has, known bool) {
	at, has, known := s.moduleInstance(a.Module())
	if at == nil {
		return has, known
	}
	r := at.Resources[a.Resource().String()]
	if r == nil {
		return false, true
	}
	i := at.resourceInstances(r)
	return i.Has(a.Key()), i.Known
}
