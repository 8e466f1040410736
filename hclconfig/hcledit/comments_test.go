// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

const commented = `# not of the block

// one
#two
/*
 * three
 *
 * four
 */
resource "a" "b" { # open
  # free

  # of c
  c = [ # list
    # of one
    1, # behind one
    2,
    # last
  ] # behind c
  d = { e = 1 } /* d */
  ####
  # end
}
locals {} # empty
`

func TestCommentsOf(t *testing.T) {
	f := mustParse(t, "x.tf", commented)
	b := f.Body().Block("resource")
	elements, _ := b.Argument("c").Elements()
	for _, c := range []struct {
		name string
		part hcledit.Part
		want hcledit.Comments
	}{
		{"block", b, hcledit.Comments{Above: []string{"one", "two", "three", "", "four"}, Behind: "open", Inside: []string{"free", "###", "end"}}},
		{"argument", b.Argument("c"), hcledit.Comments{Above: []string{"of c"}, Behind: "behind c", Inside: []string{"list", "of one", "behind one", "last"}}},
		{"element", elements[0], hcledit.Comments{Above: []string{"of one"}, Behind: "behind one"}},
		{"element without", elements[1], hcledit.Comments{}},
		{"argument of one line", b.Argument("d"), hcledit.Comments{Behind: "d"}},
		{"block of one line", f.Body().Block("locals"), hcledit.Comments{Behind: "empty"}},
	} {
		if diff := cmp.Diff(c.want, hcledit.CommentsOf(c.part), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	g := mustParse(t, "x.tf.json", `{"locals": {"//": "a\nb", "x": 1}, "output": {"o": {"//": ["c", "d"], "value": 1}, "p": {"//": 7, "value": 1}}}`)
	for i, want := range [][]string{{"a", "b"}, {"c", "d"}, {"7"}} {
		if got := hcledit.CommentsOf(&g.Body().Blocks[i]).Above; !cmp.Equal(got, want) {
			t.Errorf("block %d: %q, want %q", i, got, want)
		}
	}
}

func TestSetComments(t *testing.T) {
	native := "# old\nresource \"a\" \"b\" {\n  # inside\n\n  # c\n  c = 1 # behind\n}\n"
	for _, c := range []struct {
		name, file, src, want string
		edit                  func(*hclconfig.File, *hcledit.Editor)
	}{
		{"a block's", "x.tf", native, "# new\n#\n# ignore\nresource \"a\" \"b\" { # open\n  # first\n\n  # c\n  c = 1 # behind\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.SetComments(&f.Body().Blocks[0], hcledit.Comments{Above: []string{"new", "", "ignore"}, Behind: "open", Inside: []string{"first"}})
		}},
		{"none", "x.tf", native, "resource \"a\" \"b\" {\n  c = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.SetComments(&f.Body().Blocks[0], hcledit.Comments{}).SetComments(f.Body().Blocks[0].Argument("c"), hcledit.Comments{})
		}},
		{"an element's", "x.tf", "locals {\n  a = [\n    1,\n    2\n  ]\n}\n", "locals {\n  a = [\n    # one\n    1, # behind\n    2  # two\n  ]\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			list, _ := f.Body().Blocks[0].Argument("a").Elements()
			e.SetComments(list[0], hcledit.Comments{Above: []string{"one"}, Behind: "behind"}).SetComments(list[1], hcledit.Comments{Behind: "two"})
		}},
		{"a banner", "x.tf", "locals {}\n", "####\n# a\nlocals {}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.SetComments(&f.Body().Blocks[0], hcledit.Comments{Above: []string{"###", "a"}})
		}},
		{"JSON, new", "x.tf.json", `{"locals": {"a": 1}}`, `{"locals": {"//": "b\nc", "a": 1}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.SetComments(&f.Body().Blocks[0], hcledit.Comments{Above: []string{"b", "c"}})
		}},
		{"JSON, other", "x.tf.json", `{"locals": {"a": 1, "//": "b"}}`, `{"locals": {"a": 1, "//": "c"}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.SetComments(&f.Body().Blocks[0], hcledit.Comments{Above: []string{"c"}})
		}},
		{"JSON, none", "x.tf.json", `{"locals": {"//": "b", "a": 1}}`, `{"locals": {"a": 1}}`, func(f *hclconfig.File, e *hcledit.Editor) {
			e.SetComments(&f.Body().Blocks[0], hcledit.Comments{})
		}},
	} {
		f := mustParse(t, c.file, c.src)
		e := hcledit.Edit(f)
		c.edit(f, e)
		g, err := e.Apply()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if diff := cmp.Diff(c.want, string(g.Bytes())); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	f := mustParse(t, "x.tf.json", `{"locals": {"a": 1}}`)
	for _, e := range []*hcledit.Editor{
		hcledit.Edit(f).SetComments(f.Body().Blocks[0].Argument("a"), hcledit.Comments{Above: []string{"x"}}),
		hcledit.Edit(f).SetComments(&f.Body().Blocks[0], hcledit.Comments{Behind: "x"}),
		hcledit.Edit(f).SetComments(&f.Body().Blocks[0], hcledit.Comments{Above: []string{"x\ny"}}),
		hcledit.Edit(f).SetComments(hcledit.Named("a"), hcledit.Comments{}),
	} {
		if !errors.Is(e.Err(), hcledit.ErrEdit) {
			t.Errorf("got %v", e.Err())
		}
	}
}

// TestMoveAcross moves blocks and arguments between blocks and between files.
func TestMoveAcross(t *testing.T) {
	for _, c := range []struct {
		name, file, a, b, wantA, wantB string
		edit                           func(a, b *hclconfig.Body, e, to *hcledit.Editor)
	}{
		{"block", "x.tf.json", "{\n  \"locals\": {\n    \"x\": 1\n  },\n  \"output\": {\n    \"o\": {\n      \"value\": [\n        1\n      ]\n    }\n  }\n}\n", "{\n    \"variable\": {\n        \"v\": {}\n    }\n}\n",
			"{\n  \"locals\": {\n    \"x\": 1\n  }\n}\n", "{\n    \"variable\": {\n        \"v\": {}\n    },\n    \"output\": {\n        \"o\": {\n            \"value\": [\n                1\n            ]\n        }\n    }\n}\n",
			func(a, b *hclconfig.Body, e, to *hcledit.Editor) {
				e.Move(a.Block("output"), hcledit.Into(to, nil))
			}},
		{"argument", "x.tf.json", `{"locals": {"x": [1], "y": 2}}`, `{"locals": {"z": 3}}`, `{"locals": {"y": 2}}`, `{"locals": {"x": [1], "z": 3}}`,
			func(a, b *hclconfig.Body, e, to *hcledit.Editor) {
				e.Move(a.Block("locals").Argument("x"), hcledit.Into(to, b.Block("locals")), hcledit.First())
			}},
		{"argument in a file", "x.tf.json", `{"resource": {"a": {"b": {"x": 1, "y": 2}, "c": {}}}}`, `{}`, `{"resource": {"a": {"b": {"y": 2}, "c": {"x": 1}}}}`, `{}`,
			func(a, b *hclconfig.Body, e, to *hcledit.Editor) {
				e.Move(a.Block("resource", "a", "b").Argument("x"), hcledit.Into(e, a.Block("resource", "a", "c")))
			}},
		{"block into a block", "x.tf.json", `{"resource": {"a": {"b": {"lifecycle": {"ignore_changes": ["x"]}}, "c": {}}}}`, `{}`, `{"resource": {"a": {"b": {}, "c": {"lifecycle": {"ignore_changes": ["x"]}}}}}`, `{}`,
			func(a, b *hclconfig.Body, e, to *hcledit.Editor) {
				e.Move(a.Block("resource", "a", "b").Block("lifecycle"), hcledit.Into(e, a.Block("resource", "a", "c")))
			}},
		{"native block, edited afterwards", "x.tf", "# o\noutput \"o\" {\n  value = 1\n}\n\nlocals {}\n", "variable \"v\" {}\n", "locals {}\n", "variable \"v\" {}\n\n# o\noutput \"p\" {\n  value = 2\n}\n",
			func(a, b *hclconfig.Body, e, to *hcledit.Editor) {
				o := a.Block("output")
				e.Move(o, hcledit.Into(to, nil))
				to.Set(o, "value", 2).Relabel(o, 0, "p")
			}},
		{"native nested block", "x.tf", "resource \"a\" \"b\" {\n  x {\n    y = <<-EOT\n      z\n    EOT\n  }\n}\n", "resource \"c\" \"d\" {\n  e {\n  }\n}\n", "resource \"a\" \"b\" {\n}\n", "resource \"c\" \"d\" {\n  e {\n    x {\n      y = <<-EOT\n      z\n    EOT\n    }\n  }\n}\n",
			func(a, b *hclconfig.Body, e, to *hcledit.Editor) {
				e.Move(a.Block("resource").Block("x"), hcledit.Into(to, b.Block("resource").Block("e")))
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := mustParse(t, c.file, c.a), mustParse(t, "y"+c.file[1:], c.b)
			e, to := hcledit.Edit(a), hcledit.Edit(b)
			c.edit(a.Body(), b.Body(), e, to)
			for _, w := range []struct {
				e    *hcledit.Editor
				want string
			}{{e, c.wantA}, {to, c.wantB}} {
				g, err := w.e.Apply()
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(w.want, string(g.Bytes())); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
	a := mustParse(t, "x.tf.json", `{"locals": {"x": 1}}`)
	b := mustParse(t, "y.tf.json", `{"locals": {"x": 2}}`)
	to := hcledit.Edit(b)
	if e := hcledit.Edit(a).Move(a.Body().Blocks[0].Argument("x"), hcledit.Into(to, &b.Body().Blocks[0])); !errors.Is(e.Err(), hcledit.ErrEdit) {
		t.Errorf("a name that is there: %v", e.Err())
	}
	n := mustParse(t, "n.tf", "locals {}\n")
	if e := hcledit.Edit(a).Move(&a.Body().Blocks[0], hcledit.Into(hcledit.Edit(n), nil)); !errors.Is(e.Err(), hcledit.ErrEdit) {
		t.Errorf("another syntax: %v", e.Err())
	}
}

// Behind the closing marker of a heredoc a comment would be a part of its text, up to
// the next line that looks like the marker.
func TestSetComments_heredoc(t *testing.T) {
	f := mustParse(t, "x.tf", "locals {\n  a = <<E\n    x\nE\n  b = <<E\n    y\nE\n  c = f(<<E\nz\nE\n  )\n}\n")
	b := f.Body().Block("locals")
	for _, name := range []string{"a", "b"} {
		out, err := hcledit.Edit(f).SetComments(b.Argument(name), hcledit.Comments{Behind: "behind"}).Apply()
		if !errors.Is(err, hcledit.ErrEdit) {
			t.Errorf("%s: %v\n%s", name, err, out.Bytes())
		}
		if _, err := hcledit.Edit(f).SetComments(b.Argument(name), hcledit.Comments{Above: []string{"above"}}).Apply(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	out, err := hcledit.Edit(f).SetComments(b.Argument("c"), hcledit.Comments{Behind: "behind"}).Apply()
	if err != nil || !strings.Contains(string(out.Bytes()), "\n  ) # behind\n") {
		t.Errorf("c: %v\n%s", err, out.Bytes())
	}
}

// TestCommentsOfBroken asks for the comments of all parts of files that break off.
func TestCommentsOfBroken(t *testing.T) {
	for name, src := range map[string]string{
		"a.tf.json": `{"//": "root", "resource": {"a": {"b": {"//": ["one", "two"], "x": [1, {"y": null}], "lifecycle": [{"//": "é"}]}}}, "locals": {"//": "l", "z": 1}}`,
		"a.tf":      "# r\nresource \"a\" \"b\" {\n  # x\n  x = [1, { y = null }, <<EOT\n# no\nEOT\n  ] # one\n\n  lifecycle {} /* two */\n}\n",
	} {
		found := 0
		for cut := range len(src) + 1 {
			f, _ := hclconfig.Parse(name, []byte(src[:cut]))
			for b := range f.Body().All() {
				found += len(hcledit.CommentsOf(b).Above)
			}
			for a := range f.Body().AllArguments() {
				hcledit.CommentsOf(a)
				for x := range a.All() {
					hcledit.CommentsOf(x)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: no comments", name)
		}
	}
}

// TestCommentsInOneLine wants a block on one line written over several for the comments of
// its argument.
func TestCommentsInOneLine(t *testing.T) {
	f, err := hclconfig.ParseNative("x.tf", []byte("output \"a\" { value = 1 }\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := &f.Body().Blocks[0]
	out, err := hcledit.Edit(f).SetComments(b.Argument("value"), hcledit.Comments{Above: []string{"why"}, Behind: "one"}).Apply()
	if err != nil {
		t.Fatal(err)
	}
	if want := "output \"a\" {\n  # why\n  value = 1 # one\n}\n"; string(out.Bytes()) != want {
		t.Errorf("%s", out.Bytes())
	}
}

// TestCommentsOfOpenLine wants a comment behind the last brace of a block whose first line has
// something behind the first one.
func TestCommentsOfOpenLine(t *testing.T) {
	src := "output \"a\" { value = \"${\n  var.a\n}\" }\n"
	f, err := hclconfig.ParseNative("x.tf", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	out, err := hcledit.Edit(f, hcledit.KeepLayout()).SetComments(&f.Body().Blocks[0], hcledit.Comments{Behind: "one"}).Apply()
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.TrimSuffix(src, "\n") + " # one\n"; string(out.Bytes()) != want {
		t.Errorf("%s", out.Bytes())
	}
	if c := hcledit.CommentsOf(&out.Body().Blocks[0]); c.Behind != "one" {
		t.Errorf("%+v", c)
	}
}
