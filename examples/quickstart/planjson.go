// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/planjson"
)

// A plan that changes, replaces, deletes and forgets things, and a state.
var (
	//go:embed testdata/planjson/plan.json
	planText []byte

	//go:embed testdata/planjson/state.json
	stateText []byte
)

// showPlanjson prints the objects that a plan would destroy, and the failed
// checks of a state. Then it edits the plan and shows that nothing else has
// changed.
func showPlanjson(w io.Writer) error {
	plan, err := planjson.DecodePlan(bytes.Clone(planText))
	if err != nil {
		return err
	}
	if err := planjson.Judgeable(plan); err != nil {
		return err
	}
	fmt.Fprintf(w, "plan of OpenTofu %s: %d resource changes; it removes\n", plan.TerraformVersion, len(plan.ResourceChanges))
	for _, rc := range plan.ResourceChanges {
		if a := rc.Change.Actions; a.Destroys() || a.Forgets() {
			fmt.Fprintf(w, "  %-22s %-14s %s\n", rc.Address, a, rc.ActionReason)
		}
	}

	state, err := planjson.DecodeState(bytes.Clone(stateText))
	if err != nil {
		return err
	}
	fmt.Fprintln(w, "failed checks of a state:")
	for _, check := range state.Checks {
		for _, instance := range check.Instances {
			for _, problem := range instance.Problems {
				fmt.Fprintf(w, "  %s: %q\n", instance.Address.ToDisplay, problem.Message)
			}
		}
	}

	plan.Timestamp = "2026-01-01T00:00:00Z"
	text, err := planjson.Encode(plan)
	if err != nil {
		return err
	}
	changed := 0
	for i := range text {
		if text[i] != planText[i] {
			changed++
		}
	}
	fmt.Fprintf(w, "after setting the timestamp, %d of the %d bytes of the plan differ\n", changed, len(text))
	return nil
}
