// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix && !windows

package install

const lockSuffix = ".lock"

// tryLock does nothing: the system has no locks. What is written is renamed into
// place all the same.
func tryLock(string, bool) (unlock func(), ok bool, err error) { return func() {}, true, nil }

// isRunning reports whether there may be a process with this number.
func isRunning(int) bool { return true }
