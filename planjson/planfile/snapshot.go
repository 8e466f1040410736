// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planfile

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A Module is a module of a plan's configuration.
type Module struct {
	Key     string `json:"Key"`               // the names of the calls, joined by dots; "" for the root
	Source  string `json:"Source"`            // as in the call
	Version string `json:"Version,omitempty"` // of a module of a registry
	Dir     string `json:"Dir"`               // relative to the folder in which the tool ran; may lead out of it
}

// Modules returns the modules of the configuration, as the plan lists them. The error is an [*Error].
func (f *File) Modules() ([]Module, error) {
	list, err := f.modules()
	return slices.Clone(list), err
}

func (f *File) modules() ([]Module, error) {
	if err := f.opened(); err != nil {
		return nil, err
	}
	return f.modulesOnce()
}

// maxManifestDepth is how deep the list of modules may nest as JSON.
const maxManifestDepth = 100

func (f *File) readModules() (list []Module, err error) {
	text, err := f.archive.read(entryModules)
	if err != nil {
		return nil, err
	}
	if text == nil {
		text = []byte("[]")
	}
	if _, fault := jsonscan.Value(text, jsonscan.Space(text, 0), maxManifestDepth); fault != jsonscan.OK {
		return nil, inEntry(entryModules, invalid("%w", fault))
	}
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, inEntry(entryModules, invalid("%w", err))
	}
	keys := make(map[string]bool)
	for _, m := range list {
		switch {
		case keys[m.Key]:
			return nil, inEntry(entryModules, invalid("the module %q occurs twice", short(m.Key)))
		case !plainKey(m.Key):
			return nil, inEntry(entryModules, invalid("%q is not the key of a module", short(m.Key)))
		}
		keys[m.Key] = true
	}
	for key, names := range f.archive.files {
		if !keys[key] {
			return nil, inEntry(modulePrefix+key+"/"+names[0], invalid("it is a file of a module that is not listed"))
		}
	}
	return list, nil
}

// moduleFiles returns the files of a module by name.
func (f *File) moduleFiles(key string) (map[string][]byte, error) {
	files := make(map[string][]byte)
	for _, name := range f.archive.files[key] {
		text, err := f.archive.read(modulePrefix + key + "/" + name)
		if err != nil {
			return nil, err
		}
		files[name] = text
	}
	return files, nil
}

// Snapshot returns the configuration as a file system. The tools can use it when it is
// copied to a folder. Each module is at its Dir, or at .terraform/modules/KEY if Dir
// leads out of the folder; .terraform/modules/modules.json and the lock file are
// included. The error wraps [ErrInvalid] if two modules have different files with the
// same path.
func (f *File) Snapshot() (fs.FS, error) {
	modules, err := f.modules()
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	put := func(name string, text []byte) error {
		if old, ok := files[name]; ok && !bytes.Equal(old, text) {
			return &Error{Offset: -1, Err: invalid("two files are to be at %q", short(name))}
		}
		files[name] = text
		return nil
	}
	manifest := struct{ Modules []Module }{[]Module{}}
	for _, m := range modules {
		m.Dir = placeIn(m)
		manifest.Modules = append(manifest.Modules, m)
		own, err := f.moduleFiles(m.Key)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(own)) {
			if err := put(path.Join(m.Dir, name), own[name]); err != nil {
				return nil, err
			}
		}
	}
	text, err := json.Marshal(manifest)
	if err == nil {
		err = put(".terraform/modules/modules.json", text)
	}
	if err != nil {
		return nil, inEntry(entryModules, err)
	}
	lock, err := f.archive.read(entryLock)
	if err == nil && lock != nil {
		err = put(entryLock, lock)
	}
	if err != nil {
		return nil, err
	}
	for name := range files {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if _, ok := files[dir]; ok {
				return nil, &Error{Offset: -1, Err: invalid("%q is a file and a folder", short(dir))}
			}
		}
	}
	return fileSystem(files)
}

// placeIn returns where in a folder the files of a module go.
func placeIn(m Module) string {
	dir := path.Clean(strings.ReplaceAll(m.Dir, "\\", "/"))
	if m.Dir != "" && fs.ValidPath(dir) && !strings.ContainsAny(dir, ":\x00") {
		return dir
	}
	if m.Key == "" {
		return "."
	}
	return ".terraform/modules/" + m.Key
}

// fileSystem returns a file system with these files.
func fileSystem(files map[string][]byte) (fs.FS, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &zip.FileHeader{Name: name, Method: zip.Store}
		h.SetMode(0o644)
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write(files[name])
		}
		if err != nil {
			return nil, &Error{Offset: -1, Err: err}
		}
	}
	if err := w.Close(); err != nil {
		return nil, &Error{Offset: -1, Err: err}
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		return nil, &Error{Offset: -1, Err: err}
	}
	return z, nil
}

// Tree returns the configuration in the dialect of the tool: the root module and the modules that
// it calls, as [hclnames.LoadTree] returns them. The places in it are in folders m-KEY of the plan.
// The error is an [*Error]; faults of the files are no error.
func (f *File) Tree() (*hclnames.Tree, error) {
	m, err := f.plan()
	if err != nil {
		return nil, err
	}
	r, err := f.release()
	if err != nil {
		return nil, err
	}
	t, err := f.tree(r, m.release)
	if err != nil {
		return nil, err
	}
	t.Workspace = m.backend.Workspace
	return t, nil
}

func (f *File) tree(r release, version string) (*hclnames.Tree, error) {
	modules, err := f.modules()
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	there := make(map[string]bool)
	for _, m := range modules {
		own, err := f.moduleFiles(m.Key)
		if err != nil {
			return nil, err
		}
		there[m.Key] = true
		for name, text := range own {
			files["m-"+m.Key+"/"+name] = text
		}
		files["m-"+m.Key+"/.module"] = nil // so that there is a folder
	}
	fsys, err := fileSystem(files)
	if err != nil {
		return nil, err
	}
	l := treeLoader{fsys: fsys, there: there, dialect: r.dialect(version)}
	t, err := l.load("", nil, nil)
	if err == nil {
		t.FS = fsys
	}
	return t, err
}

// A treeLoader loads modules by their keys. There are as many calls as keys at most, so that nothing
// that is called in a circle has no end.
type treeLoader struct {
	fsys    fs.FS
	there   map[string]bool
	dialect hclconfig.Dialect
}

func (l treeLoader) load(key string, parent *hclnames.Tree, call *hclconfig.ModuleCall) (*hclnames.Tree, error) {
	m, err := hclconfig.LoadModule(l.fsys, "m-"+key, l.dialect)
	if err != nil {
		return nil, inEntry(modulePrefix+key, invalid("%w", err))
	}
	for _, file := range m.Files {
		if err := file.Err(); err != nil {
			return nil, inEntry("tfconfig/"+file.Filename(), invalid("%w", err))
		}
	}
	t := &hclnames.Tree{Module: m, Call: call, Parent: parent}
	for _, c := range m.Calls {
		child := c.Name
		if key != "" {
			child = key + "." + c.Name
		}
		if !l.there[child] {
			return nil, inEntry(entryModules, invalid("the module %q, which is called, is not listed", short(child)))
		}
		loaded, err := l.load(child, t, c)
		if err != nil {
			return nil, err
		}
		t.Children = append(t.Children, loaded)
	}
	return t, nil
}
