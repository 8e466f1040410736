// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// secretPlan returns a plan that has a secret in every place where one can be:
// "secret" and a number. Nothing else in it is a secret.
func secretPlan(t testing.TB) string {
	text, err := os.ReadFile("testdata/secrets.json")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	return regexp.MustCompile(`SECRET`).ReplaceAllStringFunc(string(text), func(string) string {
		n++
		return fmt.Sprintf("secret%03d", n)
	})
}

var secretPattern = regexp.MustCompile(`secret\d+`)

// Nothing is left in any place, in the document and in the stream.
func TestRedactEverySecret(t *testing.T) {
	src := secretPlan(t)
	if n := len(secretPattern.FindAllString(src, -1)); n < 60 {
		t.Fatalf("only %d secrets are planted", n)
	}
	plan, err := planjson.DecodePlan([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var r redact.Redactor
	n, err := r.Plan(plan)
	if err != nil {
		t.Fatal(err)
	}
	out, err := planjson.Encode(plan)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(string(out), "\n") {
		if secretPattern.MatchString(line) {
			t.Errorf("left: %s", line)
		}
	}
	if n < 60 {
		t.Errorf("%d values were replaced", n)
	}

	// What is not secret is still there.
	for keep := range strings.FieldsSeq("public-value public-default public-constant public-output public-prior public-count " +
		"public-key public-unmarked public-element") {
		if !bytes.Contains(out, []byte(keep)) {
			t.Errorf("%s was replaced", keep)
		}
	}

	// Lines without a secret have not changed.
	before, after := strings.Split(src, "\n"), strings.Split(string(out), "\n")
	if len(before) != len(after) {
		t.Fatalf("%d lines became %d", len(before), len(after))
	}
	for i := range before {
		if !strings.Contains(before[i], "secret") && before[i] != after[i] {
			t.Errorf("line %d changed:\n%s\n%s", i+1, before[i], after[i])
		}
	}

	t.Run("again", func(t *testing.T) {
		plan, err := planjson.DecodePlan(out)
		if err != nil {
			t.Fatal(err)
		}
		if n, err := r.Plan(plan); n != 0 || err != nil {
			t.Errorf("%d more were replaced (%v)", n, err)
		}
	})
	t.Run("stream", func(t *testing.T) {
		var b bytes.Buffer
		if _, err := r.WritePlan(&b, strings.NewReader(src)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(out), b.String()); diff != "" {
			t.Error(diff)
		}
		b.Reset()
		if _, err := redact.InWindows(r).WritePlan(&b, iotest.OneByteReader(strings.NewReader(src))); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(out), b.String()); diff != "" {
			t.Errorf("a stream that is read once: %s", diff)
		}
	})
}

// The recordings: documents decode after redaction, nothing marked is left, the
// kinds stay, and the stream gives the same text.
func TestRedactRecordings(t *testing.T) {
	var strict redact.Redactor
	for _, r := range plantest.Recordings(t, "../testdata", "plan") {
		plan, err := planjson.DecodePlan(r.Text)
		if err != nil {
			t.Fatal(err)
		}
		original := planjson.Clone(plan)
		if _, err := strict.Plan(plan); err != nil {
			t.Fatal(err)
		}
		out, err := planjson.Encode(plan)
		if err != nil {
			t.Fatal(err)
		}
		again, err := planjson.DecodePlan(out)
		if err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		for i, rc := range again.ResourceChanges {
			c := original.ResourceChanges[i].Change
			noneLeft(t, r.Name+" "+rc.Address, c.After, rc.Change.After, c.AfterSensitive)
			noneLeft(t, r.Name+" "+rc.Address, c.Before, rc.Change.Before, c.BeforeSensitive)
		}
		var b bytes.Buffer
		if _, err := strict.WritePlan(&b, bytes.NewReader(r.Text)); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		if diff := cmp.Diff(string(out), b.String()); diff != "" {
			t.Errorf("%s: the stream differs: %s", r.Name, diff)
		}
	}
	for _, r := range plantest.Recordings(t, "../testdata", "state") {
		state, err := planjson.DecodeState(r.Text)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := strict.State(state); err != nil {
			t.Fatal(err)
		}
		out, err := planjson.Encode(state)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := strict.WriteState(&b, bytes.NewReader(r.Text)); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		if diff := cmp.Diff(string(out), b.String()); diff != "" {
			t.Errorf("%s: the stream differs: %s", r.Name, diff)
		}
	}
}

// noneLeft compares a value with its redacted form.
func noneLeft(t *testing.T, at string, old, now, sensitive planjson.Value) {
	t.Helper()
	if now == nil {
		return // in a value that is hidden as a whole
	}
	if old.Kind() != now.Kind() {
		t.Errorf("%s: %s became %s", at, old.Kind(), now.Kind())
		return
	}
	if b, ok := sensitive.Bool(); ok && b {
		for c := now.Cursor(); c.Next(); {
			if s := c.Value().String(); s != `"(sensitive value)"` && s != "0" && s != "false" && s != "null" {
				t.Errorf("%s: %s is left", at, s)
			}
		}
		return
	}
	for name, s := range sensitive.Members() {
		noneLeft(t, at+"."+name, old.Member(name), now.Member(name), s)
	}
	for i, s := range sensitive.Elements() {
		noneLeft(t, fmt.Sprintf("%s[%d]", at, i), old.Element(i), now.Element(i), s)
	}
}

// redactChange redacts a change of one resource in a plan of its own.
func redactChange(t testing.TB, r redact.Redactor, rc *planjson.ResourceChange) (*planjson.ResourceChange, int) {
	t.Helper()
	plan := &planjson.Plan{FormatVersion: "1.2", ResourceChanges: []*planjson.ResourceChange{rc}}
	n, err := r.Plan(plan)
	if err != nil {
		t.Fatal(err)
	}
	return plan.ResourceChanges[0], n
}

func TestValues(t *testing.T) {
	r := redact.Redactor{Secrets: []string{"tok<en", ""}}
	for _, row := range []struct{ name, value, sensitive, want string }{
		{"nothing", `{"a": 1}`, `{}`, `{"a": 1}`},
		{"scalar", `"x"`, `true`, `"(sensitive value)"`},
		{"number", `12.50`, `true`, `0`},
		{"bool", `true`, `true`, `false`},
		{"null", `null`, `true`, `null`},
		{"member", `{"a" : "x","b":1}`, `{"a":true}`, `{"a" : "(sensitive value)","b":1}`},
		{"element", `[1, 2 ,3]`, `[false,true,false]`, `[1, 0 ,3]`},
		{"whole array", `["a",{"k":1},null]`, `true`, `["(sensitive value)",{},null]`},
		{"whole map", `{"k":"v"}`, `true`, `{}`},
		{"marks of another kind", `{"k":"v"}`, `[true]`, `{}`},
		{"marks of another length", `["a","b"]`, `[true]`, `["(sensitive value)","(sensitive value)"]`},
		{"marks below a scalar", `"a"`, `{"x":true}`, `"(sensitive value)"`},
		{"escaped name", `{"a\u003c":"x"}`, `{"a<":true}`, `{"a\u003c":"(sensitive value)"}`},
		{"known secret", `{"a":["my tok\u003cen here"]}`, `{}`, `{"a":["my (sensitive value) here"]}`},
		{"known secret in a number", `{"a":[4711]}`, `{}`, `{"a":[4711]}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			rc, _ := redactChange(t, r, &planjson.ResourceChange{Address: "a.b", Change: planjson.Change{
				After: planjson.Value(`{"x":` + row.value + `}`), AfterSensitive: planjson.Value(`{"x":` + row.sensitive + `}`),
			}})
			if got := string(rc.Change.After.Member("x")); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

func TestRedactRules(t *testing.T) {
	change := func() *planjson.ResourceChange {
		return &planjson.ResourceChange{Address: `module.m["x.y"].aws_x.n[0]`, Type: "aws_x", Change: planjson.Change{
			After: planjson.Value(`{"a":{"b":["s1","s2"],"c":3},"d":"AKIA123","e":{"b":"t"}}`),
		}}
	}
	for _, row := range []struct {
		name string
		rule redact.Rule
		want string
	}{
		{"path", redact.Rule{Path: []string{"a", "b"}}, `{"a":{"b":["-","-"],"c":3},"d":"AKIA123","e":{"b":"t"}}`},
		{"star", redact.Rule{Path: []string{"*", "b"}}, `{"a":{"b":["-","-"],"c":3},"d":"AKIA123","e":{"b":"-"}}`},
		{"stars", redact.Rule{Path: []string{"**", "b"}, Type: "aws_x"}, `{"a":{"b":["-","-"],"c":3},"d":"AKIA123","e":{"b":"-"}}`},
		{"other type", redact.Rule{Type: "aws_y"}, `{"a":{"b":["s1","s2"],"c":3},"d":"AKIA123","e":{"b":"t"}}`},
		{"everything", redact.Rule{Type: "aws_x"}, `{"a":{},"d":"-","e":{}}`},
		{"instance", redact.Rule{Address: `module.m["x.y"].aws_x.n[0]`, Path: []string{"d"}}, `{"a":{"b":["s1","s2"],"c":3},"d":"-","e":{"b":"t"}}`},
		{"resource", redact.Rule{Address: `module.m["x.y"].aws_x.n`, Path: []string{"d"}}, `{"a":{"b":["s1","s2"],"c":3},"d":"-","e":{"b":"t"}}`},
		{"predicate", redact.Rule{Match: func(at redact.Place, v planjson.Value) bool {
			s, _ := v.Text()
			return strings.HasPrefix(s, "AKIA") && at.Type == "aws_x" && strings.Join(at.Path, ".") == "d"
		}}, `{"a":{"b":["s1","s2"],"c":3},"d":"-","e":{"b":"t"}}`},
		{"predicate below a path", redact.Rule{Path: []string{"a"}, Match: func(_ redact.Place, v planjson.Value) bool {
			return v.Kind() == planjson.KindNumber
		}}, `{"a":{"b":["s1","s2"],"c":0},"d":"AKIA123","e":{"b":"t"}}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := redact.Redactor{Rules: []redact.Rule{row.rule}, Text: "-"}
			rc := change()
			rc, _ = redactChange(t, r, rc)
			if got := rc.Change.After.String(); got != row.want {
				t.Errorf("got %s, want %s", got, row.want)
			}
		})
	}
}

// Schemas tell attributes from keys, and give marks that old tools left out.
func TestRedactSchemas(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"provider_schemas":{"p":{
		"provider":{"version":0,"block":{"attributes":{"region":{"type":"string"},"token":{"type":"string","sensitive":true}}}},
		"resource_schemas":{"t":{"version":0,"block":{"attributes":{
		"o":{"type":["object",{"k":"string"}]},"m":{"type":["map","string"]},"pw":{"type":"string","sensitive":true}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r := redact.Redactor{Schemas: schemas, Text: "-"}
	rc := &planjson.ResourceChange{Address: "t.x", Mode: "managed", Type: "t", ProviderName: "p", Change: planjson.Change{
		After:          planjson.Value(`{"o":{"k":"v"},"m":{"k":"v"},"pw":"x"}`),
		AfterUnknown:   planjson.Value(`{"m":{"other":true}}`),
		AfterSensitive: planjson.Value(`{"o":true,"m":true}`),
	}}
	rc, _ = redactChange(t, r, rc)
	if got, want := rc.Change.After.String(), `{"o":{"k":"-"},"m":{},"pw":"-"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := rc.Change.AfterUnknown.String(), `{"m":{}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	c, err := planjson.DecodeConfig([]byte(`{"provider_config":{"p":{"name":"p","full_name":"p","expressions":{"region":{"constant_value":"eu"},"token":{"constant_value":"x"}}}},"root_module":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.Config(c); n != 1 || err != nil {
		t.Errorf("%d values, %v", n, err)
	}
	if got := c.ProviderConfig["p"].Expressions["region"].ConstantValue; string(got) != `"eu"` {
		t.Errorf("the region became %s", got)
	}
}

func TestRedactOthers(t *testing.T) {
	r := redact.Redactor{Text: "-"}
	outputs, err := planjson.DecodeOutputs([]byte(`{"a":{"sensitive":true,"type":["object",{"k":"string"}],"value":{"k":"v"}},"b":{"sensitive":false,"type":"string","value":"b"}}`))
	if err != nil {
		t.Fatal(err)
	}
	n, err := r.Outputs(outputs)
	text, _ := planjson.Encode(outputs)
	if want := `{"a":{"sensitive":true,"type":["object",{}],"value":{}},"b":{"sensitive":false,"type":"string","value":"b"}}`; n != 1 || err != nil || string(text) != want {
		t.Errorf("%d, %v, %s", n, err, text)
	}

	validate, err := planjson.DecodeValidate([]byte(`{"format_version":"1.0","valid":false,"error_count":1,"warning_count":0,"diagnostics":[{"severity":"error","summary":"s","detail":"d",
		"snippet":{"context":"c","code":"x","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[{"traversal":"v","statement":"is s"}]},
		"difference":{"before":"a","after":"b","after_unknown":false,"before_sensitive":false,"after_sensitive":false}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.Validate(validate); n != 7 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	show, err := planjson.DecodeStateShow([]byte(`{"format_version":"1.0","resource":{"address":"a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"x":"y"},"sensitive_values":{"x":true}},"diagnostics":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.StateShow(show); n != 1 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	renderer, err := planjson.DecodeRendererPlan([]byte(`{"plan_format_version":"1.2","resource_changes":[{"address":"a.b","change":{"actions":["create"],"before":null,"after":{"x":"y"},"after_sensitive":{"x":true}}}],"output_changes":{"o":{"actions":["create"],"before":null,"after":"x","after_sensitive":true}},"action_invocations":[{"config_values":{"x":"y"},"config_sensitive":{"x":true}}],"provider_format_version":"1.0"}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.RendererPlan(renderer); n != 3 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	state, err := planjson.DecodeRendererState([]byte(`{"state_format_version":"1.0","root_module":{"child_modules":[{"address":"module.m","resources":[{"address":"module.m.a.b","mode":"managed","type":"a","name":"b","provider_name":"p","schema_version":0,"values":{"pw":"hunter2-hunter2","copy":"has hunter2-hunter2","x":"public"},"sensitive_values":{"pw":true}}]}]},"outputs":{"o":{"sensitive":true,"type":"string","value":"hunter3"},"p":{"sensitive":false,"type":"string","value":"hunter3 too"}},"provider_format_version":"1.0","provider_schemas":{"p":{}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.RendererState(state); n != 4 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if out, err := planjson.Encode(state); err != nil || bytes.Contains(out, []byte("hunter")) || !bytes.Contains(out, []byte(`"x":"public"`)) {
		t.Errorf("%s, %v", out, err)
	}
}

func TestRedactErrors(t *testing.T) {
	var r redact.Redactor
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","terraform_version":"1","planned_values":{"root_module":{}},"variables":{"a":{"value":"x"},"a":{"value":"y"}},"configuration":{"root_module":{}},"errored":false}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Plan(plan); !errors.Is(err, planjson.ErrDuplicate) {
		t.Errorf("duplicate members: %v", err)
	}
	for _, row := range []struct{ name, text, want string }{
		{"empty", ``, "unexpected end"},
		{"array", `[]`, "expected an object"},
		{"end", `{"errored":false`, "unexpected end"},
		{"kind", "{\n \"errored\":\"secret\"}", "line 2, column 12"},
		{"list", `{"resource_changes":{}}`, "expected an array"},
		{"element", `{"resource_changes":[{"address":1}]}`, "line 1, column 33"},
		{"null element", `{"resource_changes":[null]}`, "null"},
		{"duplicate", `{"errored":false,"errored":true}`, "duplicate"},
		{"duplicate, spelled differently", `{"resource_changes":[{"address":"a","addr\u0065ss":"b"}]}`, "duplicate"},
		{"duplicate in a value", `{"resource_changes":[{"change":{"after":{"b":1,"a":[{"c":2},{"x":"b"}],"b":2}}}]}`, "duplicate"},
		{"duplicate inside", `{"resource_changes":[{"address":"a","address":"b"}]}`, "duplicate"},
		{"trailing", `{} {}`, "column 4"},
		{"name", `{1:2}`, "column 2"},
		{"colon", `{"a" 2}`, "column 6"},
		{"comma", `{"a":2 "b":3}`, "column 8"},
		{"extra", `{"a":tru}`, "column"},
	} {
		for _, r := range []redact.Redactor{r, redact.InWindows(r)} {
			_, err := r.WritePlan(io.Discard, iotest.OneByteReader(strings.NewReader(row.text)))
			var e *planjson.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%s: got %v, want %s", row.name, err, row.want)
			}
		}
	}
	broken := errors.New("broken")
	if _, err := r.WritePlan(io.Discard, io.MultiReader(strings.NewReader(`{"a":`), iotest.ErrReader(broken))); err != broken {
		t.Errorf("got %v", err)
	}
	if _, err := r.WriteState(failingWriter{broken}, strings.NewReader(`{"format_version":"1.0","a":1}`)); err != broken {
		t.Errorf("got %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
