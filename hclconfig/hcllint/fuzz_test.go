// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// asks asks everything about all blocks.
var asks = &hcllint.Analyzer{
	Name: "asks", Doc: "Asks.",
	Run: func(p *hcllint.Pass) (any, error) {
		for _, typ := range []string{"resource", "data", "variable", "output", "module", "provider", "locals", "check"} {
			for b := range p.Blocks(typ) {
				hcllint.Documentation(b)
				b.HasTag("x")
				instances, _ := b.Instances()
				for _, i := range instances {
					for j := range b.Body.Arguments {
						i.Strings(b.Body.Arguments[j].Expression)
						i.HasKey(b.Body.Arguments[j].Expression, "a")
					}
				}
				for _, nested := range []string{"a", "dynamic", "lifecycle"} {
					b.Nested(nested)
				}
				p.Reportf(b, "a block")
			}
		}
		for _, c := range p.Module.Calls {
			p.SourceOf(c)
		}
		for _, o := range p.Module.Outputs {
			p.Origins(o.Value)
		}
		return nil, nil
	},
}

// FuzzRun wants no analyzer to panic, places within the file, and fixes that come to an end
// and leave a file that can be read.
func FuzzRun(f *testing.F) {
	f.Add("variable \"a_secret\" {\n  description = \"x\"\n}\nresource \"t\" \"x\" {\n  for_each = { a = 1 }\n  a {\n  }\n  dynamic \"a\" {\n    for_each = [1, var.a_secret]\n    content {\n    }\n  }\n}\n", false)
	f.Add(`{"variable": {"a_secret": {}}, "resource": {"t": {"x": {"count": 2, "tags": "${merge({a = 1}, var.a_secret)}", "a": [{}]}}}}`, true)
	f.Add("# tflint-ignore-file: all\nmodule \"m\" {\n  source = \"a/b/c\"\n  version = \"1.2.3\"\n}\noutput \"o\" {\n  value = module.m.x\n}\n", false)
	f.Add(`{"//": "tflint-ignore-file: asks", "variable": [{"x_secret": [{}, {}]}]}`, true)
	f.Fuzz(func(t *testing.T, text string, isJSON bool) {
		name := "a.tf"
		if isJSON {
			name = "a.tf.json"
		}
		src := []byte(text)
		for round := 0; ; round++ {
			tree, err := hclnames.LoadTree(fstest.MapFS{name: {Data: src}}, ".", hclconfig.OpenTofu)
			if err != nil {
				return // a cycle of modules
			}
			report, err := hcllint.Run(tree, []*hcllint.Analyzer{asks, secret, short, hcllint.Checker()}, hcllint.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			broken := tree.Module.Files[0].Err() != nil
			if !broken && len(report.Errors) > 0 || broken && (round > 0 || len(report.Diagnostics) > 0) {
				t.Fatalf("round %d: %v, %v\n%s", round, report.Errors, report.Diagnostics, src)
			}
			for _, d := range report.Diagnostics {
				if d.Range.Filename == name && (d.Range.End.Offset > int64(len(src)) || d.Range.Start.Offset > d.Range.End.Offset) {
					t.Errorf("%v is not in the file: %s", d.Range, d.Message)
				}
			}
			changed := report.Fix()
			if len(changed) == 0 {
				return
			}
			if round > 100 || len(changed) != 1 {
				t.Fatalf("round %d changes %d files\n%s", round, len(changed), src)
			}
			src = changed[0].Bytes()
		}
	})
}
