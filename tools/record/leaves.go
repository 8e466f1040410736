// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
)

// A leaf is a scalar or the name of a member in a JSON document.
type leaf struct {
	start, end int
	path       []string // of members, "*" for an element of a list
	typ        string   // of the resource that it belongs to, "" if none
	below      int      // how many elements of path lead to the value of the resource
	id         bool     // it is the identifier of the resource, in a message
}

// text returns the leaf as it is written, without quotation marks.
func (l *leaf) text(src []byte) string {
	return strings.Trim(string(src[l.start:l.end]), `"`)
}

// valueMembers are the members of a resource that hold its value; attributes in a
// raw state.
var valueMembers = []string{"values", "before", "after", "attributes"}

// leaves returns the leaves of a document, in order.
func leaves(src []byte) ([]leaf, error) {
	type frame struct {
		list bool
		typ  string // of the resource that this object or one around it is
		res  string // the member resource_type
		key  string
		want bool // a key is next
	}
	var list []leaf
	var stack []frame
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	for {
		start := int(dec.InputOffset())
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		end := int(dec.InputOffset())
		for start < end && strings.IndexByte(" \t\r\n,:", src[start]) >= 0 {
			start++
		}
		var top *frame
		if len(stack) > 0 {
			top = &stack[len(stack)-1]
		}
		if d, ok := tok.(json.Delim); ok {
			if d == '}' || d == ']' {
				res := top.res
				stack = stack[:len(stack)-1]
				if n := len(stack); n > 0 {
					stack[n-1].want = !stack[n-1].list
					if res != "" { // a message about a resource
						stack[n-1].typ = res
					}
				}
				continue
			}
			f := frame{list: d == '[', want: d == '{'}
			if top != nil {
				f.typ = top.typ
			}
			stack = append(stack, f)
			continue
		}
		l := leaf{start: start, end: end}
		for i := range stack {
			f := &stack[i]
			switch {
			case f.list:
				l.path = append(l.path, "*")
			case f.want && i == len(stack)-1:
				l.path = append(l.path, "(name)")
			default:
				l.path = append(l.path, f.key)
				if slices.Contains(valueMembers, f.key) && f.typ != "" && l.below == 0 {
					l.typ, l.below = f.typ, len(l.path)
				} else if f.key == "id_value" && f.typ != "" {
					l.typ, l.below, l.id = f.typ, len(l.path), true
				}
			}
		}
		if top != nil && !top.list {
			if top.want {
				top.key = tok.(string)
			} else if s, ok := tok.(string); ok && top.key == "type" {
				top.typ = s
			} else if ok && top.key == "resource_type" {
				top.res = s
			}
			top.want = !top.want
		}
		list = append(list, l)
	}
}
