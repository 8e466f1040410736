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

var _ = hookTable.Define(func(o any) *wire.Source { return &o.(*Hook).src }, withAction(hookFields())...)

// withAction makes the member "action" of a hook one of both forms.
func withAction(fields []wire.Field) []wire.Field {
	fields[hookAction] = wire.OneOf(actionForm, func(o any) { h := o.(*Hook); h.Action, h.ActionAddr = "", nil },
		wire.String(func(o any) *Action { return &o.(*Hook).Action }),
		wire.Ptr(func(o any) **ActionAddress { return &o.(*Hook).ActionAddr }, actionAddressTable),
	)
	return fields
}

// actionForm returns the form of an action, judged by its text.
func actionForm(text []byte) int {
	if len(text) > 0 && text[0] == '{' {
		return actionObject
	}
	return actionWord
}
