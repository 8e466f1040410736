// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package lockfile reads, edits, compares, merges, checks and writes the
// dependency lock file of OpenTofu and Terraform, .terraform.lock.hcl.
//
// [Parse] reads a file from bytes and [Load] from disk. The [File] gives its
// provider blocks with the place of everything in them ([File.Blocks]), what
// tofu makes of them ([File.Locks]), and what tofu would complain about
// ([File.Diagnostics]). [File.Set], [File.AddHashes] and their siblings edit
// it, [File.Bytes] gives its text and [File.Save] writes it safely.
//
// The promise: the text of a file that is not edited comes back byte for byte,
// and an edit changes only the lines it is about. Byte order mark, line ends,
// tabs, alignment, comments and a missing final newline stay as they are.
// [File.Canonical] is the other writer: it gives the exact bytes that tofu (or
// terraform) saves for the same content, and [File.Deviations] says how a file
// differs from them and whether the next "tofu init" would rewrite it.
//
// Four things work on plain values and touch no file: [Diff] compares two sets
// of locks, [Merge] merges three, [Lock.Verify] checks a package against its
// lock with three outcomes, and [Lock.Coverage] tells which platforms a lock
// covers. [Resolve] reads a file that still has conflict markers of Git.
// [Select], [Lock.Installed], [Lock.Relocked] and [FromTerraform] are the rules
// by which tofu changes a lock.
//
// This package does not hash packages (package checksum does), talks to no
// registry (package registry does), and never runs tofu.
//
// # Diagnostics
//
// The rules are those of OpenTofu 1.12: the same problems, with the same
// summaries and subjects, but details in our own words. A file with problems
// gives an error and still everything that could be read. The header comment
// is only a comment, so files of both tools are read alike.
//
// Two things are refused that tofu would try. Numbers above 2^64-1 in a version
// or constraint, which crash tofu, are a diagnostic here. And "for" and splat
// expressions or numbers of absurd size as a value, which no tool writes, are
// a diagnostic too, because evaluating them can take for ever.
//
// # Places
//
// Offsets count bytes from 0, lines from 1. Columns count from 1 as HCL counts
// them: in grapheme clusters, a byte order mark not included.
//
// # Errors
//
// Every error is an [*Error] with its place, wrapping a cause. The causes worth
// branching on are [ErrSyntax], [ErrConflictMarkers], [ErrNotFound],
// [ErrChanged], [ErrSymlink], [ErrMismatch] and a few more.
//
// # Security
//
// Input may come from anyone: [Parse] reads at most [MaxSize] bytes, refuses
// deep nesting before the HCL parser sees it (which would overflow the stack),
// and does not panic. A hash in a lock file is only a claim: it is as good as
// the review of the file's changes.
//
// # Concurrency
//
// A File may be read by several goroutines at once. Editing, saving included,
// is for one goroutine alone. A [Block] never changes: it shows the file as it
// was when it was asked for.
package lockfile
