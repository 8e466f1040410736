// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Approve says whether a plan will do what was approved.
//
//	approve [-allow REASON]... APPROVED PLANNED
//
// Package approve below internal/program has the code; -h describes it.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/approve"
)

func main() { os.Exit(approve.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
