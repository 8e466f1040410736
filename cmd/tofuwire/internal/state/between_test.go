// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// TestMoveBetween moves an object to a state that is missing, and back.
func TestMoveBetween(t *testing.T) {
	for tool, end := range map[string]string{"tofu": "\n}\n\n", "terraform": "\n}\n"} {
		dir := t.TempDir()
		file, other := filepath.Join(dir, "a.tfstate"), filepath.Join(dir, "new", "b.tfstate")
		if err := os.WriteFile(file, []byte(secretState), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, stdout, msg := run(t, "", "mv", "-tool", tool, "-to", other, file, "lab_thing.b[2]", "module.x.lab_thing.c"); status != 0 || stdout+msg != "" {
			t.Fatalf("%d %s%s", status, stdout, msg)
		}
		for name, wants := range map[string][]string{file: {`"serial": 4,`, `"1.9.0"`}, other: {`"serial": 1,`, `"1.9.0"`, `"module": "module.x"`}} {
			text, err := os.ReadFile(name)
			for _, want := range wants {
				if err != nil || !strings.Contains(string(text), want) || !strings.HasSuffix(string(text), end) {
					t.Errorf("%s, %s: no %s in %s", tool, name, want, text)
				}
			}
		}
		if status, stdout, _ := run(t, "", "list", other); status != 0 || stdout != "module.x.lab_thing.c\n" {
			t.Errorf("%d %s", status, stdout)
		}
		if status, _, msg := run(t, "", "mv", "-to", file, other, "module.x.lab_thing.c", "lab_thing.b[2]"); status != 0 {
			t.Errorf("%d %s", status, msg)
		}
		if status, stdout, _ := run(t, "", "list", file); status != 0 || !strings.Contains(stdout, "lab_thing.b[2]\n") {
			t.Errorf("%d %s", status, stdout)
		}
	}
}

// TestMoveBetweenRefused checks that no file changes if the move is refused.
func TestMoveBetweenRefused(t *testing.T) {
	sealed, err := statefile.Encrypt(t.Context(), []byte(secretState), "a passphrase of the tests")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		status int
		args   []string
	}{
		{1, []string{"-to", "OTHER", "FILE", "lab_thing.none"}},
		{1, []string{"-to", "OTHER", "FILE", "no address"}},
		{1, []string{"-to", "OTHER", "FILE", "lab_thing.b[2]", "no address"}},
		{1, []string{"-to", "OTHER", "FILE", "lab_thing.b[2]", "other_type.b"}},
		{2, []string{"-to", "OTHER", "FILE"}},
		{2, []string{"-to", "OTHER", "FILE", "a.b", "a.c", "a.d"}},
		{2, []string{"-to", "OTHER", "-tool", "pulumi", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-to", "OTHER", "-out", "x", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-to", "OTHER", "-", "lab_thing.b[2]"}},
		{2, []string{"-to", "FILE", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-to", "LINK", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-to", "DIR", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-to", "TEXT", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-to", "OTHER", "TEXT/none", "lab_thing.b[2]"}},
		{2, []string{"-to", "LOCKED", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-to", "LOCKED", "-passphrase-file", "TEXT", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-to", "LOCKED", "-passphrase-file", "TEXT", "-config", "TEXT", "FILE", "lab_thing.b[2]"}},
		{2, []string{"-tool", "tofu", "FILE", "lab_thing.b[2]", "lab_thing.c"}},
	} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		for name, text := range map[string]string{"FILE": secretState, "TEXT": "no state", "LOCKED": string(sealed)} {
			if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink("FILE", at("LINK")); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(at("DIR"), 0o700); err != nil {
			t.Fatal(err)
		}
		args := []string{"mv"}
		for _, a := range tt.args {
			if strings.ToUpper(a) == a && a != "-" {
				a = at(a)
			}
			args = append(args, a)
		}
		status, stdout, msg := run(t, "", args...)
		if status != tt.status || stdout != "" || strings.Count(msg, "\n") != 1 {
			t.Errorf("%v: %d %s%s", tt.args, status, stdout, msg)
		}
		entries, err := os.ReadDir(dir)
		if text, err2 := os.ReadFile(at("FILE")); err != nil || err2 != nil || string(text) != secretState || len(entries) != 5 {
			t.Errorf("%v wrote something: %v %v", tt.args, entries, err2)
		}
	}
}

// TestMoveBetweenEncrypted moves out of an encrypted state: both files and the backup are
// encrypted, and the passphrase opens them.
func TestMoveBetweenEncrypted(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	const passphrase = "a passphrase of the tests"
	sealed, err := statefile.Encrypt(t.Context(), []byte(secretState), passphrase)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a": string(sealed), "pass": passphrase + "\n", "config": `key_provider "pbkdf2" "passphrase" {
  passphrase = "` + passphrase + `"
}
method "aes_gcm" "passphrase" {
  keys = key_provider.pbkdf2.passphrase
}
state {
  method = method.aes_gcm.passphrase
}
`} {
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, keys := range [][]string{{"-passphrase-file", at("pass")}, {"-config", at("config")}} {
		args := append([]string{"mv", "-to", at("b"), at("a"), "lab_thing.b[2]", "lab_thing.b[" + string(rune('3'+i)) + "]"}, keys...)
		if i == 1 {
			args = append([]string{"mv", "-to", at("a"), at("b"), "lab_thing.b[3]", "lab_thing.b[2]"}, keys...)
		}
		args = append(append([]string{"mv"}, keys...), args[1:len(args)-2]...)
		if status, _, msg := run(t, "", args...); status != 0 {
			t.Fatalf("%v: %d %s", args, status, msg)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(at(e.Name()))
		if e.Name() == "pass" || e.Name() == "config" {
			continue
		}
		if err != nil || bytes.Contains(text, []byte("lab_thing")) {
			t.Errorf("%s is in clear: %v", e.Name(), err)
		}
		if _, err := statefile.Decrypt(t.Context(), text, passphrase); err != nil {
			t.Errorf("%s: %v", e.Name(), err)
		}
	}
	if len(entries) != 7 { // a and its two backups, b and its backup, pass, config
		t.Errorf("there is %v", entries)
	}
}

// TestMoveBetweenMembers checks which members of objects Terraform's form has: 1.11.4 drops all
// that it does not know, and identities are of 1.12.
func TestMoveBetweenMembers(t *testing.T) {
	object := func(name string) string {
		return `{"mode":"managed","type":"lab_thing","name":"` + name + `","provider":"provider[\"registry.terraform.io/example/lab\"]","instances":[{"schema_version":0,"attributes":{"id":"x"},"sensitive_attributes":[],"skip_destroy":true,"identity":{"id":"x"},"identity_schema_version":1}]}`
	}
	for _, tt := range []struct {
		tool, version   string
		identity, skips bool
	}{
		{"terraform", "1.11.4", false, false},
		{"terraform", "1.12.0", true, false},
		{"tofu", "1.11.4", true, true},
	} {
		dir := t.TempDir()
		file, other := filepath.Join(dir, "a.tfstate"), filepath.Join(dir, "b.tfstate")
		if err := os.WriteFile(file, []byte(`{"version":4,"terraform_version":"`+tt.version+`","serial":3,"lineage":"l","outputs":{},"resources":[`+object("a")+","+object("stay")+`],"check_results":null}`), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, msg := run(t, "", "mv", "-tool", tt.tool, "-to", other, file, "lab_thing.a"); status != 0 {
			t.Fatal(msg)
		}
		for _, name := range []string{file, other} {
			text, err := os.ReadFile(name)
			if err != nil || bytes.Contains(text, []byte(`"identity"`)) != tt.identity || bytes.Contains(text, []byte(`"identity_schema_version"`)) != tt.identity || bytes.Contains(text, []byte("skip_destroy")) != tt.skips {
				t.Errorf("%v: %v, %s", tt, err, text)
			}
		}
	}
}
