// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/fleet/internal/rows"
)

// variants calls f for each way to leave out one member of v, or to make it an empty
// text. It changes v while f runs.
func variants(v any, f func(place string)) {
	switch v := v.(type) {
	case map[string]any:
		for name, e := range v {
			delete(v, name)
			f("without " + name)
			v[name] = ""
			f("empty " + name)
			v[name] = e
			variants(e, func(place string) { f(name + ", " + place) })
		}
	case []any:
		for i, e := range v {
			if i < 2 {
				variants(e, f)
			}
		}
	}
}

// TestGaps leaves out single members of messages and documents. What then has rows has
// rows that fit their columns, so that no document can end a scan.
func TestGaps(t *testing.T) {
	made := func(name, text string) (n int) {
		for _, o := range []rows.Options{{}, {Reveal: true}} {
			_, list, err := read(name, []byte(text), o)
			var fault *rows.Fault
			if err != nil && !errors.As(err, &fault) && !errors.Is(err, rows.ErrUnknown) {
				t.Errorf("%s: %v", name, err)
			}
			for _, r := range list {
				fits(t, name, r)
			}
			n += len(list)
		}
		return n
	}
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	const version = `{"@level":"info","@message":"OpenTofu 1.12.6","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05Z","tofu":"1.12.6","type":"version","ui":"1.2"}` + "\n"
	seen := map[any]bool{}
	n := 0
	for _, name := range []string{"actions/apply.change.jsonl", "apply-trouble/apply.failures.jsonl", "drift/refresh.jsonl"} {
		src, err := os.ReadFile(root + "uijson/testdata/tofu-1.12.6/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(src)) {
			var m map[string]any
			if err := json.Unmarshal([]byte(line), &m); err != nil || seen[m["type"]] {
				continue
			}
			seen[m["type"]] = true
			variants(m, func(place string) {
				n += made(fmt.Sprint(m["type"], " ", place), version+text(m)+"\n")
			})
		}
	}
	for _, document := range []string{
		`{"format_version":"1.2","terraform_version":"1.12.6","timestamp":"2026-01-02T03:04:05Z","planned_values":{"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","index":0,"provider_name":"p","schema_version":0,"values":{"x":1},"sensitive_values":{}}],"child_modules":[{"address":"module.m","resources":[{"address":"module.m.a.b","mode":"managed","type":"a","name":"b","values":{}}]}]},"outputs":{"o":{"sensitive":false,"type":"string","value":"x"}}},"resource_drift":[{"address":"a.b","mode":"managed","type":"a","name":"b","change":{"actions":["update"],"before":{"x":1},"after":{"x":2}}}],"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","change":{"actions":["update"],"before":{"x":1},"after":{"x":2},"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}],"checks":[{"address":{"kind":"resource","to_display":"a.b"},"status":"fail","instances":[{"address":{"to_display":"a.b"},"status":"fail","problems":[{"message":"m"}]}]}],"configuration":{"provider_config":{"p":{"name":"p","full_name":"h/n/p","version_constraint":"1"}},"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_config_key":"p","schema_version":0}],"module_calls":{"m":{"source":"./m","module":{}}}}}}`,
		`{"format_version":"1.0","terraform_version":"1.12.6","values":{"outputs":{"o":{"sensitive":false,"value":1,"type":"number"}},"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"x":1},"tainted":true,"deposed_key":"d"}]}}}`,
		`{"format_version":"1.0","valid":false,"error_count":1,"warning_count":0,"diagnostics":[{"severity":"error","summary":"s","detail":"d","range":{"filename":"f","start":{"line":1,"column":1,"byte":0},"end":{"line":1,"column":2,"byte":1}}}]}`,
	} {
		var v any
		if err := json.Unmarshal([]byte(document), &v); err != nil {
			t.Fatal(err)
		}
		variants(v, func(place string) { n += made(place, text(v)) })
	}
	if len(seen) < 8 || n < 1000 {
		t.Errorf("only %d types of messages and %d rows", len(seen), n)
	}
}

// TestOddTimes has times that are none, or have no four digits for the year in UTC.
func TestOddTimes(t *testing.T) {
	for at, want := range map[string]any{
		"2026-01-02T03:04:05+01:00": "2026-01-02T02:04:05.000Z",
		"0000-01-01T00:00:00Z":      "0000-01-01T00:00:00.000Z",
		"0000-01-01T00:00:00+05:00": nil,
		"0001-01-01T00:00:00Z":      nil,
		"9999-12-31T23:59:59-05:00": nil,
		"never":                     nil,
	} {
		for name, text := range map[string]string{
			"plan.json": fmt.Sprintf(`{"format_version":"1.2","planned_values":{},"resource_changes":[],"timestamp":%q}`, at),
			"a.jsonl":   fmt.Sprintf(`{"@level":"info","@message":"OpenTofu 1.12.6","@module":"tofu.ui","@timestamp":%q,"tofu":"1.12.6","type":"version","ui":"1.2"}`+"\n", at),
		} {
			_, list, err := read(name, []byte(text), rows.Options{})
			if err != nil || len(list) == 0 {
				t.Errorf("%s %s: %d rows, %v", name, at, len(list), err)
				continue
			}
			for _, r := range list {
				fits(t, name, r)
			}
			if got := cell(list[len(list)-1], "made"); got != want {
				t.Errorf("%s %s: made %v, want %v", name, at, got, want)
			}
		}
	}
}
