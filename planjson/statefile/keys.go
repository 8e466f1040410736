// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/json"
	"fmt"
	"hash"

	"github.com/tofuwire/tofuwire/planjson"
)

// A KeyProvider gives keys, as a key_provider block of OpenTofu does. Its methods may be
// called by several goroutines. For a cloud's key service, EncryptionKey requests a new
// data key and stores its encrypted form in m, under the provider's name or alias;
// DecryptionKey requests its decryption.
type KeyProvider interface {
	// EncryptionKey returns a key to encrypt with, and stores in m the metadata from
	// which the key can be found again. If m already has metadata of the provider,
	// the key is that of the metadata.
	EncryptionKey(ctx context.Context, m map[string][]byte) ([]byte, error)

	// DecryptionKey returns the key for the metadata in m. It returns nil if m has
	// none.
	DecryptionKey(ctx context.Context, m map[string][]byte) ([]byte, error)
}

// PBKDF2 derives keys from a passphrase, or from another provider's key: a key provider
// of the type pbkdf2. The metadata contains everything that decryption needs except the
// passphrase; the numbers are for encryption.
type PBKDF2 struct {
	Name       string      // in the metadata: key_provider.pbkdf2.NAME, or the alias
	Passphrase string      // at least 16 bytes
	Chain      KeyProvider // gives the passphrase instead

	Iterations int    // 0 is 600,000; at least 200,000
	Hash       string // sha256 or sha512; "" is sha512
	KeyLength  int    // in bytes; 0 is 32
	SaltLength int    // in bytes; 0 is 32
}

const (
	minPassphrase = 16         // bytes
	minIterations = 200_000    // of a configuration
	maxWork       = 10_000_000 // iterations
	maxKeyLength  = 1024       // bytes
)

// parameters are the metadata of PBKDF2.
type parameters struct {
	Salt       []byte `json:"salt"`
	Iterations int    `json:"iterations"`
	Hash       string `json:"hash_function"`
	KeyLength  int    `json:"key_length"`
}

// readParameters reads the metadata of a PBKDF2. The zero parameters mean that there are no such metadata.
func readParameters(text []byte) (p parameters, err error) {
	if len(text) == 0 {
		return p, nil
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return p, fmt.Errorf("%w: the metadata is not that of pbkdf2", ErrInvalid)
	}
	switch {
	case len(p.Salt) == 0 || p.Iterations == 0 || p.Hash == "" || p.KeyLength == 0:
		return parameters{}, nil // as OpenTofu takes them
	case p.Iterations < 0 || p.KeyLength < 0:
		return p, fmt.Errorf("%w: a number in the metadata of pbkdf2 is negative", ErrInvalid)
	case hashes[p.Hash] == nil:
		return p, fmt.Errorf("%w: pbkdf2 has no hash function %q", ErrInvalid, short(p.Hash))
	case p.KeyLength > maxKeyLength || p.Iterations > maxWork || p.work() > maxWork:
		return p, fmt.Errorf("%w: the key takes more than %d iterations, or has more than %d bytes", ErrLimit, maxWork, maxKeyLength)
	}
	return p, nil
}

// hashes has the hash functions that there are.
var hashes = map[string]func() hash.Hash{"sha256": sha256.New, "sha512": sha512.New}

// work returns how many iterations the key takes.
func (p parameters) work() int {
	h := hashes[p.Hash]
	if h == nil {
		return 0
	}
	size := h().Size()
	return p.Iterations * ((p.KeyLength + size - 1) / size)
}

// key returns the key of a passphrase.
func (p parameters) key(passphrase []byte) ([]byte, error) {
	h := hashes[p.Hash]
	if h == nil {
		return nil, ErrDecrypt
	}
	key, err := pbkdf2.Key(h, string(passphrase), p.Salt, p.Iterations, p.KeyLength)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrKeys, err)
	}
	return key, nil
}

// EncryptionKey implements [KeyProvider].
func (p *PBKDF2) EncryptionKey(ctx context.Context, m map[string][]byte) ([]byte, error) {
	if m[p.Name] != nil {
		return p.DecryptionKey(ctx, m)
	}
	if err := p.check(); err != nil {
		return nil, err
	}
	q := parameters{Iterations: p.Iterations, Hash: p.Hash, KeyLength: p.KeyLength}
	if q.Iterations == 0 {
		q.Iterations = 600_000
	}
	if q.Hash == "" {
		q.Hash = "sha512"
	}
	if q.KeyLength == 0 {
		q.KeyLength = 32
	}
	salt := p.SaltLength
	if salt == 0 {
		salt = 32
	}
	q.Salt = make([]byte, salt)
	rand.Read(q.Salt)
	passphrase := []byte(p.Passphrase)
	if p.Chain != nil {
		var err error
		if passphrase, err = p.Chain.EncryptionKey(ctx, m); err != nil {
			return nil, err
		}
		if len(passphrase) < minPassphrase {
			return nil, fmt.Errorf("%w: the key of a chain has fewer than %d bytes", ErrKeys, minPassphrase)
		}
	}
	key, err := q.key(passphrase)
	if err == nil {
		m[p.Name], err = json.Marshal(q)
	}
	return key, err
}

// check returns an error if the configuration is not one that OpenTofu takes.
func (p *PBKDF2) check() error {
	switch {
	case p.Passphrase == "" && p.Chain == nil:
		return fmt.Errorf("%w: pbkdf2 needs a passphrase or a chain", ErrKeys)
	case p.Passphrase != "" && p.Chain != nil:
		return fmt.Errorf("%w: pbkdf2 has a passphrase or a chain, not both", ErrKeys)
	case p.Chain == nil && len(p.Passphrase) < minPassphrase:
		return fmt.Errorf("%w: the passphrase has fewer than %d bytes", ErrKeys, minPassphrase)
	case p.Iterations != 0 && p.Iterations < minIterations:
		return fmt.Errorf("%w: fewer than %d iterations", ErrKeys, minIterations)
	case p.Hash != "" && hashes[p.Hash] == nil:
		return fmt.Errorf("%w: the hash function is neither sha256 nor sha512", ErrKeys)
	case p.KeyLength < 0 || p.KeyLength > maxKeyLength || p.SaltLength < 0 || p.SaltLength > maxKeyLength || p.Iterations > maxWork:
		return fmt.Errorf("%w: a length or the number of iterations of pbkdf2 is too large, or below zero", ErrKeys)
	}
	return nil
}

// DecryptionKey implements [KeyProvider].
func (p *PBKDF2) DecryptionKey(ctx context.Context, m map[string][]byte) ([]byte, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	q, err := readParameters(m[p.Name])
	if err != nil || q.KeyLength == 0 {
		return nil, err
	}
	passphrase := []byte(p.Passphrase)
	if p.Chain != nil {
		if passphrase, err = p.Chain.DecryptionKey(ctx, m); err != nil || passphrase == nil {
			return nil, err
		}
		if len(passphrase) < minPassphrase {
			return nil, fmt.Errorf("%w: the key of a chain has fewer than %d bytes", ErrKeys, minPassphrase)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return q.key(passphrase)
}

// ExternalKeys gets keys from another program: a key provider of the type external.
type ExternalKeys struct {
	Name string // in the metadata: key_provider.external.NAME, or the alias

	// Exchange sends a JSON document to the program, and returns the answer without
	// its header line. The document is null for a new key, and otherwise what was
	// stored with the key.
	Exchange func(ctx context.Context, document []byte) (answer []byte, err error)
}

// externalAnswer is what such a program answers.
type externalAnswer struct {
	Keys struct {
		Encryption []byte `json:"encryption_key"`
		Decryption []byte `json:"decryption_key"`
	} `json:"keys"`
	Meta struct {
		ExternalData map[string]any `json:"external_data"`
	} `json:"meta"`
}

func (k *ExternalKeys) ask(ctx context.Context, document []byte) (a externalAnswer, err error) {
	if k.Exchange == nil {
		return a, fmt.Errorf("%w: there is no program to ask", ErrKeys)
	}
	answer, err := k.Exchange(ctx, document)
	if err != nil {
		return a, err
	}
	if json.Unmarshal(answer, &a) != nil {
		return a, fmt.Errorf("%w: the answer of a key provider is not of the external protocol", ErrInvalid)
	}
	return a, nil
}

// EncryptionKey implements [KeyProvider].
func (k *ExternalKeys) EncryptionKey(ctx context.Context, m map[string][]byte) ([]byte, error) {
	if m[k.Name] != nil {
		return k.DecryptionKey(ctx, m)
	}
	a, err := k.ask(ctx, []byte("null"))
	if err != nil {
		return nil, err
	}
	if m[k.Name], err = json.Marshal(a.Meta); err != nil {
		return nil, err
	}
	return a.Keys.Encryption, nil
}

// DecryptionKey implements [KeyProvider].
func (k *ExternalKeys) DecryptionKey(ctx context.Context, m map[string][]byte) ([]byte, error) {
	document := planjson.Value("null")
	if text := m[k.Name]; text != nil {
		stored := planjson.Value(text)
		if stored.Check() != nil {
			return nil, fmt.Errorf("%w: the metadata is not JSON", ErrInvalid)
		}
		if data := stored.Member("external_data"); data != nil && !data.IsNull() {
			document = stored
		}
	}
	a, err := k.ask(ctx, document)
	if err != nil {
		return nil, err
	}
	return a.Keys.Decryption, nil
}

// AESGCM is the method aes_gcm: AES with 128, 192 or 256 bits, in Galois counter mode.
type AESGCM struct {
	Keys KeyProvider // gives keys of 16, 24 or 32 bytes
	AAD  []byte      // the same for both directions; it is not stored
}

// Encrypt implements [Method].
func (a *AESGCM) Encrypt(ctx context.Context, plain []byte, m map[string][]byte) ([]byte, error) {
	if a.Keys == nil {
		return nil, fmt.Errorf("%w: aes_gcm needs keys", ErrKeys)
	}
	key, err := a.Keys.EncryptionKey(ctx, m)
	if err != nil {
		return nil, err
	}
	gcm, err := newGCM(key)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, gcm.NonceSize(), gcm.NonceSize()+len(plain)+gcm.Overhead())
	rand.Read(nonce)
	return gcm.Seal(nonce, nonce, plain, a.AAD), nil
}

// Decrypt implements [Method].
func (a *AESGCM) Decrypt(ctx context.Context, data []byte, m map[string][]byte) ([]byte, error) {
	if a.Keys == nil {
		return nil, fmt.Errorf("%w: aes_gcm needs keys", ErrKeys)
	}
	key, err := a.Keys.DecryptionKey(ctx, m)
	if err != nil {
		return nil, err
	}
	if len(key) == 0 {
		return nil, ErrDecrypt
	}
	return a.open(data, key)
}

// open decrypts with a key.
func (a *AESGCM) open(data, key []byte) ([]byte, error) {
	gcm, err := newGCM(key)
	if err != nil {
		return nil, err
	}
	if len(data) < gcm.NonceSize() {
		return nil, ErrDecrypt
	}
	plain, err := gcm.Open(nil, data[:gcm.NonceSize()], data[gcm.NonceSize():], a.AAD)
	if err != nil {
		return nil, ErrDecrypt
	}
	return plain, nil
}

func newGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("%w: aes_gcm takes keys of 16, 24 or 32 bytes, not %d", ErrKeys, len(key))
	}
	return cipher.NewGCM(block)
}

// ExternalMethod is the method external: other programs encrypt and decrypt.
type ExternalMethod struct {
	Keys KeyProvider // gives a key for the programs; may be nil

	// EncryptExchange and DecryptExchange send a JSON document to the program, and return
	// the answer without its header line.
	EncryptExchange, DecryptExchange func(ctx context.Context, document []byte) (answer []byte, err error)
}

// externalPayload is what goes to such a program, and comes back.
type externalPayload struct {
	Key     []byte `json:"key,omitempty"`
	Payload []byte `json:"payload"`
}

func exchange(ctx context.Context, with func(context.Context, []byte) ([]byte, error), key, data []byte) ([]byte, error) {
	if with == nil {
		return nil, fmt.Errorf("%w: there is no program to ask", ErrKeys)
	}
	document, err := json.Marshal(externalPayload{key, data})
	if err != nil {
		return nil, err
	}
	answer, err := with(ctx, document)
	if err != nil {
		return nil, err
	}
	var p externalPayload
	if json.Unmarshal(answer, &p) != nil {
		return nil, fmt.Errorf("%w: the answer of a method is not of the external protocol", ErrInvalid)
	}
	return p.Payload, nil
}

// Encrypt implements [Method].
func (e *ExternalMethod) Encrypt(ctx context.Context, plain []byte, m map[string][]byte) (_ []byte, err error) {
	var key []byte
	if e.Keys != nil {
		if key, err = e.Keys.EncryptionKey(ctx, m); err != nil {
			return nil, err
		}
	}
	return exchange(ctx, e.EncryptExchange, key, plain)
}

// Decrypt implements [Method]. If the program fails, the next method is tried.
func (e *ExternalMethod) Decrypt(ctx context.Context, data []byte, m map[string][]byte) (_ []byte, err error) {
	var key []byte
	if e.Keys != nil {
		if key, err = e.Keys.DecryptionKey(ctx, m); err != nil {
			return nil, err
		}
		if len(key) == 0 {
			return nil, ErrDecrypt
		}
	}
	plain, err := exchange(ctx, e.DecryptExchange, key, data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDecrypt, err)
	}
	return plain, nil
}

// Unencrypted returns the method unencrypted: the data stays as it is.
func Unencrypted() Method { return unencrypted{} }

type unencrypted struct{}

func (unencrypted) Encrypt(_ context.Context, plain []byte, _ map[string][]byte) ([]byte, error) {
	return plain, nil
}

func (unencrypted) Decrypt(_ context.Context, data []byte, _ map[string][]byte) ([]byte, error) {
	return data, nil
}
