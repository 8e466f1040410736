// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// A document of another kind is refused by the streams as it is by the decoders.
func TestWrite_otherKinds(t *testing.T) {
	const (
		plan   = `{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[],"configuration":{"root_module":{}}}`
		state  = `{"format_version":"1.0","terraform_version":"1.12.6","values":{"outputs":{"a":{"sensitive":false,"value":"v","type":"string"}},"root_module":{}}}`
		schema = `{"format_version":"1.0","provider_schemas":{}}`
		raw    = `{"version":4,"terraform_version":"1.12.6","serial":3,"lineage":"x","outputs":{},"resources":[]}`
		future = `{"format_version":"9.0","values":{"root_module":{}}}`
	)
	decodePlan := func(text string) error {
		p, err := planjson.DecodePlan([]byte(text))
		if err == nil {
			err = planjson.CheckVersion(p)
		}
		return err
	}
	decodeState := func(text string) error {
		s, err := planjson.DecodeState([]byte(text))
		if err == nil {
			err = planjson.CheckVersion(s)
		}
		return err
	}
	const outputs = `{"a":{"sensitive":false,"type":"string","value":"v"}}` // whose kind only the insides of its members tell
	for _, write := range []func(redact.Redactor, io.Writer, io.Reader) (int, error){redact.Redactor.WritePlan, redact.Redactor.WriteState} {
		if _, err := write(redact.Redactor{}, io.Discard, strings.NewReader(outputs)); !errors.Is(err, planjson.ErrVersion) {
			t.Errorf("outputs: %v", err)
		}
	}
	for _, text := range []string{plan, state, schema, raw, future, `{}`, `{"format_version":"1.0"}`, "{\n  \"values\": {},\n  \"format_version\": \"9.0\"\n}"} {
		for _, w := range []struct {
			name   string
			decode func(string) error
			write  func(redact.Redactor, io.Writer, io.Reader) (int, error)
		}{
			{"plan", decodePlan, redact.Redactor.WritePlan},
			{"state", decodeState, redact.Redactor.WriteState},
		} {
			want := w.decode(text)
			for _, r := range []redact.Redactor{{}, {NoSpool: true}} {
				var out bytes.Buffer
				_, err := w.write(r, &out, io.MultiReader(strings.NewReader(text))) // which cannot be read twice
				if (err == nil) != (want == nil) || errors.Is(err, planjson.ErrKind) != errors.Is(want, planjson.ErrKind) || errors.Is(err, planjson.ErrVersion) != errors.Is(want, planjson.ErrVersion) {
					t.Errorf("as a %s, NoSpool %v, %s: got %v, want %v", w.name, r.NoSpool, text, err, want)
				}
				// The stream is not kept, so only the member is known.
				if place := new(planjson.Error); errors.As(want, &place) && err != nil {
					if bare := (&planjson.Error{Pointer: place.Pointer, Err: place.Err}); err.Error() != bare.Error() {
						t.Errorf("as a %s, NoSpool %v, %s: the error is %v, want %v", w.name, r.NoSpool, text, err, bare)
					}
				}
				if !r.NoSpool && err != nil && out.Len() > 0 {
					t.Errorf("as a %s, %s: written in spite of the error: %s", w.name, text, out.String())
				}
			}
		}
	}
}

// TestOtherTextsOnStreams: the streaming functions name a text that is no JSON, and a
// stream of messages, as the decoders do.
func TestOtherTextsOnStreams(t *testing.T) {
	for text, want := range map[string]string{
		"\xff\xfe{\x00}\x00": "the text is in UTF-16",
		"\xef\xbb\xbf{}":     "byte order mark",
		"PK\x03\x04\x14\x00": "zip archive",
		"Planning failed.\n": "expected a value",
		"{\"@level\":\"info\",\"@message\":\"x\",\"@module\":\"tofu.ui\",\"type\":\"version\"}\n{\"@level\":\"info\",\"@message\":\"y\",\"@module\":\"tofu.ui\",\"type\":\"log\"}\n": "message of the -json stream",
	} {
		for _, src := range []io.Reader{strings.NewReader(text), io.MultiReader(strings.NewReader(text))} {
			var out bytes.Buffer
			if _, err := (redact.Redactor{}).WritePlan(&out, src); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
				t.Errorf("%.20q: got %v, want %s; %q is written", text, err, want, out.String())
			}
		}
	}
}
