// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A CalledOutput is an output of a module that others call, with the places that use it.
type CalledOutput struct {
	// Dir is the directory of the module, and Output its output.
	Dir    string
	Output *hclconfig.Output
	// Callers lists the calls of the module. It is never empty.
	Callers []Caller
	// Uses lists the places in all modules of the file system and in their tests that use the
	// output, or may use it: see [Use.IsWhole]. They are in the order of the file names and of the
	// text. If it is empty, nothing in the file system uses the output.
	Uses []Use
}

// CalledOutputs returns the outputs of all modules in fsys that a call in fsys leads to, each with
// its uses, in the order of the directories and of the names. To find the outputs that no caller
// uses:
//
//	outputs, err := hclnames.CalledOutputs(os.DirFS(repository))
//	if err != nil {
//		return err
//	}
//	for _, o := range outputs {
//		if len(o.Uses) == 0 {
//			fmt.Println(o.Output.Block.DefRange(), o.Output.Name)
//		}
//	}
//
// The calls are those of [Calls]. Uses are also those in tests of the module, of its callers and of
// any others that run it, in Terraform's query files, and in modules below directories whose names
// begin with a dot, except .git, .terraform and .terragrunt-cache. Tests in a directory are taken
// for those of each module above it, because of the option -test-directory. If the options contain
// no [hclconfig.Dialect] and a directory has .tf files and .tofu files, the modules are read as both
// programs read them, and the uses of both count. Other options, such as
// [hclconfig.TestDirectory], are not needed.
//
// The outputs of a module without a caller are meant for people and other programs. They are not
// included, even if tests run the module. Uses through the state of a module, such as by
// terraform_remote_state, are not found. Neither are calls from outside fsys, calls whose source is
// the remote address of the same repository, or comes from -var, -var-file or the environment,
// components of stacks (.tfcomponent.hcl), links to directories outside fsys, and calls in a module
// that is not there yet. A module that is published, or both called and a root module, may have
// outputs for such uses.
//
// CalledOutputs returns an error and no outputs if uses may be missing: because a module, a test or
// a query file has a fault, a call has no source, its source is not known, or it leads out of fsys,
// from where it may lead back. The error joins an [*hclconfig.Error] for each place.
func CalledOutputs(fsys fs.FS, opts ...hclconfig.Option) ([]CalledOutput, error) {
	mixed, dialect := false, false
	for _, o := range opts {
		_, is := o.(hclconfig.Dialect)
		dialect = dialect || is
	}
	w := outputWalk{
		fsys: fsys, failed: map[string]bool{}, outputs: map[nameIn]*hclconfig.Output{}, uses: map[nameIn][]Use{},
		callers: map[string][]Caller{}, known: map[nameIn]bool{},
	}
	for d := range withHidden(fsys) {
		mixed = mixed || isMixed(d)
	}
	w.read(opts)
	if mixed && !dialect {
		w.read(append([]hclconfig.Option{hclconfig.Terraform}, opts...))
	}
	if len(w.errs) > 0 {
		return nil, errors.Join(w.errs...)
	}
	return w.result(), nil
}

// isMixed reports whether a directory has files for both programs and files that only OpenTofu reads.
// It reads those in place of others of the same name, and override files can change any other.
func isMixed(d hclconfig.Directory) bool {
	ofTofu := func(name string) bool {
		return strings.HasSuffix(name, ".tofu") || strings.HasSuffix(name, ".tofu.json")
	}
	n := 0
	for _, name := range d.Files {
		if ofTofu(name) {
			n++
		}
	}
	return 0 < n && n < len(d.Files)
}

// A nameIn is a name in the module in a directory: of an output, or of a call.
type nameIn struct{ dir, name string }

// An outputWalk is one call of CalledOutputs.
type outputWalk struct {
	fsys    fs.FS
	errs    []error
	failed  map[string]bool // the texts of errs
	outputs map[nameIn]*hclconfig.Output
	uses    map[nameIn][]Use    // those of a module as a whole have no name
	callers map[string][]Caller // by the directories that they lead to
	known   map[nameIn]bool     // the same, with their places as names

	// Those of one dialect.
	opts    []hclconfig.Option
	modules []*hclconfig.Module
	calls   map[nameIn][]string                // where a call leads
	callsIn map[string][]*hclconfig.ModuleCall // by directory
}

// read reads all modules as one dialect.
func (w *outputWalk) read(opts []hclconfig.Option) {
	w.opts = append(slices.Clone(opts), hclconfig.TestDirectory(""))
	w.modules, w.calls, w.callsIn = nil, map[nameIn][]string{}, map[string][]*hclconfig.ModuleCall{}
	calls := callWalk{fsys: w.fsys, opts: w.opts, yield: w.call, dirs: withHidden(w.fsys), seen: map[string]bool{}, read: w.module}
	calls.all()
	for _, m := range w.modules {
		for _, o := range m.Outputs {
			if id := (nameIn{path.Clean(m.Dir), o.Name}); w.outputs[id] == nil {
				w.outputs[id] = o
			}
		}
	}
	for _, m := range w.modules {
		w.usesOf(m)
		w.queries(m)
	}
	w.tests()
}

// module notes a module, and the calls in it whose sources are none of the file system.
func (w *outputWalk) module(m *hclconfig.Module) {
	w.modules = append(w.modules, m)
	w.callsIn[path.Clean(m.Dir)] = m.Calls
	for _, call := range m.Calls {
		if !isComputed(m, call) {
			w.source("module."+call.Name, call.Block, call.Source.Value)
		}
	}
}

// source notes a constant source because of which uses may be missing.
func (w *outputWalk) source(name string, b *hclconfig.Block, source string) {
	switch {
	case source == "":
		w.fail(errorAt(b.DefRange(), errors.New(name+" has no source")))
	case isAbsolute(source):
		w.leadsOut(name, b)
	}
}

func (w *outputWalk) leadsOut(name string, b *hclconfig.Block) {
	w.fail(errorAt(b.DefRange(), errors.New("the source of "+name+" leads out of the file system, from where it may lead back to any module")))
}

// call notes a call, or why some are not known.
func (w *outputWalk) call(c Caller, err error) bool {
	switch {
	case err != nil:
		w.fail(err)
	case c.Unknown:
		w.fail(errorAt(c.Call.Block.DefRange(), &textspan.Error{Cause: hclconfig.ErrNotConstant, Text: "the source of module." + c.Call.Name + " is not known: it may lead to any module"}))
	case !fs.ValidPath(c.Dir):
		w.leadsOut("module."+c.Call.Name, c.Call.Block)
	default:
		from := nameIn{path.Clean(c.Module.Dir), c.Call.Name}
		w.calls[from] = append(w.calls[from], c.Dir)
		if at := (nameIn{c.Dir, c.Call.Block.DefRange().String()}); !w.known[at] {
			w.known[at] = true
			w.callers[c.Dir] = append(w.callers[c.Dir], c)
		}
	}
	return true
}

func (w *outputWalk) fail(err error) {
	if text := err.Error(); !w.failed[text] { // both dialects have it
		w.failed[text] = true
		w.errs = append(w.errs, err)
	}
}

// maxTestDirs is how many directories are looked at for tests. Links can lead to a directory many times.
const maxTestDirs = 100_000

// tests notes what the tests in all directories use, also in those that links lead to.
func (w *outputWalk) tests() {
	left := maxTestDirs
	var walk func(top string) error
	walk = func(top string) error {
		return fs.WalkDir(w.fsys, top, func(name string, e fs.DirEntry, err error) error {
			switch base := path.Base(name); {
			case err != nil:
				return nil // Modules has the error
			case e.Type()&fs.ModeSymlink != 0 && name != top && w.isTestLink(name):
				return walk(name)
			case !e.IsDir():
				return nil
			case base == ".git" || base == ".terraform" || base == ".terragrunt-cache":
				return fs.SkipDir
			case left == 0:
				return fs.SkipAll
			}
			if left--; left == 0 {
				w.fail(&hclconfig.Error{Filename: name, Err: hclconfig.ErrLimit})
			}
			if files := w.parsed(name, hclconfig.TestFile); len(files) > 0 {
				w.testsIn(name, files)
			}
			return nil
		})
	}
	_ = walk(".")
}

// testsIn notes what the tests in a directory use. They are taken for tests of each module above:
// which one they are of is said on the command line.
func (w *outputWalk) testsIn(dir string, files []*hclconfig.File) {
	for _, f := range files {
		for _, run := range f.Config().Runs {
			if run.Module == nil {
				continue
			}
			w.source("the module of run."+run.Name, run.Block, run.Module.Source.Value)
			if run.Module.IsLocal() && !w.leadsToModule(run, dir) {
				w.leadsOut("the module of run."+run.Name, run.Block)
			}
		}
	}
	for ; ; dir = path.Dir(dir) {
		w.usesOf(&hclconfig.Module{Config: hclconfig.Config{Calls: w.callsIn[realDir(w.fsys, dir)]}, Dir: dir, Tests: files})
		if dir == "." {
			return
		}
	}
}

// leadsToModule reports whether the module of a run is in the file system, seen from dir or from a directory above.
func (w *outputWalk) leadsToModule(run *hclconfig.Run, dir string) bool {
	for valid := true; ; dir = path.Dir(dir) {
		to := run.Module.LocalDir(dir)
		if _, err := fs.Stat(w.fsys, to); err == nil {
			return true
		}
		if valid = valid && fs.ValidPath(to); dir == "." {
			return valid
		}
	}
}

// isTestLink reports whether a link leads to a directory, but none that the link is in.
func (w *outputWalk) isTestLink(name string) bool {
	to, err := fs.Stat(w.fsys, name)
	if err != nil || !to.IsDir() {
		return false
	}
	for dir := name; dir != "."; {
		dir = path.Dir(dir)
		if above, err := fs.Stat(w.fsys, dir); err != nil || os.SameFile(above, to) {
			return false
		}
	}
	return true
}

// parsed reads the files of a kind in a directory.
func (w *outputWalk) parsed(dir string, kind hclconfig.FileKind) (files []*hclconfig.File) {
	entries, _ := fs.ReadDir(w.fsys, dir)
	for _, e := range entries {
		if name, ok := hclconfig.ParseFilename(e.Name()); !ok || e.IsDir() || name.Kind != kind {
			continue
		}
		name := path.Join(dir, e.Name())
		src, err := fs.ReadFile(w.fsys, name)
		if err != nil {
			w.fail(&hclconfig.Error{Filename: name, Err: err})
			continue
		}
		f, err := hclconfig.Parse(name, src)
		if err = cmp.Or(err, unread(&hclconfig.Module{Files: []*hclconfig.File{f}})); err != nil {
			w.fail(err)
		}
		files = append(files, f)
	}
	return files
}

// queries notes what Terraform's query files in the directory of a module use.
func (w *outputWalk) queries(m *hclconfig.Module) {
	if files := w.parsed(path.Clean(m.Dir), hclconfig.QueryFile); len(files) > 0 {
		w.usesOf(&hclconfig.Module{Config: hclconfig.Config{Calls: m.Calls}, Dir: m.Dir, Files: files})
	}
}

// usesOf notes the uses in a module and in its tests.
func (w *outputWalk) usesOf(m *hclconfig.Module) {
	targets := map[string]map[string]string{} // by test file and run: the directory of its module
	for _, f := range m.Tests {
		runs := map[string]string{}
		for _, run := range f.Config().Runs {
			dir := path.Clean(m.Dir)
			if run.Module != nil {
				dir = ""
				if run.Module.IsLocal() {
					dir = realDir(w.fsys, run.Module.LocalDir(m.Dir))
				}
				for _, u := range usesOfRun(run, w.callsIn[dir]) {
					w.use(dir, u.Address, u)
				}
			}
			runs[run.Name] = dir
		}
		targets[f.Filename()] = runs
	}
	names := NamesOf(m)
	type place struct {
		file *hclconfig.File
		at   textspan.Span
	}
	exact := map[place]bool{} // the references to an output of a run
	for u := range names.All() {
		if strings.HasPrefix(u.Address, "run.") && strings.Count(u.Address, ".") == 2 {
			exact[place{u.file, u.at}] = true
		}
	}
	for u := range names.All() {
		address, isRun := strings.CutPrefix(u.Address, "run.")
		if !isRun {
			w.use(path.Clean(m.Dir), u.Address, u)
			continue
		}
		run, output, _ := strings.Cut(address, ".")
		if dir, ok := targets[u.file.Filename()][run]; ok && (output != "" || !exact[place{u.file, u.at}]) {
			w.add(dir, output, u)
		}
	}
}

// use notes a use of an address that is relative to the module in dir.
func (w *outputWalk) use(dir, address string, u Use) {
	dirs := []string{dir}
	for strings.HasPrefix(address, "module.") {
		call, rest, below := strings.Cut(strings.TrimPrefix(address, "module."), ".")
		var next []string
		for _, dir := range dirs {
			next = append(next, w.calls[nameIn{dir, call}]...)
		}
		dirs, address = next, rest
		if !below && u.IsWhole() {
			for _, dir := range dirs {
				w.add(dir, "", u)
			}
		}
	}
	if name, ok := strings.CutPrefix(address, "output."); ok {
		for _, dir := range dirs {
			w.add(dir, name, u)
		}
	}
}

func (w *outputWalk) add(dir, output string, u Use) {
	if dir == "" { // of a module that is not in the file system
		return
	}
	id := nameIn{path.Clean(dir), output}
	w.uses[id] = append(w.uses[id], u)
}

// result returns the outputs of the modules that are called.
func (w *outputWalk) result() []CalledOutput {
	ids := slices.SortedFunc(maps.Keys(w.outputs), func(a, b nameIn) int {
		return cmp.Or(strings.Compare(a.dir, b.dir), strings.Compare(a.name, b.name))
	})
	order := func(a, b Use) int {
		return cmp.Or(strings.Compare(a.file.Filename(), b.file.Filename()), cmp.Compare(a.at.Start, b.at.Start), strings.Compare(a.Address, b.Address))
	}
	var out []CalledOutput
	for _, id := range ids {
		if callers := w.callers[id.dir]; len(callers) > 0 {
			uses := slices.SortedStableFunc(slices.Values(slices.Concat(w.uses[id], w.uses[nameIn{id.dir, ""}])), order)
			uses = slices.CompactFunc(uses, func(a, b Use) bool { return order(a, b) == 0 })
			out = append(out, CalledOutput{id.dir, w.outputs[id], slices.Clone(callers), uses})
		}
	}
	return out
}

// withHidden returns an iterator over the directories of [hclconfig.Modules], and over those that it leaves
// out because of their names, except what the tools keep there themselves.
func withHidden(fsys fs.FS) iter.Seq2[hclconfig.Directory, error] {
	return func(yield func(hclconfig.Directory, error) bool) {
		for d, err := range hclconfig.Modules(fsys) {
			if !yield(d, err) {
				return
			}
		}
		_ = fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
			base := path.Base(name)
			switch {
			case err != nil || !e.IsDir() || name == "." || base[0] != '.':
				return nil
			case base == ".git" || base == ".terraform" || base == ".terragrunt-cache":
				return fs.SkipDir
			}
			below, err := fs.Sub(fsys, name)
			if err != nil {
				return err
			}
			for d, err := range hclconfig.Modules(below) {
				if !yield(inDirectory(name, d), err) {
					return fs.SkipAll
				}
			}
			return nil
		})
	}
}

// inDirectory returns a directory below another one, with its whole paths.
func inDirectory(parent string, d hclconfig.Directory) hclconfig.Directory {
	d.Dir = path.Join(parent, d.Dir)
	for _, names := range [][]string{d.Files, d.Tests, d.Values} {
		for i, name := range names {
			names[i] = path.Join(parent, name)
		}
	}
	return d
}
