// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/uijson"
)

// An Outcome is how a run ended.
// Its values include [OutcomeRunning], [OutcomeSuccess] and [OutcomeNoChanges].
type Outcome string

// The outcomes.
const (
	OutcomeRunning   Outcome = "running"    // it has not ended
	OutcomeSuccess   Outcome = "success"    // it did everything that was asked for
	OutcomeNoChanges Outcome = "no_changes" // it succeeded, and there was nothing to do
	OutcomeFailed    Outcome = "failed"     // the tool reported errors, or failed tests
	OutcomeCancelled Outcome = "cancelled"  // it was interrupted

	// OutcomeNoTests is the outcome of a test in which nothing ran: no test was found, or
	// all were skipped. The tools call that a success.
	OutcomeNoTests Outcome = "no_tests"

	// OutcomeIncomplete is the outcome of a stream that stops where no tool ends, has no
	// message, or is damaged: the tool crashed or was killed, the stream was cut off,
	// another program wrote into it. The state of the infrastructure is then unknown.
	OutcomeIncomplete Outcome = "incomplete"
)

// OK reports whether the outcome is a success.
func (o Outcome) OK() bool { return o == OutcomeSuccess || o == OutcomeNoChanges }

// toWorst are the outcomes of runs that have ended, from good to bad.
var toWorst = []Outcome{OutcomeNoChanges, OutcomeSuccess, OutcomeNoTests, OutcomeFailed, OutcomeCancelled, OutcomeIncomplete}

// worse reports whether an outcome is worse than another one. Successes are alike.
func (o Outcome) worse(than Outcome) bool {
	return !o.OK() && slices.Index(toWorst, o) > slices.Index(toWorst, than)
}

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
// to apply anything. With or without it, success needs a stream that is whole.
func (r *run) judge(exit *int, ended error) (Outcome, string) {
	outcome, reason := r.judgeMessages(exit, ended)
	fault := r.fault(ended)
	switch {
	case fault == "":
	case !outcome.OK() && outcome != OutcomeNoTests:
		if reason != fault {
			reason += "; " + fault
		}
	case exit != nil:
		return OutcomeIncomplete, fmt.Sprintf("%s, although the exit status is %d", fault, *exit)
	default:
		return OutcomeIncomplete, fault
	}
	return outcome, reason
}

// fault says what is wrong with the stream, which ended with an error, or "".
func (r *run) fault(ended error) string {
	fault := r.signs.fault(ended)
	for _, why := range []string{r.unannounced(), r.unexplained()} {
		if fault != "" && why != "" {
			fault += "; "
		}
		fault += why
	}
	return fault
}

// unannounced says that the changes which the plan announces are not those that its summary
// counts, or "". Moves and reads are in no summary, and objects to forget are not in that of
// all releases. Terraform 1.16 calls it a replacement, and counts no removal, if an object is
// forgotten and created anew.
func (r *run) unannounced() string {
	f, p := r.tally.forecast, r.tally.planned
	if f == nil {
		return ""
	}
	p.Move, p.Read = 0, 0
	if f.Forget == 0 {
		p.Forget = 0
	}
	if n := p.Remove - f.Remove; n > 0 && n <= r.tally.replaced {
		p.Remove = f.Remove
	}
	if *f == p {
		return ""
	}
	return fmt.Sprintf("the plan announces other changes (%s) than its summary counts (%s)", p, f)
}

// unexplained says that operations of a plan failed, and that no error or warning says why, or
// "": a plan prints them last. If everything is destroyed, the tools do not warn of a data
// source in a check block that could not be read.
func (r *run) unexplained() string {
	if r.tally.forecast == nil || r.tally.reported != nil {
		return ""
	}
	n := r.work.failed
	if p := r.tally.planned; p.Remove+p.Forget == 0 || p.Add+p.Change > 0 {
		n += r.work.unended
	}
	if n > 0 && r.found.errors+r.found.warnings == 0 {
		return plural(n, "operation") + " failed, and no message says why"
	}
	return ""
}

// judgeMessages judges a run by its messages and its exit status, as if nothing were wrong
// with the stream.
func (r *run) judgeMessages(exit *int, ended error) (Outcome, string) {
	if exit != nil && *exit != 0 && (*exit != exitChanges || r.tally.forecast == nil || r.tally.reported != nil || r.found.errors > 0) {
		return r.judgeFailure(*exit)
	}
	although := ""
	if exit != nil {
		although = fmt.Sprintf(", although the exit status is %d", *exit)
	}
	if r.tests.begun {
		return r.judgeTest()
	}
	switch {
	case r.found.errors > 0 && r.signs.interrupted, r.signs.interrupted && r.tally.reported == nil && exit == nil:
		return OutcomeCancelled, "interrupted"
	case r.found.errors > 0:
		return OutcomeFailed, "the tool reported " + plural(r.found.errors, "error") + although
	}
	if why := r.unfinished(exit != nil); why != "" {
		if fault := r.fault(ended); fault != "" {
			why = fault
		}
		return OutcomeIncomplete, why + although
	}
	switch f := r.tally.forecast; {
	case r.tally.reported != nil:
		if r.tally.reported.IsZero() && r.tally.done.IsZero() && !r.outputs.change {
			return OutcomeNoChanges, "the summary of the " + string(r.operation) + " counts no changes"
		}
		return OutcomeSuccess, "the summary of the " + string(r.operation) + " came last"
	case f != nil && f.IsZero() && r.tally.planned.IsZero() && !r.outputs.change && (exit == nil || *exit == 0):
		return OutcomeNoChanges, "the plan has no changes" + unproved(exit)
	case f != nil:
		return OutcomeSuccess, "the plan is complete, and nothing of it was applied" + unproved(exit)
	case exit == nil:
		return OutcomeSuccess, "the stream ended without errors, where this command ends"
	}
	return OutcomeSuccess, fmt.Sprintf("exit status %d", *exit)
}

// unproved says what the messages of a plan cannot show without the exit status.
func unproved(exit *int) string {
	if exit != nil {
		return ""
	}
	return "; without the exit status, an error that was cut off cannot be excluded"
}

// judgeFailure judges a run whose exit status says that it failed.
func (r *run) judgeFailure(exit int) (Outcome, string) {
	status := fmt.Sprintf("exit status %d", exit)
	if exit < 0 {
		status = "killed by a signal"
	}
	switch {
	case r.signs.interrupted && (exit < 0 || exit == exitKill):
		// It could not end as it wanted to.
		return OutcomeIncomplete, "interrupted, and then " + status
	case r.signs.interrupted || exit == exitInterrupt || exit == exitTerminate:
		return OutcomeCancelled, "interrupted, " + status
	case r.signs.crash != 0:
		return OutcomeIncomplete, status
	case r.found.errors > 0:
		return OutcomeFailed, status + " after " + plural(r.found.errors, "error")
	case exit == exitPanic:
		return OutcomeIncomplete, status + ": the tool crashed"
	case exit < 0 || exit > 128:
		return OutcomeIncomplete, status
	case r.signs.messages == 0:
		return OutcomeFailed, status + " without any message: the reason is on standard error"
	case r.tests.summary != nil:
		return OutcomeFailed, status + ", tests: " + string(r.tests.summary.Status)
	}
	reason := status + " without an error message"
	if why := r.unfinished(true); why != "" {
		reason += ": " + why
	}
	return OutcomeFailed, reason
}

// judgeTest judges a test by its summary. If the summary is good, the tool does
// not count the errors as a failure.
func (r *run) judgeTest() (Outcome, string) {
	s := r.tests.summary
	switch {
	case s == nil && r.signs.interrupted:
		return OutcomeCancelled, "interrupted"
	case s == nil && r.found.errors > 0:
		return OutcomeFailed, "the tool reported " + plural(r.found.errors, "error") + " and no summary of the test"
	case s == nil:
		return OutcomeIncomplete, "the summary of the test is missing"
	}
	counts := fmt.Sprintf("%d passed, %d failed, %d errored, %d skipped", s.Passed, s.Failed, s.Errored, s.Skipped)
	if r.tests.remote {
		counts = "the status of the test is " + string(s.Status)
	}
	switch {
	case s.Status == uijson.TestFail || s.Status == uijson.TestError || s.Failed > 0 || s.Errored > 0:
		if r.signs.interrupted {
			return OutcomeCancelled, "interrupted: " + counts
		}
		return OutcomeFailed, counts
	case r.tests.remote && s.Status == uijson.TestPass, s.Passed > 0 && (s.Status == uijson.TestPass || s.Status == ""):
		return OutcomeSuccess, counts
	case s.Status == uijson.TestPass || s.Status == uijson.TestSkip || s.Status == uijson.TestPending:
		return OutcomeNoTests, counts
	}
	return OutcomeIncomplete, "the status of the test is unknown"
}

// unfinished describes what a stream without errors lacks at its end. It returns "" if
// nothing is missing. If the exit status is known to be good, it need not say that the
// command has succeeded, but must not end where no command does. Every command with a
// stream prints at least its version.
func (r *run) unfinished(certain bool) string {
	hidden := len(r.work.list) > 0 && r.tally.forecast == nil && !r.outputs.final && !r.signs.finished
	switch {
	case r.signs.messages == 0 && r.signs.instead != nil:
		return "there is no message on the stream: " + strings.TrimPrefix(r.signs.instead.Error(), "uijson: ")
	case r.signs.messages == 0:
		return "there is no message on the stream (was -json passed?)"
	case r.tally.reported != nil:
		if !certain && r.operation == uijson.OperationApply && !r.outputs.final {
			return "the outputs of the apply are missing"
		}
		return ""
	case r.signs.began:
		return "the apply has begun, and its summary is missing"
	case r.signs.locking:
		return "the stream ends while the tool waits for the state lock"
	case r.tally.forecast != nil:
		return ""
	case r.phase == PhasePlan && !r.outputs.final:
		return "the summary of the plan is missing"
	case r.work.active > 0:
		return plural(r.work.active, "operation") + " not finished"
	case hidden:
		return "the stream stops while resources are read"
	case r.lists.open > 0:
		return "a query is not finished"
	case r.signs.initializing && !r.signs.initialized:
		return "the end of the initialization is missing"
	case r.outputs.final, len(r.lists.all) > 0, r.signs.initialized, r.signs.finished, certain:
		return ""
	case !r.signs.spoke:
		return "nothing but the version is on the stream: only the exit status can tell whether the command succeeded"
	}
	return "no message says that the command has succeeded: only the exit status can tell"
}

// plural returns "1 thing" or "n things".
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
