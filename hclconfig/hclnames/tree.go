// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A Tree is a module together with the modules that it calls. [LoadTree]
// returns the root.
type Tree struct {
	// Module is the module itself. Calls of the same directory share it.
	Module *hclconfig.Module
	// Call is the call that leads here, and Parent the tree of the calling
	// module. Both are nil for the root.
	Call   *hclconfig.ModuleCall
	Parent *Tree
	// Key makes the Tree represent one instance of the call, for an [Evaluator]. LoadTree
	// sets no keys: its trees represent all instances of their calls.
	Key addrs.InstanceKey
	// Children has the called modules, in the order of the calls.
	Children []*Tree
	// Missing has the calls whose modules could not be found: modules that are
	// not local and not installed. Their inputs and outputs are not checked.
	Missing []*hclconfig.ModuleCall

	// FS is where a root was loaded from. WorkingDir is the directory in it where the
	// program runs, if that is not the directory of the root module. Both are empty below
	// the root, and so are Workspace and VariableFiles.
	FS         fs.FS
	WorkingDir string
	// Workspace is the name of the workspace, or empty if it is not known: then the
	// value of terraform.workspace is unknown.
	Workspace string
	// VariableFiles has the names of the files that may give values to the variables of a
	// root: terraform.tfvars, *.auto.tfvars and their JSON forms.
	VariableFiles []string
}

// maxTree is how many modules a tree has at most. A few directories that call
// each other several times would otherwise make more than any memory holds.
const maxTree = 10000

// What all modules of a tree may have of text, where one that is called twice counts twice: each call is checked for
// itself. It is as many bytes, and as many for each byte of text without the repetitions.
const (
	maxTreeText    = 32 << 20
	maxTreeRepeats = 64
)

// LoadTree reads the module in the directory dir of fsys and all modules that it calls,
// as [hclconfig.LoadModule] reads each of them. It follows local sources within fsys: if
// modules have sources such as "../net", fsys must contain the directories above as well,
// as in LoadTree(os.DirFS(repository), "live/prod"). For OpenTofu, it also follows
// sources made of variables, local values, paths and the workspace, if the values are
// known from defaults, calls, and the name of the workspace. That is the option
// [hclconfig.Workspace], or else what .terraform/environment below dir says; if neither is
// there, it is not known, because the environment of a run may select any. It follows other
// sources if they are installed, that is, listed in .terraform/modules/modules.json
// below dir. Calls that are not found are in [Tree.Missing].
//
// Faults of the files are not an error. Each module of the tree has its own
// [hclconfig.Module.Diagnostics], and what could not be read is missing from it; package
// hclcheck finds them all, and more.
//
// Options are those of LoadModule; [hclconfig.TestDirectory] applies only to the root: to
// read the tests of a called module, load that with [hclconfig.LoadModule]. The tree does
// not have the modules of the run blocks in tests, although "init" also locks their
// providers: load the source of each such block in Tests of the root as a tree of its own.
// The error is that of LoadModule for the root, or an [*hclconfig.Error] that wraps
// [hclconfig.ErrLimit] if modules call each other in a cycle, if there are more than
// 10,000 of them, or if large ones are called too often.
func LoadTree(fsys fs.FS, dir string, opts ...hclconfig.Option) (*Tree, error) {
	root, err := hclconfig.LoadModule(fsys, dir, opts...)
	if err != nil {
		return nil, err
	}
	l := treeLoader{
		fsys: fsys, opts: withoutTests(opts), modules: map[string]*hclconfig.Module{},
		installed: hclsource.Installed(fsys, dir), values: NewEvaluator(nil),
	}
	t := &Tree{Module: root, VariableFiles: variableFiles(fsys, dir), FS: fsys, Workspace: workspaceOf(fsys, dir, opts)}
	l.modules[path.Clean(dir)] = root
	l.text, l.repeated = textOf(root), textOf(root)
	return t, l.children(t, "", []string{path.Clean(dir)})
}

// workspaceOf returns the workspace that the options or the directory select, or "".
func workspaceOf(fsys fs.FS, dir string, opts []hclconfig.Option) string {
	name := hclconfig.Workspace("")
	for _, o := range opts {
		if w, ok := o.(hclconfig.Workspace); ok {
			name = w
		}
	}
	if name != "" {
		return string(name)
	}
	src, err := fs.ReadFile(fsys, path.Join(dir, ".terraform/environment"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(src))
}

// variableFiles returns the files with values of variables in a directory.
func variableFiles(fsys fs.FS, dir string) []string {
	var out []string
	for _, pattern := range []string{"terraform.tfvars", "terraform.tfvars.json", "*.auto.tfvars", "*.auto.tfvars.json"} {
		if found, err := fs.Glob(fsys, path.Join(globEscape(dir), pattern)); err == nil {
			out = append(out, found...)
		}
	}
	return out
}

// globEscape escapes the characters that have a meaning in patterns.
func globEscape(dir string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(dir)
}

// withoutTests returns the options that hold for called modules: the dialect.
func withoutTests(opts []hclconfig.Option) []hclconfig.Option {
	var out []hclconfig.Option
	for _, o := range opts {
		if d, ok := o.(hclconfig.Dialect); ok {
			out = append(out, d)
		}
	}
	return out
}

type treeLoader struct {
	fsys      fs.FS
	opts      []hclconfig.Option
	modules   map[string]*hclconfig.Module // by directory; nil if there is none
	installed map[string]string            // directories by key
	values    *Evaluator
	n         int
	// text is that of all modules, and repeated the same with one that is called twice counted twice.
	text, repeated int
}

// textOf returns how many bytes the files of a module have.
func textOf(m *hclconfig.Module) int {
	n := 0
	for _, f := range m.Files {
		n += len(f.Bytes())
	}
	return n
}

func (l *treeLoader) children(t *Tree, key string, above []string) error {
	for _, call := range t.Module.Calls {
		if call.Name == "" {
			t.Missing = append(t.Missing, call) // its key would be that of the module that calls it
			continue
		}
		childKey := strings.TrimPrefix(key+"."+call.Name, ".")
		dir, ok := "", false
		if call.IsLocal() {
			dir, ok = call.LocalDir(t.Module.Dir), true
		} else if dir, ok = l.installed[childKey]; !ok && computesSources(t.Module.Dialect()) {
			dir, ok = computedDir(l.values, t, call)
		}
		if !ok || !fs.ValidPath(dir) {
			t.Missing = append(t.Missing, call)
			continue
		}
		if slices.Contains(above, dir) {
			return tooDeep(call, "module %s calls itself", call.Name)
		}
		if l.n++; l.n > maxTree {
			return tooDeep(call, "more than %d modules", maxTree)
		}
		m, known := l.modules[dir]
		if !known {
			var err error
			if m, err = hclconfig.LoadModule(l.fsys, dir, l.opts...); err != nil {
				if !errors.Is(err, fs.ErrNotExist) && !call.IsLocal() {
					return err
				}
				m = nil
			}
			l.modules[dir] = m
			if m != nil {
				l.text += textOf(m)
			}
		}
		if m == nil {
			t.Missing = append(t.Missing, call)
			continue
		}
		if l.repeated += textOf(m); l.repeated > max(maxTreeText, maxTreeRepeats*l.text) {
			return tooDeep(call, "modules are called so often that they have more than %d bytes in all", max(maxTreeText, maxTreeRepeats*l.text))
		}
		child := &Tree{Module: m, Call: call, Parent: t}
		t.Children = append(t.Children, child)
		if err := l.children(child, childKey, append(slices.Clone(above), dir)); err != nil {
			return err
		}
	}
	return nil
}

// computesSources reports whether the program of d evaluates the sources of modules.
func computesSources(d hclconfig.Dialect) bool {
	return hclsource.Program(d) == hcllang.OpenTofu || hcllang.ModuleBlock.Lookup("source").StaticSupport().In(hcllang.Terraform, hclsource.Release(d))
}

// computedDir returns the directory of a call whose source is a path that has to be
// computed.
func computedDir(values *Evaluator, t *Tree, call *hclconfig.ModuleCall) (string, bool) {
	if call.Source.Argument == nil {
		return "", false
	}
	if _, err := call.Source.Argument.Constant(); err == nil {
		return "", false
	}
	v := values.Evaluate(t, call.Source.Argument.Expression)
	if !v.Early || v.Diagnostics.HasErrors() {
		return "", false
	}
	text, err := hcleval.TextOf(v.Value)
	computed := hclconfig.ModuleCall{Block: call.Block, Source: hclconfig.Text{Value: text, Argument: call.Source.Argument}}
	if err != nil || !computed.IsLocal() {
		return "", false
	}
	return computed.LocalDir(t.Module.Dir), true
}

// root returns the root of the tree that t is in.
func (t *Tree) root() *Tree {
	for t.Parent != nil {
		t = t.Parent
	}
	return t
}

// directory is path.module of a module, or empty if it is not known.
func (t *Tree) directory() string {
	root := t.root()
	if root.FS == nil {
		return ""
	}
	return hclsource.RelativeDir(cmp.Or(root.WorkingDir, root.Module.Dir), t.Module.Dir)
}

// tooDeep returns the error about calls without end.
func tooDeep(call *hclconfig.ModuleCall, format string, args ...any) error {
	return errorAt(call.Block.DefRange(), &textspan.Error{Cause: hclconfig.ErrLimit, Text: fmt.Sprintf(format, args...)})
}

// errorAt returns an error at a place.
func errorAt(at addrs.Range, cause error) error {
	return &hclconfig.Error{Filename: at.Filename, Offset: at.Start.Offset, Line: at.Start.Line, Column: at.Start.Column, Err: cause}
}

// Path returns the path of calls from the root, such as
// "module.network.module.subnet". It is empty for the root.
func (t *Tree) Path() string {
	if t == nil || t.Parent == nil {
		return ""
	}
	return strings.TrimPrefix(t.Parent.Path()+".module."+t.Call.Name, ".")
}

// Resource returns the resource, data source or ephemeral resource that a module of the tree
// declares at an address, as seen from t, or nil. Its block has the place: that of the block
// itself, where override files change only arguments.
func (t *Tree) Resource(address addrs.ConfigResource) *hclconfig.Resource {
	for name := range address.Module().Calls() {
		if t == nil {
			return nil
		}
		i := slices.IndexFunc(t.Children, func(c *Tree) bool { return c.Call.Name == name })
		if i < 0 {
			return nil
		}
		t = t.Children[i]
	}
	if t == nil || t.Module == nil {
		return nil
	}
	want := address.Resource()
	list := t.Module.Resources
	switch want.Mode() {
	case addrs.Data:
		list = t.Module.Data
	case addrs.Ephemeral:
		list = t.Module.Ephemeral
	}
	for _, r := range list {
		if r.Type == want.Type() && r.Name == want.Name() {
			return r
		}
	}
	return nil
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
