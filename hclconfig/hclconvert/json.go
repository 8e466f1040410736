// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// ToJSON returns the file in JSON syntax, such that OpenTofu reads the same
// configuration from it. It converts each argument by its kind (see
// [hclconfig.Kind]). A file that is already in JSON syntax is returned unchanged.
// The File is nil if f has syntax errors.
//
// The diagnostics report inexact parts. An error reports a part that has no exact
// form in JSON syntax, or that is invalid in f. The converted file then has
// another meaning; where possible, OpenTofu refuses it. A warning is for
// information: a constant expression was replaced by its value, or a nested block
// of a provider without schema might have been an argument written as a block.
//
// Comments become properties named "//", in the same block and before the part
// they describe. Comments inside an expression that stays as it is, in
// "${...}", stay there.
//
// The result is parsed and compared with f before it is returned. A difference
// is also an error.
func ToJSON(f *hclconfig.File, opts Options) (*hclconfig.File, hclconfig.Diagnostics) {
	if f.Body() == nil || f.Syntax() == hclconfig.JSONSyntax {
		return f, nil
	}
	if f.Err() != nil {
		return nil, f.Diagnostics()
	}
	native := newSource(f)
	root := native.root()
	c := &jsonConverter{converter: converter{f: native, opts: opts}}
	for {
		c.diags = f.Diagnostics()
		c.noted = nil
		var out strings.Builder
		out.Grow(len(native.src) + len(native.src)/2)
		c.body(root, true, schemaView{}, nil).Write(&out, jsontree.Pretty, "")
		out.WriteByte('\n')
		g, err := hclconfig.ParseJSON(convertedName(native.name, hclconfig.JSONSyntax), []byte(out.String()), f.Dialect())
		json := newSource(g)
		v := verifier{c: &c.converter, native: native, json: json}
		if err == nil {
			v.body(root, json.root())
		} else {
			v.fail(textspan.Of(0, 0), "the result is not JSON")
		}
		// An argument that did not come out as it was may do so as a whole.
		again := false
		for _, at := range v.failed {
			if at.End > 0 && !c.forced[at.Start] {
				if c.forced == nil {
					c.forced = map[int32]bool{}
				}
				c.forced[at.Start] = true
				again = true
			}
		}
		if !again {
			c.diags = append(c.diags, v.diags...)
			return g, sorted(c.diags)
		}
	}
}

// A jsonConverter writes one native file in JSON syntax.
type jsonConverter struct {
	converter
	// forced has the places of arguments that are written as a whole.
	forced map[int32]bool
	noted  map[string]bool
	like   map[*jsontree.Node]int // what likeLabels returned
}

// A valueWriter writes the value of one argument.
type valueWriter struct {
	*jsonConverter
	// inner has the comments found inside of the expression.
	inner []comment
	// depth counts the enclosing lists and objects.
	depth int
}

// A jsonGroup is the blocks of one type in a body.
type jsonGroup struct {
	member int // which member of the body they are
	spec   *hcllang.Block
	blocks []jsonBlock
	known  bool // the provider's schema has them
}

type jsonBlock struct {
	labels []string
	node   *jsontree.Node
}

// A bodyWriter collects the content of a body.
type bodyWriter struct {
	c        *jsonConverter
	segments []*jsontree.Node // finished objects, if one does not do
	members  []jsontree.Member
	groups   map[string]*jsonGroup
	last     string         // the type of the last block
	lastNode *jsontree.Node // its body, if that is one object and nothing was added since
	escape   []jsontree.Member
	escaped  map[string]*jsonGroup
}

// body returns a body as an object, or, if its order needs it, as an array of
// objects that count as one.
func (c *jsonConverter) body(b *body, root bool, schema schemaView, lead []comment) *jsontree.Node {
	w := &bodyWriter{c: c}
	segments := c.opts.KeepOrder || interleaved(b)
	prev, end := b.at.Start+1, b.at.End-1
	if root {
		prev, end = 0, b.at.End
	}
	w.members = c.commentJSON(w.members, lead)
	previous := -1 // the member of the argument that ends at prev
	args, blocks := b.Arguments, b.Blocks
	for n := 0; len(args) > 0 || len(blocks) > 0; n++ {
		isArg := len(blocks) == 0 || len(args) > 0 && args[0].nameAt.Start < blocks[0].entry.Start
		var start int32
		if isArg {
			start = args[0].nameAt.Start
		} else {
			start = blocks[0].entry.Start
		}
		found := w.trailing(c.f.comments(prev, start), prev, previous, n == 0)
		if isArg {
			a := &args[0]
			args, w.lastNode = args[1:], nil
			prev = a.at.End
			v := &valueWriter{jsonConverter: c, inner: append(found, c.f.comments(a.nameAt.End, a.at.Start)...)}
			node := v.argument(a, b.spec, schema)
			members := c.commentJSON(nil, v.inner)
			members = append(members, jsontree.Property(a.Name, node))
			if m := b.spec.Lookup(a.Name); m.Block != nil && b.spec.Rest.Open() && w.canEscape(b, a.nameAt, a.Name) {
				w.escape = append(w.escape, members...)
				previous = -1
				continue
			}
			w.members = append(w.members, members...)
			previous = len(w.members) - 1
			w.last = ""
			continue
		}
		n2 := &blocks[0]
		blocks = blocks[1:]
		prev, previous = n2.entry.End, -1
		if root && n == 0 {
			var header []comment
			header, found = c.f.splitHeader(found, start)
			w.members = c.commentJSON(w.members, header)
		}
		content := n2.body()
		found = append(found, c.f.comments(n2.typeAt.End, content.at.Start)...)
		w.block(b, n2, content, schema, found, segments)
	}
	rest := w.trailing(c.f.comments(prev, end), prev, previous, len(b.Arguments)+len(b.Blocks) == 0)
	w.members = c.commentJSON(w.members, rest)
	w.finish()
	return w.node()
}

// trailing puts comments on the line of the part before them in their place,
// and returns the others.
func (w *bodyWriter) trailing(found []comment, prev int32, previous int, first bool) []comment {
	n := 0
	for from := prev; n < len(found) && w.c.f.sameLine(from, found[n].at.Start); n++ {
		from = found[n].at.Start
	}
	switch {
	case n == 0:
	case previous >= 0:
		// The argument is the last member, so no group moves.
		w.members = slices.Insert(w.members, previous, w.c.commentJSON(nil, found[:n])...)
		return found[n:]
	case w.lastNode != nil && !first:
		w.lastNode.Members = w.c.commentJSON(w.lastNode.Members, found[:n])
		return found[n:]
	case first && prev > 0:
		w.members = w.c.commentJSON(w.members, found[:n])
		return found[n:]
	}
	return found
}

// canEscape reports whether a name that JSON keeps for the language itself can
// be in the block "_" instead.
func (w *bodyWriter) canEscape(b *body, at textspan.Span, name string) bool {
	if b.spec.Lookup("_").Block == nil || name == "dynamic" {
		w.c.lose(at, "No JSON form", "In JSON syntax, the name %q always means something of the language itself here.", name)
		return false
	}
	return true
}

// block adds a block to the body.
func (w *bodyWriter) block(b *body, n *block, content *body, schema schemaView, lead []comment, segments bool) {
	c := w.c
	inner := schema.nested(c, n)
	typ, labels := n.Type, n.Labels
	node := c.body(content, false, inner, lead)
	if w.lastNode = node; node.Form != '{' {
		w.lastNode = nil
	}
	open := n.isOpen()
	if open && schema.isAttribute(n.Type) {
		// An argument that is written as a block: JSON has this form only
		// by way of a dynamic block.
		node = c.dynamicForm(n, node)
		typ, labels, open = "dynamic", []string{n.Type}, false
	} else if open && n.spec == hcllang.Open && !schema.isBlock(n.Type) {
		c.guessBlock(n, schema)
	}
	if m := b.spec.Lookup(n.Type); m.Arg != nil && b.spec.Rest.Open() && w.canEscape(b, n.typeAt, n.Type) {
		if w.escaped == nil {
			w.escaped = map[string]*jsonGroup{}
		}
		g := w.escaped[typ]
		if g == nil {
			g = &jsonGroup{spec: n.spec, member: len(w.escape)}
			w.escaped[typ] = g
			w.escape = append(w.escape, jsontree.Member{Name: typ})
		}
		g.blocks = append(g.blocks, jsonBlock{labels, node})
		return
	}
	g := w.groups[typ]
	if g != nil && segments && w.last != typ {
		w.segment()
		g = nil
	}
	if g == nil {
		g = &jsonGroup{spec: n.spec, member: len(w.members)}
		if typ == "dynamic" && n.spec != hcllang.Dynamic {
			g.spec = hcllang.Dynamic
		}
		if w.groups == nil {
			w.groups = map[string]*jsonGroup{}
		}
		w.groups[typ] = g
		w.members = append(w.members, jsontree.Member{Name: typ})
	}
	g.blocks = append(g.blocks, jsonBlock{labels, node})
	g.known = schema.isBlock(n.Type)
	w.last = typ
}

// interleaved reports whether plain objects cannot keep the order of static and
// dynamic blocks of one type. That order matters, and the blocks of one
// property are read in a row.
func interleaved(b *body) bool {
	type places struct{ first, last, firstMade, lastMade int }
	var types map[string]*places
	firstDynamic := -1
	for i := range b.Blocks {
		n := &b.Blocks[i]
		if n.spec == hcllang.Dynamic && len(n.Labels) == 1 {
			if types == nil {
				firstDynamic, types = i, map[string]*places{}
			}
			if types[n.Labels[0]] == nil {
				types[n.Labels[0]] = &places{-1, -1, i, i}
			}
			types[n.Labels[0]].lastMade = i
		}
	}
	if types == nil {
		return false
	}
	for i := range b.Blocks {
		if p := types[b.Blocks[i].Type]; p != nil {
			if p.first < 0 {
				p.first = i
			}
			p.last = i
		}
	}
	for _, p := range types {
		before := p.last < p.firstMade && p.first < firstDynamic
		after := p.first > p.lastMade
		if p.first >= 0 && !before && !after {
			return true
		}
	}
	return false
}

// segment begins a new object.
func (w *bodyWriter) segment() {
	w.fill()
	w.segments = append(w.segments, jsontree.Object(w.members...))
	w.members, w.groups, w.last = nil, nil, ""
}

// fill writes the groups into the members.
func (w *bodyWriter) fill() {
	for typ, g := range w.groups {
		w.members[g.member].Value = w.c.group(typ, g)
	}
}

func (w *bodyWriter) finish() {
	for typ, g := range w.escaped {
		w.escape[g.member].Value = w.c.group(typ, g)
	}
	if len(w.escape) > 0 {
		if g := w.groups["_"]; g != nil && len(g.blocks) == 1 && g.blocks[0].node.Form == '{' {
			own := g.blocks[0].node
			own.Members = append(own.Members, w.escape...)
		} else {
			w.members = append(w.members, jsontree.Property("_", jsontree.Object(w.escape...)))
		}
	}
	w.fill()
}

// node returns the body: an object, or an array of objects.
func (w *bodyWriter) node() *jsontree.Node {
	last := jsontree.Object(w.members...)
	if w.segments == nil {
		return last
	}
	return jsontree.Array(append(w.segments, last)...)
}

// group returns the value of the property that holds all blocks of a type.
func (c *jsonConverter) group(typ string, g *jsonGroup) *jsontree.Node {
	labels := len(g.blocks[0].labels)
	uniform := true
	for _, b := range g.blocks {
		uniform = uniform && len(b.labels) == labels
	}
	open := g.spec == hcllang.Open || g.spec == hcllang.OpenStatic
	if labels == 0 && uniform {
		if open && !g.known {
			for _, b := range g.blocks {
				if b.node.Form == '{' && c.likeLabels(b.node) > 0 {
					b.node.Members = append(b.node.Members, jsontree.Property("//", jsontree.Raw(`"a block without labels"`)))
					c.like[b.node] = -1
				}
			}
		}
		return bodies(g.blocks, open || c.opts.KeepOrder)
	}
	if open && uniform && together(g.blocks, labels) {
		return byLabel(g.blocks, 0, !g.known)
	}
	if open || ordered(typ) || c.opts.KeepOrder || !uniform {
		out := jsontree.Array()
		for _, b := range g.blocks {
			if open && !g.known && b.node.Form == '{' {
				b.node = jsontree.Array(b.node)
			}
			out.Items = append(out.Items, labelled(b.labels, b.node))
		}
		return out
	}
	return byLabel(g.blocks, 0, false)
}

// ordered reports whether the order of blocks of a type matters, whatever
// their labels are.
func ordered(typ string) bool { return typ == "provisioner" || typ == "run" || typ == "dynamic" }

// together reports whether blocks that begin with the same labels are adjacent.
func together(blocks []jsonBlock, labels int) bool {
	for n := 1; n <= labels; n++ {
		seen := make(map[string]bool, len(blocks))
		last := ""
		for _, b := range blocks {
			key := strings.Join(b.labels[:n], "\x00")
			if seen[key] && key != last {
				return false
			}
			seen[key], last = true, key
		}
	}
	return true
}

// likeLabels returns how many labels [nativeConverter.labels] would see in n.
func (c *jsonConverter) likeLabels(n *jsontree.Node) int {
	labels, ok := c.like[n]
	if !ok {
		labels = c.countLabels(n)
		if c.like == nil {
			c.like = map[*jsontree.Node]int{}
		}
		c.like[n] = labels
	}
	return labels
}

func (c *jsonConverter) countLabels(n *jsontree.Node) int {
	labels := -2 // not seen
	same := func(found int) bool {
		if labels == -2 {
			labels = found
		}
		return labels == found && found >= 0
	}
	switch n.Form {
	case '{':
		for _, m := range n.Members {
			if !same(c.likeLabels(m.Value)) {
				return -1
			}
		}
		return max(-1, labels+1)
	case '[':
		for _, e := range n.Items {
			found := -1
			if e.Form == '{' {
				found = c.likeLabels(e)
			} else if e.Form == '[' && len(e.Items) > 0 && !slices.ContainsFunc(e.Items, func(x *jsontree.Node) bool { return x.Form != '{' }) {
				found = 0
			}
			if !same(found) {
				return -1
			}
		}
		return max(-1, labels)
	}
	return -1
}

// bodies returns bodies without labels: one as it is, unless array is set.
func bodies(blocks []jsonBlock, array bool) *jsontree.Node {
	if len(blocks) == 1 && !array && blocks[0].node.Form == '{' {
		return blocks[0].node
	}
	out := jsontree.Array()
	for _, b := range blocks {
		out.Items = append(out.Items, b.node)
	}
	return out
}

// labelled puts labels around a body.
func labelled(labels []string, node *jsontree.Node) *jsontree.Node {
	if node.Form == '[' {
		node = jsontree.Array(node) // one body of several objects, not several bodies
	}
	for i := len(labels) - 1; i >= 0; i-- {
		node = jsontree.Object(jsontree.Property(labels[i], node))
	}
	return node
}

// byLabel returns blocks as objects in objects, by the labels from level on. If
// marked is set, each body is an array of objects in an array of bodies: nothing
// else but a labelled block looks like that, see [nativeConverter.labels].
func byLabel(blocks []jsonBlock, level int, marked bool) *jsontree.Node {
	if level == len(blocks[0].labels) {
		if marked {
			out := jsontree.Array()
			for _, b := range blocks {
				if b.node.Form == '{' {
					b.node = jsontree.Array(b.node)
				}
				out.Items = append(out.Items, b.node)
			}
			return out
		}
		return bodies(blocks, false)
	}
	out := jsontree.Object()
	if len(blocks) == 1 {
		out.Members = []jsontree.Member{jsontree.Property(blocks[0].labels[level], byLabel(blocks, level+1, marked))}
		return out
	}
	index := make(map[string]int, len(blocks))
	var groups [][]jsonBlock
	for _, b := range blocks {
		i, ok := index[b.labels[level]]
		if !ok {
			i = len(groups)
			index[b.labels[level]] = i
			groups = append(groups, nil)
			out.Members = append(out.Members, jsontree.Member{Name: b.labels[level]})
		}
		groups[i] = append(groups[i], b)
	}
	for i, g := range groups {
		out.Members[i].Value = byLabel(g, level+1, marked)
	}
	return out
}

// dynamicForm returns a block as the body of a dynamic block that has it once.
func (c *jsonConverter) dynamicForm(n *block, node *jsontree.Node) *jsontree.Node {
	if node.Form == '[' {
		node = jsontree.Array(node)
	}
	out := jsontree.Object(jsontree.Property("for_each", jsontree.Array(jsontree.Raw("1"))))
	for _, r := range n.public.Body.References() {
		if r.Root() == n.Type || n.Type == "resource" { // which references leave out
			// The name of the iterator must not hide an outer one.
			out.Members = append(out.Members, jsontree.Property("iterator", jsontree.Raw(jsontree.Quote(n.Type+"_block"))))
			break
		}
	}
	out.Members = append(out.Members, jsontree.Property("content", node))
	return out
}

// guessBlock reports, once for each type, that a block is taken for one.
func (c *jsonConverter) guessBlock(n *block, schema schemaView) {
	if schema.owner == nil {
		return
	}
	key := schema.owner.Type + "." + strings.Join(schema.owner.Labels[:min(1, len(schema.owner.Labels))], "") + "." + n.Type
	if c.noted[key] {
		return
	}
	if c.noted == nil {
		c.noted = map[string]bool{}
	}
	c.noted[key] = true
	c.note(n.typeAt, "Block of unknown schema", "The block %q is written as a nested block. If the provider's schema has an argument of that name, which may be written as a block in native syntax, members left out would have to be null.", n.Type)
}
