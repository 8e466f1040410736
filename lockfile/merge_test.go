// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// locks reads a short notation: blocks of "TYPE VERSION [CONSTRAINTS] HASH...",
// separated by semicolons.
func locks(t *testing.T, s string) lockfile.Locks {
	t.Helper()
	var text strings.Builder
	for part := range strings.SplitSeq(s, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		text.WriteString("provider \"ex.com/a/" + words[0] + "\" {\n  version = \"" + words[1] + "\"\n")
		words = words[2:]
		if len(words) > 0 && !strings.Contains(words[0], ":") {
			text.WriteString("  constraints = \"" + strings.ReplaceAll(words[0], "_", " ") + "\"\n")
			words = words[1:]
		}
		if len(words) > 0 {
			text.WriteString("  hashes = [\"" + strings.Join(words, "\", \"") + "\"]\n")
		}
		text.WriteString("}\n")
	}
	return parse(t, text.String()).Locks()
}

func TestMerge(t *testing.T) {
	tests := []struct {
		name               string
		base, ours, theirs string
		want               string
		conflicts          []string
	}{
		{"nothing", "", "", "", "", nil},
		{"no change", "a 1.0.0 h1:a", "a 1.0.0 h1:a", "a 1.0.0 h1:a", "a 1.0.0 h1:a", nil},
		{"both added other platforms", "a 1.0.0 zh:z", "a 1.0.0 h1:a zh:z", "a 1.0.0 h1:b zh:z", "a 1.0.0 h1:a h1:b zh:z", nil},
		{"a lost hash comes back", "a 1.0.0 h1:a h1:b", "a 1.0.0 h1:a h1:b", "a 1.0.0 h1:b", "a 1.0.0 h1:a h1:b", nil},
		{"both added a provider", "", "b 1.0.0 h1:b", "a 1.0.0 h1:a", "a 1.0.0 h1:a; b 1.0.0 h1:b", nil},
		{"both added the same", "", "a 1.0.0 h1:a", "a 1.0.0 h1:b", "a 1.0.0 h1:a h1:b", nil},
		{"both added other versions", "", "a 1.0.0 h1:a", "a 2.0.0 h1:b", "a 1.0.0 h1:a", []string{"ex.com/a/a: ours has version 1.0.0, theirs version 2.0.0"}},
		{"they upgraded", "a 1.0.0 h1:a", "a 1.0.0 h1:a h1:c", "a 2.0.0 ~>_2.0 h1:b", "a 2.0.0 ~>_2.0 h1:b", nil},
		{"we upgraded", "a 1.0.0 h1:a", "a 2.0.0 h1:b", "a 1.0.0 h1:a", "a 2.0.0 h1:b", nil},
		{"both upgraded to the same", "a 1.0.0 h1:a", "a 2.0.0 h1:b", "a 2.0.0 h1:c", "a 2.0.0 h1:b h1:c", nil},
		{"both upgraded to others", "a 1.0.0 h1:a", "a 2.0.0 h1:b", "a 3.0.0 h1:c", "a 2.0.0 h1:b", []string{"ex.com/a/a: ours has version 2.0.0, theirs version 3.0.0"}},
		{"they removed", "a 1.0.0; b 1.0.0", "a 1.0.0 h1:a; b 1.0.0", "b 1.0.0", "b 1.0.0", nil},
		{"we removed", "a 1.0.0", "", "a 1.0.0", "", nil},
		{"they removed what we upgraded", "a 1.0.0", "a 2.0.0", "", "a 2.0.0", []string{"ex.com/a/a: ours has version 2.0.0, theirs no lock"}},
		{"we removed what they upgraded", "a 1.0.0", "", "a 2.0.0", "", []string{"ex.com/a/a: ours has no lock, theirs version 2.0.0"}},
		{"both removed", "a 1.0.0", "", "", "", nil},
		{"they changed constraints", "a 1.0.0 ~>_1.0", "a 1.0.0 ~>_1.0 h1:a", "a 1.0.0 <_2.0.0", "a 1.0.0 <_2.0.0 h1:a", nil},
		{"we changed constraints", "a 1.0.0 ~>_1.0", "a 1.0.0 h1:a", "a 1.0.0 ~>_1.0", "a 1.0.0 h1:a", nil},
		{"both changed constraints", "a 1.0.0", "a 1.0.0 ~>_1.0 h1:a", "a 1.0.0 <_2.0.0 h1:b", "a 1.0.0 ~>_1.0 h1:a h1:b", []string{`ex.com/a/a: ours has the constraints "~> 1.0", theirs "< 2.0.0"`}},
		{"added with other constraints", "", "a 1.0.0 ~>_1.0", "a 1.0.0", "a 1.0.0 ~>_1.0", []string{`ex.com/a/a: ours has the constraints "~> 1.0", theirs ""`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			base, ours, theirs := locks(t, test.base), locks(t, test.ours), locks(t, test.theirs)
			merged, conflicts := lockfile.Merge(base, ours, theirs)
			got, want := string(merged.Canonical(addrs.OpenTofu)), string(locks(t, test.want).Canonical(addrs.OpenTofu))
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			var texts []string
			for _, c := range conflicts {
				texts = append(texts, c.String())
			}
			if d := cmp.Diff(test.conflicts, texts); d != "" {
				t.Error(d)
			}
			// The inputs stay, and the sides can be swapped but for what the
			// conflicts leave.
			if d := cmp.Diff(locks(t, test.ours).Canonical(""), ours.Canonical("")); d != "" {
				t.Error("ours changed", d)
			}
			swapped, swappedConflicts := lockfile.Merge(base, theirs, ours)
			if len(swappedConflicts) != len(conflicts) {
				t.Error("conflicts depend on the side")
			}
			if len(conflicts) == 0 && string(swapped.Canonical(addrs.OpenTofu)) != got {
				t.Error("the merge depends on the side")
			}
		})
	}
}

// resolveTests are files as Git leaves them.
var resolveTests = []struct {
	name      string
	src       string
	want      string
	conflicts int
}{
	{
		"hashes of two platforms",
		"# keep me\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n<<<<<<< HEAD\n    \"h1:a\", # mac\n=======\n    \"h1:b\",\n>>>>>>> topic\n    \"zh:z\",\n  ]\n}\n",
		"# keep me\nprovider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:a\", # mac\n    \"h1:b\",\n    \"zh:z\",\n  ]\n}\n",
		0,
	},
	{
		"two providers added",
		"<<<<<<< HEAD\n" + simple("ex.com/a/b") + "=======\n" + simple("ex.com/a/c") + ">>>>>>> topic\n",
		simple("ex.com/a/b") + "\n" + simple("ex.com/a/c"),
		0,
	},
	{
		"base shown, one side upgraded, other added hash",
		"provider \"ex.com/a/b\" {\r\n<<<<<<< ours\r\n  version = \"1.0.0\"\r\n  hashes = [\"h1:a\", \"h1:x\"]\r\n||||||| base\r\n  version = \"1.0.0\"\r\n  hashes = [\"h1:a\"]\r\n=======\r\n  version = \"2.0.0\"\r\n  hashes = [\"h1:b\"]\r\n>>>>>>> theirs\r\n}\r\n",
		"provider \"ex.com/a/b\" {\r\n  version = \"2.0.0\"\r\n  hashes = [\"h1:b\"]\r\n}\r\n",
		0,
	},
	{
		"base shown, removed by them",
		"<<<<<<< ours\n" + simple("ex.com/a/b") + "||||||| base\n" + simple("ex.com/a/b") + "=======\n>>>>>>> theirs\n" + simple("ex.com/a/c"),
		simple("ex.com/a/c"),
		0,
	},
	{
		"two versions, two conflicts in one block",
		"provider \"ex.com/a/b\" {\n<<<<<<< HEAD\n  version = \"1.0.0\"\n=======\n  version = \"2.0.0\"\n>>>>>>> topic\n  hashes = [\n<<<<<<< HEAD\n    \"h1:a\",\n=======\n    \"h1:b\",\n>>>>>>> topic\n  ]\n}\n",
		"provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:a\",\n  ]\n}\n",
		1,
	},
	{"no conflict", canonicalBlock, canonicalBlock, 0},
	{"no conflict, unsorted", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"zh:a\", \"h1:a\", \"h1:a\"]\n}\n", "provider \"ex.com/a/b\" {\n  version = \"1.0.0\"\n  hashes = [\"zh:a\", \"h1:a\", \"h1:a\"]\n}\n", 0},
}

func TestResolve(t *testing.T) {
	for _, test := range resolveTests {
		t.Run(test.name, func(t *testing.T) {
			_, err := lockfile.Parse("x", []byte(test.src))
			if marked := strings.Contains(test.src, "<<<<<<<"); errors.Is(err, lockfile.ErrConflictMarkers) != marked {
				t.Errorf("Parse says %v", err)
			} else if marked != (err != nil && strings.Contains(err.Error(), "conflict markers")) {
				t.Errorf("the error is %v", err)
			}
			marks := 0
			if broken, _ := lockfile.Parse("x", []byte(test.src)); broken != nil {
				for _, d := range broken.Diagnostics() {
					marks += strings.Count(d.Detail, "conflict markers")
				}
			}
			if (marks == 1) != strings.Contains(test.src, "<<<<<<<") {
				t.Errorf("%d diagnostics mention conflict markers", marks)
			}
			f, conflicts, err := lockfile.Resolve("x", []byte(test.src))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(test.want, string(f.Bytes())); d != "" {
				t.Error(d)
			}
			if len(conflicts) != test.conflicts {
				t.Errorf("conflicts: %v", conflicts)
			}
		})
	}
}

func TestResolveErrors(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"no end", "x\n<<<<<<< a\n=======\n", "lockfile: x:2,1: the conflict that begins here does not end"},
		{"end without beginning", "\n>>>>>>> a\n", "lockfile: x:2,1: the conflict marker >>>>>>> is out of order"},
		{"nested", "<<<<<<< a\n<<<<<<< b\n", "lockfile: x:2,1: the conflict marker <<<<<<< is out of order"},
		{"base twice", "<<<<<<< a\n||||||| b\n||||||| b\n", "lockfile: x:3,1: the conflict marker ||||||| is out of order"},
		{"our side is broken", "<<<<<<< a\nprovider {\n=======\n>>>>>>> b\n", "lockfile: x: our side of the conflict, line 1, column 10: "},
		{"their side is broken", "<<<<<<< a\n=======\nprovider {\n>>>>>>> b\n", "lockfile: x: their side of the conflict, line 1, column 10: "},
		{"the base is broken", "<<<<<<< a\n||||||| b\nprovider {\n=======\n>>>>>>> b\n", "lockfile: x: the base of the conflict, line 1, column 10: "},
	}
	for _, test := range tests {
		_, _, err := lockfile.Resolve("x", []byte(test.src))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.name, err, test.want)
		}
	}
}

func TestMergeFilesErrors(t *testing.T) {
	bad, _ := lockfile.Parse("x", []byte("provider \"ex.com/a/b\" {\n}\n"))
	if _, _, err := lockfile.MergeFiles(nil, parse(t, ""), bad); !errors.Is(err, lockfile.ErrInvalid) {
		t.Errorf("merge of a lock without version: %v", err)
	}
	broken, _ := lockfile.Parse("x", []byte("}"))
	if _, _, err := lockfile.MergeFiles(nil, broken, parse(t, simple("ex.com/a/b"))); !errors.Is(err, lockfile.ErrSyntax) {
		t.Errorf("merge into a broken file: %v", err)
	}
	base := parse(t, simple("ex.com/a/b"))
	odd := parse(t, "/* x\n*/ "+simple("ex.com/a/b"))
	if _, _, err := lockfile.MergeFiles(base, odd, parse(t, "")); !errors.Is(err, lockfile.ErrLayout) {
		t.Errorf("removal of an odd block: %v", err)
	}
}
