// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bufio"
	"bytes"
	"fmt"
	"html"
	"io"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// MarkdownOptions says how to render a difference as Markdown.
type MarkdownOptions struct {
	// MaxBytes bounds the result; GitHub refuses comments of more than 65,536
	// characters. The most important parts are kept: the summary, then the
	// names of the objects, destroyed ones first, then their attributes.
	// Omitted parts are counted. If 0, there is no limit; below 1000, it is
	// 1000.
	MaxBytes int

	// MaxValue is the number of bytes after which a value is cut off. If 0, it
	// is 500; if negative, values are shown in full.
	MaxValue int

	// Title is the first line, as a heading, cut off after 80 bytes. If empty, it
	// is "Plan".
	Title string
}

// urgency orders changes: those that destroy come first.
func (r *Resource) urgency() int {
	a := r.Actions
	switch {
	case a.IsReplace() && a.Destroys():
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
// each group they are in the order of the plan.
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
//
// If not all of it fits, the longest parts are shortened first. If that is not
// enough, the objects are listed by name, and the first ones have parts. If not
// even the names fit, the omitted objects are counted by kind of change.
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
	m.notes(d)
	fmt.Fprintf(&m.out, "**%s.**\n", d.Headline())
	planned := d.ByUrgency()
	m.resources("Changes", planned)
	m.invocations(d.Invocations)
	m.outputs(d.Outputs, d.outputsWidth)
	m.resources("Deferred to a later plan", d.Deferred)
	m.resources("Changed outside", d.Drift)
	if m.max == math.MaxInt-markdownReserve {
		return m.writeAll(w, planned)
	}
	m.write(planned)
	_, err := w.Write(m.out.Bytes())
	return err
}

// notes writes what a reader must know first, up to an eighth of the room.
func (m *markdown) notes(d *Diff) {
	notes := d.Notes()
	if len(notes) == 0 {
		return
	}
	m.out.WriteString("> [!CAUTION]\n")
	end := m.out.Len() + m.max/8
	for i, note := range notes {
		if m.out.Len() > end {
			fmt.Fprintf(&m.out, "> and %d more notes\n", len(notes)-i)
			break
		}
		if i > 0 {
			m.out.WriteString(">\n")
		}
		most := 1000
		if strings.HasPrefix(note, checkNote) { // with texts of the plan
			most = m.max / 16
		}
		fmt.Fprintf(&m.out, "> %s\n", markdownText(note, most))
	}
	m.out.WriteByte('\n')
}

// markdownReserve is kept for the end of a text that has reached its limit.
// maxTitle is the length to which a title is cut, so the beginning also fits.
const (
	markdownReserve = 250
	maxTitle        = 80
)

type markdown struct {
	out   bytes.Buffer
	max   int
	value int
	parts []part

	counted int // the sizes of all parts
}

// A part is an object, an action, or all outputs, with its rendered text.
type part struct {
	section string
	summary []byte // the line that opens it
	sign    string
	name    string // in a list, if it has one
	action  string // the change, in a word
	render  func(*renderer)
	size    int // of the rendered text, up to the limit
}

// allTitle is the heading of the list of names.
const allTitle = "\n### All changes\n\n"

// minPart is the least of a part that is worth being shown.
const minPart = 120

// overhead returns the number of bytes written for a part in addition to its
// rendered text.
func (p *part) overhead() int {
	return len(p.summary) + len("<details><summary></summary>\n\n```diff\n```\n\n</details>\n")
}

func (m *markdown) add(p part) {
	p.size = m.max
	if m.max != math.MaxInt-markdownReserve {
		f := fenceSink{limit: m.max, counting: true}
		if m.counted > 8*m.max {
			f.limit = 2 * minPart // the last of many
		}
		p.render(&renderer{to: &f, max: m.value})
		p.size = f.n
		m.counted += f.n
	}
	m.parts = append(m.parts, p)
}

func (m *markdown) resources(title string, list []*Resource) {
	title = fmt.Sprintf("%s (%d)", title, len(list))
	for _, r := range list {
		m.add(part{
			section: title, sign: r.Symbol(), name: r.Address, action: r.Class(), render: func(to *renderer) { to.resource(r) },
			summary: fmt.Appendf(nil, "<code>%s</code> %s %s", html.EscapeString(r.Symbol()), markdownCode(r.Address, 300), r.markdownHeadline()),
		})
	}
}

func (m *markdown) invocations(list []*Invocation) {
	title := fmt.Sprintf("Actions (%d)", len(list))
	for _, i := range list {
		m.add(part{
			section: title, sign: "!", name: i.Address, action: "invoke", render: func(to *renderer) { to.invocation(i) },
			summary: fmt.Appendf(nil, "<code>!</code> %s %s", markdownCode(i.Address, 300), markdownText(i.Headline(), 300)),
		})
	}
}

func (m *markdown) outputs(outputs []*Output, width int) {
	if len(outputs) == 0 {
		return
	}
	m.add(part{
		section: "Outputs", summary: fmt.Appendf(nil, "Outputs (%d)", len(outputs)), action: "output",
		render: func(to *renderer) {
			for _, o := range outputs {
				to.output(o, width)
			}
		},
	})
}

// markdownHeadline is Headline, with unknown words of the plan as code.
func (r *Resource) markdownHeadline() string {
	deposed := ""
	if r.Deposed != "" {
		deposed = "(deposed object " + markdownCode(r.Deposed, 100) + ") "
	}
	plain := *r
	plain.Deposed = ""
	headline := plain.Headline()
	if known, action, ok := strings.Cut(headline, unknownAction); ok && known == "" {
		return deposed + markdownText(unknownAction, 300) + markdownCode(action, 100)
	}
	return deposed + markdownText(headline, 300)
}

// writeAll writes all parts in full, each line as it is rendered.
func (m *markdown) writeAll(w io.Writer, planned []*Resource) error {
	m.destroyed(planned, math.MaxInt)
	out := bufio.NewWriterSize(w, 64<<10)
	section := ""
	for _, p := range m.parts {
		m.heading(&p, &section)
		out.Write(m.out.Bytes())
		m.out.Reset()
		f := fenceSink{limit: math.MaxInt, counting: true}
		p.render(&renderer{to: &f, max: m.value})
		row := fence(f.ticks)
		fmt.Fprintf(out, "<details><summary>%s</summary>\n\n%sdiff\n", p.summary, row)
		p.render(&renderer{to: &fenceSink{limit: math.MaxInt, w: out}, max: m.value})
		fmt.Fprintf(out, "%s\n\n</details>\n", row)
	}
	out.Write(m.out.Bytes())
	return out.Flush()
}

// heading writes what comes before a part: the title of its section, if it is the
// first one in it.
func (m *markdown) heading(p *part, section *string) {
	if p.section != *section && p.name != "" {
		fmt.Fprintf(&m.out, "\n### %s\n\n", p.section)
	}
	*section = p.section
	if p.name == "" {
		m.out.WriteByte('\n')
	}
}

// write writes all parts, as far as they fit.
func (m *markdown) write(planned []*Resource) {
	room := m.max - m.out.Len()
	destroyed := m.out.Len()
	m.destroyed(planned, room/2)
	destroyed = m.out.Len() - destroyed
	if most, ok := m.cap(m.parts, room-destroyed); ok {
		m.details(m.parts, most)
		return
	}
	// There is room only for the names of the parts.
	list, left := m.names(room - destroyed)
	if len(left) > 0 { // not even for those
		m.out.Truncate(m.out.Len() - destroyed)
		m.destroyed(planned, room/4)
		list, left = m.names(m.max - m.out.Len())
	}
	room = m.max - m.out.Len() - len(list) - len(allTitle)
	n := 0
	if len(left) == 0 {
		n = sort.Search(len(m.parts), func(n int) bool {
			_, ok := m.cap(m.parts[:n+1], room)
			return !ok
		})
	}
	most, _ := m.cap(m.parts[:n], room)
	m.details(m.parts[:n], most)
	m.out.WriteString(allTitle)
	m.out.Write(list)
	fmt.Fprintf(&m.out, "\n_The details of %d more do not fit into this comment._\n", len(m.parts)-n)
	if len(left) == 0 {
		return
	}
	counts := make(map[string]int)
	for _, p := range left {
		counts[p.action]++
	}
	var words []string
	for _, action := range [...]string{"delete", "replace", "replace-forget", "forget", "update", "create", "move", "import", "read", "invoke", "other", "output"} {
		if counts[action] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[action], action))
		}
	}
	fmt.Fprintf(&m.out, "_Not shown: %s._\n", strings.Join(words, ", "))
}

// cap returns the length to which the longest parts are cut, and whether it is
// enough to show them.
func (m *markdown) cap(parts []part, room int) (most int, ok bool) {
	sizes := make([]int, len(parts))
	section := ""
	for i, p := range parts {
		sizes[i] = p.size
		room -= p.overhead() + fenceReserve
		if p.section != section {
			section = p.section
			room -= len(section) + len("\n### \n\n")
		}
	}
	slices.Sort(sizes)
	for i, n := range sizes {
		if rest := len(sizes) - i; n > room/rest {
			return room / rest, room/rest >= minPart
		}
		room -= n
	}
	return math.MaxInt, room >= 0
}

// fenceReserve is for a longer fence and the line that says that a part is
// shortened.
const fenceReserve = 60

// names returns a list of the names of all parts in the shortest form, as far as
// there is room, and the parts that are not in it.
func (m *markdown) names(room int) (list []byte, left []part) {
	f := fenceSink{limit: math.MaxInt}
	room -= fenceReserve + len("```diff\n```\n") + len(allTitle)
	for i, p := range m.parts {
		if p.name == "" {
			continue
		}
		before := len(f.text)
		f.begin(p.sign, 0)
		f.add([]byte(shorten(printable.Text(p.name), 300)))
		f.end("")
		if f.n > room {
			f.text = f.text[:before]
			for _, p := range m.parts[i:] {
				if p.name != "" {
					left = append(left, p)
				}
			}
			break
		}
	}
	return fenced(f.text), left
}

// destroyed names the objects that are destroyed, even if there is no room for
// other text: a reader must not miss them.
func (m *markdown) destroyed(diffs []*Resource, room int) {
	begun, left := false, 0
	end := math.MaxInt
	if room < math.MaxInt {
		end = m.out.Len() + room
	}
	for _, r := range diffs {
		if r.urgency() > 1 {
			continue
		}
		line := fmt.Appendf(nil, "- `%s` %s %s\n", r.Symbol(), markdownCode(r.Address, 300), r.markdownHeadline())
		if !begun {
			line = append([]byte("\n### Destroyed or replaced\n\n"), line...)
		}
		if m.out.Len()+len(line) > end {
			left++
			continue
		}
		begun = true
		m.out.Write(line)
	}
	if left > 0 && begun {
		fmt.Fprintf(&m.out, "- and %d more\n", left)
	}
}

// details writes parts, each up to a number of bytes.
func (m *markdown) details(parts []part, most int) {
	section := ""
	for _, p := range parts {
		m.heading(&p, &section)
		f := fenceSink{limit: min(most, p.size)}
		p.render(&renderer{to: &f, max: m.value})
		if f.cut {
			f.text = append(f.text, "  # (the rest is left out)\n"...)
		}
		fmt.Fprintf(&m.out, "<details><summary>%s</summary>\n\n%s\n</details>\n", p.summary, fenced(f.text))
	}
}

// fenced returns lines as a block of the language "diff" in a fence that is
// longer than any row of backticks in it.
func fenced(lines []byte) []byte {
	ticks, run := 0, 0
	for _, c := range lines {
		if run++; c != '`' {
			run = 0
		}
		ticks = max(ticks, run)
	}
	row := fence(ticks)
	text := make([]byte, 0, len(lines)+2*len(row)+8)
	text = append(append(append(text, row...), "diff\n"...), lines...)
	return append(append(text, row...), '\n')
}

// fence returns a row of backticks that is longer than any in its text.
func fence(ticks int) string { return strings.Repeat("`", max(3, ticks+1)) }

// A fenceSink lays out lines for the language "diff": the sign comes first, and
// those that it does not know become "!". A line that would exceed the limit is
// left out, and all after it.
type fenceSink struct {
	text     []byte
	w        *bufio.Writer // gets the text instead, if it is not nil
	n        int           // bytes laid out, and bytes of the fence
	ticks    int           // the longest row of them
	limit    int
	cut      bool // there was more than the limit
	counting bool // the text is not kept

	run, before, start int // of the open line: its last ticks, and what was before it
}

func (f *fenceSink) full() bool { return f.cut }

func (f *fenceSink) blank() {
	f.run, f.before, f.start = 0, f.n, len(f.text)
	f.put(nil)
	f.end("")
}

func (f *fenceSink) begin(sign string, depth int) {
	f.run, f.before, f.start = 0, f.n, len(f.text)
	mark := byte(' ')
	switch sign = plainSign(sign); sign {
	case "+", "-", "#":
		mark = sign[0]
	case "~", "-/+", "+/-", "./+", "+/.", "<=", ".":
		mark = '!'
	}
	f.put([]byte{mark})
	f.put([]byte(blanks[:min(len(blanks), 2*depth+1)]))
}

// put takes text, as far as the limit allows.
func (f *fenceSink) put(text []byte) {
	if f.cut {
		return
	}
	f.n += len(text)
	switch {
	case f.n >= f.limit: // the end of the line is to come
		f.cut = true
		f.text = f.text[:f.start]
		if f.n = f.before; f.counting {
			f.n = f.limit
		}
	case f.counting:
	case f.w != nil:
		f.w.Write(text)
	default:
		f.text = append(f.text, text...)
	}
}

func (f *fenceSink) add(text []byte) {
	for _, c := range text { // a longer fence
		if f.run++; c != '`' {
			f.run = 0
		}
		if f.run > f.ticks {
			f.ticks = f.run
			f.n += 2
		}
	}
	f.put(text)
}

func (f *fenceSink) end(note string) {
	if note != "" {
		f.put(append([]byte{' '}, note...))
	}
	if f.cut {
		return
	}
	f.n++
	switch {
	case f.counting:
	case f.w != nil:
		f.w.WriteByte('\n')
	default:
		f.text = append(f.text, '\n')
	}
}

// shorten cuts a text off.
func shorten(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + "..."
}

func htmlText(s string, max int) string { return html.EscapeString(shorten(printable.Text(s), max)) }

// markdownCode returns s as HTML code. In it, only the characters escaped here
// have a meaning in Markdown.
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
