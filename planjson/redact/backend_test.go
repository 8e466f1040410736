// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

func TestBackend(t *testing.T) {
	for name, config := range remoteConfigs {
		var compact bytes.Buffer
		if err := json.Compact(&compact, []byte(config)); err != nil {
			t.Fatal(err)
		}
		text := "{\n \"version\": 3, \"remote\": {\"x\":\"planted-extra-1\"}, \"backend\": {\"type\": \"" + name + "\", \"config\": " + compact.String() + ", \"hash\": 1}\n}\n"
		for _, keep := range []redact.Unmarked{0, redact.All &^ redact.Extra} {
			b, err := statefile.DecodeBackend([]byte(text))
			if err != nil {
				t.Fatal(name, err)
			}
			var pointers []string
			r := redact.Redactor{Keep: keep, Report: func(e redact.Entry) { pointers = append(pointers, e.Pointer) }}
			n, err := r.Backend(b)
			out, _ := statefile.Encode(b)
			if err != nil || n == 0 || bytes.Contains(out, []byte("planted")) || !strings.HasPrefix(string(out), "{\n \"version\": 3, \"remote\": {}, \"backend\": {\"type\": \""+name) {
				t.Errorf("%s: %v %s", name, err, out)
			}
			for _, word := range kept(compact.String()) {
				if !bytes.Contains(out, []byte(word)) {
					t.Errorf("%s: %s is gone from %s", name, word, out)
				}
			}
			for _, p := range pointers {
				if p != "/remote" && !strings.HasPrefix(p, "/backend/config/") {
					t.Errorf("%s: the pointer %s", name, p)
				}
			}
			if again := statefile.Clone(b); true {
				if _, err := (redact.Redactor{Keep: keep}).Backend(again); err != nil || !statefile.Equal(again, b) {
					t.Errorf("%s: redacted again it is another: %v", name, err)
				}
			}
		}
	}
	if n, err := (redact.Redactor{}).Backend(nil); n != 0 || err != nil {
		t.Error(n, err)
	}
	b := &statefile.Backend{Version: 3, TerraformVersion: "secret-1"}
	if _, err := (redact.Redactor{Secrets: []string{"secret-1"}}).Backend(b); err != nil || b.TerraformVersion != "(sensitive value)" {
		t.Error(b, err)
	}
}
