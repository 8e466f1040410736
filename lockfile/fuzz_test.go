// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

func seed(f *testing.F) {
	for _, src := range fixtures(f) {
		f.Add(src, uint(0))
	}
	for _, test := range diagnosticTests {
		f.Add([]byte(test.src), uint(1))
	}
	for i, test := range editTests {
		f.Add([]byte(test.before), uint(i))
	}
}

// FuzzParse requires of any bytes: they come back; the canonical form loads
// without error, means the same, and is its own canonical form.
func FuzzParse(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte, _ uint) {
		file, err := lockfile.Parse("x", src)
		if string(file.Bytes()) != string(src) {
			t.Fatalf("not lossless: %q", file.Bytes())
		}
		for _, d := range file.Diagnostics() {
			if s := d.Subject; s.Start.Offset > s.End.Offset || s.End.Offset > int64(len(src)) || s.Start.Line < 1 || s.Start.Column < 1 {
				t.Errorf("bad range in %v", d)
			}
		}
		for _, b := range file.Blocks() {
			for _, r := range []addrs.Range{b.Range(), b.RangeOf("version"), b.RangeOf("constraints")} {
				if r.Start.Offset > r.End.Offset || r.End.Offset > int64(len(src)) {
					t.Errorf("bad range %v in %q", r, src)
				}
			}
			for _, c := range append(b.LeadComments(), b.Comments()...) {
				if got := string(src[c.Range.Start.Offset:c.Range.End.Offset]); got != c.Text {
					t.Errorf("comment %q has the range of %q", c.Text, got)
				}
			}
		}
		if canonical := file.IsCanonical(addrs.OpenTofu); canonical != (len(file.Deviations(addrs.OpenTofu)) == 0) {
			t.Errorf("canonical %v, but deviations %v", canonical, file.Deviations(addrs.OpenTofu))
		}
		if err != nil {
			return
		}
		canonical := file.Canonical(addrs.OpenTofu)
		again, err := lockfile.Parse("y", canonical)
		if err != nil {
			t.Fatalf("the canonical form of %q does not load: %v\n%s", src, err, canonical)
		}
		if string(again.Canonical(addrs.OpenTofu)) != string(canonical) || !again.IsCanonical(addrs.OpenTofu) {
			t.Errorf("not stable:\n%s", canonical)
		}
		if changes := lockfile.Diff(file.Locks(), again.Locks()); len(changes) != 0 {
			t.Errorf("the canonical form means something else:\n%s", changes)
		}
		if again.Rewrites() != nil {
			t.Errorf("tofu would rewrite the canonical form: %v", again.Rewrites())
		}
	})
}

// FuzzEdit edits any file that can be edited, and requires that the edit is
// done, that all other blocks are untouched, and that undoing an addition gives
// the old bytes back.
func FuzzEdit(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, src []byte, n uint) {
		file, err := lockfile.Parse("x", src)
		if errors.Is(err, lockfile.ErrSyntax) {
			if err := file.Set(lockfile.Lock{Provider: null, Version: version("1.0.0")}); !errors.Is(err, lockfile.ErrSyntax) {
				t.Errorf("edit of a broken file: %v", err)
			}
			return
		}
		texts := func() map[addrs.Provider]string {
			m := make(map[addrs.Provider]string)
			for _, b := range file.Blocks() {
				m[b.Provider()] += b.Text()
			}
			return m
		}
		target := lockfile.Lock{Provider: null, Version: version("9.8.7"), Constraints: constraints("~> 9.8"), Hashes: []lockfile.Hash{"h1:new", "zh:new", "zz:new"}}
		if blocks := file.Blocks(); len(blocks) > 0 {
			if p := blocks[n%uint(len(blocks))].Provider(); p.IsValid() {
				target.Provider = p
			}
		}
		existed := file.Block(target.Provider) != nil
		before := texts()
		for step, edit := range []func() error{
			func() error { return file.Set(target) },
			func() error { return file.AddHashes(target.Provider, "h1:more", "a:more") },
			func() error { return removeHashes(file, target.Provider, "h1:new", "zh:new", "nothing:x") },
			func() error { return setConstraintsOf(file, target.Provider, addrs.Constraints{}) },
			func() error { return file.SetVersion(target.Provider, version("1.0.0-rc.1")) },
			func() error { return setHashes(file, target.Provider) },
			func() error { return setConstraintsOf(file, target.Provider, constraints("< 2.0")) },
			func() error { return file.AddHashes(target.Provider, "h1:a") },
		} {
			if err := edit(); err != nil {
				if errors.Is(err, lockfile.ErrLayout) && string(file.Bytes()) != string(src) && step == 0 {
					t.Errorf("a failed edit changed %q to %q", src, file.Bytes())
				}
				return
			}
			after := texts()
			delete(before, target.Provider)
			for p, text := range before {
				if after[p] != text {
					t.Fatalf("step %d changed the block of %s in\n%s\nfrom\n%s", step, p, src, file.Bytes())
				}
			}
			if len(after) != len(before)+1 {
				t.Fatalf("step %d: %d blocks instead of %d", step, len(after), len(before)+1)
			}
		}
		want := lockfile.Lock{Provider: target.Provider, Version: version("1.0.0-rc.1"), Constraints: constraints("< 2.0"), Hashes: []lockfile.Hash{"h1:a"}}
		if got := file.Block(target.Provider).Lock(); !got.Equal(want) {
			t.Errorf("got %v, want %v", got, want)
		}
		if err := file.Remove(target.Provider); err != nil && !errors.Is(err, lockfile.ErrLayout) {
			t.Error(err)
		}
		if !existed && file.Block(target.Provider) == nil {
			if withoutEmptyLines(file.Bytes()) != withoutEmptyLines(src) {
				t.Errorf("adding and removing a block changed\n%q\nto\n%q", src, file.Bytes())
			}
		}
	})
}

// withoutEmptyLines returns text without lines of nothing but white space and
// without the final end of line.
func withoutEmptyLines(text []byte) string {
	var lines []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// FuzzConflict takes files with conflict markers apart and merges the sides.
func FuzzConflict(f *testing.F) {
	for _, test := range resolveTests {
		f.Add([]byte(test.src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		sides, err := lockfile.SplitConflict("x", src)
		if err != nil {
			return
		}
		if len(sides.Ours) > len(src) || len(sides.Theirs) > len(src) {
			t.Error("a side is longer than the file")
		}
		file, conflicts, err := lockfile.Resolve("x", src)
		if err != nil {
			return
		}
		if err := file.Err(); err != nil {
			t.Errorf("the merge of %q has errors: %v", src, err)
		}
		ours, _ := lockfile.Parse("x", sides.Ours)
		theirs, _ := lockfile.Parse("x", sides.Theirs)
		merged := file.Locks()
		for _, l := range append(ours.Locks(), theirs.Locks()...) {
			m, ok := merged.Get(l.Provider)
			if !ok || m.Version != l.Version {
				continue
			}
			for _, h := range l.Hashes {
				if v := m.Verify(h); h.IsPreferred() && v.Verdict != addrs.Match {
					t.Errorf("the merge lost %s: %v", h, conflicts)
				}
			}
		}
	})
}
