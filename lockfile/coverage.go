// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// A Package has the hashes of the package for one platform, as known from a
// registry, a mirror or the caller's own computation. The Package of package
// registry has the hashes that a source states (SHA256, Hashes and Reported), and
// its Result those of the downloaded package (Computed). Many registries state no
// h1: it is then known only after a download.
type Package struct {
	Platform addrs.Platform // what the package was built for
	Hashes   []Hash         // the known ones, of any scheme
}

// A Presence says whether a lock has a hash. The zero Presence is Unknown.
// Its values are [Unknown], [Missing] and [Present].
type Presence int

const (
	// Unknown means that there is no answer: the hash of the platform's package
	// is not known, and the lock has hashes that belong to no known package.
	Unknown Presence = iota
	// Missing means that the lock does not have the hash.
	Missing
	// Present means that the lock has the hash.
	Present
)

// String returns "unknown", "missing" or "present".
func (p Presence) String() string {
	switch p {
	case Unknown:
		return "unknown"
	case Missing:
		return "missing"
	case Present:
		return "present"
	}
	return fmt.Sprintf("Presence(%d)", int(p))
}

// A PlatformCoverage says which hashes of one platform a lock has.
type PlatformCoverage struct {
	Platform addrs.Platform // the platform that was asked for
	H1, ZH   Presence       // of the hashes of either scheme
}

// String returns the coverage in one line.
func (c PlatformCoverage) String() string {
	return fmt.Sprintf("%s: h1 %s, zh %s", c.Platform, c.H1, c.ZH)
}

// A Coverage is the report of [Lock.Coverage].
type Coverage struct {
	Platforms []PlatformCoverage // sorted by platform

	// Unattributed lists the recorded hashes that belong to no given package:
	// those of platforms that were not asked for, of manifests, or of nothing
	// at all.
	Unattributed []Hash
}

// IsComplete reports whether the lock certainly has both hashes of all
// platforms. Installing on any of them then leaves the lock file unchanged. A lock file
// that was filled from a mirror often has only h1 and is not complete. To learn whether
// a package can be installed, look at the hash that its source checks: H1 for mirrors
// and directories, H1 or ZH for registries.
func (c Coverage) IsComplete() bool {
	return !slices.ContainsFunc(c.Platforms, func(p PlatformCoverage) bool { return p.H1 != Present || p.ZH != Present })
}

// String returns the report as text for people: a line for each platform, and
// one if there are unattributed hashes. Every line ends in a newline.
func (c Coverage) String() string {
	var b strings.Builder
	for _, p := range c.Platforms {
		fmt.Fprintln(&b, p)
	}
	if n := len(c.Unattributed); n > 0 {
		fmt.Fprintf(&b, "%s of no known package\n", count(c.Unattributed))
	}
	return b.String()
}

// Coverage reports which of the platforms l has hashes for. The packages must be
// those of the version of l. To ask for a platform whose hashes are not known,
// pass a package without hashes.
func (l Lock) Coverage(packages ...Package) Coverage {
	var c Coverage
	attributed := make(map[Hash]bool)
	for _, p := range packages {
		for _, h := range p.Hashes {
			attributed[h] = true
		}
	}
	open := make(map[addrs.HashScheme]bool) // schemes with hashes of no known package
	for _, h := range UnionHashes(l.Hashes) {
		if !attributed[h] {
			c.Unattributed = append(c.Unattributed, h)
			open[h.Scheme()] = true
		}
	}
	recorded := setOf(l.Hashes)
	presence := func(p Package, scheme addrs.HashScheme) Presence {
		known := false
		for _, h := range p.Hashes {
			if h.Scheme() != scheme {
				continue
			}
			if recorded[h] {
				return Present
			}
			known = true
		}
		if known || !open[scheme] {
			return Missing
		}
		return Unknown
	}
	for _, p := range packages {
		c.Platforms = append(c.Platforms, PlatformCoverage{p.Platform, presence(p, addrs.SchemeH1), presence(p, addrs.SchemeZH)})
	}
	sort.SliceStable(c.Platforms, func(i, j int) bool { return c.Platforms[i].Platform.Compare(c.Platforms[j].Platform) < 0 })
	return c
}
