// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// The shapes of [Outputs], as the codec numbers them.
const (
	shapeOutputs = iota
	shapeValue
)

// wire lists the members of outputs, for whichever shape they have.
func (v *Outputs) wire(x *wire.Codec) {
	x.Union(v, &v.src, outputsShapeOf, outputsShape, outputsBody)
}

func outputsBody(o any, x *wire.Codec, shape int) {
	v := o.(*Outputs)
	if shape == shapeValue {
		wire.Raw(x, &v.Value)
		return
	}
	wire.Map(x, &v.Outputs, (*Output).wire)
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

// outputsShapeOf tells whether a text is a list of outputs by its first one.
func outputsShapeOf(text []byte) int {
	if text[0] != '{' {
		return shapeValue
	}
	i := jsonscan.Space(text, 1)
	if i < len(text) && text[i] == '}' {
		return shapeOutputs
	}
	end, fault := jsonscan.String(text, i)
	if fault != jsonscan.OK {
		return shapeValue // not valid either way
	}
	if i = jsonscan.Space(text, end); i >= len(text) || text[i] != ':' {
		return shapeValue
	}
	i = jsonscan.Space(text, i+1)
	if i >= len(text) || text[i] != '{' {
		return shapeValue
	}
	end, fault = jsonscan.Value(text, i, jsonscan.MaxDepth)
	if fault != jsonscan.OK {
		return shapeValue
	}
	var first Output
	var x wire.Codec
	if _, err := x.DecodeLenient(text[i:end:end], "", first.wire); err != nil || first.Type == nil || first.Value == nil {
		return shapeValue
	}
	return shapeOutputs
}
