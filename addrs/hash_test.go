// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

const (
	emptyH1 = "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
	emptyZH = "zh:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
)

var hashTests = []struct {
	name, in  string
	ok        bool
	off       int64 // of the error
	scheme    addrs.HashScheme
	value     string
	preferred bool
}{
	{name: "h1", in: emptyH1, ok: true, scheme: addrs.SchemeH1, value: emptyH1[3:], preferred: true},
	{name: "zh", in: emptyZH, ok: true, scheme: addrs.SchemeZH, value: emptyZH[3:], preferred: true},
	{name: "no value", in: "h1:", ok: true, scheme: "h1", preferred: true},
	{name: "another scheme", in: "sha512:00", ok: true, scheme: "sha512", value: "00"},
	{name: "upper-case scheme", in: "H1:x", ok: true, scheme: "H1", value: "x"},
	{name: "scheme that begins like one", in: "h10:x", ok: true, scheme: "h10", value: "x"},
	{name: "two colons", in: "zh:a:b", ok: true, scheme: "zh", value: "a:b", preferred: true},
	{name: "not UTF-8", in: "\xff:\x00", ok: true, scheme: "\xff", value: "\x00"},
	{name: "empty"},
	{name: "no colon", in: "h1", off: 2},
	{name: "no scheme", in: ":abc", value: "abc"},
	{name: "only a colon", in: ":"},
}

func TestHash(t *testing.T) {
	for _, tt := range hashTests {
		t.Run(tt.name, func(t *testing.T) {
			parsed, ok := checkParse(t, addrs.ParseHash, tt.in)
			if ok != tt.ok {
				t.Fatalf("parsed: %v, want %v", ok, tt.ok)
			}
			// A lock file may hold what cannot be parsed.
			h := addrs.Hash(tt.in)
			if ok && parsed != h {
				t.Errorf("parsed as %q", parsed)
			}
			if h.IsValid() != tt.ok || h.String() != tt.in {
				t.Errorf("valid: %v, string %q", h.IsValid(), h.String())
			}
			if h.Scheme() != tt.scheme || h.Value() != tt.value || h.IsPreferred() != tt.preferred {
				t.Errorf("got scheme %q, value %q, preferred %v", h.Scheme(), h.Value(), h.IsPreferred())
			}
			_, err := addrs.ParseHash(tt.in)
			var e *addrs.Error
			if errors.As(err, &e) && (e.Kind != "package hash" || e.Offset != tt.off) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Sorting by Compare is sorting by text, which is what lock files do.
func TestHash_order(t *testing.T) {
	want := []addrs.Hash{"", "H1:a", emptyH1, "h1:a", "h1:b", "zh:A", "zh:a", emptyZH}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, addrs.Hash.Compare)
	if !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

// In JSON a Hash is a string; a string that is not a hash is an error.
func TestHash_json(t *testing.T) {
	type report struct {
		Hashes []addrs.Hash          `json:"hashes"`
		By     map[addrs.Hash]string `json:"by"`
	}
	const in = `{"hashes":["h1:a","","zh:b"],"by":{"h1:a":"x"}}`
	var r report
	if err := json.Unmarshal([]byte(in), &r); err != nil {
		t.Fatal(err)
	}
	if b, err := json.Marshal(r); err != nil || string(b) != in {
		t.Errorf("got %s, %v", b, err)
	}
	for _, bad := range []string{`{"hashes":["h1"]}`, `{"by":{":a":"x"}}`, `{"hashes":[1]}`} {
		if err := json.Unmarshal([]byte(bad), &r); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
