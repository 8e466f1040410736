// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/internal/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// leaks returns what in a JSON text matches a pattern: in names, strings and
// numbers, however they are spelled, and in JSON within strings.
func leaks(t *testing.T, text []byte, pattern *regexp.Regexp) (found []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	for {
		tok, err := d.Token()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatalf("%v in %s", err, text)
		}
		s := fmt.Sprint(tok)
		for range 3 {
			found = append(found, pattern.FindAllString(s, -1)...)
			inner, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\`), `"`, `\"`) + `"`)
			if err != nil || inner == s {
				break
			}
			s = inner
		}
	}
}

// redactAll redacts a plan in all ways and returns the text of the first one,
// with which the second must agree: in memory, as a stream that can be read
// twice, and as one that cannot.
func redactAll(t *testing.T, r *redact.Redactor, src string, pattern *regexp.Regexp) string {
	t.Helper()
	plan, err := planjson.DecodePlan([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	n, err := r.Plan(plan)
	if err != nil {
		t.Fatal(err)
	}
	text, err := planjson.Encode(plan)
	if err != nil {
		t.Fatal(err)
	}
	if found := leaks(t, text, pattern); found != nil {
		t.Errorf("left: %q in %s", found, text)
	}
	var b bytes.Buffer
	m, err := r.WritePlan(&b, strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	// Names that have known secrets come last in memory, and stay in the stream.
	if diff := cmp.Diff(string(text), b.String()); (diff != "" || n != m) && (len(r.Secrets) == 0 || leaks(t, b.Bytes(), pattern) != nil) {
		t.Errorf("the stream differs (%d values, %d in memory): %s", m, n, diff)
	}
	b.Reset()
	switch _, err := r.WritePlan(&b, iotest.OneByteReader(strings.NewReader(src))); {
	case errors.Is(err, redact.ErrOrder):
		if found := pattern.FindAllString(b.String(), -1); found != nil {
			t.Errorf("left before the error: %q", found)
		}
	case err != nil:
		t.Error(err)
	default:
		if found := leaks(t, b.Bytes(), pattern); found != nil {
			t.Errorf("left in a stream that is read once: %q in %s", found, b.String())
		}
	}
	return string(text)
}

// The layout of a document does not matter, and stays.
func TestRedactLayouts(t *testing.T) {
	src := []byte(secretPlan(t))
	var compact, indented bytes.Buffer
	src = bytes.TrimSpace(src)
	if err := json.Compact(&compact, src); err != nil {
		t.Fatal(err)
	}
	if err := json.Indent(&indented, src, "", "  "); err != nil {
		t.Fatal(err)
	}
	var r redact.Redactor
	short := redactAll(t, &r, compact.String(), secretPattern)
	long := redactAll(t, &r, indented.String(), secretPattern)
	var want bytes.Buffer
	if err := json.Indent(&want, []byte(short), "", "  "); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.String(), long); diff != "" {
		t.Errorf("white space has changed: %s", diff)
	}
	crlf := redactAll(t, &r, strings.ReplaceAll(indented.String(), "\n", "\r\n"), secretPattern)
	if diff := cmp.Diff(strings.ReplaceAll(long, "\n", "\r\n"), crlf); diff != "" {
		t.Errorf("line ends have changed: %s", diff)
	}

	// As jq -S writes it: the configuration comes before the values.
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	var tree any
	if err := d.Decode(&tree); err != nil {
		t.Fatal(err)
	}
	sorted, err := json.MarshalIndent(tree, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	redactAll(t, &r, string(sorted), secretPattern)
	var b bytes.Buffer
	if _, err := r.WritePlan(&b, iotest.OneByteReader(bytes.NewReader(sorted))); !errors.Is(err, redact.ErrOrder) {
		t.Errorf("a sorted plan that is read once: %v", err)
	}
}

// Documents that try to keep a secret in an unusual place.
func TestRedactTraps(t *testing.T) {
	const head = `{"format_version":"1.2","terraform_version":"1","planned_values":{"root_module":{}},`
	change := func(before, after, bs, as, more string) string {
		return head + `"resource_changes":[{"address":"a_b.c[\"k\"]","mode":"managed","type":"a_b","name":"c","index":"k","provider_name":"p","change":{"actions":["update"],` +
			`"before":` + before + `,"after":` + after + `,"after_unknown":{},"before_sensitive":` + bs + `,"after_sensitive":` + as + more + `}}],"configuration":{"root_module":{}},"errored":false}`
	}
	config := func(values, config string) string {
		return head + `"resource_changes":[{"address":"module.m[0].a_b.c[1]","mode":"managed","type":"a_b","name":"c","index":1,"provider_name":"p","change":{"actions":["create"],"before":null,` +
			values + `}}],"configuration":` + config + `,"errored":false}`
	}
	for _, row := range []struct{ name, src string }{
		{"a number", change(`{"n":482133770007}`, `{"n":4.82133770007e11}`, `{"n":true}`, `{"n":true}`, "")},
		{"an escaped value", change(`{}`, `{"p":"s\u0065cret1"}`, `{}`, `{"p":true}`, "")},
		{"an escaped name of the value", change(`{}`, `{"p\u0077":"secret1"}`, `{}`, `{"pw":true}`, "")},
		{"an escaped name of the mark", change(`{}`, `{"pw":"secret1"}`, `{}`, `{"\u0070w":true}`, "")},
		{"escaped names of the format", change(`{}`, `{}`, `{}`, `{}`, `,"\u0062efore_identity":{"id":"secret1"},"generated_conf\u0069g":"secret2"`)},
		{"a name of other case", change(`{}`, `{}`, `{}`, `{}`, `,"After":{"id":"secret1"}`)},
		{"a key of a map", change(`{"m":{"secret1":1}}`, `{"m":{"secret2":null}}`, `{"m":true}`, `{"m":true}`, "")},
		{"a key of a map that becomes sensitive", change(`{"m":{"secret1":{}}}`, `{"m":{"secret1":{}}}`, `{"m":{"secret1":{}}}`, `{"m":true}`, "")},
		{"an element of a set", change(`{"s":["secret1"]}`, `{"s":["secret1","secret2"]}`, `{"s":true}`, `{"s":true}`, `,"replace_paths":[["s","secret1"],["s",{"secret2":1}]]`)},
		{"the value before it was sensitive", change(`{"pw":"secret1"}`, `{"pw":"secret1"}`, `{}`, `{"pw":true}`, "")},
		{"part of a list before it was sensitive", change(`{"l":[{"pw":"secret1"}]}`, `{"l":[{"pw":"secret1"},{"pw":"secret2"}]}`, `{"l":[{}]}`, `{"l":[{"pw":true},{"pw":true}]}`, "")},
		{"JSON in a string", change(`{"j":"{\"a\":\"secret1\"}"}`, `{"j":"{\"a\":\"s\\u0065cret2\"}"}`, `{"j":true}`, `{"j":true}`, "")},
		{"marks deeper than the value", change(`{"a":"secret1"}`, `{"a":["secret2"]}`, `{"a":{"b":true}}`, `{"a":[[true]]}`, "")},
		{"marks of another length", change(`{"a":["x","secret1"]}`, `{"a":["secret2"]}`, `{"a":[true]}`, `{"a":[true,false]}`, "")},
		{"the whole object", change(`{"a":"secret1","m":{"secret2":1}}`, `"secret3"`, `true`, `true`, "")},
		{"an import", change(`{}`, `{}`, `{}`, `{}`, `,"importing":{"id":"secret1","identity":{"a":["secret2",{"secret3":1}]}},"generated_config":"x = \"secret4\""`)},
		{"the prior state of what becomes sensitive", strings.Replace(change(`{"pw":"x"}`, `{"pw":"x"}`, `{}`, `{"pw":true}`, ""), `"configuration"`,
			`"prior_state":{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a_b.c[\"k\"]","mode":"managed","type":"a_b","name":"c","provider_name":"p","schema_version":0,"values":{"pw":"secret1"},"sensitive_values":{}}]}}},"configuration"`, 1)},
		{"an output that becomes sensitive", head + `"output_changes":{"o":{"actions":["no-op"],"before":"secret1","after":"secret1","after_unknown":false,"before_sensitive":true,"after_sensitive":true}},` +
			`"prior_state":{"format_version":"1.0","values":{"outputs":{"o":{"sensitive":false,"value":"secret1","type":"string"}},"root_module":{}}},"configuration":{"root_module":{"outputs":{"o":{"sensitive":true,"expression":{"constant_value":"secret1"}}}}},"errored":false}`},
		{"a constant in one of several blocks", config(`"after":{"x":[{"y":{"z":"secret1"}}]},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"x":[{"y":{"z":true}}]}`,
			`{"root_module":{"module_calls":{"m":{"source":"./m","module":{"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_config_key":"p","expressions":{"x":[{"y":{"z":{"constant_value":"secret1"}}},{"y":{"z":{"constant_value":"secret2"}}}]},"schema_version":0}]}}}}}`)},
		{"constants on the way into a sensitive argument", config(`"after":{"pw":"secret1"},"after_unknown":{},"before_sensitive":false,"after_sensitive":{"pw":true}`,
			`{"root_module":{"module_calls":{"m":{"source":"./m","expressions":{"v":{"constant_value":"secret1"}},"module":{"variables":{"v":{"default":"secret2"}},"module_calls":{"n":{"expressions":{"w":{"constant_value":"secret3"}},"module":{"outputs":{"o":{"expression":{"constant_value":"secret4","references":["var.w"]}}},"variables":{"w":{"default":{"secret5":1}}}}}},`+
				`"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_config_key":"p","expressions":{"pw":{"references":["var.v","module.n.o","module.n"]}},"schema_version":0}]}}}}}`)},
		{"a variable of a provider block", strings.Replace(config(`"after":{},"after_unknown":{},"before_sensitive":false,"after_sensitive":{}`,
			`{"provider_config":{"p":{"name":"p","full_name":"p","expressions":{"auth":[{"token":{"references":["var.t"]}}]}}},"root_module":{"variables":{"t":{"default":"secret2"}}}}`), `"planned_values"`, `"variables":{"t":{"value":"secret1"}},"planned_values"`, 1)},
		{"a variable of a provisioner", strings.Replace(config(`"after":{},"after_unknown":{},"before_sensitive":false,"after_sensitive":{}`,
			`{"root_module":{"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_config_key":"p","provisioners":[{"type":"x","expressions":{"e":{"references":["var.t"]},"f":{"constant_value":["secret3"]}}}],"schema_version":0}],"variables":{"t":{"default":"secret2"}}}}`), `"planned_values"`, `"variables":{"t":{"value":"secret1"}},"planned_values"`, 1)},
		{"a path to a key of a sensitive map", strings.Replace(change(`{"m":{"secret1":1}}`, `{"m":{"secret1":1}}`, `{"m":true}`, `{"m":true}`, ""), `"errored"`, `"relevant_attributes":[{"resource":"a_b.c[\"k\"]","attribute":["m","secret1"]},{"resource":"a_b.c","attribute":["m","secret1"]}],"errored"`, 1)},
		{"messages", head + `"configuration":{"root_module":{}},"condition_results":[{"address":"x","condition_type":"y","result":false,"unknown":false,"error_message":"secret1"}],"checks":[{"address":{"kind":"check","name":"c","to_display":"check.c"},"status":"fail","instances":[{"address":{"to_display":"check.c"},"status":"fail","problems":[{"message":"secret2"},{"message":"s\u0065cret3"}]}]}],"errored":false}`},
		{"extra members", strings.Replace(change(`{}`, `{}`, `{}`, `{}`, `,"new":"secret1"`), `"errored"`, `"errored":false,"new":[{"secret2":["secret3"]}],"newer"`, 1)},
	} {
		t.Run(row.name, func(t *testing.T) {
			redactAll(t, new(redact.Redactor), row.src, regexp.MustCompile(`secret\d|48213377|4\.82133770007`))
		})
	}
}

// A rule about a path covers everything that the path leads to, and what it is
// made of.
func TestRedactRuleEverywhere(t *testing.T) {
	const src = `{"format_version":"1.2","terraform_version":"1","variables":{"v":{"value":"secret1"},"w":{"value":"public"}},` +
		`"planned_values":{"outputs":{"o":{"sensitive":false,"type":"string","value":"secret1"}},"root_module":{"resources":[{"address":"a_b.c[0]","mode":"managed","type":"a_b","name":"c","index":0,"provider_name":"p","schema_version":0,"values":{"m":{"secret1":"secret2"},"x":"public"},"sensitive_values":{"m":{}}}]}},` +
		`"resource_drift":[{"address":"a_b.c[0]","type":"a_b","change":{"actions":["update"],"before":{"m":{"secret3":1}},"after":{"m":{"secret4":1}},"after_unknown":{},"before_sensitive":{"m":{}},"after_sensitive":{"m":{}}}}],` +
		`"resource_changes":[{"address":"a_b.c[0]","mode":"managed","type":"a_b","name":"c","index":0,"provider_name":"p","change":{"actions":["delete","create"],"before":{"m":{"secret3":"x"},"x":"public"},"after":{"m":{"secret1":"secret2"},"x":"public"},"after_unknown":{"m":{"secret5":true}},"before_sensitive":{"m":{"secret3":{}}},"after_sensitive":{"m":{"secret1":{}}},"replace_paths":[["m","secret1"],["x"]]}}],` +
		`"output_changes":{"o":{"actions":["create"],"before":null,"after":"secret1","after_unknown":false,"before_sensitive":false,"after_sensitive":false}},` +
		`"prior_state":{"format_version":"1.0","values":{"root_module":{"resources":[{"address":"a_b.c[0]","mode":"managed","type":"a_b","name":"c","index":0,"provider_name":"p","schema_version":0,"values":{"m":{"secret3":"x"}},"sensitive_values":{"m":{}}}]}}},` +
		`"configuration":{"root_module":{"outputs":{"o":{"expression":{"constant_value":"secret1"}}},"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_config_key":"p","expressions":{"m":{"constant_value":{"secret1":"secret2"},"references":["var.v"]},"x":{"references":["var.w"]}},"schema_version":0}],"variables":{"v":{"default":"secret9"},"w":{"default":"public"}}}},` +
		`"relevant_attributes":[{"resource":"a_b.c","attribute":["m","secret1"]},{"resource":"a_b.c[0]","attribute":["m","secret1"]}],"errored":false}`
	pattern := regexp.MustCompile(`secret\d`)
	for _, row := range []struct {
		rule   redact.Rule
		public int // of the five values
	}{
		{redact.Rule{Type: "a_b", Path: []string{"m"}}, 5},
		{redact.Rule{Address: "a_b.c[0]", Path: []string{"m"}}, 5},
		{redact.Rule{Path: []string{"**", "m"}}, 5},
		{redact.Rule{Address: "a_b.c", Path: []string{"**", "m"}}, 3}, // there could be an m in the variable w
	} {
		r := redact.Redactor{Rules: []redact.Rule{row.rule, {Address: "output.o"}}, Keep: redact.All}
		out := redactAll(t, &r, src, pattern)
		if n := strings.Count(out, "public"); n != row.public {
			t.Errorf("%v: %d public values are left, want %d: %s", row.rule, n, row.public, out)
		}
	}

	// One about nothing in particular covers all that is kept, too.
	all := redact.Redactor{Rules: []redact.Rule{{}}, Keep: redact.All}
	redactAll(t, &all, secretPlan(t), secretPattern)
}

// A known secret is found wherever it is, however it is spelled.
func TestRedactKnownSecrets(t *testing.T) {
	r := redact.Redactor{Secrets: []string{"secret", "48213377"}, Keep: redact.All}
	pattern := regexp.MustCompile(`secret|48213377`)
	out := redactAll(t, &r, secretPlan(t), pattern)
	if _, err := planjson.DecodePlan([]byte(out)); err != nil {
		t.Error(err)
	}
	const src = `{"format_version":"1.2","terraform_version":"secret","variables":{"secret":{"value":"a"},"s\u0065cret":{"value":1},"x":{"value":48213377}},` +
		`"planned_values":{"outputs":{"secret-o":{"sensitive":false,"type":["object",{"secret":"string"}],"value":{"secret":"b"}}},"root_module":{"resources":[` +
		`{"address":"a_b.c[\"secret\"]","mode":"managed","type":"a_b","name":"c","index":"secret","provider_name":"p","schema_version":0,"values":{"a":"\\u0073ecret","n":[4.8213377e7,-48213377,1],"k":{"a secret key":1}},"sensitive_values":{"k":{"a secret key":true}},"depends_on":["module.secret"],"identity":{"secret":1}}],` +
		`"child_modules":[{"address":"module.secret[0]"}]}},` +
		`"resource_changes":[{"address":"a_b.c[\"secret\"]","previous_address":"a_b.secret","mode":"managed","type":"a_b","name":"c","index":"secret","provider_name":"p","change":{"actions":["create"],"before":null,"after":{"a":"{\"b\":\"s\\u0065cret\"}","p":"marked"},"after_unknown":{"secret":true},"before_sensitive":false,"after_sensitive":{"p":true,"secret":true},"replace_paths":[["a","secret"],["secret"]],"importing":{"id":"a/secret"}}}],` +
		`"configuration":{"root_module":{"module_calls":{"secret":{"source":"git::https://user:secret@host/x","module":{}}},"resources":[{"address":"a_b.c","mode":"managed","type":"a_b","name":"c","provider_config_key":"p","expressions":{"a":{"constant_value":"x secret","references":["var.secret"]},"secret":[{"x":{"constant_value":48213377}}]},"schema_version":0}],"variables":{"secret":{"description":"the secret","default":"x"}}}},` +
		`"relevant_attributes":[{"resource":"module.secret.x.y","attribute":["secret"]}],"checks":[{"address":{"kind":"resource","to_display":"a_b.c"},"status":"fail","instances":[{"address":{"instance_key":"secret","to_display":"a_b.c[\"secret\"]"},"status":"fail","problems":[{"message":"no secret"}]}]}],"errored":false,"secret":{"secret":2}}`
	plan, err := planjson.DecodePlan([]byte(src))
	if err == nil {
		_, err = r.Plan(plan)
	}
	if !errors.Is(err, planjson.ErrDuplicate) {
		t.Errorf("two spellings of one name: %v", err)
	}
	once := strings.Replace(src, `"s\u0065cret":{"value":1},`, `"my s\u0065cret":{"value":1},`, 1)
	out = redactAll(t, &r, strings.Replace(once, `,"secret":{"secret":2}}`, `}`, 1), pattern)
	if !strings.Contains(out, `a_b.c[\"(sensitive value)\"]`) || strings.Contains(out, "marked") {
		t.Errorf("got %s", out)
	}
	if _, err := planjson.DecodePlan([]byte(out)); err != nil {
		t.Error(err)
	}

	// The text that replaces must not be one.
	r = redact.Redactor{Secrets: []string{"sens"}}
	if got := r.Value(planjson.Value(`"nonsense"`), nil); string(got) != `"***"` {
		t.Errorf("got %s", got)
	}
}

// What the tools have recorded, with each text in it that could be a secret
// taken for one.
func TestRedactKnownSecretsInRecordings(t *testing.T) {
	word := regexp.MustCompile(`[a-z]+-[0-9a-f]{8,}|[A-Za-z]*[0-9]{4,}[a-z]*`)
	for _, rec := range plantest.Recordings(t, "../testdata", "plan") {
		seen := make(map[string]bool)
		for _, secret := range word.FindAllString(string(rec.Text), 10) {
			if seen[secret] || strings.Contains("format_version", secret) {
				continue
			}
			seen[secret] = true
			r := redact.Redactor{Secrets: []string{secret}, Keep: redact.All}
			plan, err := planjson.DecodePlan(rec.Text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Plan(plan); err != nil {
				t.Fatal(err)
			}
			out, err := planjson.Encode(plan)
			if err != nil {
				t.Fatal(err)
			}
			if found := leaks(t, out, regexp.MustCompile(regexp.QuoteMeta(secret))); found != nil {
				t.Errorf("%s: %q is left", rec.Name, secret)
			}
		}
	}
}

// Diagnostics have source text and values.
func TestRedactDiagnostics(t *testing.T) {
	v, err := planjson.DecodeValidate([]byte(`{"format_version":"1.0","valid":false,"error_count":1,"warning_count":0,"diagnostics":[{"severity":"error","summary":"secret1","detail":"secret2",` +
		`"snippet":{"context":"secret3","code":"secret4","start_line":1,"highlight_start_offset":0,"highlight_end_offset":1,"values":[{"traversal":"local.m[\"secret5\"]","statement":"is secret6"},{"traversal":"var.public","statement":"x"}],"test_assertion_expr":{"lhs":"secret7","rhs":"secret8","warning":"secret9","show_verbose":true}},` +
		`"difference":{"before":{"k":"secret1"},"after":["secret2"],"after_unknown":{"secret3":true},"before_sensitive":{"secret4":{}},"after_sensitive":false},"policy_snippet":{"context":null,"code":"secret5","start_line":1,"highlight_start_offset":0,"highlight_end_offset":0,"values":[]},"extra":"secret6"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	var r redact.Redactor
	if _, err := r.Validate(v); err != nil {
		t.Fatal(err)
	}
	out, err := planjson.Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	if found := leaks(t, out, regexp.MustCompile(`secret\d`)); found != nil || !bytes.Contains(out, []byte("var.public")) {
		t.Errorf("left: %q in %s", found, out)
	}
}
