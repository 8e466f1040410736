// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// everywhere reports each resource without the tag owner, also those of called modules.
var everywhere = &hcllint.Analyzer{
	Name: "acme_owner",
	Doc:  "Resources have owners.",
	Run: func(pass *hcllint.Pass) (any, error) {
		for t := range pass.Tree.All() {
			for b := range pass.In(t).Blocks("resource") {
				if has, complete := b.HasTag("owner"); !has && complete {
					pass.Reportf(b, "%s has no owner", b.Labels[1])
				}
			}
		}
		return nil, nil
	},
}

// run runs an analyzer on the module in the folder live of some files and returns its
// findings and errors, a line each.
func run(t *testing.T, files map[string]string, a *hcllint.Analyzer) (string, *hcllint.Report) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	tree, err := hclnames.LoadTree(fsys, "live", hclconfig.OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	report, err := hcllint.Run(tree, []*hcllint.Analyzer{a}, hcllint.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, d := range report.Diagnostics {
		fmt.Fprintln(&out, d.Range, d.Message)
	}
	for _, err := range report.Errors {
		text, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintln(&out, text)
	}
	return out.String(), report
}

// TestCalledFaults has called modules that cannot be read, whole or in part.
func TestCalledFaults(t *testing.T) {
	const call = "module \"m\" {\n  source = \"../m\"\n}\n"
	const resource = "resource \"aws_x\" \"a\" {\n}\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"good", map[string]string{"live/main.tf": call, "m/main.tf": resource}, "m/main.tf:1,1-21 a has no owner\n"},
		{"broken", map[string]string{"live/main.tf": call, "m/main.tf": resource + "}}\n", "m/b.tf": resource},
			"m/b.tf:1,1-21 a has no owner\nhclconfig: m/main.tf:3,1: syntax error: argument or block definition required: an argument or block definition is required here\n"},
		{"unclosed", map[string]string{"live/main.tf": call, "m/main.tf": "resource \"aws_x\" \"a\" {\n"},
			"hclconfig: m/main.tf:1,22: syntax error: unclosed configuration block: there is no closing brace for this block before the end of the file. This may be caused by incorrect brace nesting elsewhere in this file\n"},
		{"called twice", map[string]string{"live/main.tf": call + strings.Replace(call, `"m"`, `"n"`, 1), "m/main.tf": "}\n"},
			"hclconfig: m/main.tf:1,1: syntax error: argument or block definition required: an argument or block definition is required here\n"},
		{"deeper", map[string]string{"live/main.tf": call, "m/main.tf": "module \"n\" {\n  source = \"./n\"\n}\n", "m/n/x.tf.json": "{"},
			"hclconfig: m/n/x.tf.json:1,2: syntax error: unexpected end of JSON text\n"},
		{"missing", map[string]string{"live/main.tf": resource + call},
			"live/main.tf:1,1-21 a has no owner\nhclconfig: live/main.tf:4,12: module m cannot be read from ../m: file does not exist\n"},
		{"missing in a called one", map[string]string{"live/main.tf": call, "m/a.tf": call},
			"hclconfig: m/a.tf:2,12: module m cannot be read from ../m: file does not exist\n"},
		{"outside", map[string]string{"live/main.tf": strings.Replace(call, "../m", "../../m", 1)},
			"hclconfig: live/main.tf:2,12: module m cannot be read from ../../m: file does not exist\n"},
		{"in an override file", map[string]string{"live/main.tf": call, "live/override.tf": strings.Replace(call, "../m", "../none", 1), "m/a.tf": resource},
			"hclconfig: live/override.tf:2,12: module m cannot be read from ../none: file does not exist\n"},
		{"no directory", map[string]string{"live/main.tf": call, "m": "x"}, "hclconfig: live/main.tf:2,12: module m cannot be read from ../m: "},
		{"not installed", map[string]string{"live/main.tf": strings.Replace(call, "../m", "hashicorp/consul/aws", 1)}, ""},
		{"installed", map[string]string{
			"live/main.tf": strings.Replace(call, "../m", "hashicorp/consul/aws", 1), "live/.terraform/modules/m/main.tf": resource + "}\n",
			"live/.terraform/modules/modules.json": `{"Modules":[{"Key":"m","Source":"x","Dir":".terraform/modules/m"}]}`,
		}, "hclconfig: live/.terraform/modules/m/main.tf:3,1: syntax error: argument or block definition required: an argument or block definition is required here\n"},
	} {
		if c.name == "missing in a called one" {
			c.files["m/a.tf"] = strings.Replace(call, "../m", "../none", 1)
			c.want = strings.Replace(c.want, "../m", "../none", 1)
		}
		got, report := run(t, c.files, everywhere)
		if c.name == "no directory" {
			got = got[:min(len(got), len(c.want))]
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		for _, err := range report.Errors {
			if e := new(hclconfig.Error); !errors.As(err, &e) || strings.HasSuffix(err.Error(), "not exist") != errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %T %v", c.name, err, err)
			}
		}
	}
}

// TestInNested looks into instances of calls within instances of calls.
func TestInNested(t *testing.T) {
	files := map[string]string{
		"live/main.tf": `
module "a" {
  source   = "./a"
  for_each = { x = { owner = "o" }, y = {} }
  tags     = each.value
}
module "other" {
  source = "./a"
  tags   = { owner = "other" }
}`,
		"live/a/main.tf": `
variable "tags" {}
module "b" {
  source = "./b"
  count  = 2
  tags   = count.index == 0 ? var.tags : merge(var.tags, { owner = "q" })
}
module "plain" {
  source = "./b"
  tags   = var.tags
}`,
		"live/a/b/main.tf": `
variable "tags" {}
module "c" {
  source = "./c"
  tags   = var.tags
}`,
		"live/a/b/c/main.tf": `
variable "tags" {}
resource "aws_x" "r" {
  tags = var.tags
}`,
	}
	var got []string
	ask := func(where string, p *hcllint.Pass) {
		for b := range p.Blocks("resource") {
			has, complete := b.HasTag("owner")
			got = append(got, fmt.Sprint(where, " ", has, complete))
		}
	}
	_, report := run(t, files, &hcllint.Analyzer{Name: "nested", Doc: "Nested.", Run: func(p *hcllint.Pass) (any, error) {
		a, other := p.Tree.Children[0], p.Tree.Children[1]
		for call := range p.Blocks("module", "a") {
			instances, _ := call.Instances()
			for _, i := range instances {
				in := p.In(a, i.Key)
				for inner := range in.Blocks("module", "b") {
					instances, _ := inner.Instances()
					for _, j := range instances {
						b := a.Children[0]
						ask(fmt.Sprint(i.Key, j.Key), in.In(b, j.Key).In(b.Children[0]))
						ask(fmt.Sprint(i.Key, j.Key, " directly"), in.In(b, j.Key).In(in.Tree.Children[0].Children[0]))
					}
				}
				ask(fmt.Sprint(i.Key, " plain"), in.In(a.Children[1].Children[0]))
				ask(fmt.Sprint(i.Key, " plain, from b"), in.In(a.Children[0], i.Key).In(a.Children[1].Children[0]))
				ask(fmt.Sprint(i.Key, " other"), in.In(other.Children[1].Children[0]))
				one := *a.Children[1] // a tree with a key of its own
				one.Parent, one.Key = in.Tree, i.Key
				ask(fmt.Sprint(i.Key, " own"), in.In(&one).In(one.Children[0]))
			}
		}
		ask("all", p.In(a).In(a.Children[1]).In(a.Children[1].Children[0]))
		if in := p.In(a); in.In(p.Tree).Tree != p.Tree || in.In(a) != in {
			return nil, errors.New("the way back is another tree")
		}
		return nil, nil
	}})
	for _, err := range report.Errors {
		t.Error(err)
	}
	want := []string{
		`["x"] [0] true true`, `["x"] [0] directly true true`, `["x"] [1] true true`, `["x"] [1] directly true true`,
		`["x"] plain true true`, `["x"] plain, from b true true`, `["x"] other true true`, `["x"] own true true`,
		`["y"] [0] false true`, `["y"] [0] directly false true`, `["y"] [1] true true`, `["y"] [1] directly true true`,
		`["y"] plain false true`, `["y"] plain, from b false true`, `["y"] other true true`, `["y"] own false true`,
		"all false false",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestUnplaced reports findings at things that are not there.
func TestUnplaced(t *testing.T) {
	files := map[string]string{"live/main.tf": "resource \"aws_x\" \"a\" {\n}\n"}
	got, _ := run(t, files, &hcllint.Analyzer{Name: "acme_x", Doc: "X.", Run: func(p *hcllint.Pass) (any, error) {
		for b := range p.Blocks("resource") {
			p.Reportf(b, "found")
			p.Report(hcllint.Diagnostic{At: b, Message: "related", Related: []hcllint.Diagnostic{{At: b, Message: "here"}, {At: b.Argument("none"), Message: "there"}}})
			p.Reportf(b.Argument("none"), "first")
			p.Reportf(b.Expression("none"), "second")
			p.Reportf(nil, "third")
			p.Reportf(hcllint.Block{}, "fourth")
		}
		return nil, nil
	}})
	want := "live/main.tf:1,1-21 found\nlive/main.tf:1,1-21 related\n" +
		"hcllint: rule acme_x: a finding has a related place that is not there: related\n"
	if got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
	got, _ = run(t, files, &hcllint.Analyzer{Name: "acme_x", Doc: "X.", Run: func(p *hcllint.Pass) (any, error) {
		for b := range p.Blocks("resource") {
			p.Reportf(b.Argument("none"), "first")
			p.Reportf(b.Expression("none"), "second")
			p.Reportf(b, "found")
		}
		p.Reportf(hcllint.Block{}, "third")
		return nil, nil
	}})
	want = "live/main.tf:1,1-21 found\nhcllint: rule acme_x: a finding has no place, because its argument, expression or block is not there: first\n"
	if got != want {
		t.Errorf("%s\nwant:\n%s", got, want)
	}
}
