// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package main

import (
	"os"
	"os/exec"
)

// stopSignals are the signals that ask wrapper to stop.
var stopSignals = []os.Signal{os.Interrupt}

// survivePipes does nothing: a write to a closed pipe is an error here.
func survivePipes() {}

// isolate does nothing: the tool is to receive the interrupt of the console,
// because a process cannot send one to another here.
func isolate(*exec.Cmd) {}

// interrupt does nothing: the console has told the tool already.
func interrupt(*os.Process) error { return nil }
