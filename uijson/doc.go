// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package uijson reads and writes the stream of messages that OpenTofu and Terraform
// print with the option -json: plan, apply, destroy, refresh, test, init and others, one
// JSON object per line.
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
// The entry points are:
//
//   - A [Reader] turns a stream into [Event] values, most of them messages. A [Writer]
//     writes messages.
//   - [Decode] and [Encode] handle single lines.
//   - [Follow] reads a file that grows.
//
// Every line is written back byte for byte, and an edit changes only the member it
// touches.
//
// This package does not run the tools. Package uitrack follows a run by its messages and
// reports how it ended. Package planjson reads the documents that show, output and validate
// print. Part of the format is described at
// https://opentofu.org/docs/internals/machine-readable-ui/; recordings of the tools' output
// are in the testdata directory.
//
// # Messages
//
// A line is one flat JSON object. It holds an envelope (level, text, module, time) and the
// payload of its type. There is therefore one type, [Message], with a field for every
// member that any release of either tool writes. [Message.Type] determines which of them to
// expect. The payloads have their own types: [Hook], [Change], [Diagnostic], [Output],
// [TestRun] and so on.
//
// All enumerations are open strings with constants for the known values. A message of an
// unknown type keeps its envelope, and its payload as extra members ([Extra]). If the kind
// of a member does not match its field, the field is empty; [Message.Problems] reports the
// member, and its bytes are kept.
//
// # Streams
//
// Real streams contain more than messages: text before, between and after them, even on the
// same line; blank lines; logs of a merged standard error; half a message if the tool was
// killed or another program wrote to the same file. Each of these is an event with its
// [EventKind]. Only a read error ends the stream early. Nothing is lost, except the content
// of lines that are longer than [MaxLine] allows; messages on such lines are still found.
// The event of a damaged message holds its readable parts, so an error in it is not lost.
//
// The output of a running tool must be read to its end: a tool that cannot write blocks, or
// dies in the middle of its work. The Reader ensures this, even if the loop over its events
// ends early.
//
// There are three ways to read:
//
//   - [Reader.Events] returns values that may be kept.
//   - [Reader.Borrowed] returns the same values and reuses their memory for the next line. It
//     is the fastest way to see everything.
//   - [Reader.Envelopes] decodes only the envelope.
//
// # Edits
//
// Encode(Decode(x)) is x, byte for byte, for every line. Changing one field changes only
// the bytes of that field. White space, the order and spelling of all other members, and
// unknown members stay.
//
//   - A decoded value owns its input, which must not be changed. [Clone] makes an
//     independent copy.
//   - A raw [Value] is replaced, never changed in place.
//   - Compare values with [Equal], not with reflect.DeepEqual.
//   - Replacing an object drops its extra members; changing its fields keeps them.
//   - Decoded objects may be moved and copied, within and between messages.
//   - json.Marshal of a struct around a message compacts and escapes its text. Only Encode
//     is lossless.
//
// Messages built by the caller, for example with [NewMessage], are written as OpenTofu
// writes them.
//
// # Errors
//
// Every error is an [*Error] with the place or the member. Only errors of files and of the
// caller's own readers and writers are returned unchanged.
//
// A nil message or nested object never causes a panic. Functions that return an error
// return one that wraps [ErrAbsent]; all others do nothing. Nil elements of lists and maps
// cannot be encoded. Everything else ignores them.
//
// # Security
//
// The stream can hold secrets in unexpected places: both sides of failed comparisons, the
// output of provisioners, an emergency dump of the state. [Message.Redact] removes them.
//
// Texts come from providers, programs and configuration, and can contain terminal control
// sequences. Pass them through [Sanitize] before showing them.
//
// Lines above the limit of [MaxLine], nesting deeper than 10,000 levels and text that is not
// JSON are reported and skipped. Memory is bounded by a small multiple of the limit.
//
// # Concurrency
//
// Several goroutines may read a value at once, but not while one edits it. A Reader must not
// be used concurrently; a Writer may.
package uijson

//go:generate go run -C ../tools ./wiregen ../uijson
