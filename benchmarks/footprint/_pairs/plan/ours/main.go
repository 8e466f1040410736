// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Plan prints what a plan does to each resource.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		log.Fatal(err)
	}
	for _, rc := range plan.ResourceChanges {
		fmt.Println(rc.Address, rc.Change.Actions)
	}
}
