// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
)

const (
	goodH1 = "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk="
	goodZH = "zh:7e9a81c1d77ffe5ff461b1ea5abc67edb1484b2faec703c29cf2638e962f78a6"
)

var digestTests = []struct {
	name, text string
	digest     bool
}{
	{"h1", goodH1, true},
	{"zh", goodZH, true},
	{"zh in upper case", "zh:" + strings.ToUpper(goodZH[3:]), false},
	{"short zh", "zh:" + goodZH[4:], false},
	{"zh in Base64", "zh:" + goodH1[3:], false},
	{"h1 in hexadecimal", "h1:" + goodZH[3:], false},
	{"zh with other letters", "zh:ZZ", false},
	{"no value", "h1:", false},
	{"no padding", "h1:" + goodH1[3:46], false},
	{"stray bits", "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesl=", false},
	{"newline", "h1:xULs+l4jrMyt60GIZwYIw7b\nhbzwK3CkR1JyTboQZesk=", false},
	{"scheme in upper case", "H1:" + goodH1[3:], false},
	{"another scheme", "q9:" + goodH1[3:], false},
	{"no scheme", ":" + goodH1[3:], false},
	{"no colon", goodH1[3:], false},
	{"empty", "", false},
}

func TestDigest(t *testing.T) {
	for _, tt := range digestTests {
		t.Run(tt.name, func(t *testing.T) {
			sum, ok := checksum.Digest(checksum.Hash(tt.text))
			if ok != tt.digest {
				t.Errorf("got %v", ok)
			}
			if !ok && sum != [32]byte{} {
				t.Errorf("got %x without a digest", sum)
			}
			checkDigest(t, checksum.Hash(tt.text))
		})
	}
}

// checkDigest checks that a hash with a digest is the only one of its scheme
// that has it.
func checkDigest(t *testing.T, h checksum.Hash) {
	t.Helper()
	sum, ok := checksum.Digest(h)
	if !ok {
		return
	}
	switch h.Scheme() {
	case addrs.SchemeH1:
		if checksum.NewH1(sum) != h {
			t.Errorf("%q does not come back from its digest", h)
		}
	case addrs.SchemeZH:
		if checksum.NewZH(sum) != h {
			t.Errorf("%q does not come back from its digest", h)
		}
	default:
		t.Errorf("%q has a digest", h)
	}
}

func FuzzDigest(f *testing.F) {
	for _, tt := range digestTests {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) { checkDigest(t, checksum.Hash(text)) })
}
