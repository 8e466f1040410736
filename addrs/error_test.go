// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/addrs"
)

// TestErrorTexts_long checks that an error shows a little of a long input, and
// cuts no character in two.
func TestErrorTexts_long(t *testing.T) {
	for _, char := range []string{"a", "ä", "語", "🙂"} {
		for pad := range 4 {
			in := strings.Repeat(".", pad) + strings.Repeat(char, 1000)
			_, err := addrs.ParseVersion(in)
			var e *addrs.Error
			if !errors.As(err, &e) || e.Input != in {
				t.Fatalf("got %v", err)
			}
			text := err.Error()
			if len(text) > 250 || !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) || strings.Contains(text, `\x`) {
				t.Errorf("%q after %d dots: %s", char, pad, text)
			}
		}
	}
}

// TestReference_refused has indexes that would take for ever to print, and
// quotes that do not end.
func TestReference_refused(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"a.b.c[" + strings.Repeat("9", 1000) + ".5]", "too many digits"},
		{"a.b.c[1." + strings.Repeat("0", 1000) + "1]", "too many digits"},
		{"a.b.c[1e1000]", "out of range"},
		{"a.b.c[1e-1000]", "out of range"},
		{"a.b.c[1e99999999999999999999]", "out of range"},
		{`a.b.c["x\`, ""},
		{`a.b.c["x\u12`, ""},
		{`a.b.c["\ud800"]`, ""},
	} {
		r, err := addrs.ParseReference(tt.in)
		if err == nil || r.IsValid() || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%.40s: %v, %v", tt.in, r, err)
		}
	}
}
