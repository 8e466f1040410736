// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package statefile reads and writes the state as OpenTofu and Terraform save it, in a file
// terraform.tfstate or in a backend, without the tool, its providers and the configuration, and
// without losing a byte.
//
//	file, err := statefile.Decode(text)
//	if err != nil {
//		return err
//	}
//	for i := range file.All() {
//		fmt.Println(i.Address, i.Provider, i.Object.Status)
//	}
//
// [Decode] gives a [File], [Encode], [Write] and [Canonical] write it. [File.All] goes through
// all objects in the order of "state list"; an [Index] finds them by address. [Instances] and
// [List] read states that are too large to keep. [Show] gives the [planjson.State] that "show -json" prints
// of the same state, for everything that takes one.
//
// [File.Move], [File.Remove], [File.ReplaceProvider], [File.Taint], [File.Untaint] and
// [File.SetOutput] change a state as the commands of the tools do, with their refusals; [Save]
// writes it to a file under the lock of the tools' local backend, with a backup.
//
// [Decrypt] and [Encrypt] open and make states and saved plans that are encrypted with a
// passphrase, as OpenTofu 1.7 and later do; an [Encryption] has any methods and key providers. To
// rotate keys, decrypt with the old ones and encrypt with the new ones. [DecodePlanFile] reads what a
// saved plan holds besides its changes.
//
// This package does not talk to backends, and it does not upgrade states from before Terraform
// 0.12: those are refused with the name of a release that upgrades them. No tool documents the
// format; OpenTofu's internal/states/statefile/version4.go writes it.
//
// # The promise
//
// Encode(Decode(x)) is x, byte for byte, for every x that decodes, with extra members, the order
// of members, and the spelling of everything. Change one field, and only the bytes of that field
// change. A state made by the caller is written as OpenTofu writes a local file.
//
//   - A decoded value owns its input, which must not be changed afterwards. A small object keeps
//     the whole text of its document in memory. [Clone] makes an independent copy.
//   - A [planjson.Value] is replaced, never changed in place.
//   - Compare objects with [Equal], not with reflect.DeepEqual: they remember where they were read.
//   - Replacing an object drops its extra members; changing its fields keeps them.
//   - All types are [encoding/json] marshalers and unmarshalers. But encoding/json compacts and
//     escapes their text. Only Encode and Write keep it.
//   - Lists and maps hold pointers, so a loop can change their elements. A nil pointer in one is
//     an error when encoding.
//
// # What is refused
//
// What OpenTofu and Terraform refuse to read is refused here, with its place: an instance that
// occurs twice, addresses that are none, an output whose value is not of its type, paths of
// sensitive attributes that are not paths. Names that no configuration can have are refused as
// well, which the tools read. A byte order mark is refused. An empty file is no state ([ErrEmpty]).
// A state that OpenTofu has encrypted is refused with [ErrEncrypted].
//
// # Errors
//
// Every error is an [*Error] with byte offset, line, column and JSON pointer; only errors of the
// caller's own readers and writers come back as they are. A known member of another kind than its
// field is an error that wraps [ErrKind]: a program that judges states must not mistake one that
// it cannot read for an empty one. Names match exactly, upper and lower case included, where the
// tools accept any case. If a member occurs twice, the last one counts; [Duplicates] lists both.
//
// # Security
//
// A state holds secrets in clear text: in outputs, in attributes, and in what providers keep for
// themselves ([InstanceObject.Private]). Marks of sensitive parts mark some of them; they do not
// hide them. Package redact hides secrets.
//
// Input may come from anywhere. Bad input is an error, never a panic. Decoding and encoding take
// time in proportion to the text. The limits of package planjson hold here as well. With schemas,
// a value nested deeper than 500 levels cannot be shown, nor one whose open types nest deeper
// than 200. The keys of one decryption may take 10,000,000 iterations of PBKDF2, some seconds. No
// error has a passphrase or a key. External programs are started by the caller's functions only.
//
// # Concurrency
//
// Any number of goroutines may read and encode a state at the same time. Changes must not run
// concurrently with any other use.
package statefile
