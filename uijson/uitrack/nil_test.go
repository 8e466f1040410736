// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A nil pointer where a snapshot or a part of one is wanted is an error, or
// nothing: never a panic.
func TestNil(t *testing.T) {
	var (
		diag  *uijson.Diagnostic
		snap  *uitrack.Snapshot
		state *uitrack.ResourceState
		cycle *uitrack.Cycle
		r     uitrack.Renderer
	)
	for name, err := range map[string]error{
		"WriteJUnit":   uitrack.WriteJUnit(io.Discard, snap, "x"),
		"WriteTimings": uitrack.WriteTimings(io.Discard, snap),
	} {
		var e *uijson.Error
		if !errors.As(err, &e) || !errors.Is(err, uijson.ErrAbsent) {
			t.Errorf("%s: %v (%T)", name, err, err)
		}
	}
	for name, got := range map[string]any{
		"Renderer":         r.Diagnostic(diag),
		"GitHubAnnotation": uitrack.GitHubAnnotation(diag, "."),
		"Summary":          snap.Summary(),
		"Differences":      snap.Differences(),
		"Resource":         snap.Resource("a.b"),
		"Running":          state.Running(),
		"Duration":         cycle.Duration(time.Now()),
	} {
		if !reflect.ValueOf(got).IsZero() {
			t.Errorf("%s: %v", name, got)
		}
	}
	if s := new(uitrack.Snapshot); s.Resource("a.b") != nil {
		t.Error("an empty snapshot has a resource")
	}
}

// Nil elements, which no decoder makes, are passed over.
func TestNilElements(t *testing.T) {
	var tr uitrack.Tracker
	tr.Add(nil)
	tr.Add(&uijson.Event{Kind: uijson.EventMessage})
	tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: nil})
	for _, m := range []*uijson.Message{
		{Type: uijson.TypeOutputs, Outputs: map[string]*uijson.Output{"o": nil}},
		{Type: uijson.TypeTestCleanup, InFile: "f", TestCleanup: &uijson.TestCleanup{FailedResources: []*uijson.TestLeftover{nil}}},
		{Type: uijson.TypePlannedChange, Change: &uijson.Change{}},
		{Type: uijson.TypeApplyStart, Hook: &uijson.Hook{}},
		{Type: uijson.TypeActionStart, Hook: &uijson.Hook{}},
		{Type: uijson.TypePlannedActionInvocation, Invocation: &uijson.ActionInvocation{}},
	} {
		tr.Add(&uijson.Event{Kind: uijson.EventMessage, Message: m})
	}
	if s := tr.Snapshot(); len(s.Outputs) != 0 || len(s.Resources) != 0 || len(s.Tests) != 1 || len(s.Tests[0].Leftovers) != 0 {
		t.Errorf("%+v", s)
	}
	d := &uijson.Diagnostic{Range: &uijson.Range{}, Snippet: &uijson.Snippet{
		Values:       []*uijson.ExpressionValue{nil, {Traversal: "a", Statement: "is 1"}},
		FunctionCall: &uijson.FunctionCall{CalledAs: "f", Signature: &uijson.CalledFunction{Params: []*uijson.CalledParameter{nil, {Name: "p"}}}},
	}}
	if text := (uitrack.Renderer{}).Diagnostic(d); !strings.Contains(text, "while calling f(p)\n    │ a is 1\n") {
		t.Error(text)
	}
	if err := uitrack.WriteGitLab(io.Discard, []*uitrack.DiagnosticState{nil, {}}, "."); err != nil {
		t.Error(err)
	}
}
