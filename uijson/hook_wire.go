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

// wire lists the members of a hook. A decoding codec finds the form of the
// action in the text, an encoding one in the fields. An empty hook is one that
// is being decoded.
func (h *Hook) wire(x *wire.Codec) {
	if h.src.Text() == nil && h.TriggerIndex == nil && h.Action == "" && h.ActionAddr == nil {
		x.Object(h, &h.src, hookTable, hookDecode)
		return
	}
	x.Object(h, &h.src, hookTable, hookEncode)
}

// hookDecode calls the operation of member k of a hook that is being decoded.
//
// This also writes a hook without source and action. Then the codec only asks
// whether the action is zero, which Union does not answer; the answer for the
// member before holds, TriggerIndex, which is nil.
func hookDecode(o any, x *wire.Codec, k int) {
	if k == hookAction {
		h := o.(*Hook)
		x.Union(h, &h.src, actionForm, oneAction, decodeAction) // the source is set for good when the hook ends
		return
	}
	hookMember(o, x, k)
}

// actionForm returns the form of an action, judged by its text.
func actionForm(text []byte) int {
	if text[0] == '{' {
		return actionObject
	}
	return actionWord
}

func decodeAction(o any, x *wire.Codec, form int) {
	h := o.(*Hook)
	h.Action, h.ActionAddr = "", nil // of an earlier member of the same name
	if h.addressed = form == actionObject; h.addressed {
		wire.Ptr(x, &h.ActionAddr, (*ActionAddress).wire)
		return
	}
	wire.String(x, &h.Action)
}

// hookEncode calls the operation of member k of a hook that is being encoded.
func hookEncode(o any, x *wire.Codec, k int) {
	if k != hookAction {
		hookMember(o, x, k)
		return
	}
	h := o.(*Hook)
	switch {
	case h.Action == "" && (h.ActionAddr != nil || h.addressed):
		wire.Ptr(x, &h.ActionAddr, (*ActionAddress).wire)
	case h.ActionAddr == nil:
		wire.String(x, &h.Action)
	default:
		wire.String(x, &h.Action)
		x.Union(h, &h.src, actionForm, oneAction, decodeAction) // fails
	}
}

// oneAction returns the form of an action, judged by the fields, or -1 if both
// are set.
func oneAction(o any) int {
	switch h := o.(*Hook); {
	case h.ActionAddr == nil:
		return actionWord
	case h.Action == "":
		return actionObject
	}
	return -1
}
