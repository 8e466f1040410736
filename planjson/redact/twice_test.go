// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// TestRedactTwice redacts every recording with every option. The result decodes, is
// rendered, and is redacted again to the same bytes.
func TestRedactTwice(t *testing.T) {
	schemas, err := planjson.DecodeSchemas(recorded(t, "providers-schema")["testdata/planted/tofu-1.12.6/providers-schema.json"])
	if err != nil {
		t.Fatal(err)
	}
	redactors := map[string]redact.Redactor{
		"zero":       {},
		"Keep":       {Keep: redact.All},
		"OnlyMarked": {OnlyMarked: true},
		"MinSecret":  {MinSecret: 3},
		"Schemas":    {Schemas: schemas},
		"Secrets":    {Secrets: []string{"name", "12", "é", "lab_thing", "local"}},
		"Text":       {Text: "[hidden \"]"},
		"NoSpool":    {NoSpool: true},
		"Rules": {Rules: []redact.Rule{{Path: []string{"**", "name"}}, {Type: "random_pet"}, {Address: "output.a"},
			{Match: func(_ redact.Place, v planjson.Value) bool { return len(v) > 30 }}}},
	}
	n := 0
	for _, kind := range []string{"plan", "state"} {
		for path, src := range recorded(t, kind) {
			if n++; n%depth.Of(4, 1, 1) != 0 {
				continue
			}
			for name, r := range redactors {
				write := r.WritePlan
				if kind == "state" {
					write = r.WriteState
				}
				once := func(src []byte) []byte {
					var b bytes.Buffer
					if _, err := write(&b, pipe{bytes.NewReader(src)}); err != nil {
						t.Fatalf("%s, %s: %v", path, name, err)
					}
					return b.Bytes()
				}
				out := once(src)
				if again := once(out); !bytes.Equal(out, again) {
					i := 0
					for i < min(len(out), len(again)) && out[i] == again[i] {
						i++
					}
					t.Errorf("%s, %s: redacted again it differs: %.80s, %.80s", path, name, out[max(0, i-40):], again[max(0, i-40):])
				}
				if kind == "state" {
					s, err := planjson.DecodeState(out)
					if err != nil {
						t.Errorf("%s, %s: %v", path, name, err)
						continue
					}
					plandiff.CompareStates(nil, s, plandiff.Options{})
					continue
				}
				p, err := planjson.DecodePlan(out)
				if err != nil {
					t.Errorf("%s, %s: %v", path, name, err)
					continue
				}
				d := plandiff.Plan(p, plandiff.Options{Unchanged: true})
				for _, render := range []func(io.Writer) error{
					func(w io.Writer) error { return d.WriteText(w, plandiff.TextOptions{}) },
					func(w io.Writer) error { return d.WriteMarkdown(w, plandiff.MarkdownOptions{}) },
					func(w io.Writer) error { return d.WriteHTML(w, plandiff.TextOptions{}) },
				} {
					var b strings.Builder
					if err := render(&b); err != nil || strings.Contains(b.String(), "(invalid)") {
						t.Errorf("%s, %s: %v: %s", path, name, err, b.String())
					}
				}
			}
		}
	}
}
