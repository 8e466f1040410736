// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Module prints the variables and outputs of a module.
package main

import (
	"fmt"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/hclconfig"
)

func main() {
	module, err := hclconfig.LoadModule(os.DirFS(os.Args[1]), ".")
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range module.Diagnostics() {
		fmt.Fprintln(os.Stderr, d)
	}
	for _, v := range module.Variables {
		fmt.Println("variable", v.Name)
	}
	for _, o := range module.Outputs {
		fmt.Println("output", o.Name)
	}
}
