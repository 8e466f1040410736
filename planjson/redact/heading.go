// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"cmp"
	"errors"

	"github.com/tofuwire/tofuwire/planjson"
)

// A heading is what a document says of itself.
type heading struct {
	document typeID
	streamed bool   // it comes from a reader
	version  string // of its format
	top      []topMember
}

// check refuses a document that comes from a reader, whose caller cannot look at
// it first, if it is of another kind, or its format of a major version that is not known.
func (h *heading) check() error {
	if !h.streamed {
		return nil
	}
	var err error
	if h.document == typeState {
		var s *planjson.State
		if s, err = planjson.DecodeState(h.outline()); err == nil {
			err = planjson.CheckVersion(s)
		}
	} else {
		var p *planjson.Plan
		if p, err = planjson.DecodePlan(h.outline()); err == nil {
			err = planjson.CheckVersion(p)
		}
	}
	if at := new(planjson.Error); errors.As(err, &at) { // which is a place in the outline
		return &planjson.Error{Pointer: at.Pointer, Err: at.Err}
	}
	return err
}

// maxOutline is how many members of a document are noted. None has so many.
const maxOutline = 100

// noteMember takes note of a member of the document, and of the byte that its value
// begins with.
func (h *heading) noteMember(name string, b byte) {
	if len(h.top) < maxOutline {
		h.top = append(h.top, topMember{name, b})
	}
}

// A topMember is a member of the document: its name, and the first byte of its value.
type topMember struct {
	name  string
	first byte
}

// outline returns the document with its version and nothing in its other members, which is
// enough to tell what kind it is of.
func (h *heading) outline() []byte {
	empty := map[byte]string{'{': "{}", '[': "[]", '"': `""`, 't': "true", 'f': "false", 'n': "null"}
	text := []byte{'{'}
	for i, m := range h.top {
		if i > 0 {
			text = append(text, ',')
		}
		text = append(append(text, quote(m.name)...), ':')
		if m.name == "format_version" && m.first == '"' {
			text = append(text, quote(h.version)...)
			continue
		}
		text = append(text, cmp.Or(empty[m.first], "0")...)
	}
	return append(text, '}')
}
