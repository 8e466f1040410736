// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package checksum calculates and verifies the hashes of provider packages that
// OpenTofu and Terraform record in lock files. It also reads and writes the SHA256SUMS
// documents published with packages.
//
//	pkg, err := checksum.HashZip(ctx, "terraform-provider-null_3.2.4_linux_amd64.zip")
//	if err != nil {
//		return err
//	}
//	fmt.Println(pkg.H1, pkg.ZH)
//	return checksum.Verify(pkg, wanted).Err()
//
// The entry points are:
//
//   - [HashZip] and [HashDir] hash one package. A [Hasher] does so with options, from
//     other sources, and for many packages at once.
//   - A [Package] holds the hashes, and warnings about entries on which tools disagree.
//   - [Verify] compares a Package with the wanted hashes.
//   - [ParseSums] and [Sums] handle SHA256SUMS documents. Edits keep all other bytes.
//
// A [Hash] is [addrs.Hash], as in packages lockfile and registry. A lock records
// [Package.Hashes]. lockfile.Lock.Verify and registry.Authentication.Check compare
// [Package.Computed].
//
// The package does not extract packages, check signatures, read lock files or contact
// registries.
//
// # Two schemes
//
// A zh hash is the SHA-256 of a zip file. An h1 hash covers the names and contents of
// the files in a package: the Hash1 function of golang.org/x/mod/sumdb/dirhash with an
// empty prefix. It is defined for zips and for directories, and is usually the same for
// a zip and the directory extracted from it. It differs if the zip has entries for
// directories, names that are not clean, or several entries with the same name. Tools
// then disagree, because some calculate the h1 before extraction and some after it
// (golang/go#53448). [Package.H1] and [Package.Extracted] hold the two values. Warnings
// report where they differ.
//
// # One pass
//
// A zip is read once, from start to end, for both hashes. Like archive/zip, the package
// takes the list of entries from the central directory at the end of the file, which it
// reads first. It then decompresses and hashes the entries in the order of the file. If
// the directory describes no such order, because data overlaps or an entry uses a method
// other than store or deflate, archive/zip reads the entries one by one. [Hasher.Stream]
// hashes a zip that cannot be read twice; it reads the central directory last, and
// refuses a zip for which the result could differ.
//
// Sizes and checksums are verified exactly as archive/zip does, and the hashes are those
// of dirhash. Tests and fuzz targets compare them on random and on damaged zips.
// Decompression with compress/flate would take four fifths of the time, so the package
// has its own decoder; a fuzz target compares the two.
//
// # Errors
//
// Errors are of type [*Error]. They name the file and, if there is one, the entry of the
// zip or the line and column of the document. Use errors.Is to find causes such as
// [ErrLimit] or [ErrUnsafeName]. Errors of the file system and of archive/zip are wrapped.
//
// # Security
//
// Packages and their names come from strangers. The zero [Hasher] refuses zips that
// extraction should refuse:
//
//   - names that are absolute, lead out of the package, or contain backslashes or
//     drive letters;
//   - duplicate names, and names that collide as file and directory;
//   - symbolic links and special files;
//   - entries that share their data.
//
// [Limits] bounds the number of entries, the size of the content, and its ratio to the
// size of the zip. Declared sizes are checked before anything is decompressed; an entry
// with more content than declared is an error. Named pipes and devices in directories are
// not opened. Symbolic links to files are followed wherever they lead, with a warning.
//
// No input makes the package panic or use memory beyond these limits. An h1 hash does
// not cover file modes or symbolic links.
//
// # Concurrency
//
// Functions and the methods of [Hasher] are safe for concurrent use. Several goroutines
// may read a [Sums] as long as none edits it.
package checksum
