// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/uijson"
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
	if err := uijson.WriteJUnit(&b, follow(t, text).Snapshot(), "tofu test"); err != nil {
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
	// A test that breaks off has no result, and that is an error.
	r, report = writeJUnit(t, []byte(`{"@level":"info","@message":"m","@module":"tofu.ui","test_abstract":{"f":["r\u0000\u001b"]},"type":"test_abstract"}`+"\n"+
		`{"@level":"error","@message":"m","@module":"tofu.ui","diagnostic":{"severity":"error","summary":"crash","detail":""},"type":"diagnostic"}`))
	if r.Errors != 2 || r.Tests != 2 {
		t.Errorf("%+v\n%s", r, report)
	}
	if err := uijson.WriteJUnit(failingWriter{xml.UnmarshalError("x")}, &uijson.Snapshot{}, ""); err == nil {
		t.Error("a failed write gave no error")
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
		if got := uijson.GitHubAnnotation(&test.d, test.dir); got != test.want {
			t.Errorf("got  %swant %s", got, test.want)
		}
	}
}

func TestGitLab(t *testing.T) {
	s := follow(t, recording(t, "tofu-1.12.6/apply-trouble/apply.failures.jsonl")).Snapshot()
	var b bytes.Buffer
	if err := uijson.WriteGitLab(&b, s.Diagnostics, "infra"); err != nil {
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
	if err := uijson.WriteGitLab(&b, nil, ""); err != nil || b.String() != "[]\n" {
		t.Errorf("%v %q", err, b.String())
	}
}

func TestTimings(t *testing.T) {
	s := follow(t, recording(t, "tofu-1.12.6/apply-trouble/apply.after-deposed.jsonl")).Snapshot()
	var b bytes.Buffer
	if err := uijson.WriteTimings(&b, s); err != nil {
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
	for want, c := range map[string]uijson.Counts{
		"0 to add, 0 to change, 0 to destroy":                                        {},
		"1 to import, 2 to add, 3 to change, 4 to destroy, 5 to forget, 6 to invoke": {Import: 1, Add: 2, Change: 3, Remove: 4, Forget: 5, Action: 6},
	} {
		if got := c.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// Nothing of a secret is left, in whatever place it stands; what holds none
// keeps its bytes.
func TestRedact(t *testing.T) {
	line := func(typ, payload string) string {
		return `{"@level":"info","@message":"m s3cret [id=s3cret]","@module":"tofu.ui","@timestamp":"t",` + payload + `"type":"` + typ + `"}`
	}
	tests := []struct{ name, in, want string }{
		{"difference", `{"diagnostic":{"severity":"error","summary":"s","detail":"","difference":{"before":"s3cret","after":1}}}`,
			`{"diagnostic":{"severity":"error","summary":"s","detail":""}}`},
		{"values", `{"diagnostic":{"snippet":{"code":"c","values":[{"traversal":"var.x","statement":"is \"s3cret\""}],"test_assertion_expr":{"lhs":"s3cret","rhs":"s3cret","warning":"","show_verbose":false}},"policy_snippet":{"values":[{"traversal":"v","statement":"s3cret"}]}}}`,
			`{"diagnostic":{"snippet":{"code":"c","values":[{"traversal":"var.x","statement":"(sensitive value)"}],"test_assertion_expr":{"lhs":"(sensitive value)","rhs":"(sensitive value)","warning":"","show_verbose":false}},"policy_snippet":{"values":[{"traversal":"v","statement":"(sensitive value)"}]}}}`},
		{"outputs of old Terraform", `{"outputs":{"a":{"sensitive":true,"type":"string","value":"s3cret"},"b":{"sensitive":false,"value":"open"}}}`,
			`{"outputs":{"a":{"sensitive":true,"type":"string"},"b":{"sensitive":false,"value":"open"}}}`},
		{"emergency state", `{"@message":"Emergency state dump","state":{"x":"s3cret"},"type":"log"}`, `{"@message":"Emergency state dump","type":"log"}`},
		{"test documents", `{"test_plan":{"x":"s3cret"},"test_state":{"x":"s3cret"}}`, `{"test_plan":{},"test_state":{}}`},
		{"provisioner", `{"@message":"a.b: (local-exec): s3cret","hook":{"provisioner":"local-exec","output":"s3cret"}}`,
			`{"@message":"a.b: (local-exec): (sensitive value)","hook":{"provisioner":"local-exec","output":"(sensitive value)"}}`},
		{"short values", `{"@message":"a.b: (local-exec): a","hook":{"provisioner":"local-exec","output":"a"}}`,
			`{"@message":"a.b: (local-exec): (sensitive value)","hook":{"provisioner":"local-exec","output":"(sensitive value)"}}`},
		{"ids", `{"@message":"Creation complete after 1s [id=1]","hook":{"id_key":"id","id_value":"1"}}`,
			`{"@message":"Creation complete after 1s [id=(sensitive value)]","hook":{"id_key":"id","id_value":"(sensitive value)"}}`},
		{"actions", `{"@message":"x: s3cret","hook":{"message":"s3cret","error":"s3cret"}}`, `{"@message":"x: (sensitive value)","hook":{"message":"(sensitive value)","error":"(sensitive value)"}}`},
		{"imports", `{"change":{"importing":{"id":"s3cret","identity":{"x":"s3cret"}},"generated_config":"s3cret"}}`,
			`{"change":{"importing":{"id":"(sensitive value)","identity":"(sensitive value)"},"generated_config":"(sensitive value)"}}`},
		{"queries", `{"list_resource_found":{"address":"a","identity":{"x":"s3cret"},"resource_object":{"x":"s3cret"},"config":"s3cret","import_config":"s3cret"},"list_start":{"input_config":{"x":"s3cret"}}}`,
			`{"list_resource_found":{"address":"a","identity":"(sensitive value)","config":"(sensitive value)","import_config":"(sensitive value)"},"list_start":{}}`},
		{"policies", `{"policy_info":{"snippet":{"values":[{"statement":"s3cret"}]},"policy_snippet":{"values":[{"statement":"s3cret"}]}},"results":[{"identity":{"x":"s3cret"},"policies":[{"diagnostics":[{"difference":{"after":"s3cret"}}]}]}]}`,
			`{"policy_info":{"snippet":{"values":[{"statement":"(sensitive value)"}]},"policy_snippet":{"values":[{"statement":"(sensitive value)"}]}},"results":[{"identity":"(sensitive value)","policies":[{"diagnostics":[{}]}]}]}`},
		{"context of another kind", `{"diagnostic":{"snippet":{"context":["s3cret"],"code":"c"}}}`, `{"diagnostic":{"snippet":{"context":null,"code":"c"}}}`},
		{"a member of a wrong kind", line("outputs", `"outputs":"s3cret",`), ""},
		{"a member twice", line("apply_start", `"hook":{"output":"s3cret"},"hook":{},`), ""},
		{"nothing to hide", logLine, logLine},
		{"actions have an object", `{"hook":{"action":{"addr":"a"}},"type":"action_start"}`, `{"hook":{"action":{"addr":"a"}},"type":"action_start"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := decode(t, []byte(test.in))
			changed := m.Redact(uijson.Secrets)
			got := string(encode(t, m))
			if strings.Contains(got, "s3cret") {
				t.Errorf("a secret is left in %s", got)
			}
			if test.want != "" && got != test.want {
				t.Errorf("\n got  %s\n want %s", got, test.want)
			}
			if changed != (got != test.in) {
				t.Errorf("changed is %v", changed)
			}
			if m.Redact(uijson.Secrets) {
				t.Errorf("redacted twice: %s", encode(t, m))
			}
		})
	}
	m := decode(t, []byte(`{"outputs":{"b":{"sensitive":false,"value":"open","x":1}},"hook":{"resource":{"addr":"a.b","x":1},"action":{"addr":"c","x":1}},"change":{"previous_resource":{"x":{"y":1}}},"x":2}`))
	m.Redact(uijson.SecretAll)
	if got := string(encode(t, m)); got != `{"outputs":{"b":{"sensitive":false}},"hook":{"resource":{"addr":"a.b"},"action":{"addr":"c"}},"change":{"previous_resource":{}}}` {
		t.Errorf("everything: %s", got)
	}
	m = decode(t, []byte(tests[0].in))
	if m.Redact(uijson.SecretState) {
		t.Error("redacted what was not asked for")
	}
}

// A redacted message is still a message of its type.
func TestRedactRecordings(t *testing.T) {
	for name, text := range recordings(t) {
		messages(text, func(line []byte) {
			m := decode(t, line)
			typ, level := m.Type, m.Level
			changed := m.Redact(uijson.Secrets)
			again := decode(t, encode(t, m))
			if again.Type != typ || again.Level != level || again.Problems() != nil || changed == bytes.Equal(line, encode(t, m)) {
				t.Errorf("%s: %s became %s", name, line, encode(t, m))
			}
		})
	}
}

func TestDuplicates(t *testing.T) {
	m := decode(t, []byte(`{"hook":{"action":"create","a":1,"a":2},"type":"x","type":"apply_start"}`))
	var got []string
	for d := range m.Duplicates() {
		got = append(got, d.Pointer)
	}
	if diff := cmp.Diff([]string{"/hook/a", "/type"}, got); diff != "" || m.Type != "apply_start" {
		t.Errorf("type %s\n%s", m.Type, diff)
	}
	for d := range m.Duplicates() {
		if want := (uijson.Duplicate{Pointer: "/hook/a", Offset: 33, Line: 1, Column: 34}); d != want {
			t.Errorf("got %+v, want %+v", d, want)
		}
		break
	}
}

func TestExtras(t *testing.T) {
	m := decode(t, []byte(`{"hook":{"x~/":1,"action":{"q":0},"resource":{"addr":"a.b","y":[2]}},"outputs":{"p":{"z":3},"o":{"z":4}},"diagnostic":{"range":{"start":{"w":5}},"snippet":{"values":[{},{"v":6}]}},"x":7,"state":{"u":8}}`))
	var got []string
	for at, v := range m.Extras() {
		got = append(got, at+" "+v.String())
	}
	want := []string{"/x 7", "/diagnostic/range/start/w 5", "/diagnostic/snippet/values/1/v 6", "/hook/x~0~1 1", "/hook/action/q 0", "/hook/resource/y [2]", "/outputs/o/z 4", "/outputs/p/z 3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for range m.Extras() {
		break // at once
	}
	n := 0
	for range m.Extras() {
		if n++; n == 6 {
			break // in a map
		}
	}
}
