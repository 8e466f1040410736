// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry"
	"github.com/tofuwire/tofuwire/registry/install"
)

// versionSource is a source that has versions only.
type versionSource []string

func (s versionSource) Versions(context.Context, addrs.Provider) (*registry.VersionList, error) {
	list := &registry.VersionList{}
	for _, text := range s {
		list.Versions = append(list.Versions, registry.ProviderVersion{Version: addrs.MustParseVersion(text)})
	}
	slices.SortStableFunc(list.Versions, func(a, b registry.ProviderVersion) int { return a.Version.Compare(b.Version) })
	return list, nil
}

func (s versionSource) Package(context.Context, addrs.Provider, addrs.Version, addrs.Platform) (*registry.Package, error) {
	return nil, registry.ErrNotFound
}

// Resolve selects what a real tofu selected.
func TestResolve_recorded(t *testing.T) {
	src, err := os.ReadFile("testdata/resolutions.txt")
	if err != nil {
		t.Fatal(err)
	}
	n, failed := 0, 0
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		n++
		f := strings.Split(strings.TrimRight(line, "\n"), " | ")
		p := addrs.MustParseProvider("registry.example.org/acme/" + f[0])
		var required []install.Requirement
		for _, c := range strings.Split(f[2], " ; ") {
			required = append(required, install.Requirement{Provider: p, Constraints: addrs.MustParseConstraints(strings.TrimSpace(c))})
		}
		var prior lockfile.Locks
		if f[3] != "" {
			prior = lockfile.Locks{{Provider: p, Version: addrs.MustParseVersion(f[3])}}
		}
		got, err := install.Resolve(t.Context(), versionSource(strings.Fields(f[1])), required, prior, install.Upgrade{All: f[4] == "upgrade"})
		selected := "error"
		if err == nil {
			selected = got[0].Version.String()
		} else {
			failed++
		}
		if selected != f[5] {
			t.Errorf("%s: selected %s, %v", strings.TrimSpace(line), selected, err)
		}
	}
	if n < 200 || failed == n {
		t.Errorf("%d cases, %d errors", n, failed)
	}
}
