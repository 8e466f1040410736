// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix && !windows

package install

const lockSuffix = ".lock"

// tryLock does nothing: the system has no locks. Files are still renamed into
// place.
func tryLock(string, bool) (unlock func(), ok bool, err error) { return func() {}, true, nil }

// identify returns the identity of the file called name.
func identify(name string) (fileID, error) { return fileID{name: name}, nil }

// isRunning reports whether there may be a process with this number.
func isRunning(int) bool { return true }
