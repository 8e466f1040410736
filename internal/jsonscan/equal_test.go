// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan_test

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

func TestEqual(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true,null]}`, ` { "b" : [ true , null ], "\u0061":1.0 } `, true},
		{`{"a":1,"a":2}`, `{"a":2}`, true},
		{`{"a":1,"a":2}`, `{"a":1}`, false},
		{`{"a":null}`, `{}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1]`, `[1,1]`, false},
		{`"a"`, `"\u0061"`, true},
		{`"1"`, `1`, false},
		{`true`, `false`, false},
		{`{}`, `[]`, false},
		{`[{"a":[{"b":1e2}]}]`, `[{"a":[{"b":100}]}]`, true},
	} {
		if got := jsonscan.Equal([]byte(tt.a), []byte(tt.b)); got != tt.want {
			t.Errorf("%s and %s: %v", tt.a, tt.b, got)
		}
	}
}

func TestCompareNumbers(t *testing.T) {
	huge := strings.Repeat("9", 5000)
	for _, tt := range []struct {
		a, b string
		want int
	}{
		{"1", "1.0", 0}, {"-0", "0", 0}, {"0e5", "0.000", 0}, {"1e2", "100", 0}, {"1.50", "15e-1", 0}, {"0.001", "1E-3", 0},
		{"12345678901234567890.5", "12345678901234567890.50", 0}, {"12345678901234567890.5", "12345678901234567890.4", 1},
		{"1", "2", -1}, {"-1", "-2", 1}, {"-1", "1", -1}, {"0", "-1", 1}, {"10", "9", 1}, {"0.1", "0.09", 1},
		{"1e400", "1e401", -1}, {"-1e400", "1", -1}, {"1e-400", "0", 1},
		{"1e99999999999999999999", "1e99999999999999999998", 1}, {"1e99999999999999999999", "10e99999999999999999998", 0},
		{"1e-99999999999999999999", "1", -1}, {"1e0000000000000000000000002", "100", 0}, {"1e" + huge, "1e" + huge, 0}, {"1e" + huge, "1", 1},
		{"1e+18", "1000000000000000000", 0}, {"1e00", "1", 0},
	} {
		if got := jsonscan.CompareNumbers([]byte(tt.a), []byte(tt.b)); got != tt.want {
			t.Errorf("%.40s against %.40s: %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := jsonscan.CompareNumbers([]byte(tt.b), []byte(tt.a)); got != -tt.want {
			t.Errorf("%.40s against %.40s: %d, want %d", tt.b, tt.a, got, -tt.want)
		}
	}
}

func TestAppendCanonical(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{` { "b" : 1.50 , "a" : [ ] } `, `{"a":[],"b":1.5}`},
		{`{"a":1,"a":2}`, `{"a":2}`},
		{`["\u003c", "<", "\u00e9"]`, `["\u003c","\u003c","é"]`},
		{`[1e2,1.0,-0,0.0010,-1.5e-3,12e1,0,-10]`, `[100,1,-0,0.001,-0.0015,120,0,-10]`},
		{`[true,false,null]`, `[true,false,null]`},
		{`1e400`, "1" + strings.Repeat("0", 400)},
		{`1e5000`, `1e5000`},
		{`1e-5000`, `1e-5000`},
		{`{}`, `{}`},
		{"{\n  \"a\": {\n    \"b\": [\n      {},\n      [ ]\n    ]\n  },\n  \"aa\": null\n}\n", `{"a":{"b":[{},[]]},"aa":null}`},
		{`{"a":{"d":1,"c":2},"b":0}`, `{"a":{"c":2,"d":1},"b":0}`},
		{`{"a<":1,"a":2}`, `{"a":2,"a\u003c":1}`},
		{`{"":1,"\u0061":2}`, `{"":1,"a":2}`},
		{`["\" \\ \b\f\n\r\t \u001f\u003c\u003e\u0026\u2028\u2029"]`, `["\" \\ \b\f\n\r\t \u001f\u003c\u003e\u0026\u2028\u2029"]`},
		{`["\/","\u000a","\u003C","\u001F","\u007f"]`, "[\"/\",\"\\n\",\"\\u003c\",\"\\u001f\",\"\x7f\"]"},
		{`["a long text before <","a long text before é","a long text before \ud83d"]`, `["a long text before \u003c","a long text before é","a long text before ` + "\ufffd" + `"]`},
		{"[\"\u2028\",\"\u2027\",\"\u2029\"]", "[\"\\u2028\",\"\u2027\",\"\\u2029\"]"},
		{`"&"`, `"\u0026"`},
	} {
		if got := string(jsonscan.AppendCanonical(nil, []byte(tt.in))); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.in, got, tt.want)
		}
		if got := string(jsonscan.CanonicalByParts([]byte(tt.in))); got != tt.want {
			t.Errorf("%s: by parts %s, want %s", tt.in, got, tt.want)
		}
		if got := string(jsonscan.AppendCanonical([]byte("before"), []byte(tt.in))); got != "before"+tt.want {
			t.Errorf("%s: after other text %s", tt.in, got)
		}
	}
}

// FuzzMeaning checks that the canonical form means the same and is its own
// canonical form, and numbers against math/big.
func FuzzMeaning(f *testing.F) {
	for _, s := range []string{`{"b":[1.50,"\u003c"],"a":{"c":-0}}`, `1e-3`, `-12.5E+2`, `"\ud800"`, `[1,[2,[3]]]`} {
		f.Add([]byte(s), []byte(`{"a":1}`))
		f.Add([]byte(s), []byte(`0.001`))
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if _, ok := jsonscan.Compact(nil, a); ok && !jsonscan.Valid(a) {
			t.Fatalf("%q is not valid, but has a compact form", a)
		}
		if !jsonscan.Valid(a) || !jsonscan.Valid(b) {
			return
		}
		canonical := jsonscan.AppendCanonical(nil, a)
		if !jsonscan.Valid(canonical) || !jsonscan.Equal(a, canonical) {
			t.Fatalf("%s does not equal its canonical form %s", a, canonical)
		}
		if parts := jsonscan.CanonicalByParts(a); !bytes.Equal(parts, canonical) {
			t.Fatalf("%s: %s, by its parts %s", a, canonical, parts)
		}
		if again := jsonscan.AppendCanonical(nil, canonical); !bytes.Equal(again, canonical) {
			t.Fatalf("%s: once %s, twice %s", a, canonical, again)
		}
		if jsonscan.Equal(a, b) != jsonscan.Equal(b, a) {
			t.Fatalf("%s and %s: equal in one direction", a, b)
		}
		x, y := bytes.TrimSpace(a), bytes.TrimSpace(b)
		if len(x) > 30 || len(y) > 30 || x[0]-'0' > 9 && x[0] != '-' || y[0]-'0' > 9 && y[0] != '-' {
			return
		}
		for _, n := range [][]byte{x, y} {
			if i := bytes.IndexAny(n, "eE"); i >= 0 && len(n)-i > 4 {
				return // too large for big.Rat
			}
		}
		p, _ := new(big.Rat).SetString(string(x))
		q, _ := new(big.Rat).SetString(string(y))
		if want := p.Cmp(q); jsonscan.CompareNumbers(x, y) != want {
			t.Fatalf("%s against %s: %d, want %d", x, y, jsonscan.CompareNumbers(x, y), want)
		}
	})
}
