// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package configdir checks the directories that programs are called with.
package configdir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// suffixes end the names of configuration files, and of tests, which are configuration too.
var suffixes = []string{".tf", ".tf.json", ".tofu", ".tofu.json", ".tftest.hcl", ".tftest.json", ".tofutest.hcl", ".tofutest.json"}

// Check returns an error that names dir as given if it does not exist, is no directory, or
// has no configuration, in it or in its directory for tests. The tools accept an empty
// directory; a program that says that all is well there has mostly been called with a
// misspelt path.
func Check(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	for _, in := range []string{dir, filepath.Join(dir, "tests")} {
		entries, err := os.ReadDir(in)
		if err != nil && in == dir {
			return err
		}
		for _, e := range entries {
			if !e.IsDir() && isConfig(e.Name()) {
				return nil
			}
		}
	}
	return fmt.Errorf("%s has no configuration files", dir)
}

func isConfig(name string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(name, suffix) {
			return true
		}
	}
	return false
}
