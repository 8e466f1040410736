// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"fmt"
	"html"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/tofuwire/tofuwire/internal/plantext"
	"github.com/tofuwire/tofuwire/internal/printable"
)

// minPart is the least of a part that is worth being shown.
const minPart = 120

// collect collects the parts of a plan, those first that destroy.
func (m *markdown) collect(p *planPart, d *Diff) {
	planned := d.ByUrgency()
	n := 0
	for n < len(planned) && planned[n].urgency() <= 1 {
		n++
	}
	m.resources(p, destroyedTitle, planned[:n])
	if planned = planned[n:]; len(planned) > few {
		m.grouped(p, planned)
	} else {
		m.resources(p, "Changes", planned)
	}
	m.invocations(p, d.Invocations)
	m.outputs(p, d.Outputs, d.outputsWidth)
	m.resources(p, "Deferred to a later plan", d.Deferred)
	m.drift(p, d.Drift)
}

// drift adds what changed outside: alike objects are one part.
func (m *markdown) drift(p *planPart, list []*Resource) {
	from := len(p.parts)
	for _, g := range alikeDrift(list) {
		if len(g.list) == 1 {
			m.resources(p, "Changed outside", g.list)
			continue
		}
		m.add(p, &part{
			sign: "~", name: g.headline(), count: len(g.list), action: "drift", render: func(to *renderer) { to.drift(g) },
			summary: fmt.Appendf(nil, "%s %s", m.word("~"), m.inSummary(300)(g.headline())),
		})
	}
	for _, x := range p.parts[from:] {
		x.section, x.drift = fmt.Sprintf("Changed outside (%d)", len(list)), true
	}
}

func (m *markdown) add(p *planPart, x *part) {
	x.size = m.max
	if !m.isUnlimited() {
		f := fenceSink{limit: m.max, counting: true}
		if m.counted > 8*m.max {
			f.limit = 2 * minPart // the last of many
		}
		x.render(&renderer{to: &f, max: m.value})
		x.size = f.n
		m.counted += f.n
	}
	p.parts = append(p.parts, x)
}

// grouped adds the changes by module and type.
func (m *markdown) grouped(p *planPart, list []*Resource) {
	groups := groupsOf(list)
	types := make(map[string]int)
	for _, g := range groups {
		types[g.Module]++
	}
	for _, g := range groups {
		where := "Root module"
		if g.Module != "" {
			where = m.code(200)(g.Module)
		}
		if len(types) == 1 && g.Module == "" {
			where = ""
		}
		if types[g.Module] > 1 || where == "" {
			if where != "" {
				where += ", "
			}
			where += m.code(100)(g.Type)
		}
		from := len(p.parts)
		m.resources(p, fmt.Sprintf("Changes (%d)", len(list)), g.Resources)
		for _, x := range p.parts[from:] {
			x.section = fmt.Sprintf("Changes (%d)", len(list))
			x.group = fmt.Sprintf("%s (%d)", where, len(g.Resources))
		}
	}
}

// resources adds changes. Alike ones are one part that is never cut off, so that it names all
// objects, unless that takes more than its share of the room.
func (m *markdown) resources(p *planPart, title string, list []*Resource) {
	destroyed := title == destroyedTitle
	title = fmt.Sprintf("%s (%d)", title, len(list))
	for _, g := range alikeChanges(list) {
		if g.each != nil && (m.isUnlimited() || m.counted <= 8*m.max) {
			x := &part{
				section: title, sign: g.each.Symbol(), name: g.each.Address, list: g.list, count: len(g.list), action: g.each.Class(), whole: true,
				render:  func(to *renderer) { to.alike(g) },
				summary: fmt.Appendf(nil, "%s %s", m.word(g.each.mark()), g.headline(m.inSummary(100))),
			}
			if m.add(p, x); m.isUnlimited() || x.size <= m.max/4 {
				continue
			}
			p.parts = p.parts[:len(p.parts)-1]
		}
		for _, r := range g.list {
			m.add(p, &part{
				section: title, sign: r.Symbol(), name: r.Address, count: 1, action: r.Class(), destroyed: destroyed, render: func(to *renderer) { to.resource(r) },
				summary: fmt.Appendf(nil, "%s %s %s", m.word(r.mark()), m.inSummary(300)(r.Address), r.story(m.inSummary(100))),
			})
		}
	}
}

func (m *markdown) invocations(p *planPart, list []*Invocation) {
	title := fmt.Sprintf("Actions (%d)", len(list))
	for _, i := range list {
		headline := i.headline(m.inSummary(100))
		if why := explainDeferred(i.Reason, m.inSummary(100)); why != "" {
			headline += ": " + why
		}
		m.add(p, &part{
			section: title, sign: "!", name: i.Address, count: 1, action: "invoke", render: func(to *renderer) { to.invocation(i) },
			summary: fmt.Appendf(nil, "%s %s %s", m.word("invoke"), m.inSummary(300)(i.Address), headline),
		})
	}
}

// word writes a sign or a word.
func (m *markdown) word(s string) string {
	if m.plain {
		return "`" + s + "`"
	}
	return "<code>" + html.EscapeString(s) + "</code>"
}

func (m *markdown) outputs(p *planPart, outputs []*Output, width int) {
	if len(outputs) == 0 {
		return
	}
	title := fmt.Sprintf("Outputs (%d)", len(outputs))
	m.add(p, &part{
		section: "Outputs", name: title, count: 1, summary: []byte(title), action: "output",
		render: func(to *renderer) {
			for _, o := range outputs {
				to.output(o, width)
			}
		},
	})
}

// decide says how much of each part is written if there is room for so many bytes, and returns
// the length to which the longest ones are cut, and whether all that is destroyed is named.
func (m *markdown) decide(room int) (most int, all bool) {
	var order, others, drift []*part
	largest := 0 // of what is planned
	for _, p := range m.plans {
		for _, x := range p.parts {
			if x.state = omitted; x.drift {
				drift = append(drift, x)
				continue
			}
			if !x.whole {
				largest = max(largest, x.size)
			}
			if x.destroyed {
				order = append(order, x)
			} else {
				others = append(others, x)
			}
		}
	}
	order = append(order, others...)
	if most, ok := m.cap(slices.Concat(order, drift), room); ok && (most >= largest || len(drift) == 0) {
		setState(order, shown)
		setState(drift, shown)
		return most, true
	}
	// What is planned takes the room first; what changed outside is named in the rest.
	for left := room / 4; len(drift) > 0; drift = drift[1:] {
		if left -= drift[0].named(); left < 0 {
			break
		}
		room -= drift[0].named()
		drift[0].state = named
	}
	if most, ok := m.cap(order, room-fenceReserve-100); ok {
		setState(order, shown)
		return most, true
	}
	// Not all have details: those that destroy are the first ones, and all others are named.
	room -= len(m.plans) * (fenceReserve + 100)
	names := make([]int, len(order)+1) // from each part to the end
	for i := len(order) - 1; i >= 0; i-- {
		names[i] = names[i+1] + order[i].named()
	}
	if names[0] <= room {
		n := sort.Search(len(order), func(n int) bool {
			_, ok := m.cap(order[:n+1], room-names[n+1])
			return !ok
		})
		most, _ := m.cap(order[:n], room-names[n])
		setState(order[:n], shown)
		setState(order[n:], named)
		return most, true
	}
	first := order[:len(order)-len(others)]
	return m.decideFirst(first, others, names[0]-names[len(first)], room)
}

// decideFirst decides if the parts do not even fit with their names alone: those that destroy,
// which are first and whose names take so many bytes, come before all others.
func (m *markdown) decideFirst(first, others []*part, names, room int) (most int, all bool) {
	m.blocks = 0
	if most, ok := m.cap(first, room/2); ok { // with details, but all others are less
		setState(first, shown)
		for _, x := range first {
			room -= x.overhead() + fenceReserve + min(most, x.size)
		}
		for _, x := range others {
			if room -= x.named(); room < 0 {
				break
			}
			x.state = named
		}
		return most, true
	}
	if names > room { // they are counted by block
		m.blocks = max(0, room)
		return 0, false
	}
	for _, x := range slices.Concat(first, others) {
		if room -= x.named(); room < 0 {
			break
		}
		x.state = named
	}
	return 0, true
}

// setState gives parts a state.
func setState(list []*part, s partState) {
	for _, x := range list {
		x.state = s
	}
}

// named returns the number of bytes of a part in a list of names.
func (x *part) named() int { return len(x.line()) }

// line returns the line of a part in a list of names, or those of a group.
func (x *part) line() string {
	f := fenceSink{limit: math.MaxInt}
	add := func(name string) {
		f.begin(x.sign, 0)
		switch x.sign {
		case "+", "-", "":
		default:
			f.add([]byte(x.action + " "))
		}
		f.add([]byte(shorten(printable.Text(name), 300)))
		f.end("")
	}
	for _, r := range x.list {
		add(r.Address)
	}
	if len(x.list) == 0 {
		add(x.name)
	}
	return string(f.text)
}

// overhead returns the number of bytes written for a part in addition to its
// rendered text.
func (x *part) overhead() int {
	return len(x.summary) + len("<details><summary></summary>\n\n```diff\n```\n\n</details>\n")
}

// cap returns the length to which the longest parts are cut, and whether it is
// enough to show them.
func (m *markdown) cap(parts []*part, room int) (most int, ok bool) {
	sizes := make([]int, 0, len(parts))
	section, group := "", ""
	for _, x := range parts {
		if x.whole {
			room -= x.size
		} else {
			sizes = append(sizes, x.size)
		}
		room -= x.overhead() + fenceReserve
		if x.section != section {
			section, group = x.section, ""
			room -= len(section) + len("\n#### \n\n")
		}
		if x.group != group {
			group = x.group
			room -= len(group) + len("\n****\n\n")
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

// heading writes what comes before a part: the title of its section and of its group, if it is
// the first one in it.
func (m *markdown) heading(_ *planPart, x, last *part) {
	same := last != nil && last.section == x.section
	if !same {
		fmt.Fprintf(&m.out, "\n%s %s\n\n", m.level, x.section)
	}
	if x.group != "" && (!same || last.group != x.group) {
		if same {
			m.out.WriteByte('\n')
		}
		fmt.Fprintf(&m.out, "**%s**\n\n", x.group)
	}
}

// emit writes all plans as decide said.
func (m *markdown) emit(most int) {
	details, cut, left := 0, 0, 0
	for _, p := range m.plans {
		m.out.WriteString(p.begin)
		m.out.Write(p.head)
		for _, destroyed := range []bool{true, false} {
			if !destroyed && !m.bare {
				m.out.Write(p.table)
			}
			a, b, c := m.some(p, destroyed, most)
			details, cut, left = details+a, cut+b, left+c
		}
		m.out.WriteString(p.end)
	}
	if m.dropped > 0 {
		fmt.Fprintf(&m.out, "\n_The changes of %s do not fit into this comment; %s destroyed or replaced._\n", count(m.dropped, "plan"), count(m.unnamed, "object"))
	}
	if details > 0 {
		fmt.Fprintf(&m.out, "\n_The details of %d more do not fit into this comment._\n", details)
	}
	if cut > 0 {
		fmt.Fprintf(&m.out, "\n_The details of %d are shortened to fit into this comment._\n", cut)
	}
}

// some writes the parts of a plan that destroy, or the others. It returns how many have no
// details, how many of those that have them are cut off, and how many are not named.
func (m *markdown) some(p *planPart, destroyed bool, most int) (details, cut, left int) {
	var last *part
	var list bytes.Buffer
	var out []*part
	count := 0
	for _, x := range p.parts {
		if x.destroyed != destroyed {
			continue
		}
		count++
		switch x.state {
		case shown:
			m.heading(p, x, last)
			last = x
			f := fenceSink{limit: min(most, x.size)}
			if x.whole {
				f.limit = math.MaxInt
			}
			x.render(&renderer{to: &f, max: m.value})
			if f.cut {
				f.text = append(f.text, "  # (the rest is left out)\n"...)
				cut++
			}
			m.out.WriteString(m.part(x.summary, fenced(f.text)))
			continue
		case named:
			list.WriteString(x.line())
		case omitted:
			out = append(out, x)
		}
		details += x.count
	}
	if list.Len() > 0 || len(out) > 0 {
		title := fmt.Sprintf("Without details (%d)", details)
		if destroyed && last == nil {
			title = fmt.Sprintf("%s (%d)", destroyedTitle, count)
		}
		fmt.Fprintf(&m.out, "\n%s %s\n\n", m.level, title)
	}
	if list.Len() > 0 {
		m.out.Write(fenced(list.Bytes()))
	}
	m.omitted(out, destroyed)
	for _, x := range out {
		left += x.count
	}
	return details, cut, left
}

// omitted counts parts that are not named.
func (m *markdown) omitted(list []*part, destroyed bool) {
	if destroyed {
		list = m.byBlock(list)
	}
	counts := make(map[string]int)
	for _, x := range list {
		counts[x.action] += x.count
	}
	var words []string
	for _, action := range [...]string{"delete", "replace", "replace-forget", "forget", "update", "create", "move", "import", "read", "invoke", "other", "output"} {
		if counts[action] > 0 {
			words = append(words, fmt.Sprintf("%d %s", counts[action], action))
		}
	}
	if len(words) > 0 {
		if !bytes.HasSuffix(m.out.Bytes(), []byte("\n\n")) {
			m.out.WriteByte('\n')
		}
		fmt.Fprintf(&m.out, "_Not shown: %s._\n", strings.Join(words, ", "))
	}
}

// byBlock writes the blocks of destroyed objects with their numbers, as far as there is room,
// and returns the objects of the others.
func (m *markdown) byBlock(list []*part) (left []*part) {
	var text bytes.Buffer
	blocks := make(map[string][]*part)
	var order []string
	for _, x := range list {
		name := x.action + " " + plantext.WithoutKeys(x.name)
		if blocks[name] == nil {
			order = append(order, name)
		}
		blocks[name] = append(blocks[name], x)
	}
	for _, name := range order {
		line := "- " + shorten(printable.Text(name), 300)
		if n := len(blocks[name]); n > 1 {
			line += fmt.Sprintf(", %d instances", n)
		}
		line += "\n"
		if m.blocks -= len(line); m.blocks < 0 {
			left = append(left, blocks[name]...)
			continue
		}
		text.WriteString(line)
	}
	if text.Len() > 0 {
		m.out.Write(fenced(text.Bytes()))
	}
	return left
}
