// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package skeletons proves that the programs that newcomers copy can be taken away: each builds outside of
// this repository with nothing but a go.mod, does a bit of its work there, and passes those of its tests that
// need no other folder.
package skeletons
