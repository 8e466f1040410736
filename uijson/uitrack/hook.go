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
		s = t.resource(a.Addr, func(s *ResourceState) {
			s.Module, s.Type, s.Mode = t.word(a.Module), t.word(a.ActionType), "action"
		})
	} else {
		if h.Resource == nil {
			return
		}
		s = t.resource(h.Resource.Addr, t.describe(h.Resource))
	}
	if st == stageNone {
		t.provision(s, m)
		return
	}
	c := s.running(action)
	if c == nil {
		c = s.start(uijson.Action(t.word(string(action))))
		if st == stageStart {
			c.Started = now
		}
		if st == stageStart || st == stageProgress {
			r.active++
			r.maxActive = max(r.maxActive, r.active)
		}
	} else if st == stageStart && !c.Started.IsZero() {
		// A second one of the same kind: of a deposed object.
		c = s.start(c.Action)
		c.Started = now
		r.active++
		r.maxActive = max(r.maxActive, r.active)
	} else if st == stageComplete || st == stageErrored {
		r.active--
	}
	if h.ElapsedSeconds != nil {
		n := *h.ElapsedSeconds
		c.Reported = &n
	}
	if h.IDKey != "" && c.IDValue != h.IDValue {
		c.IDKey, c.IDValue = t.word(h.IDKey), strings.Clone(h.IDValue)
	}
	if text := h.Message + h.Error; text != "" {
		c.Message = strings.Clone(text)
	}
	switch st {
	case stageComplete:
		c.Status, c.Ended, c.Provisioning = StatusDone, now, false
		r.done.finish(c.Action)
		r.learn(s.Type, c)
	case stageErrored:
		c.Status, c.Ended, c.Provisioning = StatusFailed, now, false
		r.failed++
		if c.Action == ActionInvoke { // the tool counts it as invoked and as failed
			r.done.Action++
			r.done.ActionFailed++
		}
	}
	s.Status = s.status()
}

// hookPhase infers the phase of the run.
func (t *Tracker) hookPhase(action uijson.Action) {
	r := &t.run
	switch action {
	case ActionRefresh, uijson.ActionOpen, uijson.ActionRenew, uijson.ActionClose, uijson.ActionRead:
		// These occur while planning and while applying.
		if r.phase == PhaseStart {
			r.phase = PhaseRefresh
		}
	default:
		r.began = true
		r.phase = PhaseApply
		if r.operation == "" || r.operation == uijson.OperationPlan {
			r.operation = uijson.OperationApply
		}
	}
}

// provision takes note of a provisioner's progress.
func (t *Tracker) provision(s *ResourceState, m *uijson.Message) {
	h := m.Hook
	var c *Cycle
	for i := range s.Cycles {
		if s.Cycles[i].Status == StatusRunning && (s.Cycles[i].Action == uijson.ActionCreate || s.Cycles[i].Action == uijson.ActionDelete) {
			c = &s.Cycles[i]
		}
	}
	if c == nil {
		c = s.start(uijson.ActionCreate) // its beginning was not seen
		t.run.active++
		t.run.maxActive = max(t.run.maxActive, t.run.active)
		s.Status = s.status()
	}
	if c.Provisioner != h.Provisioner {
		c.Provisioner = t.word(h.Provisioner)
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

// running returns the first cycle of this action that is running, or nil.
func (s *ResourceState) running(action uijson.Action) *Cycle {
	for i := range s.Cycles {
		if c := &s.Cycles[i]; c.Status == StatusRunning && c.Action == action {
			return c
		}
	}
	return nil
}

// start adds a cycle, and forgets the oldest one that is over if there are too
// many.
func (s *ResourceState) start(action uijson.Action) *Cycle {
	if len(s.Cycles) >= maxCycles {
		i := slices.IndexFunc(s.Cycles, func(c Cycle) bool { return c.Status != StatusRunning })
		s.Cycles = slices.Delete(s.Cycles, max(i, 0), max(i, 0)+1)
	}
	s.Cycles = append(s.Cycles, Cycle{Action: action, Status: StatusRunning})
	return &s.Cycles[len(s.Cycles)-1]
}

// status returns the status that the cycles add up to.
func (s *ResourceState) status() Status {
	status := Status("")
	if len(s.Planned) > 0 {
		status = StatusPlanned
	}
	for i := range s.Cycles {
		switch c := &s.Cycles[i]; {
		case c.Status == StatusFailed:
			return StatusFailed
		case c.Action == ActionRefresh && c.Status == StatusDone && status == StatusPlanned:
			// The real work is still to come.
		default:
			status = c.Status
		}
	}
	return status
}

// Running returns the cycle that runs, the first one if there are several, or
// nil.
func (s *ResourceState) Running() *Cycle {
	if s == nil {
		return nil
	}
	for i := range s.Cycles {
		if s.Cycles[i].Status == StatusRunning {
			return &s.Cycles[i]
		}
	}
	return nil
}
