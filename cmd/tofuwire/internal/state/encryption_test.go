// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package state

import (
	"archive/zip"
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha512"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const passphrase = "correct horse battery staple"

const encrypted = "../../../../planjson/statefile/testdata/encrypted/"

// sealed writes an encrypted state with a chain of three keys of few iterations, as no
// configuration makes them: the recorded ones take seconds.
func sealed(t *testing.T) string {
	t.Helper()
	meta := map[string][]byte{}
	key := []byte(passphrase)
	for _, name := range []string{"z", "b", "a"} {
		salt := []byte("salt of " + name)
		length := 32
		if name == "a" {
			length = 24
		}
		next, err := pbkdf2.Key(sha512.New, string(key), salt, 3, length)
		if err != nil {
			t.Fatal(err)
		}
		key = next
		text, err := json.Marshal(map[string]any{"salt": salt, "iterations": 3, "hash_function": "sha512", "key_length": length})
		if err != nil {
			t.Fatal(err)
		}
		meta["key_provider.pbkdf2."+name] = text
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		t.Fatal(err)
	}
	gcm, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	nonce := make([]byte, gcm.NonceSize())
	text, err := json.Marshal(map[string]any{"serial": 3, "lineage": "l", "meta": meta, "encrypted_data": gcm.Seal(nonce, nonce, []byte(secretState), nil), "encryption_version": "v0"})
	if err != nil {
		t.Fatal(err)
	}
	return write(t, string(text))
}

// TestDecrypt opens what OpenTofu has encrypted.
func TestDecrypt(t *testing.T) {
	const chain = "key_provider \"pbkdf2\" \"z\" { passphrase = \"" + passphrase + "\" }\nkey_provider \"pbkdf2\" \"b\" { chain = key_provider.pbkdf2.z }\n" +
		"key_provider \"pbkdf2\" \"a\" {\n  chain = key_provider.pbkdf2.b\n  key_length = 24\n}\nmethod \"aes_gcm\" \"m\" { keys = key_provider.pbkdf2.a }\nmethod \"unencrypted\" \"u\" {}\n" +
		"state {\n  method = method.aes_gcm.m\n  fallback { method = method.unencrypted.u }\n}\n"
	const alias = `{"key_provider":{"pbkdf2":{"other":{"passphrase":"` + passphrase + `","encrypted_metadata_alias":"al"}}},` +
		`"method":{"aes_gcm":{"m":{"keys":"key_provider.pbkdf2.other","aad":[1,2,255]}}},"state":{"method":"method.aes_gcm.m","enforced":true}}`
	chained := sealed(t)
	for _, line := range []string{"", "\n", "\r\n"} {
		if status, out, msg := run(t, "", "decrypt", "-passphrase-file", write(t, passphrase+line), chained); status != 0 || msg != "" || !strings.HasPrefix(out, `{"version":4,`) {
			t.Errorf("%q: %d %s%s", line, status, out, msg)
		}
	}
	if status, out, msg := run(t, passphrase+"\n", "decrypt", "-passphrase-file", "-", chained); status != 0 || msg != "" || !strings.HasPrefix(out, `{"version":4,`) {
		t.Errorf("the passphrase in standard input: %d %s%s", status, out, msg)
	}
	if status, out, msg := run(t, "", "decrypt", "-config", write(t, chain), chained); status != 0 || msg != "" || !strings.HasPrefix(out, `{"version":4,`) {
		t.Errorf("%d %s%s", status, out, msg)
	}
	if status, out, msg := run(t, secretState, "decrypt", "-config", write(t, chain), "-"); status != 0 || msg != "" || out != secretState {
		t.Errorf("clear text: %d %s%s", status, out, msg)
	}
	if status, out, msg := run(t, "", "decrypt", "-config", write(t, alias), encrypted+"alias.tfstate"); status != 0 || msg != "" || !strings.HasPrefix(out, `{"version":4,`) {
		t.Errorf("%d %s%s", status, out, msg)
	}
	for what, args := range map[string][]string{
		"a wrong passphrase":   {"decrypt", "-passphrase-file", write(t, passphrase+" "), chained},
		"a carriage return":    {"decrypt", "-passphrase-file", write(t, passphrase+"\r"), chained},
		"standard input twice": {"decrypt", "-passphrase-file", "-", "-"},
		"two line ends":        {"decrypt", "-passphrase-file", write(t, passphrase+"\n\n"), chained},
		"no passphrase":        {"decrypt", chained},
		"both":                 {"decrypt", "-config", write(t, chain), "-passphrase-file", write(t, passphrase), chained},
		"other data":           {"decrypt", "-passphrase-file", write(t, passphrase), encrypted + "alias.tfstate"},
		"clear":                {"decrypt", "-passphrase-file", write(t, passphrase), write(t, secretState)},
		"clear, enforced":      {"decrypt", "-config", write(t, alias), write(t, secretState)},
		"no such file":         {"decrypt", "-passphrase-file", "/no/such/file", chained},
		"no such config":       {"decrypt", "-config", "/no/such/file", chained},
		"a config of no form":  {"decrypt", "-config", write(t, "passphrase = \""+passphrase), chained},
		"a config without it":  {"decrypt", "-config", write(t, ""), chained},
		"no such method":       {"decrypt", "-config", write(t, "state { method = method.aes_gcm.x }"), chained},
		"no such keys":         {"decrypt", "-config", write(t, "method \"aes_gcm\" \"m\" { keys = key_provider.pbkdf2.x }\nstate { method = method.aes_gcm.m }"), chained},
		"a cycle":              {"decrypt", "-config", write(t, strings.Replace(chain, "passphrase = \""+passphrase+"\"", "chain = key_provider.pbkdf2.a", 1)), chained},
		"an unknown provider":  {"decrypt", "-config", write(t, strings.ReplaceAll(chain, "pbkdf2", "aws_kms")), chained},
		"an unknown method":    {"decrypt", "-config", write(t, strings.ReplaceAll(chain, "aes_gcm", "odd")), chained},
		"an odd argument":      {"decrypt", "-config", write(t, strings.Replace(chain, "key_length", "length", 1)), chained},
		"a text for a number":  {"decrypt", "-config", write(t, strings.Replace(chain, "24", "\"x\"", 1)), chained},
		"a number for a text":  {"decrypt", "-config", write(t, strings.Replace(chain, "\""+passphrase+"\"", "[1]", 1)), chained},
		"an unknown value":     {"decrypt", "-config", write(t, strings.Replace(chain, "\""+passphrase+"\"", "var.x", 1)), chained},
		"another program":      {"decrypt", "-config", write(t, "key_provider \"external\" \"e\" { command = [\"/no/such/program\"] }\nmethod \"aes_gcm\" \"m\" { keys = key_provider.external.e }\nstate { method = method.aes_gcm.m }"), chained},
		"another document":     {"decrypt", "-passphrase-file", write(t, passphrase), write(t, "{}")},
		"a short passphrase":   {"encrypt", "-passphrase-file", write(t, "fifteen bytes !\n"), write(t, secretState)},
		"encrypted already":    {"encrypt", "-passphrase-file", write(t, passphrase), chained},
		"nothing to encrypt":   {"encrypt", "-passphrase-file", write(t, passphrase), write(t, "")},
		"encrypt without keys": {"encrypt", write(t, secretState)},
		"encrypt with both":    {"encrypt", "-config", write(t, chain), "-passphrase-file", write(t, passphrase), write(t, secretState)},
		"a plan of a state":    {"decrypt", "-config", write(t, strings.Replace(chain, "state {", "plan {", 1)), chained},
	} {
		status, out, msg := run(t, "", args...)
		if status != 2 || out != "" || msg == "" || strings.Contains(msg, "battery") {
			t.Errorf("%s: %d %s%s", what, status, out, msg)
		}
	}
}

// plan returns a saved plan.
func plan(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range [][2]string{{"tfplan", "?"}, {"tfconfig/m-/main.tf", "# root"}, {"tfconfig/m-a/x.tf", "# a"}, {".terraform.lock.hcl", "# lock"},
		{"tfconfig/modules.json", `[{"Key":"","Dir":"."},{"Key":"a","Source":"../a","Dir":"../a"}]`}} {
		f, err := w.Create(e[0])
		if err == nil {
			_, err = f.Write([]byte(e[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestEncryptAndSnapshot(t *testing.T) {
	pass := write(t, passphrase)
	zipped := plan(t)
	status, sealed, msg := run(t, string(zipped), "encrypt", "-passphrase-file", pass, "-")
	if status != 0 || msg != "" || !strings.HasPrefix(sealed, `{"meta":{"key_provider.pbkdf2.passphrase":`) {
		t.Fatalf("%d %s%s", status, sealed, msg)
	}
	if status, out, msg := run(t, sealed, "decrypt", "-passphrase-file", pass, "-"); status != 0 || out != string(zipped) {
		t.Errorf("%d %s", status, msg)
	}
	for what, args := range map[string][]string{
		"clear":     {"snapshot", write(t, string(zipped))},
		"encrypted": {"snapshot", "-passphrase-file", pass, write(t, sealed)},
	} {
		for _, there := range []bool{false, true} {
			if what == "encrypted" && there {
				continue // a key takes long
			}
			parent := t.TempDir()
			dir := filepath.Join(parent, "out")
			if there {
				if err := os.Mkdir(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			if status, out, msg := run(t, "", append(args, dir)...); status != 0 || out != "" || msg != "" {
				t.Errorf("%s: %d %s%s", what, status, out, msg)
			}
			for name, want := range map[string]string{"main.tf": "# root", ".terraform/modules/a/x.tf": "# a", ".terraform.lock.hcl": "# lock",
				".terraform/modules/modules.json": `{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"a","Source":"../a","Dir":".terraform/modules/a"}]}`} {
				if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != want {
					t.Errorf("%s: %s has %s, %v", what, name, text, err)
				}
			}
			if status, out, _ := run(t, "", "snapshot", write(t, string(zipped)), dir); status != 2 || out != "" {
				t.Errorf("%s: once more into the same folder: %d", what, status)
			}
			if entries, err := os.ReadDir(parent); err != nil || len(entries) != 1 {
				t.Errorf("%s: left over: %v, %v", what, entries, err)
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "new", "folder", "out")
	if status, out, msg := run(t, string(zipped), "snapshot", "-", dir); status != 0 || out != "" || msg != "" {
		t.Errorf("below new folders: %d %s%s", status, out, msg)
	}
	link := filepath.Join(t.TempDir(), "link")
	empty := t.TempDir()
	if err := os.Symlink(empty, link); err == nil {
		status, _, msg := run(t, string(zipped), "snapshot", "-", link)
		if _, err := os.Stat(filepath.Join(empty, "main.tf")); status != 0 || err != nil {
			t.Errorf("through a link: %d %s, %v", status, msg, err)
		}
	}
	for what, args := range map[string][]string{
		"encrypted, no key": {"snapshot", write(t, sealed)},
		"a state":           {"snapshot", write(t, secretState)},
		"a cut plan":        {"snapshot", write(t, string(zipped[:len(zipped)-30]))},
		"no such file":      {"snapshot", "/no/such/file"},
	} {
		dir := filepath.Join(t.TempDir(), "out")
		if status, out, msg := run(t, "", append(args, dir)...); status != 2 || out != "" || msg == "" {
			t.Errorf("%s: %d %s%s", what, status, out, msg)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Errorf("%s: the folder was made", what)
		}
	}
}
