// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package checksum

import (
	"fmt"
	"slices"
	"strconv"
)

// A Package is the result of hashing one package.
type Package struct {
	// Name is the name that the caller gave.
	Name string

	// Zip reports whether the package is a zip; otherwise it is a directory.
	Zip bool

	// Size is the size of the zip in bytes. For a directory, it is the size of
	// its files together.
	Size int64

	// Files is how many files count for H1: the entries of the zip, including
	// those for directories, or the files of the directory.
	Files int

	// Top lists the names of the files at the top of the extracted package, in
	// the order of bytes. OpenTofu looks there for the plugin. It is nil if the
	// zip cannot be extracted.
	Top []string

	// Plain lists those of Top that are not executable when they are extracted, by the
	// zip. The tools cannot start such a plugin, except on Windows. It is nil for a
	// directory.
	Plain []string

	// H1 is the h1 of the package in its present form. OpenTofu compares it
	// with a lock file before it extracts a zip, and for packages that are
	// directories.
	H1 Hash

	// Extracted is the h1 of the directory that OpenTofu extracts from the zip.
	// OpenTofu adds this hash to a lock file. It is nearly always equal to H1.
	// If it differs, Warnings say why and [Package.FormsDiffer] reports it. It
	// is the zero Hash if the zip cannot be extracted. For a directory it is
	// H1.
	Extracted Hash

	// ZH is the SHA-256 of the zip. It is the zero Hash for a directory, which
	// has no zh.
	ZH Hash

	// Warnings lists findings about single entries, in their order in the
	// package.
	Warnings []Warning
}

// A Warning is a finding about one entry of a package that did not prevent
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

// FormsDiffer reports whether the h1 of the zip differs before and after
// extraction, or whether the zip cannot be extracted. A lock file with only one
// of the two hashes does not serve every user.
func (p *Package) FormsDiffer() bool {
	if p == nil {
		return false
	}
	return p.H1 != p.Extracted
}

// Hashes returns the hashes of p that OpenTofu records in a lock file when it
// has installed p: the h1 of the extracted package and the zh, if they are
// defined. To verify p, use [Verify], or pass [Package.Computed] to another
// package that verifies.
func (p *Package) Hashes() []Hash {
	if p == nil {
		return nil
	}
	return defined(p.Extracted, p.ZH)
}

// Computed returns every hash of p that is defined: [Package.Extracted],
// [Package.H1] if it differs, and [Package.ZH], in this order. Pass it to
// lockfile.Lock.Verify and registry.Authentication.Check.
func (p *Package) Computed() []Hash {
	if p == nil {
		return nil
	}
	if p.FormsDiffer() {
		return defined(p.Extracted, p.H1, p.ZH)
	}
	return defined(p.Extracted, p.ZH)
}

// defined returns the hashes that are not the zero Hash.
func defined(hashes ...Hash) []Hash {
	return slices.DeleteFunc(hashes, func(h Hash) bool { return h == "" })
}
