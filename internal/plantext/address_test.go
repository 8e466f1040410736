// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plantext

import (
	"strings"
	"testing"
)

func TestWithoutKeys(t *testing.T) {
	for address, want := range map[string]string{
		"":                                "",
		"aws_instance.web":                "aws_instance.web",
		"aws_instance.web[0]":             "aws_instance.web",
		`module.a["x"].aws_instance.b[1]`: "module.a.aws_instance.b",
		`a.b["]"].c`:                      "a.b.c",
		`a.b["\"]"].c`:                    "a.b.c",
		`a.b["[\\"].c`:                    "a.b.c",
		"a.b[*].c":                        "a.b.c",
		`a.b["${x[0]}"].c`:                "a.b.c",
		"a.b[0":                           "a.b",
		`a.b["\`:                          "a.b",
		"[":                               "",
	} {
		if got := WithoutKeys(address); got != want {
			t.Errorf("WithoutKeys(%q) = %q, want %q", address, got, want)
		}
	}
}

func TestKeyEnd(t *testing.T) {
	for _, test := range []struct {
		s    string
		want int
	}{{"[0]", 2}, {`["]"]x`, 4}, {`["\"]"]`, 6}, {"[]", 1}} {
		if got := KeyEnd(test.s, 0); got != test.want {
			t.Errorf("KeyEnd(%q, 0) = %d, want %d", test.s, got, test.want)
		}
	}
	for _, open := range []string{"[", "[0", `["]`, `["\`} {
		if got := KeyEnd(open, 0); got < len(open) {
			t.Errorf("KeyEnd(%q, 0) = %d, want no place in it", open, got)
		}
	}
}

func TestAbsolute(t *testing.T) {
	for _, tt := range []struct{ module, address, index, want string }{
		{"", "a.b", "", "a.b"},
		{"", "a.b[0]", "0", "a.b[0]"},
		{"module.m", "module.m.a.b", "", "module.m.a.b"},
		{`module.m["x"]`, `module.m["x"].a.b["y"]`, `"y"`, `module.m["x"].a.b["y"]`},
		{"", "a.b", "2", "a.b[2]"},
		{"", "data.a.b", `"k\"${1}"`, `data.a.b["k\"$${1}"]`},
		{"module.m", "a.b", "", "module.m.a.b"},
		{"module.m.module.n", "data.a.b", "1", "module.m.module.n.data.a.b[1]"},
		{"module.m", "a.b", "null", "module.m.a.b"},
		{"module.m", "a.b", "-1", "module.m.a.b"},
		{"module.m", "a.b", "{}", "module.m.a.b"},
		{"module.m", "", "1", ""},
		{"module." + strings.Repeat("m", 600), "a.b", "", "a.b"},
	} {
		if got := Absolute(tt.module, tt.address, []byte(tt.index)); got != tt.want {
			t.Errorf("%.20s, %s, %s: %s, want %s", tt.module, tt.address, tt.index, got, tt.want)
		}
	}
}

func TestMember(t *testing.T) {
	for _, tt := range []struct{ path, name, want string }{
		{"", "a", "a"},
		{"a", "b-1", "a.b-1"},
		{"a[0]", "_b", "a[0]._b"},
		{"a", "1b", `a["1b"]`},
		{"a", "-b", `a["-b"]`},
		{"", "b c", `["b c"]`},
		{"a", `${"x"}`, `a["$${\"x\"}"]`},
		{"a", "\u00e9", "a.\u00e9"},
		{"a", "\u2028", `a["\u2028"]`},
		{"a", "\xff", "a[\"\ufffd\"]"},
		{"a", "", `a[""]`},
		{"", "", `[""]`},
	} {
		if got := Member(tt.path, tt.name); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.path, tt.name, got, tt.want)
		}
	}
}
