// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Gate is a check for CI: it reads a plan and refuses what your team never wants to happen unseen.
//
//	tofu show -json plan.tfplan | gate -protect 'aws_db_*' -max-deletes 3
//
// Exit status: 0 the plan passes, 1 it is refused, 2 it cannot be judged.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/tofuwire/tofuwire/planjson"
)

func main() {
	var rules rules
	flag.StringVar(&rules.protect, "protect", "", "`pattern` of resource types that must not be deleted or replaced")
	flag.IntVar(&rules.maxDeletes, "max-deletes", -1, "how many objects may be deleted or replaced; -1 for any number")
	flag.Parse()

	// The whole document is read: a plan that was cut off must not pass.
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	objections, err := rules.judge(text)
	if err != nil {
		fail(err)
	}
	for _, o := range objections {
		fmt.Println(o)
	}
	if len(objections) > 0 {
		os.Exit(1)
	}
	fmt.Println("the plan passes")
}

// fail ends the program with the status for a plan that cannot be judged. An error of the library says
// where in the document the fault is.
func fail(err error) {
	fmt.Fprintln(os.Stderr, "gate:", err)
	os.Exit(2)
}

// rules are what a plan must obey.
type rules struct {
	protect    string
	maxDeletes int
}

// judge returns what is to be said against a plan, one line each.
func (r rules) judge(text []byte) (objections []string, err error) {
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		return nil, err
	}
	// Judgeable refuses plans that failed, are incomplete, defer changes, or have another version of the
	// format: their list of changes is not what would happen. This call is what makes the gate safe.
	if err := planjson.Judgeable(plan); err != nil {
		return nil, err
	}
	if _, err := path.Match(r.protect, ""); err != nil {
		return nil, fmt.Errorf("-protect: %w", err)
	}
	deletes := 0
	for _, change := range plan.ResourceChanges {
		actions := change.Change.Actions
		// Enumerations are open: a release of the tool that is newer than this program may write an
		// action that it does not know.
		if !actions.IsKnown() {
			objections = append(objections, fmt.Sprintf("%s: unknown action %s", change.Address, actions))
			continue
		}
		if !actions.Destroys() { // a delete, or a part of a replacement
			continue
		}
		deletes++
		if protected, _ := path.Match(r.protect, change.Type); protected {
			objections = append(objections, fmt.Sprintf("%s: %s of a protected type", change.Address, actions))
		}
	}
	if r.maxDeletes >= 0 && deletes > r.maxDeletes {
		objections = append(objections, fmt.Sprintf("plan: %d objects would be deleted or replaced, at most %d may be", deletes, r.maxDeletes))
	}
	return objections, nil
}
