// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package skeletons_test

import (
	"bytes"
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

// skeletons are the folders of examples, and what each does here, where it has
// no files but its own.
var skeletons = map[string]struct {
	args  []string          // in addition to the folder with files
	files map[string]string // by name
	stdin string
	want  string // part of what it prints
	code  int
}{
	// The custom linter.
	"lint": {
		files: map[string]string{"main.tf": "variable \"v\" {\n}\n"},
		want:  "main.tf:1,1",
		code:  1,
	},
	// The wrapper, which finds no module and says so before it runs a tool.
	"wrapper": {
		args: []string{"-tofu", "no-such-tool"},
		want: "no-such-tool",
		code: 2,
	},
	// The bot that comments on pull requests.
	"planreport": {
		stdin: `{"format_version":"1.2","resource_changes":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","change":{"actions":["delete"],"before":{},"after":null}}]}`,
		want:  "a_b.c",
	},
	// The display of progress.
	"watch": {
		stdin: `{"@level":"error","@message":"Error: no luck","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000000Z","diagnostic":{"severity":"error","summary":"no luck","detail":""},"type":"diagnostic"}` + "\n",
		want:  "no luck",
		code:  1,
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
			tests := take(t, filepath.Join(root, "examples", name), dir)
			// Once there is a release, "go get" writes the requirement, and the
			// replacement is not needed.
			mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
			if err == nil { // a module of its own
				mod = bytes.Replace(mod, []byte("=> ../../"), fmt.Appendf(nil, "=> %q", root), 1)
			} else {
				mod = fmt.Appendf(nil, "module example.com/mine\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %[1]s => %q\n", module, root)
			}
			if err := os.WriteFile(filepath.Join(dir, "go.mod"), mod, 0o600); err != nil {
				t.Fatal(err)
			}
			program := filepath.Join(dir, "mine")
			if runtime.GOOS == "windows" {
				program += ".exe"
			}
			goCommand(t, dir, "build", "-o", program, ".")

			// Called without arguments it says how to use it, unless it reads
			// from standard input then.
			if skeleton.stdin == "" {
				out, code := start(t, program, "")
				if code == 0 || !strings.Contains(out, "usage: "+name+" ") {
					t.Errorf("without arguments: status %d\n%s", code, out)
				}
			}
			args := skeleton.args
			if skeleton.stdin == "" {
				work := t.TempDir()
				for name, text := range skeleton.files {
					if err := os.WriteFile(filepath.Join(work, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				args = append(args, work)
			}
			out, code := start(t, program, skeleton.stdin, args...)
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
func start(t *testing.T, program, stdin string, args ...string) (out string, code int) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Stdin = strings.NewReader(stdin)
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// take copies the program in a folder, with all that belongs to it, and returns
// the number of files with tests. Tests that use files of other folders stay
// behind, and those next to them; a file that uses a package of ours for tests
// stays behind alone.
func take(t *testing.T, from, to string) (tests int) {
	t.Helper()
	files := make(map[string]string)
	away := false
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
		if strings.HasSuffix(rel, "_test.go") {
			away = away || strings.Contains(string(text), `"..`)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		isTest := strings.HasSuffix(name, "_test.go")
		switch {
		case isTest && (away || strings.Contains(text, module+"/internal/testing/")):
			continue
		case isTest:
			tests++
		case strings.Contains(text, module+"/internal/"), strings.Contains(strings.ReplaceAll(text, module+"/examples/"+filepath.Base(from)+"/", ""), module+"/examples/"):
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
