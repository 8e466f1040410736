// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package redact replaces secrets in the documents of package planjson, so that
// they can be stored and shown.
//
//	r := redact.Redactor{Secrets: []string{token}}
//	n, err := r.WritePlan(os.Stdout, file)
//	if err != nil {
//		return err
//	}
//	fmt.Fprintln(os.Stderr, n, "values replaced")
//
// [Redactor.WritePlan] and [Redactor.WriteState] copy documents of any size.
// The other methods, such as [Redactor.Plan], change a document in memory.
//
// # Errors
//
// Every error is a [*planjson.Error] with its place, but for those of the
// caller's own readers and writers, which come back as they are. A document with
// duplicate members is refused ([planjson.ErrDuplicate]).
//
// # Concurrency
//
// Any number of goroutines may use the same [Redactor] at the same time, each
// for a document of its own.
//
// # Security
//
// What is replaced and what is not is the business of [Redactor]. Whatever is
// not understood, such as a mark that does not have the shape of its value, is
// replaced. Nobody can tell secrets that are neither marked, nor matched by a
// rule, nor known.
//
// Time is in proportion to the text. A stream takes memory for its largest part
// and for the configuration.
package redact
