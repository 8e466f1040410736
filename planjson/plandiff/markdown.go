// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// MarkdownOptions says how to render a difference as Markdown.
type MarkdownOptions struct {
	// MaxBytes bounds the result; GitHub refuses comments of more than 65,536
	// characters, GitLab of more than 1,000,000. The most important parts are kept: the
	// summary, then the names of the objects, destroyed ones first, then their attributes.
	// Omitted parts are counted. If 0, there is no limit; below 1000, it is
	// 1000.
	MaxBytes int

	// MaxValue is the number of bytes after which a value is cut off. If 0, it
	// is 500; if negative, values are shown in full.
	MaxValue int

	// Title is the first line, as a heading, cut off after 80 bytes. If empty, it
	// is "Plan".
	Title string

	// RunURL is the address of the run that made the plan, for a link. It is ignored
	// unless it begins with http:// or https://.
	RunURL string

	// Plain leaves out all HTML, for places that do not show it, such as Bitbucket: nothing
	// is folded.
	Plain bool
}

// WriteMarkdown writes d to w as GitHub's Markdown. See the function [WriteMarkdown].
func (d *Diff) WriteMarkdown(w io.Writer, o MarkdownOptions) error {
	if d == nil {
		return nil
	}
	return WriteMarkdown(w, []*Diff{d}, o)
}

// WriteMarkdown writes the changes of plans to w as GitHub's Markdown: a summary, and a folded
// part for each object with its attributes in the form of a diff. Destroyed and replaced objects
// are first, the others are grouped by module and type. For several plans it writes a table,
// failed plans first, and a folded part for each plan. Nothing in a plan can break out of its
// place, become a link, or mention a user. Without a plan, it writes that there is none. The
// only errors are those of w.
//
// If not all of it fits, the longest parts are shortened first. If that is not
// enough, the objects are listed by name, and the first ones have parts. If not
// even the names fit, the destroyed objects are named, and the omitted ones are counted by kind
// of change.
func WriteMarkdown(w io.Writer, diffs []*Diff, o MarkdownOptions) error {
	m := &markdown{form: form{o.Plain}, max: o.MaxBytes, value: o.MaxValue, link: markdownLink(o.RunURL)}
	switch {
	case m.value == 0:
		m.value = 500
	case m.value < 0:
		m.value = 0
	}
	if m.max == 0 {
		m.max = math.MaxInt / 2
	} else {
		m.max = max(m.max, 1000) - markdownReserve
	}
	diffs = slices.DeleteFunc(slices.Clone(diffs), func(d *Diff) bool { return d == nil })
	slices.SortStableFunc(diffs, func(a, b *Diff) int {
		_, x := a.verdict()
		_, y := b.verdict()
		return x - y
	})
	title := o.Title
	if title == "" {
		title = "Plan"
	}
	fmt.Fprintf(&m.out, "## %s\n\n", markdownText(title, maxTitle))
	m.level = "###"
	if len(diffs) != 1 {
		m.level = "####"
		m.overview(diffs)
	}
	m.total = len(diffs)
	for _, d := range diffs {
		m.plan(d, len(diffs))
	}
	if m.isUnlimited() {
		return m.writeAll(w)
	}
	m.write()
	_, err := w.Write(m.out.Bytes())
	return err
}

// markdownReserve is kept for the end of a text that has reached its limit.
// maxTitle is the length to which a title is cut, so the beginning also fits.
const (
	markdownReserve = 250
	maxTitle        = 80
)

type markdown struct {
	form
	out   bytes.Buffer
	max   int
	value int
	link  string // to the run
	level string // of headings
	plans []*planPart

	counted int  // the sizes of all parts
	blocks  int  // the room for the blocks of destroyed objects that cannot be named
	bare    bool // there is no room for the tables of changes by module and type
	total   int  // the number of plans
	dropped int  // plans that have no room, and what in them is destroyed or replaced
	unnamed int
}

func (m *markdown) isUnlimited() bool { return m.max > math.MaxInt/4 }

// A planPart is the part of a plan.
type planPart struct {
	begin, end string // of the fold
	head       []byte // what comes before the changes
	table      []byte // of the changes by module and type
	parts      []*part
}

// A part is an object, a group of alike ones, an action, or all outputs, with its rendered text.
type part struct {
	section   string
	group     string // heading within the section
	summary   []byte // the line that opens it
	sign      string
	name      string      // in a list
	action    string      // the change, in a word
	list      []*Resource // a group of alike changes
	count     int         // how many objects it is
	whole     bool        // it is never cut off
	drift     bool        // it changed outside
	destroyed bool        // it is destroyed, replaced, or nobody knows
	render    func(*renderer)
	size      int // of the rendered text, up to the limit

	state partState
}

// A partState says how much of a part is written.
type partState uint8

const (
	omitted partState = iota
	named
	shown
)

// countVerdicts returns the number of plans, and how many have each verdict.
func countVerdicts(diffs []*Diff) string {
	if len(diffs) == 0 {
		return "There is no plan"
	}
	s := count(len(diffs), "plan") + ": "
	for i := 0; i < len(diffs); {
		word, n := diffs[i].Verdict(), i
		for i < len(diffs) && diffs[i].Verdict() == word {
			i++
		}
		s += fmt.Sprintf("%s%s %d", [...]string{"", ", "}[min(n, 1)], word, i-n)
	}
	return s
}

// runLink returns a link to the run, after a blank, or "".
func (m *markdown) runLink() string {
	if m.link == "" {
		return ""
	}
	return " [Run](" + m.link + ")"
}

// overview writes what is to be said of several plans: their verdicts and their counts.
func (m *markdown) overview(diffs []*Diff) {
	fmt.Fprintf(&m.out, "**%s.**%s\n", countVerdicts(diffs), m.runLink())
	if len(diffs) == 0 {
		return
	}
	lists := make([][]*Resource, len(diffs))
	for i, d := range diffs {
		lists[i] = d.plan().Resources
	}
	m.table(tableOf(lists), []string{"Plan", "Verdict"}, m.max/2, func(i int) []string {
		word, rank := diffs[i].verdict()
		if rank <= rankDestroys {
			word = "**" + word + "**"
		}
		return []string{m.code(100)(diffs[i].Name), word}
	}, "plan")
}

// rankDestroys is the last rank of a verdict that a reader must not miss.
const rankDestroys = 5

// table writes a table of counts, up to so many bytes. Each row begins with some texts.
func (m *markdown) table(t *table, titles []string, room int, row func(i int) []string, what string) {
	line := "\n| " + strings.Join(titles, " | ") + " |"
	rule := "\n|" + strings.Repeat("---|", len(titles))
	for _, c := range t.columns {
		line += " " + classes[c].word + " |"
		rule += "--:|"
	}
	start := m.out.Len()
	end := start + room
	m.out.WriteString(line + rule + "\n")
	for i, counts := range t.counts {
		line := "| " + strings.Join(row(i), " | ") + " |"
		for _, c := range t.columns {
			if n := counts[c]; n > 0 {
				line += fmt.Sprintf(" %d |", n)
			} else {
				line += "  |"
			}
		}
		if m.out.Len()+len(line) > end {
			if i == 0 {
				m.out.Truncate(start)
			}
			fmt.Fprintf(&m.out, "\n_and %d more %ss_\n", len(t.counts)-i, what)
			return
		}
		m.out.WriteString(line + "\n")
	}
}

// plan collects the parts of a plan. All plans share the room.
func (m *markdown) plan(d *Diff, plans int) {
	p := &planPart{}
	main := m.out
	m.out = bytes.Buffer{}
	m.notes(d, plans)
	headline := d.Headline()
	if plans == 1 {
		fmt.Fprintf(&m.out, "**%s.**%s\n", headline, m.runLink())
	} else {
		word, rank := d.verdict()
		if rank < rankDestroys {
			headline = word + ": " + headline
		}
		p.begin, p.end = m.fold(m.inSummary(100)(d.Name), headline, rank <= rankDestroys)
	}
	m.against(d, plans)
	p.head, m.out = m.out.Bytes(), bytes.Buffer{}
	if groups := d.Groups(); len(groups) > 1 {
		m.groups(groups, plans)
	}
	p.table, m.out = m.out.Bytes(), main
	m.collect(p, d)
	if plans == 1 || len(p.head) > 0 || len(p.parts) > 0 {
		m.plans = append(m.plans, p)
	}
}

// notes writes what a reader must know first, up to an eighth of the room.
func (m *markdown) notes(d *Diff, plans int) {
	room := m.max / 8 / plans
	notes := d.notes(m.code(max(40, room/60)), 10) // an escape takes up to six bytes
	if len(notes) == 0 {
		return
	}
	if plans > 1 {
		m.out.WriteByte('\n')
	}
	m.out.WriteString(m.alert())
	end := m.out.Len() + room
	for i, note := range notes {
		if m.out.Len() > end {
			fmt.Fprintf(&m.out, "> and %d more notes\n", len(notes)-i)
			break
		}
		if i > 0 {
			m.out.WriteString(">\n")
		}
		fmt.Fprintf(&m.out, "> %s\n", note)
	}
	m.out.WriteByte('\n')
}

// against writes how the plan differs from the approved one.
func (m *markdown) against(d *Diff, plans int) {
	if d.Against == nil {
		return
	}
	fmt.Fprintf(&m.out, "\n**%s**\n\n", d.compared())
	end := m.out.Len() + m.max/8/plans
	for i, x := range d.Against.Differences {
		if m.out.Len() > end {
			fmt.Fprintf(&m.out, "- and %d more\n", len(d.Against.Differences)-i)
			break
		}
		fmt.Fprintf(&m.out, "- %s\n", m.code(500)(x.String()))
	}
}

// compared says how the plan compares with the approved one.
func (d *Diff) compared() string {
	if len(d.Against.Differences) == 0 {
		return "The plan does the same as the approved one."
	}
	return "The plan differs from the approved one in " + count(len(d.Against.Differences), "place") + ":"
}

// groups writes how many changes there are by module and type.
func (m *markdown) groups(groups []Group, plans int) {
	lists := make([][]*Resource, len(groups))
	for i, g := range groups {
		lists[i] = g.Resources
	}
	last := ""
	m.table(tableOf(lists), []string{"Module", "Type"}, m.max/8/plans, func(i int) []string {
		g := groups[i]
		module := "root"
		switch {
		case i > 0 && g.Module == last:
			module = ""
		case g.Module != "":
			module = m.code(100)(g.Module)
		}
		last = g.Module
		return []string{module, m.code(100)(g.Type)}
	}, "group")
}

// write writes all parts, as far as they fit.
func (m *markdown) write() {
	head := m.out.Len()
	for m.fixed(head) > m.max*3/4 && len(m.plans) > 1 {
		m.bare = true
		if m.fixed(head) > m.max*3/4 {
			m.drop()
		}
	}
	for room := m.max; ; {
		m.out.Truncate(head)
		most, all := m.decide(room - m.fixed(head))
		if !all && !m.bare { // what is destroyed is more than a table
			m.bare = true
			continue
		}
		m.emit(most)
		over := m.out.Len() - m.max
		switch {
		case over <= 0:
			return
		case room > 0:
			room -= over + 100
		case len(m.plans) == 0 || m.total == 1 && m.dropped == 1:
			return
		default:
			m.drop()
			room = m.max
		}
	}
}

// drop leaves out the last plan, which is in the table, or the changes of the only one.
func (m *markdown) drop() {
	last := m.plans[len(m.plans)-1]
	m.plans = m.plans[:len(m.plans)-1]
	if m.total == 1 {
		m.plans = []*planPart{{head: last.head}}
	}
	m.dropped++
	for _, x := range last.parts {
		if x.destroyed {
			m.unnamed += x.count
		}
	}
}

// fixed returns the number of bytes that are not in parts.
func (m *markdown) fixed(head int) int {
	for _, p := range m.plans {
		head += len(p.begin) + len(p.head) + len(p.end)
		if !m.bare {
			head += len(p.table)
		}
	}
	return head
}

// writeAll writes all parts in full, each line as it is rendered.
func (m *markdown) writeAll(w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	for _, p := range m.plans {
		m.out.WriteString(p.begin)
		m.out.Write(p.head)
		var last *part
		for i, x := range p.parts {
			if !x.destroyed && (i == 0 || last.destroyed) {
				m.out.Write(p.table)
			}
			m.heading(p, x, last)
			last = x
			out.Write(m.out.Bytes())
			m.out.Reset()
			f := fenceSink{limit: math.MaxInt, counting: true}
			x.render(&renderer{to: &f, max: m.value})
			row := fence(f.ticks)
			begin, end, _ := strings.Cut(m.part(x.summary, []byte("\x00")), "\x00")
			fmt.Fprintf(out, "%s%sdiff\n", begin, row)
			x.render(&renderer{to: &fenceSink{limit: math.MaxInt, w: out}, max: m.value})
			fmt.Fprintf(out, "%s\n%s", row, end)
		}
		if len(p.parts) > 0 && last.destroyed {
			m.out.Write(p.table)
		}
		m.out.WriteString(p.end)
	}
	out.Write(m.out.Bytes())
	return out.Flush()
}
