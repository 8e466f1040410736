// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"encoding/json"
	"path"
	"strings"
)

// installed returns the directories of the modules that "init" installed for the calls of a
// module, by the names of the calls: those of its own .terraform, and those of a root above it in
// whose .terraform it is.
func (v *view) installed(dir string) map[string]string {
	out := map[string]string{}
	for _, m := range v.manifest(dir) {
		if !strings.Contains(m.Key, ".") && m.Key != "" {
			out[m.Key] = m.dir
		}
	}
	// An installed module calls others: the keys of these begin with its own.
	if root, _, ok := strings.Cut(dir, "/.terraform/modules/"); ok {
		list := v.manifest(root)
		for _, parent := range list {
			if parent.dir != dir {
				continue
			}
			for _, m := range list {
				if name, below := strings.CutPrefix(m.Key, parent.Key+"."); below && !strings.Contains(name, ".") {
					out[name] = m.dir
				}
			}
		}
	}
	return out
}

type installedModule struct {
	Key, Dir string
	dir      string // in the file system of the view
}

// manifest reads .terraform/modules/modules.json of a root module.
func (v *view) manifest(root string) []installedModule {
	p, err := v.read(osPath(path.Join(root, ".terraform/modules/modules.json")))
	if err != nil {
		return nil
	}
	var doc struct{ Modules []installedModule }
	if json.Unmarshal(p.text, &doc) != nil {
		return nil
	}
	for i := range doc.Modules {
		doc.Modules[i].dir = path.Join(root, strings.ReplaceAll(doc.Modules[i].Dir, `\`, "/"))
	}
	return doc.Modules
}
