// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

func TestVerifyHashes(t *testing.T) {
	for _, test := range []struct {
		name, wanted, computed string
		want                   addrs.Verdict
		matched, reason        string
	}{
		{"nothing wanted", "", "h1:a", addrs.NotVerifiable, "", "no hash is wanted"},
		{"nothing computed", "h1:a", "", addrs.NotVerifiable, "", "no hash of the package was given"},
		{"nothing at all", "", "", addrs.NotVerifiable, "", "no hash of the package was given"},
		{"equal", "zh:x h1:a", "h1:a", addrs.Match, "h1:a", ""},
		{"in the order of what is wanted, once", "zh:c h1:b zh:c h1:a", "h1:a h1:b zh:c", addrs.Match, "zh:c h1:b h1:a", ""},
		{"none", "h1:a zh:c", "h1:x zh:x", addrs.Mismatch, "", "the package has h1:x, zh:x, none of the 2 wanted hashes"},
		{"upper case", "zh:AB", "zh:ab", addrs.Mismatch, "", "the package has zh:ab, not the wanted hash"},
		{"empty value", "h1:", "h1:x", addrs.Mismatch, "", "the package has h1:x, not the wanted hash"},
		{"of a directory", "zh:c q9:d zh:e", "h1:a", addrs.NotVerifiable, "", `the package has no hash of the wanted schemes ("zh", "q9")`},
		{"equal, of an unknown scheme", "q9:a", "q9:a h1:b", addrs.NotVerifiable, "", `the package has no hash of the wanted schemes ("q9")`},
		{"many schemes", "a:1 b:1 c:1 d:1 e:1 f:1 g:1 h:1 i:1 j:1", "h1:b", addrs.NotVerifiable, "", `the package has no hash of the wanted schemes ("a", "b", "c", "d", "e", "f", "g", "h", ...)`},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := addrs.VerifyHashes(hashes(test.wanted), hashes(test.computed))
			if v.Verdict != test.want || fmt.Sprint(v.Matched) != "["+test.matched+"]" || v.Reason != test.reason {
				t.Errorf("got %v %v %q", v.Verdict, v.Matched, v.Reason)
			}
			err := v.Err()
			if (err == nil) != (test.want == addrs.Match) || errors.Is(err, addrs.ErrMismatch) != (test.want == addrs.Mismatch) ||
				errors.Is(err, addrs.ErrNotVerifiable) != (test.want == addrs.NotVerifiable) || err != nil && !strings.HasSuffix(err.Error(), ": "+test.reason) {
				t.Errorf("Err() = %v", err)
			}
		})
	}
	// The zero value lets nothing pass.
	if err := (addrs.Verification{}).Err(); err != addrs.ErrNotVerifiable {
		t.Errorf("the zero Verification: %v", err)
	}
	if got := fmt.Sprint(addrs.NotVerifiable, ", ", addrs.Mismatch, ", ", addrs.Match); got != "not verifiable, mismatch, match" {
		t.Errorf("verdicts are %s", got)
	}
}

// Long lists of hashes are compared in proportion to their length.
func TestVerifyHashes_long(t *testing.T) {
	long := make([]addrs.Hash, 200_000)
	for i := range long {
		long[i] = addrs.Hash(fmt.Sprintf("zh:%d", i))
	}
	back := slices.Clone(long)
	slices.Reverse(back)
	if v := addrs.VerifyHashes(long, back); v.Verdict != addrs.Match || !slices.Equal(v.Matched, long) {
		t.Errorf("%v, %d matched", v.Verdict, len(v.Matched))
	}
}

func hashes(list string) (out []addrs.Hash) {
	for h := range strings.FieldsSeq(list) {
		out = append(out, addrs.Hash(h))
	}
	return out
}
