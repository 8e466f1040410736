// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"bytes"
	"encoding/json"
	"io"
)

// document writes the report for programs: the members of the summary, and those of the
// differences of each plan.
func document(w io.Writer, r *report) error {
	s := summarize(r)
	doc := jsonReport{FormatVersion: "1.0", Errored: s.Errored, Reasons: s.Reasons, Empty: s.Empty, Changes: s.Changes, Differences: s.Differences, Marker: s.Marker, Plans: []jsonPlan{}}
	for i, p := range s.Plans {
		x := r.stacks[i]
		plan := jsonPlan{PlanSummary: p, PlanFormatVersion: x.plan.FormatVersion, TerraformVersion: x.plan.TerraformVersion, Tool: x.diff.State.Tool}
		if n := x.shown.NotShown(); !r.selection.isAll() {
			plan.NotShown = &n
		}
		text, err := x.shown.MarshalJSON()
		if err == nil {
			err = json.Unmarshal(text, &plan.changes)
		}
		if err != nil {
			return err
		}
		doc.Plans = append(doc.Plans, plan)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// A jsonReport is the document of -format json.
type jsonReport struct {
	FormatVersion string     `json:"format_version"`
	Errored       bool       `json:"errored"`
	Reasons       []string   `json:"reasons"`
	Empty         bool       `json:"empty"`
	Changes       Counts     `json:"changes"`
	Differences   *int       `json:"differences"`
	Marker        string     `json:"marker"`
	Plans         []jsonPlan `json:"plans"`
}

type jsonPlan struct {
	PlanSummary
	NotShown          *int   `json:"not_shown,omitempty"`
	PlanFormatVersion string `json:"plan_format_version"`
	TerraformVersion  string `json:"terraform_version"`
	Tool              string `json:"tool"`
	changes
}

// changes are the members that a Diff has.
type changes struct {
	Resources   json.RawMessage `json:"resources"`
	Deferred    json.RawMessage `json:"deferred"`
	Drift       json.RawMessage `json:"drift"`
	Outputs     json.RawMessage `json:"outputs"`
	Invocations json.RawMessage `json:"invocations"`
	Checks      json.RawMessage `json:"checks"`
	Against     json.RawMessage `json:"against"`
}
