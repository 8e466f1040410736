// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package statefile reads and writes the state as OpenTofu and Terraform save it, in a file
// terraform.tfstate or in a backend, without losing a byte. It needs neither the tool nor its
// providers nor the configuration.
//
//	file, err := statefile.Decode(text)
//	if err != nil {
//		return err
//	}
//	for i := range file.All() {
//		fmt.Println(i.Address, i.Provider, i.Object.Status)
//	}
//
// [Decode] returns a [File]; [Encode], [Write] and [Canonical] write it. [File.All] iterates over
// all objects in the order of "state list"; an [Index] finds them by address. [Instances] and
// [List] read states that are too large to keep. [Show] returns the [planjson.State] that "show
// -json" prints for the same state, for functions that take one.
//
// [File.Move], [File.Remove], [File.ReplaceProvider], [File.SetTainted] and
// [File.SetOutput] change a state like the corresponding commands of the tools, and refuse
// what these refuse. [Save] writes it to a file under the lock of the tools' local backend,
// with a backup.
//
// [Decrypt] and [Encrypt] handle states and saved plans encrypted with a passphrase, as by OpenTofu
// 1.7 and later; an [Encryption] supports any methods and key providers. To rotate keys, decrypt
// with the old ones and encrypt with the new ones. Package planfile reads saved plans.
//
// This package does not talk to backends. It reads states of versions 3 and 4, which Terraform
// writes since 0.9; the error for an older one names a release that upgrades it. The file
// .terraform/terraform.tfstate is not a state: it holds the settings of a backend. No tool
// documents the format; OpenTofu's internal/states/statefile/version4.go writes it.
//
// # The promise
//
// Encode(Decode(x)) is x, byte for byte, for every x that decodes, including extra members, the
// order of members, and the spelling of everything. Changing one field changes only the bytes of
// that field. A state built by the caller is written as OpenTofu writes a local file.
//
//   - A decoded value owns its input, which must not be changed afterwards. A small object keeps
//     the whole text of its document in memory. [Clone] makes an independent copy.
//   - A [planjson.Value] is replaced, never changed in place.
//   - Compare objects with [Equal], not with reflect.DeepEqual, because objects record where they
//     were read.
//   - Replacing an object drops its extra members; changing its fields keeps them.
//   - All types are [encoding/json] marshalers and unmarshalers. But encoding/json compacts and
//     escapes their text. Only Encode and Write keep it.
//   - Lists and maps hold pointers, so a loop can change their elements. A nil pointer in one is
//     an error when encoding.
//
// # What is refused
//
// This package refuses what OpenTofu and Terraform refuse to read, and reports the place: an
// instance that occurs twice, an invalid address, an output whose value does not match its
// type, an invalid path of a sensitive attribute. An empty file is refused with [ErrEmpty], and a
// state encrypted by OpenTofu with [ErrEncrypted].
//
// Some texts are refused although both tools read them. No tool writes them:
//
//   - invalid UTF-8, which the tools replace
//   - names of resources and types that no configuration can have
//   - instance keys of -1 and below, and keys beyond 64 bits
//   - providers of one word that begins with terraform- or opentofu-
//   - null in the place of an instance, a check result or a failure message
//
// Others mean something else to the tools: names of members in another case, members that occur
// twice, and instance keys above 9007199254740992, which the tools round.
//
// # Errors
//
// Every error is an [*Error] with byte offset, line, column and JSON pointer; only errors of the
// caller's own readers and writers are returned unchanged. A known member whose kind does not
// match its field is an error that wraps [ErrKind]: a program that judges states must not mistake
// one that it cannot read for an empty one. Names are case-sensitive; the tools accept any case.
// If a member occurs twice, the last one counts; [Duplicates] lists both.
//
// # Security
//
// A state holds secrets in clear text: in outputs, in attributes, and in the private data of
// providers ([InstanceObject.Private]). Marks of sensitive parts mark some of them; they do not
// hide them. Package redact hides secrets.
//
// Input may come from anywhere. Bad input is an error, never a panic. Decoding and encoding take
// time linear in the size of the text. The limits of package planjson apply. With schemas, Show
// refuses values nested deeper than 500 levels, and values whose open types nest deeper than 200.
// The keys of one decryption may take up to 10,000,000 iterations of PBKDF2, which takes some
// seconds. No error contains a passphrase or a key. Only the caller's functions start external
// programs.
//
// # Concurrency
//
// Any number of goroutines may read and encode a state at the same time. Changes must not run
// concurrently with any other use.
package statefile
