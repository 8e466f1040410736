// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import (
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// A TestFile is the state of one test file. OpenTofu reports it once, before
// the runs of the file; Terraform reports its progress, and the status after
// the runs.
type TestFile struct {
	Path     string       `json:"path"`               // of the file
	Progress TestProgress `json:"progress,omitempty"` // Terraform only
	Status   TestResult   `json:"status,omitempty"`

	src wire.Source
}

// A TestRun is the state of one run block.
type TestRun struct {
	Path     string       `json:"path"`               // of the file
	Run      string       `json:"run"`                // the name of the block
	Progress TestProgress `json:"progress,omitempty"` // Terraform only
	Elapsed  *int64       `json:"elapsed,omitempty"`  // milliseconds so far, while Progress is not complete
	Status   TestResult   `json:"status,omitempty"`

	src wire.Source
}

// A TestSummary ends a test, with one count for each result.
type TestSummary struct {
	Status  TestResult `json:"status"`  // of the whole test
	Passed  int64      `json:"passed"`  // runs with the result pass
	Failed  int64      `json:"failed"`  // runs with the result fail
	Errored int64      `json:"errored"` // runs with the result error
	Skipped int64      `json:"skipped"` // runs with the result skip

	src wire.Source
}

// A TestResult is the result of a run, of a file, or of a whole test.
// Its values include [TestPending], [TestSkip] and [TestPass].
type TestResult string

// The results.
const (
	TestPending TestResult = "pending"
	TestSkip    TestResult = "skip"
	TestPass    TestResult = "pass"
	TestFail    TestResult = "fail"
	TestError   TestResult = "error"
)

// A TestProgress says how far Terraform has got with a file or a run.
// Its values include [TestStarting], [TestRunning], [TestTeardown] and [TestComplete].
type TestProgress string

// The stages. Terraform repeats "running" every two seconds or so.
const (
	TestStarting TestProgress = "starting"
	TestRunning  TestProgress = "running"
	TestTeardown TestProgress = "teardown"
	TestComplete TestProgress = "complete"
)

// A TestCleanup lists the objects that a test left behind.
type TestCleanup struct {
	FailedResources  []*TestLeftover `json:"failed_resources,omitempty"`  // objects that could not be destroyed
	SkippedResources []*TestLeftover `json:"skipped_resources,omitempty"` // Terraform 1.16 and newer

	src wire.Source
}

// A TestLeftover is one object that a test did not destroy.
type TestLeftover struct {
	Instance   string `json:"instance"` // a resource instance address
	DeposedKey string `json:"deposed_key,omitempty"`

	src wire.Source
}

// A TestInterrupt lists the objects that an interrupted test may have left
// behind.
type TestInterrupt struct {
	State   []*TestLeftover `json:"state,omitempty"`   // objects made by the file's runs
	States  Value           `json:"states,omitempty"`  // an object: such a list for each run
	Planned []string        `json:"planned,omitempty"` // addresses of objects about to be created

	src wire.Source
}

// A TestRemote is the end of a test that runs remotely.
type TestRemote struct {
	Status   TestResult `json:"status"`   // of the whole test
	Duration Value      `json:"duration"` // a number, perhaps with a fraction

	src wire.Source
}

// Left returns the objects that each run may have left, from States.
func (i *TestInterrupt) Left() map[string][]*TestLeftover {
	if i == nil {
		return nil
	}
	states := i.States.object()
	if states == nil {
		return nil
	}
	left := make(map[string][]*TestLeftover)
	for tok, list := range jsonscan.Members(states) {
		run, _ := Value(tok).Text()
		for item := range Value(list).each() {
			l := new(TestLeftover)
			if l.UnmarshalJSON(item) == nil {
				left[run] = append(left[run], l)
			}
		}
	}
	return left
}
