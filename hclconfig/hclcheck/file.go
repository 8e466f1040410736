// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/detailed"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
)

// ValidateFile returns everything that can be found wrong with a file by itself:
// what [hclconfig.File.Diagnostics] has, and what it takes to look into the
// expressions: templates in JSON that do not parse, references and addresses
// that are none, literals that are no constants, defaults that are not of their
// variable's type, conditions that check nothing, missing arguments, and what
// the file's dialect does not have. Old spellings that OpenTofu complains about
// are warnings. It does not know the schemas of providers and does not resolve
// references. Of nil there is nothing to say.
func ValidateFile(f *hclconfig.File) hclconfig.Diagnostics {
	if f == nil {
		return nil
	}
	return sorted(append(f.Diagnostics(), checkFile(f, false)...))
}

// ValidateModule returns what [hclconfig.Module.Diagnostics] and, for each file,
// [ValidateFile] find wrong. Of nil there is nothing to say.
func ValidateModule(m *hclconfig.Module) hclconfig.Diagnostics {
	if m == nil {
		return nil
	}
	return checkModule(m, false)
}

func checkModule(m *hclconfig.Module, tree bool) hclconfig.Diagnostics {
	out := m.Diagnostics()
	for _, f := range slices.Concat(m.Files, m.Tests) {
		out = append(out, checkFile(f, tree)...)
	}
	return out
}

func checkFile(f *hclconfig.File, tree bool) hclconfig.Diagnostics {
	if f.Err() != nil {
		return nil
	}
	c := checker{f: f, dialect: program(f.Dialect()), release: release(f.Dialect()), tree: tree}
	c.body(rootOf(f), block{})
	return c.out
}

type checker struct {
	f       *hclconfig.File
	dialect hcllang.Dialect
	release hcllang.Release
	out     hclconfig.Diagnostics
	// requirements are the entries of required_providers, once one was asked for.
	requirements map[*hclconfig.Argument]*hclconfig.ProviderRequirement
	// tree reports that the module is checked as part of a tree, which looks
	// at values itself.
	tree bool
	// backend reports that a backend block or one like it is being checked.
	backend bool
}

func (c *checker) report(at hclconfig.Range, summary, format string, args ...any) {
	c.out = append(c.out, errorAt(at, summary, format, args...))
}

func (c *checker) warn(at hclconfig.Range, summary, detail string) {
	c.out = append(c.out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: summary, Detail: detail, Subject: at})
}

func (c *checker) reportError(at hclconfig.Range, summary string, err error) {
	text := err.Error()
	var own *hclconfig.Error
	if errors.As(err, &own) {
		text = own.Err.Error()
		if own.Offset >= at.Start.Offset && own.Offset < at.End.Offset {
			at.Start = c.f.Position(own.Offset)
		}
	}
	var more *detailed.Error
	var addr *addrs.Error
	switch {
	case errors.As(err, &more) && more.Cause == hclconfig.ErrSyntax:
		text = more.Text
	case errors.As(err, &addr):
		text = fmt.Sprintf("%.120q is no %s: %v", addr.Input, addr.Kind, addr.Err)
	}
	c.report(at, summary, "%s.", upperFirst(text))
}

// body checks the body of b, or the root of the file if b is nil.
func (c *checker) body(body body, b block) {
	spec := body.spec
	if spec == nil {
		return // of a zero value
	}
	if spec.Rest == hcllang.RestIgnored && b.hclBlock != nil && len(spec.Args) == 0 {
		return
	}
	for i := range body.Arguments {
		c.argument(&body.Arguments[i], body, b)
	}
	c.twice(body)
	c.required(body, b)
	counts := map[*hcllang.Block]int{}
	for i := range body.Blocks {
		n := body.block(i)
		counts[n.spec]++
		if n.spec.AtMost > 0 && counts[n.spec] == n.spec.AtMost+1 && spec.Lookup(n.Type).Block == n.spec {
			c.report(n.DefRange(), duplicateBlock(n), "There may be at most %d block of type %q here.", n.spec.AtMost, n.Type)
		}
		if n.spec.Since != (hcllang.Support{}) && !n.spec.Since.In(c.dialect, c.release) {
			c.report(n.TypeRange(), "Unsupported block type", "%s has no blocks of type %q here.", c.f.Dialect(), n.Type)
		}
		c.labels(n)
		outer := c.backend
		c.backend = outer || spec == hcllang.TerraformBlock && (n.Type == "backend" || n.Type == "cloud")
		c.body(n.inner(), n)
		c.backend = outer
		c.block(n)
	}
	for _, nested := range spec.Blocks {
		if counts[nested] < nested.AtLeast && b.hclBlock != nil {
			summary := "Missing " + nested.Name + " block"
			if nested.Name == "assert" {
				summary = "Zero assert blocks"
			}
			c.report(b.DefRange(), summary, "At least %d block of type %q is required here.", nested.AtLeast, nested.Name)
		}
	}
}

// duplicateBlock says in OpenTofu's words that there are too many blocks.
func duplicateBlock(b block) string {
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
func (c *checker) required(body body, b block) {
	for i := range body.spec.Args {
		a := &body.spec.Args[i]
		if !a.Required || body.Argument(a.Name) != nil {
			continue
		}
		if c.f.IsOverride() && (body.spec == hcllang.OutputBlock || body.spec == hcllang.ModuleBlock) {
			continue // the primary files have it
		}
		c.out = append(c.out, missing(body.Body, a.Name))
	}
	if b.hclBlock == nil {
		return
	}
	count, forEach := b.Argument("count"), b.Argument("for_each")
	if count != nil && forEach != nil && body.spec.Lookup("count").Arg != nil && body.spec.Lookup("for_each").Arg != nil {
		at := forEach.NameRange()
		if c.dialect == hcllang.OpenTofu && c.tree {
			at = count.NameRange()
		}
		c.report(at, `Invalid combination of "count" and "for_each"`, "The arguments count and for_each are mutually exclusive.")
	}
	if id, identity := b.Argument("id"), b.Argument("identity"); body.spec == hcllang.ImportBlock && (id == nil) == (identity == nil) {
		c.report(b.DefRange(), "Invalid import block", "An import block needs either the argument id or the argument identity.")
	}
	if b.Type == "compatible_with" && body.spec.Lookup("opentofu").Arg != nil && b.Argument("opentofu") == nil {
		c.out = append(c.out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: "Missing OpenTofu constraint",
			Detail: "OpenTofu 1.12 crashes if a compatible_with block has no argument opentofu.", Subject: b.DefRange()})
	}
}

// reservedVariables are the names that a module block has a meaning for.
var reservedVariables = []string{"source", "version", "count", "for_each", "depends_on", "providers", "_", "lifecycle", "locals", "provider"}

// labels checks that names are identifiers.
func (c *checker) labels(b block) {
	if len(b.spec.Labels) == 0 || b.Type == "dynamic" && b.spec != hcllang.Dynamic {
		return
	}
	for i, l := range b.Labels {
		if b.spec == hcllang.ProviderBlock && i == 0 {
			c.localName(b.LabelRange(0), l)
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
		c.report(b.LabelRange(i), summary, "%q is not a valid %s: a name must begin with a letter or underscore and may have only letters, digits, underscores and dashes.", l, what)
	}
	if b.spec == hcllang.VariableBlock && slices.Contains(reservedVariables, label(b.hclBlock, 0)) {
		c.report(b.LabelRange(0), "Invalid variable name", "The name %q is reserved: it has a meaning in module blocks.", label(b.hclBlock, 0))
	}
}

func (c *checker) argument(a *hclconfig.Argument, body body, b block) {
	m := body.spec.Lookup(a.Name)
	if m.Arg != nil && !m.Arg.Since.In(c.dialect, c.release) {
		c.report(a.NameRange(), "Unsupported argument", "%s has no argument %q here.", c.f.Dialect(), a.Name)
	}
	if body.spec == hcllang.LocalsBlock && !hcllex.PlainName(a.Name) {
		c.report(a.NameRange(), "Invalid local value name", "%q is not a valid name: a name must begin with a letter or underscore and may have only letters, digits, underscores and dashes.", a.Name)
	}
	switch hcllang.Kind(a.Expression.Kind()) {
	case hcllang.KindIgnored:
	case hcllang.KindLiteral:
		c.literal(a, body, m)
	case hcllang.KindType:
		if _, _, err := a.TypeConstraint(); err != nil {
			summary := "Invalid type specification"
			if isQuoted(a.Expression) {
				summary = "Invalid quoted type constraints"
			}
			c.reportError(a.Expression.Range(), summary, err)
		}
	case hcllang.KindReference:
		c.target(a.Expression, m)
	case hcllang.KindReferenceList:
		c.list(a.Expression, c.listedReference)
	case hcllang.KindAttributeList:
		if strictKeyword(a.Expression) != "all" || isQuoted(a.Expression) {
			c.list(a.Expression, c.attribute)
		}
	case hcllang.KindKeyword:
		c.keyword(a.Expression, a.Name, c.words(m, a.Name))
	case hcllang.KindKeywordList:
		if b.hclBlock == nil || b.Type != "terraform" { // its experiments are not looked at
			c.list(a.Expression, func(e hclconfig.Expression) { c.keyword(e, "", nil) })
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
func (c *checker) expression(e hclconfig.Expression) {
	switch first(e) {
	case 0:
		c.numbers(native(e))
	case '"':
		c.template(e)
	case '[':
		elements, _ := e.Elements()
		for _, x := range elements {
			c.expression(x)
		}
	case '{':
		seen := map[string]hclconfig.Expression{}
		members, _ := e.Members()
		for _, m := range members {
			name := m.Name
			if m.Computed {
				name = "\x00" + jsonText(m.Key)
			}
			// Two templates are the same key if their values are.
			c.template(m.Key)
			if before, ok := seen[name]; ok {
				c.report(m.Key.Range(), "Duplicate object attribute", "An attribute named %q was already defined at %s.", strings.TrimPrefix(name, "\x00"), before.Range())
			} else {
				seen[name] = m.Key
			}
			c.expression(m.Value)
		}
	case 't', 'f', 'n':
	default:
		_, diags := e.Value(nil)
		c.out = append(c.out, diags...)
	}
}

func (c *checker) template(e hclconfig.Expression) {
	if !hcllang.Kind(e.Kind()).Templates() || !hcllex.HasTemplateMarks(jsonText(e)) {
		return
	}
	_, diags := e.HCL()
	c.out = append(c.out, diags...)
}

// numbers looks for infinite number literals in a native expression.
func (c *checker) numbers(x hclsyntax.Expression) {
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		if l, ok := n.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.Number && hasInfinity(l.Val) {
			c.report(piece{file: c.f}.at(l.Range()), "Number out of range", "This number is too large to be written down.")
		}
		return nil
	})
}

func (c *checker) literal(a *hclconfig.Argument, body body, m hcllang.Member) {
	lit := hcllang.AnyLiteral
	if m.Arg != nil {
		lit = m.Arg.Lit
	}
	if a.Name == "prevent_destroy" && native(a.Expression) != nil && c.dialect == hcllang.OpenTofu {
		return // any expression, since OpenTofu 1.12
	}
	if c.tree && c.dialect == hcllang.OpenTofu && a.Name == "required_version" {
		return // not looked at, or with the static expressions
	}
	if c.tree && c.backend {
		return // what validate does not look at, and init refuses
	}
	v, err := a.Constant()
	if err != nil {
		if needs(a.Expression) {
			summary := "Variables not allowed"
			if len(a.References()) == 0 {
				summary = "Function calls not allowed"
			}
			c.report(a.Expression.Range(), summary, "The argument %q must be a constant.", a.Name)
			if c.tree && c.dialect == hcllang.Terraform && lit != hcllang.AnyLiteral && a.Name != "required_version" {
				c.report(a.Expression.Range(), "Unsuitable value type", "Unsuitable value: value must be known")
			}
			return
		}
		c.reportError(a.Expression.Range(), "Invalid value", err)
		return
	}
	want := map[hcllang.Literal]string{hcllang.StringLiteral: "a string", hcllang.BoolLiteral: "true or false", hcllang.NumberLiteral: "a number", hcllang.StrictBool: "true or false"}[lit]
	if want == "" {
		return
	}
	switch {
	case v.IsNull() && (body.spec == hcllang.TerraformBlock || body.spec == hcllang.ProviderBlock && a.Name == "version"):
		// A version constraint may be null, as if it were absent.
	case v.IsNull():
		c.report(a.Expression.Range(), "Unsuitable value type", "The argument %q cannot be null: %s is required.", a.Name, want)
	case lit == hcllang.StrictBool && v.Type() != cty.Bool:
		c.report(a.Expression.Range(), "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
	case lit == hcllang.StringLiteral:
		if _, err := a.Text(); err != nil {
			c.report(a.Expression.Range(), "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
		}
	case lit == hcllang.BoolLiteral:
		if _, err := a.Bool(); err != nil {
			c.report(a.Expression.Range(), "Unsuitable value type", "The argument %q must be %s.", a.Name, want)
		}
	}
}

// list checks that e is written as a list, and its elements.
func (c *checker) list(e hclconfig.Expression, each func(hclconfig.Expression)) {
	elements, ok := e.Elements()
	if !ok {
		c.report(e.Range(), "Invalid expression", "A static list expression is required here: in JSON an array of strings.")
		return
	}
	for _, x := range elements {
		each(x)
	}
}

// strictTraversal reports whether the JSON string at e is what OpenTofu's JSON
// reader takes for a reference, which is less than in native syntax: an index
// is in brackets, never after a dot.
func strictTraversal(e hclconfig.Expression) bool {
	if native(e) != nil {
		return true
	}
	if first(e) != '"' {
		return false
	}
	text := jsonText(e)
	if hcllex.TooDeep([]byte(text), false) >= 0 {
		return false
	}
	_, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	return !diags.HasErrors()
}

// strictKeyword is Keyword by the rules of OpenTofu's JSON reader.
func strictKeyword(e hclconfig.Expression) string {
	if !strictTraversal(e) {
		return ""
	}
	return e.Keyword()
}

// templateHint says what is wrong with a JSON string that has template marks
// where none are allowed.
func (c *checker) templateHint(e hclconfig.Expression) string {
	if native(e) == nil && first(e) == '"' && strings.Contains(jsonText(e), "${") {
		return " In JSON syntax the string holds it as it is, without ${ and }."
	}
	if native(e) == nil && first(e) != '"' {
		return " In JSON syntax it is a string."
	}
	return ""
}

// isQuoted reports whether e is a string literal in native syntax: the legacy
// form of references and keywords.
func isQuoted(e hclconfig.Expression) bool {
	t, ok := native(e).(*hclsyntax.TemplateExpr)
	return ok && t.IsStringLiteral()
}

// quotedReference is what there is to say of the legacy form.
func (c *checker) quotedReference(e hclconfig.Expression) {
	c.warn(e.Range(), "Quoted references are deprecated", "References are expected without quotes.")
}

// listedReference checks an element of a list of references.
func (c *checker) listedReference(e hclconfig.Expression) {
	if isQuoted(e) {
		c.quotedReference(e)
		return
	}
	c.reference(e)
}

// target checks the target of an override, which may have wildcards.
func (c *checker) target(e hclconfig.Expression, m hcllang.Member) {
	if _, ok := wildcards(e); ok && m.Arg != nil && m.Arg.Wildcards.In(c.dialect, c.release) {
		return
	}
	c.reference(e)
}

func (c *checker) reference(e hclconfig.Expression) {
	_, wild := wildcards(e)
	if _, err := e.Address(); err != nil || wild || !strictTraversal(e) {
		c.report(e.Range(), "Invalid expression", "A reference is required here, such as aws_instance.example[0].%s", c.templateHint(e))
	}
}

func (c *checker) attribute(e hclconfig.Expression) {
	if text, err := e.Text(); err == nil && text == "*" && (isQuoted(e) || first(e) == '"') {
		c.report(e.Range(), "Invalid ignore_changes wildcard", "To ignore all changes, write the keyword all instead of the list.")
		return
	}
	if isQuoted(e) {
		c.quotedReference(e)
		return
	}
	if !isRelative(e) || !strictTraversal(e) {
		c.report(e.Range(), "Invalid expression", "The name of an attribute is required here, such as tags or tags[\"Name\"], or the keyword all instead of the list.%s", c.templateHint(e))
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
		if w.Since.In(c.dialect, c.release) {
			out = append(out, w.Text)
		}
	}
	return out
}

func (c *checker) keyword(e hclconfig.Expression, name string, allowed []string) {
	word := strictKeyword(e)
	summary := "Invalid keyword"
	if name != "" {
		summary = fmt.Sprintf("Invalid %q keyword", name)
	}
	legacy := isQuoted(e)
	switch {
	case word == "" || legacy && name != "when" && name != "on_failure":
		c.report(e.Range(), summary, "A bare word is required here.%s", c.templateHint(e))
		return
	case legacy:
		c.warn(e.Range(), "Quoted keywords are deprecated", "Keywords are expected without quotes.")
	}
	if allowed != nil && !slices.Contains(allowed, word) {
		c.report(e.Range(), summary, "%q is none of the words that are allowed here: %s.", word, strings.Join(allowed, ", "))
	}
}

func (c *checker) source(e hclconfig.Expression) {
	if native(e) != nil {
		return
	}
	if first(e) != '"' {
		c.report(e.Range(), "Invalid expression", "A reference is required here.%s", c.templateHint(e))
		return
	}
	if _, diags := e.HCL(); diags.HasErrors() {
		c.report(e.Range(), "Invalid expression", "A reference is required here.%s", c.templateHint(e))
	}
}

func (c *checker) providerReference(e hclconfig.Expression) {
	p := providerRef(e)
	x, _ := nativeForm(e)
	if key, ok := x.(*hclsyntax.ObjectConsKeyExpr); ok {
		x = key.Wrapped
	}
	switch _, quoted := x.(*hclsyntax.TemplateExpr); {
	case p.Name != "" && p.Key != "" && c.dialect == hcllang.Terraform:
		c.report(e.Range(), "Invalid provider configuration reference", "Terraform has no provider configurations with instance keys.")
	case p.Name != "" && (!quoted && isProviderReference(x) || quoted && (native(e) != nil || c.dialect == hcllang.OpenTofu)):
		if c.localName(e.Range(), p.Name) && quoted {
			c.quotedReference(e)
		}
	default:
		c.report(e.Range(), "Invalid provider configuration reference", "A provider configuration is required here, such as aws or aws.west.%s", c.templateHint(e))
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

func (c *checker) providerMap(e hclconfig.Expression) {
	members, ok := e.Members()
	if !ok {
		c.report(e.Range(), "Invalid expression", "A static map of provider configurations is required here: in JSON an object of strings.")
		return
	}
	seen := map[string]hclconfig.Range{}
	for _, m := range members {
		c.providerReference(m.Key)
		c.providerReference(m.Value)
		inner := providerRef(m.Key).String()
		if first, ok := seen[inner]; ok && inner != "" {
			c.report(m.Key.Range(), "Duplicate provider address", "The provider configuration %s was already mapped at %s.", inner, first)
		}
		seen[inner] = m.Key.Range()
	}
}

func (c *checker) providerRequirement(a *hclconfig.Argument) {
	members, ok := a.Members()
	if !ok {
		if _, err := a.Text(); err != nil {
			c.report(a.Expression.Range(), "Invalid required_providers entry", "A version constraint or an object with source and version is required here.")
			return
		}
		c.constraint(c.requirement(a).Version, nil)
		return
	}
	p := c.requirement(a)
	for _, m := range members {
		switch {
		case m.Name == "source" || m.Name == "version":
			if _, err := m.Value.Text(); err != nil {
				c.report(m.Value.Range(), "Invalid "+m.Name, "The %s of a provider must be a string.", m.Name)
			}
		case m.Name == "configuration_aliases":
			if _, ok := m.Value.Elements(); !ok {
				c.list(m.Value, nil)
			}
			for _, alias := range p.ConfigurationAliases {
				c.providerReference(alias.Expression)
			}
		default:
			c.report(m.Key.Range(), "Invalid required_providers object", "required_providers objects can only have source, version and configuration_aliases. A provider is configured with a provider block.")
		}
	}
	if p.Source.IsSet() && p.Source.Value != "" {
		if _, err := p.Provider(); err != nil {
			c.reportError(p.Source.Argument.Expression.Range(), "Invalid provider source", err)
		}
	}
	c.constraint(p.Version, nil)
}

// requirement returns what the file declares with an entry of required_providers.
func (c *checker) requirement(a *hclconfig.Argument) *hclconfig.ProviderRequirement {
	if c.requirements == nil {
		c.requirements = map[*hclconfig.Argument]*hclconfig.ProviderRequirement{}
		for _, s := range c.f.Config().Settings {
			for _, p := range s.RequiredProviders {
				c.requirements[p.Argument] = p
			}
		}
	}
	if p := c.requirements[a]; p != nil {
		return p
	}
	return &hclconfig.ProviderRequirement{Argument: a, Name: a.Name}
}

// constraint checks a version constraint, after spell has spelled it as the parser
// takes it. A nil spell changes nothing.
func (c *checker) constraint(t hclconfig.Text, spell func(string) string) {
	if !t.IsSet() {
		return
	}
	if _, err := t.Argument.Text(); err != nil {
		return
	}
	text := t.Value
	if spell != nil {
		text = spell(text)
	}
	if _, err := addrs.ParseConfigConstraints(text); err != nil {
		c.reportError(t.Argument.Expression.Range(), "Invalid version constraint", err)
	}
}
