// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"errors"
	"io"
	"iter"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// A nil pointer where a message or a part of one is wanted is an error, or
// nothing: never a panic.
func TestNil(t *testing.T) {
	var (
		m      *uijson.Message
		ev     *uijson.Event
		env    *uijson.Envelope
		hook   *uijson.Hook
		res    *uijson.Resource
		diag   *uijson.Diagnostic
		left   *uijson.TestInterrupt
		w      = uijson.NewWriter(io.Discard)
		v      uijson.Value
		number int
	)
	second := func(_ any, err error) error { return err }
	for name, err := range map[string]error{
		"Encode":             second(uijson.Encode(m)),
		"Writer.Write":       w.Write(m),
		"Writer.WriteEvent":  w.WriteEvent(ev),
		"Envelope.Decode":    second(env.Decode()),
		"CheckVersion":       m.CheckVersion(),
		"Time":               second(m.Time()),
		"SetExtra":           uijson.SetExtra(m, "x", uijson.Value("1")),
		"Hook.SetExtra":      uijson.SetExtra(hook, "x", nil),
		"Resource.Instance":  second(res.Instance()),
		"Value.Decode":       v.Decode(&number),
		"GeneratedConfig":    uijson.SetExtra(new(uijson.Change), "reason", nil), // has a field
		"two actions":        second(uijson.Encode(&uijson.Message{Hook: &uijson.Hook{Action: "create", ActionAddr: &uijson.ActionAddress{}}})),
		"nil in a list":      second(uijson.Encode(&uijson.Message{Results: []*uijson.PolicyQuery{nil}})),
		"nil in an object":   second(uijson.Encode(&uijson.Message{Outputs: map[string]*uijson.Output{"o": nil}})),
		"not a value at all": second(uijson.Encode(&uijson.Message{State: uijson.Value("{")})),
	} {
		var e *uijson.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v (%T)", name, err, err)
			continue
		}
		switch name {
		case "GeneratedConfig", "two actions", "nil in a list", "nil in an object", "not a value at all":
			if e.Pointer == "" || errors.Is(err, uijson.ErrAbsent) {
				t.Errorf("%s: %v", name, err)
			}
		default:
			if !errors.Is(err, uijson.ErrAbsent) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	_, _, hasPlace := uijson.Position(m)
	start, end := diag.Highlight()
	count := func(all ...iter.Seq2[string, uijson.Value]) (n int) {
		for _, seq := range all {
			for range seq {
				n++
			}
		}
		return n
	}
	runs := 0
	for range m.TestRuns() {
		runs++
	}
	for range m.Duplicates() {
		runs++
	}
	for name, got := range map[string]any{
		"IsError":      m.IsError(),
		"IsWarning":    m.IsWarning(),
		"Tool":         m.Tool(),
		"Version":      m.Version(),
		"Problems":     m.Problems(),
		"Redact":       m.Redact(0),
		"Clone":        uijson.Clone(m),
		"Position":     hasPlace,
		"Extra":        count(uijson.Extra(m), m.Extras(), uijson.Extra(hook)),
		"TestRuns":     runs,
		"Event.Prefix": ev.Prefix(),
		"Event.Text":   ev.Text(),
		"Event.Clone":  ev.Clone(),
		"Ephemeral":    hook.Ephemeral(),
		"Mode":         res.Mode(),
		"Highlight":    start + end,
		"Left":         left.Left(),
	} {
		if !reflect.ValueOf(got).IsZero() {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !uijson.Equal(m, nil) || uijson.Equal(m, new(uijson.Message)) {
		t.Error("Equal")
	}
}

// Nil elements, which no decoder makes, are passed over.
func TestNilElements(t *testing.T) {
	for _, m := range []*uijson.Message{
		{Type: uijson.TypeOutputs, Outputs: map[string]*uijson.Output{"o": nil}},
		{Type: uijson.TypeTestCleanup, InFile: "f", TestCleanup: &uijson.TestCleanup{FailedResources: []*uijson.TestLeftover{nil}}},
		{Type: uijson.TypePlannedChange, Change: &uijson.Change{}},
		{Type: uijson.TypeApplyStart, Hook: &uijson.Hook{}},
		{Type: uijson.TypeActionStart, Hook: &uijson.Hook{}},
		{Type: uijson.TypePlannedActionInvocation, Invocation: &uijson.ActionInvocation{}},
	} {
		m.Redact(0)
		for range m.Extras() {
			t.Error("an extra member")
		}
	}
}

// Every error about a message is an *Error that names the member, and has a
// place if there is one.
func TestErrorPlaces(t *testing.T) {
	made := &uijson.Message{Type: uijson.TypeVersion, UI: "2.0", Timestamp: "now", Hook: &uijson.Hook{Resource: &uijson.Resource{Addr: "?"}}}
	text := encode(t, made)
	read := decode(t, append([]byte("  "), text...))
	for _, test := range []struct {
		name string
		of   func(m *uijson.Message) error
		want string // "@" is replaced by the place
	}{
		{"version", (*uijson.Message).CheckVersion, `uijson: @(/ui): unsupported format version "2.0"`},
		{"time", func(m *uijson.Message) error { _, err := m.Time(); return err }, `uijson: @(/@timestamp): parsing time "now" as`},
		{"address", func(m *uijson.Message) error { _, err := m.Hook.Resource.Instance(); return err }, `uijson: @(/addr): `},
	} {
		t.Run(test.name, func(t *testing.T) {
			for place, m := range map[string]*uijson.Message{"": made, "line 1, column ": read} {
				err := test.of(m)
				var e *uijson.Error
				if !errors.As(err, &e) || (e.Line > 0) != (place != "") || (e.Column > 2) != (place != "") {
					t.Fatalf("%v (%T)", err, err)
				}
				before, after, _ := strings.Cut(test.want, "@")
				if got := err.Error(); !strings.HasPrefix(got, before+place) || !strings.Contains(got, after) {
					t.Errorf("%s", got)
				}
			}
		})
	}
	if err := (&uijson.Message{Type: uijson.TypeVersion}).CheckVersion(); err == nil || err.Error() != "uijson: (/ui): unsupported format version: there is none" {
		t.Error(err)
	}
	if err := (&uijson.Error{Err: uijson.ErrAbsent}); err.Error() != "uijson: the value is absent" {
		t.Error(err)
	}
}
