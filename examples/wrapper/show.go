// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tofuwire/tofuwire/internal/program/planrule"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// say prints a line. An error of the output is passed over: it must not end a
// run in the middle.
func (w *wrapper) say(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(w.out, "wrapper: %s\n", uijson.Sanitize(fmt.Sprintf(format, args...)))
}

// line prints what the tool says.
func (w *wrapper) line(text string) {
	if text = strings.Trim(text, "\n"); text == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintln(w.out, uijson.Sanitize(text))
}

// foreign shows text on the stream that is not a message, such as warnings
// about the CLI's own configuration.
func (w *wrapper) foreign(ev *uijson.Event) {
	switch ev.Kind {
	case uijson.EventMessage:
		if err := ev.Message.CheckVersion(); err != nil {
			w.versions = err
		}
	case uijson.EventText, uijson.EventPartial, uijson.EventDamaged:
		w.line(ev.Text())
	}
}

// progress shows the messages that matter to a reader of the log of a
// pipeline. Diagnostics come at the end.
func (w *wrapper) progress(ev *uijson.Event) {
	w.foreign(ev)
	if ev.Kind != uijson.EventMessage {
		return
	}
	switch m := ev.Message; m.Type {
	case uijson.TypeResourceDrift, uijson.TypePlannedChange, uijson.TypePlannedActionInvocation,
		uijson.TypeApplyStart, uijson.TypeApplyComplete, uijson.TypeApplyErrored,
		uijson.TypeProvisionProgress, uijson.TypeActionComplete, uijson.TypeActionErrored,
		uijson.TypeChangeSummary, uijson.TypeStateLockAcquire, uijson.TypeLog:
		w.line(m.Text)
	}
}

// diagnostics shows the errors and warnings of a command, each once.
func (w *wrapper) diagnostics(s *uitrack.Snapshot) {
	for _, d := range s.Diagnostics {
		w.line(uitrack.Renderer{}.Diagnostic(d.Diagnostic))
		if d.Count > 1 {
			w.line(fmt.Sprintf("(%d times)", d.Count))
		}
	}
}

// objection shows why a plan is refused.
func (w *wrapper) objection(o planrule.Objection) {
	w.say("policy %s: %s: %s", o.Rule, cmp.Or(o.Address, "the plan"), o.Text)
}

// outcome shows what an apply has done and what it left behind. The tool's own
// summary has been shown already; there is none if the apply did not come so
// far.
func (w *wrapper) outcome(s *uitrack.Snapshot) {
	sum := s.Summary()
	if sum.Reported == nil {
		w.say("before the end: %s", sum.Done.Applied())
	}
	for _, address := range sum.Failed {
		w.say("failed: %s", address)
	}
	for _, address := range sum.Unfinished {
		w.say("not finished, and perhaps not in the state: %s", address)
	}
}
