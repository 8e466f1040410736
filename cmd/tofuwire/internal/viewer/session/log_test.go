// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// fact returns the value of a fact.
func (o *opened) fact(name string) string {
	for _, f := range o.info.Facts {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}

// A document in a log is shown as the document itself is, and what is saved of it redacted is the
// document.
func TestLogs(t *testing.T) {
	const state = `{"version":4,"terraform_version":"1.12.6","serial":3,"lineage":"l","outputs":{"o":{"value":"x","type":"string"}},"resources":[{"mode":"managed","type":"a_b","name":"c","provider":"provider[\"registry.opentofu.org/a/b\"]","instances":[{"schema_version":0,"attributes":{"id":"1"}},{"index_key":1,"schema_version":0,"attributes":{"id":"2"}}]}],"check_results":null}`
	for name, text := range map[string]string{
		"plan":      string(read(t, "../../../../../planjson/testdata/tofu-1.12.6/expressions/plan.2.json")),
		"statefile": state,
	} {
		text = strings.TrimSpace(text)
		want := open(t, name, []byte(text))
		if want.err != nil {
			t.Fatal(want.err)
		}
		for _, log := range []string{
			"::group::show\n[command]/bin/tofu show -json p\n" + text + "\n::endgroup::\n",
			"\x1b[1mInitializing\x1b[0m\r\n" + text + "\r\nDone.\r\n",
			"```json\n" + text + "\n```\n",
		} {
			got := open(t, "build.log", []byte(log))
			if got.err != nil {
				t.Errorf("%s in %.20q: %v", name, log, got.err)
				continue
			}
			if got.info.Kind != name || !slices.EqualFunc(got.rows, want.rows, func(a, b Row) bool { return a == b }) || got.fact("In a log") == "" {
				t.Errorf("%s in %.20q: %s, %d rows, not %d", name, log, got.info.Kind, len(got.rows), len(want.rows))
			}
			var out strings.Builder
			if _, err := got.session.Redact(1, Redaction{}, &out, func(string, any) {}); err != nil || !strings.HasPrefix(out.String(), "{") || strings.Contains(out.String(), "Done.") {
				t.Errorf("%s in %.20q: redacted: %v, %.50q", name, log, err, out.String())
			}
		}
	}
	// Two documents are none.
	if got := open(t, "two.log", []byte("log\n"+state+"\nlog\n"+strings.Replace(state, `"serial":3`, `"serial":4`, 1)+"\n")); got.err == nil {
		t.Errorf("two documents are shown as %s", got.info.Kind)
	}
}

// The rows of a plan are as many as its summary says, and the summary is that of the reports.
func TestCounts(t *testing.T) {
	for _, name := range []string{"expressions/plan.2.json", "reasons/plan.2.json", "keys-modules/plan.2.json"} {
		text := read(t, "../../../../../planjson/testdata/tofu-1.12.6/"+name)
		p, err := planjson.DecodePlan(text)
		if err != nil {
			t.Fatal(err)
		}
		d := plandiff.Plan(p, plandiff.Options{})
		o := open(t, name, text)
		if o.err != nil {
			t.Fatal(o.err)
		}
		want, got := map[string]int{}, map[string]int{}
		for _, r := range d.Resources {
			want[r.Class()]++
		}
		for _, r := range o.rows {
			if r.Part == "planned" {
				got[r.Class]++
			}
		}
		for class, n := range want {
			if got[class] != n {
				t.Errorf("%s: %d rows of %s, not %d", name, got[class], class, n)
			}
		}
		if o.fact("Summary") != d.Headline() || o.fact("Made by") != "OpenTofu 1.12.6" {
			t.Errorf("%s: %q, not %q; %q", name, o.fact("Summary"), d.Headline(), o.fact("Made by"))
		}
		g, err := o.session.Graph(1)
		if err != nil {
			t.Fatal(err)
		}
		instances := 0
		for _, b := range g.Picture.Boxes {
			instances += b.Count
		}
		if instances != len(d.Resources) || g.Picture.Blocks != len(g.Picture.Boxes) {
			t.Errorf("%s: the graph has %d changes, not %d", name, instances, len(d.Resources))
		}
	}
	failed := open(t, "failed.json", []byte(`{"format_version":"1.2","planned_values":{},"resource_changes":[],"errored":true}`))
	if failed.err != nil || !strings.Contains(failed.fact("Summary"), "Planning failed") || len(failed.info.Alarms) == 0 {
		t.Errorf("%v, %v", failed.err, failed.info)
	}
}
