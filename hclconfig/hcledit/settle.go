// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// settle returns a value in which the expressions of the edited file stand for their
// current text. It reports false, after an error, if one of them is gone.
func (e *Editor) settle(v Value) (Value, bool) {
	switch v.form {
	case formExpression:
		return e.settleExpression(v)
	case formCall, formList:
		v.list = slices.Clone(v.list)
		for i := range v.list {
			var ok bool
			if v.list[i], ok = e.settle(v.list[i]); !ok {
				return v, false
			}
		}
	case formObject:
		v.entries = slices.Clone(v.entries)
		for i := range v.entries {
			var ok bool
			if v.entries[i].Value, ok = e.settle(v.entries[i].Value); !ok {
				return v, false
			}
		}
	}
	return v, true
}

func (e *Editor) settleExpression(v Value) (Value, bool) {
	f := v.expr.File()
	n, own := e.versions[f]
	if own && n == len(e.d.changes) {
		return v, true
	}
	start, end, known, ok := e.find(f, spanOf(*v.expr))
	switch {
	case !known:
		return v, true // of another file, as it was read
	case !ok:
		e.failf(f, spanOf(*v.expr), "it was removed by an earlier edit: take the expression from Body or Apply")
		return v, false
	}
	text := string(e.d.text.slice(start, end))
	syntax := e.f.Syntax()
	if _, inside := stringAround(*v.expr); inside {
		syntax, text = hclconfig.NativeSyntax, unquoteJSON([]byte(`"`+text+`"`))
	}
	if syntax == hclconfig.NativeSyntax {
		text = shiftLines(text, e.d.indentAt(start), "")
	}
	x, err := hclconfig.ParseExpression(e.f.Filename(), []byte(text), syntax, v.expr.Kind())
	if err != nil {
		e.fail(f, spanOf(*v.expr), err)
		return v, false
	}
	v.expr = &x
	return v, true
}

// holds returns the part of the text from start to end, which is an expression, that
// text has again. It looks only if v has an expression in it, as a call around one has.
func (v Value) holds(old string, start int, text string) inner {
	if !v.hasExpression() {
		return inner{}
	}
	from, to := 0, len(old)
	if strings.HasPrefix(old, `"${`) && strings.HasSuffix(old, `}"`) {
		from, to = 3, to-2
	}
	at := strings.Index(text, old[from:to])
	if at < 0 || from >= to {
		return inner{}
	}
	return inner{start + from, start + to, at}
}

func (v Value) hasExpression() bool {
	return v.form == formExpression || v.again || slices.ContainsFunc(v.list, Value.hasExpression) ||
		slices.ContainsFunc(v.entries, func(w Entry) bool { return w.Value.hasExpression() })
}
