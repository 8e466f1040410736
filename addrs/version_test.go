// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// versionTests are versions and their normal form, which is empty if they are
// refused.
var versionTests = []struct{ name, in, want string }{
	{"plain", "1.2.3", "1.2.3"},
	{"prerelease", "1.2.3-beta.1", "1.2.3-beta.1"},
	{"metadata", "1.2.3+b5", "1.2.3+b5"},
	{"both", "1.2.3-rc1+x", "1.2.3-rc1+x"},
	{"hyphen in metadata", "1.2.3+a-b", "1.2.3+a-b"},
	{"zero", "0.0.0", "0.0.0"},
	{"one number", "1", "1.0.0"},
	{"two numbers", "1.2", "1.2.0"},
	{"dot at the end", "1.", "1.0.0"},
	{"three numbers and a dot", "1.2.3.", "1.2.3"},
	{"leading zero", "01.2.3", "1.2.3"},
	{"zeros", "00.00.00", "0.0.0"},
	{"hyphen at the end", "1.2.3-", "1.2.3"},
	{"plus at the end", "1.2.3+", "1.2.3"},
	{"two numbers and prerelease", "1.2-beta", "1.2.0-beta"},
	{"leading zero in prerelease", "1.2.3-01", "1.2.3-01"},
	{"empty identifier", "1.2.3-a..b", "1.2.3-a..b"},
	{"dot first in prerelease", "1.2.3-.a", "1.2.3-.a"},
	{"prerelease of a hyphen", "1.2.3--", "1.2.3--"},
	{"largest uint64", "18446744073709551615.0.0", "18446744073709551615.0.0"},
	{"above uint64", "18446744073709551616.0.0", "18446744073709551616.0.0"},
	{"huge", "1.99999999999999999999999999999999999999.3", "1.99999999999999999999999999999999999999.3"},
	{"lower v", "v1.2.3", ""},
	{"upper v", "V1", ""},
	{"operator", "=1.2.3", ""},
	{"four numbers", "1.2.3.4", ""},
	{"wildcard x", "1.2.x", ""},
	{"wildcard", "*", ""},
	{"space before", " 1.2.3", ""},
	{"space behind", "1.2.3 ", ""},
	{"empty", "", ""},
	{"no hyphen", "1.2.3rc1", ""},
	{"tilde", "1.2.3~rc1", ""},
	{"underscore", "1.2.3-a_b", ""},
	{"letter beyond ASCII", "1.2.3-é", ""},
	{"two plus signs", "1.2.3+b+c", ""},
	{"empty prerelease and metadata", "1.2.3-+x", ""},
	{"two dots", "1..2", ""},
	{"negative", "-1", ""},
	{"dot and hyphen", "1.-a", ""},
	{"comma", "1.2.3,", ""},
}

func TestVersion(t *testing.T) {
	for _, tt := range versionTests {
		t.Run(tt.name, func(t *testing.T) {
			v, ok := checkParse(t, addrs.ParseVersion, tt.in)
			if v.String() != tt.want || ok != (tt.want != "") {
				_, err := addrs.ParseVersion(tt.in)
				t.Errorf("ParseVersion(%q) = %q, %v, want %q", tt.in, v, err, tt.want)
			}
		})
	}
}

func TestVersionParts(t *testing.T) {
	v := addrs.MustParseVersion("1.20.3-beta.1+b-5")
	if major, minor, patch, ok := v.Numbers(); major != 1 || minor != 20 || patch != 3 || !ok {
		t.Errorf("numbers %d, %d, %d, %v", major, minor, patch, ok)
	}
	if v.Core().String() != "1.20.3" || v.Prerelease() != "beta.1" || v.Metadata() != "b-5" {
		t.Errorf("parts %q, %q, %q", v.Core(), v.Prerelease(), v.Metadata())
	}
	if _, _, _, ok := addrs.MustParseVersion("18446744073709551616").Numbers(); ok {
		t.Error("2^64 fits in 64 bits")
	}
	if _, _, _, ok := (addrs.Version{}).Numbers(); ok {
		t.Error("the zero Version has numbers")
	}
}

// versionOrder is in ascending order. It has the example of Semantic Versioning
// 2.0.0, section 11.
var versionOrder = []string{
	"0.0.0-0",
	"0.0.0",
	"1.0.0-01",
	"1.0.0-1",
	"1.0.0-01.2",
	"1.0.0-alpha",
	"1.0.0-alpha.1",
	"1.0.0-alpha.beta",
	"1.0.0-beta",
	"1.0.0-beta.2",
	"1.0.0-beta.11",
	"1.0.0-rc",
	"1.0.0-rc.1",
	"1.0.0-rc10",
	"1.0.0-rc2",
	"1.0.0",
	"1.0.0+a",
	"1.0.0+b",
	"1.2.0",
	"1.10.0",
	"2.0.0-99999999999999999999",
	"2.0.0-100000000000000000000",
	"2.0.0",
	"18446744073709551615.0.0",
	"18446744073709551616.0.0",
	"100000000000000000000.0.0",
}

func TestVersionOrder(t *testing.T) {
	for i, a := range versionOrder {
		for j, b := range versionOrder {
			want := min(max(i-j, -1), 1)
			if got := addrs.MustParseVersion(a).Compare(addrs.MustParseVersion(b)); got != want {
				t.Errorf("Compare(%s, %s) = %d, want %d", a, b, got, want)
			}
		}
	}
}

// compareSlowly compares versions as Semantic Versioning says, part by part.
func compareSlowly(v, w addrs.Version) int {
	number := func(s string) (string, bool) {
		trimmed := strings.TrimLeft(s, "0")
		return trimmed, strings.Trim(s, "0123456789") == "" // an empty identifier counts as 0
	}
	identifier := func(a, b string) int {
		x, isNumber := number(a)
		y, isOther := number(b)
		switch {
		case isNumber && isOther:
			return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
		case isNumber != isOther:
			return map[bool]int{true: -1, false: +1}[isNumber]
		}
		return strings.Compare(a, b)
	}
	if c := slices.CompareFunc(strings.Split(v.Core().String(), "."), strings.Split(w.Core().String(), "."), identifier); c != 0 {
		return c
	}
	a, b := v.Prerelease(), w.Prerelease()
	if a == "" || b == "" {
		return cmp.Or(cmp.Compare(len(b), len(a)), strings.Compare(v.String(), w.String()))
	}
	return cmp.Or(slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), identifier), strings.Compare(v.String(), w.String()))
}

// Compare passes over what two versions share, and gives what comparing all of
// their parts gives.
func TestVersion_Compare_slowly(t *testing.T) {
	parts := []string{"0", "1", "01", "00", "10", "9", "a", "b", "a-", "-", "", "A", "0a", "99999999999999999999"}
	r := rand.New(rand.NewPCG(1, 2))
	random := func() addrs.Version {
		for {
			text := fmt.Sprintf("%d.%d.%d", r.IntN(3), 8+r.IntN(4), r.IntN(2))
			if r.IntN(4) > 0 {
				text += "-" + parts[r.IntN(len(parts))]
				for range r.IntN(4) {
					text += "." + parts[r.IntN(len(parts))]
				}
			}
			if r.IntN(3) == 0 {
				text += "+" + parts[r.IntN(len(parts))] + "." + parts[r.IntN(len(parts))]
			}
			if v, err := addrs.ParseVersion(text); err == nil {
				return v
			}
		}
	}
	for range 50_000 {
		v, w := random(), random()
		if got, want := v.Compare(w), compareSlowly(v, w); got != want {
			t.Fatalf("%s and %s: got %d, want %d", v, w, got, want)
		}
	}
}
