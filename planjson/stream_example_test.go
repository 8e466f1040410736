// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"fmt"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
)

// Read several parts of a plan in one pass over a stream, and refuse a format
// that is too new before anything else.
func ExampleReadPlan() {
	f, err := os.Open("testdata/tofu-1.12.6/actions/plan.json")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()

	planned, changed := 0, 0
	err = planjson.ReadPlan(f, planjson.PlanReader{
		FormatVersion: func(version string) error {
			return planjson.CheckVersion(&planjson.Plan{FormatVersion: version})
		},
		PlannedResource: func(*planjson.Resource) error {
			planned++
			return nil
		},
		ResourceChange: func(rc *planjson.ResourceChange) error {
			if !rc.Change.Actions.IsNoOp() {
				changed++
			}
			return nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(planned, "planned resources,", changed, "changes")
	// Output: 15 planned resources, 15 changes
}
