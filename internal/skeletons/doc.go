// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package skeletons proves that the example programs can be taken away: each
// folder that the README offers as the beginning of a program of one's own
// builds outside of this repository, with nothing but a go.mod.
package skeletons
