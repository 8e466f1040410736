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

// verb returns an action that does not keep the message alive.
func (t *Tracker) verb(a uijson.Action) uijson.Action {
	switch a {
	case uijson.ActionNoOp:
		return uijson.ActionNoOp
	case uijson.ActionCreate:
		return uijson.ActionCreate
	case uijson.ActionRead:
		return uijson.ActionRead
	case uijson.ActionUpdate:
		return uijson.ActionUpdate
	case uijson.ActionReplace:
		return uijson.ActionReplace
	case uijson.ActionDelete:
		return uijson.ActionDelete
	case ActionRefresh:
		return ActionRefresh
	case ActionInvoke:
		return ActionInvoke
	}
	return uijson.Action(t.word(string(a)))
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
		s = t.action(a)
	} else {
		if h.Resource == nil {
			return
		}
		s = t.resource(h.Resource)
	}
	if st == stageNone {
		t.provision(s, m)
		return
	}
	c := s.running(action)
	if c == nil {
		c = t.start(s, t.verb(action))
		if st == stageStart {
			c.Started = now
		}
		if st == stageStart || st == stageProgress {
			r.active++
			r.maxActive = max(r.maxActive, r.active)
		}
	} else if st == stageStart && !c.Started.IsZero() {
		// A second one of the same kind: of a deposed object.
		c = t.start(s, c.Action)
		c.Started = now
		r.active++
		r.maxActive = max(r.maxActive, r.active)
	} else if st == stageComplete || st == stageErrored {
		r.active--
	}
	if n := h.ElapsedSeconds; n != nil && (c.Reported == nil || *c.Reported != *n) {
		c.Reported = t.memory.seconds.take()
		*c.Reported = *n
	}
	if h.IDKey != "" && c.IDValue != h.IDValue {
		c.IDKey, c.IDValue = t.word(h.IDKey), t.memory.keep(h.IDValue)
	}
	if h.Message != "" || h.Error != "" {
		c.Message = strings.Clone(h.Message + h.Error)
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
		c = t.start(s, uijson.ActionCreate) // its beginning was not seen
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
func (t *Tracker) start(s *ResourceState, action uijson.Action) *Cycle {
	if len(s.Cycles) >= maxCycles {
		i := slices.IndexFunc(s.Cycles, func(c Cycle) bool { return c.Status != StatusRunning })
		s.Cycles = slices.Delete(s.Cycles, max(i, 0), max(i, 0)+1)
	}
	if s.Cycles == nil {
		s.Cycles = t.memory.cycles.list()
	}
	s.Cycles = append(s.Cycles, Cycle{Action: action, Status: StatusRunning})
	if !s.open {
		s.open = true
		t.run.open = append(t.run.open, s.Addr)
	}
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
