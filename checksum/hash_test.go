// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum_test

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/checksum"
)

const (
	goodH1 = "h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesk="
	goodZH = "zh:7e9a81c1d77ffe5ff461b1ea5abc67edb1484b2faec703c29cf2638e962f78a6"
)

var hashTests = []struct {
	text   string
	scheme checksum.Scheme
	value  string
	digest bool
}{
	{goodH1, checksum.H1, goodH1[3:], true},
	{goodZH, checksum.ZH, goodZH[3:], true},
	{"zh:" + strings.ToUpper(goodZH[3:]), checksum.ZH, strings.ToUpper(goodZH[3:]), false},
	{"zh:" + goodZH[4:], checksum.ZH, goodZH[4:], false},
	{"zh:" + goodH1[3:], checksum.ZH, goodH1[3:], false},
	{"zh:ZZ", checksum.ZH, "ZZ", false},
	{"h1:", checksum.H1, "", false},
	{"h1:" + goodH1[3:46], checksum.H1, goodH1[3:46], false}, // no padding
	{"h1:xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesl=", checksum.H1, "xULs+l4jrMyt60GIZwYIw7bhbzwK3CkR1JyTboQZesl=", false}, // stray bits
	{"h1:xULs+l4jrMyt60GIZwYIw7b\nhbzwK3CkR1JyTboQZesk=", checksum.H1, "xULs+l4jrMyt60GIZwYIw7b\nhbzwK3CkR1JyTboQZesk=", false},
	{"H1:" + goodH1[3:], "H1", goodH1[3:], false},
	{"q9:x:y", "q9", "x:y", false},
	{" :", " ", "", false},
	{"\xff:\x00", "\xff", "\x00", false},
}

func TestParseHash(t *testing.T) {
	for _, tt := range hashTests {
		h, err := checksum.ParseHash(tt.text)
		if err != nil {
			t.Errorf("%q: %v", tt.text, err)
			continue
		}
		if h.String() != tt.text || !h.IsValid() || h.Scheme() != tt.scheme || h.Value() != tt.value {
			t.Errorf("%q gives %q, scheme %q, value %q", tt.text, h, h.Scheme(), h.Value())
		}
		if _, ok := h.Digest(); ok != tt.digest {
			t.Errorf("%q: digest %v, want %v", tt.text, ok, tt.digest)
		}
		checkHash(t, h)
	}
	for _, text := range []string{"", ":", ":h1", "h1", strings.Repeat("x", 1000)} {
		h, err := checksum.ParseHash(text)
		var e *checksum.Error
		if h.IsValid() || !errors.As(err, &e) || !errors.Is(err, checksum.ErrScheme) || e.Input != text || len(err.Error()) > 400 {
			t.Errorf("%q gives %q, %v", text, h, err)
		}
	}
	func() {
		defer func() {
			if recover() == nil {
				t.Error("MustParseHash does not panic")
			}
		}()
		checksum.MustParseHash("x")
	}()
}

// checkHash checks the laws of a Hash.
func checkHash(t *testing.T, h checksum.Hash) {
	t.Helper()
	if h.IsValid() && checksum.MustParseHash(h.String()) != h {
		t.Errorf("%q does not come back from its text", h)
	}
	text, err := h.MarshalText()
	var back checksum.Hash
	if err != nil || back.UnmarshalText(text) != nil || back != h {
		t.Errorf("%q does not come back from MarshalText", h)
	}
	if b, err := h.AppendText([]byte("x")); err != nil || string(b) != "x"+h.String() {
		t.Errorf("AppendText gives %q, %v", b, err)
	}
	if sum, ok := h.Digest(); ok && (h.Scheme() != checksum.H1 || checksum.NewH1(sum) != h) && (h.Scheme() != checksum.ZH || checksum.NewZH(sum) != h) {
		t.Errorf("%q does not come back from its digest", h)
	}
	if h.Compare(h) != 0 {
		t.Errorf("%q differs from itself", h)
	}
}

func FuzzHash(f *testing.F) {
	for _, tt := range hashTests {
		f.Add(tt.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		h, err := checksum.ParseHash(text)
		if (err == nil) != (strings.Index(text, ":") > 0) || err == nil && h.String() != text {
			t.Errorf("%q gives %q, %v", text, h, err)
		}
		checkHash(t, h)
	})
}

func TestHashOrder(t *testing.T) {
	// As in a lock file: "+", "/", digits, upper case, lower case.
	want := []string{"h1:+", "h1:/", "h1:0", "h1:A", "h1:a", "zh:0", "zh:a"}
	var hashes []checksum.Hash
	for _, i := range []int{4, 6, 0, 3, 2, 5, 1} {
		hashes = append(hashes, checksum.MustParseHash(want[i]))
	}
	slices.SortFunc(hashes, checksum.Hash.Compare)
	var got []string
	for _, h := range hashes {
		got = append(got, h.String())
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestHashJSON(t *testing.T) {
	type entry struct {
		Hashes []checksum.Hash `json:"hashes"`
	}
	src := `{"hashes":["` + goodZH + `","q9:x",""]}`
	var e entry
	if err := json.Unmarshal([]byte(src), &e); err != nil {
		t.Fatal(err)
	}
	if out, err := json.Marshal(e); err != nil || string(out) != src {
		t.Errorf("got %s, %v", out, err)
	}
	if err := json.Unmarshal([]byte(`{"hashes":["x"]}`), &e); !errors.Is(err, checksum.ErrScheme) {
		t.Errorf("got %v", err)
	}
}

func TestPreferredHashes(t *testing.T) {
	in := []checksum.Hash{
		checksum.MustParseHash("q9:x"), checksum.MustParseHash(goodZH), checksum.MustParseHash("h1:"),
		checksum.MustParseHash("H1:x"), checksum.MustParseHash(goodZH), {},
	}
	before := slices.Clone(in)
	got := checksum.PreferredHashes(in)
	if !slices.Equal(got, []checksum.Hash{in[1], in[2], in[4]}) || !slices.Equal(in, before) {
		t.Errorf("got %v", got)
	}
}
