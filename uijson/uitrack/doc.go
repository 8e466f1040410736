// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package uitrack follows a run of OpenTofu or Terraform through its stream of
// messages, and reports its progress and outcome.
//
//	cmd := exec.Command("tofu", "apply", "-json", "plan.tfplan")
//	stdout, err := cmd.StdoutPipe()
//	if err != nil {
//		return err
//	}
//	if err := cmd.Start(); err != nil {
//		return err
//	}
//	tracker := new(uitrack.Tracker)
//	options := uitrack.AttachOptions{Tracker: tracker, Progress: uitrack.PrintLines(os.Stderr)}
//	if _, err := uitrack.Attach(ctx, stdout, cmd.Wait, options); err != nil {
//		return err // the run was not a success
//	}
//	if tracker.Snapshot().Reported == nil {
//		return errors.New("this was not an apply")
//	}
//
// [Attach] follows a run that the program has started, with [Snapshot.Line] as its progress.
// The program must not exit before the tool does, even when Ctrl-C interrupts both: see
// Attach. For a stream that was saved to a file, use a Tracker:
//
//	var tracker uitrack.Tracker
//	for ev, err := range uijson.NewReader(stdout).Borrowed() {
//		if err != nil {
//			return err
//		}
//		tracker.Add(ev)
//	}
//	tracker.End(nil) // and tracker.Exit with the exit status, if it is known
//	s := tracker.Snapshot()
//	fmt.Println(s.Done)
//	if !s.Outcome.OK() {
//		return fmt.Errorf("%s: %s", s.Outcome, s.Reason)
//	}
//
// A [Tracker] takes the events of a [uijson.Reader]. A [Snapshot] is the state of the run at
// one moment: resources and the operations on them, diagnostics, outputs, tests, counts. It is
// plain data and can be marshaled as JSON. To show progress, take a snapshot every second,
// from any goroutine. Reports are made from a snapshot:
//
//   - [Snapshot.Summary]: the run in a few numbers
//   - [WriteJUnit], [WriteGitLab] and [GitHubAnnotation]: for CI systems
//   - [WriteTimings]: operations and their times as CSV
//   - [Renderer]: a diagnostic as the CLI shows it
//
// This package does not run the tools; package uijson reads the stream.
//
// # Outcomes
//
// No single message means that a run has succeeded. A plan that fails may already have printed
// its summary. An interrupted apply prints no summary. Some commands report failure only by the
// level of a message without a type. A Tracker combines all these signs with the exit status,
// if known: see [Outcome]. If there are several runs on the stream, the outcome is that of the
// worst.
//
// A run is a success only if its stream shows it. A stream is incomplete if it ends where no
// tool ends: after the lock message, inside an operation, before the summary of an apply or,
// without the exit status, before its outputs. Even if the exit status is 0, a stream is also
// incomplete if it contains any of these:
//
//   - damaged messages, lines that are too long, or text that only a crash prints
//   - a plan that announces other changes than its summary counts
//   - changes with an unknown action, or a format version that is not supported
//
// Other text around the messages does not matter.
//
// A stream without any message is incomplete even if the exit status is 0: every command that
// has a stream prints its version first. Usually the option -json is missing. The exit status
// 2 of plan -detailed-exitcode, which means that there are changes, is a success if the
// stream shows a complete plan. A stream may begin in the middle: what came before is not
// judged, and [Snapshot.Version] is empty if that was the version.
//
// Without the exit status, some things cannot be known. A plan prints its errors after its
// summary: if the stream of a failed plan is cut off there, it counts as a success unless the
// exit status is passed. [Snapshot.Reason] contains a note about it. A plan also looks like an
// apply that was killed before it began, and "get" prints only its version, which is a success
// only with the exit status 0. Pass the exit status to the Tracker if it is known. In a shell,
// the status of "tofu plan -json | tee file" is that of tee, unless pipefail is set.
//
// Success does not mean that the command was an apply. A program that runs an apply must also
// check [Snapshot.Reported], the tool's summary of the apply, which is present even if nothing
// changed; see the example of [Attach]. The stream does not show whether a plan is complete: a
// plan with -target or with deferred changes is a success. Only the document of the plan
// contains that; see the function Judgeable of package planjson.
//
// If no test ran, because none was found or all were skipped, the outcome is
// [OutcomeNoTests], which is not a success.
//
// # Errors
//
// Writers return the errors of the underlying writer unchanged. Given a nil [Snapshot], they
// return a [*uijson.Error] that wraps [uijson.ErrAbsent]. Other functions and methods accept
// nil and return nothing.
//
// # Security
//
// A tracker keeps the content of messages, including secrets. To keep them out, call
// [uijson.Message.Redact] before [Tracker.Add], as the function Event of [AttachOptions] can.
// Reasons and the errors of Attach do not quote the stream. A tracker never keeps the value of
// a sensitive output. The Renderer passes all text through [uijson.Sanitize]; a program that
// prints other text of a snapshot must do so itself.
//
// A Tracker needs memory for each resource and for at most 1,000 distinct diagnostics. It
// does not keep messages.
//
// # Concurrency
//
// A Tracker is safe for concurrent use by several goroutines. A Snapshot never changes and may
// be read by any goroutine; it must not be edited.
package uitrack
