// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
)

// TestMadeAsRecorded makes each document that OpenTofu 1.12 has printed again, from its fields
// alone, and requires the text that OpenTofu printed.
func TestMadeAsRecorded(t *testing.T) {
	made := map[string]int{}
	for _, r := range recordings(t, "plan", "state", "config", "schemas", "functions", "validate", "version") {
		if !strings.Contains(r.name, "tofu-1.12.6/") {
			continue
		}
		doc, err := decodeAs(r.kind, bytes.Clone(r.text))
		if err != nil {
			t.Fatal(err)
		}
		fresh := reflect.New(reflect.TypeOf(doc.value).Elem())
		plantest.CopyFields(fresh.Interface(), doc.value)
		if plan, ok := fresh.Interface().(*planjson.Plan); ok {
			plantest.CopyFields(plan.Config(), doc.value.(*planjson.Plan).Config())
		}
		var again document
		switch v := fresh.Interface().(type) {
		case *planjson.Plan:
			again = wrapped(v)
		case *planjson.State:
			again = wrapped(v)
		case *planjson.Config:
			again = wrapped(v)
		case *planjson.Schemas:
			again = wrapped(v)
		case *planjson.Functions:
			again = wrapped(v)
		case *planjson.Validate:
			again = wrapped(v)
		case *planjson.Version:
			again = wrapped(v)
		}
		out, err := again.encode()
		sameText(t, r.name+" made again", out, r.text, err)
		made[r.kind]++
	}
	if len(made) < 7 {
		t.Errorf("only documents of %v", made)
	}
}
