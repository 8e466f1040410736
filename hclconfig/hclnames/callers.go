// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"errors"
	"io/fs"
	"iter"
	"path"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// A Caller is a call of a module in a file system.
type Caller struct {
	// Module has the call, and Call is it.
	Module *hclconfig.Module
	Call   *hclconfig.ModuleCall
	// Dir is the directory of the called module, which need not exist. It is empty if Unknown.
	Dir string
	// Unknown says that the source of the call is computed from something that is not known:
	// it may lead to any module of the file system. A program that relies on knowing all callers
	// stops.
	Unknown bool
}

// Callers returns an iterator over the calls of the module in the directory dir of fsys: those of
// [Calls] that lead or may lead to it. To ask for several modules, use Calls once: each of them
// reads all modules.
func Callers(fsys fs.FS, dir string, opts ...hclconfig.Option) iter.Seq2[Caller, error] {
	return func(yield func(Caller, error) bool) {
		dir := path.Clean(dir)
		for c, err := range Calls(fsys, opts...) {
			if (err != nil || c.Unknown || c.Dir == dir) && !yield(c, err) {
				return
			}
		}
	}
}

// Calls returns an iterator over the calls with a local source, also one that is computed, as
// [LoadTree] does, in all modules that [hclconfig.Modules] finds in fsys, in the order of the
// directories and of the text. A module that cannot be read is yielded as an error, and the
// iterator goes on. Options are those of LoadTree. Callers outside fsys are not found. A run of a
// test that uses a module is no call: see [UsesOfRun].
func Calls(fsys fs.FS, opts ...hclconfig.Option) iter.Seq2[Caller, error] {
	return func(yield func(Caller, error) bool) {
		for d, err := range hclconfig.Modules(fsys) {
			if err != nil {
				if !yield(Caller{}, err) {
					return
				}
				continue
			}
			if len(d.Files) == 0 {
				continue
			}
			m, err := hclconfig.LoadModule(fsys, d.Dir, opts...)
			if err != nil {
				if !errors.Is(err, fs.ErrNotExist) && !yield(Caller{}, err) {
					return
				}
				continue
			}
			l := treeLoader{values: NewEvaluator(nil)}
			t := &Tree{Module: m, FS: fsys, VariableFiles: variableFiles(fsys, d.Dir), Workspace: workspaceOf(fsys, d.Dir, opts)}
			for _, call := range m.Calls {
				to, known := l.leadsTo(t, call)
				if (!known || to != "") && !yield(Caller{m, call, to, !known}, nil) {
					return
				}
			}
		}
	}
}

// leadsTo returns the directory of a call, or "" for one that leads outside the file system, and
// whether that is known.
func (l *treeLoader) leadsTo(t *Tree, call *hclconfig.ModuleCall) (dir string, known bool) {
	if call.IsLocal() {
		return call.LocalDir(t.Module.Dir), true
	}
	if call.Source.Argument == nil || !computesSources(t.Module.Dialect()) {
		return "", true
	}
	if _, err := call.Source.Argument.Constant(); err == nil {
		return "", true
	}
	dir, known = computedDir(l.values, t, call)
	if known {
		return dir, true
	}
	v := l.values.Evaluate(t, call.Source.Argument.Expression)
	return "", v.Early && v.Value.IsWhollyKnown() // such as a registry's address
}

// Reference returns the reference that the use is, for hcledit.Editor.ReplaceReference. It reports
// false for a use that is written as a name alone, such as an argument of a module call or
// a key of its providers: NameRange is the place of that.
//
//	for _, u := range names.Uses("var.region") {
//		if r, ok := u.Reference(); ok {
//			editor(r.File()).ReplaceReference(r, "local.region")
//		}
//	}
func (u Use) Reference() (hclconfig.Reference, bool) {
	if u.In == nil {
		return hclconfig.Reference{}, false
	}
	at := u.Range()
	for _, r := range u.In.Body.References() {
		if r.File() == u.file && r.Range() == at {
			return r, true
		}
	}
	return hclconfig.Reference{}, false
}
