// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"bytes"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// maxDrawn is how many blocks the graph in a comment has at most.
const maxDrawn = 40

// markdown writes a comment. If there is no room for the graph, it is left out.
func markdown(w io.Writer, r *report) error {
	var out, graph bytes.Buffer
	if m := r.marker(); m != "" {
		out.WriteString(m + "\n\n")
	}
	err := plandiff.WriteMarkdown(&out, r.diffs(), plandiff.MarkdownOptions{
		MaxBytes: r.limit - out.Len(), Title: r.heading(), RunURL: r.runURL, Plain: r.place == "plain",
	})
	if err == nil && len(r.stacks) == 1 && r.place != "plain" {
		err = drawing(&graph, r.stacks[0])
	}
	if err != nil {
		return err
	}
	if out.Len()+graph.Len() <= r.limit {
		out.Write(graph.Bytes())
	}
	_, err = w.Write(out.Bytes())
	return err
}

// drawing writes the graph of what changes in the language of Mermaid, if it is small.
func drawing(out *bytes.Buffer, s *stack) error {
	g := planview.NewPicture(s.plan, s.shown)
	if g.Blocks <= 1 || g.Blocks > maxDrawn || len(g.Edges) == 0 {
		return nil
	}
	out.WriteString("\n<details><summary>Graph of what changes</summary>\n\n```mermaid\n")
	if err := g.WriteMermaid(out); err != nil {
		return err
	}
	for _, class := range []string{"create fill:#dafbe1,stroke:#1a7f37,color:#000", "delete fill:#ffebe9,stroke:#cf222e,color:#000",
		"replace fill:#ffeff7,stroke:#bf3989,color:#000", "update fill:#fff8c5,stroke:#9a6700,color:#000", "read fill:#ddf4ff,stroke:#0969da,color:#000"} {
		fmt.Fprintf(out, "  classDef %s\n", class)
	}
	out.WriteString("```\n\n</details>\n")
	return nil
}
