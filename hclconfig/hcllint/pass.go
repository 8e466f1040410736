// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
)

// A Pass is one run of an analyzer on one module, and holds everything that the analyzer
// may look at. It is safe for concurrent use until Run returns.
type Pass struct {
	// Analyzer is the analyzer that runs.
	Analyzer *Analyzer
	// Tree is the module together with the modules that it calls, and Module the module
	// itself, with its files of both syntaxes. They include files with syntax errors, with
	// whatever could be read of them.
	Tree   *hclnames.Tree
	Module *hclconfig.Module
	// Schemas has the schemas of providers, or is nil.
	Schemas *hclconfig.Schemas
	// Values are those of the module.
	Values

	shared *shared
	// results has those of the required analyzers.
	results map[*Analyzer]any
	report  func(Diagnostic)
	options any
}

// shared is what the passes of one module share.
type shared struct {
	names func() *hclnames.Names
	graph func() *hclnames.Graph
	// resources has the resources by their blocks.
	resources func() map[*hclconfig.Block]*hclconfig.Resource
	// calls has those of the modules that In led to. They share it.
	calls *sync.Map // of *hclconfig.Module to *shared
}

func newShared(t *hclnames.Tree, graph func() *hclnames.Graph, calls *sync.Map) *shared {
	m := t.Module
	return &shared{
		graph: graph,
		calls: calls,
		names: sync.OnceValue(func() *hclnames.Names { return hclnames.NamesOf(m) }),
		resources: sync.OnceValue(func() map[*hclconfig.Block]*hclconfig.Resource {
			out := map[*hclconfig.Block]*hclconfig.Resource{}
			for _, list := range [][]*hclconfig.Resource{m.Resources, m.Data, m.Ephemeral} {
				for _, r := range list {
					out[r.Block] = r
				}
			}
			return out
		}),
	}
}

// Report reports a finding.
func (p *Pass) Report(d Diagnostic) {
	d = placed(d)
	if slices.ContainsFunc(d.Related, func(r Diagnostic) bool { return r.At != nil }) {
		d.Related = slices.Clone(d.Related)
		for i, r := range d.Related {
			d.Related[i] = placed(r)
		}
	}
	d.Analyzer = p.Analyzer
	if d.Severity == "" {
		d.Severity = p.Analyzer.severity()
	}
	p.report(d)
}

func (a *Analyzer) severity() Severity {
	if a.Severity == "" {
		return Warning
	}
	return a.Severity
}

// Reportf reports a finding at a part of a file, as [Diagnostic.At]. The message is formatted
// as by [fmt.Sprintf]. If the part is not there, such as the result of [Block.Argument] for
// an argument that is not set, the finding is an error of the Report: report it at the block.
func (p *Pass) Reportf(at hcledit.Part, format string, args ...any) {
	p.Report(Diagnostic{At: at, Message: fmt.Sprintf(format, args...)})
}

// placed returns a diagnostic with the place of its part, if it has no other one.
func placed(d Diagnostic) Diagnostic {
	if d.Range == (addrs.Range{}) && d.At != nil {
		d.Range = rangeOf(d.At)
	}
	return d
}

// rangeOf returns the place to point at for a part.
func rangeOf(at hcledit.Part) addrs.Range {
	switch at := at.(type) {
	case Block:
		return hclsource.DefRange(at.Block)
	case *hclconfig.Block:
		return hclsource.DefRange(at)
	case nil:
		return addrs.Range{}
	}
	f, start, end := at.Place()
	if f == nil {
		return addrs.Range{}
	}
	return addrs.Range{Filename: f.Filename(), Start: f.Position(int64(start)), End: f.Position(int64(end))}
}

// In returns the pass for a called module of the tree, with the values of this call. If the
// call has count or for_each, values that differ between instances are unknown; with a key
// from [Block.Instances] of the call, the values are those of that instance. The keys of
// calls further out are kept: p.In(a, k).In(b, l) is instance l of b in instance k of a, for
// trees a and b of Tree.All. Findings that it reports are findings of the same analyzer.
func (p *Pass) In(t *hclnames.Tree, key ...addrs.InstanceKey) *Pass {
	if t == nil || t == p.Tree && len(key) == 0 {
		return p
	}
	calls := p.shared.calls
	s, _ := calls.LoadOrStore(t.Module, newShared(t, p.shared.graph, calls))
	t = p.inInstance(t)
	if len(key) > 0 {
		t = instanceOf(t, t.Parent)
		t.Key = key[0]
	}
	out := *p
	out.Tree, out.Module, out.shared = t, t.Module, s.(*shared)
	out.Values = Values{evaluator: p.evaluator, tree: t}
	return &out
}

// inInstance returns a tree within the instances of calls that the pass is in, as far as
// they lead to it.
func (p *Pass) inInstance(t *hclnames.Tree) *hclnames.Tree {
	to, here := pathTo(t), pathTo(p.Tree)
	n := 0
	for n < len(to)-1 && n < len(here) && sameCall(to[n], here[n]) {
		n++
	}
	if n == 0 || to[n-1] == here[n-1] {
		return t // another tree, or one that has the keys
	}
	parent := here[n-1]
	for _, inner := range to[n:] {
		parent = instanceOf(inner, parent)
	}
	return parent
}

// pathTo returns the trees from the root to one, including it.
func pathTo(t *hclnames.Tree) []*hclnames.Tree {
	var out []*hclnames.Tree
	for ; t != nil; t = t.Parent {
		out = append(out, t)
	}
	slices.Reverse(out)
	return out
}

// sameCall reports whether one tree stands for the same call as another, in the same or in
// an instance that here is.
func sameCall(t, here *hclnames.Tree) bool {
	return t == here || t.Call == here.Call && t.Module == here.Module && (t.Key == addrs.NoKey || t.Key == here.Key)
}

// instanceOf returns a copy of a tree.
func instanceOf(t, parent *hclnames.Tree) *hclnames.Tree {
	out := *t
	out.Parent = parent
	out.Children = make([]*hclnames.Tree, len(t.Children))
	for i, c := range t.Children {
		out.Children[i] = instanceOf(c, &out)
	}
	return &out
}

// Names returns the names of the module: where a declaration is used.
func (p *Pass) Names() *hclnames.Names { return p.shared.names() }

// Graph returns the graph of the tree: what depends on what. It shows where a value goes,
// with [hclnames.Graph.Dependents]; see also [Pass.Origins].
func (p *Pass) Graph() *hclnames.Graph { return p.shared.graph() }

// ResultOf returns the result of an analyzer that the analyzer of the pass requires, or
// the zero T if there is no result of that type.
func ResultOf[T any](p *Pass, a *Analyzer) T {
	if p == nil {
		var none T
		return none
	}
	out, _ := p.results[a].(T)
	return out
}

// Blocks returns an iterator over the module's blocks of a type whose labels begin with the
// given ones, in the order of the files: Blocks("resource", "aws_instance"). Data blocks
// inside check blocks are included. Blocks of override files are not listed themselves; their
// changes are in the blocks that they override. A block that lacks a label of its type, which
// is an error in the configuration, is left out.
func (p *Pass) Blocks(typ string, labels ...string) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		for b := range p.blocks(typ) {
			if len(b.Labels) >= max(len(labels), labelsOf[typ]) && slices.Equal(b.Labels[:len(labels)], labels) && !yield(b) {
				return
			}
		}
	}
}

// labelsOf has how many labels the blocks of a type have.
var labelsOf = map[string]int{"resource": 2, "data": 2, "ephemeral": 2, "variable": 1, "output": 1, "module": 1, "provider": 1, "check": 1, "action": 2, "run": 1}

// blocks returns all blocks of a type.
func (p *Pass) blocks(typ string) iter.Seq[Block] {
	return func(yield func(Block) bool) {
		one := func(b *hclconfig.Block, overrides []*hclconfig.Block) bool {
			return yield(Block{Block: b, Values: p.Values, pass: p, overrides: overrides})
		}
		if overridden := p.overridable(typ); overridden != nil {
			overridden(one)
			return
		}
		for _, f := range p.Module.Files {
			for b := range f.Body().BlocksOfType(typ) {
				if !one(b, nil) {
					return
				}
			}
		}
	}
}

// overridable yields the blocks of a type that override files can change, with those that
// do. It returns nil for the other types.
func (p *Pass) overridable(typ string) iter.Seq2[*hclconfig.Block, []*hclconfig.Block] {
	m := p.Module
	switch typ {
	case "resource":
		return each(m.Resources, func(r *hclconfig.Resource) (*hclconfig.Block, []*hclconfig.Block) { return r.Block, r.OverriddenBy })
	case "ephemeral":
		return each(m.Ephemeral, func(r *hclconfig.Resource) (*hclconfig.Block, []*hclconfig.Block) { return r.Block, r.OverriddenBy })
	case "data":
		all := slices.Clone(m.Data)
		for _, c := range m.Checks {
			if c.Data != nil {
				all = append(all, c.Data)
			}
		}
		return each(all, func(r *hclconfig.Resource) (*hclconfig.Block, []*hclconfig.Block) { return r.Block, r.OverriddenBy })
	case "variable":
		return each(m.Variables, func(v *hclconfig.Variable) (*hclconfig.Block, []*hclconfig.Block) { return v.Block, v.OverriddenBy })
	case "output":
		return each(m.Outputs, func(o *hclconfig.Output) (*hclconfig.Block, []*hclconfig.Block) { return o.Block, o.OverriddenBy })
	case "module":
		return each(m.Calls, func(c *hclconfig.ModuleCall) (*hclconfig.Block, []*hclconfig.Block) { return c.Block, c.OverriddenBy })
	case "provider":
		return each(m.Providers, func(c *hclconfig.Provider) (*hclconfig.Block, []*hclconfig.Block) { return c.Block, c.OverriddenBy })
	}
	return nil
}

func each[T any](list []T, of func(T) (*hclconfig.Block, []*hclconfig.Block)) iter.Seq2[*hclconfig.Block, []*hclconfig.Block] {
	return func(yield func(*hclconfig.Block, []*hclconfig.Block) bool) {
		for _, x := range list {
			if !yield(of(x)) {
				return
			}
		}
	}
}
