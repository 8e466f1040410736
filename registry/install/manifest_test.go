// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package install_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry/install"
)

// Reading any text as a manifest ends, and what was read comes back as it was
// when it is written.
func FuzzReadManifest(f *testing.F) {
	f.Add([]byte(`{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"a.b","Source":"./b","Dir":"b"},{"Key":"v","Source":"registry.opentofu.org/a/b/c","Version":"1.0.0","Dir":"x"}]}`))
	f.Add([]byte(`{"Modules":[null]}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, src []byte) {
		dir := t.TempDir()
		name := filepath.Join(dir, filepath.FromSlash(install.ManifestName))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, src, 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := install.ReadManifest(dir)
		if err != nil {
			return
		}
		for _, mod := range m {
			if s, err := addrs.ParseModuleSource(mod.Source); err == nil {
				m.Find(mod.Key, s, addrs.Constraints{})
			}
		}
		if err := m.Write(dir); err != nil {
			t.Fatal(err)
		}
		again, err := install.ReadManifest(dir)
		byKey := func(a, b install.ManifestModule) int { return strings.Compare(a.Key, b.Key) }
		slices.SortStableFunc(m, byKey)
		slices.SortStableFunc(again, byKey)
		if err != nil || !slices.Equal(m, again) {
			t.Errorf("%v becomes %v, %v", m, again, err)
		}
	})
}

// An installed module stays by the same rules by which its version was selected.
func TestManifest_Find(t *testing.T) {
	src := addrs.MustParseModuleSource("a/b/c")
	for version, c := range map[string]string{"0.0.0": "< 1.0.0", "1.0.0+b": "1.0.0", "1.0.0-beta": "1.0.0-beta"} {
		m := install.Manifest{{Key: "m", Source: src.String(), Version: version, Dir: "x"}}
		if _, ok := m.Find("m", src, addrs.MustParseConstraints(c)); !ok {
			t.Errorf("%s is not allowed by %q", version, c)
		}
		if _, ok := m.Find("m", src, addrs.MustParseConstraints("> 3.0.0")); ok {
			t.Errorf("%s is allowed", version)
		}
	}
}
