// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

func TestActions(t *testing.T) {
	predicates := []struct {
		name string
		is   func(planjson.Actions) bool
	}{
		{"IsKnown", planjson.Actions.IsKnown},
		{"IsNoOp", planjson.Actions.IsNoOp},
		{"IsCreate", planjson.Actions.IsCreate},
		{"IsRead", planjson.Actions.IsRead},
		{"IsUpdate", planjson.Actions.IsUpdate},
		{"IsDelete", planjson.Actions.IsDelete},
		{"IsForget", planjson.Actions.IsForget},
		{"IsReplace", planjson.Actions.IsReplace},
		{"IsCreateBeforeDestroy", planjson.Actions.IsCreateBeforeDestroy},
		{"IsDestroyBeforeCreate", planjson.Actions.IsDestroyBeforeCreate},
		{"Creates", planjson.Actions.Creates},
		{"Destroys", planjson.Actions.Destroys},
		{"Forgets", planjson.Actions.Forgets},
	}
	for _, row := range []struct{ actions, true string }{
		{"no-op", "IsKnown IsNoOp"},
		{"create", "IsKnown IsCreate Creates"},
		{"read", "IsKnown IsRead"},
		{"update", "IsKnown IsUpdate"},
		{"delete", "IsKnown IsDelete Destroys"},
		{"forget", "IsKnown IsForget Forgets"},
		{"open", "IsKnown"},
		{"delete create", "IsKnown IsReplace IsDestroyBeforeCreate Creates Destroys"},
		{"create delete", "IsKnown IsReplace IsCreateBeforeDestroy Creates Destroys"},
		{"create forget", "IsKnown IsReplace IsCreateBeforeDestroy Creates Forgets"},
		{"forget create", "IsKnown IsReplace IsDestroyBeforeCreate Creates Forgets"},
		{"", ""},
		{"DeleteThenCreate", ""}, // how an encoder writes an action that it does not know
		{"renew", ""},
		{"delete renew", "Destroys"},
		{"create delete create", "Creates Destroys"},
		{"delete delete", "Destroys"},
	} {
		var actions planjson.Actions
		for a := range strings.FieldsSeq(row.actions) {
			actions = append(actions, planjson.Action(a))
		}
		var got []string
		for _, p := range predicates {
			if p.is(actions) {
				got = append(got, p.name)
			}
		}
		if strings.Join(got, " ") != row.true {
			t.Errorf("%v: got %v, want %s", actions, got, row.true)
		}
		if got, want := actions.String(), strings.ReplaceAll(row.actions, " ", ", "); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Every action list in the recordings is one of the known forms.
func TestActionsOfRecordings(t *testing.T) {
	forms := make(map[string]bool)
	for _, r := range recordings(t, "plan") {
		plan, err := planjson.DecodePlan(r.text)
		if err != nil {
			t.Fatal(err)
		}
		for list, c := range plan.AllChanges() {
			if !c.Change.Actions.IsKnown() {
				t.Errorf("%s: %s: %s: %v", r.name, list, c.Address, c.Change.Actions)
			}
			var form []string
			for _, a := range c.Change.Actions {
				form = append(form, string(a))
			}
			forms[strings.Join(form, " ")] = true
		}
	}
	for _, want := range []string{"no-op", "create", "read", "update", "delete", "forget", "delete create", "create delete", "forget create"} {
		if !forms[want] {
			t.Errorf("no recording has %q", want)
		}
	}
}
