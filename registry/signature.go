// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	"github.com/ProtonMail/go-crypto/openpgp/armor"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// A Signer is the key that signed a checksum document.
type Signer struct {
	// KeyID and Fingerprint are those of the primary key, in upper-case
	// hexadecimal digits, even if a subkey made the signature.
	KeyID, Fingerprint string

	// Identity is the user ID of the key, without control characters. Anybody
	// can write anything there.
	Identity string

	// Time is when the signature was made, by its own account.
	Time time.Time

	// Pinned reports whether the key comes from [Policy.Keys] and not from
	// the registry.
	Pinned bool

	// Caveat says what is wrong with a signature that was accepted all the
	// same because of [Policy.AcceptExpired], or is "".
	Caveat string
}

// Bounds on the work that the keys and signatures of a server can cause.
// Verification cannot be interrupted, so the sizes of keys are bounded, too.
const (
	maxArmor      = 256 << 10 // bytes of one armored key
	maxKeys       = 64        // armored keys of one package
	maxKeyPackets = 1000      // packets of one armored key
	maxSignatures = 16        // signatures of one document
	maxRSABits    = 16384
	maxDSABits    = 4096
	maxDSAQBits   = 512
)

// checkSignature looks for a signature of document by one of keys. It reports
// who signed, and findings that are worth a warning. The error is
// ErrBadSignature, or ErrUnsigned if there are no keys.
//
// Unlike OpenTofu, a key that cannot be read does not hide the keys after it,
// and expired keys and signatures do not count unless accepted.
func checkSignature(keys []SigningKey, document, signature []byte, policy *Policy) (*Signer, []string, error) {
	if len(keys) == 0 {
		return nil, nil, fmt.Errorf("%w: no signing key is published", ErrUnsigned)
	}
	if len(keys) > maxKeys {
		return nil, nil, fmt.Errorf("%w: more than %d keys", ErrTooLarge, maxKeys)
	}
	signatures, err := splitSignatures(signature, policy)
	if err != nil {
		return nil, nil, err
	}
	config := &packet.Config{Time: policy.Time}
	var findings []string
	var caveat *Signer // the best among the expired ones
	failure := errors.New("signed by none of the published keys")
	for i, k := range keys {
		ring, notes, err := readKey(k.ASCIIArmor)
		findings = append(findings, notes...)
		if err != nil {
			findings = append(findings, fmt.Sprintf("key %d of %d cannot be read: %s", i+1, len(keys), clean(err.Error(), 200)))
			continue
		}
		for _, sig := range signatures {
			got, entity, err := openpgp.VerifyDetachedSignature(ring, bytes.NewReader(document), bytes.NewReader(sig), config)
			switch {
			case err == nil:
				return newSigner(entity, got), findings, nil
			case errors.Is(err, pgperrors.ErrUnknownIssuer):
			case entity != nil && (errors.Is(err, pgperrors.ErrKeyExpired) || errors.Is(err, pgperrors.ErrSignatureExpired)):
				caveat = newSigner(entity, got)
				caveat.Caveat = expiry(err, got, config.Now())
				failure = errors.New(caveat.Caveat)
			default:
				failure = errors.New(clean(err.Error(), 200))
			}
		}
	}
	if caveat != nil && policy.AcceptExpired {
		return caveat, append(findings, caveat.Caveat), nil
	}
	if len(findings) > 0 {
		failure = fmt.Errorf("%w (%s)", failure, strings.Join(findings, "; "))
	}
	return nil, findings, fmt.Errorf("%w: %w", ErrBadSignature, failure)
}

// expiry says in words why a good signature is out of its time.
func expiry(err error, sig *packet.Signature, now time.Time) string {
	switch {
	case sig.CreationTime.After(now):
		return "the signature is dated in the future, " + sig.CreationTime.UTC().Format(time.DateOnly)
	case errors.Is(err, pgperrors.ErrKeyExpired):
		return "the signing key has expired"
	default:
		return "the signature has expired"
	}
}

func newSigner(e *openpgp.Entity, sig *packet.Signature) *Signer {
	s := &Signer{
		KeyID:       fmt.Sprintf("%016X", e.PrimaryKey.KeyId),
		Fingerprint: fmt.Sprintf("%X", e.PrimaryKey.Fingerprint),
		Time:        sig.CreationTime,
	}
	if id := e.PrimaryIdentity(); id != nil {
		s.Identity = clean(id.Name, 200)
	}
	return s
}

// readKey reads an armored block, which may hold several keys. Only the first
// block of the text counts, as in OpenTofu.
func readKey(text string) (openpgp.EntityList, []string, error) {
	if len(text) > maxArmor {
		return nil, nil, fmt.Errorf("longer than %d bytes", maxArmor)
	}
	block, err := armor.Decode(strings.NewReader(text))
	if err != nil {
		return nil, nil, errors.New("no armored block")
	}
	var notes []string
	switch block.Type {
	case openpgp.PublicKeyType:
	case openpgp.PrivateKeyType:
		notes = append(notes, "the registry publishes a private key")
	default:
		return nil, nil, fmt.Errorf("a %q, not a key", clean(block.Type, 60))
	}
	body, err := io.ReadAll(io.LimitReader(block.Body, maxArmor))
	if err != nil {
		return nil, notes, err
	}
	if err := boundKeys(body); err != nil {
		return nil, notes, err
	}
	ring, err := openpgp.ReadKeyRing(bytes.NewReader(body))
	if err == nil && len(ring) == 0 {
		err = errors.New("no key in the block")
	}
	return ring, notes, err
}

// boundKeys looks through the packets of a key block for numbers so large
// that to verify anything with them would take minutes.
func boundKeys(body []byte) error {
	packets := packet.NewOpaqueReader(bytes.NewReader(body))
	for n := 0; ; n++ {
		p, err := packets.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return errors.New("not a sequence of packets")
		}
		if n == maxKeyPackets {
			return fmt.Errorf("more than %d packets", maxKeyPackets)
		}
		switch p.Tag {
		case 5, 6, 7, 14: // public and secret keys and subkeys
			if err := boundKey(p.Contents); err != nil {
				return err
			}
		}
	}
}

// boundKey checks the sizes of the numbers of an RSA or DSA key (RFC 9580,
// section 5.5.2): version, time, algorithm, then the numbers, each with its
// length in bits.
func boundKey(b []byte) error {
	if len(b) < 6 {
		return errors.New("a key is cut off")
	}
	algorithm, b := b[5], b[6:]
	var bounds []int
	switch algorithm {
	case 1, 2, 3: // RSA: n, e
		bounds = []int{maxRSABits, 64}
	case 17: // DSA: p, q, g, y
		bounds = []int{maxDSABits, maxDSAQBits, maxDSABits, maxDSABits}
	}
	for _, bound := range bounds {
		if len(b) < 2 {
			return errors.New("a key is cut off")
		}
		bits := int(binary.BigEndian.Uint16(b))
		if bits > bound {
			return fmt.Errorf("a key with a number of %d bits", bits)
		}
		b = b[min(2+(bits+7)/8, len(b)):]
	}
	return nil
}

// splitSignatures returns the single signatures of a detached signature
// document, so that one good one is found beside others. The protocol wants
// it binary.
func splitSignatures(src []byte, policy *Policy) ([][]byte, error) {
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte("-----BEGIN PGP")) {
		if !policy.AcceptArmored {
			return nil, fmt.Errorf("%w: the signature is armored, but the protocol wants it binary", ErrBadSignature)
		}
		block, err := armor.Decode(bytes.NewReader(src))
		if err != nil || block.Type != openpgp.SignatureType {
			return nil, fmt.Errorf("%w: the armored block is no signature", ErrBadSignature)
		}
		if src, err = io.ReadAll(io.LimitReader(block.Body, maxArmor)); err != nil {
			return nil, fmt.Errorf("%w: the armor is broken", ErrBadSignature)
		}
	}
	var out [][]byte
	packets := packet.NewOpaqueReader(bytes.NewReader(src))
	for {
		p, err := packets.Next()
		if err == io.EOF && len(out) > 0 {
			return out, nil
		}
		if err != nil || p.Tag != 2 {
			return nil, fmt.Errorf("%w: the document is no OpenPGP signature", ErrBadSignature)
		}
		if len(out) == maxSignatures {
			return nil, fmt.Errorf("%w: more than %d signatures", ErrTooLarge, maxSignatures)
		}
		var b bytes.Buffer
		if err := p.Serialize(&b); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBadSignature, err)
		}
		out = append(out, b.Bytes())
	}
}
