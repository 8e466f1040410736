// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"bytes"
	"context"
	"crypto"
	"errors"
	"fmt"
	"io"
	"slices"
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

// maxSignatures bounds the signatures of one document.
const maxSignatures = 16

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
	s := &signatureCheck{
		policy: &c.Policy, config: &packet.Config{Time: c.Policy.Time}, document: document, signature: signature,
		signatures: signatures, verdict: &verdict{}, left: maxWork, published: len(keys),
	}
	if err := s.scan(ctx, c, keys); err != nil {
		return nil, err
	}
	for _, ring := range s.order() {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if s.ring(ring) {
			break
		}
	}
	return s.result(), nil
}

// A signatureCheck is one call of checkSignature.
type signatureCheck struct {
	policy              *Policy
	config              *packet.Config
	document, signature []byte
	signatures          []detached
	published           int        // how many keys there are
	rings               []*keyRing // in the order of the registry, each once
	left                time.Duration
	verdict             *verdict

	failures []error         // why the signatures and keys are no good, the most telling last
	entity   *openpgp.Entity // with the key that made the good signature
	caveat   *Signer         // the best among the expired ones
	skipped  bool            // there was no time for all keys
	passed   []int           // numbers of the rings that were checked
}

// scan reads the list of packets of each key, and verifies nothing yet.
func (s *signatureCheck) scan(ctx context.Context, c *Client, keys []SigningKey) error {
	seen := map[string]bool{}
	for i, k := range keys {
		if seen[k.ASCIIArmor] {
			continue
		}
		seen[k.ASCIIArmor] = true
		if s.left < 0 {
			s.tooDear(fmt.Sprintf("key %d of %d", i+1, len(keys)))
			return nil
		}
		ring, err := c.answers.rings.do(ctx, c, k.ASCIIArmor, func(context.Context) (*keyRing, error) { return scanKeys(k.ASCIIArmor), nil })
		if err != nil {
			return err
		}
		s.left -= ring.scanned
		s.rings = append(s.rings, ring)
		s.verdict.findings = append(s.verdict.findings, ring.notes...)
		if ring.refused != nil {
			s.unread(len(s.rings)-1, ring.refused)
		}
	}
	return nil
}

// order returns the numbers of the rings in the order in which to check them: that of
// the registry or, if there is not enough time for all, first those with a key that a
// signature names.
func (s *signatureCheck) order() []int {
	var out []int
	all := time.Duration(0)
	for i, r := range s.rings {
		if r.refused == nil {
			out = append(out, i)
			all += r.work
		}
	}
	if all > s.left/2 {
		named := func(i int) int {
			for _, sig := range s.signatures {
				if s.rings[i].has(sig.issuer) {
					return 0
				}
			}
			return 1
		}
		slices.SortStableFunc(out, func(a, b int) int { return named(a) - named(b) })
	}
	return out
}

func (s *signatureCheck) tooDear(what string) {
	s.skipped = true
	s.verdict.findings = append(s.verdict.findings, what+" is not used: to check all keys would take too long")
}

// spend reports whether there is time for work, and takes it.
func (s *signatureCheck) spend(work time.Duration) bool {
	if work > s.left {
		return false
	}
	s.left -= work
	return true
}

// name returns a name of a ring, for messages.
func (s *signatureCheck) name(n int) string {
	text := fmt.Sprintf("key %d of %d", n+1, s.published)
	if id := s.rings[n].id; id != 0 {
		text += fmt.Sprintf(" (%016X)", id)
	}
	return text
}

// unread notes that a ring cannot be read.
func (s *signatureCheck) unread(n int, err error) {
	err = fmt.Errorf("%s cannot be read: %s", s.name(n), printable.Line(err.Error(), 200))
	if slices.ContainsFunc(s.signatures, func(d detached) bool { return s.rings[n].has(d.issuer) }) {
		s.failures = append(s.failures, err)
	} else {
		s.verdict.findings = append(s.verdict.findings, err.Error())
	}
}

// ring looks for a signature by a key of the ring of number n, and reports whether one is
// good.
func (s *signatureCheck) ring(n int) bool {
	r := s.rings[n]
	if !s.spend(r.work) {
		s.tooDear(s.name(n))
		return false
	}
	keys, err := r.read()
	s.passed = append(s.passed, n)
	if err != nil {
		s.unread(n, err)
		return false
	}
	for _, sig := range s.signatures {
		if sig.unknown != "" {
			continue
		}
		if !s.spend(checkWork(keys, sig.issuer, len(s.document))) {
			s.tooDear(s.name(n))
			return false
		}
		if s.verify(keys, sig) {
			for _, id := range []uint64{s.entity.PrimaryKey.KeyId, sig.issuer} {
				if err := r.closed[id]; err != nil {
					s.verdict.findings = append(s.verdict.findings, fmt.Sprintf("the key %016X has a revocation that neither the tools nor this package can read: %s", id, printable.Line(err.Error(), 200)))
					break
				}
			}
			return true
		}
	}
	return false
}

// verify checks one signature with the keys of a ring.
func (s *signatureCheck) verify(keys openpgp.EntityList, sig detached) bool {
	got, entity, err := openpgp.VerifyDetachedSignature(keys, bytes.NewReader(s.document), bytes.NewReader(sig.bytes), s.config)
	switch {
	case err == nil:
		warnings, err := s.policy.strength(entity, sig.issuer, got)
		if err != nil {
			s.failures = append(s.failures, err)
			return false
		}
		s.verdict.findings = append(s.verdict.findings, warnings...)
		s.verdict.signer, s.entity = newSigner(entity, got), entity
		return true
	case errors.Is(err, pgperrors.ErrUnknownIssuer):
		for _, key := range keys.KeysById(sig.issuer) {
			s.failures = append(s.failures, mayNotSign(key))
		}
	case entity != nil && (errors.Is(err, pgperrors.ErrKeyExpired) || errors.Is(err, pgperrors.ErrSignatureExpired)):
		failure := errors.New(expiry(err, got, s.config.Now()))
		if _, err := s.policy.strength(entity, sig.issuer, got); err != nil {
			s.failures = append(s.failures, err)
			return false
		}
		s.failures = append(s.failures, failure)
		s.caveat = newSigner(entity, got)
		s.caveat.Caveat = failure.Error()
	default:
		s.failures = append(s.failures, fmt.Errorf("the signature by the key %016X is not accepted: %s", sig.issuer, printable.Line(err.Error(), 200)))
	}
	return false
}

// mayNotSign says why a key is not taken for signatures.
func mayNotSign(key openpgp.Key) error {
	if key.SelfSignature == nil || !key.SelfSignature.FlagsValid {
		return fmt.Errorf("the key %016X has no key flags, so it may not sign", key.PublicKey.KeyId)
	}
	return fmt.Errorf("the key %016X may not sign, according to its key flags", key.PublicKey.KeyId)
}

// result returns the verdict.
func (s *signatureCheck) result() *verdict {
	v := s.verdict
	if v.signer == nil && s.caveat != nil && s.policy.AcceptExpired {
		v.signer, v.findings = s.caveat, append(v.findings, s.caveat.Caveat)
	}
	if v.signer != nil {
		if reason := s.refusedByTool(); reason != "" {
			v.findings = append(v.findings, reason)
		}
		return v
	}
	v.fail(s.failure())
	return v
}

// failure returns the reason why no signature is good.
func (s *signatureCheck) failure() error {
	var unknown []string
	for _, sig := range s.signatures {
		switch {
		case sig.unknown != "" && !slices.Contains(unknown, sig.unknown):
			unknown = append(unknown, sig.unknown)
		case sig.unknown == "":
			if id := s.realSigner(sig); id != 0 {
				s.failures = append(s.failures, fmt.Errorf("the key %016X made the signature, but the signature names %016X as its issuer", id, sig.issuer))
			}
		}
	}
	if n := len(s.failures); n > 0 {
		return s.failures[n-1]
	}
	if len(unknown) > 0 {
		return errors.New(strings.Join(unknown, "; "))
	}
	if s.skipped {
		return errors.New("not all of the published keys could be checked")
	}
	return errors.New("signed by none of the published keys")
}

// realSigner returns the ID of the published key that made a signature which names
// another one, or 0.
func (s *signatureCheck) realSigner(sig detached) uint64 {
	for _, n := range s.passed {
		ring, _ := s.rings[n].read()
		for _, e := range ring {
			keys := []*packet.PublicKey{e.PrimaryKey}
			for _, sub := range e.Subkeys {
				keys = append(keys, sub.PublicKey)
			}
			for _, pk := range keys {
				if pk.KeyId == sig.issuer || pk.PubKeyAlgo != sig.parsed.PubKeyAlgo || !s.spend(verifyWork(pk)+time.Duration(len(s.document))*hashWork) {
					continue
				}
				if h, err := sig.parsed.PrepareVerify(); err == nil {
					h.Write(s.document)
					if pk.VerifySignature(h, sig.parsed) == nil {
						return pk.KeyId
					}
				}
			}
		}
	}
	return 0
}

// fail makes v the verdict that no signature is good, with what was found on the way.
func (v *verdict) fail(failure error) {
	if len(v.findings) > 0 {
		failure = fmt.Errorf("%w (%s)", failure, printable.Line(strings.Join(v.findings, "; "), 2000))
	}
	v.err = fmt.Errorf("%w: %w", ErrBadSignature, failure)
}

// strength returns what is weak about a signature and the key that made it, and an
// error if the policy does not accept the key.
func (p *Policy) strength(e *openpgp.Entity, issuer uint64, sig *packet.Signature) (weak []string, err error) {
	for _, key := range (openpgp.EntityList{e}).KeysById(issuer) {
		if made := key.PublicKey.CreationTime; sig.CreationTime.Before(made) {
			weak = append(weak, fmt.Sprintf("the signature is older than its key: it is of %s, the key %016X of %s",
				sig.CreationTime.UTC().Format(time.DateTime), issuer, made.UTC().Format(time.DateTime)))
		}
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
			return nil, err
		}
		if int(bits) < p.MinKeyBits {
			return nil, fmt.Errorf("the signing key has %d bits (%s), fewer than the %d that the policy requires", bits, name, p.MinKeyBits)
		}
		if bits < weakBits {
			weak = append(weak, fmt.Sprintf("the signing key is weak: %s with %d bits", name, bits))
		}
	}
	if sig.Hash == crypto.SHA1 {
		weak = append(weak, "the signature is weak: it uses SHA-1")
	}
	return weak, nil
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

// A detached is one signature of a document.
type detached struct {
	bytes   []byte
	parsed  *packet.Signature // nil if unknown is not ""
	issuer  uint64            // the ID of the key, according to the signature
	unknown string            // why no version of the tools can read it, or ""
}

// splitSignatures returns the single signatures of a detached signature
// document. One good signature among others is enough. The protocol requires
// the binary form. As in the tools, markers, padding (in Terraform alone) and packets of
// unknown types are skipped, and other data after a signature does not matter.
func splitSignatures(src []byte, policy *Policy) ([]detached, error) {
	if isArmored(src) {
		if !policy.AcceptArmored {
			return nil, fmt.Errorf("%w: the signature is armored, but the protocol requires binary", ErrBadSignature)
		}
		block, err := armor.Decode(bytes.NewReader(src))
		if err != nil || block.Type != openpgp.SignatureType {
			return nil, fmt.Errorf("%w: the armored block is not a signature", ErrBadSignature)
		}
		if src, err = io.ReadAll(io.LimitReader(block.Body, maxArmoredSignature)); err != nil {
			return nil, fmt.Errorf("%w: the armor is broken", ErrBadSignature)
		}
	}
	var out []detached
	packets := packet.NewOpaqueReader(bytes.NewReader(src))
	for skipped := 0; ; {
		p, err := packets.Next()
		var parsed packet.Packet
		if err == nil {
			parsed, err = p.Parse()
		}
		if err == nil {
			switch parsed.(type) {
			case *packet.Marker, packet.Padding:
				if skipped++; skipped < maxSkipped {
					continue
				}
			}
		} else if p != nil && p.Tag != packetSignature && isSkipped(err) {
			if skipped++; skipped < maxSkipped {
				continue
			}
		}
		if p == nil || p.Tag != packetSignature {
			if len(out) > 0 {
				return out, nil // the end, or a line end, for instance
			}
			return nil, fmt.Errorf("%w: the document is not an OpenPGP signature", ErrBadSignature)
		}
		if len(out) == maxSignatures {
			return nil, fmt.Errorf("%w: more than %d signatures", ErrLimit, maxSignatures)
		}
		sig := detached{}
		var b bytes.Buffer
		if err := p.Serialize(&b); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrBadSignature, err)
		}
		sig.bytes = b.Bytes()
		switch s, ok := parsed.(*packet.Signature); {
		case err != nil || !ok:
			sig.unknown = unreadable(p.Contents, err)
		case s.IssuerKeyId == nil:
			sig.unknown = "the signature names no issuer"
		default:
			sig.parsed, sig.issuer = s, *s.IssuerKeyId
		}
		out = append(out, sig)
	}
}

// Bounds on signature documents.
const (
	maxArmoredSignature = 256 << 10 // bytes
	maxSkipped          = 100       // packets that are no signatures
)

func isArmored(src []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(src), []byte("-----BEGIN PGP"))
}

// isSkipped reports whether an error is one of a packet that go-crypto passes over.
func isSkipped(err error) bool {
	var kind pgperrors.UnknownPacketTypeError
	var unsupported pgperrors.UnsupportedError
	return errors.As(err, &kind) || errors.As(err, &unsupported)
}

// unreadable says why a signature packet cannot be read. It begins with its version, type,
// public-key algorithm and hash (RFC 9580, section 5.2.3).
func unreadable(b []byte, err error) string {
	switch {
	case len(b) > 0 && b[0] != 4 && b[0] != 6:
		return fmt.Sprintf("the signature has version %d, which the tools cannot verify", b[0])
	case len(b) > 3 && isSkipped(err) && hashNames[b[3]] != "":
		return fmt.Sprintf("the signature uses the hash %s, which the tools do not accept", hashNames[b[3]])
	case err != nil:
		return "the signature cannot be read: " + printable.Line(err.Error(), 200)
	}
	return "the signature cannot be read"
}

// hashNames are the hashes of OpenPGP (RFC 9580, section 9.5) that no signature may use.
// SHA-1 may not be used by signatures of version 6.
var hashNames = map[byte]string{1: "MD5", 2: "SHA-1", 3: "RIPEMD160"}
