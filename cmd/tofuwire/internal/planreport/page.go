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
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"
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
	stacks := r.ordered()
	title := r.heading()
	if len(stacks) == 1 {
		title += ": " + stacks[0].diff.Headline()
	}
	fmt.Fprintf(out, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>%s</title>
<style>
%s%s</style>
</head>
<body>
<header>
<h1>%s</h1>
`, html.EscapeString(planview.OneLine(title)), planview.Style, style, html.EscapeString(planview.OneLine(r.heading())))
	if r.runURL != "" {
		fmt.Fprintf(out, "<p class=\"when\"><a href=\"%s\" rel=\"noreferrer\">The run that made this</a></p>\n", html.EscapeString(r.runURL))
	}
	if len(stacks) == 1 {
		about(out, stacks[0])
	} else {
		overview(out, stacks)
	}
	out.WriteString("</header>\n")
	controls(out, stacks)
	out.WriteString("<main id=\"changes\">\n")
	var pictures []*planview.Picture
	for i, s := range stacks {
		g, err := plan(out, s, i, len(stacks))
		if err != nil {
			return err
		}
		pictures = append(pictures, g)
	}
	out.WriteString("<p id=\"none\" hidden>Nothing matches.</p>\n</main>\n")
	places := instances(out, stacks)
	data := make([][]byte, 2)
	for i, v := range []any{places, pictures} {
		text, err := json.Marshal(v) // which escapes what ends a script
		if err != nil {
			return err
		}
		data[i] = text
	}
	fmt.Fprintf(out, "<script>\nconst places = %s;\nconst pictures = %s;\n%s%s</script>\n</body>\n</html>\n", data[0], data[1], planview.Script, script)
	return out.Flush()
}

// sentence returns the headline of a plan with a full stop.
func sentence(d *plandiff.Diff) string { return html.EscapeString(d.Headline()) + "." }

// about says what a plan does, and who made it.
func about(w io.Writer, s *stack) {
	fmt.Fprintf(w, "<p class=\"summary\">%s</p>\n", sentence(s.diff))
	var words []string
	if s.plan.Timestamp != "" {
		words = append(words, "made "+planview.OneLine(s.plan.Timestamp))
	}
	if s.plan.TerraformVersion != "" {
		tool := s.diff.State.Tool
		if tool == "" {
			tool = "version"
		}
		words = append(words, "by "+tool+" "+planview.OneLine(s.plan.TerraformVersion))
	}
	if len(words) > 0 {
		fmt.Fprintf(w, "<p class=\"when\">%s</p>\n", html.EscapeString(strings.Join(words, " ")))
	}
}

// overview writes the table of several plans.
func overview(w io.Writer, stacks []*stack) {
	fmt.Fprintf(w, "<p class=\"summary\">%d plans.</p>\n<table class=\"plans\">\n<thead><tr><th>Plan</th><th>Verdict</th><th>Changes</th></tr></thead>\n<tbody>\n", len(stacks))
	for i, s := range stacks {
		fmt.Fprintf(w, "<tr><td><a href=\"#plan-%d\"><code>%s</code></a></td><td><span class=\"verdict %s\">%s</span></td><td>%s</td></tr>\n",
			i, html.EscapeString(planview.OneLine(s.diff.Name)), verdictClass(s.diff.Verdict()), html.EscapeString(s.diff.Verdict()), sentence(s.diff))
	}
	fmt.Fprint(w, "</tbody>\n</table>\n")
}

// verdictClass returns the class that gives a verdict its colour.
func verdictClass(verdict string) string {
	switch verdict {
	case "failed", "unsupported", "check failed", "destroys":
		return "delete"
	case "incomplete", "partial", "changes", "refresh only":
		return "update"
	}
	return "other"
}

// plan writes the changes of a plan, and where its graph will be.
func plan(w *bufio.Writer, s *stack, n, of int) (*planview.Picture, error) {
	if of == 1 {
		fmt.Fprintf(w, "<div class=\"plan\" id=\"plan-%d\">\n", n)
	} else {
		fmt.Fprintf(w, "<details class=\"plan\" id=\"plan-%d\"><summary><span class=\"verdict %s\">%s</span> <span class=\"address\">%s</span> <span class=\"headline\">%s</span></summary>\n<div>\n",
			n, verdictClass(s.diff.Verdict()), html.EscapeString(s.diff.Verdict()), html.EscapeString(planview.OneLine(s.diff.Name)), sentence(s.diff))
		about(w, s)
	}
	if err := s.shown.WriteHTML(w, plandiff.TextOptions{MaxValue: 20_000}); err != nil {
		return nil, err
	}
	g := planview.NewPicture(s.plan, s.shown)
	if g.Blocks > 0 {
		w.WriteString("<section class=\"graph\">\n<h2>What depends on what</h2>\n")
		if g.Blocks > planview.MaxBoxes {
			fmt.Fprintf(w, "<p>%d blocks change, too many to draw.</p>\n", g.Blocks)
		} else {
			fmt.Fprintf(w, "<p class=\"hint\">%d blocks change. Arrows lead from what is needed to what needs it. <span class=\"screen\">Choose a box to see its changes, and a module to open or close it.</span> <button class=\"unfold\">Open all</button> <button class=\"fold\">Close all</button></p>\n<div class=\"scroll\"></div>\n", g.Blocks)
		}
		w.WriteString("</section>\n")
	}
	if of == 1 {
		w.WriteString("</div>\n")
	} else {
		w.WriteString("</div></details>\n")
	}
	return g, nil
}

// instances writes the search for instances, which a report of one plan has, and returns what it
// finds.
func instances(w io.Writer, stacks []*stack) []planview.Place {
	places := []planview.Place{}
	if len(stacks) != 1 {
		return places
	}
	all := planview.NewPlaces(stacks[0].plan)
	n := all.Len()
	if n == 0 || n > maxInstances {
		return places
	}
	for i := range n {
		places = append(places, all.At(i))
	}
	fmt.Fprintf(w, "<section id=\"instances\">\n<h2>Instances</h2>\n<p class=\"hint\">%d instances, variables and outputs. Choose one to see what it refers to, and what refers to it; a dashed line is only possible.</p>\n"+
		"<input id=\"find\" type=\"search\" placeholder=\"Find an instance\" aria-label=\"Find an instance\">\n<div id=\"found\"></div>\n<div id=\"near\" class=\"scroll\" hidden></div>\n</section>\n", n)
	return places
}

// words are the classes of changes with their words for people, in the order of
// the page.
var words = [][2]string{{"delete", "destroy"}, {"replace", "replace"}, {"replace-forget", "replace and forget"}, {"forget", "forget"}, {"update", "update"}, {"create", "create"},
	{"read", "read"}, {"import", "import"}, {"move", "move"}, {"other", "other"}}

// controls writes the filter.
func controls(w io.Writer, stacks []*stack) {
	count := make(map[string]int)
	for _, s := range stacks {
		d := s.shown
		for _, r := range d.Resources {
			count[r.Class()]++
		}
		count["deferred"] += len(d.Deferred)
		count["action"] += len(d.Invocations)
		count["drift"] += len(d.Drift)
		count["output"] += len(d.Outputs)
	}
	fmt.Fprint(w, "<nav>\n<input id=\"search\" type=\"search\" placeholder=\"Filter by address, type or text\" aria-label=\"Filter\">\n<div class=\"chips\">\n")
	for _, word := range append(words[:len(words):len(words)], [2]string{"deferred", "deferred"}, [2]string{"action", "action"}, [2]string{"drift", "drift"}, [2]string{"output", "output"}) {
		if n := count[word[0]]; n > 0 {
			fmt.Fprintf(w, "<button class=\"chip %s\" data-class=\"%s\" aria-pressed=\"true\">%d %s</button>\n", word[0], word[0], n, word[1])
		}
	}
	fmt.Fprint(w, "</div>\n<div class=\"all\"><button id=\"open\">Open all</button> <button id=\"close\">Close all</button> <button id=\"only\" hidden></button></div>\n</nav>\n")
}
