// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestSchemaOfReport checks that the members that the document has are those in the schema of the report.
func TestSchemaOfReport(t *testing.T) {
	src, err := os.ReadFile("../../docs/schemas/report.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs map[string]struct {
			Properties map[string]any `json:"properties"`
			Required   []string       `json:"required"`
		} `json:"$defs"`
	}
	if err := json.Unmarshal(src, &schema); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{
		"ChangeReport": changeDocument{}, "OutputReport": outputDocument{}, "InvocationReport": invocationDocument{},
		"CheckReport": checkDocument{}, "DifferenceReport": differenceDocument{}, "AttributeReport": attributeDocument{}, "PlanReport": document{},
	} {
		var members, always []string
		for f := range reflect.TypeOf(v).Fields() {
			member, optional := strings.CutSuffix(f.Tag.Get("json"), ",omitempty")
			members = append(members, member)
			if !optional {
				always = append(always, member)
			}
		}
		def := schema.Defs[name]
		described := slices.Collect(maps.Keys(def.Properties))
		if name == "PlanReport" { // the program writes the others
			described = slices.DeleteFunc(described, func(m string) bool { return !slices.Contains(members, m) })
			def.Required = slices.DeleteFunc(def.Required, func(m string) bool { return !slices.Contains(members, m) })
		}
		for what, lists := range map[string][2][]string{"members": {members, described}, "required members": {always, def.Required}} {
			slices.Sort(lists[0])
			slices.Sort(lists[1])
			if !slices.Equal(lists[0], lists[1]) {
				t.Errorf("%s: %s are %q, and %q in the schema", name, what, lists[0], lists[1])
			}
		}
	}
}
