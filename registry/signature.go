// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"context"
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

	"github.com/tofuwire/tofuwire/internal/printable"
)

// A Signer is the key that signed a checksum document.
type Signer struct {
	// KeyID and Fingerprint are those of the primary key, in upper-case
	// hexadecimal digits, even if a subkey made the signature.
	KeyID, Fingerprint string

	// Identity is the user ID of the key, without control characters. Anybody
	// can choose any user ID.
	Identity string

	// Time is when the signature was made, according to the signature.
	Time time.Time

	// Pinned reports whether the key comes from [Policy.Keys] and not from
	// the registry.
	Pinned bool

	// Caveat is the defect of a signature that was accepted because of
	// [Policy.AcceptExpired], or "".
	Caveat string
}

// Bounds on the work that the keys and signatures of a server can cause; see
// also maxKeyWork.
const (
	maxArmor      = 256 << 10 // bytes of one armored key
	maxKeys       = 64        // armored keys of one package
	maxKeyPackets = 1000      // packets of one armored key
	maxSignatures = 16        // signatures of one document
	maxRSABits    = 16384
	maxDSABits    = 4096
	maxDSAQBits   = 512
)

// weakBits is the size below which an RSA or DSA key causes a warning.
const weakBits = 2048

// A verdict is the result of checking the signatures of a document. All
// packages of a version share it, and its errors.
type verdict struct {
	signer   *Signer
	findings []string // for warnings
	err      error    // ErrBadSignature, ErrUnsigned, ErrLimit
}

// checkSignature looks for a signature of document by one of keys. The error of
// the verdict is ErrBadSignature, or ErrUnsigned if there are no keys. The other
// error is that of ctx.
//
// Unlike OpenTofu, a key that cannot be read does not hide the keys after it,
// and expired keys and signatures do not count unless accepted.
func (c *Client) checkSignature(ctx context.Context, keys []SigningKey, document, signature []byte) (*verdict, error) {
	switch {
	case len(keys) == 0:
		return &verdict{err: fmt.Errorf("%w: no signing key is published", ErrUnsigned)}, nil
	case len(keys) > maxKeys:
		return &verdict{err: fmt.Errorf("%w: more than %d keys", ErrLimit, maxKeys)}, nil
	}
	signatures, err := splitSignatures(signature, &c.Policy)
	if err != nil {
		return &verdict{err: err}, nil
	}
	config := &packet.Config{Time: c.Policy.Time}
	v := &verdict{}
	var caveat *Signer // the best among the expired ones
	failure, work := errors.New("signed by none of the published keys"), time.Duration(0)
	seen := map[string]bool{}
	for i, k := range keys {
		if seen[k.ASCIIArmor] {
			continue
		}
		seen[k.ASCIIArmor] = true
		skip := func(reason string) {
			v.findings = append(v.findings, fmt.Sprintf("key %d of %d cannot be read: %s", i+1, len(keys), reason))
		}
		ring, err := c.answers.rings.do(ctx, c, k.ASCIIArmor, func(context.Context) (*keyRing, error) { return readKey(k.ASCIIArmor), nil })
		if err != nil {
			return nil, err
		}
		v.findings = append(v.findings, ring.notes...)
		if ring.err != nil {
			skip(printable.Line(ring.err.Error(), 200))
		}
		if work += ring.work; work > maxSignatureWork {
			skip("to check all keys would take too long")
			break
		}
		if ring.err != nil {
			continue
		}
		for _, sig := range signatures {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if work += checkWork(ring.keys, sig.issuer, len(document)); work > maxSignatureWork {
				skip("to check all keys would take too long")
				break
			}
			got, entity, err := openpgp.VerifyDetachedSignature(ring.keys, bytes.NewReader(document), bytes.NewReader(sig.bytes), config)
			switch {
			case err == nil:
				signer := newSigner(entity, got)
				if weak, err := c.Policy.strength(entity, sig.issuer); err != nil {
					failure = err
					continue
				} else if weak != "" {
					v.findings = append(v.findings, weak)
				}
				v.signer = signer
				return v, nil
			case errors.Is(err, pgperrors.ErrUnknownIssuer):
			case entity != nil && (errors.Is(err, pgperrors.ErrKeyExpired) || errors.Is(err, pgperrors.ErrSignatureExpired)):
				failure = errors.New(expiry(err, got, config.Now()))
				if _, err := c.Policy.strength(entity, sig.issuer); err != nil {
					failure = err
					continue
				}
				caveat = newSigner(entity, got)
				caveat.Caveat = failure.Error()
			default:
				failure = errors.New(printable.Line(err.Error(), 200))
			}
		}
	}
	if caveat != nil && c.Policy.AcceptExpired {
		v.signer, v.findings = caveat, append(v.findings, caveat.Caveat)
		return v, nil
	}
	v.fail(failure)
	return v, nil
}

// fail makes v the verdict that no signature is good, with what was found on the way.
func (v *verdict) fail(failure error) {
	if len(v.findings) > 0 {
		failure = fmt.Errorf("%w (%s)", failure, printable.Line(strings.Join(v.findings, "; "), 2000))
	}
	v.err = fmt.Errorf("%w: %w", ErrBadSignature, failure)
}

// strength returns a text if the key that made a signature is weak, and an
// error if the policy does not accept it.
func (p *Policy) strength(e *openpgp.Entity, issuer uint64) (string, error) {
	for _, key := range (openpgp.EntityList{e}).KeysById(issuer) {
		name := ""
		switch key.PublicKey.PubKeyAlgo {
		case packet.PubKeyAlgoRSA, packet.PubKeyAlgoRSASignOnly:
			name = "RSA"
		case packet.PubKeyAlgoDSA:
			name = "DSA"
		default:
			continue
		}
		bits, err := key.PublicKey.BitLength()
		if err != nil {
			return "", err
		}
		if int(bits) < p.MinKeyBits {
			return "", fmt.Errorf("the signing key has %d bits (%s), fewer than the %d that the policy requires", bits, name, p.MinKeyBits)
		}
		if bits < weakBits {
			return fmt.Sprintf("the signing key is weak: %s with %d bits", name, bits), nil
		}
	}
	return "", nil
}

// expiry describes why a good signature is out of its time.
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
		s.Identity = printable.Line(id.Name, 200)
	}
	return s
}

// A keyRing is the content of one armored block. All packages that name the key
// share it.
type keyRing struct {
	keys   openpgp.EntityList
	notes  []string
	err    error
	work   time.Duration // the estimated work to read it
	weight int64         // in memory
}

// readKey reads an armored block, which may hold several keys. Only the first
// block of the text counts, as in OpenTofu.
func readKey(text string) *keyRing {
	r := &keyRing{weight: 1024}
	fail := func(err error) *keyRing {
		r.err = err
		return r
	}
	if len(text) > maxArmor {
		return fail(fmt.Errorf("longer than %d bytes", maxArmor))
	}
	block, err := armor.Decode(strings.NewReader(text))
	if err != nil {
		return fail(errors.New("no armored block"))
	}
	switch block.Type {
	case openpgp.PublicKeyType:
	case openpgp.PrivateKeyType:
		r.notes = append(r.notes, "the registry publishes a private key")
	default:
		return fail(fmt.Errorf("a %q, not a key", printable.Line(block.Type, 60)))
	}
	body, err := io.ReadAll(io.LimitReader(block.Body, maxArmor))
	if err != nil {
		return fail(err)
	}
	if err := boundKeys(body); err != nil {
		return fail(err)
	}
	if work := ringWork(body); work > maxKeyWork {
		return fail(errors.New("it has so many self-signatures, or such large numbers, that verifying them would take too long"))
	} else {
		r.work = work
	}
	r.keys, err = openpgp.ReadKeyRing(bytes.NewReader(body))
	if err == nil && len(r.keys) == 0 {
		err = errors.New("no key in the block")
	}
	r.weight += 16 * int64(len(body)) // packets in their parsed form
	return fail(err)
}

// boundKeys checks the packets of a key block for numbers so large that
// verifying with them would take minutes.
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

// A detached is one signature of a document.
type detached struct {
	bytes  []byte
	issuer uint64 // the ID of the key, according to the signature
}

// splitSignatures returns the single signatures of a detached signature
// document. One good signature among others is enough. The protocol requires
// the binary form. As in OpenTofu, other data after a signature does not matter.
func splitSignatures(src []byte, policy *Policy) ([]detached, error) {
	if bytes.HasPrefix(bytes.TrimSpace(src), []byte("-----BEGIN PGP")) {
		if !policy.AcceptArmored {
			return nil, fmt.Errorf("%w: the signature is armored, but the protocol requires binary", ErrBadSignature)
		}
		block, err := armor.Decode(bytes.NewReader(src))
		if err != nil || block.Type != openpgp.SignatureType {
			return nil, fmt.Errorf("%w: the armored block is not a signature", ErrBadSignature)
		}
		if src, err = io.ReadAll(io.LimitReader(block.Body, maxArmor)); err != nil {
			return nil, fmt.Errorf("%w: the armor is broken", ErrBadSignature)
		}
	}
	var out []detached
	packets := packet.NewOpaqueReader(bytes.NewReader(src))
	for {
		p, err := packets.Next()
		if (err != nil || p.Tag != 2) && len(out) > 0 {
			return out, nil // the end, or a line end, for instance
		}
		if err != nil || p.Tag != 2 {
			return nil, fmt.Errorf("%w: the document is not an OpenPGP signature", ErrBadSignature)
		}
		if len(out) == maxSignatures {
			return nil, fmt.Errorf("%w: more than %d signatures", ErrLimit, maxSignatures)
		}
		var b bytes.Buffer
		if err := p.Serialize(&b); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBadSignature, err)
		}
		sig := detached{bytes: b.Bytes()}
		// A signature that cannot be parsed here is refused when it is
		// verified.
		if parsed, err := p.Parse(); err == nil {
			if s, ok := parsed.(*packet.Signature); ok && s.IssuerKeyId != nil {
				sig.issuer = *s.IssuerKeyId
			}
		}
		out = append(out, sig)
	}
}
