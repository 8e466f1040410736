// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"fmt"
	"log"
	"os"

	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/planjson"
)

// List every attribute that forces a replacement.
func ExampleDiffPlan_replacements() {
	src, err := os.ReadFile("testdata/tofu-1.12.6/expressions/plan.2.json")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := planjson.DecodePlan(src)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range planjson.DiffPlan(plan, planjson.DiffOptions{}).Resources {
		for a := range r.Object.Leaves() {
			if a.ForcesReplacement {
				fmt.Println(r.Address, a, a.Before, "->", a.After)
			}
		}
	}
	// Output:
	// lab_blocks.static network.vlan 1000 -> 2000
	// lab_thing.refs settings.limits.cpu 1000 -> 2000
	// lab_thing.refs zones["pl \"q\" ${x}"].cidr "10.232.0.0/16" -> "10.208.0.0/16"
}

// Make a plan safe to keep as an artifact of a CI job, whatever its size.
func ExampleRedactor_WritePlan_artifact() {
	in, err := os.Open("testdata/tofu-1.12.6/sensitive-unknown/plan.2.json")
	if err != nil {
		log.Fatal(err)
	}
	defer in.Close()
	out, err := os.CreateTemp("", "plan")
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(out.Name())
	r := planjson.Redactor{Rules: []planjson.RedactRule{{Path: []string{"**", "user_data"}}}}
	if _, err := r.WritePlan(out, in); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Close())
	// Output: <nil>
}

// Ask where the value of an argument comes from.
func ExampleGraph_Feeds() {
	config, err := planjson.DecodeConfig([]byte(`{"root_module":{
		"resources":[{"address":"vm.web","mode":"managed","type":"vm","name":"web","expressions":{"subnet":{"references":["module.net.id","module.net"]}}}],
		"module_calls":{"net":{"expressions":{"cidr":{"references":["var.cidr"]}},"module":{
			"outputs":{"id":{"expression":{"references":["subnet.s.id","subnet.s"]}}},
			"resources":[{"address":"subnet.s","mode":"managed","type":"subnet","name":"s","expressions":{"cidr":{"references":["var.cidr"]}}}],
			"variables":{"cidr":{}}}}},
		"variables":{"cidr":{}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	for e := range planjson.NewGraph(config).Feeds("vm.web", "subnet") {
		fmt.Println(e.To.Address)
	}
	// Output:
	// module.net.output.id
	// module.net.subnet.s
	// module.net.var.cidr
	// var.cidr
}

// Make a change for a test of a policy.
func ExampleNewChange() {
	c, err := planjson.NewChange(planjson.Actions{planjson.ActionCreate}, cty.NullVal(cty.EmptyObject), cty.ObjectVal(map[string]cty.Value{
		"id":       cty.UnknownVal(cty.String),
		"password": cty.StringVal("x").Mark(planjson.Sensitive),
	}))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.After, c.AfterUnknown, c.AfterSensitive)
	// Output: {"password":"x"} {"id":true} {"password":true}
}
