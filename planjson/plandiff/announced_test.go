// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// written returns a plan in all three forms.
func written(t *testing.T, members string) (texts [3]string, d *plandiff.Diff) {
	t.Helper()
	p, err := planjson.DecodePlan([]byte(`{"format_version":"1.2",` + members + `}`))
	if err != nil {
		t.Fatal(err)
	}
	d = plandiff.Plan(p, plandiff.Options{})
	var text, md, html strings.Builder
	if err := d.WriteText(&text, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteMarkdown(&md, plandiff.MarkdownOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := d.WriteHTML(&html, plandiff.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	return [3]string{text.String(), md.String(), html.String()}, d
}

// What a plan announces is shown in all forms, also if no value differs.
func TestAnnounced(t *testing.T) {
	output := func(before, after, marks, more string) string {
		return `"output_changes":{"o":{"actions":["update"],"before":` + before + `,"after":` + after + `,"after_unknown":false,"before_sensitive":` + marks + `,"after_sensitive":` + marks + `}}` + more
	}
	prior := func(prior, config string) string {
		return `,"prior_state":{"format_version":"1.0","values":{"outputs":{"o":{"sensitive":` + prior + `,"value":"v"}}}},"configuration":{"root_module":{"outputs":{"o":{"sensitive":` + config + `,"expression":{}}}}}`
	}
	resource := func(members string) string {
		return `"resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","change":{` + members + `}}]`
	}
	for _, row := range []struct {
		name, plan string
		want, not  []string
	}{
		{"no longer sensitive", output(`"v"`, `"v"`, "true", prior("true", "false")), []string{"will no longer be marked as sensitive", "~ o = (sensitive value)", "The value is unchanged."}, nil},
		{"sensitive from now on", output(`"v"`, `"v"`, "true", prior("false", "true")), []string{"will be marked as sensitive", "o = (sensitive value)"}, nil},
		{"sensitive, no direction", output(`"v"`, `"v"`, "true", ""), []string{"o = (sensitive value) # the value is unchanged"}, []string{"marked"}},
		{"spelling", output(`1.0`, `1`, "false", ""), []string{"o = 1.0 -> 1"}, nil},
		{"order of keys", output(`{"a":1,"b":2}`, `{"b":2,"a":1}`, "false", ""), []string{"o = (unchanged) # the value is unchanged"}, nil},
		{"the same", output(`"x"`, `"x"`, "false", ""), []string{`o = "x" # the value is unchanged`}, nil},
		{"numbers in JSON", resource(`"actions":["update"],"before":{"j":"{\"a\":1.0,\"l\":[2.0,3]}"},"after":{"j":"{\"a\":1,\"l\":[2,3]}"},"after_unknown":{}`), []string{"a = 1.0 -> 1", "2.0 -> 2"}, []string{"whitespace"}},
		{"white space in JSON", resource(`"actions":["update"],"before":{"j":"{\"a\": 1}"},"after":{"j":"{\"a\":1}"},"after_unknown":{}`), []string{"whitespace changes"}, nil},
		{"below a sensitive value", resource(`"actions":["delete","create"],"before":{"zones":{"a":{"cidr":"1"}}},"after":{"zones":{"a":{"cidr":"2"}}},"after_unknown":{},"before_sensitive":{"zones":true},"after_sensitive":{"zones":true},"replace_paths":[["zones","a","cidr"]]`), []string{"zones = (sensitive value) # forces replacement"}, nil},
		{"below an unknown value", resource(`"actions":["delete","create"],"before":{"zones":{"a":{"cidr":"1"}}},"after":{},"after_unknown":{"zones":true},"replace_paths":[["zones","b","cidr"]]`), []string{"forces replacement"}, nil},
		{"nothing shown", resource(`"actions":["delete","create"],"before":{"z":{"a":1},"y":1},"after":{"z":{"a":1},"y":2},"after_unknown":{},"replace_paths":[["q","a"]]`), []string{"forces replacement"}, nil},
		{"an element of a set", resource(`"actions":["delete","create"],"before":{"z":["a"]},"after":{"z":["b"]},"after_unknown":{},"replace_paths":[["z","b"]]`), []string{`"b", # forces replacement`}, nil},
		{"a block that becomes unknown", resource(`"actions":["update"],"before":{"b":[{"pw":"x"}]},"after":{},"after_unknown":{"b":true},"before_sensitive":{"b":true},"after_sensitive":{}`), []string{"b = (sensitive value)"}, []string{"no longer"}},
		{"a replacement that forgets", resource(`"actions":["forget","create"],"before":{"x":1},"after":{"x":2},"after_unknown":{}`), []string{"./+", "but the old object is not destroyed"}, []string{"Destroyed or replaced", `class="resource replace planned"`}},
		{"a forgotten object", resource(`"actions":["forget"],"before":{"x":1},"after":null,"after_unknown":{}`), []string{"not destroyed"}, []string{"Destroyed or replaced"}},
	} {
		texts, _ := written(t, row.plan)
		for i, text := range texts {
			plain := strings.NewReplacer("&#34;", `"`, "&gt;", ">", `<span class="why">`, "", "</span>", "", "!", "~", "  ", " ").Replace(text)
			for _, want := range row.want {
				if !strings.Contains(plain, strings.TrimPrefix(want, "~ ")) && !strings.Contains(text, want) {
					t.Errorf("%s: %d: there is no %q in\n%s", row.name, i, want, text)
				}
			}
			for _, not := range row.not {
				if strings.Contains(text, not) {
					t.Errorf("%s: %d: there is %q in\n%s", row.name, i, not, text)
				}
			}
		}
	}
}

// A plan that failed is never without changes, and says so first.
func TestPlanState(t *testing.T) {
	for _, row := range []struct {
		plan, first, headline string
		empty                 bool
	}{
		{`"resource_changes":[]`, "No changes.", "No changes", true},
		{`"resource_changes":[],"errored":true,"applyable":false`, "Planning failed. Terraform encountered an error", "Planning failed", false},
		{`"resource_changes":[{"address":"t.a","provider_name":"registry.opentofu.org/a/b","change":{"actions":["create"]}}],"errored":true`, "Planning failed. OpenTofu encountered an error while generating this plan. These actions", "Planning failed after 1 to add, 0 to change, 0 to destroy", false},
		{`"resource_drift":[{"address":"t.a","mode":"managed","type":"t","name":"a","change":{"actions":["update"],"before":{"x":1},"after":{"x":2}}}]`, "This is a refresh-only plan", "Refresh only: 1 object changed outside", false},
		{`"complete":false`, "This plan is incomplete", "No changes", true},
		{`"applyable":false,"resource_changes":[{"address":"t.a","change":{"actions":["create"]}}]`, "This plan cannot be applied", "1 to add, 0 to change, 0 to destroy", false},
		{`"checks":[{"address":{"to_display":"check.h"},"status":"fail","instances":[{"address":{"to_display":"check.h"},"status":"fail","problems":[{"message":"no\nanswer"}]}]}]`, "Check check.h: fail: no answer", "No changes", true},
	} {
		texts, d := written(t, row.plan)
		if d.Headline() != row.headline || d.IsEmpty() != row.empty {
			t.Errorf("%s: %q, empty: %v", row.plan, d.Headline(), d.IsEmpty())
		}
		if !strings.HasPrefix(texts[0], row.first) {
			t.Errorf("%s: %s", row.plan, texts[0])
		}
		for i, text := range texts {
			if i != 2 && !strings.Contains(text, row.headline) || strings.Contains(row.plan, `"errored":true`) && strings.Contains(text, "No changes") {
				t.Errorf("%s: %d: %s", row.plan, i, text)
			}
		}
	}
}
