// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// nested returns the schema of the blocks of a type in b, or nil. The programs take an
// attribute that may be written as blocks for such blocks if it is not there.
func nestedIn(s *provschema.Block, b *hclconfig.Body, name string) *provschema.Nested {
	if n := s.Blocks[name]; n != nil {
		return n
	}
	if n := s.Written[name]; n != nil && b.Argument(name) == nil {
		return n
	}
	return nil
}

// unknownValue returns the value of an object of which nothing is known. What is planned is
// an object of unknown attributes, and so is what has marks. If the object has a name, the
// value is marked where the schema is deprecated.
func unknownValue(s *provschema.Block, planned bool, name string) cty.Value {
	if !planned && !s.Marked {
		return cty.UnknownVal(s.Implied)
	}
	attrs := make(map[string]cty.Value, len(s.Implied.AttributeTypes()))
	for attr, t := range s.Implied.AttributeTypes() {
		attrs[attr] = cty.UnknownVal(t)
		a := s.Attributes[attr]
		if a != nil && a.Sensitive {
			attrs[attr] = attrs[attr].Mark(langfuncs.Sensitive)
		}
		if a != nil && a.Deprecated && name != "" {
			attrs[attr] = attrs[attr].Mark(deprecation{name + "." + attr, a.Message})
		}
	}
	v := cty.ObjectVal(attrs)
	if s.Deprecated && name != "" {
		v = v.Mark(deprecation{name, s.Message})
	}
	return v
}

// builtIn has the schemas of the provider that is part of the programs.
var builtIn = mustSchemas(`{"provider_schemas":{"terraform.io/builtin/terraform":{
"provider":{"block":{}},
"resource_schemas":{"terraform_data":{"block":{"attributes":{
	"id":{"type":"string","computed":true},"input":{"type":"dynamic","optional":true},
	"output":{"type":"dynamic","computed":true},"triggers_replace":{"type":"dynamic","optional":true}}}}},
"data_source_schemas":{"terraform_remote_state":{"block":{"attributes":{
	"backend":{"type":"string","required":true},"config":{"type":"dynamic","optional":true},"defaults":{"type":"dynamic","optional":true},
	"outputs":{"type":"dynamic","computed":true},"workspace":{"type":"string","optional":true}}}}}}}}`)

func mustSchemas(text string) map[string]*provschema.Provider {
	s, err := provschema.Decode([]byte(text))
	if err != nil {
		panic(err) // the text is above
	}
	return s.Providers()
}

// connectionSchema describes a connection block of any kind.
var connectionSchema = provschema.Simple(
	"host!", "type", "user", "password", "port:number", "timeout", "script_path", "target_platform", "private_key", "certificate", "host_key",
	"agent:bool", "agent_identity", "proxy_scheme", "proxy_host", "proxy_port:number", "proxy_user_name", "proxy_user_password",
	"bastion_host", "bastion_host_key", "bastion_port:number", "bastion_user", "bastion_password", "bastion_private_key", "bastion_certificate",
	"https:bool", "insecure:bool", "cacert", "use_ntlm:bool")

// provisionerSchemas describes the provisioners that are part of the programs.
var provisionerSchemas = map[string]*provschema.Block{
	"local-exec":  provschema.Simple("command!", "interpreter:list", "working_dir", "environment:map", "quiet:bool"),
	"remote-exec": provschema.Simple("inline:list", "script", "scripts:list"),
	"file":        provschema.Simple("source", "content", "destination!"),
}

// schemas returns the schemas of the provider with this local name.
func (s *moduleScope) provider(localName string) *provschema.Provider {
	p, err := s.m.ProviderOf(localName)
	if err != nil {
		return nil
	}
	if p.IsBuiltIn() {
		return builtIn[p.String()]
	}
	return s.check.schemas[p.String()]
}

func (s *moduleScope) providerSchema(localName string) *provschema.Block {
	if p := s.provider(localName); p != nil {
		return p.Provider.Block
	}
	return nil
}

// schemaOf returns the schema of a resource, or nil if it is not known.
func (s *moduleScope) schemaOf(r *hclconfig.Resource) *provschema.Block {
	if schema, ok := s.schemas[r]; ok {
		return schema
	}
	schema := s.findSchema(r)
	if s.schemas == nil {
		s.schemas = map[*hclconfig.Resource]*provschema.Block{}
	}
	s.schemas[r] = schema
	return schema
}

func (s *moduleScope) findSchema(r *hclconfig.Resource) *provschema.Block {
	p := s.provider(r.ProviderName())
	if p == nil {
		return nil
	}
	return p.OfMode(r.Mode)[r.Type].Block
}

// unknownType reports a resource type that its provider does not have.
func (s *moduleScope) unknownType(r *hclconfig.Resource) hclconfig.Diagnostics {
	p := s.provider(r.ProviderName())
	if p == nil || len(r.Block.Labels) == 0 {
		return nil
	}
	summary, what := "Invalid resource type", "resource type"
	switch r.Mode {
	case addrs.Data:
		summary, what = "Invalid data source", "data source"
	case addrs.Ephemeral:
		summary, what = "Invalid ephemeral resource", "ephemeral resource"
	}
	hint := hclsource.DidYouMeanKey(r.Type, p.OfMode(r.Mode))
	for _, other := range []addrs.Mode{addrs.Managed, addrs.Data, addrs.Ephemeral} {
		if _, ok := p.OfMode(other)[r.Type]; ok && other != r.Mode {
			word := [...]string{"resource", "data", "ephemeral"}[modeIndex(other)]
			hint = fmt.Sprintf("\n\nDid you intend to use a block of type %q %q? If so, declare this using a block of type %[1]q instead of one of type %[3]q.", word, r.Type, r.Block.Type)
		}
	}
	address, _ := s.m.ProviderOf(r.ProviderName())
	return hclconfig.Diagnostics{hclsource.ErrorAt(r.Block.LabelRange(0), summary, "The provider %s does not support %s %q.%s", address, what, r.Type, hint)}
}

func modeIndex(m addrs.Mode) int {
	switch m {
	case addrs.Data:
		return 1
	case addrs.Ephemeral:
		return 2
	}
	return 0
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
			return fail("Invalid index operation", "Only attribute access is allowed here. Did you mean to access attribute %q using the dot operator?", x.Key.AsString())
		}
		return fail("Invalid index operation", "Only attribute access is allowed here, using the dot operator.")
	default:
		return fail("Invalid operation", "Only attribute access is allowed here, using the dot operator.")
	}
	if a, ok := s.Attributes[name]; ok {
		var out hclconfig.Diagnostics
		if a.Deprecated && !c.marksDeprecations() {
			out = fail("Deprecated attribute", "The attribute %q is deprecated. The documentation of the provider may say what to use instead.", name)
			out[0].Severity = hclconfig.SeverityWarning
		}
		_, diags := hcleval.LaxSteps(cty.UnknownVal(a.Type), steps[1:], c.laxIndexes())
		return append(out, p.Diagnostics(diags)...)
	}
	b, ok := s.Blocks[name]
	if !ok {
		return fail("Unsupported attribute", "This object has no argument, nested block, or exported attribute named %q.%s", name, hclsource.DidYouMean(name, namesOf(s)))
	}
	rest := steps[1:]
	if n := b.Nesting; n == provschema.Single || n == provschema.Group || len(rest) == 0 {
		return c.traversal(b.Block, p, rest)
	}
	steps = rest
	switch b.Nesting {
	case provschema.Set:
		return fail("Cannot index a set value", "Block type %q is represented by a set of objects, and set elements do not have addressable keys. To find elements matching specific criteria, use a \"for\" expression with an \"if\" clause.", name)
	case provschema.Map:
		return c.traversal(b.Block, p, rest[1:])
	case provschema.List:
		if _, ok := rest[0].(hcl.TraverseIndex); !ok {
			return fail("Invalid operation", "Block type %q is represented by a list of objects, so it must be indexed using a numeric key, like .%s[0].", name, name)
		}
		return c.traversal(b.Block, p, rest[1:])
	}
	return nil
}

// names are those of the attributes and blocks, sorted.
func namesOf(s *provschema.Block) []string {
	if len(s.Attributes)+len(s.Blocks) > hclsource.MaxSuggested {
		return nil
	}
	return slices.Sorted(func(yield func(string) bool) {
		for n := range s.Attributes {
			if !yield(n) {
				return
			}
		}
		for n := range s.Blocks {
			if !yield(n) {
				return
			}
		}
	})
}

// bodyOf checks a body with its schema: first its references, then its content.
func (at *setting) bodyOf(schema *provschema.Block, b *hclconfig.Body) hclconfig.Diagnostics {
	declared := *at
	declared.static = true
	_, first := declared.bodyReferences(schema, b)
	expanded, out := at.bodyReferences(schema, b)
	if first.HasErrors() {
		return append(expanded, first...)
	}
	if out = append(expanded, out...); len(out) > len(expanded) && out.HasErrors() {
		return out
	}
	if out = append(out, at.bodyValues(schema, b)...); out.HasErrors() {
		out = slices.DeleteFunc(out, isDeprecation)
	}
	return out
}

// isDeprecation reports whether a provider gives the diagnostic, for a known value. It is
// not asked about a body with errors.
func isDeprecation(d hclconfig.Diagnostic) bool {
	return d.Summary == deprecatedArgument || d.Summary == deprecatedBlock
}

const (
	deprecatedArgument = "Argument is deprecated"
	deprecatedBlock    = "Block is deprecated"
)

// content splits a body by the schema. An attribute that is a list of objects
// may be written as blocks.
func contentOf(s *provschema.Block, b *hclconfig.Body) *hclconfig.Content {
	spec := &hcl.BodySchema{}
	for name, a := range s.Attributes {
		if nestedIn(s, b, name) != nil {
			spec.Blocks = append(spec.Blocks, hcl.BlockHeaderSchema{Type: name})
			continue
		}
		spec.Attributes = append(spec.Attributes, hcl.AttributeSchema{Name: name, Required: a.Required})
	}
	for name, n := range s.Blocks {
		h := hcl.BlockHeaderSchema{Type: name}
		if n.Nesting == provschema.Map {
			h.LabelNames = []string{"key"}
		}
		spec.Blocks = append(spec.Blocks, h)
	}
	slices.SortFunc(spec.Attributes, func(a, b hcl.AttributeSchema) int { return strings.Compare(a.Name, b.Name) })
	return b.Content(spec)
}

// bodyReferences checks the references in the arguments that the schema has. Errors in
// the for_each of dynamic blocks are in expanded: the programs go on after them.
func (at *setting) bodyReferences(schema *provschema.Block, b *hclconfig.Body) (expanded, out hclconfig.Diagnostics) {
	c := contentOf(schema, b)
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
			nested := nestedIn(schema, b, hclsource.Label(n, 0))
			faults := check(hclsource.Expr(n, "for_each"))
			expanded = append(expanded, faults...)
			if nested == nil || faults.HasErrors() {
				continue
			}
			made, _, _ := at.expand(n)
			for _, inner := range made {
				before := len(out)
				for content := range n.Body.BlocksOfType("content") {
					inside(inner, nested.Block, &content.Body)
				}
				if len(out) > before {
					break // the others say the same
				}
			}
			continue
		}
		if nested := nestedIn(schema, b, n.Type); nested != nil && fits(nested, n) {
			inside(at, nested.Block, &n.Body)
		}
	}
	return expanded, out
}

// duplicateBlockAt reports a second block of a type, or of a key where they have keys.
func duplicateBlockAt(b *hclconfig.Block, name string) hclconfig.Diagnostic {
	return hclsource.ErrorAt(hclsource.DefRange(b), "Duplicate "+name+" block", "Only one block of type %q is allowed with the same key.", name)
}

// fits reports whether a block has the labels that it should have. What is in others the
// programs do not see.
func fits(s *provschema.Nested, b *hclconfig.Block) bool {
	return len(b.Labels) == 0 && s.Nesting != provschema.Map || len(b.Labels) == 1 && s.Nesting == provschema.Map
}

// bodyValues checks the structure of a body and the values of its arguments.
func (at *setting) bodyValues(schema *provschema.Block, b *hclconfig.Body) hclconfig.Diagnostics {
	c := contentOf(schema, b)
	out := slices.Clone(c.Diagnostics)
	if b == at.merged {
		out = at.mergedFaults(schema, c)
	}
	reported := map[addrs.Range]bool{}
	if len(c.Extra) > 0 {
		for _, d := range out {
			reported[d.Subject] = true
		}
	}
	for _, a := range c.Extra {
		if reported[a.NameRange()] {
			continue
		}
		hint := hclsource.DidYouMean(a.Name, namesOf(schema))
		out = append(out, unsupported(a, hint))
	}
	for _, n := range c.ExtraBlocks {
		hint := ""
		if _, ok := schema.Attributes[n.Type]; ok {
			hint = fmt.Sprintf(" Did you mean to define argument %q? If so, use the equals sign to assign it a value.", n.Type)
		} else {
			hint = hclsource.DidYouMean(n.Type, namesOf(schema))
		}
		out = append(out, hclsource.ErrorAt(n.TypeRange(), "Unsupported block type", "Blocks of type %q are not expected here.%s", n.Type, hint))
	}
	if !at.structure {
		for _, a := range c.Arguments {
			out = append(out, at.attribute(schema.Attributes[a.Name], a)...)
		}
	}
	out = append(out, at.nestedBlocks(schema, b, c)...)
	if schema == builtInRemoteState && !out.HasErrors() {
		out = append(out, at.localState(b)...)
	}
	return out
}

// localState checks the configuration of a terraform_remote_state that reads a
// local file: the one backend with a known schema here.
func (at *setting) localState(b *hclconfig.Body) hclconfig.Diagnostics {
	backend, config := b.Argument("backend"), b.Argument("config")
	if backend == nil || config == nil {
		return nil
	}
	if v, _ := at.evaluate(backend.Expression, false); !v.RawEquals(cty.StringVal("local")) {
		return nil
	}
	v, diags := at.evaluate(config.Expression, false)
	if v, _ = v.UnmarkDeep(); diags.HasErrors() || !v.IsWhollyKnown() || v.IsNull() || v.Type().IsMapType() {
		return nil
	}
	fail := func(format string, args ...any) hclconfig.Diagnostics {
		return hclconfig.Diagnostics{hclsource.ErrorAt(config.Expression.Range(), "Invalid backend configuration", format, args...)}
	}
	if !v.Type().IsObjectType() {
		return fail("The configuration of the backend local must be an object.")
	}
	for name, member := range v.AsValueMap() {
		text, err := convert.Convert(member, cty.String)
		switch {
		case name != "path" && name != "workspace_dir":
			return fail("The backend local has no argument %q.", name)
		case err != nil:
			return fail("The argument %q of the backend local must be a string.", name)
		case name == "path" && text.RawEquals(cty.StringVal("")):
			d := hclsource.Missing(b, name)
			d.Summary, d.Detail = "Invalid local state file path", "The path of the backend local must not be empty."
			return hclconfig.Diagnostics{d}
		}
	}
	return nil
}

// attribute checks the value of an argument.
func (at *setting) attribute(schema *provschema.Attribute, a *hclconfig.Argument) hclconfig.Diagnostics {
	v, out := at.evaluate(a.Expression, false)
	if out.HasErrors() || schema == nil {
		return out
	}
	if schema.Deprecated && v.IsKnown() && !v.IsNull() {
		out = append(out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: deprecatedArgument, Detail: fmt.Sprintf("The argument %q is deprecated.", a.Name), Subject: a.Expression.Range()})
	}
	if langfuncs.Has(v, langfuncs.Ephemeral) && !schema.WriteOnly && !at.transient {
		out = append(out, hclsource.ErrorAt(a.Expression.Range(), at.m.check.words("Ephemeral value used in non-ephemeral context", "Invalid use of ephemeral value"),
			"Attribute %q is referencing an ephemeral value but ephemeral values can be referenced only by other ephemeral attributes or by write-only ones.", a.Name))
		return out
	}
	plain, _ := v.UnmarkDeep()
	if _, err := convert.Convert(plain, schema.Type); err != nil {
		return append(out, hclsource.ErrorAt(a.Expression.Range(), "Incorrect attribute value type", "Inappropriate value for attribute %q: %s.", a.Name, err))
	}
	if at.m.check.isBuiltIn(schema) && !plain.IsNull() && (plain.IsKnown() || schema != builtInBackend) {
		out = append(out, at.m.check.builtInValue(a, schema, plain)...)
	}
	return out
}

// badTrigger is what the programs say of a splat in replace_triggered_by.
const badTrigger = "Invalid replace_triggered_by expression"

// lifecycle checks the attributes that the lifecycle block of a resource names.
func (s *moduleScope) lifecycle(r *hclconfig.Resource) hclconfig.Diagnostics {
	var out hclconfig.Diagnostics
	schema := s.schemaOf(r)
	elements, _ := r.Lifecycle.IgnoreChanges.Elements()
	for _, e := range elements {
		if schema == nil {
			break
		}
		p := hclsource.PieceOf(e)
		if p.Expr == nil {
			continue
		}
		if q := hclsource.QuotedPiece(e); q.Expr != nil {
			p = q
		}
		if p.Str != nil {
			p.Base-- // the programs count from the quote
		}
		t, diags := hcl.RelTraversalForExpr(p.Expr)
		if diags.HasErrors() {
			continue
		}
		diags2 := s.check.traversal(schema, p, t)
		out = append(out, diags2...)
		if a := attributeAt(schema, t); a != nil && a.Computed && !a.Optional && !diags2.HasErrors() {
			out = append(out, hclconfig.Diagnostic{Severity: hclconfig.SeverityWarning, Summary: "Redundant ignore_changes element", Subject: r.Block.LabelRange(0),
				Detail: fmt.Sprintf("Adding an attribute name to ignore_changes ignores future changes to the argument in configuration. The attribute %s is decided by the provider alone and therefore there can be no configured value to compare with.", e.Raw())})
		}
	}
	elements, _ = r.Lifecycle.ReplaceTriggeredBy.Elements()
	at := setting{m: s}
	switch {
	case r.Count.IsSet():
		at.rep = byCount
	case r.ForEach.IsSet():
		at.rep = byEach
	}
	for _, e := range elements {
		subjects, diags := at.subjects(e)
		if diags.HasErrors() {
			continue // reported with the structure
		}
		if x, ok := hclsource.NativeForm(e); ok && s.check.dialect == hcllang.OpenTofu {
			if _, ok := hclsource.AddressShape(x); !ok {
				out = append(out, hclsource.ErrorAt(e.Range(), badTrigger, "Unexpected expression found in replace_triggered_by."))
				continue
			}
		}
		wrong := false
		for i := range subjects {
			if s := &subjects[i]; (s.Kind == hclsource.ToCount || s.Kind == hclsource.ToEach) && at.m.check.dialect == hcllang.OpenTofu {
				if _, d := at.value(s); d != nil {
					out, wrong = append(out, *d), true
				}
			}
		}
		if wrong {
			continue
		}
		for i := range subjects {
			if t := &subjects[i]; t.Kind == hclsource.ToResource {
				target, ok := s.resources[t.Address()]
				if s.check.dialect == hcllang.Terraform {
					continue // known with the plan
				}
				if !ok {
					out = append(out, hclsource.ErrorAt(e.Range(), s.check.words("Undeclared resource in replace_triggered_by", "Reference to undeclared resource"), "Resource %s refers to %s in replace_triggered_by, but it is not declared in this module.", hclsource.Address(r), t.Address()))
				} else if schema := s.schemaOf(target); schema != nil {
					out = append(out, s.check.traversal(schema, t.Piece, t.Rest)...)
				}
			}
		}
	}
	return out
}

// isBuiltIn reports whether an attribute is one of the built-in provider.
func (c *treeChecker) isBuiltIn(a *provschema.Attribute) bool {
	return a == builtInID || a == builtInOutput || a == builtInBackend
}

// The attributes of the built-in provider that it checks itself.
var (
	builtInID     = builtIn[builtInAddress].Resources["terraform_data"].Block.Attributes["id"]
	builtInOutput = builtIn[builtInAddress].Resources["terraform_data"].Block.Attributes["output"]
	// builtInRemoteState is the schema of the data source that reads another state.
	builtInRemoteState = builtIn[builtInAddress].Data["terraform_remote_state"].Block
	builtInBackend     = builtIn[builtInAddress].Data["terraform_remote_state"].Block.Attributes["backend"]
)

const builtInAddress = "terraform.io/builtin/terraform"

// backends are the types of backends of the programs.
var backends = []string{"local", "remote", "azurerm", "consul", "cos", "gcs", "http", "inmem", "kubernetes", "oci", "oss", "pg", "s3"}

// builtInValue makes the checks of the built-in provider.
func (c *treeChecker) builtInValue(a *hclconfig.Argument, schema *provschema.Attribute, v cty.Value) hclconfig.Diagnostics {
	if schema == builtInID || schema == builtInOutput {
		return hclconfig.Diagnostics{hclsource.ErrorAt(a.NameRange(), fmt.Sprintf("%q attribute is read-only", a.Name), "The attribute cannot be set.")}
	}
	if text, err := hcleval.TextOf(v); err == nil && !slices.Contains(backends, text) {
		return hclconfig.Diagnostics{hclsource.ErrorAt(a.Expression.Range(), "Invalid backend configuration", "There is no backend type named %q.", text)}
	}
	return nil
}
