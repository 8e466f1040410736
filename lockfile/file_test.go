// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

var (
	null   = addrs.MustParseProvider("registry.opentofu.org/hashicorp/null")
	random = addrs.MustParseProvider("registry.opentofu.org/hashicorp/random")
	widget = addrs.MustParseProvider("registry.opentofu.org/acme/widget")
)

func version(s string) addrs.Version         { return addrs.MustParseVersion(s) }
func constraints(s string) addrs.Constraints { return addrs.MustParseConstraints(s) }

// parse reads a text that must be without errors.
func parse(t testing.TB, src string) *lockfile.File {
	t.Helper()
	f, err := lockfile.Parse(lockfile.Name, []byte(src))
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return f
}

const commented = "\ufeff# heading\n" +
	"# of the file\n" +
	"\n" +
	"// about b\n" +
	"/* still */\n" +
	"provider \"ex.com/a/b\" { # open\n" +
	"\t/* ü */ version = \"1.0.0\" // v\n" +
	"  # c\n" +
	"  constraints /* d */ = /* e */ \"~> 1.0\"\n" +
	"  hashes = [ # f\n" +
	"    /* g */ \"h1:a\" /* h */, # i\n" +
	"    # j\n" +
	"    \"zh:b\"\n" +
	"    # k\n" +
	"  ] # l\n" +
	"  # m\n" +
	"} # n\n" +
	"\n" +
	"# alone\n"

func TestBlock(t *testing.T) {
	f := parse(t, commented)
	p := addrs.MustParseProvider("ex.com/a/b")
	b := f.Block(p)
	if b == nil || len(f.Blocks()) != 1 || f.Blocks()[0] != b {
		t.Fatalf("Block = %v, Blocks = %v", b, f.Blocks())
	}
	if f.Block(null) != nil || f.Block(addrs.Provider{}) != nil {
		t.Error("found a block that is not there")
	}
	want := lockfile.Lock{Provider: p, Version: version("1.0.0"), Constraints: constraints("~> 1.0"), Hashes: []lockfile.Hash{"h1:a", "zh:b"}}
	if !b.Lock().Equal(want) || b.Provider() != p || b.Version() != want.Version || b.Constraints() != want.Constraints {
		t.Errorf("Lock = %v", b.Lock())
	}
	if b.Label() != "ex.com/a/b" {
		t.Errorf("label %q", b.Label())
	}
	ranges := []struct {
		name string
		got  addrs.Range
		text string
		at   string
	}{
		{"block", b.Range(), b.Text(), "x:6,1-17,2"},
		{"version", b.RangeOf("version"), `"1.0.0"`, "x:7,20-27"}, // ü is one column and two bytes
		{"constraints", b.RangeOf("constraints"), `"~> 1.0"`, "x:9,33-41"},
		{"hash", b.RangeOf("zh:b"), `"zh:b"`, "x:13,5-11"},
	}
	for _, r := range ranges {
		text := commented[r.got.Start.Offset:r.got.End.Offset]
		r.got.Filename = "x"
		if text != r.text || r.got.String() != r.at {
			t.Errorf("%s: %s %q, want %s %q", r.name, r.got, text, r.at, r.text)
		}
	}
	if b.RangeOf("h1:none").IsValid() {
		t.Error("a hash that is not there has a range")
	}
}

func TestComments(t *testing.T) {
	b := parse(t, commented).Blocks()[0]
	var got []string
	for _, c := range b.LeadComments() {
		got = append(got, c.Text)
	}
	got = append(got, "|")
	for _, c := range b.Comments() {
		text := c.Text
		if c.Hash != "" {
			text += " of " + string(c.Hash)
		}
		got = append(got, text)
		if r := c.Range; commented[r.Start.Offset:r.End.Offset] != c.Text {
			t.Errorf("comment %q has the range of %q", c.Text, commented[r.Start.Offset:r.End.Offset])
		}
	}
	want := []string{"// about b", "/* still */", "|", "# open", "/* ü */", "// v", "# c", "/* d */", "/* e */", "# f", "/* g */",
		"/* h */ of h1:a", "# i of h1:a", "# j", "# k", "# l", "# m", "# n"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestColumns compares our places on lines beyond ASCII with those of the HCL
// scanner, which counts clusters within tokens.
func TestColumns(t *testing.T) {
	f, _ := lockfile.Parse("x", []byte("provider \"bu\u0308cher.example/a/e\u0301\" { version = \"\u0301x\" }\n"))
	b := f.Blocks()[0]
	if got := b.RangeOf("version").String(); got != "x:1,43-47" {
		t.Errorf("version at %s", got)
	}
}

func TestPartial(t *testing.T) {
	f, err := lockfile.Parse("x", []byte(`
provider "aws" {
  version = "1.0.0"
}
provider "ex.com/a/b" {
  version     = "v1"
  constraints = ">=1"
  hashes      = ["h1:a", "bad", "zh:b"]
}
provider "ex.com/a/b" {
  version = "2.0.0"
}
provider "ex.com/a/c" {
  version = "1.0.0"
`))
	if !errors.Is(err, lockfile.ErrSyntax) {
		t.Errorf("got %v", err)
	}
	want := lockfile.Locks{
		{Provider: addrs.MustParseProvider("ex.com/a/b"), Hashes: []lockfile.Hash{"h1:a", "zh:b"}},
		{Provider: addrs.MustParseProvider("ex.com/a/c"), Version: version("1.0.0")},
	}
	got := f.Locks()
	if len(got) != 2 || !got[0].Equal(want[0]) || !got[1].Equal(want[1]) {
		t.Errorf("got %v", got)
	}
	if len(f.Blocks()) != 4 || f.Blocks()[0].Provider().IsValid() {
		t.Errorf("blocks: %v", f.Blocks())
	}
	if canonical := string(f.Canonical(addrs.Terraform)); !strings.Contains(canonical, "\"terraform init\"") || !strings.Contains(canonical, `"0.0.0"`) {
		t.Errorf("canonical:\n%s", canonical)
	}
}

func TestNew(t *testing.T) {
	for _, tool := range []addrs.Tool{addrs.OpenTofu, addrs.Terraform} {
		f := lockfile.New("x", tool)
		if got := f.Tool(); got != tool || !f.IsCanonical(tool) || len(f.Locks()) != 0 || f.Filename() != "x" {
			t.Errorf("%v: %q", tool, f.Bytes())
		}
		lock := lockfile.Lock{Provider: null, Version: version("3.2.4"), Hashes: []lockfile.Hash{"zh:b", "h1:a", "zh:b"}}
		other := lockfile.Lock{Provider: random, Version: version("3.8.1"), Constraints: constraints("~> 3.8")}
		if err := f.Set(other, lock); err != nil {
			t.Fatal(err)
		}
		want := lockfile.Locks{lock, other}.Canonical(tool)
		if string(f.Bytes()) != string(want) {
			t.Errorf("got\n%s\nwant\n%s", f.Bytes(), want)
		}
	}
	if parse(t, "# x\n").Tool() != "" {
		t.Error("not a header")
	}
}

func TestHash(t *testing.T) {
	tests := []struct {
		hash             lockfile.Hash
		scheme           addrs.HashScheme
		value            string
		valid, preferred bool
	}{
		{"h1:abc=", "h1", "abc=", true, true},
		{"zh:", "zh", "", true, true},
		{"q9:a:b", "q9", "a:b", true, false},
		{"h1", "", "", false, false},
		{":x", "", "x", false, false},
		{"", "", "", false, false},
	}
	for _, test := range tests {
		h := test.hash
		if h.Scheme() != test.scheme || h.Value() != test.value || h.IsValid() != test.valid || h.IsPreferred() != test.preferred {
			t.Errorf("%q: %q %q %v %v", h, h.Scheme(), h.Value(), h.IsValid(), h.IsPreferred())
		}
	}
	// The order of tofu is that of bytes.
	got := lockfile.UnionHashes([]lockfile.Hash{"zh:0", "h1:a", "h1:B"}, []lockfile.Hash{"h1:/", "h1:+", "h1:9", "zh:0"})
	if d := cmp.Diff([]lockfile.Hash{"h1:+", "h1:/", "h1:9", "h1:B", "h1:a", "zh:0"}, got); d != "" {
		t.Error(d)
	}
}

func TestLocks(t *testing.T) {
	l := lockfile.Locks{
		{Provider: random, Version: version("1.0.0"), Hashes: []lockfile.Hash{"zh:a", "h1:a"}},
		{Provider: null, Version: version("1.0.0")},
		{Provider: random, Version: version("2.0.0")},
	}
	got, ok := l.Get(random)
	if !ok || got.Version != version("1.0.0") {
		t.Errorf("Get = %v, %v", got, ok)
	}
	if _, ok := l.Get(widget); ok {
		t.Error("Get found a lock that is not there")
	}
	normal := l.Normal()
	if len(normal) != 2 || normal[0].Provider != null || normal[1].Hashes[0] != "h1:a" {
		t.Errorf("Normal = %v", normal)
	}
	clone := l.Clone()
	clone[0].Hashes[0] = "h1:z"
	if l[0].Hashes[0] != "zh:a" {
		t.Error("Clone or Normal shares hashes with the original")
	}
}

func TestDeviations(t *testing.T) {
	const header = "# This file is maintained automatically by \"tofu init\".\n# Manual edits may be lost in future updates.\n"
	block := simple("ex.com/a/b")
	tests := []struct {
		name, src string
		want      []string
		rewrites  int
	}{
		{"canonical", header + "\n" + block, nil, 0},
		{"no header", block, []string{"1,1 header"}, 0},
		{"other tool", strings.Replace(header, "tofu", "terraform", 1) + "\n" + block, []string{"1,1 header"}, 0},
		{"empty", "", []string{"1,1 header"}, 0},
		{"error", header + "\nprovider \"x\" {\n}\n", []string{"4,10 error"}, 0},
		{"byte order mark", "\ufeff" + header, []string{"1,1 layout"}, 0},
		{"CRLF", strings.ReplaceAll(header+"\n"+block, "\n", "\r\n"), []string{"1,1 layout"}, 0},
		{"no end", strings.TrimSuffix(header+"\n"+block, "\n"), []string{"6,2 layout"}, 0},
		{"empty line", header + "\n\n" + block, []string{"1,1 layout"}, 0},
		{"layout", header + "\nprovider \"ex.com/a/b\" { version = \"1.0.0\" }\n", []string{"4,1 layout"}, 0},
		{"order", header + "\n" + simple("ex.com/a/b") + "\n" + simple("ex.com/a/a"), []string{"8,1 block order"}, 0},
		{"comments", header + "# more\n\n# lead\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\" # in\n}\n# alone\n", []string{"3,1 comment", "5,1 comment", "7,21 comment", "9,1 comment"}, 0},
		{"module", header + "\nmodule \"x\" {\n # y\n}\n", []string{"1,1 layout"}, 0},
		{
			"hashes", header + "\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"zh:a\",\n    \"h1:a\",\n    \"zh:a\",\n  ]\n}\n",
			[]string{"6,12 hash order", "9,5 duplicate hash"}, 2,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			f, _ := lockfile.Parse("x", []byte(test.src))
			var got []string
			rewrites := 0
			for _, d := range f.Deviations(addrs.OpenTofu) {
				got = append(got, fmt.Sprintf("%d,%d %s", d.Subject.Start.Line, d.Subject.Start.Column, d.Kind))
				if d.Rewrite {
					rewrites++
				}
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
			if rewrites != test.rewrites || len(f.Rewrites()) != test.rewrites {
				t.Errorf("%d rewrites, want %d", rewrites, test.rewrites)
			}
			if f.IsCanonical(addrs.OpenTofu) != (test.want == nil) {
				t.Error("IsCanonical does not agree")
			}
		})
	}
}

// TestConcurrentReads lets the race detector look.
func TestConcurrentReads(t *testing.T) {
	f := parse(t, commented)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			f.Bytes()
			f.Locks()
			f.Deviations(addrs.Terraform)
			for _, b := range f.Blocks() {
				b.Range()
				b.Comments()
			}
			if err := f.Clone().AddHashes(f.Blocks()[0].Provider(), "h1:x"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
