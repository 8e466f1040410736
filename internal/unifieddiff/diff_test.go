// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package unifieddiff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

// numbered returns lines of a configuration, many of which are alike.
func numbered(n int) []string {
	var lines []string
	for i := range n {
		lines = append(lines, fmt.Sprintf("  argument_%d = %d\n", i, i), "}\n", "\n")[:i+1]
	}
	return lines
}

// TestWrite applies differences as patch does, and bounds their lines: diff -u has as many as want
// says.
func TestWrite(t *testing.T) {
	long := numbered(20_000)
	changed := func(lines []string, at ...int) string {
		lines = append([]string(nil), lines...)
		for _, i := range at {
			lines[i] = "  changed = true\n"
		}
		return strings.Join(lines, "")
	}
	for _, row := range []struct {
		before, after string
		want          int // lines, or 0 for whatever it is
	}{
		{"1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n", "1\n2\nx\n4\n5\n6\n7\n8\n9\n10\n11\n12", 18},
		{"a = 1\n\nb = 2\n\nc = 3\n", "a = 5\n\nb = 6\n\nc = 3\n", 10}, // blank lines stay
		{"x {\n  a\n}\n\ny {\n  b\n}\n", "x {\n  c\n}\n\nz {\n  d\n}\n", 13},
		{"}\na\n}\nb\n}", "}\nc\n}\nd\n}", 11},
		{"", "a\n", 4}, {"a\n", "", 4}, {"a", "a\n", 6}, {"a\r\nb\r\n", "a\nb\r\n", 6}, {"a\n", "a\n", 0},
		{strings.Join(long[:2800], ""), changed(long[:2800], 0, 2799), 14},
		{strings.Join(long, ""), changed(long, 100, 19_900), 20},
	} {
		check(t, row.before, row.after, row.want)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		text := func() string {
			var b strings.Builder
			for range r.IntN(40) {
				b.WriteString([]string{"a", "b", "}", "", "-- x"}[r.IntN(5)] + "\n")
			}
			return strings.TrimSuffix(b.String(), strings.Repeat("\n", r.IntN(2)))
		}
		check(t, text(), text(), 0)
	}
}

// check writes the difference and applies it.
func check(t *testing.T, before, after string, want int) {
	t.Helper()
	var b strings.Builder
	if err := unifieddiff.Write(&b, "/dir/f.tf", before, after); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if before == after {
		if text != "" {
			t.Errorf("equal texts differ: %s", text)
		}
		return
	}
	hunks, ok := strings.CutPrefix(text, "--- a/dir/f.tf\n+++ b/dir/f.tf\n")
	if got := apply(t, before, hunks); !ok || got != after {
		t.Errorf("applied to %.200q it gives %.200q, not %.200q\n%.1000s", before, got, after, text)
	}
	if n := strings.Count(text, "\n"); want > 0 && n > want {
		t.Errorf("%d lines, diff -u has %d\n%.1000s", n, want, text)
	}
}

// apply applies hunks to a text; the lines that they do not change must be there.
func apply(t *testing.T, before, hunks string) string {
	t.Helper()
	old := strings.SplitAfter(before, "\n")
	at, out, last := 0, "", byte(0)
	for line := range strings.Lines(hunks) {
		var from, n, to, m int
		if strings.HasPrefix(line, "@@ ") {
			if _, err := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &from, &n, &to, &m); err != nil {
				t.Fatal(err, line)
			}
			if n > 0 {
				from--
			}
			out += strings.Join(old[at:from], "")
			at = from
			continue
		}
		switch {
		case strings.HasPrefix(line, "\\"): // the line above ends without a line feed
			if last == '+' {
				out = strings.TrimSuffix(out, "\n")
			}
		case line[0] == '+':
			out += line[1:]
		case strings.TrimSuffix(old[at], "\n") != strings.TrimSuffix(line[1:], "\n"):
			t.Fatalf("%q is not %q", old[at], line)
		default:
			if line[0] == ' ' {
				out += old[at]
			}
			at++
		}
		last = line[0]
	}
	return out + strings.Join(old[at:], "")
}
