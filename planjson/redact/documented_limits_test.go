// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"encoding/base64"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// TestDocumentedLimits checks what the package documentation says of texts that are
// found, and of those that are not.
func TestDocumentedLimits(t *testing.T) {
	long := "a secret that is so long that its base64 is wrapped, with 123!"
	coded := base64.StdEncoding.EncodeToString([]byte(long))
	for _, test := range []struct {
		name, secret, text string
		found              bool
	}{
		{"base64 of six bytes", "abc!ef", base64.StdEncoding.EncodeToString([]byte("abc!ef")), true},
		{"base64 of five bytes", "abc!e", base64.StdEncoding.EncodeToString([]byte("abc!e")), false},
		{"lines of 16 bytes", long, coded[:16] + "\n" + coded[16:32] + "\n" + coded[32:48] + "\n" + coded[48:], true},
		{"lines of 4 bytes", "abc!ef", "YWJj\nIWVm", true},
		{"a line of a key", "-----BEGIN KEY-----\nMIIBVgIBADANBgkqhkiG9w0B\n-----END KEY-----", "x MIIBVgIBADANBgkqhkiG9w0B", true},
		{"the frame of a key", "-----BEGIN KEY-----\nMIIBVgIBADANBgkqhkiG9w0B\n-----END KEY-----", "x -----BEGIN KEY-----", false},
		{"a short line", "first line, that is long\nshort 7!x", "x short 7!x", false},
	} {
		src := `{"format_version":"1.2","resource_changes":[{"address":"a.b","type":"a","change":{"actions":["create"],"before":null,"after":{"x":` +
			quoted(test.text) + `},"after_unknown":{},"before_sensitive":false,"after_sensitive":{}}}]}`
		var b bytes.Buffer
		n, err := redact.Redactor{Secrets: []string{test.secret}}.WritePlan(&b, strings.NewReader(src))
		if err != nil || n > 0 != test.found {
			t.Errorf("%s: %d values were replaced, %v", test.name, n, err)
		}
	}
}

func TestEmptyStringsStay(t *testing.T) {
	const src = `{"format_version":"1.2","resource_changes":[{"address":"a.b","type":"a","change":{"actions":["create"],"before":null,"after":{"x":["","y"]},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"x":true}}}]}`
	var b bytes.Buffer
	if _, err := (redact.Redactor{}).WritePlan(&b, strings.NewReader(src)); err != nil || !strings.Contains(b.String(), `["","(sensitive value)"]`) {
		t.Errorf("got %s, %v", b.String(), err)
	}
}

func TestKnownSecretsOnce(t *testing.T) {
	const src = `{"format_version":"1.2","resource_changes":[{"address":"a.b","type":"a","change":{"actions":["create"],"before":null,"after":{"x":"Od9#x1!"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"x":true}}}]}`
	plan, err := planjson.DecodePlan([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	r := redact.Redactor{Secrets: []string{"", "zz", "Od9#x1!", "zz"}}
	for p, want := range map[*planjson.Plan][]string{plan: {"Od9#x1!", "zz"}, nil: {"Od9#x1!", "zz"}} {
		if got, err := r.KnownSecrets(p); err != nil || !slices.Equal(got, want) {
			t.Errorf("got %q, %v", got, err)
		}
	}
}
