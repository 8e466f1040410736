// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
)

// installed returns the directories of the modules that "init" installed for the calls of a
// module, by the names of the calls: those of its own .terraform, and those of a root above it in
// whose .terraform it is.
func (v *view) installed(dir string) map[string]string {
	out := map[string]string{}
	for key, at := range hclsource.Installed(v, dir) {
		if key != "" && !strings.Contains(key, ".") {
			out[key] = at
		}
	}
	root, _, ok := strings.Cut(dir, "/.terraform/modules/")
	if !ok {
		return out
	}
	// An installed module calls others: the keys of these begin with its own.
	all := hclsource.Installed(v, root)
	for parent, at := range all {
		for key, to := range all {
			if name, below := strings.CutPrefix(key, parent+"."); at == dir && below && !strings.Contains(name, ".") {
				out[name] = to
			}
		}
	}
	return out
}
