// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/printable"
	"github.com/tofuwire/tofuwire/planjson"
)

// A PlanState is what a plan says about itself.
type PlanState struct {
	// Errored reports whether planning failed: the changes are those that were planned
	// before the error.
	Errored bool

	// Incomplete reports whether the plan says that applying it does not reach the desired
	// state in one go, as with -target. Only Terraform says so.
	Incomplete bool

	// NotApplyable reports whether the plan says that it cannot be applied, or that there
	// is nothing to apply. Only Terraform says so.
	NotApplyable bool

	// Unsupported reports whether the format has a version that [planjson.CheckVersion]
	// refuses.
	Unsupported bool

	// RefreshOnly reports whether the plan only records in the state what has
	// changed outside of the tool. These changes are in Drift.
	RefreshOnly bool

	// Destroys reports whether the plan destroys all objects that it lists, as with
	// -destroy.
	Destroys bool

	// Checks lists the failed checks, with their messages.
	Checks []FailedCheck

	// Remarks are the caller's own sentences. [Diff.Notes] returns them as
	// well.
	Remarks []string

	// Tool is the tool that made the plan, "OpenTofu" or "Terraform", or "" if the plan
	// does not say.
	Tool string
}

// A FailedCheck is a condition, a check block or a validation that failed.
type FailedCheck struct {
	// Address is the address of the object that was checked, and Status is
	// [planjson.CheckFail] or [planjson.CheckError].
	Address string
	Status  planjson.CheckStatus

	// Messages lists the error messages.
	Messages []string
}

// stateOf returns what p says about itself.
func stateOf(p *planjson.Plan) PlanState {
	s := PlanState{
		Errored:      p.Errored,
		Incomplete:   p.Complete != nil && !*p.Complete && !p.Errored && len(p.DeferredChanges)+len(p.DeferredActionInvocations) == 0,
		NotApplyable: p.Applyable != nil && !*p.Applyable,
		RefreshOnly:  p.ResourceChanges == nil && len(p.ResourceDrift) > 0 && !p.Errored,
		Checks:       failedChecks(p),
		Tool:         toolOf(p),
	}
	s.Unsupported = p.FormatVersion != "" && planjson.CheckVersion(p) != nil
	gone := 0
	for _, rc := range p.ResourceChanges {
		switch {
		case rc == nil || rc.Mode == addrs.Data:
		case rc.Change.Actions.IsDelete():
			gone++
		default:
			gone = -len(p.ResourceChanges)
		}
	}
	s.Destroys = gone > 0
	return s
}

func failedChecks(p *planjson.Plan) (list []FailedCheck) {
	for _, c := range p.Checks {
		if c == nil || c.Status != planjson.CheckFail && c.Status != planjson.CheckError {
			continue
		}
		some := false
		for _, i := range c.Instances {
			if i == nil || i.Status != planjson.CheckFail && i.Status != planjson.CheckError {
				continue
			}
			f := FailedCheck{Address: i.Address.ToDisplay, Status: i.Status}
			for _, m := range i.Problems {
				if m != nil {
					f.Messages = append(f.Messages, m.Message)
				}
			}
			list, some = append(list, f), true
		}
		if !some {
			list = append(list, FailedCheck{Address: c.Address.ToDisplay, Status: c.Status})
		}
	}
	return list
}

// toolOf returns the name of the tool that made a plan, as far as the plan tells.
func toolOf(p *planjson.Plan) string {
	if p.Applyable != nil || p.Complete != nil {
		return "Terraform"
	}
	for _, rc := range p.ResourceChanges {
		switch {
		case rc == nil:
		case strings.HasPrefix(rc.ProviderName, "registry.opentofu.org/"):
			return "OpenTofu"
		case strings.HasPrefix(rc.ProviderName, "registry.terraform.io/"):
			return "Terraform"
		}
	}
	return ""
}

// Notes returns what a reader must know before the changes, in a sentence or two each:
// planning failed, the plan is incomplete, a check failed, and so on. All writers begin
// with them.
func (d *Diff) Notes() []string {
	if d == nil {
		return nil
	}
	return d.notes(printable.Text, math.MaxInt)
}

// notes is Notes with the texts of the plan written by code, and so many messages of a check.
func (d *Diff) notes(code func(string) string, most int) []string {
	var notes []string
	note := func(is bool, text string) {
		if is {
			notes = append(notes, text)
		}
	}
	tool := d.State.Tool
	if tool == "" {
		tool = "The tool"
	}
	failed := "Planning failed. " + tool + " encountered an error while generating this plan."
	if d.hasChanges() {
		failed += " These actions were planned before that."
	}
	note(d.State.Errored, failed)
	note(d.State.Unsupported, "The plan has a format version that is not supported: what follows may be wrong.")
	note(len(d.plan().Deferred) > 0 || d.defersActions(), "This is a partial plan: parts of it can only be known in the next plan / apply cycle.")
	note(d.State.Incomplete, "This plan is incomplete: applying it does not reach the desired state.")
	note(d.State.NotApplyable && !d.State.Errored && d.hasChanges(), "This plan cannot be applied.")
	note(d.State.RefreshOnly, "This is a refresh-only plan: applying it records what has changed outside in the state, and does nothing else.")
	notes = append(notes, d.State.Remarks...)
	note(d.NotShown() > 0, strings.Replace(count(d.NotShown(), "change")+" are not shown.", "1 change are", "1 change is", 1))
	for _, c := range d.State.Checks {
		text := "Check " + code(c.Address) + ": " + code(string(c.Status))
		for i, m := range c.Messages {
			if i == most {
				text += fmt.Sprintf("; and %d more", len(c.Messages)-i)
				break
			}
			text += [...]string{": ", "; "}[min(i, 1)] + code(strings.TrimSpace(strings.ReplaceAll(m, "\n", " ")))
		}
		notes = append(notes, text)
	}
	return notes
}

// defersActions reports whether an action is left to a later plan.
func (d *Diff) defersActions() bool {
	for _, i := range d.plan().Invocations {
		if i.Reason != "" {
			return true
		}
	}
	return false
}

// hasChanges reports whether there is anything to do.
func (d *Diff) hasChanges() bool {
	d = d.plan()
	return len(d.Resources)+len(d.Outputs)+len(d.Deferred)+len(d.Invocations) > 0
}

// Headline describes in a few words what the plan does: "No changes", the [Summary], or
// that planning failed. It is never "No changes" for a plan that failed.
func (d *Diff) Headline() string {
	switch {
	case d == nil:
		return ""
	case d.State.Errored && d.hasChanges():
		return "Planning failed after " + d.Summary().String()
	case d.State.Errored:
		return "Planning failed"
	case d.State.RefreshOnly && !d.hasChanges():
		return "Refresh only: " + count(len(d.plan().Drift), "object") + " changed outside"
	case !d.hasChanges() && d.State.Unsupported:
		return "The format version is not supported"
	case !d.hasChanges():
		return "No changes"
	}
	return d.Summary().String()
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}
