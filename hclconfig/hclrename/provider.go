// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// ReplaceProvider changes the source of a provider from the source from to the source to, in all
// modules that [hclconfig.Modules] finds in fsys. It returns the new texts of the changed files by
// their names in fsys. It writes nothing. An example is from "hashicorp/random" to "acme/random".
// If no module uses from, the map is empty.
//
// If from has no host, such as hashicorp/random, three sources match it: hashicorp/random,
// registry.opentofu.org/hashicorp/random and registry.terraform.io/hashicorp/random. The last two keep
// their host, unless to has one. If from has a host, such as example.com/acme/random, only that source
// matches. Its host cannot be one of these two registries: leave it out. Local names stay, and so do comments and versions.
//
// It changes the entries of required_providers in both syntaxes, in override files and in a main.tf beside a
// main.tofu too: an entry without a source gets one, and so does an entry that is a version alone. A module that
// uses the provider without an entry, because its resources, provider blocks, imports or
// module calls imply hashicorp/NAME, or a caller passes it by that name, gets one, since its callers would
// otherwise have both providers. The new entry is in the module's block required_providers, or else in a new block terraform at
// the end of its first file. Provider blocks that
// only tests have, called modules outside fsys, and directories that hclconfig.Modules leaves out are not changed.
// If a changed file has other names in fsys that are links to it, as in [os.DirFS], the result has its new text under each of them.
//
// The states (see statefile.File.ReplaceProvider) and the lock file (lockfile.File.ReplaceProvider) name the
// provider too: change the states first, since a lock on one of them can refuse that. To change all or
// nothing, make all new texts before the first is written, write the states with statefile.ReplaceFiles, and then the
// configurations and the lock files with one call of [hcledit.Save], which takes a lock file that
// [hclconfig.ParseNative] has read. If that fails, call ReplaceFiles again with Old and New of each state swapped.
//
// The error says why the change would not be safe, with its place: a file of a module with a fault, an entry or a source that is not
// constant, two local names of a module that would become one provider, or a new fault of a module in the result.
func ReplaceProvider(fsys fs.FS, from, to string) (map[string][]byte, error) {
	r := providerReplacer{fsys: fsys, to: to, changed: map[string]*hclconfig.File{}}
	if err := r.parse(from, to); err != nil {
		return nil, err
	}
	var dirs []hclconfig.Directory
	for d, err := range hclconfig.Modules(fsys) {
		if err != nil {
			return nil, err
		}
		if len(d.Files) == 0 {
			continue
		}
		dirs = append(dirs, d)
	}
	if err := r.findLinks(dirs); err != nil {
		return nil, err
	}
	for _, d := range dirs {
		for _, name := range d.Files {
			if err := r.entries(name); err != nil {
				return nil, err
			}
		}
	}
	// Terraform first: what a .tf file gets here, OpenTofu may see as well.
	for _, dialect := range []hclconfig.Dialect{hclconfig.Terraform, hclconfig.OpenTofu} {
		if err := r.calls(dialect); err != nil {
			return nil, err
		}
		for _, d := range dirs {
			if err := r.implied(d, dialect); err != nil {
				return nil, err
			}
		}
	}
	if err := r.verify(); err != nil {
		return nil, err
	}
	out := map[string][]byte{}
	for name, f := range r.changed {
		out[name] = f.Bytes()
	}
	return out, nil
}

// A providerReplacer is one call of ReplaceProvider.
type providerReplacer struct {
	fsys     fs.FS
	from     []addrs.Provider // in each registry
	to       string
	keepHost bool // of a source that names a default registry
	changed  map[string]*hclconfig.File
	aliases  map[string][]string // by the name of a file: the other names of the same file
	passed   map[string][]string // by directory: the local names of the provider that callers pass
}

// parse reads the two sources.
func (r *providerReplacer) parse(from, to string) error {
	old, err := addrs.ParseProvider(from)
	if err != nil {
		return err
	}
	wanted, err := addrs.ParseProvider(to)
	if err != nil {
		return err
	}
	if old.IsBuiltIn() || wanted.IsBuiltIn() || old.IsLegacy() || wanted.IsLegacy() {
		return fmt.Errorf("%s and %s must be providers that a registry can have", from, to)
	}
	r.from = []addrs.Provider{old}
	if hasHost(from) {
		if old.Host() == addrs.TerraformHost || old.Host() == addrs.DefaultHost {
			return fmt.Errorf("name %s without its host: which registry a source without a host means depends on the program", from)
		}
		return nil
	}
	r.keepHost = !hasHost(to)
	other, err := old.WithHost(addrs.TerraformHost)
	r.from = append(r.from, other)
	return err
}

func hasHost(source string) bool { return strings.Count(source, "/") > 1 }

// source returns the new source for a provider, or "" if it stays.
func (r *providerReplacer) source(p addrs.Provider, written string) string {
	switch {
	case !slices.Contains(r.from, p):
		return ""
	case r.keepHost && hasHost(written):
		host, _, _ := strings.Cut(written, "/")
		return host + "/" + r.to
	}
	return r.to
}

// entries changes the entries of required_providers in one file.
func (r *providerReplacer) entries(name string) error {
	text, err := fs.ReadFile(r.fsys, name)
	if err != nil {
		return err
	}
	file, err := hclconfig.Parse(name, text)
	if err != nil {
		return err
	}
	edit := hcledit.Edit(file)
	for _, settings := range file.Config().Settings {
		for _, req := range settings.RequiredProviders {
			p, err := req.Provider() // what its name says, if it has no source
			if err != nil {
				return err
			}
			source := r.source(p, req.Source.Value)
			if source == "" {
				continue
			}
			if err := setSource(edit, req, source); err != nil {
				return err
			}
		}
	}
	return r.apply(edit, text)
}

// setSource changes one entry. What is no constant entry, both programs refuse, and a change could only lose it.
func setSource(edit *hcledit.Editor, req *hclconfig.ProviderRequirement, source string) error {
	place := req.Argument.Expression.Range()
	members, isObject := req.Argument.Members()
	for _, m := range members {
		if m.Computed {
			return fmt.Errorf("%s: a key in the entry of %s in required_providers is not constant", place, req.Name)
		}
	}
	if _, err := req.Constraints(); err != nil {
		return err
	}
	entry := hcledit.Entry{Key: "source", Value: hcledit.String(source)}
	switch {
	case isObject && req.Source.IsSet(): // of several ones, the last, which the programs read
		edit.Replace(req.Source.Argument.Expression, hcledit.String(source))
	case isObject:
		edit.Insert(req.Argument.Expression, entry, hcledit.First())
	case strings.TrimSpace(req.Version.Value) != "": // a version alone
		edit.Replace(req.Argument.Expression, hcledit.Object(entry, hcledit.Entry{Key: "version", Value: hcledit.String(req.Version.Value)}))
	default:
		return fmt.Errorf("%s: the entry of %s in required_providers is neither an object nor a constant version", place, req.Name)
	}
	return nil
}

// apply notes the file that an edit makes, if it is another one.
func (r *providerReplacer) apply(edit *hcledit.Editor, old []byte) error {
	file, err := edit.Apply()
	if err != nil {
		return err
	}
	if bytes.Equal(file.Bytes(), old) {
		return nil
	}
	r.changed[file.Filename()] = file
	for _, name := range r.aliases[file.Filename()] {
		if r.changed[name], err = hclconfig.Parse(name, file.Bytes()); err != nil {
			return fmt.Errorf("%s is the same file as %s: %w", name, file.Filename(), err)
		}
	}
	return nil
}

// overlay returns the file system with the changed files of one directory.
func (r *providerReplacer) overlay(d hclconfig.Directory) fs.FS {
	var changed []*hclconfig.File
	for _, name := range d.Files {
		changed = append(changed, r.changed[name]) // nil if it is as it was
	}
	return hclconfig.Overlay(r.fsys, changed...)
}

// calls finds the modules that get the provider from a caller by a name that implies it. Without an
// entry of this name, the programs assume hashicorp/NAME there.
func (r *providerReplacer) calls(dialect hclconfig.Dialect) error {
	r.passed = map[string][]string{}
	for c, err := range hclnames.Calls(r.fsys, dialect) {
		if err != nil {
			return err
		}
		for _, mapping := range c.Call.ProviderMappings() {
			name := mapping.Inner.Name
			p, err := addrs.ImpliedProvider(name)
			if err != nil || r.source(p, "") == "" {
				continue
			}
			if c.Unknown {
				return fmt.Errorf("%s: the call passes %s, and may lead to any module", c.Call.Block.DefRange(), name)
			}
			r.passed[c.Dir] = append(r.passed[c.Dir], name)
		}
	}
	return nil
}

// lacking returns a local name of the provider for which a module has no entry, or "".
func (r *providerReplacer) lacking(m *hclconfig.Module) string {
	names := slices.Clone(r.passed[path.Clean(m.Dir)])
	for _, p := range m.RequiredProviders() {
		switch {
		case p.Requirement != nil:
			names = slices.DeleteFunc(names, func(name string) bool { return name == p.Name })
		case r.source(p.Provider, "") != "":
			return p.Name
		}
	}
	if len(names) == 0 || len(m.Files) == 0 {
		return ""
	}
	return names[0]
}

// implied adds the entries that a module lacks.
func (r *providerReplacer) implied(d hclconfig.Directory, dialect hclconfig.Dialect) error {
	for before := ""; ; {
		m, err := hclconfig.LoadModule(r.overlay(d), d.Dir, dialect)
		if err != nil {
			return err
		}
		for fault := range m.Diagnostics().Errors() {
			return fmt.Errorf("the module has a fault, or gets one by the change: %s", fault)
		}
		name := r.lacking(m)
		if name == "" {
			return nil
		}
		if name == before {
			return fmt.Errorf("%s: the entry of %s in required_providers has no effect", d.Dir, name)
		}
		before = name
		entry := hcledit.Object(hcledit.Entry{Key: "source", Value: hcledit.String(r.to)})
		file := m.Files[0]
		edit := hcledit.Edit(file).Add(nil, hcledit.NewBlock("terraform").Add(hcledit.NewBlock("required_providers").Set(name, entry)))
		for _, settings := range m.Settings {
			if b := settings.Block.Block("required_providers"); b != nil { // a module has one, or none
				file = b.File()
				edit = hcledit.Edit(file).Set(b, name, entry)
			}
		}
		if err := r.apply(edit, file.Bytes()); err != nil {
			return err
		}
	}
}

// verify refuses a result in which a module has a fault that it did not have.
func (r *providerReplacer) verify() error {
	dirs := map[string]bool{}
	for name := range r.changed {
		dirs[path.Dir(name)] = true
	}
	result := hclconfig.Overlay(r.fsys, slices.Collect(maps.Values(r.changed))...)
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		for _, dialect := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			if err := r.joined(result, dir, dialect); err != nil {
				return err
			}
			before, err := problems(r.fsys, dir, dialect)
			if err != nil {
				return err
			}
			after, err := problems(result, dir, dialect)
			if err != nil {
				return err
			}
			if len(after) > len(before) {
				return fmt.Errorf("the result in %s would have a new fault: %s", dir, after[len(after)-1])
			}
		}
	}
	return nil
}

// joined refuses a result in which two local names of a module become one provider. The programs only warn about
// that, and if both names have provider blocks, which one a resource gets is left to chance.
func (r *providerReplacer) joined(result fs.FS, dir string, dialect hclconfig.Dialect) error {
	before, err := hclconfig.LoadModule(r.fsys, dir, dialect)
	if err != nil {
		return err
	}
	after, err := hclconfig.LoadModule(result, dir, dialect)
	if err != nil {
		return err
	}
	was := map[string]hclconfig.RequiredProvider{}
	for _, p := range before.RequiredProviders() {
		was[p.Name] = p
	}
	byProvider := map[addrs.Provider]string{}
	for _, p := range after.RequiredProviders() {
		other, found := byProvider[p.Provider]
		byProvider[p.Provider] = p.Name
		if found && p.Provider.IsValid() && was[p.Name].Provider != was[other].Provider {
			return fmt.Errorf("%s and %s would be two local names of %s", namePlace(was[other], dir), namePlace(was[p.Name], dir), p.Provider)
		}
	}
	return nil
}

// namePlace says where a local name is from.
func namePlace(p hclconfig.RequiredProvider, dir string) string {
	if p.Requirement == nil {
		return fmt.Sprintf("%s: %s, without an entry in required_providers,", dir, p.Name)
	}
	return fmt.Sprintf("%s: %s", p.Requirement.Argument.Range(), p.Name)
}

// findLinks fills in the aliases. A hard link is none: a program that saves the file parts the two.
func (r *providerReplacer) findLinks(dirs []hclconfig.Directory) error {
	type alike struct { // what two names of one file have in common
		size int64
		time time.Time
	}
	byInfo := map[alike][]string{}
	infos := map[string]fs.FileInfo{}
	var links []string
	for _, d := range dirs {
		for _, name := range d.Files {
			own, err := fs.Lstat(r.fsys, name)
			if err != nil {
				return err
			}
			info, err := fs.Stat(r.fsys, name)
			if err != nil {
				return err
			}
			if info.Mode()&(fs.ModeNamedPipe|fs.ModeSocket|fs.ModeDevice) != 0 { // reading it could wait forever
				return fmt.Errorf("%s: not a regular file", name)
			}
			if own.Mode()&fs.ModeSymlink != 0 {
				links = append(links, name)
			}
			infos[name] = info
			key := alike{info.Size(), info.ModTime()}
			byInfo[key] = append(byInfo[key], name)
		}
	}
	r.aliases = map[string][]string{}
	add := func(name, other string) {
		if !slices.Contains(r.aliases[name], other) {
			r.aliases[name] = append(r.aliases[name], other)
		}
	}
	for _, link := range links {
		for _, name := range byInfo[alike{infos[link].Size(), infos[link].ModTime()}] {
			if name != link && os.SameFile(infos[link], infos[name]) {
				add(link, name)
				add(name, link)
			}
		}
	}
	return nil
}
