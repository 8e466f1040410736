// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// parseLiteralJSON reads a file in the JSON form of HCL 1. An object is a body. A
// member with an object is a block, and one with a list of objects is several
// blocks.
func parseLiteralJSON(src []byte) ([]hclItem, *hclError) {
	p := &jsonHCL{src: src, d: json.NewDecoder(bytes.NewReader(src))}
	p.d.UseNumber()
	fail := func(err error) ([]hclItem, *hclError) {
		offset := int(p.d.InputOffset())
		if _, ok := errors.AsType[*json.SyntaxError](err); ok {
			offset, err = syntaxError(src, err)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			offset, err = len(src), errors.New("the file ends too early")
		}
		if !errors.Is(err, ErrLimit) { // this error quotes nothing of the file
			err = errors.New(clean(err.Error(), 200))
		}
		return nil, &hclError{min(offset, len(src)), err}
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

// jsonHCL reads JSON as a body.
type jsonHCL struct {
	src []byte
	d   *json.Decoder
}

// object reads the members of an object and its closing brace.
func (p *jsonHCL) object(depth int) ([]hclItem, error) {
	if depth > maxHCLDepth {
		return nil, errHCLDepth
	}
	items := []hclItem{}
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
		it := hclItem{name: name, assigned: true, json: true, offset: offset}
		v, err := p.value(depth)
		if err != nil {
			return nil, err
		}
		it.end = int(p.d.InputOffset())
		switch v := v.(type) {
		case []hclItem:
			it.body = v
			items = append(items, it)
		case []any:
			bodies := 0
			for _, e := range v {
				if body, ok := e.([]hclItem); ok {
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
				return nil, fmt.Errorf("the list %q has objects and other values", clean(name, 60))
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
		if depth > maxHCLDepth {
			return nil, errHCLDepth
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
		return hclNumber(t), nil
	case nil:
		return hclNull{}, nil
	default:
		return t, nil
	}
}
