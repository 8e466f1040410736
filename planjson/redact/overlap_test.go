// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/redact"
)

// overlapPlan returns a plan with marked values, and a text at all kinds of places
// that are not marked: as a whole string, as a part of one, in JSON in a string,
// as a name and a part of one, in addresses, keys and references, and encoded.
func overlapPlan(marked []string, text string) []byte {
	list, _ := json.Marshal(append([]string{}, marked...))
	q := quoted(text)
	key := quoted("t.x[" + q + "]")
	inJSON, _ := json.Marshal(`{"k":[` + q + `]}`)
	encoded := base64.StdEncoding.EncodeToString([]byte("<" + text + ">"))
	var percent strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&percent, "%%%02x", text[i])
	}
	values := fmt.Sprintf(`{"whole":%s,"part":%s,"twice":%s,"json":%s,"map":{%s:1,%s:{"n":%s}},"base64":"%s","percent":"%s"}`,
		q, quoted("<"+text+">"), quoted(text+" "+text), inJSON, q, quoted("<"+text+">"), q, encoded, percent.String())
	return fmt.Appendf(nil, `{"format_version":"1.2","planned_values":{"root_module":{"resources":[{"address":%s,"mode":"managed","type":"t","name":"x","index":%s,"provider_name":"p","schema_version":0,"values":%s,"sensitive_values":{}}]}},`+
		`"resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"pw":%s},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"pw":true}}},`+
		`{"address":%s,"mode":"managed","type":"t","name":"x","index":%s,"provider_name":"p","change":{"actions":["update"],"before":{},"after":%s,"after_unknown":{},"before_sensitive":{},"after_sensitive":{}}}],`+
		`"configuration":{"root_module":{"resources":[{"address":"t.x","mode":"managed","type":"t","name":"x","provider_config_key":"p","schema_version":0,"expressions":{"whole":{"references":[%s,"t.x"]}}}]}}}`,
		key, q, values, list, key, q, values, key)
}

// Of secrets that overlap in a text nothing is left, neither what only one of them
// covers nor what both do.
func TestOverlappingSecrets(t *testing.T) {
	for _, test := range []struct {
		name    string
		secrets []string
		texts   []string
	}{
		{"one ends in the other", []string{"abcdef", "defghi"}, []string{"abcdefghi", "abcdefghiabcdef", "abcdefdefghi"}},
		{"by one byte", []string{"abcdef", "fghijk"}, []string{"abcdefghijk"}},
		{"by all bytes except one", []string{"abcdefg", "bcdefgh"}, []string{"abcdefgh"}},
		{"one ends where the other begins", []string{"abcdef", "ghijkl"}, []string{"abcdefghijkl", "ghijklabcdef"}},
		{"one begins the other", []string{"abcdef", "abcdefghi"}, []string{"abcdefghi", "abcdef", "abcdefabcdefghi"}},
		{"one ends the other", []string{"defghi", "abcdefghi"}, []string{"abcdefghi", "defghi", "abcdefghidefghi"}},
		{"one is inside the other", []string{"cdefgh", "abcdefghij"}, []string{"abcdefghij", "cdefghabcdefghij"}},
		{"two are inside a third, and overlap", []string{"bcdefg", "efghij", "abcdefghijkl"}, []string{"abcdefghijkl"}},
		{"a chain", []string{"abcdef", "defghi", "ghijkl", "jklmno"}, []string{"abcdefghijklmno", "abcdefghi", "ghijklmno"}},
		{"with itself", []string{"abcabcabc"}, []string{"abcabcabcabc", "abcabcabcabcabc"}},
		{"of the same two letters", []string{"xyxyxy", "yxyxyx"}, []string{"xyxyxyx", "yxyxyxyxyxy"}},
		{"long ones", []string{strings.Repeat("abcdefghij", 6), strings.Repeat("fghijabcde", 6)}, []string{strings.Repeat("abcdefghij", 6) + "abcde"}},
		{"of letters and signs", []string{`ab"c\d`, `c\d${e}`}, []string{`ab"c\d${e}`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, text := range test.texts {
				for marked := range len(test.secrets) + 1 { // the others are given
					src := overlapPlan(test.secrets[:marked], text)
					r := redact.Redactor{Secrets: test.secrets[marked:], Plain: redact.Everywhere}
					results := ways(t, r, "plan", src)
					for way, out := range results {
						if string(out) != string(results["memory"]) {
							t.Errorf("%s is not what it is in memory: %s", way, out)
						}
					}
					out := results["memory"]
					public := texts(t, overlapPlan(nil, "----------"))
					for _, s := range texts(t, out) {
						rest := strings.ReplaceAll(s, "(sensitive value)", "")
						for i := range len(text) - 2 {
							if piece := text[i : i+3]; strings.Contains(rest, piece) && !strings.Contains(strings.Join(public, " "), piece) {
								t.Errorf("%d marked: %q of %q is left in %q", marked, piece, text, s)
							}
						}
						if strings.Contains(rest, fmt.Sprintf("%%%02x%%%02x", text[0], text[1])) {
							t.Errorf("%d marked: %q is left in %q", marked, text, s)
						}
						if strings.Contains(rest, base64.StdEncoding.EncodeToString([]byte("<" + text))[:8]) {
							t.Errorf("%d marked: %q is left in %q", marked, text, s)
						}
					}
					if again := ways(t, r, "plan", out)["memory"]; string(again) != string(out) {
						t.Errorf("redacted once more it is another one: %s\n%s", out, again)
					}
				}
			}
		})
	}
}
