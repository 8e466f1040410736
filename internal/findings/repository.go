// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package findings

import (
	"os"
	"path/filepath"
)

// Prefix returns the path from the root of the repository to a directory that is in it, or "".
func Prefix(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil {
			rel, _ := filepath.Rel(at, dir)
			return filepath.ToSlash(rel)
		}
		if filepath.Dir(at) == at {
			return ""
		}
	}
}
