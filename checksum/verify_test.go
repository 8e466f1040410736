// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
)

func TestVerify(t *testing.T) {
	const (
		inZip     = "h1:XjHzSZJeAAeD26hKB0jNv9sNfNG4dZU22b1RVetv78w="
		extracted = "h1:OinRIhkIXtHcmvfyEmzcwqEMV1NTdSqEiFlm59imCZk="
		other     = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	)
	sub := &checksum.Package{
		Name: "p", Zip: true, ZH: checksum.Hash(goodZH),
		H1: checksum.Hash(inZip), Extracted: checksum.Hash(extracted),
	}
	dir := &checksum.Package{Name: "p", H1: checksum.Hash(extracted), Extracted: checksum.Hash(extracted)}
	same := &checksum.Package{Name: "p", Zip: true, ZH: sub.ZH, H1: dir.H1, Extracted: dir.H1}
	broken := &checksum.Package{Name: "p", Zip: true, ZH: sub.ZH, H1: sub.H1}
	tests := []struct {
		name    string
		p       *checksum.Package
		wanted  string
		outcome addrs.Verdict
		matched string
	}{
		{"nothing wanted", sub, "", addrs.NotVerifiable, ""},
		{"unknown schemes", sub, "q9:x h2:y", addrs.NotVerifiable, ""},
		{"zh of a directory", dir, goodZH, addrs.NotVerifiable, ""},
		{"zh and unknown, directory", dir, goodZH + " q9:x", addrs.NotVerifiable, ""},
		{"zh", sub, other + " " + goodZH, addrs.Match, goodZH},
		{"zh in upper case", sub, "zh:" + strings.ToUpper(goodZH[3:]), addrs.Mismatch, ""},
		{"h1 of the zip", sub, inZip, addrs.Match, inZip},
		{"h1 of the extracted package", sub, extracted, addrs.Match, extracted},
		{"both h1", sub, extracted + " " + inZip, addrs.Match, extracted + " " + inZip},
		{"extracted and zh", sub, extracted + " " + goodZH, addrs.Match, extracted + " " + goodZH},
		{"one h1 for both", same, extracted, addrs.Match, extracted},
		{"duplicates", same, extracted + " " + goodZH + " " + extracted, addrs.Match, extracted + " " + goodZH},
		{"directory", dir, other + " " + goodZH + " " + extracted, addrs.Match, extracted},
		{"other h1", sub, other, addrs.Mismatch, ""},
		{"other h1, directory", dir, other + " " + goodZH, addrs.Mismatch, ""},
		{"malformed", sub, "h1: zh:ZZ", addrs.Mismatch, ""},
		{"cannot be extracted", broken, extracted, addrs.Mismatch, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := checksum.Verify(tt.p, hashes(tt.wanted))
			if v.Verdict != tt.outcome || join(v.Matched) != tt.matched {
				t.Errorf("got %v %v, want %v [%s]", v.Verdict, v.Matched, tt.outcome, tt.matched)
			}
			err := v.Err()
			switch {
			case tt.outcome == addrs.Match:
				if err != nil {
					t.Error(err)
				}
			case !strings.Contains(err.Error(), ": p: "):
				t.Errorf("the package is not named: %v", err)
			case errors.Is(err, addrs.ErrMismatch) != (tt.outcome == addrs.Mismatch),
				errors.Is(err, addrs.ErrNotVerifiable) != (tt.outcome == addrs.NotVerifiable):
				t.Errorf("got error %v", err)
			}
		})
	}
	if v := checksum.Verify(nil, hashes("h1:x")); v.Verdict != addrs.NotVerifiable || v.Err() == nil {
		t.Errorf("a nil package: %+v", v)
	}
	err := checksum.Verify(dir, hashes("zh:x q9:y zh:z")).Err()
	if want := `package cannot be verified: p: the package has no hash of the wanted schemes ("zh", "q9")`; err.Error() != want {
		t.Errorf("got %v", err)
	}
}

func hashes(text string) []checksum.Hash {
	var all []checksum.Hash
	for _, h := range strings.Fields(text) {
		all = append(all, checksum.Hash(h))
	}
	return all
}

func join(hashes []checksum.Hash) string {
	var all []string
	for _, h := range hashes {
		all = append(all, h.String())
	}
	return strings.Join(all, " ")
}

func TestPackageHashes(t *testing.T) {
	p, err := hashBytes(t, checksum.Hasher{}, buildZip(t, file{name: "d/"}))
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Hashes(); len(got) != 2 || got[0] != p.Extracted || got[1] != p.ZH {
		t.Errorf("got %v", got)
	}
	if w := p.Warnings[0].String(); w != `entry "d/": entry for a directory` {
		t.Errorf("got %s", w)
	}
	dir := &checksum.Package{H1: p.H1, Extracted: p.H1}
	if got := dir.Hashes(); len(got) != 1 || got[0] != p.H1 || dir.FormsDiffer() {
		t.Errorf("got %v", got)
	}
}

// Computed has all that there is to compare, the recorded one first, and so
// every hash that Verify finds.
func TestPackageComputed(t *testing.T) {
	for _, tt := range []struct {
		name string
		p    checksum.Package
		want string
	}{
		{"zip", checksum.Package{Zip: true, H1: "h1:a", Extracted: "h1:a", ZH: "zh:c"}, "h1:a zh:c"},
		{"two h1", checksum.Package{Zip: true, H1: "h1:a", Extracted: "h1:b", ZH: "zh:c"}, "h1:b h1:a zh:c"},
		{"cannot be extracted", checksum.Package{Zip: true, H1: "h1:a", ZH: "zh:c"}, "h1:a zh:c"},
		{"directory", checksum.Package{H1: "h1:a", Extracted: "h1:a"}, "h1:a"},
		{"zero", checksum.Package{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tt.p.Computed()
			if join(got) != tt.want {
				t.Errorf("got %v", got)
			}
			for _, h := range got {
				if v := checksum.Verify(&tt.p, []checksum.Hash{h}); v.Verdict != addrs.Match {
					t.Errorf("%s: %v", h, v.Verdict)
				}
			}
			for _, h := range tt.p.Hashes() {
				if !slices.Contains(got, h) {
					t.Errorf("%s is among the recorded hashes alone", h)
				}
			}
		})
	}
}
