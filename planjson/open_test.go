// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// TestUnknownValuesStay checks that open enumerations keep values that have no constant:
// they decode, can be read, and are written back.
func TestUnknownValuesStay(t *testing.T) {
	const text = `{"format_version":"1.2","resource_changes":[{"address":"a.b","mode":"virtual","type":"a","name":"b",` +
		`"change":{"actions":["teleport"],"before":null,"after":{}},"action_reason":"because"}],` +
		`"deferred_changes":[{"reason":"tired","resource_change":{"address":"a.c","change":{"actions":[]}}}],` +
		`"checks":[{"address":{"kind":"oracle","name":"x"},"status":"maybe"}]}`
	plan, err := planjson.DecodePlan([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	rc, check := plan.ResourceChanges[0], plan.Checks[0]
	if rc.Mode != "virtual" || rc.Change.Actions[0] != "teleport" || rc.Change.Actions.IsKnown() || rc.ActionReason != "because" ||
		plan.DeferredChanges[0].Reason != "tired" || check.Address.Kind != "oracle" || check.Status != "maybe" {
		t.Errorf("%+v, %+v", rc, check)
	}
	plan.FormatVersion = "1.2"
	if out, err := planjson.Encode(plan); err != nil || string(out) != text {
		t.Errorf("%s, %v", out, err)
	}
}
