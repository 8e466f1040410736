// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// Hashes that the registry states are taken by the rules of tofu init: of the default
// registry without a download, of others never, unless the lock has them.
func TestLocker_stated(t *testing.T) {
	platforms := []string{"linux_amd64", "linux_arm64", "darwin_arm64"}
	s := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{
		Namespace: "acme", Type: "null", Versions: []registrytest.Version{{Version: "1.0.0", Platforms: platforms, Reported: true}},
	}}})
	var wanted []addrs.Platform
	for _, p := range platforms {
		wanted = append(wanted, addrs.MustParsePlatform(p))
	}
	zips := 0
	lock := func(provider string, tool addrs.Tool, signed, check bool, prior lockfile.Locks) lockfile.Lock {
		t.Helper()
		c := s.Registry()
		c.Policy.RequireSigned, c.Policy.Tool = signed, tool
		before := len(s.Requests())
		sel := install.Selection{Provider: addrs.MustParseProvider(provider), Version: addrs.MustParseVersion("1.0.0")}
		got, err := (&install.Locker{Client: c, Platforms: wanted, Check: check}).Lock(t.Context(), []install.Selection{sel}, prior)
		if err != nil {
			t.Fatal(err)
		}
		zips = 0
		for _, r := range s.Requests()[before:] {
			if r.Kind == registrytest.KindZip {
				zips++
			}
		}
		return got[0].Lock
	}
	official, private := "registry.opentofu.org/acme/null", "registry.example.org/acme/null"
	stated := lock(official, addrs.OpenTofu, false, false, nil)
	if zips != 0 {
		t.Errorf("%d zips were fetched", zips)
	}
	checked := lock(official, addrs.OpenTofu, false, true, nil)
	if zips != len(platforms) || lockfile.Diff(lockfile.Locks{stated}, lockfile.Locks{checked}).IsSaved() {
		t.Errorf("%d zips were fetched; stated %v, computed %v", zips, stated, checked)
	}
	for name, tt := range map[string]struct {
		provider string
		tool     addrs.Tool
		signed   bool
	}{"another registry": {private, addrs.OpenTofu, false}, "only what is signed": {official, addrs.OpenTofu, true}, "Terraform": {official, addrs.Terraform, false}} {
		got := lock(tt.provider, tt.tool, tt.signed, false, nil)
		if zips != len(platforms) || len(got.Hashes) != 2*len(platforms) {
			t.Errorf("%s: %d zips, %v", name, zips, got.Hashes)
		}
		// What the lock has is not fetched again.
		again := lock(tt.provider, tt.tool, tt.signed, false, lockfile.Locks{got})
		if zips != 0 || lockfile.Diff(lockfile.Locks{got}, lockfile.Locks{again}).IsSaved() {
			t.Errorf("%s: %d zips again, %v", name, zips, again.Hashes)
		}
		for i, h := range got.Hashes {
			if h.Scheme() != addrs.SchemeH1 {
				continue
			}
			part := got
			part.Hashes = append(append([]addrs.Hash{}, got.Hashes[:i]...), got.Hashes[i+1:]...)
			if full := lock(tt.provider, tt.tool, tt.signed, false, lockfile.Locks{part}); zips != 1 || len(full.Hashes) != len(got.Hashes) {
				t.Errorf("%s: %d zips for a missing hash", name, zips)
			}
			break
		}
	}
}

// A plugin that cannot be started is worth a warning wherever it goes.
func TestPluginWarnings(t *testing.T) {
	zip := registrytest.MakeZip(registrytest.File{Name: "terraform-provider-null_v1.0.0", Content: "x"})
	here := addrs.CurrentPlatform().String()
	s := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{{Namespace: "acme", Type: "null", Versions: []registrytest.Version{
		{Version: "1.0.0", Platforms: []string{here, "windows_amd64"}, Zip: func(string) []byte { return zip }},
	}}}})
	sel := []install.Selection{{Provider: addrs.MustParseProvider("registry.example.org/acme/null"), Version: addrs.MustParseVersion("1.0.0"), Known: []addrs.Hash{"h1:" + "x"}}}
	const text = "is not executable"
	locked, err := (&install.Locker{Client: s.Registry(), Platforms: []addrs.Platform{addrs.MustParsePlatform(here), addrs.MustParsePlatform("windows_amd64")}}).Lock(t.Context(), sel, nil)
	if err != nil || here != "windows_amd64" && (len(locked[0].Packages[0].Warnings) != 1 || !strings.Contains(locked[0].Packages[0].Warnings[0], text)) || len(locked[0].Packages[1].Warnings) > 0 {
		t.Errorf("lock: %+v, %v", locked, err)
	}
	if strings.HasPrefix(here, "windows") {
		return
	}
	for _, cache := range []*install.Cache{nil, {Dir: t.TempDir()}} {
		got, err := (&install.Installer{Client: s.Registry(), Cache: cache}).Install(t.Context(), t.TempDir(), sel, nil)
		if err != nil || len(got[0].Result.Warnings) != 1 || !strings.Contains(got[0].Result.Warnings[0], text) {
			t.Errorf("install with cache %v: %+v, %v", cache, got, err)
		}
	}
	mirror := &install.Mirror{Dir: filepath.Join(t.TempDir(), "m")}
	for range 2 { // fetched, and there already
		got, err := mirror.Add(t.Context(), s.Registry(), nil, sel, nil)
		if err != nil || len(got) != 1 || len(got[0].Warnings) != 2 || !strings.Contains(got[0].Warnings[0], "none of the hashes") {
			t.Errorf("mirror: %+v, %v", got, err)
		}
	}
	// What was done is there beside the error.
	got, err := mirror.Add(t.Context(), s.Registry(), nil, append(sel, install.Selection{Provider: sel[0].Provider, Version: addrs.MustParseVersion("9.0.0")}), nil)
	if err == nil || len(got) != 1 || got[0].Version != sel[0].Version {
		t.Errorf("got %+v, %v", got, err)
	}
}
