// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package treecheck has the rules for a module together with those that it calls: references,
// values, providers, instances. It imports filecheck, never the reverse.
package treecheck

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/hclconfig/internal/provideruse"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
)

// readFunctions makes the functions of the module.
func (c *treeChecker) readFunctions() {
	// OpenTofu 1.12.6, internal/lang/functions.go: Scope.Functions, whose files are relative to the working directory.
	f := hcleval.Functions{
		Program: c.program, Minor: c.minor, Has: c.has, IsType: c.isType, Planning: c.planning,
		FS: c.root.FS, Dir: cmp.Or(c.root.WorkingDir, c.root.Module.Dir),
	}
	c.context.Functions = f.Make(&c.costs)
}

// decodedPlaces gives places inside the strings of JSON files the lines and columns
// that the programs show: they count in the text that the string means, where an
// escape is one character and a newline begins a line. Offsets stay those of the
// file. The diagnostics must be sorted.
func (c *treeChecker) decodedPlaces(out hclconfig.Diagnostics) {
	files := map[string]*hclconfig.File{}
	for t := range c.root.All() {
		for _, f := range slices.Concat(t.Module.Files, t.Module.Tests) {
			if f.Syntax() == hclconfig.JSONSyntax {
				files[f.Filename()] = f
			}
		}
	}
	for i := 0; i < len(out); {
		name := out[i].Subject.Filename
		end := i + 1
		for end < len(out) && out[end].Subject.Filename == name {
			end++
		}
		if f := files[name]; f != nil {
			hclsource.DecodePositions(f, out[i:end])
		}
		i = end
	}
}

// fail adds an error at an expression.
func (c *treeChecker) fail(e hclconfig.Expression, summary, format string, args ...any) {
	c.out = append(c.out, hclsource.ErrorAt(e.Range(), summary, format, args...))
}

// unique removes diagnostics after the first n that are there twice, as those of
// a module that is called twice are.
func (c *treeChecker) unique(n int) {
	if len(c.out) == n {
		return
	}
	type finding struct {
		summary string
		at      addrs.Range
	}
	seen, i := map[finding]bool{}, 0
	c.out = slices.DeleteFunc(c.out, func(d hclconfig.Diagnostic) bool {
		at := finding{d.Summary, d.Subject}
		again := seen[at] && i >= n
		seen[at] = true
		i++
		return again
	})
}

// failed reports whether there are errors in the module or in one that a test is
// about.
func (c *treeChecker) failed() bool {
	return c.out.HasErrors() || slices.ContainsFunc(c.tests, func(x *treeChecker) bool { return x.out.HasErrors() })
}

// A language is what a program of one release understands.
type language struct {
	program langfuncs.Program
	dialect hcllang.Dialect
	// release is the one whose rules apply, and minor its minor number: of OpenTofu -1 if the dialect names no release.
	release hcllang.Release
	minor   int
	// isType reports whether a reference is the name of a type.
	isType func(hcl.Traversal) bool
	// context has the functions.
	context *hcl.EvalContext
}

// languageOf returns the language of a dialect, with functions that look at no files: see
// readFunctions.
func languageOf(d hclconfig.Dialect) language {
	l := language{dialect: hclsource.Program(d), release: hclsource.Rules(d), isType: hclsource.TypeNames(d)}
	l.program, l.minor = hclsource.Functions(d)
	l.context = &hcl.EvalContext{Functions: langfuncs.Table(l.program, l.minor), Variables: map[string]cty.Value{}}
	return l
}

// An objectGraph has the objects of a tree, in the scopes of their modules.
type objectGraph struct {
	nodes []*hclgraph.Node
	run   func(*hclgraph.Node) hclconfig.Diagnostics // makes the checks of a node
	inner map[*hclgraph.Module]*moduleScope
}

// A treeChecker checks a tree of modules.
type treeChecker struct {
	language
	root *hclnames.Tree
	// schemas has those that were given, by the address of the provider.
	schemas map[string]*provschema.Provider
	out     hclconfig.Diagnostics
	kitsKnown
	importsKnown
	// planning reports that the plan's checks are made, after all others.
	planning bool
	objectGraph
	ofTrees
	// loaded has the modules whose files were checked. One that is called twice has its files checked once.
	loaded map[*hclconfig.Module]bool
	values *hclnames.Evaluator
	uses   *provideruse.Use
	// rootFailed reports that the root module has an error of its own.
	rootFailed bool
	testsKnown
	// dynamicLabels has the faults of the labels of dynamic blocks, which the programs find in the blocks that they evaluate.
	dynamicLabels hclconfig.Diagnostics
	// deprecations reports that values may have marks of what is deprecated.
	deprecations bool
	costs        hcleval.Budget
	// found has what expressions refer to, as far as it was asked for.
	found map[hclsyntax.Expression][]hcl.Traversal
}

// testsKnown is what a checker knows of test files.
type testsKnown struct {
	tests  []*treeChecker // of the modules that their runs are about
	tested bool           // this checker is of such a module
}

// kitsKnown is what a checker knows of the kits that providers are made with.
type kitsKnown struct {
	kits        bool                          // their errors are wanted
	madeWithKit map[*provschema.Provider]bool // whether a kit may have made each, as far as that was asked for
}

// importsKnown is what a checker knows of the imports of the root module.
type importsKnown struct {
	intoResources map[resourceIn][]*hclconfig.Import // once they were asked for
	badImport     bool                               // an import has a target that is none
}

// A resourceIn is a resource of one call of its module: calls of one module share its declarations.
type resourceIn struct {
	scope *moduleScope
	*hclconfig.Resource
}

// ofTrees is what a checker knows of each module of the tree.
type ofTrees struct {
	scopes   map[*hclnames.Tree]*moduleScope
	checkers map[*hclnames.Tree]*staticChecker
}

// newTreeChecker returns a checker of a tree that nothing is known of yet.
func newTreeChecker(t *hclnames.Tree, schemas map[string]*provschema.Provider) *treeChecker {
	return &treeChecker{
		language: languageOf(t.Module.Dialect()), root: t, schemas: schemas,
		objectGraph: objectGraph{inner: map[*hclgraph.Module]*moduleScope{}},
		kitsKnown:   kitsKnown{madeWithKit: map[*provschema.Provider]bool{}},
		ofTrees:     ofTrees{scopes: map[*hclnames.Tree]*moduleScope{}, checkers: map[*hclnames.Tree]*staticChecker{}},
		loaded:      map[*hclconfig.Module]bool{},
		values:      hclnames.NewEvaluator(nil),
		found:       map[hclsyntax.Expression][]hcl.Traversal{},
	}
}

// has reports whether s is among the rules of the release.
func (c *treeChecker) has(s hcllang.Support) bool { return s.In(c.dialect, c.release) }

// readAs returns the program by whose rules a reference is read.
func (c *treeChecker) readAs(t hcl.Traversal) hcllang.Dialect {
	return hclsource.ProgramOfReference(t, c.dialect, c.release)
}

// finish returns the diagnostics in order, each once.
func (c *treeChecker) finish() hclconfig.Diagnostics {
	if len(c.tests) > 0 {
		seen := map[hclconfig.Diagnostic]bool{}
		for _, d := range c.out {
			seen[d] = true
		}
		for _, x := range c.tests {
			for _, d := range x.out {
				if !seen[d] {
					c.out = append(c.out, d) // not that of a called module again
				}
			}
		}
	}
	c.out = append(c.out, c.unevaluated()...)
	out := hclsource.Sorted(c.out)
	c.decodedPlaces(out)
	return slices.CompactFunc(out, func(a, b hclconfig.Diagnostic) bool { return a == b })
}

// unevaluated warns of expressions whose values were not computed, because of the work that would take: what depends on
// them is not checked. The programs evaluate them, however long it takes.
func (c *treeChecker) unevaluated() hclconfig.Diagnostics {
	// One warning is enough: what matters is that the verdict may lack something.
	places := c.costs.Denied()
	for _, x := range c.tests {
		places = append(places, x.costs.Denied()...)
	}
	if len(places) == 0 {
		return nil
	}
	others := ""
	if n := len(places) - 1; n > 0 {
		others = fmt.Sprintf(" The same applies to %d other expressions, or more.", n)
	}
	return hclconfig.Diagnostics{{
		Severity: hclconfig.SeverityWarning, Summary: "Expression not evaluated", Subject: places[0], Err: hclconfig.ErrLimit,
		Detail: "Evaluating this expression would take more work than this check does for a configuration of this size, or a number in it has more digits than it computes with. Its value is taken for unknown, and what depends on it is not checked." + others,
	}}
}

// knowsTypes reports whether expressions know the types of resources. The validate of Terraform
// and of OpenTofu before 1.12 leaves them to the plan.
func (c *treeChecker) knowsTypes() bool {
	return c.planning || c.has(hclsource.KnownTypes)
}

// rules returns what the program does in its own way when it evaluates.
func (c *treeChecker) rules() hcleval.Rules {
	return hcleval.Rules{
		LaxIndexes: !c.has(hclsource.StrictIndexes), EagerLogic: !c.has(hclsource.LazyLogic),
		Forgets: !c.has(hclsource.KeepsMarks), ForgetsMore: !c.has(hclsource.KeepsRefinedMarks),
	}
}

// used reports whether something uses a provider configuration of t.
func (c *treeChecker) used(t *hclnames.Tree, p *hclconfig.Provider) bool {
	if c.uses == nil {
		c.uses = provideruse.Of(c.root, c.has(hclsource.ImportProviders))
	}
	return c.uses.Has(t, p)
}

// words returns the first text for OpenTofu, the second for Terraform.
func (c *treeChecker) words(tofu, terraform string) string {
	// Both programs have most of their words in common, from the time before OpenTofu was a program of its own.
	if c.dialect == hcllang.Terraform {
		return terraform
	}
	return tofu
}
