// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// A secret that is also a word of the format is hidden in values, and the words of the
// format stay: a reader still sees what is destroyed.
func TestSecretsLikeWordsOfTheFormat(t *testing.T) {
	const src = `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["delete"],` +
		`"before":{"pw":"delete","x":"managed","free":"please delete"},"after":null,"after_unknown":{},"before_sensitive":{"pw":true,"x":true},"after_sensitive":false},` +
		`"action_reason":"delete_because_no_resource_config"}],"configuration":{"root_module":{}},"checks":[{"address":{"kind":"resource","mode":"managed","type":"t","name":"a","to_display":"t.a"},"status":"unknown"}]}`
	hidden := strings.NewReplacer(`"pw":"delete"`, `"pw":"(sensitive value)"`, `"x":"managed"`, `"x":"(sensitive value)"`, "please delete", "please (sensitive value)")
	for name, r := range map[string]redact.Redactor{"marked": {Plain: redact.Everywhere}, "named": {Secrets: []string{"delete", "managed", "unknown", "delete_because_no_resource_config", "1.2"}}} {
		for way, out := range ways(t, r, "plan", []byte(src)) {
			if want := hidden.Replace(src); string(out) != want {
				t.Errorf("%s, %s:\ngot  %s\nwant %s", name, way, out, want)
			}
		}
	}
}

// A word in a member that should have one of the format's own is hidden if the format does
// not have it.
func TestSecretsInPlaceOfWords(t *testing.T) {
	const src = `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"hunter2!","type":"t","name":"a","provider_name":"p","change":{"actions":["delete","hunter2!"],` +
		`"before":{},"after":null,"after_unknown":{},"before_sensitive":false,"after_sensitive":false}}],"configuration":{"root_module":{}}}`
	for way, out := range ways(t, redact.Redactor{Secrets: []string{"hunter2!", "delete"}}, "plan", []byte(src)) {
		if strings.Contains(string(out), "hunter2!") {
			t.Errorf("%s: %s", way, out)
		}
	}
}

// However short a secret is, a redacted plan still says what it did, and has a version that
// is supported.
func TestSecretsOfOneLetter(t *testing.T) {
	secrets := strings.Split("abcdefghijklmnopqrstuvwxyz0123456789_-.", "")
	for i, r := range plantest.Recordings(t, "../testdata", "plan") {
		if i%depth.Of(3, 1, 1) > 0 {
			continue
		}
		plan, err := planjson.DecodePlan(r.Text)
		if err != nil {
			t.Fatal(err)
		}
		redacted := planjson.Clone(plan)
		if _, err := (redact.Redactor{Secrets: secrets}).Plan(redacted); err != nil {
			t.Fatalf("%s: %v", r.Name, err)
		}
		if a, b := planjson.CheckVersion(plan), planjson.CheckVersion(redacted); (a == nil) != (b == nil) {
			t.Errorf("%s: %v, redacted %v", r.Name, a, b)
		}
		for i, rc := range plan.ResourceChanges {
			now := redacted.ResourceChanges[i]
			if rc.Mode != now.Mode || rc.ActionReason != now.ActionReason || !slices.Equal(rc.Change.Actions, now.Change.Actions) {
				t.Errorf("%s: %s %s %s became %s %s %s", r.Name, rc.Mode, rc.Change.Actions, rc.ActionReason, now.Mode, now.Change.Actions, now.ActionReason)
			}
		}
	}
}

// A number that makes a name other than others has no secret, even if that is a digit.
func TestSecretsInNumbersOfNames(t *testing.T) {
	var keys []string
	for i := range 30 {
		keys = append(keys, `"hunter`+strings.Repeat("x", i)+`1":0`)
	}
	src := `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["create"],` +
		`"before":null,"after":{"m":{` + strings.Join(keys, ",") + `}},"after_unknown":{},"before_sensitive":false,"after_sensitive":false}}],"configuration":{"root_module":{}}}`
	r := redact.Redactor{Secrets: []string{"hunter", "1", "x"}}
	for way, out := range ways(t, r, "plan", []byte(src)) {
		if s := strings.ReplaceAll(string(out), `"1.2"`, ""); strings.Contains(s, "1") {
			t.Errorf("%s: %s", way, out)
		}
		if again := ways(t, r, "plan", out)[way]; string(again) != string(out) {
			t.Errorf("%s: redacted again it is %s\nnot %s", way, again, out)
		}
	}
}

// Where each digit is a secret, there is no number without one: names still differ.
func TestSecretsInAllNumbersOfNames(t *testing.T) {
	const src = `{"format_version":"1.2","resource_changes":[{"address":"t.a","mode":"managed","type":"t","name":"a","provider_name":"p","change":{"actions":["create"],` +
		`"before":null,"after":{"m":{"7x":0,"8x":0,"9x":0}},"after_unknown":{},"before_sensitive":false,"after_sensitive":false}}],"configuration":{"root_module":{}}}`
	for way, out := range ways(t, redact.Redactor{Secrets: strings.Split("0123456789", "")}, "plan", []byte(src)) {
		plan, err := planjson.DecodePlan(out)
		if err != nil {
			t.Fatalf("%s: %v", way, err)
		}
		if n := plan.ResourceChanges[0].Change.After.Member("m").Len(); n != 3 {
			t.Errorf("%s: %d of 3 names are left: %s", way, n, out)
		}
	}
}
