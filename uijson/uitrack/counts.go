// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/uijson"
)

// Counts says how many resource instances each kind of change affects. A
// replacement counts as one to add and one to remove.
type Counts struct {
	Add    int64 `json:"add"`              // to be created, or created
	Change int64 `json:"change"`           // updated in place
	Import int64 `json:"import"`           // imported
	Remove int64 `json:"remove"`           // destroyed
	Forget int64 `json:"forget"`           // removed from the state without being destroyed
	Move   int64 `json:"move,omitempty"`   // in no tool's summary
	Read   int64 `json:"read,omitempty"`   // data sources; in no tool's summary
	Action int64 `json:"action,omitempty"` // invocations of actions, failed ones included

	// ActionFailed is the number of invocations of actions that failed.
	// Terraform 1.16 and newer report it.
	ActionFailed int64 `json:"action_failed,omitempty"`
}

// IsZero reports whether nothing changes. Reads of data sources are not
// changes.
func (c Counts) IsZero() bool {
	c.Read = 0
	return c == Counts{}
}

// countsOf returns the counts of a summary.
func countsOf(c *uijson.ChangeSummary) Counts {
	return Counts{
		Add: max(c.Add, 0), Change: max(c.Change, 0), Import: max(c.Import, 0), Remove: max(c.Remove, 0), Forget: max(c.Forget, 0),
		Action: max(c.ActionInvocation, 0), ActionFailed: max(c.ActionFail, 0),
	}
}

// plan adds a planned change.
func (c *Counts) plan(p PlannedChange) {
	if p.Importing {
		c.Import++
	}
	switch p.Action {
	case uijson.ActionCreate:
		c.Add++
	case uijson.ActionUpdate:
		c.Change++
	case uijson.ActionDelete:
		c.Remove++
	case uijson.ActionReplace:
		c.Add++
		c.Remove++
	case uijson.ActionForget:
		c.Forget++
	case uijson.ActionMove:
		c.Move++
	case uijson.ActionRead:
		c.Read++
	case uijson.ActionNoOp:
		if p.Reason != "" {
			// OpenTofu announces "forget, then create" like this.
			c.Add++
			c.Forget++
		}
	}
}

// operations returns the cycles that a planned change leads to.
func (p PlannedChange) operations() []uijson.Action {
	switch p.Action {
	case uijson.ActionCreate, uijson.ActionUpdate, uijson.ActionDelete, uijson.ActionRead:
		return []uijson.Action{p.Action}
	case uijson.ActionReplace:
		return []uijson.Action{uijson.ActionDelete, uijson.ActionCreate}
	case uijson.ActionNoOp:
		if p.Reason != "" {
			return []uijson.Action{uijson.ActionCreate}
		}
	}
	return nil
}

// works reports whether the change leads to any.
func (p PlannedChange) works() bool {
	switch p.Action {
	case uijson.ActionCreate, uijson.ActionUpdate, uijson.ActionDelete, uijson.ActionRead, uijson.ActionReplace:
		return true
	}
	return p.Action == uijson.ActionNoOp && p.Reason != ""
}

// finish adds an operation that is complete.
func (c *Counts) finish(action uijson.Action) {
	switch action {
	case uijson.ActionCreate:
		c.Add++
	case uijson.ActionUpdate:
		c.Change++
	case uijson.ActionDelete:
		c.Remove++
	case uijson.ActionRead:
		c.Read++
	case ActionInvoke:
		c.Action++
	}
}

// A CountDifference is a count on which the plan, the operations and the tool's
// summary disagree, with the reason.
type CountDifference struct {
	What     string `json:"what"` // "add", "change", "import", "remove", "forget" or "action"
	Planned  int64  `json:"planned"`
	Done     int64  `json:"done"`
	Reported *int64 `json:"reported,omitempty"` // nil if the tool has given no summary
	Why      string `json:"why"`
}

// Differences compares the planned operations, the operations seen, and the
// totals that the tool reports, and explains where they differ. It is meant for
// the end of an apply. There are none before the apply begins: a plan is not an
// apply that did nothing.
func (s *Snapshot) Differences() []CountDifference {
	if s == nil || !s.applies() {
		return nil
	}
	var all []CountDifference
	compare := func(what string, count func(Counts) int64) {
		d := CountDifference{What: what, Planned: count(s.Planned), Done: count(s.Done)}
		if s.Reported != nil {
			n := count(*s.Reported)
			d.Reported = &n
		}
		if d.Planned == d.Done && (d.Reported == nil || *d.Reported == d.Done) {
			return
		}
		d.Why = s.why(d)
		all = append(all, d)
	}
	compare("add", func(c Counts) int64 { return c.Add })
	compare("change", func(c Counts) int64 { return c.Change })
	compare("import", func(c Counts) int64 { return c.Import })
	compare("remove", func(c Counts) int64 { return c.Remove })
	compare("forget", func(c Counts) int64 { return c.Forget })
	compare("action", func(c Counts) int64 { return c.Action })
	return all
}

// applies reports whether the run has begun to apply something.
func (s *Snapshot) applies() bool {
	return s.Operation != "" && s.Operation != uijson.OperationPlan
}

// why explains a difference.
func (s *Snapshot) why(d CountDifference) string {
	reported := int64(-1)
	if d.Reported != nil {
		reported = *d.Reported
	}
	if d.What == "import" || d.What == "forget" {
		return s.whyUnseen(d, reported)
	}
	switch {
	case d.What == "action" && d.Planned < d.Done && (reported < 0 || reported == d.Done):
		return "the apply of a saved plan does not announce actions"
	case s.Outcome == OutcomeRunning && s.Phase != PhaseDone:
		return "the apply is not finished"
	case d.Done < d.Planned && s.Interrupted && reported < 0:
		return "the run was interrupted"
	case d.Done < d.Planned && s.Errors > 0 && reported < 0:
		return "operations failed, and what depends on them was not begun"
	case reported >= 0 && reported > d.Done:
		return "operations were not seen: the beginning or a part of the stream is missing"
	case reported >= 0 && reported < d.Done && d.What == "add":
		return "the tool does not count objects that it creates anew after forgetting them"
	case d.Done > d.Planned:
		return "changes were not announced: the beginning or a part of the stream is missing"
	case reported < 0:
		return "the run ended before everything was done"
	}
	return "the tool dropped changes that proved unnecessary while applying"
}

// whyUnseen explains a difference in what no message reports when it happens.
func (s *Snapshot) whyUnseen(d CountDifference, reported int64) string {
	switch {
	case reported == d.Planned:
		return "no message says when an object is imported or forgotten; the summary does"
	case d.What == "forget" && s.Tool == addrs.Terraform:
		return "Terraform does not count objects that it forgets"
	case reported < 0:
		return "no message says when an object is imported or forgotten, and there is no summary"
	case d.What == "import" && d.Planned < reported:
		return "the apply of a saved plan does not announce imports"
	}
	return "the plan and the apply count objects that are forgotten and created anew in different ways"
}

// A tally has the counts of a run.
type tally struct {
	planned, done      Counts
	replaced           int64   // how many of those planned to be removed are to be replaced
	forecast, reported *Counts // by the tool, of the plan and of the apply
}

// change takes note of a planned change, or of one made outside.
func (t *Tracker) change(m *uijson.Message) {
	r, c := &t.run, m.Change
	r.plan()
	if c.Resource == nil {
		return
	}
	s := r.work.resource(&t.keeper, c.Resource)
	if m.Type == uijson.TypeResourceDrift {
		if s.Drift == "" {
			r.work.drifted++
		}
		s.Drift = t.keeper.verb(c.Action)
		return
	}
	p := PlannedChange{
		Action:    t.keeper.verb(c.Action),
		Reason:    uijson.Reason(t.keeper.word(string(c.Reason))),
		Importing: c.Importing != nil || c.Action == uijson.ActionImport,
	}
	if c.PreviousResource != nil {
		p.PreviousAddr = strings.Clone(c.PreviousResource.Addr)
	}
	if s.Planned == nil {
		s.Planned = t.keeper.memory.planned.list()
	}
	s.Planned = append(s.Planned, p)
	r.tally.planned.plan(p)
	if p.Action == uijson.ActionReplace {
		r.tally.replaced++
	}
	if s.Status == "" && p.works() {
		s.Status = StatusPlanned
	}
}

// summary takes note of the tool's own counts.
func (t *Tracker) summary(c *uijson.ChangeSummary) {
	r := &t.run
	counts := countsOf(c)
	r.operation = uijson.Operation(t.keeper.word(string(c.Operation)))
	if c.Operation == uijson.OperationPlan {
		r.tally.forecast = &counts
		r.plan()
		t.settle()
		return
	}
	t.settle()
	r.tally.reported = &counts
	r.phase = PhaseDone
}

// settle ends the reading of data sources that the tool has reported no end
// of: when the plan or the apply is summed up, or a refresh shows the outputs,
// nothing is read any more. Data sources in check blocks fail like this.
func (t *Tracker) settle() {
	r := &t.run
	open := r.work.open
	r.work.open = r.work.open[:0]
	for _, addr := range open {
		s := r.work.known(&t.keeper, addr)
		s.open = false
		for i := range s.Cycles {
			if c := &s.Cycles[i]; c.Status == StatusRunning && (!r.signs.began || c.Action == uijson.ActionRead || c.Action == ActionRefresh) {
				c.Status, c.Ended = StatusFailed, t.now(nil)
				r.work.active--
				r.work.unended++
			}
		}
		s.Status = s.status()
	}
}
