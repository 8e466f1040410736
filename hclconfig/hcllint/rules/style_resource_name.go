// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

var styleResourceName = &hcllint.Analyzer{
	Name: "style_resource_name",
	Doc: `The name of a resource should not repeat its type.

Each use of a resource has the type before the name.

	resource "aws_route_table" "public_route_table" {}   finding
	resource "aws_route_table" "public" {}               no finding`,
	URL:      page("style_resource_name"),
	Severity: hcllint.Notice,
	Presets:  []string{presetStyle},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, list := range [][]*hclconfig.Resource{p.Module.Resources, p.Module.Data, p.Module.Ephemeral} {
			for _, r := range list {
				_, typ, _ := strings.Cut(r.Type, "_")
				name := strings.ToLower(strings.ReplaceAll(r.Name, "-", "_"))
				if typ != "" && strings.Contains("_"+name+"_", "_"+typ+"_") {
					p.Reportf(r.Block, "the name %q repeats the type %q", r.Name, r.Type)
				}
			}
		}
		return nil, nil
	},
}
