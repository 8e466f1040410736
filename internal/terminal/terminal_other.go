// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix && !windows

package terminal

// columns knows no terminals.
func columns(uintptr) (int, bool) { return 0, false }
