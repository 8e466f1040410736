// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// optionsPlan returns a plan with a marked value, and a text that is not marked.
func optionsPlan(t *testing.T, marked, text string) *planjson.Plan {
	t.Helper()
	p, err := planjson.DecodePlan(fmt.Appendf(nil, `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["update"],`+
		`"before":{"note":"x","pw":%s},"after":{"note":%s,"pw":"other pw!"},"after_unknown":{},"before_sensitive":{"pw":true},"after_sensitive":{}}}],`+
		`"configuration":{"root_module":{"resources":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_config_key":"p","schema_version":0,"expressions":{"note":{"constant_value":"public-word"}}}]}}}`,
		quoted(marked), quoted(text)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is looked for outside of its own place.
func TestSecretsLookedFor(t *testing.T) {
	long := strings.Repeat("0123456789abcdef-", 8)
	for _, row := range []struct {
		name, marked, text string
		r                  redact.Redactor
		want               string // instead of the text
	}{
		{"six bytes", "s3cre!", "a s3cre! b", redact.Redactor{}, "a (sensitive value) b"},
		{"five bytes", "s3cr!", "a s3cr! b", redact.Redactor{}, "a s3cr! b"},
		{"MinSecret", "s3cr!", "a s3cr! b", redact.Redactor{MinSecret: 5}, "a (sensitive value) b"},
		{"MinSecret is higher", "s3cre!", "a s3cre! b", redact.Redactor{MinSecret: 7}, "a s3cre! b"},
		{"MinSecret does not hold for Secrets", "x", "a s3c b", redact.Redactor{MinSecret: 9, Secrets: []string{"s3c", ""}}, "a (sensitive value) b"},
		{"OnlyMarked", "s3cre!", "a s3cre! b", redact.Redactor{OnlyMarked: true}, "a s3cre! b"},
		{"OnlyMarked and Secrets", "s3cre!", "a s3cre! b", redact.Redactor{OnlyMarked: true, Secrets: []string{"s3cre!"}}, "a (sensitive value) b"},
		{"Text", "s3cre!", "a s3cre! b", redact.Redactor{Text: "-"}, "a - b"},
		{"Text with a secret", "x", "a sensitive b", redact.Redactor{Secrets: []string{"sensitive"}}, "a *** b"},
		{"a bool", "true", "is true", redact.Redactor{MinSecret: 1}, "is true"},
		{"five digits", "-1234.5", "is -1234.5", redact.Redactor{}, "is -1234.5"},
		{"six digits", "123456", "is 123456", redact.Redactor{}, "is (sensitive value)"},
		{"digits with an e", "58e392", "is 58e392", redact.Redactor{}, "is (sensitive value)"},
		{"a public word", "public-word", "is public-word", redact.Redactor{}, "is public-word"},
		{"another word", "hidden-word", "is hidden-word", redact.Redactor{}, "is hidden-word"},
		{"another word, everywhere", "hidden-word", "is hidden-word", redact.Redactor{Plain: redact.Everywhere}, "is (sensitive value)"},
		{"all of it at another attribute", "hidden-word", "hidden-word", redact.Redactor{}, "hidden-word"},
		{"a plain text that is given", "x", "is hidden-word", redact.Redactor{Secrets: []string{"hidden-word"}}, "is (sensitive value)"},
		{"three words", "a-hidden-word", "is a-hidden-word", redact.Redactor{}, "is (sensitive value)"},
		{"a phrase", "hidden word", "is hidden word", redact.Redactor{}, "is (sensitive value)"},
		{"a long word", "incomprehensible", "is incomprehensible", redact.Redactor{}, "is (sensitive value)"},
		{"both cases", "hIdDen", "is hIdDen", redact.Redactor{}, "is (sensitive value)"},
		{"a network", "10.20.0.0/16", "is 10.20.0.0/16", redact.Redactor{}, "is 10.20.0.0/16"},
		{"a word of JSON in a string", `{"a":["hidden-word"]}`, "is hidden-word", redact.Redactor{}, "is hidden-word"},
		{"a text of JSON in a string", `{"a":["s3cre!"]}`, "is s3cre!", redact.Redactor{}, "is (sensitive value)"},
		{"a line", "one\n0123456789abcde!\nthree", "is 0123456789abcde!", redact.Redactor{}, "is (sensitive value)"},
		{"a short line", "one\n0123456789abcd!\nthree", "is 0123456789abcd!", redact.Redactor{}, "is 0123456789abcd!"},
		{"the first 64 bytes", long, "is " + long[:64] + " more", redact.Redactor{}, "is (sensitive value)"},
		{"the first 63 bytes", long, "is " + long[:63] + " more", redact.Redactor{}, "is " + long[:63] + " more"},
	} {
		p := optionsPlan(t, row.marked, row.text)
		if _, err := row.r.Plan(p); err != nil {
			t.Fatal(err)
		}
		if got, _ := p.ResourceChanges[0].Change.After.Member("note").Text(); got != row.want {
			t.Errorf("%s: %q", row.name, got)
		}
		if pw, _ := p.ResourceChanges[0].Change.Before.Member("pw").Text(); pw == row.marked {
			t.Errorf("%s: the marked text is left", row.name)
		}
	}
}

func TestKnownSecrets(t *testing.T) {
	got, err := redact.Redactor{Secrets: []string{"z", "given"}}.KnownSecrets(optionsPlan(t, "s3cre!", "public"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"given", "other pw!", "s3cre!", "z"}, got); diff != "" {
		t.Error(diff)
	}
	if got, err = (redact.Redactor{Secrets: []string{"z", "a"}}).KnownSecrets(nil); err != nil || !slices.Equal(got, []string{"a", "z"}) {
		t.Errorf("%q, %v", got, err)
	}
}

// The report names every reason, in the order of the document, and has no secret.
func TestReport(t *testing.T) {
	schemas, err := planjson.DecodeSchemas([]byte(`{"provider_schemas":{"p":{"resource_schemas":{"t":{"version":0,"block":{"attributes":{"wo":{"type":"string","write_only":true},"pw":{"type":"string"},"other":{"type":"string"},"note":{"type":"string"}}}}}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	src := []byte(`{"format_version":"1.2","variables":{"v":{"value":"flow!1"},"u":{"value":"closed"}},"resource_changes":[{"address":"t.a[\"s3cre!\"]","mode":"managed","type":"t","name":"a","index":"s3cre!","provider_name":"p","change":{"actions":["update"],` +
		`"before":{"note":"x","other":"rule","pw":"s3cre!","wo":"schema"},"after":{"note":"a s3cre!","other":"rule","pw":"other!","wo":null},"after_unknown":{},"before_sensitive":{"pw":true},"after_sensitive":{}}}],` +
		`"configuration":{"root_module":{"variables":{"v":{}},"outputs":{"o":{"sensitive":true,"expression":{"references":["var.v"]}}}}}}`)
	p, err := planjson.DecodePlan(src)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	r := redact.Redactor{Schemas: schemas, Rules: []redact.Rule{{Path: []string{"other"}}}, Report: func(h redact.Entry) {
		got = append(got, h.Pointer+" "+h.Address+" "+h.Why)
	}}
	n, err := r.Plan(p)
	if err != nil || n != len(got) {
		t.Errorf("%d values, %d in the report, %v", n, len(got), err)
	}
	const address = `t.a["(sensitive value)"]`
	want := []string{
		"/variables/v/value var.v flow",
		"/variables/u/value var.u closed",
		"/resource_changes/0/address " + address + " secret",
		"/resource_changes/0/index " + address + " secret",
		"/resource_changes/0/change/before/other " + address + " rule",
		"/resource_changes/0/change/before/pw " + address + " marked",
		"/resource_changes/0/change/before/wo " + address + " schema",
		"/resource_changes/0/change/after/note " + address + " secret",
		"/resource_changes/0/change/after/other " + address + " rule",
		"/resource_changes/0/change/after/pw " + address + " elsewhere",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A name in a pointer can be a secret that is spelled in another way there.
func TestReportNames(t *testing.T) {
	p := optionsPlan(t, "a/b~c!d", "x")
	p.ResourceChanges[0].Change.After = planjson.Value(`{"note":{"k":{"a/b~c!d":["a/b~c!d"]},"m":[0,{"a/b~c!d":"a/b~c!d","z":"a/b~c!d"}]},"pw":"x"}`)
	var got []string
	r := redact.Redactor{Report: func(h redact.Entry) { got = append(got, h.Pointer+" "+h.Why) }}
	if _, err := r.Plan(p); err != nil {
		t.Fatal(err)
	}
	const after = "/resource_changes/0/change/after/"
	want := []string{
		"/resource_changes/0/change/before/note plain",
		"/resource_changes/0/change/before/pw marked",
		after + "note/k secret",
		after + "note/k/(sensitive value)/0 secret",
		after + "note/m/1 secret",
		after + "note/m/1/(sensitive value) secret",
		after + "note/m/1/z secret",
		after + "pw elsewhere",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
