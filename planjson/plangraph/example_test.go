// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"fmt"
	"log"
	"os"

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
	o := plangraph.Options{Keep: func(n *plangraph.Node) bool { return n.Kind == plangraph.Resource }}
	if err := plangraph.New(config).WriteMermaid(os.Stdout, o); err != nil {
		log.Fatal(err)
	}
	// Output:
	// flowchart RL
	//   n0["net.a"]
	//   n1["vm.b"]
}
