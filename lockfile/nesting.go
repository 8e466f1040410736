// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !wasm

package lockfile

// maxNesting bounds the brackets and operators of one block. The parser calls
// itself for each of them, and Go cannot recover from an overflow of the stack.
const maxNesting = 4000
