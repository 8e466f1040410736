// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// Typed returns exprs, the arguments and nested blocks of a block of the kind
// that b describes, with every [Expression] in the shape that the schema
// requires:
//
//   - an attribute is an expression, even one that can be written as blocks;
//   - a nested block of nesting single or group has Block set to its content;
//   - one of nesting list or set has Blocks set;
//   - one of nesting map has Block set to the blocks by label; each block has
//     Block set to its content.
//
// Expressions that decoding guessed right are shared with exprs; the others are
// read again. Names that b does not have are left unchanged. Typed does not
// change exprs. The result is for reading: to edit a plan, change exprs.
//
// The error is an [*Error] if a nested block does not have the JSON kind that
// its nesting mode requires, which means that the schema is not the one that
// the plan was made with. A nil b knows no names.
func (b *Block) Typed(exprs map[string]*Expression) (map[string]*Expression, error) {
	return b.typed("", exprs)
}

func (b *Block) typed(at string, exprs map[string]*Expression) (map[string]*Expression, error) {
	if b == nil || exprs == nil {
		return exprs, nil
	}
	result := make(map[string]*Expression, len(exprs))
	for name, e := range exprs {
		at := at + "/" + jsonscan.EscapePointer(name)
		t, err := e, error(nil)
		if e == nil {
			err = &Error{Pointer: at, Err: wire.ErrKind}
		} else if _, ok := b.Attributes[name]; ok {
			t, err = e.as(shapeExpression, at)
		} else if nested, ok := b.BlockTypes[name]; ok && nested != nil {
			t, err = nested.typed(at, e)
		}
		if err != nil {
			return nil, err
		}
		result[name] = t
	}
	return result, nil
}

// typed returns e, the blocks of this type, in its shape.
func (t *BlockType) typed(at string, e *Expression) (*Expression, error) {
	switch t.NestingMode {
	case NestingSingle, NestingGroup:
		return t.Block.typedBlock(at, e)
	case NestingMap:
		e, err := e.as(shapeBlock, at)
		if err != nil {
			return nil, err
		}
		labels := make(map[string]*Expression, len(e.Block))
		for label, body := range e.Block {
			if labels[label], err = t.Block.typedBlock(at+"/"+jsonscan.EscapePointer(label), body); err != nil {
				return nil, err
			}
		}
		return e.with(labels, nil), nil
	case NestingList, NestingSet:
		e, err := e.as(shapeBlocks, at)
		if err != nil {
			return nil, err
		}
		blocks := make([]*Expression, len(e.Blocks))
		for i, body := range e.Blocks {
			if blocks[i], err = t.Block.typedBlock(at+"/"+strconv.Itoa(i), body); err != nil {
				return nil, err
			}
		}
		return e.with(nil, blocks), nil
	}
	return e, nil // a nesting mode of a newer tool
}

// typedBlock returns e, one block with the content that b describes.
func (b *Block) typedBlock(at string, e *Expression) (*Expression, error) {
	e, err := e.as(shapeBlock, at)
	if err != nil {
		return nil, err
	}
	content, err := b.typed(at, e.Block)
	if err != nil {
		return nil, err
	}
	return e.with(content, nil), nil
}

// with returns e with this content, or e itself if the content is the same.
func (e *Expression) with(block map[string]*Expression, blocks []*Expression) *Expression {
	same := len(block) == len(e.Block) && len(blocks) == len(e.Blocks)
	for name, b := range block {
		same = same && b == e.Block[name]
	}
	for i, b := range blocks {
		same = same && b == e.Blocks[i]
	}
	if same {
		return e
	}
	return &Expression{Block: block, Blocks: blocks, src: e.src}
}

// as returns e in the given shape, read again if it has another one.
func (e *Expression) as(shape int, at string) (*Expression, error) {
	if e == nil {
		return nil, &Error{Pointer: at, Err: fmt.Errorf("%w: null", wire.ErrKind)}
	}
	if expressionShape(e) == shape {
		return e, nil
	}
	text, err := e.MarshalJSON()
	if err != nil {
		return nil, err
	}
	kind := Value(text).Kind()
	if shape == shapeBlocks && kind != KindArray || shape != shapeBlocks && kind != KindObject {
		return nil, &Error{Pointer: at, Err: fmt.Errorf("%w: %s instead of %s", wire.ErrKind, kind, shapeNames[shape])}
	}
	again, err := decode[Expression](text, forced(shape))
	if err != nil {
		var place *Error
		if errors.As(err, &place) {
			err = &Error{Pointer: at + place.Pointer, Err: place.Err}
		}
		return nil, err
	}
	return again, nil
}

// forced returns the type of expressions whose shape is known.
func forced(shape int) wire.Type {
	return &wire.Union{Of: &expressionShapes{func([]byte) int { return shape }, nil}}
}
