// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planview has the parts of a page about a plan that more than one
// program draws: the graph of the changes, and the surroundings of an instance.
package planview

import (
	_ "embed"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

// Script is the part of the script of a page that draws a [Picture]: the function drawGraph.
//
//go:embed graph.js
var Script string

// Style is the part of the style of a page for what Script draws, and for the classes of changes.
//
//go:embed graph.css
var Style string

// A Box is a block with a change.
type Box struct {
	Address string   `json:"address"`
	Path    []string `json:"path,omitempty"` // the modules that it is in, such as module.a
	Type    string   `json:"type"`
	Label   string   `json:"label"`
	Class   string   `json:"class"` // as plandiff.Resource.Class
	Count   int      `json:"count"` // of its instances with a change
}

// A Picture is the part of the graph that changes: the blocks of all resources
// with a change, and the dependencies among them.
type Picture struct {
	Blocks int      `json:"blocks"` // how many change
	Boxes  []Box    `json:"boxes"`  // none if there are more than MaxBoxes
	Edges  [][2]int `json:"edges"`  // from a box to one that needs it

	graph   *plangraph.Graph
	options plangraph.GraphOptions
}

// MaxBoxes is how many boxes a picture has at most.
const MaxBoxes = 3000

// maxEdges is how many edges a picture has at most.
const maxEdges = 20_000

// rank orders classes: a block whose instances differ shows the worst.
var rank = map[string]int{"delete": 8, "replace": 7, "replace-forget": 6, "forget": 6, "update": 5, "create": 4, "read": 3, "import": 2, "move": 1}

// NewPicture returns what changes in p, whose differences are d.
func NewPicture(p *planjson.Plan, d *plandiff.Diff) *Picture {
	pic := &Picture{Boxes: []Box{}, Edges: [][2]int{}, graph: plangraph.New(p.Config())}
	number := make(map[string]int) // of the boxes, by address
	for _, r := range d.Resources {
		address, path, typ := plantext.WithoutKeys(r.Address), pathOf(plantext.WithoutKeys(r.ModuleAddress)), r.Type
		if n := pic.graph.Node(r.Address); n != nil {
			address, path, typ = n.Address, pathOf(n.Module), n.Type
		}
		at, ok := number[address]
		if !ok {
			at = len(pic.Boxes)
			number[address] = at
			label := strings.TrimPrefix(address, strings.Join(path, ".")+".")
			for i := range path {
				path[i] = OneLine(path[i])
			}
			pic.Boxes = append(pic.Boxes, Box{Address: OneLine(address), Path: path, Type: OneLine(typ), Label: OneLine(label)})
		}
		b := &pic.Boxes[at]
		b.Count++
		if class := r.Class(); b.Class == "" || rank[class] > rank[b.Class] {
			b.Class = class
		}
	}
	pic.Blocks = len(pic.Boxes)
	pic.options = plangraph.GraphOptions{
		Keep:  func(n *plangraph.Node) bool { _, ok := number[n.Address]; return ok },
		Class: func(n *plangraph.Node) string { return pic.Boxes[number[n.Address]].Class },
	}
	if pic.Blocks > MaxBoxes {
		pic.Boxes = []Box{}
		return pic
	}
	for _, e := range pic.graph.Edges(pic.options) {
		if len(pic.Edges) == maxEdges {
			break
		}
		pic.Edges = append(pic.Edges, [2]int{number[e[1].Address], number[e[0].Address]})
	}
	for i := range pic.Boxes {
		if b := &pic.Boxes[i]; b.Count > 1 {
			b.Label += " ×" + strconv.Itoa(b.Count)
		}
	}
	return pic
}

// pathOf returns the steps of the address of a module, such as module.a and module.b.
func pathOf(module string) []string {
	if module == "" {
		return nil
	}
	var path []string
	for step := range strings.SplitSeq(strings.TrimPrefix(module, "module."), ".module.") {
		path = append(path, "module."+step)
	}
	return path
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
