// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

// Causes of an [Error] of encryption and decryption.
var (
	// ErrDecrypt is the cause if the data cannot be decrypted with the given keys:
	// a wrong passphrase or key, other additional data, or damaged data. These
	// cases cannot be distinguished.
	ErrDecrypt = errors.New("the data cannot be decrypted with these keys, or is damaged")

	// ErrNotEncrypted is the cause if the data is not encrypted, and no method allows
	// that.
	ErrNotEncrypted = errors.New("the data is not encrypted")

	// ErrKeys is the cause if keys, passphrases or numbers are unusable: a key that AES does
	// not accept, or a passphrase of less than 16 bytes. [Decrypt] does not check the length
	// of its passphrase: one that is too short is a wrong one, [ErrDecrypt].
	ErrKeys = errors.New("unusable keys")
)

// An Encryption says how OpenTofu encrypts a state or a saved plan, like the blocks
// state and plan of an encryption block. It encrypts with the first method, and
// decrypts with the first one that can; the others are fallbacks. The method
// [Unencrypted] among them allows data that is not encrypted; if Enforced is set, it
// is an error.
type Encryption struct {
	Methods  []Method // at least one
	Enforced bool     // nothing may be unencrypted
}

// A Method encrypts and decrypts. The metadata m is what an encrypted state or plan stores for its key providers:
// JSON texts by the providers' names, such as key_provider.pbkdf2.main, or by the alias that
// encrypted_metadata_alias gives. Encrypt stores in it the metadata from which the key can be found again. If an
// error of Decrypt wraps [ErrDecrypt], the next method is tried; any other error ends the decryption.
type Method interface {
	Encrypt(ctx context.Context, plain []byte, m map[string][]byte) ([]byte, error)
	Decrypt(ctx context.Context, data []byte, m map[string][]byte) ([]byte, error)
}

// An envelope is an encrypted state or plan.
type envelope struct {
	Serial  *uint64           `json:"serial,omitempty"`
	Lineage *string           `json:"lineage,omitempty"`
	Meta    map[string][]byte `json:"meta"`
	Data    []byte            `json:"encrypted_data"`
	Version string            `json:"encryption_version"`
}

// A header has the members of a state that are outside of its encryption as well.
type header struct {
	Version *uint64 `json:"version"`
	Serial  *uint64 `json:"serial"`
	Lineage string  `json:"lineage"`
}

// Encrypt encrypts a state or a saved plan. Decrypt returns the same bytes. The result has the
// form in which OpenTofu saves it. The error wraps [ErrEncrypted] if src is already encrypted,
// and [ErrKind] if it is neither a state nor a saved plan.
func (e Encryption) Encrypt(ctx context.Context, src []byte) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	var out envelope
	plan := isPlan(src)
	if !plan {
		h, err := headerOf(src)
		if err != nil {
			return nil, err
		}
		out.Serial, out.Lineage = h.Serial, &h.Lineage
	}
	if _, ok := e.Methods[0].(unencrypted); ok {
		return bytes.Clone(src), nil
	}
	out.Meta, out.Version = make(map[string][]byte), envelopeVersion
	var err error
	if out.Data, err = e.Methods[0].Encrypt(ctx, src, out.Meta); err != nil {
		return nil, encryptionError(err)
	}
	if plan {
		text, err := json.Marshal(out)
		return text, encryptionError(err)
	}
	text, err := json.MarshalIndent(out, "", "  ")
	return append(text, '\n'), encryptionError(err)
}

// Decrypt returns the clear text of an encrypted state or saved plan. The text may
// already be in clear if one of the methods is [Unencrypted]. The serial and the lineage
// outside of the encrypted part of a state must be those inside.
//
// Errors wrap [ErrDecrypt] for wrong keys and damaged data, [ErrNotEncrypted],
// [ErrVersion] for a later version of encryption, [ErrInvalid] and [ErrLimit]. They
// contain no keys and no passphrases.
func (e Encryption) Decrypt(ctx context.Context, src []byte) ([]byte, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	in, err := openEnvelope(src)
	if errors.Is(err, ErrNotEncrypted) {
		for _, m := range e.Methods {
			if _, ok := m.(unencrypted); ok {
				return bytes.Clone(src), nil
			}
		}
	}
	if err != nil {
		return nil, err
	}
	fail := error(&Error{Err: ErrDecrypt})
	for _, m := range e.Methods {
		if _, ok := m.(unencrypted); ok || m == nil {
			continue
		}
		plain, err := m.Decrypt(ctx, in.Data, in.Meta)
		if err == nil {
			return in.matching(plain)
		}
		if fail = encryptionError(err); !errors.Is(err, ErrDecrypt) {
			return nil, fail
		}
	}
	return nil, fail
}

// check returns an error if there is no method, or one that is forbidden.
func (e Encryption) check() error {
	if len(e.Methods) == 0 || e.Methods[0] == nil {
		return &Error{Err: fmt.Errorf("%w: there is no method", ErrAbsent)}
	}
	for _, m := range e.Methods {
		if _, ok := m.(unencrypted); ok && e.Enforced {
			return &Error{Err: fmt.Errorf("%w: encryption is enforced, but a method is unencrypted", ErrKeys)}
		}
	}
	return nil
}

// encryptionError gives an error this package's type.
func encryptionError(err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Err: err}
}

// envelopeVersion is the version of encryption that there is.
const envelopeVersion = "v0"

// isPlan reports whether src is a saved plan.
func isPlan(src []byte) bool { return planjson.KindOf(src) == planjson.DocumentPlanFile }

// headerOf returns the header of a state in clear.
func headerOf(src []byte) (h header, err error) {
	if len(src) == 0 {
		return h, &Error{Line: 1, Column: 1, Err: ErrEmpty}
	}
	if at, fault := jsonscan.Document(src); fault != jsonscan.OK {
		line, column := jsonscan.Position(src, at)
		return h, &Error{Offset: int64(at), Line: line, Column: column, Pointer: jsonscan.Pointer(src, at), Err: fault}
	}
	if planjson.KindOf(src) == planjson.DocumentEncrypted {
		return h, &Error{Line: 1, Column: 1, Err: ErrEncrypted}
	}
	if err := json.Unmarshal(src, &h); err != nil || h.Version == nil || h.Serial == nil {
		return h, &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: neither a state nor a saved plan", ErrKind)}
	}
	return h, nil
}

// openEnvelope reads an encrypted state or plan. The error wraps ErrNotEncrypted for a
// state or plan in clear.
func openEnvelope(src []byte) (in envelope, err error) {
	if isPlan(src) {
		return in, &Error{Line: 1, Column: 1, Err: ErrNotEncrypted}
	}
	if _, err := headerOf(src); err == nil {
		return in, &Error{Line: 1, Column: 1, Err: ErrNotEncrypted}
	} else if !errors.Is(err, ErrEncrypted) {
		return in, err
	}
	if err := json.Unmarshal(src, &in); err != nil {
		return in, &Error{Line: 1, Column: 1, Err: fmt.Errorf("%w: %w", ErrInvalid, err)}
	}
	if in.Version != envelopeVersion {
		at := placeOf(src, "encryption_version")
		if in.Version == "" {
			at.Err = fmt.Errorf("%w: the version of the encryption is absent", ErrInvalid)
			return in, at
		}
		at.Err = fmt.Errorf("%w: encryption %q is of a later release", ErrVersion, short(in.Version))
		return in, at
	}
	return in, nil
}

// matching returns plain, or an error if what is outside is not what is inside.
func (in envelope) matching(plain []byte) ([]byte, error) {
	if err := in.matches(plain); err != nil {
		return nil, err
	}
	return plain, nil
}

// matches returns an error if plain is neither a state nor a saved plan, or if what is
// outside is not what is inside.
func (in envelope) matches(plain []byte) error {
	h, err := headerOf(plain)
	if in.Serial == nil && in.Lineage == nil {
		if err != nil && !isPlan(plain) {
			return &Error{Err: fmt.Errorf("%w: what was encrypted is neither a state nor a saved plan", ErrInvalid)}
		}
		return nil
	}
	if err != nil {
		return &Error{Err: fmt.Errorf("%w: what was encrypted is not a state", ErrInvalid)}
	}
	if in.Serial != nil && *in.Serial != *h.Serial {
		return &Error{Pointer: "/serial", Err: fmt.Errorf("%w: the serial outside is not the one inside", ErrInvalid)}
	}
	if in.Lineage != nil && *in.Lineage != "" && *in.Lineage != h.Lineage {
		return &Error{Pointer: "/lineage", Err: fmt.Errorf("%w: the lineage outside is not the one inside", ErrInvalid)}
	}
	return nil
}

// Encrypt encrypts a state or a saved plan with a passphrase, as OpenTofu does with
//
//	key_provider "pbkdf2" "passphrase" {
//	  passphrase = "..."
//	}
//	method "aes_gcm" "passphrase" {
//	  keys = key_provider.pbkdf2.passphrase
//	}
//
// A passphrase of less than 16 bytes is refused ([ErrKeys]). See [Encryption.Encrypt].
func Encrypt(ctx context.Context, src []byte, passphrase string) ([]byte, error) {
	keys := &PBKDF2{Name: "key_provider.pbkdf2.passphrase", Passphrase: passphrase}
	return Encryption{Methods: []Method{&AESGCM{Keys: keys}}}.Encrypt(ctx, src)
}

// Decrypt decrypts a state or a saved plan that OpenTofu has encrypted with aes_gcm and
// keys of pbkdf2, with the passphrase of one key provider, or of the first of a chain of
// up to three. The text contains their names, aliases and numbers, but not the order of a
// chain, so Decrypt tries all orders. See [Encryption.Decrypt] for errors.
func Decrypt(ctx context.Context, src []byte, passphrase string) ([]byte, error) {
	in, err := openEnvelope(src)
	if err != nil {
		return nil, err
	}
	plain, _, err := in.unlock(ctx, passphrase)
	return plain, err
}

// EncryptionOf returns how a state or a saved plan is encrypted that [Decrypt] opens with the
// passphrase: with the names of its key providers, in the order of their chain, and with their
// numbers. What it encrypts opens with the same configuration as src. Errors are those of
// Decrypt.
func EncryptionOf(ctx context.Context, src []byte, passphrase string) (e Encryption, err error) {
	in, err := openEnvelope(src)
	if err != nil {
		return e, err
	}
	_, chain, err := in.unlock(ctx, passphrase)
	if err != nil {
		return e, err
	}
	var keys KeyProvider
	for _, name := range chain {
		q, err := readParameters(in.Meta[name])
		if err != nil {
			return e, &Error{Err: err}
		}
		p := &PBKDF2{Name: name, Iterations: q.Iterations, Hash: q.Hash, KeyLength: q.KeyLength, SaltLength: len(q.Salt)}
		if keys == nil {
			p.Passphrase = passphrase
		} else {
			p.Chain = keys
		}
		keys = p
	}
	return Encryption{Methods: []Method{&AESGCM{Keys: keys}}}, nil
}

// unlock decrypts with a passphrase. The chain has the names of the key providers, the one
// with the passphrase first.
func (in envelope) unlock(ctx context.Context, passphrase string) (plain []byte, chain []string, err error) {
	names := sortedNames(in.Meta)
	if len(names) == 0 || len(names) > maxChain {
		return nil, nil, &Error{Pointer: "/meta", Err: fmt.Errorf("%w: a passphrase alone opens one key provider, or a chain of up to %d; there are %d", ErrKeys, maxChain, len(names))}
	}
	work := 0
	for _, name := range names {
		p, err := readParameters(in.Meta[name])
		if err != nil {
			return nil, nil, &Error{Pointer: placeOf(nil, "meta", name).Pointer, Err: err}
		}
		work += p.work()
	}
	if work *= []int{0, 1, 2, 5}[len(names)]; work > maxWork { // as often is each key derived
		return nil, nil, &Error{Pointer: "/meta", Err: fmt.Errorf("%w: trying all orders takes too many iterations", ErrLimit)}
	}
	plain, chain, err = chainOf(ctx, in, names, []byte(passphrase))
	if err == nil {
		plain, err = in.matching(plain)
	}
	return plain, chain, encryptionError(err)
}

// maxChain is how long a chain of key providers may be if its order is not known.
const maxChain = 3

// chainOf decrypts with the keys that a chain of the named providers makes of a
// passphrase, in any order, and returns the order.
func chainOf(ctx context.Context, in envelope, names []string, passphrase []byte) (plain []byte, chain []string, err error) {
	if len(names) == 0 {
		plain, err = (&AESGCM{}).open(in.Data, passphrase)
		return plain, nil, err
	}
	fail := error(ErrDecrypt)
	for i, name := range names {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		p, err := readParameters(in.Meta[name])
		if err != nil {
			return nil, nil, err
		}
		key, err := p.key(passphrase)
		if err != nil {
			return nil, nil, err
		}
		rest := append(append([]string(nil), names[:i]...), names[i+1:]...)
		plain, chain, err := chainOf(ctx, in, rest, key)
		if err == nil {
			return plain, append([]string{name}, chain...), nil
		}
		if !errors.Is(err, ErrDecrypt) && !errors.Is(err, ErrKeys) {
			return nil, nil, err
		}
		fail = ErrDecrypt
	}
	return nil, nil, fail
}
