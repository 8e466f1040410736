// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package convert

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
)

// A Job is a conversion of folders.
type Job struct {
	To      hclconfig.Syntax
	Dialect hclconfig.Dialect
	Schemas *hclconfig.Schemas // may be nil
	Unwrap  bool
	Report  io.Writer // what was not exact, one line each

	lost int
}

// Run converts the folder dir into out, with its subfolders. Files that are no
// configuration, or are in the right syntax already, are copied. It returns
// how many things were lost.
func (j *Job) Run(dir, out string) (lost int, err error) {
	skip, err := os.Stat(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	if here, err := os.Stat(dir); err != nil {
		return 0, err
	} else if !here.IsDir() {
		return 0, fmt.Errorf("%s is not a folder", dir)
	} else if skip != nil && os.SameFile(here, skip) {
		return 0, fmt.Errorf("%s and %s are the same folder", dir, out)
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return 0, err
	}
	if skip, err = os.Stat(out); err != nil {
		return 0, err
	}
	err = j.folder(dir, out, "", skip)
	return j.lost, err
}

// folder converts one folder; rel is its name below the first.
func (j *Job) folder(dir, out, rel string, skip fs.FileInfo) error {
	entries, err := os.ReadDir(filepath.Join(dir, rel))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(out, rel), 0o777); err != nil {
		return err
	}
	var names []string
	for _, e := range entries {
		path := filepath.Join(rel, e.Name())
		info, err := os.Stat(filepath.Join(dir, path)) // of what a link leads to
		switch {
		case err != nil:
			j.report(hclconfig.Diagnostics{{Severity: hclconfig.SeverityError, Summary: "Cannot be read", Detail: err.Error(), Subject: addrs.Range{Filename: path}}})
		case info.IsDir() && (os.SameFile(info, skip) || e.Name() == ".terraform" || e.Name() == ".git"):
		case info.IsDir() && e.Type()&fs.ModeSymlink != 0:
			j.report(hclconfig.Diagnostics{{Severity: hclconfig.SeverityError, Summary: "Link to a folder left out", Subject: addrs.Range{Filename: path}}})
		case info.IsDir():
			if err := j.folder(dir, out, path, skip); err != nil {
				return err
			}
		case info.Mode().IsRegular():
			names = append(names, e.Name())
		}
	}
	return j.files(dir, out, rel, names)
}

// files converts the files of one folder.
func (j *Job) files(dir, out, rel string, names []string) error {
	fresh, diags := hclconvert.Names(names, j.To)
	j.report(diags)
	opts := hclconvert.Options{Unwrap: j.Unwrap}
	if j.Schemas != nil && slices.ContainsFunc(names, isConfig) {
		m, err := hclconfig.LoadModule(os.DirFS(filepath.Join(dir, rel)), ".", j.Dialect)
		if err != nil {
			return err
		}
		opts.Schema = func(b *hclconfig.Block) *hclconfig.BlockSchema { return j.Schemas.Of(m, b) }
	}
	for _, name := range names {
		path := filepath.Join(rel, name)
		src, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			return err
		}
		if fresh[name] != name {
			if src = j.convert(path, src, opts); src == nil {
				continue
			}
		}
		if err := os.WriteFile(filepath.Join(out, rel, fresh[name]), src, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func isConfig(name string) bool {
	n, ok := hclconfig.ParseFilename(name)
	return ok && n.Kind != hclconfig.ValuesFile
}

// convert converts one file; nil if it cannot be read.
func (j *Job) convert(path string, src []byte, opts hclconvert.Options) []byte {
	f, _ := hclconfig.Parse(path, src, j.Dialect)
	convert := hclconvert.ToJSON
	if j.To == hclconfig.NativeSyntax {
		convert = hclconvert.ToNative
	}
	g, diags := convert(f, opts)
	j.report(diags)
	if g == nil {
		return nil
	}
	return g.Bytes()
}

// report prints diagnostics. Each error is something that was lost.
func (j *Job) report(diags hclconfig.Diagnostics) {
	for _, d := range diags {
		if d.Severity == hclconfig.SeverityError {
			j.lost++
		}
		fmt.Fprintln(j.Report, d)
	}
}
