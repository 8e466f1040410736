// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// Outputs is the document that "output -json" prints: the outputs of the root
// module by name, {} if there is none. It has no version.
//
// With the name of an output, the command prints the output's value alone. That
// also decodes, into Value. A value looks like a list of outputs only if it is
// an object whose first member is an object with the members sensitive, type
// and value.
//
// Source: OpenTofu internal/command/views/output.go.
//
//wire:kind
type Outputs struct {
	// Outputs has all outputs by name: every member of the document is one. It may
	// be nil if there is none.
	Outputs map[string]*Output

	// Value is the value of a single output. If it is set, Outputs is nil.
	Value Value

	src wire.Source
}

func (*Outputs) kind() (k DocumentKind, sure bool) {
	return DocumentOutputs, false
}

// The shapes of [Outputs], as the codec numbers them.
const (
	shapeOutputs = iota
	shapeValue
)

var outputsUnion = &wire.Union{Of: new(outputsShapes)}

type outputsShapes struct{}

func (*outputsShapes) DefineUnion() wire.UnionDefinition {
	return wire.UnionDefinition{
		Memory: wire.MemoryOf([]Outputs(nil)),
		Shape:  outputsShapeOf,
		Set:    outputsShape,
		Fields: []wire.Field{shapeOutputs: wire.Members[*Output](outputTable), shapeValue: nil},
	}
}

func (*outputsShapes) At(o any, k int) any {
	v := o.(*Outputs)
	switch k {
	case shapeOutputs:
		return &v.Outputs
	case shapeValue:
		return (*[]byte)(&v.Value)
	}
	return &v.src
}

func outputsShape(o any) int {
	v := o.(*Outputs)
	switch {
	case v.Value == nil:
		return shapeOutputs
	case v.Outputs == nil:
		return shapeValue
	}
	return -1
}

// outputsShapeOf reports whether a text is an object of outputs: one of its
// members has a type and a value. Other members that are not outputs are then an
// error.
func outputsShapeOf(text []byte) int {
	end, fault := jsonscan.Value(text, 0, jsonscan.MaxDepth)
	if text[0] != '{' || fault != jsonscan.OK {
		return shapeValue // which finds the fault
	}
	var d wire.Decoder
	some := false
	for _, v := range Value(text[:end]).Members() {
		var o Output
		if _, err := d.DecodeLenient(v, "", outputTable, &o); err == nil && o.Type != nil && o.Value != nil {
			return shapeOutputs
		}
		some = true
	}
	if some {
		return shapeValue
	}
	return shapeOutputs // {}
}
