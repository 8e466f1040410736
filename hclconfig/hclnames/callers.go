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
	// Call is the call, and Module the module that contains it.
	Module *hclconfig.Module
	Call   *hclconfig.ModuleCall
	// Dir is the directory of the called module, which need not exist. It is empty if Unknown. If
	// the source leads through a link, Dir is the target of the link if that is in the file system.
	// If the source leads out of the file system, Dir is not a valid name in it: see
	// [fs.ValidPath].
	Dir string
	// Unknown reports whether the call may lead to any module: for at least one caller of
	// Module, the source is computed from a value that is not known, or leads out of the
	// file system. A program that needs all callers must stop.
	Unknown bool
}

// Callers returns an iterator over the calls of the module in the directory dir of fsys: those of
// [Calls] that lead or may lead to it. For several modules, use Calls once, because each call of
// either function reads all modules.
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

// Calls returns an iterator over the module calls with a local source, including computed ones, in
// fsys. It yields the calls in all modules that [hclconfig.Modules] finds, in the order of the
// directories and of the text, and then those in other directories to which a call leads, such as
// directories whose names begin with a dot. The options are those of [LoadTree].
//
// A source that is computed from variables may lead to another module for each caller of the module
// that contains the call. Such a call is yielded once for each directory that it leads to, in
// order. The values of the variables are those that callers in fsys pass, through several levels
// and including runs of tests, and those that the module has as a root module, from its defaults
// and files of values. If one of these values is not known, the call is yielded once more, as
// Unknown. A root module that others call need not have a value for each variable. Values from
// -var, -var-file and the environment are not known.
//
// Calls without a source, or with a source that is not local, are not yielded.
//
// A module with a fault is yielded as an error with its place; its calls, as far as they are known,
// follow. A fault is the first error among [hclconfig.Module.Diagnostics], such as a syntax error,
// two declarations of one name, a link to nothing or a block of an unknown type, or a template in a
// JSON string that does not parse; faults in tests are included if the options include tests. The
// faulty part may contain calls and uses, so a program that needs all of them must stop. Callers
// outside fsys are not found. A run of a test that uses a module is not a call: see [UsesOfRun].
// [CalledOutputs] finds the uses of the outputs of modules.
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
