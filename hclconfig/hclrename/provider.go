// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// ReplaceProvider changes the source of a provider from the source from to the source to, in all
// modules that [hclconfig.Modules] finds in fsys. It returns the new texts of the changed files by
// their names in fsys. It writes nothing. An example is from "hashicorp/random" to "acme/random".
//
// If from has no host, it is the provider of this name in the default registry of either program, and a
// source that names such a registry keeps it, unless to has a host. Otherwise only the sources with that host change, which is
// none of the two registries. Local names stay, and so do comments and versions.
//
// It changes the entries of required_providers in both syntaxes, in override files and in a main.tf beside a
// main.tofu too: an entry without a source gets one, and so does an entry that is a version alone. A module that
// uses the provider without an entry, because its resources, provider blocks, imports or
// module calls imply hashicorp/NAME, or a caller passes it by that name, gets one, since its callers would otherwise have both providers. Provider blocks that
// only tests have, called modules outside fsys, and directories that hclconfig.Modules leaves out are not changed.
//
// The states (see statefile.File.ReplaceProvider) and the lock file (lockfile.File.ReplaceProvider) name the
// provider too: change the states first, since a lock on one of them can refuse that.
//
// The error says why the change would not be safe, with its place: a file of a module with a fault, a source that is not
// constant, or a new fault of a module in the result.
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
			if err := r.implied(d.Dir, dialect); err != nil {
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
	passed   map[string][]string // by directory: the local names of the provider that callers pass
}

// parse reads the two sources.
func (r *providerReplacer) parse(from, to string) error {
	old, err := addrs.ParseProvider(from)
	if err != nil {
		return err
	}
	new, err := addrs.ParseProvider(to)
	if err != nil {
		return err
	}
	if old.IsBuiltIn() || new.IsBuiltIn() || old.IsLegacy() || new.IsLegacy() {
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
			entry := hcledit.Entry{Key: "source", Value: hcledit.String(source)}
			switch {
			case source == "":
			case req.Argument.Form() == hclconfig.FormObject:
				edit.Insert(req.Argument.Expression, entry, hcledit.First())
			default: // a version alone
				edit.Replace(req.Argument.Expression, hcledit.Object(entry, hcledit.Entry{Key: "version", Value: hcledit.String(req.Version.Value)}))
			}
		}
	}
	return r.apply(edit, text)
}

// apply notes the file that an edit makes, if it is another one.
func (r *providerReplacer) apply(edit *hcledit.Editor, old []byte) error {
	file, err := edit.Apply()
	if err != nil {
		return err
	}
	if !bytes.Equal(file.Bytes(), old) {
		r.changed[file.Filename()] = file
	}
	return nil
}

// overlay returns the file system with the changed files.
func (r *providerReplacer) overlay() fs.FS {
	return hclconfig.Overlay(r.fsys, slices.Collect(maps.Values(r.changed))...)
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
func (r *providerReplacer) implied(dir string, dialect hclconfig.Dialect) error {
	for before := ""; ; {
		m, err := hclconfig.LoadModule(r.overlay(), dir, dialect)
		if err != nil {
			return err
		}
		for d := range m.Diagnostics().Errors() {
			return fmt.Errorf("the module has a fault, or gets one by the change: %s", d)
		}
		name := r.lacking(m)
		if name == "" {
			return nil
		}
		if name == before {
			return fmt.Errorf("%s: the entry of %s in required_providers has no effect", dir, name)
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
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		for _, dialect := range []hclconfig.Dialect{hclconfig.OpenTofu, hclconfig.Terraform} {
			before, err := problems(r.fsys, dir, dialect)
			if err != nil {
				return err
			}
			after, err := problems(r.overlay(), dir, dialect)
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
