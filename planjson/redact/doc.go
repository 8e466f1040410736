// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package redact replaces the secrets in plans, states and the other documents
// of package planjson, so that they can be stored and shown:
//
//	plan, err := planjson.DecodePlan(src)
//	if err != nil {
//		return err
//	}
//	var r redact.Redactor
//	if _, err := r.Plan(plan); err != nil {
//		return err
//	}
//	out, err := planjson.Encode(plan)
//
// [Redactor.WritePlan] and [Redactor.WriteState] do the same from a reader to a
// writer in little memory, and give the same bytes.
//
// # What is hidden
//
// The tools mark the same object differently at different places: a new value
// that a change calls sensitive is not marked in planned_values, for example. A
// Redactor first collects all marks that a document has for an object: in
// before, after, planned values, prior state, drift, deferred changes, outputs,
// the variables and outputs of the configuration, and the schemas if they are
// given. Whatever is marked at one place is hidden at all of them, on both sides
// of a change. Hidden are also
//
//   - the values of variables that the configuration calls sensitive or
//     ephemeral, or does not have, and of those that become a part of something
//     sensitive; also the constants that become their values;
//   - keys of sensitive maps and objects, and the attributes in the type of a
//     sensitive output;
//   - the output of a terraform_data resource where its input is sensitive;
//   - what the format cannot mark; see [Unmarked].
//
// The texts at sensitive places are known secrets then, and so are
// [Redactor.Secrets]. They are hidden wherever they occur, as a whole text or as
// a part of one: in other values, keys, addresses, references and messages, in
// JSON inside of strings, escaped as in the configuration language, with the
// line ends of another system, indented, in either Unicode normalization form,
// percent-encoded, with the entities of XML, and in base64, also if that is
// wrapped. A text at a sensitive place is looked for if
// it is at least [Redactor.MinSecret] bytes long, not a bool, not a number below
// six digits, and not a word (letters, with hyphens and the like between them)
// that is a public constant in the configuration. The keys of sensitive maps are
// looked for if they are more than words, and so are the texts in a sensitive
// string that holds JSON. Of a text of several lines, each line
// of at least 16 bytes is a secret. Of a text of more than 64 bytes the first 64
// are looked for, and what follows them in the same string is hidden with them.
//
// What is replaced keeps its kind: a string becomes [Redactor.Text], a number 0,
// a bool false, and null stays. Arrays keep their length. Objects keep the names
// of attributes; sensitive maps and objects become empty. All other bytes of the
// document stay as they are. A redacted document decodes, and redacts again to
// the same bytes.
//
// # What is not hidden
//
// Secrets that flow through locals into something that is not marked are found
// only if they are known secrets, because plans do not have locals. So are
// secrets that a configuration transforms in a way not listed above, such as a
// hash. The length of a list and the number of secrets are shown.
//
// # Errors
//
// Errors are of type [*planjson.Error], with their place in the document, or
// those of the caller's reader and writer. A document with duplicate members is
// refused with [planjson.ErrDuplicate], because a reader may see any of them.
//
// # Security
//
// A Redactor fails closed: a value that no rule here can judge is hidden, and a
// member that package planjson does not know too. Time is in proportion to the
// length of the document plus that of the secrets. Memory is in proportion to the
// document for the methods that take one; see [Redactor.WritePlan] for streams.
//
// # Concurrency
//
// A Redactor may be used by several goroutines at once if Match and Report may
// be called by several. A document must not be used by others while it is
// redacted.
package redact
