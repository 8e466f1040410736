// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package page

import (
	"strings"
	"testing"
)

// TestVersions has a provider whose oldest version is seen after a newer one of
// another provider.
func TestVersions(t *testing.T) {
	svg := string(versions(data{Labels: []string{"a", "b"}, Series: []string{"3.10.0", "3.9.0", "?"}, Values: [][]float64{{1}, {1, 2, 1}}}))
	_, b, _ := strings.Cut(svg, ">b</text>")
	unknown, old, fresh := strings.Index(b, "b ?: 1"), strings.Index(b, "b 3.9.0: 2"), strings.Index(b, "b 3.10.0: 1")
	if unknown < 0 || old < unknown || fresh < old {
		t.Errorf("at %d, %d, %d of %s", unknown, old, fresh, b)
	}
}

func TestText(t *testing.T) {
	for in, want := range map[string]string{"a<b": "a&lt;b", "module.a.b.c": "…b.c", "äöüäöü": "…äöü"} {
		most := 4
		if in == "a<b" {
			most = 3
		}
		if got := text(in, most); got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}
