// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lock

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/lockfile"
)

// block is a block of a lock file.
func block(name, version, constraints string, hashes ...string) string {
	return "provider \"registry.opentofu.org/acme/" + name + "\" {\n  version     = \"" + version + "\"\n  constraints = \"" + constraints +
		"\"\n  hashes = [\n    \"" + strings.Join(hashes, "\",\n    \"") + "\",\n  ]\n}\n"
}

// The result is in OURS, with markers around what cannot be merged; Resolve reads it.
func TestMerge(t *testing.T) {
	a := block("a", "1.0.0", ">= 1.0.0", "h1:a")
	for name, tt := range map[string]struct {
		base, ours, theirs, want string
		status                   int
	}{
		"hashes":       {a, block("a", "1.0.0", ">= 1.0.0", "h1:a", "h1:c"), block("a", "1.0.0", ">= 1.0.0", "h1:a", "h1:b"), block("a", "1.0.0", ">= 1.0.0", "h1:a", "h1:b", "h1:c"), 0},
		"two versions": {a, "# ours\n\n" + block("a", "1.1.0", ">= 1.0.0", "h1:b"), block("a", "1.2.0", ">= 1.0.0", "h1:c"), "# ours\n\n<<<<<<< ours\n" + block("a", "1.1.0", ">= 1.0.0", "h1:b") + "=======\n" + block("a", "1.2.0", ">= 1.0.0", "h1:c") + ">>>>>>> theirs\n", 1},
		"removed":      {a, "", block("a", "1.2.0", ">= 1.0.0", "h1:c"), "<<<<<<< ours\n=======\n" + block("a", "1.2.0", ">= 1.0.0", "h1:c") + ">>>>>>> theirs\n", 1},
		"removed there": {a + "\n" + block("b", "1.0.0", "1.0.0", "h1:x"), block("a", "1.2.0", ">= 1.0.0", "h1:c") + "\n" + block("b", "1.0.0", "1.0.0", "h1:x"), "",
			"<<<<<<< ours\n" + block("a", "1.2.0", ">= 1.0.0", "h1:c") + "=======\n>>>>>>> theirs\n", 1},
		"constraints": {a, block("a", "1.0.0", ">= 1.1.0", "h1:b"), block("a", "1.0.0", ">= 1.2.0", "h1:c"), "<<<<<<< ours\n" + block("a", "1.0.0", ">= 1.1.0", "h1:b", "h1:c") + "=======\n" + block("a", "1.0.0", ">= 1.2.0", "h1:b", "h1:c") + ">>>>>>> theirs\n", 1},
		"no base":     {"", a, block("b", "1.0.0", "1.0.0", "h1:x"), a + "\n" + block("b", "1.0.0", "1.0.0", "h1:x"), 0},
		"broken":      {a, a, "provider {", a, 2},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var names []string
			for i, text := range []string{tt.base, tt.ours, tt.theirs} {
				names = append(names, filepath.Join(dir, string(rune('a'+i))))
				if err := os.WriteFile(names[i], []byte(text), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			var out, errOut bytes.Buffer
			status := Run(append([]string{"--merge"}, names...), nil, &out, &errOut)
			got, err := os.ReadFile(names[1])
			if err != nil || string(got) != tt.want || status != tt.status || out.Len() > 0 || (errOut.Len() > 0) != (status > 0) {
				t.Errorf("status %d, %v, %q\ngot\n%s\nwant\n%s", status, err, &errOut, got, tt.want)
			}
			if status == 1 {
				if _, conflicts, err := lockfile.Resolve("x", got); err != nil || len(conflicts) == 0 && !strings.Contains(name, "removed") {
					t.Errorf("Resolve gives %v, %v", conflicts, err)
				}
			}
		})
	}
	var errOut bytes.Buffer
	if status := Run([]string{"-merge", "a", "b"}, nil, &errOut, &errOut); status != 2 || strings.Count(errOut.String(), "\n") != 1 {
		t.Errorf("status %d, %s", status, &errOut)
	}
}

// Git runs it as docs/lock.md says.
func TestMerge_git(t *testing.T) {
	if err := exec.Command("git", "--version").Run(); err != nil {
		t.Skipf("needs git: %v", err)
	}
	if len(os.Args) > 1 && os.Getenv("TOFUWIRE_TEST_MERGE") != "" {
		t.Skip("needs to be the test, not the driver that git starts")
	}
	dir := t.TempDir()
	run := func(args ...string) error {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		// Below a hook of Git, the variables of the repository that is committed to are set.
		cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
		cmd.Env = append(cmd.Env, "TOFUWIRE_TEST_MERGE=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@x")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Logf("git %s: %s", args, out)
		}
		return err
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must := func(args ...string) {
		t.Helper()
		if err := run(args...); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	must("init", "-q", "-b", "main")
	must("config", "merge.lockfile.driver", "'"+self+"' -merge %O %A %B")
	write(".gitattributes", ".terraform.lock.hcl merge=lockfile\n")
	write(lockfile.Name, block("a", "1.0.0", ">= 1.0.0", "h1:a"))
	must("add", ".")
	must("commit", "-qm", "base")
	must("checkout", "-qb", "side")
	write(lockfile.Name, block("a", "1.0.0", ">= 1.0.0", "h1:a", "h1:b"))
	must("commit", "-qam", "side")
	must("checkout", "-q", "main")
	write(lockfile.Name, block("a", "1.0.0", ">= 1.0.0", "h1:a", "h1:c"))
	must("commit", "-qam", "main")
	must("merge", "-q", "side")
	got, err := os.ReadFile(filepath.Join(dir, lockfile.Name))
	if want := block("a", "1.0.0", ">= 1.0.0", "h1:a", "h1:b", "h1:c"); err != nil || string(got) != want {
		t.Errorf("got\n%s%v\nwant\n%s", got, err, want)
	}
}

func TestMain(m *testing.M) {
	if os.Getenv("TOFUWIRE_TEST_MERGE") != "" {
		os.Exit(Run(os.Args[1:], nil, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}
