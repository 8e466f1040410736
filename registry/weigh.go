// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package registry

import (
	"net/url"

	"github.com/tofuwire/tofuwire/addrs"
)

// The weights of the values in a memo, in bytes of memory, including everything
// they point to. Shared strings and slices count for each value: a weight may
// be too high, but is never much too low.
const (
	memoOverhead  = 512 // of a memoCall with its channel, context and map entry
	stringWeight  = 16  // of an allocation, in addition to the bytes of a string
	versionWeight = 96  // of the texts of an addrs.Version
	hashWeight    = 16 + 16

	// The sizes of structures themselves.
	sizeVersion         = 16
	sizeProviderVersion = 64
	sizePlatform        = 16
	sizeSigningKey      = 80
	sizePackage         = 320
	sizeURL             = 128
)

// weigh returns about how many bytes v holds.
func weigh(v any) int64 {
	switch v := v.(type) {
	case string:
		return stringWeight + int64(len(v))
	case []byte:
		return int64(cap(v))
	case *services:
		n := int64(memoOverhead)
		for id, raw := range v.values {
			n += 64 + weigh(id) + int64(cap(raw))
		}
		return n
	case *response:
		return memoOverhead + int64(cap(v.body)) + weighURL(v.url)
	case *VersionList:
		return memoOverhead + v.weight()
	case *ModuleVersionList:
		n := int64(memoOverhead) + int64(cap(v.Versions))*(sizeVersion+versionWeight)
		for _, s := range v.Invalid {
			n += stringWeight + weigh(s)
		}
		return n
	case *Package:
		return memoOverhead + v.weight()
	case *keyRing:
		return memoOverhead + v.weight
	default: // keys of memos, verdicts, tokens
		return memoOverhead
	}
}

func (l *VersionList) weight() int64 {
	n := int64(cap(l.Versions)) * sizeProviderVersion
	for _, v := range l.Versions {
		n += versionWeight + int64(cap(v.Platforms))*sizePlatform + int64(cap(v.Protocols))*stringWeight
		for _, p := range v.Protocols {
			n += weigh(p)
		}
		for _, p := range v.Platforms {
			n += stringWeight + int64(len(p.OS())+len(p.Arch()))
		}
	}
	for _, w := range l.Warnings {
		n += stringWeight + weigh(w)
	}
	return n
}

func (p *Package) weight() int64 {
	n := sizePackage + weigh(p.Source) + weigh(p.Path) + weigh(p.Filename) + weigh(p.SHA256)
	for _, s := range p.Protocols {
		n += stringWeight + weigh(s)
	}
	for _, u := range []*url.URL{p.URL, p.ChecksumsURL, p.SignatureURL} {
		n += weighURL(u)
	}
	for _, k := range p.SigningKeys {
		n += sizeSigningKey + int64(len(k.KeyID)+len(k.ASCIIArmor)+len(k.TrustSignature)+len(k.Source)+len(k.SourceURL))
	}
	n += weighHashes(p.Hashes)
	for platform, r := range p.Reported {
		n += 128 + int64(len(platform.OS())+len(platform.Arch())) + weighHashes(r.Hashes)
	}
	return n
}

func weighHashes(list []addrs.Hash) int64 {
	n := int64(0)
	for _, h := range list {
		n += hashWeight + int64(len(h))
	}
	return n
}

func weighURL(u *url.URL) int64 {
	if u == nil {
		return 0
	}
	return sizeURL + int64(len(u.Host)+2*len(u.Path)+len(u.RawQuery)+len(u.Fragment))
}
