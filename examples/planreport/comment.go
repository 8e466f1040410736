// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/examples/planreport/planview"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// markdown writes a comment. If it is too long, the least important parts are
// left out: first the graph, then the attributes of the last objects.
func markdown(w io.Writer, p *planjson.Plan) error {
	var head, graph bytes.Buffer
	if p.Errored {
		head.WriteString("> [!CAUTION]\n> Planning failed part-way: this is what was planned until then.\n\n")
	}
	failed := failures(p)
	for i, f := range failed {
		if head.Len() > commentLimit/8 {
			fmt.Fprintf(&head, "- and %d more checks\n", len(failed)-i)
			break
		}
		fmt.Fprintf(&head, "- Check <code>%s</code>: **%s**", code(f.address), code(f.status))
		start := head.Len()
		for k, m := range f.messages {
			if head.Len() > start+commentLimit/16 {
				fmt.Fprintf(&head, "<br>and %d more", len(f.messages)-k)
				break
			}
			fmt.Fprintf(&head, "<br><code>%s</code>", code(m))
		}
		head.WriteByte('\n')
	}
	if head.Len() > 0 {
		head.WriteByte('\n')
	}
	d := plandiff.Plan(p, plandiff.Options{})
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

// A failure is a check that failed, or whose result is not known.
type failure struct {
	address, status string
	messages        []string
}

// failures returns the checks that failed.
func failures(p *planjson.Plan) []failure {
	var list []failure
	for _, c := range p.Checks {
		if c.Status != planjson.CheckFail && c.Status != planjson.CheckError {
			continue
		}
		for _, i := range c.Instances {
			if i.Status != planjson.CheckFail && i.Status != planjson.CheckError {
				continue
			}
			f := failure{address: i.Address.ToDisplay, status: string(i.Status)}
			for _, m := range i.Problems {
				f.messages = append(f.messages, m.Message)
			}
			list = append(list, f)
		}
	}
	return list
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
