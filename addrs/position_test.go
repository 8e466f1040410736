// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

func TestPlace(t *testing.T) {
	at := func(line, column int) addrs.Pos { return addrs.Pos{Line: line, Column: column} }
	for _, c := range []struct {
		r     addrs.Range
		valid bool
		text  string
	}{
		{addrs.Range{Filename: "a.tf", Start: at(3, 12), End: at(3, 18)}, true, "a.tf:3,12-18"},
		{addrs.Range{Filename: "a.tf", Start: at(3, 12), End: at(5, 2)}, true, "a.tf:3,12-5,2"},
		{addrs.Range{Filename: "a.tf"}, false, "a.tf:0,0-0"},
		{addrs.Range{}, false, ":0,0-0"},
	} {
		if c.r.IsValid() != c.valid || c.r.String() != c.text {
			t.Errorf("%v, %v; want %v, %s", c.r.IsValid(), c.r, c.valid, c.text)
		}
	}
	if p := at(3, 12); !p.IsValid() || p.String() != "3,12" {
		t.Error(p)
	}
}
