// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package schemas has the tests of the JSON Schemas in docs/schemas. They judge with a
// validator that others keep, which the library itself does not need. What real tools
// have printed must be accepted; documents made from that with one fault, which
// testdata/faults.txt describes without the generator's knowledge, must be refused.
//
// The folders typescript and python make types of the schemas, and read with them the
// documents that samples writes; generators does so with the plain profile in further languages, and
// says what is lost. .ci/run types runs all.
package schemas
