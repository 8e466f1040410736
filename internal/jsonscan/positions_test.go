// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import "testing"

// TestPositions compares the positions of a text, and of some of its offsets, with those that are found one by one.
func TestPositions(t *testing.T) {
	text := []byte("a\n\nbcd\r\n e\n")
	for step := 1; step < 5; step++ {
		p := Positions{Text: text}
		for i := 0; i <= len(text); i += step {
			for range 2 {
				line, column := p.At(i)
				if wantLine, wantColumn := Position(text, i); line != wantLine || column != wantColumn {
					t.Errorf("steps of %d: offset %d is at %d:%d, want %d:%d", step, i, line, column, wantLine, wantColumn)
				}
			}
			if p.at != i {
				t.Errorf("looked at %d bytes, want %d", p.at, i)
			}
		}
	}
}
