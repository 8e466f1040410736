// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/uijson"
)

// A Summary describes a run in a few numbers, for a pull-request comment or a
// metric. It is meant to be written as JSON.
type Summary struct {
	Tool           addrs.Tool       `json:"tool,omitempty"`      // which program it was
	Version        string           `json:"version,omitempty"`   // of the tool
	Operation      uijson.Operation `json:"operation,omitempty"` // the changes made, if known
	Outcome        Outcome          `json:"outcome"`             // how it ended
	Reason         string           `json:"reason,omitempty"`    // the evidence
	Exit           *int             `json:"exit,omitempty"`      // the exit status, if known
	ElapsedSeconds float64          `json:"elapsed_seconds"`     // from the first message to the end

	Planned     Counts            `json:"planned"`               // from the planned changes
	Done        Counts            `json:"done"`                  // from the operations that are complete
	Reported    *Counts           `json:"reported,omitempty"`    // by the tool, after an apply
	Differences []CountDifference `json:"differences,omitempty"` // why these differ; see [Snapshot.Differences]

	Drifted  int `json:"drifted"`  // resources changed outside of the tool
	Errors   int `json:"errors"`   // distinct ones
	Warnings int `json:"warnings"` // distinct ones

	// Failed and Unfinished are the addresses of resources and actions with an
	// operation that failed, and with one whose end was not reported.
	Failed     []string `json:"failed,omitempty"`
	Unfinished []string `json:"unfinished,omitempty"`

	Tests *uijson.TestSummary `json:"tests,omitempty"`
}

// Summary returns the run in a few numbers, or nil if s is nil.
func (s *Snapshot) Summary() *Summary {
	if s == nil {
		return nil
	}
	sum := &Summary{
		Tool: s.Tool, Version: s.Version, Operation: s.Operation,
		Outcome: s.Outcome, Reason: s.Reason, Exit: s.Exit, ElapsedSeconds: s.ElapsedSeconds,
		Planned: s.Planned, Done: s.Done, Reported: s.Reported,
		Drifted: s.Drifted, Errors: s.Errors, Warnings: s.Warnings, Tests: s.TestSummary,
	}
	sum.Differences = s.Differences()
	for _, r := range s.Resources {
		switch {
		case r.Status == StatusFailed:
			sum.Failed = append(sum.Failed, r.Addr)
		case r.Running() != nil:
			sum.Unfinished = append(sum.Unfinished, r.Addr)
		}
	}
	return sum
}
