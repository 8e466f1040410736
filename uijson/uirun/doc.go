// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package uirun runs OpenTofu or Terraform and returns what it says as typed documents.
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
// A [Tool] is a program and where it runs; its zero value is tofu on PATH in the working directory.
// [Tool.Plan] plans and returns the document of the plan, [Tool.Apply] applies a plan, [Tool.Test]
// and [Tool.Init] run tests and prepare a directory, [Tool.Show], [Tool.State] and [Tool.Version]
// read documents. A method with a stream of messages returns a [Run], whose Outcome is that of
// package uitrack: a run is a success only if its stream shows it.
//
// This package installs no program and keeps no state of its own.
//
// # Stopping
//
// When the context ends, the tool gets an interrupt, so that it can stop its operations and save
// its state. It is killed only if [Tool.Kill] is set and that time has passed since. A second
// interrupt makes the tools leave at once and may lose objects, so none is sent.
//
// # Environment
//
// TF_IN_AUTOMATION is set, and TF_CLI_ARGS and its relatives, which would add arguments behind
// those of this package, are removed. Other variables such as TF_WORKSPACE, TF_DATA_DIR and
// TF_REATTACH_PROVIDERS change what is run; set [Tool.Env] to choose them.
//
// # Errors
//
// An error of a run has its outcome with the reason, and wraps the cause of the context if that
// ended. An error of a program that prints no stream has the last lines of its standard error. Errors
// of documents are those of package planjson.
//
// # Security
//
// The program is run as it is found; arguments are passed as they are, not through a shell. What
// the tool prints may contain secrets.
//
// # Concurrency
//
// A Tool may be used by several goroutines. The tools lock states, not directories: two runs of
// Init in one directory disturb each other.
package uirun
