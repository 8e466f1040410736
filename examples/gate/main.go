// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Gate judges a plan by policies, without running a tool.
//
//	gate [-policy RULE]... [-allow REASON]... [PLAN]
//
// Package gate below internal/program has the code; -h describes it.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/gate"
)

func main() { os.Exit(gate.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
