// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson

import "fmt"

// A Summary is a run in a few numbers: what a pull-request comment or a metric
// needs, made to be written as JSON.
type Summary struct {
	Tool           Tool      `json:"tool,omitempty"`
	Version        string    `json:"version,omitempty"`
	Operation      Operation `json:"operation,omitempty"`
	Outcome        Outcome   `json:"outcome"`
	Reason         string    `json:"reason,omitempty"`
	Exit           *int      `json:"exit,omitempty"`
	ElapsedSeconds float64   `json:"elapsed_seconds"`

	Planned     Counts            `json:"planned"`
	Done        Counts            `json:"done"`
	Reported    *Counts           `json:"reported,omitempty"`
	Differences []CountDifference `json:"differences,omitempty"`

	Drifted  int `json:"drifted"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`

	// Failed and Unfinished are the addresses of resources with an operation
	// that failed, and with one whose end was not reported.
	Failed     []string `json:"failed,omitempty"`
	Unfinished []string `json:"unfinished,omitempty"`

	Tests *TestSummary `json:"tests,omitempty"`
}

// Summary returns the run in a few numbers.
func (s *Snapshot) Summary() *Summary {
	sum := &Summary{
		Tool: s.Tool, Version: s.Version, Operation: s.Operation,
		Outcome: s.Outcome, Reason: s.Reason, Exit: s.Exit, ElapsedSeconds: s.ElapsedSeconds,
		Planned: s.Planned, Done: s.Done, Reported: s.Reported,
		Drifted: s.Drifted, Errors: s.Errors, Warnings: s.Warnings, Tests: s.TestSummary,
	}
	if s.Operation != "" && s.Operation != OperationPlan {
		sum.Differences = s.Differences()
	}
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

// String returns the counts as the tools phrase them, such as
// "1 to import, 2 to add, 0 to change, 1 to destroy".
func (c Counts) String() string {
	text := ""
	if c.Import > 0 {
		text = fmt.Sprintf("%d to import, ", c.Import)
	}
	text += fmt.Sprintf("%d to add, %d to change, %d to destroy", c.Add, c.Change, c.Remove)
	if c.Forget > 0 {
		text += fmt.Sprintf(", %d to forget", c.Forget)
	}
	if c.Action > 0 {
		text += fmt.Sprintf(", %d to invoke", c.Action)
	}
	return text
}
