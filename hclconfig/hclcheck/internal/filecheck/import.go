// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package filecheck

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// importTarget checks the argument to of an import block: the address of an
// instance of a managed resource. Its keys may be expressions.
func (c *checker) importTarget(b hclsource.Block) {
	e := hclsource.Expr(b.Plain, "to")
	x, ok := hclsource.NativeForm(e)
	if !ok {
		return // missing, or reported as a source
	}
	tofu := c.dialect == hcllang.OpenTofu
	name := b.Argument("to").NameRange()
	// Keys may be any expressions since there is for_each in import blocks; what is before them is an address.
	_, ok = hclsource.AddressShape(x)
	if !ok {
		// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
		summary := "Invalid expression"
		switch old := !c.has(hclsource.ImportEach); {
		case e.Raw() == "null" && (old || !tofu):
			// OpenTofu 1.12.6, internal/addrs/parse_target.go: parseResourceInstanceUnderModule.
			summary = "Invalid address" // a reference without a step
		case old:
			c.unreadableTarget(b)
		case tofu:
			// OpenTofu 1.12.6, internal/configs/import.go: absTraversalForImportToExpr.
			summary = "Invalid import address expression"
		}
		c.report(e.Range(), summary, "The address of a resource is required here, such as aws_instance.example[\"a\"].%s", c.templateHint(e))
		if c.has(hclsource.ImportTargetName) {
			// As recorded of Terraform 1.11.4 to 1.15.9: testdata/releases.txt, testdata/meaning.
			c.report(name, "Invalid import address", "%s is not the address of a managed resource.", e)
		}
		return
	}
	p, _ := hclsource.Steps(e)
	t, _ := hclsource.Shape(x)
	r := hclsource.AddressForm{Terraform: !tofu, Keys: true, Bare: !c.has(hclsource.EphemeralAddresses)}.Read(t)
	if r.Fault == "" && r.Kind == hclsource.ModuleAddress {
		r.Fault, r.At = "Invalid address", t[0]
	}
	switch {
	case r.Fault != "":
		if c.f.Syntax() == hclconfig.JSONSyntax && !c.has(hclsource.ImportEach) && !hclsource.StrictTraversal(e) {
			// HCL, json/structure.go: expression.AsTraversal takes no index after a dot.
			c.report(e.Range(), "Invalid expression", "%s is no reference with constant keys.", e)
			return
		}
		c.report(p.At(r.At.SourceRange()), r.Fault, "%s is not the address of a resource.", e)
		if c.has(hclsource.ImportTargetName) {
			// As recorded of Terraform 1.11.4 to 1.15.9: testdata/releases.txt, testdata/meaning.
			c.report(name, "Invalid import address", "%s is not the address of a managed resource.", e)
		}
	case r.Mode != addrs.Managed && c.has(hclsource.ManagedImports):
		// Only a managed resource has an object that can be imported. As recorded of Terraform: testdata/releases.txt.
		// Others leave what is not managed to the plan.
		c.report(name, "Invalid import address", "%s is not the address of a managed resource.", e)
	}
}

// importSubject checks that an import block identifies its object by one argument.
func (c *checker) importSubject(b hclsource.Block) {
	id, identity := b.Argument("id"), b.Argument("identity")
	if b.Spec != hcllang.ImportBlock {
		return
	}
	// OpenTofu 1.11.0, internal/configs/import.go: importBlockSchema requires the argument.
	if !c.has(hclsource.ImportIdentity) {
		if id == nil {
			c.out = append(c.out, hclsource.Missing(&b.Body, "id"))
		}
		return
	}
	if (id == nil) != (identity == nil) {
		return
	}
	// As recorded of Terraform 1.15.9: testdata/releases.txt, testdata/meaning.
	// Terraform has one summary for none and for both, at the block; OpenTofu has two.
	at, summary := hclsource.DefRange(b.Plain), "Invalid import block"
	switch {
	case c.dialect == hcllang.OpenTofu && id == nil:
		// OpenTofu 1.12.6, internal/configs/import.go: decodeImportBlock.
		summary = "Missing required import argument"
	case c.dialect == hcllang.OpenTofu:
		summary, at = "Conflicting import arguments", id.NameRange()
		if other := identity.NameRange(); other.Start.Offset < at.Start.Offset {
			at = other
		}
	}
	c.report(at, summary, "An import block needs either the argument id or the argument identity.")
}
