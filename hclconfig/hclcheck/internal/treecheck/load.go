// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck/internal/filecheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// required checks that the modules accept a release of the program. Nothing else is
// looked at in a module that does not.
func (c *treeChecker) required(t *hclnames.Tree) {
	for t := range t.All() {
		for _, f := range t.Module.Files {
			c.compatible(f)
			if !hclsource.IsTofu(f) && c.has(hclsource.RequiredVersionInTofu) {
				continue
			}
			for _, s := range f.Config().Settings {
				a := s.Block.Argument("required_version")
				if a == nil {
					continue
				}
				text, err := a.Text()
				if err != nil {
					continue // reported, or not looked at
				}
				want, err := hclsource.LooseConstraints(text)
				switch {
				case err != nil:
				case hasPrerelease(want):
					// OpenTofu 1.12.6, internal/configs/language.go: validateOpenTofuCoreVersionConstraint.
					c.out = append(c.out, hclsource.ErrorAt(a.NameRange(), "Invalid required_version constraint", "Versions with a hyphen, such as those in %q, are not allowed here. A prerelease matches as the release that it leads to.", text))
				case !hclsource.Accepts(c.root.Module.Dialect(), want):
					c.out = append(c.out, c.incompatible(a, text))
				}
			}
		}
	}
}

// hasPrerelease reports whether a condition names a prerelease.
func hasPrerelease(want addrs.Constraints) bool {
	for one := range want.All() {
		if v := one.Version(); v != v.Core() {
			return true
		}
	}
	return false
}

// incompatible reports a module that is for other releases. Nothing else is said of it, since
// anything in it may have another meaning there.
func (c *treeChecker) incompatible(a *hclconfig.Argument, text string) hclconfig.Diagnostic {
	if c.has(hclsource.RequiredVersionInTofu) {
		// OpenTofu 1.12.6, internal/configs/diagnostics.go: checkVersionRequirements.
		return hclsource.ErrorAt(a.NameRange(), "Incompatible module", "This module requires a release of OpenTofu that matches %s.", text)
	}
	// OpenTofu 1.11.0, internal/configs/module.go: Module.CheckCoreVersionRequirements.
	return hclsource.ErrorAt(a.NameRange(), c.words("Unsupported OpenTofu Core version", "Unsupported Terraform Core version"), "This configuration does not support this release. The module requires %s.", text)
}

// compatible checks the language blocks of a file, which name releases of OpenTofu.
func (c *treeChecker) compatible(f *hclconfig.File) {
	if c.dialect != hcllang.OpenTofu {
		return
	}
	for i := range f.Body().Blocks {
		b := &f.Body().Blocks[i]
		// OpenTofu 1.12.6, internal/configs/language.go: validateLanguageBlock.
		if b.Type != "language" {
			continue
		}
		for with := range b.Body.BlocksOfType("compatible_with") {
			a := with.Argument("opentofu")
			if a == nil {
				continue
			}
			text, err := a.Text()
			if err != nil {
				continue
			}
			want, err := hclsource.LooseConstraints(text)
			switch {
			case err != nil:
			case !hclsource.Accepts(c.root.Module.Dialect(), want):
				c.out = append(c.out, c.incompatible(a, text))
			case want.Allows(beforeLanguage):
				// OpenTofu 1.12.6, internal/configs/language.go: validateLanguageBlock.
				c.out = append(c.out, hclsource.WarningAt(a.NameRange(), "Ineffective version constraint",
					"Only OpenTofu 1.12.0 and newer read this block, so the constraint should exclude older releases. To exclude these, use the argument required_version of a \"terraform\" block in a .tofu file."))
			}
		}
	}
}

// beforeLanguage is a release that does not know language blocks.
var beforeLanguage = addrs.MustParseVersion("1.11.0")

// load checks the files of each module by themselves, and makes all checks that
// need no evaluation.
func (c *treeChecker) load(root *hclnames.Tree) {
	for t := range root.All() {
		if c.loaded[t.Module] {
			c.static(t)
			c.computed(t)
			continue
		}
		c.loaded[t.Module] = true
		c.out = append(c.out, filecheck.Loading(t.Module)...)
		for _, d := range t.Module.Diagnostics() {
			if filecheck.IsDynamicLabel(d) {
				c.dynamicLabels = append(c.dynamicLabels, d)
			}
		}
		c.duplicateImports(t.Module)
		c.static(t)
		c.computed(t)
		testFiles{c}.runs(t.Module)
		c.rootFailed = c.rootFailed || t == root && c.failed()
		called := t.Parent != nil || c.tested
		// The addresses of imports are those of the whole configuration, which only the root module knows.
		if first := slices.IndexFunc(t.Module.Imports, func(i *hclconfig.Import) bool { return len(i.Block.Labels) == 0 }); called && first >= 0 && !c.has(hclsource.ImportInside) {
			b := t.Module.Imports[first].Block
			// OpenTofu 1.12.6, internal/configs/config_build.go: loadModule.
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(b), "Invalid import configuration", "An import block was detected in %q. Import blocks are only allowed in the root module.", t.Path()))
		}
		if called {
			c.ignoredBackend(t)
		}
		c.overriddenDefaults(t.Module)
		if t != root {
			continue
		}
		// OpenTofu 1.12.6, internal/configs/config_build.go: BuildConfig loads the called modules after the root module.
		if c.out.HasErrors() {
			return // the programs do not read the called module
		}
		if t == c.root && len(t.Module.Tests) > 0 {
			testFiles{c}.mocks(t)
			testFiles{c}.readRuns()
			for _, x := range c.tests {
				x.load(x.root)
			}
		}
	}
}

// valueFiles checks the files with values of variables that OpenTofu reads by itself.
func (c *treeChecker) valueFiles(t *hclnames.Tree) {
	if !c.has(hclsource.EarlyEvaluation) || t.FS == nil {
		return
	}
	entries, _ := fs.ReadDir(t.FS, t.Module.Dir)
	for _, e := range entries {
		// OpenTofu 1.12.6, internal/command/meta_vars.go: Meta.collectVariableValues has these names.
		stem, found := strings.CutSuffix(strings.TrimSuffix(e.Name(), ".json"), ".tfvars")
		if !found || stem != "terraform" && !strings.HasSuffix(stem, ".auto") || e.IsDir() {
			continue
		}
		full := path.Join(t.Module.Dir, e.Name())
		src, err := fs.ReadFile(t.FS, full)
		if err != nil {
			continue
		}
		f, _ := hclconfig.Parse(full, src, t.Module.Dialect())
		if f.Err() != nil {
			c.out = append(c.out, f.Diagnostics()...)
			continue
		}
		for i := range f.Body().Blocks {
			b := &f.Body().Blocks[i]
			// HCL, hclsyntax/structure.go: Body.JustAttributes.
			c.out = append(c.out, hclsource.ErrorAt(b.TypeRange(), fmt.Sprintf("Unexpected %q block", b.Type), "Blocks are not allowed here."))
		}
	}
}

// missingDirectories reports local calls whose directories do not exist.
func (c *treeChecker) missingDirectories() {
	for t := range c.root.All() {
		for _, call := range t.Missing {
			// A module that is not local may be anywhere, and init has not been run perhaps.
			if call.IsLocal() && has(t.Module, call) {
				// OpenTofu 1.12.6, internal/initwd/module_install.go: ModuleInstaller.installLocalModule.
				c.out = append(c.out, hclsource.ErrorAt(call.Source.Argument.Expression.Range(), "Unreadable module directory",
					"The directory %s could not be read for module %q.", hclsource.RelativeDir(c.root.Module.Dir, call.LocalDir(t.Module.Dir)), call.Name))
			}
		}
	}
}

// importProviders checks that the provider of an import block is that of the
// resource that it imports into.
//
// OpenTofu 1.12.6, internal/configs/config.go: Config.addProviderRequirements.
func (c *treeChecker) importProviders(t *hclnames.Tree) {
	resources := c.staticChecker(t).Resources
	for _, i := range t.Module.Imports {
		a := i.Block.Argument("provider")
		target, ok := hclsource.ImportAddress(i, c.dialect)
		if a == nil || !ok {
			continue
		}
		fail := func(detail string) {
			c.out = append(c.out, hclsource.ErrorAt(a.NameRange(), "Invalid import provider argument", "%s", detail))
		}
		given, r := hclsource.ProviderRef(a.Expression), resources[target.Resource().String()]
		switch {
		case !target.Module().IsRoot():
			fail("The provider argument can only be specified in import blocks that will generate configuration. Use the providers argument within the module block to configure providers for all resources within a module, including imported resources.")
		case r == nil || r.Mode != addrs.Managed:
		case !r.Provider.IsSet():
			fail("The provider argument in the target resource block must be specified and match the import block.")
		case r.Provider.Name != given.Name || r.Provider.Alias != given.Alias:
			fail("The provider argument in the target resource block must match the import block.")
		}
	}
}

// has reports whether the directory of a local call would be in the file
// system of the module.
func has(m *hclconfig.Module, call *hclconfig.ModuleCall) bool {
	dir := call.LocalDir(m.Dir)
	return !strings.HasPrefix(dir, "..") && !strings.HasPrefix(dir, "/") && call.Source.Argument != nil
}

// ignoredBackend warns of a backend in a module that is called.
func (c *treeChecker) ignoredBackend(t *hclnames.Tree) {
	for _, set := range t.Module.Settings {
		for i := range set.Block.Body.Blocks {
			b := &set.Block.Body.Blocks[i]
			// OpenTofu 1.12.6, internal/configs/config_build.go: loadModule.
			if b.Type == "backend" || b.Type == "cloud" && c.has(hclsource.CloudIgnored) {
				c.out = append(c.out, hclsource.WarningAt(hclsource.DefRange(b), hclsource.UpperFirst(b.Type)+" configuration ignored",
					"Any selected backend applies to the entire configuration, so %s expects backend configurations only in the root module.", c.dialect))
			}
		}
	}
}

// largeDefault remembers a default that is not checked, because of a number that is out of range, or of a set whose elements
// have the same hash. Such a number has a thousand digits, or an exponent.
func (c *treeChecker) largeDefault(v *hclconfig.Variable) {
	if _, start, end := v.Default.Place(); end-start < 1000 && !strings.ContainsAny(v.Default.Raw(), "eE") {
		return
	}
	if d, err := v.TypedDefault(); errors.Is(err, hclconfig.ErrLimit) || err == nil && !d.IsWhollyKnown() {
		c.costs.Deny(v.Default)
	}
}

// overriddenDefaults checks the defaults of variables whose type or default an
// override file has changed.
func (c *treeChecker) overriddenDefaults(m *hclconfig.Module) {
	for _, v := range m.Variables {
		c.largeDefault(v)
		if len(v.OverriddenBy) == 0 || !v.Default.IsSet() {
			continue
		}
		if _, err := v.Default.Constant(); err != nil {
			continue // which has been reported
		}
		reported := func(d hclconfig.Diagnostic) bool {
			return d.Summary == "Invalid default value for variable" && d.Subject == v.Default.Range()
		}
		if _, _, err := v.TypeConstraint(); err != nil || slices.ContainsFunc(c.out, reported) {
			continue
		}
		// Either the type or the default may be in the override file: the two meet only when the files are merged.
		if _, err := v.TypedDefault(); err != nil {
			last := v.OverriddenBy[len(v.OverriddenBy)-1]
			// OpenTofu 1.12.6, internal/configs/module_merge.go: Variable.merge.
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(last), "Invalid default value for variable", "The default of variable %q is not compatible with its type since an override file changed one of them.", v.Name))
		}
	}
}
