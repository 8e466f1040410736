// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// say prints a line of wrapper's own.
func (w *wrapper) say(format string, args ...any) { w.line("wrapper: " + fmt.Sprintf(format, args...)) }

// line prints a line. An error of the output is passed over: it must not end a
// run in the middle.
func (w *wrapper) line(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if text = strings.Trim(text, "\n"); text != "" {
		fmt.Fprintln(w.out, uijson.Sanitize(text))
	}
}

// see shows what matters to a reader of the log of a pipeline, and puts a state
// in a safe place. Text that is not a message can be a warning about the CLI's
// own configuration.
func (w *wrapper) see(ev *uijson.Event) {
	if ev.Kind != uijson.EventMessage {
		w.line(ev.Text())
		return
	}
	m := ev.Message
	if err := m.CheckVersion(); err != nil {
		w.versions = err
	}
	if m.State != nil {
		w.save(m.State)
	}
	switch m.Type {
	case uijson.TypeDiagnostic, uijson.TypeRefreshStart, uijson.TypeRefreshComplete, uijson.TypeApplyProgress, uijson.TypeOutputs:
		return // diagnostics come at the end
	}
	w.line(m.Text)
}

// ended shows how a command ended: its errors and warnings, each once, and what an
// apply has done and left behind. The tool's own summary has been shown already;
// there is none if the apply did not come so far.
func (w *wrapper) ended(command string, s *uitrack.Snapshot) {
	for _, d := range s.Diagnostics {
		w.line(uitrack.Renderer{}.Diagnostic(d.Diagnostic))
		if d.Count > 1 {
			w.say("this was reported %d times", d.Count)
		}
	}
	w.say("%s: %s (%s)", command, s.Outcome, s.Reason)
	if command != "apply" {
		return
	}
	sum := s.Summary()
	if sum.Reported == nil {
		w.say("done before it ended: %s", sum.Done.Applied())
	}
	for _, address := range sum.Failed {
		w.say("failed: %s", address)
	}
	for _, address := range sum.Unfinished {
		w.say("not finished, and perhaps not in the state: %s", address)
	}
}
