// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"context"
	"fmt"
	"io"
	"net/url"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Source supplies provider packages. [Client], [NetworkMirror],
// [FilesystemMirror] and [Sources] are Sources. The methods must be safe for
// concurrent use.
type Source interface {
	// Versions lists the versions of a provider. The error is ErrNotFound if
	// the source does not have the provider.
	Versions(ctx context.Context, p addrs.Provider) (*VersionList, error)

	// Package finds the package of a version for a platform. The error is
	// ErrUnsupportedPlatform if the source does not have it for the platform,
	// or ErrNotFound if the source knows that it does not have the version at
	// all.
	Package(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*Package, error)
}

// An Origin is the kind of source that a package comes from. It determines what
// can be proven about the package.
// Its values are [FromRegistry], [FromNetworkMirror], [FromFilesystem] and [FromElsewhere].
type Origin int

const (
	// FromRegistry is the provider's own registry: packages have checksums and
	// may have signatures.
	FromRegistry Origin = iota

	// FromNetworkMirror is a mirror over HTTPS: packages may have hashes, but
	// never signatures.
	FromNetworkMirror

	// FromFilesystem is a local directory, which states no hashes or
	// signatures.
	FromFilesystem

	// FromElsewhere is a source outside of this package, with [Package.Open]:
	// packages may have hashes, but never signatures.
	FromElsewhere
)

// String returns "registry", "network mirror", "filesystem mirror" or "mirror".
func (o Origin) String() string {
	switch o {
	case FromRegistry:
		return "registry"
	case FromNetworkMirror:
		return "network mirror"
	case FromFilesystem:
		return "filesystem mirror"
	case FromElsewhere:
		return "mirror"
	}
	return fmt.Sprintf("Origin(%d)", int(o))
}

// A Package is the description of one package by a source: where it is and what
// it should be. None of it is proven; see [Client.Fetch]. A Package may be
// shared with other callers and must not be changed.
type Package struct {
	// Provider, Version and Platform are the requested ones.
	Provider addrs.Provider
	Version  addrs.Version
	Platform addrs.Platform

	// Origin and Source say where the description comes from: the kind, and the
	// registry's host, the mirror's URL or the mirror's directory.
	Origin Origin
	Source string

	// Protocols are the provider protocols that the plugin speaks, such as
	// "5.1". Empty means that the source does not say.
	Protocols []string

	// URL is the location of the zip, or nil if the package is local or Open is
	// set. It may have a user and a password, and secrets in its query.
	URL *url.URL

	// Open returns the zip, starting at a byte offset. The offset is 0 or the
	// place where an earlier attempt broke off. A [Source] outside of this
	// package sets Open for a zip that is neither a file nor at a URL, such as
	// the blob of an OCI registry or an object in a bucket. The Client handles
	// sizes, hashes, limits, slots and repeated attempts. Open returns an error
	// if it cannot begin at the offset. If nil, URL or Path is used.
	Open func(ctx context.Context, offset int64) (io.ReadCloser, error)

	// Path is the local zip, or the local directory if Unpacked is set.
	Path     string
	Unpacked bool

	// Filename is the name of the zip in the checksum document. It is only
	// ever compared, never used as a path.
	Filename string

	// SHA256 is the SHA-256 of the zip according to the source: 64 hexadecimal
	// digits in lower case, or "" if the source does not state it.
	SHA256 string

	// Size is the size of the zip in bytes according to the source, or 0.
	Size int64

	// Hashes are those that a mirror states for this package. The package must
	// have one of them. If empty, the mirror states none.
	Hashes []addrs.Hash

	// ChecksumsURL and SignatureURL lead to the SHA256SUMS document and its
	// detached signature. They are nil unless Origin is FromRegistry.
	ChecksumsURL, SignatureURL *url.URL

	// SigningKeys are the keys that the registry publishes for the provider.
	SigningKeys []SigningKey

	// Reported has the hashes of the packages for all platforms, as reported by
	// the registry (or by a network mirror with TrustAllHashes). Only the
	// source vouches for them.
	Reported map[addrs.Platform]Reported

	// Warnings are for people, such as why the newest tofu could not use the source as it is
	// used here. They are passed on to [Authentication] and [Result].
	Warnings []string

	login string // the Authorization header for the origin of URL, or ""
}

// A Reported describes the package for one platform according to a registry.
type Reported struct {
	Hashes []addrs.Hash // of any scheme
	Size   int64        // of the zip in bytes; 0 if not stated
}

// A SigningKey is an OpenPGP public key that a registry publishes. All of it is
// the registry's text, unchanged; only ASCIIArmor has a meaning here.
type SigningKey struct {
	KeyID      string `json:"key_id"`      // the ID, which may differ from that of the key
	ASCIIArmor string `json:"ascii_armor"` // the key, in ASCII armor

	// TrustSignature, Source and SourceURL are members of the protocol that
	// this package does not use: a signature of the key by the maker of
	// Terraform, the owner of the key, and the owner's web page. Each may be
	// "".
	TrustSignature string `json:"trust_signature"`
	Source         string `json:"source"`
	SourceURL      string `json:"source_url"`
}

// location returns the location of the package, for messages.
func (p *Package) location() string {
	switch {
	case p == nil:
		return ""
	case p.URL != nil:
		return displayURL(p.URL)
	case p.Open != nil:
		return p.Source
	}
	return p.Path
}
