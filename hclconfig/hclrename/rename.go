// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// An address is FROM or TO.
type address struct {
	text string
	kind string // var, local, output, module, data, ephemeral, provider or resource
	typ  string // of a resource, or the local name of a provider
	name string
}

func parseAddress(text string) (address, error) {
	a := address{text: text}
	parts := strings.Split(text, ".")
	bad := fmt.Errorf("%q is not the address of something that can be renamed", text)
	switch parts[0] {
	case "var", "local", "output", "module":
		if len(parts) != 2 {
			return a, bad
		}
		a.kind, a.name = parts[0], parts[1]
	case "data", "ephemeral", "provider":
		if len(parts) != 3 {
			return a, bad
		}
		a.kind, a.typ, a.name = parts[0], parts[1], parts[2]
	default:
		if len(parts) != 2 {
			return a, bad
		}
		a.kind, a.typ, a.name = "resource", parts[0], parts[1]
	}
	if !hclsyntax.ValidIdentifier(a.name) || a.typ != "" && !hclsyntax.ValidIdentifier(a.typ) {
		return a, bad
	}
	return a, nil
}

// moves reports whether the state knows the address.
func (a address) moves() bool { return a.kind == "resource" || a.kind == "module" }

// An edit replaces the bytes from start to end of a file.
type edit struct {
	start, end int64
	text       string
}

// A renamer collects the edits of one renaming.
type renamer struct {
	from, to address
	fsys     fs.FS
	root     string // the directory of fsys below which callers are looked for
	dir      string // of the module, in fsys
	edits    map[string][]edit
	files    map[string][]byte
	// retype is set if the type of a resource becomes another one, and not its name.
	retype bool
	// declared are the files that declare it: one, or two if each program reads another.
	// Moved blocks are added there.
	declared []string
	moves    []move
	// same says which other paths lead to dir, through links.
	same map[string]bool
	// computed is set if a call has a source that is not a constant.
	computed bool
	// given is set if a file gives the variable a value for all tests.
	given bool
	// allValues is that of Options.
	allValues bool
	// callerDirs are the directories below root that have configuration, and trees those
	// that were read, for each of the dialects.
	callerDirs []string
	trees      map[string][]*hclnames.Tree
	modules    map[string][]namedModule
}

// A namedModule is a module with its names.
type namedModule struct {
	*hclconfig.Module
	names *hclnames.Names
}

// A move is what a moved block says, and the files that get it.
type move struct {
	from, to string
	files    []string
}

// Options are options of [Rename]. The zero value is ready to use.
type Options struct {
	// Root is the directory of the file system in which calls of the module are looked for,
	// usually the repository. If empty, it is the whole file system.
	Root string

	// AllValues extends the search for values of a variable to all *.tfvars and *.tfvars.json
	// in and below the directory of the module, but not in directories that have configuration
	// of their own.
	AllValues bool

	// Forget makes [RenameType] write removed and import blocks instead of moved blocks, for the
	// instances in Imports.
	Forget  bool
	Imports []Import
}

// Rename renames the object with the address from, which the module in the directory dir of
// fsys declares, to the address to, everywhere it is used. It returns the new texts of the
// changed files by their names in fsys. It writes nothing. Both addresses must be of the same
// kind and type:
//
//   - var.NAME, local.NAME, output.NAME, module.NAME
//   - TYPE.NAME, data.TYPE.NAME, ephemeral.TYPE.NAME of resources
//   - provider.NAME.ALIAS of the configuration of a provider
//
// It changes files of both syntaxes as both programs read them: override, test and query files,
// values of variables in terraform.tfvars and *.auto.tfvars, the local modules that call the
// module, and the tests of others that run it. A resource or a module call gets a moved block at
// the end of the file that declares it. A file in the layout of fmt keeps that layout.
//
// The error says why the change would not be safe, with its place: the new name is taken or
// reserved, the object is removed elsewhere, outputs are used as a whole, a file has a syntax
// error, a call that uses the name has a source that is not known or that leads to other modules for some
// callers (see [hclnames.Calls]), or the result would have new errors. Rename may be called concurrently.
func Rename(fsys fs.FS, dir, from, to string, opts Options) (map[string][]byte, error) {
	r := newRenamer(fsys, dir, opts)
	if err := r.read(from, to); err != nil {
		return nil, err
	}
	if err := r.collect(); err != nil {
		return nil, err
	}
	out, err := r.apply()
	if err == nil {
		err = r.verify(out)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

func newRenamer(fsys fs.FS, dir string, opts Options) *renamer {
	return &renamer{
		fsys: fsys, dir: path.Clean(dir), root: path.Clean(cmp.Or(opts.Root, ".")), allValues: opts.AllValues,
		edits: map[string][]edit{}, files: map[string][]byte{}, same: map[string]bool{},
		trees: map[string][]*hclnames.Tree{}, modules: map[string][]namedModule{},
	}
}

// read reads the addresses.
func (r *renamer) read(from, to string) error {
	var err error
	if r.from, err = parseAddress(from); err != nil {
		return err
	}
	if r.to, err = parseAddress(to); err != nil {
		return err
	}
	switch {
	case from == to:
		return fmt.Errorf("FROM and TO are the same name, %s", to)
	case r.from.kind != r.to.kind || r.from.typ != r.to.typ:
		return fmt.Errorf("%s and %s are not of the same kind", from, to)
	case r.to.kind == "var" && slices.Contains([]string{"source", "version", "providers", "count", "for_each", "lifecycle", "depends_on", "locals"}, r.to.name):
		return fmt.Errorf("%s is a reserved name", to)
	}
	return nil
}

// collect collects the edits.
func (r *renamer) collect() error {
	if err := r.module(); err != nil {
		return err
	}
	if err := r.callers(); err != nil {
		return err
	}
	if r.from.moves() {
		if len(r.declared) == 0 {
			return fmt.Errorf("%s is declared only in override files", r.from.text)
		}
		r.moves = append(r.moves, move{r.from.text, r.to.text, r.declared})
	}
	if r.from.kind == "var" {
		if err := r.values(); err != nil {
			return err
		}
		if err := r.sharedValues(); err != nil {
			return err
		}
	}
	return nil
}

// dialects are both of them: a directory may have files that only one program
// reads, and both must see the new name.
var dialects = []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform}

// load reads a module of a file system as both programs see it.
func load(fsys fs.FS, dir string) ([]*hclconfig.Module, error) {
	var out []*hclconfig.Module
	for _, d := range dialects {
		m, err := hclconfig.LoadModule(fsys, dir, d, hclconfig.TestDirectory(""))
		if err != nil {
			return nil, err
		}
		for _, f := range slices.Concat(m.Files, m.Tests) {
			if f.Err() != nil {
				return nil, f.Err()
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// modulesOf returns the module in a directory, as both programs see it.
func (r *renamer) modulesOf(dir string) ([]namedModule, error) {
	if list, ok := r.modules[dir]; ok {
		return list, nil
	}
	modules, err := load(r.fsys, dir)
	if err != nil {
		return nil, err
	}
	var list []namedModule
	for _, m := range modules {
		list = append(list, namedModule{m, hclnames.NamesOf(m)})
	}
	r.modules[dir] = list
	return list, nil
}

// queries collects the edits in Terraform's query files, which are not files of
// the module but see its names.
func (r *renamer) queries() error {
	entries, err := fs.ReadDir(r.fsys, r.dir)
	if err != nil {
		return err
	}
	var m hclconfig.Module
	for _, e := range entries {
		name, ok := hclconfig.ParseFilename(e.Name())
		if !ok || e.IsDir() || name.Kind != hclconfig.QueryFile {
			continue
		}
		src, err := r.source(path.Join(r.dir, e.Name()))
		if err != nil {
			return err
		}
		f, err := hclconfig.Parse(path.Join(r.dir, e.Name()), src)
		if err != nil {
			return err
		}
		for d := range f.Config().Declarations() {
			if d.Address == r.from.text || d.Address == r.to.text {
				return fmt.Errorf("%s: a query file declares %s itself", d.Range(), d.Address)
			}
		}
		m.Files = append(m.Files, f)
	}
	for _, u := range hclnames.NamesOf(&m).Uses(r.from.text) {
		if err := r.use(u); err != nil {
			return err
		}
	}
	return nil
}

// sharedValues refuses a variable whose values in tests are also for other
// modules that the tests run: under a new name they would lose or get them.
func (r *renamer) sharedValues() error {
	modules, err := load(r.fsys, r.dir)
	if err != nil {
		return err
	}
	for _, m := range modules {
		for _, f := range m.Tests {
			given := r.given
			for v := range f.Body().BlocksOfType("variables") {
				given = given || v.Argument(r.from.name) != nil
			}
			for _, run := range f.Config().Runs {
				if !given || run.Module == nil || !strings.HasPrefix(run.Module.Source.Value, ".") {
					continue
				}
				other, err := hclconfig.LoadModule(r.fsys, path.Join(r.dir, run.Module.Source.Value), m.Dialect())
				if err != nil {
					return err
				}
				for _, v := range other.Variables {
					if v.Name == r.from.name || v.Name == r.to.name {
						return fmt.Errorf("%s: another module of the tests also gets the value of %s", v.Block.DefRange(), r.from.text)
					}
				}
			}
		}
	}
	return nil
}

// module collects the edits in the module itself.
func (r *renamer) module() error {
	modules, err := r.modulesOf(r.dir)
	if err != nil {
		return err
	}
	found := false
	for _, named := range modules {
		m, names := named.Module, named.names
		first := ""
		if d, ok := r.declaration(m, names, r.to); ok {
			return fmt.Errorf("%s already exists, at %s", r.to.text, d)
		}
		for _, u := range names.Uses(r.to.text) {
			if r.to.moves() || r.to.kind == "data" || r.to.kind == "ephemeral" {
				return fmt.Errorf("%s is already named at %s", r.to.text, u.NameRange())
			}
		}
		for _, f := range slices.Concat(m.Files, m.Tests) {
			ok, err := r.declares(f)
			if err != nil {
				return err
			}
			found = found || ok
			if ok && !f.IsOverride() && first == "" {
				first = f.Filename()
			}
		}
		if first != "" && !slices.Contains(r.declared, first) {
			r.declared = append(r.declared, first)
		}
		for _, u := range names.Uses(r.from.text) {
			if r.isRemoved(u) {
				return fmt.Errorf("%s is removed at %s", r.from.text, u.NameRange())
			}
			if err := r.use(u); err != nil {
				return err
			}
		}
		if err := r.runs(m, names); err != nil {
			return err
		}
	}
	if err := r.queries(); err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("there is no %s in %s", r.from.text, r.dir)
	}
	return nil
}

// runs collects the uses of an output in tests, as the result of an earlier run of
// the module.
func (r *renamer) runs(m *hclconfig.Module, names *hclnames.Names) error {
	if r.from.kind != "output" {
		return nil
	}
	for _, f := range m.Tests {
		for _, run := range f.Config().Runs {
			if run.Module != nil {
				continue // of another module
			}
			for _, u := range names.Uses("run." + run.Name + "." + r.from.name) {
				if u.Range().Filename != f.Filename() {
					continue
				}
				if err := r.use(u); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// declaration reports where a module declares an address.
func (r *renamer) declaration(m *hclconfig.Module, names *hclnames.Names, a address) (addrs.Range, bool) {
	if d, ok := names.Lookup(a.text); ok {
		return d.Range(), true
	}
	for _, c := range m.Checks {
		if c.Data != nil && a.kind == "data" && c.Data.Type == a.typ && c.Data.Name == a.name {
			return c.Data.Block.DefRange(), true
		}
	}
	return addrs.Range{}, false
}

// declares collects the names of what declares FROM in a file, and reports whether there is any.
func (r *renamer) declares(f *hclconfig.File) (bool, error) {
	if r.from.kind == "provider" {
		return r.aliases(f)
	}
	return r.declarations(f)
}

// declarations collects the names of the blocks that declare FROM in a file,
// and reports whether there are any.
func (r *renamer) declarations(f *hclconfig.File) (bool, error) {
	if f.Kind() != hclconfig.ConfigFile {
		return false, nil
	}
	found := false
	for b := range declaring(f) {
		labels := []string{r.from.typ, r.from.name}
		typ := r.from.kind
		switch r.from.kind {
		case "local":
			if b.Type != "locals" {
				continue
			}
			for i := range b.Body.Arguments {
				if a := &b.Body.Arguments[i]; a.Name == r.from.name {
					found = true
					if err := r.replace(f, a.NameRange()); err != nil {
						return found, err
					}
				}
			}
			continue
		case "var":
			typ, labels = "variable", labels[1:]
		case "output", "module":
			labels = labels[1:]
		}
		if b.Type != typ || !slices.Equal(b.Labels, labels) {
			continue
		}
		found = true
		label := len(b.Labels) - 1
		if r.retype {
			label = 0
		}
		if err := r.replace(f, b.LabelRange(label)); err != nil {
			return found, err
		}
	}
	return found, nil
}

// declaring yields the blocks of the language in a file, and not those of the same name
// in the configuration of a provider.
func declaring(f *hclconfig.File) iter.Seq[*hclconfig.Block] {
	return func(yield func(*hclconfig.Block) bool) {
		for i := range f.Body().Blocks {
			top := &f.Body().Blocks[i]
			if !yield(top) {
				return
			}
			if top.Type != "check" {
				continue
			}
			for b := range top.Body.BlocksOfType("data") {
				if !yield(b) {
					return
				}
			}
		}
	}
}

// isRemoved reports whether a removed block is about the use itself, and not about
// something in it, as in a module.
func (r *renamer) isRemoved(u hclnames.Use) bool {
	if u.In == nil || u.In.Type != "removed" {
		return false
	}
	from := u.In.Argument("from")
	if from == nil {
		return true
	}
	end, at := from.Expression.Range(), u.NameRange()
	src, err := r.source(at.Filename)
	if err != nil || end.Filename != at.Filename || end.End.Offset < at.End.Offset {
		return true
	}
	rest := strings.TrimLeft(string(src[at.End.Offset:end.End.Offset]), "\"] \t")
	return !strings.HasPrefix(rest, ".")
}

// use collects the edit of one use. A moved block describes the past, and
// stays.
func (r *renamer) use(u hclnames.Use) error {
	if u.In != nil && u.In.Type == "moved" {
		return nil
	}
	name := u.NameRange().Filename
	src, err := r.source(name)
	if err != nil {
		return err
	}
	at := u.NameRange()
	if r.retype {
		if at, err = r.typeBefore(src, at); err != nil {
			return err
		}
	}
	return r.replaceAt(name, src, at)
}

func (r *renamer) source(name string) ([]byte, error) {
	if src, ok := r.files[name]; ok {
		return src, nil
	}
	src, err := fs.ReadFile(r.fsys, name)
	r.files[name] = src
	return src, err
}

func (r *renamer) replace(f *hclconfig.File, at addrs.Range) error {
	r.files[f.Filename()] = f.Bytes()
	return r.replaceAt(f.Filename(), f.Bytes(), at)
}

// replaceAt replaces the name at a place, which may have quotes.
func (r *renamer) replaceAt(name string, src []byte, at addrs.Range) error {
	start, end := at.Start.Offset, at.End.Offset
	if end-start >= 2 && src[start] == '"' && src[end-1] == '"' {
		start, end = start+1, end-1
	}
	from, to := r.from.name, r.to.name
	if r.retype {
		from, to = r.from.typ, r.to.typ
	}
	if string(src[start:end]) != from {
		return fmt.Errorf("%s: the name is not written as plain text", at)
	}
	e := edit{start, end, to}
	if !slices.Contains(r.edits[name], e) {
		r.edits[name] = append(r.edits[name], e)
	}
	return nil
}

// apply returns the new texts of all files that change.
func (r *renamer) apply() (map[string][]byte, error) {
	out := map[string][]byte{}
	for name, edits := range r.edits {
		src := r.files[name]
		slices.SortFunc(edits, func(a, b edit) int { return int(a.start - b.start) })
		var text []byte
		last := int64(0)
		for _, e := range edits {
			if e.start < last {
				return nil, fmt.Errorf("%s: two names overlap", name)
			}
			text = append(append(text, src[last:e.start]...), e.text...)
			last = e.end
		}
		out[name] = append(text, src[last:]...)
	}
	moves := map[string][]move{} // by file
	for _, m := range r.moves {
		for _, name := range m.files {
			moves[name] = append(moves[name], m)
		}
	}
	for name, list := range moves {
		text, err := addMoved(name, out[name], list)
		if err != nil {
			return nil, err
		}
		out[name] = text
	}
	for name, text := range out {
		if strings.HasSuffix(name, ".json") {
			continue
		}
		// A file formatted as by fmt stays so: only alignment changes.
		if clean, err := hcledit.Format(r.files[name]); err == nil && bytes.Equal(clean, r.files[name]) {
			if text, err = hcledit.Format(text); err != nil {
				return nil, err
			}
			out[name] = text
		}
	}
	return out, nil
}

// addMoved adds moved blocks to a file.
func addMoved(name string, text []byte, moves []move) ([]byte, error) {
	f, err := hclconfig.Parse(name, text)
	if err != nil {
		return nil, err
	}
	if f.Syntax() == hclconfig.NativeSyntax {
		newline := "\n"
		if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
			newline = "\r\n"
		}
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, newline...)
		}
		for _, m := range moves {
			text = append(text, strings.Join([]string{"", "moved {", "  from = " + m.from, "  to   = " + m.to, "}", ""}, newline)...)
		}
		return text, nil
	}
	e := hcledit.Edit(f)
	for _, m := range moves {
		e.Add(nil, hcledit.NewBlock("moved").Set("from", hcledit.Source(m.from)).Set("to", hcledit.Source(m.to)))
	}
	if f, err = e.Apply(); err != nil {
		return nil, err
	}
	return f.Bytes(), nil
}
