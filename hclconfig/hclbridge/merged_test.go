// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclbridge_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/gohcl"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclbridge"
)

// TestMerged reads resources that override files in both syntaxes change. What is expected
// follows from how OpenTofu 1.12 merges bodies (internal/configs/module_merge_body.go).
func TestMerged(t *testing.T) {
	schema := &hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{{Name: "a", Required: true}, {Name: "b"}},
		Blocks:     []hcl.BlockHeaderSchema{{Type: "c"}, {Type: "d", LabelNames: []string{"l"}}},
	}
	const base = "resource \"t\" \"n\" {\n  count = 1\n  a = 1\n  c { v = 1 }\n  d \"x\" { v = 2 }\n  lifecycle {}\n"
	for _, c := range []struct{ name, base, override, want string }{
		{"none", base + "}", ``, "a=1 c{1} d x{2}"},
		{"an argument, and what the language defines", base + "}", `{"resource":{"t":{"n":{"a":2,"b":3,"count":null,"lifecycle":null,"//":1}}}}`, "a=2 b=3 c{1} d x{2}"},
		{"blocks of a type", base + "}", `{"resource":{"t":{"n":{"c":[{"v":5},{"v":6}]}}}}`, "a=1 d x{2} c{5} c{6}"},
		{"blocks made by dynamic ones", base + "}", `{"resource":{"t":{"n":{"dynamic":{"c":{"for_each":[7],"content":{"v":"${c.value}"}}}}}}}`, "a=1 d x{2} c{7}"},
		{"dynamic blocks", base + "  dynamic \"c\" {\n    for_each = [8, 9]\n    content { v = c.value }\n  }\n}", `{"resource":{"t":{"n":{"c":{"v":5}}}}}`, "a=1 d x{2} c{5}"},
		{"only the override has what is required", strings.Replace(base, "a = 1", "b = 1", 1) + "}", `{"resource":{"t":{"n":{"a":2}}}}`, "a=2 b=1 c{1} d x{2}"},
		{"the escape block", base + "  _ {\n    a = 4\n  }\n}", ``, "a=4 c{1} d x{2}"},
		{"nobody has what is required", strings.Replace(base, "a = 1", "", 1) + "}", `{"resource":{"t":{"n":{"b":2}}}}`, "b=2 c{1} d x{2} Missing required argument"},
		{"unknown names", base + "  x = 1\n}", `{"resource":{"t":{"n":{"y":2}}}}`, "a=1 c{1} d x{2} Unsupported argument Extraneous JSON object property"},
		{"a wrong label", base + "}", `{"resource":{"t":{"n":{"d":{}}}}}`, "a=1 c{1} d x{2} Missing block label"},
	} {
		fsys := fstest.MapFS{"main.tf": {Data: []byte(c.base)}}
		if c.override != "" {
			fsys["x_override.tf.json"] = &fstest.MapFile{Data: []byte(c.override)}
		}
		m, err := hclconfig.LoadModule(fsys, ".")
		if err != nil {
			t.Fatal(err)
		}
		body := dynblock.Expand(hclbridge.Body(m.Resources[0].Config()), &hcl.EvalContext{})
		content, diags := body.Content(schema)
		var got []string
		for _, name := range slices.Sorted(maps.Keys(content.Attributes)) {
			got = append(got, name+"="+show1(content.Attributes[name].Expr))
		}
		for _, b := range content.Blocks {
			inner, _ := b.Body.Content(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "v"}}})
			got = append(got, strings.TrimSpace(b.Type+" "+strings.Join(b.Labels, " "))+"{"+show1(inner.Attributes["v"].Expr)+"}")
		}
		for _, d := range diags {
			got = append(got, d.Summary)
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%s: got  %s\nwant %s", c.name, got, c.want)
		}
		var into struct {
			C []struct {
				V int `hcl:"v"`
			} `hcl:"c,block"`
			Rest hcl.Body `hcl:",remain"`
		}
		if diags := gohcl.DecodeBody(body, nil, &into); diags.HasErrors() {
			t.Error(c.name, diags)
		}
		if again, _, _ := into.Rest.PartialContent(&hcl.BodySchema{Blocks: schema.Blocks[:1]}); len(again.Blocks) > 0 {
			t.Errorf("%s: what was taken is there again", c.name)
		}
		if attrs, _ := hclbridge.Body(m.Resources[0].Config()).JustAttributes(); attrs["count"] != nil {
			t.Errorf("%s: an argument of the language", c.name)
		}
	}
}

func show1(x hcl.Expression) string {
	v, diags := x.Value(&hcl.EvalContext{Variables: map[string]cty.Value{}})
	if diags.HasErrors() {
		return diags.Error()
	}
	return fmt.Sprint(v.AsBigFloat())
}
