// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// The shapes of an [Expression], as the codec numbers them.
const (
	shapeExpression = iota
	shapeBlock
	shapeBlocks
	shapeRaw
)

var expressionTable = wire.NewTable("constant_value", "references")

// wire lists an expression's members, for whichever shape it has.
func (e *Expression) wire(x *wire.Codec) {
	x.Union(e, &e.src, expressionShapeOf, expressionShape, expressionBody)
}

// wireBlock is wire for the elements of a list of blocks, which are blocks
// even where they look like an expression.
func (e *Expression) wireBlock(x *wire.Codec) {
	x.Union(e, &e.src, blockShapeOf, expressionShape, expressionBody)
}

func expressionBody(o any, x *wire.Codec, shape int) {
	e := o.(*Expression)
	switch shape {
	case shapeExpression:
		x.Object(e, &e.src, expressionTable, expressionMember)
	case shapeBlock:
		wire.UnionMap(x, &e.Block, (*Expression).wire)
	case shapeBlocks:
		wire.UnionSlice(x, &e.Blocks, (*Expression).wireBlock)
	case shapeRaw:
		wire.Raw(x, &e.Raw)
	}
}

func expressionMember(o any, x *wire.Codec, k int) {
	e := o.(*Expression)
	switch k {
	case 0: // constant_value
		wire.Raw(x, &e.ConstantValue)
	case 1: // references
		wire.Strings(x, &e.References)
	}
}

// expressionShapeOf tells the shape of a text by its beginning: an object is
// an expression if it is empty, if its first member is a constant value that
// nothing but a list of references follows as "references", or if that is a
// list of references. Looking further would cost time that grows with the
// square of the depth of nested blocks; so a long constant value is not
// skipped.
func expressionShapeOf(text []byte) int {
	switch text[0] {
	case '[':
		return shapeBlocks
	case '{':
		i := jsonscan.Space(text, 1)
		if i >= len(text) || text[i] != '"' {
			return shapeExpression // empty, or not valid
		}
		end, fault := jsonscan.String(text, i)
		if fault != jsonscan.OK {
			return shapeExpression
		}
		switch string(jsonscan.AppendUnquote(nil, text[i:end])) {
		case "constant_value":
			if !blockAfter(text, end) {
				return shapeExpression
			}
		case "references":
			if listAfter(text, end) {
				return shapeExpression
			}
		}
		return shapeBlock
	}
	return shapeRaw
}

// maxConstant is how long a constant value may be that is skipped to see what
// follows it.
const maxConstant = 1 << 10

// blockAfter reports whether the member constant_value, whose name ends at i,
// is followed by a member "references" that is no list of references: then both
// are arguments of a block.
func blockAfter(text []byte, i int) bool {
	text = text[:min(len(text), i+maxConstant)]
	if i = jsonscan.Space(text, i); i >= len(text) || text[i] != ':' {
		return false
	}
	i, fault := jsonscan.Value(text, jsonscan.Space(text, i+1), jsonscan.MaxDepth)
	if fault != jsonscan.OK {
		return false
	}
	if i = jsonscan.Space(text, i); i >= len(text) || text[i] != ',' {
		return false
	}
	i = jsonscan.Space(text, i+1)
	end, fault := jsonscan.String(text, i)
	if fault != jsonscan.OK || string(jsonscan.AppendUnquote(nil, text[i:end])) != "references" {
		return false
	}
	if i = jsonscan.Space(text, end); i >= len(text) || text[i] != ':' {
		return false
	}
	i = jsonscan.Space(text, i+1)
	return i < len(text) && (text[i] == '{' || text[i] == '[' && !ofStrings(text, i))
}

// listAfter reports whether the value of the member whose name ends at i is a
// list of references.
func listAfter(text []byte, i int) bool {
	if i = jsonscan.Space(text, i); i >= len(text) || text[i] != ':' {
		return false
	}
	i = jsonscan.Space(text, i+1)
	return i < len(text) && text[i] == '[' && ofStrings(text, i)
}

// ofStrings reports whether the array at i is empty or begins with a string.
// An array of nested blocks that are called "references" begins with an
// object.
func ofStrings(text []byte, i int) bool {
	i = jsonscan.Space(text, i+1)
	return i >= len(text) || text[i] == '"' || text[i] == ']'
}

func blockShapeOf(text []byte) int {
	if text[0] == '{' {
		return shapeBlock
	}
	return expressionShapeOf(text)
}

// expressionShape tells the shape of an expression by its fields, -1 if more
// than one is set.
func expressionShape(o any) int {
	e := o.(*Expression)
	shape, n := shapeExpression, 0
	if e.ConstantValue != nil || e.References != nil {
		n++
	}
	if e.Block != nil {
		shape = shapeBlock
		n++
	}
	if e.Blocks != nil {
		shape = shapeBlocks
		n++
	}
	if e.Raw != nil {
		shape = shapeRaw
		n++
	}
	if n > 1 {
		return -1
	}
	return shape
}

// about returns the source and the table of an expression. All members of a
// block are its entries, so a block has no table; nor has an expression that
// would become one by an extra member.
func (e *Expression) about() (*wire.Source, *wire.Table) {
	switch {
	case e == nil:
		return nil, nil
	case expressionShape(e) != shapeExpression || !e.src.HasKnown():
		return &e.src, nil
	}
	return &e.src, expressionTable
}
