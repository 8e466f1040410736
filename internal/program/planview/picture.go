// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planview has the parts of a page about a plan that more than one
// program draws: the picture of the changes, and the surroundings of an instance.
package planview

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// A Box is a block with a change.
type Box struct {
	Address string  `json:"address"`
	Label   string  `json:"label"`
	Class   string  `json:"class"` // as plandiff.Resource.Class
	X       float64 `json:"x"`
	Y       float64 `json:"y"`
	Width   float64 `json:"width"`
}

// An Edge is an arrow from an instance to one that needs it.
type Edge struct {
	From string `json:"from"` // the addresses of the boxes
	To   string `json:"to"`
	Path string `json:"path"` // as the attribute d of a path in SVG
}

// A Picture is the part of the graph that changes: the blocks of all resources
// with a change, and the dependencies among them, laid out.
type Picture struct {
	Blocks int     `json:"blocks"` // how many change
	Boxes  []Box   `json:"boxes"`  // none if there are more than MaxBoxes
	Edges  []Edge  `json:"edges"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`

	graph   *plangraph.Graph
	options plangraph.GraphOptions
}

// MaxBoxes is how many boxes a picture has at most.
const MaxBoxes = 250

// BoxHeight is the height of a box.
const BoxHeight = 30

// rank orders classes: a block whose instances differ shows the worst.
var rank = map[string]int{"delete": 8, "replace": 7, "replace-forget": 6, "forget": 6, "update": 5, "create": 4, "read": 3, "import": 2, "move": 1}

// NewPicture lays out what changes in p, whose differences are d.
func NewPicture(p *planjson.Plan, d *plandiff.Diff) *Picture {
	g := plangraph.New(p.Config())
	x := layout{class: make(map[*plangraph.Node]string), count: make(map[*plangraph.Node]int)}
	for _, r := range d.Resources {
		n := g.Node(r.Address)
		if n == nil {
			continue
		}
		x.count[n]++
		if class := r.Class(); x.class[n] == "" || rank[class] > rank[x.class[n]] {
			x.class[n] = class
		}
	}
	keep := func(n *plangraph.Node) bool { return x.class[n] != "" }
	for n := range g.All() {
		if keep(n) {
			x.nodes = append(x.nodes, n)
		}
	}
	pic := &Picture{Blocks: len(x.nodes), graph: g}
	pic.options = plangraph.GraphOptions{Keep: keep, Class: func(n *plangraph.Node) string { return x.class[n] }}
	if len(x.nodes) <= MaxBoxes {
		x.edges = g.Edges(pic.options)
		x.place(pic)
	}
	return pic
}

type layout struct {
	nodes []*plangraph.Node
	edges [][2]*plangraph.Node
	class map[*plangraph.Node]string
	count map[*plangraph.Node]int // of instances
}

const (
	rowGap    = 14
	columnGap = 70
	charWidth = 7.3
	maxLabel  = 44
)

// place places the boxes in columns: a node is left of the nodes that need it.
func (x *layout) place(pic *Picture) {
	column := make(map[*plangraph.Node]int)
	// As many rounds as there are nodes are enough, even if there is a cycle,
	// which no plan has.
	for changed, round := true, 0; changed && round < len(x.nodes); round++ {
		changed = false
		for _, e := range x.edges {
			if c := column[e[1]] + 1; c > column[e[0]] && c < len(x.nodes) {
				column[e[0]], changed = c, true
			}
		}
	}
	var columns [][]*plangraph.Node
	for _, n := range x.nodes {
		for len(columns) <= column[n] {
			columns = append(columns, nil)
		}
		columns[column[n]] = append(columns[column[n]], n)
	}
	// Place nodes near the middle of the nodes that they need.
	row := make(map[*plangraph.Node]float64)
	for _, list := range columns {
		want := make(map[*plangraph.Node]float64)
		for i, n := range list {
			sum, count := 0.0, 0
			for _, e := range x.edges {
				if e[0] == n {
					sum, count = sum+row[e[1]], count+1
				}
			}
			want[n] = float64(i)
			if count > 0 {
				want[n] = sum / float64(count)
			}
		}
		slices.SortStableFunc(list, func(a, b *plangraph.Node) int { return cmp.Compare(want[a], want[b]) })
		for i, n := range list {
			row[n] = float64(i)
		}
	}
	boxes := make(map[*plangraph.Node]Box)
	left, bottom := 10.0, 0.0
	for _, list := range columns {
		width := 60.0
		for _, n := range list {
			width = max(width, float64(utf8.RuneCountInString(x.label(n)))*charWidth+24)
		}
		for i, n := range list {
			y := 10 + float64(i)*(BoxHeight+rowGap)
			boxes[n] = Box{n.Address, x.label(n), x.class[n], left, y, width}
			bottom = max(bottom, y+BoxHeight)
		}
		left += width + columnGap
	}
	pic.Width, pic.Height = left-columnGap+10, bottom+10
	for _, e := range x.edges {
		from, to := boxes[e[1]], boxes[e[0]]
		x1, y1, x2, y2 := from.X+from.Width, from.Y+BoxHeight/2, to.X, to.Y+BoxHeight/2
		bend := max(30, (x2-x1)/2)
		pic.Edges = append(pic.Edges, Edge{e[1].Address, e[0].Address,
			fmt.Sprintf("M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f", x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)})
	}
	for _, n := range x.nodes {
		pic.Boxes = append(pic.Boxes, boxes[n])
	}
}

// label returns the text in the box of a block.
func (x *layout) label(n *plangraph.Node) string {
	s := OneLine(n.Address)
	if r := []rune(s); len(r) > maxLabel {
		s = "…" + string(r[len(r)-maxLabel+1:])
	}
	if c := x.count[n]; c > 1 {
		s += fmt.Sprintf(" ×%d", c)
	}
	return s
}

// WriteSVG writes the picture as a part of a page.
func (p *Picture) WriteSVG(w io.Writer) error {
	fmt.Fprintf(w, "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"Graph of what changes\">\n"+
		"<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
		p.Width, p.Height, p.Width, p.Height)
	for _, e := range p.Edges {
		fmt.Fprintf(w, "<path class=\"edge\" data-from=\"%s\" data-to=\"%s\" d=\"%s\" marker-end=\"url(#arrow)\"/>\n",
			html.EscapeString(e.From), html.EscapeString(e.To), e.Path)
	}
	for _, b := range p.Boxes {
		fmt.Fprintf(w, "<g class=\"node %s\" tabindex=\"0\" data-node=\"%s\"><title>%s</title><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" rx=\"6\"/><text x=\"%.0f\" y=\"%.0f\">%s</text></g>\n",
			b.Class, html.EscapeString(b.Address), html.EscapeString(b.Address), b.X, b.Y, b.Width, BoxHeight, b.X+12, b.Y+20, html.EscapeString(b.Label))
	}
	_, err := io.WriteString(w, "</svg>\n")
	return err
}

// WriteMermaid writes the picture in the language of Mermaid, with the classes
// of its boxes.
func (p *Picture) WriteMermaid(w io.Writer) error { return p.graph.WriteMermaid(w, p.options) }

// OneLine returns s in one line of characters that print.
func OneLine(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t':
			return ' '
		case !unicode.IsPrint(c):
			return '\ufffd'
		}
		return c
	}, s)
}
