// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
	"github.com/zclconf/go-cty/cty"
)

// TestContent reads one body in both syntaxes with one schema.
func TestContent(t *testing.T) {
	schema := &hclconfig.BlockSchema{
		Attributes: map[string]hclconfig.AttributeSchema{"name": {Type: cty.String, Required: true}, "tags": {Type: cty.Map(cty.String)}, "both": {}},
		Blocks: map[string]*hclconfig.BlockSchema{
			"disk": {Nesting: "list", Attributes: map[string]hclconfig.AttributeSchema{"n": {}}},
			"zone": {Nesting: "map"}, "both": {Nesting: "single"}, "none": {Nesting: "set"},
		},
	}
	native := `resource "a" "b" {
  name = "x"
  disk { n = 1 }
  dynamic "disk" {
    for_each = []
    content {}
  }
  disk { n = 2 }
  zone "l" {}
  both = {}
  more = 1
  other {}
  tags = {}
}
`
	json := `{"resource": {"a": {"b": {"name": "x", "disk": {"n": 1}, "dynamic": {"disk": {"for_each": [], "content": {}}}, "disk": [{"n": 2}], "zone": {"l": {}}, "both": {}, "more": 1, "other": {}, "none": [], "tags": {}}}}}`
	for name, src := range map[string]string{"a.tf": native, "a.tf.json": json} {
		c := mustParse(t, name, src).Config().Resources[0].Config().Content(configshow.Body(schema))
		var got []string
		for _, a := range c.Arguments {
			got = append(got, a.Name)
		}
		for _, b := range c.Blocks {
			got = append(got, fmt.Sprintf("%s%v%d", b.Type, b.Labels, len(b.Body.Arguments)))
		}
		for _, a := range c.Extra {
			got = append(got, "extra "+a.Name)
		}
		for _, b := range c.ExtraBlocks {
			got = append(got, "extra "+b.Type)
		}
		want := []string{"name", "both", "tags", "disk[]1", "dynamic[disk]1", "disk[]1", "zone[l]0", "extra more", "extra other"}
		if diff := cmp.Diff(want, got); diff != "" || len(c.Diagnostics) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", name, c.Diagnostics, diff)
		}
		if c.Argument("tags") == nil || c.Argument("none") != nil {
			t.Errorf("%s: Argument is wrong", name)
		}
		n := 0
		for range c.BlocksOfType("disk") {
			n++
		}
		if n != 2 {
			t.Errorf("%s: %d disks", name, n)
		}
	}
}

func TestContentErrors(t *testing.T) {
	schema := &hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "a", Required: true}, {Name: "b"}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "x"}, {Type: "y", LabelNames: []string{"l"}}},
	}
	for name, c := range map[string]struct {
		src  string
		want []string
	}{
		"a.tf":      {"resource \"a\" \"b\" {\n  x = 1\n  y {}\n}\n", []string{"2,3 Unsupported argument", "3,5 Missing l for y", "1,18 Missing required argument"}},
		"a.tf.json": {`{"resource":{"a":{"b":{"b":1,"b":2,"x":"no","y":{}}}}}`, []string{"1,30 Duplicate argument", "1,40 Incorrect JSON value type", "1,49 Missing block label", "1,51 Missing required argument"}},
	} {
		var got []string
		for _, d := range mustParse(t, name, c.src).Config().Resources[0].Config().Content(schema).Diagnostics {
			got = append(got, d.Subject.Start.String()+" "+d.Summary)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		file, src string
		want      []string
	}{
		{"a.tf", "variable \"x\" {}\nresource \"a\" \"b\" {\n  x = provider::a::f(1)\n}\n", []string{"3,7 provider function provider::a::f: OpenTofu >= 1.7; Terraform >= 1.8"}},
		{"a.tofu.json", `{"resource":{"a":{"b":{"provider":"a.b[0]"}}},"module":{"m":{"source":"./${var.x}","providers":{"a":"a.b[each.key]"}}}}`, []string{
			"1,1 file with the extension .tofu.json: OpenTofu >= 1.8; not in Terraform",
			"1,35 provider reference with an instance key: OpenTofu >= 1.11; not in Terraform",
			"1,71 argument source of module with references: OpenTofu >= 1.8; Terraform >= 1.15",
			"1,101 provider reference with an instance key: OpenTofu >= 1.11; not in Terraform"}},
		{"a.tf", "resource \"a\" \"b\" {\n  lifecycle {\n    prevent_destroy = var.x\n    action_trigger {\n      events  = [x]\n      actions = [y.z]\n    }\n  }\n}\nterraform {\n  backend \"s3\" {\n    region = var.y\n  }\n}\n", []string{
			"3,23 argument prevent_destroy of lifecycle with references: OpenTofu >= 1.12; not in Terraform",
			"4,5 action_trigger block in lifecycle: not in OpenTofu; Terraform >= 1.14",
			"12,14 argument region of backend with references: OpenTofu >= 1.8; not in Terraform"}},
	} {
		var got []string
		for _, f := range hclnames.FeaturesOf(mustParse(t, c.file, c.src)) {
			got = append(got, f.Range.Start.String()+" "+f.String())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.file, diff)
		}
	}
	s := hclnames.Support{OpenTofu: "1.9"}
	for v, want := range map[string]bool{"1.8.9": false, "1.9.0": true, "1.9.0-rc1": true, "1.10.0": true} {
		if s.In(hclconfig.OpenTofu, addrs.MustParseVersion(v)) != want || s.In(hclconfig.Terraform, addrs.MustParseVersion(v)) {
			t.Errorf("%s in %s is not %v", s, v, want)
		}
	}
	every := hclnames.Support{OpenTofu: "0", Terraform: "0"}
	if !every.In(hclconfig.Terraform, addrs.MustParseVersion("1.0.0")) || every.String() != "any OpenTofu; any Terraform" || every.Since(hclconfig.Terraform) != "0" {
		t.Error(every)
	}
}

// TestPositions compares places with those that a person would count.
func TestPositions(t *testing.T) {
	f := mustParse(t, "a.tf.json", "{\r\n\t\"locals\": {\"é🦜e\u0301\": \"x\", \"b\": 1}\n}")
	args := f.Config().Locals
	for i, want := range []string{"a.tf.json:2,14-19", "a.tf.json:2,26-29"} {
		if got := args[i].Argument.NameRange().String(); got != want {
			t.Errorf("name %d is at %s, want %s", i, got, want)
		}
	}
	f = mustParse(t, "a.tf", "\uFEFFlocals {\r\n\ta = \"é🦜e\u0301\" # x\r\n  b = [\n    1,\n  ]\n  c = (\n  1)\n  d = <<E\nx\nE\n  e = 1\n}\n")
	var got []string
	for _, l := range f.Config().Locals {
		got = append(got, l.Argument.Range().String(), l.Argument.Expression.Range().String())
	}
	want := []string{"a.tf:2,2-11", "a.tf:2,6-11", "a.tf:3,3-5,4", "a.tf:3,7-5,4", "a.tf:6,3-7,5", "a.tf:6,7-7,5", "a.tf:8,3-10,2", "a.tf:8,7-10,2", "a.tf:11,3-8", "a.tf:11,7-8"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if r := f.Body().Range(); r.Start.Line != 1 || r.End.Line != 13 || f.Body().File() != f {
		t.Errorf("the body is at %v", r)
	}
	b := f.Body().Blocks[0]
	if b.Range().String() != "a.tf:1,1-12,2" || b.TypeRange().String() != "a.tf:1,1-7" || b.Body.Range().String() != "a.tf:1,8-12,2" || b.File() != f {
		t.Errorf("the block is at %v, %v, %v", b.Range(), b.TypeRange(), b.Body.Range())
	}
	if p := f.Position(-5); p.Offset != 0 || !p.IsValid() {
		t.Errorf("before the file is %v", p)
	}
	if p := f.Position(1 << 40); p.Offset != int64(len(f.Bytes())) {
		t.Errorf("behind the file is %v", p)
	}
}

// TestLongLine looks at places all over a file of one line.
func TestLongLine(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"locals":{"a":0`)
	const n = 5000
	for i := range n {
		fmt.Fprintf(&b, `,"é%d":"ü%d"`, i, i)
	}
	b.WriteString("}}")
	f := mustParse(t, "a.tf.json", b.String())
	column := int64(0)
	text := b.String()
	at := 0
	for _, l := range f.Config().Locals {
		p := l.Argument.NameRange().Start
		for _, r := range text[at:p.Offset] {
			_ = r
			column++
		}
		at = int(p.Offset)
		if int64(p.Column) != column+1 || p.Line != 1 {
			t.Fatalf("%s is at %v, want column %d", l.Name, p, column+1)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"a.tf": "configuration native a", "b/a_override.tofu.json": "configuration JSON a_override tofu override", "x.tftest.hcl": "test native x", `c\override.tf`: "configuration native override override",
		"x.tofutest.json": "test JSON x tofu", "x.tfmock.hcl": "mock native x", "x.tfquery.json": "query JSON x", ".tf": "no", "a.hcl": "no", "a.json": "no", "a.tf~": "no", "#a.tf#": "no", "": "no",
	} {
		n, ok := hclconfig.ParseFilename(name)
		got := "no"
		if ok {
			got = fmt.Sprintf("%s %s %s", n.Kind, n.Syntax, n.Stem)
			if n.Tofu {
				got += " tofu"
			}
			if n.Override {
				got += " override"
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, c := range []struct{ got, want string }{
		{hclconfig.OpenTofu.String(), "OpenTofu"}, {hclconfig.Terraform.String(), "Terraform"}, {hclconfig.Dialect(9).String(), "Dialect(9)"}, {hclconfig.Terraform.At(addrs.MustParseVersion("1.5.7")).String(), "Terraform 1.5"},
		{hclconfig.SeverityError.String(), "error"}, {hclconfig.SeverityWarning.String(), "warning"}, {hclconfig.Severity(9).String(), "Severity(9)"},
		{hclconfig.KindStatic.String(), "static expression"}, {hclconfig.Kind(99).String(), "Kind(99)"},
		{hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: "S"}.String(), "error: S"},
		{hclconfig.Diagnostic{Severity: hclconfig.SeverityError, Summary: "S", Detail: "D.", Subject: addrs.Range{Filename: "f"}}.String(), "f: error: S; D."},
		{(&hclconfig.Error{Err: hclconfig.ErrKind}).Error(), "hclconfig: not of that kind"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
	f := mustParse(t, "a_override.tf", "", hclconfig.Terraform)
	if !f.IsOverride() || f.Dialect() != hclconfig.Terraform || f.Kind() != hclconfig.ConfigFile || f.Syntax() != hclconfig.NativeSyntax {
		t.Error("the file does not know what it is")
	}
	g, err := hclconfig.ParseNative("anything", []byte("locals {}"))
	if err != nil || len(g.Body().Blocks) != 1 {
		t.Error(err)
	}
	for range g.Body().BlocksOfType("locals") {
		break
	}
	for range g.Body().All() {
		break
	}
	var r hclconfig.Reference = mustParse(t, "a.tf", "locals {\n  a = x\n}\n").Body().References()[0]
	if r.Root() != "x" || r.Addr.IsValid() || r.String() != "x" {
		t.Errorf("%v is a reference to something", r)
	}
}
