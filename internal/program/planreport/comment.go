// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/internal/program/planview"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// markdown writes a comment. If it is too long, the least important parts are
// left out: first the graph, then the attributes of the last objects.
func markdown(w io.Writer, r *report) error {
	var head, graph bytes.Buffer
	if len(r.notes) > 0 {
		head.WriteString("> [!CAUTION]\n")
		for _, note := range r.notes {
			fmt.Fprintf(&head, "> %s\n", note)
		}
		head.WriteByte('\n')
	}
	if r.approved {
		fmt.Fprintf(&head, "**%s**\n\n", r.compared())
		for i, x := range r.against {
			if head.Len() > commentLimit/4 {
				fmt.Fprintf(&head, "- and %d more\n", len(r.against)-i)
				break
			}
			fmt.Fprintf(&head, "- <code>%s</code>\n", code(x.String()))
		}
		head.WriteByte('\n')
	}
	p, d := r.plan, r.diff
	if g := planview.NewPicture(p, d); g.Blocks > 1 && g.Blocks <= 40 && len(g.Edges) > 0 {
		graph.WriteString("\n<details><summary>Graph of what changes</summary>\n\n```mermaid\n")
		if err := g.WriteMermaid(&graph); err != nil {
			return err
		}
		for _, class := range []string{"create fill:#dafbe1,stroke:#1a7f37,color:#000", "delete fill:#ffebe9,stroke:#cf222e,color:#000",
			"replace fill:#ffd8d3,stroke:#cf222e,color:#000", "update fill:#fff8c5,stroke:#9a6700,color:#000", "read fill:#ddf4ff,stroke:#0969da,color:#000"} {
			fmt.Fprintf(&graph, "  classDef %s\n", class)
		}
		graph.WriteString("```\n\n</details>\n")
	}
	var body bytes.Buffer
	if err := d.WriteMarkdown(&body, plandiff.MarkdownOptions{MaxBytes: commentLimit - head.Len()}); err != nil {
		return err
	}
	if _, err := w.Write(append(head.Bytes(), body.Bytes()...)); err != nil {
		return err
	}
	if head.Len()+body.Len()+graph.Len() > commentLimit {
		return nil
	}
	_, err := w.Write(graph.Bytes())
	return err
}

// code escapes s for HTML and Markdown.
func code(s string) string {
	s = planview.OneLine(s)
	if len(s) > 500 {
		s = strings.ToValidUTF8(s[:500], "") + "..."
	}
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '<' || c == '>' || c == '&':
			b.WriteString(html.EscapeString(string(c)))
		case strings.ContainsRune("\\`*_{}[]()#+!|~$@:\"'", c):
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}
