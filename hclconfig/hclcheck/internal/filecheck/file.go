// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package filecheck has the rules for one file by itself: what a program refuses before it
// evaluates anything.
package filecheck

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// File returns the faults of a file by itself, apart from those that reading it has found.
func File(f *hclconfig.File) hclconfig.Diagnostics { return check(f, false) }

func check(f *hclconfig.File, loading bool) hclconfig.Diagnostics {
	if f.Err() != nil && f.Syntax() == hclconfig.JSONSyntax {
		return nil
	}
	// The programs check the readable parts of a native file with syntax errors.
	c := checker{f: f, dialect: hclsource.Program(f.Dialect()), release: hclsource.Rules(f.Dialect()), loading: loading}
	c.exponents = hasExponent(f.Bytes())
	// A parser that knows no namespaces stops at the first one of a file, in whatever block that is.
	c.firstNamespace()
	c.body(hclsource.RootOf(f), hclsource.Block{})
	return c.out
}

type checker struct {
	f       *hclconfig.File
	dialect hcllang.Dialect
	release hcllang.Release
	out     hclconfig.Diagnostics
	// requirements are the entries of required_providers, once one was asked for.
	requirements map[*hclconfig.Argument]*hclconfig.ProviderRequirement
	// exponents reports that the file may have a number with an exponent.
	exponents bool
	// computedImport reports that the target of an import cannot be read.
	computedImport bool
	loading        bool // see [Loading]
	// backend reports that a backend block or one like it is being checked.
	backend bool
}

// has reports whether s is among the rules of the release.
func (c *checker) has(s hcllang.Support) bool { return s.In(c.dialect, c.release) }

// saying returns the first text for OpenTofu, the second for Terraform.
func (c *checker) saying(tofu, terraform string) string {
	if c.dialect == hcllang.OpenTofu {
		return tofu
	}
	return terraform
}

// report adds an error at a place.
func (c *checker) report(at addrs.Range, summary, format string, args ...any) {
	c.out = append(c.out, hclsource.ErrorAt(at, summary, format, args...))
}

// warn adds a warning at a place.
func (c *checker) warn(at addrs.Range, summary, detail string) {
	c.out = append(c.out, hclsource.WarningAt(at, summary, "%s", detail))
}

// reportError adds an error whose detail is an error of another package. If that knows a place
// inside at, the error is there. Prefixes such as the name of the package are left out, since a
// diagnostic has a place and a summary of its own.
func (c *checker) reportError(at addrs.Range, summary string, err error) {
	text := err.Error()
	var own *hclconfig.Error
	if errors.As(err, &own) {
		text = own.Err.Error()
		if own.Offset >= at.Start.Offset && own.Offset < at.End.Offset {
			at.Start = c.f.Position(own.Offset)
		}
	}
	var more *textspan.Error
	var addr *addrs.Error
	switch {
	// The programs have their own words behind a summary. Only the summary and the place are the same as theirs.
	case errors.As(err, &more) && more.Cause == hclconfig.ErrSyntax:
		text = more.Text
	case errors.As(err, &addr):
		text = fmt.Sprintf("%.120q is not a valid %s: %v", printable.Input(addr.Kind, addr.Input), addr.Kind, addr.Err)
	}
	c.report(at, summary, "%s.", hclsource.UpperFirst(text))
}

// body checks the body of b, or the root of the file if b is nil.
func (c *checker) body(body hclsource.Body, b hclsource.Block) {
	spec := body.Spec
	if spec == nil {
		return // of a zero value
	}
	// Nobody decodes such a block, so that nothing in it is wrong.
	if spec.Rest == hcllang.RestIgnored && b.Plain != nil && len(spec.Args) == 0 {
		return
	}
	for i := range body.Arguments {
		c.argument(&body.Arguments[i], body, b)
	}
	c.twice(body)
	late := c.loading && spec == hcllang.Dynamic
	if !late {
		c.required(body, b)
	}
	counts := map[*hcllang.Block]int{}
	for i := range body.Blocks {
		n := body.Block(i)
		counts[n.Spec]++
		if c.dialect == hcllang.Terraform && spec == hcllang.RemovedBlock && n.Type == "lifecycle" {
			counts[n.Spec] = 1 // Terraform accepts several
		}
		// The tables of package hcllang have all blocks of both programs, with the releases that have each.
		if n.Spec.Since != (hcllang.Support{}) && !c.has(n.Spec.Since) {
			if c.has(n.Spec.Unread) {
				continue
			}
			// HCL, hclsyntax/structure.go: Body.Content.
			summary := "Unsupported block type"
			switch {
			case spec == hcllang.ModuleBlock:
				// OpenTofu 1.12.6, internal/configs/module_call.go: decodeModuleBlock.
				summary = "Reserved block type name in module block"
			case c.f.Syntax() == hclconfig.JSONSyntax:
				// HCL, json/structure.go: body.Content.
				summary = "Extraneous JSON object property"
			}
			c.report(n.TypeRange(), summary, "%s has no blocks of type %q here.", c.f.Dialect(), n.Type)
			continue
		}
		// The second block is reported once, however many there are.
		if n.Spec.AtMost > 0 && !late && counts[n.Spec] == n.Spec.AtMost+1 && spec.Lookup(n.Type).Block == n.Spec {
			c.report(hclsource.DefRange(n.Plain), duplicateBlock(n), "There may be at most %d block of type %q here.", n.Spec.AtMost, n.Type)
		}
		if n.Mislabelled() || c.f.IsOverride() && n.NotOverriding() {
			continue // reported with the structure
		}
		// OpenTofu 1.12.6, internal/configs/resource.go: decodeResourceBlock goes on with the next block.
		if n.Spec.AtMost > 0 && counts[n.Spec] > n.Spec.AtMost && readOnce(spec, n, c.f.Dialect()) {
			continue
		}
		c.labels(n)
		outer := c.backend
		c.backend = outer || spec == hcllang.TerraformBlock && (n.Type == "backend" || n.Type == "cloud")
		c.body(n.Inner(), n)
		c.backend = outer
		c.block(n)
	}
	for _, nested := range spec.Blocks {
		n := counts[nested]
		// An assertion with a fault is left out before they are counted.
		if nested.Name == "assert" && spec == hcllang.CheckBlock {
			n = c.accepted(body)
		}
		if n < nested.AtLeast && b.Plain != nil && !late {
			// Blocks that are missing have no place, so it is that of the block around them.
			at, summary := hclsource.DefRange(b.Plain), "Missing "+nested.Name+" block"
			switch nested.Name {
			case "assert":
				// OpenTofu 1.12.6, internal/configs/checks.go: decodeCheckBlock.
				summary = "Zero assert blocks"
			case "content":
				at, summary = hclsource.Missing(&b.Body, "").Subject, MissingContent
			}
			c.report(at, summary, "At least %d block of type %q is required here.", nested.AtLeast, nested.Name)
		}
	}
}

// unreadableTarget reports that the target of an import cannot be read, like that of another, to
// a release that takes both for one.
func (c *checker) unreadableTarget(b hclsource.Block) {
	// An import whose target cannot be read has the zero address in that release, and so has the next one.
	if c.computedImport {
		// As recorded of Terraform 1.5.7: testdata/releases.txt, testdata/meaning.
		c.report(hclsource.DefRange(b.Plain), `Duplicate import configuration for "<invalid>.."`, "The targets of two imports cannot be read.")
	}
	c.computedImport = true
}

// accepted counts the assertions of a check block that the programs keep.
func (c *checker) accepted(body hclsource.Body) int {
	n := 0
	for i := range body.Blocks {
		b := &body.Blocks[i]
		// OpenTofu 1.12.6, internal/configs/checks.go: decodeCheckBlock keeps an assertion that could be decoded.
		condition := hclsource.Expr(b, "condition")
		_, cut := c.cutAt(condition)
		if b.Type == "assert" && (cut || len(condition.References()) > 0) && b.Argument("error_message") != nil && len(b.Body.Arguments) == 2 && len(b.Body.Blocks) == 0 {
			n++
		}
	}
	return n
}

// HCL, ext/dynblock/expand_spec.go: expandBody.decodeSpec.
const (
	MissingContent = "Missing dynamic content block"
	ExtraContent   = "Extraneous dynamic content block"
)

// duplicateBlock says in OpenTofu's words that there are too many blocks.
func duplicateBlock(b hclsource.Block) string {
	switch b.Type {
	case "_":
		// OpenTofu 1.12.6, internal/configs/provider.go: decodeProviderBlock.
		return "Duplicate escaping block"
	case "content":
		return ExtraContent
	case "data":
		// OpenTofu 1.12.6, internal/configs/checks.go: decodeCheckBlock.
		return "Multiple data resource blocks"
	case "variables", "module", "plan_options": // of test files
		return fmt.Sprintf("Multiple %q blocks", b.Type)
	}
	return "Duplicate " + b.Type + " block"
}

// required checks the arguments that a block must have, and those that it may
// have only without others.
func (c *checker) required(body hclsource.Body, b hclsource.Block) {
	for i := range body.Spec.Args {
		a := &body.Spec.Args[i]
		if !a.Required || body.Argument(a.Name) != nil {
			continue
		}
		if c.f.IsOverride() && (body.Spec == hcllang.OutputBlock || body.Spec == hcllang.ModuleBlock) {
			// OpenTofu 1.12.6, internal/configs/shim.go: schemaForOverrides. In an override nothing is required.
			continue // the primary files have it
		}
		if c.dialect == hcllang.Terraform && b.Plain != nil && a.Name == "target" && strings.HasPrefix(b.Type, "override_") {
			// As recorded of Terraform 1.11.4 to 1.15.9: testdata/releases.txt, testdata/meaning.
			c.report(hclsource.DefRange(b.Plain), "Missing target attribute", "An %s block needs the argument target.", b.Type)
			continue
		}
		if hclsource.IsTest(c.f) && b.Plain != nil && b.Type == "module" {
			// OpenTofu 1.12.6, internal/configs/test_file.go: decodeTestRunModuleBlock.
			c.report(hclsource.DefRange(b.Plain), "Missing \"source\" attribute for module block", "The module block of a run needs the argument source.")
			continue
		}
		c.out = append(c.out, hclsource.Missing(body.Body, a.Name))
	}
	if b.Plain == nil {
		return
	}
	c.repetitions(body, b)
	c.importSubject(b)
	if b.Type == "compatible_with" {
		if body.Spec.Lookup("opentofu").Arg != nil && b.Argument("opentofu") == nil {
			c.warn(hclsource.DefRange(b.Plain), "Missing OpenTofu constraint", "OpenTofu 1.12 crashes if a compatible_with block has no argument opentofu.")
		}
		if want := hclsource.TextArg(b.Plain, "opentofu"); want.IsSet() && want.Value == "" && isText(want.Argument.Expression) && hclsource.Native(want.Argument.Expression) != nil {
			// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
			c.report(want.Argument.Expression.Range(), "Invalid version constraint", "A version constraint must not be empty.")
		} else {
			c.constraint(want, hclsource.LooseConstraints)
		}
	}
}

// anyLabel are the types of blocks whose labels may be any text.
var anyLabel = []string{"backend", "provisioner", "mock_resource", "mock_data"}

// labels checks that names are identifiers.
func (c *checker) labels(b hclsource.Block) {
	if len(b.Spec.Labels) == 0 || b.Type == "dynamic" && b.Spec != hcllang.Dynamic {
		return
	}
	for i, l := range b.Labels {
		if b.Spec == hcllang.ProviderBlock && i == 0 || b.Type == "mock_provider" || b.Type == "provider_meta" && b.Spec.Rest == hcllang.RestProvider {
			c.localName(hclsource.DefRange(b.Plain), l)
			continue
		}
		if i >= len(b.Spec.Labels) || hcllex.PlainName(l) || slices.Contains(anyLabel, b.Type) || b.Spec == hcllang.Dynamic || encryptionName(b, l) {
			continue
		}
		what := b.Spec.Labels[i]
		summary := "Invalid " + b.Type + " " + what
		switch {
		// The programs have another summary for each type of block.
		case b.Spec == hcllang.ModuleBlock:
			// OpenTofu 1.12.6, internal/configs/module_call.go: decodeModuleBlock.
			summary = "Invalid module instance name"
		case b.Spec == hcllang.CheckBlock:
			// OpenTofu 1.12.6, internal/configs/checks.go: decodeCheckBlock.
			summary = "Invalid check block name"
		case what == "type" && b.Type == "data":
			// OpenTofu 1.12.6, internal/configs/resource.go: decodeDataBlock.
			summary = "Invalid data source name"
		case what == "name" && b.Type == "data":
			summary = "Invalid data resource name"
		case b.Type == "key_provider":
			// OpenTofu 1.12.6, internal/encryption/keyprovider/addr.go: NewAddr.
			summary = "The provided key provider " + what + " is invalid"
		case b.Type == "method":
			// OpenTofu 1.12.6, internal/encryption/method/addr.go: NewAddr.
			summary = "The provided encryption method " + what + " is invalid"
		case b.Spec == hcllang.EphemeralBlock:
			// OpenTofu 1.12.6, internal/configs/resource.go: decodeEphemeralBlock.
			summary = "Invalid ephemeral resource " + map[string]string{"type": c.saying("type name", "type"), "name": "name"}[what]
		case what == "type":
			// OpenTofu 1.12.6, internal/configs/resource.go: decodeResourceBlock.
			summary = "Invalid resource type name"
		case b.Type == "run" && !c.has(hclsource.RunNames):
			continue
		case b.Type == "run":
			// OpenTofu 1.12.6, internal/configs/test_file.go: decodeTestRunBlock.
			summary = "Invalid run block name"
		}
		c.report(b.LabelRange(i), summary, "%q is not a valid %s: a name must begin with a letter or underscore and may have only letters, digits, underscores and dashes.", l, what)
	}
	// A module block has arguments of these names: nobody could give such a variable a value.
	if b.Spec == hcllang.VariableBlock && slices.Contains(hclsource.ReservedVariables, hclsource.Label(b.Plain, 0)) {
		// OpenTofu 1.12.6, internal/configs/named_values.go: decodeVariableBlock.
		c.report(b.LabelRange(0), "Invalid variable name", "The name %q is reserved: it has a meaning in module blocks.", hclsource.Label(b.Plain, 0))
	}
}

// argument checks an argument by the kind that the tables have for it: each kind of expression is
// read in its own way by the programs, and JSON strings mean something else in each.
func (c *checker) argument(a *hclconfig.Argument, body hclsource.Body, b hclsource.Block) {
	m := body.Spec.Lookup(a.Name)
	if m.Arg != nil && !c.has(m.Arg.Since) {
		// HCL, hclsyntax/structure.go: Body.Content.
		summary := "Unsupported argument"
		switch {
		case body.Spec == hcllang.ProviderBlock:
			// OpenTofu 1.12.6, internal/configs/provider.go: decodeProviderBlock.
			summary = "Reserved argument name in provider block"
		case c.f.Syntax() == hclconfig.JSONSyntax:
			// HCL, json/structure.go: body.Content.
			summary = "Extraneous JSON object property"
		}
		c.report(a.NameRange(), summary, "%s has no argument %q here.", c.f.Dialect(), a.Name)
		return
	}
	// Only in JSON can the name of an argument be anything else.
	if body.Spec == hcllang.LocalsBlock && !hcllex.PlainName(a.Name) {
		// OpenTofu 1.12.6, internal/configs/named_values.go: decodeLocalsBlock.
		c.report(a.NameRange(), "Invalid local value name", "%q is not a valid name: a name must begin with a letter or underscore and may have only letters, digits, underscores and dashes.", a.Name)
	}
	if _, known := body.Spec.Rest.KindIn(c.dialect, c.release); m.Arg == nil && !known && c.f.Syntax() == hclconfig.JSONSyntax {
		return // a property that is reported: the programs do not look at its value
	}
	c.meanings(a, b)
	switch hcllang.Kind(a.Expression.Kind()) {
	case hcllang.KindIgnored:
	case hcllang.KindLiteral:
		c.literal(a, body, m)
	case hcllang.KindType:
		c.typeConstraint(a.Expression)
	case hcllang.KindReference:
		if a.Name == "method" && c.dialect == hcllang.OpenTofu {
			break // what it refers to is looked at when a state is read
		}
		c.target(a.Expression, m)
		if b.Plain != nil && strings.HasPrefix(b.Type, "override_") {
			c.overrideTarget(a, b.Type, m.Arg != nil && c.has(m.Arg.Wildcards))
		}
	case hcllang.KindReferenceList:
		c.list(a.Expression, c.listedReference)
	case hcllang.KindAttributeList:
		// OpenTofu 1.12.6, internal/configs/resource.go: decodeResourceBlock takes the keyword all instead of a list.
		if hclsource.StrictKeyword(a.Expression) != "all" || hclsource.IsQuoted(a.Expression) {
			c.ignoreChanges(a.Expression)
		}
	// Most keywords have a set of words; the iterator of a dynamic block is any name.
	case hcllang.KindKeyword:
		if body.Spec == hcllang.Dynamic {
			if !c.loading {
				c.out = append(c.out, Iterator(a.Expression)...)
			}
			break
		}
		c.keyword(a.Expression, a.Name, c.words(m, a.Name))
	case hcllang.KindKeywordList:
		switch {
		case b.Plain != nil && b.Type == "terraform": // its experiments are not looked at
		case a.Name == "experiments":
			c.list(a.Expression, c.experiment)
		default:
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
		c.expression(a.Expression, m.Arg == nil && body.Spec.Rest.Open())
	}
}

// expression checks the templates and numbers of a JSON value. Native ones
// have been parsed with the file. Of a value that may be a nested block, objects can
// have several comments.
func (c *checker) expression(e hclconfig.Expression, mayBeBlock bool) {
	switch hclsource.First(e) {
	case 0:
		c.numbers(hclsource.Native(e))
	case '"':
		c.template(e)
	case '[':
		elements, _ := e.Elements()
		for _, x := range elements {
			c.expression(x, mayBeBlock)
		}
	case '{':
		seen := map[string]hclconfig.Expression{}
		members, _ := e.Members()
		for _, m := range members {
			name := m.Name
			if m.Computed {
				name = "\x00" + hclsource.JSONText(m.Key)
			}
			// HCL, json/structure.go: expression.Value evaluates the keys of an object, and reports one that is there
			// twice.
			// Two templates are the same key if their values are.
			c.template(m.Key)
			if before, ok := seen[name]; ok && !(mayBeBlock && name == "//") {
				// HCL, json/structure.go: expression.Value.
				c.report(m.Key.Range(), "Duplicate object attribute", "An attribute named %q was already defined at %s.", strings.TrimPrefix(name, "\x00"), before.Range())
			} else {
				seen[name] = m.Key
			}
			c.expression(m.Value, mayBeBlock)
		}
	case 't', 'f', 'n':
	default:
		_, diags := e.Value(nil)
		if text := e.Raw(); !isInfinite(text) {
			diags = finite(diags)
		}
		c.out = append(c.out, diags...)
	}
}

// template checks a JSON string that is a template. It is parsed only if it can hold something:
// most strings have no marks, and parsing each would double the time for a file.
func (c *checker) template(e hclconfig.Expression) {
	if !hcllang.Kind(e.Kind()).Templates() || !hcllex.HasTemplateMarks(hclsource.JSONText(e)) {
		return
	}
	_, diags := e.HCL()
	c.out = append(c.out, diags...)
}

// list checks that e is written as a list, and its elements.
func (c *checker) list(e hclconfig.Expression, each func(hclconfig.Expression)) {
	elements, ok := e.Elements()
	if !ok {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		c.report(hclsource.StartRange(e), "Invalid expression", "A static list expression is required here: in JSON an array of strings.")
		return
	}
	for _, x := range elements {
		each(x)
	}
}

// templateHint returns the hint for a JSON string that has template marks where
// they are not allowed.
func (c *checker) templateHint(e hclconfig.Expression) string {
	if hclsource.Native(e) == nil && hclsource.First(e) == '"' && strings.Contains(hclsource.JSONText(e), "${") {
		return " In JSON syntax the string holds it as it is, without ${ and }."
	}
	if hclsource.Native(e) == nil && hclsource.First(e) != '"' {
		return " In JSON syntax it is a string."
	}
	return ""
}

// quotedReference is the text about the legacy form.
func (c *checker) quotedReference(e hclconfig.Expression) {
	if text, err := e.Text(); err == nil && text == "" {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		c.report(e.Range(), "Invalid expression", "A reference is required here.")
		return
	}
	// OpenTofu 1.12.6, internal/configs/compat_shim.go: shimTraversalInString.
	c.warn(e.Range(), "Quoted references are deprecated", "References are expected without quotes.")
}

// listedReference checks an element of a list of references.
func (c *checker) listedReference(e hclconfig.Expression) {
	if hclsource.IsQuoted(e) {
		c.quotedReference(e)
		return
	}
	c.reference(e)
}

// target checks the target of an override, which may have wildcards.
func (c *checker) target(e hclconfig.Expression, m hcllang.Member) {
	// OpenTofu 1.12.6, internal/configs/test_file.go: decodeOverrideResourceBlock. A wildcard means all instances.
	if _, ok := hclsource.Wildcards(e); ok && m.Arg != nil && c.has(m.Arg.Wildcards) {
		return
	}
	c.reference(e)
}

// reference checks a static reference: hcl.AbsTraversalForExpr in the programs, which takes no
// wildcards and, in JSON, no index after a dot.
func (c *checker) reference(e hclconfig.Expression) {
	_, wild := hclsource.Wildcards(e)
	if _, err := e.Address(); err != nil || wild || !hclsource.StrictTraversal(e) {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		c.report(e.Range(), "Invalid expression", "A reference is required here, such as aws_instance.example[0].%s", c.templateHint(e))
	}
}

// ignoreChanges checks a list of attributes, among which "*" once meant all.
func (c *checker) ignoreChanges(list hclconfig.Expression) {
	var star hclconfig.Expression
	others := 0
	c.list(list, func(e hclconfig.Expression) {
		if text, err := e.Text(); err == nil && text == "*" && (hclsource.IsQuoted(e) || hclsource.First(e) == '"') {
			star = e
			// OpenTofu 1.12.6, internal/configs/resource.go: decodeResourceBlock.
			c.report(list.Range(), "Invalid ignore_changes wildcard", "To ignore all changes, write the keyword all instead of the list.")
			return
		}
		// Each other element is the name of an attribute.
		others++
		c.attribute(e)
	})
	if star.IsSet() && others > 0 {
		// OpenTofu 1.12.6, internal/configs/resource.go: decodeResourceBlock.
		c.report(star.Range(), "Invalid ignore_changes ruleset", "The wildcard \"*\" cannot be mixed with other references.")
	}
}

// attribute checks one element of ignore_changes: a reference relative to the resource.
//
// OpenTofu 1.12.6, internal/configs/resource.go: decodeResourceBlock.
func (c *checker) attribute(e hclconfig.Expression) {
	if hclsource.IsQuoted(e) {
		c.quotedReference(e)
		return
	}
	if !hclsource.IsRelative(e) || !hclsource.StrictTraversal(e) {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		c.report(e.Range(), "Invalid expression", "The name of an attribute is required here, such as tags or tags[\"Name\"], or the keyword all instead of the list.%s", c.templateHint(e))
	}
}

// keywords has the allowed words of arguments for which the tables list no words.
var keywords = map[string][]string{"edition": {"tofu2024"}}

// words returns the words that an argument allows in the release of the file, or nil.
func (c *checker) words(m hcllang.Member, name string) []string {
	if m.Arg == nil || len(m.Arg.Values) == 0 {
		return keywords[name]
	}
	var out []string
	// A word that only other releases have is none here.
	for _, w := range m.Arg.Values {
		if c.has(w.Since) {
			out = append(out, w.Text)
		}
	}
	return out
}

// keyword checks a bare word, and whether it is one of those that are allowed. Words in quotes are
// the form of HCL 1. The programs still take it for when and on_failure, with a warning.
//
// OpenTofu 1.12.6, internal/configs/compat_shim.go: shimTraversalInString.
func (c *checker) keyword(e hclconfig.Expression, name string, allowed []string) {
	word := hclsource.StrictKeyword(e)
	summary := "Invalid keyword"
	if name != "" {
		summary = fmt.Sprintf("Invalid %q keyword", name)
	}
	legacy := hclsource.IsQuoted(e)
	if name == "edition" {
		// OpenTofu 1.12.6, internal/configs/language.go: validateLanguageBlock.
		summary = "Invalid language edition"
		if word != "" && !legacy {
			summary = "Unsupported language edition"
		}
	}
	switch {
	// HCL, traversal_for_expr.go: ExprAsKeyword returns no word for a string.
	case word == "" || legacy && name != "when" && name != "on_failure":
		c.report(e.Range(), summary, "A bare word is required here.%s", c.templateHint(e))
		return
	case legacy:
		// OpenTofu 1.12.6, internal/configs/compat_shim.go: shimTraversalInString.
		c.warn(e.Range(), "Quoted keywords are deprecated", "Keywords are expected without quotes.")
	}
	if name == "when" && word == "create" {
		return // in a removed block the program says that of the provisioner
	}
	if allowed != nil && !slices.Contains(allowed, word) {
		c.report(e.Range(), summary, "%q is none of the words that are allowed here: %s.", word, strings.Join(allowed, ", "))
	}
}

// Iterator checks the name of the iterator of a dynamic block.
//
// HCL, ext/dynblock/expand_spec.go: expandBody.decodeSpec.
func Iterator(e hclconfig.Expression) hclconfig.Diagnostics {
	x, ok := hclsource.NativeForm(e)
	switch t, diags := hcl.AbsTraversalForExpr(hclsource.OrNothing(x)); {
	case !ok || hclsource.IsQuoted(e) || diags.HasErrors():
		return hclconfig.Diagnostics{hclsource.ErrorAt(e.Range(), "Invalid expression", "A single name is required here.")}
	case len(t) != 1:
		return hclconfig.Diagnostics{hclsource.ErrorAt(e.Range(), "Invalid dynamic iterator name", "Dynamic iterator must be a single variable name.")}
	}
	return nil
}

// experiment checks an experiment of a language block. There is none yet.
func (c *checker) experiment(e hclconfig.Expression) {
	word := hclsource.StrictKeyword(e)
	if word == "" || hclsource.IsQuoted(e) {
		// OpenTofu 1.12.6, internal/configs/language.go: decodeReservedExperimentsAttr.
		c.report(e.Range(), "Invalid experiment keyword", "A bare word is required here.%s", c.templateHint(e))
		return
	}
	// OpenTofu 1.12.6, internal/configs/language.go: decodeReservedExperimentsAttr.
	c.report(e.Range(), "Unknown experiment keyword", "There is no experiment %q.", word)
}

// source checks an expression that JSON holds as a string of native source.
//
// OpenTofu 1.12.6, internal/configs/hcl2shim/util.go: ConvertJSONExpressionToHCL.
func (c *checker) source(e hclconfig.Expression) {
	if hclsource.Native(e) != nil {
		return
	}
	if hclsource.First(e) == '"' {
		_, diags := e.HCL()
		for _, d := range diags {
			d.Subject.Start = e.File().Position(d.Subject.Start.Offset - 1) // the programs count from the quote
			c.out = append(c.out, d)
		}
		return
	}
	summary := "Expected string expression"
	if c.dialect == hcllang.Terraform {
		summary = "Invalid reference expression"
	}
	c.report(e.Range(), summary, "A reference is required here.%s", c.templateHint(e))
}
