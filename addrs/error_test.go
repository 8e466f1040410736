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
		{"a.b.c[" + strings.Repeat("9", 1000) + ".5]", "out of range"},
		{"a.b.c[1." + strings.Repeat("0", 1000) + "1]", "out of range"},
		{"a.b.c[1e309]", "out of range"},
		{"a.b.c[1e-309]", "out of range"},
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

// TestLimits_versions has versions and constraints that no release has: they cost
// nothing, and are errors with a place.
func TestLimits_versions(t *testing.T) {
	digits := strings.Repeat("9", 310)
	long := "1.0.0-" + strings.Repeat("a", 1018)
	for _, in := range []string{digits, "1." + digits, "1.2." + digits + "-rc", "1.0.0-" + strings.Repeat("a", 1019), "1+" + strings.Repeat("9", 1023), strings.Repeat("9", 4<<20)} {
		if v, err := addrs.ParseVersion(in); !errors.Is(err, addrs.ErrLimit) || v.IsValid() {
			t.Errorf("version %.20s of %d bytes: %v", in, len(in), err)
		}
		for name, parse := range map[string]func(string) (addrs.Constraints, error){
			"lock": addrs.ParseConstraints, "configuration": addrs.ParseConfigConstraints, "module": addrs.ParseModuleConstraints,
		} {
			var e *addrs.Error
			if c, err := parse("> 1, ~> " + in); !errors.Is(err, addrs.ErrLimit) || !errors.As(err, &e) || e.Offset == 0 || !c.IsEmpty() {
				t.Errorf("%s constraint %.20s of %d bytes: %v", name, in, len(in), err)
			}
		}
	}
	for _, in := range []string{digits[1:] + "." + digits[1:], long, strings.Repeat("0", 500) + digits[:100]} {
		if v, err := addrs.ParseVersion(in); err != nil || !v.IsValid() {
			t.Errorf("version %.20s of %d bytes: %v", in, len(in), err)
		}
	}
}
