// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEdits runs the commands that change a state.
func TestEdits(t *testing.T) {
	for _, args := range [][]string{
		{"mv", "FILE", "lab_thing.b[2]", "lab_thing.c"},
		{"mv", "FILE", "module.m[0]", "module.n"},
		{"rm", "FILE", "lab_thing.b", "lab_thing.none"},
		{"taint", "FILE", "lab_thing.b[2]"},
		{"replace-provider", "FILE", "example/lab", "acme/lab"},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "terraform.tfstate")
		if err := os.WriteFile(name, []byte(secretState), 0o600); err != nil {
			t.Fatal(err)
		}
		args[1] = name
		out := filepath.Join(dir, "out")
		with := append([]string{args[0], "-out", out}, args[1:]...)
		if status, stdout, msg := run(t, "", with...); status != 0 || stdout != "" || msg != said(args) {
			t.Errorf("%v: %d %s%s", with, status, stdout, msg)
		}
		if text, err := os.ReadFile(name); err != nil || string(text) != secretState {
			t.Errorf("%v changed FILE: %v", with, err)
		}
		piped := append([]string{args[0], "-out", "-", "-"}, args[2:]...)
		status, printed, msg := run(t, secretState, piped...)
		if status != 0 || msg != said(args) {
			t.Errorf("%v: %d %s", piped, status, msg)
		}
		if status, stdout, msg := run(t, "", args...); status != 0 || stdout != "" || msg != said(args) {
			t.Errorf("%v: %d %s%s", args, status, stdout, msg)
		}
		a, err := os.ReadFile(name)
		b, err2 := os.ReadFile(out)
		if printed != string(a) {
			t.Errorf("%v prints %s", piped, printed)
		}
		if err != nil || err2 != nil || string(a) != string(b) || !strings.Contains(string(a), `"serial":4`) || !strings.Contains(string(a), "1.9.0") {
			t.Errorf("%v: %v %v %s", args, err, err2, a)
		}
		if backups, err := filepath.Glob(name + ".*.backup"); err != nil || len(backups) != 1 {
			t.Errorf("%v: backups %v, %v", args, backups, err)
		}
		if args[0] == "replace-provider" && !strings.Contains(string(a), "registry.terraform.io/acme/lab") {
			t.Errorf("%s", a)
		}
	}
}

// said returns what an edit says on standard error.
func said(args []string) string {
	if args[0] == "replace-provider" {
		return "Successfully replaced provider for 2 resources.\n"
	}
	return ""
}

// TestEditsRefused checks that nothing is written if an edit is refused or changes
// nothing.
func TestEditsRefused(t *testing.T) {
	for _, tt := range []struct {
		status int
		args   []string
	}{
		{1, []string{"mv", "FILE", "lab_thing.none", "lab_thing.c"}},
		{1, []string{"mv", "FILE", "lab_thing.b[2]", "no address"}},
		{1, []string{"mv", "FILE", "no address", "lab_thing.c"}},
		{1, []string{"rm", "FILE", "lab_thing.none"}},
		{1, []string{"rm", "FILE", "no address"}},
		{1, []string{"untaint", "FILE", "lab_thing.b[2]"}},
		{1, []string{"taint", "FILE", "no address"}},
		{1, []string{"untaint", "FILE", "no address"}},
		{1, []string{"replace-provider", "FILE", "a b", "x/y"}},
		{1, []string{"replace-provider", "FILE", "x/y", "a b"}},
		{0, []string{"replace-provider", "FILE", "x/y", "x/z"}},
		{0, []string{"replace-provider", "-out", "-", "-", "x/y", "x/z"}},
		{2, []string{"taint", "-", "lab_thing.b[2]"}},
		{2, []string{"taint", "/no/such/file", "lab_thing.b[2]"}},
		{2, []string{"rm", "FILE"}},
		{2, []string{"mv", "FILE", "a.b"}},
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, "terraform.tfstate")
		if err := os.WriteFile(name, []byte(secretState), 0o600); err != nil {
			t.Fatal(err)
		}
		if tt.args[1] == "FILE" {
			tt.args[1] = name
		}
		status, stdout, msg := run(t, secretState, tt.args...)
		if status != tt.status || stdout != "" || (msg == "" || msg == "No matching resources found.\n") != (status == 0) {
			t.Errorf("%v: %d %s%s", tt.args, status, stdout, msg)
		}
		entries, err := os.ReadDir(dir)
		if text, err2 := os.ReadFile(name); err != nil || err2 != nil || string(text) != secretState || len(entries) > 1 {
			t.Errorf("%v wrote something: %v", tt.args, entries)
		}
	}
}
