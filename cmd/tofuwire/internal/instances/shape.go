// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package instances

import (
	"encoding/json"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// shown returns a value for JSON. What is not known, and what is marked unless it is revealed, is
// null.
func shown(v cty.Value, reveal bool) (any, error) {
	if v.IsMarked() {
		if !reveal {
			return nil, nil
		}
		v, _ = v.Unmark()
	}
	t := v.Type()
	switch {
	case !v.IsKnown() || v.IsNull():
		return nil, nil
	case t.IsObjectType() || t.IsMapType():
		out := map[string]any{}
		for it := v.ElementIterator(); it.Next(); {
			key, e := it.Element()
			value, err := shown(e, reveal)
			if err != nil {
				return nil, err
			}
			out[key.AsString()] = value
		}
		return out, nil
	case v.CanIterateElements():
		out := []any{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			value, err := shown(e, reveal)
			if err != nil {
				return nil, err
			}
			out = append(out, value)
		}
		return out, nil
	}
	text, err := ctyjson.Marshal(v, t)
	return json.RawMessage(text), err
}

// A question is asked of each part of a value.
type question func(v cty.Value) bool

var (
	isUnknown question = func(v cty.Value) bool { v, _ = v.Unmark(); return !v.IsKnown() }
	isMarked  question = func(v cty.Value) bool { return v.IsMarked() }
)

// shape returns true for a part whose answer is yes, as after_unknown of a plan does:
// false for the others, but objects leave them out.
func (q question) shape(v cty.Value) any {
	if q(v) {
		return true
	}
	v, _ = v.Unmark()
	t := v.Type()
	switch {
	case !v.IsKnown() || v.IsNull():
		return false
	case t.IsObjectType() || t.IsMapType():
		out := map[string]any{}
		for it := v.ElementIterator(); it.Next(); {
			key, e := it.Element()
			if s := q.shape(e); s != false {
				out[key.AsString()] = s
			}
		}
		return out
	case v.CanIterateElements():
		out := []any{}
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			out = append(out, q.shape(e))
		}
		return out
	}
	return false
}
