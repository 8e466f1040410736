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
// writer, using little memory, and write the same bytes. [Redactor.Document] and
// [Redactor.StateFile] redact all other documents.
//
// # What stays readable
//
// Passwords, keys, tokens and phrases that a document marks as sensitive anywhere are hidden
// everywhere. A marked text that is plain is hidden only at its marked places, and where it is
// the entire value of an attribute, an output or a variable with the same name. For example,
// marking the word "public" in one resource does not hide it elsewhere. Plain texts are
//
//   - words of at most twelve letters, and two of them joined by "-", "_" or ".";
//   - the forms of regions, zones, sizes, IP addresses and networks: eu-west-1, t3.micro,
//     10.0.0.0/16;
//   - types, names of blocks and modules, and keys with a number such as web-01, that the
//     document itself uses.
//
// [Redactor.Plain] and [Redactor.Secrets] hide them everywhere; [Redactor.Report]
// lists where they stay. Identities and import identifiers are shown, as in the tools,
// unless the same text is marked; Report lists them too.
//
// # What is hidden
//
// The tools mark the same object differently in different places. For example, a new
// value that a change marks as sensitive is not marked in planned_values. A Redactor
// therefore first collects all marks of an object in the document: in before and after,
// planned values, prior state, drift, deferred changes, outputs, the variables and
// outputs of the configuration, and the schemas if they are set. A value marked in one
// place is hidden in every place, on both sides of a change.
//
// A Redactor also hides
//
//   - the values of variables that are sensitive or ephemeral, that the configuration
//     does not declare, or that become a part of a sensitive value, and constants
//     that such variables are set to;
//   - the keys of sensitive maps and objects, and the attributes in the type of a
//     sensitive output;
//   - the output of a terraform_data resource where its input is sensitive;
//   - the outputs of terraform_remote_state and most of its config: see [RemoteStateOutputs];
//   - places that the format cannot mark; see [Unmarked].
//
// The texts in sensitive places and in [Redactor.Secrets] are known secrets. A Redactor
// hides them wherever they occur, as all or part of a text, in the following forms, up to
// a depth of three encodings and four levels of escapes:
//
//	as they are        with any line ends, indented, in either Unicode normalization form
//	JSON               in strings, and in strings of JSON in them; the escapes of the
//	                   configuration language, YAML and settings; templates: $${
//	quotes             of shells ('\'' and '"'"'), YAML ('') and INI files ("", %%)
//	base64             in both alphabets, of at least six bytes; in lines, also indented; in
//	                   JSON, as in docker's configuration; in parts of cloud-init
//	gzip in base64     up to 100 times as long; what is longer is hidden
//	UTF-16 in base64   as for powershell -EncodedCommand
//	hexadecimal        of at least six bytes, in either case, also as part of a path or word
//	dumps              bytes as numbers in a text, as xxd, hexdump and od print them, and Go and C
//	URLs, forms, XML   percent signs, also twice; + for a blank; entities
//
// A string that wraps a secret, or takes too much work to search, is hidden entirely.
//
// A Redactor searches for a text outside its own places if the text is not plain, has at
// least [Redactor.MinSecret] bytes, and is not a bool or a number of fewer than six digits, also as a string.
// It searches for keys of sensitive maps, including those in references to sensitive
// variables, and for texts in a sensitive string that holds JSON, if they are more than
// words. In a multi-line text, each line of at least 16 bytes in the first MiB is a
// separate secret, except the first and last lines of a PEM block; an indented text is
// found if it has six bytes without the white space around its lines. Only the first 64
// bytes of a longer text are searched for; the rest of the string is hidden too.
//
// The format's own words stay in their places, even if a secret is the same word, such as
// "delete": the format version, modes, actions, reasons and results.
//
// A replacement has the kind of the value: a string becomes [Redactor.Text], a number 0, a bool
// false; null and empty strings stay. Arrays keep their length. Objects keep the names of their
// attributes; sensitive maps and objects become empty. All other bytes of the document stay. A
// redacted document decodes, and redacts again to the same bytes.
//
// # What is not hidden
//
// Plans do not contain the expressions of locals, so a secret that flows through a local
// into an unmarked place is found only if it is a known secret. A secret that the
// configuration transforms in any other way, such as by a hash, is not found. The lengths
// of lists and the number of secrets stay visible. Plans of Terraform before 0.15 and
// states before 1.0.1 do not mark the attributes of resources: set Schemas, which identify
// inherently sensitive attributes, and Rules. Plans of Terraform have the defaults of ephemeral
// variables: name these in [Redactor.Rules], or set Schemas, for those in write-only arguments.
//
// # Errors
//
// Errors are of type [*planjson.Error], with the place in the document, or those of
// the caller's reader and writer. A document with duplicate members is refused with
// [planjson.ErrDuplicate].
//
// # Security
//
// A Redactor fails closed: if no rule applies to a value, or if package planjson has no
// field for a member, it is hidden. Redaction takes time linear in the length of the
// document plus that of the secrets. Methods that take a document need memory
// proportional to its size; [Redactor.WritePlan] and [Redactor.WriteState] do not.
//
// # Concurrency
//
// A Redactor is safe for concurrent use by several goroutines if its functions
// Match and Report are. A document must not be used by other goroutines during
// redaction.
package redact
