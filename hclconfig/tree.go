// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"encoding/json"
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
)

// A Tree is a module together with the modules that it calls. The root of it
// is made by [LoadTree].
type Tree struct {
	// Module is the module itself. Calls of the same directory share it.
	Module *Module
	// Call is the call that leads here, and Parent the tree of the calling
	// module. Both are nil for the root.
	Call   *ModuleCall
	Parent *Tree
	// Children has the called modules, in the order of the calls.
	Children []*Tree
	// Missing has the calls whose modules could not be found: modules that
	// are not local and not installed. Nothing is said about their inputs
	// and outputs.
	Missing []*ModuleCall
}

// maxTree is how many modules a tree has at most. A few directories that call
// each other several times would otherwise make more than any memory holds.
const maxTree = 10000

// LoadTree reads the module in the directory dir of fsys and all modules that it
// calls, as [LoadModule] reads each of them. Local sources are followed, and so
// are the others if they are installed: if .terraform/modules/modules.json below
// dir says where. What is not found is in [Tree.Missing].
//
// Options are those of LoadModule; [TestDirectory] holds for the root only. The
// error is that of LoadModule for the root, or an [*Error] that wraps
// [ErrTooDeep] if modules call each other in a circle or are more than 10,000.
func LoadTree(fsys fs.FS, dir string, opts ...Option) (*Tree, error) {
	root, err := LoadModule(fsys, dir, opts...)
	if err != nil {
		return nil, err
	}
	l := treeLoader{
		fsys: fsys, opts: append(slices.Clone(opts), noTests{}), modules: map[string]*Module{},
		installed: readManifest(fsys, dir),
	}
	t := &Tree{Module: root}
	l.modules[path.Clean(dir)] = root
	return t, l.children(t, "", []string{path.Clean(dir)})
}

// noTests undoes TestDirectory.
type noTests struct{}

func (noTests) apply(o *options) { o.tests = false }

type treeLoader struct {
	fsys      fs.FS
	opts      []Option
	modules   map[string]*Module // by directory; nil if there is none
	installed map[string]string  // directories by key
	n         int
}

// readManifest returns the directories of installed modules by their keys.
func readManifest(fsys fs.FS, dir string) map[string]string {
	src, err := fs.ReadFile(fsys, path.Join(dir, ".terraform/modules/modules.json"))
	if err != nil {
		return nil
	}
	var doc struct {
		Modules []struct{ Key, Dir string }
	}
	if json.Unmarshal(src, &doc) != nil {
		return nil // as good as none
	}
	out := make(map[string]string, len(doc.Modules))
	for _, m := range doc.Modules {
		out[m.Key] = path.Join(dir, strings.ReplaceAll(m.Dir, `\`, "/"))
	}
	return out
}

func (l *treeLoader) children(t *Tree, key string, above []string) error {
	for _, call := range t.Module.Calls {
		childKey := strings.TrimPrefix(key+"."+call.Name, ".")
		dir, ok := "", false
		if call.IsLocal() {
			dir, ok = call.LocalDir(t.Module.Dir), true
		} else {
			dir, ok = l.installed[childKey]
		}
		if !ok || !fs.ValidPath(dir) {
			t.Missing = append(t.Missing, call)
			continue
		}
		at := call.Block.file
		if slices.Contains(above, dir) {
			return at.faultf(int(call.Block.defAt().Start), ErrTooDeep, "module %s calls itself", call.Name)
		}
		if l.n++; l.n > maxTree {
			return at.faultf(int(call.Block.defAt().Start), ErrTooDeep, "more than %d modules", maxTree)
		}
		m, known := l.modules[dir]
		if !known {
			var err error
			if m, err = LoadModule(l.fsys, dir, l.opts...); err != nil {
				if !errors.Is(err, fs.ErrNotExist) && !call.IsLocal() {
					return err
				}
				m = nil
			}
			l.modules[dir] = m
		}
		if m == nil {
			t.Missing = append(t.Missing, call)
			continue
		}
		child := &Tree{Module: m, Call: call, Parent: t}
		t.Children = append(t.Children, child)
		if err := l.children(child, childKey, append(slices.Clone(above), dir)); err != nil {
			return err
		}
	}
	return nil
}

// Path returns the path of calls from the root, such as
// "module.network.module.subnet". It is empty for the root.
func (t *Tree) Path() string {
	if t == nil || t.Parent == nil {
		return ""
	}
	return strings.TrimPrefix(t.Parent.Path()+".module."+t.Call.Name, ".")
}

// All returns an iterator over the tree itself and all modules below it, each
// before those that it calls.
func (t *Tree) All() iter.Seq[*Tree] {
	return func(yield func(*Tree) bool) {
		if t != nil {
			t.all(yield)
		}
	}
}

func (t *Tree) all(yield func(*Tree) bool) bool {
	if !yield(t) {
		return false
	}
	for _, c := range t.Children {
		if !c.all(yield) {
			return false
		}
	}
	return true
}
