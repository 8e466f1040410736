// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// A secret that is also a word of the format is removed from texts and values, and the
// words of the format stay.
func TestRemoveSecrets_WordsOfTheFormat(t *testing.T) {
	const head = `{"@level":"info","@message":"t.a: delete of tofu.ui","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z",`
	for _, test := range []struct{ name, secrets, text, want string }{
		{"action", "delete", head + `"change":{"resource":{"addr":"t.delete","module":"","resource":"t.delete","implied_provider":"t","resource_type":"t","resource_name":"delete","resource_key":null},"action":"delete","reason":"delete_because_each_key"},"type":"planned_change"}`,
			strings.Replace(head, "delete", "(sensitive value)", 1) + `"change":{"resource":{"addr":"t.(sensitive value)","module":"","resource":"t.(sensitive value)","implied_provider":"t","resource_type":"t","resource_name":"(sensitive value)","resource_key":null},"action":"delete","reason":"delete_because_each_key"},"type":"planned_change"}`},
		{"type, level and time", "hook info 2026", `{"@level":"info","@message":"info","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","hook":"2026","type":"apply_start"}`, ""},
		{"outputs", "delete,outputs", head + `"outputs":{"o":{"sensitive":false,"type":"string","value":{"action":"delete"},"action":"delete"}},"type":"outputs"}`,
			strings.Replace(head, "delete", "(sensitive value)", 1) + `"outputs":{"o":{"sensitive":false,"type":"string","value":{"action":"(sensitive value)"},"action":"delete"}},"type":"outputs"}`},
		{"version", "1.2", `{"@level":"info","@message":"OpenTofu 1.2","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","tofu":"1.2","type":"version","ui":"1.2"}`,
			`{"@level":"info","@message":"OpenTofu (sensitive value)","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","tofu":"(sensitive value)","type":"version","ui":"1.2"}`},
		{"not a word of the format", "hunter2!", `{"@level":"hunter2!","@message":"x","@module":"hunter2!","@timestamp":"hunter2!","change":{"resource":null,"action":"hunter2!"},"type":"hunter2!"}`,
			`{"@level":"(sensitive value)","@message":"x","@module":"(sensitive value)","@timestamp":"(sensitive value)","change":{"resource":null,"action":"(sensitive value)"},"type":"(sensitive value)"}`},
	} {
		m, err := uijson.Decode([]byte(test.text))
		if err != nil && m == nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		typ, level, time := m.Type, m.Level, m.Timestamp
		uijson.RemoveSecrets(strings.FieldsFunc(test.secrets, func(r rune) bool { return r == ' ' || r == ',' }))(m)
		got, err := uijson.Encode(m)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if test.want != "" && string(got) != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, got, test.want)
		}
		if test.want == "" && (m.Type != typ || m.Level != level || m.Timestamp != time || strings.Contains(m.Text, "info")) {
			t.Errorf("%s: got %s", test.name, got)
		}
	}
}

// However short a secret is, a recorded stream keeps the types of its messages and what
// is done to the resources.
func TestRemoveSecrets_OneLetter(t *testing.T) {
	remove := uijson.RemoveSecrets(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789_-.", ""))
	n := 0
	for name, text := range recordings(t) {
		for line := range strings.Lines(string(text)) {
			was, err := uijson.Decode([]byte(line))
			if err != nil {
				continue
			}
			m := uijson.Clone(was)
			remove(m)
			if m.Type != was.Type || m.Level != was.Level || m.Timestamp != was.Timestamp || (m.Hook == nil) != (was.Hook == nil) || (m.Change == nil) != (was.Change == nil) {
				t.Fatalf("%s: %s became type %q of level %q at %s", name, line, m.Type, m.Level, m.Timestamp)
			}
			if m.Hook != nil && m.Hook.Action != was.Hook.Action || m.Change != nil && (m.Change.Action != was.Change.Action || m.Change.Reason != was.Change.Reason) {
				t.Fatalf("%s: another action: %s", name, line)
			}
			n++
		}
	}
	if n < 100 {
		t.Errorf("only %d messages", n)
	}
}
