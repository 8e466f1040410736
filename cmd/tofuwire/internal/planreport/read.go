// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// A stack is a plan with all that is to be said of it.
type stack struct {
	file    string
	plan    *planjson.Plan // without secrets, unless they are to be shown
	diff    *plandiff.Diff
	shown   *plandiff.Diff // with the details of the selection
	reasons []string       // why it cannot be judged, in the words of -allow of other programs
}

// presentable are the reasons not to judge a plan that are no reason not to show it.
var presentable = planfile.Reasons{planjson.ErrErrored, planjson.ErrIncomplete, planjson.ErrDeferred, planjson.ErrVersion, planjson.ErrDuplicate, planjson.ErrRedacted, planjson.ErrUnknownAction, planjson.ErrMisspelt}

// A source is a plan that was read: as it is, and without its secrets.
type source struct {
	was, plan *planjson.Plan
	diff      *plandiff.Diff
	reasons   []string
}

// read reads a plan.
func read(o *report, name string, stdin io.Reader, stderr io.Writer) (*source, error) {
	p, err := o.inputs.Read(o.program, name, stdin, stderr)
	if err != nil {
		return nil, err
	}
	if err := planfile.Judge(p, presentable); err != nil {
		return nil, err
	}
	s := &source{was: p.Plan, plan: p.Plan}
	if r := new(planfile.Refusal); errors.As(planfile.Judge(p, nil), &r) {
		s.reasons = r.Words()
	}
	if o.reveal {
		s.diff = plandiff.Plan(s.plan, plandiff.Options{Reveal: true}) // it keeps the marks
		unmark(s.plan)
		return s, nil
	}
	if slices.Contains(s.reasons, "duplicate") {
		s.plan, err = once(s.plan)
	}
	if err == nil {
		s.was, err = hide(s.plan)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, planfile.WithoutNames(err))
	}
	s.diff = plandiff.Plan(s.plan, plandiff.Options{})
	return s, nil
}

// once returns a plan in which each member is there once: the last one, which programs see.
// Secrets cannot be found otherwise.
func once(p *planjson.Plan) (*planjson.Plan, error) {
	text, err := planjson.Encode(p)
	if err != nil {
		return nil, err
	}
	var members any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&members); err != nil {
		return nil, err
	}
	if text, err = json.Marshal(members); err != nil {
		return nil, err
	}
	return planjson.DecodePlan(text)
}

// readStack reads the plan number n of the command line, and the approved one.
func readStack(o *report, n int, stdin io.Reader, stderr io.Writer) (*stack, error) {
	planned, err := read(o, o.files[n], stdin, stderr)
	if err != nil {
		return nil, err
	}
	s := &stack{file: o.files[n], plan: planned.plan, diff: planned.diff, reasons: planned.reasons}
	remarks := notes(planned, "The plan")
	if o.reveal {
		remarks = append(remarks, "Sensitive values are shown.")
	}
	if len(o.against) > 0 {
		approved, err := read(o, o.against[n], stdin, stderr)
		if err != nil {
			return nil, err
		}
		remarks = append(remarks, notes(approved, "The approved plan")...)
		if approved.was.Errored {
			remarks = append(remarks, "The approved plan failed.")
		}
		s.diff.Against = compare(approved, planned)
	}
	s.diff.State.Remarks = remarks
	return s, nil
}

// notes says what plandiff does not.
func notes(s *source, who string) (list []string) {
	if slices.Contains(s.reasons, "redacted") {
		list = append(list, who+" is redacted: changes of hidden values cannot be seen.")
	}
	if slices.Contains(s.reasons, "duplicate") {
		list = append(list, who+" has a member twice, so that programs may read it in another way.")
	}
	return list
}

// compare returns the differences of two plans, found in the plans as they are, in words of
// those without secrets.
func compare(approved, planned *source) *plandiff.Comparison {
	c := plandiff.ComparePlans(approved.was, planned.was, plandiff.Options{})
	if approved.was == approved.plan && planned.was == planned.plan {
		return c
	}
	keepDifferences(approved, planned)
	type place struct{ address, what string }
	shown := make(map[place]plandiff.Difference)
	addresses := make(map[string]bool)
	for _, p := range []*planjson.Plan{approved.plan, planned.plan} {
		for _, rc := range slices.Concat(p.ResourceChanges, p.ResourceDrift) {
			if rc != nil {
				addresses[rc.Address] = true
			}
		}
	}
	for _, x := range plandiff.ComparePlans(approved.plan, planned.plan, plandiff.Options{}).Differences {
		shown[place{x.Address, x.What}] = x
		addresses[x.Address] = true
	}
	const hidden = "(sensitive value)"
	for i, x := range c.Differences {
		if y, ok := shown[place{x.Address, x.What}]; ok {
			c.Differences[i] = y
			continue
		}
		if !addresses[x.Address] {
			c.Differences[i].Address = hidden
		}
		c.Differences[i].What, _, _ = strings.Cut(x.What, ".")
		c.Differences[i].First, c.Differences[i].Second = hidden, hidden
	}
	return c
}

// names returns a name for each file: its path without what all have in common, and without
// the extension if nothing else is left of it.
func names(files []string) []string {
	split := make([][]string, len(files))
	least := -1
	for i, f := range files {
		split[i] = strings.Split(path.Clean(filepath.ToSlash(f)), "/")
		if n := len(split[i]); least < 0 || n < least {
			least = n
		}
	}
	same := func(at func(s []string) string) bool {
		return !slices.ContainsFunc(split, func(s []string) bool { return at(s) != at(split[0]) })
	}
	front, back := 0, 0
	for front < least-1 && same(func(s []string) string { return s[front] }) {
		front++
	}
	for back < least-front-1 && same(func(s []string) string { return s[len(s)-1-back] }) {
		back++
	}
	list := make([]string, len(files))
	for i, s := range split {
		list[i] = strings.Join(s[front:len(s)-back], "/")
		if list[i] == "-" {
			list[i] = "standard input"
		} else if back == 0 {
			list[i] = strings.TrimSuffix(list[i], path.Ext(list[i]))
		}
	}
	// Two that are the same now keep their whole paths.
	count := make(map[string]int)
	for _, name := range list {
		count[name]++
	}
	for i, name := range list {
		if count[name] > 1 || name == "" {
			list[i] = files[i]
		}
	}
	return list
}
