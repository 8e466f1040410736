// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package skeletons_test

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

const module = "github.com/tofuwire/tofuwire"

var update = flag.Bool("update", false, "write what the programs print")

// A skeleton is a program that newcomers copy. What it prints for recorded input is in
// testdata/NAME.txt.
type skeleton struct {
	name  string
	dir   string // from the top
	stdin string // a file, from the top
	// lay prepares the working directory and returns further variables of the environment.
	lay   func(t *testing.T, top, work string) (env []string)
	args  []string
	after string // a file of the working directory that belongs to the output
	code  int
}

var skeletons = []skeleton{
	{name: "firstlinter", dir: "internal/testing/firstlinter", lay: func(t *testing.T, top, work string) []string {
		write(t, filepath.Join(work, "main.tf"), "variable \"v_secret\" {\n}\n")
		return nil
	}, args: []string{"."}, code: 1},
	{name: "quickstart", dir: "examples/quickstart"},
	{name: "roundtrip", dir: "examples/roundtrip", stdin: "planjson/testdata/tofu-1.12.6/commands/output.empty.json", args: []string{"output"}},
	{name: "gate", dir: "examples/gate", stdin: "planjson/testdata/terraform-1.11.4/actions/plan.destroy.json",
		args: []string{"-protect", "lab_*", "-max-deletes", "1"}, code: 1},
	{name: "gate-failed", dir: "examples/gate", stdin: "planjson/testdata/terraform-1.11.4/checks/plan.cond-error.json", code: 2},
	{name: "wrapper", dir: "examples/wrapper", lay: layTool, args: []string{"-tool", "./tool.exe", "module"}},
	{name: "linter", dir: "examples/linter", lay: func(t *testing.T, top, work string) []string {
		copyTree(t, filepath.Join(top, "examples/linter/testdata"), work)
		return nil
	}, args: []string{"-only", "acme_ports,acme_secrets,acme_tags", "./..."}, code: 1},
	{name: "lockbot", dir: "examples/lockbot", lay: layMirror, args: []string{"-platform", "linux_amd64", "-platform", "darwin_arm64", "."}, after: "live/.terraform.lock.hcl"},
	{name: "codemod", dir: "examples/codemod", lay: func(t *testing.T, top, work string) []string {
		copyTree(t, filepath.Join(top, "hclconfig/testdata/modules/registry-modules"), work)
		return nil
	}, args: []string{"-w", "-source", "acme/box/lab", "-to", "1.4.0", "."}, after: "main.tf"},
	{name: "inventory", dir: "examples/inventory", lay: layStates, args: []string{"."}, code: 1},
}

// TestBuild copies each skeleton into an empty module of its own, as a newcomer does, builds it there,
// runs it on recorded input, compares what it prints, and runs its tests.
func TestBuild(t *testing.T) {
	depth.NeedFull(t, "it builds programs")
	top, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range skeletons {
		t.Run(s.name, func(t *testing.T) {
			dir, work := t.TempDir(), t.TempDir()
			tests := take(t, filepath.Join(top, filepath.FromSlash(s.dir)), dir)
			// Once there is a release, "go get" writes the requirement, and the
			// replacement is not needed.
			write(t, filepath.Join(dir, "go.mod"), fmt.Sprintf("module example.com/mine\n\ngo 1.26\n\nrequire %s v0.0.0\n\nreplace %[1]s => %q\n", module, top))
			program := filepath.Join(dir, "mine.exe") // a name that every system runs
			goCommand(t, dir, "build", "-o", program, ".")

			cmd := exec.Command(program, s.args...)
			cmd.Dir, cmd.Env = work, os.Environ()
			if s.lay != nil {
				cmd.Env = append(cmd.Env, s.lay(t, top, work)...)
			}
			if s.stdin != "" {
				cmd.Stdin = strings.NewReader(read(t, filepath.Join(top, s.stdin)))
			}
			var said strings.Builder
			cmd.Stderr = &said
			text, err := cmd.Output()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			if code := cmd.ProcessState.ExitCode(); code != s.code || code > 0 && len(text)+said.Len() == 0 {
				t.Errorf("status %d, want %d\n%s%s", code, s.code, text, said.String())
			}
			out := string(text)
			if s.after != "" {
				out += "-- " + s.after + " --\n" + read(t, filepath.Join(work, s.after))
			}
			golden := filepath.Join("testdata", s.name+".txt")
			if *update {
				write(t, golden, out)
			}
			if diff := cmp.Diff(read(t, golden), out); diff != "" {
				t.Errorf("prints something else (-want +got):\n%s\n%s", diff, said.String())
			}
			if tests > 0 {
				goCommand(t, dir, "test", "-short", ".")
			}
		})
	}
}

// TestExamples checks that there are at most eight examples, that each is among the skeletons, and that
// those of one file fit on a few screens.
func TestExamples(t *testing.T) {
	names, err := filepath.Glob("../../../examples/*/main.go")
	if err != nil || len(names) > 8 || len(names) < 3 {
		t.Fatal(names, err)
	}
	known := map[string]bool{}
	for _, s := range skeletons {
		known[s.dir] = true
	}
	for _, main := range names {
		dir := filepath.Dir(main)
		name := filepath.Base(dir)
		if !known["examples/"+name] {
			t.Errorf("nobody copies the example %s", name)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		if name == "quickstart" || name == "roundtrip" {
			continue // of several files
		}
		for _, file := range files {
			switch lines := strings.Count(read(t, file), "\n"); {
			case strings.HasSuffix(file, "_test.go"):
			case filepath.Base(file) != "main.go":
				t.Errorf("%s: an example has one file, main.go, and its test", file)
			case lines > 150:
				t.Errorf("%s has %d lines, of at most 150", file, lines)
			}
		}
	}
}

// layTool makes a tool that prints what was recorded of a real one.
func layTool(t *testing.T, top, work string) []string {
	const source = `package main

import (
	"os"
	"path/filepath"
	"strings"
)

func main() {
	file := os.Getenv("RECORDED_STREAMS") + "/" + os.Args[1] + ".jsonl"
	if os.Args[1] == "show" {
		file = os.Getenv("RECORDED_PLAN")
	}
	for _, arg := range os.Args {
		if name, ok := strings.CutPrefix(arg, "-out="); ok {
			if err := os.WriteFile(name, []byte("saved"), 0o600); err != nil {
				panic(err)
			}
		}
	}
	if saved, err := os.ReadFile(os.Args[len(os.Args)-1]); os.Args[1] != "plan" && string(saved) != "saved" {
		panic(err)
	}
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(text)
}
`
	dir := t.TempDir()
	write(t, filepath.Join(dir, "main.go"), source)
	write(t, filepath.Join(dir, "go.mod"), "module example.com/tool\n\ngo 1.26\n")
	goCommand(t, dir, "build", "-o", filepath.Join(work, "tool.exe"), ".")
	if err := os.Mkdir(filepath.Join(work, "module"), 0o700); err != nil {
		t.Fatal(err)
	}
	// The program is started in the folder of the module.
	if err := os.Rename(filepath.Join(work, "tool.exe"), filepath.Join(work, "module", "tool.exe")); err != nil {
		t.Fatal(err)
	}
	return []string{"RECORDED_STREAMS=" + filepath.Join(top, "uijson/testdata/tofu-1.12.6/commands"), "RECORDED_PLAN=" + filepath.Join(top, "planjson/testdata/tofu-1.12.6/commands/plan.json")}
}

// layMirror makes a root module with an empty lock file, and a mirror that the CLI configuration names.
func layMirror(t *testing.T, top, work string) []string {
	write(t, filepath.Join(work, "live/main.tf"), "terraform {\n  required_providers {\n    widget = { source = \"acme/widget\", version = \">= 1.0, < 2.0\" }\n  }\n}\n")
	write(t, filepath.Join(work, "live/.terraform.lock.hcl"), "# Kept by the platform team.\n")
	mirror := t.TempDir()
	names, err := filepath.Glob(filepath.Join(top, "checksum/testdata/packages/terraform-provider-widget_1.*.zip"))
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		write(t, filepath.Join(mirror, "registry.opentofu.org/acme/widget", filepath.Base(name)), read(t, name))
	}
	config := filepath.Join(mirror, "cli.tfrc")
	write(t, config, fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", filepath.ToSlash(mirror)))
	return []string{"TF_CLI_CONFIG_FILE=" + config}
}

// layStates makes a tree of states, one of which is encrypted.
func layStates(t *testing.T, top, work string) []string {
	states, err := recordings.Archive(os.DirFS(top), "planjson/statefile/testdata/states.zip.gz")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tofu-1.12.6/actions/state.tfstate", "tofu-1.12.6/drift/state.tfstate"} {
		text, err := fs.ReadFile(states, name)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(work, filepath.Dir(name), "terraform.tfstate"), string(text))
	}
	write(t, filepath.Join(work, "secret/terraform.tfstate"), read(t, filepath.Join(top, "planjson/statefile/testdata/encrypted/chain.tfstate")))
	return nil
}

// write writes a file and the folders above it.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// copyTree copies a folder.
func copyTree(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// goCommand runs go in a folder. Everything it needs is there already, so
// nothing may be fetched. The go.sum is made on the way, from what is in the
// cache.
func goCommand(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod -buildvcs=false -trimpath", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off", "GOTOOLCHAIN=local")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// take copies the program in a folder, with all that belongs to it, and returns
// the number of files with tests. Tests that use files of other folders, or a package
// of ours for tests, stay behind.
func take(t *testing.T, from, to string) (tests int) {
	t.Helper()
	copyTree(t, from, to)
	err := filepath.WalkDir(to, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(name) != ".go" {
			return err
		}
		text, isTest := read(t, name), strings.HasSuffix(name, "_test.go")
		switch {
		case isTest && (strings.Contains(text, `"..`) || strings.Contains(text, module+"/internal/testing/")):
			return os.Remove(name)
		case isTest:
			tests++
		case strings.Contains(text, module+"/internal/"), strings.Contains(text, module+"/examples/"):
			t.Errorf("%s imports a private package", name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}
