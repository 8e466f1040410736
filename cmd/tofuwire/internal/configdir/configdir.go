// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package configdir checks the directories that programs are called with.
package configdir

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// Check returns an error that names dir as given if it does not exist, is no directory, or
// has no configuration, in it or in its directory for tests, which are configuration too.
// For Terraform, the files that only OpenTofu reads are none. The tools accept an empty
// directory; a program that says that all is well there has mostly been called with a
// misspelt path.
func Check(dir string, terraform bool) error {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	}
	var tofu string
	for _, in := range []string{dir, filepath.Join(dir, "tests")} {
		entries, err := os.ReadDir(in)
		if err != nil && in == dir {
			return err
		}
		for _, e := range entries {
			name, ok := hclconfig.ParseFilename(e.Name())
			switch {
			case !ok || e.IsDir() || name.Kind != hclconfig.TestFile && (name.Kind != hclconfig.ConfigFile || in != dir):
			case terraform && name.Tofu:
				tofu = e.Name()
			default:
				return nil
			}
		}
	}
	if tofu != "" {
		return fmt.Errorf("%s has no configuration files for Terraform, only such as %s", dir, tofu)
	}
	return fmt.Errorf("%s has no configuration files", dir)
}
