// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// The tests of this file check what a reader and writer of lock files must do
// to be taken for tofu: one test for each point, on recordings of the tools.

// Save, then load, gives the same locks; load, then save, the same bytes; for
// the headers of both tools.
func TestConformance_roundTrip(t *testing.T) {
	for name, src := range fixtures(t) {
		tool := toolOf(name)
		if tool == "" {
			continue
		}
		l := parse(t, string(src)).Locks()
		again := parse(t, string(l.Canonical(tool))).Locks()
		if !slices.EqualFunc(l, again, lockfile.Lock.Equal) {
			t.Errorf("%s: load(save(x)) is not x", name)
		}
		if string(again.Canonical(tool)) != string(src) {
			t.Errorf("%s: save(load(bytes)) are not the bytes", name)
		}
	}
}

// The raw order is kept on reading, and only the canonical writer sorts.
func TestConformance_rawOrder(t *testing.T) {
	const src = "provider \"ex.com/a/z\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"zh:b\",\n    \"h1:a\",\n    \"zh:b\",\n  ]\n}\n\n" +
		"provider \"ex.com/a/a\" {\n  version = \"1.0.0\"\n}\n"
	f := parse(t, src)
	l := f.Locks()
	if l[0].Provider.Type() != "z" || !cmp.Equal(l[0].Hashes, []lockfile.Hash{"zh:b", "h1:a", "zh:b"}) {
		t.Errorf("got %v", l)
	}
	if len(f.Rewrites()) != 2 {
		t.Errorf("rewrites: %v", f.Rewrites())
	}
	want := "\nprovider \"ex.com/a/a\" {\n  version = \"1.0.0\"\n}\n\nprovider \"ex.com/a/z\" {\n  version = \"1.0.0\"\n  hashes = [\n    \"h1:a\",\n    \"zh:b\",\n  ]\n}\n"
	if got := string(f.Canonical(addrs.OpenTofu)); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s", got)
	}
}

// Minimal edits keep byte order mark, CRLF, comments, tabs and the missing end
// of the last line.
func TestConformance_minimalEdit(t *testing.T) {
	const before = "\ufeff# heading\r\n\r\nprovider \"ex.com/a/b\" {\t// keep\r\n\tversion =\t\"1.0.0\"\r\n\thashes=[ # list\r\n\t\t\"h1:a\",   # linux\r\n\t]\r\n}\r\n\r\n" +
		"provider \"ex.com/a/c\" { version = \"1.0.0\" }"
	f := parse(t, before)
	if err := f.AddHashes(ab, "zh:z"); err != nil {
		t.Fatal(err)
	}
	if err := f.SetVersion(ab, version("1.0.1")); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("\t\"1.0.0\"", "\t\"1.0.1\"", "# linux\r\n", "# linux\r\n\t\t\"zh:z\",\r\n").Replace(before)
	if d := cmp.Diff(want, string(f.Bytes())); d != "" {
		t.Error(d)
	}
}

// Providers are in the order of their hosts in punycode, though the labels are
// in Unicode.
func TestConformance_punycodeOrder(t *testing.T) {
	var l lockfile.Locks
	for _, p := range []string{"bücher.example:8443/a/b", "registry.opentofu.org/a/b", "example.com:8443/a/b", "example.com/z/z", "example.com./a/b", "zz.example/a/b", "example.com/a/b-c", "example.com/a/b"} {
		l = append(l, lockfile.Lock{Provider: addrs.MustParseProvider(p), Version: version("1.0.0")})
	}
	f := parse(t, string(l.Canonical(addrs.OpenTofu)))
	var got []string
	for _, b := range f.Blocks() {
		got = append(got, b.Label())
	}
	want := []string{"example.com/a/b", "example.com/a/b-c", "example.com/z/z", "example.com./a/b", "example.com:8443/a/b", "registry.opentofu.org/a/b", "bücher.example:8443/a/b", "zz.example/a/b"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	// Blocks that are added one by one arrive in the same order.
	one := lockfile.New("x", addrs.OpenTofu)
	for _, lock := range l {
		if err := one.Set(lock); err != nil {
			t.Fatal(err)
		}
	}
	if !one.IsCanonical(addrs.OpenTofu) {
		t.Errorf("got\n%s", one.Bytes())
	}
}

// Huge numbers crash tofu. Here they are errors, in every place.
func TestConformance_hugeNumbers(t *testing.T) {
	for _, huge := range []string{"18446744073709551616", strings.Repeat("9", 10000)} {
		for _, body := range []string{
			"version = \"" + huge + ".0.0\"", "version = \"0." + huge + ".0\"", "version = \"0.0." + huge + "\"",
			"version = \"1.0.0\"\nconstraints = \"" + huge + ".0.0\"", "version = \"1.0.0\"\nconstraints = \">= 1.0.0, < " + huge + ".0.0\"",
			"version = \"1.0.0\"\nconstraints = \"~> 1." + huge + "\"",
		} {
			f, err := lockfile.Parse("x", []byte("provider \"ex.com/a/b\" {\n"+body+"\n}\n"))
			if err == nil || len(f.Locks()) != 1 {
				t.Errorf("%.80s: %v", body, err)
			}
		}
	}
	// In prereleases and metadata they are only text.
	for _, v := range []string{"18446744073709551615.0.0", "1.0.0-99999999999999999999", "1.0.0+99999999999999999999"} {
		parse(t, "provider \"ex.com/a/b\" {\n  version = \""+v+"\"\n}\n")
	}
}

// An edit of one canonical file into another gives the very bytes that the tool
// wrote: for every pair of recordings.
func TestConformance_canonicalEdits(t *testing.T) {
	files := fixtures(t)
	for from, src := range files {
		for to, want := range files {
			fromTool, toTool := toolOf(from), toolOf(to)
			if fromTool == "" || fromTool != toTool {
				continue
			}
			f := parse(t, string(src))
			target := parse(t, string(want)).Locks()
			var gone []addrs.Provider
			for _, l := range f.Locks() {
				if _, ok := target.Get(l.Provider); !ok {
					gone = append(gone, l.Provider)
				}
			}
			if err := f.Remove(gone...); err != nil {
				t.Fatal(err)
			}
			if err := f.Set(target...); err != nil {
				t.Fatal(err)
			}
			if got := string(f.Bytes()); got != string(want) {
				t.Errorf("%s to %s:\n%s", from, to, cmp.Diff(string(want), got))
			}
		}
	}
}

// The update rules give what the tools recorded.
func TestConformance_recordedUpdates(t *testing.T) {
	files := fixtures(t)
	locksOf := func(name string) lockfile.Locks {
		src, ok := files[name]
		if !ok {
			t.Fatal("no fixture", name)
		}
		return parse(t, string(src)).Locks()
	}
	// The package of widget 1.10.0 for linux_amd64 and linux_arm64.
	const (
		amd64, amd64Zip = "h1:/OARDnFfIpQAgY4zyfo5bSWNN0jpJSDTQQ+9vZIGhTE=", "zh:6f59511a1f20d9626b75243cb5d8e0c5eba614abb89a36e2562e22fd6dbf4fc0"
		arm64, arm64Zip = "h1:fq4yZtYVnjEebUAsv+Ju4SYNlA7ERC1uAaFniqj4YG4=", "zh:d1fdb79602b7b6dd78502898e1f6d9bc9357b0d41ae484fa024c05540e1a5d94"
	)
	signed := []lockfile.Hash{
		amd64Zip, arm64Zip,
		"zh:329f89feec8d1b7d56b4512b7d364abe438b361af39a62b3bcf73f9b24a56b43",
		"zh:6d1886967d1d070395d43a3eda8d009e5411a66b004fadfa0683b9fb1e2d1271",
		"zh:e06a2ce38b7162518f8e89db69bc7a6cd56ce6145d9dc9a6afe3e015f285a55f",
		"zh:e5c653fd17fdb6815461e31dda85abf9fa48b1234adc277c34365fd9bc2571a3",
	}
	for _, tool := range []addrs.Tool{addrs.OpenTofu, addrs.Terraform} {
		dir, host := "tofu-1.12.6/", addrs.DefaultHost
		if tool == addrs.Terraform {
			dir, host = "terraform-1.11.4/", addrs.TerraformHost
		}
		p := addrs.MustParseProvider(host + "/acme/widget")

		// "init" on the hand-edited file: the provider that is not needed
		// goes, the package matches a recorded zh, its h1 is learned, and the
		// hash of an unknown scheme is lost.
		before := locksOf("by-hand/hand-edited." + string(tool) + ".hcl")
		old, _ := before.Get(p)
		in := lockfile.Install{Version: version("1.10.0"), Constraints: old.Constraints, Package: []lockfile.Hash{amd64, amd64Zip}, Signed: signed, Tool: tool}
		lock, err := old.Installed(in)
		if err != nil {
			t.Fatal(err)
		}
		after := before.Keep(p)
		after[0] = lock
		if d := cmp.Diff(string(files[dir+"hand-edited.hcl"]), string(after.Canonical(tool))); d != "" {
			t.Errorf("init of %s:\n%s", tool, d)
		}

		// "providers lock -platform=linux_arm64" after it.
		in.Package = []lockfile.Hash{arm64, arm64Zip}
		if after[0], err = lock.Relocked(in); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(files[dir+"hand-edited-2.hcl"]), string(after.Canonical(tool))); d != "" {
			t.Errorf("providers lock of %s:\n%s", tool, d)
		}

		// "init -upgrade": the old hashes go, the constraints are new.
		steps := [2]lockfile.Locks{locksOf(dir + "upgrade-and-removal-1.hcl"), locksOf(dir + "upgrade-and-removal-3.hcl")}
		changes := lockfile.Diff(steps[0], steps[1])
		if len(changes) != 1 || changes[0].Kind != lockfile.ChangeUpgraded || changes[0].Provider != p {
			t.Fatalf("changes: %v", changes)
		}
		available := []addrs.Version{version("1.0.0"), version("1.0.1"), version("1.10.0"), version("2.0.0"), version("10.0.0")}
		v, err := lockfile.Select(changes[0].Old, changes[0].New.Constraints, available, true)
		if err != nil || v != changes[0].New.Version {
			t.Errorf("selected %v, %v", v, err)
		}
		upgraded, err := changes[0].Old.Installed(lockfile.Install{Version: v, Constraints: changes[0].New.Constraints, Package: changes[0].New.Hashes[:1], Signed: changes[0].New.Hashes[1:], Tool: tool})
		if err != nil || !upgraded.Equal(*changes[0].New) {
			t.Errorf("upgraded to %v, %v", upgraded, err)
		}
		// A last "init" without the other provider removes its lock.
		if d := lockfile.Diff(steps[1].Keep(p), locksOf(dir+"upgrade-and-removal-4.hcl")); len(d) != 0 {
			t.Errorf("removal: %v", d)
		}
		// What "checksum mismatch" was refused for is a mismatch here.
		bad, ok := locksOf("by-hand/checksum-mismatch." + string(tool) + ".hcl").Get(p)
		if v := bad.Verify(amd64, amd64Zip); !ok || v.Verdict != addrs.Mismatch {
			t.Errorf("checksum mismatch: %+v", v)
		}
	}
}

// Verification has three outcomes; one of them passes.
func TestConformance_outcomes(t *testing.T) {
	lock := lockfile.Lock{Provider: null, Version: version("1.0.0"), Hashes: []lockfile.Hash{"zh:a"}}
	for _, test := range []struct {
		computed lockfile.Hash
		want     addrs.Verdict
	}{{"zh:a", addrs.Match}, {"zh:b", addrs.Mismatch}, {"h1:a", addrs.NotVerifiable}} {
		v := lock.Verify(test.computed)
		if v.Verdict != test.want || (v.Err() == nil) != (test.want == addrs.Match) {
			t.Errorf("%s: %+v", test.computed, v)
		}
	}
}
