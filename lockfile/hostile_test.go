// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/lockfile"
)

// The tests of this file have inputs that are large in one way. They are about
// work that grows with the square of its input: then they would not end.

func TestHostileParse(t *testing.T) {
	block := "provider \"ex.com/a/b\" { /* ü */\nversion = \"1\" /* é */\nconstraints = \"1\"\nhashes = [\"x\", /* é */ \"y\"]\n}\n"
	for _, unit := range []string{
		";", "{", "a=", "\xff", "[", "\"", "'", "@", "${", "<<a\n", "#é\n", "/*é*/", "\u0301", "a{}\n", "a b\n", "provider \"é\" {}\n", "=======\n", "<<<<<<< a\n", block,
	} {
		src := strings.Repeat(unit, depth.Of(10_000, 60_000, 60_000)/len(unit))
		f, _ := lockfile.Parse("x", []byte(src))
		f.Deviations(addrs.OpenTofu)
		for _, b := range f.Blocks() {
			b.Comments()
			b.LeadComments()
		}
		if _, _, err := lockfile.Resolve("x", []byte(src)); err == nil && f.Err() != nil {
			t.Errorf("%q: resolved", unit)
		}
	}
	list := func(n int, element string) string {
		return "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [" + strings.Repeat(element, n) + "]\n}\n"
	}
	for _, element := range []string{"\"x\",", "\"h1:é\",", "\"h1:a\",", "/*é*/", "\"h1:a\",#é\n", "5,"} {
		f, _ := lockfile.Parse("x", []byte(list(depth.Of(2_000, 10_000, 10_000), element)))
		f.Deviations(addrs.OpenTofu)
		for _, b := range f.Blocks() {
			b.Comments()
		}
	}
	// Too much for the HCL parser is refused before it.
	_, err := lockfile.Parse("x", []byte(strings.Repeat("a=", lockfile.MaxSize/2)))
	if !errors.Is(err, lockfile.ErrLimit) || !errors.Is(err, lockfile.ErrSyntax) {
		t.Errorf("got %v", err)
	}
	// A literal of many digits is refused before the parser computes its value.
	for _, number := range []string{"1" + strings.Repeat("0", 1_000_000), "0." + strings.Repeat("3", 1_000_000), strings.Repeat("9", 400), "1e400", "1e-100000000"} {
		src := "provider \"ex.com/a/b\" {\n  version = " + number + "\n}\n"
		f, err := lockfile.Parse("x", []byte(src))
		if err == nil || len(err.Error()) > 500 || string(f.Bytes()) != src {
			t.Errorf("%.10s: %v", number, err)
		}
		if d := f.Diagnostics()[0]; d.Subject.Start.Line != 2 && d.Subject.End.Line != 2 {
			t.Errorf("%.10s: the place is %v", number, d.Subject)
		}
	}
	// In a string or a comment it is no number.
	if _, err := lockfile.Parse("x", []byte("# "+strings.Repeat("1", 5000)+"\nprovider \"ex.com/a/b\" {\n  version = 1\n}\n")); err == nil || errors.Is(err, lockfile.ErrLimit) {
		t.Errorf("got %v", err)
	}
	// The machine's shape is read at that size.
	if _, err := lockfile.Parse("x", []byte(strings.Repeat("\n", lockfile.MaxSize-100)+simple("ex.com/a/b"))); err != nil {
		t.Error(err)
	}
}

func TestHostileMerge(t *testing.T) {
	const n = 20_000
	side := func(name string, gap string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "\"h1:%s%d\",%s", name, i, gap)
		}
		return b.String()
	}
	for _, gap := range []string{"", "\n"} {
		src := "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n<<<<<<< a\n" + side("a", gap) + "\n=======\n" + side("b", gap) + "\n>>>>>>> b\n  ]\n}\n"
		f, conflicts, err := lockfile.Resolve("x", []byte(src))
		if err != nil || len(conflicts) != 0 {
			t.Fatal(err, conflicts)
		}
		l := f.Locks()[0]
		if len(l.Hashes) != 2*n {
			t.Errorf("%d hashes", len(l.Hashes))
		}
		if err := setHashes(f, l.Provider, "h1:a0", "h1:new"); err != nil {
			t.Fatal(err)
		}
		if err := f.AddHashes(l.Provider, l.Hashes...); err != nil {
			t.Fatal(err)
		}
		if err := removeHashes(f, l.Provider, l.Hashes...); err != nil {
			t.Fatal(err)
		}
		l.Coverage(lockfile.Package{Hashes: l.Hashes})
	}

	var l lockfile.Locks
	var providers []addrs.Provider
	for i := range n {
		p := addrs.MustParseProvider(fmt.Sprintf("ex.com/a/b%d", i))
		providers = append(providers, p)
		l = append(l, lockfile.Lock{Provider: p, Version: version("1.0.0")})
	}
	f := lockfile.New("x", addrs.OpenTofu)
	if err := f.Set(l[:n/2]...); err != nil {
		t.Fatal(err)
	}
	if err := f.Set(l...); err != nil {
		t.Fatal(err)
	}
	if !f.IsCanonical(addrs.OpenTofu) {
		t.Error("not canonical")
	}
	if err := f.Remove(providers[1:]...); err != nil {
		t.Fatal(err)
	}
	if string(f.Bytes()) != string(l[:1].Canonical(addrs.OpenTofu)) {
		t.Errorf("got %s", f.Bytes())
	}
	if got := l.Keep(providers...); len(got) != n {
		t.Error("Keep lost something")
	}
}
