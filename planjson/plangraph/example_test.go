// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"fmt"
	"log"
	"os"
	"time"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/plangraph"
)

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
	for e := range plangraph.New(config).Feeds("vm.web", "subnet") {
		fmt.Println(e.To.Address)
	}
	// Output:
	// module.net.output.id
	// module.net.subnet.s
	// module.net.var.cidr
	// var.cidr
}

// Ask what a change can reach.
func ExampleGraph_Dependents() {
	config, err := planjson.DecodeConfig([]byte(`{"root_module":{"variables":{"region":{}},"resources":[
		{"address":"net.a","mode":"managed","type":"net","name":"a","expressions":{"region":{"references":["var.region"]}}},
		{"address":"vm.b","mode":"managed","type":"vm","name":"b","expressions":{"net":{"references":["net.a.id","net.a"]}}}]}}`))
	if err != nil {
		log.Fatal(err)
	}
	for n := range plangraph.New(config).Dependents("var.region") {
		fmt.Println(n.Address)
	}
	// Output:
	// net.a
	// vm.b
}

// Draw the resources of a configuration, without what lies between them.
func ExampleGraph_WriteMermaid() {
	config, err := planjson.DecodeConfig([]byte(`{"root_module":{"resources":[
		{"address":"net.a","mode":"managed","type":"net","name":"a"},
		{"address":"vm.b","mode":"managed","type":"vm","name":"b","expressions":{"net":{"references":["local.net"]}}}],
		"outputs":{"id":{"expression":{"references":["vm.b.id","vm.b"]}}}}}`))
	if err != nil {
		log.Fatal(err)
	}
	o := plangraph.GraphOptions{Keep: func(n *plangraph.Node) bool { return n.Kind == plangraph.Resource }}
	if err := plangraph.New(config).WriteMermaid(os.Stdout, o); err != nil {
		log.Fatal(err)
	}
	// Output:
	// flowchart RL
	//   n0["net.a"]
	//   n1["vm.b"]
}

const replacePlan = `{"format_version":"1.2","resource_changes":[
	{"address":"db.main","mode":"managed","type":"db","name":"main","change":{"actions":["delete","create"],"before":{"size":1,"id":"d1"},"after":{"size":2},"after_unknown":{"id":true},"replace_paths":[["size"]]}},
	{"address":"lock.main","mode":"managed","type":"lock","name":"main","change":{"actions":["delete","create"],"before":{"db":"d1"},"after":{},"after_unknown":{"db":true},"replace_paths":[["db"]]}}],
	"prior_state":{"format_version":"1.0","values":{"root_module":{"resources":[
		{"address":"db.main","mode":"managed","type":"db","name":"main","values":{}},
		{"address":"lock.main","mode":"managed","type":"lock","name":"main","values":{},"depends_on":["db.main"]}]}}},
	"configuration":{"root_module":{"resources":[
		{"address":"db.main","mode":"managed","type":"db","name":"main","expressions":{"size":{"references":["var.size"]}}},
		{"address":"lock.main","mode":"managed","type":"lock","name":"main","expressions":{"db":{"references":["db.main.id","db.main"]}}}],
		"variables":{"size":{}}}}}`

func exampleInstances() *plangraph.Instances {
	plan, err := planjson.DecodePlan([]byte(replacePlan))
	if err != nil {
		log.Fatal(err)
	}
	return plangraph.NewInstances(plan, plangraph.InstancesOptions{})
}

// Say in which order a plan will be applied.
func ExampleInstances_Operations() {
	for _, o := range exampleInstances().Operations() {
		fmt.Println(o.Action, o.Address)
	}
	// Output:
	// delete lock.main
	// delete db.main
	// create db.main
	// create lock.main
}

// Find what a run waited for. The times are from the messages of the run.
func ExampleCriticalPath() {
	took := map[string]time.Duration{"delete db.main": 5 * time.Minute, "create db.main": 20 * time.Minute, "create lock.main": time.Second}
	path := plangraph.CriticalPath(exampleInstances().Operations(), func(o *plangraph.Operation) time.Duration {
		return took[string(o.Action)+" "+o.Address]
	})
	for _, o := range path {
		fmt.Println(o.Action, o.Address, took[string(o.Action)+" "+o.Address])
	}
	// Output:
	// delete lock.main 0s
	// delete db.main 5m0s
	// create db.main 20m0s
	// create lock.main 1s
}

// List the resources that are replaced because a variable has another value.
func ExampleInstances_Impact() {
	x := exampleInstances()
	for e := range x.Impact(x.Instance("var.size")) {
		fmt.Println(e.Link.From.Address, "replaced:", e.Replaces, "because of", e.Link.To.Address)
	}
	// Output:
	// db.main replaced: true because of var.size
	// lock.main replaced: true because of db.main
}

// Find the locks of a database.
func ExampleInstances_Referring() {
	x := exampleInstances()
	for l := range x.Referring(x.Instance("db.main"), "lock") {
		fmt.Println(l.From.Address, l.At, l.Certain)
	}
	// Output: lock.main db true
}

// Draw a plan for Graphviz.
func ExampleInstances_WriteDOT() {
	if err := exampleInstances().WriteDOT(os.Stdout, plangraph.DrawingOptions{}); err != nil {
		log.Fatal(err)
	}
	// Output:
	// digraph {
	//   rankdir = "RL";
	//   node [shape = "box", style = "filled", fillcolor = "white"];
	//   n0 [label = "db.main", class = "replace", fillcolor = "#ffb3e6"];
	//   n1 [label = "lock.main", class = "replace", fillcolor = "#ffb3e6"];
	//   n2 [label = "var.size"];
	//   n0 -> n2;
	//   n1 -> n0;
	// }
}
