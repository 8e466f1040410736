// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"golang.org/x/mod/semver"

	"github.com/tofuwire/tofuwire/addrs"
)

// TestSemver compares the order of versions with that of golang.org/x/mod/semver,
// where that has an opinion.
func TestSemver(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	parts := []string{"0", "1", "9", "10", "alpha", "beta", "rc1", "rc-1", "1a", "A"}
	var versions []string
	for range 400 {
		v := fmt.Sprintf("%d.%d.%d", r.IntN(3), r.IntN(12), r.IntN(3))
		for i := range r.IntN(4) {
			v += string("-.."[i]) + parts[r.IntN(len(parts))]
		}
		versions = append(versions, v)
	}
	n := 0
	for _, a := range versions {
		for _, b := range versions {
			if !semver.IsValid("v"+a) || !semver.IsValid("v"+b) {
				continue
			}
			got := addrs.MustParseVersion(a).Compare(addrs.MustParseVersion(b))
			if want := semver.Compare("v"+a, "v"+b); want != got {
				t.Fatalf("Compare(%s, %s) = %d, semver has %d", a, b, got, want)
			}
			n++
		}
	}
	if n < 50_000 {
		t.Errorf("only %d pairs", n)
	}
}
