// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import "testing"

// TestOnlyValues wants a yes for edits that no other line's layout can follow, and a no in doubt.
func TestOnlyValues(t *testing.T) {
	for _, row := range []struct {
		old, now string
		want     bool
	}{
		{"  a   = var.x\n", "  a   = var.yy\n", true},
		{"  a = \"x-${var.x}\"\n", "  a = \"x-${f(var.yy, \"}\")}-$${\"\n", true},
		{"  a = [1]\n", "  a = [1, { b = 2 }]\n", true},
		{"  a = 1\n", "  bb = 1\n", false},
		{"  a = 1\n", "  a  = 1\n", false},
		{"  a = 1\n", "  a = 1 # c\n", false},
		{"  a = 1 // c\n", "  a = 2 // c\n", false},
		{"  a = 1\n", "  a = [\n", false},
		{"  a = 1\n", "  a = \"x${\n", false},
		{"  a = 1\n", "  a = f( 1)\n", false}, // fmt has a say
		{"  a = 1\n", "  a =  2\n", false},
		{"  b { a = 1 }\n", "  b { a = 2 }\n", true},
		{"  b { a = 1 }\n", "  b { a = 2\n", false},
		{"  var.x,\n", "  var.yy,\n", true},
		{"  \"a b\"  = 1\n", "  \"a b\"  = 2\n", true},
		{"  \"a${b}\"  = 1\n", "  \"a${b}\"  = 2\n", true},
		{"  }\n", "  ]\n", false},
		{"\n", "\n", false},
		{"  a = <<X\n", "  a = <<Y\n", false},
		{"  a = 1", "  a = 2", false},
	} {
		if got := onlyValues([]string{row.old}, []string{row.now}); got != row.want {
			t.Errorf("%q to %q: %v", row.old, row.now, got)
		}
	}
	if onlyValues([]string{"a = 1\n"}, nil) {
		t.Error("a line that goes")
	}
}
