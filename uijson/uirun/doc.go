// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package uirun runs OpenTofu or Terraform and returns the output as typed documents.
//
//	tool := uirun.Tool{Path: "tofu", Dir: "live/prod"}
//	plan, run, err := tool.Plan(ctx, "plan.tfplan")
//	if err != nil {
//		return err // the run was not a success, with the reason
//	}
//	for _, rc := range plan.ResourceChanges {
//		fmt.Println(rc.Address, rc.Change.Actions)
//	}
//	fmt.Println(run.Snapshot.Counts())
//
// A [Tool] is a program and the directory where it runs; the zero value is tofu on PATH in the
// working directory. [Tool.Plan] plans and returns the document of the plan, [Tool.Apply] applies a
// plan, [Tool.Test] and [Tool.Init] run tests and prepare a directory, [Tool.Show], [Tool.State]
// and [Tool.Version] read documents. A method with a stream of messages returns a [Run], whose
// Outcome is that of package uitrack: a run is a success only if its stream shows it.
//
// This package does not install programs and keeps no state.
//
// # Stopping
//
// When the context ends, the tool receives an interrupt, so it can stop its operations and save
// its state. It is killed only if [Tool.Kill] is set, after that time. No second interrupt is
// sent: it would make the tool exit at once, and created objects could be missing from the
// state.
//
// # Environment
//
// TF_IN_AUTOMATION is set. TF_CLI_ARGS and TF_CLI_ARGS_*, which would add arguments, are
// removed. Other variables such as TF_WORKSPACE, TF_DATA_DIR and TF_REATTACH_PROVIDERS are
// passed on and change what is run; set [Tool.Env] to control them.
//
// # Errors
//
// The error for a run contains its outcome and the reason. It wraps the cause of the context if the
// context ended. The error for a command without a stream contains the last lines of its standard
// error. Errors of documents are those of package planjson.
//
// # Security
//
// The program is not verified before it runs. Arguments are passed without a shell. The output
// of the tool may contain secrets.
//
// # Concurrency
//
// A Tool may be used by several goroutines. The tools lock states, not directories: do not call
// Init twice at the same time for one directory.
package uirun
