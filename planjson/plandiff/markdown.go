// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// MarkdownOptions says how to render a difference as Markdown.
type MarkdownOptions struct {
	// MaxBytes bounds the result; GitHub refuses comments of more than 65,536
	// characters. What matters most is kept: the summary, then the list of the
	// objects, those that are destroyed first, then their attributes. What is
	// left out is counted. If 0, there is no limit; below 1000, it is 1000.
	MaxBytes int

	// MaxValue is the number of bytes after which a value is cut off. If 0, it
	// is 500; if negative, values are shown in full.
	MaxValue int

	// Title is the first line, as a heading, cut off after 80 bytes. If empty, it
	// is "Plan".
	Title string
}

// urgency orders changes: what destroys comes first.
func (r *Resource) urgency() int {
	a := r.Actions
	switch {
	case a.IsReplace():
		return 1
	case a.Destroys():
		return 0
	case a.Forgets():
		return 2
	case a.IsUpdate():
		return 3
	case a.Creates():
		return 4
	case !a.IsKnown():
		return 0
	case a.IsRead():
		return 6
	}
	return 5
}

// ByUrgency returns the planned changes, those that destroy first, then
// replacements, forgotten objects, updates, new objects, and the rest. Within
// each they are in the order of the plan.
func (d *Diff) ByUrgency() []*Resource {
	if d == nil {
		return nil
	}
	list := slices.Clone(d.Resources)
	slices.SortStableFunc(list, func(a, b *Resource) int { return a.urgency() - b.urgency() })
	return list
}

// WriteMarkdown writes d to w as GitHub's Markdown: a summary, and a folded
// part for each object with its attributes in the form of a diff. Nothing in
// a plan can break out of its place. The only errors are those of w.
func (d *Diff) WriteMarkdown(w io.Writer, o MarkdownOptions) error {
	if d == nil {
		return nil
	}
	m := markdown{max: o.MaxBytes, value: o.MaxValue}
	switch {
	case m.value == 0:
		m.value = 500
	case m.value < 0:
		m.value = 0
	}
	if m.max == 0 {
		m.max = math.MaxInt
	}
	m.max = max(m.max, 1000) - markdownReserve
	title := o.Title
	if title == "" {
		title = "Plan"
	}
	fmt.Fprintf(&m.out, "## %s\n\n", markdownText(title, maxTitle))
	if d.IsEmpty() {
		m.out.WriteString("**No changes.**\n")
	} else {
		fmt.Fprintf(&m.out, "**%s.**\n", d.Summary())
	}
	m.list("Destroyed or replaced", d.ByUrgency())
	m.details("Changes", d.ByUrgency())
	m.invocations(d.Invocations)
	m.outputs(d.Outputs)
	m.details("Deferred to a later plan", d.Deferred)
	m.details("Changed outside", d.Drift)
	if m.left > 0 {
		fmt.Fprintf(&m.out, "\n_The details of %d more do not fit into this comment._\n", m.left)
	}
	_, err := w.Write(m.out.Bytes())
	return err
}

// markdownReserve is kept for what ends a text that has come to its limit, and
// maxTitle is how much of a title stays, so that the beginning fits, too.
const (
	markdownReserve = 200
	maxTitle        = 80
)

type markdown struct {
	out   bytes.Buffer
	max   int
	value int
	left  int // parts that did not fit
}

// fits writes text if there is room for it.
func (m *markdown) fits(text []byte) bool {
	if m.out.Len()+len(text) > m.max {
		return false
	}
	m.out.Write(text)
	return true
}

// list names the objects that are destroyed, which nobody must overlook, even
// if there is no room for anything else.
func (m *markdown) list(title string, diffs []*Resource) {
	begun, left := false, 0
	for _, r := range diffs {
		if r.urgency() > 2 {
			continue
		}
		line := fmt.Appendf(nil, "- `%s` %s %s\n", r.Symbol(), markdownCode(r.Address, 300), markdownText(r.Headline(), 300))
		if !begun {
			line = append([]byte("\n### "+title+"\n\n"), line...)
			begun = true
		}
		// Half of the room is for the attributes.
		if m.out.Len()+len(line) > m.max/2 || !m.fits(line) {
			left++
		}
	}
	if left > 0 {
		fmt.Fprintf(&m.out, "- and %d more\n", left)
	}
}

func (m *markdown) details(title string, diffs []*Resource) {
	if len(diffs) == 0 {
		return
	}
	if !m.fits(fmt.Appendf(nil, "\n### %s (%d)\n\n", title, len(diffs))) {
		m.left += len(diffs)
		return
	}
	for _, r := range diffs {
		m.folded(r.Symbol(), r.Address, r.Headline(), func(to *renderer) { to.resource(r) })
	}
}

func (m *markdown) invocations(list []*Invocation) {
	if len(list) == 0 {
		return
	}
	if !m.fits(fmt.Appendf(nil, "\n### Actions (%d)\n\n", len(list))) {
		m.left += len(list)
		return
	}
	for _, i := range list {
		m.folded("!", i.Address, i.Headline(), func(to *renderer) { to.invocation(i) })
	}
}

// folded writes what is rendered below a line that opens it, if it fits.
func (m *markdown) folded(symbol, address, headline string, render func(*renderer)) {
	if m.out.Len() >= m.max {
		m.left++
		return
	}
	f := m.fence(render)
	text := fmt.Appendf(nil, "<details><summary><code>%s</code> %s %s</summary>\n\n%s\n</details>\n",
		html.EscapeString(symbol), markdownCode(address, 300), markdownText(headline, 300), f)
	if !m.fits(text) {
		m.left++
	}
}

func (m *markdown) outputs(outputs []*Output) {
	if len(outputs) == 0 {
		return
	}
	f := m.fence(func(r *renderer) {
		for _, o := range outputs {
			r.output(o)
		}
	})
	if !m.fits(fmt.Appendf(nil, "\n<details><summary>Outputs (%d)</summary>\n\n%s\n</details>\n", len(outputs), f)) {
		m.left += len(outputs)
	}
}

// fence renders lines into a fenced block of the language "diff" that is longer
// than any row of backticks in it. It gives up beyond the limit of the text.
func (m *markdown) fence(render func(*renderer)) []byte {
	f := fenceSink{limit: m.max - m.out.Len()}
	render(&renderer{to: &f, max: m.value})
	ticks, run := 3, 0
	for _, c := range f.text {
		if run++; c != '`' {
			run = 0
		}
		ticks = max(ticks, run+1)
	}
	row := strings.Repeat("`", ticks)
	text := make([]byte, 0, len(f.text)+2*ticks+8)
	text = append(append(append(text, row...), "diff\n"...), f.text...)
	return append(append(text, row...), '\n')
}

// A fenceSink lays out lines for the language "diff": the sign comes first, and
// those that it does not know become "!".
type fenceSink struct {
	text  []byte
	limit int
}

func (f *fenceSink) line(sign string, depth int, text []byte, note string) {
	if len(f.text) > f.limit {
		return
	}
	mark := byte(' ')
	switch sign {
	case "+", "-", "#":
		mark = sign[0]
	case "~", "-/+", "+/-", "<=", ".":
		mark = '!'
	}
	f.text = append(f.text, mark)
	for range 2 * depth {
		f.text = append(f.text, ' ')
	}
	f.text = append(append(f.text, ' '), text...)
	if note != "" {
		f.text = append(append(f.text, ' '), note...)
	}
	f.text = append(f.text, '\n')
}

// shorten cuts a text off.
func shorten(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + "..."
}

func htmlText(s string, max int) string { return html.EscapeString(shorten(printable.Text(s), max)) }

// markdownCode returns s as HTML code, in which Markdown has no meaning but for
// the characters that are escaped here.
func markdownCode(s string, max int) string {
	return "<code>" + markdownText(s, max) + "</code>"
}

// markdownText returns s with everything escaped that has a meaning in Markdown
// or in HTML.
func markdownText(s string, max int) string {
	var b strings.Builder
	for _, c := range shorten(printable.Text(s), max) {
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
