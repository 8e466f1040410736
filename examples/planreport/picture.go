// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"html"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// A picture is the part of the graph that changes: the blocks of all resources
// with a change, and the dependencies among them.
type picture struct {
	graph   *plangraph.Graph
	options plangraph.Options
	nodes   []*plangraph.Node
	edges   [][2]*plangraph.Node
	class   map[*plangraph.Node]string
	count   map[*plangraph.Node]int // of instances
}

// rank orders classes: a block whose instances differ shows the worst.
var rank = map[string]int{"delete": 8, "replace": 7, "forget": 6, "update": 5, "create": 4, "read": 3, "import": 2, "move": 1}

func newPicture(p *planjson.Plan, d *plandiff.Diff) *picture {
	g := plangraph.New(&p.Configuration)
	x := &picture{graph: g, class: make(map[*plangraph.Node]string), count: make(map[*plangraph.Node]int)}
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
	x.options = plangraph.Options{
		Keep:  func(n *plangraph.Node) bool { return x.class[n] != "" },
		Class: func(n *plangraph.Node) string { return x.class[n] },
	}
	for n := range g.All() {
		if x.options.Keep(n) {
			x.nodes = append(x.nodes, n)
		}
	}
	x.edges = g.Edges(x.options)
	return x
}

const (
	boxHeight = 30
	rowGap    = 14
	columnGap = 70
	charWidth = 7.3
	maxLabel  = 44
	maxBoxes  = 250
)

// svg draws the picture in columns: a node is left of the nodes that need it.
func (x *picture) svg(w io.Writer) error {
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
	type box struct{ x, y, width float64 }
	boxes := make(map[*plangraph.Node]box)
	left, bottom := 10.0, 0.0
	for _, list := range columns {
		width := 60.0
		for _, n := range list {
			width = max(width, float64(utf8.RuneCountInString(x.label(n)))*charWidth+24)
		}
		for i, n := range list {
			y := 10 + float64(i)*(boxHeight+rowGap)
			boxes[n] = box{left, y, width}
			bottom = max(bottom, y+boxHeight)
		}
		left += width + columnGap
	}
	fmt.Fprintf(w, "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" role=\"img\" aria-label=\"Graph of what changes\">\n"+
		"<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
		left-columnGap+10, bottom+10, left-columnGap+10, bottom+10)
	for _, e := range x.edges {
		from, to := boxes[e[1]], boxes[e[0]]
		x1, y1, x2, y2 := from.x+from.width, from.y+boxHeight/2, to.x, to.y+boxHeight/2
		bend := max(30, (x2-x1)/2)
		fmt.Fprintf(w, "<path class=\"edge\" data-from=\"%s\" data-to=\"%s\" d=\"M%.0f %.0fC%.0f %.0f %.0f %.0f %.0f %.0f\" marker-end=\"url(#arrow)\"/>\n",
			html.EscapeString(e[1].Address), html.EscapeString(e[0].Address), x1, y1, x1+bend, y1, x2-bend, y2, x2, y2)
	}
	for _, n := range x.nodes {
		b := boxes[n]
		fmt.Fprintf(w, "<g class=\"node %s\" tabindex=\"0\" data-node=\"%s\"><title>%s</title><rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%d\" rx=\"6\"/><text x=\"%.0f\" y=\"%.0f\">%s</text></g>\n",
			x.class[n], html.EscapeString(n.Address), html.EscapeString(n.Address), b.x, b.y, b.width, boxHeight, b.x+12, b.y+20, html.EscapeString(x.label(n)))
	}
	_, err := io.WriteString(w, "</svg>\n")
	return err
}

// label returns the text in the box of a block.
func (x *picture) label(n *plangraph.Node) string {
	s := oneLine(n.Address)
	if r := []rune(s); len(r) > maxLabel {
		s = "…" + string(r[len(r)-maxLabel+1:])
	}
	if c := x.count[n]; c > 1 {
		s += fmt.Sprintf(" ×%d", c)
	}
	return s
}
