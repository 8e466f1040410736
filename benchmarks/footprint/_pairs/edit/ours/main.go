// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Edit sets the version of each module call in a file.
package main

import (
	"log"
	"os"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

func main() {
	src, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	file, err := hclconfig.Parse(os.Args[1], src)
	if err != nil {
		log.Fatal(err)
	}
	edit := hcledit.Edit(file)
	for _, call := range file.Config().Calls {
		edit.Set(call.Block, "version", os.Args[2])
	}
	if file, err = edit.Apply(); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], file.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
