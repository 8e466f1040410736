// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// An Expression represents one argument, or the nested blocks of one type, of
// the configuration. It has one of four shapes. The fields of the other shapes
// are nil; [Encode] refuses an Expression with two shapes.
//
//   - The expression of an argument: ConstantValue, References, both, or
//     neither. Neither is the expression {}, such as upper("x") or timestamp(),
//     and also the zero Expression.
//   - Block: the content of one nested block by name (nesting single and
//     group), or the blocks of one type by their label (nesting map).
//   - Blocks: a list of nested blocks (nesting list and set), each with Block set.
//   - Raw: anything else. No known tool writes it.
//
// The text of an expression can look like that of a single nested block with an
// argument called "references" or "constant_value". Only the schema of the
// provider distinguishes them. Decoding treats an object as an expression if it is
// empty, if its first member is constant_value and no member references that is
// not a list of strings follows, or if its first member is references with a list
// of strings; [Block.Typed] corrects wrong guesses.
//
// The format says nothing about operators, functions and positions: var.x,
// sha256(var.x) and "a-${var.x}" look the same. Blocks that a dynamic block
// makes are left out, so a block can exist without being listed.
//
// Source: OpenTofu internal/command/jsonconfig/expression.go.
type Expression struct {
	// ConstantValue is the value, possibly null, of an expression that does not
	// depend on anything. Absent (nil) otherwise. References can be set as
	// well, as for true ? "a" : var.b. Which expressions count as constant
	// differs between tools and versions.
	ConstantValue Value

	// References lists the references of the expression, in the order of the
	// source, relative to its module. The shorter forms of a reference follow
	// it; see [Expression.Refs]. Absent if there is none.
	References []string

	// Block holds the arguments and nested blocks of a nested block by name,
	// or nested blocks by label.
	Block map[string]*Expression

	// Blocks lists nested blocks of one type.
	Blocks []*Expression

	// Raw is a value that fits no other shape.
	Raw Value

	src wire.Source
}

// IsConstant reports whether e is an expression with a constant value and
// without references, such as a literal.
func (e *Expression) IsConstant() bool {
	if e == nil {
		return false
	}
	return e.ConstantValue != nil && len(e.References) == 0
}

// Refs returns an iterator over the references of e as written in the
// configuration. It leaves out the shorter forms that the tools list after each
// reference, such as aws_vpc.a after aws_vpc.a.id. A text that is not a reference of
// OpenTofu's language, such as an action of Terraform's, yields an [*Error].
//
// Nested blocks are not searched; see [AllExpressions].
func (e *Expression) Refs() iter.Seq2[addrs.Reference, error] {
	return func(yield func(addrs.Reference, error) bool) {
		if e == nil {
			return
		}
		for i := 0; i < len(e.References); {
			ref, err := addrs.ParsePlanReference(e.References[i])
			if err != nil {
				err = placed(&e.src, "/references/"+strconv.Itoa(i), err)
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

// AllExpressions returns an iterator over the expressions of arguments in exprs and
// in all blocks nested in it, each with its place, such as network[0].subnet,
// timeouts.create or zone["a b"].size. It visits names in sorted order. It yields
// every shape except blocks. In blocks whose own place is longer than 1,024 bytes,
// three dots stand for the outer ones.
func AllExpressions(exprs map[string]*Expression) iter.Seq2[string, *Expression] {
	return func(yield func(string, *Expression) bool) { allExpressions("", exprs, 0, yield) }
}

// maxNesting bounds the recursion over objects that a caller has put together
// and that may contain themselves. Decoded ones are less deep.
const maxNesting = 10_000

// maxPlace bounds the place of nested blocks: each argument in them has a place of its own.
const maxPlace = 1024

func allExpressions(at string, exprs map[string]*Expression, depth int, yield func(string, *Expression) bool) bool {
	if depth > maxNesting {
		return true
	}
	if len(at) > maxPlace {
		at = ".." // a name that follows has the third dot
	}
	for _, name := range slices.Sorted(maps.Keys(exprs)) {
		if !exprs[name].all(plantext.Member(at, name), depth, yield) {
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
	return allExpressions(at, e.Block, depth+1, yield)
}

// The shapes of an [Expression], as the codec numbers them.
const (
	shapeExpression = iota // of an argument
	shapeBlock             // one block, or blocks by label
	shapeBlocks            // a list of blocks
	shapeRaw               // anything else
)

var shapeNames = [...]string{"expression", "block", "blocks", "raw"}

var expressionTable = &wire.Table{Of: new(expressionMembers)}

// An expression is one of four shapes. The elements of a list of blocks are blocks even
// where they look like an expression.
var (
	expressionUnion = &wire.Union{Of: &expressionShapes{expressionShapeOf, []wire.Single{
		{Table: expressionTable, Name: "references", First: `["`, Clear: func(o any) { o.(*Expression).References = nil }},
		{Table: expressionTable, Name: "constant_value", Clear: func(o any) { o.(*Expression).ConstantValue = nil }},
	}}}
	blockUnion = &wire.Union{Of: &expressionShapes{blockShapeOf, nil}}
)

// expressionMembers describes expressions of arguments.
type expressionMembers struct{}

func (*expressionMembers) Define() wire.Definition {
	return wire.Definition{Members: "constant_value references", Memory: wire.MemoryOf([]Expression(nil))}
}

func (*expressionMembers) At(o any, k int) any {
	e := o.(*Expression)
	switch k {
	case 0:
		return (*[]byte)(&e.ConstantValue)
	case 1:
		return &e.References
	}
	return &e.src
}

// expressionShapes describes expressions of all shapes, of which the function tells one
// from a text.
type expressionShapes struct {
	of      func(text []byte) int
	singles []wire.Single
}

func (s *expressionShapes) DefineUnion() wire.UnionDefinition {
	return wire.UnionDefinition{
		Memory: wire.MemoryOf([]Expression(nil)),
		Shape:  s.of,
		Set:    expressionShape,
		Fields: []wire.Field{
			shapeExpression: wire.Self(expressionTable),
			shapeBlock:      wire.Map[*Expression](expressionUnion),
			shapeBlocks:     wire.Slice[*Expression](blockUnion),
			shapeRaw:        nil,
		},
		Singles: s.singles,
	}
}

func (*expressionShapes) At(o any, k int) any {
	e := o.(*Expression)
	switch k {
	case shapeExpression:
		return e
	case shapeBlock:
		return &e.Block
	case shapeBlocks:
		return &e.Blocks
	case shapeRaw:
		return (*[]byte)(&e.Raw)
	}
	return &e.src
}

// expressionShapeOf returns the shape of a text, judged by its beginning: an
// object is an expression if it is empty, if its first member is a list of
// references, or if its first member is a constant value and no member
// "references" follows that is not such a list. A long constant value is not
// skipped: looking further would take time that grows with the square of the
// depth of nested blocks.
func expressionShapeOf(text []byte) int {
	switch text[0] {
	case '[':
		return shapeBlocks
	case '{':
		if len(text) > len(listLead) && string(text[:len(listLead)]) == listLead {
			return shapeExpression // as most are
		}
		i := jsonscan.Space(text, 1)
		if i >= len(text) || text[i] != '"' {
			return shapeExpression // empty, or not valid
		}
		if i+1 < len(text) && text[i+1] != 'c' && text[i+1] != 'r' && text[i+1] != '\\' {
			return shapeBlock
		}
		end, fault := jsonscan.String(text, i)
		if fault != jsonscan.OK {
			return shapeExpression
		}
		switch string(jsonscan.UnquoteBytes(text[i:end])) {
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

// listLead is how most expressions begin.
const listLead = `{"references":["`

// maxConstant is the length up to which a constant value is skipped to look at
// the next member.
const maxConstant = 1 << 10

// blockAfter reports whether the member constant_value, whose name ends at i,
// is followed by a member "references" that is not a list of references. If so,
// both are arguments of a block.
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
	if fault != jsonscan.OK || string(jsonscan.UnquoteBytes(text[i:end])) != "references" {
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

// expressionShape returns the shape of an expression, judged by its fields, or
// -1 if more than one is set.
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

// table returns the table of an expression. All members of a block are its entries, so a
// block has no table; nor has an expression that would become one by an extra member.
func (e *Expression) table() *wire.Table {
	if expressionShape(e) != shapeExpression || !e.src.HasKnown() {
		return nil
	}
	return expressionTable
}
