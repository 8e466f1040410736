// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

func isConfiguration(e fs.DirEntry) bool {
	name, ok := hclconfig.ParseFilename(e.Name())
	return ok && !e.IsDir() && name.Kind == hclconfig.ConfigFile
}

// callers collects the edits in modules that call the module by a local path.
func (r *renamer) callers() error {
	if r.callerDirs == nil {
		if err := r.findDirs(); err != nil {
			return err
		}
	}
	for _, dir := range r.callerDirs {
		if dir == r.dir {
			continue
		}
		if err := r.caller(dir); err != nil {
			return err
		}
	}
	if !r.computed {
		return nil
	}
	for _, d := range dialects {
		if err := r.computedCalls(d); err != nil {
			return err
		}
	}
	return nil
}

// A computedCall is a call whose source is not a constant.
type computedCall struct {
	hclnames.Caller
	dirs    []string // where it leads
	unknown bool     // whether it may lead elsewhere
}

// computedCalls collects the edits in modules with calls that lead to the module because of what
// their own callers give them. It returns an error for one that leads to other modules as well.
func (r *renamer) computedCalls(d hclconfig.Dialect) error {
	below, err := fs.Sub(r.fsys, r.root) // the file system may be a whole disk
	if err != nil {
		return err
	}
	var calls []computedCall
	for c, err := range hclnames.Calls(below, d, hclconfig.TestDirectory("")) {
		if err != nil || c.Call.IsLocal() || path.Join(r.root, c.Module.Dir) == r.dir {
			continue // faults of other modules are theirs
		}
		if len(calls) == 0 || calls[len(calls)-1].Call != c.Call {
			calls = append(calls, computedCall{Caller: c})
		}
		last := &calls[len(calls)-1]
		if last.unknown = c.Unknown; !c.Unknown {
			last.dirs = append(last.dirs, path.Join(r.root, c.Dir))
		}
	}
	for _, c := range calls {
		if !c.unknown && !slices.Contains(c.dirs, r.dir) {
			continue
		}
		m, err := hclconfig.LoadModule(r.fsys, path.Join(r.root, c.Module.Dir), d, hclconfig.TestDirectory(""))
		if err != nil {
			return err
		}
		names, call := hclnames.NamesOf(m), "module."+c.Call.Name
		uses := len(names.Uses(call+"."+r.from.text)) > 0
		switch whole := r.from.kind == "output" && slices.ContainsFunc(names.Uses(call), hclnames.Use.IsWhole); {
		case !uses && !whole:
		case c.unknown:
			return fmt.Errorf("%s: the source of this call is not known; it may be the module in DIR", c.Call.Block.DefRange())
		case len(c.dirs) > 1:
			return fmt.Errorf("%s: this call leads to different modules, depending on its own callers: %s", c.Call.Block.DefRange(), strings.Join(c.dirs, ", "))
		default:
			if err := r.call(names, call, true); err != nil {
				return err
			}
		}
	}
	return nil
}

// findDirs finds the directories that have configuration.
func (r *renamer) findDirs() error {
	dirs := []string{}
	err := fs.WalkDir(r.fsys, r.root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist) && name != r.root:
			return nil // it vanished while the directories were read
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == ".terraform" || e.Name() == ".git" || e.Name() == "node_modules"):
			return fs.SkipDir
		case isConfiguration(e) && (len(dirs) == 0 || dirs[len(dirs)-1] != path.Dir(name)):
			dirs = append(dirs, path.Dir(name))
		}
		return nil
	})
	slices.Sort(dirs)
	r.callerDirs = slices.Compact(dirs)
	return err
}

// treesOf returns the tree of a directory, for each of the dialects.
func (r *renamer) treesOf(dir string) ([]*hclnames.Tree, error) {
	if list, ok := r.trees[dir]; ok {
		return list, nil
	}
	var list []*hclnames.Tree
	for _, d := range dialects {
		tree, err := hclnames.LoadTree(r.fsys, dir, d, hclconfig.TestDirectory(""))
		if err != nil && !errors.Is(err, hclconfig.ErrLimit) { // a circle of modules has a tree, too
			return nil, err
		}
		list = append(list, tree)
	}
	r.trees[dir] = list
	return list, nil
}

func (r *renamer) caller(dir string) error {
	trees, err := r.treesOf(dir)
	if err != nil {
		return err
	}
	for _, tree := range trees {
		m := tree.Module
		for _, f := range m.Tests {
			for _, run := range f.Config().Runs {
				if run.Module != nil && r.isModule(dir, run.Module.Source.Value) && bytes.Contains(f.Bytes(), []byte(r.from.name)) {
					if err := r.run(m, f, run); err != nil {
						return err
					}
				}
			}
		}
		if err := r.unread(m); err != nil {
			return err
		}
		for _, call := range m.Calls {
			_, err := call.SourceAddr()
			r.computed = r.computed || errors.Is(err, hclconfig.ErrNotConstant)
		}
		var names *hclnames.Names
		for n := range tree.All() {
			if n.Parent == nil {
				continue
			}
			if !r.isDir(n.Module.Dir) {
				continue
			}
			for _, f := range m.Files {
				if f.Err() != nil {
					return f.Err()
				}
			}
			if names == nil {
				names = hclnames.NamesOf(m)
			}
			if err := r.call(names, n.Path(), n.Parent.Parent == nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// unread returns the error of a file with a syntax error that may have a call of the module: it has
// the names of both, and what could not be read is not known.
func (r *renamer) unread(m *hclconfig.Module) error {
	last := path.Base(r.dir)
	if last == "." {
		last = ".."
	}
	for _, f := range slices.Concat(m.Files, m.Tests) {
		if f.Err() != nil && bytes.Contains(f.Bytes(), []byte(last)) && bytes.Contains(f.Bytes(), []byte(r.from.name)) {
			return f.Err()
		}
	}
	return nil
}

// run collects the edits in a run of a test of another module that uses the module.
func (r *renamer) run(m *hclconfig.Module, f *hclconfig.File, run *hclconfig.Run) error {
	if r.from.kind == "var" {
		if v := f.Body().Block("variables"); v != nil && (v.Argument(r.from.name) != nil || v.Argument(r.to.name) != nil) {
			return fmt.Errorf("%s: the file also gives a value to other modules", v.DefRange())
		}
		if slices.ContainsFunc(m.Variables, func(v *hclconfig.Variable) bool { return v.Name == r.from.name || v.Name == r.to.name }) {
			return fmt.Errorf("%s: a test of another module, which has such a variable as well, runs this module", run.Block.DefRange())
		}
	}
	uses := hclnames.UsesOfRun(run)
	if r.from.kind == "output" {
		for _, u := range hclnames.NamesOf(m).Uses("run." + run.Name + "." + r.from.name) {
			if u.Range().Filename == f.Filename() {
				uses = append(uses, u)
			}
		}
	}
	for _, u := range uses {
		switch u.Address {
		case r.to.text:
			return fmt.Errorf("%s: %s is already named", u.NameRange(), r.to.text)
		case r.from.text, "run." + run.Name + "." + r.from.name:
			if err := r.use(u); err != nil {
				return err
			}
		}
	}
	return nil
}

// isModule reports whether a source leads from dir to the module.
func (r *renamer) isModule(dir, source string) bool {
	return strings.HasPrefix(source, ".") && r.isDir(path.Join(dir, strings.ReplaceAll(source, `\`, "/")))
}

// isDir reports whether a path leads to the directory of the module, also through links.
func (r *renamer) isDir(dir string) bool {
	dir = path.Clean(dir)
	if dir == r.dir {
		return true
	}
	same, ok := r.same[dir]
	if !ok {
		a, err := fs.Stat(r.fsys, dir)
		b, err2 := fs.Stat(r.fsys, r.dir)
		same = err == nil && err2 == nil && os.SameFile(a, b)
		r.same[dir] = same
	}
	return same
}

// call collects the edits in a module that calls the module, which is direct, or calls a module
// that does. The former uses its inputs and outputs, and the latter only addresses.
func (r *renamer) call(names *hclnames.Names, call string, direct bool) error {
	if r.from.kind == "output" && direct {
		for _, u := range names.Uses(call) {
			if u.IsWhole() {
				return fmt.Errorf("%s: the outputs of the module are used as a whole", u.Range())
			}
		}
	}
	for _, u := range names.Uses(call + "." + r.to.text) {
		if r.from.kind == "var" {
			return fmt.Errorf("%s: %s is already set", u.Range(), r.to.text)
		}
	}
	for _, u := range names.Uses(call + "." + r.from.text) {
		if r.isRemoved(u) {
			return fmt.Errorf("%s is removed at %s", r.from.text, u.NameRange())
		}
		if err := r.use(u); err != nil {
			return err
		}
	}
	return nil
}

// verify reads the changed modules and compares them with the old ones: they
// must have no new errors, and the old name must be gone.
func (r *renamer) verify(out map[string][]byte) error {
	var changed []*hclconfig.File
	dirs := []string{r.dir}
	for name, text := range out {
		f, err := hclconfig.Parse(name, text)
		if err != nil {
			return err
		}
		changed = append(changed, f)
		for link, same := range r.same {
			if same && path.Dir(name) == r.dir { // the callers read the file by this name
				if f, err = hclconfig.Parse(path.Join(link, path.Base(name)), text); err != nil {
					return err
				}
				changed = append(changed, f)
			}
		}
		if dir := path.Dir(name); !slices.Contains(dirs, dir) && path.Base(dir) != "tests" {
			dirs = append(dirs, dir)
		}
	}
	if r.retype {
		return nil // the arguments are those of the old type: errors about them say nothing
	}
	overlay := hclconfig.Overlay(r.fsys, changed...)
	for _, dir := range dirs {
		before, readable := make([][]string, len(dialects)), false
		for i, d := range dialects {
			var err error
			if before[i], err = problems(r.fsys, dir, d); err != nil {
				return err
			}
			readable = readable || len(before[i]) == 0
		}
		for i, d := range dialects {
			if readable && len(before[i]) > 0 {
				continue // for the other program only; which errors this one finds first depends on names
			}
			after, err := problems(overlay, dir, d)
			if err != nil {
				return err
			}
			if len(after) > len(before[i]) {
				return fmt.Errorf("the result would not be valid: %s", after[0])
			}
		}
	}
	return nil
}

// problems returns the errors of a module.
func problems(fsys fs.FS, dir string, d hclconfig.Dialect) ([]string, error) {
	t, err := hclnames.LoadTree(fsys, dir, d, hclconfig.TestDirectory(""))
	if err != nil {
		return nil, err
	}
	var out []string
	for x := range hclcheck.Validate(t, hclcheck.Validation{Plan: true}).Errors() {
		out = append(out, x.String())
	}
	return out, nil
}
