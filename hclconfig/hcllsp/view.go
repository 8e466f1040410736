// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"cmp"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// A document is an open document. It does not change: a change makes another one.
type document struct {
	*parsedFile
	uri     string
	at      string // its real path, or "" if it has none
	lang    string
	version *int
	// hushed says that nothing is said about the document, because its folder left.
	hushed bool
}

// counts reports whether the document is about a module.
func (d *document) counts() bool { return d.at != "" && counts(d.at) }

// A view is all that a request sees: the open documents in place of the files, the settings and
// the folders, as they were when the request arrived. It does not change. As a file system it has
// the absolute paths without the first slash.
type view struct {
	*disk
	told
	trace *trace // or nil
	// asIs says that files with syntax errors are what they are, and not what is understood of
	// them.
	asIs bool
}

// withAsIs returns a view for what writes: nothing is repaired in it.
func (v *view) withAsIs() *view {
	out := *v
	out.asIs = true
	return &out
}

// osPath returns the path of a name of the file system, and name the reverse.
func osPath(name string) string { return filepath.FromSlash("/" + name) }

func nameOf(path string) string {
	p := strings.TrimPrefix(filepath.ToSlash(path), "/")
	if p == "" {
		return "."
	}
	return p
}

// read returns the text of a file, with its meaning.
func (v *view) read(path string) (*parsedFile, error) {
	if d := v.docs[path]; d != nil {
		v.trace.file(path, d.stamp)
		return d.parsedFile, nil
	}
	p, err := v.disk.file(path)
	if err != nil {
		v.trace.file(path, 0)
	} else {
		v.trace.file(path, p.stamp)
	}
	return p, err
}

// stamp returns what stands for the text of a file.
func (v *view) stamp(path string) stamp {
	if d := v.docs[path]; d != nil {
		return d.stamp
	}
	return v.disk.stamp(path)
}

// Open implements [fs.FS].
func (v *view) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	p, err := v.read(osPath(name))
	if err == nil {
		return &openFile{fileInfo{path.Base(name), int64(len(p.text)), 0o444}, bytes.NewReader(p.text)}, nil
	}
	if _, dirErr := v.ReadDir(name); dirErr == nil {
		return &openFile{fileInfo{path.Base(name), 0, fs.ModeDir | 0o555}, bytes.NewReader(nil)}, nil
	}
	return nil, err
}

// ReadFile implements [fs.ReadFileFS].
func (v *view) ReadFile(name string) ([]byte, error) {
	p, err := v.read(osPath(name))
	if err != nil {
		return nil, err
	}
	return bytes.Clone(p.text), nil
}

// readFile reads a file by its path of the operating system.
func (v *view) readFile(name string) ([]byte, error) {
	p, err := v.read(realPath(name))
	if err != nil {
		return nil, err
	}
	return p.text, nil
}

// ReadDir implements [fs.ReadDirFS]: documents that are not saved are listed as well.
func (v *view) ReadDir(name string) ([]fs.DirEntry, error) {
	dir := osPath(name)
	entries, err := v.disk.dir(dir)
	entries = slices.Clone(entries) // callers may change the list, as an overlay does
	var more []fs.DirEntry
	for at, d := range v.docs {
		if filepath.Dir(at) == dir {
			base := filepath.Base(at)
			if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == base }) {
				more = append(more, fs.FileInfoToDirEntry(fileInfo{base, int64(len(d.text)), 0o444}))
			}
		}
	}
	if len(more) > 0 {
		entries, err = append(more, entries...), nil
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	}
	v.trace.dir(dir, entries)
	return entries, err
}

// Parsed implements [hclconfig.ParsedFS].
func (v *view) Parsed(name string, d hclconfig.Dialect) *hclconfig.File {
	p, err := v.read(osPath(name))
	if err != nil {
		return nil
	}
	m := p.meaning(d)
	if v.asIs {
		return m.real
	}
	return m.understood
}

// lines returns the lines of a file.
func (v *view) lines(name string) *lineIndex {
	p, err := v.read(osPath(name))
	if err != nil {
		return indexLines(nil)
	}
	return p.index()
}

// place returns the place of a range in the client's encoding.
func (v *view) place(r addrs.Range) textRange {
	start, end := span(r)
	return v.lines(r.Filename).rangeOf(start, end, v.enc)
}

// namePlace is like place, of a name without its quotes.
func (v *view) namePlace(r addrs.Range) textRange {
	x := v.lines(r.Filename)
	start, end := x.bare(r)
	return x.rangeOf(start, end, v.enc)
}

// location returns where a range is.
func (v *view) location(r addrs.Range) location {
	return location{v.uri(r.Filename), v.place(r)}
}

// uri returns the URI of a file: that of the client, if the document is open.
func (v *view) uri(name string) string {
	p := osPath(name)
	if d := v.docs[p]; d != nil {
		return d.uri
	}
	return uriOf(p)
}

// dialect returns the dialect of the settings.
func (v *view) dialect() hclconfig.Dialect { return v.settings.dialect() }

// document returns the open document of a URI, or the file.
func (v *view) document(uri string) *document {
	key, isPath := keyOf(uri)
	if d := v.docs[key]; d != nil || !isPath {
		return d
	}
	f, err := v.disk.file(key)
	if err != nil {
		return nil
	}
	return &document{parsedFile: f, uri: uri, at: key}
}

// file returns a document as a file of the configuration, or nil if it is none.
func (v *view) file(d *document) *hclconfig.File {
	switch {
	case d == nil:
		return nil
	case d.at == "":
		return d.meaning(v.dialect()).understood
	}
	if _, ok := hclconfig.ParseFilename(d.at); !ok {
		return nil
	}
	return v.Parsed(nameOf(d.at), v.dialect())
}

// moduleDir returns the directory of the module that a file belongs to.
func (v *view) moduleDir(file string) string {
	dir := filepath.Dir(file)
	name, ok := hclconfig.ParseFilename(file)
	if ok && (name.Kind == hclconfig.TestFile || name.Kind == hclconfig.ValuesFile) && filepath.Base(dir) == "tests" && !v.isModule(dir) {
		return filepath.Dir(dir)
	}
	return dir
}

// isModule reports whether a directory has configuration.
func (v *view) isModule(dir string) bool {
	entries, _ := v.ReadDir(nameOf(dir))
	return slices.ContainsFunc(entries, isConfiguration)
}

func isConfiguration(e fs.DirEntry) bool {
	name, ok := hclconfig.ParseFilename(e.Name())
	return ok && !e.IsDir() && name.Kind == hclconfig.ConfigFile
}

// skipped reports whether a directory is left out where a folder is searched.
func skipped(name string) bool {
	return name == "node_modules" || strings.HasPrefix(name, ".")
}

// maxFiles bounds how many files and directories of a folder are looked at.
const maxFiles = 1_000_000

// modules returns the directories with configuration below some directories. A link to a directory
// is not followed: what it leads to has another path.
func (v *view) modules(tops []string) []string {
	found := map[string]bool{}
	for _, top := range tops {
		n := 0
		fs.WalkDir(v, nameOf(top), func(name string, e fs.DirEntry, err error) error {
			switch n++; {
			case n > maxFiles:
				return fs.SkipAll
			case err != nil: // what cannot be read has no modules
			case e.IsDir() && skipped(e.Name()) && name != nameOf(top):
				return fs.SkipDir
			case isConfiguration(e):
				found[filepath.Dir(osPath(name))] = true
			}
			return nil
		})
	}
	return slices.Sorted(maps.Keys(found))
}

// within reports whether a path is in one of the directories.
func within(p string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return contains(dir, p) })
}

func contains(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && filepath.IsLocal(rel)
}

// tops returns the directories to search for modules that call the one in dir: the folders or,
// where none has it, its repository or else itself.
func (v *view) tops(dir string) []string {
	if within(dir, v.folders) {
		return v.folders
	}
	return append(slices.Clone(v.folders), cmp.Or(v.repository(dir), dir))
}

// repository returns the repository that a directory is in, or "".
func (v *view) repository(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		entries, err := v.disk.dir(at)
		switch {
		case err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == ".git" }):
			return at
		case filepath.Dir(at) == at:
			return ""
		}
	}
}

// A fileInfo describes a file that may not be on the disk.
type fileInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return time.Time{} }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }

type openFile struct {
	info fileInfo
	*bytes.Reader
}

func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *openFile) Close() error               { return nil }
