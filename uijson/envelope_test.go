// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// Envelopes and Events agree on lines that begin as most do and go on in other ways.
func TestEnvelopes_usualBeginning(t *testing.T) {
	const rest = `"@message":"m","@module":"tofu.ui","@timestamp":"t","type":"log"}`
	for line, level := range map[string]uijson.Level{
		`{"@level":"info",` + rest:                       uijson.LevelInfo,
		`{"@level":"info",` + rest + " ":                 uijson.LevelInfo,
		`{"@level":"info","@level":"warn",` + rest:       uijson.LevelWarn,
		`{"@level":"info","@level":"",` + rest:           "",
		`{"@level":"info","@level":5,` + rest:            "",
		`{"@level":"info", ` + rest:                      uijson.LevelInfo,
		`{"@level":"info",,` + rest:                      uijson.LevelInfo,
		`{"@level":"info",}`:                             uijson.LevelInfo,
		`{"@level":"info",`:                              uijson.LevelInfo,
		`{"@level":"info"}`:                              uijson.LevelInfo,
		`{"@level":"inf\u006f",` + rest:                  uijson.LevelInfo,
		`{"@level":"warn",` + rest:                       uijson.LevelWarn,
		`{` + rest:                                       "",
		`{"@level":"info","@level":"info\u0000",` + rest: "info\x00",
	} {
		var envelopes []uijson.Envelope
		for e, err := range uijson.NewReader(strings.NewReader(line + "\n")).Envelopes() {
			if err != nil {
				t.Fatal(err)
			}
			envelopes = append(envelopes, *e)
		}
		n := 0
		for ev, err := range uijson.NewReader(strings.NewReader(line + "\n")).Events() {
			if err != nil {
				t.Fatal(err)
			}
			if n >= len(envelopes) {
				t.Fatalf("%s: %d envelopes", line, len(envelopes))
			}
			e := envelopes[n]
			n++
			if e.Kind != ev.Kind || (e.Err == nil) != (ev.Err == nil) || e.Level != level {
				t.Errorf("%s: %v at level %q, %v; want %v at %q, %v", line, e.Kind, e.Level, e.Err, ev.Kind, level, ev.Err)
			}
			if m := ev.Message; m != nil && (e.Level != m.Level || e.Text != m.Text || e.Type != m.Type || e.Module != m.Module) {
				t.Errorf("%s: %+v, want %+v", line, e, m)
			}
		}
		if n != len(envelopes) {
			t.Errorf("%s: %d envelopes, %d events", line, len(envelopes), n)
		}
	}
}
