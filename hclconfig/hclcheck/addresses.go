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

// An addressForm says which addresses of modules and resources an argument can have.
type addressForm struct {
	terraform bool
	// keys allows those of instances.
	keys bool
	// bare has only the word data before the type of a resource.
	bare bool
}

// A readAddress is a reference that was read as the address of a module or resource.
type readAddress struct {
	kind addressKind
	mode addrs.Mode
	// fault is the summary of what the programs say of the first step that no such address
	// has, or empty, and at is that step. They give no place if that is a word alone.
	fault string
	at    hcl.Traverser
}

// read reads t, a reference that is not empty.
func (f addressForm) read(t hcl.Traversal) readAddress {
	fault := func(i int, tofu, terraform string) readAddress {
		if f.terraform {
			tofu = terraform
		}
		return readAddress{fault: tofu, at: t[i]}
	}
	const invalid, operator = "Invalid address", "Invalid address operator"
	isName := func(i int) bool { return i < len(t) && stepName(t[i]) != "" }
	isKey := func(i int) bool { return i < len(t) && stepName(t[i]) == "" }
	i := 0
	for isName(i) && stepName(t[i]) == "module" {
		if !isName(i + 1) {
			return fault(min(i+1, len(t)-1), operator, operator)
		}
		if i += 2; !isKey(i) {
			continue
		}
		switch {
		case !f.keys:
			return fault(i, "Module instance address with keys is not allowed", "Module instance keys not allowed")
		case !isInstanceKey(t[i]):
			return fault(i, operator, operator)
		}
		if i++; isKey(i) {
			return fault(i, operator, operator)
		}
	}
	if i == len(t) {
		return readAddress{kind: moduleAddress}
	}
	out := readAddress{kind: resourceAddress, mode: addrs.Managed}
	switch root := stepName(t[i]); {
	case root == "data":
		out.mode = addrs.Data
		i++
	case root == "ephemeral" && !f.bare:
		out.mode = addrs.Ephemeral
		i++
	case root == "resource" && f.terraform && !f.bare:
		i++
	case f.terraform && !f.bare && slices.Contains(reservedRoots, root):
		return fault(i, invalid, invalid)
	}
	switch {
	case !isName(i):
		return fault(min(i, len(t)-1), invalid, invalid)
	case !isName(i + 1):
		return fault(min(i+1, len(t)-1), invalid, invalid)
	}
	switch i += 2; {
	case i == len(t):
	case f.terraform && !f.keys:
		return fault(i, "", "Resource instance keys not allowed")
	case i+1 < len(t):
		return fault(i+1, invalid, invalid)
	case !f.keys:
		return fault(i, "Resource instance address with keys is not allowed", "")
	case !isInstanceKey(t[i]):
		return fault(i, invalid, invalid)
	}
	return out
}

// movable returns the kind of object that e is the address of, and reports an
// invalid address.
func (c *checker) movable(e hclconfig.Expression) addressKind {
	text, err := e.Address()
	if err != nil {
		return noAddress // reported as a reference
	}
	p, t := steps(e)
	a := addressForm{terraform: c.dialect == hcllang.Terraform, keys: true}.read(t)
	if a.fault != "" {
		c.report(p.at(a.at.SourceRange()), a.fault, "%s is not the address of a module or resource.", text)
	}
	if a.mode == addrs.Ephemeral && c.dialect == hcllang.OpenTofu {
		return noAddress // the programs report the block
	}
	return a.kind
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
	p, _ := steps(e)
	t, _ := shape(x)
	r := addressForm{terraform: !tofu, keys: true}.read(t)
	if r.fault == "" && r.kind == moduleAddress {
		r.fault, r.at = "Invalid address", t[0]
	}
	switch {
	case r.fault != "" && !c.tree:
		c.report(e.Range(), "Invalid import address", "%s is not the address of a managed resource.", e)
	case r.fault != "":
		c.report(p.at(r.at.SourceRange()), r.fault, "%s is not the address of a resource.", e)
		if !tofu {
			c.report(name, "Invalid import address", "%s is not the address of a managed resource.", e)
		}
	case r.mode == addrs.Managed, c.tree && tofu:
		// OpenTofu leaves what is not managed to the plan.
	case c.tree:
		c.report(name, "Invalid import address", "%s is not the address of a managed resource.", e)
	default:
		c.report(e.Range(), "Invalid import address", "%s is not the address of a managed resource.", e)
	}
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
