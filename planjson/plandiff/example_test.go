// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff_test

import (
	"fmt"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// List every attribute that forces a replacement.
func ExamplePlan_replacements() {
	src, err := os.ReadFile("../testdata/tofu-1.12.6/expressions/plan.2.json")
	if err != nil {
		log.Fatal(err)
	}
	plan, err := planjson.DecodePlan(src)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range plandiff.Plan(plan, plandiff.Options{}).Resources {
		for a := range r.Object.Leaves() {
			if a.ForcesReplacement {
				fmt.Println(r.Address, a, a.Before, "->", a.After)
			}
		}
	}
	// Output:
	// lab_blocks.static network.vlan 1000 -> 2000
	// lab_thing.refs settings.limits.cpu 1000 -> 2000
	// lab_thing.refs zones["pl \"q\" $${x}"].cidr "10.232.0.0/16" -> "10.208.0.0/16"
}

// Show a change as the tools show it.
func ExampleResource_Text() {
	rc := &planjson.ResourceChange{Address: "vm.web", Mode: "managed", Type: "vm", Name: "web", Change: planjson.Change{
		Actions: planjson.Actions{planjson.ActionUpdate},
		Before:  planjson.Value(`{"id":"i-1","key":"old","size":"small"}`), BeforeSensitive: planjson.Value(`{"key":true}`),
		After: planjson.Value(`{"id":"i-1","key":"new","size":"large"}`), AfterSensitive: planjson.Value(`{"key":true}`),
	}}
	fmt.Print(plandiff.Change(rc, plandiff.Options{}).Text())
	// Output:
	//   # vm.web will be updated in-place
	//   ~ resource "vm" "web" {
	//         id   = "i-1"
	//       ~ key  = (sensitive value)
	//       ~ size = "small" -> "large"
	//     }
}

// Find out whether a state is what a plan promised.
func ExampleComparePlanWithState() {
	plan, err := planjson.DecodePlan([]byte(`{"resource_changes":[{"address":"vm.web","mode":"managed","type":"vm","name":"web","change":{
		"actions":["create"],"after":{"size":"large"},"after_unknown":{"id":true}}}]}`))
	if err != nil {
		log.Fatal(err)
	}
	state, err := planjson.DecodeState([]byte(`{"values":{"root_module":{"resources":[
		{"address":"vm.web","mode":"managed","type":"vm","name":"web","values":{"id":"i-1","size":"small"}}]}}}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range plandiff.ComparePlanWithState(plan, state, plandiff.Options{}).Changed {
		for a := range r.Object.Leaves() {
			fmt.Println(r.Address, a, a.Before, "->", a.After)
		}
	}
	// Output: vm.web size "large" -> "small"
}
