// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package schemas

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

// killGroup kills the process alone: there are no groups.
func killGroup(p *os.Process) { _ = p.Kill() }
