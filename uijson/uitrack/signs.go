// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/uijson"
)

// signs are what, besides its counts, tells the outcome of a run.
type signs struct {
	messages int64
	spoke    bool // there was a message other than the version, a warning or a note

	lockWaiting bool // the last message says that the tool waits for the state lock
	locking     bool // it has done so, and has done nothing since
	interrupted bool
	began       bool // something was created, changed or destroyed, or will be

	initializing, initialized bool

	// finished is set if the last message of a command that has no summary says what
	// the command has done.
	finished bool

	// What is wrong with the stream: counts of events and of messages, and the line
	// of a crash.
	damaged, repaired, oversize, partial, unexpected, unknown int
	crash                                                     int64
	version                                                   bool // it has one that is not supported

	// instead is what the stream is instead of one, as far as there is no message.
	instead error
}

// see takes note of any message.
func (s *signs) see(m *uijson.Message) {
	s.lockWaiting = m.Type == uijson.TypeStateLockAcquire
	if !isUnderstood(m) {
		s.unknown++
	}
	switch m.Type {
	case uijson.TypeVersion, uijson.TypeDiagnostic, uijson.TypeLog: // any of them may come at any time
	case uijson.TypeStateLockAcquire:
		s.locking, s.spoke = true, true
	default:
		s.locking, s.spoke = false, true
	}
}

// isUnderstood reports whether what a message says about changes is understood: the
// outcome depends on it. Other messages may say what they like.
func isUnderstood(m *uijson.Message) bool {
	switch m.Type {
	case uijson.TypePlannedChange, uijson.TypeResourceDrift:
		return m.Change != nil && m.Change.Resource != nil && m.Change.Action.IsKnown()
	case uijson.TypeApplyStart, uijson.TypeApplyProgress, uijson.TypeApplyComplete, uijson.TypeApplyErrored:
		return m.Hook != nil && m.Hook.Resource != nil && m.Hook.Action.IsKnown()
	case uijson.TypeChangeSummary:
		return m.Changes != nil && slices.Contains(operations, m.Changes.Operation)
	case uijson.TypeOutputs:
		for _, o := range m.Outputs {
			if o != nil && o.Action != "" && !o.Action.IsKnown() {
				return false
			}
		}
	}
	return true
}

// operations are those that a summary sums up.
var operations = []uijson.Operation{uijson.OperationPlan, uijson.OperationApply, uijson.OperationDestroy}

// other takes note of messages with little more than text.
func (s *signs) other(m *uijson.Message) {
	switch m.Type {
	case uijson.TypeInitOutput:
		s.initializing = true
		if strings.HasPrefix(string(m.MessageCode), "output_init_") {
			s.initialized = true
		}
	case uijson.TypeLog:
		// The notices of an interrupt have no type of their own, and their
		// text has not changed in any release.
		if strings.Contains(m.Text, "nterrupt received") || strings.Contains(m.Text, "nterrupts received") {
			s.interrupted = true
		}
	case "", uijson.TypeOutput:
		// All that OpenTofu says in an init is text.
		if strings.HasPrefix(m.Text, "Initializing ") {
			s.initializing = true
		}
		if strings.Contains(m.Text, "initialized") && (s.initializing || strings.Contains(m.Text, "successfully")) {
			s.initialized = true
		}
		s.finished = isLastWord(m.Text)
	case uijson.TypeWorkspaceList, uijson.TypeResourceAddress, "migration_complete", "migration_finalized":
		s.finished = true
	}
}

// lastWords are how the messages begin, or what they hold, with which OpenTofu ends the
// commands that have no summary: import, taint, state mv, workspace new and others.
var lastWords = struct{ begin, hold []string }{
	[]string{
		"Success", "Import successful", "Created and switched to ", "Switched to ", "Deleted workspace ", "No matching ", "Would ",
		"No credentials for ", "no state", "Cancelled ",
	},
	[]string{"has been marked as tainted", "successfully", "has been removed"},
}

// isLastWord reports whether a text is the last word of a command.
func isLastWord(text string) bool {
	for _, s := range lastWords.begin {
		if strings.HasPrefix(text, s) {
			return true
		}
	}
	for _, s := range lastWords.hold {
		if strings.Contains(text, s) {
			return true
		}
	}
	return false
}

// message takes note of what is wrong with a message.
func (s *signs) message(ev *uijson.Event) {
	if ev.Repaired {
		s.repaired++
	}
	if ev.Err != nil {
		s.unexpected++
	}
}

// foreign takes note of a line that is not a message, and of the reason.
func (s *signs) foreign(ev *uijson.Event) {
	if s.messages == 0 && s.instead == nil && ev.Err != nil {
		s.instead = ev.Err
	}
}

// document takes note of JSON that is no message: that of "state show".
func (s *signs) document(ev *uijson.Event) {
	if s.messages > 0 && errors.Is(ev.Err, uijson.ErrDocument) {
		s.finished, s.spoke = true, true
	}
}

// crashes are lines that only a crash prints, or whoever ended the tool: the tools, Go, the
// system, a shell, make, or the machinery that runs jobs.
var crashes = lazy.Regexp(`!!!! (OPENTOFU|TERRAFORM) CRASH !!!!` +
	`|(^|[\s:])(panic: |fatal error: |goroutine \d+ \[|runtime: out of memory|SIG[A-Z]+: |\[signal SIG|unexpected fault address )` +
	`|\(core dumped\)|^signal: [a-z]+|Out of memory: Kill` +
	`|` + lineBegin + `(` +
	// bash: line 1: 4711 Killed  tofu plan, zsh: killed  tofu plan, [1]+  4711 killed  tofu plan
	`(\S+: line \d+: +|\S*sh: +(\d+: +)?|make(\[\d+\])?: \*\*\* \[[^\]]*\] )?(\d+ +)?` +
	`([Kk]illed|[Tt]erminated|[Aa]borted|[Ss]egmentation fault|[Bb]us error)(\s{2}|$|\s+\S*(tofu|terraform))` +
	`|OOMKilled|The operation was canceled\.|The runner has received a shutdown signal|ERROR: Job failed: execution took longer` +
	`)` +
	// 11 is the exit status of a tool that crashed, and those from 129 are of signals.
	`|(\bexit|\b[Ee]xited|\bterminated|\bcompleted|\bfailed).{0,80} (code|status) (11|129|1[345]\d)\.?$|\] Error 1[345]\d$` +
	`|([Kk]illed|[Tt]erminated) by signal \S+$`)

// lineBegin is what may stand before the words of a crash: times, and the names of units,
// services and levels.
const lineBegin = `^(\d[\dTZ:.,+/-]*\s+|\[[^\]]*\][+-]?\s+|::error::|Error: |[\w.-]+ *\| +)*`

// crashWords are what each line of crashes has one of: most lines need no more than a look.
var crashWords = [...]string{
	" CRASH ", "panic: ", "fatal error: ", "goroutine ", "out of memory", "SIG", "unexpected fault", "core dumped", "signal", "Out of memory",
	"illed", "erminated", "borted", "egmentation", "us error", "canceled", "shutdown", "took longer", " code ", " status ", "exit ", "Error 1",
}

// colors are escape sequences, and what Azure and GitHub write before a line to color it.
var colors = lazy.Regexp(`\x1b\[[0-9;?]*[A-Za-z]|##\[[a-z]+\]`)

// maxCrash is how much of a line is searched for signs of a crash.
const maxCrash = 4 << 10

// text takes note of text that is not part of the stream, and the number of its line.
func (s *signs) text(line []byte, number int64) {
	if s.crash != 0 {
		return
	}
	line = line[:min(len(line), maxCrash)]
	if !slices.ContainsFunc(crashWords[:], func(w string) bool { return bytes.Contains(line, []byte(w)) }) {
		return
	}
	line = colors().ReplaceAll(line, nil)
	if line = bytes.TrimSpace(line); crashes().Match(line) {
		s.crash = max(number, 1)
	}
}

// fault says what is wrong with the stream, which ended with an error, or "".
func (s *signs) fault(ended error) string {
	var all []string
	if s.crash != 0 {
		all = append(all, fmt.Sprintf("a crash is on the stream (line %d)", s.crash))
	}
	if s.version {
		all = append(all, "the format version of the stream is not supported")
	}
	for _, f := range []struct {
		n    int
		what string
	}{
		{s.damaged, "damaged messages"}, {s.repaired, "messages with foreign bytes"}, {s.oversize, "lines that are too long"},
		{s.unexpected, "messages with members of an unexpected kind"}, {s.unknown, "changes with an unknown action, or without one"},
	} {
		if f.n > 0 {
			all = append(all, fmt.Sprintf("the stream has %s (%d)", f.what, f.n))
		}
	}
	var wait *waitError
	switch {
	case errors.As(ended, &wait):
		all = append(all, wait.Error())
	case s.partial > 0 || errors.Is(ended, io.ErrUnexpectedEOF):
		all = append(all, "the stream ends in the middle of a message")
	case ended != nil:
		all = append(all, "the stream could not be read: "+ended.Error())
	}
	return strings.Join(all, "; ")
}
