// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strings"
	"testing"
)

// A codec that is given back refers to nothing that was read with it.
func TestCodec_forget(t *testing.T) {
	var a arena
	text := strings.Repeat("x", smallText+1)
	a.reset(len(text), false)
	if a.string([]byte("one")) != "one" || a.recent == nil {
		t.Fatal("no table of strings")
	}
	table := a.recent
	a.forget()
	if a.recent != nil || a.spare != table || a.b.Cap() != 0 {
		t.Error("something is left")
	}
	for _, s := range table {
		if s != "" {
			t.Errorf("%q is left", s)
		}
	}
	a.reset(10, false) // a small text needs no table
	if a.recent != nil {
		t.Error("a small text has a table")
	}
	a.forget()
	a.reset(len(text), false)
	if a.recent != table || a.spare != nil {
		t.Error("the table is not used again")
	}
}
