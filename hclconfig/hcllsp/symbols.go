// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"cmp"
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/lockfile"
)

// Kinds of symbols.
const (
	symbolModule   = 2
	symbolPackage  = 4
	symbolClass    = 5
	symbolProperty = 7
	symbolVariable = 13
	symbolConstant = 14
	symbolStruct   = 23
	symbolEvent    = 24
)

// symbolKinds are those of blocks by their types, and of addresses by their first words.
var symbolKinds = map[string]int{
	"variable": symbolVariable, "var": symbolVariable, "output": symbolConstant, "locals": symbolConstant, "local": symbolConstant,
	"module": symbolModule, "resource": symbolClass, "data": symbolClass, "ephemeral": symbolClass,
	"provider": symbolPackage, "terraform": symbolPackage, "run": symbolEvent, "check": symbolEvent, "action": symbolEvent,
}

// documentSymbols answers textDocument/documentSymbol.
func documentSymbols(_ *server, _ context.Context, v *view, p documentParams) (any, error) {
	d := v.document(p.TextDocument.URI)
	list := []documentSymbol{}
	if d != nil && path.Base(d.path) == lockFile {
		list = v.lockSymbols(d)
	} else if f := v.file(d); f != nil {
		list = symbolWalker{d.index(), v.enc}.body(f.Body())
	}
	if v.caps.has("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport") {
		return list, nil
	}
	flat := []symbolInformation{}
	var walk func(list []documentSymbol, container string)
	walk = func(list []documentSymbol, container string) {
		for _, s := range list {
			flat = append(flat, symbolInformation{s.Name, s.Kind, location{p.TextDocument.URI, s.Range}, container})
			walk(s.Children, s.Name)
		}
	}
	walk(list, "")
	return flat, nil
}

// A symbolWalker makes the tree of the symbols of a file.
type symbolWalker struct {
	x   *lineIndex // of the text that is there now, which may be shorter
	enc encoding
}

func (w symbolWalker) rangeOf(start, end int) textRange { return w.x.rangeOf(start, end, w.enc) }

func (w symbolWalker) body(b *hclconfig.Body) []documentSymbol {
	out := []documentSymbol{}
	for i := range b.Arguments {
		out = append(out, w.argument(&b.Arguments[i]))
	}
	for i := range b.Blocks {
		out = append(out, w.block(&b.Blocks[i]))
	}
	slices.SortStableFunc(out, func(a, b documentSymbol) int {
		p, q := a.Range.Start, b.Range.Start
		return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Character, q.Character))
	})
	return out
}

func (w symbolWalker) argument(a *hclconfig.Argument) documentSymbol {
	start, _ := span(a.Range())
	_, to := span(a.NameRange())
	_, _, end := a.Expression.Place()
	return documentSymbol{
		Name: nonEmpty(a.Name), Kind: symbolProperty, Range: w.rangeOf(start, max(end, to)),
		SelectionRange: w.rangeOf(w.x.bare(a.NameRange())),
	}
}

func (w symbolWalker) block(b *hclconfig.Block) documentSymbol {
	n := b.TypeRange()
	name := b.Type
	for _, l := range b.Labels {
		name += ` "` + l + `"`
	}
	if i := len(b.Labels); i > 0 {
		n = b.LabelRange(i - 1)
	}
	start, end := span(b.Range())
	from, to := w.x.bare(n)
	// In JSON syntax the label may be outside of what represents the block alone.
	start, end = min(start, from), max(end, to)
	return documentSymbol{
		Name: nonEmpty(name), Kind: cmp.Or(symbolKinds[b.Type], symbolStruct), Range: w.rangeOf(start, end), SelectionRange: w.rangeOf(from, to),
		Children: w.body(&b.Body),
	}
}

func nonEmpty(name string) string {
	if strings.TrimSpace(name) == "" {
		return `""`
	}
	return name
}

// lockSymbols returns the providers of a lock file.
func (v *view) lockSymbols(d *document) []documentSymbol {
	out := []documentSymbol{}
	if _, err := lockfile.Parse(lockFile, d.text); err != nil {
		return out
	}
	// The places are those of a native file.
	native, _ := hclconfig.ParseNative("lock.hcl", d.text)
	w := symbolWalker{d.index(), v.enc}
	for i := range native.Body().Blocks {
		b := &native.Body().Blocks[i]
		if b.Type == "provider" && len(b.Labels) == 1 {
			s := w.block(b)
			s.Name, s.Kind, s.Children = b.Labels[0], symbolPackage, nil
			out = append(out, s)
		}
	}
	return out
}

type symbolParams struct {
	Query string `json:"query"`
}

// maxSymbols bounds the answer to workspace/symbol.
const maxSymbols = 2000

// workspaceSymbols answers workspace/symbol: a part of an address, in any case.
func workspaceSymbols(s *server, ctx context.Context, v *view, p symbolParams) ([]symbolInformation, error) {
	out := []symbolInformation{}
	query := strings.ToLower(p.Query)
	tops := slices.Clone(v.folders)
	for at, d := range v.docs {
		if d.at != "" && len(v.folders) == 0 && !within(at, tops) {
			tops = append(tops, v.tops(v.moduleDir(at))...)
		}
	}
	for _, dir := range v.modules(tops) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m := s.module(v, nameOf(dir))
		if m == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(m.places)) {
			for _, o := range m.places[name] {
				root, _, _ := strings.Cut(o.address, ".")
				if o.decl == nil || o.dir != m.dir || root == "run" || isTest(name) || !strings.Contains(strings.ToLower(o.address), query) {
					continue
				}
				out = append(out, symbolInformation{o.address, cmp.Or(symbolKinds[root], symbolClass), v.locationOf(o), v.dirOf(m.dir)})
				if len(out) == maxSymbols {
					return out, nil
				}
			}
		}
	}
	return out, nil
}
