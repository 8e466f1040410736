// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package jsonscan validates JSON text and finds the ends of its tokens.
//
// The grammar is that of RFC 8259, strictly: no control characters in
// strings, no leading zeros, no trailing commas, and text that is valid
// UTF-8. Escaped surrogates that stand alone are valid, as the RFC has them;
// [AppendUnquote] gives U+FFFD for them, as encoding/json does. A byte order
// mark is not white space and is refused. Duplicate member names are allowed.
//
// Everything works on a []byte and offsets into it. Nothing is built: the
// scanner holds no tree, allocates nothing for text nested up to 64 levels,
// and does not recurse, so its stack does not grow with the input.
//
// The functions are safe for concurrent use.
package jsonscan
