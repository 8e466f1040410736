// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestBuildJSONSharing builds blocks that share properties of a JSON file.
func TestBuildJSONSharing(t *testing.T) {
	resource := func(typ, name string, n int) *hcledit.BlockBuilder {
		return hcledit.NewBlock("resource", typ, name).Set("n", n)
	}
	f, err := hcledit.Build("main.tf.json", []*hcledit.BlockBuilder{
		resource("a", "x", 1), resource("b", "x", 2), resource("a", "y", 3), resource("a", "x", 4),
		hcledit.NewBlock("moved").Set("from", hcledit.Source("a.o")).Set("to", hcledit.Source("a.x")),
		hcledit.NewBlock("moved").Set("from", hcledit.Source("a.p")).Set("to", hcledit.Source("a.y")),
	})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range f.Config().Resources {
		got = append(got, r.Addr().String()+"="+r.Block.Argument("n").Raw())
	}
	for _, m := range f.Config().Moved {
		from, _ := m.From.Address()
		got = append(got, from)
	}
	if diff := cmp.Diff([]string{"a.x=1", "a.x=4", "a.y=3", "b.x=2", "a.o", "a.p"}, got); diff != "" {
		t.Errorf("%s\n%s", diff, f.Bytes())
	}
}

// TestEditJSONLayouts makes edits in files that are laid out in other ways than
// most are.
func TestEditJSONLayouts(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		edit                func(f *hclconfig.File, e *hcledit.Editor)
	}{
		{"the only block of a root array", `[{"variable":{"x":{}}}]`, `[{}]`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(f.Config().Variables[0].Block)
		}},
		{"the only block", "{\n  \"variable\": {\n    \"x\": {}\n  }\n}\n", "{}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(f.Config().Variables[0].Block)
		}},
		{"a value in tabs", "{\n\t\"locals\": {\n\t\t\"a\": 1\n\t}\n}\n", "{\n\t\"locals\": {\n\t\t\"a\": {\n\t\t\t\"b\": 1\n\t\t}\n\t}\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Replace(f.Config().Locals[0].Argument.Expression, map[string]any{"b": 1})
		}},
		{"into an empty object in tabs", "{\n\t\"locals\": {}\n}\n", "{\n\t\"locals\": {\n\t\t\"a\": 1\n\t}\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(f.Body().Block("locals"), "a", 1)
		}},
		{"a value on one tight line", `{"locals":{"a":1}}`, `{"locals":{"a":{"b":1,"c":2}}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.Replace(f.Config().Locals[0].Argument.Expression, map[string]any{"b": 1, "c": 2})
		}},
		{"a second block without labels", "{\n  \"moved\": {\"from\": \"a.a\", \"to\": \"a.b\"}\n}\n", "{\n  \"moved\": [{\"from\": \"a.a\", \"to\": \"a.b\"}, {\"from\": \"a.c\", \"to\": \"a.d\"}]\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("moved").Set("from", hcledit.Source("a.c")).Set("to", hcledit.Source("a.d")))
		}},
		{"a label with escapes", `{"provisioner":0,"variable":{"\u0078":{"default":1}}}`, `{"provisioner":0,"variable":{"\u0078":{"default":2}}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(f.Config().Variables[0].Block, "default", 2)
		}},
		{"into an array of no bodies", `{"locals":[]}`, `{"locals":[{"a":1}]}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("locals").Set("a", 1))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, "a.tf.json", c.before)
			e := hcledit.Edit(f)
			c.edit(f, e)
			g, err := e.Apply()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.after, string(g.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestEscapedText writes text that needs escapes.
func TestEscapedText(t *testing.T) {
	const text = "\uFFFD\uFEFF\u2028\x7f\x00${x}\\\"\r\n\t"
	for _, name := range []string{"a.tf", "a.tf.json"} {
		f, err := hcledit.Build(name, []*hcledit.BlockBuilder{hcledit.NewBlock("locals").Set("a", text).Set("b", nil)})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := f.Config().Locals[0].Argument.Text(); err != nil || got != text {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if !f.Config().Locals[1].Argument.IsNull() {
			t.Errorf("%s: b is %s", name, f.Config().Locals[1].Argument)
		}
	}
}
