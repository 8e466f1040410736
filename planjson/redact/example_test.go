// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"fmt"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// Make a plan safe to keep as an artifact of a CI job, whatever its size.
func ExampleRedactor_WritePlan_artifact() {
	in, err := os.Open("../testdata/tofu-1.12.6/sensitive-unknown/plan.2.json")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	out, err := os.CreateTemp("", "plan")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(out.Name())
	r := redact.Redactor{Rules: []redact.Rule{{Path: []string{"**", "user_data"}}}}
	if _, err := r.WritePlan(out, in); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Close())
	// Output: <nil>
}

// Hide what a plan marks, and what matches a rule.
func ExampleRedactor_Plan() {
	plan, err := planjson.DecodePlan([]byte(`{"resource_changes":[{"address":"db.main","type":"db","change":{"actions":["create"],
  "after":{"name":"main","password":"hunter2","token":"t0ken"},"after_sensitive":{"password":true}}}]}`))
	if err != nil {
		log.Fatal(err)
	}
	r := redact.Redactor{Rules: []redact.Rule{{Type: "db", Path: []string{"token"}}}, Text: "***"}
	if _, err := r.Plan(plan); err != nil {
		log.Fatal(err)
	}
	fmt.Println(plan.ResourceChanges[0].Change.After)
	// Output: {"name":"main","password":"***","token":"***"}
}

// Hide what a state marks, and a text that must not occur anywhere.
func ExampleRedactor_State() {
	state, err := planjson.DecodeState([]byte(`{"values":{"root_module":{"resources":[{"address":"vm.a",
  "values":{"key":"k","motd":"welcome, admin"},"sensitive_values":{"key":true}}]}}}`))
	if err != nil {
		log.Fatal(err)
	}
	n, err := redact.Redactor{Secrets: []string{"admin"}}.State(state)
	if err != nil {
		log.Fatal(err)
	}
	for r := range state.AllResources() {
		fmt.Println(n, r.Values)
	}
	// Output: 2 {"key":"(sensitive value)","motd":"welcome, (sensitive value)"}
}
