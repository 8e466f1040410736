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

func TestDiff(t *testing.T) {
	tests := []struct {
		name, old, new                  string
		want                            string
		selections, hashes, saved, lost bool
	}{
		{"nothing", "a 1.0.0 h1:a zh:b h1:a", "a 1.0.0 zh:b h1:a", "", false, false, false, false},
		{"added", "", "a 1.0.0 ~>_1.0 h1:a", "+ ex.com/a/a 1.0.0 (~> 1.0), 1 hash\n", true, true, true, false},
		{"removed", "b 1.0.0 h1:a zh:a; a 1.0.0", "a 1.0.0", "- ex.com/a/b 1.0.0, 2 hashes\n", true, true, true, false},
		{"upgraded", "a 1.9.0 ~>_1.0 h1:a", "a 1.10.0 h1:b", "~ ex.com/a/a 1.9.0 -> 1.10.0 (upgraded), 1 hash for 1 hash\n    constraints \"~> 1.0\" -> \"\"\n", true, true, true, false},
		{"downgraded", "a 1.0.0", "a 1.0.0-beta1", "~ ex.com/a/a 1.0.0 -> 1.0.0-beta1 (downgraded), 0 hashes for 0 hashes\n", true, false, true, false},
		{"hashes", "a 1.0.0 h1:b h1:a", "a 1.0.0 h1:c h1:b", "~ ex.com/a/a 1.0.0\n    + h1:c\n    - h1:a\n", false, true, true, true},
		{"hashes gained", "a 1.0.0 h1:b", "a 1.0.0 h1:a h1:b", "~ ex.com/a/a 1.0.0\n    + h1:a\n", false, true, true, false},
		{"constraints", "a 1.0.0", "a 1.0.0 ~>_1.0", "~ ex.com/a/a 1.0.0\n    constraints \"\" -> \"~> 1.0\"\n", false, false, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			changes := lockfile.Diff(locks(t, test.old), locks(t, test.new))
			if d := cmp.Diff(test.want, changes.String()); d != "" {
				t.Error(d)
			}
			if changes.Selections() != test.selections || changes.Hashes() != test.hashes || changes.IsSaved() != test.saved || (len(changes.Lost()) > 0) != test.lost {
				t.Errorf("selections %v, hashes %v, saved %v, lost %v", changes.Selections(), changes.Hashes(), changes.IsSaved(), changes.Lost())
			}
		})
	}
}

func TestVerify(t *testing.T) {
	tests := []struct {
		name     string
		recorded []lockfile.Hash
		computed []lockfile.Hash
		want     addrs.Verdict
		matched  []lockfile.Hash
		err      error
	}{
		{"h1", []lockfile.Hash{"h1:a", "h1:b", "zh:c"}, []lockfile.Hash{"h1:b"}, addrs.Match, []lockfile.Hash{"h1:b"}, nil},
		{"zh", []lockfile.Hash{"h1:other", "zh:c"}, []lockfile.Hash{"h1:b", "zh:c"}, addrs.Match, []lockfile.Hash{"zh:c"}, nil},
		{"both", []lockfile.Hash{"h1:a", "zh:c"}, []lockfile.Hash{"h1:a", "zh:c", "h1:a"}, addrs.Match, []lockfile.Hash{"h1:a", "zh:c"}, nil},
		{"mismatch", []lockfile.Hash{"h1:a", "zh:c"}, []lockfile.Hash{"h1:x", "zh:x"}, addrs.Mismatch, nil, addrs.ErrMismatch},
		{"upper-case zh", []lockfile.Hash{"zh:AB"}, []lockfile.Hash{"zh:ab"}, addrs.Mismatch, nil, addrs.ErrMismatch},
		{"malformed hashes", []lockfile.Hash{"h1:"}, []lockfile.Hash{"h1:x"}, addrs.Mismatch, nil, addrs.ErrMismatch},
		{"zh only, directory", []lockfile.Hash{"zh:c"}, []lockfile.Hash{"h1:x"}, addrs.NotVerifiable, nil, addrs.ErrNotVerifiable},
		{"unknown scheme, even if equal", []lockfile.Hash{"q9:c"}, []lockfile.Hash{"q9:c", "h1:a"}, addrs.NotVerifiable, nil, addrs.ErrNotVerifiable},
		{"no hash recorded", nil, []lockfile.Hash{"h1:x"}, addrs.NotVerifiable, nil, addrs.ErrNotVerifiable},
		{"no hash computed", []lockfile.Hash{"h1:x"}, nil, addrs.NotVerifiable, nil, addrs.ErrNotVerifiable},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := lockfile.Lock{Provider: null, Version: version("1.0.0"), Hashes: test.recorded}.Verify(test.computed...)
			if v.Verdict != test.want || !cmp.Equal(v.Matched, test.matched) || (v.Reason == "") != (v.Verdict == addrs.Match) {
				t.Errorf("got %+v", v)
			}
			if err := v.Err(); !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
				t.Errorf("Err = %v", err)
			}
		})
	}
}

func TestCoverage(t *testing.T) {
	pkg := func(platform string, hashes ...lockfile.Hash) lockfile.Package {
		return lockfile.Package{Platform: addrs.MustParsePlatform(platform), Hashes: hashes}
	}
	all := []lockfile.Package{
		pkg("linux_amd64", "h1:l", "zh:l"),
		pkg("darwin_arm64", "zh:d"),
		pkg("windows_amd64"),
	}
	tests := []struct {
		name     string
		hashes   []lockfile.Hash
		want     string
		complete bool
	}{
		{"nothing", nil, "darwin_arm64: h1 missing, zh missing\nlinux_amd64: h1 missing, zh missing\nwindows_amd64: h1 missing, zh missing\n", false},
		{
			"an h1 of some platform", []lockfile.Hash{"h1:?", "zh:l", "zh:d"},
			"darwin_arm64: h1 unknown, zh present\nlinux_amd64: h1 missing, zh present\nwindows_amd64: h1 unknown, zh missing\n1 hash of no known package\n", false,
		},
		{
			"a manifest", []lockfile.Hash{"h1:l", "zh:l", "zh:manifest", "q9:x"},
			"darwin_arm64: h1 missing, zh missing\nlinux_amd64: h1 present, zh present\nwindows_amd64: h1 missing, zh unknown\n2 hashes of no known package\n", false,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := lockfile.Lock{Hashes: test.hashes}.Coverage(all...)
			if d := cmp.Diff(test.want, c.String()); d != "" {
				t.Error(d)
			}
			if c.IsComplete() != test.complete {
				t.Error("IsComplete is wrong")
			}
		})
	}
	c := lockfile.Lock{Hashes: []lockfile.Hash{"h1:l", "zh:l"}}.Coverage(all[0])
	if !c.IsComplete() {
		t.Errorf("got %v", c)
	}
}

func TestSelect(t *testing.T) {
	available := []addrs.Version{version("1.0.0"), version("1.9.0"), version("1.10.0"), version("2.0.0"), version("3.0.0-beta1")}
	locked := &lockfile.Lock{Provider: null, Version: version("1.9.0")}
	gone := &lockfile.Lock{Provider: null, Version: version("1.5.0")}
	tests := []struct {
		name    string
		locked  *lockfile.Lock
		allowed string
		upgrade bool
		want    string
		err     error
	}{
		{"no lock", nil, "~> 1.0", false, "1.10.0", nil},
		{"no constraint", nil, "", false, "2.0.0", nil},
		{"prerelease only if named", nil, "3.0.0-beta1", false, "3.0.0-beta1", nil},
		{"lock without version", &lockfile.Lock{Provider: null}, "", false, "2.0.0", nil},
		{"locked", locked, "~> 1.0", false, "1.9.0", nil},
		{"upgrade", locked, "~> 1.0", true, "1.10.0", nil},
		{"locked no longer matches", locked, "~> 2.0", false, "", lockfile.ErrLockedVersion},
		{"upgrade past", locked, "~> 2.0", true, "2.0.0", nil},
		{"locked is gone", gone, "~> 1.0", false, "", lockfile.ErrVersionGone},
		{"nothing matches", nil, "> 5.0", false, "", lockfile.ErrNoVersion},
		{"upgrade to nothing", locked, "> 5.0", true, "", lockfile.ErrNoVersion},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v, err := lockfile.Select(test.locked, constraints(test.allowed), available, test.upgrade)
			if v.String() != test.want || !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
				t.Errorf("got %v, %v", v, err)
			}
		})
	}
}

func TestInstalled(t *testing.T) {
	private := addrs.MustParseProvider("ex.com/a/b")
	hashes := func(s string) []lockfile.Hash {
		var out []lockfile.Hash
		for word := range strings.FieldsSeq(s) {
			out = append(out, lockfile.Hash(word))
		}
		return out
	}
	tests := []struct {
		name                       string
		provider                   addrs.Provider
		prior                      string // version and hashes
		computed, signed, reported string
		change                     func(*lockfile.Install)
		want                       string
		err                        error
	}{
		{"new, signed", private, "", "h1:l zh:l", "zh:l zh:d", "", nil, "h1:l zh:d zh:l", nil},
		{"new, from a mirror", private, "", "h1:l", "", "", nil, "h1:l", nil},
		{"reported by a private registry", private, "", "h1:l zh:l", "zh:l", "h1:d zh:d", nil, "h1:l zh:l", nil},
		{"reported by the default registry", null, "", "h1:l zh:l", "zh:l", "h1:d zh:d q9:x", nil, "h1:d h1:l zh:d zh:l", nil},
		{"reported, but signatures are enforced", null, "", "h1:l zh:l", "zh:l", "h1:d zh:d", func(in *lockfile.Install) { in.EnforceSignatures = true }, "h1:l zh:l", nil},
		{"reported, but to terraform", null, "", "h1:l zh:l", "zh:l", "h1:d zh:d", func(in *lockfile.Install) { in.Tool = addrs.Terraform }, "h1:l zh:l", nil},
		{"learn a new h1", private, "1.0.0 zh:l zh:d", "h1:l zh:l", "", "", nil, "h1:l zh:d zh:l", nil},
		{"unknown schemes go", private, "1.0.0 zh:l q9:x", "h1:l zh:l", "", "", nil, "h1:l zh:l", nil},
		{"mismatch", private, "1.0.0 zh:x h1:x", "h1:l zh:l", "zh:l", "", nil, "", addrs.ErrMismatch},
		{"another version begins afresh", private, "0.9.0 zh:x h1:x", "h1:l zh:l", "zh:l", "", nil, "h1:l zh:l", nil},
		{"no hashes: first use", private, "1.0.0", "h1:l", "", "", nil, "h1:l", nil},
		{"not verifiable", private, "1.0.0 zh:l", "h1:l", "", "", nil, "", addrs.ErrNotVerifiable},
		{"not verifiable, as tofu", private, "1.0.0 zh:l", "h1:l", "", "", func(in *lockfile.Install) { in.AllowUnverifiable = true }, "h1:l zh:l", nil},
		{"mismatch is never allowed", private, "1.0.0 h1:x", "h1:l", "", "", func(in *lockfile.Install) { in.AllowUnverifiable = true }, "", addrs.ErrMismatch},
		{"bad hash", private, "", "x", "", "", nil, "", lockfile.ErrInvalid},
		{"built-in", addrs.MustParseProvider("terraform.io/builtin/terraform"), "", "h1:x", "", "", nil, "", lockfile.ErrInvalid},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			prior := lockfile.Lock{Provider: test.provider}
			if v, rest, _ := strings.Cut(test.prior, " "); v != "" {
				prior.Version, prior.Hashes = version(v), hashes(rest)
			}
			in := lockfile.Install{Version: version("1.0.0"), Constraints: constraints("~> 1.0"), Package: hashes(test.computed), Signed: hashes(test.signed), Reported: hashes(test.reported)}
			if test.change != nil {
				test.change(&in)
			}
			got, err := prior.Installed(in)
			if !errors.Is(err, test.err) || (err == nil) != (test.err == nil) {
				t.Fatalf("got %v", err)
			}
			want := lockfile.Lock{Provider: test.provider, Version: in.Version, Constraints: in.Constraints, Hashes: hashes(test.want)}
			if err == nil && !got.Equal(want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestRelocked(t *testing.T) {
	prior := lockfile.Lock{Provider: widget, Version: version("1.0.0"), Hashes: []lockfile.Hash{"h1:bogus", "q9:x"}}
	got, err := prior.Relocked(lockfile.Install{Version: version("1.0.0"), Package: []lockfile.Hash{"h1:l"}, Signed: []lockfile.Hash{"zh:l"}})
	if err != nil || !cmp.Equal(got.Hashes, []lockfile.Hash{"h1:bogus", "h1:l", "q9:x", "zh:l"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := prior.Relocked(lockfile.Install{Version: version("2.0.0")}); !errors.Is(err, lockfile.ErrInvalid) {
		t.Errorf("another version: %v", err)
	}
	if _, err := prior.Relocked(lockfile.Install{}); !errors.Is(err, lockfile.ErrInvalid) {
		t.Errorf("no version: %v", err)
	}
	fresh, err := lockfile.Lock{Provider: widget}.Relocked(lockfile.Install{Version: version("2.0.0")})
	if err != nil || fresh.Version != version("2.0.0") {
		t.Errorf("got %v, %v", fresh, err)
	}
}

func TestFromTerraform(t *testing.T) {
	old := addrs.MustParseProvider("registry.terraform.io/hashicorp/random")
	f := parse(t, string(fixtures(t)["by-hand/terraform-then-tofu.tofu.hcl"]))
	before := f.Locks()
	got := lockfile.FromTerraform(before)
	lock, ok := got.Get(random)
	prior, _ := before.Get(old)
	if !ok || len(got) != len(before)+1 || lock.Version != prior.Version || lock.Constraints != prior.Constraints || len(lock.Hashes) != 0 {
		t.Errorf("got %v", got)
	}
	if again := lockfile.FromTerraform(got); len(again) != len(got) {
		t.Errorf("the second time: %v", again)
	}
	if kept := got.Keep(random, widget); len(kept) != 1 || kept[0].Provider != random {
		t.Errorf("Keep = %v", kept)
	}
}

// A Change that was made by hand prints what there is.
func TestChangeString(t *testing.T) {
	lock := &lockfile.Lock{Provider: null, Version: version("1.0.0"), Constraints: addrs.MustParseConstraints("~> 1.0")}
	for _, test := range []struct {
		name   string
		change lockfile.Change
		want   string
	}{
		{"zero", lockfile.Change{}, ""},
		{"no locks", lockfile.Change{Provider: null, Kind: lockfile.ChangeAdded}, ""},
		{"added without New", lockfile.Change{Provider: null, Kind: lockfile.ChangeAdded, Old: lock}, "+ " + null.String() + " , 0 hashes"},
		{"removed without Old", lockfile.Change{Provider: null, Kind: lockfile.ChangeRemoved, New: lock}, "- " + null.String() + " , 0 hashes"},
		{"updated without Old", lockfile.Change{Provider: null, Kind: lockfile.ChangeUpdated, New: lock}, "~ " + null.String() + " 1.0.0\n    constraints \"\" -> \"~> 1.0\""},
		{"without Kind", lockfile.Change{Provider: null, New: lock, Old: lock}, "~ " + null.String() + " 1.0.0 -> 1.0.0 (), 0 hashes for 0 hashes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.change.String(); got != test.want {
				t.Errorf("got %q", got)
			}
		})
	}
}

func TestPlaces(t *testing.T) {
	at := addrs.Pos{Offset: 20, Line: 3, Column: 12}
	if (addrs.Pos{}).IsValid() || !at.IsValid() || at.String() != "3,12" {
		t.Errorf("Pos: %v", at)
	}
	if (addrs.Range{}).IsValid() || (addrs.Range{Filename: "x"}).IsValid() || !(addrs.Range{Start: at, End: at}).IsValid() {
		t.Error("Range: IsValid is wrong")
	}
}

func TestStrings(t *testing.T) {
	got := []string{
		lockfile.SeverityError.String(), lockfile.SeverityWarning.String(), lockfile.Severity(0).String(),
		lockfile.Unknown.String(), lockfile.Missing.String(), lockfile.Present.String(), lockfile.Presence(9).String(),
		(&lockfile.Error{Line: 3, Column: 4, Err: lockfile.ErrInvalid}).Error(),
		(&lockfile.Error{Err: lockfile.ErrInvalid}).Error(),
		lockfile.Diagnostic{Severity: lockfile.SeverityError, Summary: "S", Detail: "D.", Subject: addrs.Range{Filename: "x", Start: addrs.Pos{Line: 1, Column: 2}, End: addrs.Pos{Line: 3, Column: 4}}}.String(),
	}
	want := []string{
		"error", "warning", "Severity(0)", "unknown", "missing", "present", "Presence(9)",
		"lockfile: line 3, column 4: the value is not valid in a lock file",
		"lockfile: the value is not valid in a lock file",
		"x:1,2-3,4: error: S; D.",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
