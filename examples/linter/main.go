// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Linter is a linter with the rules of a company, and those that the library has.
//
//	linter [-fix or -diff] [-format FORMAT] DIR...
//
// linter -h lists all options and rules. docs/write-a-linter.md explains how to write a rule, and
// main_test.go beside this file tests these.
package main

import (
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// Main is the whole program: options, configuration files, comments that turn a rule off, baselines,
// and reports for people and code hosts.
func main() { hcllint.Main(append(rules.All(), ports, secrets, tags)...) }

// ports wants no rule of a security group that opens SSH to everybody.
var ports = &hcllint.Analyzer{
	Name: "acme_ports",
	Doc:  "Port 22 is not open to the world.",
	Run: func(pass *hcllint.Pass) (any, error) {
		// Blocks has the blocks of all files, in native and in JSON syntax, with override files applied.
		for group := range pass.Blocks("resource", "aws_security_group") {
			// Nested expands dynamic blocks, as far as their values are known.
			ingress, _ := group.Nested("ingress")
			for _, rule := range ingress {
				// Is and Strings evaluate: a local value, a default and "22" count as 22 does.
				cidrs, _ := rule.Strings(rule.Expression("cidr_blocks"))
				if rule.Is(rule.Expression("from_port"), 22) && slices.Contains(cidrs, "0.0.0.0/0") {
					pass.Reportf(rule.Argument("cidr_blocks"), "group %s opens SSH to the world", group.Labels[1])
				}
			}
		}
		return nil, nil
	},
}

// secrets wants variables with a name that says so to be sensitive, and makes them so.
var secrets = &hcllint.Analyzer{
	Name: "acme_secrets",
	Doc:  "Variables called ..._secret are sensitive.",
	Run: func(pass *hcllint.Pass) (any, error) {
		for v := range pass.Blocks("variable") {
			if !strings.HasSuffix(v.Labels[0], "_secret") || v.Is(v.Expression("sensitive"), true) {
				continue
			}
			pass.Report(hcllint.Diagnostic{
				At:      v,
				Message: "variable " + v.Labels[0] + " must be sensitive",
				// A fix edits the file and keeps its comments. -fix makes it, -diff shows it.
				Fixes: []hcllint.Fix{{Message: "Add sensitive", Edit: func(e *hcllint.Edits) {
					e.In(v).Set(v.Block, "sensitive", true)
				}}},
			})
		}
		return nil, nil
	},
}

// tags wants each bucket to say who owns it, in its tags or in those of its provider.
var tags = &hcllint.Analyzer{
	Name:     "acme_tags",
	Doc:      "Buckets have the tag owner.",
	Severity: hcllint.Error,
	Run: func(pass *hcllint.Pass) (any, error) {
		for bucket := range pass.Blocks("resource", "aws_s3_bucket") {
			// Tags that are not known yet are no reason for a finding: complete says whether all are.
			if has, complete := bucket.HasTag("owner"); !has && complete {
				pass.Reportf(bucket, "bucket %s has no tag owner", bucket.Labels[1])
			}
		}
		return nil, nil
	},
}
