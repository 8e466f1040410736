// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// renames has the files that may call os.Rename besides internal/replacefile, which replaces the files
// that people own: they move what was downloaded or unpacked, and can be fetched again, and new
// directories.
var renames = map[string]int{
	"registry/fetch.go": 2, "registry/download.go": 1, "registry/unpack.go": 1,
	"registry/install/providers.go": 2, "registry/install/cacheprune.go": 1, "registry/install/modules.go": 2, "registry/install/mirror.go": 1, "registry/install/cache.go": 1, "registry/install/unarchive.go": 1,
	"cmd/fleet/beam/pipeline.go": 1, "cmd/fleet/export.go": 1,
	"cmd/tofuwire/internal/install/install.go": 1, "cmd/tofuwire/internal/state/snapshot.go": 1,
}

// TestRename wants one piece for replacing a file.
func TestRename(t *testing.T) {
	found := map[string]int{}
	err := filepath.WalkDir("../..", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && (e.Name() == ".git" || e.Name() == "testdata") {
			return fs.SkipDir
		}
		rel := strings.TrimPrefix(filepath.ToSlash(name), "../../")
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(rel, "internal/replacefile/") || strings.HasPrefix(rel, "tools/") || strings.HasPrefix(rel, "benchmarks/") {
			return nil
		}
		src, err := os.ReadFile(name)
		if n := bytes.Count(src, []byte("os.Rename(")); n > 0 {
			found[rel] = n
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if found[name] != renames[name] {
			t.Errorf("%s calls os.Rename %d times, not %d: internal/replacefile replaces files", name, found[name], renames[name])
		}
	}
	for name := range renames {
		if found[name] == 0 {
			t.Errorf("%s does not call os.Rename", name)
		}
	}
}
