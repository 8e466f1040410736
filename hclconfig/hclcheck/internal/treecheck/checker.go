// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package treecheck has the rules for a module together with those that it calls: references,
// values, providers, instances. It imports filecheck, never the reverse.
package treecheck

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hcleval"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclgraph"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
	"github.com/tofuwire/tofuwire/internal/hclbound"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/langfuncs"
	"github.com/tofuwire/tofuwire/internal/provschema"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"
)

// marksDeprecations reports whether the program marks values from deprecated attributes. The
// others warn of references to such attributes.
//
// Source: OpenTofu internal/configs/configschema, marks.go, since 1.12; before that
// validate_traversal.go.
func (c *treeChecker) marksDeprecations() bool {
	return c.dialect == hcllang.OpenTofu && (c.minor < 0 || c.minor >= 12)
}

// clock sets what plantimestamp returns. In the first releases validate has a time for it.
func (c *treeChecker) clock(functions map[string]function.Function) {
	for _, name := range []string{"plantimestamp", "core::plantimestamp"} {
		if _, ok := functions[name]; ok && !c.planning && c.before(7, 10) {
			functions[name] = langfuncs.ZeroTime
		}
	}
}

// readers are the functions that fail if there is no file at their first argument.
var readers = []string{"file", "filebase64", "filebase64sha256", "filebase64sha512", "filemd5", "filesha1", "filesha256", "filesha512", "templatefile"}

// readFunctions makes the functions that read files look whether the files are
// there. Their content stays unknown.
func (c *treeChecker) readFunctions() {
	functions := maps.Clone(langfuncs.Table(c.program, c.minor))
	c.clock(functions)
	for _, name := range readers {
		for _, full := range []string{name, "core::" + name} {
			if f, ok := functions[full]; ok {
				functions[full] = c.reader(f)
			}
		}
	}
	for _, name := range []string{"templatestring", "core::templatestring"} {
		if f, ok := functions[name]; ok {
			functions[name] = c.stringTemplate(f)
		}
	}
	c.context.Functions = c.costs.Metered(functions)
}

// reader returns f with a look for the file. Where the directory of the root module
// is the working directory, as the programs have it.
func (c *treeChecker) reader(f function.Function) function.Function {
	params := f.Params()
	look := func(args []cty.Value) error {
		for _, a := range args {
			if !a.IsKnown() {
				return nil // of templatefile: the variables
			}
		}
		name, _ := args[0].Unmark()
		at, err := c.existingFile(name.AsString())
		if err != nil {
			return function.NewArgError(0, err)
		}
		if len(args) == 1 || at == "" {
			return nil
		}
		return c.templateFile(at, args[1])
	}
	return function.New(&function.Spec{
		Params: params, VarParam: f.VarParam(),
		Type: func(args []cty.Value) (cty.Type, error) {
			if err := look(args); err != nil {
				return cty.DynamicPseudoType, err
			}
			return f.ReturnTypeForValues(args)
		},
		Impl: func(_ []cty.Value, t cty.Type) (cty.Value, error) { return cty.UnknownVal(t), nil },
	})
}

// existingFile returns the place of a file in the file system of the tree, or
// "" if that is not known. The error says that there is certainly no such file.
func (c *treeChecker) existingFile(name string) (string, error) {
	if strings.HasPrefix(name, "~") || filepath.IsAbs(name) || path.IsAbs(name) || c.root.FS == nil {
		return "", nil
	}
	at := path.Join(cmp.Or(c.root.WorkingDir, c.root.Module.Dir), filepath.ToSlash(name))
	if !fs.ValidPath(at) {
		return "", nil // outside the visible files
	}
	switch info, err := fs.Stat(c.root.FS, at); {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("no file exists at %q; this function works only with files that are distributed as part of the configuration source code", name)
	case err != nil:
		return "", nil
	case info.IsDir():
		return "", fmt.Errorf("failed to read file: %s is a directory", name)
	case !info.Mode().IsRegular() || info.Size() > maxTemplate:
		return "", nil
	}
	return at, nil
}

// maxTemplate is the size of the largest file that is read for its references.
const maxTemplate = 1 << 20

// templateFile checks that a template can be read and that vars has all its
// references.
func (c *treeChecker) templateFile(at string, vars cty.Value) error {
	src, err := fs.ReadFile(c.root.FS, at)
	if err != nil || !utf8.Valid(src) {
		return nil
	}
	vars, _ = vars.Unmark()
	if t := vars.Type(); vars.IsNull() || !t.IsObjectType() && !t.IsMapType() {
		return function.NewArgErrorf(1, "invalid vars value: must be a map")
	}
	x, diags := hcllex.ParseTemplate(src, at, hcl.InitialPos)
	if diags.HasErrors() {
		return diags
	}
	_, err = c.evaluateTemplate(x, vars)
	return err
}

// stringTemplate returns f, which is templatestring, with a look at the template where it is known.
func (c *treeChecker) stringTemplate(f function.Function) function.Function {
	terraform := c.dialect == hcllang.Terraform
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			out, err := f.Call(args)
			if err != nil {
				return out, err
			}
			text := args[0]
			if text.Type().Equals(customdecode.ExpressionClosureType) {
				text, _ = customdecode.ExpressionClosureFromVal(text).Value()
			}
			text, _ = text.Unmark()
			vars, _ := args[1].Unmark()
			if !text.IsKnown() || text.IsNull() || text.Type() != cty.String || !vars.IsKnown() || vars.IsNull() || len(text.AsString()) > maxTemplate {
				return out, nil
			}
			x, diags := hcllex.ParseTemplate([]byte(text.AsString()), "<templatestring argument>", hcl.InitialPos)
			switch {
			case diags.HasErrors() && terraform:
				return out, function.NewArgError(0, diags)
			case diags.HasErrors():
				return out, diags
			}
			v, err := c.evaluateTemplate(x, vars)
			if err == nil && terraform {
				v, err = convert.Convert(v, cty.String)
				if err == nil && v.IsNull() && !c.before(0, 11) {
					err = errors.New("the template result is null")
				}
			}
			return out, err
		},
	})
}

// evaluateTemplate returns the value of a template with a map of variables, and its fault. What a
// template with loops gives is not known.
func (c *treeChecker) evaluateTemplate(x hclsyntax.Expression, vars cty.Value) (cty.Value, error) {
	variables := vars.AsValueMap()
	for name := range variables {
		if !hclsyntax.ValidIdentifier(name) {
			return cty.DynamicVal, function.NewArgErrorf(1, "invalid template variable name %q: must start with a letter, followed by zero or more letters, digits, and underscores", name)
		}
	}
	for _, t := range x.Variables() {
		if _, ok := variables[t.RootName()]; !ok && !c.isType(t) {
			return cty.DynamicVal, function.NewArgErrorf(1, "vars map does not contain key %q, referenced at %s", t.RootName(), t[0].SourceRange())
		}
	}
	loops := false
	_ = hclsyntax.VisitAll(x, func(n hclsyntax.Node) hcl.Diagnostics {
		_, ok := n.(*hclsyntax.ForExpr)
		loops = loops || ok
		return nil
	})
	if loops {
		return cty.DynamicVal, nil
	}
	functions := maps.Clone(c.context.Functions)
	for _, name := range []string{"templatefile", "core::templatefile", "templatestring", "core::templatestring"} {
		if f, ok := functions[name]; ok {
			functions[name] = c.innerTemplate(f)
		}
	}
	v, diags := hclbound.Bounded(x).Value(&hcl.EvalContext{Variables: variables, Functions: functions})
	if diags.HasErrors() {
		return v, diags
	}
	v, _ = v.UnmarkDeep()
	return v, nil
}

// innerTemplate returns a function that makes templates inside a template: only OpenTofu has it,
// since 1.7. The inner template is not looked at.
func (c *treeChecker) innerTemplate(f function.Function) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: func([]cty.Value) (cty.Type, error) {
			if c.dialect == hcllang.Terraform || c.before(7, 0) {
				return cty.DynamicPseudoType, errors.New("a template must not be made inside another one")
			}
			return cty.DynamicPseudoType, nil
		},
		Impl: func(_ []cty.Value, t cty.Type) (cty.Value, error) { return cty.UnknownVal(t), nil },
	})
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
			hclsource.DecodePlaces(f, out[i:end])
		}
		i = end
	}
}

func (c *treeChecker) fail(e hclconfig.Expression, summary, format string, args ...any) {
	c.out = append(c.out, hclsource.ErrorAt(e.Range(), summary, format, args...))
}

// unique removes diagnostics after the first n that are there twice, as those of
// a module that is called twice are.
func (c *treeChecker) unique(n int) {
	if len(c.out) == n {
		return
	}
	type place struct {
		summary string
		at      addrs.Range
	}
	seen := map[place]bool{}
	for _, d := range c.out[:n] {
		seen[place{d.Summary, d.Subject}] = true
	}
	kept := c.out[:n]
	for _, d := range c.out[n:] {
		if at := (place{d.Summary, d.Subject}); !seen[at] {
			seen[at] = true
			kept = append(kept, d)
		}
	}
	c.out = kept
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
	// minor is the minor release: of OpenTofu -1 if the dialect names no release, which
	// unreleased reports of both.
	minor      int
	unreleased bool
	// isType reports whether a reference is the name of a type.
	isType func(hcl.Traversal) bool
	// context has the functions.
	context *hcl.EvalContext
}

func languageOf(d hclconfig.Dialect) language {
	l := language{dialect: hclsource.Program(d), minor: -1, unreleased: true, isType: hclsource.TypeNames(d)}
	if l.dialect == hcllang.Terraform {
		l.program, l.minor = langfuncs.Terraform, int(hcllang.NewestTerraform%1000)
	}
	if r := hclsource.Release(d); r != 0 {
		l.minor, l.unreleased = int(r%1000), false
	}
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
	root    *hclnames.Tree
	schemas map[string]*provschema.Provider
	out     hclconfig.Diagnostics
	// planning reports that the plan's checks are made, after all others.
	planning bool
	expanded map[*hclnames.Tree][]string // the addresses of the instances of modules, for the plan
	objectGraph
	scopes map[*hclnames.Tree]*moduleScope
	loaded map[*hclconfig.Module]bool
	// requirements has the first entry of required_providers for each local name.
	requirements map[*hclconfig.Module]map[string]*hclconfig.ProviderRequirement
	values       *hclnames.Evaluator
	uses         *providerUse
	checkers     map[*hclnames.Tree]*staticChecker
	// tests has those of the modules that runs of test files are about.
	tests []*treeChecker
	// tested reports that this is one of them.
	tested bool
	// deprecations reports that values may have marks of what is deprecated.
	deprecations bool
	costs        hcleval.Budget
	// found has what expressions refer to, as far as it was asked for.
	found map[hclsyntax.Expression][]hcl.Traversal
}

func newTreeChecker(t *hclnames.Tree, schemas map[string]*provschema.Provider) *treeChecker {
	return &treeChecker{
		language: languageOf(t.Module.Dialect()), root: t, schemas: schemas,
		objectGraph: objectGraph{inner: map[*hclgraph.Module]*moduleScope{}},
		scopes:      map[*hclnames.Tree]*moduleScope{}, loaded: map[*hclconfig.Module]bool{},
		requirements: map[*hclconfig.Module]map[string]*hclconfig.ProviderRequirement{}, values: hclnames.NewEvaluator(nil),
		checkers: map[*hclnames.Tree]*staticChecker{}, found: map[hclsyntax.Expression][]hcl.Traversal{},
	}
}

// has reports whether the release of the program has something.
func (c *treeChecker) has(s hcllang.Support) bool {
	return s.In(c.dialect, hclsource.Release(c.root.Module.Dialect()))
}

// readAs returns the program by whose rules a reference is read.
func (c *treeChecker) readAs(t hcl.Traversal) hcllang.Dialect {
	return hclsource.ProgramOfReference(t, c.dialect, hclsource.Release(c.root.Module.Dialect()))
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

// before reports whether the release is older than 1.tofu or 1.terraform.
func (c *treeChecker) before(tofu, terraform int) bool {
	if c.dialect == hcllang.Terraform {
		return c.minor < terraform
	}
	return c.minor >= 0 && c.minor < tofu
}

// rules returns what the program does in its own way when it evaluates. HCL before 2.24, which
// OpenTofu has, and Terraform before 1.13, has lax indexes. Terraform before 1.12 has eager
// logic.
func (c *treeChecker) rules() hcleval.Rules {
	return hcleval.Rules{LaxIndexes: c.dialect == hcllang.OpenTofu || c.before(0, 13), EagerLogic: c.before(10, 12)}
}

// words returns the first text for OpenTofu, the second for Terraform.
func (c *treeChecker) words(tofu, terraform string) string {
	if c.dialect == hcllang.Terraform {
		return terraform
	}
	return tofu
}
