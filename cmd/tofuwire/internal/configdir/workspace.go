// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package configdir

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// Workspace returns the workspace that the tools would use in dir: for programs that say what
// a tool, called here and now, would do.
func Workspace(dir string) hclconfig.Workspace {
	if name := os.Getenv("TF_WORKSPACE"); name != "" {
		return hclconfig.Workspace(name)
	}
	src, err := os.ReadFile(filepath.Join(dir, ".terraform", "environment"))
	if name := strings.TrimSpace(string(src)); err == nil && name != "" {
		return hclconfig.Workspace(name)
	}
	return "default"
}
