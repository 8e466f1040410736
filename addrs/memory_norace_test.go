// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package addrs_test

// memoryLimit is how many times the length of a text parsing may allocate.
const memoryLimit = 32
