// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"errors"
	"io/fs"
	"iter"
	"path"
	"strings"
)

// A Directory is a directory with files of the configuration language. The names of its files
// are paths in the file system, in order.
type Directory struct {
	// Dir is the directory, as for [LoadModule].
	Dir string
	// Files are the files of a module, those that only one of the programs reads included: both
	// main.tf and the main.tofu that OpenTofu reads instead of it. If there are none, Dir is
	// not a module; it may still have tests, or values.
	Files []string
	// Tests are test files. The tools read those of a module, and those in its directory "tests".
	Tests []string
	// Values are files of values of variables, also those that only an option names.
	Values []string
}

// Modules returns an iterator over the directories of fsys that have modules, tests or files
// of values, in lexical order. It leaves out what the tools do not read as configuration of the
// project: directories whose names begin with a dot, such as .terraform and .git, hidden files and
// the backups of editors. It does not follow links to directories. A directory that cannot be
// read is yielded with its error, and the iterator goes on; one that vanishes meanwhile is left
// out. The iterator can be used again.
//
//	for d, err := range hclconfig.Modules(os.DirFS(repository)) {
//		if err != nil {
//			return err
//		}
//		if len(d.Files) > 0 {
//			module, err := hclconfig.LoadModule(os.DirFS(repository), d.Dir)
//			...
func Modules(fsys fs.FS) iter.Seq2[Directory, error] {
	return func(yield func(Directory, error) bool) { modules(fsys, ".", yield) }
}

// modules yields dir and the directories below it.
func modules(fsys fs.FS, dir string, yield func(Directory, error) bool) bool {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) && dir != "." {
			return true
		}
		return yield(Directory{Dir: dir}, &Error{Filename: dir, Err: err})
	}
	d := Directory{Dir: dir}
	for _, e := range entries {
		name, ok := ParseFilename(e.Name())
		if !ok || isDirectory(fsys, dir, e) {
			continue
		}
		switch file := path.Join(dir, e.Name()); name.Kind {
		case ConfigFile:
			d.Files = append(d.Files, file)
		case TestFile:
			d.Tests = append(d.Tests, file)
		case ValuesFile:
			d.Values = append(d.Values, file)
		}
	}
	if len(d.Files)+len(d.Tests)+len(d.Values) > 0 && !yield(d, nil) {
		return false
	}
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") && !modules(fsys, path.Join(dir, e.Name()), yield) {
			return false
		}
	}
	return true
}

// isDirectory reports whether an entry is a directory, or a link to one.
func isDirectory(fsys fs.FS, dir string, e fs.DirEntry) bool {
	if e.Type()&fs.ModeSymlink == 0 {
		return e.IsDir()
	}
	info, err := fs.Stat(fsys, path.Join(dir, e.Name()))
	return err == nil && info.IsDir()
}
