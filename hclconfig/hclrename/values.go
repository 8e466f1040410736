// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// values collects the values of the variable in files that the tools read by
// themselves, and in all others if these are asked for.
func (r *renamer) values() error {
	files, err := r.valuesFiles()
	if err != nil {
		return err
	}
	for _, full := range files {
		src, err := fs.ReadFile(r.fsys, full)
		if err != nil {
			return err
		}
		f, at, err := given(full, src)
		if err != nil {
			return err
		}
		names := map[string]addrs.Range{}
		for _, a := range at {
			names[a.name] = a.at
		}
		if there, ok := names[r.to.name]; ok {
			return fmt.Errorf("%s: %s already has a value", there, r.to.text)
		}
		for _, a := range at {
			if a.name == r.from.name {
				r.given = true
				if err := r.replace(f, a.at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// valuesFiles returns the names of the files of values.
func (r *renamer) valuesFiles() (files []string, err error) {
	for _, dir := range []string{r.dir, path.Join(r.dir, "tests")} {
		entries, err := fs.ReadDir(r.fsys, dir)
		if err != nil {
			continue // there is no such directory
		}
		for _, e := range entries {
			plain := strings.TrimSuffix(e.Name(), ".json")
			if !e.IsDir() && (plain == "terraform.tfvars" || strings.HasSuffix(plain, ".auto.tfvars")) {
				files = append(files, path.Join(dir, e.Name()))
			}
		}
	}
	if !r.allValues {
		return files, nil
	}
	err = fs.WalkDir(r.fsys, r.dir, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name != r.dir:
			return nil // it vanished while the directories were read
		case err != nil:
			return err
		case e.IsDir() && name != r.dir && (e.Name() == ".terraform" || e.Name() == ".git" || r.hasConfiguration(name)):
			return fs.SkipDir
		case !e.IsDir() && strings.HasSuffix(strings.TrimSuffix(e.Name(), ".json"), ".tfvars") && !slices.Contains(files, name):
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// hasConfiguration reports whether a directory is a module.
func (r *renamer) hasConfiguration(dir string) bool {
	entries, err := fs.ReadDir(r.fsys, dir)
	return err == nil && slices.ContainsFunc(entries, isConfiguration)
}

// A value is one name at the top of a file of values.
type value struct {
	name string
	at   addrs.Range
}

// given returns a file of values and the names at its top, whatever they are to the
// language.
func given(name string, src []byte) (*hclconfig.File, []value, error) {
	var out []value
	f, err := hclconfig.Parse(name, src)
	if err != nil {
		return nil, nil, err
	}
	for i := range f.Body().Arguments {
		a := &f.Body().Arguments[i]
		out = append(out, value{a.Name, a.NameRange()})
	}
	return f, out, nil
}
