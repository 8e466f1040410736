// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
)

// real returns the path of a real tool. The tests that use one need nothing
// but its built-in provider, and no network.
func real(t *testing.T) string {
	t.Helper()
	tools := depth.Tools(t)
	path := cmp.Or(tools["tofu"], tools["terraform"])
	t.Setenv("CHECKPOINT_DISABLE", "1")
	t.Setenv("TMPDIR", t.TempDir())
	t.Setenv("TF_CLI_CONFIG_FILE", os.DevNull)
	return path
}

// write makes a module of one file.
func write(t *testing.T, dir, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// addresses returns the addresses in the state.
func addresses(t *testing.T, tool, dir string) string {
	t.Helper()
	cmd := exec.Command(tool, "show", "-json")
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	s, err := planjson.DecodeState(text)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for r := range s.AllResources() {
		all = append(all, r.Address)
	}
	return strings.Join(all, " ")
}

// A module lives through everything that wrapper can do to it.
func TestRealApplyAndDestroy(t *testing.T) {
	tool, dir := real(t), t.TempDir()
	for _, stage := range []struct {
		name, config string
		args         []string
		code         int
		state, says  string
	}{
		{"wrong configuration", `resource "terraform_data" "a" { nonsense = 1 }`, nil, exitFailed, "", "Error: Unsupported argument"},
		{"refused", `resource "terraform_data" "a" {}`, []string{"-policy", "max-create=0", dir}, exitRefused, "", "1 objects would be created"},
		{"created", `resource "terraform_data" "a" {}`, []string{"-policy", "no-delete", "-policy", "free", dir}, exitOK, "terraform_data.a", "Apply complete!"},
		{"the same again", `resource "terraform_data" "a" {}`, nil, exitOK, "terraform_data.a", "nothing to apply"},
		{"protected", `resource "terraform_data" "b" {}`, []string{"-skip-init", "-policy", "no-delete=terraform_*", dir}, exitRefused, "terraform_data.a", "terraform_data.a: would be deleted: delete because no resource config"},
		{"moved", "resource \"terraform_data\" \"b\" {}\nmoved {\n  from = terraform_data.a\n  to = terraform_data.b\n}\n", nil, exitOK, "terraform_data.b", "apply: "},
		{"failing", "resource \"terraform_data\" \"c\" {\n  provisioner \"local-exec\" {\n    command = \"exit 3\"\n  }\n}\nresource \"terraform_data\" \"b\" {}\n", nil, exitFailed, "terraform_data.b terraform_data.c", "failed: terraform_data.c"},
		{"with a plan option", `resource "terraform_data" "b" {}`, []string{dir, "-destroy"}, exitOK, "", "Apply complete!"},
	} {
		write(t, dir, stage.config)
		args := stage.args
		if args == nil {
			args = []string{dir}
		}
		var out trigger
		if code := run(append([]string{"-tofu", tool}, args...), nil, &out, &out); code != stage.code {
			t.Fatalf("%s: exit status %d, want %d\n%s", stage.name, code, stage.code, out.String())
		}
		if !strings.Contains(out.String(), stage.says) {
			t.Errorf("%s: does not say %q\n%s", stage.name, stage.says, out.String())
		}
		if state := addresses(t, tool, dir); state != stage.state {
			t.Errorf("%s: state %q, want %q", stage.name, state, stage.state)
		}
	}
}

// An interrupted apply loses nothing of what it has made.
func TestRealInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a system with signals")
	}
	tool, dir := real(t), t.TempDir()
	write(t, dir, `
resource "terraform_data" "first" {}
resource "terraform_data" "slow" {
  depends_on = [terraform_data.first]
  provisioner "local-exec" {
    command = "echo underway; exec sleep 60"
  }
}
resource "terraform_data" "never" {
  depends_on = [terraform_data.slow]
}
`)
	signals := make(chan os.Signal, 2)
	out := &trigger{text: []string{"(local-exec): underway"}, do: func(string) {
		signals <- os.Interrupt
		signals <- os.Interrupt // it must not reach the tool
	}}
	if code := run([]string{"-tofu", tool, dir}, signals, out, out); code != exitCancelled {
		t.Errorf("exit status %d\n%s", code, out)
	}
	if state := addresses(t, tool, dir); state != "terraform_data.first terraform_data.slow" {
		t.Errorf("state %q\n%s", state, out)
	}
	if strings.Contains(out.String(), "Two interrupts") {
		t.Errorf("two interrupts:\n%s", out)
	}
}
