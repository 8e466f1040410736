// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package policy holds tests of the rules that the whole module obeys: what
// may import what, what must be documented, how large a file may be, what an
// Error looks like. They are statements of policy. Do not change their data to
// make a build pass.
package policy
