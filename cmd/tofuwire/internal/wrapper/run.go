// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planrule"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A wrapper is one run: init, plan, show, judge, apply.
type wrapper struct {
	tool        *tool
	dir         string // of the module
	keep        string // folder for plan and messages, "" for a temporary one
	planOptions []string
	rules       []planrule.Rule
	allow       planfile.Reasons // why a plan may be applied although it cannot be judged
	skipInit    bool
	dryRun      bool

	out io.Writer
	mu  sync.Mutex // for out

	work     string // absolute path of the folder for plan and messages
	versions error  // a message format that we were not made for
	precious bool   // the messages are worth keeping
}

// An end is the exit status of a run that ends with this stage. It is an error
// only so that it can be returned as one.
type end int

func (e end) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// run goes through the stages and returns the exit status. An error means that
// wrapper itself could not do its work.
func (w *wrapper) run() (code int, err error) {
	if w.keep == "" {
		w.work, err = os.MkdirTemp("", "wrapper-*")
	} else if w.work, err = filepath.Abs(w.keep); err == nil {
		err = os.MkdirAll(w.work, 0o700) // plans hold secrets in clear text
	}
	if err != nil {
		return 0, err
	}
	defer func() {
		if w.precious {
			w.say("all messages are kept in %s", w.work)
		} else if w.keep == "" {
			err = errors.Join(err, os.RemoveAll(w.work))
		}
	}()
	for _, stage := range []func() error{w.init, w.plan, w.apply} {
		err := stage()
		var e end
		switch {
		case errors.Is(err, errStopped):
			w.say("cancelled: nothing has been applied")
			return exitCancelled, nil
		case errors.As(err, &e):
			return int(e), nil
		case err != nil:
			return 0, err
		}
	}
	return exitOK, nil
}

func (w *wrapper) file(name string) string { return filepath.Join(w.work, name) }

// stage runs a command and reports how it ended. The error is not nil unless the
// run goes on.
func (w *wrapper) stage(args ...string) (*uitrack.Snapshot, error) {
	s, err := w.tool.stream(w.file(args[0]+".jsonl"), w.see, args...)
	if err != nil {
		return nil, err
	}
	w.ended(args[0], s)
	switch {
	case w.versions != nil:
		return s, w.versions
	case args[0] != "apply" && w.tool.stopped.Load():
		return s, errStopped // whether the tool heard of it in time or not
	case s.Outcome.OK():
		return s, nil
	case s.Outcome == uitrack.OutcomeFailed:
		return s, end(exitFailed)
	case s.Outcome == uitrack.OutcomeCancelled:
		return s, end(exitCancelled)
	}
	return s, end(exitIncomplete)
}

// init initializes the module.
func (w *wrapper) init() error {
	if w.skipInit {
		return nil
	}
	s, err := w.stage("init", "-input=false", "-json")
	if err == end(exitFailed) && s.Lines.Messages == 0 {
		// OpenTofu before 1.7 and Terraform before 1.9 have no such option
		// here, and do nothing if they see it.
		w.say("init: trying again without -json")
		text, err := w.tool.document(w.file("init.txt"), "init", "-input=false", "-no-color")
		w.line(string(text))
		if err != nil && !errors.Is(err, errStopped) {
			w.say("%v", err) // the reason is on standard error
			return end(exitFailed)
		}
		return err
	}
	return err
}

// plan makes the plan and has it judged.
func (w *wrapper) plan() error {
	// Ours come last, because the last one of two options counts.
	args := slices.Concat([]string{"plan"}, w.planOptions, []string{"-input=false", "-json", "-out=" + w.file("plan")})
	if _, err := w.stage(args...); err != nil {
		return err
	}
	sum, err := fingerprint(w.file("plan"))
	if err != nil {
		return fmt.Errorf("the tool has written no plan: %w", err)
	}
	text, err := w.tool.document(w.file("plan.json"), "show", "-json", w.file("plan"))
	if err == nil && len(text) == 0 {
		err = errors.New("the tool has printed no plan")
	}
	if err == nil {
		err = w.judge(text)
	}
	if err != nil {
		return err
	}
	// What was judged is what show has read; make sure that it is still there.
	if now, err := fingerprint(w.file("plan")); err != nil || now != sum {
		return fmt.Errorf("%s has changed since it was made", w.file("plan"))
	}
	return nil
}

// fingerprint returns a hash of a file.
func fingerprint(name string) (sum [sha256.Size]byte, err error) {
	text, err := os.ReadFile(name)
	return sha256.Sum256(text), err
}

// judge returns an error if the plan is not to be applied.
func (w *wrapper) judge(text []byte) error {
	p, err := planjson.DecodePlan(text)
	if err != nil {
		return err
	}
	err = planfile.Judge(&planfile.Plan{Plan: p, Name: "the plan"}, w.allow)
	if errors.Is(err, planjson.ErrVersion) || errors.Is(err, planjson.ErrNoDocument) {
		return err
	}
	objections := planrule.Judge(p, w.rules)
	if err != nil {
		objections = append(objections, planrule.Objection{Rule: "cannot be judged", Text: err.Error()})
	}
	for _, o := range objections {
		w.say("policy %s: %s: %s", o.Rule, cmp.Or(o.Address, "the plan"), o.Text)
	}
	switch {
	case len(objections) > 0:
		w.say("refused, nothing has been applied")
		return end(exitRefused)
	case !planrule.HasWork(p):
		w.say("nothing to apply")
		return end(exitOK)
	case w.dryRun:
		w.say("dry run: nothing has been applied")
		return end(exitOK)
	}
	w.say("policy: no objection to the plan (rules: %d)", len(w.rules))
	return nil
}

// apply applies the plan that was judged.
func (w *wrapper) apply() error {
	left := w.leftState()
	s, err := w.stage("apply", "-input=false", "-json", w.file("plan"))
	if s == nil {
		return err
	}
	if w.leftState() != left {
		w.say("the tool could not save the state where it belongs: it is in %s", filepath.Join(w.dir, stateName))
		w.say("save it with: %s state push %s", filepath.Base(w.tool.path), stateName)
	}
	// The messages may not show that the tool was killed, because an interrupt
	// may have come before. A shell reports signals above 128. And a successful
	// apply sums up its work, so a success without a summary is incomplete.
	killed := s.Exit != nil && (*s.Exit < 0 || *s.Exit > 128)
	if killed || s.Outcome == uitrack.OutcomeIncomplete || s.Outcome.OK() && s.Reported == nil {
		err = end(exitIncomplete)
		w.precious = true
		w.say("it is not known what the apply has done: compare the state with the infrastructure before the next run")
		w.say("if the state is locked, see: %s force-unlock -help", filepath.Base(w.tool.path))
	}
	return err
}
