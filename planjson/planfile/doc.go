// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planfile reads a saved plan, the file that "plan -out" of OpenTofu and Terraform writes,
// without the tool and without its providers.
//
//	file, err := planfile.Open(src, planfile.Options{})
//	if err != nil {
//		return err
//	}
//	plan, err := file.Plan(schemas) // as "providers schema -json" prints them
//	if err != nil {
//		return err
//	}
//	for _, c := range plan.ResourceChanges {
//		fmt.Println(c.Address, c.Change.Actions)
//	}
//
// [File.Plan] returns the [planjson.Plan] that "show -json" prints, and [File.JSON] its text. They
// read plans of OpenTofu 1.6 and later and of Terraform 1.1 and later, and follow the release that wrote the
// plan: its members, its orders, its marks. A plan of a Terraform above 1.11 is shown as 1.11
// would show it.
//
// [File.Header] tells what "show -json" does not print: targets, the mode, the backend, the locked
// providers. [File.PriorState] and [File.PreviousState] return the states before planning,
// [File.Snapshot] and [File.Tree] the configuration, as files and as package hclconfig reads it.
//
// This package does not write plans, and applies none.
//
// # Schemas
//
// Two things are not in a saved plan: the types of values, and which attributes the provider calls
// sensitive. Therefore the document needs the schemas of the providers, once a provider version: a job that
// keeps what "providers schema -json" prints serves all plans. Without them a secret would look
// public, so missing schemas are an error that lists the providers and their versions, a
// [MissingError]. [File.Partial] returns what is exact without them, and marks the rest as
// sensitive as a whole. OpenTofu 1.13 stores what is needed in the plan itself.
//
// The address of a provider includes its registry: registry.opentofu.org/x/y and
// registry.terraform.io/x/y are two providers.
//
// # What is refused
//
// This package refuses what both tools refuse, and a few things that no tool writes: an entry, a
// member or a key that occurs twice, bytes behind a value, a text that is not UTF-8, infinite
// numbers. It keeps what only a later release could have written: unknown entries, fields and
// unknown values. A plan that records a failed run is read, as by the tools: see [planjson.Judgeable].
//
// # Errors
//
// Every error is an [*Error] with the entry of the archive, the offset in it and the field. Errors
// of decryption are those of package statefile.
//
// # Security
//
// A saved plan holds secrets in clear text: in values, in states, in the backend's settings, in
// the configuration. [File.Plan] marks what the tool marks; package redact hides it.
//
// Input may come from anywhere. Bad input is an error, never a panic. Nothing is unpacked before it
// is asked for, and a whole archive unpacks to 64 MiB and 100 times its size at most, which is three times
// what a tool has been seen to write. Values nest at most 500 levels deep. Reading takes time and memory linear
// in what is unpacked; a length that the rest of an entry cannot hold is an error before any memory
// is taken. Reading calls no function of a configuration, and no loop that takes more time than its length
// allows.
//
// # Concurrency
//
// A [File] may be used by several goroutines at the same time. It keeps the text that it was opened
// from, which must not be changed.
package planfile
