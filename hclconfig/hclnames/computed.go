// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/zclconf/go-cty/cty"
)

// maxComputed is how many modules the trees of all directories have at most. If there are more, no
// computed source is known.
const maxComputed = 10 * maxTree

// computedCalls has where the calls with computed sources lead, by the places of their blocks.
// Each module of the file system is read as a root and with all that it calls: the programs compute
// sources anew for each call of the module that has them.
type computedCalls struct {
	fsys    fs.FS
	loader  treeLoader
	modules int // that the trees have
	targets map[addrs.Range]*targets
	called  map[string]bool // the directories that others call
	partial bool            // there are callers that are not among them
}

// targets is where one call leads.
type targets struct {
	dirs    map[string]bool // "" is one outside the file system
	unknown map[string]bool // the roots for which it is not known, "" for the run of a test
}

// isComputed reports whether the source of a call has to be computed.
func isComputed(m *hclconfig.Module, call *hclconfig.ModuleCall) bool {
	if call.IsLocal() || call.Source.Argument == nil || !computesSources(m.Dialect()) {
		return false
	}
	_, err := call.Source.Argument.Constant()
	return err != nil
}

// findComputed reads the trees of all modules in dirs.
func findComputed(fsys fs.FS, opts []hclconfig.Option, dirs iter.Seq2[hclconfig.Directory, error]) *computedCalls {
	c := &computedCalls{
		fsys: fsys, targets: map[addrs.Range]*targets{}, called: map[string]bool{},
		loader: treeLoader{fsys: fsys, opts: withoutTests(opts), modules: map[string]*hclconfig.Module{}},
	}
	withTests := append([]hclconfig.Option{hclconfig.TestDirectory("")}, opts...)
	for d, err := range dirs {
		if err != nil || len(d.Files) == 0 {
			c.partial = c.partial || err != nil
			continue
		}
		m, err := hclconfig.LoadModule(fsys, d.Dir, withTests...)
		if err != nil {
			c.partial = true
			continue
		}
		t := &Tree{Module: m, FS: fsys, VariableFiles: variableFiles(fsys, d.Dir), Workspace: workspaceOf(fsys, d.Dir, opts)}
		values, errs := t.Variables(nil)
		if len(errs) > 0 {
			values = nil // then those of variables that files may have are not known
		}
		c.loader.modules[path.Clean(d.Dir)] = m
		c.loader.text += textOf(m)
		c.root(t, values, m.Dir)
		c.runs(t)
	}
	return c
}

// runs reads the modules that the tests of a module run. They get the values of the run alone: those
// of the whole test file are not used for sources.
func (c *computedCalls) runs(t *Tree) {
	for _, f := range t.Module.Tests {
		for _, run := range f.Config().Runs {
			if !run.Module.IsLocal() {
				continue
			}
			dir := run.Module.LocalDir(t.Module.Dir)
			m, err := hclconfig.LoadModule(c.fsys, dir, c.loader.opts...)
			if err != nil {
				continue
			}
			given := map[string]cty.Value{}
			for _, a := range run.Variables {
				if given[a.Name], err = a.Constant(); err != nil {
					given[a.Name] = cty.DynamicVal
				}
			}
			c.called[path.Clean(dir)] = true
			c.root(&Tree{Module: m, FS: c.fsys, WorkingDir: t.Module.Dir, VariableFiles: t.VariableFiles, Workspace: t.Workspace}, given, "")
		}
	}
}

// root reads the tree of a root and notes where its calls lead.
func (c *computedCalls) root(t *Tree, given map[string]cty.Value, name string) {
	if c.modules > maxComputed {
		c.partial = true
		return
	}
	l := &c.loader
	l.values, l.n, l.repeated = NewEvaluator(given), 0, textOf(t.Module)
	if err := l.children(t, "", []string{path.Clean(t.Module.Dir)}); err != nil {
		c.partial = true
	}
	c.modules += l.n + 1
	for n := range t.All() {
		if n.Parent != nil {
			c.called[path.Clean(n.Module.Dir)] = true
		}
		for _, call := range n.Module.Calls {
			if !isComputed(n.Module, call) {
				continue
			}
			to := c.targets[call.Block.DefRange()]
			if to == nil {
				to = &targets{dirs: map[string]bool{}, unknown: map[string]bool{}}
				c.targets[call.Block.DefRange()] = to
			}
			if dir, known := leadsTo(l.values, n, call); known {
				to.dirs[realDir(c.fsys, dir)] = true
			} else {
				to.unknown[name] = true
			}
		}
	}
}

// leadTo returns the directories that a call leads to, and whether there may be others, such as one
// outside the file system for some callers. A module
// that others call may have variables without a value when it is read as a root.
func (c *computedCalls) leadTo(call *hclconfig.ModuleCall) (dirs []string, unknown bool) {
	to := c.targets[call.Block.DefRange()]
	if to == nil {
		return nil, true
	}
	unknown = c.partial || to.dirs[""] && len(to.dirs) > 1
	for root := range to.unknown {
		unknown = unknown || !c.called[path.Clean(root)]
	}
	return slices.Sorted(maps.Keys(to.dirs)), unknown
}

// leadsTo returns the directory that a computed source leads to, or "" for one outside the file
// system, and whether that is known.
func leadsTo(values *Evaluator, t *Tree, call *hclconfig.ModuleCall) (dir string, known bool) {
	if dir, known = computedDir(values, t, call); known {
		return dir, true
	}
	v := values.Evaluate(t, call.Source.Argument.Expression)
	if !v.Early || !v.Value.IsWhollyKnown() || v.Value.IsNull() {
		return "", false
	}
	if text, err := hcleval.TextOf(v.Value); err == nil && isAbsolute(text) {
		return text, true
	}
	return "", true // such as a registry's address
}

// isAbsolute reports whether a source is a path from the root of the machine's files.
func isAbsolute(source string) bool {
	return strings.HasPrefix(source, "/") || strings.HasPrefix(source, "file:")
}

// realDir returns the directory that is meant by a path through links, or the path itself.
func realDir(fsys fs.FS, dir string) string {
	if !fs.ValidPath(dir) || !hasLink(fsys, dir) {
		return dir
	}
	info, err := fs.Stat(fsys, dir)
	if err != nil {
		return dir
	}
	for d, err := range hclconfig.Modules(fsys) {
		if err != nil || len(d.Files) == 0 {
			continue
		}
		if other, err := fs.Stat(fsys, d.Dir); err == nil && os.SameFile(info, other) {
			return d.Dir
		}
	}
	return dir
}

// hasLink reports whether a part of a path is a link.
func hasLink(fsys fs.FS, name string) bool {
	for ; name != "."; name = path.Dir(name) {
		if info, err := fs.Lstat(fsys, name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}
