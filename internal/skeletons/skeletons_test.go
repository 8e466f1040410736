// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package skeletons_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

const module = "github.com/tofuwire/tofuwire"

// TestBuild copies each skeleton into a module of its own, as a newcomer
// does, builds it there, and starts it.
func TestBuild(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, skeleton := range []string{"lint", "wrapper", "lock"} {
		t.Run(skeleton, func(t *testing.T) {
			dir := t.TempDir()
			take(t, filepath.Join(root, "examples", skeleton), dir)
			// Once there is a release, "go get" writes the requirement, and the
			// replacement is not needed.
			mod := fmt.Sprintf("module example.com/mine\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %[1]s => %q\n", module, root)
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o600); err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(dir, "mine")
			if runtime.GOOS == "windows" {
				program += ".exe"
			}
			build := exec.Command("go", "build", "-o", program, ".")
			build.Dir = dir
			// Everything it needs is there already, so nothing may be fetched.
			// The go.sum is made on the way, from what is in the cache.
			build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local")
			if out, err := build.CombinedOutput(); err != nil {
				t.Fatalf("go build: %v\n%s", err, out)
			}
			// Called without arguments, it says how to use it.
			out, err := exec.Command(program).CombinedOutput()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() <= 0 || !strings.Contains(string(out), "usage: "+skeleton+" ") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// take copies the program in a folder, without its tests.
func take(t *testing.T, from, to string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(from, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no program in %s: %v", from, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), module+"/internal/") {
			t.Errorf("%s imports a private package", file)
		}
		if err := os.WriteFile(filepath.Join(to, filepath.Base(file)), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
