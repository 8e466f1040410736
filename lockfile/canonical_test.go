// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/lockfile"
)

// fixtures returns the files below testdata, by name.
func fixtures(t testing.TB) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".hcl" {
			return err
		}
		src, err := os.ReadFile(path)
		files[filepath.ToSlash(strings.TrimPrefix(path, "testdata"+string(filepath.Separator)))] = src
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 40 {
		t.Fatalf("only %d lock files in testdata", len(files))
	}
	return files
}

// toolOf returns the tool that wrote a fixture, or "".
func toolOf(name string) addrs.Tool {
	dir, _, _ := strings.Cut(name, "/")
	switch {
	case strings.HasPrefix(dir, "tofu-"):
		return addrs.OpenTofu
	case strings.HasPrefix(dir, "terraform-"):
		return addrs.Terraform
	}
	return ""
}

// TestCanonicalFixtures requires that every file a tool wrote comes back byte
// for byte, unedited and through the canonical writer.
func TestCanonicalFixtures(t *testing.T) {
	for name, src := range fixtures(t) {
		f, err := lockfile.Parse(name, src)
		if string(f.Bytes()) != string(src) {
			t.Errorf("%s: Bytes differs:\n%s", name, cmp.Diff(string(src), string(f.Bytes())))
		}
		tool := toolOf(name)
		if tool == "" {
			if len(f.Deviations(addrs.OpenTofu)) == 0 {
				t.Errorf("%s: written by hand, but no deviations", name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := f.Canonical(tool); string(got) != string(src) {
			t.Errorf("%s: Canonical differs:\n%s", name, cmp.Diff(string(src), string(got)))
		}
		if d := f.Deviations(tool); d != nil || !f.IsCanonical(tool) {
			t.Errorf("%s: deviations of a file the tool wrote: %v", name, d)
		}
		if got := f.Tool(); got != tool {
			t.Errorf("%s: Tool() = %q", name, got)
		}
	}
}

// TestCanonicalQuoting compares our strings with those of the HCL library.
func TestCanonicalQuoting(t *testing.T) {
	for _, s := range []string{"", "plain", `a"b\c`, "a\nb\rc\td", "${x}", "%{x}", "$x", "$${x}", "$", "%", "$%{", "é", "\u00a0", "\u200b", "\U000e0001", "日本", "\x01", "\x7f"} {
		want := string(hclwrite.TokensForValue(cty.StringVal(s)).Bytes())
		lock := lockfile.Lock{Provider: null, Version: version("1.0.0"), Hashes: []lockfile.Hash{lockfile.Hash("x:" + s)}}
		got := string(lockfile.Locks{lock}.Canonical(addrs.OpenTofu))
		want = `"x:` + strings.TrimPrefix(want, `"`)
		if !strings.Contains(got, "\n    "+want+",\n") {
			t.Errorf("%q: want %s in\n%s", s, want, got)
		}
	}
}
