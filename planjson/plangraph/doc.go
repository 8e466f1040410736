// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package plangraph builds the graph of references in the configuration of a plan.
//
//	g := plangraph.New(plan.Config())
//	for e := range g.Feeds("aws_instance.web", "subnet_id") {
//		fmt.Println(e.From.Address, "refers to", e.To.Address)
//	}
//	for n := range g.Dependents("aws_vpc.main") {
//		fmt.Println(n.Address, "depends on it")
//	}
//
// A [Graph] can be written for Graphviz and for Mermaid. Its nodes are the blocks
// of the configuration. [NewInstances] adds the instances of a plan:
//
//	x := plangraph.NewInstances(plan, plangraph.InstancesOptions{})
//	web, path := x.Split("aws_instance.web[0].disk[0].snapshot")
//	for link := range x.Needs(web, path) {
//		fmt.Println(link.To.Address, link.Path, link.Certain)
//	}
//
// [Instances.Operations] orders the operations of an apply, [CriticalPath] finds
// the operations that determined its duration, and [Instances.Impact] finds the
// changes caused by other changes.
//
// # Errors
//
// Only the writers return errors: those of the caller's own io.Writer,
// unchanged. References that cannot be parsed, or have no target, are left out.
//
// # Security
//
// Documents may come from anywhere. A graph takes time and memory proportional to
// the references of the configuration. It holds addresses but no values. Instances
// hold the values of the plan, and take time and memory proportional to its
// instances and their references; a reference to all instances of a block counts
// once. If something is deleted, the order of operations also follows the direct
// and indirect references of a block within its module, for each instance of the
// module.
//
// # Concurrency
//
// A [Graph] and [Instances] never change and are safe for concurrent use by several
// goroutines.
package plangraph
