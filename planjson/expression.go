// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// An Expression is what the configuration says about one argument or one kind
// of nested blocks. It has one of four shapes, in which other fields than
// these are nil; [Encode] refuses one with two shapes.
//
//   - The expression of an argument: ConstantValue, References, both, or
//     neither. Neither is the expression {}, such as upper("x") or timestamp(),
//     and also the zero Expression.
//   - Block: the content of one nested block by name (nesting single and
//     group), or the blocks of one type by their label (nesting map).
//   - Blocks: a list of nested blocks (nesting list and set), each with Block set.
//   - Raw: anything else. No known tool writes it.
//
// The text does not tell an expression from a single nested block that has an
// argument called "references" or "constant_value": only the schema of the
// provider does. Decoding takes an object for an expression if it is empty, if
// its first member is constant_value without a member references after it that
// is no list of strings, or if its first member is references with a list of
// strings; [Block.Typed] puts right what this guess gets wrong.
//
// The format says nothing about operators, functions and positions: var.x,
// sha256(var.x) and "a-${var.x}" look the same. Blocks that a dynamic block
// makes are left out, so that a missing block does not prove that there is none.
//
// Source: OpenTofu internal/command/jsonconfig/expression.go.
type Expression struct {
	// ConstantValue is the value, possibly null, if it does not depend on
	// anything. Absent (nil) if it does. It can stand beside References, as
	// for true ? "a" : var.b; which expressions count as constant differs
	// between tools and versions.
	ConstantValue Value

	// References lists what the expression refers to, in the order of the
	// source, relative to its module. After each reference come its shorter
	// forms; see [Expression.Refs]. Absent if there is none.
	References []string

	// Block holds the arguments and nested blocks of a nested block by name,
	// or nested blocks by label.
	Block map[string]*Expression

	// Blocks lists nested blocks of one type.
	Blocks []*Expression

	// Raw is a value that fits none of the other shapes.
	Raw Value

	src wire.Source
}

// A Shape is the shape of an [Expression].
type Shape uint8

// The shapes.
const (
	ShapeExpression Shape = iota // of an argument
	ShapeBlock                   // one block, or blocks by label
	ShapeBlocks                  // a list of blocks
	ShapeRaw                     // anything else
	ShapeMixed                   // several at once, which cannot be encoded
)

var shapeNames = [...]string{"expression", "block", "blocks", "raw", "mixed"}

// String returns the name of the shape in lower case.
func (s Shape) String() string {
	if int(s) < len(shapeNames) {
		return shapeNames[s]
	}
	return "invalid"
}

// Shape returns the shape of e.
func (e *Expression) Shape() Shape {
	switch expressionShape(e) {
	case shapeExpression:
		return ShapeExpression
	case shapeBlock:
		return ShapeBlock
	case shapeBlocks:
		return ShapeBlocks
	case shapeRaw:
		return ShapeRaw
	}
	return ShapeMixed
}

// IsConstant reports whether e is an expression with a constant value and
// without references: what the configuration says literally.
func (e *Expression) IsConstant() bool { return e.ConstantValue != nil && len(e.References) == 0 }

// Refs returns an iterator over what e refers to, as its author wrote it: it
// leaves out the shorter forms that the tools list after each reference, as
// aws_vpc.a after aws_vpc.a.id. A text that is no reference of OpenTofu's
// language, such as an action of Terraform's, yields an [*Error].
//
// Nested blocks are not searched; see [AllExpressions].
func (e *Expression) Refs() iter.Seq2[addrs.Reference, error] {
	return func(yield func(addrs.Reference, error) bool) {
		for i := 0; i < len(e.References); {
			ref, err := addrs.ParsePlanReference(e.References[i])
			if err != nil {
				err = e.placed("/references/"+strconv.Itoa(i), err)
			}
			if !yield(ref, err) {
				return
			}
			i++
			if err != nil {
				continue
			}
			// The first form is the reference itself. The others follow it
			// without a gap, unless something else wrote the list.
			first := true
			for form := range ref.PlanReferences() {
				if first {
					first = false
					continue
				}
				if i == len(e.References) || e.References[i] != form {
					break
				}
				i++
			}
		}
	}
}

// AllExpressions returns an iterator over the expressions of arguments in
// exprs and in all blocks nested in it, each with its place, as
// network[0].subnet or timeouts.create. It visits names in sorted order. Of the
// four shapes it yields all but blocks.
func AllExpressions(exprs map[string]*Expression) iter.Seq2[string, *Expression] {
	return func(yield func(string, *Expression) bool) { allExpressions("", exprs, 0, yield) }
}

// maxNesting bounds the recursion over objects that a caller has put together
// and that may contain themselves. Decoded ones are less deep.
const maxNesting = 10_000

func allExpressions(at string, exprs map[string]*Expression, depth int, yield func(string, *Expression) bool) bool {
	if depth > maxNesting {
		return true
	}
	for _, name := range slices.Sorted(maps.Keys(exprs)) {
		if !exprs[name].all(at+name, depth, yield) {
			return false
		}
	}
	return true
}

func (e *Expression) all(at string, depth int, yield func(string, *Expression) bool) bool {
	if e == nil {
		return true
	}
	if e.Block == nil && e.Blocks == nil {
		return yield(at, e)
	}
	for i, b := range e.Blocks {
		if depth < maxNesting && !b.all(at+"["+strconv.Itoa(i)+"]", depth+1, yield) {
			return false
		}
	}
	return allExpressions(at+".", e.Block, depth+1, yield)
}
