// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/tofuwire/tofuwire/internal/program/planfile"
	"github.com/tofuwire/tofuwire/internal/program/planrule"
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

	work     string   // absolute path of the folder for plan and messages
	versions error    // a message format that we were not made for
	rescued  []string // files with states that the tool could not save
	precious bool     // the messages are worth keeping
}

// run goes through the stages and returns the exit status. An error means that
// wrapper itself could not do its work.
func (w *wrapper) run() (code int, err error) {
	if err := w.makeWork(); err != nil {
		return 0, err
	}
	defer func() {
		switch {
		case w.keep != "":
		case w.precious:
			w.say("all messages are kept in %s", w.work)
		default:
			// Plans hold secrets in clear text.
			err = errors.Join(err, os.RemoveAll(w.work))
		}
	}()
	for _, stage := range []func() (int, bool, error){w.init, w.plan, w.apply} {
		code, done, err := stage()
		if errors.Is(err, errStopped) {
			w.say("cancelled: nothing has been applied")
			return exitCancelled, nil
		}
		if done || err != nil {
			return code, err
		}
	}
	return exitOK, nil
}

// makeWork makes the folder for plan and messages, which others cannot read.
func (w *wrapper) makeWork() (err error) {
	if w.keep == "" {
		w.work, err = os.MkdirTemp("", "wrapper-*")
		return err
	}
	if err := os.MkdirAll(w.keep, 0o700); err != nil {
		return err
	}
	w.work, err = filepath.Abs(w.keep)
	return err
}

func (w *wrapper) file(name string) string { return filepath.Join(w.work, name) }

// init initializes the module.
func (w *wrapper) init() (int, bool, error) {
	if w.skipInit {
		return 0, false, nil
	}
	s, err := w.tool.stream(w.file("init.jsonl"), w.foreign, "init", "-input=false", "-json")
	if err != nil {
		return 0, true, err
	}
	if !s.Outcome.OK() && s.Lines.Messages == 0 && !w.tool.isStopped() {
		// OpenTofu before 1.7 and Terraform before 1.9 have no such option
		// here, and do nothing if they see it.
		w.say("init: trying again without -json")
		s, err = w.tool.stream(w.file("init.txt"), w.foreign, "init", "-input=false", "-no-color")
		if err != nil {
			return 0, true, err
		}
	}
	return w.finish("init", s)
}

// finish reports how a command ended. It says that the run is done unless it
// was a success.
func (w *wrapper) finish(command string, s *uitrack.Snapshot) (code int, done bool, err error) {
	w.diagnostics(s)
	if s.Outcome.OK() {
		w.say("%s: %s", command, s.Outcome)
	} else {
		w.say("%s: %s (%s)", command, s.Outcome, s.Reason)
	}
	if w.versions != nil {
		return exitFailed, true, w.versions
	}
	if command != "apply" && w.tool.isStopped() {
		// Whether the tool heard of it in time or not.
		return 0, true, errStopped
	}
	return exitOf(s.Outcome), !s.Outcome.OK(), nil
}

func exitOf(o uitrack.Outcome) int {
	switch o {
	case uitrack.OutcomeSuccess, uitrack.OutcomeNoChanges:
		return exitOK
	case uitrack.OutcomeFailed:
		return exitFailed
	case uitrack.OutcomeCancelled:
		return exitCancelled
	}
	return exitIncomplete
}

// died reports whether the tool was killed. Its messages may not show it,
// because an interrupt may have come before. A shell reports signals above 128.
func died(s *uitrack.Snapshot) bool { return s.Exit != nil && (*s.Exit < 0 || *s.Exit > 128) }

// plan makes the plan and judges it.
func (w *wrapper) plan() (int, bool, error) {
	// Ours come last, because the last one of two options counts.
	args := append([]string{"plan"}, w.planOptions...)
	args = append(args, "-input=false", "-json", "-out="+w.file("plan"))
	s, err := w.tool.stream(w.file("plan.jsonl"), w.progress, args...)
	if err != nil {
		return 0, true, err
	}
	if code, done, err := w.finish("plan", s); done {
		return code, true, err
	}
	sum, err := fingerprint(w.file("plan"))
	if err != nil {
		return 0, true, fmt.Errorf("the tool has written no plan: %w", err)
	}
	text, err := w.tool.document("show", "-json", w.file("plan"))
	if err != nil {
		return 0, true, err
	}
	if w.keep != "" {
		if err := os.WriteFile(w.file("plan.json"), text, 0o600); err != nil {
			return 0, true, err
		}
	}
	p, err := planjson.DecodePlan(text)
	if len(text) == 0 {
		err = errors.New("the tool has printed no plan")
	}
	if err != nil {
		return 0, true, err
	}
	switch err := planfile.Judge(&planfile.Plan{Plan: p, Name: "the plan"}, w.allow); {
	case errors.Is(err, planjson.ErrVersion) || errors.Is(err, planjson.ErrNoDocument):
		return 0, true, err
	case err != nil:
		w.say("policy: cannot be judged: %v", err)
		w.say("policy: refused, nothing has been applied")
		return exitRefused, true, nil
	}
	if objections := planrule.Judge(p, w.rules); len(objections) > 0 {
		for _, o := range objections {
			w.objection(o)
		}
		w.say("policy: refused, nothing has been applied")
		return exitRefused, true, nil
	}
	w.say("policy: no objection to the plan (rules: %d)", len(w.rules))
	switch {
	case !planrule.HasWork(p):
		w.say("nothing to apply")
		return exitOK, true, nil
	case w.dryRun:
		w.say("dry run: nothing has been applied")
		return exitOK, true, nil
	}
	// What was judged is what show has read; make sure that it is still there.
	if now, err := fingerprint(w.file("plan")); err != nil || now != sum {
		return 0, true, fmt.Errorf("%s has changed since it was made", w.file("plan"))
	}
	return 0, false, nil
}

// fingerprint returns a hash of a file.
func fingerprint(name string) (sum [sha256.Size]byte, err error) {
	text, err := os.ReadFile(name)
	return sha256.Sum256(text), err
}

// apply applies the plan that was judged.
func (w *wrapper) apply() (int, bool, error) {
	left := w.leftState()
	s, err := w.tool.stream(w.file("apply.jsonl"), w.applying, "apply", "-input=false", "-json", w.file("plan"))
	if err != nil {
		return 0, true, err
	}
	code, _, err := w.finish("apply", s)
	w.outcome(s)
	if now := w.leftState(); now != left {
		w.say("the tool could not save the state where it belongs: it is in %s", filepath.Join(w.dir, stateName))
		w.say("save it with: %s state push %s", filepath.Base(w.tool.path), stateName)
	}
	for _, name := range w.rescued {
		w.say("the tool could not save the state at all: it is in %s", name)
	}
	if s.Outcome == uitrack.OutcomeIncomplete || died(s) || s.Outcome.OK() && s.Reported == nil {
		// A successful apply sums up its work, so a success without a summary
		// is incomplete.
		code = exitIncomplete
		w.precious = true
		w.say("what has been done is not known: compare the state with the world before the next run")
		w.say("if the state is locked, see: %s force-unlock -help", filepath.Base(w.tool.path))
	}
	return code, true, err
}
