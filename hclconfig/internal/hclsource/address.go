// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/zclconf/go-cty/cty"
)

// An AddressKind is the kind of object that an address names.
type AddressKind uint8

const (
	NoAddress AddressKind = iota
	ModuleAddress
	ResourceAddress
)

// An AddressForm says which addresses of modules and resources an argument can have.
type AddressForm struct {
	Terraform bool
	// keys allows those of instances.
	Keys bool
	// bare has only the word data before the type of a resource.
	Bare bool
}

// A readAddress is a reference that was read as the address of a module or resource.
type readAddress struct {
	Kind AddressKind
	Mode addrs.Mode
	// fault is the summary of what the programs say of the first step that no such address
	// has, or empty, and at is that step. They give no place if that is a word alone.
	Fault string
	At    hcl.Traverser
}

// Read reads t, a reference that is not empty.
func (f AddressForm) Read(t hcl.Traversal) readAddress {
	fault := func(i int, tofu, terraform string) readAddress {
		if f.Terraform {
			tofu = terraform
		}
		return readAddress{Fault: tofu, At: t[i]}
	}
	const invalid, operator = "Invalid address", "Invalid address operator"
	isName := func(i int) bool { return i < len(t) && StepName(t[i]) != "" }
	isKey := func(i int) bool { return i < len(t) && StepName(t[i]) == "" }
	i := 0
	for isName(i) && StepName(t[i]) == "module" {
		if !isName(i + 1) {
			return fault(min(i+1, len(t)-1), operator, operator)
		}
		if i += 2; !isKey(i) {
			continue
		}
		switch {
		case !f.Keys:
			return fault(i, "Module instance address with keys is not allowed", "Module instance keys not allowed")
		case !IsInstanceKey(t[i]):
			return fault(i, operator, operator)
		}
		if i++; isKey(i) {
			return fault(i, operator, operator)
		}
	}
	if i == len(t) {
		return readAddress{Kind: ModuleAddress}
	}
	out := readAddress{Kind: ResourceAddress, Mode: addrs.Managed}
	switch root := StepName(t[i]); {
	case root == "data":
		out.Mode = addrs.Data
		i++
	case root == "ephemeral" && !f.Bare:
		out.Mode = addrs.Ephemeral
		i++
	case root == "resource" && f.Terraform && !f.Bare:
		i++
	case f.Terraform && !f.Bare && slices.Contains(reservedRoots, root):
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
	case f.Terraform && !f.Keys:
		return fault(i, "", "Resource instance keys not allowed")
	case i+1 < len(t):
		return fault(i+1, invalid, invalid)
	case !f.Keys:
		return fault(i, "Resource instance address with keys is not allowed", "")
	case !IsInstanceKey(t[i]):
		return fault(i, invalid, invalid)
	}
	return out
}

// ImportAddress returns the address that an import is into, without the keys that are
// expressions. It reports false if it cannot be read.
func ImportAddress(i *hclconfig.Import, dialect hcllang.Dialect) (addrs.AbsResourceInstance, bool) {
	x, ok := NativeForm(i.To)
	if !ok {
		return addrs.AbsResourceInstance{}, false
	}
	text, ok := AddressShape(x)
	text, _ = WithoutWord(text, dialect)
	a, err := addrs.ParseAbsResourceInstance(text)
	return a, ok && err == nil
}

// WithoutWord returns an address without the word resource, which only Terraform allows.
func WithoutWord(text string, dialect hcllang.Dialect) (string, bool) {
	if dialect != hcllang.Terraform || !strings.Contains(text, "resource.") {
		return text, false
	}
	t, diags := hclsyntax.ParseTraversalAbs([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		return text, false
	}
	i := AfterModules(t)
	if i+2 >= len(t) || StepName(t[i]) != "resource" || StepName(t[i+1]) == "" || StepName(t[i+2]) == "" {
		return text, false
	}
	typ := StepName(t[i+1])
	if slices.Contains([]string{"data", "ephemeral", "module", "resource"}, typ) {
		typ = "_" + typ // a type, where the word alone would mean something else
	}
	rest := hcllex.AddressText(append(hcl.Traversal{hcl.TraverseRoot{Name: typ}}, t[i+2:]...))
	if i > 0 {
		rest = hcllex.AddressText(t[:i]) + "." + rest
	}
	return rest, true
}

// AfterModules returns which step of t is the first after those of modules.
func AfterModules(t hcl.Traversal) int {
	i := 0
	for i < len(t) && StepName(t[i]) == "module" {
		if i += 2; i < len(t) && StepName(t[i]) == "" {
			i++
		}
	}
	return i
}

// reservedRoots are what Terraform takes for no type of a resource in addresses.
var reservedRoots = []string{"count", "each", "local", "path", "resource", "self", "terraform", "var"}

// Steps returns the traversal that e is, with what tells its places.
func Steps(e hclconfig.Expression) (Piece, hcl.Traversal) {
	p := ReferencePiece(e)
	if p.Expr == nil {
		return p, nil
	}
	t, _ := hcl.AbsTraversalForExpr(p.Expr)
	return p, t
}

// AddressShape spells an address without the keys that are expressions, as the
// programs see it before they evaluate anything.
func AddressShape(x hclsyntax.Expression) (string, bool) {
	t, ok := Shape(x)
	return hcllex.AddressText(t), ok
}

func Shape(x hclsyntax.Expression) (hcl.Traversal, bool) {
	return Flat(x, func(hclsyntax.Expression) (hcl.TraverseIndex, bool) { return hcl.TraverseIndex{}, false })
}

// Flat returns the steps of an address, whose keys may be expressions: key returns the step
// that is in the place of such a key, or reports false to leave it out. Flat reports false for
// anything but an address.
func Flat(x hclsyntax.Expression, key func(hclsyntax.Expression) (hcl.TraverseIndex, bool)) (hcl.Traversal, bool) {
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return x.Traversal, true
	case *hclsyntax.RelativeTraversalExpr:
		t, ok := Flat(x.Source, key)
		return append(slices.Clip(t), x.Traversal...), ok
	case *hclsyntax.IndexExpr:
		t, ok := Flat(x.Collection, key)
		if step, has := key(x.Key); has {
			t = append(slices.Clip(t), step)
		}
		return t, ok
	}
	return nil, false
}

// Pattern returns the steps of a reference, among which [*] is a hcl.TraverseSplat, or nil
// if x is not a reference.
func Pattern(x hclsyntax.Expression) hcl.Traversal {
	switch x := x.(type) {
	case nil:
	case *hclsyntax.AnonSymbolExpr:
		return hcl.Traversal{}
	case *hclsyntax.RelativeTraversalExpr:
		if t := Pattern(x.Source); t != nil {
			return append(t, x.Traversal...)
		}
	case *hclsyntax.SplatExpr:
		t, rest := Pattern(x.Source), Pattern(x.Each)
		if t != nil && rest != nil {
			return append(append(t, hcl.TraverseSplat{SrcRange: x.MarkerRange}), rest...)
		}
	default:
		if t, diags := hcl.AbsTraversalForExpr(x); !diags.HasErrors() {
			return slices.Clone(t)
		}
	}
	return nil
}

func IsSplat(t hcl.Traverser) bool {
	_, ok := t.(hcl.TraverseSplat)
	return ok
}

// IsInstanceKey reports whether a step is a key that an instance can have, or [*].
func IsInstanceKey(t hcl.Traverser) bool {
	index, ok := t.(hcl.TraverseIndex)
	return ok && hcllex.IsKey(index.Key) && (index.Key.Type() != cty.Number || index.Key.AsBigFloat().IsInt()) || IsSplat(t)
}

// StepName returns the name that a step of a reference has, or "" for an index.
func StepName(t hcl.Traverser) string {
	switch t := t.(type) {
	case hcl.TraverseRoot:
		return t.Name
	case hcl.TraverseAttr:
		return t.Name
	}
	return ""
}

// StringKey returns the key of an index that is a text, or "" for any other step.
func StringKey(t hcl.Traverser) string {
	if i, ok := t.(hcl.TraverseIndex); ok && i.Key.Type() == cty.String {
		return i.Key.AsString()
	}
	return ""
}

// KeyText returns the text of a key in an address.
func KeyText(e hclconfig.Expression, key hclsyntax.Expression) string {
	p := PieceOf(e)
	if p.Str != nil {
		r := key.Range()
		text := JSONText(e)
		start := min(r.Start.Byte, len(text))
		return text[start:max(start, min(r.End.Byte, len(text)))]
	}
	at := p.Span(key.Range())
	return string(p.File.Bytes()[at.Start:at.End])
}
