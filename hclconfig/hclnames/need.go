// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclnames

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// NeedOf returns the constraint for required_version that the module in the directory dir of fsys
// needs, together with its tests, queries and migrations and the local modules that it calls, for
// the program of d: ">= 1.9", or ">= 1.0, < 1.3" if later releases lack something. It is empty if
// no release supports everything. The reasons are the features that not every counted release
// supports, in the order of the files and of their text.
//
// It counts OpenTofu from 1.6 and Terraform from 1.0 on, up to the newest release that this
// package knows. It ignores an existing required_version, and files that no release of the
// program reads, unless there are no others.
//
// In addition to FeaturesOf, it counts imports in called modules, and faulty right operands of
// && and || that newer releases never evaluate, whatever the values of the variables.
//
// The types of backends, key providers and methods of encryption, and their arguments, are those of OpenTofu up to its
// main branch, and of Terraform up to 1.11: a type that none of them has is a reason in both programs, an argument only in
// OpenTofu, since newer releases of Terraform may have it.
//
// A file such as a.tofu next to an a.tf counts from OpenTofu 1.8 on, and the a.tf for older
// releases. An a.tofu alone needs OpenTofu 1.8.
//
// The error is that of [hclconfig.LoadModule] for dir. In files with syntax errors, only what
// can be read counts.
func NeedOf(fsys fs.FS, dir string, d hclconfig.Dialect) (constraint string, reasons Features, err error) {
	n := needs{program: hclsource.Program(d)}
	files, err := filesOfTree(fsys, dir, d.Program())
	if err != nil {
		return "", nil, err
	}
	n.add(files, 0)
	n.addImports(files, dir)
	if err := n.addLogic(fsys, files, d.Program()); err != nil {
		return "", nil, err
	}
	if n.program == hcllang.OpenTofu && slices.ContainsFunc(files, hclsource.IsTofu) {
		// What releases without .tofu files read instead.
		older, err := filesOfTree(fsys, dir, hclconfig.OpenTofu|hclconfig.Dialect(beforeTofuFiles)<<1)
		if err != nil {
			return "", nil, err
		}
		n.replaced(files, older)
	}
	constraint, reasons = n.need()
	return constraint, reasons, nil
}

// beforeTofuFiles is the last release that does not read .tofu files.
const beforeTofuFiles hcllang.Release = 1007

// needs has what each release is asked for.
type needs struct {
	program hcllang.Dialect
	list    []needed
}

// A needed is a feature that counts for releases from first on, up to last; 0 is no bound.
type needed struct {
	feature     Feature
	first, last hcllang.Release
}

// counts reports whether release r is asked for the feature, and lacks whether it lacks it.
func (n needed) counts(r hcllang.Release) bool {
	return r >= n.first && (n.last == 0 || r <= n.last)
}

func (n *needs) lacks(x needed, r hcllang.Release) bool {
	return x.counts(r) && !hcllang.Support(x.feature.Support).In(n.program, r)
}

func (n *needs) add(files []*hclconfig.File, last hcllang.Release) {
	for _, f := range FeaturesOf(files...) {
		n.list = append(n.list, needed{feature: f, last: last})
	}
}

// addImports adds the imports in files of modules that are called.
func (n *needs) addImports(files []*hclconfig.File, dir string) {
	for _, f := range files {
		if path.Dir(f.Filename()) == path.Clean(dir) || hclsource.IsTest(f) {
			continue
		}
		for b := range f.Body().BlocksOfType("import") {
			n.list = append(n.list, needed{feature: Feature{Name: "import block in a module that is called", Support: Support(hclsource.ImportInside), Range: b.TypeRange()}})
		}
	}
}

// replaced adds the files among older that newest has others for, and counts those only
// for the releases that read them.
func (n *needs) replaced(newest, older []*hclconfig.File) {
	read := map[string]*hclconfig.File{}
	for _, f := range older {
		read[f.Filename()] = f
	}
	var before []*hclconfig.File
	instead := map[string]bool{} // the .tofu files that replace others
	for _, f := range newest {
		if other := read[plainName(f)]; other != nil {
			before = append(before, other)
			instead[f.Filename()] = true
		}
	}
	for i := range n.list {
		if instead[n.list[i].feature.Range.Filename] {
			n.list[i].first = beforeTofuFiles + 1
		}
	}
	n.add(before, beforeTofuFiles)
}

// plainName returns the name of the file that f, a .tofu file, replaces, or "".
func plainName(f *hclconfig.File) string {
	name := f.Filename()
	i := strings.LastIndex(name, ".tofu")
	if !hclsource.IsTofu(f) || i < 0 {
		return ""
	}
	return name[:i] + ".tf" + name[i+len(".tofu"):]
}

// need returns the constraint for the newest run of releases that lack nothing, and why.
func (n *needs) need() (constraint string, reasons Features) {
	oldest, newest := hcllang.OldestOpenTofu, hcllang.NewestOpenTofu
	if n.program == hcllang.Terraform {
		oldest, newest = hcllang.OldestTerraform, hcllang.NewestTerraform
	}
	bad := map[hcllang.Release]bool{}
	for _, x := range n.list {
		lacking := false
		for r := oldest; r <= newest; r++ {
			if n.lacks(x, r) {
				bad[r], lacking = true, true
			}
		}
		if lacking {
			reasons = append(reasons, x.feature)
		}
	}
	high := newest
	for high >= oldest && bad[high] {
		high--
	}
	if high < oldest {
		return "", reasons
	}
	low := high
	for low > oldest && !bad[low-1] {
		low--
	}
	first := releaseText(low)
	for _, x := range n.list { // a patch release may have brought something
		if since := hcllang.Support(x.feature.Support).Since(n.program); x.counts(low) && hcllang.CompareSince(since, first) > 0 && hcllang.ParseRelease(since) == low {
			first = since
		}
	}
	constraint = ">= " + first
	if high < newest {
		constraint += ", < " + releaseText(high+1)
	}
	return constraint, reasons
}

func releaseText(r hcllang.Release) string { return fmt.Sprintf("%d.%d", r/1000, r%1000) }

// filesOfTree returns the files of a module, its tests, queries and migrations, and those of the local
// modules that it calls, each once.
func filesOfTree(fsys fs.FS, dir string, d hclconfig.Dialect) ([]*hclconfig.File, error) {
	tree, err := LoadTree(fsys, dir, d, hclconfig.TestDirectory(""))
	if tree == nil {
		return nil, err
	}
	// Any other error is about modules that call each other; what was read counts.
	files := slices.Concat(tree.Module.Files, tree.Module.Tests)
	if hclsource.Program(d) == hcllang.Terraform {
		others, err := otherFiles(fsys, dir, d)
		if err != nil {
			return nil, err
		}
		files = append(files, others...)
		if len(files) == 0 { // only OpenTofu has this module: its files say so
			return filesOfTree(fsys, dir, hclconfig.OpenTofu)
		}
	}
	seen := map[string]bool{tree.Module.Dir: true}
	var called func(t *Tree)
	called = func(t *Tree) {
		for _, c := range t.Children {
			if _, err := c.Call.SourceAddr(); err == nil && !c.Call.IsLocal() {
				continue
			}
			if !seen[c.Module.Dir] {
				seen[c.Module.Dir] = true
				files = append(files, c.Module.Files...)
			}
			called(c)
		}
	}
	called(tree)
	return files, nil
}

// otherFiles returns the query and migration files in a directory, in the order of their names.
func otherFiles(fsys fs.FS, dir string, d hclconfig.Dialect) ([]*hclconfig.File, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return nil, err
	}
	var out []*hclconfig.File
	for _, e := range entries {
		name, ok := hclconfig.ParseFilename(e.Name())
		if !ok || e.IsDir() || name.Kind != hclconfig.QueryFile && name.Kind != hclconfig.MigrationFile {
			continue
		}
		full := path.Join(dir, e.Name())
		src, err := fs.ReadFile(fsys, full)
		if err != nil {
			return nil, err
		}
		f, _ := hclconfig.Parse(full, src, d) // what can be read of it
		out = append(out, f)
	}
	return out, nil
}
