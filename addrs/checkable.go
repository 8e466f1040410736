// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strings"
)

// A CheckableKind says which kind of object a condition belongs to. It is an
// open enumeration, spelled as the "kind" of checks in plan JSON.
// Its values include [CheckableResource], [CheckableOutput], [CheckableCheck] and [CheckableVariable].
type CheckableKind string

// The kinds of checkable objects.
const (
	CheckableResource CheckableKind = "resource"     // pre- and postconditions
	CheckableOutput   CheckableKind = "output_value" // preconditions
	CheckableCheck    CheckableKind = "check"        // assertions of a check block
	CheckableVariable CheckableKind = "var"          // validation rules
)

// block returns the word that begins the address of an object of kind k.
func (k CheckableKind) block() string {
	switch k {
	case CheckableOutput:
		return "output"
	case CheckableCheck, CheckableVariable:
		return string(k)
	default:
		return ""
	}
}

// A Checkable is an object that has conditions: a resource instance, or an
// output value, check block or input variable of a module instance. Without
// instance keys it can also name the block in the configuration. The zero
// Checkable is not valid.
//
// The text does not determine the kind: output.x may be an output value, or a
// resource of the type "output". A Checkable therefore marshals in two parts,
// [Checkable.Kind] and [Checkable.String], and has no MarshalText.
type Checkable struct {
	kind     CheckableKind
	s        string
	mod, res int32 // as in AbsResourceInstance
}

const kindCheckable = "checkable address"

// ParseCheckable parses the address of a checkable object of the given kind, in
// the form of "to_display" in plan JSON.
func ParseCheckable(kind CheckableKind, s string) (Checkable, error) {
	l, f := parseLayout(s)
	if f == nil {
		f = l.needResource()
	}
	if f == nil && kind != CheckableResource {
		if block := kind.block(); block != "" {
			f = l.needBlock(block)
		} else {
			f = faultf(0, "checkable objects of the kind %s are not known", quoteShort(string(kind)))
		}
	}
	if f != nil {
		return Checkable{}, f.as(kindCheckable, s)
	}
	return Checkable{kind, l.text, int32(l.mod), int32(l.res)}, nil
}

// needBlock requires that the resource in the layout has the form BLOCK.NAME,
// without a key.
func (l *layout) needBlock(block string) *fault {
	rest, ok := strings.CutPrefix(afterModule(l.text[:l.res], int32(l.mod)), block+".")
	if !ok || strings.Contains(rest, ".") {
		return faultf(l.resourceAt, "%s.NAME is expected", block)
	}
	return l.needNoKey()
}

// IsValid reports whether c is not the zero Checkable.
func (c Checkable) IsValid() bool { return c.s != "" }

// Kind returns the kind of c.
func (c Checkable) Kind() CheckableKind { return c.kind }

// Module returns the module instance that c is in.
func (c Checkable) Module() ModuleInstance { return ModuleInstance{c.s[:c.mod]} }

// Name returns the name of the resource, output value, check or variable.
func (c Checkable) Name() string {
	text := c.s[:c.res]
	return text[strings.LastIndexByte(text, '.')+1:]
}

// AbsResourceInstance returns c as a resource instance, and reports whether it
// is one.
func (c Checkable) AbsResourceInstance() (r AbsResourceInstance, ok bool) {
	if c.kind != CheckableResource {
		return AbsResourceInstance{}, false
	}
	return AbsResourceInstance{c.s, c.mod, c.res}, true
}

// Config returns c without any instance keys: the object in the configuration
// that c comes from.
func (c Checkable) Config() Checkable {
	mod := c.Module().Module().s
	text := join(mod, afterModule(c.s[:c.res], c.mod))
	return Checkable{c.kind, text, int32(len(mod)), int32(len(text))}
}

// String returns the normal text of the address, without the kind.
func (c Checkable) String() string { return c.s }

// Compare returns -1, 0 or +1 by the text, which is the order of checks in
// plan JSON, then by kind.
func (c Checkable) Compare(other Checkable) int {
	return cmp.Or(strings.Compare(c.s, other.s), strings.Compare(string(c.kind), string(other.kind)))
}
