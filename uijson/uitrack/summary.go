// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/uijson"
)

// A Summary describes a run in a few numbers, for a pull-request comment or a
// metric. It is meant to be written as JSON.
type Summary struct {
	Tool           addrs.Tool       `json:"tool,omitempty"`      // which program it was
	Version        string           `json:"version,omitempty"`   // of the tool
	Operation      uijson.Operation `json:"operation,omitempty"` // the changes made, if known
	Outcome        Outcome          `json:"outcome"`             // as in the Snapshot: of the worst run
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

// WriteTimings writes the operations of a run as CSV, with a line of headings:
// the resource, its type, the action, the result, the times of the beginning
// and the end, the duration by the tracker's clock, and the duration reported
// by the tool in whole seconds. Unknown fields are empty.
func WriteTimings(w io.Writer, s *Snapshot) error {
	if s == nil {
		return &uijson.Error{Err: uijson.ErrAbsent}
	}
	out := csv.NewWriter(w)
	rows := [][]string{{"address", "type", "action", "status", "started", "ended", "seconds", "reported_seconds"}}
	for _, r := range s.Resources {
		for i := range r.Cycles {
			c := &r.Cycles[i]
			row := []string{r.Addr, r.Type, string(c.Action), string(c.Status), "", "", "", ""}
			if !c.Started.IsZero() {
				row[4] = c.Started.Format(time.RFC3339Nano)
				row[6] = seconds(c.Duration(s.Updated).Seconds())
			}
			if !c.Ended.IsZero() {
				row[5] = c.Ended.Format(time.RFC3339Nano)
			}
			if c.Reported != nil {
				row[7] = strconv.FormatInt(*c.Reported, 10)
			}
			rows = append(rows, row)
		}
	}
	return out.WriteAll(rows)
}
