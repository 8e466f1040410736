// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"bufio"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"io"

	"github.com/tofuwire/tofuwire/internal/program/planview"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

//go:embed page.css
var style string

//go:embed page.js
var script string

// maxInstances is how many instances the search of a page has at most.
const maxInstances = 50_000

// page writes an HTML page that loads nothing.
func page(w io.Writer, r *report) error {
	out := bufio.NewWriterSize(w, 64<<10)
	p, d := r.plan, r.diff
	sentence := d.Headline()
	if d.IsEmpty() {
		sentence += "."
	}
	fmt.Fprintf(out, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Plan: %s</title>
<style>
%s</style>
</head>
<body>
<header>
<h1>Plan</h1>
<p class="summary">%s</p>
`, html.EscapeString(d.Headline()), style, html.EscapeString(sentence))
	if p.Timestamp != "" {
		fmt.Fprintf(out, "<p class=\"when\">made %s by version %s</p>\n", html.EscapeString(planview.OneLine(p.Timestamp)), html.EscapeString(planview.OneLine(p.TerraformVersion)))
	}
	for _, note := range r.notes {
		fmt.Fprintf(out, "<p class=\"alarm\">%s</p>\n", html.EscapeString(note))
	}
	if r.approved {
		fmt.Fprintf(out, "<section id=\"against\">\n<h2>%s</h2>\n<ul>\n", html.EscapeString(r.compared()))
		for _, x := range r.against {
			fmt.Fprintf(out, "<li><code>%s</code></li>\n", html.EscapeString(x.String()))
		}
		out.WriteString("</ul>\n</section>\n")
	}
	out.WriteString("</header>\n")
	controls(out, d)
	out.WriteString("<main id=\"changes\">\n")
	if err := d.WriteHTML(out, plandiff.TextOptions{MaxValue: 20_000}); err != nil {
		return err
	}
	out.WriteString("<p id=\"none\" hidden>Nothing matches.</p>\n</main>\n")
	if g := planview.NewPicture(p, d); g.Blocks > 0 {
		out.WriteString("<section id=\"graph\">\n<h2>What depends on what</h2>\n")
		if g.Blocks > planview.MaxBoxes {
			fmt.Fprintf(out, "<p>%d blocks change, too many to draw at once.</p>\n", g.Blocks)
		} else {
			out.WriteString("<p class=\"hint\">Arrows lead from what is needed to what needs it. Choose a box to see its changes.</p>\n<div class=\"scroll\">")
			if err := g.WriteSVG(out); err != nil {
				return err
			}
			out.WriteString("</div>\n")
		}
		out.WriteString("</section>\n")
	}
	all := planview.NewPlaces(p)
	places := []planview.Place{}
	if n := all.Len(); n > 0 && n <= maxInstances {
		for i := range n {
			places = append(places, all.At(i))
		}
		fmt.Fprintf(out, "<section id=\"instances\">\n<h2>Instances</h2>\n<p class=\"hint\">%d instances, variables and outputs. Choose one to see what it refers to, and what refers to it; a dashed line is only possible.</p>\n"+
			"<input id=\"find\" type=\"search\" placeholder=\"Find an instance\" aria-label=\"Find an instance\">\n<div id=\"found\"></div>\n<div id=\"near\" class=\"scroll\" hidden></div>\n</section>\n", n)
	}
	text, err := json.Marshal(places) // which escapes what ends a script
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "<script>\nconst places = %s;\n%s</script>\n</body>\n</html>\n", text, script)
	return out.Flush()
}

// words are the classes of changes with their words for people, in the order of
// the page.
var words = [][2]string{{"delete", "destroy"}, {"replace", "replace"}, {"replace-forget", "replace and forget"}, {"forget", "forget"}, {"update", "update"}, {"create", "create"},
	{"read", "read"}, {"import", "import"}, {"move", "move"}, {"other", "other"}}

// controls writes the filter.
func controls(w io.Writer, d *plandiff.Diff) {
	count := make(map[string]int)
	for _, r := range d.Resources {
		count[r.Class()]++
	}
	fmt.Fprint(w, "<nav>\n<input id=\"search\" type=\"search\" placeholder=\"Filter by address, type or text\" aria-label=\"Filter\">\n<div class=\"chips\">\n")
	for _, word := range words {
		if n := count[word[0]]; n > 0 {
			fmt.Fprintf(w, "<button class=\"chip %s\" data-class=\"%s\" aria-pressed=\"true\">%d %s</button>\n", word[0], word[0], n, word[1])
		}
	}
	for _, more := range []struct {
		class string
		n     int
	}{{"deferred", len(d.Deferred)}, {"action", len(d.Invocations)}, {"drift", len(d.Drift)}, {"output", len(d.Outputs)}} {
		if more.n > 0 {
			fmt.Fprintf(w, "<button class=\"chip %s\" data-class=\"%s\" aria-pressed=\"true\">%d %s</button>\n", more.class, more.class, more.n, more.class)
		}
	}
	fmt.Fprint(w, "</div>\n<div class=\"all\"><button id=\"open\">Open all</button> <button id=\"close\">Close all</button> <button id=\"only\" hidden></button></div>\n</nav>\n")
}
