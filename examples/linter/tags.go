// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/tofuwire/tofuwire/hclconfig/hcllint"

// tags wants each bucket to say who owns it, in its tags or in those of its provider.
var tags = &hcllint.Analyzer{
	Name:     "acme_tags",
	Doc:      "Buckets have the tag owner.",
	Severity: hcllint.Error,
	Presets:  []string{"acme"},
	Run: func(pass *hcllint.Pass) (any, error) {
		for bucket := range pass.Blocks("resource", "aws_s3_bucket") {
			if has, complete := bucket.HasTag("owner"); !has && complete {
				pass.Reportf(bucket, "bucket %s has no tag owner", bucket.Labels[1])
			}
		}
		return nil, nil
	},
}
