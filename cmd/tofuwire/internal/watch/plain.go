// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package watch

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A display shows a run while it lasts.
type display interface {
	begin()
	event(*uijson.Event)
	end()

	// foreign returns the writer for the tool's standard error: w, or one that
	// shows the text in its own way.
	foreign(w io.Writer) io.Writer
}

// A plain display prints one line for each message, without colours.
type plain struct {
	mu sync.Mutex
	w  io.Writer
}

func newPlain(w io.Writer) *plain { return &plain{w: w} }

func (p *plain) begin() {}
func (p *plain) end()   {}

func (p *plain) foreign(w io.Writer) io.Writer { return w }

func (p *plain) event(ev *uijson.Event) {
	text, ok := line(ev)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// An error of the output must not stop the reading.
	_, _ = fmt.Fprintln(p.w, text)
}

// line returns the text to print for an event. Diagnostics are kept for the
// end. All text that is not part of the stream is printed.
func line(ev *uijson.Event) (string, bool) {
	switch ev.Kind {
	case uijson.EventMessage:
		before := prefix(ev)
		m := ev.Message
		switch m.Type {
		case uijson.TypeDiagnostic, uijson.TypePolicyDiagnostic, uijson.TypeTestPlan, uijson.TypeTestState:
			// Diagnostics come at the end, and the others are whole documents.
			return before, before != ""
		case uijson.TypeOutputs:
			return before + outputs(m), true
		}
		return before + strings.Trim(uijson.Sanitize(m.Text), "\n"), true
	case uijson.EventLog, uijson.EventBlank:
		return "", false
	case uijson.EventOversize:
		return fmt.Sprintf("(a line of %d bytes)", ev.Size), true
	}
	return uijson.Sanitize(ev.Text()), true
}

// prefix returns the text before a message on its line, with a blank behind it, or "".
func prefix(ev *uijson.Event) string {
	text := strings.TrimFunc(withoutSequences(string(ev.Prefix())), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\uFEFF'
	})
	if text == "" {
		return ""
	}
	return uijson.Sanitize(text) + " "
}

// withoutSequences returns text without the control sequences that colour it.
func withoutSequences(text string) string {
	if !strings.ContainsRune(text, '\x1b') {
		return text
	}
	var b strings.Builder
	g := graphemes.FromString(text)
	g.AnsiEscapeSequences = true
	for g.Next() {
		if v := g.Value(); v[0] != '\x1b' {
			b.WriteString(v)
		}
	}
	return b.String()
}

// outputs returns the lines for the root outputs.
func outputs(m *uijson.Message) string {
	var names []string
	for name := range m.Outputs {
		names = append(names, name)
	}
	slices.Sort(names)
	text := strings.TrimSpace(uijson.Sanitize(m.Text))
	for _, name := range names {
		switch o := m.Outputs[name]; {
		case o.Sensitive:
			text += "\n  " + uijson.Sanitize(name) + " = " + uijson.Redacted
		case o.Value != nil:
			text += "\n  " + uijson.Sanitize(name) + " = " + uijson.Sanitize(o.Value.String())
		case o.Action != "":
			text += "\n  " + uijson.Sanitize(name) + ": " + string(o.Action)
		}
	}
	return text
}

// finish prints the diagnostics and how the run ended.
func finish(w io.Writer, s *uitrack.Snapshot, color bool, width int) {
	r := uitrack.Renderer{Color: color, Width: width}
	var b strings.Builder
	// Errors come last, where the user sees them.
	for _, severity := range []bool{false, true} {
		for _, d := range s.Diagnostics {
			if (d.Diagnostic.Severity == uijson.SeverityError) != severity {
				continue
			}
			b.WriteString(r.Diagnostic(d.Diagnostic))
			if d.Count > 1 {
				fmt.Fprintf(&b, "(%d times)\n", d.Count)
			}
		}
	}
	for _, res := range s.Resources {
		if c := res.Running(); c != nil && !s.Outcome.OK() {
			fmt.Fprintf(&b, "%s: %s, and its end was not reported\n", uijson.Sanitize(res.Addr), doing(c.Action))
		}
	}
	for _, e := range s.Earlier {
		fmt.Fprintf(&b, "Earlier run: %s (%s)\n", e.Outcome, e.Reason)
	}
	fmt.Fprintf(&b, "%s\n", verdict(s))
	_, _ = io.WriteString(w, b.String())
}

// verdict is the last line.
func verdict(s *uitrack.Snapshot) string {
	text := s.Outcome.Title() + ": " + s.Reason
	if counts := s.Counts(); counts != "" && len(s.Tests) == 0 {
		text += " (" + counts + ")"
	}
	return text
}

// doing returns the words for an operation.
func doing(a uijson.Action) string {
	switch a {
	case uijson.ActionCreate:
		return "creating"
	case uijson.ActionUpdate:
		return "modifying"
	case uijson.ActionDelete:
		return "destroying"
	case uijson.ActionRead:
		return "reading"
	case uitrack.ActionRefresh:
		return "refreshing"
	case uijson.ActionOpen:
		return "opening"
	case uijson.ActionRenew:
		return "renewing"
	case uijson.ActionClose:
		return "closing"
	case uitrack.ActionInvoke:
		return "invoking"
	}
	return uijson.Sanitize(string(a))
}
