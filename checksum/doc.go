// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package checksum calculates and checks the hashes of provider packages, as
// OpenTofu and Terraform record them in dependency lock files, and reads and
// writes the SHA256SUMS documents that are published with such packages.
//
// [HashZip] and [HashDir] hash one package; a [Hasher] does so with options,
// from other sources, and for many packages at a time. The result is a
// [Package], with the hashes and with warnings about entries for which tools
// disagree. [Verify] compares it with the hashes that are wanted. [ParseSums]
// and [Sums] are for SHA256SUMS documents, which keep every byte that is not
// edited.
//
// A [Hash] is [addrs.Hash], as in packages lockfile and registry:
// [Package.Hashes] is what a lock records, and [Package.Computed] what
// lockfile.Lock.Verify and registry.Authentication.Check compare.
//
// The package extracts nothing, checks no signatures, and knows no lock files
// or registries.
//
// # Two schemes
//
// The scheme zh is the SHA-256 of a zip file. The scheme h1 is a hash of the
// names and contents of the files in a package, the Hash1 function of
// golang.org/x/mod/sumdb/dirhash with an empty prefix; it is defined for zips
// and for directories. The two are equal for a zip and the directory that
// comes of extracting it, but for some: where the zip has entries for
// directories, names that are not clean, or several entries with one name.
// Tools then disagree on the h1, since some calculate it before and some after
// extraction (golang/go#53448). [Package.H1] and [Package.Extracted] have
// both values, and there are warnings where they differ.
//
// # One pass
//
// A zip is read once, from its start to its end, for both hashes together.
// What it contains is decided by archive/zip, that is, by the central
// directory at the end, which is read first, and by the start of each local
// header, which says where the data begins. The pass then meets the data of
// the entries in the order in which they lie in the file, and decompresses
// and hashes it on the way. Where the directory describes no such order, as
// data that overlaps or a method other than store and deflate, archive/zip
// itself reads the entries, one by one. [Hasher.Stream] does with a single
// pass, too, but reads the central directory last; it refuses a zip for which
// the result could not be shown to be the same.
//
// So sizes and checksums are verified exactly as archive/zip does, and the
// hashes are those of dirhash; the tests and fuzz targets compare them on
// random and on damaged zips. Decompression is the package's own, since it is
// four fifths of the work; a fuzz target compares it with compress/flate.
//
// # Errors
//
// Errors are of type [*Error], with the file and, where there is one, the entry
// of the zip or the line and column of the document. Their causes, such as
// [ErrLimit] or [ErrUnsafeName], are found with errors.Is; errors of the file
// system and of archive/zip are wrapped as they are.
//
// # Security
//
// Packages come from elsewhere, and so do their names. The zero [Hasher]
// refuses zips that extraction should refuse: names that are absolute, lead
// out of the package, or have backslashes or drive letters; duplicate names;
// names in each other's way; symbolic links and special files; entries that
// share their data. The [Error] names the zip and the entry. [Limits] bounds
// the number of entries, the size of the content, and its ratio to the size
// of the zip, from the sizes that the zip admits before anything is
// decompressed; an entry with more content than that is an error. In
// directories, named pipes and devices are not opened, and symbolic links to
// files are followed, wherever they lead, with a warning.
//
// No input makes the package panic, nor need memory beyond these limits.
// A match by h1 says nothing about modes or about symbolic links.
//
// # Concurrency
//
// Functions and the methods of [Hasher] may be called from several
// goroutines. A [Sums] may be read from several goroutines as long as none
// edits it.
package checksum
