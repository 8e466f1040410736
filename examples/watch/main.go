// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Watch shows the progress of a run of OpenTofu or Terraform.
//
//	tofu apply -json -auto-approve | watch
//	watch -- tofu apply -json -auto-approve
//
// watch -h explains its options and exit statuses. The outcome is certain only with a command after
// "--", because watch then knows the command's own exit status.
package main

import (
	"os"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/watch"
)

func main() { os.Exit(watch.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
