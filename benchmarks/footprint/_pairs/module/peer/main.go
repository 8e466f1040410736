// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Module prints the variables and outputs of a module.
package main

import (
	"fmt"
	"os"

	"github.com/hashicorp/terraform-config-inspect/tfconfig"
)

func main() {
	module, diags := tfconfig.LoadModule(os.Args[1])
	for _, d := range diags {
		fmt.Fprintln(os.Stderr, d.Summary, d.Detail)
	}
	for name := range module.Variables {
		fmt.Println("variable", name)
	}
	for name := range module.Outputs {
		fmt.Println("output", name)
	}
}
