// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"fmt"
	"slices"
	"strconv"
)

// A Package is what hashing found out about one package.
type Package struct {
	// Name is the name that the caller gave.
	Name string

	// Zip reports whether the package is a zip; otherwise it is a directory.
	Zip bool

	// Size is the size of the zip in bytes; for a directory, of its files
	// together.
	Size int64

	// Files is how many files count for H1: the entries of the zip, also
	// those for directories, or the files of the directory.
	Files int

	// Top has the names of the files that the package has at its top, once it
	// is extracted, in the order of bytes. OpenTofu looks there for the plugin.
	// It is nil if the zip cannot be extracted.
	Top []string

	// H1 is the h1 of the package as it lies there. This is what OpenTofu
	// compares with a lock file before it extracts a zip, and for packages
	// that are directories.
	H1 Hash

	// Extracted is the h1 of the directory that OpenTofu makes of the zip,
	// and so the one that it adds to a lock file. Nearly always it is H1;
	// where it is not, there are warnings why, and [Package.FormsDiffer]
	// reports it. It is the zero Hash if the zip cannot be extracted. For a
	// directory it is H1.
	Extracted Hash

	// ZH is the SHA-256 of the zip; the zero Hash for a directory, for
	// which it is not defined.
	ZH Hash

	// Warnings lists remarkable facts about single entries, in their order
	// in the package.
	Warnings []Warning
}

// A Warning is something about one entry of a package that did not prevent
// hashing.
type Warning struct {
	Entry string // the raw name of the entry
	Err   error  // such as [ErrDirectoryEntry]; never nil
}

// String returns a text such as
//
//	entry "b/": entry for a directory
func (w Warning) String() string {
	return "entry " + strconv.Quote(w.Entry) + fmt.Sprintf(": %v", w.Err)
}

// FormsDiffer reports whether the zip has two values of h1, before and after
// it is extracted, or cannot be extracted. A lock file with only one of them
// will not do for everybody.
func (p *Package) FormsDiffer() bool {
	if p == nil {
		return false
	}
	return p.H1 != p.Extracted
}

// Hashes returns the hashes of p that OpenTofu has in a lock file when it has
// installed p: the h1 of the extracted package and the zh, as far as they are
// defined. These are for recording. To verify p, use [Verify], or
// [Package.Computed] where another package verifies.
func (p *Package) Hashes() []Hash {
	if p == nil {
		return nil
	}
	return defined(p.Extracted, p.ZH)
}

// Computed returns every hash of p: [Package.Extracted], [Package.H1] if it is
// another, and [Package.ZH], as far as they are defined, in this order. It is
// what lockfile.Lock.Verify and registry.Authentication.Check want.
func (p *Package) Computed() []Hash {
	if p == nil {
		return nil
	}
	if p.FormsDiffer() {
		return defined(p.Extracted, p.H1, p.ZH)
	}
	return defined(p.Extracted, p.ZH)
}

// defined returns those of hashes that are not the zero Hash.
func defined(hashes ...Hash) []Hash {
	return slices.DeleteFunc(hashes, func(h Hash) bool { return h == "" })
}
