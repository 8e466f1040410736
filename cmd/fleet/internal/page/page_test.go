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

// TestColours has actions in every picture that shows them: a colour each, the same
// wherever they are, and a rule for it in both themes.
func TestColours(t *testing.T) {
	want := map[string]string{"create": "create", "delete": "delete", "replace": "replace", "update": "update", "read": "read", "replace-forget": "replace", "no-op": "s6"}
	series := []string{"create", "delete", "replace", "update", "read", "no-op", "replace-forget"}
	values := make([]float64, len(series))
	for i := range values {
		values[i] = 1
	}
	stack := string(columns(data{Labels: []string{"2026-11-01"}, Series: series, Values: [][]float64{values}}))
	for _, name := range series {
		one := string(bars(data{Labels: []string{name, "aws_db_instance.a, " + name}, Series: []string{"n"}, Values: [][]float64{{1}, {1}}}))
		class := want[name]
		for _, fragment := range []string{`<rect class="` + class + `" x=`, `<i class="` + class + `"></i>` + name + `</span>`} {
			if !strings.Contains(stack, fragment) {
				t.Errorf("%s: no %s in %s", name, fragment, stack)
			}
		}
		if n := strings.Count(one, `<rect class="`+class+`"`); n != 2 {
			t.Errorf("%s: %d bars of class %s in %s", name, n, class, one)
		}
		if class == "s6" {
			continue
		}
		if strings.Count(source, "--"+class+": #") != 2 || !strings.Contains(source, "."+class+" { fill: var(--"+class+")") {
			t.Errorf("the page has no colour for %s in both themes", class)
		}
	}
}
