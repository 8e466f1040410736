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

// A Source is where provider packages come from. [Client], [NetworkMirror],
// [FilesystemMirror] and [Sources] are Sources. The methods may be called
// from several goroutines.
type Source interface {
	// Versions lists the versions of a provider. The error is ErrNotFound if
	// the source does not have the provider.
	Versions(ctx context.Context, p addrs.Provider) (*VersionList, error)

	// Package finds the package of a version for a platform. The error is
	// ErrUnsupportedPlatform if the source does not have it for the platform,
	// or ErrNotFound if it can tell that it does not have the version at all.
	Package(ctx context.Context, p addrs.Provider, v addrs.Version, platform addrs.Platform) (*Package, error)
}

// An Origin is the kind of source that told of a package. What a package can
// prove depends on it.
type Origin int

const (
	// FromRegistry is the provider's own registry: packages have checksums
	// and may have signatures.
	FromRegistry Origin = iota

	// FromNetworkMirror is a mirror over HTTPS: packages may have hashes, but
	// never signatures.
	FromNetworkMirror

	// FromFilesystem is a directory: packages have nothing.
	FromFilesystem

	// FromElsewhere is a source that somebody else wrote, with [Package.Open]:
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

// A Package is what a source says about one package: where it is and what it
// should be. Nothing of it is proven; see [Client.Fetch]. A Package may be
// shared with other callers and must not be changed.
type Package struct {
	// Provider, Version and Platform are what was asked for.
	Provider addrs.Provider
	Version  addrs.Version
	Platform addrs.Platform

	// Origin and Source tell who said this: the kind, and the registry's
	// host, the mirror's URL or the mirror's directory.
	Origin Origin
	Source string

	// Protocols are the provider protocols that the plugin speaks, such as
	// "5.1". Empty means that the source does not say.
	Protocols []string

	// URL is where the zip is, or nil if the package is local or Open is set.
	URL *url.URL

	// Open returns the zip from a byte offset on, which is 0 or where an earlier
	// attempt broke off. It is how a [Source] outside of this package supplies
	// what is neither a file nor at a URL, such as the blob of an OCI registry or
	// an object in a bucket; sizes, hashes, limits, slots and repeated attempts
	// are the Client's business. Open returns an error if it cannot begin at the
	// offset. If nil, URL or Path counts.
	Open func(ctx context.Context, offset int64) (io.ReadCloser, error)

	// Path is the local zip, or the local directory if Unpacked is set.
	Path     string
	Unpacked bool

	// Filename is the name of the zip in the checksum document. It is only
	// ever compared, never used as a path.
	Filename string

	// SHA256 is what the source says about the zip: 64 hexadecimal digits in
	// lower case, or "" if it does not say.
	SHA256 string

	// Size is what the source says about the size of the zip in bytes, or 0.
	Size int64

	// Hashes are those that a mirror states for this package. The package must
	// have one of them. If empty, the mirror does not say.
	Hashes []addrs.Hash

	// ChecksumsURL and SignatureURL lead to the SHA256SUMS document and its
	// detached signature. They are nil unless Origin is FromRegistry.
	ChecksumsURL, SignatureURL *url.URL

	// SigningKeys are the keys that the registry publishes for the provider.
	SigningKeys []SigningKey

	// Reported has the hashes of the packages for all platforms, as the
	// registry (or a network mirror that is trusted with all its hashes)
	// reports them. Nothing vouches for them but the source.
	Reported map[addrs.Platform]Reported
}

// Reported is what a registry says about the package for one platform.
type Reported struct {
	Hashes []addrs.Hash // of any scheme
	Size   int64        // of the zip in bytes; 0 if not said
}

// A SigningKey is an OpenPGP public key that a registry publishes. All of it is
// what the registry says, as it says it; only ASCIIArmor has a meaning here.
type SigningKey struct {
	KeyID      string `json:"key_id"`      // the ID, which need not be that of the key
	ASCIIArmor string `json:"ascii_armor"` // the key, in ASCII armor

	// TrustSignature, Source and SourceURL are members of the protocol that
	// this package does not use: a signature of the key by the maker of
	// Terraform, the owner of the key, and a page of theirs. Each may be "".
	TrustSignature string `json:"trust_signature"`
	Source         string `json:"source"`
	SourceURL      string `json:"source_url"`
}

// location returns where the package is, for messages.
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
