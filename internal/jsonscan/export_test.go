// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

// CanonicalByParts is AppendCanonical by way of the parts of v, whatever v looks like.
func CanonicalByParts(v []byte) []byte {
	n, _ := parse(v, Space(v, 0))
	return n.append(nil)
}
