// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

const folder = "../../../../../planjson/testdata/tofu-1.12.6/"

// A redacted document is what package redact makes of it, and every value that
// is hidden is in the preview.
func TestRedact(t *testing.T) {
	seen := 0
	for _, name := range recorded(t, "planjson/testdata/tofu-1.12.6/*/plan*.json") {
		text := read(t, name)
		if planjson.KindOf(text) != "plan" {
			continue
		}
		o := open(t, name, text)
		if o.err != nil {
			t.Fatal(o.err)
		}
		var out bytes.Buffer
		previewed := 0
		result, err := o.session.Redact(1, Redaction{Plan: -1}, &out, func(event string, value any) {
			if list, ok := value.([]redact.Entry); ok && event == "hidden" {
				previewed += len(list)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			t.Fatal(err)
		}
		n, err := redact.Redactor{}.Plan(plan)
		if err != nil {
			t.Fatal(err)
		}
		want, err := planjson.Encode(plan)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(out.Bytes(), want) || result.Values != n {
			t.Errorf("%s: another text, or %d values instead of %d", name, result.Values, n)
		}
		sum := 0
		for _, k := range result.Why {
			sum += k
		}
		if previewed != sum {
			t.Errorf("%s: %d previewed, %d counted", name, previewed, sum)
		}
		seen += previewed
	}
	if seen < 20 {
		t.Errorf("only %d values were hidden: the test does not test much", seen)
	}
}

// A state as the tools save it has the rows of what show -json prints of it, can be
// compared with that, and is redacted as what it is.
func TestStateFile(t *testing.T) {
	const raw = `{"version":4,"terraform_version":"1.12.0","serial":7,"lineage":"l","outputs":{"o":{"value":"s3cr3t-output","type":"string","sensitive":true}},"resources":[` +
		`{"module":"module.m","mode":"managed","type":"a","name":"b","provider":"provider[\"registry.opentofu.org/hashicorp/a\"]","instances":[` +
		`{"index_key":"k","status":"tainted","schema_version":0,"attributes":{"id":"x","token":"s3cr3t-token"},"sensitive_attributes":[[{"type":"get_attr","value":"token"}]],"private":"czNjcjN0LXByaXZhdGU="}]}],"check_results":null}`
	const shown = `{"format_version":"1.0","terraform_version":"1.12.0","values":{"outputs":{"o":{"sensitive":true,"value":"s3cr3t-output","type":"string"}},"root_module":{"child_modules":[{"resources":[` +
		`{"address":"module.m.a.b[\"k\"]","mode":"managed","type":"a","name":"b","index":"k","provider_name":"registry.opentofu.org/hashicorp/a","schema_version":0,"values":{"id":"x","token":"s3cr3t-token"},` +
		`"sensitive_values":{"token":true},"tainted":true}],"address":"module.m"}]}}}`
	o := open(t, "terraform.tfstate", []byte(raw))
	if o.err != nil || o.info.Title != "State file" || len(o.info.Alarms) != 0 {
		t.Fatalf("%+v, %v", o.info, o.err)
	}
	rows := o.rows
	o.add(t, 2, "state.json", []byte(shown))
	if o.err != nil || len(rows) != 2 || !slices.Equal(rows, o.rows) {
		t.Fatalf("got %+v, want %+v, %v", rows, o.rows, o.err)
	}
	for _, r := range rows {
		got, err := o.session.Lines(1, r.N)
		want, err2 := o.session.Lines(2, r.N)
		if err != nil || err2 != nil || !slices.Equal(got, want) || strings.Contains(textOf(got), "s3cr3t") {
			t.Errorf("%s: got %+v, %v, want %+v, %v", r.Address, got, err, want, err2)
		}
	}
	if info, err := o.session.Compare(3, 1, 2, func(string, any) {}); err != nil || info.Facts[len(info.Facts)-1] != (Fact{"Differences", "0"}) {
		t.Errorf("%+v, %v", info, err)
	}
	var out bytes.Buffer
	previewed := 0
	result, err := o.session.Redact(1, Redaction{Plan: -1}, &out, func(_ string, value any) {
		if list, ok := value.([]redact.Entry); ok {
			previewed += len(list)
		}
	})
	if err != nil || result.Values != 3 || previewed != 3 || strings.Contains(out.String(), "s3cr3t") || strings.Contains(out.String(), "czNj") {
		t.Fatalf("%+v, %d previewed, %v:\n%s", result, previewed, err, out.String())
	}
	if f, err := statefile.Decode(out.Bytes()); err != nil || f.Serial != 7 {
		t.Errorf("redacted: %v", err)
	}
	unfit := open(t, "terraform.tfstate", []byte(strings.Replace(raw, `"value":"token"}`, `"value":"token"},{"type":"get_attr","value":"below"}`, 1)))
	for _, r := range unfit.rows {
		if got, err := unfit.session.Lines(1, r.N); err != nil || strings.Contains(textOf(got), "s3cr3t") {
			t.Errorf("a path that fits no value: %s: %+v, %v", r.Address, got, err)
		}
	}
	old := open(t, "old", []byte(strings.Replace(raw, "1.12.0", "1.9.8", 1)))
	if old.err != nil || len(old.info.Alarms) != 1 || !strings.Contains(old.info.Alarms[0], "before 1.10") {
		t.Errorf("%+v, %v", old.info, old.err)
	}
}

// What is left of a damaged message is left out: it can hold half a secret.
func TestRedactDamaged(t *testing.T) {
	good := `{"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","hook":{"resource":{"addr":"a.b"},"action":"create"},"type":"apply_start"}` + "\n"
	o := open(t, "run.jsonl", []byte(good+`{"@level":"error","@message":"Error: s3cr3t`+"\n"+good))
	var out strings.Builder
	result, err := o.session.Redact(1, Redaction{Plan: -1}, &out, func(string, any) {})
	if err != nil || result.Left != 1 || strings.Contains(out.String(), "s3c") || strings.Count(out.String(), "\n") != 2 {
		t.Errorf("%+v, %v: %s", result, err, out.String())
	}
}

// Options reach the redactor, and messages lose the secrets of their plan.
func TestRedactOptions(t *testing.T) {
	text := `{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"x":"plain-words-of-mine"},"sensitive_values":{}}]}}}`
	o := open(t, "state", []byte(text))
	for _, row := range []struct {
		o    Redaction
		gone bool
	}{{Redaction{}, false}, {Redaction{Secrets: []string{"words-of"}}, true}} {
		var out bytes.Buffer
		if _, err := o.session.Redact(1, row.o, &out, func(string, any) {}); err != nil {
			t.Fatal(err)
		}
		if got := !strings.Contains(out.String(), "plain-words"); got != row.gone {
			t.Errorf("%+v: %s", row.o, out.String())
		}
	}
	plan := `{"format_version":"1.2","terraform_version":"1.12.6","planned_values":{"root_module":{}},"resource_changes":[{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"token":"s3cr3t-of-the-plan"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"token":true}}}],"configuration":{}}`
	o = open(t, "plan", []byte(plan))
	messages := `{"@level":"info","@message":"got s3cr3t-of-the-plan","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00Z","type":"log"}` + "\nnot a message\n"
	o.add(t, 2, "run", []byte(messages))
	if o.err != nil {
		t.Fatal(o.err)
	}
	var out bytes.Buffer
	result, err := o.session.Redact(2, Redaction{Plan: 1}, &out, func(string, any) {})
	if err != nil || strings.Contains(out.String(), "s3cr3t") || result.Left != 1 || result.Values != 1 {
		t.Errorf("%s, %+v, %v", out.String(), result, err)
	}
	o.add(t, 3, ".terraform.lock.hcl", []byte("provider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n}\n"))
	if _, err := o.session.Redact(3, Redaction{}, &out, func(string, any) {}); err == nil {
		t.Error("a lock file is redacted")
	}
}

// A timeline has its bars inside of the run, and its frames in their order.
func TestTimeline(t *testing.T) {
	bars, several := 0, 0
	for _, name := range recorded(t, "uijson/testdata/tofu-1.12.6/*/*.jsonl") {
		text := read(t, name)
		if len(text) == 0 {
			continue
		}
		o := open(t, name, text)
		if o.err != nil {
			t.Errorf("%s: %v", name, o.err)
			continue
		}
		x, err := o.session.Timeline(1)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range x.Bars {
			if b.Start < 0 || b.End < b.Start || b.End > x.Seconds+1e-6 {
				t.Errorf("%s: %+v in %v s", name, b, x.Seconds)
			}
		}
		bars += len(x.Bars)
		if len(x.Frames) > 10 {
			several++
		}
		for i := 1; i < len(x.Frames); i++ {
			if x.Frames[i].At < x.Frames[i-1].At {
				t.Errorf("%s: frame %d goes back", name, i)
			}
		}
		if last := x.Frames[len(x.Frames)-1]; last.Active != 0 && !strings.Contains(name, "kill") {
			for _, b := range x.Bars {
				if b.Status == "running" {
					last.Active--
				}
			}
			if last.Active != 0 {
				t.Errorf("%s: %d still run at the end", name, last.Active)
			}
		}
	}
	if bars < 50 || several < 5 {
		t.Errorf("%d bars, %d runs with frames: the test does not test much", bars, several)
	}
}

func TestCompare(t *testing.T) {
	first := "provider \"registry.opentofu.org/a/a\" {\n  version = \"1.0.0\"\n}\n\nprovider \"registry.opentofu.org/a/b\" {\n  version = \"1.0.0\"\n}\n"
	second := "provider \"registry.opentofu.org/a/b\" {\n  version = \"2.0.0\"\n}\n\nprovider \"registry.opentofu.org/a/c\" {\n  version = \"1.0.0\"\n}\n"
	o := open(t, ".terraform.lock.hcl", []byte(first))
	o.add(t, 2, ".terraform.lock.hcl", []byte(second))
	o.add(t, 3, "plan", read(t, folder+"expressions/plan.2.json"))
	o.add(t, 4, "state", read(t, folder+"actions/state.json"))
	o.add(t, 5, "state", read(t, folder+"actions/state.change.json"))
	o.add(t, 6, "run", []byte(`{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"2026-01-01T00:00:00Z","type":"log"}`))
	for _, row := range []struct {
		first, second int
		want          string // the parts, or no rows, or an error
	}{
		{1, 2, "removed changed added"},
		{1, 1, ""},
		{3, 3, ""},
		{4, 4, ""},
		{4, 5, "changed"},
		{1, 3, "error"},
		{3, 6, "error"},
		{1, 9, "error"},
	} {
		o.rows = nil
		_, err := o.session.Compare(10, row.first, row.second, o.take(t))
		var parts []string
		for _, r := range o.rows {
			parts = append(parts, r.Part)
			if lines, err := o.session.Lines(10, r.N); err != nil || len(lines) != r.Lines {
				t.Errorf("%d lines of %+v, %v", len(lines), r, err)
			}
		}
		got := strings.Join(parts, " ")
		if err != nil {
			got = "error"
		}
		if row.want == "changed" && strings.Contains(got, "changed") {
			continue
		}
		if got != row.want {
			t.Errorf("%d and %d: %q, want %q (%v)", row.first, row.second, got, row.want, err)
		}
	}
	o.rows = nil
	if _, err := o.session.Compare(10, 3, 4, o.take(t)); err != nil || len(o.rows) == 0 {
		t.Errorf("a plan and a state: %v, %v", o.rows, err)
	}
}

// The graph finds instances by words, and what is around each of them leads
// back.
func TestGraph(t *testing.T) {
	o := open(t, "plan", read(t, folder+"expressions/plan.2.json"))
	g, err := o.session.Graph(1)
	if err != nil || g.Instances < 10 || len(g.Picture.Boxes) == 0 {
		t.Fatalf("%+v, %v", g, err)
	}
	links := 0
	for n := range g.Instances {
		near, err := o.session.Around(1, n)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range near.Needs {
			other, err := o.session.Around(1, x.N)
			if err != nil {
				t.Fatal(err)
			}
			back := other.More[1] > 0
			for _, y := range other.By {
				back = back || y.N == n
			}
			if !back {
				t.Errorf("%s needs %s, which does not know", near.Address, other.Address)
			}
			links++
		}
		found, err := o.session.Find(1, near.Address)
		if err != nil || len(found) == 0 {
			t.Errorf("%s is not found: %v", near.Address, err)
		}
	}
	if links < 5 {
		t.Errorf("only %d references", links)
	}
	for _, n := range []int{-1, g.Instances} {
		if _, err := o.session.Around(1, n); err == nil {
			t.Errorf("there is an instance %d", n)
		}
	}
	if found, err := o.session.Find(1, " "); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
}
