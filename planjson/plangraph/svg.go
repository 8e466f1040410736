// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"math"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// Measures of a picture.
const (
	boxHeight  = 28.0
	rowHeight  = 40.0
	columnGap  = 60.0
	frameTitle = 24.0
	framePad   = 10.0
	charWidth  = 7.3
	maxLabel   = 48
)

// WriteSVG draws the instances as a self-contained picture with the content of
// [Instances.WriteDOT]. Dependencies are to the left of their dependents. Each box
// has its address in data-address. It takes time in proportion to the boxes and
// lines; use [DrawingOptions.Keep] to draw a part of a large plan. The only errors are
// those of w.
func (x *Instances) WriteSVG(w io.Writer, d DrawingOptions) error {
	if x == nil || x.root == nil {
		return nil
	}
	s := x.sketch(d)
	s.columns()
	left := s.widths()
	s.root.place(left, 0)
	out := bufio.NewWriter(w)
	width, height := left[len(left)-1], s.root.bottom+framePad
	fmt.Fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" role=\"img\" font-family=\"monospace\" font-size=\"12\">\n"+
		"<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
		number(width), number(height), number(width), number(height))
	s.root.draw(out, nil)
	for _, l := range s.lines {
		x1, y1, x2, y2 := l.to.x+l.to.width, l.to.y+boxHeight/2, l.from.x, l.from.y+boxHeight/2
		bend := math.Round(max(20, (x2-x1)/2))
		fmt.Fprintf(out, "<path d=\"M%s %sC%s %s %s %s %s %s\" fill=\"none\" stroke=\"#57606a\"", number(x1), number(y1), number(x1+bend), number(y1), number(x2-bend), number(y2), number(x2), number(y2))
		if !l.certain {
			fmt.Fprint(out, " stroke-dasharray=\"5 4\"")
		}
		if l.from.i != nil {
			fmt.Fprint(out, " marker-end=\"url(#arrow)\"")
		}
		fmt.Fprintln(out, "/>")
	}
	for _, b := range s.nodes {
		if b.i == nil {
			fmt.Fprintf(out, "<circle cx=\"%s\" cy=\"%s\" r=\"4\" fill=\"#57606a\"/>\n", number(b.x+b.width/2), number(b.y+boxHeight/2))
			continue
		}
		fill := colors[b.class]
		if fill == "" {
			fill = "#ffffff"
		}
		class := "node"
		if b.class != "" {
			class += " " + b.class
		}
		address := html.EscapeString(printable.Text(b.i.Address))
		fmt.Fprintf(out, "<g class=\"%s\" data-address=\"%s\"><title>%s</title><rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"5\" fill=\"%s\" stroke=\"#57606a\"/><text x=\"%s\" y=\"%s\">%s</text></g>\n",
			class, address, address, number(b.x), number(b.y), number(b.width), number(boxHeight), fill, number(b.x+8), number(b.y+18), html.EscapeString(short(b.label())))
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

// short cuts a label at its beginning.
func short(s string) string {
	if r := []rune(s); len(r) > maxLabel {
		return "…" + string(r[len(r)-maxLabel+1:])
	}
	return s
}

// widths gives each box its width, and returns where columns begin, and last where
// the picture ends.
func (s *sketch) widths() []float64 {
	var widest []float64
	for _, b := range s.nodes {
		b.width = 8
		if b.i != nil {
			b.width = math.Ceil(float64(utf8.RuneCountInString(short(b.label())))*charWidth) + 16
		}
		for len(widest) <= b.column {
			widest = append(widest, 0)
		}
		widest[b.column] = max(widest[b.column], b.width)
	}
	left := []float64{framePad * 4}
	for i, width := range widest {
		left = append(left, left[i]+width+columnGap)
	}
	return left
}

// place puts the boxes of a frame below each other, each in its column, and the
// frames in it below them. A frame shares its rows with no other, so frames do
// not cross.
func (f *frame) place(left []float64, top float64) {
	f.y = top
	f.x, f.right = math.Inf(1), 0
	top += framePad
	if f.address != "" {
		top += frameTitle
	}
	bottom := top
	used := make(map[int]int)
	for _, b := range f.nodes {
		b.x, b.y = left[b.column], top+float64(used[b.column])*rowHeight
		used[b.column]++
		bottom = max(bottom, b.y+rowHeight)
		f.x, f.right = min(f.x, b.x-framePad), max(f.right, b.x+b.width+framePad)
	}
	for _, in := range f.in {
		in.place(left, bottom)
		bottom = in.bottom + framePad
		f.x, f.right = min(f.x, in.x-framePad), max(f.right, in.right+framePad)
	}
	f.right = max(f.right, f.x+framePad*2)
	f.bottom = bottom
}

// draw draws the frames of modules, the outer ones first.
func (f *frame) draw(w io.Writer, outer *frame) {
	if outer != nil {
		title := f.title(outer)
		width := max(f.right-f.x, float64(utf8.RuneCountInString(short(title)))*charWidth+16)
		fmt.Fprintf(w, "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"8\" fill=\"#57606a\" fill-opacity=\"0.08\" stroke=\"#8c959f\"/><text x=\"%s\" y=\"%s\" fill=\"#57606a\">%s</text>\n",
			number(f.x), number(f.y), number(width), number(f.bottom-f.y), number(f.x+8), number(f.y+16), html.EscapeString(short(title)))
	}
	for _, in := range f.in {
		in.draw(w, f)
	}
}
