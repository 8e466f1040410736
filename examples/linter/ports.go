// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

// ports wants no rule of a security group that opens SSH to everybody.
var ports = &hcllint.Analyzer{
	Name:    "acme_ports",
	Doc:     "Port 22 is not open to the world.",
	Presets: []string{"acme"},
	Run: func(pass *hcllint.Pass) (any, error) {
		for group := range pass.Blocks("resource", "aws_security_group") {
			rules, _ := group.Nested("ingress")
			for _, rule := range rules {
				cidrs, _ := rule.Strings(rule.Expression("cidr_blocks"))
				if rule.Is(rule.Expression("from_port"), 22) && slices.Contains(cidrs, "0.0.0.0/0") {
					pass.Reportf(rule.Argument("cidr_blocks"), "group %s opens SSH to the world", group.Labels[1])
				}
			}
		}
		return nil, nil
	},
}
