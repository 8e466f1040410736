// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package printable_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/printable"
)

func TestLine(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain text", "plain text"},
		{" a \r\n\t b ", "a b"},
		{"\x1b[31mred\x1b[0m and\x1b]0;title\x07 bell", "red and ]0;title bell"},
		{"\u202eevil\u200b\ufeff", "evil"},
		{"bad \xff utf-8", "bad utf-8"},
		{strings.Repeat("x", 100), strings.Repeat("x", 37) + "..."},
		{"\x1b[", ""},
	}
	for _, tt := range tests {
		if got := printable.Line(tt.in, 40); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}
