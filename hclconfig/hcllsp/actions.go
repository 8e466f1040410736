// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/zclconf/go-cty/cty"
)

// Kinds of code actions.
const (
	kindQuickFix = "quickfix"
	kindFixAll   = "source.fixAll"
)

// wanted reports whether the client asks for a kind: each of its kinds is a prefix.
func (p codeActionParams) wants(kind string) bool {
	return len(p.Context.Only) == 0 || slices.ContainsFunc(p.Context.Only, func(only string) bool {
		return only == kind || strings.HasPrefix(kind, only+".") || only == ""
	})
}

// An actionFinder finds the actions of one request.
type actionFinder struct {
	s          *server
	v          *view // nothing is repaired in it
	name       string
	dir        string
	start, end int
	checked    *checked
}

// codeActions answers textDocument/codeAction.
func codeActions(s *server, ctx context.Context, v *view, p codeActionParams) ([]codeAction, error) {
	out := []codeAction{}
	d := v.document(p.TextDocument.URI)
	if d == nil || d.at == "" || v.file(d) == nil || d.meaning(v.dialect()).real.Err() != nil {
		return out, nil // no edit of what cannot be parsed
	}
	x := d.index()
	f := &actionFinder{
		s: s, v: v.withAsIs(), name: nameOf(d.at), dir: v.moduleDir(d.at),
		start: x.offset(p.Range.Start, v.enc), end: x.offset(p.Range.End, v.enc),
	}
	if !p.wants(kindQuickFix) && !p.wants(kindFixAll) {
		return out, nil
	}
	f.checked = s.check(f.v, f.dir)
	if f.checked.tree == nil || ctx.Err() != nil {
		return out, ctx.Err()
	}
	if p.wants(kindQuickFix) {
		out = append(out, f.fixes()...)
		out = append(out, f.missing()...)
		out = append(out, f.variables()...)
	}
	// Fixing all is no answer to a finding: it is asked for by its kind.
	if len(p.Context.Only) > 0 && p.wants(kindFixAll) {
		if a, ok := f.fixAll(); ok {
			out = append(out, a)
		}
	}
	return out, nil
}

// touches reports whether a place is at the range of the request.
func (f *actionFinder) touches(r addrs.Range) bool {
	return r.Filename == f.name && int(r.Start.Offset) <= f.end && f.start <= int(r.End.Offset)
}

// fixes returns the fixes of the findings at the range.
func (f *actionFinder) fixes() []codeAction {
	var out []codeAction
	set := sync.OnceValue(f.setByCallers)
	for _, d := range f.checked.report.Diagnostics {
		if !f.touches(d.Range) {
			continue
		}
		for i, fix := range d.Fixes {
			one := d
			one.Fixes = []hcllint.Fix{fix}
			report := &hcllint.Report{Diagnostics: []hcllint.Diagnostic{one}}
			report.KeepVariables(set)
			texts := map[string][]byte{}
			for _, g := range report.Fix() {
				texts[g.Filename()] = g.Bytes()
			}
			if len(texts) == 0 || !f.owns(texts) {
				continue
			}
			out = append(out, codeAction{
				Title: cmp.Or(fix.Message, d.Message), Kind: kindQuickFix, Diagnostics: []diagnostic{f.v.diagnostic(d)}, IsPreferred: i == 0 && f.v.caps.has("textDocument.codeAction.isPreferredSupport"),
				Edit: f.v.workspaceEdit(texts, f.name),
			})
		}
	}
	return out
}

// setByCallers returns the variables of the module that calls in its repository set. Callers with
// faults count as far as they can be read, and calls that may lead to any module count as well.
func (f *actionFinder) setByCallers() map[string]bool {
	out := map[string]bool{}
	root := f.v.rootFor(f.dir)
	fsys, err := fs.Sub(f.v, nameOf(root))
	if err != nil {
		return out
	}
	dir, err := filepath.Rel(root, f.dir)
	if err != nil {
		return out
	}
	for c, err := range hclnames.Callers(fsys, filepath.ToSlash(dir), f.v.dialect()) {
		if err != nil {
			continue
		}
		for _, a := range c.Call.Block.Body.Arguments {
			out[a.Name] = true
		}
	}
	return out
}

// owns reports whether the files that an edit changes are not installed ones.
func (f *actionFinder) owns(texts map[string][]byte) bool {
	for name := range texts {
		if strings.Contains(name, "/.terraform/") {
			return false
		}
	}
	return true
}

// maxRounds is how often the fixes of a module are made.
const maxRounds = 100

// fixAll makes the fixes of the module until none is left, and returns the change of the document
// and of the other files of the module.
func (f *actionFinder) fixAll() (codeAction, bool) {
	texts := map[string][]byte{}
	var fsys fs.FS = f.v
	linter, report, set := f.s.linter(f.v, f.dir), f.checked.report, sync.OnceValue(f.setByCallers)
	for range maxRounds {
		report.KeepVariables(set)
		changed := report.Fix()
		if len(changed) == 0 {
			break
		}
		for _, g := range changed {
			texts[g.Filename()] = g.Bytes()
		}
		fsys = hclconfig.Overlay(fsys, changed...)
		tree, err := hclnames.LoadTree(fsys, nameOf(f.dir), f.v.dialect(), hclconfig.TestDirectory("tests"))
		if err == nil {
			report, err = linter.Run(tree, f.dir)
		}
		if err != nil {
			return codeAction{}, false
		}
	}
	for name := range texts {
		if path.Dir(name) != nameOf(f.dir) && path.Dir(path.Dir(name)) != nameOf(f.dir) {
			delete(texts, name)
		}
	}
	if len(texts) == 0 {
		return codeAction{}, false
	}
	return codeAction{Title: "Fix all findings that can be fixed", Kind: kindFixAll, Edit: f.v.workspaceEdit(texts, f.name)}, true
}

// missing offers to add the arguments and blocks that the blocks at the range lack.
func (f *actionFinder) missing() []codeAction {
	schemas := f.s.schemasOf(f.v, f.dir)
	return f.missingIn(f.v.Parsed(f.name, f.v.dialect()).Body(), func(b *hclconfig.Block) *hclconfig.BlockSchema {
		return schemas.Of(f.checked.tree.Module, b)
	})
}

// missingIn is like missing, for the blocks of a body.
func (f *actionFinder) missingIn(body *hclconfig.Body, schemaOf func(*hclconfig.Block) *hclconfig.BlockSchema) []codeAction {
	var out []codeAction
	for i := range body.Blocks {
		b := &body.Blocks[i]
		if _, start, end := b.Place(); f.end < start || end < f.start {
			continue
		}
		schema := schemaOf(b)
		out = append(out, f.lacking(b, schema)...)
		if schema != nil {
			out = append(out, f.missingIn(&b.Body, func(b *hclconfig.Block) *hclconfig.BlockSchema { return schema.Blocks[b.Type] })...)
		}
	}
	return out
}

// lacking returns the action that adds to a block what is required in it, or none.
func (f *actionFinder) lacking(b *hclconfig.Block, schema *hclconfig.BlockSchema) []codeAction {
	edit := hcledit.Edit(b.File())
	var names []string
	if b.Type == "module" && len(b.Labels) == 1 {
		names = f.addInputs(edit, b)
	} else if schema != nil {
		names = addRequired(edit, b, schema)
	}
	if len(names) == 0 {
		return nil
	}
	changed, err := edit.Apply()
	if err != nil {
		return nil
	}
	return []codeAction{{
		Title: "Add missing " + strings.Join(names, ", "), Kind: kindQuickFix, Edit: f.v.workspaceEdit(map[string][]byte{f.name: changed.Bytes()}, f.name),
		Diagnostics: f.about(b.Range(), func(d hcllint.Diagnostic) bool {
			switch d.Analyzer.Name {
			case "provider_missing_argument", "provider_block_count":
				return true
			}
			return strings.HasPrefix(d.Message, "Missing required argument") || strings.HasPrefix(d.Message, "Insufficient ")
		}),
	}}
}

// about returns the findings of some kind in a range.
func (f *actionFinder) about(r addrs.Range, kind func(hcllint.Diagnostic) bool) []diagnostic {
	var out []diagnostic
	for _, d := range f.checked.report.Diagnostics {
		if d.Range.Filename == r.Filename && d.Range.Start.Offset >= r.Start.Offset && d.Range.End.Offset <= r.End.Offset && kind(d) {
			out = append(out, f.v.diagnostic(d))
		}
	}
	return out
}

// addInputs adds the variables without a default of a called module.
func (f *actionFinder) addInputs(edit *hcledit.Editor, b *hclconfig.Block) []string {
	var names []string
	for _, child := range f.checked.tree.Children {
		if child.Call.Name != b.Labels[0] {
			continue
		}
		inputs := child.Call.Inputs()
		for _, v := range child.Module.Variables {
			if !v.Required() || inputs.Argument(v.Name) != nil {
				continue
			}
			typ, _, err := v.TypeConstraint()
			if err != nil {
				typ = cty.DynamicPseudoType
			}
			edit.Set(b, v.Name, emptyValue(typ))
			names = append(names, v.Name)
		}
	}
	return names
}

// addRequired adds the required arguments and blocks of a schema.
func addRequired(edit *hcledit.Editor, b *hclconfig.Block, schema *hclconfig.BlockSchema) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(schema.Attributes)) {
		if a := schema.Attributes[name]; a.Required && b.Argument(name) == nil {
			edit.Set(b, name, emptyValue(a.Type))
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Blocks)) {
		nested := schema.Blocks[name]
		if nested.MinItems == 0 || nested.Nesting == "map" || len(b.Body.Nested(name, 0)) > 0 {
			continue
		}
		block := hcledit.NewBlock(name)
		for _, inner := range slices.Sorted(maps.Keys(nested.Attributes)) {
			if a := nested.Attributes[inner]; a.Required {
				block.Set(inner, emptyValue(a.Type))
			}
		}
		edit.Add(b, block)
		names = append(names, name)
	}
	return names
}

// emptyValue returns the empty value of a type.
func emptyValue(t cty.Type) any {
	switch {
	case t == cty.Number:
		return 0
	case t == cty.Bool:
		return false
	case t.IsListType(), t.IsSetType(), t.IsTupleType():
		return hcledit.Source("[]")
	case t.IsMapType(), t.IsObjectType():
		return hcledit.Source("{}")
	}
	return ""
}

// variables offers to declare the variables that are referred to at the range and that nothing
// declares.
func (f *actionFinder) variables() []codeAction {
	file := f.v.Parsed(f.name, f.v.dialect())
	if file.Kind() != hclconfig.ConfigFile {
		return nil
	}
	var out []codeAction
	offered := map[string]bool{}
	names := hclnames.NamesOf(f.checked.tree.Module)
	for u := range names.All() {
		name, ok := strings.CutPrefix(u.Address, "var.")
		if _, declared := names.Lookup(u.Address); !ok || declared || offered[name] || !f.touches(u.Range()) {
			continue
		}
		offered[name] = true
		if edit := f.addVariable(name); edit != nil {
			out = append(out, codeAction{
				Title: fmt.Sprintf("Add variable %q", name), Kind: kindQuickFix,
				Edit: edit, Diagnostics: f.about(u.Range(), func(d hcllint.Diagnostic) bool {
					return strings.HasPrefix(d.Message, "Reference to undeclared input variable")
				}),
			})
		}
	}
	slices.SortFunc(out, func(a, b codeAction) int { return strings.Compare(a.Title, b.Title) })
	return out
}

// addVariable returns the edit that adds a variable: to variables.tf or, if there is none, to the
// file that declares the most variables.
func (f *actionFinder) addVariable(name string) *workspaceEdit {
	into, most := f.name, 0
	counts := map[string]int{}
	for _, v := range f.checked.tree.Module.Variables {
		file := v.Block.File().Filename()
		if counts[file]++; counts[file] > most {
			into, most = file, counts[file]
		}
	}
	for _, g := range f.checked.tree.Module.Files {
		if base := path.Base(g.Filename()); (base == "variables.tf" || base == "variables.tofu") && path.Dir(g.Filename()) == path.Dir(f.name) {
			into = g.Filename()
		}
	}
	file := f.v.Parsed(into, f.v.dialect())
	if file == nil || file.Err() != nil {
		return nil
	}
	changed, err := hcledit.Edit(file).Add(nil, hcledit.NewBlock("variable", name)).Apply()
	if err != nil {
		return nil
	}
	return f.v.workspaceEdit(map[string][]byte{into: changed.Bytes()}, f.name)
}
