// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package treecheck

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck/internal/filecheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// testFiles checks the test files of the root module, and reads the modules that their runs are about.
type testFiles struct{ *treeChecker }

// testProviders checks that the provider configurations of test files are of the
// providers that the modules want which get them.
func (c testFiles) testProviders(m *hclconfig.Module) {
	for _, f := range m.Tests {
		t := testProviders{c: c.treeChecker, m: m, claimed: map[string]addrs.Provider{}, byName: map[string][]*hclconfig.Provider{}}
		for _, p := range f.Config().Providers {
			t.byName[p.Name] = append(t.byName[p.Name], p)
		}
		runs := f.Config().Runs
		for _, r := range runs {
			if !t.claim(r) {
				return // a module that is not there
			}
		}
		for _, r := range runs {
			if r.Module == nil {
				t.compare(r)
			}
		}
	}
}

// testProviders are the provider configurations of one test file.
type testProviders struct {
	c      *treeChecker
	m      *hclconfig.Module
	byName map[string][]*hclconfig.Provider
	// claimed says which provider the configurations with a local name are for: the
	// first run that uses them decides.
	claimed map[string]addrs.Provider
	// wrong has the configurations that a run passes on although they are of
	// another provider.
	wrong []hclconfig.ProviderRef
}

// claim gives the configurations that a run uses their providers. It reports false
// if the module of the run is not known.
func (t *testProviders) claim(r *hclconfig.Run) bool {
	m := t.m
	if r.Module != nil {
		call := r.Module
		if !call.IsLocal() || t.c.root.FS == nil {
			return false
		}
		var err error
		if m, err = hclconfig.LoadModule(t.c.root.FS, call.LocalDir(t.m.Dir), t.m.Dialect()); err != nil {
			return false
		}
	}
	call := hclconfig.ModuleCall{Block: r.Block, Providers: r.Providers}
	mappings := call.ProviderMappings()
	for _, p := range mappings {
		inner, err := m.ProviderOf(p.Inner.Name)
		if err != nil {
			return false
		}
		outer, ok := t.claimed[p.Outer.Name]
		if !ok {
			outer = inner
			if t.byName[p.Outer.Name] != nil {
				t.claimed[p.Outer.Name] = outer
			}
		}
		// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigsForTests. The first run
		// decides.
		if outer != inner && r.Module == nil {
			t.wrong = append(t.wrong, p.Outer)
		}
	}
	if len(mappings) > 0 {
		return true
	}
	// Without an argument providers a run gives its module all configurations of the file that it has a name for.
	names := map[string]bool{}
	for _, p := range hclsource.Requirements(m.Settings) {
		names[p.Name] = true
	}
	for _, p := range m.Providers {
		names[p.Name] = true
	}
	for _, res := range hclsource.AllResources(m) {
		names[res.ProviderName()] = true
	}
	for name := range names {
		if _, ok := t.claimed[name]; ok || t.byName[name] == nil {
			continue
		}
		p, err := m.ProviderOf(name)
		if err != nil {
			return false
		}
		t.claimed[name] = p
	}
	return true
}

// compare compares the provider configurations that a run passes to the module
// under test with those that the module wants.
func (t *testProviders) compare(r *hclconfig.Run) {
	// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigs.
	const summary = "Provider type mismatch"
	for _, p := range t.wrong {
		t.c.fail(p.Expression, summary, "The configuration %s of the test file is of another provider than the one that it is passed for.", p.String())
	}
	t.wrong = nil
	call := hclconfig.ModuleCall{Block: r.Block, Providers: r.Providers}
	if len(call.ProviderMappings()) > 0 {
		return
	}
	wanted := map[string]bool{} // the addresses of configurations
	for _, p := range hclsource.Requirements(t.m.Settings) {
		wanted[p.Name] = true
		for _, a := range p.ConfigurationAliases {
			wanted[a.String()] = true
		}
	}
	for _, p := range t.m.Providers {
		wanted[p.Address()] = true
	}
	for name, list := range t.byName {
		want, err := t.m.ProviderOf(name)
		has, ok := t.claimed[name]
		if err != nil || !ok || has == want {
			continue
		}
		for _, p := range list {
			// OpenTofu 1.12.6, internal/configs/provider_validation.go: validateProviderConfigsForTests.
			if wanted[p.Address()] {
				t.c.out = append(t.c.out, hclsource.ErrorAt(hclsource.DefRange(p.Block), summary, "The configuration %s of the test file is of provider %q, as another run uses it, but %q of the module is %q.", p.Address(), has, name, want))
			}
		}
	}
}

// readRuns reads the local modules that runs of test files are about. The programs
// validate each of them by itself.
func (c testFiles) readRuns() {
	m, seen := c.root.Module, map[string]bool{}
	for _, f := range m.Tests {
		for _, r := range f.Config().Runs {
			if r.Module == nil || c.root.FS == nil {
				continue
			}
			call := r.Module
			dir := call.LocalDir(m.Dir)
			if !call.IsLocal() || seen[dir] {
				continue
			}
			seen[dir] = true
			t, err := hclnames.LoadTree(c.root.FS, dir, m.Dialect())
			if err != nil {
				continue // which is not there, or has no end
			}
			t.WorkingDir, t.Workspace = m.Dir, c.root.Workspace
			t.VariableFiles = append(t.VariableFiles, f.Filename()) // the run gives values to variables
			x := newTreeChecker(t, c.schemas)
			x.tested = true
			x.readFunctions()
			c.tests = append(c.tests, x)
		}
	}
}

// validateRuns makes the checks of test files that the programs leave for the end.
func (c testFiles) validateRuns() {
	// OpenTofu 1.12.6, internal/command/validate.go: ValidateCommand.validate goes through the modules of the runs after
	// the root module.
	for _, x := range c.tests {
		x.evaluateAll()
	}
	for _, f := range c.root.Module.Tests {
		if c.dialect == hcllang.OpenTofu {
			c.duplicateOverrides(f.Config().Overrides)
		}
		for _, r := range f.Config().Runs {
			c.expectFailures(r)
			if c.dialect == hcllang.OpenTofu {
				c.duplicateOverrides(r.Overrides)
			}
		}
		if c.dialect == hcllang.Terraform {
			c.absentTargets(f.Config())
		}
	}
}

// absentTargets warns of overrides in a test file of what is in no module that they
// are for: for those of a run the module of the run, for the others also that
// under test.
func (c testFiles) absentTargets(config *hclconfig.Config) {
	all, seen := []*treeChecker{c.treeChecker}, map[*treeChecker]bool{c.treeChecker: true}
	for _, r := range config.Runs {
		x := c.moduleOf(r)
		if !seen[x] {
			all, seen[x] = append(all, x), true
		}
		warnAbsent([]*treeChecker{x}, r.Overrides, "the module of the run")
	}
	warnAbsent(all, config.Overrides, "a module that the file tests")
	for _, m := range config.MockProviders {
		warnAbsent(all, m.Overrides, "a module that the file tests")
	}
}

// moduleOf returns the checker of the module that a run is about, or nil if the
// module is not known.
func (c testFiles) moduleOf(r *hclconfig.Run) *treeChecker {
	if r.Module == nil {
		return c.treeChecker
	}
	for _, x := range c.tests {
		if r.Module.IsLocal() && x.root.Module.Dir == r.Module.LocalDir(c.root.Module.Dir) {
			return x
		}
	}
	return nil
}

// warnAbsent warns of overrides whose targets are in none of some modules. A nil module
// may have all of them.
func warnAbsent(modules []*treeChecker, overrides []*hclconfig.Override, where string) {
	for _, o := range overrides {
		target := hclsource.Pattern(hclsource.PieceOf(o.Target).Expr)
		has := func(x *treeChecker) bool { return x == nil || x.hasTarget(target) }
		if a := o.Block.Argument("target"); a != nil && len(target) > 0 && !slices.ContainsFunc(modules, has) {
			// As recorded of Terraform 1.11.4 to 1.13.5: testdata/releases.txt, testdata/meaning.
			modules[0].out = append(modules[0].out, hclsource.WarningAt(a.NameRange(), "Invalid override target", "The target %s is not in %s, so the override has no effect.", hcllex.AddressText(target), where))
		}
	}
}

// hasTarget reports whether the resource or module with an address is in the root
// module or below it. Keys of instances make no difference.
func (c *treeChecker) hasTarget(target hcl.Traversal) bool {
	var t []string
	for _, step := range target {
		if name := hclsource.StepName(step); name != "" {
			t = append(t, name)
		}
	}
	in := c.scopes[c.root]
	for len(t) > 1 && t[0] == "module" {
		child := in.children[t[1]]
		if child == nil {
			return in.Calls[t[1]] != nil // which is missing
		}
		in, t = child, t[2:]
	}
	if len(t) > 0 && t[0] == "resource" {
		t = t[1:]
	}
	return len(t) == 0 || in.Resources[strings.Join(t, ".")] != nil
}

// expectFailures checks that failures are expected of what can fail.
func (c testFiles) expectFailures(r *hclconfig.Run) {
	elements, _ := r.ExpectFailures.Elements()
	for _, e := range elements {
		p, t := hclsource.Steps(e)
		if len(t) == 0 {
			continue // reported with the file
		}
		if root := t.RootName(); root == "output" || root == "check" {
			switch {
			case len(t) < 2:
				// As recorded of Terraform 1.5.7 to 1.15.9: testdata/releases.txt, testdata/meaning.
				c.out = append(c.out, *p.SubjectError(t[0], "Invalid reference", "The %q object cannot be accessed directly. Instead, access one of its attributes.", root))
			case hclsource.StepName(t[1]) == "":
				c.out = append(c.out, *p.SubjectError(t[1], "Invalid reference", "The %q object does not support this operation.", root))
			}
			continue
		}
		s, d := hclsource.SubjectOf(p, t, c.dialect)
		switch {
		case d != nil:
			c.out = append(c.out, *d)
		case s.Kind != hclsource.ToVariable && s.Kind != hclsource.ToResource, t.RootName() == "run" && c.dialect == hcllang.Terraform:
			// OpenTofu 1.12.6, internal/configs/test_file.go: TestRun.Validate.
			c.out = append(c.out, p.ErrorAt(s.At, "Invalid `expect_failures` reference", "You cannot expect failures from %s. You can only expect failures from checkable objects such as input variables, output values, check blocks, managed resources and data sources.", t.RootName()))
		}
	}
}

// duplicateOverrides reports overrides of one target in one place, as OpenTofu does.
func (c testFiles) duplicateOverrides(overrides []*hclconfig.Override) {
	if !c.has(hclsource.Mocks) {
		return // no such blocks
	}
	// OpenTofu 1.12.6, internal/configs/test_file.go: checkForDuplicatedOverrideResources and
	// checkForDuplicatedOverrideModules.
	for _, o := range repeated(overrides) {
		p := hclsource.ReferencePiece(o.Target)
		c.out = append(c.out, hclsource.ErrorAt(p.At(p.Expr.Range()), "Duplicated `"+o.Block.Type+"` block", "It is not allowed to have multiple `%s` blocks with the same target.", o.Block.Type))
	}
}

// duplicates reports the blocks of a test file that are there twice, as far as the
// programs do so when they load it.
func (c testFiles) duplicates(config *hclconfig.Config) {
	tofu := c.dialect == hcllang.OpenTofu
	var blocks []*hclconfig.Block
	names := map[*hclconfig.Block]string{}
	add := func(b *hclconfig.Block, name string) {
		blocks = append(blocks, b)
		names[b] = name
	}
	for _, m := range config.MockProviders {
		if m.Alias.Value == "" || hcllex.PlainName(m.Alias.Value) || !tofu {
			add(m.Block, (&hclconfig.Provider{Name: m.Name, Alias: m.Alias}).Address())
		}
		mocks := map[string]bool{}
		for _, mock := range m.Mocks {
			name := mock.Block.Type + "." + mock.Type
			if mocks[name] && c.has(hclsource.Mocks) {
				at := mock.Block.LabelRange(0)
				if tofu {
					at = hclsource.DefRange(m.Block)
				}
				// OpenTofu 1.12.6, internal/configs/test_file.go: MockProvider.validateMockResources.
				c.out = append(c.out, hclsource.ErrorAt(at, c.words("Duplicated `"+mock.Block.Type+"` block", "Duplicate "+mock.Block.Type+" block"), "There is already a block %s in this mock_provider block.", name))
			}
			mocks[name] = true
		}
		// OpenTofu 1.12.6, internal/configs/test_file.go: MockProvider.validateOverrideResources.
		if again := repeated(m.Overrides); c.has(hclsource.UniqueMockOverrides) && len(again) > 0 {
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(m.Block), "Duplicated `"+again[0].Block.Type+"` block", "It is not allowed to have multiple `%s` blocks with the same target.", again[0].Block.Type))
		}
	}
	for _, p := range config.Providers {
		if !tofu {
			add(p.Block, p.Address())
		}
	}
	slices.SortFunc(blocks, func(a, b *hclconfig.Block) int { return int(a.Range().Start.Offset - b.Range().Start.Offset) })
	seen := map[string]bool{}
	for _, b := range blocks {
		if name := names[b]; seen[name] && c.has(hclsource.Mocks) {
			// OpenTofu 1.12.6, internal/configs/test_file.go: loadTestFile.
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(b), c.words("Duplicated `mock_provider` block", "Duplicate provider block"), "There is already a block for %s.", name))
		}
		seen[names[b]] = true
	}
	if tofu {
		return
	}
	lists := [][]*hclconfig.Override{config.Overrides}
	for _, m := range config.MockProviders {
		lists = append(lists, m.Overrides)
	}
	for _, r := range config.Runs {
		lists = append(lists, r.Overrides)
	}
	for _, list := range lists {
		for _, o := range repeated(list) {
			// OpenTofu 1.12.6, internal/configs/test_file.go: checkForDuplicatedOverrideResources and checkForDuplicatedOverrideModules.
			c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(o.Block), "Duplicate "+o.Block.Type+" block", "Another override has the same target."))
		}
	}
}

// repeated returns the overrides whose target another one before them has. Which of the two would be used depends on the
// order in which the programs look at them, so they refuse both.
func repeated(overrides []*hclconfig.Override) []*hclconfig.Override {
	var out []*hclconfig.Override
	seen := map[string]bool{}
	for _, o := range overrides {
		p := hclsource.PieceOf(o.Target)
		t, diags := hcl.AbsTraversalForExpr(hclsource.OrNothing(p.Expr))
		if diags.HasErrors() {
			continue
		}
		// The spelling of an address may differ, such as in its white space.
		if target := hcllex.AddressText(t); seen[target] {
			out = append(out, o)
		} else {
			seen[target] = true
		}
	}
	return out
}

// runs reports runs of the same name in a test file, which OpenTofu has nothing
// against, and other blocks that are there twice.
func (c testFiles) runs(m *hclconfig.Module) {
	for _, f := range m.Tests {
		c.duplicates(f.Config())
	}
	if c.dialect != hcllang.Terraform {
		return
	}
	for _, f := range m.Tests {
		seen := map[string]bool{}
		for _, r := range f.Config().Runs {
			if seen[r.Name] {
				at := hclsource.DefRange(r.Block)
				if c.has(hclsource.RunLabels) {
					at = r.Block.LabelRange(0)
				}
				// As recorded of Terraform 1.11.4: testdata/releases.txt, testdata/meaning.
				c.out = append(c.out, hclsource.ErrorAt(at, "Duplicate \"run\" block names", "This test file already has a run block named %q.", r.Name))
			}
			seen[r.Name] = true
			if c.has(hclsource.RunProviders) {
				c.definitions(f, r)
			}
		}
	}
}

// definitions reports the provider configurations that a run passes on and its
// file does not have.
func (c testFiles) definitions(f *hclconfig.File, r *hclconfig.Run) {
	call := hclconfig.ModuleCall{Block: r.Block, Providers: r.Providers}
	for _, p := range call.ProviderMappings() {
		name := p.Outer.String()
		mocked := func(m *hclconfig.MockProvider) bool {
			return m.Name == p.Outer.Name && m.Alias.Value == p.Outer.Alias
		}
		if p.Outer.Name == "" || slices.ContainsFunc(f.Config().MockProviders, mocked) ||
			slices.ContainsFunc(f.Config().Providers, func(p *hclconfig.Provider) bool { return p.Address() == name }) {
			continue
		}
		// OpenTofu 1.12.6, internal/configs/config.go: Config.getProviderConfigTransformForTest.
		c.fail(p.Outer.Expression, "Missing provider definition for "+name, "This provider block references a provider definition that does not exist.")
	}
}

// mocks checks the mock files that the tests of a module name, which are in a directory below
// that of the module.
func (c testFiles) mocks(t *hclnames.Tree) {
	if c.dialect != hcllang.Terraform || t.FS == nil {
		return
	}
	for _, f := range t.Module.Tests {
		for _, p := range f.Config().MockProviders {
			dir := path.Join(t.Module.Dir, p.Source.Value)
			if !p.Source.IsSet() || !fs.ValidPath(dir) {
				continue
			}
			entries, err := fs.ReadDir(t.FS, dir)
			if err != nil {
				// A mock provider takes its values from the files in that directory.
				c.out = append(c.out, hclsource.ErrorAt(hclsource.DefRange(p.Block), "Failed to read mock data directory", "Mock data directory %s does not exist or cannot be read.", p.Source.Value))
			}
			for _, e := range entries {
				full := path.Join(dir, e.Name())
				if name, ok := hclconfig.ParseFilename(full); !ok || name.Kind != hclconfig.MockFile || e.IsDir() {
					continue
				}
				src, err := fs.ReadFile(t.FS, full)
				if err != nil {
					continue
				}
				mock, _ := hclconfig.Parse(full, src, t.Module.Dialect())
				c.out = append(c.out, append(mock.Diagnostics(), filecheck.File(mock)...)...)
			}
		}
	}
}
