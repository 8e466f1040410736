// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"encoding/json"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// Counts are the numbers of changes. A replacement counts as one to add and as one to destroy
// or to forget; Replace says how many there are.
type Counts struct {
	Import  int `json:"import"`
	Add     int `json:"add"`
	Change  int `json:"change"`
	Replace int `json:"replace"`
	Destroy int `json:"destroy"`
	Forget  int `json:"forget"`
	Move    int `json:"move"`
	Invoke  int `json:"invoke"`
	Outputs int `json:"outputs"`
	Drift   int `json:"drift"`
}

func countsOf(d *plandiff.Diff) Counts {
	s := d.Summary()
	c := Counts{Import: s.Import, Add: s.Add, Change: s.Change, Destroy: s.Destroy, Forget: s.Forget, Move: s.Move, Invoke: s.Invoke, Outputs: len(d.Outputs), Drift: len(d.Drift)}
	for _, r := range d.Resources {
		if r.Actions.IsReplace() {
			c.Replace++
		}
	}
	return c
}

func (c *Counts) add(x Counts) {
	c.Import += x.Import
	c.Add += x.Add
	c.Change += x.Change
	c.Replace += x.Replace
	c.Destroy += x.Destroy
	c.Forget += x.Forget
	c.Move += x.Move
	c.Invoke += x.Invoke
	c.Outputs += x.Outputs
	c.Drift += x.Drift
}

// A Summary is what -summary writes.
type Summary struct {
	Errored     bool          `json:"errored"` // planning failed, or the version is not supported; exit status 2
	Reasons     []string      `json:"reasons"` // why a program cannot judge one of the plans
	Empty       bool          `json:"empty"`   // no plan changes anything
	Changes     Counts        `json:"changes"`
	Differences *int          `json:"differences"` // from the approved plans, or null
	Marker      string        `json:"marker,omitempty"`
	Plans       []PlanSummary `json:"plans"`

	stacks []*stack // for Annotate
}

// A PlanSummary is the part of one plan.
type PlanSummary struct {
	Name        string   `json:"name"`
	File        string   `json:"file"`
	Verdict     string   `json:"verdict"`
	Headline    string   `json:"headline"`
	Errored     bool     `json:"errored"`
	Reasons     []string `json:"reasons"`
	Empty       bool     `json:"empty"`
	Changes     Counts   `json:"changes"`
	Differences *int     `json:"differences"`
	Notes       []string `json:"notes"`
	Groups      []group  `json:"groups"`
}

// A group Counts the changes of the resources of one type in one module, by class.
type group struct {
	Module  string         `json:"module"`
	Type    string         `json:"type"`
	Changes map[string]int `json:"changes"`
}

func groupsOf(d *plandiff.Diff) []group {
	list := []group{}
	for _, g := range d.Groups() {
		x := group{g.Module, g.Type, make(map[string]int)}
		for _, r := range g.Resources {
			class := r.Class()
			x.Changes[class]++
			if r.Importing && class != "import" {
				x.Changes["import"]++
			}
			if r.PreviousAddress != "" && r.PreviousAddress != r.Address && class != "move" {
				x.Changes["move"]++
			}
		}
		list = append(list, x)
	}
	return list
}

// summarize returns the summary of a report.
func summarize(r *report) *Summary {
	s := &Summary{Reasons: []string{}, Empty: true, Marker: r.marker(), Plans: []PlanSummary{}, stacks: r.stacks}
	seen := make(map[string]bool)
	for _, x := range r.stacks {
		p := PlanSummary{
			Name: x.diff.Name, File: x.file, Verdict: x.diff.Verdict(), Headline: x.diff.Headline(), Errored: x.failed(),
			Reasons: append([]string{}, x.reasons...), Empty: x.diff.IsEmpty() && !x.failed(), Changes: countsOf(x.diff), Notes: append([]string{}, x.diff.Notes()...),
			Groups: groupsOf(x.diff),
		}
		if c := x.diff.Against; c != nil {
			n := len(c.Differences)
			p.Differences = &n
			if s.Differences == nil {
				s.Differences = new(int)
			}
			*s.Differences += n
		}
		s.Errored = s.Errored || p.Errored
		s.Empty = s.Empty && p.Empty
		s.Changes.add(p.Changes)
		for _, reason := range x.reasons {
			if !seen[reason] {
				s.Reasons, seen[reason] = append(s.Reasons, reason), true
			}
		}
		s.Plans = append(s.Plans, p)
	}
	return s
}

// failed reports whether planning failed or the version is not supported.
func (s *stack) failed() bool { return s.plan.Errored || planjson.CheckVersion(s.plan) != nil }

// save writes the summary into a file.
func (s *Summary) save(name string) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(name, append(text, '\n'), 0o666)
}
