// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !(linux || darwin || freebsd || openbsd)

package install

import "io/fs"

// changeOf reports that the system does not tell. There are no stamps then.
func changeOf(fs.FileInfo) (c change, ok bool) { return change{}, false }

// keepsChanges reports whether the times of change can be relied on.
func keepsChanges(string) bool { return false }
