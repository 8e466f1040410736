// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// maxPlainNames is how many unsorted names of an object are compared one by one.
const maxPlainNames = 64

// mayRepeat reports whether an object in the valid text d may have duplicate
// members. It is quick where tools have written the text: their objects are
// sorted, or have few members. If it is true, the exact search decides.
func mayRepeat(d []byte) bool {
	type frame struct {
		base             int // of the object's names
		object, unsorted bool
	}
	var open []frame
	var names [][]byte
	for i := jsonscan.Space(d, 0); i < len(d); i = jsonscan.Space(d, i) {
		switch d[i] {
		case '{', '[':
			open = append(open, frame{base: len(names), object: d[i] == '{'})
			i++
		case '}', ']':
			if len(open) == 0 {
				return true
			}
			names = names[:open[len(open)-1].base]
			open = open[:len(open)-1]
			i++
		case ',', ':':
			i++
		case '"':
			end, fault := jsonscan.String(d, i)
			if fault != jsonscan.OK {
				return true
			}
			tok := d[i:end:end]
			i = jsonscan.Space(d, end)
			if len(open) == 0 || !open[len(open)-1].object || i >= len(d) || d[i] != ':' {
				continue // a value
			}
			top := &open[len(open)-1]
			before := names[top.base:]
			tok = plainName(tok) // one name can be spelled in several ways
			if n := len(before); n > 0 && (top.unsorted || bytes.Compare(before[n-1], tok) >= 0) {
				if top.unsorted = true; n > maxPlainNames {
					return true
				}
				for _, name := range before {
					if bytes.Equal(name, tok) {
						return true
					}
				}
			}
			names = append(names, tok)
		default:
			end, fault := jsonscan.Value(d, i, 0)
			if fault != jsonscan.OK {
				return true
			}
			i = end
		}
	}
	return false
}
