// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// TestBuildJSONSharing builds blocks that share properties of a JSON file.
func TestBuildJSONSharing(t *testing.T) {
	resource := func(typ, name string, n int) *hclconfig.BlockBuilder {
		return hclconfig.NewBlock("resource", typ, name).Set("n", n)
	}
	f, err := hclconfig.Build("main.tf.json", []*hclconfig.BlockBuilder{
		resource("a", "x", 1), resource("b", "x", 2), resource("a", "y", 3), resource("a", "x", 4),
		hclconfig.NewBlock("moved").Set("from", hclconfig.Source("a.o")).Set("to", hclconfig.Source("a.x")),
		hclconfig.NewBlock("moved").Set("from", hclconfig.Source("a.p")).Set("to", hclconfig.Source("a.y")),
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
		edit                func(f *hclconfig.File, e *hclconfig.Editor)
	}{
		{"the only block of a root array", `[{"variable":{"x":{}}}]`, `[{}]`, func(f *hclconfig.File, e *hclconfig.Editor) {
			e.Delete(f.Config().Variables[0].Block)
		}},
		{"the only block", "{\n  \"variable\": {\n    \"x\": {}\n  }\n}\n", "{}\n", func(f *hclconfig.File, e *hclconfig.Editor) {
			e.Delete(f.Config().Variables[0].Block)
		}},
		{"a value in tabs", "{\n\t\"locals\": {\n\t\t\"a\": 1\n\t}\n}\n", "{\n\t\"locals\": {\n\t\t\"a\": {\n\t\t\t\"b\": 1\n\t\t}\n\t}\n}\n", func(f *hclconfig.File, e *hclconfig.Editor) {
			e.Replace(f.Config().Locals[0].Argument.Expression, map[string]any{"b": 1})
		}},
		{"into an empty object in tabs", "{\n\t\"locals\": {}\n}\n", "{\n\t\"locals\": {\n\t\t\"a\": 1\n\t}\n}\n", func(f *hclconfig.File, e *hclconfig.Editor) {
			e.Set(f.Body().Block("locals"), "a", 1)
		}},
		{"a value on one tight line", `{"locals":{"a":1}}`, `{"locals":{"a":{"b":1,"c":2}}}`, func(f *hclconfig.File, e *hclconfig.Editor) {
			e.Replace(f.Config().Locals[0].Argument.Expression, map[string]any{"b": 1, "c": 2})
		}},
		{"a second block without labels", "{\n  \"moved\": {\"from\": \"a.a\", \"to\": \"a.b\"}\n}\n", "{\n  \"moved\": [{\"from\": \"a.a\", \"to\": \"a.b\"}, {\"from\": \"a.c\", \"to\": \"a.d\"}]\n}\n", func(f *hclconfig.File, e *hclconfig.Editor) {
			e.Add(nil, hclconfig.NewBlock("moved").Set("from", hclconfig.Source("a.c")).Set("to", hclconfig.Source("a.d")))
		}},
		{"a label with escapes", `{"provisioner":0,"variable":{"\u0078":{"default":1}}}`, `{"provisioner":0,"variable":{"\u0078":{"default":2}}}`, func(f *hclconfig.File, e *hclconfig.Editor) {
			e.Set(f.Config().Variables[0].Block, "default", 2)
		}},
		{"into an array of no bodies", `{"locals":[]}`, `{"locals":[{"a":1}]}`, func(f *hclconfig.File, e *hclconfig.Editor) {
			e.Add(nil, hclconfig.NewBlock("locals").Set("a", 1))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, "a.tf.json", c.before)
			e := f.Edit()
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

// TestDeepBlocks nests the bodies and labels of blocks, not expressions.
func TestDeepBlocks(t *testing.T) {
	for name, src := range map[string]string{
		"bodies": `{"resource":{"a":{"b":` + strings.Repeat(`{"dynamic":{"d":{"content":`, 3400),
		"arrays": `{"output":{"o":` + strings.Repeat(`[`, 10001),
		"labels": `{"output":` + strings.Repeat(`[`, 10001),
		"values": `{"output":{"o":{"value":` + strings.Repeat(`{"a":`, 10001),
	} {
		if _, err := hclconfig.ParseJSON("a.tf.json", []byte(src)); !errors.Is(err, hclconfig.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, end := range []string{`{"output"`, `{"output":`, `{"output":{`, `{"output":{"o":[`, `{"output":{"o":[{}`, `{"output":{"o":[{} 1`, `{"output":{"o":{"value":1`, `{"output":{"o":{}  `} {
		if _, err := hclconfig.ParseJSON("a.tf.json", []byte(end)); !errors.Is(err, hclconfig.ErrSyntax) {
			t.Errorf("%s: %v", end, err)
		}
	}
}

// TestOddReferences spells indexes that no list has.
func TestOddReferences(t *testing.T) {
	f := mustParse(t, "a.tf", "locals {\n  a = x.y[1e3000].z\n  b = x.y[true]\n  c = x.y[1.5]\n  d = x.y[*].z[0]\n}\n")
	var got []string
	for _, l := range f.Config().Locals {
		for _, r := range l.Argument.References() {
			got = append(got, r.Text)
		}
	}
	if diff := cmp.Diff([]string{"x.y[1e+3000].z", "x.y", "x.y[1.5]", "x.y"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestBrokenBlocks reads blocks that lack what their type needs.
func TestBrokenBlocks(t *testing.T) {
	f, _ := hclconfig.Parse("a.tftest.hcl", []byte("run {\n}\nmock_provider {\n}\nvariables {\n  a = 1\n}\nrun \"x\" {\n}\n"))
	c := f.Config()
	if len(c.Runs) != 1 || len(c.MockProviders) != 0 || len(c.TestVariables) != 1 {
		t.Errorf("%d runs, %d mock providers, %d variables", len(c.Runs), len(c.MockProviders), len(c.TestVariables))
	}
	f, _ = hclconfig.Parse("a.tf", []byte("resource \"a b\" \"c\" {\n}\nresource \"a\" {\n}\n"))
	for _, r := range f.Config().Resources {
		if r.Addr().IsValid() {
			t.Errorf("%s is an address", r.Addr())
		}
	}
}

// A fileSystem lists no folder but its root.
type fileSystem struct{ fs.FS }

func (f fileSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return nil, fs.ErrPermission
	}
	return fs.ReadDir(f.FS, name)
}

func TestTestsThatCannotBeListed(t *testing.T) {
	fsys := fileSystem{folder(map[string]string{"a.tf": "", "tests/a.tftest.hcl": ""})}
	if _, err := hclconfig.LoadModule(fsys, ".", hclconfig.TestDirectory("")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
}

// TestStrangeText writes text that needs escapes.
func TestStrangeText(t *testing.T) {
	const text = "\uFFFD\uFEFF\u2028\x7f\x00${x}\\\"\r\n\t"
	for _, name := range []string{"a.tf", "a.tf.json"} {
		f, err := hclconfig.Build(name, []*hclconfig.BlockBuilder{hclconfig.NewBlock("locals").Set("a", text).Set("b", nil)})
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
