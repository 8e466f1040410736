// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package skeletons_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

const module = "github.com/tofuwire/tofuwire"

// skeletons are the folders of programs that newcomers copy, and what each does there.
var skeletons = map[string]struct {
	dir   string            // from the top
	files map[string]string // by name, in a folder that is its argument
	want  string            // part of what it prints
	code  int
}{
	// The linter of the guide.
	"linter": {
		dir:   "internal/testing/firstlinter",
		files: map[string]string{"main.tf": "variable \"v_secret\" {\n}\n"},
		want:  "main.tf:1,1",
		code:  1,
	},
	// What each package is for.
	"quickstart": {
		dir:  "examples/quickstart",
		want: "module.site",
	},
}

// TestBuild copies each skeleton into a module of its own, as a newcomer does,
// builds it there, has it do something, and runs the tests that need no files of
// other folders.
func TestBuild(t *testing.T) {
	depth.NeedFull(t, "it builds programs")
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for name, skeleton := range skeletons {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			tests := take(t, filepath.Join(root, filepath.FromSlash(skeleton.dir)), dir)
			// Once there is a release, "go get" writes the requirement, and the
			// replacement is not needed.
			mod := fmt.Appendf(nil, "module example.com/mine\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %[1]s => %q\n", module, root)
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o600); err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(dir, "mine")
			if runtime.GOOS == "windows" {
				program += ".exe"
			}
			goCommand(t, dir, "build", "-o", program, ".")

			var args []string
			if skeleton.files != nil {
				args = []string{t.TempDir()}
			}
			for name, text := range skeleton.files {
				if err := os.WriteFile(filepath.Join(args[0], name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			out, code := start(t, program, args...)
			if code != skeleton.code || !strings.Contains(out, skeleton.want) {
				t.Errorf("status %d, want %d and %q\n%s", code, skeleton.code, skeleton.want, out)
			}
			if tests > 0 {
				goCommand(t, dir, "test", "-short", ".")
			}
		})
	}
}

// goCommand runs go in a folder. Everything it needs is there already, so
// nothing may be fetched. The go.sum is made on the way, from what is in the
// cache.
func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// start runs a program and returns what it prints and its status.
func start(t *testing.T, program string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// take copies the program in a folder, with all that belongs to it, and returns
// the number of files with tests. Tests that use files of other folders, or a package
// of ours for tests, stay behind.
func take(t *testing.T, from, to string) (tests int) {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		files[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		isTest := strings.HasSuffix(name, "_test.go")
		switch {
		case isTest && (strings.Contains(text, `"..`) || strings.Contains(text, module+"/internal/testing/")):
			continue
		case isTest:
			tests++
		case strings.Contains(text, module+"/internal/"), strings.Contains(text, module+"/examples/"):
			if strings.HasSuffix(name, ".go") {
				t.Errorf("%s imports a private package", name)
			}
		}
		name = filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return tests
}
