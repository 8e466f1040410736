// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// The further rules of the guide, which its last sections show.

type limits struct {
	Max int `hcl:"max,optional"`
}

var short = &hcllint.Analyzer{
	Name:    "acme_short",
	Doc:     "Names are short.",
	Options: limits{Max: 40},
	Run: func(pass *hcllint.Pass) (any, error) {
		for v := range pass.Blocks("variable") {
			if most := hcllint.Options[limits](pass).Max; len(v.Labels[0]) > most {
				pass.Reportf(v, "the name has more than %d letters", most)
			}
		}
		return nil, nil
	},
}

var retention = &hcllint.Analyzer{
	Name: "acme_retention",
	Doc:  "Logs are kept for at least 30 days.",
	Run: func(pass *hcllint.Pass) (any, error) {
		for r := range pass.Blocks("resource", "aws_cloudwatch_log_group") {
			value, _ := r.Evaluate(r.Expression("retention_in_days")).Value.Unmark()
			days, err := convert.Convert(value, cty.Number)
			if err == nil && !days.IsNull() && days.IsKnown() && days.LessThan(cty.NumberIntVal(30)).True() {
				pass.Reportf(r.Argument("retention_in_days"), "logs are kept for fewer than 30 days")
			}
		}
		return nil, nil
	},
}

var owner = &hcllint.Analyzer{
	Name: "acme_owner",
	Doc:  "The owner of a resource is a team.",
	Run: func(pass *hcllint.Pass) (any, error) {
		for r := range pass.Blocks("resource") {
			tags := r.Expression("tags")
			if has, _ := r.HasKey(tags, "owner"); !has {
				continue // there is none, or it is not known
			}
			one, err := hclconfig.ParseExpression("tags", []byte("("+tags.Source()+`)["owner"]`), hclconfig.NativeSyntax, hclconfig.KindExpression)
			if err != nil {
				return nil, err
			}
			if texts, known := r.Strings(one); known && len(texts) == 1 && !slices.Contains(teams, texts[0]) {
				pass.Reportf(r.Argument("tags"), "%s is no team", texts[0])
			}
		}
		return nil, nil
	},
}

var teams = []string{"data", "web"}
