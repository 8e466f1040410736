// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/internal/hclsource"
)

// providerRule returns the rule that reports one kind of what schemas found.
func providerRule(name string, severity hcllint.Severity, doc string) *hcllint.Analyzer {
	return &hcllint.Analyzer{
		Name:     name,
		Doc:      doc,
		URL:      page(name),
		Severity: severity,
		Requires: []*hcllint.Analyzer{schemas},
		Run: func(p *hcllint.Pass) (any, error) {
			for _, d := range hcllint.ResultOf[schemaFindings](p, schemas)[name] {
				p.Report(d)
			}
			return nil, nil
		},
	}
}

var providerBlockCount = providerRule(blockCount, hcllint.Error, `The number of nested blocks should be within the limits of the provider's schema.

Schemas give a minimum and a maximum for some types of blocks. A dynamic block may produce any
number of blocks. The rule needs schemas.

	resource "aws_launch_template" "a" {
	  monitoring {}
	  monitoring {}   # finding: one at most
	}`)

var providerDeprecated = providerRule(deprecated, hcllint.Warning, `Names that the provider has deprecated should not be used.

The rule looks at resource types, arguments and nested blocks that the provider's schema marks
as deprecated, also in objects, and shows the message of the provider; a later major version may
remove them. Arguments that are null are ignored. The rule needs schemas.

	resource "aws_s3_bucket" "a" {
	  acl = "private"   # finding: deprecated
	}`)

var providerMissingArgument = providerRule(missingArgument, hcllint.Error, `An argument that the provider requires must be there.

An argument that is known to be null counts as absent. So does an argument in a single nested block
that is missing: SDKs and frameworks for providers check that, so such a block is required as well.
The rule needs schemas.

	resource "aws_instance" "a" {}   # finding, if the schema requires instance_type`)

var providerReadOnlyArgument = providerRule(readOnlyArgument, hcllint.Error, `An attribute that only the provider sets cannot be an argument.

Such attributes, for example the ARN of an object, are results. The tools find this fault only
in a plan. The rule needs schemas. The fix removes the argument.

	resource "aws_vpc" "a" {
	  arn = "arn:aws:..."   # finding
	}`)

var providerUnknownArgument = providerRule(unknownArgument, hcllint.Error, `An argument or nested block must be in the provider's schema.

Most often the name is misspelled, or belongs to another version of the provider. The rule needs
schemas.

	resource "aws_instance" "a" {
	  instance_typ = "t3.micro"   # finding
	}`)

var providerUnknownFunction = &hcllint.Analyzer{
	Name: unknownFunction,
	Doc: `A function of a provider must be in its schema.

OpenTofu finds this fault only in a plan. Terraform's "validate" finds it, so for Terraform the
finding is an error. A provider whose schema has no functions is ignored, because some providers
derive their functions from their configuration. The rule needs schemas.

	locals {
	  n = provider::time::rfc3339("x")   # finding: the function is rfc3339_parse
	}`,
	URL:      page(unknownFunction),
	Severity: hcllint.Warning,
	Requires: []*hcllint.Analyzer{expressions},
	Run: func(p *hcllint.Pass) (any, error) {
		for _, f := range partsOf(p) {
			for _, c := range f.functions {
				known := p.Schemas.Functions(p.Module, c.provider)
				if len(known) == 0 || strings.Contains(c.function, "::") {
					continue // with an alias, the configuration may make the functions
				}
				if _, ok := known[c.function]; !ok {
					severity := hcllint.Warning
					if p.Module.Dialect().Program() == hclconfig.Terraform {
						severity = hcllint.Error
					}
					p.Report(hcllint.Diagnostic{Range: f.place(c.at), Severity: severity, Message: fmt.Sprintf("the provider %q has no function %q.%s", c.provider, c.function, hclsource.DidYouMean(c.function, slices.Sorted(maps.Keys(known))))})
				}
			}
		}
		return nil, nil
	},
}

var providerUnknownNestedArgument = providerRule(unknownNestedArgument, hcllint.Warning, `A key in the value of an argument must be in the provider's schema.

If the schema describes the objects of an argument, the tools silently drop other keys. Most often
the name is misspelled. The rule looks at keys that are written in the argument itself. It needs
schemas.

	resource "tls_locally_signed_cert" "a" {
	  timeouts = { creat = "1m" }   # finding: dropped
	}`)

var providerWrongType = providerRule(wrongType, hcllint.Error, `The value of an argument must be of its type.

The rule looks at values that are known without a plan, including those of local values,
variables with a default and functions. A value that the language converts, such as the text
"5" to a number, has the right type. The rule needs schemas.

	resource "aws_instance" "a" {
	  ebs_optimized = "maybe"   # finding: not a bool
	}`)

// The names of the rules.
const (
	blockCount            = "provider_block_count"
	deprecated            = "provider_deprecated"
	missingArgument       = "provider_missing_argument"
	readOnlyArgument      = "provider_read_only_argument"
	unknownFunction       = "provider_unknown_function"
	unknownArgument       = "provider_unknown_argument"
	unknownNestedArgument = "provider_unknown_nested_argument"
	wrongType             = "provider_wrong_type"
)
