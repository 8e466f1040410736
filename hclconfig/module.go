// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// A Module is a directory with the configuration of one module, read whole. It
// holds the declarations of all its files, after the override files were
// applied.
//
// Like a [File], it does not change, and may be read from several goroutines at
// the same time.
type Module struct {
	// Config has the declarations of the module. Blocks of override files are
	// not listed; they have changed the blocks that they override. In Settings,
	// blocks of override files come last.
	Config
	// Dir is the directory, as it was given to [LoadModule].
	Dir string
	// Files has the files in the order in which OpenTofu reads them: the
	// primary ones by name, then the override files by name.
	Files []*File
	// Tests has the test files, with [TestDirectory] only.
	Tests []*File
	// Overridden lists the changes by override files, in the order in which
	// they were applied.
	Overridden []Overridden

	fsys    fs.FS
	dialect hcllang.Dialect
	release hcllang.Release
	diags   Diagnostics
	// sources is requirementsWithSource, once all is read.
	sources map[string]*ProviderRequirement
}

// An Overridden is the effect of one block of an override file.
type Overridden struct {
	// Address is that of the block that is overridden, as in
	// [Declaration], or a word for one that has no address, such as backend.
	Address string
	// Base is the overridden block, or nil if there was none and the block needs none.
	Base *Block
	// By is the block of the override file.
	By *Block
	// Arguments are the names of the arguments and nested block types that were
	// replaced, in the order of the overriding block. Names that the override
	// set without effect are not among them.
	Arguments []string
}

// LoadModule reads the module in the directory dir of fsys. As everywhere in package
// io/fs, dir uses slashes but does not begin with one, and "." is the root; the names
// of files and in places are also paths in fsys, such as "dir/main.tf". The options
// are a [Dialect], which decides which files are read, and [TestDirectory].
//
// Faults of the files are not an error: they are among [Module.Diagnostics], and the
// Module has the parts that could be read. A program that relies on what a module does
// not have looks at them first:
//
//	for d := range module.Diagnostics().Errors() {
//		return errors.New(d.String())
//	}
//
// LoadModule fails only if the directory, or with TestDirectory that of the tests, cannot
// be listed; the error is an [*Error] that wraps that of fsys. A directory of tests
// that does not exist is ignored. A directory without configuration files is an empty
// module. The Module keeps fsys.
func LoadModule(fsys fs.FS, dir string, opts ...Option) (*Module, error) {
	o := collect(opts)
	m := &Module{Dir: dir, fsys: fsys, dialect: o.dialect.tool(), release: o.dialect.release()}
	names, err := selectFiles(fsys, dir, o.dialect)
	if err != nil {
		return nil, &Error{Filename: dir, Err: err}
	}
	m.Files = m.read(append(names.primary, names.override...))
	if o.tests {
		tests := names.tests
		switch more, err := selectFiles(fsys, path.Join(dir, o.testDir), o.dialect); {
		case err == nil:
			tests = append(tests, more.tests...)
		case !errors.Is(err, fs.ErrNotExist):
			return nil, &Error{Filename: path.Join(dir, o.testDir), Err: err}
		case o.testDir != defaultTestDir:
			m.diags = append(m.diags, Diagnostic{
				Severity: SeverityWarning, Summary: "Test directory does not exist",
				Detail:  fmt.Sprintf("Requested test directory %s does not exist.", path.Join(dir, o.testDir)),
				Subject: addrs.Range{Filename: path.Join(dir, o.testDir)},
			})
		}
		m.Tests = m.read(tests)
	}
	m.combine()
	m.sources = m.requirementsWithSource()
	return m, nil
}

// moduleFiles are the names of the files of a module, with the directory.
type moduleFiles struct{ primary, override, tests []string }

// selectFiles chooses the files of a directory as
// opentofu: internal/configs/parser_config_dir.go does.
func selectFiles(fsys fs.FS, dir string, d Dialect) (moduleFiles, error) {
	var out moduleFiles
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return out, err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		name, ok := ParseFilename(entry.Name())
		if !ok || !name.Kind.support(name.Tofu).In(d.tool(), d.release()) {
			continue
		}
		full := path.Join(dir, entry.Name())
		switch {
		case name.Kind == TestFile:
			out.tests = append(out.tests, full)
		case name.Kind != ConfigFile:
		case name.Override:
			out.override = append(out.override, full)
		default:
			out.primary = append(out.primary, full)
		}
	}
	// Each list by itself loses the files that a .tofu file replaces. Formats
	// are not compared: a.tf and a.tofu.json are both read.
	for _, list := range []*[]string{&out.primary, &out.override, &out.tests} {
		all := slices.Clone(*list)
		*list = slices.DeleteFunc(*list, func(name string) bool {
			variant, ok := tofuVariant(name)
			return ok && slices.Contains(all, variant)
		})
	}
	return out, nil
}

// SummaryUnreadable is the summary of the diagnostic for a file that cannot be read, such as
// a link that leads nowhere.
const SummaryUnreadable = "Failed to read file"

// read parses files; one that cannot be read is a diagnostic.
func (m *Module) read(names []string) []*File {
	files := make([]*File, 0, len(names))
	parsed, _ := m.fsys.(ParsedFS)
	for _, name := range names {
		if parsed != nil {
			if f := parsed.Parsed(name, m.Dialect()); f != nil {
				m.diags = append(m.diags, f.diags...)
				files = append(files, f)
				continue
			}
		}
		src, err := fs.ReadFile(m.fsys, name)
		if err != nil {
			m.diags = append(m.diags, Diagnostic{
				Severity: SeverityError, Summary: SummaryUnreadable,
				Detail: fmt.Sprintf("The file %q could not be read: %v.", path.Base(name), withoutPath(err)), Subject: addrs.Range{Filename: name},
			})
			continue
		}
		f, _ := Parse(name, src, m.Dialect()) // the error is among the diagnostics
		m.diags = append(m.diags, f.diags...)
		files = append(files, f)
	}
	return files
}

// withoutPath returns the cause of an error of a file system, whose path means nothing to
// those who do not know the file system's root.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// Dialect returns the dialect that the module was read as.
func (m *Module) Dialect() Dialect {
	if m == nil {
		return 0
	}
	return Dialect(m.dialect) | Dialect(m.release)<<1
}

// Diagnostics returns the faults of the module: those of its files, and those
// of the files taken together, such as a name that is declared twice. Package
// hclcheck finds more.
func (m *Module) Diagnostics() Diagnostics {
	if m == nil {
		return nil
	}
	return slices.Clone(m.diags)
}

// A Declaration is an object of a module that has an address.
type Declaration struct {
	// Address is the address inside the module: var.x, local.x, output.x,
	// module.x, check.x, provider.aws or provider.aws.west, aws_instance.x,
	// data.aws_ami.x, ephemeral.t.x, action.t.x.
	Address string
	// Block is the block that declares it; for a local value, the locals
	// block that it is in.
	Block *Block
	// Argument is the argument that declares a local value, and nil for
	// everything else.
	Argument *Argument
}

// Range returns the place of the declaration.
func (d Declaration) Range() addrs.Range {
	if d.Argument != nil {
		return d.Argument.Range()
	}
	return d.Block.DefRange()
}

// Declarations returns an iterator over the declarations of c that have an
// address, kind by kind, each in the order of the text.
func (c *Config) Declarations() iter.Seq[Declaration] {
	return func(yield func(Declaration) bool) {
		if c != nil {
			c.declarations(yield)
		}
	}
}

func (c *Config) declarations(yield func(Declaration) bool) bool {
	for _, p := range c.Providers {
		if !yield(Declaration{Address: "provider." + p.Address(), Block: p.Block}) {
			return false
		}
	}
	for _, v := range c.Variables {
		if !yield(Declaration{Address: "var." + v.Name, Block: v.Block}) {
			return false
		}
	}
	for _, l := range c.Locals {
		if !yield(Declaration{Address: "local." + l.Name, Block: l.Block, Argument: l.Argument}) {
			return false
		}
	}
	for _, list := range [][]*Resource{c.Resources, c.Data, c.Ephemeral} {
		for _, r := range list {
			if !yield(Declaration{Address: r.address(), Block: r.Block}) {
				return false
			}
		}
	}
	for _, a := range c.Actions {
		if !yield(Declaration{Address: "action." + a.Type + "." + a.Name, Block: a.Block}) {
			return false
		}
	}
	for _, m := range c.Calls {
		if !yield(Declaration{Address: "module." + m.Name, Block: m.Block}) {
			return false
		}
	}
	for _, k := range c.Checks {
		if !yield(Declaration{Address: "check." + k.Name, Block: k.Block}) {
			return false
		}
	}
	for _, o := range c.Outputs {
		if !yield(Declaration{Address: "output." + o.Name, Block: o.Block}) {
			return false
		}
	}
	return true
}

// address is Address for a resource whose names may be broken.
func (r *Resource) address() string {
	switch r.Block.Type {
	case "data", "ephemeral":
		return r.Block.Type + "." + r.Type + "." + r.Name
	}
	return r.Type + "." + r.Name
}

// A RequiredProvider is a provider that a module needs, by its local name.
type RequiredProvider struct {
	Name     string         // the local name
	Provider addrs.Provider // the zero Provider if the source is not valid
	// Constraints are those of the entry and of deprecated version
	// arguments in provider blocks, together. Those that are not valid are
	// left out; package hclcheck reports them.
	Constraints addrs.Constraints
	// Versions are the same constraints as written, each with its place. They
	// include those that are not valid or not constant.
	Versions []Text
	// Requirement is the entry of required_providers, or nil if the module
	// only uses the provider.
	Requirement *ProviderRequirement
}

// RequiredProviders returns the providers that the module needs, sorted by local name: those
// in required_providers, and those that its resources, provider
// configurations and imports imply. The built-in provider is among them. Those of called modules, and
// of modules and provider blocks that only tests have, are not: "init" of OpenTofu locks these as
// well. They are in the Config of each file of Tests: Providers, and the Module of each of its Runs. A .tf file beside a .tofu
// file of the same name is not read as OpenTofu: load the module as both dialects, or parse all [Directory.Files]. A requirement that cannot be read is left out, or has no constraints. A program that acts on the result
// refuses a module in which package hclcheck finds an error.
//
// The default host of sources follows the dialect.
func (m *Module) RequiredProviders() []RequiredProvider {
	if m == nil {
		return nil
	}
	byName := map[string]*RequiredProvider{}
	for _, s := range m.Settings {
		for _, p := range s.RequiredProviders {
			r := &RequiredProvider{Name: p.Name, Requirement: p}
			r.Provider, _ = p.Provider()
			r.Provider = m.onDefaultHost(r.Provider, p.Source.Value)
			r.Constraints, _ = p.Constraints()
			if p.Version.IsSet() {
				r.Versions = []Text{p.Version}
			}
			byName[p.Name] = r
		}
	}
	implied := func(name string) *RequiredProvider {
		r := byName[name]
		if r == nil && name != "" {
			r = &RequiredProvider{Name: name}
			r.Provider, _ = addrs.ImpliedProvider(name)
			r.Provider = m.onDefaultHost(r.Provider, name)
			byName[name] = r
		}
		return r
	}
	for _, p := range m.Providers {
		r := implied(p.Name)
		if r != nil && p.Version.IsSet() {
			r.Versions = append(r.Versions, p.Version)
		}
		if c, err := p.Version.constraints(addrs.ParseConfigConstraints); err == nil && r != nil && p.Version.IsSet() {
			r.Constraints = addrs.JoinConstraints(r.Constraints, c)
		}
	}
	for _, list := range [][]*Resource{m.Resources, m.Data, m.Ephemeral} {
		for _, r := range list {
			implied(r.ProviderName())
		}
	}
	for _, c := range m.Checks {
		if c.Data != nil {
			implied(c.Data.ProviderName())
		}
	}
	for _, i := range m.Imports {
		if i.Provider.IsSet() {
			implied(i.Provider.Name)
		} else {
			implied(m.importedName(i))
		}
	}
	for _, c := range m.Calls {
		for _, p := range c.ProviderMappings() {
			implied(p.Outer.Name)
		}
	}
	out := make([]RequiredProvider, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, *byName[name])
	}
	return out
}

// onDefaultHost moves a provider whose source names no host to the registry of
// the dialect.
func (m *Module) onDefaultHost(p addrs.Provider, source string) addrs.Provider {
	slashes := 0
	for i := range len(source) {
		if source[i] == '/' {
			slashes++
		}
	}
	if m.dialect != hcllang.Terraform || slashes > 1 || !p.IsValid() || p.IsBuiltIn() {
		return p
	}
	moved, err := p.WithHost(addrs.TerraformHost)
	if err != nil {
		return p
	}
	return moved
}

// importedName returns the local name of the provider that the target of an import implies, or "". OpenTofu 1.12.6
// counts each target, also one in a called module. Terraform 1.11.4 counts only those of the module itself that have no block.
func (m *Module) importedName(i *Import) string {
	if !i.To.IsSet() {
		return ""
	}
	x, err := i.To.nativeForm()
	if err != nil {
		return ""
	}
	names := stepNames(x)
	for len(names) > 2 && names[0] == "module" {
		if m.dialect == hcllang.Terraform {
			return ""
		}
		names = names[2:]
	}
	if len(names) != 2 || m.dialect == hcllang.Terraform && slices.ContainsFunc(m.Resources, func(r *Resource) bool { return r.Type == names[0] && r.Name == names[1] }) {
		return ""
	}
	name, _, _ := strings.Cut(names[0], "_")
	return name
}

// stepNames returns the names in a reference, without its keys, which may be any expressions.
func stepNames(x hclsyntax.Expression) (names []string) {
	var steps hcl.Traversal
	switch x := x.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		steps = x.Traversal
	case *hclsyntax.RelativeTraversalExpr:
		names, steps = stepNames(x.Source), x.Traversal
	case *hclsyntax.IndexExpr:
		return stepNames(x.Collection)
	}
	for _, step := range steps {
		switch step := step.(type) {
		case hcl.TraverseRoot:
			names = append(names, step.Name)
		case hcl.TraverseAttr:
			names = append(names, step.Name)
		}
	}
	return names
}

// requirementsWithSource returns the first requirement with a source for each local name.
func (m *Module) requirementsWithSource() map[string]*ProviderRequirement {
	out := map[string]*ProviderRequirement{}
	for _, s := range m.Settings {
		for _, p := range s.RequiredProviders {
			if out[p.Name] == nil && p.Source.IsSet() {
				out[p.Name] = p
			}
		}
	}
	return out
}

// ProviderOf returns the address of the provider with this local name in the
// module: the source in required_providers or, without one, the address that
// the name implies. The default host depends on the dialect. The error is an
// [*Error] that wraps the *addrs.Error; for a name that implies no address it
// has no place.
func (m *Module) ProviderOf(localName string) (addrs.Provider, error) {
	if m == nil {
		return addrs.Provider{}, nil
	}
	sources := m.sources
	if sources == nil { // a module that was not loaded
		sources = m.requirementsWithSource()
	}
	if p := sources[localName]; p != nil {
		a, err := p.Provider()
		return m.onDefaultHost(a, p.Source.Value), err
	}
	a, err := addrs.ImpliedProvider(localName)
	if err != nil {
		return a, &Error{Err: err}
	}
	return m.onDefaultHost(a, localName), nil
}

// A ParsedFS is a file system that has parsed some of its files already. [LoadModule] takes
// these instead of reading them: a program that reads a module again and again while one file
// of it changes, such as an editor, parses that file alone.
type ParsedFS interface {
	fs.FS
	// Parsed returns the file of that name as [Parse] returns it for a dialect, or nil if the
	// file has to be read. It may be called concurrently.
	Parsed(name string, d Dialect) *File
}

// Overlay returns a file system with the given files in addition to those of fsys, or in
// place of those with the same names. With it, [LoadModule] reads a module as it will be
// after edited files are written, so a program can check it first. The names are paths in
// fsys. If fsys is nil, there are only the given files. If a name occurs twice, the last one
// counts. A nil File, or one whose name is not valid by [fs.ValidPath], is left out.
func Overlay(fsys fs.FS, files ...*File) fs.FS {
	o := &overlay{below: fsys, files: map[string]*File{}, dirs: map[string][]string{".": nil}}
	listed := map[string]bool{} // by its folder
	for _, f := range files {
		if f == nil || !fs.ValidPath(f.Filename()) || f.Filename() == "." {
			continue
		}
		o.files[f.Filename()] = f
		for name := f.Filename(); name != "." && !listed[name]; name = path.Dir(name) {
			listed[name] = true
			o.dirs[path.Dir(name)] = append(o.dirs[path.Dir(name)], path.Base(name))
		}
	}
	return o
}

// An overlay is a file system of files in memory, and of another one below.
type overlay struct {
	below fs.FS
	files map[string]*File
	dirs  map[string][]string // what the files add to folders
}

func (o *overlay) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	if f := o.files[name]; f != nil {
		return &overlayFile{overlayInfo{path.Base(name), int64(len(f.Bytes())), 0o444}, bytes.NewReader(f.Bytes()), nil}, nil
	}
	if _, ok := o.dirs[name]; ok {
		entries, err := o.ReadDir(name)
		if err != nil {
			return nil, err
		}
		return &overlayFile{overlayInfo{path.Base(name), 0, fs.ModeDir | 0o555}, nil, entries}, nil
	}
	if o.below == nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return o.below.Open(name)
}

// Parsed returns a file that was given, or one that the file system below has parsed.
func (o *overlay) Parsed(name string, d Dialect) *File {
	if f := o.files[name]; f != nil {
		if f.Dialect() == d {
			return f
		}
		return nil
	}
	if below, ok := o.below.(ParsedFS); ok {
		return below.Parsed(name, d)
	}
	return nil
}

// ReadDir lists a folder.
func (o *overlay) ReadDir(name string) ([]fs.DirEntry, error) {
	own, ok := o.dirs[name]
	var entries []fs.DirEntry
	if o.below != nil {
		var err error
		if entries, err = fs.ReadDir(o.below, name); err != nil && !ok {
			return nil, err
		}
	} else if !ok {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
	}
	if len(own) == 0 {
		return entries, nil
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return slices.Contains(own, e.Name()) && (!e.IsDir() || o.files[path.Join(name, e.Name())] != nil)
	})
	for _, base := range own {
		info := overlayInfo{name: base, mode: fs.ModeDir | 0o555}
		if f := o.files[path.Join(name, base)]; f != nil {
			info = overlayInfo{base, int64(len(f.Bytes())), 0o444}
		} else if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == base }) {
			continue
		}
		entries = append(entries, fs.FileInfoToDirEntry(info))
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

// An overlayInfo describes a file or a folder of an overlay.
type overlayInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i overlayInfo) Name() string { return i.name }

func (i overlayInfo) Size() int64 { return i.size }

func (i overlayInfo) Mode() fs.FileMode { return i.mode }

func (i overlayInfo) ModTime() time.Time { return time.Time{} }

func (i overlayInfo) IsDir() bool { return i.mode.IsDir() }

func (i overlayInfo) Sys() any { return nil }

// An overlayFile is an open file or folder of an overlay.
type overlayFile struct {
	info    overlayInfo
	text    *bytes.Reader
	entries []fs.DirEntry
}

func (f *overlayFile) Stat() (fs.FileInfo, error) { return f.info, nil }

func (f *overlayFile) Close() error { return nil }

func (f *overlayFile) Read(p []byte) (int, error) {
	if f.text == nil {
		return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: fs.ErrInvalid}
	}
	return f.text.Read(p)
}

// ReadDir returns the next entries of a folder.
func (f *overlayFile) ReadDir(n int) ([]fs.DirEntry, error) {
	if f.text != nil {
		return nil, &fs.PathError{Op: "readdir", Path: f.info.name, Err: fs.ErrInvalid}
	}
	return nextEntries(&f.entries, n)
}

// nextEntries takes n entries, or all if n is not positive.
func nextEntries(left *[]fs.DirEntry, n int) ([]fs.DirEntry, error) {
	if n > 0 && len(*left) == 0 {
		return nil, io.EOF
	}
	if n <= 0 || n > len(*left) {
		n = len(*left)
	}
	out := slices.Clone((*left)[:n])
	*left = (*left)[n:]
	return out, nil
}
