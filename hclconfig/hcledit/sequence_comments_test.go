// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestElementsAmongComments: elements that come and go in lists and objects whose
// lines they share with comments, brackets and heredocs. What is said of other
// elements stays.
func TestElementsAmongComments(t *testing.T) {
	del := func(i int) func(e *hcledit.Editor, x hclconfig.Expression) {
		return func(e *hcledit.Editor, x hclconfig.Expression) {
			if members, ok := x.Members(); ok {
				e.Delete(members[i])
				return
			}
			parts, _ := x.Elements()
			e.Delete(parts[i])
		}
	}
	add := func(v any) func(e *hcledit.Editor, x hclconfig.Expression) {
		return func(e *hcledit.Editor, x hclconfig.Expression) { e.Insert(x, v) }
	}
	doc := hcledit.Source("<<EOT\nt\nEOT\n")
	for name, c := range map[string]struct {
		src, want string
		edit      func(e *hcledit.Editor, x hclconfig.Expression)
	}{
		"into a list with a comment":                  {"[/* none */]", "[/* none */ 1]", add(1)},
		"into a list with a comment and a gap":        {"[ /* none */ ]", "[ /* none */ 1]", add(1)},
		"into a list with a long comment":             {"[/* not\n  one */]", "[/* not\n  one */ 1]", add(1)},
		"into a list with comments on lines":          {"[\n  # none\n  /* yet */ ]", "[\n  # none\n    1,\n  /* yet */ ]", add(1)},
		"a heredoc into a list with a comment":        {"[/* none */]", "[/* none */ <<EOT\nt\nEOT\n  ]", add(doc)},
		"into an object with a comment":               {"{ /* none */ }", "{ /* none */ k = 1 }", add(hcledit.Entry{Key: "k", Value: hcledit.Int(1)})},
		"the last item, behind a heredoc":             {"{\n  a = <<EOT\nt\nEOT\n  b = 1 }", "{\n  a = <<EOT\nt\nEOT\n  }", del(1)},
		"the last element, behind a heredoc":          {"[<<EOT\nt\nEOT\n, 1]", "[<<EOT\nt\nEOT\n  ]", del(1)},
		"the last element, below a comment":           {"[1, # one\n  # two\n  2]", "[1 # one\n  ]", del(1)},
		"the last element, without a comment":         {"[1,\n  2]", "[1]", del(1)},
		"the first element, above a comment":          {"[1, # one\n  # two\n  2]", "[\n  # two\n  2]", del(0)},
		"an element between, above a comment":         {"[0, 1, # one\n  # two\n  2]", "[0,\n  # two\n  2]", del(1)},
		"the first element, before a comment":         {"[1, /* two */ 2]", "[/* two */ 2]", del(0)},
		"the first element, with its comment":         {"[1 /* one */, 2]", "[2]", del(0)},
		"the first element, without a comment":        {"[1,\n  2]", "[2]", del(0)},
		"an item behind a heredoc with commas around": {"{\n    a = 1,\n    b = <<EOT\nt\nEOT\n  }", "{\n    a = 1,\n    b = <<EOT\nt\nEOT\n    k = 1\n  }", add(hcledit.Entry{Key: "k", Value: hcledit.Int(1)})},
		"an item behind a heredoc on a shared line":   {"{ a = 1, b = <<EOT\nt\nEOT\n  }", "{ a = 1, b = <<EOT\nt\nEOT\n    k = 1\n  }", add(hcledit.Entry{Key: "k", Value: hcledit.Int(1)})},
		"a heredoc behind an item with a comma":       {"{\n    a = 1,\n  }", "{\n    a = 1,\n    k = <<EOT\nt\nEOT\n  }", add(hcledit.Entry{Key: "k", Value: doc})},
		"a heredoc before an item with a comma": {"{\n    a = 1,\n  }", "{\n    k = <<EOT\nt\nEOT\n    a = 1,\n  }", func(e *hcledit.Editor, x hclconfig.Expression) {
			e.Insert(x, hcledit.Entry{Key: "k", Value: doc}, hcledit.First())
		}},
		"the first element, with CR LF": {"[1, # one\r\n  # two\r\n  2]", "[\r\n  # two\r\n  2]", del(0)},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := hclconfig.Parse("a.tf", []byte("locals {\n  x="+c.src+"\n}\n"))
			if err != nil {
				t.Fatal(err)
			}
			e := hcledit.Edit(f, hcledit.KeepLayout())
			c.edit(e, f.Body().Blocks[0].Body.Arguments[0].Expression)
			g, err := e.Apply()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("locals {\n  x="+c.want+"\n}\n", string(g.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestOpenedBlockAmongComments: the comment of a block on one line, which gets more
// lines, no longer shares a column with the one below.
func TestOpenedBlockAmongComments(t *testing.T) {
	f, err := hclconfig.Parse("a.tf", []byte("resource \"a\" \"b\" {       # open\n  lifecycle { x = true } # x\n}                        # close\n"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := hcledit.Edit(f).Set(&f.Body().Blocks[0].Body.Blocks[0], "y", 1).Apply()
	if err != nil {
		t.Fatal(err)
	}
	want := "resource \"a\" \"b\" { # open\n  lifecycle {\n    x = true\n    y = 1\n  } # x\n}   # close\n"
	if diff := cmp.Diff(want, string(g.Bytes())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestChainOfComments: comments behind lines that have another comment inside share
// their column as well.
func TestChainOfComments(t *testing.T) {
	f, err := hclconfig.Parse("a.tf", []byte("locals {\n  b = /* c */ \"xx\" # beside\n  c = /* c */ \"\"   # beside\n}                  # close\nlocals {           # open\n}\nlocals {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	g, err := hcledit.Edit(f).Remove(&f.Body().Blocks[0], "b").Apply()
	if err != nil {
		t.Fatal(err)
	}
	want := "locals {\n  c = /* c */ \"\" # beside\n}                # close\nlocals {         # open\n}\nlocals {}\n"
	if diff := cmp.Diff(want, string(g.Bytes())); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
