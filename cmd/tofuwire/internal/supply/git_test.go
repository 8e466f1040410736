// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package supply

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
)

// Refs and depths lead to the commits that tofu 1.12.6 takes; a depth below 1 and one that is no number are none.
func TestGit_refs(t *testing.T) {
	if err := exec.Command("git", "--version").Run(); err != nil {
		t.Skipf("needs git: %v", err)
	}
	from := t.TempDir()
	// Below a hook of Git, the variables of the repository that is committed to are set.
	environ := slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	environ = append(environ, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
	for _, args := range [][]string{
		{"init", "--quiet"}, {"symbolic-ref", "HEAD", "refs/heads/main"}, {"commit", "--quiet", "--allow-empty", "--message=one"}, {"tag", "v1"},
		{"checkout", "--quiet", "-b", "feature/x"}, {"commit", "--quiet", "--allow-empty", "--message=two"}, {"checkout", "--quiet", "main"},
		{"commit", "--quiet", "--allow-empty", "--message=three"},
	} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = from, environ
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v\n%s", args, err, out)
		}
	}
	for query, want := range map[string]string{
		"": "three", "?ref=v1": "one", "?ref=feature/x": "two", "?ref=feature%2Fx": "two", "?ref=main~1": "one",
		"?depth=1": "three shallow", "?ref=feature/x&depth=1": "two shallow", "?ref=v1&depth=0": "one", "?depth=-1": "three", "?depth=x": "three",
		"?ref=none": "", "?ref=-x": "", "?ref=main~1&depth=1": "", "?other=1": "",
	} {
		dir := filepath.Join(t.TempDir(), "module")
		got := ""
		if err := (Git{environ}).Fetch(t.Context(), addrs.MustParseModuleSource("git::file://"+filepath.ToSlash(from)+query), dir); err == nil {
			cmd := exec.Command("git", "log", "-1", "--format=%s")
			cmd.Dir, cmd.Env = dir, environ
			out, _ := cmd.Output()
			got = string(out[:max(0, len(out)-1)])
			if _, err := os.Stat(filepath.Join(dir, ".git", "shallow")); err == nil {
				got += " shallow"
			}
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", query, got, want)
		}
	}
}
