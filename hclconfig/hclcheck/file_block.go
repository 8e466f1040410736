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
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// block checks what is particular to one type of block: the rules that
// OpenTofu applies while it loads a module, before anything is evaluated.
func (c *checker) block(b block) {
	switch b.spec {
	case hcllang.TerraformBlock:
		// OpenTofu 1.12 reads it in .tofu files only.
		if c.dialect == hcllang.Terraform || isTofu(c.f) {
			c.constraint(textArg(b.hclBlock, "required_version"), checkedConstraints)
		}
		if a := b.Argument("experiments"); a != nil && c.tree && c.dialect == hcllang.Terraform {
			if list, ok := a.Elements(); ok && len(list) > 0 {
				c.report(a.NameRange(), "Module uses experimental features", "Experimental features are intended only for gathering early feedback on new language designs, and so are available only in alpha releases.")
			}
		}
	case hcllang.ProviderBlock:
		c.provider(b)
	case hcllang.VariableBlock, hcllang.TestVariableBlock:
		c.variable(b)
	case hcllang.ModuleBlock:
		c.call(b)
		if !c.tree {
			c.repetition(b)
		}
	case hcllang.ResourceBlock, hcllang.DataBlock, hcllang.EphemeralBlock:
		if !c.tree {
			c.repetition(b)
		}
		c.replaceTriggers(expr(b.Block("lifecycle"), "replace_triggered_by"))
	case hcllang.MovedBlock:
		from, to := c.movable(expr(b.hclBlock, "from")), c.movable(expr(b.hclBlock, "to"))
		if from != to && from != noAddress && to != noAddress {
			c.report(b.DefRange(), `Invalid "moved" addresses`, "The addresses from and to must either both be of a module or both be of a resource.")
		}
	case hcllang.RemovedBlock:
		c.removed(b)
	case hcllang.ImportBlock:
		c.importTarget(expr(b.hclBlock, "to"))
	}
	for i := range b.Body.Blocks {
		switch r := b.inner().block(i); r.Type {
		case "precondition", "postcondition", "assert", "validation":
			c.condition(r, b)
		}
	}
	c.escaped(b)
	if b.Type == "provisioner" && b.spec != hcllang.Open {
		c.provisioner(b)
	}
	if b.Type == "provider_meta" && c.tree {
		for i := range b.Body.Arguments {
			for _, r := range b.Body.Arguments[i].References() {
				c.report(r.Range(), "Variables not allowed", "Variables may not be used here.")
			}
		}
	}
	if b.Type == "plan_options" && expr(b.hclBlock, "mode").Keyword() == "refresh-only" {
		if a := b.Argument("refresh"); a != nil {
			if on, err := a.Bool(); err == nil && !on {
				c.report(a.NameRange(), "Incompatible plan options", "The refresh option cannot be set to false when running a test in refresh-only mode.")
			}
		}
	}
}

// removedProvisioners are those that were part of the programs once.
var removedProvisioners = []string{"chef", "habitat", "puppet", "salt-masterless"}

// provisioner checks that a provisioner is one that there is, and that one that
// runs when its object is destroyed refers to nothing else.
func (c *checker) provisioner(b block) {
	if slices.Contains(removedProvisioners, label(b.hclBlock, 0)) {
		c.report(b.LabelRange(0), fmt.Sprintf("The %q provisioner has been removed", label(b.hclBlock, 0)), "The %q provisioner was deprecated because of its dependency on an agent, and has been removed.", label(b.hclBlock, 0))
	}
	if expr(b.hclBlock, "when").Keyword() != "destroy" {
		return
	}
	bodies := []*hclconfig.Body{&b.Body}
	for n := range b.Body.BlocksOfType("connection") {
		bodies = append(bodies, &n.Body)
	}
	for _, body := range bodies {
		for i := range body.Arguments {
			for _, r := range body.Arguments[i].References() {
				switch root := r.Root(); {
				case root == "self", root == "path", root == "terraform", root == "tofu" && c.dialect == hcllang.OpenTofu:
				case r.Text == "count.index", r.Text == "each.key":
				default:
					c.report(r.Range(), "Invalid reference from destroy provisioner", "Destroy-time provisioners and their connection configurations may only reference attributes of the related resource, via \"self\", \"count.index\", or \"each.key\".")
				}
			}
		}
	}
}

// condition checks that a condition depends on something.
func (c *checker) condition(r, in block) {
	e := expr(r.hclBlock, "condition")
	if !e.IsSet() || r.spec.Lookup("condition").Arg == nil {
		return
	}
	refs := e.References()
	if len(refs) == 0 {
		if _, diags := e.HCL(); diags.HasErrors() {
			return // reported as a template
		}
		c.report(e.Range(), "Invalid "+r.Type+" expression",
			"The condition must refer to at least one object, or its result would not be checking anything.")
		if r.Type != "validation" || !c.tree {
			return
		}
	}
	if r.Type != "validation" || len(in.Labels) == 0 {
		return
	}
	for _, ref := range refs {
		if ref.Root() == "var" && ref.Addr.Name() == in.Labels[0] {
			return
		}
	}
	c.report(e.Range(), "Invalid variable validation condition", "The condition for variable %q must refer to var.%[1]s, to test its value.", in.Labels[0])
}

// escaped reports what is set both in a block and in the escape block in it.
func (c *checker) escaped(b block) {
	for i := range b.Body.Blocks {
		escape := b.inner().block(i)
		if escape.Type != "_" || escape.spec == hcllang.Open {
			continue
		}
		for j := range escape.Body.Arguments {
			a := &escape.Body.Arguments[j]
			if first := b.Argument(a.Name); first != nil && b.spec.Lookup(a.Name).Arg == nil {
				c.report(a.NameRange(), "Duplicate argument", "The argument %q was already set at %s.", a.Name, first.NameRange())
			}
		}
	}
}

// twice reports a property of a JSON body that is there twice and stands for no
// blocks: only a type of block may be repeated.
func (c *checker) twice(body body) {
	var seen map[string]*hclconfig.Argument
	for i := range body.Arguments {
		a := &body.Arguments[i]
		if !a.Undecided || native(a.Expression) != nil {
			continue
		}
		first := seen[a.Name]
		if first == nil {
			if seen == nil {
				seen = map[string]*hclconfig.Argument{}
			}
			seen[a.Name] = a
			continue
		}
		if !mayBeBlocks(first) || !mayBeBlocks(a) {
			c.report(a.NameRange(), "Duplicate argument", "The argument %q was already set at %s.", a.Name, first.NameRange())
		}
	}
}

// mayBeBlocks reports whether a schema could make blocks of the property.
func mayBeBlocks(a *hclconfig.Argument) bool {
	_, diags := a.AsBlocks(0)
	return !diags.HasErrors()
}

func (c *checker) provider(b block) {
	if alias := textArg(b.hclBlock, "alias"); alias.IsSet() && !hcllex.PlainName(alias.Value) {
		if _, err := alias.Argument.Text(); err == nil {
			c.report(alias.Argument.Expression.Range(), "Invalid provider configuration alias", "%q is not a valid name: a name must begin with a letter or underscore and may have only letters, digits, underscores and dashes.", alias.Value)
		}
	}
	if v := textArg(b.hclBlock, "version"); v.IsSet() {
		c.constraint(v, nil)
		c.warn(v.Argument.Expression.Range(), "Version constraints inside provider configuration blocks are deprecated",
			"The place for a provider's version constraint is the required_providers block.")
	}
}

// localName checks the local name of a provider.
func (c *checker) localName(at hclconfig.Range, name string) bool {
	if p, err := addrs.ImpliedProvider(name); err == nil && p.Type() == name {
		return true
	}
	c.report(at, "Invalid provider local name", "%q is not a valid local name of a provider: it has lower-case letters, digits and dashes only, and neither begins nor ends with a dash.", name)
	return false
}

func (c *checker) variable(b block) {
	d := b.Argument("default")
	if d == nil {
		return
	}
	v, err := d.Constant()
	if err != nil {
		return // reported with the literals
	}
	if n := flagArg(b.hclBlock, "nullable"); v.IsNull() && n.IsSet() && !n.Value {
		c.report(d.Expression.Range(), "Invalid default value for variable", "A null default value is not valid when nullable is false.")
		return
	}
	if _, _, err := expr(b.hclBlock, "type").TypeConstraint(); err != nil {
		return // reported as a type
	}
	variable := hclconfig.Variable{Block: b.hclBlock, Name: label(b.hclBlock, 0), Type: expr(b.hclBlock, "type"), Default: d.Expression, Nullable: flagArg(b.hclBlock, "nullable")}
	if _, err := variable.TypedDefault(); err != nil {
		c.reportError(d.Expression.Range(), "Invalid default value for variable", err)
	}
}

// call checks the source and the version of a module call, where they are
// constants.
func (c *checker) call(b block) {
	call := hclconfig.ModuleCall{Block: b.hclBlock, Name: label(b.hclBlock, 0), Source: textArg(b.hclBlock, "source"), Version: textArg(b.hclBlock, "version")}
	if !call.Source.IsSet() {
		return
	}
	source := call.Source.Argument
	if v, err := source.Constant(); err != nil {
		return // computed, or reported as a template
	} else if _, err := textOf(v); err != nil {
		c.report(source.Expression.Range(), "Unsuitable value type", "The source of a module must be a string.")
		return
	}
	if call.Version.IsSet() {
		switch v, err := call.Version.Argument.Constant(); {
		case err != nil, v.IsNull() && c.dialect == hcllang.OpenTofu:
			call.Version = hclconfig.Text{} // computed; null is like absence
		default:
			c.constraint(call.Version, checkedConstraints)
		}
	}
	if _, err := call.SourceAddr(); err != nil {
		summary := "Invalid module source address"
		if call.Version.IsSet() {
			summary = "Invalid registry module source address"
		}
		c.reportError(source.Expression.Range(), summary, err)
	}
}

// checkedConstraints is hcllang.LooseConstraints without what comes after the third
// number of a version: that is no error, although package addrs has no form
// for it.
func checkedConstraints(s string) string {
	parts := strings.Split(hcllang.LooseConstraints(s), ", ")
	for i, p := range parts {
		numbers := strings.SplitN(p, ".", 4)
		if len(numbers) < 4 {
			continue
		}
		if rest := numbers[3]; strings.Trim(rest, ".0123456789") == "" && !strings.Contains("."+rest+".", "..") {
			parts[i] = strings.Join(numbers[:3], ".")
		}
	}
	return strings.Join(parts, ", ")
}

// repetition checks count and for_each, where they are constants.
func (c *checker) repetition(b block) {
	if a := b.Argument("count"); a != nil {
		if v, err := a.Constant(); err == nil {
			n, err := convert.Convert(v, cty.Number)
			if err != nil || n.IsNull() || n.LessThan(cty.Zero).True() || !n.AsBigFloat().IsInt() {
				c.report(a.Expression.Range(), "Invalid count argument", "The argument count must be a whole number that is not negative.")
			}
		}
	}
	if a := b.Argument("for_each"); a != nil {
		if v, err := a.Constant(); err == nil {
			if t := v.Type(); v.IsNull() || !t.IsObjectType() && !t.IsMapType() {
				c.report(a.Expression.Range(), "Invalid for_each argument", "The argument for_each must be a map, or a set of strings, which toset makes of a list.")
			}
		}
	}
}

// replaceTriggers checks the elements of replace_triggered_by: each refers to
// one resource, and in an index perhaps to the instance that is at hand.
func (c *checker) replaceTriggers(e hclconfig.Expression) {
	elements, _ := e.Elements()
	for _, x := range elements {
		if _, ok := nativeForm(x); !ok {
			continue // reported as a source
		}
		resources := 0
		for _, r := range x.References() {
			if _, ok := r.Addr.Resource(); ok {
				resources++
			} else if r.Text != "count.index" && r.Text != "each.key" {
				if c.tree && resources == 0 {
					c.report(x.Range(), "Invalid replace_triggered_by expression", "Missing resource reference in replace_triggered_by expression.")
				}
				c.report(r.Range(), "Invalid reference in replace_triggered_by expression", "%s cannot be used here: only resources, and count.index and each.key in their instance keys.", r.Text)
				resources = 1
				break
			}
		}
		if resources != 1 {
			c.report(x.Range(), "Invalid replace_triggered_by expression", "A reference to exactly one resource or one of its attributes is required here.")
		}
	}
}

// An addressKind says what an address is of.
type addressKind uint8

const (
	noAddress addressKind = iota
	moduleAddress
	resourceAddress
)

// movable returns of what e is the address, and reports one that is none.
func (c *checker) movable(e hclconfig.Expression) addressKind {
	text, err := e.Address()
	if err != nil {
		return noAddress // reported as a reference
	}
	if _, err := addrs.ParseModuleInstance(text); err == nil {
		return moduleAddress
	}
	if r, err := addrs.ParseAbsResourceInstance(text); err == nil && r.Resource().Type() != "var" {
		return resourceAddress
	}
	c.report(e.Range(), "Invalid address", "%s is not the address of a module or resource.", text)
	return noAddress
}

func (c *checker) removed(b block) {
	from := expr(b.hclBlock, "from")
	kind := noAddress
	if text, err := from.Address(); err == nil {
		if m, err := addrs.ParseModule(text); err == nil && m.String() == text {
			kind = moduleAddress
		} else if r, err := addrs.ParseConfigResource(text); err == nil && r.String() == text {
			kind = resourceAddress
			if r.Resource().Mode() == addrs.Data {
				c.report(from.Range(), "Data source address not allowed", "Data sources have no objects that could be removed.")
			}
		} else if _, err := addrs.ParseModuleInstance(text); err == nil {
			c.report(from.Range(), "Module instance keys not allowed", "The address in a removed block cannot have instance keys.")
		} else {
			c.report(from.Range(), "Resource instance keys not allowed", "The address in a removed block is that of a module or resource, without instance keys.")
		}
	}
	for p := range b.Body.BlocksOfType("provisioner") {
		switch {
		case kind == moduleAddress:
			c.report(p.DefRange(), "Invalid provisioner block", "Only the removed block of a resource may have provisioners.")
		case expr(p, "when").Keyword() != "destroy":
			c.report(p.DefRange(), "Invalid provisioner block", "In a removed block only provisioners with when = destroy are allowed.")
		}
	}
}

// importTarget checks the argument to of an import block: the address of an
// instance of a managed resource, in whose keys there may be expressions.
func (c *checker) importTarget(e hclconfig.Expression) {
	x, ok := nativeForm(e)
	if !ok {
		return // missing, or reported as a source
	}
	text, ok := addressShape(x)
	if !ok {
		c.report(e.Range(), "Invalid expression", "The address of a resource is required here, such as aws_instance.example[\"a\"].%s", c.templateHint(e))
		return
	}
	if r, err := addrs.ParseAbsResourceInstance(text); err != nil || r.Resource().Mode() != addrs.Managed {
		c.report(e.Range(), "Invalid import address", "%s is not the address of a managed resource.", e)
	}
}

// addressShape spells an address, with 0 for each key that is an expression.
func addressShape(x hclsyntax.Expression) (string, bool) {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return hcllex.TraversalText(x.Traversal), true
	case *hclsyntax.RelativeTraversalExpr:
		text, ok := addressShape(x.Source)
		rest := append(hcl.Traversal{hcl.TraverseRoot{}}, x.Traversal...)
		return text + hcllex.TraversalText(rest), ok
	case *hclsyntax.IndexExpr:
		text, ok := addressShape(x.Collection)
		return text + "[0]", ok
	}
	return "", false
}
