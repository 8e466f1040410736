// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "github.com/tofuwire/tofuwire/internal/wire"

// The member "action" of a hook is a word in most messages and an object in
// messages about actions. It has a field for each form.

// hookAction is the number of the member in the table of [Hook].
const hookAction = 2

// The forms of the member, as the codec numbers them.
const (
	actionWord = iota
	actionObject
)

// hookObject describes hooks: it makes the member "action" one of both forms.
type hookObject struct{ hookFields }

func (h *hookObject) Define() wire.Definition {
	d := h.hookFields.Define()
	d.Fields = append(d.Fields, make([]wire.Field, max(0, hookAction+1-len(d.Fields)))...)
	d.Fields[hookAction] = wire.OneOf(actionForm, actionAt, func(o any) { h := o.(*Hook); h.Action, h.ActionAddr = "", nil },
		wire.String(), wire.Ptr[*ActionAddress](actionAddressTable))
	return d
}

func (h *hookObject) At(o any, k int) any {
	if k == hookAction {
		return o
	}
	return h.hookFields.At(o, k)
}

// actionAt returns a pointer to the field for a form of an action.
func actionAt(o any, form int) any {
	h := o.(*Hook)
	if form == actionObject {
		return &h.ActionAddr
	}
	return (*string)(&h.Action)
}

// actionForm returns the form of an action, judged by its text.
func actionForm(text []byte) int {
	if len(text) > 0 && text[0] == '{' {
		return actionObject
	}
	return actionWord
}
