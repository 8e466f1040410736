// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Plan prints what a plan does to each resource.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	tfjson "github.com/hashicorp/terraform-json"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	var plan tfjson.Plan
	if err := plan.UnmarshalJSON(text); err != nil {
		log.Fatal(err)
	}
	for _, rc := range plan.ResourceChanges {
		fmt.Println(rc.Address, rc.Change.Actions)
	}
}
