// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/tofuwire/tofuwire/internal/wire"
)

// A Document is a pointer to any type that a Decode function returns.
type Document interface {
	*Plan | *State | *Config | *Schemas | *Functions | *Validate | *Version | *Outputs | *Modules |
		*StateShow | *Workspaces | *RendererPlan | *RendererState
	Object
}

// wireDocument is the method wire as a function of a pointer to the document.
func wireDocument[D Document](doc *D, x *wire.Codec) { (*doc).wire(x) }

// absent reports whether doc is nil.
func absent[D Document](doc D) bool {
	var none D
	return doc == none
}

// Encode returns the JSON text of doc. A document that was decoded and not
// changed gives the text it was decoded from, byte for byte; one that was
// changed differs in what was changed and nowhere else. A document made by the
// caller, or taken from inside another one, ends with a line feed.
//
// The error is an [*Error]: a [Value] that is not valid JSON, a nil element in
// a list or map, several shapes in one [Expression], or an object that
// contains itself. Encode only reads doc, so several goroutines may encode it
// at the same time. The error for nil wraps [ErrAbsent]; many documents lack a
// part, such as the prior state of a first plan.
func Encode[D Document](doc D) ([]byte, error) {
	if absent(doc) {
		return nil, &Error{Err: ErrAbsent}
	}
	var x wire.Codec
	text, err := wire.Append(&x, nil, &doc, wireDocument[D])
	if err != nil {
		return nil, wireError(err)
	}
	src, _ := doc.about()
	return finish(doc, text, src.Origin()), nil
}

// Write writes to w what [Encode] returns, without holding all of it. If w
// fails, its error is returned as it is, and part of the text may have been
// written; with an [*Error] too.
func Write[D Document](w io.Writer, doc D) error {
	if absent(doc) {
		return &Error{Err: ErrAbsent}
	}
	if src, _ := doc.about(); src.Origin() != wire.Whole {
		// Small, as a rule, and perhaps to be laid out.
		text, err := Encode(doc)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
	var x wire.Codec
	return wireError(wire.Write(&x, w, &doc, wireDocument[D]))
}

// finish lays out the text of a document that the caller has made.
func finish[D Document](doc D, text []byte, made wire.Origin) []byte {
	if made == wire.Whole {
		return text
	}
	switch d := any(doc).(type) {
	case *Outputs:
		if d.Value != nil {
			break // one output has one line
		}
		text = indented(text, made)
	case *Validate, *Version, *StateShow, *Workspaces:
		text = indented(text, made)
	}
	return append(text, '\n')
}

// indented lays out the text of a document without a source.
func indented(text []byte, made wire.Origin) []byte {
	var b bytes.Buffer
	if made != wire.None || json.Indent(&b, text, "", "  ") != nil {
		return text
	}
	return b.Bytes()
}
