// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// A parsed JUnit report, as a CI system sees it.
type junit struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
	Suites   []struct {
		Name  string `xml:"name,attr"`
		Cases []struct {
			Name    string  `xml:"name,attr"`
			Failure *string `xml:"failure"`
			Error   *string `xml:"error"`
			Skipped *string `xml:"skipped"`
		} `xml:"testcase"`
		SystemErr string `xml:"system-err"`
	} `xml:"testsuite"`
}

func writeJUnit(t *testing.T, text []byte) (junit, string) {
	t.Helper()
	var b bytes.Buffer
	if err := uitrack.WriteJUnit(&b, follow(t, text).Snapshot(), "tofu test"); err != nil {
		t.Fatal(err)
	}
	var r junit
	if err := xml.Unmarshal(b.Bytes(), &r); err != nil {
		t.Fatalf("%v in\n%s", err, b.Bytes())
	}
	return r, b.String()
}

// The counts of the report are those that the tool gives at the end.
func TestJUnit(t *testing.T) {
	for name, text := range recordings(t) {
		s := follow(t, text).Snapshot()
		if s.TestSummary == nil || len(s.Tests) == 0 {
			continue
		}
		r, report := writeJUnit(t, text)
		sum := s.TestSummary
		broken := 0 // files that have no run with an error
		if int64(r.Failures) != sum.Failed || int64(r.Skipped) != sum.Skipped || int64(r.Errors) < sum.Errored-int64(broken) {
			t.Errorf("%s: %d failures, %d errors, %d skipped; the tool counts %+v\n%s", name, r.Failures, r.Errors, r.Skipped, sum, report)
		}
	}
	r, report := writeJUnit(t, recording(t, "tofu-1.12.6/tests/test.jsonl"))
	for _, suite := range r.Suites {
		for _, c := range suite.Cases {
			if c.Name == "two_fail" && (c.Failure == nil || !strings.Contains(*c.Failure, "Test assertion failed")) {
				t.Errorf("no reason for the failure in\n%s", report)
			}
		}
	}
	// OpenTofu accepts several runs with one name: each has its own result and diagnostics.
	r, report = writeJUnit(t, []byte(`{"@module":"tofu.ui","test_abstract":{"f":["a","a"]},"type":"test_abstract"}`+"\n"+
		`{"@module":"tofu.ui","test_run":{"path":"f","run":"a","status":"error"},"type":"test_run"}`+"\n"+
		`{"@module":"tofu.ui","@testfile":"f","@testrun":"a","diagnostic":{"severity":"error","summary":"no"},"type":"diagnostic"}`+"\n"+
		`{"@module":"tofu.ui","test_run":{"path":"f","run":"a","status":"fail"},"type":"test_run"}`+"\n"+
		`{"@module":"tofu.ui","@testfile":"f","@testrun":"a","diagnostic":{"severity":"error","summary":"no"},"type":"diagnostic"}`+"\n"+
		`{"@module":"tofu.ui","test_run":{"path":"f","run":"a","status":"pass"},"type":"test_run"}`+"\n"))
	if r.Tests != 3 || r.Errors != 1 || r.Failures != 1 || strings.Count(report, "Error: no") != 2 {
		t.Errorf("%+v\n%s", r, report)
	}
	// A test that breaks off has no result, and that is an error.
	r, report = writeJUnit(t, []byte(`{"@level":"info","@message":"m","@module":"tofu.ui","test_abstract":{"f":["r\u0000\u001b"]},"type":"test_abstract"}`+"\n"+
		`{"@level":"error","@message":"m","@module":"tofu.ui","diagnostic":{"severity":"error","summary":"crash","detail":""},"type":"diagnostic"}`))
	if r.Errors != 2 || r.Tests != 2 {
		t.Errorf("%+v\n%s", r, report)
	}
	// The report of a test that failed has an error, also if every run passed.
	passed := `{"@module":"terraform.ui","test_run":{"path":"f","run":"a","progress":"complete","status":"pass"},"type":"test_run"}` + "\n"
	for _, text := range []string{
		passed,
		passed + `{"@module":"terraform.ui","test_summary":{"status":"error","passed":1},"type":"test_summary"}`,
		`{"@module":"terraform.ui","test_abstract":{},"type":"test_abstract"}`,
	} {
		if r, report := writeJUnit(t, []byte(text)); r.Errors != 1 {
			t.Errorf("%+v\n%s", r, report)
		}
	}
	if err := uitrack.WriteJUnit(failingWriter{xml.UnmarshalError("x")}, &uitrack.Snapshot{}, ""); err == nil {
		t.Error("a failed write gave no error")
	}
}

// A report has a failure or an error if and only if the run did not succeed, or left objects behind. It always has a case.
// The recording on-failure has actions that may fail.
func TestJUnit_Outcome(t *testing.T) {
	for name, text := range recordings(t) {
		s := follow(t, text).Snapshot()
		if strings.Contains(name, "on-failure") {
			continue
		}
		good := s.Outcome.OK() && !slices.ContainsFunc(s.Tests, func(f *uitrack.TestFileState) bool { return len(f.Leftovers) > 0 })
		if r, report := writeJUnit(t, text); (r.Failures+r.Errors > 0) == good || r.Tests == 0 {
			t.Errorf("%s: %s, %+v\n%s", name, s.Outcome, r, report)
		}
	}
}

func TestGitHubAnnotation(t *testing.T) {
	rng := &uijson.Range{Filename: "a,b:c.tf", Start: uijson.Pos{Line: 3, Column: 5}, End: uijson.Pos{Line: 3, Column: 9}}
	tests := []struct {
		d         uijson.Diagnostic
		dir, want string
	}{
		{uijson.Diagnostic{Severity: "error", Summary: "Bad: thing, 100%", Detail: "one\ntwo: x, y", Range: rng}, "",
			"::error file=a%2Cb%3Ac.tf,line=3,endLine=3,col=5,endColumn=9,title=Bad%3A thing%2C 100%25::one%0Atwo: x, y\n"},
		{uijson.Diagnostic{Severity: "warning", Summary: "s", Address: "a.b", Range: &uijson.Range{Filename: "m.tf", Start: uijson.Pos{Line: 1, Column: 1}, End: uijson.Pos{Line: 4, Column: 1}}}, "infra/prod",
			"::warning file=infra/prod/m.tf,line=1,endLine=4,title=s::s%0A%0Awith a.b\n"},
		{uijson.Diagnostic{Severity: "unknown", Summary: "s\n::error::x", Detail: "\x1b[31m"}, ".", "::notice title=s%0A%3A%3Aerror%3A%3Ax::␛[31m\n"},
		{uijson.Diagnostic{Severity: "error", Summary: "s", Range: &uijson.Range{Filename: "/abs.tf"}}, "d", "::error file=/abs.tf,line=0,endLine=0,col=0,endColumn=0,title=s::s\n"},
	}
	for _, test := range tests {
		if got := uitrack.GitHubAnnotation(&test.d, test.dir); got != test.want {
			t.Errorf("got  %swant %s", got, test.want)
		}
	}
}

func TestGitLab(t *testing.T) {
	s := follow(t, recording(t, "tofu-1.12.6/apply-trouble/apply.failures.jsonl")).Snapshot()
	var b bytes.Buffer
	if err := uitrack.WriteGitLab(&b, s.Diagnostics, "infra"); err != nil {
		t.Fatal(err)
	}
	var findings []struct {
		Description, Fingerprint, Severity string
		Location                           struct {
			Path  string
			Lines struct{ Begin int64 }
		}
	}
	if err := json.Unmarshal(b.Bytes(), &findings); err != nil {
		t.Fatal(err)
	}
	severities := map[string]int{}
	for _, f := range findings {
		severities[f.Severity]++
		if f.Location.Path != "infra/main.tf" || f.Location.Lines.Begin == 0 {
			t.Errorf("%+v", f)
		}
	}
	if diff := cmp.Diff(map[string]int{"minor": 3, "major": 2}, severities); diff != "" {
		t.Error(diff) // the third error has no place in a file
	}
	if findings[0].Fingerprint == findings[1].Fingerprint || len(findings[0].Fingerprint) != 64 {
		t.Errorf("%+v", findings)
	}
	b.Reset()
	if err := uitrack.WriteGitLab(&b, nil, ""); err != nil || b.String() != "[]\n" {
		t.Errorf("%v %q", err, b.String())
	}
}

func TestTimings(t *testing.T) {
	s := follow(t, recording(t, "tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl")).Snapshot()
	var b bytes.Buffer
	if err := uitrack.WriteTimings(&b, s); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, row := range rows {
		if row[0] == "lab_switch.deleter" && row[2] == "create" {
			found = true
			if row[3] != "done" || row[7] != "11" || !strings.HasPrefix(row[6], "10.") {
				t.Errorf("%q", row)
			}
		}
	}
	if !found {
		t.Errorf("%q", rows)
	}
}

func TestCountsString(t *testing.T) {
	for _, test := range []struct {
		c             uitrack.Counts
		plan, applied string
	}{
		{uitrack.Counts{}, "0 to add, 0 to change, 0 to destroy", "0 added, 0 changed, 0 destroyed"},
		{
			uitrack.Counts{Import: 1, Add: 2, Change: 3, Remove: 4, Forget: 5, Action: 6, ActionFailed: 1},
			"1 to import, 2 to add, 3 to change, 4 to destroy, 5 to forget, 6 to invoke, 1 failed",
			"1 imported, 2 added, 3 changed, 4 destroyed, 5 forgotten, 6 invoked, 1 of them failed",
		},
	} {
		if plan, applied := test.c.String(), test.c.Applied(); plan != test.plan || applied != test.applied {
			t.Errorf("got %q and %q, want %q and %q", plan, applied, test.plan, test.applied)
		}
	}
}
