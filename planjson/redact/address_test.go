// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// rewrite redacts a plan from a reader.
func rewrite(t *testing.T, r redact.Redactor, plan string) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := r.WritePlan(&out, strings.NewReader(plan)); err != nil {
		t.Fatalf("%v: %s", err, plan)
	}
	return out.String()
}

// Of an address only the keys that have secrets are replaced, however they are spelled. Instances whose keys are
// secrets stay different ones: what is marked in one of them is not hidden in another.
func TestAddresses(t *testing.T) {
	secrets := []string{`q"uo\te${x}`, "first line\nsecond line", "a]b[c", "hunter2xyz", strings.Repeat("long ", 30)}
	keys := []string{`q\"uo\\te$${x}`, `first line\nsecond line`, `a]b[c`, `hunter2xyz`, strings.Repeat("long ", 30)}
	var changes []string
	for i, key := range keys {
		address := string(planjson.Literal(`module.m["` + key + `"].a.b["public"]`))
		sensitive := "{}"
		if i == 1 {
			sensitive = `{"v":true}`
		}
		changes = append(changes, `{"address":`+address+`,"mode":"managed","type":"a","name":"b","index":`+string(planjson.Literal(secrets[i]))+
			`,"change":{"actions":["create"],"before":null,"after":{"v":"value"},"after_unknown":{},"before_sensitive":false,"after_sensitive":`+sensitive+`}}`)
	}
	plan := `{"format_version":"1.2","resource_changes":[` + strings.Join(changes, ",") + `]}`
	r := redact.Redactor{Secrets: secrets}
	out := rewrite(t, r, plan)
	p, err := planjson.DecodePlan([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, rc := range p.ResourceChanges {
		address, err := rc.Addr()
		if err != nil || address.Module().String() == "" || !strings.HasPrefix(rc.Address, `module.m["(sensitive value)`) || !strings.HasSuffix(rc.Address, `"].a.b["public"]`) {
			t.Errorf("%s: %v", rc.Address, err)
		}
		index, _ := rc.Index.Text()
		if !strings.HasPrefix(rc.Address, `module.m["`+index+`"]`) || seen[index] {
			t.Errorf("%s has the index %s", rc.Address, index)
		}
		seen[index] = true
		if got, _ := rc.Change.After.Get("v").Text(); got == "value" {
			t.Errorf("%s: %s", rc.Address, rc.Change.After)
		}
	}
	if again := rewrite(t, r, out); again != out {
		t.Errorf("redacted again it is %s", again)
	}
	if again := rewrite(t, redact.Redactor{}, out); again != out {
		t.Errorf("redacted again without secrets it is %s", again)
	}
}

// A secret that is not only in a key is removed whole.
func TestAddresses_AcrossKeys(t *testing.T) {
	for secret, want := range map[string]string{
		`b["key"].c`: `a.(sensitive value).d`,
		`["key`:      `a.b(sensitive value)"].c.d`,
		`key"].c.`:   `a.b["(sensitive value)d`,
		`.c.d`:       `a.b["(sensitive value)"](sensitive value)`,
	} {
		r := redact.Redactor{Secrets: []string{secret, "key"}}
		out := rewrite(t, r, `{"format_version":"1.2","relevant_attributes":[{"resource":"x[\"a key\"]","attribute":["a"]},{"resource":"a.b[\"key\"].c.d","attribute":["a"]}]}`)
		p, err := planjson.DecodePlan([]byte(out))
		if err != nil {
			t.Fatal(err)
		}
		if got := p.RelevantAttributes[1].Resource; got != want {
			t.Errorf("without %s: %s, want %s", secret, got, want)
		}
	}
}

// A name without its secret is not that of a member which is there already, as in a document that was redacted before
// with fewer secrets.
func TestNames_OfOneObject(t *testing.T) {
	plan := `{"format_version":"1.2","planned_values":{"outputs":{"(sensitive value)":{"sensitive":false,"value":{"(sensitive value)":1,"hunter2xyz":2,"(sensitive value) (2)":3,` +
		`"x (sensitive value) (7)":4,"(sensitive value) (99999999999999999999)":5}},"hunter2xyz":{"sensitive":false}}}}`
	r := redact.Redactor{Secrets: []string{"hunter2xyz"}}
	out := rewrite(t, r, plan)
	p, err := planjson.DecodePlan([]byte(out))
	if err != nil {
		t.Fatal(err)
	}
	for d := range planjson.Duplicates(p) {
		t.Errorf("%s occurs twice: %s", d.Pointer, out)
	}
	if strings.Contains(out, "hunter2") || rewrite(t, r, out) != out {
		t.Error(out)
	}
}

// TestReport_Memory redacts modules that are nested deeply: pointers are made for what is reported, and not for all
// members.
func TestReport_Memory(t *testing.T) {
	plan := `{"format_version":"1.2","planned_values":{"root_module":{` + strings.Repeat(`"child_modules":[{"address":"module.a",`, 3000) +
		`"address":"hunter2xyz"` + strings.Repeat(`}]`, 3000) + `}}}`
	plan = strings.Replace(plan, `"address":"module.a","address"`, `"address"`, 1)
	var pointers []string
	r := redact.Redactor{Secrets: []string{"hunter2xyz"}, Report: func(h redact.Entry) { pointers = append(pointers, h.Pointer) }}
	bounds.AtMost(t, "pointers", 200*len(plan), func() {
		pointers = nil
		rewrite(t, r, plan)
	})
	if len(pointers) != 1 || !strings.HasSuffix(pointers[0], "/child_modules/0/address") || strings.Count(pointers[0], "child_modules") != 3000 {
		t.Errorf("%d pointers: %.80q", len(pointers), pointers)
	}
}
