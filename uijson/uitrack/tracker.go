// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/uijson"
)

// A Tracker follows a run by its messages and knows at any moment how far it
// is. It may begin in the middle of a stream.
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
	// stream. If these step back, the clock stops until they catch up.
	Replay bool

	// TailLines is how many lines of a provisioner's output are kept.
	// If zero, 10.
	TailLines int

	mu  sync.Mutex
	gen uint64 // counts snapshots: parts of an older one are shared with it
	run run

	earlier []RunResult
	lines   LineCounts
	ended   bool
	endErr  error
	endedAt time.Time
	exit    *int
	clock   time.Time // the last time seen, for Replay

	words  map[string]string // short strings that messages repeat, kept once
	recent [recentWords]string
	memory memory
}

// A run is the tracker's model of one run of a tool.
type run struct {
	tool        addrs.Tool
	version, ui string
	phase       Phase
	operation   uijson.Operation
	started     time.Time
	lockWaiting bool
	interrupted bool

	planned, done      Counts
	forecast, reported *Counts
	active, maxActive  int
	failed, drifted    int
	errors, warnings   int

	resources   []*ResourceState
	latest      int      // the resource of the last message about one
	open        []string // the resources with cycles that settle has not looked at
	recent      [recentResources]int32
	diagnostics []*DiagnosticState
	outputs     []*OutputState
	tests       []*TestFileState
	testSummary *uijson.TestSummary
	lists       []*ListState

	byAddr map[string]int
	byDiag map[uint64]int
	byTest map[string]int
	byList map[string]int
	means  map[meanKey]*mean // of the operations on each type of resource

	// Evidence for the outcome.
	messages      int64
	last          uijson.Type
	began         bool // something was created, changed or destroyed, or will be
	openLists     int
	testing       bool
	outputsFinal  bool
	outputsChange bool
	initializing  bool
	initialized   bool
	dropped       int // diagnostics beyond the limit
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
			t.message(ev.Message)
		}
	case uijson.EventLog:
		t.lines.Log++
	case uijson.EventJSON:
		t.lines.JSON++
	case uijson.EventText:
		t.lines.Text++
	case uijson.EventBlank:
		t.lines.Blank++
	case uijson.EventOversize:
		t.lines.Oversize++
	case uijson.EventPartial:
		t.lines.Partial++
	}
}

// AddMessage records a message. A nil message is ignored.
func (t *Tracker) AddMessage(m *uijson.Message) {
	if m == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.message(m)
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

// End says that there will be no more events. The error is the one that ended
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
	r.messages++
	r.lockWaiting = m.Type == uijson.TypeStateLockAcquire
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
	switch m.Type {
	case uijson.TypeVersion, uijson.TypeStateLockRelease, uijson.TypeDiagnostic: // any of them may come at any time
	default:
		r.last = m.Type
	}
}

// begin takes note of a version message: the beginning of a run. Some releases
// of OpenTofu repeat it in the middle of an init, so it counts as another run
// only if the tool is another one, or the run before has done something that
// an init does not do.
func (t *Tracker) begin(m *uijson.Message) {
	r := &t.run
	tool, version := m.Tool(), m.Version()
	if r.messages > 0 && (r.version != "" && (r.tool != tool || r.version != version) || r.worked()) {
		outcome, reason := r.judge(nil, nil, false)
		t.earlier = append(t.earlier, RunResult{r.tool, r.version, r.operation, outcome, reason})
		if len(t.earlier) > maxEarlier {
			t.earlier = t.earlier[1:]
		}
		t.run = run{byAddr: reused(r.byAddr), byDiag: reused(r.byDiag)}
	}
	r.tool = tool
	r.version, r.ui = t.word(version), t.word(m.UI)
}

// worked reports whether the run has done anything that an init does not do.
func (r *run) worked() bool {
	return len(r.resources) > 0 || r.forecast != nil || r.reported != nil || r.testing || len(r.lists) > 0 || r.outputsFinal
}

// other takes note of messages with little more than text.
func (t *Tracker) other(m *uijson.Message) {
	r := &t.run
	switch m.Type {
	case uijson.TypeInitOutput:
		r.initializing = true
		if strings.HasPrefix(string(m.MessageCode), "output_init_") {
			r.initialized = true
		}
	case uijson.TypeLog:
		// The notices of an interrupt have no type of their own, and their
		// text has not changed in any release.
		if strings.Contains(m.Text, "nterrupt received") || strings.Contains(m.Text, "nterrupts received") {
			r.interrupted = true
		}
	case "", uijson.TypeOutput:
		// All that OpenTofu says in an init is text.
		if strings.HasPrefix(m.Text, "Initializing ") {
			r.initializing = true
		}
		if r.initializing && strings.Contains(m.Text, "initialized") {
			r.initialized = true
		}
	case uijson.TypeMigrationErrored:
		t.diagnostic(&uijson.Diagnostic{Severity: uijson.SeverityError, Summary: m.Text}, m)
	}
	if r.initializing && r.phase == PhaseStart {
		r.phase = PhaseInit
	}
	if m.Invocation != nil {
		r.plan()
		if m.Type == uijson.TypePlannedActionInvocation {
			r.planned.Action++
		}
		if a := m.Invocation.ActionAddr; a != nil {
			s := t.action(a)
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

// known returns the state for an address, to be changed, or nil if there is
// none.
func (t *Tracker) known(addr string) *ResourceState {
	r := &t.run
	i := r.latest // the next message is often about the same resource
	if i >= len(r.resources) || r.resources[i].Addr != addr {
		recent := &r.recent[place(addr)%recentResources]
		if i = int(*recent); i >= len(r.resources) || r.resources[i].Addr != addr {
			var ok bool
			if i, ok = r.byAddr[addr]; !ok {
				return nil
			}
			*recent = int32(i)
		}
		r.latest = i
	}
	s := r.resources[i]
	if s.gen == t.gen {
		return s
	}
	c := *s
	c.gen = t.gen
	c.Planned = slices.Clone(s.Planned)
	c.Cycles = slices.Clone(s.Cycles)
	for i := range c.Cycles {
		c.Cycles[i].Tail = slices.Clone(c.Cycles[i].Tail)
	}
	r.resources[i] = &c
	return &c
}

// place returns a number for s that says where it may be found. Texts that begin alike
// have different ones, mostly.
func place(s string) uint32 {
	h := uint32(len(s))
	for _, c := range []byte(s[max(0, len(s)-8):]) {
		h = h*31 + uint32(c)
	}
	return h ^ h>>7
}

// made returns the state for an address that has none yet.
func (t *Tracker) made(addr string) *ResourceState {
	r := &t.run
	if r.byAddr == nil {
		r.byAddr = make(map[string]int)
	}
	s := t.memory.resources.take()
	s.Addr, s.gen = t.memory.keep(addr), t.gen
	r.latest = len(r.resources)
	r.byAddr[s.Addr] = r.latest
	r.recent[place(addr)%recentResources] = int32(r.latest)
	r.resources = append(r.resources, s)
	return s
}

// resource returns the state of a resource, to be changed.
func (t *Tracker) resource(res *uijson.Resource) *ResourceState {
	s := t.known(res.Addr)
	if s == nil {
		s = t.made(res.Addr)
		s.Module, s.Type = t.part(s.Addr, res.Module), t.part(s.Addr, res.ResourceType)
		s.Mode = string(res.Mode())
	}
	return s
}

// action returns the state of an action, to be changed.
func (t *Tracker) action(a *uijson.ActionAddress) *ResourceState {
	s := t.known(a.Addr)
	if s == nil {
		s = t.made(a.Addr)
		s.Module, s.Type, s.Mode = t.part(s.Addr, a.Module), t.part(s.Addr, a.ActionType), "action"
	}
	return s
}

// part returns s, as a part of addr if it is one: then it needs no memory of its own.
func (t *Tracker) part(addr, s string) string {
	if s == "" {
		return ""
	}
	if i := strings.Index(addr, s); i >= 0 {
		return addr[i : i+len(s)]
	}
	return t.word(s)
}

// word returns a string that does not keep the message alive. Those that
// messages repeat, such as actions and types, are kept once.
func (t *Tracker) word(s string) string {
	if s == "" {
		return ""
	}
	recent := &t.recent[place(s)%recentWords]
	if *recent == s {
		return *recent
	}
	w, ok := t.words[s]
	if !ok {
		w = strings.Clone(s)
		if len(w) > maxWord || len(t.words) >= maxWords {
			return w
		}
		if t.words == nil {
			t.words = make(map[string]string)
		}
		t.words[w] = w
	}
	*recent = w
	return w
}

// change takes note of a planned change, or of one made outside.
func (t *Tracker) change(m *uijson.Message) {
	r, c := &t.run, m.Change
	r.plan()
	if c.Resource == nil {
		return
	}
	s := t.resource(c.Resource)
	if m.Type == uijson.TypeResourceDrift {
		if s.Drift == "" {
			r.drifted++
		}
		s.Drift = t.verb(c.Action)
		return
	}
	p := PlannedChange{
		Action:    t.verb(c.Action),
		Reason:    uijson.Reason(t.word(string(c.Reason))),
		Importing: c.Importing != nil || c.Action == uijson.ActionImport,
	}
	if c.PreviousResource != nil {
		p.PreviousAddr = strings.Clone(c.PreviousResource.Addr)
	}
	if s.Planned == nil {
		s.Planned = t.memory.planned.list()
	}
	s.Planned = append(s.Planned, p)
	r.planned.plan(p)
	if s.Status == "" && p.works() {
		s.Status = StatusPlanned
	}
}

// summary takes note of the tool's own counts.
func (t *Tracker) summary(c *uijson.ChangeSummary) {
	r := &t.run
	counts := countsOf(c)
	r.operation = uijson.Operation(t.word(string(c.Operation)))
	if c.Operation == uijson.OperationPlan {
		r.forecast = &counts
		r.plan()
		t.settle()
		return
	}
	t.settle()
	r.reported = &counts
	r.phase = PhaseDone
}

// settle ends the reading of data sources that the tool has reported no end
// of: when the plan or the apply is summed up, or a refresh shows the outputs,
// nothing is read any more. Data sources in check blocks fail like this.
func (t *Tracker) settle() {
	r := &t.run
	open := r.open
	r.open = r.open[:0]
	for _, addr := range open {
		s := t.known(addr)
		s.open = false
		for i := range s.Cycles {
			if c := &s.Cycles[i]; c.Status == StatusRunning && (!r.began || c.Action == uijson.ActionRead || c.Action == ActionRefresh) {
				c.Status, c.Ended = StatusFailed, t.now(nil)
				r.active--
			}
		}
		s.Status = s.status()
	}
}

// output takes note of the root outputs: the form of the plan, which has
// actions, and that of the apply, which has types and values.
func (t *Tracker) output(m *uijson.Message) {
	r := &t.run
	final := true
	for _, o := range m.Outputs {
		if o == nil {
			continue
		}
		if o.Action != "" {
			final = false
		}
		if o.Action != "" && o.Action != uijson.ActionNoOp {
			r.outputsChange = true
		}
	}
	if final {
		r.outputsFinal = true
		t.settle()
	}
	for name, o := range m.Outputs {
		if o == nil {
			continue
		}
		i, ok := slices.BinarySearchFunc(r.outputs, name, func(s *OutputState, name string) int {
			return strings.Compare(s.Name, name)
		})
		s := new(OutputState)
		if ok {
			*s = *r.outputs[i]
		} else {
			s.Name = strings.Clone(name)
			r.outputs = slices.Insert(r.outputs, i, s)
		}
		// The plan also hides the value of an output that was sensitive before.
		s.Sensitive = o.Sensitive
		if o.Action != "" {
			s.Action = t.verb(o.Action)
		}
		if o.Type != nil {
			s.Type = bytes.Clone(o.Type)
		}
		s.Value = nil
		if !s.Sensitive {
			s.Value = bytes.Clone(o.Value)
		}
		r.outputs[i] = s
	}
}

// list takes note of the results of a query.
func (t *Tracker) list(m *uijson.Message) {
	r := &t.run
	r.phase = PhaseQuery
	var addr string
	switch {
	case m.ListStart != nil:
		addr = m.ListStart.Address
		r.openLists++
	case m.ListResourceFound != nil:
		addr = m.ListResourceFound.Address
	case m.ListComplete != nil:
		addr = m.ListComplete.Address
		r.openLists--
	default:
		return
	}
	i, ok := r.byList[addr]
	if !ok {
		if r.byList == nil {
			r.byList = make(map[string]int)
		}
		addr = strings.Clone(addr)
		i = len(r.lists)
		r.byList[addr] = i
		r.lists = append(r.lists, &ListState{Address: addr, gen: t.gen})
	}
	s := r.lists[i]
	if s.gen != t.gen {
		c := *s
		c.gen = t.gen
		s = &c
		r.lists[i] = s
	}
	if m.ListResourceFound != nil {
		s.Found++
	}
	if m.ListComplete != nil {
		total := m.ListComplete.Total
		s.Total = &total
	}
}

// Snapshot returns the present state of the run. It takes time in proportion to the
// number of resources: to show progress, call it by a clock and not for each event.
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
		LockWaiting: r.lockWaiting, Interrupted: r.interrupted,
		Planned: r.planned, Done: r.done, Forecast: r.forecast, Reported: r.reported,
		Active: r.active, MaxActive: r.maxActive, Failed: r.failed, Drifted: r.drifted,
		Errors: r.errors, Warnings: r.warnings,
		Resources: slices.Clone(r.resources), Diagnostics: slices.Clone(r.diagnostics),
		Outputs: slices.Clone(r.outputs), Tests: slices.Clone(r.tests), TestSummary: r.testSummary,
		Lists: slices.Clone(r.lists), Lines: t.lines, Earlier: slices.Clone(t.earlier),
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
		s.Outcome, s.Reason = r.judge(t.exit, t.endErr, t.lines.Partial > 0)
	} else if r.phase == PhaseApply {
		s.ETASeconds = r.eta(now)
	}
	t.gen++
	return s
}
