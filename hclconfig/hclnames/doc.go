// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclnames knows the names of a configuration: what a module declares and where it is
// named, what depends on what across modules, the values of expressions, and the releases that
// have what a configuration uses.
//
//	tree, err := hclnames.LoadTree(os.DirFS(root), "env/prod", hclconfig.OpenTofu)
//	if err != nil {
//		return err
//	}
//	values := hclnames.NewEvaluator(nil)
//	for _, r := range tree.Module.Resources {
//		v := values.Evaluate(tree, r.Count)
//		fmt.Println(r.Type, r.Name, v.Value.GoString(), v.Unknown)
//	}
//
// [LoadTree] reads a module and those that it calls. [Tree.Graph] has the dependencies between
// the resources, values and modules of a tree, with the place of each reference. It was compared
// with the graphs that the programs print.
//
// [NamesOf] finds where a module uses its declarations, and which ones it does not
// use. [FeaturesOf] lists the features that not every release has: [Features.Lowest]
// says "this needs Terraform 1.15, because of the source of a module that refers to
// a variable". Its tables were tested with the programs themselves. [NeedOf] gives the
// constraint for required_version that a module and its local modules need.
//
// An [Evaluator] finds the values of expressions through local values, defaults, module calls and
// functions, and says why a value is not known: a resource has none before a plan. Functions that
// read files or the clock, and some that decode texts, have no known value here. With
// Evaluator.Instances, a call with count or for_each has the values of its instances.
//
// # Errors
//
// Functions that fail return a [*hclconfig.Error]. Faults of an expression are diagnostics of its
// [Evaluation]. Package hclcheck finds those of a whole configuration.
//
// # Security
//
// This package installs no modules, starts no providers and calls no function that reads files or
// the clock. Evaluating an expression takes time in proportion to its length: loops that would
// take much more, on their own or together, are left unknown. A tree has at most 10,000
// modules, and they may not be large and called often: see [LoadTree].
//
// # Concurrency
//
// All functions are safe for concurrent use by several goroutines, also with the same tree,
// evaluator or module.
package hclnames
