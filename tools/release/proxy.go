// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"golang.org/x/mod/module"
)

// proxy writes the modules that people use, at a commit, into a folder in the form
// of a module proxy.
func (r repository) proxy(version, commit, dir string) error {
	all, err := r.modules(commit)
	if err != nil {
		return err
	}
	at, err := r.git(nil, nil, "show", "-s", "--format=%cI", commit)
	if err != nil {
		return err
	}
	info, err := json.Marshal(map[string]string{"Version": version, "Time": at})
	if err != nil {
		return err
	}
	for _, n := range all {
		if !n.isForUsers() {
			continue
		}
		escaped, err := module.EscapePath(n.file.Module.Mod.Path)
		if err != nil {
			return err
		}
		v, err := module.EscapeVersion(version)
		if err != nil {
			return err
		}
		folder := filepath.Join(dir, filepath.FromSlash(escaped), "@v")
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return err
		}
		goMod, err := n.file.Format()
		if err != nil {
			return err
		}
		for name, text := range map[string][]byte{"list": []byte(version + "\n"), v + ".info": info, v + ".mod": goMod} {
			if err := writeFile(filepath.Join(folder, name), text); err != nil {
				return err
			}
		}
		if err := r.zip(n, version, commit, filepath.Join(folder, v+".zip")); err != nil {
			return err
		}
	}
	return nil
}
