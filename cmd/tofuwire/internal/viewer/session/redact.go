// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"errors"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
	"github.com/tofuwire/tofuwire/uijson"
)

// A Redaction says how to redact.
type Redaction struct {
	Secrets      []string `json:"secrets"`      // texts that must not occur
	KeepUnmarked bool     `json:"keepUnmarked"` // keep what the format cannot mark as sensitive
	OnlyMarked   bool     `json:"onlyMarked"`   // do not look for the secrets at other places
	Plan         int      `json:"plan"`         // for messages: the plan of the run, whose secrets are hidden; -1 for none
}

// A Redacted is what came of it.
type Redacted struct {
	Values int            `json:"values"` // how many were replaced
	Why    map[string]int `json:"why"`    // how many for each reason
	Left   int            `json:"left"`   // lines that are no messages and were left out
}

// Redact writes a document without its secrets to w. What is hidden is emitted
// as lists of redact.Entry.
func (s *Session) Redact(id int, o Redaction, w io.Writer, emit Emit) (*Redacted, error) {
	d, err := s.document(id)
	if err != nil {
		return nil, err
	}
	result := &Redacted{Why: make(map[string]int)}
	var hidden []redact.Entry
	flush := func() {
		if len(hidden) > 0 {
			emit("hidden", hidden)
		}
		hidden = nil
	}
	report := func(h redact.Entry) {
		h.Pointer, h.Address = planview.OneLine(h.Pointer), planview.OneLine(h.Address)
		result.Why[h.Why]++
		if hidden = append(hidden, h); len(hidden) >= batch {
			flush()
		}
	}
	r := redact.Redactor{Secrets: o.Secrets, OnlyMarked: o.OnlyMarked, Report: report}
	if o.KeepUnmarked {
		r.Keep = redact.All
	}
	d.emit = emit
	switch d.Info.Kind {
	case "plan":
		result.Values, err = r.WritePlan(w, d.seeker())
	case "state":
		result.Values, err = r.WriteState(w, d.seeker())
	case "ui":
		err = d.redactMessages(s, o, r, w, result, report)
	case "lock":
		return nil, errors.New("a lock file holds no secrets")
	case "statefile":
		result.Values, err = d.redactStateFile(w, r)
	default:
		var text []byte
		if text, err = d.whole(0, 0.5); err == nil {
			result.Values, err = redactOther(w, text, d.Info.Kind, r)
		}
	}
	flush()
	if err != nil {
		return nil, err
	}
	return result, nil
}

// redactStateFile writes a state as the tools save it, without its secrets.
func (d *Document) redactStateFile(w io.Writer, r redact.Redactor) (int, error) {
	text, err := d.whole(0, 0.5)
	if err != nil {
		return 0, err
	}
	f, err := statefile.Decode(text)
	if err != nil {
		return 0, err
	}
	n, err := r.StateFile(f)
	if err != nil {
		return 0, err
	}
	return n, statefile.Write(w, f)
}

// seeker returns a reader that can be read more than once. Its progress is that
// of the pass that is furthest.
func (d *Document) seeker() io.ReadSeeker {
	s := io.NewSectionReader(d.source, 0, d.Info.Size)
	return struct {
		io.Reader
		io.Seeker
	}{&progress{r: s, size: d.Info.Size, from: 0, to: 0.45, emit: d.emit}, s}
}

// redactMessages redacts a stream of messages. Lines that are not messages are
// left out, because nothing says what they are.
func (d *Document) redactMessages(s *Session, o Redaction, r redact.Redactor, w io.Writer, result *Redacted, report func(redact.Entry)) error {
	secrets := r.Secrets
	if p := s.documents[o.Plan]; p != nil && p.plan != nil {
		var err error
		r.Report = nil
		if secrets, err = r.KnownSecrets(p.plan); err != nil {
			return err
		}
	}
	keep := uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedInstanceKeys
	if o.KeepUnmarked {
		keep = ^uijson.Unmarked(0)
	}
	remove := uijson.RemoveSecrets(secrets)
	out := uijson.NewWriter(w)
	for e, err := range uijson.NewReader(d.reader(0, 1)).Events() {
		if err != nil {
			return err
		}
		if e.Kind != uijson.EventMessage && e.Kind != uijson.EventLog {
			result.Left++ // half a message too: it can hold half a secret, which nothing finds
			continue
		}
		if err := e.Message.CheckVersion(); err != nil {
			return err
		}
		before := uijson.Clone(e.Message)
		why := ""
		if e.Message.Redact(keep) {
			why = "marked"
		}
		remove(e.Message)
		if why == "" && !uijson.Equal(before, e.Message) {
			why = "secret"
		}
		if why != "" {
			result.Values++
			address := ""
			if h := e.Message.Hook; h != nil && h.Resource != nil {
				address = h.Resource.Addr
			}
			report(redact.Entry{Pointer: fmt.Sprintf("line %d, message %s", e.Line, e.Message.Type), Address: address, Why: why})
		}
		if err := out.Write(e.Message); err != nil {
			return err
		}
	}
	return nil
}
