// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package benchmarks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/zclconf/go-cty/cty"
)

// editedModule is what both ways of docs/migrate-hclwrite.md edit.
const editedModule = `# The network.
resource "aws_vpc" "main" {
  # Tags are inherited.
  tags = { a = 1 }
  dns  = true
  old  = 1
}

resource "aws_subnet" "s" {
  vpc = aws_vpc.main.id # the network
}

locals {
  tags = {}
}
`

func fromHCLWriteBefore(src []byte) (string, string, error) {
	f, diags := hclwrite.ParseConfig(src, "main.tf", hcl.InitialPos)
	if diags.HasErrors() {
		return "", "", diags
	}
	vpc := f.Body().FirstMatchingBlock("resource", []string{"aws_vpc", "main"})
	unused := f.Body().FirstMatchingBlock("locals", nil)
	attr := vpc.Body().GetAttribute("tags")
	text := attr.Expr().BuildTokens(nil).Bytes()
	vpc.Body().SetAttributeValue("ipv6", cty.True)
	vpc.Body().SetAttributeTraversal("cidr", hcl.Traversal{hcl.TraverseRoot{Name: "var"}, hcl.TraverseAttr{Name: "cidr"}})
	merged := hclwrite.TokensForFunctionCall("merge", hclwrite.TokensForIdentifier("local.tags"), attr.Expr().BuildTokens(nil))
	vpc.Body().SetAttributeRaw("tags", merged)
	vpc.Body().RenameAttribute("dns", "enable_dns")
	vpc.Body().RemoveAttribute("old")
	f.Body().RemoveBlock(unused)
	out := f.Body().AppendNewBlock("output", []string{"id"})
	out.Body().SetAttributeRaw("value", hclwrite.TokensForIdentifier("aws_vpc.net.id"))
	vpc.SetLabels([]string{"aws_vpc", "net"})
	for _, b := range f.Body().Blocks() {
		for _, a := range b.Body().Attributes() {
			a.Expr().RenameVariablePrefix([]string{"aws_vpc", "main"}, []string{"aws_vpc", "net"})
		}
	}
	src = f.Bytes()
	return string(hclwrite.Format(src)), strings.TrimSpace(string(text)), nil
}

func fromHCLWriteAfter(src []byte) (string, string, error) {
	f, err := hclconfig.Parse("main.tf", src)
	if err != nil {
		return "", "", err
	}
	e := hcledit.Edit(f)
	vpc := f.Body().Block("resource", "aws_vpc", "main")
	unused := f.Body().Block("locals")
	arg := vpc.Argument("tags")
	text := arg.Raw()
	e.Set(vpc, "ipv6", true)
	e.Set(vpc, "cidr", hcledit.Source("var.cidr"))
	e.Replace(arg.Expression, hcledit.Function("merge", hcledit.Source("local.tags"), arg.Expression))
	e.Rename(vpc, "dns", "enable_dns")
	e.Remove(vpc, "old")
	e.Delete(unused)
	e.Add(nil, hcledit.NewBlock("output", "id").Set("value", hcledit.Source("aws_vpc.net.id")))
	e.Relabel(vpc, 1, "net")
	for a := range f.Body().AllArguments() {
		for _, r := range a.References() {
			if rest, ok := strings.CutPrefix(r.Text, "aws_vpc.main"); ok {
				e.ReplaceReference(r, "aws_vpc.net"+rest)
			}
		}
	}
	g, err := e.Apply()
	if err != nil {
		return "", "", err
	}
	src = g.Bytes()
	formatted, err := hcledit.Format(src)
	return string(formatted), text, err
}

func TestMigrateFromHCLWrite(t *testing.T) {
	before, text1, err := fromHCLWriteBefore([]byte(editedModule))
	if err != nil {
		t.Fatal(err)
	}
	after, text2, err := fromHCLWriteAfter([]byte(editedModule))
	if err != nil || text1 != text2 {
		t.Fatal(text1, text2, err)
	}
	// hclwrite leaves blank lines where the block was.
	squeeze := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\n\n\n", "\n\n")) }
	if diff := cmp.Diff(squeeze(before), squeeze(after)); diff != "" {
		t.Errorf("(-hclwrite +hclconfig):\n%s", diff)
	}
}
