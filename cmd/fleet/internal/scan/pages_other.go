// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package scan

// forgetPages does nothing where there is no such advice.
func forgetPages() {}
