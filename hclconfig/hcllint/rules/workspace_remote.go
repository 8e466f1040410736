// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var workspaceRemote = &hcllint.Analyzer{
	Name: "terraform_workspace_remote",
	Doc: `With the remote backend, terraform.workspace should not be used.

In Terraform 1.0, runs in Terraform Cloud always saw the workspace "default". The rule
applies to modules with a backend "remote" whose required_version allows a release 1.0.

	terraform {
	  required_version = ">= 1.0"
	  backend "remote" {}
	}
	locals {
	  zone = terraform.workspace   # finding
	}`,
	URL:      page("terraform_workspace_remote"),
	Severity: hcllint.Warning,
	Requires: []*hcllint.Analyzer{expressions},
	Run: func(p *hcllint.Pass) (any, error) {
		if !isRemote(p) || !allows10(p) {
			return nil, nil
		}
		for _, f := range partsOf(p) {
			for _, at := range f.workspaces {
				p.Report(hcllint.Diagnostic{Range: f.place(at), Message: "terraform.workspace should not be used with a 'remote' backend"})
			}
		}
		return nil, nil
	},
}

// isRemote reports whether the state of the module is in the remote backend.
func isRemote(p *hcllint.Pass) bool {
	for _, s := range p.Module.Settings {
		if s.Backend != nil && s.Backend.Type == "remote" {
			return true
		}
	}
	return false
}

// allows10 reports whether the module says which releases it works with, and one of
// Terraform 1.0 is among them.
func allows10(p *hcllint.Pass) bool {
	var all []addrs.Constraints
	for _, s := range p.Module.Settings {
		if !s.RequiredVersion.IsSet() {
			continue
		}
		c, err := s.Constraints()
		if err != nil {
			return false
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return false
	}
	for patch := range 12 { // 1.0.11 was the last one
		v, err := addrs.ParseVersion(fmt.Sprintf("1.0.%d", patch))
		if err == nil && addrs.JoinConstraints(all...).Allows(v) {
			return true
		}
	}
	return false
}
