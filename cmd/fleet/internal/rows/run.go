// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rows

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A run is a message stream that is being read.
type run struct {
	*maker
	tracker     uitrack.Tracker
	open        map[operation]begun
	first, last time.Time
	faults      int
}

// An operation is one that has begun.
type operation struct {
	address string
	action  uijson.Action
}

type begun struct {
	at     int64
	when   time.Time
	module string
	typ    string
}

// maxFaults is how many faults of single lines of a stream have rows.
const maxFaults = 100

func (m *maker) stream(src io.Reader) error {
	r := &run{maker: m, open: make(map[operation]begun)}
	r.tracker.Replay = true
	var end error
	for ev, err := range uijson.NewReader(src, uijson.Hold()).Borrowed() {
		if err != nil {
			if end = err; faultOf(err) == nil {
				return err // of the source
			}
			break
		}
		if err := r.event(ev); err != nil {
			return err
		}
	}
	r.tracker.End(end)
	return r.end(end)
}

func (r *run) event(ev *uijson.Event) error {
	m := ev.Message
	if m == nil || ev.Kind != uijson.EventMessage {
		r.tracker.Add(ev)
		if ev.Kind == uijson.EventOversize || ev.Kind == uijson.EventPartial || ev.Kind == uijson.EventDamaged {
			return r.fault(ev, ev.Err)
		}
		return nil
	}
	if ev.Err != nil {
		if err := r.fault(ev, ev.Err); err != nil {
			return err
		}
	}
	if !r.options.Reveal {
		keep := uijson.UnmarkedIdentities | uijson.UnmarkedInstanceKeys
		if r.options.KeepUnmarked {
			keep |= uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedExtra
		}
		m.Redact(keep)
	}
	r.tracker.Add(ev)
	at := ev.Offset
	when, err := m.Time()
	if err == nil {
		if r.first.IsZero() {
			r.first = when
		}
		if when.After(r.last) {
			r.last = when
		}
	}
	if version := m.Version(); version != "" && r.info.toolVersion == "" {
		r.info.tool, r.info.toolVersion, r.info.formatVersion = string(m.Tool()), version, m.UI
	}
	switch {
	case m.Diagnostic != nil:
		return r.diagnostic(at, m.Diagnostic)
	case m.Change != nil && m.Change.Resource != nil:
		return r.change(at, m)
	case m.Hook != nil:
		return r.hook(at, when, m)
	case m.Type == "" && (m.IsError() || m.IsWarning()):
		severity := "warning"
		if m.IsError() {
			severity = "error"
		}
		return r.row(Diagnostics, at, severity, m.Text, nil, nil, nil, nil)
	}
	return nil
}

// fault passes on the fault of one line, which does not end the reading.
func (r *run) fault(ev *uijson.Event, cause error) error {
	if r.faults++; r.faults > maxFaults {
		return nil
	}
	if cause == nil {
		cause = errors.New("the line is too long, or cut off")
	}
	column := int64(1)
	if f := faultOf(cause); f != nil {
		cause = f.Err
	}
	return r.add(Row{Faults, []any{nil, r.doc.ID, ev.Offset, ev.Line, column, nil, cause.Error()}})
}

func (r *run) diagnostic(at int64, d *uijson.Diagnostic) error {
	var filename, line any
	if d.Range != nil {
		filename, line = null(d.Range.Filename), int64(d.Range.Start.Line)
	}
	return r.row(Diagnostics, at, string(d.Severity), d.Summary, null(d.Detail), null(d.Address), filename, line)
}

// words are the actions of streams that plans call something else.
var words = map[uijson.Action]string{uijson.ActionNoOp: string(planjson.ActionNoOp), "remove": string(planjson.ActionForget)}

func (r *run) change(at int64, m *uijson.Message) error {
	c := m.Change
	word, ok := words[c.Action]
	if !ok {
		word = string(c.Action)
	}
	a := c.Resource
	var previous any
	if c.PreviousResource != nil {
		previous = null(c.PreviousResource.Addr)
	}
	key := r.raw(a.ResourceKey)
	if m.Type == uijson.TypeResourceDrift {
		return r.row(Drift, at, a.Addr, null(a.Module), string(a.Mode()), a.ResourceType, a.ResourceName, key, nil, nil, word)
	}
	return r.row(Changes, at, a.Addr, previous, null(a.Module), string(a.Mode()), a.ResourceType, a.ResourceName, key, nil, nil, word,
		word == "delete" || word == "replace", null(c.Reason), c.Importing != nil, nil)
}

// hook takes the beginning or the end of an operation.
func (r *run) hook(at int64, when time.Time, m *uijson.Message) error {
	h := m.Hook
	if h.Resource == nil {
		return nil
	}
	op := operation{h.Resource.Addr, h.Action}
	status := "done"
	switch m.Type {
	case uijson.TypeApplyStart, uijson.TypeRefreshStart, uijson.TypeEphemeralOpStart:
		if m.Type == uijson.TypeRefreshStart {
			op.action = uitrack.ActionRefresh
		}
		r.open[op] = begun{at, when, h.Resource.Module, h.Resource.ResourceType}
		return nil
	case uijson.TypeApplyComplete, uijson.TypeEphemeralOpComplete:
	case uijson.TypeRefreshComplete:
		op.action = uitrack.ActionRefresh
	case uijson.TypeApplyErrored, uijson.TypeEphemeralOpErrored:
		status = "failed"
	default:
		return nil
	}
	b, ok := r.open[op]
	delete(r.open, op)
	if !ok {
		b = begun{at: at, module: h.Resource.Module, typ: h.Resource.ResourceType}
	}
	var took any
	switch {
	case !b.when.IsZero() && !when.Before(b.when):
		took = when.Sub(b.when).Milliseconds()
	case h.ElapsedSeconds != nil:
		took = *h.ElapsedSeconds * 1000
	}
	return r.row(Timings, b.at, op.address, null(b.module), b.typ, string(op.action), status, Stamp(b.when), Stamp(when), took)
}

// Stamp returns a time, or nil for none and for one whose year in UTC does not have
// four digits.
func Stamp(t time.Time) any {
	t = t.UTC()
	if t.IsZero() || t.Year() < 0 || t.Year() > 9999 {
		return nil
	}
	return t.Format("2006-01-02T15:04:05.000Z")
}

func (r *run) end(cause error) error {
	if len(r.open) > 0 {
		if err := r.unfinished(); err != nil {
			return err
		}
	}
	if cause != nil {
		f := faultOf(cause)
		row := []any{nil, r.doc.ID, f.Offset, int64(f.Line), int64(f.Column), nil, f.Err.Error()}
		if err := r.add(Row{Faults, row}); err != nil {
			return err
		}
	}
	if r.faults > maxFaults {
		row := []any{nil, r.doc.ID, nil, nil, nil, nil, fmt.Sprintf("%d more faults in lines of the stream", r.faults-maxFaults)}
		if err := r.add(Row{Faults, row}); err != nil {
			return err
		}
	}
	s := r.tracker.Snapshot()
	if made, ok := Stamp(r.first).(string); ok {
		r.info.made = made
	}
	var took, added, changed, removed, imported, forgotten any
	if !r.first.IsZero() {
		took = r.last.Sub(r.first).Milliseconds()
	}
	if c := s.Reported; c != nil {
		added, changed, removed, imported, forgotten = c.Add, c.Change, c.Remove, c.Import, c.Forget
	}
	return r.row(Runs, 0, null(s.Operation), string(s.Outcome), null(s.Reason), Stamp(r.first), Stamp(r.last), took, added, changed, removed, imported, forgotten,
		int64(s.Errors), int64(s.Warnings))
}

// unfinished passes on the operations that the stream does not end, in the order
// in which they began.
func (r *run) unfinished() error {
	ops := slices.SortedFunc(maps.Keys(r.open), func(a, b operation) int { return cmp.Compare(r.open[a].at, r.open[b].at) })
	for _, op := range ops {
		b := r.open[op]
		if err := r.row(Timings, b.at, op.address, null(b.module), b.typ, string(op.action), "unfinished", Stamp(b.when), nil, nil); err != nil {
			return err
		}
	}
	return nil
}
