// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// FuzzFile asks everything that can be asked of one file. All places are in it.
func FuzzFile(f *testing.F) {
	for _, c := range checkCases {
		f.Add(c.file, []byte(c.src), c.dialect == hclconfig.Terraform)
	}
	f.Add("0.tf", []byte("module{count="), false)
	f.Add("0.tf", []byte("resource \"a\" \"b\" {\n  provider = p.q[f(\"k\n"), false)
	f.Fuzz(func(t *testing.T, name string, src []byte, terraform bool) {
		if len(src) > 1<<14 {
			return // no longer than a fuzzer reads quickly
		}
		dialect := hclconfig.OpenTofu
		if terraform {
			dialect = hclconfig.Terraform
		}
		file, _ := hclconfig.Parse(name, src, dialect)
		within := func(what any, r addrs.Range) {
			if r.Start.Offset > r.End.Offset || r.End.Offset > int64(len(src)) {
				t.Errorf("%v is at %v", what, r)
			}
		}
		for _, d := range hclcheck.ValidateFile(file) {
			within(d, d.Subject)
		}
		for _, x := range hclnames.FeaturesOf(file) {
			within(x, x.Range)
		}
	})
}
