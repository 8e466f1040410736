// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"iter"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/uijson"
)

// others returns an iterator over texts with other white space or another order of
// members.
func others(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for name, other := range plantest.Layouts(text) {
			if !yield(name, other) {
				return
			}
		}
		plantest.Orders(text)(yield)
	}
}

// TestWhiteSpaceAndOrder writes the lines of recordings in other layouts and orders, and
// requires the same messages, the same text from them, and the same when they are redacted.
func TestWhiteSpaceAndOrder(t *testing.T) {
	lines := 0
	for name, text := range recordings(t) {
		n := 0
		messages(text, func(line []byte) {
			if n++; n > 100 {
				return // of the same kind as those before
			}
			line = bytes.TrimSpace(line)
			want := decode(t, line)
			hidden := decode(t, line)
			changed := hidden.Redact(0)
			for layout, other := range others(line) {
				m, err := uijson.Decode(other)
				if err != nil || !uijson.Equal(m, want) {
					t.Errorf("%s, %s: another message, %v: %s", name, layout, err, other)
					continue
				}
				if out := encode(t, m); !bytes.Equal(out, other) {
					t.Errorf("%s, %s: another text: %s", name, layout, out)
				}
				if m.Redact(0) != changed || !uijson.Equal(m, hidden) {
					t.Errorf("%s, %s: redacted in another way: %s", name, layout, encode(t, m))
				}
				lines++
			}
		})
	}
	if lines < depth.Of(3000, 10_000, 10_000) {
		t.Errorf("only %d lines", lines)
	}
}
