// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Overlay returns a file system that has the files, under their names, in the place of
// those of fsys or beside them. With it [LoadModule] reads a module as it will be when
// edited files are written, so that a program can check it before. The names are paths in
// fsys. Without fsys, which may be nil, there are only the files. If a name occurs twice, the
// last one counts; a nil File and one whose name is no path in a file system (see
// [fs.ValidPath]) are left out.
func Overlay(fsys fs.FS, files ...*File) fs.FS {
	o := &overlay{below: fsys, files: map[string]*File{}, dirs: map[string][]string{".": nil}}
	for _, f := range files {
		if f == nil || !fs.ValidPath(f.Filename()) || f.Filename() == "." {
			continue
		}
		name := f.Filename()
		if o.files[name] == nil {
			o.add(name)
		}
		o.files[name] = f
	}
	return o
}

// An overlay is a file system of files in memory, and of another one below.
type overlay struct {
	below fs.FS
	files map[string]*File
	dirs  map[string][]string // what the files add to folders
}

// add makes a name known to the folders that it is in.
func (o *overlay) add(name string) {
	for name != "." {
		dir := path.Dir(name)
		_, known := o.dirs[dir]
		if base := path.Base(name); !slices.Contains(o.dirs[dir], base) {
			o.dirs[dir] = append(o.dirs[dir], base)
		}
		if known {
			return
		}
		name = dir
	}
}

func (o *overlay) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if f := o.files[name]; f != nil {
		return &overlayFile{overlayInfo{path.Base(name), int64(len(f.Bytes())), 0o444}, bytes.NewReader(f.Bytes()), nil}, nil
	}
	if _, ok := o.dirs[name]; ok {
		entries, err := o.ReadDir(name)
		if err != nil {
			return nil, err
		}
		return &overlayFile{overlayInfo{path.Base(name), 0, fs.ModeDir | 0o555}, nil, entries}, nil
	}
	if o.below == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.below.Open(name)
}

// ReadDir lists a folder.
func (o *overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	own, ok := o.dirs[name]
	var entries []fs.DirEntry
	if o.below != nil {
		var err error
		if entries, err = fs.ReadDir(o.below, name); err != nil && !ok {
			return nil, err
		}
	} else if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	if len(own) == 0 {
		return entries, nil
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return slices.Contains(own, e.Name()) && (!e.IsDir() || o.files[path.Join(name, e.Name())] != nil)
	})
	for _, base := range own {
		info := overlayInfo{name: base, mode: fs.ModeDir | 0o555}
		if f := o.files[path.Join(name, base)]; f != nil {
			info = overlayInfo{base, int64(len(f.Bytes())), 0o444}
		} else if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == base }) {
			continue
		}
		entries = append(entries, fs.FileInfoToDirEntry(info))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// An overlayInfo describes a file or a folder of an overlay.
type overlayInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i overlayInfo) Name() string       { return i.name }
func (i overlayInfo) Size() int64        { return i.size }
func (i overlayInfo) Mode() fs.FileMode  { return i.mode }
func (i overlayInfo) ModTime() time.Time { return time.Time{} }
func (i overlayInfo) IsDir() bool        { return i.mode.IsDir() }
func (i overlayInfo) Sys() any           { return nil }

// An overlayFile is an open file or folder of an overlay.
type overlayFile struct {
	info    overlayInfo
	text    *bytes.Reader
	entries []fs.DirEntry
}

func (f *overlayFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *overlayFile) Close() error               { return nil }

func (f *overlayFile) Read(p []byte) (int, error) {
	if f.text == nil {
		return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: fs.ErrInvalid}
	}
	return f.text.Read(p)
}

// ReadDir returns the next entries of a folder.
func (f *overlayFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if f.text != nil {
		return nil, &fs.PathError{Op: "readdir", Path: f.info.name, Err: fs.ErrInvalid}
	}
	return nextEntries(&f.entries, n)
}

// nextEntries takes n entries, or all if n is not positive.
func nextEntries(left *[]fs.DirEntry, n int) ([]fs.DirEntry, error) {
	if n > 0 && len(*left) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(*left) {
		n = len(*left)
	}
	out := slices.Clone((*left)[:n])
	*left = (*left)[n:]
	return out, nil
}
