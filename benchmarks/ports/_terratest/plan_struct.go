// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package terraform has a stand-in for the part of the package of this name of
// terratest that reads plans.
package terraform

import (
	"github.com/gruntwork-io/terratest/modules/testing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tofuwire/tofuwire/planjson"
)

// A PlanStruct is a plan, with its resources by address.
type PlanStruct struct {
	RawPlan                  *planjson.Plan
	ResourcePlannedValuesMap map[string]*PlannedResource
	ResourceChangesMap       map[string]*PlannedChange
}

// A PlannedResource is a resource with its attributes as a Go value.
type PlannedResource struct {
	*planjson.Resource
	AttributeValues map[string]any
}

// A PlannedChange is a resource change with Before and After as Go values.
type PlannedChange struct {
	*planjson.ResourceChange
	Change *ValueChange
}

// A ValueChange is a change with Before and After as Go values.
type ValueChange struct {
	*planjson.Change
	Before, After any
}

// ParsePlanJSON decodes a plan.
func ParsePlanJSON(text string) (*PlanStruct, error) {
	plan, err := planjson.DecodePlan([]byte(text))
	if err != nil {
		return nil, err
	}
	s := &PlanStruct{RawPlan: plan, ResourcePlannedValuesMap: map[string]*PlannedResource{}, ResourceChangesMap: map[string]*PlannedChange{}}
	for m := range plan.PlannedValues.AllModules() {
		for _, r := range m.Resources {
			values, _ := r.Values.Any().(map[string]any)
			s.ResourcePlannedValuesMap[r.Address] = &PlannedResource{r, values}
		}
	}
	for _, rc := range plan.ResourceChanges {
		s.ResourceChangesMap[rc.Address] = &PlannedChange{rc, &ValueChange{&rc.Change, rc.Change.Before.Any(), rc.Change.After.Any()}}
	}
	return s, nil
}

const notThere = "the plan has no %s"

// AssertPlannedValuesMapKeyExists fails the test without planned values at an address.
func AssertPlannedValuesMapKeyExists(t testing.TestingT, plan *PlanStruct, address string) {
	assert.Containsf(t, plan.ResourcePlannedValuesMap, address, notThere, address)
}

// RequirePlannedValuesMapKeyExists ends the test without planned values at an address.
func RequirePlannedValuesMapKeyExists(t testing.TestingT, plan *PlanStruct, address string) {
	require.Containsf(t, plan.ResourcePlannedValuesMap, address, notThere, address)
}

// AssertResourceChangesMapKeyExists fails the test without a change at an address.
func AssertResourceChangesMapKeyExists(t testing.TestingT, plan *PlanStruct, address string) {
	assert.Containsf(t, plan.ResourceChangesMap, address, notThere, address)
}

// RequireResourceChangesMapKeyExists ends the test without a change at an address.
func RequireResourceChangesMapKeyExists(t testing.TestingT, plan *PlanStruct, address string) {
	require.Containsf(t, plan.ResourceChangesMap, address, notThere, address)
}
