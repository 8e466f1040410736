// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// GraphOptions select the parts of a graph to write.
type GraphOptions struct {
	// Keep reports whether a node is written. If nil, all are. References
	// through nodes that are left out are drawn as if they were direct.
	Keep func(*Node) bool

	// Class returns a word for the look of a node, such as "create": in DOT it
	// becomes the attribute class, in Mermaid the name of a class. It may
	// contain only letters, digits and "-". If nil, nodes have no class.
	Class func(*Node) string
}

// Edges returns the references between the nodes that Keep selects, each pair
// of nodes once, sorted by the address of the node that holds the reference.
func (g *Graph) Edges(o GraphOptions) [][2]*Node {
	if g == nil {
		return nil
	}
	keep := o.Keep
	if keep == nil {
		keep = func(*Node) bool { return true }
	}
	var edges [][2]*Node
	for n := range g.All() {
		if !keep(n) {
			continue
		}
		seen := map[*Node]bool{n: true}
		for queue := []*Node{n}; len(queue) > 0; queue = queue[1:] {
			for _, e := range queue[0].Needs {
				if seen[e.To] {
					continue
				}
				seen[e.To] = true
				if keep(e.To) {
					edges = append(edges, [2]*Node{n, e.To})
				} else {
					queue = append(queue, e.To)
				}
			}
		}
	}
	return edges
}

// WriteDOT writes g in the language of Graphviz. The only errors are those of w.
func (g *Graph) WriteDOT(w io.Writer, o GraphOptions) error {
	if g == nil {
		return nil
	}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "digraph {\n  rankdir = \"RL\";\n  node [shape = \"box\"];")
	for n := range g.All() {
		if o.Keep != nil && !o.Keep(n) {
			continue
		}
		fmt.Fprintf(out, "  %s", dotQuote(n.Address))
		if class := className(o, n); class != "" {
			fmt.Fprintf(out, " [class = %s]", dotQuote(class))
		}
		fmt.Fprintln(out, ";")
	}
	for _, e := range g.Edges(o) {
		fmt.Fprintf(out, "  %s -> %s;\n", dotQuote(e[0].Address), dotQuote(e[1].Address))
	}
	fmt.Fprintln(out, "}")
	return out.Flush()
}

// dotQuote quotes a name for DOT, in which only the quote is special, and for labels
// the backslash and the "&" of entities.
func dotQuote(s string) string {
	return `"` + strings.NewReplacer("&", "&amp;", `\`, `\\`, `"`, `\"`).Replace(printable.Text(s)) + `"`
}

// WriteMermaid writes g in the language of Mermaid, which code hosts draw in
// Markdown. The only errors are those of w.
func (g *Graph) WriteMermaid(w io.Writer, o GraphOptions) error {
	if g == nil {
		return nil
	}
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "flowchart RL")
	ids := make(map[*Node]string)
	for n := range g.All() {
		if o.Keep != nil && !o.Keep(n) {
			continue
		}
		ids[n] = "n" + strconv.Itoa(len(ids))
		fmt.Fprintf(out, "  %s[\"%s\"]", ids[n], mermaidText(n.Address))
		if class := className(o, n); class != "" {
			fmt.Fprintf(out, ":::%s", class)
		}
		fmt.Fprintln(out)
	}
	for _, e := range g.Edges(o) {
		fmt.Fprintf(out, "  %s --> %s\n", ids[e[0]], ids[e[1]])
	}
	return out.Flush()
}

// mermaidText escapes a label: entities, with "#" in place of "&". Besides HTML, Mermaid knows
// directives (%%), line ends (\n), icons (fa:), formulas ($$) and Markdown (`) in labels.
func mermaidText(s string) string { return mermaid.Replace(printable.Text(s)) }

var mermaid = strings.NewReplacer("#", "#35;", "&", "#amp;", "<", "#lt;", ">", "#gt;", `"`, "#quot;", "'", "#39;", "`", "#96;", "%", "#37;", `\`, "#92;", ":", "#58;", "$", "#36;")

func className(o GraphOptions, n *Node) string {
	if o.Class == nil {
		return ""
	}
	return strings.Map(func(c rune) rune {
		if c == '-' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			return c
		}
		return -1
	}, o.Class(n))
}
