// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package plancheck stands in for the package of this name of
// terraform-plugin-testing: its checks, asked of a plan of planjson.
package plancheck

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"
	"github.com/tofuwire/tofuwire/planjson"
)

// A PlanCheck looks at a plan.
type PlanCheck interface {
	CheckPlan(context.Context, CheckPlanRequest, *CheckPlanResponse)
}

// A CheckPlanRequest has the plan to look at.
type CheckPlanRequest struct {
	Plan *planjson.Plan
}

// A CheckPlanResponse says what is wrong with the plan.
type CheckPlanResponse struct {
	Error error
}

// A check is a PlanCheck that is a function.
type check func(*planjson.Plan) error

func (c check) CheckPlan(_ context.Context, q CheckPlanRequest, a *CheckPlanResponse) {
	if q.Plan == nil {
		q.Plan = new(planjson.Plan)
	}
	a.Error = c(q.Plan)
}

// ofResource is a check of the change of one resource instance.
func ofResource(address, where string, f func(*planjson.ResourceChange) error) PlanCheck {
	return check(func(p *planjson.Plan) error {
		if rc := planjson.NewPlanIndex(p).Change(address); rc != nil {
			return f(rc)
		}
		return fmt.Errorf("%s - Resource not found in plan%s", address, where)
	})
}

// ofOutput is a check of the change of one output.
func ofOutput(name, where string, f func(*planjson.Change) error) PlanCheck {
	return check(func(p *planjson.Plan) error {
		if c := p.OutputChanges[name]; c != nil {
			return f(c)
		}
		return fmt.Errorf("%s - Output not found in plan%s", name, where)
	})
}

// changing yields what changes, outputs first.
func changing(p *planjson.Plan, yield func(what string, actions planjson.Actions)) {
	for _, name := range slices.Sorted(maps.Keys(p.OutputChanges)) {
		if c := p.OutputChanges[name]; c != nil && !c.Actions.IsNoOp() {
			yield(fmt.Sprintf("output %q", name), c.Actions)
		}
	}
	for _, rc := range p.ResourceChanges {
		if !rc.Change.Actions.IsNoOp() {
			yield(rc.Address, rc.Change.Actions)
		}
	}
}

// ExpectEmptyPlan wants a plan in which nothing changes.
func ExpectEmptyPlan() PlanCheck {
	return check(func(p *planjson.Plan) (err error) {
		changing(p, func(what string, actions planjson.Actions) {
			err = errors.Join(err, fmt.Errorf("expected empty plan, but %s has planned action(s): %v", what, []planjson.Action(actions)))
		})
		return err
	})
}

// ExpectNonEmptyPlan wants a plan in which something changes.
func ExpectNonEmptyPlan() PlanCheck {
	return check(func(p *planjson.Plan) error {
		err := errors.New("expected a non-empty plan, but got an empty plan")
		changing(p, func(string, planjson.Actions) { err = nil })
		return err
	})
}

// ExpectNoDeferredChanges wants a plan that puts nothing off.
func ExpectNoDeferredChanges() PlanCheck {
	return check(func(p *planjson.Plan) (err error) {
		for _, d := range p.DeferredChanges {
			err = errors.Join(err, fmt.Errorf("expected no deferred changes, but resource %q is deferred with reason: %q", d.ResourceChange.Address, d.Reason))
		}
		if len(p.DeferredChanges) > 0 || p.Complete != nil && *p.Complete {
			return err
		}
		return errors.New("the plan is not marked as complete")
	})
}

// ExpectDeferredChange wants a resource to be put off for a reason.
func ExpectDeferredChange(address string, reason DeferredReason) PlanCheck {
	return check(func(p *planjson.Plan) error {
		for _, d := range p.DeferredChanges {
			if d.ResourceChange.Address != address {
				continue
			}
			if got := DeferredReason(d.Reason); got != reason {
				return fmt.Errorf("%s: expected %q, got deferred reason: %q", address, reason, got)
			}
			return nil
		}
		return fmt.Errorf("%s - No deferred changes found for resource", address)
	})
}

// ExpectResourceAction wants an action for a resource.
func ExpectResourceAction(address string, action ResourceActionType) PlanCheck {
	is := map[ResourceActionType]func(planjson.Actions) bool{
		ResourceActionNoop:                planjson.Actions.IsNoOp,
		ResourceActionCreate:              planjson.Actions.IsCreate,
		ResourceActionRead:                planjson.Actions.IsRead,
		ResourceActionUpdate:              planjson.Actions.IsUpdate,
		ResourceActionDestroy:             planjson.Actions.IsDelete,
		ResourceActionDestroyBeforeCreate: planjson.Actions.IsDestroyBeforeCreate,
		ResourceActionCreateBeforeDestroy: planjson.Actions.IsCreateBeforeDestroy,
		ResourceActionReplace:             planjson.Actions.IsReplace,
	}[action]
	return ofResource(address, " ResourceChanges", func(rc *planjson.ResourceChange) error {
		if is == nil {
			return fmt.Errorf("%s - unexpected ResourceActionType: %s", address, action)
		}
		if !is(rc.Change.Actions) {
			return fmt.Errorf("%s: expected %s, got action(s): %v", address, action, []planjson.Action(rc.Change.Actions))
		}
		return nil
	})
}

// at returns a part of a value as a Go value.
func at(v planjson.Value, path tfjsonpath.Path) (any, error) {
	return tfjsonpath.Traverse(v.Any(), path)
}

// known checks a part of what there is after the plan.
func known(c *planjson.Change, path tfjsonpath.Path, want knownvalue.Check, what string) error {
	v, err := at(c.After, path)
	if err != nil {
		return err
	}
	if err := want.CheckValue(v); err != nil {
		return fmt.Errorf("error checking value for %s, err: %s", what, err)
	}
	return nil
}

// ExpectKnownValue wants a value for an attribute of a resource.
func ExpectKnownValue(address string, path tfjsonpath.Path, want knownvalue.Check) PlanCheck {
	return ofResource(address, "", func(rc *planjson.ResourceChange) error {
		return known(&rc.Change, path, want, "attribute at path: "+address+"."+path.String())
	})
}

// ExpectKnownOutputValue wants a value for an output.
func ExpectKnownOutputValue(name string, want knownvalue.Check) PlanCheck {
	return ofOutput(name, "", func(c *planjson.Change) error {
		return known(c, tfjsonpath.Path{}, want, "output at path: "+name)
	})
}

// ExpectKnownOutputValueAtPath wants a value for a part of an output.
func ExpectKnownOutputValueAtPath(name string, path tfjsonpath.Path, want knownvalue.Check) PlanCheck {
	return ofOutput(name, "", func(c *planjson.Change) error {
		return known(c, path, want, "output at path: "+name+"."+path.String())
	})
}

// null wants null before a change, or after a creation.
func null(c *planjson.Change, path tfjsonpath.Path) error {
	v := c.Before
	if c.Actions.IsCreate() {
		v = c.After
	}
	part, err := at(v, path)
	if err == nil && part != nil {
		err = errors.New("attribute at path is not null")
	}
	return err
}

// ExpectNullOutputValue wants null for an output.
//
// Deprecated: the package that this one stands in for says so.
func ExpectNullOutputValue(name string) PlanCheck {
	return ofOutput(name, " OutputChanges", func(c *planjson.Change) error { return null(c, tfjsonpath.Path{}) })
}

// ExpectNullOutputValueAtPath wants null for a part of an output.
//
// Deprecated: the package that this one stands in for says so.
func ExpectNullOutputValueAtPath(name string, path tfjsonpath.Path) PlanCheck {
	return ofOutput(name, " OutputChanges", func(c *planjson.Change) error { return null(c, path) })
}

// unknown wants a part to be unknown, by a mark of its own or of what it is in.
func unknown(c *planjson.Change, path tfjsonpath.Path, what string) error {
	if c.IsUnknown(path.Steps()...) {
		return nil
	}
	v, err := at(c.After, path)
	if err != nil {
		return err
	}
	return fmt.Errorf("Expected unknown value at %s, but found known value: \"%v\"", what, v)
}

// ExpectUnknownValue wants an attribute of a resource to be unknown.
func ExpectUnknownValue(address string, path tfjsonpath.Path) PlanCheck {
	return ofResource(address, " ResourceChanges", func(rc *planjson.ResourceChange) error {
		return unknown(&rc.Change, path, fmt.Sprintf("%q", path.String()))
	})
}

// ExpectUnknownOutputValue wants an output to be unknown.
func ExpectUnknownOutputValue(name string) PlanCheck {
	return ofOutput(name, " OutputChanges", func(c *planjson.Change) error {
		return unknown(c, tfjsonpath.Path{}, fmt.Sprintf("output %q", name))
	})
}

// ExpectUnknownOutputValueAtPath wants a part of an output to be unknown.
func ExpectUnknownOutputValueAtPath(name string, path tfjsonpath.Path) PlanCheck {
	return ofOutput(name, " OutputChanges", func(c *planjson.Change) error {
		return unknown(c, path, fmt.Sprintf("output %q path %q", name, path.String()))
	})
}

// ExpectSensitiveValue wants an attribute of a resource to be sensitive.
func ExpectSensitiveValue(address string, path tfjsonpath.Path) PlanCheck {
	return ofResource(address, " ResourceChanges", func(rc *planjson.ResourceChange) error {
		if !rc.Change.IsSensitive(path.Steps()...) {
			return fmt.Errorf("%s: %s is not sensitive", address, path.String())
		}
		return nil
	})
}
