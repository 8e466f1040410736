// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// The message stream of an apply in which two provisioners fail.
//
//go:embed testdata/uijson/apply.jsonl
var uijsonStream []byte

// showUijson follows the recorded stream of a run and reports its outcome.
func showUijson(w io.Writer) error {
	tracker := &uitrack.Tracker{Replay: true} // by the times in the messages
	for ev, err := range uijson.NewReader(bytes.NewReader(uijsonStream)).Borrowed() {
		if err != nil {
			return err
		}
		tracker.Add(ev)
	}
	tracker.End(nil)
	s := tracker.Snapshot()
	fmt.Fprintf(w, "%s %s, %d messages, %.0f seconds, up to %d operations at once\n",
		s.Tool, s.Version, s.Lines.Messages, s.ElapsedSeconds, s.MaxActive)
	fmt.Fprintln(w, "planned:", s.Planned)
	for _, r := range s.Resources {
		fmt.Fprintf(w, "%-7s %s:", r.Status, r.Addr)
		for _, c := range r.Cycles {
			fmt.Fprintf(w, " %s", c.Action)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "outcome: %s, %s\n", s.Outcome, s.Reason)
	return nil
}
