// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package langfuncs

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// TestYAML decodes texts as the first releases and as the newest one of each kind do.
func TestYAML(t *testing.T) {
	oldest, newest := newYAML(false, false, false), newYAML(true, true, true)
	for _, c := range []struct {
		text        string
		first, last bool // whether it is decoded
	}{
		{"a: 1\nb: [x, y]\n", true, true},
		{"a: &x {k: 1}\nb:\n  <<: *x\n", true, true},
		{"a: &x {k: 1}\nb:\n  <<: [*x, {l: 2}]\n", false, true},
		{"a: &x {k: 1}\nb:\n  <<:\n  - *x\n", false, true},
		{"+", false, true},
		{"a: -\n", false, false}, // a list after a key
		{"a: [+, 1]", false, true},
		{"a:\n\t- b\n", false, false},
		{"[1, 2", false, false},
		{"a: 1\n---\nb: 2\n", false, false},
		{"a: *x", false, false},
		{"a: !custom b", false, false},
		{"", false, false},
		{"---", true, true},
	} {
		for i, f := range []interface {
			Call([]cty.Value) (cty.Value, error)
		}{oldest, newest} {
			if _, err := f.Call([]cty.Value{cty.StringVal(c.text)}); (err == nil) != []bool{c.first, c.last}[i] {
				t.Errorf("%d: %q: %v", i, c.text, err)
			}
		}
	}
	if v, err := newest.Call([]cty.Value{cty.StringVal("a: 0x1f\n")}); err != nil || !v.GetAttr("a").RawEquals(cty.NumberIntVal(31)) {
		t.Errorf("%#v, %v", v, err)
	}
}

// TestYAMLSize: what would be too large is not decoded.
func TestYAMLSize(t *testing.T) {
	f := newYAML(true, true, true)
	bomb := "a0: &a0 [x, x]\n"
	for i := range 30 {
		bomb += strings.ReplaceAll(strings.ReplaceAll("aB: &aB [*aA, *aA]\n", "A", string(rune('a'+i))), "B", string(rune('b'+i)))
	}
	for _, text := range []string{bomb, strings.Repeat("[", 5000), strings.Repeat("- ", 4000) + "x", strings.Repeat("x", 1<<20)} {
		v, err := f.Call([]cty.Value{cty.StringVal(text)})
		if err != nil || v.IsKnown() {
			t.Errorf("%.20q: %#v, %v", text, v, err)
		}
	}
}
