// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package knowntext finds known secrets in text and replaces them.
//
// A [Set] finds a secret as a whole text and as a part of one, in these forms:
//
//   - as it is, and in Unicode normalization forms C and D;
//   - without the white space around it, and for a secret of several lines each
//     line that is long enough;
//   - with the escapes of JSON and of the configuration language, up to four
//     deep, as in JSON text inside of JSON strings; "${" written as "$${";
//   - with the marks doubled that shells, YAML, tables and settings double in quotes, also
//     around one of the other forms;
//   - percent-encoded, and encoded in base64 at any alignment, also in JSON there;
//   - in hexadecimal, and byte by byte as numbers, as xxd, hexdump, od and Go print them;
//   - with the line ends of another system, and indented as heredocs are.
//
// The search takes time in proportion to the text, however many secrets there
// are, and memory in proportion to the secrets.
package knowntext
