// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package uitrack follows a run of OpenTofu or Terraform by its stream of messages: its
// progress, its outcome, and its reports.
//
//	var tracker uitrack.Tracker
//	for ev, err := range uijson.NewReader(stdout).Borrowed() {
//		if err != nil {
//			return err
//		}
//		tracker.Add(ev)
//	}
//	tracker.End(nil)
//	s := tracker.Snapshot()
//	fmt.Println(s.Done)
//	if !s.Outcome.OK() {
//		return fmt.Errorf("%s: %s", s.Outcome, s.Reason)
//	}
//
// A [Tracker] takes the events of a [uijson.Reader]. A [Snapshot] is the state of the run at
// one moment: resources and the operations on them, diagnostics, outputs, tests, counts. It is
// plain data and can be written as JSON. To show progress, take one every second, from any
// goroutine. Reports are made from a snapshot:
//
//   - [Snapshot.Summary]: the run in a few numbers
//   - [WriteJUnit], [WriteGitLab] and [GitHubAnnotation]: for CI systems
//   - [WriteTimings]: operations and their times as CSV
//   - [Renderer]: a diagnostic as the CLI shows it
//
// [Attach] does all of this for the program that has started the tool, with [Snapshot.Line] as
// its progress. This package does not run the tools; package uijson reads the stream.
//
// # Outcomes
//
// No single message says that a run has succeeded. A plan that fails may already have printed
// its summary. An interrupted apply prints none. Some commands report their failure only by the
// level of a message without type. A Tracker combines all these signs with the exit status, if
// it is given: see [Outcome].
//
// A run is a success only if its stream says so. A stream that ends where no tool ends is
// incomplete: after the lock message, inside an operation, before the outputs of an apply. So
// is one with damaged messages, with lines that are too long, or with text that only a crash
// prints, even if the exit status is 0. Text around the messages does not matter.
//
// Without the exit status, some things cannot be known. A plan looks like an apply that was
// killed before it began, and "get" prints no more than its version; that is a success only
// with the exit status 0. Give the status to the Tracker if there is one.
//
// If no test ran, because none was found or all were skipped, the outcome is
// [OutcomeNoTests], which is no success.
//
// # Errors
//
// Writers return the errors of the underlying writer unchanged. Given a nil [Snapshot], they
// return a [*uijson.Error] that wraps [uijson.ErrAbsent]. Other functions and methods accept
// nil and return nothing.
//
// # Security
//
// A tracker keeps the content of messages, including secrets: see [uijson.Message.Redact].
// It never keeps the value of a sensitive output. The Renderer passes all text through
// [uijson.Sanitize]; a program that prints other text of a snapshot must do so itself.
//
// A Tracker needs memory for each resource and for at most 1,000 distinct diagnostics. It
// does not keep messages.
//
// # Concurrency
//
// A Tracker is safe for concurrent use by several goroutines. A Snapshot never changes and may
// be read by any goroutine; it must not be edited.
package uitrack
