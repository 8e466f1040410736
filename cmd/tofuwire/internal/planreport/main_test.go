// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planreport

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// reported runs the program.
func reported(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	var out, errs strings.Builder
	if code := Run(args, strings.NewReader(stdin), &out, &errs); code == 1 {
		t.Fatal(errs.String())
	}
	return out.String()
}

const recording = "../../../../planjson/testdata/tofu-1.12.6/expressions/plan.2.json"

func TestFormats(t *testing.T) {
	for _, row := range []struct {
		format string
		want   []string
	}{
		{"text", []string{`-/+ resource "lab_blocks" "static" {`, "vlan = 1000 -> 2000 # forces replacement", "Plan: 2 to add, 0 to change, 2 to destroy."}},
		{"md", []string{"## Plan", "**2 to add, 0 to change, 2 to destroy.**", "### Destroyed or replaced", "```diff\n", "</details>"}},
		{"html", []string{"<!doctype html>", `data-class="replace"`, `<span class="why"># forces replacement</span>`, "</html>"}},
	} {
		out := reported(t, "", "-format", row.format, recording)
		for _, want := range row.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: there is no %q", row.format, want)
			}
		}
	}
}

// The page loads nothing: no address of anything outside is in it.
func TestPageIsAlone(t *testing.T) {
	names, err := filepath.Glob("../../../../planjson/testdata/tofu-1.12.6/*/plan*.json")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	outside := regexp.MustCompile(`(?i)<(link|img|iframe|script src|object|embed)|@import|url\((?:[^#]|$)| src=|fetch\(|XMLHttp`)
	for _, name := range names {
		out := reported(t, "", "-format", "html", name)
		if found := outside.FindString(out); found != "" {
			t.Errorf("%s: %q", name, found)
		}
		if n, m := strings.Count(out, "<details"), strings.Count(out, "</details>"); n != m {
			t.Errorf("%s: %d details begin and %d end", name, n, m)
		}
		if md := reported(t, "", "-format", "md", name); len(md) > limits["github"] {
			t.Errorf("%s: %d bytes", name, len(md))
		}
		reported(t, "", name)
	}
}

// No secret that the plan marks is in any report.
func TestSecrets(t *testing.T) {
	src, err := os.ReadFile("../../../../planjson/redact/testdata/secrets.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"text", "md", "html"} {
		out := reported(t, string(src), "-format", format)
		if i := strings.Index(out, "SECRET-marked"); i >= 0 {
			t.Errorf("%s: %s", format, out[max(0, i-100):i+20])
		}
	}
}

// A huge plan fits into a comment, and what it destroys is in it.
func TestCommentLimit(t *testing.T) {
	p := &planjson.Plan{FormatVersion: "1.2"}
	for i := range 5000 {
		action := planjson.Actions{planjson.ActionCreate}
		address := fmt.Sprintf("aws_x.many[%d]", i)
		if i == 4321 {
			action, address = planjson.Actions{planjson.ActionDelete}, "aws_x.doomed"
		}
		p.ResourceChanges = append(p.ResourceChanges, &planjson.ResourceChange{Address: address, Type: "aws_x", Name: "many", Mode: "managed",
			Change: planjson.Change{Actions: action, Before: planjson.Value("null"), After: planjson.Value(`{"a":"b","c":"d"}`)}})
	}
	p.Checks = []*planjson.Check{{Status: "fail", Instances: []*planjson.CheckInstance{{Status: "fail",
		Address:  planjson.CheckInstanceAddress{ToDisplay: "check.up"},
		Problems: []*planjson.CheckProblem{{Message: "down <b>`x`</b>\nnow"}}}}}}
	src, err := planjson.Encode(p)
	if err != nil {
		t.Fatal(err)
	}
	out := reported(t, string(src), "-format", "md", "-")
	for _, want := range []string{"aws_x.doomed", "more do not fit", "check.up", "&lt;b&gt;&#96;x&#96;&lt;/b&gt; now"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %q", want)
		}
	}
	if len(out) > limits["github"] {
		t.Errorf("%d bytes", len(out))
	}
	if out := reported(t, string(src), "-format", "html"); !strings.Contains(out, "check.up") {
		t.Error("the page has no checks")
	}
	if out := reported(t, string(src)); !strings.Contains(out, "Check check.up: fail") {
		t.Error("the text has no checks")
	}
}

// Checks with messages without end, in characters that have to be escaped, leave
// room for the plan.
func TestCommentOfManyChecks(t *testing.T) {
	for _, n := range []int{1, 40, 400} {
		p := &planjson.Plan{FormatVersion: "1.2", Errored: true}
		for i := range n {
			c := &planjson.CheckInstance{Status: "fail", Address: planjson.CheckInstanceAddress{ToDisplay: strings.Repeat("`*", 2000)}}
			for range n / (i + 1) {
				c.Problems = append(c.Problems, &planjson.CheckProblem{Message: strings.Repeat("@<|&*\n", 200)})
			}
			p.Checks = append(p.Checks, &planjson.Check{Status: "fail", Instances: []*planjson.CheckInstance{c}})
		}
		p.ResourceChanges = []*planjson.ResourceChange{{Address: "a.b", Change: planjson.Change{Actions: planjson.Actions{planjson.ActionDelete}, Before: planjson.Value(`{"a":"` + strings.Repeat("*", 100_000) + `"}`)}}}
		src, err := planjson.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		out := reported(t, string(src), "-format", "md")
		if len(out) > limits["github"] {
			t.Errorf("%d checks: %d bytes", n, len(out))
		}
		for _, want := range []string{"[!CAUTION]", "> Check", "1 to destroy", "<code>a.b</code> will be destroyed"} {
			if !strings.Contains(out, want) {
				t.Errorf("%d checks: there is no %q", n, want)
			}
		}
		if n == 400 && (!strings.Contains(out, "more notes") || !strings.Contains(out, "...")) {
			t.Error("nothing says that something is left out")
		}
	}
}

func TestErrors(t *testing.T) {
	for _, row := range []struct {
		stdin, want string
		args        []string
	}{
		{`{`, "no-plan", nil},
		{`{}`, "tofuwire report: -: no-plan", nil},
		{`{"output_changes":{"o":{"after":{"key-1":?}}},"format_version":"1.2"}`, "-: line 1, column 42: expected a value", nil},
		{`{"format_version":"1.2","output_changes":{"o":{"after":{"key-1":?}}}}`, "-: line 1, column 65: expected a value", nil},
		{``, "run.go: no-plan", []string{"run.go"}},
		{`{}`, `unknown value "pdf"`, []string{"-format", "pdf"}},
		{``, "2 plans, but 1 approved ones", []string{"-against", "c", "a", "b"}},
		{``, "standard input", []string{"-", "-"}},
		{``, `unknown value "svn"`, []string{"-for", "svn"}},
		{``, "too small", []string{"-limit", "10"}},
		{``, "-run-url must begin", []string{"-run-url", "javascript:x"}},
		{``, "-run-url must begin", []string{"-run-url", "https:"}},
		{``, "no-such-file", []string{"no-such-file"}},
		{``, "no-such-file", []string{"-against", "no-such-file", recording}},
		{``, "unknown option -x", []string{"-x"}},
	} {
		var errs strings.Builder
		wrong := strings.HasPrefix(strings.Join(row.args, " ")+" ", "-") && !strings.Contains(row.want, "no-such-file")
		code := Run(row.args, strings.NewReader(row.stdin), io.Discard, &errs)
		if wrong != (code == 2) || !wrong && code != 1 || !strings.Contains(errs.String(), row.want) {
			t.Errorf("%v: %d, %s, want %s", row.args, code, errs.String(), row.want)
		}
	}
}

// What makes a plan less than a plan is told at the top in all formats, and never "No
// changes" of a plan that failed.
func TestStatus(t *testing.T) {
	plan := func(members string) string {
		return `{"format_version":"1.2","planned_values":{},"resource_changes":[],` + members + `}`
	}
	for _, row := range []struct {
		stdin, want string
		code        int
	}{
		{plan(`"errored":false`), "No changes.", 0},
		{plan(`"errored":true`), "Planning failed", 2},
		{plan(`"complete":false`), "incomplete", 0},
		{plan(`"complete":false,"deferred_changes":[{"reason":"unknown","resource_change":{"address":"a.b","change":{"actions":["create"]}}}]`), "partial plan", 0},
		{plan(`"variables":{"v":{"value":"(sensitive value)"}}`), "is redacted", 0},
		{plan(`"errored":false,"errored":false`), "has a member twice", 0},
		{`{"format_version":"9.0","planned_values":{}}`, "not supported", 2},
		{"log\n" + plan(`"errored":false`) + "\n", "No changes.", 0},
	} {
		for _, format := range []string{"text", "md", "html"} {
			var out, errs strings.Builder
			code := Run([]string{"-format", format}, strings.NewReader(row.stdin), &out, &errs)
			if code != row.code || !strings.Contains(out.String(), row.want) || strings.HasPrefix(row.stdin, "log") != (errs.Len() > 0) {
				t.Errorf("%s: %s: %d\n%s%.2000s", row.want, format, code, errs.String(), out.String())
			}
			if row.code == 2 && strings.Contains(row.stdin, "errored") && strings.Contains(out.String(), "No changes") {
				t.Errorf("%s: no changes", format)
			}
		}
	}
}

func TestAgainst(t *testing.T) {
	src, err := os.ReadFile(recording)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(src), `"after":{`, `"after":{"<b>":1,`, 1)
	for _, format := range []string{"text", "md", "html"} {
		if out := reported(t, string(src), "-format", format, "-against", recording); !strings.Contains(out, "does the same as the approved one") {
			t.Errorf("%s: %.500s", format, out)
		}
		if out := reported(t, other, "-format", format, "-against", recording); !strings.Contains(out, "differs from the approved one in 1 place") || format != "text" && strings.Contains(out, "<b>") {
			t.Errorf("%s: %.500s", format, out)
		}
	}
}

// manyInstances returns a plan of n instances, of which half refer to all others.
func manyInstances(n int) []byte {
	var b strings.Builder
	b.WriteString(`{"format_version":"1.2","resource_changes":[`)
	for i := range n / 2 {
		for _, name := range []string{"a", "b"} {
			fmt.Fprintf(&b, `{"address":"x.%s[%d]","mode":"managed","type":"x","name":"%s","index":%d,"change":{"actions":["create"],"before":null,"after":{"in":1}}},`, name, i, name, i)
		}
	}
	b.WriteString(`{"address":"x.c","mode":"managed","type":"x","name":"c","change":{"actions":["delete"],"before":{},"after":null}}],"configuration":{"root_module":{"resources":[
{"address":"x.a","mode":"managed","type":"x","name":"a","count_expression":{}},
{"address":"x.b","mode":"managed","type":"x","name":"b","expressions":{"in":{"references":["x.a"]}},"count_expression":{}}]}}}`)
	return []byte(b.String())
}

// The page has what is around each instance, and no more for many of them than the
// plan is long: half of 2,000 refer to the other half.
func TestPageOfManyInstances(t *testing.T) {
	page := reported(t, string(manyInstances(2000)), "-format", "html")
	if !strings.Contains(page, "<p class=\"hint\">2001 instances") || !strings.Contains(page, `"more":[940,0]`) || !strings.Contains(page, `"more":[0,940]`) {
		t.Error("instances are missing")
	}
	if len(page) > 8<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}
