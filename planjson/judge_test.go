// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

var allReasons = []error{planjson.ErrErrored, planjson.ErrIncomplete, planjson.ErrDeferred, planjson.ErrVersion, planjson.ErrDuplicate, planjson.ErrRedacted, planjson.ErrNoDocument, planjson.ErrUnknownAction, planjson.ErrMisspelt}

func TestJudgeable(t *testing.T) {
	with := func(member string) string { return `{"format_version":"1.2","planned_values":{},` + member + `}` }
	for _, row := range []struct {
		text string
		want []error
		at   string // of the first reason
	}{
		{foundPlan, nil, ""},
		{with(`"errored":false,"complete":true,"applyable":false`), nil, ""},
		{strings.Replace(foundPlan, `"1.2"`, `"1.99"`, 1), nil, ""},
		{strings.Replace(foundPlan, `"1.2"`, `"0.2"`, 1), nil, ""},
		{with(`"errored":true`), []error{planjson.ErrErrored}, "line 1, column 55 (/errored)"},
		{with(`"complete":false`), []error{planjson.ErrIncomplete}, "line 1, column 56 (/complete)"},
		{with(`"complete":false,"errored":true`), []error{planjson.ErrErrored, planjson.ErrIncomplete}, "(/errored)"},
		{with(`"complete":false,"deferred_changes":[{"reason":"unknown","resource_change":{"address":"a.b","change":{"actions":["create"]}}}]`), []error{planjson.ErrDeferred}, "(/deferred_changes)"},
		{with(`"complete":false,"deferred_action_invocations":[{"reason":"unknown","action_invocation":{}}]`), []error{planjson.ErrDeferred}, "(/deferred_action_invocations)"},
		{with(`"deferred_changes":[]`), nil, ""},
		{strings.Replace(foundPlan, `"1.2"`, `"2.0"`, 1), []error{planjson.ErrVersion}, "(/format_version)"},
		{`{"format_version":"2.0","all":"new"}`, []error{planjson.ErrVersion}, "(/format_version)"},
		{`{"planned_values":{}}`, []error{planjson.ErrVersion}, "(/format_version)"},
		{with(`"errored":true,"errored":false`), []error{planjson.ErrDuplicate}, "line 1, column 60 (/errored)"},
		{with(`"resource_changes":[{"address":"a.b","change":{"actions":["update"],"before":{"x":1,"x":2}}}]`), []error{planjson.ErrDuplicate}, "(/resource_changes/0/change/before/x)"},
		{with(`"variables":{"v":{"value":"(sensitive value)"}}`), []error{planjson.ErrRedacted}, "(/variables/v/value)"},
		{with(`"variables":{"v":{"value":"postgres://u:(sensitive value)@h"}}`), []error{planjson.ErrRedacted}, "(/variables/v/value)"},
		{with(`"variables":{"v":{"value":{"(sensitive value) (2)":1}}}`), []error{planjson.ErrRedacted}, ""},
		{with(`"variables":{"v":{"value":"REDACTED_SENSITIVE"}}`), []error{planjson.ErrRedacted}, ""},
		{with(`"resource_changes":[{"address":"a.b","change":{"actions":["reforge"]}}]`), []error{planjson.ErrUnknownAction}, "/actions"},
		{with(`"output_changes":{"o":{"actions":["create","create"]}}`), []error{planjson.ErrUnknownAction}, "/actions"},
		{with(`"resource_chagnes":[]`), []error{planjson.ErrMisspelt}, "line 1, column 64 (/resource_chagnes)"},
		{with(`"resource_change":[],"errored":false`), []error{planjson.ErrMisspelt}, "there is no resource_changes"},
		{with(`"Errored":true`), []error{planjson.ErrMisspelt}, "there is no errored"},
		{with(`"RESOURCE_CHANGES":[]`), []error{planjson.ErrMisspelt}, "there is no resource_changes"},
		{with(`"deferredChanges":[]`), []error{planjson.ErrMisspelt}, "there is no deferred_changes"},
		{with(`"Resource-Changes":[]`), []error{planjson.ErrMisspelt}, "there is no resource_changes"},
		{with(`"resource_changes":[],"resource_change":[]`), nil, ""}, // the one that is meant is there
		{with(`"resource_changing":[]`), nil, ""},                     // too far
		{`{}`, []error{planjson.ErrNoDocument}, ""},
		{`{"format_version":"1.2","terraform_version":"1.11.4"}`, []error{planjson.ErrNoDocument}, ""},
	} {
		p, err := planjson.DecodePlan([]byte(row.text))
		if err != nil {
			t.Errorf("%s: %v", row.text, err)
			continue
		}
		err = planjson.Judgeable(p)
		if (err == nil) != (row.want == nil) || err != nil && !strings.Contains(err.Error(), row.at) {
			t.Errorf("%s: %v, want %q", row.text, err, row.at)
		}
		for _, reason := range allReasons {
			wanted := false
			for _, w := range row.want {
				wanted = wanted || w == reason
			}
			if errors.Is(err, reason) != wanted {
				t.Errorf("%s: %v is %v: %v", row.text, err, reason, !wanted)
			}
			if left := planjson.Judgeable(p, reason); errors.Is(left, reason) {
				t.Errorf("%s: %v is allowed, but: %v", row.text, reason, left)
			}
		}
		if err := planjson.Judgeable(p, row.want...); err != nil {
			t.Errorf("%s: %v, although all reasons are allowed", row.text, err)
		}
		var e *planjson.Error
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%s: %v has no place", row.text, err)
		}
	}
}

// Recordings can be judged, but for those that failed or were made with -target.
func TestJudgeable_recordings(t *testing.T) {
	names, _ := filepath.Glob("testdata/*/*/plan*.json")
	refused := 0
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := planjson.DecodePlan(src)
		if err != nil {
			continue
		}
		partial := p.Complete != nil && !*p.Complete
		if err := planjson.Judgeable(p); (err != nil) != (p.Errored || partial) {
			t.Errorf("%s: %v", name, err)
		} else if err != nil {
			refused++
		}
	}
	if len(names) < 20 || refused == 0 {
		t.Errorf("%d recordings, %d refused", len(names), refused)
	}
}

// A plan that a program has made or changed is judged as it is.
func TestJudgeable_changed(t *testing.T) {
	if err := planjson.Judgeable(nil); !errors.Is(err, planjson.ErrNoDocument) || !errors.Is(err, planjson.ErrAbsent) {
		t.Errorf("nil: %v", err)
	}
	if err := planjson.Judgeable(new(planjson.Plan)); !errors.Is(err, planjson.ErrNoDocument) {
		t.Errorf("an empty plan: %v", err)
	}
	p := &planjson.Plan{FormatVersion: "1.2", ResourceChanges: []*planjson.ResourceChange{{Address: "a.b", Change: planjson.Change{Actions: planjson.Actions{planjson.ActionCreate}}}}}
	if err := planjson.Judgeable(p); err != nil {
		t.Errorf("made: %v", err)
	}
	p, err := planjson.DecodePlan([]byte(foundPlan))
	if err != nil {
		t.Fatal(err)
	}
	p.Variables = map[string]*planjson.Variable{"v": {Value: planjson.Literal("(sensitive value)")}}
	if err := planjson.Judgeable(p); !errors.Is(err, planjson.ErrRedacted) {
		t.Errorf("changed: %v", err)
	}
}

// A program that judges a plan refuses what it cannot judge first.
func ExampleJudgeable() {
	for _, src := range []string{
		`{"format_version":"1.2","planned_values":{"root_module":{}},"resource_changes":[],"errored":true}`,
		`{}`,
		`{"format_version":"1.2","planned_values":{"root_module":{}},"complete":false}`,
	} {
		plan, err := planjson.DecodePlan([]byte(src))
		if err == nil {
			err = planjson.Judgeable(plan, planjson.ErrIncomplete) // made with -target
		}
		fmt.Println(err)
	}
	// Output:
	// planjson: line 1, column 93 (/errored): planning failed
	// planjson: line 1, column 1: there is no document
	// <nil>
}

// The log of a pipeline has more than the plan.
func ExampleFind() {
	log := []byte("[command]/usr/bin/tofu show -json p\n" + `{"format_version":"1.2","planned_values":{},"errored":false}` + "\n::debug::done\n")
	found, err := planjson.Find(log)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("a %s at line %d\n", found.Kind, found.Line)
	fmt.Println(string(found.Text))
	// Output:
	// a plan at line 2
	// {"format_version":"1.2","planned_values":{},"errored":false}
}
