// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestCalls edits headers, calls around expressions, all references of a file, and
// arguments that move between blocks and the file.
func TestCalls(t *testing.T) {
	block := func(f *hclconfig.File, typ string, labels ...string) *hclconfig.Block {
		return f.Body().Block(typ, labels...)
	}
	arg := func(f *hclconfig.File, typ, name string) hclconfig.Expression {
		for b := range f.Body().BlocksOfType(typ) {
			if a := b.Argument(name); a != nil {
				return a.Expression
			}
		}
		return hclconfig.Expression{}
	}
	type edit = func(f *hclconfig.File, e *hcledit.Editor)
	for _, c := range []struct {
		file, src, want string
		edit            edit
	}{
		{"x.tf", "resource \"a\" \"b\" { # c\n}\n", "data \"x\" \"b\" { # c\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.SetHeader(block(f, "resource", "a", "b"), "data", "x", "b")
		}},
		{"x.tf", "module \"a\" {}\n", "module {}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(block(f, "module", "a"), "module") }},
		{"x.tf", "a /* 1 */ \"b\" /* 2 */ \"c\" /* 3 */ {}\n", "x /* 1 */ /* 2 */ /* 3 */ {}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(block(f, "a", "b", "c"), "x") }},
		{"x.tf", "a \"b\" {}\n", "a \"b\" \"c d\" {}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(block(f, "a", "b"), "a", "b", "c d") }},
		{"x.tf", "a {\n  b \"l\" {\n  }\n}\n", "a {\n  c {\n  }\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(&block(f, "a").Body.Blocks[0], "c") }},
		{"x.tf.json", `{"output":{"a":{"value":1}}}`, `{"variable":{"b":{"value":1}}}`, func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(block(f, "output", "a"), "variable", "b") }},
		{"x.tf.json", `{"output":{"a":{"value":1},"c":{}}}`, `{"output":{"c":{}},"variable":{"b":{"value":1}}}`, func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(block(f, "output", "a"), "variable", "b") }},
		{"x.tf.json", `{"resource":{"a":{"b":{},"c":{}}}}`, `{"resource":{"a":{"c":{}}},"output":{"o":{}}}`, func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(block(f, "resource", "a", "b"), "output", "o") }},
		{"x.tf.json", `{"output":{"a":{}}}`, `{"output":{"a":{}}}`, func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(block(f, "output", "a"), "output", "a") }},
		{"x.tf", "locals {\n  a = 1 # one\n}\n", "locals {\n  a = f(x, 1) # one\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Wrap(arg(f, "locals", "a"), "f(x,_)") }},
		{"x.tf", "locals { a = 1 }\n", "locals {\n  a = f([\n    2,\n  ], 1)\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Wrap(arg(f, "locals", "a"), "f([\n2,\n], _)") }},
		{"x.tf.json", `{"locals":{"a":["x",{"k":true}]}}`, `{"locals":{"a":"${f([\"x\", { k = true }])}"}}`, func(f *hclconfig.File, e *hcledit.Editor) { e.Wrap(arg(f, "locals", "a"), "f(_)") }},
		{"x.tf.json", `{"locals":{"a":{"${var.k}":1}}}`, `{"locals":{"a":"${f({\n  (var.k) = 1\n})}"}}`, func(f *hclconfig.File, e *hcledit.Editor) { e.Wrap(arg(f, "locals", "a"), "f(_)") }},
		{"x.tf", "locals {\n  a = [var.x.y, var.x[0], var.xx, \"${var.x}\"]\n}\n", "locals {\n  a = [var.z.w.y, var.z.w[0], var.xx, \"${var.z.w}\"]\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			if n := e.ReplaceReferences("var.x", "var.z.w"); n != 3 {
				t.Errorf("%d references", n)
			}
		}},
		{"x.tf.json", `{"locals":{"a":"${var.x.y}-${var.xx}"}}`, `{"locals":{"a":"${var.z.y}-${var.xx}"}}`, func(f *hclconfig.File, e *hcledit.Editor) { e.ReplaceReferences("var.x", "var.z") }},
		{"x.tf.json", `{"variable":{"v":{"default":["${x}",1.50]}},"locals":{"a":1}}`, `{"variable":{"v":{}},"locals":{"a":1,"b":["$${x}",1.50]}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			v := block(f, "variable", "v")
			a := v.Argument("default")
			e.Move(a, hcledit.Into(e, block(f, "locals"))).Rename(block(f, "locals"), "default", "b")
		}},
		{"x.tf.json", `{"variable":{"v":{}},"locals":{"b":"$${x}"}}`, `{"variable":{"v":{"default":"${x}"}},"locals":{}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			a := block(f, "locals").Argument("b")
			e.Rename(block(f, "locals"), "b", "default").Move(a, hcledit.Into(e, block(f, "variable", "v")))
		}},
		{"x.tf.json", `{"resource":{"a":{"b":{"provider":"aws.x"}}}}`, `{"resource":{"a":{"b":{"other":"${aws.x}"}}}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.Rename(block(f, "resource", "a", "b"), "provider", "other")
		}},
		{"x.tf.json", `{"locals":{"a":1,"b":1}}`, `{"locals":{"a":"x${y}${\"\\r\"}${z}","b":"${\"\\ufeff\"}${z}"}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.Replace(arg(f, "locals", "a"), hcledit.Source(`"x${y}\r${z}"`)).Replace(arg(f, "locals", "b"), hcledit.Source(`"\uFEFF${z}"`))
		}},
		{"x.tf.json", `{"locals":{"a":"${x}\r${y} $${z}"}}`, `{"locals":{"a":"${f(\"${x}\\r$${y} $${z}\")}"}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.Wrap(arg(f, "locals", "a"), "f(_)")
		}},
		{"x.tfvars.json", `{"a":1}`, `{"a":-1.50}`, func(f *hclconfig.File, e *hcledit.Editor) { e.Set(nil, "a", hcledit.Source("-1.50")) }},
		{"x.hcl", "a {\n  # about x\n  x = 1 # x\n}\n", "# about x\nx = 1 # x\n\na {\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, "a").Argument("x"), hcledit.Into(e, nil))
		}},
		{"x.hcl", "y = 1\na {\n  x = 1\n}\n", "y = 1\nx = 1\n\na {\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, "a").Argument("x"), hcledit.Into(e, nil))
		}},
		{"x.hcl", "a { x = 1 }\nb {\n}\n", "a {}\nb {\n  x = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, "a").Argument("x"), hcledit.Into(e, block(f, "b")))
		}},
		{"x.hcl", "b {\n}\na { /* i */ x = 1 /* j */ }\n", "b {\n  /* i */ x = 1 /* j */\n}\na {}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, "a").Argument("x"), hcledit.Into(e, block(f, "b")))
		}},
		{"x.hcl", "a {\n  /* i */ x = 1\n\n\n  y = 2\n}\n", "a {\n  y = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Remove(block(f, "a"), "x") }},
		{"x.hcl", "a {\n  x = 1\n}\n", "a {\n  x = 1\n\n  b {\n  }\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Add(block(f, "a"), hcledit.NewBlock("b").Lines()) }},
		{"x.tf", "a {\n}\n\nb {\n}\n", "b {\n}\n\na {\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Move(block(f, "a"), hcledit.After(hcledit.Named("b"))) }},
		{"x.tf", "a {\n}\n\nb {\n}\n", "b {\n}\n\na {\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Move(block(f, "b"), hcledit.First()) }},
	} {
		f, err := hclconfig.Parse(c.file, []byte(c.src))
		if errors.Is(err, hclconfig.ErrFilename) {
			f, err = hclconfig.ParseNative(c.file, []byte(c.src))
		}
		if err != nil {
			t.Fatal(err)
		}
		e := hcledit.Edit(f)
		c.edit(f, e)
		g, err := e.Apply()
		if err != nil {
			t.Errorf("%s: %v", c.src, err)
		} else if diff := cmp.Diff(strings.ReplaceAll(c.want, ": ", ":"), strings.ReplaceAll(string(g.Bytes()), ": ", ":")); diff != "" && strings.ReplaceAll(strings.ReplaceAll(string(g.Bytes()), ", ", ","), ": ", ":") != strings.ReplaceAll(strings.ReplaceAll(c.want, ", ", ","), ": ", ":") {
			t.Errorf("%s: (-want +got)\n%s", c.src, diff)
		}
	}
}

// TestCallsRefused makes edits that cannot be made. They are an error and change nothing.
func TestCallsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		file, src string
		edit      func(f *hclconfig.File, e *hcledit.Editor)
	}{
		"two holes": {"x.tf", "locals {\n  a = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Wrap(f.Body().Blocks[0].Argument("a").Expression, "f(_, _)")
		}},
		"no hole": {"x.tf", "locals {\n  a = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Wrap(f.Body().Blocks[0].Argument("a").Expression, "f(x)")
		}},
		"no call":         {"x.tf", "locals {\n  a = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Wrap(f.Body().Blocks[0].Argument("a").Expression, "_") }},
		"no syntax":       {"x.tf", "locals {\n  a = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Wrap(f.Body().Blocks[0].Argument("a").Expression, "f(_") }},
		"no reference":    {"x.tf", "locals {\n  a = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.ReplaceReferences("f(x)", "var.y") }},
		"no reference to": {"x.tf", "locals {\n  a = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.ReplaceReferences("var.y", "1") }},
		"no name":         {"x.tf", "a {\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(&f.Body().Blocks[0], "a b") }},
		"labels in JSON":  {"x.tf.json", `{"output":{"a":{}}}`, func(f *hclconfig.File, e *hcledit.Editor) { e.SetHeader(&f.Body().Blocks[0], "output") }},
		"gone": {"x.tf", "a {\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(&f.Body().Blocks[0]).SetHeader(&f.Body().Blocks[0], "b")
		}},
		"gone, as a value": {"x.tf", "locals {\n  a = 1\n  b = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			b := &f.Body().Blocks[0]
			e.Remove(b, "a").Set(b, "b", b.Argument("a").Expression)
		}},
		"taken": {"x.hcl", "x = 1\na {\n  x = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(f.Body().Blocks[0].Argument("x"), hcledit.Into(e, nil))
		}},
		"into itself": {"x.hcl", "a {\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(&f.Body().Blocks[0], hcledit.Into(e, &f.Body().Blocks[0]))
		}},
		"behind an expanded argument": {"x.tf", "locals {\n  a = f(x...)\n}\n", func(f *hclconfig.File, e *hcledit.Editor) { e.Insert(f.Body().Blocks[0].Argument("a").Expression, 1) }},
		"an expanded argument moves": {"x.tf", "locals {\n  a = f(1, x...)\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			parts := f.Body().Blocks[0].Argument("a").Parts()
			e.Move(parts[1], hcledit.First())
		}},
	} {
		f, err := hclconfig.Parse(c.file, []byte(c.src))
		if errors.Is(err, hclconfig.ErrFilename) {
			f, err = hclconfig.ParseNative(c.file, []byte(c.src))
		}
		if err != nil {
			t.Fatal(err)
		}
		e := hcledit.Edit(f)
		c.edit(f, e)
		if _, err := e.Apply(); err == nil || e.Err() == nil {
			t.Errorf("%s: no error", name)
		}
		if string(f.Bytes()) != c.src {
			t.Errorf("%s: the file has changed", name)
		}
	}
}

// TestMoveOutOfOneLine moves an argument out of a block on one line into another file, and
// edits it there.
func TestMoveOutOfOneLine(t *testing.T) {
	f, err := hclconfig.ParseNative("a.tf", []byte("a { x = 1 /* one */ }\n"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := hclconfig.ParseNative("b.tf", []byte("b {\n  long = 2 # two\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	from, to := hcledit.Edit(f), hcledit.Edit(g)
	x := f.Body().Blocks[0].Argument("x")
	from.Move(x, hcledit.Into(to, &g.Body().Blocks[0]))
	to.Replace(x.Expression, 3)
	for e, want := range map[*hcledit.Editor]string{from: "a {}\n", to: "b {\n  long = 2 # two\n  x    = 3 /* one */\n}\n"} {
		if out, err := e.Apply(); err != nil || string(out.Bytes()) != want {
			t.Errorf("got %v\n%s\nwant\n%s", err, out.Bytes(), want)
		}
	}
}
