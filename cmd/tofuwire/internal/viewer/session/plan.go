// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// readPlan makes rows of a plan while it is read. It returns the rows of the elements
// of its lists, -1 for those that have none.
func (d *Document) readPlan(split float64) (drift, changes []int, err error) {
	element := func(part string, rc *planjson.ResourceChange, rows *[]int) {
		n := len(d.rows)
		p := &planjson.Plan{}
		if part == "drift" {
			p.ResourceDrift = []*planjson.ResourceChange{rc}
		} else {
			p.ResourceChanges = []*planjson.ResourceChange{rc}
		}
		one := plandiff.Plan(p, plandiff.Options{})
		*rows = append(*rows, -1)
		for _, r := range append(one.Resources, one.Drift...) {
			(*rows)[len(*rows)-1] = n
			d.addResource(part, r, linesOf(one), func() []Line { return linesOf(plandiff.Plan(p, plandiff.Options{})) })
		}
	}
	// The changes of outputs have no marks in plans of Terraform before 0.15, but the
	// planned outputs do. What becomes of an output that goes is not known here.
	planned := map[string]*planjson.Output{}
	r := d.reader(0, split).(*progress)
	r.beforeReport = d.flush
	err = planjson.ReadPlan(r, planjson.PlanReader{
		FormatVersion: func(version string) error { return planjson.CheckVersion(&planjson.Plan{FormatVersion: version}) },
		ResourceDrift: func(rc *planjson.ResourceChange) error { element("drift", rc, &drift); return nil },
		ResourceChange: func(rc *planjson.ResourceChange) error {
			element("planned", rc, &changes)
			return nil
		},
		PlannedOutput: func(name string, o *planjson.Output) error {
			planned[name] = &planjson.Output{Sensitive: o != nil && o.Sensitive}
			return nil
		},
		OutputChange: func(name string, c *planjson.Change) error {
			p := &planjson.Plan{OutputChanges: map[string]*planjson.Change{name: c}, PlannedValues: planjson.Values{Outputs: planned}}
			if planned[name] == nil && c.BeforeSensitive == nil {
				c.BeforeSensitive = planjson.Literal(true)
			}
			for _, o := range plandiff.Plan(p, plandiff.Options{}).Outputs {
				d.addOutput("output", o)
			}
			return nil
		},
	})
	return drift, changes, err
}

// openPlan reads a plan twice: as a stream, for the rows, which come as soon as
// they are read; and whole, for what a stream does not have.
func (d *Document) openPlan() error {
	split := 1.0
	if d.Info.Size <= Whole {
		split = 0.6
	}
	drift, changes, err := d.readPlan(split)
	if err != nil {
		return err
	}
	d.flush()
	d.Info.Can = []string{"changes", "redact"}
	if d.Info.Size > Whole {
		d.alarm("This plan is above %d MiB: checks, deferred changes, actions, the graph and comparisons are left out.", Whole>>20)
		return nil
	}
	text, err := d.whole(split, 0.9)
	if err != nil {
		return err
	}
	if d.plan, err = planjson.DecodePlan(text); err != nil {
		return err
	}
	d.Info.Can = []string{"changes", "graph", "redact", "compare"}
	// From here on the details come from the whole plan, so that the parts of
	// the stream can go.
	d.shareDetails(changes, d.plan.ResourceChanges, func(rc *planjson.ResourceChange) *planjson.Plan {
		return &planjson.Plan{ResourceChanges: []*planjson.ResourceChange{rc}}
	})
	d.shareDetails(drift, d.plan.ResourceDrift, func(rc *planjson.ResourceChange) *planjson.Plan {
		return &planjson.Plan{ResourceDrift: []*planjson.ResourceChange{rc}}
	})
	rest := plandiff.Plan(&planjson.Plan{DeferredChanges: d.plan.DeferredChanges, ActionInvocations: d.plan.ActionInvocations}, plandiff.Options{})
	for _, r := range rest.Deferred {
		lines := func() []Line { return linesOf(&plandiff.Diff{Deferred: []*plandiff.Resource{r}}) }
		d.addResource("deferred", r, lines(), lines)
	}
	for _, i := range rest.Invocations {
		d.addLines(Row{Part: "action", Class: "action", Symbol: "!", Address: i.Address, Headline: i.Headline()},
			linesOf(&plandiff.Diff{Invocations: []*plandiff.Invocation{i}}))
	}
	d.planFacts()
	return nil
}

func (d *Document) shareDetails(rows []int, list []*planjson.ResourceChange, one func(*planjson.ResourceChange) *planjson.Plan) {
	for i, n := range rows {
		if n >= 0 && i < len(list) {
			rc := list[i]
			d.rows[n].lines = func() []Line { return linesOf(plandiff.Plan(one(rc), plandiff.Options{})) }
		}
	}
}

// planFacts returns the facts about the plan as a whole.
func (d *Document) planFacts() {
	p := d.plan
	bare := *p // without what a headline does not need
	bare.ResourceChanges, bare.ResourceDrift, bare.Checks = changesAlone(p.ResourceChanges), changesAlone(p.ResourceDrift), nil
	diff := plandiff.Plan(&bare, plandiff.Options{})
	d.fact("Summary", diff.Headline())
	d.fact("Made by", strings.TrimSpace(diff.State.Tool+" "+p.TerraformVersion))
	d.fact("Format", p.FormatVersion)
	d.fact("Time", p.Timestamp)
	d.fact("Resource instances", strconv.Itoa(len(p.ResourceChanges)))
	for _, note := range diff.Notes() {
		d.alarm("%s", note)
	}
	d.checks(p.Checks)
}

// changesAlone leaves out the values, which a summary does not need.
func changesAlone(list []*planjson.ResourceChange) []*planjson.ResourceChange {
	bare := make([]*planjson.ResourceChange, 0, len(list))
	for _, rc := range list {
		if rc == nil {
			continue
		}
		bare = append(bare, &planjson.ResourceChange{Address: rc.Address, PreviousAddress: rc.PreviousAddress, ModuleAddress: rc.ModuleAddress, Mode: rc.Mode, Type: rc.Type, Name: rc.Name, ProviderName: rc.ProviderName,
			Change: planjson.Change{Actions: rc.Change.Actions, Importing: rc.Change.Importing}})
	}
	return bare
}

// checks says which checks failed.
func (d *Document) checks(list []*planjson.Check) {
	passed, unknown := 0, 0
	for _, c := range list {
		switch c.Status {
		case planjson.CheckPass:
			passed++
		case planjson.CheckFail, planjson.CheckError:
			for _, i := range c.Instances {
				if i.Status != planjson.CheckFail && i.Status != planjson.CheckError {
					continue
				}
				text := fmt.Sprintf("Check %s: %s.", i.Address.ToDisplay, i.Status)
				for _, m := range i.Problems {
					text += " " + m.Message
				}
				d.alarm("%s", text)
			}
		default:
			unknown++
		}
	}
	if len(list) > 0 {
		d.fact("Checks", fmt.Sprintf("%d, of them %d passed, %d not known yet", len(list), passed, unknown))
	}
}
