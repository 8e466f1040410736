// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/tools/internal/tofuwire"
)

const encryptedFolder = "planjson/statefile/testdata/encrypted/"

// opener returns the text of TF_ENCRYPTION that a file of the case has.
func opener(t *testing.T, name string) string {
	t.Helper()
	text, err := encryption(root, &Script{Case: "encryption"}, "keys/"+name+".hcl")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// cipher runs a command of the program state with a configuration.
func cipher(t *testing.T, command, config string, src []byte) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "encryption.hcl")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, said bytes.Buffer
	if status := tofuwire.Run([]string{"state", command, "-config", file, "-"}, bytes.NewReader(src), &out, &said); status != 0 {
		t.Fatalf("%s: %s", command, said.Bytes())
	}
	return out.Bytes()
}

// again returns what another run would make of an encrypted state: another lineage and
// identifier in it, and another salt.
func again(t *testing.T, config, plain string, change ...string) []byte {
	t.Helper()
	for _, name := range []string{`"lineage":"`, `"id":"`} {
		_, rest, ok := strings.Cut(plain, name)
		if !ok || len(rest) < 36 {
			t.Fatal(plain)
		}
		plain = strings.ReplaceAll(plain, rest[:36], strings.Repeat("a", 8)+rest[8:36])
	}
	return cipher(t, "encrypt", config, []byte(strings.NewReplacer(change...).Replace(plain)))
}

// An encryptedTest is what another run makes of an encrypted file.
type encryptedTest struct {
	name string
	made []byte
	want string // what is told of a difference, "" if there is none
}

// compareAll compares what is recorded with what other runs make.
func compareAll(t *testing.T, config string, src []byte, tests []encryptedTest) {
	t.Helper()
	var pairs []Pair
	for _, test := range tests {
		pairs = append(pairs, Pair{File: "file", Old: src, New: test.made, Encryption: config})
	}
	for i, v := range Compare(pairs, &Script{}) {
		if told := strings.Join(v.Diffs, "\n"); !strings.Contains(told, tests[i].want) || (told == "") != (tests[i].want == "") {
			t.Errorf("%s: %q", tests[i].name, told)
		}
	}
}

// TestEncrypted compares a recorded state with what other runs make.
func TestEncrypted(t *testing.T) {
	config, src := opener(t, "aliased"), read(t, encryptedFolder+"aliased.tfstate")
	plain := string(cipher(t, "decrypt", config, src))
	other := func(old, new string) string { return strings.Replace(config, old, new, 1) }
	compareAll(t, config, src, []encryptedTest{
		{"another run", again(t, config, plain), ""},
		{"another value", again(t, config, plain, `"value":"one"`, `"value":"two"`), "/outputs/o/value"},
		{"another serial", again(t, config, plain, `"serial":1`, `"serial":2`), "/serial"},
		{"more iterations", again(t, other("200000", "200001"), plain), "/meta/key/iterations"},
		{"another hash function", again(t, other(`"sha256"`, `"sha512"`), plain), "/meta/key/hash_function"},
		{"a shorter key", again(t, other("iterations ", "key_length = 16\niterations "), plain), "/meta/key/key_length"},
		{"a longer salt", again(t, other("iterations ", "salt_length = 48\niterations "), plain), "/meta/key/salt"},
		{"clear text", []byte(plain), "not encrypted"},
		{"another passphrase", read(t, encryptedFolder+"json.tfstate"), "cannot be decrypted"},
		{"an envelope that is cut", bytes.Replace(src, []byte("\n  \"encryption_version\""), []byte(" \"encryption_version\""), 1), "before /(name): "},
		{"a plan", read(t, encryptedFolder+"json.tfplan"), "cannot be decrypted"},
	})
}

// TestEncryptedPlan compares a recorded plan with others that have other files.
func TestEncryptedPlan(t *testing.T) {
	config, src := opener(t, "json"), read(t, encryptedFolder+"json.tfplan")
	plain := cipher(t, "decrypt", config, src)
	changed := func(change func(name, text string) (string, string)) []byte {
		z, err := zip.NewReader(bytes.NewReader(plain), int64(len(plain)))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, f := range z.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err = errors.Join(err, r.Close()); err != nil {
				t.Fatal(err)
			}
			name, put := change(f.Name, string(text))
			if name == "" {
				continue
			}
			to, err := w.Create(name)
			if err == nil {
				_, err = to.Write([]byte(put))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return cipher(t, "encrypt", config, b.Bytes())
	}
	in := func(file, old, new string) []byte {
		return changed(func(name, text string) (string, string) {
			if name == file {
				text = strings.Replace(text, old, new, 1)
			}
			return name, text
		})
	}
	compareAll(t, config, src, []encryptedTest{
		{"another run", in("", "", ""), ""},
		{"another time and lineage", in("tfstate", `"lineage":"5182`, `"lineage":"0000`), ""},
		{"another state", in("tfstate", `"serial":1`, `"serial":3`), "tfstate: /serial"},
		{"another configuration", in("tfconfig/m-m/main.tf", "1", "2"), "tfconfig/m-m/main.tf"},
		{"another length", in("tfplan", "word", "words"), "tfplan"},
		{"a file less", changed(func(name, text string) (string, string) { return strings.TrimPrefix(name, "tfstate-prev"), text }), "tfstate-prev"},
		{"a state", cipher(t, "encrypt", config, cipher(t, "decrypt", config, read(t, encryptedFolder+"json.tfstate"))), "serial"},
	})
}

// TestEncryptedRun keeps what a tool has encrypted with the text in its environment.
func TestEncryptedRun(t *testing.T) {
	const script = `{"providers": "none", "steps": [
		{"run": ["encrypt"], "encryption": "keys/k.hcl"},
		{"save": "terraform.tfstate", "as": "s.tfstate", "keep": ["p/s.tfstate"], "encryption": "keys/k.hcl"}]}`
	config := opener(t, "json")
	dir, tool := module(t, map[string]string{"tools/record/cases/c/tofu-9.9.9.json": script, "tools/record/cases/c/keys/k.hcl": config, "p/s.tfstate": ""})
	out := t.TempDir()
	if text, err := run1(t, options{root: dir, bin: tool, out: out}); err != nil {
		t.Fatal(err, text)
	}
	first, err := os.ReadFile(filepath.Join(dir, "p", "s.tfstate"))
	if err != nil || !bytes.Contains(cipher(t, "decrypt", config, first), []byte(`"lineage"`)) {
		t.Fatalf("%s, %v", first, err)
	}
	for _, o := range []options{{root: dir, bin: tool, check: true}, {root: dir, bin: tool, check: true, from: out}} {
		text, err := run1(t, o)
		if err != nil || !strings.Contains(text, "1 files the same") && !strings.Contains(text, "1 the same except") {
			t.Error(err, text)
		}
	}
	if err := os.Remove(filepath.Join(dir, "tools", "record", "cases", "c", "keys", "k.hcl")); err != nil {
		t.Fatal(err)
	}
	if text, err := run1(t, options{root: dir, bin: tool, check: true, from: out}); err == nil {
		t.Error("no error without the keys: ", text)
	}
}

// TestEncryptedCase checks that the case keeps every encrypted file, and that its keys open
// each.
func TestEncryptedCase(t *testing.T) {
	all := scripts(t)
	i := slices.IndexFunc(all, func(s *Script) bool { return s.Case == "encryption" })
	if i < 0 {
		t.Fatal("there is no such case")
	}
	kept := 0
	for _, step := range all[i].Steps {
		for _, file := range step.Keep {
			kept++
			name := strings.TrimSuffix(filepath.Base(step.Encryption), ".hcl")
			if name == "chain3" || strings.HasPrefix(name, "external") {
				continue // a second of work; programs that not every system has
			}
			docs, err := open(opener(t, name), read(t, file))
			if err != nil || len(docs) < 2 {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
	if kept != 14 {
		t.Errorf("%d files are kept", kept)
	}
}
