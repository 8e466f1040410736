// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bufio"
	"io"
	"strings"
)

// TextOptions says how to render a difference as text.
type TextOptions struct {
	// Color colours the lines with the escape sequences of terminals.
	Color bool

	// MaxValue is the number of bytes after which a value is cut off. If 0,
	// values are shown in full.
	MaxValue int
}

// WriteText writes d to w in the manner of the command "show" for a plan. It
// escapes everything that does not print: no text of a plan can control a
// terminal. The only errors are those of w.
func (d *Diff) WriteText(w io.Writer, o TextOptions) error {
	if d == nil {
		return nil
	}
	out := bufio.NewWriterSize(w, 64<<10)
	t := textSink{w: out, color: o.Color}
	r := renderer{to: &t, max: o.MaxValue}
	for _, note := range d.Notes() {
		out.WriteString(note + "\n\n")
	}
	if d.Against != nil {
		out.WriteString(d.compared() + "\n")
		for _, x := range d.Against.Differences {
			out.WriteString("  " + x.String() + "\n")
		}
		out.WriteByte('\n')
	}
	if len(d.Resources) > 0 {
		out.WriteString("The following actions are planned:\n\n")
		for _, g := range alikeChanges(d.Resources) {
			if g.each == nil {
				r.resource(g.list[0])
			} else {
				r.alike(g)
			}
			out.WriteByte('\n')
		}
	}
	if len(d.Deferred) > 0 {
		out.WriteString("The following changes are deferred:\n\n")
		r.list(d.Deferred, func() { out.WriteByte('\n') })
	}
	if len(d.Invocations) > 0 {
		out.WriteString("The following actions are invoked:\n\n")
		for _, i := range d.Invocations {
			r.invocation(i)
			out.WriteByte('\n')
		}
	}
	if len(d.Outputs) > 0 {
		out.WriteString("Changes to outputs:\n")
		for _, o := range d.Outputs {
			r.output(o, d.outputsWidth)
		}
		out.WriteByte('\n')
	}
	if len(d.Drift) > 0 {
		out.WriteString("Note: objects have changed outside of this configuration:\n\n")
		for _, g := range alikeDrift(d.Drift) {
			if len(g.list) == 1 {
				r.resource(g.list[0])
			} else {
				r.drift(g)
			}
			out.WriteByte('\n')
		}
	}
	switch {
	case d.hasChanges() && !d.State.Errored:
		out.WriteString("Plan: " + d.Headline() + ".\n")
	default:
		out.WriteString(d.Headline() + ".\n")
	}
	return out.Flush()
}

// WriteText writes the change of one object. See [Diff.WriteText].
func (r *Resource) WriteText(w io.Writer, o TextOptions) error {
	if r == nil {
		return nil
	}
	out := bufio.NewWriter(w)
	(&renderer{to: &textSink{w: out, color: o.Color}, max: o.MaxValue}).resource(r)
	return out.Flush()
}

// Text returns the text of [Resource.WriteText], without colours.
func (r *Resource) Text() string {
	if r == nil {
		return ""
	}
	var b strings.Builder
	r.WriteText(&b, TextOptions{}) // a builder does not fail
	return b.String()
}

func (r *renderer) list(diffs []*Resource, between func()) {
	for _, d := range diffs {
		r.resource(d)
		between()
	}
}

// A textSink lays out lines as the tools do: the sign, then the text, four
// columns for each depth, up to a limit.
type textSink struct {
	w     *bufio.Writer
	color bool
	open  string // the colour of the open line
}

// blanks is the indentation of the deepest lines.
const blanks = "                                                                "

func (t *textSink) full() bool { return false }
func (t *textSink) blank()     { t.w.WriteByte('\n') }

func (t *textSink) begin(sign string, depth int) {
	t.open = ""
	both := t.color && (sign == "-/+" || sign == "+/-")
	if t.color && !both {
		t.open = colors[sign]
		t.w.WriteString(t.open)
	}
	if sign != plainSign(sign) {
		sign = " "
	}
	t.w.WriteString(blanks[:max(0, min(len(blanks), 4*depth+3-len(sign)))])
	if both { // each sign has its own, as the tools print it
		for _, c := range sign {
			if s := colors[string(c)]; s != "" {
				t.w.WriteString(s + string(c) + "\x1b[0m")
			} else {
				t.w.WriteRune(c)
			}
		}
	} else {
		t.w.WriteString(sign)
	}
	t.w.WriteByte(' ')
}

func (t *textSink) add(text []byte) { t.w.Write(text) }

func (t *textSink) end(note string) {
	if note != "" {
		t.w.WriteByte(' ')
		t.w.WriteString(note)
	}
	if t.open != "" {
		t.w.WriteString("\x1b[0m")
	}
	t.w.WriteByte('\n')
}

var colors = map[string]string{
	"+": "\x1b[32m", "-": "\x1b[31m", "~": "\x1b[33m", "+ ": "\x1b[32m", "- ": "\x1b[31m", "./+": "\x1b[33m", "+/.": "\x1b[33m", "<=": "\x1b[36m", "#": "\x1b[1m",
}
