// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A Timeline is a run as it went.
type Timeline struct {
	Seconds float64 `json:"seconds"` // how long it took
	Bars    []Bar   `json:"bars"`    // by their start
	Frames  []Frame `json:"frames"`  // at even distances
}

// A Bar is one operation on a resource.
type Bar struct {
	Address string  `json:"address"`
	Action  string  `json:"action"`
	Status  string  `json:"status"` // running means that its end was not seen
	Start   float64 `json:"start"`  // in seconds from the first message
	End     float64 `json:"end"`
}

// A Frame is the state of the run at one moment.
type Frame struct {
	At       float64 `json:"at"` // in seconds from the first message
	Phase    string  `json:"phase"`
	Planned  string  `json:"planned"`
	Done     string  `json:"done"`
	Active   int     `json:"active"`
	Failed   int     `json:"failed"`
	Errors   int     `json:"errors"`
	Warnings int     `json:"warnings"`
}

// frames is how many frames a timeline has.
const frames = 200

// openStream follows the run that a stream of messages reports: first to see how
// long it is, then frame by frame.
func (d *Document) openStream() error {
	var first, last time.Time
	r := d.reader(0, 0.4)
	for e, err := range uijson.NewReader(r).Envelopes() {
		if err != nil {
			return err
		}
		at, err := time.Parse(time.RFC3339Nano, e.Timestamp)
		if err != nil {
			continue
		}
		if first.IsZero() {
			first = at
		}
		if at.After(last) {
			last = at
		}
	}
	tracker := uitrack.Tracker{Replay: true}
	step := last.Sub(first) / frames
	next := first
	for e, err := range uijson.NewReader(d.reader(0.4, 0.9)).Borrowed() {
		if err != nil {
			return err
		}
		if e.Message != nil {
			if at, err := e.Message.Time(); err == nil {
				// What was before this message was so until it came.
				for step > 0 && at.After(next) && len(d.frames) < frames {
					d.frames = append(d.frames, frame(tracker.Snapshot(), next.Sub(first)))
					next = next.Add(step)
				}
			}
		}
		tracker.Add(e)
	}
	tracker.End(nil)
	s := tracker.Snapshot()
	d.run = s
	d.frames = append(d.frames, frame(s, last.Sub(first)))
	for _, x := range s.Diagnostics {
		d.addDiagnostic(x)
	}
	for _, x := range s.Resources {
		d.addTracked(x)
	}
	for _, x := range s.Outputs {
		value := string(x.Value)
		switch {
		case x.Sensitive:
			value = "(sensitive value)"
		case value == "":
			value = "(no value)"
		}
		d.addLines(Row{Part: "output", Class: "output", Symbol: "=", Address: "output." + x.Name, Headline: "output"}, []Line{note("  " + x.Name + " = " + value)})
	}
	for _, f := range s.Tests {
		var lines []Line
		for _, r := range f.Runs {
			lines = append(lines, note(fmt.Sprintf("  run %q: %s", r.Name, r.Status)))
		}
		d.addLines(Row{Part: "test", Class: "test", Symbol: "?", Address: f.Path, Headline: "test file, " + string(f.Status)}, lines)
	}
	d.Info.Can = []string{"changes", "redact", "timeline"}
	d.runFacts(s)
	return nil
}

func frame(s *uitrack.Snapshot, at time.Duration) Frame {
	return Frame{At: at.Seconds(), Phase: string(s.Phase), Planned: s.Planned.String(), Done: s.Done.Applied(), Active: s.Active, Failed: s.Failed, Errors: s.Errors, Warnings: s.Warnings}
}

func (d *Document) runFacts(s *uitrack.Snapshot) {
	d.fact("Outcome", string(s.Outcome))
	d.fact("Because", s.Reason)
	d.fact("Tool", strings.TrimSpace(string(s.Tool)+" "+s.Version))
	d.fact("Operation", string(s.Operation))
	d.fact("Planned", s.Planned.String())
	if s.Operation != "" && s.Operation != uijson.OperationPlan {
		d.fact("Done", s.Done.Applied())
	}
	d.fact("Took", (time.Duration(s.ElapsedSeconds * float64(time.Second))).Round(time.Millisecond).String())
	d.fact("Messages", fmt.Sprint(s.Lines.Messages))
	if other := s.Lines.Text + s.Lines.JSON + s.Lines.Log; other > 0 {
		d.fact("Other lines", fmt.Sprint(other))
	}
	if !s.Outcome.OK() {
		d.alarm("%s: %s", s.Outcome.Title(), s.Reason)
	}
	for _, x := range s.Differences() {
		reported := "no summary"
		if x.Reported != nil {
			reported = fmt.Sprintf("%d reported", *x.Reported)
		}
		text := fmt.Sprintf("%d planned, %d done, %s: %s", x.Planned, x.Done, reported, x.Why)
		if s.Outcome.OK() {
			d.fact("Counts, "+x.What, text) // explained, and nothing to worry about
		} else {
			d.alarm("%s: %s", x.What, text)
		}
	}
}

// addDiagnostic adds a row for an error or a warning, as the tool shows it.
func (d *Document) addDiagnostic(x *uitrack.DiagnosticState) {
	class, symbol := "warning", "!"
	if x.Diagnostic.Severity == uijson.SeverityError {
		class, symbol = "error", "✗"
	}
	var lines []Line
	for text := range strings.SplitSeq(strings.Trim(uitrack.Renderer{}.Diagnostic(x.Diagnostic), "\n"), "\n") {
		lines = append(lines, note(text))
	}
	headline := uijson.Sanitize(x.Diagnostic.Summary)
	if x.Count > 1 {
		headline += fmt.Sprintf(" (%d times)", x.Count)
	}
	address := x.Diagnostic.Address
	if address == "" {
		address = class
	}
	d.addLines(Row{Part: "diagnostic", Class: class, Symbol: symbol, Address: address, Headline: headline}, lines)
}

var symbols = map[string]string{"create": "+", "update": "~", "delete": "-", "replace": "-/+", "read": "<=", "move": "→", "import": "←", "noop": "=", "forget": "."}

// addTracked adds a row for a resource of the run.
func (d *Document) addTracked(x *uitrack.ResourceState) {
	class := "other"
	var lines []Line
	for _, p := range x.Planned {
		class = string(p.Action)
		text := "  planned: " + string(p.Action)
		if p.Reason != "" {
			text += " (" + string(p.Reason) + ")"
		}
		if p.PreviousAddr != "" {
			text += ", moved from " + p.PreviousAddr
		}
		if p.Importing {
			text += ", imported"
		}
		lines = append(lines, note(text))
	}
	if x.Drift != "" {
		lines = append(lines, note("  changed outside of the tool: "+string(x.Drift)))
	}
	for i := range x.Cycles {
		c := &x.Cycles[i]
		if class == "other" {
			class = string(c.Action)
		}
		text := fmt.Sprintf("  %s: %s after %s", c.Action, c.Status, c.Duration(c.Started).Round(time.Millisecond))
		if c.IDValue != "" {
			text += fmt.Sprintf(" [%s=%s]", c.IDKey, c.IDValue)
		}
		lines = append(lines, note(text))
		for _, t := range c.Tail {
			lines = append(lines, note("    | "+t))
		}
		if c.Message != "" {
			lines = append(lines, note("    "+c.Message))
		}
	}
	headline := string(x.Status)
	if x.Errors > 0 {
		headline += fmt.Sprintf(", %d errors", x.Errors)
	}
	symbol := symbols[class]
	if symbol == "" {
		symbol = "="
	}
	if x.Status == uitrack.StatusFailed {
		symbol = "✗"
	}
	d.addLines(Row{Part: "run", Class: class, Symbol: symbol, Address: x.Addr, Headline: headline}, lines)
}

// Timeline returns the run that a stream reports.
func (s *Session) Timeline(id int) (*Timeline, error) {
	d, err := s.document(id)
	if err != nil {
		return nil, err
	}
	if d.run == nil {
		return nil, fmt.Errorf("only the messages of a run have a timeline")
	}
	t := &Timeline{Bars: []Bar{}, Frames: d.frames, Seconds: d.run.ElapsedSeconds}
	for _, r := range d.run.Resources {
		for _, c := range r.Cycles {
			if c.Started.IsZero() {
				continue
			}
			b := Bar{Address: r.Addr, Action: string(c.Action), Status: string(c.Status), Start: c.Started.Sub(d.run.Started).Seconds(), End: d.run.ElapsedSeconds}
			if !c.Ended.IsZero() {
				b.End = c.Ended.Sub(d.run.Started).Seconds()
			}
			t.Bars = append(t.Bars, b)
		}
	}
	slices.SortStableFunc(t.Bars, func(a, b Bar) int { return cmp.Compare(a.Start, b.Start) })
	return t, nil
}
