// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// DrawingOptions select the instances to draw.
type DrawingOptions struct {
	// Keep reports whether an instance is drawn. If nil, all are. References
	// through instances that are left out are drawn as if they were direct.
	Keep func(*Instance) bool
}

// maxDirect is how many lines one reference to all instances of a block may have.
// If there are more, all meet in one point.
const maxDirect = 8

// A sketch is the content of a drawing: boxes in modules, and lines between them.
type sketch struct {
	nodes []*box
	lines []line
	root  *frame
}

// A box is an instance, or without one the point where lines meet.
type box struct {
	i     *Instance
	id    int
	class string
}

// A frame is a module.
type frame struct {
	address string
	nodes   []*box
	in      []*frame
}

type line struct {
	from, to *box
	certain  bool
}

// Class returns a word for the planned action on an instance: "create",
// "update", "replace", "delete", "forget", "read", "open", or "" for nothing.
func (i *Instance) Class() string {
	if i == nil || i.Change == nil {
		return ""
	}
	switch a := i.Change.Actions; {
	case a.IsReplace():
		return "replace"
	case a.IsNoOp(), len(a) != 1:
		return ""
	default:
		return strings.Map(func(c rune) rune {
			if 'a' <= c && c <= 'z' {
				return c
			}
			return -1
		}, string(a[0]))
	}
}

// colors are the colours of classes.
var colors = map[string]string{
	"create": "#aceebb", "update": "#fae17d", "replace": "#ffb3e6", "delete": "#ffb3b0", "forget": "#d0d7de", "read": "#b6e3ff", "open": "#b6e3ff",
}

// sketch returns the content of the drawing.
func (x *Instances) sketch(d DrawingOptions) *sketch {
	s := &sketch{root: &frame{}}
	by := sketcher{sketch: s, boxes: make(map[*Instance]*box), points: make(map[*set]*box), frames: map[*module]*frame{x.root: s.root}}
	for _, i := range x.order {
		if d.Keep == nil || d.Keep(i) {
			by.boxes[i] = by.add(i, by.frame(i.in))
		}
	}
	for _, b := range slices.Clone(s.nodes) {
		by.connect(b, b.i.held)
	}
	return s
}

// A sketcher makes a sketch.
type sketcher struct {
	*sketch
	boxes  map[*Instance]*box
	points map[*set]*box // of sets that are too large to have a line from each user to each element
	frames map[*module]*frame
}

// frame returns the frame of a module, inside that of its parent.
func (s *sketcher) frame(m *module) *frame {
	if m == nil {
		return s.root
	}
	f := s.frames[m]
	if f == nil {
		f = &frame{address: m.address}
		s.frames[m] = f
		outer := s.frame(m.parent)
		outer.in = append(outer.in, f)
	}
	return f
}

// add adds a box to a frame, a point if i is nil.
func (s *sketcher) add(i *Instance, f *frame) *box {
	b := &box{i: i, id: len(s.nodes), class: i.Class()}
	s.nodes = append(s.nodes, b)
	f.nodes = append(f.nodes, b)
	return b
}

// point returns the point that replaces a large set, with its lines.
func (s *sketcher) point(to *set) *box {
	p := s.points[to]
	if p == nil {
		p = s.add(nil, s.root)
		s.points[to] = p
		s.connect(p, []held{{"", []target{{to: &set{list: to.list}, certain: true}}}})
	}
	return p
}

// connect draws the lines from a box to what it needs, through instances that have
// no box.
func (s *sketcher) connect(from *box, start []held) {
	type way struct {
		held    []held
		certain bool
	}
	lines := make(map[*box]int)
	seen := make(map[*set]bool)
	to := func(b *box, certain bool) {
		if at, ok := lines[b]; ok {
			s.lines[at].certain = s.lines[at].certain || certain
		} else if b != from {
			lines[b] = len(s.lines)
			s.lines = append(s.lines, line{from, b, certain})
		}
	}
	for queue := []way{{start, true}}; len(queue) > 0; queue = queue[1:] {
		for _, h := range queue[0].held {
			for _, t := range flat(h.targets) {
				if seen[t.to] && !t.certain {
					continue
				}
				again := seen[t.to]
				seen[t.to] = true
				certain := queue[0].certain && t.certain
				if len(t.to.list) > maxDirect && from.i != nil {
					to(s.point(t.to), certain)
					continue
				}
				for _, i := range t.to.list {
					if b := s.boxes[i]; b != nil {
						to(b, certain)
					} else if !again {
						queue = append(queue, way{i.held, certain})
					}
				}
			}
		}
	}
}

// label returns the text in the box of an instance: its address in its module.
func (b *box) label() string {
	if b.i == nil {
		return ""
	}
	return printable.Text(strings.TrimPrefix(strings.TrimPrefix(b.i.Address, b.i.Module), "."))
}

// WriteDOT draws the instances in the language of Graphviz: modules as boxes,
// planned actions as colours, and uncertain references as dashed lines. The
// only errors are those of w.
func (x *Instances) WriteDOT(w io.Writer, d DrawingOptions) error {
	if x == nil || x.root == nil {
		return nil
	}
	s := x.sketch(d)
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "digraph {\n  rankdir = \"RL\";\n  node [shape = \"box\", style = \"filled\", fillcolor = \"white\"];")
	var draw func(f *frame, indent string)
	n := 0
	draw = func(f *frame, indent string) {
		for _, b := range f.nodes {
			if b.i == nil {
				fmt.Fprintf(out, "%sn%d [shape = \"point\"];\n", indent, b.id)
				continue
			}
			fmt.Fprintf(out, "%sn%d [label = %s", indent, b.id, dotQuote(b.label()))
			if b.class != "" {
				fmt.Fprintf(out, ", class = \"%s\"", b.class)
			}
			if c := colors[b.class]; c != "" {
				fmt.Fprintf(out, ", fillcolor = \"%s\"", c)
			}
			fmt.Fprintln(out, "];")
		}
		for _, in := range f.in {
			n++
			fmt.Fprintf(out, "%ssubgraph cluster_%d {\n%s  label = %s;\n", indent, n, indent, dotQuote(in.title(f)))
			draw(in, indent+"  ")
			fmt.Fprintf(out, "%s}\n", indent)
		}
	}
	draw(s.root, "  ")
	for _, l := range s.lines {
		fmt.Fprintf(out, "  n%d -> n%d", l.from.id, l.to.id)
		if !l.certain {
			fmt.Fprint(out, " [style = \"dashed\"]")
		}
		fmt.Fprintln(out, ";")
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// title is the address of a module in the one around it.
func (f *frame) title(outer *frame) string {
	return printable.Text(strings.TrimPrefix(strings.TrimPrefix(f.address, outer.address), "."))
}

// WriteMermaid draws the instances in the language of Mermaid, as
// [Instances.WriteDOT] does. The only errors are those of w.
func (x *Instances) WriteMermaid(w io.Writer, d DrawingOptions) error {
	if x == nil || x.root == nil {
		return nil
	}
	s := x.sketch(d)
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "flowchart RL")
	classes := map[string]bool{}
	n := 0
	var draw func(f *frame, indent string)
	draw = func(f *frame, indent string) {
		for _, b := range f.nodes {
			if b.i == nil {
				fmt.Fprintf(out, "%sn%d((\" \"))\n", indent, b.id)
				continue
			}
			fmt.Fprintf(out, "%sn%d[\"%s\"]", indent, b.id, mermaidText(b.label()))
			if b.class != "" {
				fmt.Fprintf(out, ":::%s", "is-"+b.class)
				classes[b.class] = true
			}
			fmt.Fprintln(out)
		}
		for _, in := range f.in {
			n++
			fmt.Fprintf(out, "%ssubgraph m%d [\"%s\"]\n", indent, n, mermaidText(in.title(f)))
			draw(in, indent+"  ")
			fmt.Fprintf(out, "%send\n", indent)
		}
	}
	draw(s.root, "  ")
	for _, l := range s.lines {
		arrow := "-->"
		if !l.certain {
			arrow = "-.->"
		}
		fmt.Fprintf(out, "  n%d %s n%d\n", l.from.id, arrow, l.to.id)
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		if c := colors[class]; c != "" {
			fmt.Fprintf(out, "  classDef is-%s fill:%s,color:#000\n", class, c)
		}
	}
	return out.Flush()
}
