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

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// An Import is an instance of a resource whose type changes, with the ID for its import.
type Import struct {
	Address addrs.AbsResourceInstance // of the old type
	ID      string                    // if empty, it is only forgotten
}

// RenameType changes the type of all managed resources of the type old to new, in the module in
// the directory dir of fsys and in the local modules that it calls, everywhere they are used.
// It returns the new texts of the changed files, as [Rename] does. Data sources, strings and
// comments do not change.
//
// Each resource gets a moved block in the file that declares it. OpenTofu 1.10 and Terraform 1.8
// move between types, if the provider of the new one supports it. With Options.Forget there are
// removed and import blocks instead, in the files of dir, which must be the root: a removed block
// for each resource in Options.Imports, and an import block for each of its instances. These
// blocks need OpenTofu 1.7 or Terraform 1.7.
//
// It returns the errors of Rename, and an error if no resource has the type, or if
// required_version in dir allows no release that supports the blocks.
func RenameType(fsys fs.FS, dir, old, new string, opts Options) (map[string][]byte, error) {
	r := newRenamer(fsys, dir, opts)
	r.retype = true
	switch {
	case !hclsyntax.ValidIdentifier(old) || !hclsyntax.ValidIdentifier(new):
		return nil, fmt.Errorf("%q and %q must be names of resource types", old, new)
	case old == new:
		return nil, fmt.Errorf("OLD and NEW are the same type, %s", old)
	}
	root := r.dir
	found, err := r.resourcesOf(old)
	if err == nil && len(found) == 0 {
		err = fmt.Errorf("there is no resource of the type %s in %s or the local modules that it calls", old, root)
	}
	if err == nil {
		err = r.required(opts.Forget)
	}
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, f := range found {
		r.dir, r.declared = f.dir, nil
		r.from = address{old + "." + f.name, "resource", old, f.name}
		r.to = address{new + "." + f.name, "resource", new, f.name}
		if err := r.collect(); err != nil {
			return nil, err
		}
		if !slices.Contains(dirs, f.dir) {
			dirs = append(dirs, f.dir)
			if err := r.mocks(); err != nil {
				return nil, err
			}
		}
	}
	if r.dir = root; opts.Forget {
		r.moves = nil
	}
	out, err := r.apply()
	if err == nil && opts.Forget {
		err = r.forget(out, found, new, opts.Imports)
	}
	if err == nil {
		err = r.verify(out)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// A declared resource is one of the tree: its module's directory and its name.
type declaredResource struct{ dir, name string }

// resourcesOf returns the managed resources of a type in the tree of local modules.
func (r *renamer) resourcesOf(typ string) (found []declaredResource, err error) {
	trees, err := r.treesOf(r.dir)
	if err != nil {
		return nil, err
	}
	for _, root := range trees {
		for t := range root.All() {
			local := true
			for n := t; n.Parent != nil; n = n.Parent {
				local = local && !strings.Contains("/"+n.Module.Dir+"/", "/.terraform/")
			}
			for _, res := range t.Module.Resources {
				if f := (declaredResource{path.Clean(t.Module.Dir), res.Name}); local && res.Type == typ && !slices.Contains(found, f) {
					found = append(found, f)
				}
			}
		}
	}
	return found, nil
}

// mocks collects the mocks of the type in tests, if both types seem to be of one provider.
func (r *renamer) mocks() error {
	prefix := func(typ string) string { p, _, _ := strings.Cut(typ, "_"); return p }
	if prefix(r.from.typ) != prefix(r.to.typ) {
		return nil
	}
	modules, err := r.modulesOf(r.dir)
	if err != nil {
		return err
	}
	for _, m := range modules {
		for _, f := range m.Tests {
			for provider := range f.Body().BlocksOfType("mock_provider") {
				for mock := range provider.Body.BlocksOfType("mock_resource") {
					if !slices.Equal(mock.Labels, []string{r.from.typ}) {
						continue
					}
					if err := r.replace(f, mock.LabelRange(0)); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// typeBefore returns the place of the type before a name, as in TYPE.NAME.
func (r *renamer) typeBefore(src []byte, name addrs.Range) (addrs.Range, error) {
	const blank = " \t\r\n"
	before, dot := bytes.CutSuffix(bytes.TrimRight(src[:name.Start.Offset], blank), []byte("."))
	before = bytes.TrimRight(before, blank)
	if !dot || !bytes.HasSuffix(before, []byte(r.from.typ)) {
		return name, fmt.Errorf("%s: the type is not written as plain text", name)
	}
	at := name
	at.End.Offset = int64(len(before))
	at.Start.Offset = at.End.Offset - int64(len(r.from.typ))
	return at, nil
}

// The first releases that have the blocks: of Terraform, which are allowed wherever those of
// OpenTofu are. OpenTofu moves between types since 1.10, and has removed blocks since 1.7.
const (
	firstMove    = 8
	firstRemoved = 7
)

// required returns an error if required_version allows no release that has the blocks.
func (r *renamer) required(forget bool) error {
	trees, err := r.treesOf(r.dir)
	if err != nil {
		return err
	}
	needs, what := firstMove, "moves between types (OpenTofu 1.10, Terraform 1.8)"
	if forget {
		needs, what = firstRemoved, "has removed blocks (OpenTofu 1.7, Terraform 1.7)"
	}
	for _, t := range trees {
		var all addrs.Constraints
		var at addrs.Range
		for _, s := range t.Module.Settings {
			if c, err := s.Constraints(); err == nil && !c.IsEmpty() {
				all, at = addrs.JoinConstraints(all, c), s.Block.DefRange()
			}
		}
		if all.IsEmpty() || allowsFrom(all, needs) {
			continue
		}
		way := ""
		if !forget && allowsFrom(all, firstRemoved) {
			way = "; removed and import blocks are possible, with -removed"
		}
		return fmt.Errorf("%s: required_version %q allows no release that %s%s", at, all, what, way)
	}
	return nil
}

// allowsFrom reports whether a constraint allows a release from 1.MINOR on.
func allowsFrom(c addrs.Constraints, minor int) bool {
	for major := 1; major <= 9; major++ {
		for ; minor <= 99; minor++ {
			for patch := range 40 {
				if v, err := addrs.ParseVersion(fmt.Sprintf("%d.%d.%d", major, minor, patch)); err == nil && c.Allows(v) {
					return true
				}
			}
		}
		minor = 0
	}
	return false
}

// forget adds the removed and import blocks to the files of the root.
func (r *renamer) forget(out map[string][]byte, found []declaredResource, new string, imports []Import) error {
	blocks := map[string][]*hcledit.BlockBuilder{} // by file
	removed := map[string]bool{}
	for _, i := range imports {
		from, to, files, err := r.imported(i, found, new)
		if err != nil {
			return err
		}
		for _, name := range files {
			if !removed[name+" "+from] {
				removed[name+" "+from] = true
				blocks[name] = append(blocks[name], hcledit.NewBlock("removed").Set("from", hcledit.Source(from)).Add(hcledit.NewBlock("lifecycle").Set("destroy", false)))
			}
			if i.ID == "" {
				continue
			}
			blocks[name] = append(blocks[name], hcledit.NewBlock("import").Set("to", hcledit.Source(to)).Set("id", hcledit.String(i.ID)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(blocks)) {
		text, ok := out[name]
		if !ok {
			var err error
			if text, err = r.source(name); err != nil {
				return err
			}
		}
		f, err := hclconfig.Parse(name, text)
		if err != nil {
			return err
		}
		e := hcledit.Edit(f)
		for _, b := range blocks[name] {
			e.Add(nil, b)
		}
		if f, err = e.Apply(); err != nil {
			return err
		}
		out[name] = f.Bytes()
	}
	return nil
}

// imported returns the address for the removed block of an instance, that for its import block,
// and the files of the root that get them: those that declare the resource, or call its module.
func (r *renamer) imported(i Import, found []declaredResource, new string) (from, to string, files []string, err error) {
	config := i.Address.Config()
	resource, err := addrs.NewResource(addrs.Managed, new, config.Resource().Name())
	if err != nil {
		return "", "", nil, err
	}
	to = resource.In(i.Address.Module()).Instance(i.Address.Key()).String()
	trees, err := r.treesOf(r.dir)
	if err != nil {
		return "", "", nil, err
	}
	for _, t := range trees {
		var at *hclconfig.Block
		in := t
		for name := range config.Module().Calls() {
			next := in
			for _, c := range in.Children {
				if c.Call.Name == name {
					next = c
				}
			}
			if next == in {
				in = nil
				break
			}
			if in = next; at == nil {
				at = in.Call.Block
			}
		}
		if in == nil || !slices.Contains(found, declaredResource{path.Clean(in.Module.Dir), config.Resource().Name()}) {
			continue
		}
		for _, res := range in.Module.Resources {
			if at == nil && res.Type == r.from.typ && res.Name == config.Resource().Name() {
				at = res.Block
			}
		}
		if at != nil && !slices.Contains(files, at.File().Filename()) {
			files = append(files, at.File().Filename())
		}
	}
	if len(files) == 0 {
		return "", "", nil, fmt.Errorf("the configuration does not declare %s", i.Address)
	}
	return config.String(), to, files, nil
}
