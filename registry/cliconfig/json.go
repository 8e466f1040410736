// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package cliconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// parseLiteralJSON reads a file in the JSON form of HCL 1. An object is a body. A
// member with an object is a block, and one with a list of objects is several
// blocks.
func parseLiteralJSON(src []byte) ([]item, *fault) {
	p := &jsonHCL{src: src, d: json.NewDecoder(bytes.NewReader(src))}
	p.d.UseNumber()
	fail := func(err error) ([]item, *fault) {
		offset := int(p.d.InputOffset())
		if _, ok := errors.AsType[*json.SyntaxError](err); ok {
			offset, err = syntaxError(src, err)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			offset, err = len(src), errors.New("the file ends too early")
		}
		if !errors.Is(err, ErrLimit) { // this error quotes nothing of the file
			err = errors.New(printable.Line(err.Error(), 200))
		}
		return nil, &fault{min(offset, len(src)), err}
	}
	if _, err := p.d.Token(); err != nil { // the brace
		return fail(err)
	}
	items, err := p.object(0)
	if err != nil {
		return fail(err)
	}
	if _, err := p.d.Token(); err != io.EOF {
		return fail(errors.New("text after the end of the object"))
	}
	return items, nil
}

// syntaxError returns the place and the cause of the fault in a text that
// encoding/json refuses. The offset of a json.SyntaxError is not the same in
// all versions of Go.
func syntaxError(text []byte, err error) (int, error) {
	if offset, fault := jsonscan.Document(text); fault != jsonscan.OK && fault != jsonscan.FaultUTF8 {
		return offset, fault
	}
	return 0, err
}

// jsonHCL reads JSON as a body.
type jsonHCL struct {
	src []byte
	d   *json.Decoder
}

// object reads the members of an object and its closing brace.
func (p *jsonHCL) object(depth int) ([]item, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	items := []item{}
	for {
		offset := int(p.d.InputOffset())
		t, err := p.d.Token()
		if err != nil {
			return nil, err
		}
		name, ok := t.(string)
		if !ok { // the closing brace
			return items, nil
		}
		offset += bytes.IndexByte(p.src[offset:], '"') // after white space and a comma
		it := item{name: name, assigned: true, json: true, offset: offset}
		v, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		it.end = int(p.d.InputOffset())
		switch v := v.(type) {
		case []item:
			it.body = v
			items = append(items, it)
		case []any:
			bodies := 0
			for _, e := range v {
				if body, ok := e.([]item); ok {
					bodies++
					block := it
					block.body, block.listed = body, true
					items = append(items, block)
				}
			}
			if bodies == 0 {
				it.value = v
				items = append(items, it)
			} else if bodies < len(v) {
				return nil, fmt.Errorf("the list %q has objects and other values", printable.Line(name, 60))
			}
		default:
			it.value = v
			items = append(items, it)
		}
	}
}

// value reads a value.
func (p *jsonHCL) value(depth int) (any, error) {
	t, err := p.d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case json.Delim:
		if t == '{' {
			return p.object(depth + 1)
		}
		if depth > maxDepth {
			return nil, errDepth
		}
		list := []any{}
		for p.d.More() {
			v, err := p.value(depth + 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := p.d.Token()
		return list, err
	case json.Number:
		return number(t), nil
	case nil:
		return null{}, nil
	default:
		return t, nil
	}
}
