// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

// maxNesting bounds the brackets and operators of one block. The stack of a
// WebAssembly program is the host's, which is 1 MiB in browsers and does not
// grow.
const maxNesting = 32
