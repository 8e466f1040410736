// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bufio"
	"fmt"
	"html"
	"io"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// WriteHTML writes d to w as a fragment of HTML:
//
//   - a paragraph of the class "alarm" for each of [Diff.Notes]
//   - an element details for each object, of the class "resource" and of one for its change
//     (see [Resource.Class]), with the attributes data-address and data-type
//   - one such element for three or more objects in which the same happens, with the attribute
//     data-addresses, one address a line
//   - such an element of the class "action" for each action, and of the class "output" for
//     each output
//   - in them, a line of the class "add", "remove", "change", "note" or "plain" for each
//     attribute
//
// Destroyed and replaced objects are first. If there are more than a few others, they have
// sections of the class "group" by module and type, and a table of counts. Everything is
// escaped. The only errors are those of w.
func (d *Diff) WriteHTML(w io.Writer, o TextOptions) error {
	if d == nil {
		return nil
	}
	out := bufio.NewWriterSize(w, 64<<10)
	h := htmlWriter{out, &renderer{to: &htmlSink{w: out}, max: o.MaxValue}}
	for _, note := range d.Notes() {
		fmt.Fprintf(out, "<p class=\"alarm\">%s</p>\n", html.EscapeString(note))
	}
	if d.Against != nil {
		fmt.Fprintf(out, "<section class=\"against\">\n<h3>%s</h3>\n<ul>\n", html.EscapeString(d.compared()))
		for _, x := range d.Against.Differences {
			fmt.Fprintf(out, "<li><code>%s</code></li>\n", html.EscapeString(x.String()))
		}
		out.WriteString("</ul>\n</section>\n")
	}
	planned := d.ByUrgency()
	if len(planned) > few {
		h.grouped(d, planned)
	} else {
		h.resources(planned, "planned")
	}
	h.section("Deferred to a later plan", d.Deferred, "deferred")
	h.section("Changed outside", d.Drift, "drift")
	for _, x := range d.Invocations {
		fmt.Fprintf(out, "<details class=\"action\" data-address=\"%s\" data-type=\"%s\"><summary><span class=\"symbol\">invoke</span> <span class=\"address\">%s</span> <span class=\"headline\">%s</span></summary><pre>",
			htmlText(x.Address, 1000), htmlText(x.Type, 1000), htmlText(x.Address, 1000), html.EscapeString(x.Headline()))
		h.r.invocation(x)
		out.WriteString("</pre></details>\n")
	}
	for _, x := range d.Outputs {
		class := (&Resource{Actions: x.Actions}).Class()
		fmt.Fprintf(out, "<details class=\"output %s\" data-address=\"%s\"><summary><span class=\"symbol\">%s</span> <span class=\"address\">output.%s</span></summary><pre>",
			class, htmlText("output."+x.Name, 1000), htmlSymbol(&Resource{Actions: x.Actions}), htmlText(x.Name, 1000))
		h.r.output(x, 0)
		out.WriteString("</pre></details>\n")
	}
	return out.Flush()
}

type htmlWriter struct {
	out *bufio.Writer
	r   *renderer
}

// resources writes the changes of objects, alike ones together.
func (h *htmlWriter) resources(list []*Resource, class string) {
	code := func(s string) string { return htmlText(s, 300) }
	if class == "drift" {
		for _, g := range alikeDrift(list) {
			if len(g.list) == 1 {
				h.resource(g.list[0], class)
			} else {
				h.alike(g.list, "~", class, html.EscapeString(g.headline()), func() { h.r.drift(g) })
			}
		}
		return
	}
	for _, g := range alikeChanges(list) {
		if g.each == nil {
			h.resource(g.list[0], class)
		} else {
			h.alike(g.list, htmlSymbol(g.each), class, g.headline(code), func() { h.r.alike(g) })
		}
	}
}

// resource writes the change of one object.
func (h *htmlWriter) resource(x *Resource, class string) {
	code := func(s string) string { return htmlText(s, 300) }
	fmt.Fprintf(h.out, "<details class=\"resource %s %s\" data-address=\"%s\" data-type=\"%s\"><summary><span class=\"symbol\">%s</span> <span class=\"address\">%s</span> <span class=\"headline\">%s</span></summary><pre>",
		x.Class(), class, html.EscapeString(printable.Text(x.Address)), htmlText(x.Type, 1000), htmlSymbol(x), htmlText(x.Address, 1000), x.story(code))
	h.r.resource(x)
	h.out.WriteString("</pre></details>\n")
}

// alike writes a group of alike changes.
func (h *htmlWriter) alike(list []*Resource, symbol, class, headline string, lines func()) {
	fmt.Fprintf(h.out, "<details class=\"resource %s %s alike\" data-addresses=\"", list[0].Class(), class)
	for i, x := range list {
		if i > 0 {
			h.out.WriteString("&#10;")
		}
		h.out.WriteString(html.EscapeString(printable.Text(x.Address)))
	}
	fmt.Fprintf(h.out, "\" data-type=\"%s\"><summary><span class=\"symbol\">%s</span> <span class=\"headline\">%s</span></summary><pre>", htmlText(list[0].Type, 1000), symbol, headline)
	lines()
	h.out.WriteString("</pre></details>\n")
}

// section writes changes with a heading, if there are any.
func (h *htmlWriter) section(title string, list []*Resource, class string) {
	if len(list) > 0 {
		fmt.Fprintf(h.out, "<section class=\"group\">\n<h3>%s (%d)</h3>\n", title, len(list))
		h.resources(list, class)
		h.out.WriteString("</section>\n")
	}
}

// grouped writes what is destroyed, a table of all changes, and the others by module and type.
func (h *htmlWriter) grouped(d *Diff, planned []*Resource) {
	n := 0
	for n < len(planned) && planned[n].urgency() <= 1 {
		n++
	}
	h.section(destroyedTitle, planned[:n], "planned")
	if all := d.Groups(); len(all) > 1 {
		h.table(all)
	}
	for _, g := range groupsOf(planned[n:]) {
		fmt.Fprintf(h.out, "<section class=\"group\">\n<h3><code>%s</code> <span class=\"type\">%s</span> (%d)</h3>\n", htmlModule(g.Module), htmlText(g.Type, 300), len(g.Resources))
		h.resources(g.Resources, "planned")
		h.out.WriteString("</section>\n")
	}
}

// htmlModule returns the name of a module.
func htmlModule(address string) string {
	if address == "" {
		return "root module"
	}
	return htmlText(address, 300)
}

// table writes how many changes there are by module and type.
func (h *htmlWriter) table(groups []Group) {
	lists := make([][]*Resource, len(groups))
	for i, g := range groups {
		lists[i] = g.Resources
	}
	t := tableOf(lists)
	h.out.WriteString("<table class=\"groups\">\n<thead><tr><th>Module</th><th>Type</th>")
	for _, c := range t.columns {
		fmt.Fprintf(h.out, "<th class=\"n\">%s</th>", classes[c].word)
	}
	h.out.WriteString("</tr></thead>\n<tbody>\n")
	for i, g := range groups {
		module := htmlModule(g.Module)
		if i > 0 && groups[i-1].Module == g.Module {
			module = ""
		}
		fmt.Fprintf(h.out, "<tr><td><code>%s</code></td><td><code>%s</code></td>", module, htmlText(g.Type, 300))
		for _, c := range t.columns {
			if n := t.counts[i][c]; n > 0 {
				fmt.Fprintf(h.out, "<td class=\"n %s\">%d</td>", classes[c].class, n)
			} else {
				h.out.WriteString("<td></td>")
			}
		}
		h.out.WriteString("</tr>\n")
	}
	h.out.WriteString("</tbody>\n</table>\n")
}

// htmlSymbol returns the sign of a change, or a word for those whose sign nobody knows.
func htmlSymbol(r *Resource) string { return html.EscapeString(r.mark()) }

type htmlSink struct{ w *bufio.Writer }

var htmlClasses = map[string]string{"+": "add", "-": "remove", "~": "change", "+ ": "add", "- ": "remove", "#": "note", "-/+": "change", "+/-": "change", "./+": "change", "+/.": "change", "<=": "change"}

func (h *htmlSink) full() bool { return false }
func (h *htmlSink) blank()     { h.w.WriteByte('\n') }

func (h *htmlSink) begin(sign string, depth int) {
	class := htmlClasses[sign]
	if class == "" {
		class = "plain"
	}
	h.w.WriteString("<span class=\"")
	h.w.WriteString(class)
	h.w.WriteString("\">")
	sign = plainSign(sign)
	h.w.WriteString(blanks[:min(len(blanks), 4*depth+3-min(len(sign), 3))])
	h.escape(sign)
	h.w.WriteByte(' ')
}

func (h *htmlSink) add(text []byte) {
	start := 0
	for i, c := range text {
		escape := ""
		switch c {
		case '&':
			escape = "&amp;"
		case '\'':
			escape = "&#39;"
		case '<':
			escape = "&lt;"
		case '>':
			escape = "&gt;"
		case '"':
			escape = "&#34;"
		default:
			continue
		}
		h.w.Write(text[start:i])
		h.w.WriteString(escape)
		start = i + 1
	}
	h.w.Write(text[start:])
}

func (h *htmlSink) escape(s string) { h.w.WriteString(html.EscapeString(s)) }

func (h *htmlSink) end(note string) {
	if note != "" {
		h.w.WriteString(" <span class=\"why\">")
		h.escape(note)
		h.w.WriteString("</span>")
	}
	h.w.WriteString("</span>\n")
}
