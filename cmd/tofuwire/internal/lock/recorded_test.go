// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lock

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/supply"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/registry/install"
	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// TestLock_recorded serves packages of which tofu 1.12.6 has made lock files,
// in the way in which tofu got them, and wants the same locks: signed or not,
// with reported hashes or without, on the default registry and elsewhere.
func TestLock_recorded(t *testing.T) {
	const dir = "testdata/tofu-1.12.6"
	platforms := []string{"darwin_amd64", "darwin_arm64", "freebsd_386", "linux_amd64", "linux_arm64", "windows_amd64"}
	tests := []struct {
		name      string
		unsigned  bool
		reported  bool
		platforms []string
		whole     bool // every provider of the recording can be served
	}{
		{"unsigned", true, false, []string{"linux_amd64"}, true},
		{"with-hashes", false, true, []string{"linux_amd64"}, false},
		{"platforms", false, false, []string{"linux_amd64", "darwin_arm64"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			version := func(typ, v string) registrytest.Version {
				return registrytest.Version{Version: v, Platforms: platforms, Reported: tt.reported, Zip: func(platform string) []byte {
					b, err := os.ReadFile(filepath.Join(dir, "packages", "terraform-provider-"+typ+"_"+v+"_"+platform+".zip"))
					if err != nil {
						t.Error(err)
					}
					return b
				}}
			}
			srv := registrytest.Start(t, registrytest.Content{Providers: []registrytest.Provider{
				{Namespace: "acme", Type: "widget", Unsigned: tt.unsigned, Versions: []registrytest.Version{version("widget", "1.0.0"), version("widget", "1.10.0")}},
				{Namespace: "zeta", Type: "one", Unsigned: tt.unsigned, Versions: []registrytest.Version{version("one", "0.1.0")}},
			}})
			client := srv.Registry()
			tree, err := requirements(t.Context(), &supply.Supply{Client: client}, filepath.Join(dir, tt.name), false)
			if err != nil {
				t.Fatal(err)
			}
			needs := slices.DeleteFunc(tree.Required, func(n install.Requirement) bool {
				return n.Provider.Namespace() == "oddfiles" || strings.HasSuffix(n.Provider.Host(), ":8443")
			})
			l := &install.Locker{Client: client, Source: client, Concurrent: 2}
			for _, p := range tt.platforms {
				l.Platforms = append(l.Platforms, addrs.MustParsePlatform(p))
			}
			target := t.TempDir()
			var out bytes.Buffer
			if err := lock(t.Context(), l, target, addrs.OpenTofu, needs, &out, func(install.LockedProvider) {}); err != nil {
				t.Fatal(err)
			}
			got, err := lockfile.Load(filepath.Join(target, lockfile.Name))
			if err != nil {
				t.Fatal(err)
			}
			want, err := lockfile.Load(filepath.Join(dir, tt.name, "terraform.lock.hcl"))
			if err != nil {
				t.Fatal(err)
			}
			if len(needs) == 0 {
				t.Fatal("nothing to lock")
			}
			for _, n := range needs {
				g, w := got.Block(n.Provider), want.Block(n.Provider)
				if g == nil || w == nil {
					t.Fatalf("%s is not in both files", n.Provider)
				}
				if diff := cmp.Diff(w.Text(), g.Text()); diff != "" {
					t.Errorf("%s: %s", n.Provider, diff)
				}
			}
			if tt.whole && !bytes.Equal(got.Bytes(), want.Bytes()) {
				t.Errorf("got\n%s", got.Bytes())
			}
		})
	}
}
