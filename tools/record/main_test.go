// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/tofuwire/tofuwire/tools/internal/tofuwire"
)

// TestMain makes the test program a tool if that is its name.
func TestMain(m *testing.M) {
	if strings.HasPrefix(filepath.Base(os.Args[0]), "faketofu") {
		os.Exit(fake(os.Args[1:]))
	}
	if _, err := tofuwire.Build(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	status := m.Run()
	tofuwire.Remove()
	os.Exit(status)
}

// fake does what a tool would do with the arguments, and returns its exit status.
func fake(args []string) int {
	switch args[0] {
	case "version":
		fmt.Println("OpenTofu v9.9.9\non linux_amd64")
	case "plan":
		src, err := os.ReadFile("main.tf")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		fmt.Printf("{\"timestamp\":%q,\"configuration\":%q}\n", time.Now(), src)
	case "apply":
		interrupts := make(chan os.Signal, 2)
		signal.Notify(interrupts, os.Interrupt)
		fmt.Println("started")
		for n := 0; fmt.Sprint(n) != args[1]; n++ {
			<-interrupts
		}
		fmt.Println("interrupted", args[1])
		return 1
	case "validate":
		src, err := os.ReadFile("main.tf")
		if err != nil {
			return 1
		}
		if strings.Contains(string(src), "bad") {
			fmt.Println(`{"diagnostics":[{"severity":"error","summary":"B"},{"severity":"warning","summary":"W"},{"severity":"error","summary":"A"},{"severity":"error","summary":"B"}]}`)
			return 1
		}
		fmt.Println(`{"diagnostics":[]}`)
	case "init":
		src, err := os.ReadFile("main.tf")
		if err != nil || strings.Contains(string(src), "==") {
			fmt.Fprintln(os.Stderr, "Error: Invalid version constraint")
			return 1
		}
		lock := "provider \"registry.opentofu.org/acme/widget\" {\n  version     = \"1.0.0\"\n  constraints = \"~> 1.0\"\n}\n"
		if err := os.WriteFile(".terraform.lock.hcl", []byte(lock), 0o644); err != nil {
			return 1
		}
	case "save":
		if err := os.WriteFile("terraform.tfstate", fmt.Appendf(nil, fakeState, time.Now()), 0o644); err != nil {
			return 1
		}
	case "encrypt":
		return encrypt(os.Getenv("TF_ENCRYPTION"))
	case "show":
		fmt.Println(fakeShown)
		os.Exit(0) // without the warning of a program for tests
	case "both":
		fmt.Println("out")
		fmt.Fprintln(os.Stderr, "err")
	}
	return 0
}

// encrypt saves a state that is encrypted as a text says.
func encrypt(config string) int {
	if err := os.WriteFile("encryption.hcl", []byte(config), 0o600); err != nil {
		return 1
	}
	var out bytes.Buffer
	plain := fmt.Sprintf(fakeState, time.Now())
	if tofuwire.Run([]string{"state", "encrypt", "-config", "encryption.hcl", "-"}, strings.NewReader(plain), &out, os.Stderr) != 0 {
		return 1
	}
	if err := os.WriteFile("terraform.tfstate", out.Bytes(), 0o644); err != nil {
		return 1
	}
	return 0
}

// module lays the files of a module that has scripts, and returns its folder
// and a fake tool.
func module(t *testing.T, files map[string]string) (dir, tool string) {
	t.Helper()
	dir = t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	tool = filepath.Join(t.TempDir(), "faketofu")
	if runtime.GOOS == "windows" {
		tool += ".exe"
	}
	if err := link(self, tool); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(tool, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, tool
}

func run1(t *testing.T, o options) (string, error) {
	t.Helper()
	if o.tries == 0 {
		o.tries = 2
	}
	o.diffs = 3
	var b strings.Builder
	err := Main(context.Background(), &b, o)
	return b.String(), err
}

const script = `{"providers": "none", "steps": [
	{"note": "what it is for"},
	{"use": "config"},
	{"write": "more.tf", "text": "# more"},
	{"run": ["plan"], "stdout": "plan.json", "keep": ["p/plan.json", "p/config.json#configuration"]},
	{"add": "config-2"},
	{"remove": "nothing.tf"},
	{"save": "sub/x.tf", "as": "x.tf", "keep": ["p/x.tf"]},
	{"copy": "p/input", "to": "input"},
	{"save": "input", "as": "input", "keep": ["p/input.out"]},
	{"run": ["both"], "stdout": "both.txt", "merged": true, "keep": ["p/both.txt"]},
	{"use": "config-2"}, {"run": ["plan"], "exit": 1, "stdout": "none.json", "keep": ["p/none.txt"]}]}`

func TestRemakeAndCheck(t *testing.T) {
	dir, tool := module(t, map[string]string{
		"tools/record/cases/c/tofu-9.9.9.json":        script,
		"tools/record/cases/c/config/main.tf":         "# main",
		"tools/record/cases/c/config-2/sub/x.tf":      "# x",
		"tools/record/cases/skipped/tofu-9.9.9.json":  `{"skip": "it needs the network", "steps": []}`,
		"tools/record/cases/other/terraform-1.2.json": `{"steps": []}`,
		"p/input": "in",
	})
	out := t.TempDir()
	text, err := run1(t, options{root: dir, bin: tool, out: out})
	if err != nil {
		t.Fatal(err, text)
	}
	if !strings.Contains(text, "it needs the network") || strings.Contains(text, "other") {
		t.Error(text)
	}
	for name, want := range map[string]string{"config.json": "\"# main\"\n", "x.tf": "# x", "input.out": "in", "both.txt": "out\nerr\n", "none.txt": ""} {
		got, err := os.ReadFile(filepath.Join(dir, "p", name))
		got = bytes.TrimSuffix(got, []byte("warning: GOCOVERDIR not set, no coverage data emitted\n")) // a test program says so
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "c", "tofu-9.9.9", "plan.json")); err != nil {
		t.Error(err)
	}

	// A second run differs only in the time.
	text, err = run1(t, options{root: dir, bin: tool, check: true, verbose: true})
	if err != nil || !strings.Contains(text, "5 files the same, 1 the same except") || !strings.Contains(text, "p/plan.json") {
		t.Fatal(err, text)
	}
	if err := os.WriteFile(filepath.Join(dir, "p", "x.tf"), []byte("# y"), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err = run1(t, options{root: dir, bin: tool, check: true, only: "^c$"})
	if !errors.Is(err, ErrDiffer) || !strings.Contains(text, "p/x.tf differs") || strings.Contains(text, "network") {
		t.Error(err, text)
	}
	text, err = run1(t, options{root: dir, bin: tool, check: true, only: "^c$", from: out})
	if !errors.Is(err, ErrDiffer) || !strings.Contains(text, "5 files the same, 0 the same except") || !strings.Contains(text, "p/x.tf differs") {
		t.Error(err, text)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "p", "x.tf")); string(got) != "# y" {
		t.Error("-check wrote")
	}
}

// The scripts of another version are checked, and remade only to -out.
func TestOtherVersion(t *testing.T) {
	dir, tool := module(t, map[string]string{
		"tools/record/cases/c/tofu-9.9.8.json": `{"providers": "none", "steps": [{"run": ["both"], "stdout": "o", "keep": ["o"], "race": "a die is cast"}]}`,
		"o":                                    "old",
	})
	if _, err := run1(t, options{root: dir, bin: tool}); err == nil || !strings.Contains(err.Error(), "no recordings of tofu 9.9.9") {
		t.Error(err)
	}
	text, err := run1(t, options{root: dir, bin: tool, out: t.TempDir()})
	if err != nil || !strings.Contains(text, "o differs by chance: a die is cast") {
		t.Error(err, text)
	}
	if got, _ := os.ReadFile(filepath.Join(dir, "o")); string(got) != "old" {
		t.Error("a script of another version wrote")
	}
}

func TestFailures(t *testing.T) {
	for _, test := range []struct{ name, script, want string }{
		{"exit status", `{"run": ["both"], "exit": 2}`, "exit status 0, not 2"},
		{"folder", `{"use": "config"}`, "config"},
		{"saved file", `{"save": "x", "as": "y"}`, "x"},
		{"copied file", `{"copy": "x", "to": "y"}`, "x"},
		{"part", `{"run": ["both"], "stdout": "o", "keep": ["o#configuration"]}`, "o: "},
		{"never interrupted", `{"run": ["both"], "interrupt": {"after": "never", "times": 1}}`, "was not interrupted"},
		{"expression", `{"run": ["both"], "interrupt": {"after": "(", "times": 1}}`, "missing closing"},
		{"rows", `{"validated": "none"}`, "none"},
	} {
		dir, tool := module(t, map[string]string{"tools/record/cases/c/tofu-9.9.9.json": `{"providers": "none", "steps": [` + test.script + `]}`})
		text, err := run1(t, options{root: dir, bin: tool, check: true})
		if !errors.Is(err, ErrDiffer) || !strings.Contains(text, test.want) {
			t.Errorf("%s: %v\n%s", test.name, err, text)
		}
	}
	if _, err := run1(t, options{bin: "no-such-tool"}); err == nil {
		t.Error("no error without a binary")
	}
	dir, tool := module(t, map[string]string{"tools/record/cases/c/tofu-9.9.9.json": `{"`})
	if _, err := run1(t, options{root: dir, bin: tool, check: true}); err == nil {
		t.Error("no error for a broken script")
	}
	if _, err := run1(t, options{root: dir, bin: tool, only: "("}); err == nil {
		t.Error("no error for a broken expression")
	}
}

func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system whose processes can be interrupted")
	}
	dir, tool := module(t, map[string]string{
		"tools/record/cases/c/tofu-9.9.9.json": `{"providers": "none", "steps": [
			{"run": ["apply", "1"], "exit": 1, "stdout": "1", "interrupt": {"after": "^start", "times": 1}, "keep": ["1"]},
			{"run": ["apply", "2"], "exit": 1, "stdout": "2", "interrupt": {"after": "^start", "times": 2}, "keep": ["2"]}]}`,
		"1": "started\ninterrupted 1\n", "2": "started\ninterrupted 2\n",
	})
	if text, err := run1(t, options{root: dir, bin: tool, check: true}); err != nil {
		t.Error(err, text)
	}
}

func TestRows(t *testing.T) {
	const constraints = `{"tool": "tofu-9.9.9", "constraints": ["~>1.0", null], "exit_code": 0, "locked_version": "1.0.0", "locked_constraints": "~> 1.0"}
{"tool": "tofu-9.9.9", "constraints": ["==1.0"], "exit_code": 1, "syntax_error": true}
{"tool": "terraform-1.0.0", "constraints": ["==1.0"], "exit_code": 7}
`
	const validated = `{"file": "main.tf", "src": "bad", "errors": ["A", "B"], "warnings": ["W"]}
{"file": "main.tf", "src": "good"}
`
	dir, tool := module(t, map[string]string{
		"tools/record/cases/c/tofu-9.9.9.json": `{"providers": "none", "steps": [{"constraints": "c.jsonl"}, {"validated": "v.jsonl"}]}`,
		"c.jsonl":                              constraints, "v.jsonl": validated,
	})
	text, err := run1(t, options{root: dir, bin: tool, check: true})
	if err != nil || !strings.Contains(text, "2 files the same") {
		t.Error(err, text)
	}
	// What a tool says otherwise is written.
	if err := os.WriteFile(filepath.Join(dir, "v.jsonl"), []byte(strings.Replace(validated, `"A", `, "", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if text, err := run1(t, options{root: dir, bin: tool}); err != nil {
		t.Fatal(err, text)
	}
	got, err := os.ReadFile(filepath.Join(dir, "v.jsonl"))
	if want := `{"file":"main.tf","src":"bad","errors":["A","B"],"warnings":["W"]}` + "\n" + `{"file": "main.tf", "src": "good"}` + "\n"; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestToolVersion(t *testing.T) {
	if _, _, err := toolVersion(context.Background(), "no-such-tool"); err == nil {
		t.Error("no error without a binary")
	}
	echo, err := filepath.Abs("/bin/echo")
	if _, statErr := os.Stat(echo); err == nil && statErr == nil {
		if _, _, err := toolVersion(context.Background(), echo); err == nil {
			t.Error("echo is no tool")
		}
	}
}
