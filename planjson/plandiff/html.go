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

// WriteHTML writes d to w as a fragment of HTML: a section for each object, of the
// class "resource" and of one for its change ("create", "delete", "replace",
// "replace-forget", "update", "read", "forget", "move", "import", "other"), with the attributes data-address and
// data-type, one of the class "action" for each action, one of the class "output" for
// each output, and a line of the class "add", "remove", "change", "note" or "plain"
// for each attribute. It begins with a paragraph of the class "alarm" for each of
// [Diff.Notes]. Everything is escaped. The only errors are those of w.
func (d *Diff) WriteHTML(w io.Writer, o TextOptions) error {
	if d == nil {
		return nil
	}
	out := bufio.NewWriterSize(w, 64<<10)
	h := htmlSink{w: out}
	r := renderer{to: &h, max: o.MaxValue}
	section := func(list []*Resource, class string) {
		for _, x := range list {
			fmt.Fprintf(out, "<details class=\"resource %s %s\" data-address=\"%s\" data-type=\"%s\"><summary><span class=\"symbol\">%s</span> <span class=\"address\">%s</span> <span class=\"headline\">%s</span></summary><pre>",
				x.Class(), class, html.EscapeString(printable.Text(x.Address)), htmlText(x.Type, 1000), htmlSymbol(x), htmlText(x.Address, 1000), html.EscapeString(x.Headline()))
			r.resource(x)
			out.WriteString("</pre></details>\n")
		}
	}
	for _, note := range d.Notes() {
		fmt.Fprintf(out, "<p class=\"alarm\">%s</p>\n", html.EscapeString(note))
	}
	section(d.ByUrgency(), "planned")
	section(d.Deferred, "deferred")
	section(d.Drift, "drift")
	for _, x := range d.Invocations {
		fmt.Fprintf(out, "<details class=\"action\" data-address=\"%s\" data-type=\"%s\"><summary><span class=\"symbol\">!</span> <span class=\"address\">%s</span> <span class=\"headline\">%s</span></summary><pre>",
			htmlText(x.Address, 1000), htmlText(x.Type, 1000), htmlText(x.Address, 1000), html.EscapeString(x.Headline()))
		r.invocation(x)
		out.WriteString("</pre></details>\n")
	}
	for _, x := range d.Outputs {
		fmt.Fprintf(out, "<details class=\"output %s\" data-address=\"%s\"><summary><span class=\"symbol\">%s</span> <span class=\"address\">output.%s</span></summary><pre>",
			(&Resource{Actions: x.Actions}).Class(), htmlText("output."+x.Name, 1000), htmlSymbol(&Resource{Actions: x.Actions}), htmlText(x.Name, 1000))
		r.output(x, 0)
		out.WriteString("</pre></details>\n")
	}
	return out.Flush()
}

// htmlSymbol returns the sign of a change, which is never empty.
func htmlSymbol(r *Resource) string {
	if s := r.Symbol(); s != " " {
		return html.EscapeString(s)
	}
	return "="
}

// Class returns one word for the change of the object: "create", "delete",
// "replace", "replace-forget" if the old object is not destroyed, "update", "read", "forget", "import", "move", or "other".
func (r *Resource) Class() string {
	if r == nil {
		return ""
	}
	a := r.Actions
	switch {
	case a.IsReplace() && !a.Destroys():
		return "replace-forget"
	case a.IsReplace():
		return "replace"
	case a.IsCreate():
		return "create"
	case a.IsDelete():
		return "delete"
	case a.IsUpdate():
		return "update"
	case a.IsRead():
		return "read"
	case a.IsForget():
		return "forget"
	case a.IsNoOp() && r.Importing:
		return "import"
	case a.IsNoOp() && r.isMoved():
		return "move"
	}
	return "other"
}

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
