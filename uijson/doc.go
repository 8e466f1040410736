// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package uijson reads and writes the stream of messages that OpenTofu and
// Terraform print with the option -json: plan, apply, destroy, refresh, test,
// init and others, one JSON object a line.
//
//	r := uijson.NewReader(stdout)
//	for ev, err := range r.Events() {
//		if err != nil {
//			return err
//		}
//		if m := ev.Message; m != nil && m.IsError() {
//			fmt.Println(uijson.Sanitize(m.Text))
//		}
//	}
//
// A [Reader] gives what is on a stream as [Event] values, most of them
// messages; a [Writer] writes messages. [Decode] and [Encode] are for single
// lines. [Follow] reads a file that grows.
//
// Any line comes back byte for byte, and an edit changes only the member it
// touches: see the section on edits.
//
// This package does not run the tools. Package uitrack, below it, follows a
// run by its messages and reports how it ended. Package planjson reads the
// documents that show, output and validate print.
//
// # Messages
//
// A line is one flat JSON object that holds an envelope (level, text, module,
// time) and the payload of its type. So there is one type, [Message], with a
// field for every member that any release of either tool writes, and
// [Message.Type] says which of them to expect. The payloads are types of their
// own: [Hook], [Change], [Diagnostic], [Output], [TestRun] and so on.
//
// All enumerations are open strings with constants for the known values. A
// message of a type that is not known has its envelope, and its payload as
// extra members ([Extra]). A member whose value has another kind than
// its field leaves the field empty and is reported by [Message.Problems]; its
// bytes are kept.
//
// # Streams
//
// Real streams hold more than messages: text that the tools print before, in
// the middle and after, blank lines, logs of merged standard error, the half
// of a message at the end when the tool was killed. Each of these is an event
// of its own [EventKind], nothing is lost, and nothing but a read error ends the
// reading. Lines may be long; the limit is [MaxLine].
//
// Whoever reads the output of a running tool must read it to its end, as a
// tool that cannot write stands still, or dies in the middle of its work. The
// Reader sees to it, also when a loop over its events is left early: see
// [Reader].
//
// There are three ways to read. [Reader.Events] gives values that may be kept.
// [Reader.Borrowed] gives the same and uses the memory again for each line:
// it is the fastest way to see everything. [Reader.Envelopes] looks at the
// envelope alone.
//
// # Edits
//
// Encode(Decode(x)) is x, byte for byte, for every line. Change one field, and
// only the bytes of that field change: white space, the order and the spelling
// of all other members, and members that this package does not know, stay.
//
// A decoded value owns its input, which must not be changed; [Clone] detaches it.
// A raw [Value] is replaced, never changed in place. Use [Equal] to
// compare two values of the same type, not reflect.DeepEqual. To replace a
// whole object drops its extra members. Decoded objects may be moved and
// copied, within and between messages. json.Marshal of a struct around a
// message compacts and escapes what it is given; Encode is the lossless way.
//
// Messages that are made by the caller, such as those of [NewMessage], are
// written as OpenTofu writes them.
//
// # Concurrency
//
// Values may be read by several goroutines at once, but not while one edits
// them. A Reader must not be used concurrently; a Writer may.
//
// # Security
//
// The stream can hold secrets in places where one does not expect them: both
// sides of failed comparisons, the output of provisioners, an emergency dump
// of the state. [Message.Redact] removes them.
//
// Texts come from providers, programs and configuration, and can hold control
// sequences for terminals. Pass them through [Sanitize] before they are shown.
//
// Lines above the limit of [MaxLine], nesting deeper than 10,000 levels and
// text that is no JSON are reported and passed over. Memory stays bounded by a
// small multiple of the limit.
//
// # Errors
//
// Every error is an [*Error] that tells the place or the member, but for those
// of the caller's own readers and writers and of files, which come back as they
// are.
//
// A nil pointer where a message or a part of one is wanted is no panic:
// functions that return an error return one that wraps [ErrAbsent], all others
// do nothing. Nil elements of lists and maps cannot be encoded, and are passed
// over by everything else.
//
// The format is described at https://opentofu.org/docs/internals/machine-readable-ui/,
// as far as it is described; what the tools really write is recorded in the
// testdata directory of this package.
package uijson

// As Decode, UnmarshalJSON takes members of any kind.
//
//wire:lenient
//go:generate go run ../internal/wiregen
