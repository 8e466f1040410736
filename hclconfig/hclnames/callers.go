// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"errors"
	"io/fs"
	"iter"
	"path"
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A Caller is a call of a module in a file system.
type Caller struct {
	// Module has the call, and Call is it.
	Module *hclconfig.Module
	Call   *hclconfig.ModuleCall
	// Dir is the directory of the called module, which need not exist. It is empty if Unknown. Of a
	// source that leads through a link, it is the directory itself, if that is in the file system.
	// A source that leads out of the file system has a Dir that is no name in it: see [fs.ValidPath].
	Dir string
	// Unknown says that the source of the call is computed from something that is not known,
	// at least for one of the callers of Module, or leads out of the file system for some of
	// them: it may lead to any module.
	// A program that relies on knowing all callers stops.
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

// Calls returns an iterator over the calls with a local source, also one that is computed, in all
// modules that [hclconfig.Modules] finds in fsys, in the order of the directories and of the text, and then
// in those that it leaves out, such as directories whose names begin with a dot, if a call leads there.
// Options are those of [LoadTree].
//
// A source that is computed from variables may lead to another module for each caller of the module
// that has the call. Such a call is yielded once for each directory that it leads to, in order: with the
// values of the variables that the callers in fsys give, through several levels, the
// runs of tests that use the module included, and with those that the module has as a root, from its defaults
// and files of values. It is yielded once more, as Unknown, if one of these values is not known. A
// root that others call need not have a value for each variable. What -var, -var-file and the
// environment give is not known.
//
// A call that has no source, or whose source is not local, is not yielded.
//
// A module with a fault is yielded as an error at its place, and its calls, as far as they are
// known, follow. A fault is the first error among [hclconfig.Module.Diagnostics], such as a
// syntax error, two declarations of one name, a link to nothing or a block of an unknown type, or a template in a JSON string
// that does not parse; those of its tests count if the options have them. Calls and uses may be in what
// was not understood: a program that relies on knowing all of them stops. Callers outside fsys
// are not found. A run of a test that uses a module is no call: see [UsesOfRun]. [CalledOutputs] says
// who uses the outputs of the modules.
func Calls(fsys fs.FS, opts ...hclconfig.Option) iter.Seq2[Caller, error] {
	return func(yield func(Caller, error) bool) {
		w := callWalk{fsys: fsys, opts: opts, yield: yield, read: func(*hclconfig.Module) {}, dirs: hclconfig.Modules(fsys), seen: map[string]bool{}}
		w.all()
	}
}

// A callWalk is one call of Calls.
type callWalk struct {
	fsys     fs.FS
	opts     []hclconfig.Option
	yield    func(Caller, error) bool
	read     func(*hclconfig.Module) // is called with each module before its calls
	dirs     iter.Seq2[hclconfig.Directory, error]
	computed *computedCalls
	seen     map[string]bool // directories whose modules were read
	led      []string        // directories that calls lead to
}

// all yields the calls of the modules in dirs and in those that the calls lead to.
func (w *callWalk) all() {
	for d, err := range w.dirs {
		switch {
		case err != nil:
			if !w.yield(Caller{}, err) {
				return
			}
		case len(d.Files) > 0 && !w.module(d.Dir):
			return
		}
		w.seen[d.Dir] = true // those with tests alone too
	}
	for ; len(w.led) > 0; w.led = w.led[1:] { // what Modules leaves out, which is read if it is called
		if dir := w.led[0]; !w.seen[dir] && fs.ValidPath(dir) && !w.module(dir) {
			return
		}
	}
}

// module yields the calls of a module, and reports whether the walk goes on.
func (w *callWalk) module(dir string) bool {
	w.seen[dir] = true
	m, err := hclconfig.LoadModule(w.fsys, dir, w.opts...)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || w.yield(Caller{}, err)
	}
	if err := unread(m); err != nil && !w.yield(Caller{}, err) {
		return false
	}
	w.read(m)
	for _, call := range m.Calls {
		if !isComputed(m, call) {
			if call.IsLocal() && !w.call(m, call, realDir(w.fsys, call.LocalDir(m.Dir))) {
				return false
			}
			continue
		}
		if w.computed == nil {
			w.computed = findComputed(w.fsys, w.opts, w.dirs)
		}
		dirs, unknown := w.computed.leadTo(call)
		for _, dir := range dirs {
			if dir != "" && !w.call(m, call, dir) {
				return false
			}
		}
		if unknown && !w.yield(Caller{m, call, "", true}, nil) {
			return false
		}
	}
	return true
}

// call yields a call that leads to a directory.
func (w *callWalk) call(m *hclconfig.Module, call *hclconfig.ModuleCall, dir string) bool {
	w.led = append(w.led, dir)
	return w.yield(Caller{m, call, dir, false}, nil)
}

// unread returns the first fault because of which a module may lack something, or nil.
func unread(m *hclconfig.Module) error {
	for d := range m.Diagnostics().Errors() {
		text := textspan.ErrorText(d.Summary, d.Detail)
		if d.Err == nil { // such as a name that is declared twice
			return errorAt(d.Subject, errors.New(text))
		}
		return errorAt(d.Subject, &textspan.Error{Cause: d.Err, Text: text})
	}
	for _, f := range slices.Concat(m.Files, m.Tests) {
		if f.Syntax() != hclconfig.JSONSyntax {
			continue
		}
		for a := range f.Body().AllArguments() {
			for x := range a.All() {
				if x.Form() == hclconfig.FormInvalid {
					return errorAt(x.Range(), &textspan.Error{Cause: hclconfig.ErrSyntax, Text: "the template does not parse"})
				}
			}
		}
	}
	return nil
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
