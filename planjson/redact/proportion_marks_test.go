// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// TestProportion_Marks counts the work for documents that say many things of one object or one block.
func TestProportion_Marks(t *testing.T) {
	const change = `{"address":ADDRESS,"type":"a","change":{"actions":["no-op"],"before":{"a#":"secret #"},"after":{"a#":"secret #"},"before_sensitive":{"a#":true},"after_sensitive":{}}}`
	at := func(address string) string { return strings.ReplaceAll(change, "ADDRESS", address) }
	for name, part := range map[string]func(n int) string{
		"changes of one address": func(n int) string { return `"resource_changes":[` + list(n, at(`"a.b"`)) + `]` },
		"deposed objects":        func(n int) string { return `"resource_changes":[` + list(n, at(`"a.b","deposed":"#"`)) + `]` },
		"moved to one address": func(n int) string {
			return `"resource_changes":[` + list(n, at(`"a.b","previous_address":"a.b#"`)) + `]`
		},
		"moved from one address": func(n int) string {
			return `"resource_changes":[` + list(n, at(`"a.b#","previous_address":"a.b"`)) + `]`
		},
		"moved on and on": func(n int) string {
			return `"resource_changes":[` + list(n, at(`"a.b#","previous_address":"a.b1#"`)) + `]`
		},
		"planned values": func(n int) string {
			return `"planned_values":{"root_module":{"resources":[` + list(n, `{"address":"a.b","type":"a","values":{"a#":"secret #"},"sensitive_values":{"a#":true}}`) + `]}}`
		},
		"relevant attributes": func(n int) string {
			return `"resource_changes":[` + list(n, at(`"a.b[#]"`)) + `],"relevant_attributes":[` + list(n, `{"resource":"a.b[#]","attribute":["a#"]}`) + `]`
		},
		"keys of one address": func(n int) string {
			return `"resource_changes":[` + at(`"a.b`+strings.Repeat(`[\"secret #\"]`, n)+`"`) + `]`
		},
		"configurations of a block": func(n int) string {
			return `"resource_changes":[` + list(n, at(`"a.b[#]"`)) + `],"configuration":{"root_module":{"resources":[` + list(n, `{"address":"a.b","type":"a","expressions":{"a#":{"constant_value":"c"}}}`) + `]}}`
		},
	} {
		t.Run(name, func(t *testing.T) {
			work := func(n int) (looked, size int) {
				src := `{"format_version":"1.2",` + part(n) + `}`
				var out bytes.Buffer
				if _, err := (Redactor{worked: &looked}).WritePlan(&out, strings.NewReader(src)); err != nil {
					t.Fatal(err)
				}
				if strings.Contains(out.String(), "secret 7") {
					t.Error("a secret is left")
				}
				return looked, len(src) + out.Len()
			}
			n := depth.Of(300, 1000, 1000)
			small, a := work(n)
			large, b := work(2 * n)
			if grown, bound := float64(large)/float64(small), 1.3*float64(b)/float64(a); grown > bound || large > 60*b {
				t.Errorf("%d bytes look at %d, %d bytes at %d: %.2f times, more than %.2f", a, small, b, large, grown, bound)
			}
		})
	}
}
