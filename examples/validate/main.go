// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Validate reports the diagnostics of "tofu validate" or "terraform validate" for a module
// and the local modules that it calls, or the releases that the module needs. It needs
// neither tool and no providers.
//
//	validate [-tool tofu or terraform] [-release X.Y] [-schemas FILE] [-format text, json or sarif] DIR
//	validate -needs [-v] DIR
//
// It prints one line for each diagnostic, as FILE:LINE,COLUMN: error or warning: SUMMARY;
// DETAIL, or with -format json what the tool's "validate -json" prints, or with sarif a log in SARIF 2.1.0. Files are relative
// to DIR. The FILE of -schemas is the output of "tofu providers schema -json". The exit
// status is 0 if there is no error, 1 if there is one, and 2 if DIR cannot be read.
//
// With -needs it prints the lines "opentofu CONSTRAINT" and "terraform CONSTRAINT", with
// -v also the places that make them so, and exits with 0.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/internal/program/validate"
)

func main() { os.Exit(validate.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
