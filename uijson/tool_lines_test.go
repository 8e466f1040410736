// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/uijson"
)

// TestLinesOfTools goes through the facts about the stream that tell a reader
// which knows the real tools from one that knows their documentation. Each
// line is one that a tool writes.
func TestLinesOfTools(t *testing.T) {
	same := func(t *testing.T, line string) *uijson.Message {
		t.Helper()
		m := decode(t, []byte(line))
		if got := string(encode(t, m)); got != line {
			t.Fatalf("not lossless:\n in  %s\n out %s", line, got)
		}
		return m
	}
	wrap := func(rest string) string {
		return `{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z",` + rest + `}`
	}
	t.Run("times of two precisions", func(t *testing.T) {
		for _, at := range []string{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05.100000+01:00", "2026-01-02T03:04:05.123Z"} {
			if m := same(t, `{"@level":"info","@timestamp":"`+at+`","type":"log"}`); m.Timestamp != at {
				t.Error(m.Timestamp)
			}
		}
	})
	t.Run("both spellings of < in one object", func(t *testing.T) {
		m := same(t, wrap(`"hook":{"resource":{"addr":"a.b[\"<k>\"]","resource_key":"\u003ck\u003e"}},"type":"refresh_start"`))
		m.Hook.Resource.ResourceName = "b"
		if got := string(encode(t, m)); !strings.Contains(got, `"addr":"a.b[\"<k>\"]","resource_name":"b","resource_key":"\u003ck\u003e"`) {
			t.Error(got)
		}
	})
	t.Run("instance keys", func(t *testing.T) {
		for _, key := range []string{`0`, `"0"`, `null`, `1e3`, `"\u003c"`} {
			if m := same(t, wrap(`"hook":{"resource":{"addr":"x","resource_key":`+key+`}},"type":"refresh_start"`)); m.Hook.Resource.ResourceKey.String() != key {
				t.Error(m.Hook.Resource.ResourceKey)
			}
		}
	})
	t.Run("numbers keep their digits", func(t *testing.T) {
		m := same(t, wrap(`"outputs":{"n":{"sensitive":false,"type":"number","value":12345678901234567890.50}},"type":"outputs"`))
		if v := m.Outputs["n"].Value.String(); v != "12345678901234567890.50" {
			t.Error(v)
		}
	})
	t.Run("empty and null members", func(t *testing.T) {
		m := same(t, wrap(`"diagnostic":{"severity":"error","summary":"","detail":"","snippet":{"context":null,"values":null}},"type":"diagnostic"`))
		if m.Diagnostic.Snippet.Context.String() != "null" || m.Diagnostic.Snippet.Values != nil || m.Diagnostic.Range != nil {
			t.Errorf("%+v", m.Diagnostic.Snippet)
		}
		same(t, wrap(`"test_abstract":{"a":null,"b":[]},"type":"test_abstract"`))
		if m := same(t, wrap(`"change":{"action":"import","importing":{}},"type":"planned_change"`)); m.Change.Importing == nil {
			t.Error("an import of an unknown id is no import")
		}
	})
	t.Run("versions", func(t *testing.T) {
		if m := same(t, wrap(`"tofu":"1.12.6","type":"version","ui":"1.2"`)); m.Tool() != addrs.OpenTofu || m.Version() != "1.12.6" || m.CheckVersion() != nil {
			t.Errorf("%+v", m)
		}
		if m := same(t, wrap(`"terraform":"0.15.4","type":"version","ui":"0.1.0"`)); m.Tool() != addrs.Terraform || m.Version() != "0.15.4" || m.CheckVersion() != nil {
			t.Errorf("%+v", m)
		}
		for _, ui := range []string{"2.0", "", "x", "10.1", "0.2.0"} {
			if m := same(t, wrap(`"tofu":"3.0.0","type":"version","ui":"`+ui+`"`)); !errors.Is(m.CheckVersion(), uijson.ErrVersion) {
				t.Errorf("version %q of the format is taken for supported", ui)
			}
		}
		if err := same(t, logLine).CheckVersion(); err != nil {
			t.Error(err)
		}
	})
	t.Run("unknown types with unknown members survive an edit", func(t *testing.T) {
		m := same(t, wrap(`"future":{"deep":[{"x":1.0}]},"type":"from_the_future"`))
		m.Text = "edited"
		if got := string(encode(t, m)); !strings.Contains(got, `"@message":"edited"`) || !strings.Contains(got, `"future":{"deep":[{"x":1.0}]}`) {
			t.Error(got)
		}
	})
	t.Run("Msg has a capital", func(t *testing.T) {
		if m := same(t, wrap(`"hook":{"Msg":"Opening..."},"type":"ephemeral_action_started"`)); m.Hook.Msg != "Opening..." || m.Hook.Ephemeral() != uijson.ActionOpen {
			t.Errorf("%+v", m.Hook)
		}
		if m := same(t, wrap(`"hook":{"msg":"Opening..."},"type":"ephemeral_action_started"`)); m.Hook.Msg != "" {
			t.Error("names match in the wrong case")
		}
	})
	t.Run("names match exactly", func(t *testing.T) {
		if m := same(t, `{"TYPE":"log","@Level":"error"}`); m.Type != "" || m.Level != "" {
			t.Errorf("%+v", m)
		}
	})
	t.Run("duplicates: the last one counts", func(t *testing.T) {
		m := same(t, `{"hook":{"action":"create","action":"delete"},"type":"log","type":"apply_start"}`)
		if m.Type != uijson.TypeApplyStart || m.Hook.Action != uijson.ActionDelete {
			t.Errorf("%+v", m)
		}
	})
	t.Run("wrong kinds are reported, and kept", func(t *testing.T) {
		line := wrap(`"hook":{"resource":[],"action":"create","elapsed_seconds":"10"},"outputs":[1],"type":7`)
		m := same(t, line)
		var got []string
		for _, p := range m.Problems() {
			got = append(got, p.Pointer)
			if !errors.Is(p.Err, uijson.ErrKind) || p.Offset == 0 {
				t.Errorf("%+v", p)
			}
		}
		if strings.Join(got, " ") != "/hook/resource /hook/elapsed_seconds /outputs /type" {
			t.Error(got)
		}
		m.Hook.Action = uijson.ActionDelete
		if got := string(encode(t, m)); got != strings.Replace(line, "create", "delete", 1) {
			t.Errorf("an edit next to them: %s", got)
		}
	})
	t.Run("errors without a diagnostic", func(t *testing.T) {
		m := same(t, `{"@level":"error","@message":"Workspace \"x\" already exists","@module":"tofu.ui","@timestamp":"t"}`)
		if !m.IsError() || m.IsWarning() {
			t.Error("not an error")
		}
		m = same(t, `{"@level":"warn","@message":"w","@module":"tofu.ui","@timestamp":"t"}`)
		if m.IsError() || !m.IsWarning() {
			t.Error("not a warning")
		}
		m = same(t, wrap(`"diagnostic":{"severity":"warning"},"type":"diagnostic"`))
		if m.IsError() || !m.IsWarning() {
			t.Error("the diagnostic's severity counts")
		}
	})
	t.Run("test files without runs", func(t *testing.T) {
		m := same(t, wrap(`"test_abstract":{"b.tftest.hcl":["x","y"],"a.tftest.hcl":null},"type":"test_abstract"`))
		var got []string
		for path, runs := range m.TestRuns() {
			got = append(got, path+" "+strings.Join(runs, ","))
		}
		if strings.Join(got, "; ") != "b.tftest.hcl x,y; a.tftest.hcl " {
			t.Error(got)
		}
	})
	t.Run("addresses", func(t *testing.T) {
		for _, text := range recordings(t) {
			messages(text, func(line []byte) {
				m := decode(t, line)
				if m.Hook == nil || m.Hook.Resource == nil {
					return
				}
				r := m.Hook.Resource
				a, err := r.Instance()
				if err != nil || a.String() != r.Addr || a.Resource().Mode() != r.Mode() {
					t.Errorf("%s: %v, %v", r.Addr, a, err)
				}
			})
		}
	})
	t.Run("values", func(t *testing.T) {
		if s, ok := uijson.Value(` "a\u003c" `).Text(); s != "a<" || !ok {
			t.Error(s, ok)
		}
		for _, v := range []uijson.Value{nil, uijson.Value("null"), uijson.Value("1"), uijson.Value(`"x`)} {
			if s, ok := v.Text(); ok {
				t.Error(s)
			}
		}
		var x any
		if err := uijson.Value(`[12345678901234567890]`).Decode(&x); err != nil || !strings.Contains(stringOf(x), "12345678901234567890") {
			t.Error(x, err)
		}
	})
}

func stringOf(x any) string {
	text, _ := uijson.Value(nil).MarshalJSON()
	if list, ok := x.([]any); ok && len(list) == 1 {
		text = []byte(list[0].(interface{ String() string }).String())
	}
	return string(text)
}
