// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
	"github.com/zclconf/go-cty/cty"
)

// Validate returns everything that this package can find wrong with the file by
// itself: what [File.Diagnostics] has, and what it takes to look into the
// expressions: templates in JSON that do not parse, references and addresses
// that are none, literals that are no constants, defaults that are not of their
// variable's type, conditions that check nothing, missing arguments, and what
// the file's dialect does not have. Old spellings that OpenTofu complains about
// are warnings. It does not know the schemas of providers and does not resolve
// references.
func (f *File) Validate() Diagnostics {
	if f == nil {
		return nil
	}
	c := checker{f: f, out: slices.Clone(f.diags)}
	if f.err == nil {
		c.body(&f.body, nil)
	}
	return c.out.sorted()
}

// Validate returns what [Module.Diagnostics] and, for each file, [File.Validate]
// find wrong.
func (m *Module) Validate() Diagnostics {
	if m == nil {
		return nil
	}
	return m.validate(false)
}

func (m *Module) validate(tree bool) Diagnostics {
	out := slices.Clone(m.diags)
	for _, f := range slices.Concat(m.Files, m.Tests) {
		if f.err != nil {
			continue
		}
		c := checker{f: f, tree: tree}
		c.body(&f.body, nil)
		out = append(out, c.out...)
	}
	return out
}

type checker struct {
	f   *File
	out Diagnostics
	// tree reports that the module is checked as part of a tree, which looks
	// at values itself.
	tree bool
	// backend reports that a backend block or one like it is being checked.
	backend bool
}

func (c *checker) report(s textspan.Span, summary, format string, args ...any) {
	c.out = append(c.out, c.f.errorAt(s, summary, format, args...))
}

func (c *checker) warn(s textspan.Span, summary, detail string) {
	c.out = append(c.out, Diagnostic{Severity: SeverityWarning, Summary: summary, Detail: detail, Subject: c.f.rangeOf(s)})
}

func (c *checker) reportError(s textspan.Span, summary string, err error) {
	text := err.Error()
	var own *Error
	if errors.As(err, &own) {
		text = own.Err.Error()
		if own.Offset >= int64(s.Start) && own.Offset < int64(s.End) {
			s.Start = int32(own.Offset)
		}
	}
	var more *detailed
	var addr *addrs.Error
	switch {
	case errors.As(err, &more) && more.cause == ErrSyntax:
		text = more.text
	case errors.As(err, &addr):
		text = fmt.Sprintf("%.120q is no %s: %v", addr.Input, addr.Kind, addr.Err)
	}
	c.report(s, summary, "%s.", upperFirst(text))
}

// body checks the body of b, or the root of the file if b is nil.
func (c *checker) body(body *Body, b *Block) {
	spec := body.spec
	if spec == nil {
		return // of a zero value
	}
	if spec.Rest == hcllang.RestIgnored && b != nil && len(spec.Args) == 0 {
		return
	}
	for i := range body.Arguments {
		c.argument(&body.Arguments[i], body, b)
	}
	c.twice(body)
	c.required(body, b)
	counts := map[*hcllang.Block]int{}
	for i := range body.Blocks {
		n := &body.Blocks[i]
		counts[n.spec]++
		if n.spec.AtMost > 0 && counts[n.spec] == n.spec.AtMost+1 && spec.Lookup(n.Type).Block == n.spec {
			c.report(n.defAt(), duplicateBlock(n), "There may be at most %d block of type %q here.", n.spec.AtMost, n.Type)
		}
		if n.spec.Since != (hcllang.Support{}) && !n.spec.Since.In(c.f.dialect, c.f.release) {
			c.report(n.typeAt, "Unsupported block type", "%s has no blocks of type %q here.", c.f.Dialect(), n.Type)
		}
		c.labels(n)
		outer := c.backend
		c.backend = outer || spec == hcllang.TerraformBlock && (n.Type == "backend" || n.Type == "cloud")
		c.body(&n.Body, n)
		c.backend = outer
		c.block(n)
	}
	for _, nested := range spec.Blocks {
		if counts[nested] < nested.AtLeast && b != nil {
			summary := "Missing " + nested.Name + " block"
			if nested.Name == "assert" {
				summary = "Zero assert blocks"
			}
			c.report(b.defAt(), summary, "At least %d block of type %q is required here.", nested.AtLeast, nested.Name)
		}
	}
}

// duplicateBlock says in OpenTofu's words that there are too many blocks.
func duplicateBlock(b *Block) string {
	switch b.Type {
	case "_":
		return "Duplicate escaping block"
	case "data":
		return "Multiple data resource blocks"
	}
	return "Duplicate " + b.Type + " block"
}

// required checks the arguments that a block must have, and those that it may
// have only without others.
func (c *checker) required(body *Body, b *Block) {
	for i := range body.spec.Args {
		a := &body.spec.Args[i]
		if !a.Required || body.Argument(a.Name) != nil {
			continue
		}
		if c.f.override && (body.spec == hcllang.OutputBlock || body.spec == hcllang.ModuleBlock) {
			continue // the primary files have it
		}
		c.out = append(c.out, body.missing(a.Name))
	}
	if b == nil {
		return
	}
	count, forEach := b.Argument("count"), b.Argument("for_each")
	if count != nil && forEach != nil && body.spec.Lookup("count").Arg != nil && body.spec.Lookup("for_each").Arg != nil {
		at := forEach.nameAt
		if c.f.dialect == hcllang.OpenTofu && c.tree {
			at = count.nameAt
		}
		c.report(at, `Invalid combination of "count" and "for_each"`, "The arguments count and for_each are mutually exclusive.")
	}
	if id, identity := b.Argument("id"), b.Argument("identity"); body.spec == hcllang.ImportBlock && (id == nil) == (identity == nil) {
		c.report(b.defAt(), "Invalid import block", "An import block needs either the argument id or the argument identity.")
	}
	if b.Type == "compatible_with" && body.spec.Lookup("opentofu").Arg != nil && b.Argument("opentofu") == nil {
		c.out = append(c.out, Diagnostic{Severity: SeverityWarning, Summary: "Missing OpenTofu constraint",
			Detail: "OpenTofu 1.12 crashes if a compatible_with block has no argument opentofu.", Subject: b.DefRange()})
	}
}

// reservedVariables are the names that a module block has a meaning for.
var reservedVariables = []string{"source", "version", "count", "for_each", "depends_on", "providers", "_", "lifecycle", "locals", "provider"}

// labels checks that names are identifiers.
func (c *checker) labels(b *Block) {
	if len(b.spec.Labels) == 0 || b.Type == "dynamic" && b.spec != hcllang.Dynamic {
		return
	}
	for i, l := range b.Labels {
		if b.spec == hcllang.ProviderBlock && i == 0 {
			c.localName(b.labelAt[0], l)
			continue
		}
		if i >= len(b.spec.Labels) || hcllex.PlainName(l) {
			continue
		}
		what := b.spec.Labels[i]
		summary := "Invalid " + b.Type + " " + what
		switch {
		case b.spec == hcllang.ModuleBlock:
			summary = "Invalid module instance name"
		case b.spec == hcllang.CheckBlock:
			summary = "Invalid check block name"
		case what == "type":
			summary = "Invalid resource type name"
		}
		c.report(b.labelAt[i], summary, "%q is not a valid %s: a name must begin with a letter or underscore and may have only letters, digits, underscores and dashes.", l, what)
	}
	if b.spec == hcllang.VariableBlock && slices.Contains(reservedVariables, b.label(0)) {
		c.report(b.labelAt[0], "Invalid variable name", "The name %q is reserved: it has a meaning in module blocks.", b.label(0))
	}
}

func (c *checker) argument(a *Argument, body *Body, b *Block) {
	m := body.spec.Lookup(a.Name)
	if m.Arg != nil && !m.Arg.Since.In(c.f.dialect, c.f.release) {
		c.report(a.nameAt, "Unsupported argument", "%s has no argument %q here.", c.f.Dialect(), a.Name)
	}
	if body.spec == hcllang.LocalsBlock && !hcllex.PlainName(a.Name) {
		c.report(a.nameAt, "Invalid local value name", "%q is not a valid name: a name must begin with a letter or underscore and may have only letters, digits, underscores and dashes.", a.Name)
	}
	switch a.kind {
	case hcllang.KindIgnored:
	case hcllang.KindLiteral:
		c.literal(a, body)
	case hcllang.KindType:
		if _, _, err := a.TypeConstraint(); err != nil {
			summary := "Invalid type specification"
			if a.isQuoted() {
				summary = "Invalid quoted type constraints"
			}
			c.reportError(a.at, summary, err)
		}
	case hcllang.KindReference:
		c.target(a.Expression, m)
	case hcllang.KindReferenceList:
		c.list(a.Expression, c.listedReference)
	case hcllang.KindAttributeList:
		if a.strictKeyword() != "all" || a.isQuoted() {
			c.list(a.Expression, c.attribute)
		}
	case hcllang.KindKeyword:
		c.keyword(a.Expression, a.Name, c.words(m, a.Name))
	case hcllang.KindKeywordList:
		if b == nil || b.Type != "terraform" { // its experiments are not looked at
			c.list(a.Expression, func(e Expression) { c.keyword(e, "", nil) })
		}
	case hcllang.KindSource:
		c.source(a.Expression)
	case hcllang.KindSourceList:
		c.list(a.Expression, c.source)
	case hcllang.KindProviderReference:
		c.providerReference(a.Expression)
	case hcllang.KindProviderMap:
		c.providerMap(a.Expression)
	case hcllang.KindProviderRequirement:
		c.providerRequirement(a)
	default:
		c.expression(a.Expression)
	}
}

// expression checks the templates and numbers of a JSON value. Native ones
// have been parsed with the file.
func (c *checker) expression(e Expression) {
	if e.native != nil {
		c.numbers(e)
		return
	}
	src := e.file.src
	switch src[e.at.Start] {
	case '"':
		c.template(e)
	case '[':
		for s := range jsontree.Elements(src, e.at) {
			c.expression(e.part(s, e.kind))
		}
	case '{':
		seen := map[string]textspan.Span{}
		for m := range jsontree.Members(src, e.at) {
			key := e.part(m.Name, e.kind)
			name := e.file.jsonText(m.Name)
			if e.kind.Templates() && hcllex.HasTemplateMarks(name) {
				c.template(key)
				// Two templates are the same key if their values are.
				if text, computed := key.constantText(); computed {
					name = "\x00" + name
				} else {
					name = text
				}
			}
			if first, ok := seen[name]; ok {
				c.report(m.Name, "Duplicate object attribute", "An attribute named %q was already defined at %s.", strings.TrimPrefix(name, "\x00"), e.file.rangeOf(first))
			} else {
				seen[name] = m.Name
			}
			c.expression(e.part(m.Value, e.kind))
		}
	case 't', 'f', 'n':
	default:
		c.number(e)
	}
}

func (c *checker) template(e Expression) {
	if !e.kind.Templates() || !hcllex.HasTemplateMarks(e.file.jsonText(e.at)) {
		return
	}
	_, diags := e.embedded()
	c.out = append(c.out, diags...)
}

func (c *checker) number(e Expression) {
	if _, diags := e.constant(); diags.HasErrors() {
		c.out = append(c.out, diags...)
	}
}

// numbers looks for infinite number literals in a native expression.
func (c *checker) numbers(e Expression) {
	_ = hclsyntax.VisitAll(e.native, func(n hclsyntax.Node) hcl.Diagnostics {
		if l, ok := n.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.Number && hasInfinity(l.Val) {
			c.report(spanOf(l.Range()), "Number out of range", "This number is too large to be written down.")
		}
		return nil
	})
}

func (c *checker) literal(a *Argument, body *Body) {
	if a.Name == "prevent_destroy" && a.native != nil && c.f.dialect == hcllang.OpenTofu {
		return // any expression, since OpenTofu 1.12
	}
	if c.tree && c.f.dialect == hcllang.OpenTofu && a.Name == "required_version" {
		return // not looked at, or with the static expressions
	}
	if c.tree && c.backend {
		return // what validate does not look at, and init refuses
	}
	v, err := a.Constant()
	if err != nil {
		if a.needs() {
			summary := "Variables not allowed"
			if len(a.uses()) == 0 {
				summary = "Function calls not allowed"
			}
			c.report(a.at, summary, "The argument %q must be a constant.", a.Name)
			if c.tree && c.f.dialect == hcllang.Terraform && a.lit != hcllang.AnyLiteral && a.Name != "required_version" {
				c.report(a.at, "Unsuitable value type", "Unsuitable value: value must be known")
			}
			return
		}
		c.reportError(a.at, "Invalid value", err)
		return
	}
	want := map[hcllang.Literal]string{hcllang.StringLiteral: "a string", hcllang.BoolLiteral: "true or false", hcllang.NumberLiteral: "a number", hcllang.StrictBool: "true or false"}[a.lit]
	if want == "" {
		return
	}
	switch {
	case v.IsNull() && (body.spec == hcllang.TerraformBlock || body.spec == hcllang.ProviderBlock && a.Name == "version"):
		// A version constraint may be null, as if it were absent.
	case v.IsNull():
		c.report(a.at, "Unsuitable value type", "The argument %q cannot be null: %s is required.", a.Name, want)
	case a.lit == hcllang.StrictBool && v.Type() != cty.Bool:
		c.report(a.at, "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
	case a.lit == hcllang.StringLiteral:
		if _, err := a.Text(); err != nil {
			c.report(a.at, "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
		}
	case a.lit == hcllang.BoolLiteral:
		if _, err := a.Bool(); err != nil {
			c.report(a.at, "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
		}
	}
}

// list checks that e is written as a list, and its elements.
func (c *checker) list(e Expression, each func(Expression)) {
	elements, ok := e.Elements()
	if !ok {
		c.report(e.at, "Invalid expression", "A static list expression is required here: in JSON an array of strings.")
		return
	}
	for _, x := range elements {
		each(x)
	}
}

// strictTraversal reports whether the JSON string at e is what OpenTofu's JSON
// reader takes for a reference, which is less than in native syntax: an index
// is in brackets, never after a dot.
func (e Expression) strictTraversal() bool {
	if e.native != nil {
		return true
	}
	if e.file.src[e.at.Start] != '"' {
		return false
	}
	text := e.file.jsonText(e.at)
	if hcllex.TooDeep([]byte(text), false) >= 0 {
		return false
	}
	_, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	return !diags.HasErrors()
}

// strictKeyword is Keyword by the rules of OpenTofu's JSON reader.
func (e Expression) strictKeyword() string {
	if !e.strictTraversal() {
		return ""
	}
	return e.Keyword()
}

// templateHint says what is wrong with a JSON string that has template marks
// where none are allowed.
func (c *checker) templateHint(e Expression) string {
	if e.native == nil && e.file.src[e.at.Start] == '"' && strings.Contains(e.file.jsonText(e.at), "${") {
		return " In JSON syntax the string holds it as it is, without ${ and }."
	}
	if e.native == nil && e.file.src[e.at.Start] != '"' {
		return " In JSON syntax it is a string."
	}
	return ""
}

// isQuoted reports whether e is a string literal in native syntax: the legacy
// form of references and keywords.
func (e Expression) isQuoted() bool {
	t, ok := e.native.(*hclsyntax.TemplateExpr)
	return ok && t.IsStringLiteral()
}

// quotedReference is what there is to say of the legacy form.
func (c *checker) quotedReference(e Expression) {
	c.warn(e.at, "Quoted references are deprecated", "References are expected without quotes.")
}

// listedReference checks an element of a list of references.
func (c *checker) listedReference(e Expression) {
	if e.isQuoted() {
		c.quotedReference(e)
		return
	}
	c.reference(e)
}

// target checks the target of an override, which may have wildcards.
func (c *checker) target(e Expression, m hcllang.Member) {
	if _, ok := e.wildcards(); ok && m.Arg != nil && m.Arg.Wildcards.In(c.f.dialect, c.f.release) {
		return
	}
	c.reference(e)
}

func (c *checker) reference(e Expression) {
	_, wild := e.wildcards()
	if _, err := e.Address(); err != nil || wild || !e.strictTraversal() {
		c.report(e.at, "Invalid expression", "A reference is required here, such as aws_instance.example[0].%s", c.templateHint(e))
	}
}

func (c *checker) attribute(e Expression) {
	if text, err := e.Text(); err == nil && text == "*" && (e.isQuoted() || e.isJSON('"')) {
		c.report(e.at, "Invalid ignore_changes wildcard", "To ignore all changes, write the keyword all instead of the list.")
		return
	}
	if e.isQuoted() {
		c.quotedReference(e)
		return
	}
	if _, err := e.relativePath(); err != nil || !e.strictTraversal() {
		c.report(e.at, "Invalid expression", "The name of an attribute is required here, such as tags or tags[\"Name\"], or the keyword all instead of the list.%s", c.templateHint(e))
	}
}

// keywords has the words that arguments allow which the tables list none for.
var keywords = map[string][]string{"edition": {"tofu2024"}}

// words returns the words that an argument allows in the release of the file, or nil.
func (c *checker) words(m hcllang.Member, name string) []string {
	if m.Arg == nil || len(m.Arg.Values) == 0 {
		return keywords[name]
	}
	var out []string
	for _, w := range m.Arg.Values {
		if w.Since.In(c.f.dialect, c.f.release) {
			out = append(out, w.Text)
		}
	}
	return out
}

func (c *checker) keyword(e Expression, name string, allowed []string) {
	word := e.strictKeyword()
	summary := "Invalid keyword"
	if name != "" {
		summary = fmt.Sprintf("Invalid %q keyword", name)
	}
	legacy := e.isQuoted()
	switch {
	case word == "" || legacy && name != "when" && name != "on_failure":
		c.report(e.at, summary, "A bare word is required here.%s", c.templateHint(e))
		return
	case legacy:
		c.warn(e.at, "Quoted keywords are deprecated", "Keywords are expected without quotes.")
	}
	if allowed != nil && !slices.Contains(allowed, word) {
		c.report(e.at, summary, "%q is none of the words that are allowed here: %s.", word, strings.Join(allowed, ", "))
	}
}

func (c *checker) source(e Expression) {
	if e.native != nil {
		return
	}
	if e.file.src[e.at.Start] != '"' {
		c.report(e.at, "Invalid expression", "A reference is required here.%s", c.templateHint(e))
		return
	}
	if _, diags := e.embedded(); diags.HasErrors() {
		c.report(e.at, "Invalid expression", "A reference is required here.%s", c.templateHint(e))
	}
}

func (c *checker) providerReference(e Expression) {
	p := newProviderRef(e)
	x, _ := e.nativeForm()
	if key, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		x = key.Wrapped
	}
	switch _, quoted := x.(*hclsyntax.TemplateExpr); {
	case p.Name != "" && p.Key != "" && c.f.dialect == hcllang.Terraform:
		c.report(e.at, "Invalid provider configuration reference", "Terraform has no provider configurations with instance keys.")
	case p.Name != "" && (!quoted && isProviderReference(x) || quoted && (e.native != nil || c.f.dialect == hcllang.OpenTofu)):
		if c.localName(e.at, p.Name) && quoted {
			c.quotedReference(e)
		}
	default:
		c.report(e.at, "Invalid provider configuration reference", "A provider configuration is required here, such as aws or aws.west.%s", c.templateHint(e))
	}
}

// isProviderReference reports whether x has the form name, name.alias or
// name.alias[key].
func isProviderReference(x hclsyntax.Expression) bool {
	index := 0
	if i, ok := x.(*hclsyntax.IndexExpr); ok {
		x, index = i.Collection, 1
	}
	t, diags := hcl.AbsTraversalForExpr(x)
	if diags.HasErrors() {
		return false
	}
	for i, step := range t[1:] {
		switch step.(type) {
		case hcl.TraverseAttr:
			if i != 0 {
				return false
			}
		case hcl.TraverseIndex:
			if i != 1 {
				return false
			}
		}
	}
	return index == 0 && len(t) <= 3 || index == 1 && len(t) == 2
}

func (c *checker) providerMap(e Expression) {
	members, ok := e.Members()
	if !ok {
		c.report(e.at, "Invalid expression", "A static map of provider configurations is required here: in JSON an object of strings.")
		return
	}
	seen := map[string]textspan.Span{}
	for _, m := range members {
		c.providerReference(m.Key)
		c.providerReference(m.Value)
		inner := newProviderRef(m.Key).String()
		if first, ok := seen[inner]; ok && inner != "" {
			c.report(m.Key.at, "Duplicate provider address", "The provider configuration %s was already mapped at %s.", inner, c.f.rangeOf(first))
		}
		seen[inner] = m.Key.at
	}
}

func (c *checker) providerRequirement(a *Argument) {
	members, ok := a.Members()
	if !ok {
		if _, err := a.Text(); err != nil {
			c.report(a.at, "Invalid required_providers entry", "A version constraint or an object with source and version is required here.")
			return
		}
		c.constraint(newProviderRequirement(a).Version, strictConstraints)
		return
	}
	p := newProviderRequirement(a)
	for _, m := range members {
		switch {
		case m.Name == "source" || m.Name == "version":
			if _, err := m.Value.Text(); err != nil {
				c.report(m.Value.at, "Invalid "+m.Name, "The %s of a provider must be a string.", m.Name)
			}
		case m.Name == "configuration_aliases":
			m.Value.kind = hcllang.KindReferenceList
			c.list(m.Value, c.providerReference)
		default:
			c.report(m.Key.at, "Invalid required_providers object", "required_providers objects can only have source, version and configuration_aliases. A provider is configured with a provider block.")
		}
	}
	if p.Source.IsSet() && p.Source.Value != "" {
		if _, err := p.Provider(); err != nil {
			c.reportError(p.Source.Argument.at, "Invalid provider source", err)
		}
	}
	c.constraint(p.Version, strictConstraints)
}

func (c *checker) constraint(t Text, spell func(string) string) {
	if _, err := t.constraints(spell); err != nil {
		c.reportError(t.Argument.at, "Invalid version constraint", err)
	}
}
