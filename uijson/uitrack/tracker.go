// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/uijson"
)

// A Tracker follows a run through its messages and reports its state at any time.
// It may begin in the middle of a stream.
//
// Feed it with [Tracker.Add] from one loop, report the end of the run with
// [Tracker.Exit] and [Tracker.End], and take a [Tracker.Snapshot] at any time.
// All methods are safe for concurrent use.
//
// A Tracker needs memory for each resource, output, test and distinct
// diagnostic, but not for each message. It copies what it keeps, so it accepts
// events of [uijson.Reader.Borrowed].
//
// The zero Tracker is ready to use. Its fields must be set before the first
// call of a method.
type Tracker struct {
	// Now is the clock; if nil, time.Now. The clock of the tool is no
	// substitute: it may be that of another machine, and OpenTofu before 1.13
	// reports no progress after the first ten seconds of an operation.
	Now func() time.Time

	// Replay uses the times of the messages as the clock, for a recorded
	// stream. If they go back, the clock stops until they catch up.
	Replay bool

	// TailLines is how many lines of a provisioner's output are kept.
	// If zero, 10.
	TailLines int

	mu     sync.Mutex
	run    run
	keeper keeper

	earlier []RunResult
	worst   RunResult // of the earlier runs, those that are no longer kept included
	lines   LineCounts
	ended   bool
	endErr  error
	endedAt time.Time
	exit    *int
	clock   time.Time // the last time seen, for Replay
}

// A run is the tracker's model of one run of a tool.
type run struct {
	tool        addrs.Tool
	version, ui string
	phase       Phase
	operation   uijson.Operation
	started     time.Time

	tally   tally
	work    resources
	found   diagnostics
	outputs outputs
	tests   tests
	lists   lists
	pace    pace
	signs   signs
}

const (
	maxCycles      = 16   // of one resource
	maxDiagnostics = 1000 // of one run
	maxEarlier     = 100
	maxWords       = 1000 // strings that are kept once
	maxWord        = 64   // their length

	// How many words and resources are found without a search in a map.
	recentWords     = 32
	recentResources = 64
)

// Add records an event: its Message as it is now, so a filter such as that of
// [uijson.RemoveSecrets] works if it comes first. A nil event is ignored.
func (t *Tracker) Add(ev *uijson.Event) {
	if ev == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	switch ev.Kind {
	case uijson.EventMessage:
		if ev.Message != nil {
			if p := ev.Prefix(); len(p) > 0 {
				t.run.signs.text(p, ev.Line)
			}
			t.message(ev.Message)
			t.run.signs.message(ev)
		}
	case uijson.EventLog:
		t.lines.Log++
	case uijson.EventJSON:
		t.lines.JSON++
		t.run.signs.document(ev)
		t.run.signs.foreign(ev)
	case uijson.EventText:
		t.lines.Text++
		t.run.signs.text(ev.Raw, ev.Line)
		t.run.signs.foreign(ev)
	case uijson.EventBlank:
		t.lines.Blank++
	case uijson.EventOversize:
		t.lines.Oversize++
		t.run.signs.oversize++
		t.remains(ev.Message)
	case uijson.EventPartial:
		t.lines.Partial++
		t.run.signs.partial++
		t.remains(ev.Message)
	case uijson.EventDamaged:
		t.lines.Damaged++
		t.run.signs.damaged++
		t.remains(ev.Message)
	}
}

// remains takes note of what is left of a damaged message, if it is about an error or a
// warning.
func (t *Tracker) remains(m *uijson.Message) {
	switch {
	case m == nil:
	case m.Diagnostic != nil:
		t.diagnostic(m.Diagnostic, m)
	case m.Level == uijson.LevelError:
		t.diagnostic(&uijson.Diagnostic{Severity: uijson.SeverityError, Summary: m.Text}, m)
	case m.Level == uijson.LevelWarn:
		t.diagnostic(&uijson.Diagnostic{Severity: uijson.SeverityWarning, Summary: m.Text}, m)
	}
}

// Exit records the exit status of the command, as returned by the ExitCode
// method of exec.ExitError; -1 means a signal. It makes the outcome certain,
// but does not end the run: the outcome is [OutcomeRunning] until [Tracker.End]
// is called. The two may be called in either order.
func (t *Tracker) Exit(code int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.exit = &code
}

// End reports the end of the stream to the Tracker. The error is the one that ended
// the stream, nil for its regular end. Only the first call counts.
func (t *Tracker) End(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	t.ended, t.endErr, t.endedAt = true, err, t.now(nil)
}

// now returns the time, of m if it is a replay.
func (t *Tracker) now(m *uijson.Message) time.Time {
	if !t.Replay {
		if t.Now != nil {
			return t.Now()
		}
		return time.Now()
	}
	if m != nil {
		if at, err := m.Time(); err == nil && at.After(t.clock) {
			t.clock = at
		}
	}
	return t.clock
}

// message takes note of a message.
func (t *Tracker) message(m *uijson.Message) {
	t.lines.Messages++
	var now time.Time // only where it is needed: it takes as long as the rest of many messages
	if t.Replay || t.run.started.IsZero() || m.Type == uijson.TypeVersion || m.Hook != nil && isTimed(m.Type) || m.TestRun != nil {
		now = t.now(m)
	}
	if m.Type == uijson.TypeVersion {
		t.begin(m)
	}
	r := &t.run
	if r.started.IsZero() {
		r.started = now
	}
	if r.phase == "" {
		r.phase = PhaseStart
	}
	if r.tool == "" {
		r.tool = m.Tool()
	}
	r.signs.messages++
	switch {
	case m.Hook != nil:
		t.hook(m, now)
	case m.Change != nil:
		t.change(m)
	case m.Diagnostic != nil:
		t.diagnostic(m.Diagnostic, m)
	case m.PolicyDiagnostic != nil:
		t.diagnostic(m.PolicyDiagnostic, m)
	case m.Changes != nil && m.Type == uijson.TypeChangeSummary:
		t.summary(m.Changes)
	case m.Type == uijson.TypeOutputs:
		t.output(m)
	case strings.HasPrefix(string(m.Type), "test_"):
		t.test(m, now)
	case strings.HasPrefix(string(m.Type), "list_"):
		t.list(m)
	default:
		t.other(m)
	}
	if m.Diagnostic == nil && m.PolicyDiagnostic == nil && (m.Level == uijson.LevelError || m.Level == uijson.LevelWarn) {
		severity := uijson.SeverityError
		if m.Level == uijson.LevelWarn {
			severity = uijson.SeverityWarning
		}
		t.diagnostic(&uijson.Diagnostic{Severity: severity, Summary: m.Text}, m)
	}
	r.signs.see(m)
}

// begin takes note of a version message: the beginning of a run. Some releases
// of OpenTofu repeat it in the middle of an init, so it counts as another run
// only if the tool is another one, or the run before has done something that
// an init does not do.
func (t *Tracker) begin(m *uijson.Message) {
	r := &t.run
	tool, version := m.Tool(), m.Version()
	if r.signs.messages > 0 && (r.version != "" && (r.tool != tool || r.version != version) || r.worked()) {
		outcome, reason := r.judge(nil, nil)
		result := RunResult{r.tool, r.version, r.operation, outcome, reason}
		if t.earlier == nil || outcome.worse(t.worst.Outcome) {
			t.worst = result
		}
		t.earlier = append(t.earlier, result)
		if len(t.earlier) > maxEarlier {
			t.earlier = t.earlier[1:]
		}
		t.run = run{work: resources{byAddr: reused(r.work.byAddr)}, found: diagnostics{byKey: reused(r.found.byKey)}}
	}
	r.tool = tool
	r.version, r.ui = t.keeper.word(version), t.keeper.word(m.UI)
	r.signs.version = r.signs.version || m.CheckVersion() != nil
}

// worked reports whether the run has done anything that an init does not do.
func (r *run) worked() bool {
	return len(r.work.list) > 0 || r.tally.forecast != nil || r.tally.reported != nil || r.tests.begun || len(r.lists.all) > 0 || r.outputs.final
}

// other takes note of messages with little more than text.
func (t *Tracker) other(m *uijson.Message) {
	r := &t.run
	r.signs.other(m)
	if m.Type == uijson.TypeMigrationErrored {
		t.diagnostic(&uijson.Diagnostic{Severity: uijson.SeverityError, Summary: m.Text}, m)
	}
	if r.signs.initializing && r.phase == PhaseStart {
		r.phase = PhaseInit
	}
	if m.Invocation != nil {
		r.plan()
		if m.Type == uijson.TypePlannedActionInvocation {
			r.tally.planned.Action++
		}
		if a := m.Invocation.ActionAddr; a != nil {
			s := r.work.action(&t.keeper, a)
			if s.Status == "" {
				s.Status = StatusPlanned
			}
		}
	}
}

// plan moves on to the planning.
func (r *run) plan() {
	if r.phase != PhaseApply && r.phase != PhaseDone {
		r.phase = PhasePlan
		if r.operation == "" {
			r.operation = uijson.OperationPlan
		}
	}
}

// Snapshot returns the present state of the run. It takes time in proportion to the
// number of resources: to show progress, call it at intervals, not for each event.
func (t *Tracker) Snapshot() *Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &t.run
	now := t.now(nil)
	if t.ended {
		now = t.endedAt
	}
	s := &Snapshot{
		Tool: r.tool, Version: r.version, UI: r.ui,
		Phase: r.phase, Outcome: OutcomeRunning, Operation: r.operation,
		Started: r.started, Updated: now,
		LockWaiting: r.signs.lockWaiting, Interrupted: r.signs.interrupted,
		Planned: r.tally.planned, Done: r.tally.done, Forecast: r.tally.forecast, Reported: r.tally.reported,
		Active: r.work.active, MaxActive: r.work.maxActive, Failed: r.work.failed, Drifted: r.work.drifted,
		Errors: r.found.errors, Warnings: r.found.warnings,
		Resources: slices.Clone(r.work.list), Diagnostics: slices.Clone(r.found.list),
		Outputs: slices.Clone(r.outputs.list), Tests: slices.Clone(r.tests.files), TestSummary: r.tests.summary,
		Lists: slices.Clone(r.lists.all), Lines: t.lines, Earlier: slices.Clone(t.earlier),
	}
	if s.Phase == "" {
		s.Phase = PhaseStart
	}
	if t.exit != nil {
		code := *t.exit
		s.Exit = &code
	}
	if !r.started.IsZero() {
		s.ElapsedSeconds = max(now.Sub(r.started), 0).Seconds()
	}
	if t.ended {
		s.Phase = PhaseDone
		s.Outcome, s.Reason = r.judge(t.exit, t.endErr)
		if t.earlier != nil && t.worst.Outcome.worse(s.Outcome) {
			s.Outcome, s.Reason = t.worst.Outcome, "an earlier run on the stream: "+t.worst.Reason
		}
		left := 0
		for _, f := range s.Tests {
			left += len(f.Leftovers)
		}
		if left > 0 {
			s.Reason += "; " + plural(left, "object") + " may be left behind"
		}
	} else if r.phase == PhaseApply {
		s.ETASeconds = r.eta(now)
	}
	t.keeper.gen++
	return s
}
