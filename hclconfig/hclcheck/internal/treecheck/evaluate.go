// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck/internal/filecheck"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclschema"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// OpenTofu 1.12.6, internal/lang/marks/marks.go: ExtractDeprecationDiagnosticsWithBody.
const deprecatedSource = "Value derived from a deprecated source"

// withoutDeprecations returns the value of an expression without the marks of what is
// deprecated, and a warning for each that there was. In bodies that a provider's schema
// describes the program has the warning elsewhere: see deprecatedPlace.
func withoutDeprecations(v cty.Value, e hclconfig.Expression) (cty.Value, hclconfig.Diagnostics) {
	v, found := hcleval.WithoutDeprecations(v)
	var out hclconfig.Diagnostics
	for _, d := range found {
		message := "."
		if d.Message != "" {
			message = ": " + d.Message
		}
		out = append(out, hclsource.WarningAt(e.Range(), deprecatedSource, "This value comes from %s, which is deprecated%s", d.By, message))
	}
	return v, out
}

// withoutSources returns what is said of a count or of a condition, where the program does not
// warn of deprecated sources before the plan.
func withoutSources(diags hclconfig.Diagnostics) hclconfig.Diagnostics {
	return slices.DeleteFunc(diags, func(d hclconfig.Diagnostic) bool { return d.Summary == deprecatedSource })
}

// within returns the setting inside of a dynamic block.
func (at *setting) within(dynamic *hclconfig.Block) *setting {
	inner := *at
	inner.iterators = &iterator{name: hcleval.Iterator(dynamic), v: noElement, outer: at.iterators}
	return &inner
}

// An iterator is that of a dynamic block, and of those around it.
type iterator struct {
	name  string
	v     cty.Value // the element, with unknown parts where it is not known
	outer *iterator
}

var noElement = hcleval.Element{Key: cty.DynamicVal, Value: cty.DynamicVal}.Object()

// find returns the innermost iterator with a name.
func (i *iterator) find(name string) *iterator {
	for i != nil && i.name != name {
		i = i.outer
	}
	return i
}

// maxMade is how many of the blocks are looked at that a dynamic block makes, and those
// around it.
const maxMade = 100

// expand returns the settings inside of the blocks that a dynamic block makes: one for
// each element of its for_each, or one for all if that is not known. It also returns how
// many more blocks there are, which are not looked at.
func (at *setting) expand(dynamic *hclconfig.Block) ([]*setting, int, hclconfig.Diagnostics) {
	made, others, out := at.making(dynamic)
	for _, inner := range made {
		inner.static = at.static
	}
	return made, others, out
}

// making is expand with the values of the setting: for_each is evaluated even where references are
// only compared with the declarations, since how many blocks there are decides what is compared.
//
// HCL, ext/dynblock/expand_body.go: expandBody.expandBlocks.
func (at *setting) making(dynamic *hclconfig.Block) ([]*setting, int, hclconfig.Diagnostics) {
	e := hclsource.Expr(dynamic, "for_each")
	// HCL, ext/dynblock/expand_spec.go: expandBody.decodeSpec has this order: what the block is made of, for_each, labels,
	// content.
	if out := madeOf(dynamic); out != nil {
		return nil, 0, out
	}
	whole := *at
	whole.static = false
	at = &whole
	v, out := at.evaluate(e, false)
	if out.HasErrors() { // unknown if a reference is wrong
		if _, diags := at.scope(e); !diags.HasErrors() {
			return nil, 0, out
		}
		if faults := at.absent(e); faults != nil {
			return nil, 0, append(out, faults...)
		}
	}
	inner := at.within(dynamic)
	v, _ = v.UnmarkDeep()
	fail := func(format string, args ...any) ([]*setting, int, hclconfig.Diagnostics) {
		// HCL, ext/dynblock/expand_spec.go: expandBody.decodeSpec.
		return nil, 0, append(out, hclsource.ErrorAt(e.Range(), "Invalid dynamic for_each value", format, args...))
	}
	switch {
	case v.IsKnown() && v.IsNull():
		return fail("Cannot use a null value in for_each.")
	case v.Type() != cty.DynamicPseudoType && !v.Type().IsCollectionType() && !v.Type().IsObjectType() && !v.Type().IsTupleType():
		return fail("Cannot use a %s value in for_each. An iterable collection is required.", v.Type().FriendlyName())
	}
	if faults := contents(dynamic); faults != nil {
		return nil, 0, append(out, faults...)
	}
	// HCL, ext/dynblock/expand_body.go: expandBody.expandBlocks makes one body whose values are all unknown.
	if !v.IsKnown() || at.structure {
		faults := inner.labels(dynamic)
		if faults.HasErrors() {
			return nil, 0, append(out, faults...)
		}
		inner.structure = true
		return []*setting{inner}, 0, out
	}
	var made []*setting
	limit := max(maxMade/max(at.others, 1), 1)
	inner.others = max(at.others, 1) * min(v.LengthInt(), limit)
	span := dynamic.Range()
	seen, size := 0, int(span.End.Offset-span.Start.Offset)
	for it := v.ElementIterator(); len(made) < limit && it.Next(); seen++ {
		key, value := it.Element()
		if v.Type().IsSetType() {
			key = value
		}
		// Each further block takes as much work as the first one.
		if seen > 0 && !at.m.check.costs.Spend(e, size) {
			break
		}
		one := *inner
		one.iterators = &iterator{name: inner.iterators.name, v: hcleval.Element{Key: key, Value: value}.Object(), outer: at.iterators}
		faults := one.labels(dynamic)
		if out = append(out, faults...); !faults.HasErrors() {
			made = append(made, &one)
		}
	}
	return made, v.LengthInt() - seen, out
}

// absent reports references to resources that are wrong: the programs evaluate the for_each of a dynamic block without
// them.
func (at *setting) absent(e hclconfig.Expression) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	subjects, _ := at.subjects(e)
	for i := range subjects {
		// OpenTofu 1.12.6, internal/lang/eval.go: Scope.ExpandBlock goes on with the variables of the references that are
		// right.
		if s := &subjects[i]; s.Kind == hclsource.ToResource && at.m.undeclared(s, at.check).HasErrors() {
			// HCL, hclsyntax/expression.go: ScopeTraversalExpr.Value.
			out = append(out, s.Piece.ErrorAt(s.At, "Unknown variable", "It refers to no object: %s.", s.Address()))
		}
	}
	return out
}

// dynamicSpec is what a dynamic block is made of. Whether there have to be labels depends on its blocks.
var dynamicSpec = &hcl.BodySchema{
	Attributes: []hcl.AttributeSchema{{Name: "for_each", Required: true}, {Name: "iterator"}, {Name: "labels"}},
	Blocks:     []hcl.BlockHeaderSchema{{Type: "content"}},
}

// madeOf checks what a dynamic block is made of, apart from the number of its content blocks: the programs look at that
// when they know its for_each.
func madeOf(dynamic *hclconfig.Block) hclconfig.Diagnostics {
	c := dynamic.Body.Content(dynamicSpec)
	out := append(slices.Clone(c.Diagnostics), extra(c, []string{"for_each", "iterator", "labels"}, []string{"content"})...)
	if e := hclsource.Expr(dynamic, "iterator"); out == nil && e.IsSet() {
		return filecheck.Iterator(e)
	}
	return out
}

// dynamicLabelsIn returns the faults of the labels of the dynamic blocks in a body itself.
func (c *treeChecker) dynamicLabelsIn(b *hclconfig.Body) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	// Blocks nested in the body have their own.
	for _, d := range c.dynamicLabels {
		inner := func(n hclconfig.Block) bool {
			at := n.Body.Range()
			return hclsource.Contains(at, d.Subject) && (hclschema.HasLabel(&n) || at.Start.Offset < d.Subject.Start.Offset)
		}
		if hclsource.Contains(b.Range(), d.Subject) && !slices.ContainsFunc(b.Blocks, inner) {
			out = append(out, d)
		}
	}
	return out
}

// contents checks that a dynamic block has one content block.
func contents(dynamic *hclconfig.Block) hclconfig.Diagnostics {
	switch found := slices.Collect(dynamic.Body.BlocksOfType("content")); len(found) {
	case 0:
		return hclconfig.Diagnostics{hclsource.ErrorAt(hclsource.Missing(&dynamic.Body, "").Subject, filecheck.MissingContent, "A dynamic block needs a block of type \"content\".")}
	case 1:
		return nil
	default:
		return hclconfig.Diagnostics{hclsource.ErrorAt(hclsource.DefRange(found[1]), filecheck.ExtraContent, "There may be only one block of type \"content\".")}
	}
}

// contentOf returns the body of the content block of a dynamic block that makes blocks: there is one, see contents.
func contentOf(dynamic *hclconfig.Block) *hclconfig.Body {
	for content := range dynamic.Body.BlocksOfType("content") {
		return &content.Body
	}
	return nil
}

// labels checks the labels of a block that a dynamic block makes.
func (at *setting) labels(dynamic *hclconfig.Block) hclconfig.Diagnostics {
	e := hclsource.Expr(dynamic, "labels")
	elements, ok := e.Elements()
	if !e.IsSet() || !ok {
		return nil
	}
	var out hclconfig.Diagnostics
	for _, x := range elements {
		v, diags := at.evaluate(x, false)
		if out = append(out, diags...); diags.HasErrors() {
			continue
		}
		text, err := hcleval.TextOf(v)
		if at.label = text; err != nil || v.IsMarked() {
			// HCL, ext/dynblock/expand_spec.go: expandSpec.newBlock.
			out = append(out, hclsource.ErrorAt(x.Range(), "Invalid dynamic block label", "The labels of a dynamic block must be texts that are known."))
		}
	}
	return out
}

// traversal checks the steps after a reference to an object.
func (c *treeChecker) traversal(s *provschema.Block, p hclsource.Piece, steps hcl.Traversal) hclconfig.Diagnostics {
	if len(steps) == 0 {
		return nil
	}
	fail := func(summary, format string, args ...any) hclconfig.Diagnostics {
		return hclconfig.Diagnostics{p.ErrorAt(p.Span(steps[0].SourceRange()), summary, format, args...)}
	}
	var name string
	switch x := steps[0].(type) {
	case hcl.TraverseAttr:
		name = x.Name
	case hcl.TraverseIndex:
		if x.Key.Type() == cty.String && x.Key.IsKnown() && !x.Key.IsNull() && hclsyntax.ValidIdentifier(x.Key.AsString()) {
			// OpenTofu 1.12.6, internal/configs/configschema/validate_traversal.go: Block.StaticValidateTraversal.
			return fail("Invalid index operation", "Only attribute access is allowed here. Did you mean to access attribute %q using the dot operator?", x.Key.AsString())
		}
		return fail("Invalid index operation", "Only attribute access is allowed here, using the dot operator.")
	// OpenTofu 1.12.6, internal/configs/configschema/validate_traversal.go: Block.StaticValidateTraversal.
	default:
		return fail("Invalid operation", "Only attribute access is allowed here, using the dot operator.")
	}
	if a, ok := s.Attributes[name]; ok {
		var out hclconfig.Diagnostics
		if a.Deprecated && !c.has(hclsource.DeprecatedSources) {
			// OpenTofu 1.11.0, internal/configs/configschema/validate_traversal.go: Block.StaticValidateTraversal.
			out = fail("Deprecated attribute", "The attribute %q is deprecated. The documentation of the provider may say what to use instead.", name)
			out[0].Severity = hclconfig.SeverityWarning
		}
		_, diags := hcleval.LaxSteps(cty.UnknownVal(a.Type), steps[1:], c.rules().LaxIndexes)
		return append(out, p.Diagnostics(diags)...)
	}
	b, ok := s.Blocks[name]
	if !ok {
		// OpenTofu 1.12.6, internal/configs/configschema/validate_traversal.go: Block.StaticValidateTraversal.
		return fail("Unsupported attribute", "This object has no argument, nested block, or exported attribute named %q.%s", name, hclsource.DidYouMean(name, hclschema.Names(s)))
	}
	rest := steps[1:]
	if n := b.Nesting; n == provschema.Single || n == provschema.Group || len(rest) == 0 {
		return c.traversal(b.Block, p, rest)
	}
	steps = rest
	switch b.Nesting {
	case provschema.Set:
		// OpenTofu 1.12.6, internal/configs/configschema/validate_traversal.go: NestedBlock.staticValidateTraversal.
		return fail("Cannot index a set value", "Block type %q is represented by a set of objects, and set elements do not have addressable keys. To find elements matching specific criteria, use a \"for\" expression with an \"if\" clause.", name)
	case provschema.Map:
		return c.traversal(b.Block, p, rest[1:])
	case provschema.List:
		// OpenTofu 1.12.6, internal/configs/configschema/validate_traversal.go: NestedBlock.staticValidateTraversal.
		if _, ok := rest[0].(hcl.TraverseIndex); !ok {
			return fail("Invalid operation", "Block type %q is represented by a list of objects, so it must be indexed using a numeric key, like .%s[0].", name, name)
		}
		return c.traversal(b.Block, p, rest[1:])
	}
	return nil
}

// undeclared checks a reference against the declarations alone. in is the check
// block that the reference is in, if any.
func (m *moduleScope) undeclared(s *hclsource.Subject, in string) hclconfig.Diagnostics {
	switch s.Kind {
	case hclsource.ToModule, hclsource.ToOutput:
		if _, ok := m.Calls[s.Name]; !ok {
			// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetModule.
			return hclconfig.Diagnostics{s.Piece.ErrorAt(s.At, "Reference to undeclared module", "No module call named %q is declared in %s.%s", s.Name, m.title(), hclsource.DidYouMeanKey(s.Name, m.Calls))}
		}
	case hclsource.ToResource:
		return m.undeclaredResource(s, in)
	}
	return nil
}

// undeclaredResource checks a reference to a resource: that it is declared, that a key is there if and
// only if the resource has instances, that a data source of a check block stays inside of it, and
// that the schema has what follows.
//
// OpenTofu 1.12.6, internal/tofu/evaluate_valid.go: evaluationStateData.staticValidateResourceReference.
func (m *moduleScope) undeclaredResource(s *hclsource.Subject, in string) hclconfig.Diagnostics {
	address := s.Address()
	r, ok := m.Resources[address]
	if !ok {
		hint := ""
		// A mode that was left out, or is one too many, is a frequent slip.
		for _, other := range []string{"data." + s.Type + "." + s.Name, s.Type + "." + s.Name, "ephemeral." + s.Type + "." + s.Name} {
			if o, ok := m.Resources[other]; ok && hint == "" && (m.check.dialect == hcllang.OpenTofu || o.Mode == addrs.Data && s.Mode == addrs.Managed) {
				hint = fmt.Sprintf("\n\nDid you mean the %s resource %s?", o.Block.Type, other)
			}
		}
		// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetResource.
		return hclconfig.Diagnostics{s.Piece.ErrorAt(s.At, "Reference to undeclared resource", "A %s resource %q %q has not been declared in %s.%s", s.Mode, s.Type, s.Name, m.title(), hint)}
	}
	var out hclconfig.Diagnostics
	switch repeated := r.Count.IsSet() || r.ForEach.IsSet(); {
	case s.Indexed && !repeated:
		// OpenTofu 1.12.6, internal/tofu/evaluate_valid.go: evaluationStateData.staticValidateMultiResourceReference.
		out = append(out, s.Piece.ErrorAt(s.At, "Unexpected resource instance key",
			"Because %s does not have \"count\" or \"for_each\" set, references to it must not include an index key. Remove the bracketed index to refer to the single instance of this resource.", address))
	case !s.Indexed && repeated && len(s.Rest) > 0:
		argument, key := "count", "count.index"
		if r.ForEach.IsSet() {
			argument, key = "for_each", "each.key"
		}
		// OpenTofu 1.12.6, internal/tofu/evaluate_valid.go: evaluationStateData.staticValidateSingleResourceReference.
		out = append(out, s.Piece.ErrorAt(s.At, "Missing resource instance key",
			"Because %s has %q set, its attributes must be accessed on specific instances.\n\nFor example, to correlate with indices of a referring resource, use:\n    %[1]s[%[3]s]", address, argument, key))
	}
	// The data source of a check block may fail without an error, so that nothing else can depend on it.
	if check, ok := m.Scoped[address]; ok && check != in {
		// OpenTofu 1.12.6, internal/tofu/evaluate_valid.go: evaluationStateData.staticValidateResourceReference.
		out = append(out, s.Piece.ErrorAt(s.At, "Reference to scoped resource", "The referenced %s resource %q %q is not available from this context.", s.Mode, s.Type, s.Name))
	}
	if schema := m.schemaOf(r); schema != nil {
		if len(s.Rest) > 0 {
			if a, ok := s.Rest[0].(hcl.TraverseAttr); ok && a.Name == "count" {
				// OpenTofu 1.12.6, internal/tofu/evaluate_valid.go: evaluationStateData.staticValidateResourceReference.
				return append(out, s.Piece.ErrorAt(s.At, "Invalid resource count attribute",
					"The special \"count\" attribute is no longer supported. Instead, use length(%s) to count resource instances.", address))
			}
		}
		out = append(out, m.check.traversal(schema, s.Piece, s.Rest)...)
	}
	return out
}

// A repetition says which of count.index, each.key and each.value there are
// where an expression is evaluated.
type repetition uint8

const (
	repeatsNot repetition = iota
	byCount
	byEach
	byAny // in a module block, where the programs do not say
)

// A setting is where an expression is evaluated.
type setting struct {
	m    *moduleScope
	rep  repetition
	self *hclconfig.Resource // the value of self, or nil
	// check is the name of the check block that the expression is in.
	check string
	// iterators has the iterators of dynamic blocks in scope.
	iterators *iterator
	// structure reports that a dynamic block around it makes a number of blocks that
	// is not known: the programs look at their structure and evaluate nothing.
	structure bool
	label     string // of the block that a dynamic block makes
	// others is how many such blocks are looked at alike, at all levels.
	others int
	// static reports that references are only compared with the declarations.
	static bool
	// transient reports that nothing remembers the value: ephemeral ones are welcome.
	transient bool
	// own overrides the value of one input variable.
	own    string
	ownVal cty.Value
	each   cty.Value // the object of that name, where it is known
	// whole is the place of the block whose body is checked. inBlock and unplaced say that what is looked at is in a
	// nested block, and in one whose arguments the programs do not find again.
	whole             addrs.Range
	reached           *hclconfig.Body // the body that the programs find when they follow the path of a value
	inBlock, unplaced bool
	// merged is a body that override files changed, and base what it was before.
	merged, base *hclconfig.Body
}

// subjects returns the targets of the references in e, and the faults of those
// references. Names of iterators are left out.
func (at *setting) subjects(e hclconfig.Expression) ([]hclsource.Subject, hclconfig.Diagnostics) {
	var out []hclsource.Subject
	var diags hclconfig.Diagnostics
	for _, p := range hclsource.Pieces(e) {
		p.FromQuote = p.Str != nil && hcllang.Kind(e.Kind()).Bare() // the programs count from the quote of a bare reference
		for _, t := range at.m.check.variables(p.Expr) {
			if t.IsRelative() || at.iterators.find(t.RootName()) != nil || at.m.check.isType(t) {
				continue
			}
			s, d := hclsource.SubjectOf(p, t, at.m.check.readAs(t))
			if d != nil {
				diags = append(diags, *d)
				continue
			}
			out = append(out, s)
		}
	}
	return out, diags
}

// variables returns what x.Variables does, and remembers it: it is asked for when the
// graph is built and when its nodes are looked at.
func (c *treeChecker) variables(x hclsyntax.Expression) []hcl.Traversal {
	switch x := x.(type) {
	case *hclsyntax.LiteralValueExpr:
		return nil
	case *hclsyntax.TemplateExpr:
		if x.IsStringLiteral() {
			return nil
		}
	}
	// To find them takes a walk over the whole expression.
	out, ok := c.found[x]
	if !ok {
		out = x.Variables()
		c.found[x] = out
	}
	return out
}

// references checks references in one setting, and returns the context in
// which an expression that has them is evaluated.
func (at *setting) references(subjects []hclsource.Subject) (*hcl.EvalContext, hclconfig.Diagnostics) {
	var diags hclconfig.Diagnostics
	for i := range subjects {
		s := &subjects[i]
		if s.Kind == hclsource.ToSelf {
			if at.self == nil {
				// OpenTofu 1.12.6, internal/lang/eval.go: evalVarBuilder.putSelfValue.
				diags = append(diags, s.Piece.ErrorAt(s.At, `Invalid "self" reference`,
					`The "self" object is not available in this context. This object can be used only in resource provisioner, connection, and postcondition blocks.`))
				continue
			}
			if schema := at.m.schemaOf(at.self); at.m.lacksType(at.self) {
				diags = append(diags, at.m.unknownType(at.self, hclsource.RangeIn(s.Piece.File, s.At))...)
			} else if schema != nil {
				diags = append(diags, at.m.check.traversal(schema, s.Piece, s.Rest)...)
			}
			continue
		}
		diags = append(diags, at.m.undeclared(s, at.check)...)
	}
	// HCL reports a variable that is not in the context as unknown: with a fault in the references there are none.
	root := at.m.check.context
	if len(subjects) == 0 || diags.HasErrors() || at.static {
		return root, diags
	}
	var scope hcleval.Scope
	for i := range subjects {
		s := &subjects[i]
		v, d := at.value(s)
		if d != nil {
			diags = append(diags, *d)
		}
		scope.Put(s, v)
	}
	child := root.NewChild()
	child.Variables = scope.Variables(at.m.check.dialect)
	return child, diags
}

// scope checks the references in expressions that are evaluated together.
func (at *setting) scope(of ...hclconfig.Expression) (*hcl.EvalContext, hclconfig.Diagnostics) {
	var all []hclsource.Subject
	var out hclconfig.Diagnostics
	for _, e := range of {
		subjects, diags := at.subjects(e)
		all, out = append(all, subjects...), append(out, diags...)
	}
	ctx, diags := at.references(all)
	return ctx, append(out, diags...)
}

// value returns the value of an object before anything is planned.
func (at *setting) value(s *hclsource.Subject) (cty.Value, *hclconfig.Diagnostic) {
	m := at.m
	fail := func(summary, format string, args ...any) (cty.Value, *hclconfig.Diagnostic) {
		d := s.Piece.ErrorAt(s.At, summary, format, args...)
		return cty.DynamicVal, &d
	}
	switch s.Kind {
	case hclsource.ToVariable:
		if s.Name == at.own && at.own != "" {
			return at.ownVal, nil
		}
		v, ok := m.variables[s.Name]
		if !ok {
			hint := hclsource.DidYouMeanKey(s.Name, m.variables)
			if hint == "" {
				hint = fmt.Sprintf(" This variable can be declared with a variable %q {} block.", s.Name)
			}
			// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetInputVariable.
			return fail("Reference to undeclared input variable", "An input variable with the name %q has not been declared.%s", s.Name, hint)
		}
		return v.value(), nil
	case hclsource.ToLocal:
		if _, ok := m.Locals[s.Name]; !ok {
			// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetLocalValue.
			return fail("Reference to undeclared local value", "A local value with the name %q has not been declared.%s", s.Name, hclsource.DidYouMeanKey(s.Name, m.Locals))
		}
		if v, ok := m.values[s.Name]; ok {
			return v, nil
		}
		return cty.DynamicVal, nil
	// The value of a call is an object of outputs, however few of them an expression refers to.
	case hclsource.ToModule, hclsource.ToOutput:
		call := m.Calls[s.Name]
		if s.Indexed && !call.Count.IsSet() && !call.ForEach.IsSet() {
			return cty.DynamicVal, nil // known when there are instances
		}
		return m.moduleValue(call), nil
	case hclsource.ToResource:
		return m.resourceValue(m.Resources[s.Address()]), nil
	case hclsource.ToSelf:
		if t := m.instanceType(at.self); t != cty.NilType && m.check.knowsTypes() {
			return hclschema.UnknownValue(m.schemaOf(at.self), m.check.planning, ""), nil
		}
		return cty.DynamicVal, nil
	case hclsource.ToCount:
		if s.Name != "index" {
			// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetCountAttr.
			return fail(`Invalid "count" attribute`, "The \"count\" object does not have an attribute named %q. The only supported attribute is count.index, which is the index of each instance of a resource block that has the \"count\" argument set.", s.Name)
		}
		// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetCountAttr.
		if at.rep != byCount && at.rep != byAny {
			return fail(`Reference to "count" in non-counted context`, "The \"count\" object can only be used in \"module\", \"resource\", and \"data\" blocks, and only when the \"count\" argument is set.")
		}
		return cty.UnknownVal(cty.Number), nil
	case hclsource.ToEach:
		return at.eachValue(s, fail)
	case hclsource.ToPath:
		switch s.Name {
		case "cwd":
			return cty.UnknownVal(cty.String).RefineNotNull(), nil
		case "module":
			return m.directory(), nil
		case "root":
			return cty.StringVal("."), nil
		}
		// OpenTofu 1.12.6, internal/configs/static_scope.go: staticScopeData.GetPathAttr.
		return fail(`Invalid "path" attribute`, "The \"path\" object does not have an attribute named %q.%s", s.Name, hclsource.DidYouMean(s.Name, []string{"cwd", "module", "root"}))
	case hclsource.ToProgram:
		return m.programValue(s, fail)
	}
	return cty.DynamicVal, nil
}

// eachValue returns the value of an attribute of the object each.
func (at *setting) eachValue(s *hclsource.Subject, fail func(summary, format string, args ...any) (cty.Value, *hclconfig.Diagnostic)) (cty.Value, *hclconfig.Diagnostic) {
	has := at.rep == byEach || at.rep == byAny
	switch {
	case s.Name != "key" && s.Name != "value":
		// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetForEachAttr.
		return fail(`Invalid "each" attribute`, "The \"each\" object does not have an attribute named %q. The supported attributes are each.key and each.value, the current key and value pair of the \"for_each\" attribute set.", s.Name)
	// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetForEachAttr has other words for the value, which
	// the state may still need.
	case !has && s.Name == "value":
		return fail("each.value cannot be used in this context", "A reference to \"each.value\" has been used in a context in which it is unavailable, such as when the configuration no longer contains the value in its \"for_each\" expression. Remove this reference to each.value in your configuration to work around this error.")
	case !has:
		return fail(`Reference to "each" in context without for_each`, "The \"each\" object can be used only in \"module\" or \"resource\" blocks, and only when the \"for_each\" argument is set.")
	case at.each != cty.NilVal:
		return at.each.GetAttr(s.Name), nil
	case s.Name == "key":
		return cty.UnknownVal(cty.String), nil
	}
	return cty.DynamicVal, nil
}

// programValue returns the value of an attribute of the object terraform, or tofu.
func (m *moduleScope) programValue(s *hclsource.Subject, fail func(summary, format string, args ...any) (cty.Value, *hclconfig.Diagnostic)) (cty.Value, *hclconfig.Diagnostic) {
	name := m.check.root.Workspace
	switch {
	// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetTerraformAttr.
	case s.Name == "workspace" && name != "":
		return cty.StringVal(name), nil
	case s.Name == "workspace":
		return cty.UnknownVal(cty.String).RefineNotNull(), nil
	case s.Name == "applying" && m.check.has(hclsource.Applying):
		return cty.UnknownVal(cty.Bool).Mark(langfuncs.Ephemeral), nil
	case s.Name == "env":
		// OpenTofu 1.12.6, internal/tofu/evaluate.go: evaluationStateData.GetTerraformAttr.
		return fail(fmt.Sprintf("Invalid %q attribute", s.Type), "The %s.env attribute was deprecated in v0.10 and removed in v0.12. The \"state environment\" concept was renamed to \"workspace\" in v0.12, and so the workspace name can now be accessed using the %[1]s.workspace attribute.", s.Type)
	}
	return fail(fmt.Sprintf("Invalid %q attribute", s.Type), "The %q object does not have an attribute named %q. The only supported attribute is %[1]s.workspace, the name of the currently-selected workspace.", s.Type, s.Name)
}

// evaluate checks an expression and returns its value, as far as it is known: nothing of one with errors.
// If keepGoing is set it is evaluated even if its references are wrong.
func (at *setting) evaluate(e hclconfig.Expression, keepGoing bool) (cty.Value, hclconfig.Diagnostics) {
	v, diags := at.partOf(e, keepGoing)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return v, diags
}

// partOf is evaluate that returns what the programs have of a value with errors.
func (at *setting) partOf(e hclconfig.Expression, keepGoing bool) (cty.Value, hclconfig.Diagnostics) {
	if !e.IsSet() {
		return cty.DynamicVal, nil
	}
	// Most values are literals, which need no scope.
	switch x := hclsource.Native(e).(type) {
	case *hclsyntax.LiteralValueExpr:
		return x.Val, nil
	case *hclsyntax.TemplateExpr:
		if x.IsStringLiteral() {
			v, _ := x.Value(nil)
			return v, nil
		}
	}
	ctx, diags := at.scope(e)
	diags, lacking := at.withFunctionNames(e, diags)
	if diags.HasErrors() && !keepGoing {
		return cty.DynamicVal, diags
	}
	v, more := at.partIn(e, ctx)
	diags = append(append(diags, lacking...), more...)
	if at.m.check.deprecations {
		v, more = withoutDeprecations(v, e)
		diags = append(diags, more...)
	}
	return v, diags
}

// valueIn evaluates e in a context, with iterators added: nothing is known of a value with errors.
func (at *setting) valueIn(e hclconfig.Expression, ctx *hcl.EvalContext) (cty.Value, hclconfig.Diagnostics) {
	v, diags := at.partIn(e, ctx)
	if diags.HasErrors() {
		return cty.DynamicVal, diags
	}
	return v, diags
}

// partIn is valueIn that returns what the programs have of a value with errors.
func (at *setting) partIn(e hclconfig.Expression, ctx *hcl.EvalContext) (cty.Value, hclconfig.Diagnostics) {
	// HCL, ext/dynblock/iteration.go: iteration.EvalContext. An iterator hides what else has its name.
	if at.iterators != nil {
		ctx = ctx.NewChild()
		ctx.Variables = map[string]cty.Value{}
		for _, p := range hclsource.Pieces(e) {
			for _, t := range at.m.check.variables(p.Expr) {
				if t.IsRelative() {
					continue
				}
				if i := at.iterators.find(t.RootName()); i != nil {
					ctx.Variables[i.name] = i.v
				}
			}
		}
	}
	return at.m.check.costs.ProgramValue(e, hcleval.WithProviderFunctions(e, ctx, at.m.builtInFunctions, at.m.signature), at.m.check.rules())
}

// withFunctionNames adds the faults of the names of functions to those of references. Terraform finds functions that a
// provider lacks when it evaluates the rest of the expression: they are in lacking.
func (at *setting) withFunctionNames(e hclconfig.Expression, references hclconfig.Diagnostics) (out, lacking hclconfig.Diagnostics) {
	names := at.functionNames(e)
	// OpenTofu 1.12.6, internal/lang/eval.go: Scope.EvalExpr looks for references and functions first, and evaluates if
	// both are right.
	if len(names) == 0 || at.m.check.dialect != hcllang.Terraform {
		return append(references, names...), nil
	}
	if references.HasErrors() {
		return references, nil
	}
	for _, call := range hclsource.Calls(e) {
		parts := strings.Split(call.Name, "::")
		if len(parts) > 1 && (parts[0] != "provider" || len(parts) != 3 || !at.m.lacksFunction(parts[1:])) {
			return names, nil // one without a provider
		}
	}
	return nil, names
}

// functionNames checks the calls of functions in namespaces, which the programs
// look up before they evaluate anything.
func (at *setting) functionNames(e hclconfig.Expression) hclconfig.Diagnostics {
	c := at.m.check
	if !strings.Contains(e.Raw(), "::") {
		return nil
	}
	var out hclconfig.Diagnostics
	for _, call := range hclsource.Calls(e) {
		if _, ok := c.context.Functions[call.Name]; ok || !strings.Contains(call.Name, "::") {
			continue
		}
		fail := func(tofu, format string, args ...any) {
			// As recorded of Terraform 1.11.4 to 1.15.9: testdata/releases.txt, testdata/meaning.
			out = append(out, hclsource.ErrorAt(call.At, c.words(tofu, "Unknown provider function"), format, args...))
		}
		parts := strings.Split(call.Name, "::")
		switch {
		case parts[0] == "core" && len(parts) == 2:
			// OpenTofu 1.12.6, internal/lang/eval.go: enhanceFunctionDiag.
			fail("Call to unknown function", "There is no builtin (core::) function named %q.", parts[1])
		case parts[0] != "provider":
			fail("Unknown function namespace", "Function %q does not exist within a valid namespace (provider,core)", call.Name)
		case len(parts) < 3, len(parts) > 4 && c.dialect == hcllang.OpenTofu:
			// OpenTofu 1.12.6, internal/addrs/parse_ref.go: parseRef.
			fail("Unable to parse provider function", "Invalid provider function %q: expected provider::<name>::<function>.", call.Name)
		case at.m.required[parts[1]] == nil:
			// OpenTofu 1.12.6, internal/tofu/transform_provider.go: ProviderFunctionTransformer.Transform.
			fail(unknownFunctionProvider, "Provider %q does not exist within the required_providers of this module", parts[1])
		// OpenTofu asks the provider for its functions when it evaluates.
		case at.m.builtIn(parts[1]) && c.dialect == hcllang.Terraform && !hcleval.IsBuiltInFunction(parts[2]):
			fail("", "The provider %q does not export a function named %q.", parts[1], parts[2])
		case at.m.lacksFunction(parts[1:]) && c.dialect == hcllang.Terraform:
			// OpenTofu looks for it in the plan.
			fail("", "The function %q is not available from the provider %q.", parts[2], parts[1])
		}
	}
	return out
}

const unknownFunctionProvider = "Unknown function provider"

// functionProviders reports the functions of providers that the module does not require.
// OpenTofu looks for their providers before it evaluates anything.
func (s *moduleScope) functionProviders(e hclconfig.Expression) {
	if !strings.Contains(e.Raw(), "::") {
		return
	}
	at := setting{m: s}
	for _, d := range at.functionNames(e) {
		if d.Summary == unknownFunctionProvider {
			s.check.out = append(s.check.out, d)
		}
	}
}
