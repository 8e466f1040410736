// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"encoding/json"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// ValueOf returns x as a [Value], by the rules of [json.Marshal], spelled as the
// tools do: in one line, objects sorted by name, '<', '>' and '&' escaped,
// numbers without exponent. ValueOf(nil) is null.
func ValueOf(x any) (Value, error) {
	text, err := json.Marshal(x)
	if err != nil {
		return nil, &Error{Line: 1, Column: 1, Err: err}
	}
	return jsonscan.AppendCanonical(nil, text), nil
}

// CtyValue returns v as a [Value], spelled as the tools do. The error is an
// [*Error] if a part of v is unknown or marked, which JSON cannot say. The type
// is lost: sets, lists and tuples become arrays, maps and objects become objects.
func CtyValue(v cty.Value) (Value, error) {
	text, err := ctyjson.Marshal(v, v.Type())
	if err != nil {
		return nil, &Error{Line: 1, Column: 1, Err: err}
	}
	return jsonscan.AppendCanonical(nil, text), nil
}

// Canonical returns v as the tools spell values; see [ValueOf].
func (v Value) Canonical() (Value, error) {
	if err := v.Check(); err != nil {
		return nil, err
	}
	return jsonscan.AppendCanonical(make([]byte, 0, len(v)), v), nil
}

// Clone returns a copy of v that does not keep the document alive.
func (v Value) Clone() Value { return bytes.Clone(v) }
