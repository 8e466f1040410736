// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package supply is what the examples lock, install and mirror share: the tree of
// modules with what it requires, and the client that the user's configuration and
// the flags describe.
package supply

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/registry/install"
)

// A Tree is a root module with all modules that it calls.
type Tree struct {
	Required []install.Requirement
	Backends []*hclconfig.Backend    // of the root module: one, or none
	Manifest install.Manifest        // of all modules, as tofu records them
	Fetched  []install.FetchedModule // those that had to be fetched
}

// A Reader reads trees of modules.
type Reader struct {
	Modules   *install.Modules
	Into      string // where modules are fetched to
	Final     string // where they will be in the end, for the manifest; if "", it is Into
	Each      bool   // each call gets a directory of its own, as the tools have it
	Upgrade   bool   // fetch installed modules again
	Terraform bool   // as Terraform reads files and addresses
	Tests     bool   // also what only tests need
}

// Read reads the module in dir and all modules that are called from there: local
// ones, those that are installed already, and all others, which are fetched into new
// directories. Everything that is wrong is in the error.
func (r Reader) Read(ctx context.Context, dir string) (*Tree, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if r.Into, err = filepath.Abs(r.Into); err != nil {
		return nil, err
	}
	if r.Final, err = filepath.Abs(cmp.Or(r.Final, r.Into)); err != nil {
		return nil, err
	}
	// Modules may be above DIR, so the file system begins at its root.
	volume := filepath.VolumeName(abs) + string(filepath.Separator)
	t := &treeReader{Reader: r, ctx: ctx, root: abs, volume: volume, shown: filepath.ToSlash(filepath.Clean(dir)), tree: &Tree{}, got: map[string]install.FetchedModule{}}
	if !r.Upgrade {
		if t.installed, err = install.ReadManifest(dir); err != nil {
			return nil, err
		}
	}
	t.tree.Manifest = install.Manifest{{Key: "", Source: "", Dir: "."}}
	var opts []hclconfig.Option
	if r.Tests {
		opts = append(opts, hclconfig.TestDirectory("tests"))
	}
	m, err := t.load(abs, opts...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	t.node = &hclnames.Tree{Module: m}
	for _, settings := range m.Settings {
		if settings.Backend != nil {
			t.tree.Backends = append(t.tree.Backends, settings.Backend)
		}
		if settings.Cloud != nil {
			t.tree.Backends = append(t.tree.Backends, settings.Cloud)
		}
	}
	t.module(t.node, "", moduleDir{dir: abs}, nil)
	t.tests(m)
	if len(t.problems) > 0 {
		return nil, errors.Join(t.problems...)
	}
	return t.tree, nil
}

// A moduleDir is the directory of a module.
type moduleDir struct {
	dir     string
	pkg     string // the package that it was fetched with, or ""
	fetched bool   // it is below Into
}

// A treeReader is one call of Read.
type treeReader struct {
	Reader
	ctx       context.Context
	root      string // the root module
	volume    string
	shown     string // the root module, as the user calls it
	installed install.Manifest
	tree      *Tree
	problems  []error
	got       map[string]install.FetchedModule // by source and constraints
	node      *hclnames.Tree                   // of the root module
	values    *hclnames.Evaluator              // once it was needed
}

func (r *treeReader) load(dir string, opts ...hclconfig.Option) (*hclconfig.Module, error) {
	rel, err := filepath.Rel(r.volume, dir)
	if err != nil {
		return nil, err
	}
	dialect := hclconfig.OpenTofu
	if r.Terraform {
		dialect = hclconfig.Terraform
	}
	return hclconfig.LoadModule(os.DirFS(r.volume), filepath.ToSlash(rel), append(opts, dialect)...)
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
func (r *treeReader) module(node *hclnames.Tree, key string, at moduleDir, above []string) {
	m := node.Module
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
		for _, v := range p.Versions { // those in provider blocks count as well
			if err := checkVersion(v); err != nil {
				r.problem(fmt.Errorf("%s: %w", v.Argument.Range(), err))
			}
		}
		if !p.Provider.IsValid() || p.Provider.IsBuiltIn() {
			continue
		}
		r.tree.Required = append(r.tree.Required, install.Requirement{Provider: p.Provider, Constraints: p.Constraints, Place: place})
	}
	above = append(slices.Clone(above), at.dir)
	for _, call := range m.Calls {
		r.child(call, strings.TrimPrefix(key+"."+call.Name, "."), at, node, above)
	}
}

// child reads a module that another one calls, or no other but a test.
func (r *treeReader) child(call *hclconfig.ModuleCall, key string, at moduleDir, caller *hclnames.Tree, above []string) {
	child, err := r.call(r.computed(call, caller), key, at)
	if err == nil && slices.Contains(above, child.dir) {
		err = fmt.Errorf("module %s calls itself", key)
	}
	var called *hclconfig.Module
	if err == nil {
		called, err = r.load(child.dir)
	}
	if err != nil {
		r.problem(fmt.Errorf("%s: %w", call.Block.Range(), err))
		return
	}
	node := &hclnames.Tree{Module: called}
	if caller != nil {
		node.Call, node.Parent = call, caller
	}
	r.module(node, key, child, above)
}

// checkVersion returns an error if a version is neither null nor a list of constraints.
func checkVersion(v hclconfig.Text) error {
	if value, err := v.Argument.Constant(); err == nil && value.IsNull() {
		return nil
	}
	text, err := v.Argument.Text()
	if err != nil {
		return err
	}
	_, err = addrs.ParseConfigConstraints(text)
	return err
}

// call finds the directory of a called module, and fetches it if need be.
func (r *treeReader) call(call *hclconfig.ModuleCall, key string, at moduleDir) (moduleDir, error) {
	if !isName(call.Name) {
		return moduleDir{}, fmt.Errorf("%q is not the name of a module", call.Name)
	}
	src, err := call.SourceAddr()
	if err != nil {
		return moduleDir{}, err
	}
	if src.Kind() == addrs.LocalSource {
		child := moduleDir{filepath.Join(at.dir, filepath.FromSlash(strings.ReplaceAll(call.Source.Value, `\`, "/"))), at.pkg, at.fetched}
		child.dir = linked(child.dir, at.pkg, r.root)
		if at.pkg != "" {
			if rel, err := filepath.Rel(at.pkg, child.dir); err != nil || !filepath.IsLocal(rel) {
				return moduleDir{}, fmt.Errorf("%s leads out of the package that the module came in", src)
			}
		}
		return child, r.record(install.ManifestModule{Key: key, Source: src.String()}, child)
	}
	allowed, err := call.Constraints()
	if err != nil {
		return moduleDir{}, err
	}
	if have, ok := r.installed.Find(key, src, allowed); ok {
		child := moduleDir{dir: filepath.Join(r.root, filepath.FromSlash(have.Dir))}
		child.pkg = child.dir
		if installed := filepath.Join(r.root, ".terraform", "modules", key); below(installed, child.dir) {
			child.pkg = installed
		}
		if info, err := os.Stat(child.dir); err == nil && info.IsDir() {
			r.tree.Manifest = append(r.tree.Manifest, have)
			return child, nil
		}
	}
	fetched, target, err := r.fetch(key, src, allowed)
	if e, ok := errors.AsType[*install.NoVersionError](err); ok && call.Version.Value != "" {
		// The constraints as they were written. Texts of errors around e have its text already.
		err = fmt.Errorf("module %s: %w", src.ForDisplay(), &install.NoVersionError{Constraints: call.Version.Value, Versions: e.Versions})
	}
	if err != nil {
		return moduleDir{}, err
	}
	r.tree.Fetched = append(r.tree.Fetched, fetched)
	mod := install.ManifestModule{Key: key, Source: src.String()}
	if fetched.Version.IsValid() {
		mod.Version = fetched.Version.String()
	}
	child := moduleDir{fetched.Dir, target, true}
	return child, r.record(mod, child)
}

// fetch fetches a module, or copies it if it was fetched for another call. It returns
// the module, and the directory of its package.
func (r *treeReader) fetch(key string, src addrs.ModuleSource, allowed addrs.Constraints) (install.FetchedModule, string, error) {
	target := filepath.Join(r.Into, key)
	same := src.String() + "\x00" + allowed.String()
	if earlier, ok := r.got[same]; ok {
		from := earlier.Package
		if !r.Each {
			return earlier, from, nil
		}
		rel, err := filepath.Rel(from, earlier.Dir)
		if err == nil {
			err = os.CopyFS(target, os.DirFS(from))
		}
		earlier.Package, earlier.Dir = target, filepath.Join(target, rel)
		return earlier, target, err
	}
	if err := os.MkdirAll(r.Into, 0o777); err != nil {
		return install.FetchedModule{}, "", err
	}
	got, err := r.Modules.Get(r.ctx, src, allowed, target)
	if err != nil {
		return install.FetchedModule{}, "", err
	}
	r.got[same] = *got
	return *got, target, nil
}

// record adds a module to the manifest.
func (r *treeReader) record(m install.ManifestModule, at moduleDir) error {
	dir := at.dir
	if at.fetched {
		rel, err := filepath.Rel(r.Into, dir)
		if err != nil {
			return err
		}
		dir = filepath.Join(r.Final, rel)
	}
	rel, err := filepath.Rel(r.root, dir)
	m.Dir = path.Clean(filepath.ToSlash(rel))
	r.tree.Manifest = append(r.tree.Manifest, m)
	return err
}

// linked returns where a directory really is, if it is a link or below one, as the tools
// record it. It leaves alone the links that lead to the first of the bases that the
// directory is below.
func linked(dir string, bases ...string) string {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return dir
	}
	for _, base := range bases {
		if base == "" {
			continue
		}
		realBase, err := filepath.EvalSymlinks(base)
		if err == nil && below(realBase, real) {
			rel, _ := filepath.Rel(realBase, real)
			return filepath.Join(base, rel)
		}
	}
	return real
}

// below reports whether a directory is another one or below it.
func below(dir, sub string) bool {
	rel, err := filepath.Rel(dir, sub)
	return err == nil && filepath.IsLocal(rel)
}

// isName reports whether a name can be that of a module: it becomes the name
// of a directory.
func isName(name string) bool {
	return name != "" && !strings.ContainsAny(name, `./\:*?"<>|`) && !strings.ContainsFunc(name, unicode.IsControl)
}
