// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build race

package addrs_test

// memoryLimit is more with the race detector, which allocates a little itself.
const memoryLimit = 36
