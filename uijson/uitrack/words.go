// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/uijson"
)

// String returns the counts of what is to be done as the tools phrase them, such as
// "1 to import, 2 to add, 0 to change, 1 to destroy".
func (c Counts) String() string {
	return c.phrase([...]string{"to import", "to add", "to change", "to destroy", "to forget", "to invoke", "failed"})
}

// Applied returns the counts of what has been done as the tools phrase them, such as
// "1 imported, 2 added, 0 changed, 1 destroyed".
func (c Counts) Applied() string {
	return c.phrase([...]string{"imported", "added", "changed", "destroyed", "forgotten", "invoked", "of them failed"})
}

func (c Counts) phrase(words [7]string) string {
	text := ""
	for i, n := range [...]int64{c.Import, c.Add, c.Change, c.Remove, c.Forget, c.Action, c.ActionFailed} {
		if always := i >= 1 && i <= 3; n > 0 || always {
			text += fmt.Sprintf(", %d %s", n, words[i])
		}
	}
	return text[len(", "):]
}

// Counts returns the counts of the run, phrased by its progress: what the tool reports as
// done; for an apply without such a report, what was done so far or by its end; or what is
// to be done. It returns "" if there is nothing to count, as for an init.
func (s *Snapshot) Counts() string {
	switch {
	case s == nil:
		return ""
	case s.Reported != nil:
		return s.Reported.Applied()
	case s.applies():
		text := s.Done.Applied()
		switch {
		case s.Outcome != OutcomeRunning && s.Outcome != "":
			return text + " before the end"
		case s.Planned.IsZero():
			return text + " so far"
		}
		return text + " so far, of " + s.Planned.String()
	case s.Forecast != nil:
		return s.Forecast.String()
	case s.Phase == PhasePlan || !s.Planned.IsZero():
		return s.Planned.String() + " so far"
	}
	return ""
}

// Title returns the outcome as a title, such as "No changes".
func (o Outcome) Title() string {
	text := strings.ReplaceAll(string(o), "_", " ")
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Line returns the progress of the run in one line of at most width characters, without a
// line end and without control characters: what it does, for how long, its counts, and what
// went wrong so far; or, when it has ended, its outcome. If width is not positive, the
// length is not limited.
func (s *Snapshot) Line(width int) string {
	if s == nil {
		return ""
	}
	parts := []string{string(s.Phase)}
	switch {
	case s.Outcome != OutcomeRunning && s.Outcome != "":
		parts[0] = s.Outcome.Title()
	case s.Interrupted:
		parts[0] = "stopping"
	case s.LockWaiting:
		parts[0] = "waiting for the state lock"
	}
	parts[0] += " " + (time.Duration(s.ElapsedSeconds * float64(time.Second))).Round(time.Second).String()
	if text := s.Counts(); text != "" {
		parts = append(parts, text)
	}
	if all, done := s.runs(); all > 0 {
		parts = append(parts, fmt.Sprintf("%d of %s", done, plural(all, "test")))
	}
	if s.Active > 0 {
		parts = append(parts, fmt.Sprintf("%d running", s.Active))
	}
	if s.ETASeconds != nil {
		parts = append(parts, "about "+(time.Duration(*s.ETASeconds*float64(time.Second))).Round(time.Second).String()+" left")
	}
	if s.Errors > 0 {
		parts = append(parts, plural(s.Errors, "error"))
	}
	if s.Warnings > 0 {
		parts = append(parts, plural(s.Warnings, "warning"))
	}
	text := strings.ReplaceAll(uijson.Sanitize(strings.Join(parts, ", ")), "\n", " ")
	if n := utf8.RuneCountInString(text); width > 0 && n > width {
		text = string([]rune(text)[:width-1]) + "…"
	}
	return text
}

// runs returns how many run blocks a test has, and how many of them have a result.
func (s *Snapshot) runs() (all, done int) {
	for _, f := range s.Tests {
		for _, run := range f.Runs {
			all++
			if run.Status != "" {
				done++
			}
		}
	}
	return all, done
}

// DrawLine returns a function for [AttachOptions] that shows the progress as one line of a
// terminal of the given width, which it overwrites with each update. A line feed follows
// the last one. Errors of w are ignored: they must not stop the run.
func DrawLine(w io.Writer, width int) func(*Snapshot) {
	return func(s *Snapshot) {
		end := ""
		if s.Outcome != OutcomeRunning {
			end = "\n"
		}
		_, _ = io.WriteString(w, "\r\x1b[K"+s.Line(cmp.Or(width, 80)-1)+end)
	}
}

// PrintLines returns a function for [AttachOptions] that prints the progress as lines,
// whenever more than the elapsed time has changed. Errors of w are ignored.
func PrintLines(w io.Writer) func(*Snapshot) {
	last := ""
	return func(s *Snapshot) {
		c := *s
		c.ElapsedSeconds, c.ETASeconds = 0, nil
		if now := c.Line(0); now != last {
			last = now
			_, _ = io.WriteString(w, s.Line(0)+"\n")
		}
	}
}
