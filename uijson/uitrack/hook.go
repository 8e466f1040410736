// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"slices"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
)

// A stage is the stage of an operation that a hook message reports.
type stage int

const (
	stageNone stage = iota
	stageStart
	stageProgress
	stageComplete
	stageErrored
)

// step returns the action of a hook message and the stage it has reached, in
// one vocabulary for both tools. Provisioners are not actions of their own;
// they belong to a running create or delete.
func step(m *uijson.Message) (uijson.Action, stage) {
	h := m.Hook
	switch m.Type {
	case uijson.TypeApplyStart:
		return h.Action, stageStart
	case uijson.TypeApplyProgress:
		return h.Action, stageProgress
	case uijson.TypeApplyComplete:
		return h.Action, stageComplete
	case uijson.TypeApplyErrored:
		return h.Action, stageErrored
	case uijson.TypeRefreshStart:
		return ActionRefresh, stageStart
	case uijson.TypeRefreshComplete:
		return ActionRefresh, stageComplete
	case uijson.TypeEphemeralOpStart, uijson.TypeEphemeralActionStarted:
		return h.Ephemeral(), stageStart
	case uijson.TypeEphemeralOpProgress:
		return h.Ephemeral(), stageProgress
	case uijson.TypeEphemeralOpComplete, uijson.TypeEphemeralActionComplete:
		return h.Ephemeral(), stageComplete
	case uijson.TypeEphemeralOpErrored:
		return h.Ephemeral(), stageErrored
	case uijson.TypeActionStart:
		return ActionInvoke, stageStart
	case uijson.TypeActionProgress:
		return ActionInvoke, stageProgress
	case uijson.TypeActionComplete:
		return ActionInvoke, stageComplete
	case uijson.TypeActionErrored:
		return ActionInvoke, stageErrored
	}
	return "", stageNone
}

// isTimed reports whether the time of a message about work in progress matters.
func isTimed(typ uijson.Type) bool {
	switch typ {
	case uijson.TypeApplyProgress, uijson.TypeEphemeralOpProgress, uijson.TypeActionProgress,
		uijson.TypeProvisionStart, uijson.TypeProvisionProgress, uijson.TypeProvisionComplete, uijson.TypeProvisionErrored:
		return false
	}
	return true
}

// hook takes note of work in progress.
func (t *Tracker) hook(m *uijson.Message, now time.Time) {
	r, h := &t.run, m.Hook
	action, st := step(m)
	t.hookPhase(action)
	var s *ResourceState
	if action == ActionInvoke {
		a := h.ActionAddr
		if a == nil {
			return
		}
		s = r.work.action(&t.keeper, a)
	} else {
		if h.Resource == nil {
			return
		}
		s = r.work.resource(&t.keeper, h.Resource)
	}
	if st == stageNone {
		t.provision(s, m)
		return
	}
	c := s.running(action)
	if c == nil {
		c = r.work.start(&t.keeper, s, t.keeper.verb(action))
		if st == stageStart {
			c.Started = now
		}
		if st == stageStart || st == stageProgress {
			r.work.active++
			r.work.maxActive = max(r.work.maxActive, r.work.active)
		}
	} else if st == stageStart && !c.Started.IsZero() {
		// A second one of the same kind: of a deposed object.
		c = r.work.start(&t.keeper, s, c.Action)
		c.Started = now
		r.work.active++
		r.work.maxActive = max(r.work.maxActive, r.work.active)
	} else if st == stageComplete || st == stageErrored {
		r.work.active--
	}
	if n := h.ElapsedSeconds; n != nil && (c.Reported == nil || *c.Reported != *n) {
		c.Reported = t.keeper.memory.seconds.take()
		*c.Reported = *n
	}
	if h.IDKey != "" && c.IDValue != h.IDValue {
		c.IDKey, c.IDValue = t.keeper.word(h.IDKey), t.keeper.memory.keep(h.IDValue)
	}
	if h.Message != "" || h.Error != "" {
		c.Message = strings.Clone(h.Message + h.Error)
	}
	switch st {
	case stageComplete:
		c.Status, c.Ended, c.Provisioning = StatusDone, now, false
		r.tally.done.finish(c.Action)
		r.pace.learn(s.Type, c)
	case stageErrored:
		c.Status, c.Ended, c.Provisioning = StatusFailed, now, false
		r.work.failed++
		if c.Action == ActionInvoke { // the tool counts it as invoked and as failed
			r.tally.done.Action++
			r.tally.done.ActionFailed++
		}
	}
	s.Status = s.status()
}

// hookPhase infers the phase of the run.
func (t *Tracker) hookPhase(action uijson.Action) {
	r := &t.run
	if r.tally.forecast != nil {
		r.signs.began = true // a plan reads nothing after its summary
	}
	switch action {
	case ActionRefresh, uijson.ActionOpen, uijson.ActionRenew, uijson.ActionClose, uijson.ActionRead:
		// These occur while planning and while applying.
		if r.phase == PhaseStart {
			r.phase = PhaseRefresh
		}
	default:
		r.signs.began = true
		r.phase = PhaseApply
		if r.operation == "" || r.operation == uijson.OperationPlan {
			r.operation = uijson.OperationApply
		}
	}
}

// provision takes note of a provisioner's progress.
func (t *Tracker) provision(s *ResourceState, m *uijson.Message) {
	r, h := &t.run, m.Hook
	var c *Cycle
	for i := range s.Cycles {
		if s.Cycles[i].Status == StatusRunning && (s.Cycles[i].Action == uijson.ActionCreate || s.Cycles[i].Action == uijson.ActionDelete) {
			c = &s.Cycles[i]
		}
	}
	if c == nil {
		c = r.work.start(&t.keeper, s, uijson.ActionCreate) // its beginning was not seen
		t.run.work.active++
		t.run.work.maxActive = max(t.run.work.maxActive, t.run.work.active)
		s.Status = s.status()
	}
	if c.Provisioner != h.Provisioner {
		c.Provisioner = t.keeper.word(h.Provisioner)
	}
	switch m.Type {
	case uijson.TypeProvisionStart:
		c.Provisioning = true
	case uijson.TypeProvisionProgress:
		c.Provisioning = true
		limit := t.TailLines
		if limit <= 0 {
			limit = 10
		}
		if len(c.Tail) >= limit {
			c.Tail = slices.Delete(c.Tail, 0, len(c.Tail)-limit+1)
		}
		c.Tail = append(c.Tail, strings.Clone(h.Output))
	case uijson.TypeProvisionComplete, uijson.TypeProvisionErrored:
		c.Provisioning = false
	}
}
