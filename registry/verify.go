// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// A Policy sets the requirements on packages from a registry. The zero Policy
// requires what OpenTofu requires: a signature by a published key. The default
// registry publishes no keys for some providers; there, a signature is required
// only if there is a key. Unlike OpenTofu, the zero Policy also requires that
// key and signature have not expired.
type Policy struct {
	// RequireSigned refuses every package without a good signature, including
	// those of the default registry without keys (OpenTofu does that with
	// OPENTOFU_ENFORCE_GPG_VALIDATION=true), and those of mirrors.
	RequireSigned bool

	// AcceptExpired accepts expired keys, expired signatures, and signatures
	// from the future, with a warning, as OpenTofu does.
	AcceptExpired bool

	// AcceptArmored accepts an armored signature, which OpenTofu refuses.
	AcceptArmored bool

	// Keys returns the only armored public keys that may sign for p, regardless
	// of those that the registry publishes. It returns nothing if p has no such
	// keys. A registry sends packages, checksums, signatures and keys, so only
	// keys from elsewhere protect against the registry itself. If nil, no
	// provider has keys.
	Keys func(p addrs.Provider) []string

	// RequirePinned refuses every provider for which Keys returns nothing, and
	// every package of a mirror, which has no signature.
	RequirePinned bool

	// MinKeyBits refuses signatures by RSA and DSA keys with fewer bits. If zero,
	// the minimum is that of OpenTofu (1024 bits). Keys of fewer than 2048 bits
	// always cause a warning.
	MinKeyBits int

	// Tool is the tool that packages are for. If its newest release cannot verify a
	// signature that this package can, there is a warning. If empty, it is OpenTofu.
	Tool addrs.Tool

	// AcceptEncrypted installs encrypted entries of a package without
	// decrypting them, as OpenTofu does. By default such a package is not
	// unpacked.
	AcceptEncrypted bool

	// Time returns the time at which keys and signatures must be valid. If nil,
	// it is time.Now.
	Time func() time.Time
}

// A Proof says how much is known about the bytes of a package. Larger values
// mean more.
// Its values are [Unproven], [ChecksumOnly] and [Signed].
type Proof int

const (
	// Unproven means that there was nothing to compare the package with.
	Unproven Proof = iota

	// ChecksumOnly means that the package has a hash that its source states. It
	// protects against accidents, not against the source.
	ChecksumOnly

	// Signed means that a document signed by the key [Result.Signer] has a hash
	// of the package.
	Signed
)

// String returns "nothing", "checksum only" or "signed".
func (p Proof) String() string {
	switch p {
	case Signed:
		return "signed"
	case ChecksumOnly:
		return "checksum only"
	case Unproven:
		return "nothing"
	}
	return fmt.Sprintf("Proof(%d)", int(p))
}

// An Authentication holds what the documents published with a package prove
// about it. It is known before the package is downloaded, and says nothing
// about its bytes: see [Authentication.Check]. Use [Client.Authenticate] to
// make one; the zero Authentication is not usable.
type Authentication struct {
	// Package is the package that was authenticated.
	Package *Package

	// Signer is the signer of the checksum document, or nil.
	Signer *Signer

	// Warnings are non-fatal messages for people.
	Warnings []string

	sums      *sums // nil without a checksum document
	enforced  bool  // only what is signed or computed counts
	terraform bool  // the tool is Terraform

	document, signature []byte // as received
}

// Authenticate fetches the checksum document and the signature of pkg and checks
// them against [Client.Policy]. It fetches both at the same time, and only once
// for all platforms of a version. A package of a mirror has no such documents:
// it is refused if the policy requires a signature, and otherwise the result
// proves nothing.
//
// The work that a server's keys and signatures can cause is bounded: keys that
// would exceed the bound are not used.
//
// The error is addrs.ErrMismatch if the document contradicts the registry's
// response, ErrBadSignature, or ErrUnsigned.
func (c *Client) Authenticate(ctx context.Context, pkg *Package) (*Authentication, error) {
	if pkg == nil {
		return nil, &Error{Op: "signature", Err: errNoPackage}
	}
	a, err := c.authenticate(ctx, pkg)
	return a, about(pkg.Provider.ForDisplay(), err)
}

func (c *Client) authenticate(ctx context.Context, pkg *Package) (*Authentication, error) {
	// Terraform believes no hashes that are only reported.
	terraform := c.Policy.Tool == addrs.Terraform
	a := &Authentication{Package: pkg, Warnings: slices.Clone(pkg.Warnings), enforced: c.Policy.RequireSigned || terraform, terraform: terraform}
	if pkg.Origin != FromRegistry {
		if c.Policy.RequireSigned || c.Policy.RequirePinned {
			return nil, &Error{Op: "signature", URL: pkg.location(), Err: fmt.Errorf("%w: a %s has no signatures", ErrUnsigned, pkg.Origin)}
		}
		return a, nil
	}
	keys, pinned := pkg.SigningKeys, false
	if c.Policy.Keys != nil {
		if own := c.Policy.Keys(pkg.Provider); len(own) > 0 {
			keys, pinned = nil, true
			for _, k := range own {
				keys = append(keys, SigningKey{ASCIIArmor: k})
			}
		}
	}
	if c.Policy.RequirePinned && !pinned {
		return nil, &Error{Op: "signature", URL: pkg.location(), Err: fmt.Errorf("%w: no key is pinned for this provider", ErrUnsigned)}
	}

	// OpenTofu fetches the signature even if there is no key to check it with.
	// This package omits that request.
	limits := c.Limits.withDefaults()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var signature []byte
	var signatureErr error
	signed := make(chan struct{})
	go func() {
		defer close(signed)
		if len(keys) > 0 {
			signature, signatureErr = c.document(ctx, "signature", pkg.SignatureURL, limits.Signature)
		}
	}()
	defer func() { <-signed }()
	document, err := c.document(ctx, "checksums", pkg.ChecksumsURL, limits.Checksums)
	if err != nil {
		cancel()
		return nil, err
	}
	a.sums = parseSums(document)
	if n := a.sums.blank; n > 0 {
		a.Warnings = append(a.Warnings, fmt.Sprintf("line %d of the checksums is blank: tofu and terraform crash at it", n))
	}
	sum, err := a.sums.lookup(pkg.Filename)
	if err == nil && sum != pkg.SHA256 {
		err = fmt.Errorf("%s has the SHA-256 %s here, but %s in the registry's response", printable.Line(pkg.Filename, 100), sum, pkg.SHA256)
	}
	if err != nil {
		cancel()
		return nil, &Error{Op: "checksums", Method: http.MethodGet, URL: displayURL(pkg.ChecksumsURL), Err: fmt.Errorf("%w: %w", addrs.ErrMismatch, err)}
	}
	<-signed
	if signatureErr != nil {
		return nil, signatureErr
	}
	v, err := c.answers.verdicts.do(ctx, c, newVerdictKey(document, signature, keys), func(ctx context.Context) (*verdict, error) {
		return c.checkSignature(ctx, keys, document, signature)
	})
	if err != nil {
		return nil, wrapContext("signature", err)
	}
	if errors.Is(v.err, ErrUnsigned) && pkg.Provider.Host() == addrs.DefaultHost && !c.Policy.RequireSigned {
		a.Warnings = append(a.Warnings, "the registry publishes no signing key for this provider")
		return a, nil
	}
	if v.err != nil {
		return nil, &Error{Op: "signature", Method: http.MethodGet, URL: displayURL(pkg.SignatureURL), Err: v.err}
	}
	signer := *v.signer
	signer.Pinned = pinned
	a.document, a.signature = document, signature
	a.Signer, a.Warnings = &signer, slices.Concat(a.Warnings, v.findings)
	return a, nil
}

// A verdictKey identifies a document, a signature and the keys to check it with.
type verdictKey [sha256.Size]byte

func newVerdictKey(document, signature []byte, keys []SigningKey) verdictKey {
	h := sha256.New()
	part := func(b []byte) {
		var size [8]byte
		binary.LittleEndian.PutUint64(size[:], uint64(len(b)))
		h.Write(size[:])
		h.Write(b)
	}
	part(document)
	part(signature)
	for _, k := range keys {
		part([]byte(k.ASCIIArmor))
	}
	return verdictKey(h.Sum(nil))
}

// document fetches a checksum document or a signature. It sends no token,
// because the document may be on any host.
func (c *Client) document(ctx context.Context, op string, u *url.URL, limit int64) ([]byte, error) {
	if u == nil {
		return nil, &Error{Op: op, Err: errNoPackage}
	}
	b, err := c.answers.documents.do(ctx, c, u.String(), func(ctx context.Context) ([]byte, error) {
		r := request{op: op, url: u, limit: limit}
		resp, err := c.get(ctx, r)
		if err != nil {
			return nil, err
		}
		if resp.status != http.StatusOK {
			return nil, c.statusError(r, resp)
		}
		return resp.body, nil
	})
	if err != nil {
		return nil, wrapContext(op, err)
	}
	return b, nil
}

// A Result says what is known about a package whose bytes are available. Use
// [Authentication.Check] to make one; the methods CheckLocked and LockHashes do
// not work for others.
type Result struct {
	// Package is the package.
	Package *Package

	// Proof is how much is proven, and Signer is the signer, or nil.
	Proof  Proof
	Signer *Signer

	// Computed are the hashes of the bytes, as given to Check.
	Computed []addrs.Hash

	// Matched is the hash that identified the package, or "" if Proof is
	// Unproven.
	Matched addrs.Hash

	// Warnings are non-fatal messages for people.
	Warnings []string

	auth *Authentication
}

// Check compares the hashes computed from the bytes of the package with those that its source
// states. The argument computed holds the zh of the zip and, if possible, its h1: first the h1 of
// the files that it unpacks to and then, if it differs, the h1 of its own entries. The method Computed of
// checksum.Package returns exactly these. [Download.Hash] returns the zh. [Client.Fetch] calls
// Check itself.
//
// The error is addrs.ErrMismatch if the bytes are not those that the source
// states, or if it states only hashes of unknown schemes. If the source states nothing, the Result is Unproven. An unpacked
// directory of a mirror that states only zh hashes is also Unproven, because
// they cannot be compared.
func (a *Authentication) Check(computed ...addrs.Hash) (*Result, error) {
	if a == nil || a.Package == nil {
		return nil, &Error{Op: "download", Err: errNoPackage}
	}
	pkg := a.Package
	r := &Result{Package: pkg, Computed: slices.Clone(computed), Signer: a.Signer, Warnings: slices.Clone(a.Warnings), auth: a}
	mismatch := func(format string, args ...any) (*Result, error) {
		return nil, &Error{Op: "download", URL: pkg.location(), Err: fmt.Errorf("%w: %w", addrs.ErrMismatch, fmt.Errorf(format, args...))}
	}
	if pkg.SHA256 != "" {
		want := zhOf(pkg.SHA256)
		if !slices.Contains(computed, want) {
			if !hasScheme(computed, addrs.SchemeZH) {
				return nil, &Error{Op: "download", URL: pkg.location(), Err: errors.New("the zh hash of the zip was not computed")}
			}
			return mismatch("the package has %s, not %s", joinHashes(computed), want)
		}
		r.Matched, r.Proof = want, ChecksumOnly
		if a.Signer != nil {
			r.Proof = Signed
		}
	}
	if len(pkg.Hashes) > 0 && r.Matched == "" {
		v := addrs.VerifyHashes(pkg.Hashes, computed)
		switch {
		case v.Verdict == addrs.Match:
			r.Matched, r.Proof = v.Matched[0], ChecksumOnly
		case v.Verdict == addrs.Mismatch:
			return mismatch("the package has %s, the %s has %s", joinHashes(computed), pkg.Origin, printable.Line(joinHashes(pkg.Hashes), 500))
		case !slices.ContainsFunc(pkg.Hashes, addrs.Hash.IsPreferred):
			return mismatch("the %s has only hashes of unknown schemes", pkg.Origin)
		default:
			r.Warnings = append(r.Warnings, "the hashes of the "+pkg.Origin.String()+" cannot be compared with this package")
		}
	}
	// An h1 that a registry reports is compared, because OpenTofu records it
	// unchecked.
	if own, ok := pkg.Reported[pkg.Platform]; ok && hasScheme(own.Hashes, addrs.SchemeH1) && hasScheme(computed, addrs.SchemeH1) {
		if addrs.VerifyHashes(withScheme(own.Hashes, addrs.SchemeH1), computed).Verdict != addrs.Match {
			return mismatch("the package has %s, the %s reports %s", joinHashes(withScheme(computed, addrs.SchemeH1)), pkg.Origin, printable.Line(joinHashes(own.Hashes), 300))
		}
	}
	return r, nil
}

// Documents returns the checksum document that names the package and its signature,
// as the registry sent them, or nothing if Proof is not Signed. Together with the
// signer's key, they prove the origin of the package to anybody. They must not be
// changed.
func (r *Result) Documents() (checksums, signature []byte) {
	if r == nil || r.auth == nil {
		return nil, nil
	}
	return r.auth.document, r.auth.signature
}

// CheckLocked returns nil if a lock allows the package: one of the known hashes of the
// lock must be among r.Computed. The error wraps [addrs.ErrMismatch] if there are hashes
// to compare and they differ. It wraps [addrs.ErrNotVerifiable] if the lock has nothing
// to compare with, neither h1 nor (if the package is a zip) zh. OpenTofu and
// [Client.Install] accept that silently.
func (r *Result) CheckLocked(known []addrs.Hash) error {
	if r == nil {
		r = &Result{} // nothing can be verified for it
	}
	if err := addrs.VerifyHashes(known, r.Computed).Err(); err != nil {
		return &Error{Op: "download", URL: r.Package.location(), Err: err}
	}
	return nil
}

// A Rule says which hashes may go in a lock.
// Its values are [RuleTofu] and [RuleStrict].
type Rule int

const (
	// RuleTofu records what OpenTofu 1.12 would: every hash of a signed
	// checksum document, for any file; for providers of the default registry
	// also unsigned ones and everything that the registry (or a mirror with
	// TrustAllHashes) reports for other platforms; and the computed hashes.
	// Terraform, if Policy.Tool is that, records nothing that is only reported, and of a
	// package from a network mirror only the h1 of its files.
	RuleTofu Rule = iota

	// RuleStrict records only the hashes computed from bytes and, from a signed
	// checksum document, those of the packages of this provider and version.
	RuleStrict
)

// String returns "tofu" or "strict".
func (r Rule) String() string {
	switch r {
	case RuleTofu:
		return "tofu"
	case RuleStrict:
		return "strict"
	default:
		return fmt.Sprintf("Rule(%d)", int(r))
	}
}

// LockHashes returns the hashes that may be recorded in a lock for the version
// of this package, sorted, without duplicates. They include r.Computed, with two
// exceptions, as in OpenTofu. Of two h1, only the first is recorded, that of the
// unpacked files, unless a mirror states the other. With [RuleTofu], a zh that no
// document states is not recorded.
func (r *Result) LockHashes(rule Rule) []addrs.Hash {
	if r == nil || r.auth == nil || r.Package == nil {
		return nil
	}
	var out []addrs.Hash
	if h1 := withScheme(r.Computed, addrs.SchemeH1); len(h1) > 0 {
		out = append(out, h1[0])
	}
	if rule == RuleStrict {
		out = append(out, withScheme(r.Computed, addrs.SchemeZH)...)
		if r.Signer != nil && r.auth.sums != nil {
			out = append(out, r.auth.sums.packages(r.Package.Provider.Type(), r.Package.Version.String())...)
		}
		return sortedSet(out)
	}
	if r.auth.terraform && r.Package.Origin == FromNetworkMirror {
		return out
	}
	if r.Matched.Scheme() == addrs.SchemeZH {
		out = append(out, r.Matched)
	}
	// A mirror may state several. Every correct one is verified.
	for _, h := range r.Computed {
		if slices.Contains(r.Package.Hashes, h) {
			out = append(out, h)
		}
	}
	return sortedSet(append(out, r.auth.published()...))
}

// Stated returns the hashes that may be recorded in a lock for the version of the package
// although it was not downloaded, sorted, by [RuleTofu]: those of the checksum document and
// of Package.Reported. As in OpenTofu, they count only for a provider of the default
// registry, or of a mirror with TrustAllHashes, and not if the policy requires signatures.
// The result is nil unless there are an h1 and a zh of this package among them.
func (a *Authentication) Stated() []addrs.Hash {
	if a == nil || a.Package == nil || !a.trusting() {
		return nil
	}
	own := a.Package.Reported[a.Package.Platform].Hashes
	if !hasScheme(own, addrs.SchemeH1) || !hasScheme(own, addrs.SchemeZH) {
		return nil
	}
	return sortedSet(a.published())
}

// trusting reports whether hashes count that the source only reports.
func (a *Authentication) trusting() bool {
	return a.Package.Provider.Host() == addrs.DefaultHost && !a.enforced
}

// published returns the hashes of the documents that may be recorded.
func (a *Authentication) published() []addrs.Hash {
	var out []addrs.Hash
	if a.sums != nil && (a.Signer != nil || a.trusting()) {
		out = append(out, a.sums.all()...)
	}
	if a.trusting() {
		for _, p := range a.Package.Reported {
			out = append(out, withScheme(p.Hashes, addrs.SchemeH1)...)
			out = append(out, withScheme(p.Hashes, addrs.SchemeZH)...)
		}
	}
	return out
}
