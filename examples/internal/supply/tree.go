// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package supply is what the examples lock, install and mirror share: the tree of
// modules with what it requires, and the client that the user's configuration and
// the flags describe.
package supply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/registry/install"
)

// A Tree is a root module with all modules that it calls.
type Tree struct {
	Required []install.Requirement
	Manifest install.Manifest        // of all modules, as tofu records them
	Fetched  []install.FetchedModule // those that had to be fetched
}

// ReadTree reads the module in dir and all modules that are called from there:
// local ones, those that are installed already, and all others, which are fetched
// into new directories below into. Everything that is wrong is in the error.
func ReadTree(ctx context.Context, dir, into string, modules *install.Modules, upgrade bool) (*Tree, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	// Modules may be above DIR, so the file system begins at its root.
	volume := filepath.VolumeName(abs) + string(filepath.Separator)
	r := &treeReader{ctx: ctx, root: abs, volume: volume, shown: filepath.ToSlash(filepath.Clean(dir)), into: into, modules: modules, tree: &Tree{}, got: map[string]string{}}
	if !upgrade {
		if r.installed, err = install.ReadManifest(dir); err != nil {
			return nil, err
		}
	}
	r.tree.Manifest = install.Manifest{{Key: "", Source: "", Dir: "."}}
	m, err := r.load(abs)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	r.module(m, "", abs, nil)
	if len(r.problems) > 0 {
		return nil, errors.Join(r.problems...)
	}
	return r.tree, nil
}

// A treeReader is one call of ReadTree.
type treeReader struct {
	ctx       context.Context
	root      string // the root module
	volume    string
	shown     string // the root module, as the user calls it
	into      string
	modules   *install.Modules
	installed install.Manifest
	tree      *Tree
	problems  []error
	got       map[string]string // source and constraints to the directory of what was fetched
}

func (r *treeReader) load(dir string) (*hclconfig.Module, error) {
	rel, err := filepath.Rel(r.volume, dir)
	if err != nil {
		return nil, err
	}
	return hclconfig.LoadModule(os.DirFS(r.volume), filepath.ToSlash(rel))
}

// problem notes an error. Places are better read from where the user is.
func (r *treeReader) problem(err error) {
	rel, _ := filepath.Rel(r.volume, r.root)
	text := strings.ReplaceAll(err.Error(), filepath.ToSlash(rel)+"/", r.shown+"/")
	if text != err.Error() {
		err = errors.New(text)
	}
	r.problems = append(r.problems, err)
}

// module reads one module and those that it calls.
func (r *treeReader) module(m *hclconfig.Module, key, dir string, above []string) {
	for _, d := range m.Diagnostics() {
		if d.Severity == hclconfig.SeverityError {
			r.problem(errors.New(d.String()))
		}
	}
	for _, p := range m.RequiredProviders() {
		place := "the root module"
		if key != "" {
			place = "module " + key
		}
		if p.Requirement != nil {
			_, sourceErr := p.Requirement.Provider()
			_, versionErr := p.Requirement.Constraints()
			if err := errors.Join(sourceErr, versionErr); err != nil {
				r.problem(err)
				continue
			}
		}
		if !p.Provider.IsValid() || p.Provider.IsBuiltIn() {
			continue
		}
		r.tree.Required = append(r.tree.Required, install.Requirement{Provider: p.Provider, Constraints: p.Constraints, Place: place})
	}
	above = append(slices.Clone(above), dir)
	for _, call := range m.Calls {
		name := strings.TrimPrefix(key+"."+call.Name, ".")
		child, err := r.call(call, name, dir)
		if err == nil && slices.Contains(above, child) {
			err = fmt.Errorf("module %s calls itself", name)
		}
		var called *hclconfig.Module
		if err == nil {
			called, err = r.load(child)
		}
		if err != nil {
			r.problem(fmt.Errorf("%s: %w", call.Block.Range(), err))
			continue
		}
		r.module(called, name, child, above)
	}
}

// call finds the directory of a called module, and fetches it if need be.
func (r *treeReader) call(call *hclconfig.ModuleCall, key, dir string) (string, error) {
	src, err := call.SourceAddr()
	if err != nil {
		return "", err
	}
	if src.Kind() == addrs.LocalSource {
		child := filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(call.Source.Value, `\`, "/")))
		return child, r.record(install.ManifestModule{Key: key, Source: src.String()}, child)
	}
	var allowed addrs.Constraints
	if call.Version.IsSet() {
		if allowed, err = addrs.ParseConstraints(call.Version.Value); err != nil {
			return "", err
		}
	}
	if have, ok := r.installed.Find(key, src, allowed); ok {
		child := filepath.Join(r.root, filepath.FromSlash(have.Dir))
		if info, err := os.Stat(child); err == nil && info.IsDir() {
			r.tree.Manifest = append(r.tree.Manifest, have)
			return child, nil
		}
	}
	// A module that is called twice is fetched once, unless each call must have a
	// directory of its own.
	same := src.Package() + "\x00" + allowed.String()
	target := filepath.Join(r.into, key)
	fetched := install.FetchedModule{Source: src}
	if earlier, ok := r.got[same]; ok && !r.records() {
		target = earlier
		fetched.Dir = filepath.Join(target, filepath.FromSlash(src.Subdir()))
	} else {
		os.RemoveAll(target)
		got, err := r.modules.Get(r.ctx, src, allowed, target)
		if err != nil {
			return "", err
		}
		fetched = *got
		r.got[same] = target
	}
	r.tree.Fetched = append(r.tree.Fetched, fetched)
	mod := install.ManifestModule{Key: key, Source: src.String()}
	if fetched.Version.IsValid() {
		mod.Version = fetched.Version.String()
	}
	return fetched.Dir, r.record(mod, fetched.Dir)
}

// records reports whether the modules stay where they are fetched.
func (r *treeReader) records() bool {
	rel, err := filepath.Rel(r.root, r.into)
	return err == nil && filepath.IsLocal(rel)
}

// record adds a module to the manifest.
func (r *treeReader) record(m install.ManifestModule, dir string) error {
	rel, err := filepath.Rel(r.root, dir)
	m.Dir = path.Clean(filepath.ToSlash(rel))
	r.tree.Manifest = append(r.tree.Manifest, m)
	return err
}
