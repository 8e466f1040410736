// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Rename renames an object that a module declares, in place and everywhere it
// is used.
//
//	rename FROM TO DIR
//
// FROM and TO are addresses of the same kind: of a resource (aws_instance.web), a
// data source (data.aws_ami.base), an ephemeral resource, a module call
// (module.net), an input variable (var.zone), a local value (local.tags) or an
// output (output.id).
//
// The program changes files of both syntaxes, override, test and query files included,
// values of variables in terraform.tfvars and *.auto.tfvars, and the calls of the
// module from other modules of the same repository, also with addresses from further
// up, as in an import block of the root. A resource or module call
// gets a moved block for its state. Nothing else changes, and a file
// formatted as by fmt stays so.
//
// If the change is not safe, nothing is written, the reason is printed, and the
// exit status is 1.
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: rename FROM TO DIR")
		if len(os.Args) == 2 && (os.Args[1] == "-h" || os.Args[1] == "-help") {
			return
		}
		os.Exit(1)
	}
	if err := rename(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(1)
	}
}
