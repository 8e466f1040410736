// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"cmp"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A symbol is what a name means: a declaration of a module. The module is named by its directory
// in the file system of the view.
type symbol struct{ dir, address string }

// An occurrence is a place of a name.
type occurrence struct {
	symbol
	file       string
	start, end int
	// decl is the place of the block or argument that declares the symbol here; nil for a use.
	decl *addrs.Range
	// ofTest says that it is about a configuration of a provider that a test file has.
	ofTest bool
}

// A module is a module with its names.
type module struct {
	*hclconfig.Module
	dir   string // in the file system of the view
	names *hclnames.Names
	// beside are the files of values and queries, which are no files of the module.
	beside []*hclconfig.File
	// calls are the directories of called modules by the names of the calls, installed ones too.
	calls map[string]string
	// places are all occurrences in its files, by file and offset.
	places map[string][]occurrence
}

// A nameCache keeps the names of modules whose files did not change.
type nameCache struct {
	mu      sync.Mutex
	modules map[string]*module // by directory
}

func newNameCache() *nameCache { return &nameCache{modules: map[string]*module{}} }

// clear forgets all modules.
func (c *nameCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.modules)
}

// module returns the module in a directory, or nil if there is none. All of it is of the view.
func (s *server) module(v *view, dir string) *module {
	m, err := hclconfig.LoadModule(v, dir, v.dialect(), hclconfig.TestDirectory("tests"))
	if err != nil {
		return nil
	}
	s.names.mu.Lock()
	old := s.names.modules[dir]
	s.names.mu.Unlock()
	calls, beside := v.calledDirs(m), v.beside(dir)
	if old != nil && slices.Equal(old.Files, m.Files) && slices.Equal(old.Tests, m.Tests) && slices.Equal(old.beside, beside) && maps.Equal(old.calls, calls) {
		return old
	}
	out := &module{Module: m, dir: dir, names: hclnames.NamesOf(m), beside: beside, calls: calls, places: map[string][]occurrence{}}
	s.place(v, out)
	s.names.mu.Lock()
	defer s.names.mu.Unlock()
	s.names.modules[dir] = out
	return out
}

// calledDirs returns the directories of the modules that a module calls.
func (v *view) calledDirs(m *hclconfig.Module) map[string]string {
	out := map[string]string{}
	installed := v.installed(m.Dir)
	for _, c := range m.Calls {
		switch {
		case c.IsLocal():
			out[c.Name] = nameOf(realPath(osPath(c.LocalDir(m.Dir))))
		case installed[c.Name] != "":
			out[c.Name] = installed[c.Name]
		}
	}
	return out
}

// place finds the places of all names of a module.
func (s *server) place(v *view, m *module) {
	p := placer{s: s, v: v, m: m}
	for _, f := range slices.Concat(m.Files, m.Tests) {
		p.declarations(f)
	}
	for u := range m.names.All() {
		p.use(u)
	}
	p.others()
	for name := range m.places {
		slices.SortFunc(m.places[name], func(a, b occurrence) int {
			return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end), strings.Compare(a.address, b.address))
		})
		m.places[name] = slices.CompactFunc(m.places[name], func(a, b occurrence) bool {
			return a.start == b.start && a.end == b.end && a.symbol == b.symbol
		})
	}
}

// A placer finds the places of a module's names.
type placer struct {
	s *server
	v *view
	m *module
}

func (p *placer) add(sym symbol, at addrs.Range, decl *addrs.Range) {
	start, end := p.v.lines(at.Filename).bare(at)
	p.m.places[at.Filename] = append(p.m.places[at.Filename], occurrence{symbol: sym, file: at.Filename, start: start, end: end, decl: decl})
}

func (p *placer) own(address string) symbol { return symbol{p.m.dir, address} }

// declarations finds the names that a file declares.
func (p *placer) declarations(f *hclconfig.File) {
	c := f.Config()
	for d := range c.Declarations() {
		switch at := d.Range(); {
		case d.Argument != nil:
			p.add(p.own(d.Address), d.Argument.NameRange(), &at)
		case d.Block.Type != "provider":
			p.labelled(d.Address, d.Block)
		case !p.alias(d.Block) && f.Kind() != hclconfig.TestFile:
			p.labelled(d.Address, d.Block)
		}
	}
	for _, k := range c.Checks {
		if k.Data != nil {
			p.labelled("data."+k.Data.Type+"."+k.Data.Name, k.Data.Block)
		}
	}
	for _, run := range c.Runs {
		at := run.Block.Range()
		p.add(p.runName(f.Filename(), run.Name), run.Block.LabelRange(0), &at)
		p.run(run)
	}
	for _, mock := range c.MockProviders {
		p.alias(mock.Block)
	}
	for _, s := range c.Settings {
		for _, req := range s.RequiredProviders {
			for _, alias := range req.ConfigurationAliases { // each declares a configuration
				at := alias.Expression.Range()
				p.configuration(alias.Expression, &at)
			}
		}
	}
}

// labelled adds what a block declares: its name is the last label.
func (p *placer) labelled(address string, b *hclconfig.Block) {
	if n := len(b.Labels); n > 0 {
		at := b.Range()
		p.add(p.own(address), b.LabelRange(n-1), &at)
	}
}

// alias finds the alias of a provider block, if it has one. A block of a test replaces the one of the
// module that has the same alias.
func (p *placer) alias(b *hclconfig.Block) bool {
	a := b.Argument("alias")
	if a == nil || len(b.Labels) == 0 {
		return false
	}
	if alias, err := a.Text(); err == nil {
		at := b.Range()
		p.add(p.own("provider."+b.Labels[0]+"."+alias), a.Expression.Range(), &at)
		p.markTest(b.File().Filename())
	}
	return true
}

// runName is the symbol of a run of a test file: runs of different files have nothing in common.
func (p *placer) runName(file, name string) symbol { return p.own("run." + file + "#" + name) }

// use finds the declaration that a use is of.
func (p *placer) use(u hclnames.Use) {
	at := u.NameRange()
	if rest, ok := strings.CutPrefix(u.Address, "run."); ok {
		p.runUse(at, rest)
		return
	}
	dir, address, ok := p.v.resolve(p.s, p.m, u.Address)
	if !ok {
		return
	}
	if strings.HasPrefix(address, "provider.") && strings.Count(address, ".") == 1 {
		// The default configuration: its name is that of the provider, and of types.
		if u.In != nil && len(u.In.Labels) > 0 {
			if r := u.In.LabelRange(0); r.Filename == at.Filename && r.Start.Offset <= at.Start.Offset && at.End.Offset <= r.End.Offset {
				return // in the type of a resource
			}
		}
	}
	p.add(symbol{dir, address}, at, nil)
}

// runUse finds a run, or an output of the module that it ran.
func (p *placer) runUse(at addrs.Range, rest string) {
	name, out, ofOutput := strings.Cut(rest, ".")
	if !ofOutput {
		p.add(p.runName(at.Filename, name), at, nil)
		return
	}
	for _, f := range p.m.Tests {
		if f.Filename() != at.Filename {
			continue
		}
		for _, run := range f.Config().Runs {
			if run.Name != name {
				continue
			}
			p.add(symbol{p.v.runDir(p.m.Module, run), "output." + out}, at, nil)
		}
	}
}

// runDir returns the directory of the module that a run is of.
func (v *view) runDir(m *hclconfig.Module, run *hclconfig.Run) string {
	if run.Module == nil || !strings.HasPrefix(run.Module.Source.Value, ".") {
		return m.Dir
	}
	return nameOf(realPath(osPath(path.Join(m.Dir, run.Module.Source.Value))))
}

// resolve returns the module that declares an address which is relative to m, and the address in
// it. It reports false if a module on the way is not there.
func (v *view) resolve(s *server, m *module, address string) (dir, own string, ok bool) {
	dir = m.dir
	calls := m.calls
	for {
		rest, isCall := strings.CutPrefix(address, "module.")
		if !isCall {
			return dir, address, true
		}
		name, after, more := strings.Cut(rest, ".")
		if !more {
			return dir, address, true
		}
		if dir, ok = calls[name]; !ok {
			return "", "", false
		}
		address = after
		if strings.HasPrefix(address, "module.") && strings.Count(address, ".") > 1 {
			inner, err := hclconfig.LoadModule(v, dir, v.dialect())
			if err != nil {
				return "", "", false
			}
			calls = v.calledDirs(inner)
		}
	}
}

// beside returns the files of values and queries that belong to a module.
func (v *view) beside(dir string) []*hclconfig.File {
	var out []*hclconfig.File
	for _, d := range []string{dir, path.Join(dir, "tests")} {
		entries, _ := v.ReadDir(d)
		for _, e := range entries {
			name, ok := hclconfig.ParseFilename(e.Name())
			full := path.Join(d, e.Name())
			isQuery := name.Kind == hclconfig.QueryFile && d == dir
			if !ok || e.IsDir() || name.Kind != hclconfig.ValuesFile && !isQuery || nameOf(v.moduleDir(osPath(full))) != dir {
				continue
			}
			if f := v.Parsed(full, v.dialect()); f != nil {
				out = append(out, f)
			}
		}
	}
	return out
}

// others finds the names in the files beside the module.
func (p *placer) others() {
	for _, f := range p.m.beside {
		if f.Kind() == hclconfig.QueryFile {
			for u := range hclnames.NamesOf(&hclconfig.Module{Files: []*hclconfig.File{f}}).All() {
				p.use(u)
			}
			continue
		}
		for i := range f.Body().Arguments {
			a := &f.Body().Arguments[i]
			p.add(p.own("var."+a.Name), a.NameRange(), nil)
		}
	}
}

// run finds the aliases of the test file that a run passes on, and the names that it has of another
// module which it uses.
func (p *placer) run(run *hclconfig.Run) {
	passed, _ := run.Providers.Members()
	for _, m := range passed {
		p.configuration(m.Value, nil)
	}
	dir := p.v.runDir(p.m.Module, run)
	if dir == p.m.dir {
		return
	}
	for _, u := range hclnames.UsesOfRun(run) {
		if !strings.HasPrefix(u.Address, "module.") {
			p.add(symbol{dir, u.Address}, u.NameRange(), nil)
		}
	}
}

// markTest notes that what was added last is of a test, if the file is one.
func (p *placer) markTest(file string) {
	if list := p.m.places[file]; isTest(file) && len(list) > 0 {
		list[len(list)-1].ofTest = true
	}
}

// configuration finds the alias in an expression such as aws.tokyo, in either syntax.
func (p *placer) configuration(e hclconfig.Expression, decl *addrs.Range) {
	name, alias, ok := strings.Cut(strings.ReplaceAll(strings.Trim(e.Source(), `"`), " ", ""), ".")
	if !ok || alias == "" {
		return
	}
	at := e.Range()
	raw := p.v.lines(at.Filename).text[at.Start.Offset:at.End.Offset]
	if n := strings.LastIndex(string(raw), alias); n >= 0 {
		at.Start.Offset += int64(n)
		at.End.Offset = at.Start.Offset + int64(len(alias))
		p.add(p.own("provider."+name+"."+alias), at, decl)
		p.markTest(at.Filename)
	}
}

// A spot is the place in a document that a request is about.
type spot struct {
	doc    *document
	file   string // its name in the view, or "" for a document without a path
	offset int
	module *module // nil for a document of no module
}

func (s *server) spot(v *view, p positionParams) *spot {
	d := v.document(p.TextDocument.URI)
	if d == nil {
		return nil
	}
	out := &spot{doc: d, offset: d.index().offset(p.Position, v.enc)}
	if d.at != "" {
		out.file = nameOf(d.at)
		if counts(d.at) {
			out.module = s.module(v, nameOf(v.moduleDir(d.at)))
		}
	}
	return out
}

// occurrence returns the name at the spot: the spot is at its start, in it or at its end. If there are
// several, it is the one that starts there.
func (p *spot) occurrence() (best occurrence, ok bool) {
	if p == nil || p.module == nil {
		return best, false
	}
	for _, o := range p.module.places[p.file] {
		if o.start <= p.offset && p.offset <= o.end && (!ok || o.start == p.offset || p.offset < o.end && best.end == p.offset) {
			best, ok = o, true
		}
	}
	return best, ok
}

// reference returns the name at the spot or, if that is an attribute, an index or a type, the name
// in the reference that it is part of.
func (p *spot) reference(v *view) (occurrence, bool) {
	if o, ok := p.occurrence(); ok || p == nil || p.module == nil {
		return o, ok
	}
	f := v.Parsed(p.file, v.dialect())
	if f == nil {
		return occurrence{}, false
	}
	for _, a := range argumentsAt(f.Body(), p.offset) {
		for _, r := range a.Expression.References() {
			at := r.Range()
			start, end := int(at.Start.Offset), int(at.End.Offset)
			if p.offset < start || end < p.offset {
				continue
			}
			var best *occurrence
			for i, o := range p.module.places[p.file] {
				if start <= o.start && o.end <= end && o.decl == nil && (best == nil || o.start <= p.offset) {
					best = &p.module.places[p.file][i]
				}
			}
			if best != nil {
				return *best, true
			}
		}
	}
	return occurrence{}, false
}

// declarations returns the places where a symbol is declared, override files last.
func (s *server) declarations(v *view, sym symbol) []occurrence {
	m := s.module(v, sym.dir)
	if m == nil {
		return nil
	}
	var out []occurrence
	for _, f := range slices.Concat(m.Files, m.Tests) {
		for _, o := range m.places[f.Filename()] {
			if o.symbol == sym && o.decl != nil {
				out = append(out, o)
			}
		}
	}
	if len(out) == 0 {
		out = s.declarationsBefore(v, m, sym)
	}
	return out
}

// declarationsOf returns where the name of an occurrence is declared: a test has configurations of
// providers of its own, and nothing else names those.
func (s *server) declarationsOf(v *view, o occurrence) []occurrence {
	return slices.DeleteFunc(s.declarations(v, o.symbol), func(d occurrence) bool {
		return d.ofTest != o.ofTest || d.ofTest && d.file != o.file
	})
}

func isTest(name string) bool {
	n, ok := hclconfig.ParseFilename(name)
	return ok && n.Kind == hclconfig.TestFile
}

// declarationsBefore looks for a declaration in the last texts without syntax errors of files
// that have some now.
func (s *server) declarationsBefore(v *view, m *module, sym symbol) []occurrence {
	var out []occurrence
	for _, f := range m.Files {
		p, err := v.read(osPath(f.Filename()))
		if err != nil || p.before == nil || p.meaning(v.dialect()).real.Err() == nil {
			continue
		}
		old := &module{Module: m.Module, dir: m.dir, places: map[string][]occurrence{}}
		placer := placer{s: s, v: v, m: old}
		placer.declarations(p.before.meaning(v.dialect()).real)
		for _, o := range old.places[f.Filename()] {
			if o.symbol == sym && o.end <= len(p.text) {
				out = append(out, o)
			}
		}
	}
	return out
}

// everywhere returns all occurrences of a symbol in the modules around it.
func (s *server) everywhere(v *view, sym symbol) []occurrence {
	dirs := map[string]bool{sym.dir: true}
	for _, d := range v.modules(v.tops(osPath(sym.dir))) {
		dirs[nameOf(d)] = true
	}
	var out []occurrence
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		m := s.module(v, dir)
		if m == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(m.places)) {
			for _, o := range m.places[name] {
				if o.symbol == sym {
					out = append(out, o)
				}
			}
		}
	}
	return out
}

// location returns where an occurrence is.
func (v *view) locationOf(o occurrence) location {
	return location{v.uri(o.file), v.lines(o.file).rangeOf(o.start, o.end, v.enc)}
}

// dirOf returns the directory of a path of the view as people see it, relative to a folder.
func (v *view) dirOf(dir string) string {
	for _, f := range v.folders {
		if rel, err := filepath.Rel(f, osPath(dir)); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
	}
	return dir
}
