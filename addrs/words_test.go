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

// TestObjects takes objects apart.
func TestObjects(t *testing.T) {
	instance := addrs.MustParseAbsResourceInstance(`module.m["x"].aws_instance.web[0]`)
	key := addrs.MustParseDeposedKey("8f3a9c01")
	for _, tt := range []struct {
		object  addrs.AbsResourceInstanceObject
		deposed addrs.DeposedKey
		current bool
	}{
		{instance.Object(key), key, false},
		{instance.Object(addrs.DeposedKey{}), addrs.DeposedKey{}, true},
	} {
		o := tt.object
		if !o.IsValid() || o.Instance() != instance || o.Deposed() != tt.deposed || o.IsCurrent() != tt.current {
			t.Errorf("%s: instance %s, deposed %q, current %v", o, o.Instance(), o.Deposed(), o.IsCurrent())
		}
		if again, err := addrs.ParseAbsResourceInstanceObject(o.String()); err != nil || again != o {
			t.Errorf("%s is read as %s, %v", o, again, err)
		}
	}
	if o := (addrs.AbsResourceInstance{}).Object(key); o.IsValid() {
		t.Errorf("an object of no instance is %s", o)
	}
}

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
