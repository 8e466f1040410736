// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// A tally has the counts of a run.
type tally struct {
	planned, done      Counts
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
			}
		}
		s.Status = s.status()
	}
}
