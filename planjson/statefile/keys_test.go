// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// answers is the Exchange of a program that answers always the same.
func answers(text string) func(context.Context, []byte) ([]byte, error) {
	return func(context.Context, []byte) ([]byte, error) { return []byte(text), nil }
}

const (
	key16 = `"MDEyMzQ1Njc4OWFiY2RlZg=="`
	key5  = `"MDEyMzQ="`
)

// keysOf is a key provider whose program answers with this key for both directions.
func keysOf(key string) *statefile.ExternalKeys {
	return &statefile.ExternalKeys{Name: "key_provider.external.k", Exchange: answers(`{"keys":{"encryption_key":` + key + `,"decryption_key":` + key + `},"meta":{}}`)}
}

// TestEncryptPlan encrypts a saved plan, which is no state outside either.
func TestEncryptPlan(t *testing.T) {
	ctx := context.Background()
	e := statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: keysOf(key16)}}}
	plan := savedPlan
	src, err := e.Encrypt(ctx, plan)
	must(err)
	if !strings.HasPrefix(string(src), `{"meta":{"key_provider.external.k":`) || !strings.HasSuffix(string(src), `,"encryption_version":"v0"}`) {
		t.Errorf("got %s", src)
	}
	if plain, err := e.Decrypt(ctx, src); err != nil || string(plain) != string(plan) {
		t.Errorf("%v", err)
	}
	if _, err := e.Decrypt(ctx, plan); !errors.Is(err, statefile.ErrNotEncrypted) {
		t.Errorf("a plan in clear: %v", err)
	}
	if _, err := e.Decrypt(ctx, src[:len(src)-30]); err == nil {
		t.Error("a cut envelope opens")
	}
	e.Methods[0] = &statefile.AESGCM{Keys: keysOf(strings.Replace(key16, "M", "N", 1))}
	if _, err := e.Decrypt(ctx, src); !errors.Is(err, statefile.ErrDecrypt) {
		t.Errorf("with a wrong key: %v", err)
	}
}

// TestChainOfKeys encrypts with a key that is derived from another one.
func TestChainOfKeys(t *testing.T) {
	ctx := context.Background()
	chain := &statefile.PBKDF2{Name: "p", Chain: keysOf(key16), Iterations: 200_000, Hash: "sha256", KeyLength: 16, SaltLength: 8}
	e := statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: chain}}}
	src, err := e.Encrypt(ctx, []byte(text))
	must(err)
	for _, name := range []string{`"p": `, `"key_provider.external.k": `} {
		if !strings.Contains(string(src), name) {
			t.Errorf("no metadata of %s in %s", name, src)
		}
	}
	if plain, err := e.Decrypt(ctx, src); err != nil || string(plain) != text {
		t.Errorf("%s, %v", plain, err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := e.Decrypt(cancelled, src); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := statefile.Decrypt(cancelled, sealed(text, "a"), passphrase); !errors.Is(err, context.Canceled) {
		t.Errorf("with a passphrase, cancelled: %v", err)
	}
}

// TestStoredKeys takes the key that is stored already for the name of a provider: two
// methods can share it.
func TestStoredKeys(t *testing.T) {
	ctx := context.Background()
	for what, keys := range map[string]statefile.KeyProvider{
		"pbkdf2":   &statefile.PBKDF2{Name: "a", Passphrase: passphrase},
		"external": &statefile.ExternalKeys{Name: "a", Exchange: answers(`{"keys":{"encryption_key":"","decryption_key":` + key16 + `},"meta":{}}`)},
	} {
		m := map[string][]byte{"a": mustJSON(derived{[]byte("salt"), 3, "sha512", 16})}
		one, err := keys.EncryptionKey(ctx, m)
		if err != nil || len(one) != 16 {
			t.Errorf("%s: %x, %v", what, one, err)
		}
		if two, err := keys.DecryptionKey(ctx, m); err != nil || string(two) != string(one) || len(m) != 1 {
			t.Errorf("%s: %x, then %x, %v", what, one, two, err)
		}
	}
}

// TestKeysRefused has key providers and methods that fail, for each direction.
func TestKeysRefused(t *testing.T) {
	ctx := context.Background()
	failure := errors.New("no such program")
	fails := func(context.Context, []byte) ([]byte, error) { return nil, failure }
	broken := &statefile.ExternalKeys{Name: "k", Exchange: fails}
	gcm := func(keys statefile.KeyProvider) statefile.Method { return &statefile.AESGCM{Keys: keys} }
	for what, tt := range map[string]struct {
		m                statefile.Method
		encrypt, decrypt error
	}{
		"no method":                       {nil, statefile.ErrAbsent, statefile.ErrAbsent},
		"no keys":                         {&statefile.AESGCM{}, statefile.ErrKeys, statefile.ErrKeys},
		"a key of 5 bytes":                {gcm(keysOf(key5)), statefile.ErrKeys, statefile.ErrKeys},
		"an empty key":                    {gcm(keysOf(`""`)), statefile.ErrKeys, statefile.ErrDecrypt},
		"an answer that is none":          {gcm(&statefile.ExternalKeys{Exchange: answers("ready")}), statefile.ErrInvalid, statefile.ErrInvalid},
		"no program for keys":             {gcm(&statefile.ExternalKeys{}), statefile.ErrKeys, statefile.ErrKeys},
		"a broken program for keys":       {gcm(broken), failure, failure},
		"a chain of a short key":          {gcm(&statefile.PBKDF2{Name: "a", Chain: keysOf(key5)}), statefile.ErrKeys, statefile.ErrKeys},
		"a chain of a broken program":     {gcm(&statefile.PBKDF2{Name: "a", Chain: broken}), failure, failure},
		"a short passphrase":              {gcm(&statefile.PBKDF2{Name: "a", Passphrase: "short"}), statefile.ErrKeys, statefile.ErrKeys},
		"a billion iterations":            {gcm(&statefile.PBKDF2{Name: "a", Passphrase: passphrase, Iterations: 1 << 30}), statefile.ErrKeys, statefile.ErrKeys},
		"a salt of a gigabyte":            {gcm(&statefile.PBKDF2{Name: "a", Passphrase: passphrase, SaltLength: 1 << 30}), statefile.ErrKeys, statefile.ErrKeys},
		"no programs":                     {&statefile.ExternalMethod{}, statefile.ErrKeys, statefile.ErrDecrypt},
		"broken programs":                 {&statefile.ExternalMethod{EncryptExchange: fails, DecryptExchange: fails}, failure, statefile.ErrDecrypt},
		"programs whose answers are none": {&statefile.ExternalMethod{EncryptExchange: answers("x"), DecryptExchange: answers("x")}, statefile.ErrInvalid, statefile.ErrDecrypt},
		"programs with broken keys":       {&statefile.ExternalMethod{Keys: broken}, failure, failure},
		"programs with an empty key":      {&statefile.ExternalMethod{Keys: keysOf(`""`), EncryptExchange: fails}, failure, statefile.ErrDecrypt},
	} {
		e := statefile.Encryption{Methods: []statefile.Method{tt.m}}
		out, err := e.Encrypt(ctx, []byte(text))
		if _, ok := errors.AsType[*statefile.Error](err); !ok || out != nil || !errors.Is(err, tt.encrypt) || strings.Contains(err.Error(), passphrase) {
			t.Errorf("%s: encrypted: %v", what, err)
		}
		out, err = e.Decrypt(ctx, sealed(text, "a"))
		if _, ok := errors.AsType[*statefile.Error](err); !ok || out != nil || !errors.Is(err, tt.decrypt) || strings.Contains(err.Error(), passphrase) {
			t.Errorf("%s: decrypted: %v", what, err)
		}
	}
	odd := &statefile.ExternalKeys{Name: "k", Exchange: answers("{}")}
	if _, err := odd.DecryptionKey(ctx, map[string][]byte{"k": []byte("{")}); !errors.Is(err, statefile.ErrInvalid) {
		t.Errorf("the metadata is not JSON: %v", err)
	}
	good := &statefile.PBKDF2{Name: "a", Passphrase: passphrase}
	for what, plain := range map[string]string{"no JSON": "x", "another kind of serial": `{"serial":"x"}`, "another serial": `{"serial":8,"lineage":"5a0fcfe8-6ee0-0b6b-2a2b-0c9b6b9a4a0d"}`, "no lineage": `{"serial":7}`} {
		if _, err := (statefile.Encryption{Methods: []statefile.Method{gcm(good)}}).Decrypt(ctx, sealed(plain, "a")); !errors.Is(err, statefile.ErrInvalid) {
			t.Errorf("%s inside: %v", what, err)
		}
	}
	for _, data := range []string{"", "x", "twelve bytes"} {
		if _, err := (&statefile.AESGCM{Keys: keysOf(key16)}).Decrypt(ctx, []byte(data), nil); !errors.Is(err, statefile.ErrDecrypt) {
			t.Errorf("data of %d bytes: %v", len(data), err)
		}
	}
	for _, f := range []func(context.Context, []byte, map[string][]byte) ([]byte, error){statefile.Unencrypted().Encrypt, statefile.Unencrypted().Decrypt} {
		if out, err := f(ctx, []byte(text), nil); err != nil || string(out) != text {
			t.Errorf("unencrypted: %s, %v", out, err)
		}
	}
}

// savedPlan is a zip, as a saved plan is one.
var savedPlan = func() []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	f, err := w.Create("tfplan")
	must(err)
	_, err = f.Write([]byte("?"))
	must(err)
	must(w.Close())
	return b.Bytes()
}()
