// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// An addressKind is the kind of object that an address names.
type addressKind uint8

const (
	noAddress addressKind = iota
	moduleAddress
	resourceAddress
)

// movable returns the kind of object that e is the address of, and reports an
// invalid address.
func (c *checker) movable(e hclconfig.Expression) addressKind {
	text, err := e.Address()
	if err != nil {
		return noAddress // reported as a reference
	}
	if _, err := addrs.ParseModuleInstance(text); err == nil {
		return moduleAddress
	}
	r, ok := c.resourceAddress(e)
	switch {
	case !ok:
		c.report(c.behindAddress(e, true), "Invalid address", "%s is not the address of a module or resource.", text)
	case r.Resource().Mode() == addrs.Ephemeral && c.dialect == hcllang.OpenTofu:
		// The programs report the block.
	default:
		return resourceAddress
	}
	return noAddress
}

// resourceAddress understands the address of a resource or of an instance. In Terraform
// it may have the word resource for managed resources, and without a word there are
// types that it does not allow.
func (c *checker) resourceAddress(e hclconfig.Expression) (addrs.AbsResourceInstance, bool) {
	text, err := e.Address()
	if x, ok := nativeForm(e); ok && err != nil {
		text, ok = addressShape(x)
		if !ok {
			return addrs.AbsResourceInstance{}, false
		}
	}
	text, worded := withoutWord(text, c.dialect)
	a, err := addrs.ParseAbsResourceInstance(text)
	if err != nil {
		return a, false
	}
	bare := !worded && a.Resource().Mode() == addrs.Managed
	return a, c.dialect == hcllang.OpenTofu || !bare || !slices.Contains(reservedRoots, a.Resource().Type())
}

// withoutWord returns an address without the word resource, which only Terraform allows.
func withoutWord(text string, dialect hcllang.Dialect) (string, bool) {
	if dialect != hcllang.Terraform || !strings.Contains(text, "resource.") {
		return text, false
	}
	t, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		return text, false
	}
	i := afterModules(t)
	if i+2 >= len(t) || stepName(t[i]) != "resource" || stepName(t[i+1]) == "" || stepName(t[i+2]) == "" {
		return text, false
	}
	typ := stepName(t[i+1])
	if slices.Contains([]string{"data", "ephemeral", "module", "resource"}, typ) {
		typ = "_" + typ // a type, where the word alone would mean something else
	}
	rest := hcllex.AddressText(append(hcl.Traversal{hcl.TraverseRoot{Name: typ}}, t[i+2:]...))
	if i > 0 {
		rest = hcllex.AddressText(t[:i]) + "." + rest
	}
	return rest, true
}

// afterModules returns which step of t is the first after those of modules.
func afterModules(t hcl.Traversal) int {
	i := 0
	for i < len(t) && stepName(t[i]) == "module" {
		if i += 2; i < len(t) && stepName(t[i]) == "" {
			i++
		}
	}
	return i
}

// reservedRoots are what Terraform takes for no type of a resource in addresses.
var reservedRoots = []string{"count", "each", "local", "path", "resource", "self", "terraform", "var"}

// behindAddress returns the place of the first step of e that is not part of the
// address of a module or resource, or that of e.
func (c *checker) behindAddress(e hclconfig.Expression, keys bool) addrs.Range {
	p, t := steps(e)
	i, _ := addressEnd(t, keys, c.dialect)
	if i >= len(t) {
		return e.Range()
	}
	return p.at(t[i].SourceRange())
}

// addressEnd returns which step of t is the first that is not part of the address of a
// module or resource. It reports true if that is an index where a name should be.
func addressEnd(t hcl.Traversal, keys bool, dialect hcllang.Dialect) (int, bool) {
	index := func(i int) bool {
		if i >= len(t) {
			return false
		}
		_, ok := t[i].(hcl.TraverseIndex)
		return ok
	}
	usable := func(i int) bool { return keys && hcllex.IsKey(t[i].(hcl.TraverseIndex).Key) }
	name := func(i int) string { return stepName(t[min(i, len(t)-1)]) }
	i := 0
	for i < len(t) && name(i) == "module" {
		i += 2
		if index(i) {
			if !usable(i) {
				return i, false
			}
			i++
		}
	}
	if index(i) {
		return i, true
	}
	if i < len(t) && (name(i) == "data" || name(i) == "ephemeral" || name(i) == "resource" && dialect == hcllang.Terraform) {
		i++
	}
	i += 2
	if index(i) && usable(i) {
		i++
	}
	return i, false
}

// badKey returns the place of the first key in an address if it is one that no object
// has, such as true, and whether it is that of a module.
func (c *checker) badKey(e hclconfig.Expression) (at addrs.Range, module, ok bool) {
	p, t := steps(e)
	i, _ := addressEnd(t, false, c.dialect)
	if i >= len(t) {
		return at, false, false
	}
	index, ok := t[i].(hcl.TraverseIndex)
	if !ok || hcllex.IsKey(index.Key) {
		return at, false, false
	}
	return p.at(index.SrcRange), i >= 2 && stepName(t[i-2]) == "module", true
}

// steps returns the traversal that e is, with what tells its places.
func steps(e hclconfig.Expression) (piece, hcl.Traversal) {
	p := pieceOf(e)
	if q := quotedPiece(e); q.expr != nil {
		p = q
	}
	if p.expr == nil {
		return p, nil
	}
	if p.str != nil {
		p.base-- // the programs count from the quote
	}
	t, _ := hcl.AbsTraversalForExpr(p.expr)
	return p, t
}

// lastStep returns the place of the last step of e.
func lastStep(e hclconfig.Expression) addrs.Range {
	p, t := steps(e)
	if len(t) == 0 {
		return e.Range()
	}
	return p.at(t[len(t)-1].SourceRange())
}

// isNamed reports whether e is a name with an attribute.
func isNamed(e hclconfig.Expression, name string) bool {
	_, t := steps(e)
	return len(t) == 2 && t.RootName() == name && stepName(t[1]) != ""
}

// importTarget checks the argument to of an import block: the address of an
// instance of a managed resource. Its keys may be expressions.
func (c *checker) importTarget(b block) {
	e := expr(b.hclBlock, "to")
	x, ok := nativeForm(e)
	if !ok {
		return // missing, or reported as a source
	}
	tofu := c.dialect == hcllang.OpenTofu
	name := b.Argument("to").NameRange()
	_, ok = addressShape(x)
	if !ok {
		summary := "Invalid expression"
		if c.tree && tofu {
			summary = "Invalid import address expression"
		}
		c.report(e.Range(), summary, "The address of a resource is required here, such as aws_instance.example[\"a\"].%s", c.templateHint(e))
		return
	}
	r, ok := c.resourceAddress(e)
	switch {
	case !ok && !c.tree:
		c.report(e.Range(), "Invalid import address", "%s is not the address of a managed resource.", e)
	case !ok:
		c.report(c.targetEnd(e, x), "Invalid address", "%s is not the address of a resource.", e)
		if !tofu {
			c.report(name, "Invalid import address", "%s is not the address of a managed resource.", e)
		}
	case r.Resource().Mode() == addrs.Managed, c.tree && tofu:
		// OpenTofu leaves what is not managed to the plan.
	case c.tree:
		c.report(name, "Invalid import address", "%s is not the address of a managed resource.", e)
	default:
		c.report(e.Range(), "Invalid import address", "%s is not the address of a managed resource.", e)
	}
}

// targetEnd returns the place of the first step of the target of an import that is not
// part of an address.
func (c *checker) targetEnd(e hclconfig.Expression, x hclsyntax.Expression) addrs.Range {
	p, _ := steps(e)
	t, _ := shape(x)
	i, _ := addressEnd(t, true, c.dialect)
	if i >= len(t) {
		return e.Range()
	}
	return p.at(t[i].SourceRange())
}

// addressShape spells an address without the keys that are expressions, as the
// programs see it before they evaluate anything.
func addressShape(x hclsyntax.Expression) (string, bool) {
	t, ok := shape(x)
	return hcllex.AddressText(t), ok
}

func shape(x hclsyntax.Expression) (hcl.Traversal, bool) {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return x.Traversal, true
	case *hclsyntax.RelativeTraversalExpr:
		t, ok := shape(x.Source)
		return append(slices.Clip(t), x.Traversal...), ok
	case *hclsyntax.IndexExpr:
		return shape(x.Collection)
	}
	return nil, false
}
