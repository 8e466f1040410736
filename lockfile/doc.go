// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lockfile reads, edits, compares, merges, verifies and writes .terraform.lock.hcl,
// the dependency lock file of OpenTofu and Terraform.
//
//	f, err := lockfile.Load(".terraform.lock.hcl")
//	if err != nil {
//		return err
//	}
//	null := addrs.MustParseProvider("hashicorp/null")
//	if err := f.AddHashes(null, "h1:L5V05xwp/Gto1leRryuesxjMfgZwjb7oool4WS1UEFQ="); err != nil {
//		return err
//	}
//	return f.Save(lockfile.SaveOptions{})
//
// The entry points are:
//
//   - [Parse] reads a file from bytes, [Load] from disk.
//   - [File.Blocks] returns the provider blocks with the place of each part. [File.Locks]
//     returns the locks as tofu reads them, and [File.Diagnostics] the problems that tofu
//     would report.
//   - [File.Set], [File.AddHashes] and similar methods edit the file. [File.Bytes] returns its
//     text and [File.Save] writes it safely.
//
// An unedited file is written back byte for byte, and an edit changes only the lines it
// concerns. The byte order mark, line ends, tabs, alignment, comments and a missing final
// newline stay. [File.Canonical] returns the exact bytes that tofu or terraform saves for the
// same content. [File.Deviations] reports how a file differs from them, and whether the next
// "tofu init" would rewrite it.
//
// Some functions work on plain values and touch no file:
//
//   - [Diff] compares two sets of locks, and [Merge] merges three.
//   - [Lock.Verify] checks a package against its lock, with three outcomes.
//   - [Lock.Coverage] returns the platforms that a lock covers.
//   - [Resolve] reads a file with conflict markers of Git.
//   - [Select], [Lock.Installed], [Lock.Relocked] and [FromTerraform] implement tofu's rules for
//     changing a lock.
//
// This package does not hash packages (package checksum does), contact registries
// (package registry does), or run tofu.
//
// # Diagnostics
//
// The rules are those of OpenTofu 1.12: the same problems with the same summaries and subjects.
// The details are worded differently. If a file has problems, the result is an error together
// with everything that could be read. The header is only a comment, so files of both tools are
// read the same way.
//
// The package refuses three things that tofu would try to read:
//
//   - numbers above 2^64-1 in a version or constraint, which crash tofu;
//   - an operator without a version in constraints, such as ">= ,";
//   - "for" and splat expressions, or numbers of more than 999 digits or beyond 1e308, as a
//     value. No tool writes them, and evaluating them can take forever.
//
// # Places
//
// Offsets count bytes from 0, lines from 1. Columns count from 1 as HCL counts them: in grapheme
// clusters, without a byte order mark.
//
// # Errors
//
// Every error is an [*Error] with its place, and wraps a cause. The main causes are [ErrSyntax],
// [ErrConflictMarkers], [ErrNotFound], [ErrChanged], [ErrSymlink] and [addrs.ErrMismatch].
//
// # Security
//
// Input may come from anyone. [Parse] reads at most [MaxSize] bytes, refuses deep nesting that
// could overflow the stack of the HCL parser, and does not panic. A hash in a lock file is only a
// claim. It is only as trustworthy as the reviews of changes to the file.
//
// # Concurrency
//
// Several goroutines may read a File at once. Edits and Save must not run concurrently with any
// other method. A [Block] never changes: it shows the file at the time of the call that
// returned it.
package lockfile
