// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package hclnames loads trees of modules and evaluates expressions in them. It finds
// declarations and their uses, the callers of a module, dependencies across modules, resource
// instances, and the releases that a configuration needs.
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
// [LoadTree] reads a module and the modules it calls. [Tree.Graph] returns the dependencies
// between the resources, values and modules of a tree, with the place of each reference. It has
// been compared with the graphs that the tools print.
//
// [NamesOf] finds where a module uses its declarations, and which ones it does not use. [CalledOutputs] finds who uses the outputs of the modules of a repository.
// [FeaturesOf] lists the features that not every release supports, and [Features.Lowest] returns
// the one that needs the newest release. The tables have been tested with the tools themselves.
// [NeedOf] returns the constraint for required_version that a module and its local modules need.
//
// An [Evaluator] finds the values of expressions through local values, defaults, module calls and
// functions, and reports why a value is unknown: attributes of a resource, for example, are
// unknown before a plan. The results of functions that read files or the clock, and of some others
// such as cidrsubnet and yamlencode, are unknown here. With Evaluator.Instances set, it distinguishes the instances of
// a call with count or for_each.
//
// # Errors
//
// Functions that fail return a [*hclconfig.Error]. Faults of an expression are diagnostics in its
// [Evaluation]. Package hclcheck finds the faults of a whole configuration.
//
// # Security
//
// This package installs no modules, starts no providers and calls no function that reads files or
// the clock. Evaluating an expression takes time linear in its length. Loops that would take much
// longer, alone or together, have an unknown result. A tree has at most 10,000 modules, and large
// modules must not be called often: see [LoadTree].
//
// # Concurrency
//
// All functions are safe for concurrent use by several goroutines, even with the same tree,
// evaluator or module.
package hclnames
