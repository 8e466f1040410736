// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// TestTextOf reads parts as they are written, with their comments and without.
func TestTextOf(t *testing.T) {
	const src = `# not of a

# about a
a "b" { # of a
  # about x
  x = [ # of x
    # about one
    1, # one

    /* two */ 2, 3 /* three */
  ] // behind x
  y = f(/* in */ z)
  h = <<EOT
    # text
    EOT

  n {
    # alone
    k = { v = 1, /* w */ w/* k */= 2 } /* end */
  }
}
e {}
c { v = 1 }
`
	f := mustParse(t, "x.tf", src)
	a := f.Body().Block("a")
	x := a.Argument("x")
	parts := x.Parts()
	n := a.Block("n")
	members, _ := n.Argument("k").Members()
	for _, c := range []struct {
		name       string
		p          hcledit.Part
		text, code string
	}{
		{"block", n, "n {\n    # alone\n    k = { v = 1, /* w */ w/* k */= 2 } /* end */\n  }", "n {\n\n    k = { v = 1, w = 2 }\n  }"},
		{"block on one line", f.Body().Block("c"), "c { v = 1 }", "c { v = 1 }"},
		{"argument", x, "# about x\n  x = [ # of x\n    # about one\n    1, # one\n\n    /* two */ 2, 3 /* three */\n  ] // behind x", "x = [\n\n    1,\n\n    2, 3\n  ]"},
		{"expression", x.Expression, "[ # of x\n    # about one\n    1, # one\n\n    /* two */ 2, 3 /* three */\n  ] // behind x", "[\n\n    1,\n\n    2, 3\n  ]"},
		{"element", parts[0], "# about one\n    1, # one", "1"},
		{"element behind a comment", parts[1], "/* two */ 2", "2"},
		{"last element", parts[2], "3 /* three */", "3"},
		{"item", members[1], "/* w */ w/* k */= 2", "w = 2"},
		{"call", a.Argument("y").Expression, "f(/* in */ z)", "f( z)"},
		{"heredoc", a.Argument("h"), "h = <<EOT\n    # text\n    EOT", "h = <<EOT\n    # text\n    EOT"},
		{"body", &n.Body, "    # alone\n    k = { v = 1, /* w */ w/* k */= 2 } /* end */", "\n    k = { v = 1, w = 2 }"},
		{"empty body", &f.Body().Block("e").Body, "", ""},
		{"body on one line", &f.Body().Block("c").Body, "v = 1", "v = 1"},
		{"name", hcledit.Named("x"), "", ""},
		{"nothing", nil, "", ""},
		{"no argument", (*hclconfig.Argument)(nil), "", ""},
	} {
		if diff := cmp.Diff(c.text, hcledit.TextOf(c.p)); diff != "" {
			t.Errorf("%s: text (-want +got)\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.code, hcledit.CodeOf(c.p)); diff != "" {
			t.Errorf("%s: code (-want +got)\n%s", c.name, diff)
		}
	}
	if got := hcledit.TextOf(a); got != src[len("# not of a\n\n"):len(src)-len("\ne {}\nc { v = 1 }\n")] {
		t.Errorf("got %s", got)
	}
	if got := hcledit.TextOf(f.Body()); got != src {
		t.Errorf("got %s", got)
	}
	j := mustParse(t, "x.tf.json", `{"output": {"a": {"//": "c", "value": [1, "# x"]}}}`)
	b := j.Body().Block("output")
	for _, c := range []struct {
		p    hcledit.Part
		want string
	}{
		{b.Argument("value"), `"value": [1, "# x"]`}, {b.Argument("value").Expression, `[1, "# x"]`}, {&b.Body, `{"//": "c", "value": [1, "# x"]}`},
		{b.Argument("value").Parts()[1], `"# x"`},
	} {
		if text, code := hcledit.TextOf(c.p), hcledit.CodeOf(c.p); text != c.want || code != c.want {
			t.Errorf("%s, %s, not %s", text, code, c.want)
		}
	}
}

// TestBlankLine adds parts with a blank line above, or none.
func TestBlankLine(t *testing.T) {
	const src = "a {\n  x = 1\n}\n\nb {\n  y = 2\n}\n"
	for _, c := range []struct {
		name, want string
		edit       func(f *hclconfig.File, e *hcledit.Editor)
	}{
		{"an argument", "a {\n  x = 1\n\n  z = 3\n}\n\nb {\n  y = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(f.Body().Block("a"), "z", 3, hcledit.BlankLine(true))
		}},
		{"an argument at the beginning", "a {\n\n  z = 3\n  x = 1\n}\n\nb {\n  y = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(f.Body().Block("a"), "z", 3, hcledit.BlankLine(true), hcledit.First())
		}},
		{"a nested block", "a {\n  x = 1\n  c {}\n}\n\nb {\n  y = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Add(f.Body().Block("a"), hcledit.NewBlock("c"), hcledit.BlankLine(false))
		}},
		{"a block", "a {\n  x = 1\n}\n\nb {\n  y = 2\n}\nc {}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, hcledit.NewBlock("c"), hcledit.BlankLine(false))
		}},
		{"a moved argument", "a {\n}\n\nb {\n  y = 2\n\n  x = 1\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(f.Body().Block("a").Argument("x"), hcledit.Into(e, f.Body().Block("b")), hcledit.BlankLine(true))
		}},
		{"an argument of the file", "z = 3\n\na {\n  x = 1\n}\n\nb {\n  y = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(nil, "z", 3, hcledit.BlankLine(true))
		}},
		{"another argument of the file", "z = 3\n\nq = 4\n\na {\n  x = 1\n}\n\nb {\n  y = 2\n}\n", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(nil, "z", 3).Set(nil, "q", 4, hcledit.BlankLine(true))
		}},
	} {
		f, err := hclconfig.ParseNative("x.hcl", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		e := hcledit.Edit(f)
		c.edit(f, e)
		g, err := e.Apply()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if diff := cmp.Diff(c.want, string(g.Bytes())); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.name, diff)
		}
	}
}

// TestLayout lays out files of other languages, and nothing else.
func TestLayout(t *testing.T) {
	got, err := hcledit.Layout([]byte("b l {\n a=\"${x}\"\n   type   = \"list\"\n}\n"))
	if want := "b l {\n  a    = \"${x}\"\n  type = \"list\"\n}\n"; err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := hcledit.Layout([]byte("b {")); err == nil {
		t.Error("no error")
	}
}

// TestBodyIsNoPart makes edits of a body as a whole.
func TestBodyIsNoPart(t *testing.T) {
	f := mustParse(t, "x.tf", "locals {\n  a = 1\n}\n")
	body := &f.Body().Block("locals").Body
	for _, e := range []*hcledit.Editor{hcledit.Edit(f).Delete(body), hcledit.Edit(f).Move(body), hcledit.Edit(f).SetComments(body, hcledit.Comments{})} {
		if e.Err() == nil {
			t.Error("no error")
		}
	}
	if c := hcledit.CommentsOf(body); len(c.Above) > 0 {
		t.Error("a body has comments")
	}
}
