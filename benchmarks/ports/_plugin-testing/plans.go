// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package resource

import (
	"context"
	"errors"

	version "github.com/hashicorp/go-version"
	tfjson "github.com/hashicorp/terraform-json"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/mitchellh/go-testing-interface"
	"github.com/tofuwire/tofuwire/planjson"
)

func runPlanChecks(ctx context.Context, t testing.T, plan *planjson.Plan, checks []plancheck.PlanCheck) (err error) {
	t.Helper()
	for _, c := range checks {
		var response plancheck.CheckPlanResponse
		c.CheckPlan(ctx, plancheck.CheckPlanRequest{Plan: plan}, &response)
		err = errors.Join(err, response.Error)
	}
	return err
}

// planIsEmpty reports whether nothing changes. Old versions repeat the creation
// of all outputs, which counts for nothing.
func planIsEmpty(plan *planjson.Plan, v *version.Version) bool {
	for _, rc := range plan.ResourceChanges {
		if !rc.Change.Actions.IsNoOp() {
			return false
		}
	}
	if v.LessThan(expectNonEmptyPlanOutputChangesMinTFVersion) {
		return true
	}
	for _, c := range plan.OutputChanges {
		if !c.Actions.IsNoOp() {
			return false
		}
	}
	return true
}

// identityValuesFromStateValues returns the identity of a resource of the root
// module: in a state, which is read as before, or in a plan.
func identityValuesFromStateValues[V *tfjson.StateValues | planjson.Values](values V, address string) map[string]any {
	switch values := any(values).(type) {
	case *tfjson.StateValues:
		for _, r := range resourcesFromState(values) {
			if r.Address == address {
				return r.IdentityValues
			}
		}
	case planjson.Values:
		for _, r := range values.RootModule.Resources {
			if r.Address == address {
				identity, _ := r.Identity.Any().(map[string]any)
				return identity
			}
		}
	}
	return nil
}
