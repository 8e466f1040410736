// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha512"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// passphrase is that of the envelopes in testdata/encrypted.
const passphrase = "correct horse battery staple"

// derived is metadata of pbkdf2 with few iterations, as no configuration makes them.
type derived struct {
	Salt       []byte `json:"salt"`
	Iterations int    `json:"iterations"`
	Hash       string `json:"hash_function"`
	KeyLength  int    `json:"key_length"`
}

// sealed returns plain in an envelope, with the keys that a chain of providers of these
// names makes of the passphrase.
func sealed(plain string, names ...string) []byte {
	meta := map[string][]byte{}
	key := []byte(passphrase)
	for i, name := range names {
		d := derived{[]byte(fmt.Sprint("salt", i)), 3 + i, "sha512", 32}
		var err error
		key, err = pbkdf2.Key(sha512.New, string(key), d.Salt, d.Iterations, d.KeyLength)
		must(err)
		meta[name], err = json.Marshal(d)
		must(err)
	}
	block, err := aes.NewCipher(key)
	must(err)
	gcm, err := cipher.NewGCM(block)
	must(err)
	nonce := make([]byte, gcm.NonceSize())
	text, err := json.Marshal(map[string]any{
		"serial": 7, "lineage": "5a0fcfe8-6ee0-0b6b-2a2b-0c9b6b9a4a0d", "meta": meta,
		"encrypted_data": gcm.Seal(nonce, nonce, []byte(plain), nil), "encryption_version": "v0",
	})
	must(err)
	return text
}

// TestDecryptRecorded opens what OpenTofu 1.12.6 has encrypted.
func TestDecryptRecorded(t *testing.T) {
	chain := &statefile.PBKDF2{Name: "key_provider.pbkdf2.z", Passphrase: passphrase}
	chain = &statefile.PBKDF2{Name: "key_provider.pbkdf2.b", Chain: chain}
	chain = &statefile.PBKDF2{Name: "key_provider.pbkdf2.a", Chain: chain, KeyLength: 24}
	for name, keys := range map[string]statefile.Method{
		"alias":  &statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "al", Passphrase: passphrase}, AAD: []byte{1, 2, 255}},
		"chain3": &statefile.AESGCM{Keys: chain},
	} {
		if name == "chain3" && !depth.IsFull() {
			continue // three keys of 600,000 iterations
		}
		src, err := os.ReadFile("testdata/encrypted/" + name + ".tfstate")
		must(err)
		text, err := statefile.Encryption{Methods: []statefile.Method{keys}}.Decrypt(context.Background(), src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := statefile.Decode(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := statefile.Decode(src); !errors.Is(err, statefile.ErrEncrypted) {
			t.Errorf("%s: decoding it gives %v", name, err)
		}
	}
}

// TestPassphrase opens chains whose order the text does not tell.
func TestPassphrase(t *testing.T) {
	for _, names := range [][]string{{"a"}, {"alias", "b"}, {"b", "alias"}, {"a", "b", "c"}, {"c", "a", "b"}} {
		src := sealed(text, names...)
		plain, err := statefile.Decrypt(context.Background(), src, passphrase)
		if err != nil || string(plain) != text {
			t.Errorf("%v: %v", names, err)
		}
		if _, err := statefile.Decrypt(context.Background(), src, passphrase+"x"); !errors.Is(err, statefile.ErrDecrypt) || strings.Contains(err.Error(), passphrase) {
			t.Errorf("%v, with a wrong passphrase: %v", names, err)
		}
	}
	src := sealed(text, "a", "b", "c", "d")
	if _, err := statefile.Decrypt(context.Background(), src, passphrase); !errors.Is(err, statefile.ErrKeys) {
		t.Errorf("a chain of four: %v", err)
	}
}

// TestEncrypt encrypts and decrypts with a passphrase, as OpenTofu does.
func TestEncrypt(t *testing.T) {
	ctx := context.Background()
	src, err := statefile.Encrypt(ctx, []byte(text), passphrase)
	must(err)
	for _, want := range []string{"{\n  \"serial\": 7,\n  \"lineage\": \"5a0fcfe8-6ee0-0b6b-2a2b-0c9b6b9a4a0d\",\n  \"meta\": {\n    \"key_provider.pbkdf2.passphrase\": \"", "\n  \"encryption_version\": \"v0\"\n}\n"} {
		if !strings.Contains(string(src), want) {
			t.Errorf("the text has no %q: %s", want, src)
		}
	}
	if plain, err := statefile.Decrypt(ctx, src, passphrase); err != nil || string(plain) != text {
		t.Errorf("%s, %v", plain, err)
	}
	for what, tt := range map[string]struct {
		src, passphrase string
		cause           error
	}{
		"a short passphrase": {text, "fifteen bytes !", statefile.ErrKeys},
		"no passphrase":      {text, "", statefile.ErrKeys},
		"encrypted already":  {string(src), passphrase, statefile.ErrEncrypted},
		"something else":     {`{"format_version":"1.0"}`, passphrase, statefile.ErrKind},
		"nothing":            {"", passphrase, statefile.ErrEmpty},
		"no JSON":            {"x", passphrase, nil},
	} {
		out, err := statefile.Encrypt(ctx, []byte(tt.src), tt.passphrase)
		if _, ok := errors.AsType[*statefile.Error](err); !ok || out != nil || tt.cause != nil && !errors.Is(err, tt.cause) {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestMethods tries fallbacks, clear texts, and programs.
func TestMethods(t *testing.T) {
	ctx := context.Background()
	good := &statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "a", Passphrase: passphrase}}
	wrong := &statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "a", Passphrase: "another passphrase"}}
	none := &statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "b", Passphrase: passphrase}}
	src := sealed(text, "a")
	for what, tt := range map[string]struct {
		e     statefile.Encryption
		src   string
		cause error
	}{
		"the second":                  {statefile.Encryption{Methods: []statefile.Method{wrong, good}}, string(src), nil},
		"the third":                   {statefile.Encryption{Methods: []statefile.Method{none, statefile.Unencrypted(), good}}, string(src), nil},
		"none of them":                {statefile.Encryption{Methods: []statefile.Method{none, wrong}}, string(src), statefile.ErrDecrypt},
		"clear":                       {statefile.Encryption{Methods: []statefile.Method{good, statefile.Unencrypted()}}, text, nil},
		"clear, but must not be":      {statefile.Encryption{Methods: []statefile.Method{good}}, text, statefile.ErrNotEncrypted},
		"enforced and unencrypted":    {statefile.Encryption{Methods: []statefile.Method{good, statefile.Unencrypted()}, Enforced: true}, text, statefile.ErrKeys},
		"no method":                   {statefile.Encryption{}, text, statefile.ErrAbsent},
		"no keys":                     {statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{}}}, string(src), statefile.ErrKeys},
		"other additional data":       {statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: good.Keys, AAD: []byte("x")}}}, string(src), statefile.ErrDecrypt},
		"no program":                  {statefile.Encryption{Methods: []statefile.Method{&statefile.ExternalMethod{}}}, string(src), statefile.ErrDecrypt},
		"keys of no program":          {statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: &statefile.ExternalKeys{}}}}, string(src), statefile.ErrKeys},
		"a passphrase and a chain":    {statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "a", Passphrase: passphrase, Chain: good.Keys}}}}, string(src), statefile.ErrKeys},
		"few iterations":              {statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "a", Passphrase: passphrase, Iterations: 1}}}}, string(src), statefile.ErrKeys},
		"a hash that there is not":    {statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "a", Passphrase: passphrase, Hash: "md5"}}}}, string(src), statefile.ErrKeys},
		"lengths below zero":          {statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "a", Passphrase: passphrase, KeyLength: -1}}}}, string(src), statefile.ErrKeys},
		"a chain without a key to it": {statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "a", Chain: none.Keys}}}}, string(src), statefile.ErrDecrypt},
	} {
		plain, err := tt.e.Decrypt(ctx, []byte(tt.src))
		if tt.cause == nil && (err != nil || string(plain) != text) || tt.cause != nil && !errors.Is(err, tt.cause) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if out, err := (statefile.Encryption{Methods: []statefile.Method{statefile.Unencrypted()}}).Encrypt(ctx, []byte(text)); err != nil || string(out) != text {
		t.Errorf("unencrypted: %s, %v", out, err)
	}
}

// TestExternal exchanges documents with programs of the external protocol.
func TestExternal(t *testing.T) {
	ctx := context.Background()
	var asked []string
	keys := &statefile.ExternalKeys{Name: "key_provider.external.e", Exchange: func(_ context.Context, document []byte) ([]byte, error) {
		asked = append(asked, string(document))
		const key = "MDEyMzQ1Njc4OWFiY2RlZg=="
		if string(document) == "null" {
			return []byte(`{"keys":{"encryption_key":"` + key + `"},"meta":{"external_data":{"z":1,"a":"b"}}}`), nil
		}
		return []byte(`{"keys":{"encryption_key":"` + key + `","decryption_key":"` + key + `"},"meta":{}}`), nil
	}}
	reverse := func(_ context.Context, document []byte) ([]byte, error) {
		var d struct {
			Key, Payload []byte
		}
		must(json.Unmarshal(document, &d))
		if len(d.Key) != 16 {
			return nil, errors.New("no key")
		}
		for i, b := range d.Payload {
			d.Payload[i] = b ^ 0x55
		}
		return json.Marshal(map[string][]byte{"payload": d.Payload})
	}
	for what, m := range map[string]statefile.Method{
		"keys":             &statefile.AESGCM{Keys: keys},
		"keys and program": &statefile.ExternalMethod{Keys: keys, EncryptExchange: reverse, DecryptExchange: reverse},
	} {
		asked = nil
		e := statefile.Encryption{Methods: []statefile.Method{m}}
		src, err := e.Encrypt(ctx, []byte(text))
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		plain, err := e.Decrypt(ctx, src)
		if err != nil || string(plain) != text {
			t.Errorf("%s: %s, %v", what, plain, err)
		}
		if len(asked) != 2 || asked[0] != "null" || asked[1] != `{"external_data":{"a":"b","z":1}}` {
			t.Errorf("%s: asked %q", what, asked)
		}
	}
	// A method that answers with something else has not decrypted a state or a plan.
	odd := statefile.Encryption{Methods: []statefile.Method{&statefile.ExternalMethod{DecryptExchange: func(context.Context, []byte) ([]byte, error) { return []byte(`{"payload":"e30="}`), nil }}}}
	for _, outside := range []string{"", `"serial":7,`, `"lineage":"x",`} {
		src := `{` + outside + `"meta":{},"encrypted_data":"AAAA","encryption_version":"v0"}`
		if plain, err := odd.Decrypt(ctx, []byte(src)); plain != nil || !errors.Is(err, statefile.ErrInvalid) {
			t.Errorf("%s opens to %q, %v", src, plain, err)
		}
	}
	// A fault of a key provider ends the decryption, that of a method does not.
	broken := &statefile.ExternalKeys{Name: "x", Exchange: func(context.Context, []byte) ([]byte, error) { return nil, errors.New("broken") }}
	good := &statefile.AESGCM{Keys: &statefile.PBKDF2{Name: "a", Passphrase: passphrase}}
	if _, err := (statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: broken}, good}}).Decrypt(ctx, sealed(text, "a")); err == nil || !strings.Contains(err.Error(), "broken") {
		t.Errorf("a broken key provider: %v", err)
	}
	if _, err := (statefile.Encryption{Methods: []statefile.Method{&statefile.ExternalMethod{DecryptExchange: broken.Exchange}, good}}).Decrypt(ctx, sealed(text, "a")); err != nil {
		t.Errorf("a broken method: %v", err)
	}
}

// TestHostileEnvelopes has envelopes that were tampered with.
func TestHostileEnvelopes(t *testing.T) {
	src := string(sealed(text, "a"))
	meta := func(m string) string {
		return `{"serial":7,"meta":{"a":` + string(bytes.TrimSpace(mustJSON([]byte(m)))) + `},"encrypted_data":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","encryption_version":"v0"}`
	}
	for what, tt := range map[string]struct {
		src   string
		cause error
	}{
		"two billion iterations":  {meta(`{"salt":"AAAA","iterations":2147483647,"hash_function":"sha512","key_length":32}`), statefile.ErrLimit},
		"iterations of 64 bits":   {meta(`{"salt":"AAAA","iterations":9223372036854775807,"hash_function":"sha512","key_length":32}`), statefile.ErrLimit},
		"iterations of more bits": {meta(`{"salt":"AAAA","iterations":1e30,"hash_function":"sha512","key_length":32}`), statefile.ErrInvalid},
		"a key of a gigabyte":     {meta(`{"salt":"AAAA","iterations":1,"hash_function":"sha512","key_length":1073741824}`), statefile.ErrLimit},
		"iterations below zero":   {meta(`{"salt":"AAAA","iterations":-1,"hash_function":"sha512","key_length":32}`), statefile.ErrInvalid},
		"a length below zero":     {meta(`{"salt":"AAAA","iterations":1,"hash_function":"sha512","key_length":-32}`), statefile.ErrInvalid},
		"a hash that is none":     {meta(`{"salt":"AAAA","iterations":1,"hash_function":"md5","key_length":32}`), statefile.ErrInvalid},
		"no salt":                 {meta(`{"salt":"","iterations":1,"hash_function":"sha512","key_length":32}`), statefile.ErrDecrypt},
		"a key of 5 bytes":        {meta(`{"salt":"AAAA","iterations":1,"hash_function":"sha512","key_length":5}`), statefile.ErrDecrypt},
		"metadata that is none":   {meta(`x`), statefile.ErrInvalid},
		"no metadata":             {`{"meta":{},"encrypted_data":"AAAA","encryption_version":"v0"}`, statefile.ErrKeys},
		"another version":         {strings.Replace(src, `"v0"`, `"v1"`, 1), statefile.ErrVersion},
		"another serial":          {strings.Replace(src, `"serial":7`, `"serial":8`, 1), statefile.ErrInvalid},
		"a serial in quotes":      {strings.Replace(src, `"serial":7`, `"serial":"7"`, 1), statefile.ErrInvalid},
		"a serial with a point":   {strings.Replace(src, `"serial":7`, `"serial":7.0`, 1), statefile.ErrInvalid},
		"quotes inside":           {string(sealed(strings.Replace(text, `"serial": 7`, `"serial": "7"`, 1), "a")), statefile.ErrInvalid},
		"no version":              {strings.Replace(src, `"v0"`, `""`, 1), statefile.ErrInvalid},
		"another lineage":         {strings.Replace(src, "5a0fcfe8", "00000000", 1), statefile.ErrInvalid},
		"cut":                     {src[:len(src)/2], nil},
		"cut data":                {strings.Replace(src, `"encrypted_data":"`, `"encrypted_data":"AAAA`, 1), statefile.ErrDecrypt},
		"data that is no base64":  {strings.Replace(src, `"encrypted_data":"`, `"encrypted_data":"%`, 1), statefile.ErrInvalid},
		"no data":                 {`{"meta":{"a":"e30="},"encrypted_data":"","encryption_version":"v0"}`, statefile.ErrDecrypt},
		"a state in clear":        {text, statefile.ErrNotEncrypted},
		"another document":        {`{"format_version":"1.0"}`, statefile.ErrKind},
		"nothing":                 {"", statefile.ErrEmpty},
	} {
		plain, err := statefile.Decrypt(context.Background(), []byte(tt.src), passphrase)
		if _, ok := errors.AsType[*statefile.Error](err); !ok || plain != nil || tt.cause != nil && !errors.Is(err, tt.cause) || strings.Contains(fmt.Sprint(err), passphrase) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err := statefile.Decrypt(context.Background(), []byte(meta(`{"salt":"AAAA","iterations":1,"hash_function":"SHA512","key_length":32}`)), passphrase)
	if err == nil || !strings.Contains(err.Error(), `hash function "SHA512"`) {
		t.Errorf("a hash function in capitals: %v", err)
	}
	for _, quoted := range []string{`"serial": "7"`, `"serial": 7.0`} {
		if out, err := statefile.Encrypt(context.Background(), []byte(strings.Replace(text, `"serial": 7`, quoted, 1)), passphrase); out != nil || !errors.Is(err, statefile.ErrKind) {
			t.Errorf("a state with %s: %v", quoted, err)
		}
	}
	var doc map[string]any
	must(json.Unmarshal(sealed(text, "a", "b", "c"), &doc))
	for name := range doc["meta"].(map[string]any) {
		doc["meta"].(map[string]any)[name] = []byte(`{"salt":"AAAA","iterations":5000000,"hash_function":"sha512","key_length":32}`)
	}
	if _, err := statefile.Decrypt(context.Background(), mustJSON(doc), passphrase); !errors.Is(err, statefile.ErrLimit) {
		t.Errorf("a long chain of many iterations: %v", err)
	}
}

func mustJSON(v any) []byte {
	text, err := json.Marshal(v)
	must(err)
	return text
}

// workOf returns how many iterations the keys of an envelope take that Decrypt may
// derive, at most; a negative number if it has to refuse them.
func workOf(src []byte) (work int64) {
	var doc struct {
		Meta map[string][]byte `json:"meta"`
	}
	if json.Unmarshal(src, &doc) != nil {
		return 0
	}
	for _, text := range doc.Meta {
		var d derived
		if json.Unmarshal(text, &d) != nil || len(d.Salt) == 0 || d.Hash == "" || d.Iterations <= 0 || d.KeyLength <= 0 {
			continue // no key is derived with it
		}
		if d.Iterations > 10_000_000 || d.KeyLength > 1024 {
			return -1
		}
		work += 5 * int64(d.Iterations) * int64(d.KeyLength/32+1) // so often in a chain of three
	}
	return work
}

// FuzzDecrypt opens mutated envelopes, with one more entry of metadata: what opens is
// what was sealed, and what is refused has this package's error without the
// passphrase. Keys that take too long are refused.
func FuzzDecrypt(f *testing.F) {
	const few = `{"salt":"c2FsdA==","iterations":3,"hash_function":"sha256","key_length":32}`
	for _, names := range [][]string{{"a"}, {"b", "a"}, {"c", "a", "b"}} {
		f.Add(sealed(text, names...), "", "")
	}
	f.Add(sealed(text, "a"), "z", few)
	f.Add(sealed(text, "a"), "a", strings.Replace(few, "3,", "10000001,", 1))
	f.Add(sealed(text, "a"), "a", strings.Replace(few, "32", "1025", 1))
	f.Add([]byte(`{"meta":{"a":"e30="},"encrypted_data":"AAAA","encryption_version":"v0"}`), "a", few)
	f.Add([]byte(text), "", "")
	keys := &statefile.PBKDF2{Name: "a", Passphrase: passphrase}
	chain := &statefile.PBKDF2{Name: "b", Chain: keys}
	methods := statefile.Encryption{Methods: []statefile.Method{
		&statefile.AESGCM{Keys: chain}, &statefile.AESGCM{Keys: keys, AAD: []byte{1}}, &statefile.AESGCM{Keys: keys},
		&statefile.ExternalMethod{Keys: keys, DecryptExchange: func(context.Context, []byte) ([]byte, error) { return nil, errors.New("no") }},
	}}
	f.Fuzz(func(t *testing.T, src []byte, name, metadata string) {
		if name != "" {
			var doc map[string]any
			if json.Unmarshal(src, &doc) != nil {
				return
			}
			if meta, ok := doc["meta"].(map[string]any); ok {
				meta[name] = []byte(metadata)
				src = mustJSON(doc)
			}
		}
		work := workOf(src)
		if work > 100_000 {
			return // allowed, and takes its time
		}
		for what, decrypt := range map[string]func() ([]byte, error){
			"passphrase": func() ([]byte, error) { return statefile.Decrypt(context.Background(), src, passphrase) },
			"methods":    func() ([]byte, error) { return methods.Decrypt(context.Background(), src) },
		} {
			plain, err := decrypt()
			if err == nil {
				if string(plain) != text || work < 0 && what == "passphrase" {
					t.Fatalf("%s: opened to %q", what, plain)
				}
				continue
			}
			if _, ok := errors.AsType[*statefile.Error](err); !ok || plain != nil || strings.Contains(err.Error(), passphrase) {
				t.Fatalf("%s: %q, %v", what, plain, err)
			}
		}
	})
}

// TestDecryptExternal opens what OpenTofu 1.12.6 has encrypted with external programs.
func TestDecryptExternal(t *testing.T) {
	asked := false
	keys := &statefile.ExternalKeys{Name: "key_provider.external.e", Exchange: func(_ context.Context, in []byte) ([]byte, error) {
		asked = strings.Contains(string(in), `"key_id":"k1"`)
		return []byte(`{"keys":{"encryption_key":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=","decryption_key":"MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="},"meta":{"external_data":{}}}`), nil
	}}
	method := &statefile.ExternalMethod{DecryptExchange: func(_ context.Context, in []byte) ([]byte, error) {
		var document struct {
			Payload []byte `json:"payload"`
		}
		if err := json.Unmarshal(in, &document); err != nil {
			return nil, err
		}
		for i := range document.Payload {
			document.Payload[i] ^= 0x5a
		}
		return json.Marshal(document)
	}}
	for name, m := range map[string]statefile.Method{
		"external-keys.tfstate": &statefile.AESGCM{Keys: keys}, "external-method.tfstate": method, "external-method.tfplan": method,
	} {
		src, err := os.ReadFile("testdata/encrypted/" + name)
		must(err)
		text, err := statefile.Encryption{Methods: []statefile.Method{m}}.Decrypt(context.Background(), src)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if _, err = statefile.Decode(text); strings.HasSuffix(name, "plan") {
			err = nil // package planfile reads it
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !asked {
		t.Error("the key provider was not given its metadata")
	}
}

// TestDecryptMutated changes bytes of envelopes: each is refused, or opens to what was in it.
func TestDecryptMutated(t *testing.T) {
	key := make([]byte, 32)
	methods := statefile.Encryption{Methods: []statefile.Method{&statefile.AESGCM{Keys: &statefile.ExternalKeys{Name: "k", Exchange: func(context.Context, []byte) ([]byte, error) {
		return json.Marshal(map[string]any{"keys": map[string][]byte{"encryption_key": key, "decryption_key": key}, "meta": map[string]any{"external_data": map[string]any{"v": 1}}})
	}}}}}
	src, err := methods.Encrypt(context.Background(), []byte(text))
	must(err)
	opened := 0
	for i := range src {
		for _, change := range []func([]byte) []byte{
			func(b []byte) []byte { b[i] ^= 1; return b },
			func(b []byte) []byte { b[i] = '"'; return b },
			func(b []byte) []byte { return append(b[:i], b[i+1:]...) },
			func(b []byte) []byte { return b[:i] },
		} {
			mutated := change(bytes.Clone(src))
			plain, err := methods.Decrypt(context.Background(), mutated)
			if err != nil && plain != nil {
				t.Fatalf("%q: an error with a text", mutated)
			}
			if err == nil {
				if opened++; string(plain) != text {
					t.Fatalf("%q opens to %q", mutated, plain)
				}
			}
		}
	}
	if opened == len(src)*4 {
		t.Error("nothing was refused")
	}
}
