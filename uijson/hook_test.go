// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"errors"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// The member "action" of a hook is a word or an object, and each form has a
// field. Either can be read, changed, removed and put in place of the other;
// everything around it keeps its bytes.
func TestHookAction(t *testing.T) {
	const address = `{"addr":"action.a.b","module":"","action":"action.a.b","implied_provider":"a","action_type":"a","action_name":"b","action_key":null}`
	made := func() *uijson.ActionAddress {
		return &uijson.ActionAddress{
			Addr: "action.a.b", Action: "action.a.b", ImpliedProvider: "a", ActionType: "a", ActionName: "b", ActionKey: uijson.Value("null"),
		}
	}
	tests := []struct {
		name, in string
		edit     func(h *uijson.Hook)
		want     string // "" if nothing changes
	}{
		{"a word", `{ "action" : "create" ,"x":1}`, func(h *uijson.Hook) { h.Action = "delete" }, `{ "action" : "delete" ,"x":1}`},
		{"a word goes", `{ "action" : "create" ,"x":1}`, func(h *uijson.Hook) { h.Action = "" }, `{ "x":1}`},
		{"a word comes", `{"x":1,"id_key":"id"}`, func(h *uijson.Hook) { h.Action = "create" }, `{"action":"create","x":1,"id_key":"id"}`},
		{"an object", `{"action":{"addr" : "a", "y":1},"x":1}`, func(h *uijson.Hook) { h.ActionAddr.Addr = "b" }, `{"action":{"addr" : "b", "y":1},"x":1}`},
		{"an object goes", `{"action":{"addr":"a"},"x":1}`, func(h *uijson.Hook) { h.ActionAddr = nil }, `{"x":1}`},
		{"an object comes", `{"x":1,"message":"m"}`, func(h *uijson.Hook) { h.ActionAddr = made() }, `{"action":` + address + `,"x":1,"message":"m"}`},
		{"an object is replaced", `{"action":{"addr":"a", "y":1},"x":1}`, func(h *uijson.Hook) { h.ActionAddr = made() }, `{"action":` + address + `,"x":1}`},
		{"a word for an object", `{"action":{"addr":"a"},"x":1}`, func(h *uijson.Hook) { h.ActionAddr, h.Action = nil, "read" }, `{"action":"read","x":1}`},
		{"an object for a word", `{"action":"read","x":1}`, func(h *uijson.Hook) { h.ActionAddr, h.Action = made(), "" }, `{"action":` + address + `,"x":1}`},
		{"taken back", `{"action":{"addr":"a"}}`, func(h *uijson.Hook) { a := h.ActionAddr; h.ActionAddr = nil; h.ActionAddr = a }, ""},
		{"an extra member in it", `{"action":{"addr":"a"},"x":1}`, func(h *uijson.Hook) { _ = uijson.SetExtra(h.ActionAddr, "z", uijson.Value("1")) }, `{"action":{"addr":"a","z":1},"x":1}`},
		{"an extra member beside it", `{"action":{"addr":"a"}}`, func(h *uijson.Hook) { _ = uijson.SetExtra(h, "z", uijson.Value("1")) }, `{"action":{"addr":"a"},"z":1}`},
		{"both extra and gone", `{"action":{"addr":"a"}}`, func(h *uijson.Hook) { _ = uijson.SetExtra(h, "z", uijson.Value("1")); h.ActionAddr = nil }, `{"z":1}`},
		{"null", `{"action":null}`, func(h *uijson.Hook) { h.IDKey = "id" }, `{"action":null,"id_key":"id"}`},
		{"null becomes an object", `{"action":null}`, func(h *uijson.Hook) { h.ActionAddr = made() }, `{"action":` + address + `}`},
		{"another kind stays", `{"action":[1]}`, func(h *uijson.Hook) { h.IDKey = "id" }, `{"action":[1],"id_key":"id"}`},
		{"a word twice", `{"action":"a","action":"b"}`, func(h *uijson.Hook) { h.Action = "c" }, `{"action":"a","action":"c"}`},
		{"the object counts", `{"action":"a","action":{"addr":"b"}}`, func(h *uijson.Hook) { h.ActionAddr.Addr = "c" }, `{"action":"a","action":{"addr":"c"}}`},
		{"the word counts", `{"action":{"addr":"b"},"action":"a"}`, func(h *uijson.Hook) { h.Action = "c" }, `{"action":{"addr":"b"},"action":"c"}`},
		{"all of them go", `{"action":"a","action":{"addr":"b"},"x":1}`, func(h *uijson.Hook) { h.ActionAddr = nil }, `{"x":1}`},
	}
	for _, test := range tests {
		for _, around := range []struct{ name, before, after string }{{"message", `{"@level":"info","hook":`, `,"type":"action_start"}`}, {"hook", "", ""}} {
			if test.name == "another kind stays" && around.before == "" {
				continue // UnmarshalJSON does not take it
			}
			t.Run(test.name+" in a "+around.name, func(t *testing.T) {
				text := around.before + test.in + around.after
				m := new(uijson.Message)
				write := func() string { return string(encode(t, m)) }
				if around.before == "" {
					m.Hook = new(uijson.Hook)
					if err := m.Hook.UnmarshalJSON([]byte(text)); err != nil {
						t.Fatal(err)
					}
					write = func() string {
						text, err := m.Hook.MarshalJSON()
						if err != nil {
							t.Fatal(err)
						}
						return string(text)
					}
				} else {
					m = decode(t, []byte(text))
				}
				if got := write(); got != text {
					t.Fatalf("not lossless:\n in  %s\n out %s", text, got)
				}
				clone := uijson.Clone(m.Hook)
				test.edit(m.Hook)
				want := around.before + test.want + around.after
				if test.want == "" {
					want = text
				}
				if got := write(); got != want {
					t.Errorf("\n got  %s\n want %s", got, want)
				}
				test.edit(clone)
				moved := *clone
				m.Hook = &moved
				if got := write(); got != want {
					t.Errorf("a clone that is moved:\n got  %s\n want %s", got, want)
				}
			})
		}
	}
	for want, h := range map[string]*uijson.Hook{
		`{}`:                            {},
		`{"trigger_index":0}`:           {TriggerIndex: new(int64)},
		`{"message":"m"}`:               {Message: "m"},
		`{"action":"open","Msg":"m"}`:   {Action: "open", Msg: "m"},
		`{"action":` + address + `}`:    {ActionAddr: made()},
		`{"resource":` + resource + `}`: {Resource: &uijson.Resource{ResourceKey: uijson.Value("0")}},
		`{"resource":` + resource + `,"trigger_index":0,"action":` + address + `,"id_value":"x","message":"m"}`: {
			TriggerIndex: new(int64), Resource: &uijson.Resource{ResourceKey: uijson.Value("0")}, ActionAddr: made(), IDValue: "x", Message: "m",
		},
	} {
		got, err := h.MarshalJSON()
		if err != nil || string(got) != want {
			t.Errorf("made: %v\n got  %s\n want %s", err, got, want)
		}
		if again := uijson.Clone(h); !uijson.Equal(again, h) {
			t.Errorf("a clone of %s is not equal", want)
		}
	}
	for _, text := range []string{`{"action":"create"}`, `{"action":{"addr":"a"}}`, `{"action":"create","action":"read"}`, `{}`} {
		m := decode(t, []byte(`{"hook":`+text+`,"type":"action_start"}`))
		m.Hook.Action, m.Hook.ActionAddr = "create", made()
		var e *uijson.Error
		if out, err := uijson.Encode(m); !errors.As(err, &e) {
			t.Errorf("%s with both: %s", text, out)
		}
	}
	if p := decode(t, []byte(`{"hook":{"action":{"addr":7}},"type":"action_start"}`)).Problems(); len(p) != 1 || p[0].Pointer != "/hook/action/addr" {
		t.Errorf("%+v", p)
	}
	if p := decode(t, []byte(`{"hook":{"action":7},"type":"action_start"}`)).Problems(); len(p) != 1 || p[0].Pointer != "/hook/action" {
		t.Errorf("%+v", p)
	}
}

const resource = `{"addr":"","module":"","resource":"","implied_provider":"","resource_type":"","resource_name":"","resource_key":0}`
