// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// stopSignals are the signals that ask wrapper to stop.
var stopSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// survivePipes makes a write to a closed pipe an error. Otherwise it would end
// this program in the middle of an apply.
func survivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// isolate puts the command into a process group of its own. Input at the
// terminal then reaches only wrapper.
func isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interrupt asks the process to stop.
func interrupt(p *os.Process) error { return p.Signal(os.Interrupt) }
