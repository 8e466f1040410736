// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/lockfile"
	"github.com/tofuwire/tofuwire/planjson"
)

// lock takes a lock file.
func (m *maker) lock(text []byte) error {
	f, err := lockfile.Parse("", text)
	if err != nil {
		return err
	}
	for _, b := range f.Blocks() {
		var h1, zh int64
		for _, h := range b.Hashes() {
			switch h.Scheme() {
			case addrs.SchemeH1:
				h1++
			case addrs.SchemeZH:
				zh++
			}
		}
		if err := m.row(LockEntries, b.Range().Start.Offset, b.Label(), null(b.VersionText()), null(b.ConstraintsText()), h1, zh); err != nil {
			return err
		}
	}
	return nil
}

// configuration takes a configuration file.
func (m *maker) configuration(text []byte) error {
	f, err := hclconfig.Parse(m.doc.name, text)
	if err != nil {
		return err
	}
	c := f.Config()
	at := func(x interface {
		Place() (*hclconfig.File, int, int)
	}) int64 {
		_, start, _ := x.Place()
		return int64(start)
	}
	for _, s := range c.Settings {
		if s.RequiredVersion.IsSet() {
			if err := m.row(Requirements, at(s.RequiredVersion.Argument), nil, "terraform", nil, null(s.RequiredVersion.Value)); err != nil {
				return err
			}
		}
		for _, p := range s.RequiredProviders {
			var source any
			if a, err := p.Provider(); err == nil {
				source = a.String()
			}
			if err := m.row(Requirements, at(p.Argument), nil, p.Name, source, null(p.Version.Value)); err != nil {
				return err
			}
		}
	}
	for _, call := range c.Calls {
		if err := m.row(Modules, at(call.Block), "module."+call.Name, null(withoutUser(call.Source.Value)), null(call.Version.Value), nil); err != nil {
			return err
		}
	}
	for _, list := range [][]*hclconfig.Resource{c.Resources, c.Data, c.Ephemeral} {
		for _, r := range list {
			address := r.Type + "." + r.Name
			if r.Mode != addrs.Managed {
				address = string(r.Mode) + "." + address
			}
			if err := m.row(Resources, at(r.Block), address, nil, string(r.Mode), r.Type, r.Name, nil, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// shownConfiguration takes what show -json -config prints.
func (m *maker) shownConfiguration(text []byte) error {
	c, err := planjson.DecodeConfig(text)
	if err != nil {
		return err
	}
	if !m.options.Reveal {
		if _, err := m.options.redactor().Config(c); err != nil {
			return err
		}
	}
	if version, ok := planjson.Value(text).Member("format_version").Text(); ok {
		m.info.formatVersion = version
	}
	if err := m.config(c); err != nil {
		return err
	}
	for _, path := range modulesOf(c) {
		for j, r := range path.module.Resources {
			if r == nil {
				continue
			}
			at := m.doc.index.at(path.pointer + "/resources/" + strconv.Itoa(j))
			var provider any
			if p := c.ProviderConfig[r.ProviderConfigKey]; p != nil {
				provider = null(p.FullName)
			}
			address := r.Address
			if path.address != "" {
				address = path.address + "." + address
			}
			if err := m.row(Resources, at, address, null(path.address), string(r.Mode), r.Type, r.Name, provider, nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// config takes the requirements and the module calls of a configuration, which
// may be that of a plan. The resources of a plan come from its planned values.
func (m *maker) config(c *planjson.Config) error {
	for _, key := range slices.Sorted(maps.Keys(c.ProviderConfig)) {
		p := c.ProviderConfig[key]
		if p == nil {
			continue
		}
		at := m.doc.index.at("/provider_config/" + key)
		if err := m.row(Requirements, at, null(p.ModuleAddress), p.Name, null(p.FullName), null(p.VersionConstraint)); err != nil {
			return err
		}
	}
	for _, in := range modulesOf(c) {
		for _, name := range slices.Sorted(maps.Keys(in.module.ModuleCalls)) {
			call := in.module.ModuleCalls[name]
			if call == nil {
				continue
			}
			address := "module." + name
			if in.address != "" {
				address = in.address + "." + address
			}
			at := m.doc.index.at(in.pointer + "/module_calls/" + name)
			if err := m.row(Modules, at, address, null(withoutUser(call.Source)), null(call.VersionConstraint), nil); err != nil {
				return err
			}
		}
	}
	return nil
}

// moduleOf is a module of a configuration with its path, as module.a.module.b,
// and its pointer.
type moduleOf struct {
	address, pointer string
	module           *planjson.ModuleConfig
}

func modulesOf(c *planjson.Config) (list []moduleOf) {
	for address, module := range c.AllModules() {
		pointer := "/root_module"
		for name := range strings.SplitSeq(address, ".") {
			if name != "" && name != "module" {
				pointer += "/module_calls/" + name + "/module"
			}
		}
		list = append(list, moduleOf{address, pointer, module})
	}
	return list
}

// modules takes what terraform modules -json prints.
func (m *maker) modules(text []byte) error {
	doc, err := planjson.DecodeModules(text)
	if err != nil {
		return err
	}
	if err := planjson.CheckVersion(doc); err != nil {
		return err
	}
	m.info.formatVersion = doc.FormatVersion
	places := cursor{deltas: m.doc.index.lists[listModules].deltas}
	for _, i := range doc.Modules {
		at, _ := places.next()
		if i == nil {
			continue
		}
		if err := m.row(Modules, at, "module."+i.Key, null(withoutUser(i.Source)), nil, null(i.Version)); err != nil {
			return err
		}
	}
	return nil
}

// validate takes what validate -json prints.
func (m *maker) validate(text []byte) error {
	doc, err := planjson.DecodeValidate(text)
	if err != nil {
		return err
	}
	if err := planjson.CheckVersion(doc); err != nil {
		return err
	}
	if !m.options.Reveal {
		if _, err := m.options.redactor().Validate(doc); err != nil {
			return err
		}
	}
	m.info.formatVersion = doc.FormatVersion
	places := cursor{deltas: m.doc.index.lists[listDiagnostics].deltas}
	for _, d := range doc.Diagnostics {
		at, _ := places.next()
		if d == nil {
			continue
		}
		var filename, line any
		if d.Range != nil {
			filename, line = null(d.Range.Filename), int64(d.Range.Start.Line)
		}
		if err := m.row(Diagnostics, at, string(d.Severity), d.Summary, null(d.Detail), null(d.Address), filename, line); err != nil {
			return err
		}
	}
	return nil
}

// withoutUser returns a module source without a user name and a password, and
// without the values of its query, which can be tokens; ref stays.
func withoutUser(source string) string {
	scheme, rest, ok := strings.Cut(source, "://")
	if !ok {
		return source
	}
	authority, path, slash := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(authority, '@'); i >= 0 {
		if user := authority[:i]; user != "git" {
			authority = authority[i+1:]
		}
	}
	if slash {
		authority += "/"
	}
	path, query, ok := strings.Cut(path, "?")
	if ok {
		path += "?" + knownQuery(query)
	}
	return scheme + "://" + authority + path
}

// knownQuery replaces the values of all members of a query but those that say
// which version of a module is meant.
func knownQuery(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		name, _, ok := strings.Cut(part, "=")
		switch name {
		case "ref", "depth", "archive", "checksum", "version", "tag":
		default:
			if ok {
				parts[i] = name + "=" + url.QueryEscape("(sensitive value)")
			}
		}
	}
	return strings.Join(parts, "&")
}
