// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/tofuwire/tofuwire/uijson"
)

// An Outcome is how a run ended.
type Outcome string

// The outcomes.
const (
	OutcomeRunning   Outcome = "running"    // it has not ended
	OutcomeSuccess   Outcome = "success"    // it did everything that was asked for
	OutcomeNoChanges Outcome = "no_changes" // it succeeded, and there was nothing to do
	OutcomeFailed    Outcome = "failed"     // the tool reported errors, or failed tests
	OutcomeCancelled Outcome = "cancelled"  // it was interrupted

	// OutcomeIncomplete is the outcome of a stream that just stops: the tool
	// crashed or was killed, or the stream was cut off. The state of the
	// infrastructure is then unknown.
	OutcomeIncomplete Outcome = "incomplete"
)

// OK reports whether the outcome is a success.
func (o Outcome) OK() bool { return o == OutcomeSuccess || o == OutcomeNoChanges }

// Exit statuses with a meaning of their own.
const (
	exitChanges   = 2   // plan -detailed-exitcode found changes
	exitPanic     = 11  // the tool crashed
	exitInterrupt = 130 // of a shell: 128 and the number of the signal
	exitKill      = 137
	exitTerminate = 143
)

// judge returns the outcome of a run that has ended, and the evidence.
//
// No message alone means success: a plan that ends in an error may have printed
// its summary, and an apply that is interrupted prints none. Without the exit
// status, success needs a stream without errors that ends where this kind of
// run ends; a plan looks the same as an apply that was killed before it began
// to apply anything.
func (r *run) judge(exit *int, ended error, partial bool) (Outcome, string) {
	if exit != nil && *exit != 0 && (*exit != exitChanges || r.forecast == nil || r.errors > 0) {
		return r.judgeFailure(*exit)
	}
	certain := exit != nil
	cut := ""
	switch {
	case partial || errors.Is(ended, io.ErrUnexpectedEOF):
		cut = "the stream ends in the middle of a message"
	case ended != nil:
		cut = "the stream could not be read: " + ended.Error()
	}
	if r.testing {
		return r.judgeTest(cut)
	}
	finished := r.reported != nil
	switch {
	case r.errors > 0 && !certain:
		if r.interrupted {
			return OutcomeCancelled, "interrupted"
		}
		return OutcomeFailed, "the tool reported " + plural(r.errors, "error")
	case r.interrupted && !finished && !certain:
		return OutcomeCancelled, "interrupted"
	case finished && (cut == "" || certain):
		if r.reported.IsZero() && r.done.IsZero() && !r.outputsChange {
			return OutcomeNoChanges, "the summary of the " + string(r.operation) + " counts no changes"
		}
		return OutcomeSuccess, "the summary of the " + string(r.operation) + " came last"
	case certain && cut == "" && r.messages == 0:
		return OutcomeSuccess, "exit status 0, without any message"
	case certain && r.began:
		return OutcomeIncomplete, fmt.Sprintf("exit status %d, but the summary of the apply is missing", *exit)
	case certain && r.forecast == nil:
		return OutcomeSuccess, fmt.Sprintf("exit status %d", *exit)
	case cut != "" && !certain:
		return OutcomeIncomplete, cut
	case !certain:
		if why := r.unfinished(); why != "" {
			return OutcomeIncomplete, why
		}
	}
	if r.forecast != nil {
		if r.forecast.IsZero() && r.planned.IsZero() && !r.outputsChange && (exit == nil || *exit == 0) {
			return OutcomeNoChanges, "the plan has no changes"
		}
		return OutcomeSuccess, "the plan is complete, and nothing of it was applied"
	}
	return OutcomeSuccess, "the stream ended without errors"
}

// judgeFailure judges a run whose exit status says that it failed.
func (r *run) judgeFailure(exit int) (Outcome, string) {
	status := fmt.Sprintf("exit status %d", exit)
	if exit < 0 {
		status = "killed by a signal"
	}
	switch {
	case r.interrupted && (exit < 0 || exit == exitKill):
		// It could not end as it wanted to.
		return OutcomeIncomplete, "interrupted, and then " + status
	case r.interrupted || exit == exitInterrupt || exit == exitTerminate:
		return OutcomeCancelled, "interrupted, " + status
	case r.errors > 0:
		return OutcomeFailed, status + " after " + plural(r.errors, "error")
	case exit == exitPanic:
		return OutcomeIncomplete, status + ": the tool crashed"
	case exit < 0 || exit > 128:
		return OutcomeIncomplete, status
	case r.messages == 0:
		return OutcomeFailed, status + " without any message: the reason is on standard error"
	case r.testSummary != nil:
		return OutcomeFailed, status + ", tests: " + string(r.testSummary.Status)
	}
	return OutcomeFailed, status + " without an error message"
}

// judgeTest judges a test by its summary. If the summary is good, the tool does
// not count the errors as a failure.
func (r *run) judgeTest(cut string) (Outcome, string) {
	s := r.testSummary
	switch {
	case s == nil && r.interrupted:
		return OutcomeCancelled, "interrupted"
	case s == nil && r.errors > 0:
		return OutcomeFailed, "the tool reported " + plural(r.errors, "error") + " and no summary of the test"
	case s == nil && cut != "":
		return OutcomeIncomplete, cut
	case s == nil:
		return OutcomeIncomplete, "the summary of the test is missing"
	}
	counts := fmt.Sprintf("%d passed, %d failed, %d errored, %d skipped", s.Passed, s.Failed, s.Errored, s.Skipped)
	if s.Status == uijson.TestFail || s.Status == uijson.TestError {
		if r.interrupted {
			return OutcomeCancelled, "interrupted: " + counts
		}
		return OutcomeFailed, counts
	}
	return OutcomeSuccess, counts
}

// unfinished describes what a stream without errors and without the summary of
// an apply lacks at its end. It returns "" if nothing is missing.
func (r *run) unfinished() string {
	switch {
	case r.messages == 0:
		return "there is no message on the stream"
	case r.began:
		return "the apply has begun, and its summary is missing"
	case r.active > 0 && r.forecast == nil:
		return plural(r.active, "operation") + " not finished"
	case r.openLists > 0:
		return "a query is not finished"
	case r.forecast == nil && len(r.resources) > 0 && !r.outputsFinal && isHook(r.last):
		return "the stream stops while resources are read"
	case r.forecast == nil && r.phase == PhasePlan:
		return "the summary of the plan is missing"
	case r.initializing && !r.initialized:
		return "the end of the initialization is missing"
	}
	return ""
}

// isHook reports whether messages of type t report work in progress.
func isHook(t uijson.Type) bool {
	switch t {
	case uijson.TypeRefreshStart, uijson.TypeRefreshComplete, uijson.TypeApplyStart, uijson.TypeApplyProgress, uijson.TypeApplyComplete,
		uijson.TypeEphemeralOpStart, uijson.TypeEphemeralOpProgress, uijson.TypeEphemeralOpComplete,
		uijson.TypeEphemeralActionStarted, uijson.TypeEphemeralActionComplete:
		return true
	}
	return false
}

// plural returns "1 thing" or "n things".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
