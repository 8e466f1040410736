// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclsource

import (
	"encoding/json"
	"io/fs"
	"path"
	"strings"
)

// Installed returns the directories of the modules that "init" installed for the root module in a
// directory, by their keys in .terraform/modules/modules.json.
func Installed(fsys fs.FS, dir string) map[string]string {
	src, err := fs.ReadFile(fsys, path.Join(dir, ".terraform/modules/modules.json"))
	if err != nil {
		return nil
	}
	var doc struct {
		Modules []struct{ Key, Dir string }
	}
	if json.Unmarshal(src, &doc) != nil {
		return nil // as good as absent
	}
	out := make(map[string]string, len(doc.Modules))
	for _, m := range doc.Modules {
		out[m.Key] = path.Join(dir, strings.ReplaceAll(m.Dir, `\`, "/"))
	}
	return out
}
