// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"github.com/tofuwire/tofuwire/uijson"
)

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
