// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"context"
	"path"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// definition answers textDocument/definition.
func definition(s *server, _ context.Context, v *view, p positionParams) (any, error) {
	at := s.spot(v, p)
	if at == nil || at.module == nil {
		return nil, nil
	}
	var out []locationLink
	if o, ok := at.reference(v); ok {
		for _, d := range s.declarationsOf(v, o) {
			out = append(out, locationLink{v.uri(d.file), v.place(*d.decl), v.locationOf(d).Range})
		}
	} else if t, ok := v.sourceAt(at); ok {
		out = append(out, t)
	} else if t, ok := v.scopedAt(at); ok {
		out = append(out, t)
	}
	if len(out) == 0 {
		return nil, nil
	}
	if v.caps.has("textDocument.definition.linkSupport") {
		return out, nil
	}
	list := []location{}
	for _, l := range out {
		list = append(list, location{l.TargetURI, l.TargetSelectionRange})
	}
	return list, nil
}

// sourceAt returns the first file of the module whose source is at the spot.
func (v *view) sourceAt(at *spot) (locationLink, bool) {
	for _, l := range v.sources(at.module, at.file) {
		if l.start <= at.offset && at.offset <= l.end {
			if file, ok := v.mainFile(l.dir); ok {
				return locationLink{TargetURI: v.uri(file)}, true
			}
		}
	}
	return locationLink{}, false
}

// A sourceLink is the source of a call that leads to a module that is there.
type sourceLink struct {
	start, end int
	dir        string
}

// sources returns the sources of the calls in a file, and those of the runs of a test file.
func (v *view) sources(m *module, file string) []sourceLink {
	var out []sourceLink
	add := func(a *hclconfig.Argument, dir string) {
		if a == nil || dir == "" || !v.isModule(osPath(dir)) {
			return
		}
		start, end := v.lines(file).bare(a.Expression.Range())
		out = append(out, sourceLink{start, end, dir})
	}
	f := v.Parsed(file, v.dialect())
	if f == nil {
		return nil
	}
	for _, c := range f.Config().Calls {
		dir := m.calls[c.Name]
		if c.IsLocal() {
			dir = nameOf(realPath(osPath(c.LocalDir(m.dir))))
		}
		add(c.Source.Argument, dir)
	}
	for _, run := range f.Config().Runs {
		if run.Module != nil && strings.HasPrefix(run.Module.Source.Value, ".") {
			add(run.Module.Source.Argument, v.runDir(m.Module, run))
		}
	}
	return out
}

// mainFile returns main.tf of a module, or its first file.
func (v *view) mainFile(dir string) (string, bool) {
	first := ""
	entries, _ := v.ReadDir(dir)
	for _, e := range entries {
		if isConfiguration(e) {
			if e.Name() == "main.tf" || e.Name() == "main.tofu" {
				return path.Join(dir, e.Name()), true
			}
			if first == "" {
				first = e.Name()
			}
		}
	}
	return path.Join(dir, first), first != ""
}

// scopedAt returns where each, count or self at the spot comes from.
func (v *view) scopedAt(at *spot) (locationLink, bool) {
	word := v.wordAt(at)
	switch b, root := word.block, word.root(); {
	case b == nil:
	case root == "self" && len(b.Labels) > 0:
		return locationLink{v.uri(at.file), v.place(b.Range()), v.namePlace(b.LabelRange(len(b.Labels) - 1))}, true
	case repeated[root] != "":
		if a := b.Argument(repeated[root]); a != nil {
			return locationLink{v.uri(at.file), v.place(a.Range()), v.namePlace(a.NameRange())}, true
		}
	}
	return locationLink{}, false
}

// repeated are the arguments that the names of the language come from.
var repeated = map[string]string{"each": "for_each", "count": "count"}

// blockAt returns the block of the top level, or of a check, that a place is in.
func blockAt(body *hclconfig.Body, offset int) *hclconfig.Block {
	for i := range body.Blocks {
		if _, start, end := body.Blocks[i].Place(); start <= offset && offset <= end {
			return &body.Blocks[i]
		}
	}
	return nil
}

// argumentsAt returns the arguments that a place is in.
func argumentsAt(body *hclconfig.Body, offset int) []*hclconfig.Argument {
	var out []*hclconfig.Argument
	for i := range body.Blocks {
		if _, start, end := body.Blocks[i].Place(); start > offset || offset > end {
			continue
		}
		for a := range body.Blocks[i].Body.AllArguments() {
			if _, start, end := a.Place(); start <= offset && offset <= end {
				out = append(out, a)
			}
		}
	}
	for i := range body.Arguments {
		if _, start, end := body.Arguments[i].Place(); start <= offset && offset <= end {
			out = append(out, &body.Arguments[i])
		}
	}
	return out
}

// references answers textDocument/references.
func references(s *server, ctx context.Context, v *view, p referenceParams) ([]location, error) {
	out := []location{}
	o, ok := s.spot(v, p.positionParams).reference(v)
	if !ok {
		return out, nil
	}
	seen := map[location]bool{}
	for _, o := range s.everywhere(v, o.symbol) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if o.decl != nil && !p.Context.IncludeDeclaration {
			continue
		}
		if l := v.locationOf(o); !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return out, nil
}

// Kinds of highlights.
const (
	highlightRead  = 2
	highlightWrite = 3
)

// highlight answers textDocument/documentHighlight.
func highlight(s *server, _ context.Context, v *view, p positionParams) ([]documentHighlight, error) {
	out := []documentHighlight{}
	at := s.spot(v, p)
	o, ok := at.occurrence()
	if !ok {
		return out, nil
	}
	x := v.lines(at.file)
	seen := map[int]bool{}
	for _, other := range at.module.places[at.file] {
		if other.symbol != o.symbol || seen[other.start] {
			continue
		}
		seen[other.start] = true
		kind := highlightRead
		if other.decl != nil {
			kind = highlightWrite
		}
		out = append(out, documentHighlight{x.rangeOf(other.start, other.end, v.enc), kind})
	}
	return out, nil
}

// documentLinks answers textDocument/documentLink.
func documentLinks(s *server, _ context.Context, v *view, p documentParams) ([]documentLink, error) {
	out := []documentLink{}
	at := s.spot(v, positionParams{TextDocument: p.TextDocument})
	if at == nil || at.module == nil {
		return out, nil
	}
	x := v.lines(at.file)
	for _, l := range v.sources(at.module, at.file) {
		if file, ok := v.mainFile(l.dir); ok {
			out = append(out, documentLink{Range: x.rangeOf(l.start, l.end, v.enc), Target: v.uri(file), Tooltip: v.dirOf(l.dir)})
		}
	}
	return out, nil
}
