// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
)

// partIn returns the first part of that form in an argument called x, wherever it is.
func partIn(t *testing.T, f *hclconfig.File, form hclconfig.Form) hclconfig.Expression {
	t.Helper()
	for a := range f.Body().AllArguments() {
		if a.Name != "x" {
			continue
		}
		for x := range a.All() {
			if x.Form() == form {
				return x
			}
		}
	}
	t.Fatalf("no %s", form)
	return hclconfig.Expression{}
}

// TestReplaceParts replaces a part of an expression by values that need brackets, quotes
// or escapes where the part is, in native syntax and in a string of JSON.
func TestReplaceParts(t *testing.T) {
	src, text, template := hcledit.Source, hcledit.String, hcledit.Template
	for _, c := range []struct {
		name, in string
		part     func(part func(hclconfig.Form) hclconfig.Expression) hclconfig.Expression
		value    any
		want     string // or "!" and a part of the error
	}{
		{"the text of a template", `"a-${b}-c"`, part(hclconfig.FormTemplate, 0), text(`"${n}`), `"\"$${n}${b}-c"`},
		{"the text by an expression", `"a-${b}-c"`, part(hclconfig.FormTemplate, 0), src("n.o"), `"${n.o}${b}-c"`},
		{"an expression in a template", `"a-${b}-c"`, part(hclconfig.FormTemplate, 1), src("n.o"), `"a-${n.o}-c"`},
		{"an expression by a text", `"a-${b}-c"`, part(hclconfig.FormTemplate, 1), text("n"), `"a-n-c"`},
		{"a literal in braces", `"a-${1}-c"`, part(hclconfig.FormTemplate, 1), src("2"), `"a-${2}-c"`},
		{"a key", `{ a = 1 }`, part(hclconfig.FormObject, 0), text("b"), `{ b = 1 }`},
		{"a key that needs quotes", `{ a = 1 }`, part(hclconfig.FormObject, 0), text("b c"), `{ "b c" = 1 }`},
		{"a key that is a template", `{ a = 1 }`, part(hclconfig.FormObject, 0), template("b${c}"), `{ "b${c}" = 1 }`},
		{"a key that is computed", `{ a = 1 }`, part(hclconfig.FormObject, 0), src("b.c"), `{ (b.c) = 1 }`},
		{"a value of an object", `{ a = 1 }`, part(hclconfig.FormObject, 1), src("b.c"), `{ a = b.c }`},
		{"an operand", `a * b`, part(hclconfig.FormOperation, 0), src("c + d"), `(c + d) * b`},
		{"an operand by a call", `a * b`, part(hclconfig.FormOperation, 1), src("f(c)"), `a * f(c)`},
		{"a condition", `a ? b : c`, part(hclconfig.FormConditional, 0), src("d ? e : f"), `(d ? e : f) ? b : c`},
		{"what is accessed", `f(a)[b]`, part(hclconfig.FormAccess, 0), src("c + d"), `(c + d)[b]`},
		{"what is accessed by a call", `f(a)[b]`, part(hclconfig.FormAccess, 0), src("g(c)"), `g(c)[b]`},
		{"an index", `f(a)[b]`, part(hclconfig.FormAccess, 1), src("c + d"), `f(a)[c + d]`},
		{"what is expanded", `f(a)[*].b`, part(hclconfig.FormSplat, 0), src("!c"), `(!c)[*].b`},
		{"a directive", `"%{if a}b%{endif}"`, part(hclconfig.FormConditional, 1), text("n"), "!directive"},
		{"the condition of a directive", `"%{if a}b%{endif}"`, part(hclconfig.FormConditional, 0), src("c"), `"%{if c}b%{endif}"`},
		{"the argument of a call", `f(a)`, part(hclconfig.FormCall, 0), []string{"b"}, `f(["b"])`},
		{"no expression", `f(a)`, part(hclconfig.FormCall, 0), src("b +"), "!syntax error"},
		{"no value", `f(a)`, part(hclconfig.FormCall, 0), struct{}{}, "!cannot be written"},
	} {
		for _, syntax := range []string{"native", "JSON"} {
			t.Run(c.name+" in "+syntax, func(t *testing.T) {
				in, want, name := c.in, c.want, "a.tf"
				wrap := func(s string) string { return "locals {\n  x = " + s + "\n}\n" }
				if syntax == "JSON" {
					name = "a.tf.json"
					wrap = func(s string) string { return `{"locals": {"x": ` + quoted(t, s) + `}}` }
				}
				f := mustParse(t, name, wrap(in))
				x := c.part(func(form hclconfig.Form) hclconfig.Expression { return partIn(t, f, form) })
				g, err := hcledit.Edit(f).Replace(x, c.value).Apply()
				if why, ok := strings.CutPrefix(want, "!"); ok {
					if err == nil || !strings.Contains(err.Error(), why) {
						t.Errorf("%v, not %s", err, why)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(wrap(want), string(g.Bytes())); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		}
	}
}

// part returns what finds part i of the first expression of that form.
func part(form hclconfig.Form, i int) func(func(hclconfig.Form) hclconfig.Expression) hclconfig.Expression {
	return func(first func(hclconfig.Form) hclconfig.Expression) hclconfig.Expression {
		parts := first(form).Parts()
		if i >= len(parts) {
			return hclconfig.Expression{}
		}
		return parts[i]
	}
}

// quoted returns native source as JSON spells it: a template as its text, anything else
// in a sequence.
func quoted(t *testing.T, s string) string {
	t.Helper()
	if inner, ok := strings.CutPrefix(s, `"`); ok {
		s = strings.ReplaceAll(strings.TrimSuffix(inner, `"`), `\"`, `"`)
	} else {
		s = "${" + s + "}"
	}
	return `"` + strings.ReplaceAll(strings.ReplaceAll(s, `\`, `\\`), `"`, `\"`) + `"`
}

// TestExpressionsAsValues writes expressions of one file into another one, of the same
// syntax and of the other.
func TestExpressionsAsValues(t *testing.T) {
	for _, c := range []struct{ native, json, toJSON string }{
		{`1.50`, `1.50`, `1.50`},
		{`"a$${b}"`, `"a$${b}"`, ""},
		{`"a-${b.c}"`, `"a-${b.c}"`, ""},
		{`b.c`, `"${b.c}"`, ""},
		{`f(b, [1])`, `"${f(b, [1])}"`, ""},
		{`["a", b.c]`, `["a", "${b.c}"]`, ""},
		{"{\n    a     = 1\n    \"b c\" = [true, null]\n  }", "{\n      \"a\": 1,\n      \"b c\": [true, null]\n    }", "{\n      \"a\": 1,\n      \"b c\": [true, null]\n    }"},
		{"{\n    (d.e) = \"f\"\n  }", "{\n      \"${d.e}\": \"f\"\n    }", ""},
	} {
		toJSON := c.toJSON
		if toJSON == "" {
			toJSON = c.json
		}
		native, inJSON := "locals {\n  x = "+c.native+"\n}\n", "{\n  \"locals\": {\n    \"x\": "+c.json+"\n  }\n}\n"
		for _, from := range []struct{ name, src string }{{"a.tf", native}, {"a.tf.json", inJSON}} {
			for _, to := range []struct{ name, empty, want string }{
				{"b.tf", "locals {\n  x = 0\n}\n", native}, {"b.tf.json", "{\n  \"locals\": {\n    \"x\": 0\n  }\n}\n", inJSON},
			} {
				x := mustParse(t, from.name, from.src).Body().Block("locals").Argument("x").Expression
				f := mustParse(t, to.name, to.empty)
				g, err := hcledit.Edit(f).Set(f.Body().Block("locals"), "x", x).Apply()
				if err != nil {
					t.Errorf("%s from %s to %s: %v", c.native, from.name, to.name, err)
					continue
				}
				want := to.want
				if from.name == "a.tf" && to.name == "b.tf.json" {
					want = strings.ReplaceAll(want, c.json, toJSON)
				}
				if diff := cmp.Diff(want, string(g.Bytes())); diff != "" {
					t.Errorf("%s to %s (-want +got):\n%s", from.name, to.name, diff)
				}
			}
		}
	}
	// Some have no form there.
	broken := mustParse(t, "a.tf.json", `{"locals": {"x": ["${"]}}`).Body().Block("locals").Argument("x").Expression
	f := mustParse(t, "b.tf", "locals {\n}\n")
	var own *hclconfig.Error
	if _, err := hcledit.Edit(f).Set(f.Body().Block("locals"), "x", broken).Apply(); !errors.Is(err, hclconfig.ErrSyntax) || !errors.As(err, &own) || own.Filename != "a.tf.json" {
		t.Errorf("a broken template: %v", err)
	}
	m := mustParse(t, "b.tf.json", `{"module": {"m": {}}}`)
	twice := mustParse(t, "a.tf", "locals {\n  x = { a = 1, \"a\" = 2 }\n}\n").Body().Block("locals").Argument("x").Expression
	if _, err := hcledit.Edit(m).Set(m.Body().Block("module"), "x", twice).Apply(); !errors.Is(err, hcledit.ErrEdit) {
		t.Errorf("a key twice: %v", err)
	}
}

// TestOwnOfProvider edits what only a provider's schema knows, found with a schema.
func TestOwnOfProvider(t *testing.T) {
	f := mustParse(t, "a.tf.json", `{"resource": {"a": {"b": {"disk": [{"size": 1}, {"size": 2}]}}}, "terraform": {"backend": {"s3": {"assume_role": {"arn": "x"}}}}}`)
	disks, diags := f.Body().Block("resource").Argument("disk").AsBlocks(0)
	if len(disks) != 2 || diags.HasErrors() {
		t.Fatal(diags)
	}
	roles, _ := f.Body().Block("terraform").Block("backend").Argument("assume_role").AsBlocks(0)
	g, err := hcledit.Edit(f).Set(&disks[1], "name", "${x}").Add(&disks[0], hcledit.NewBlock("part").Set("n", hcledit.Source("var.n"))).
		Set(&roles[0], "arn", hcledit.Source("var.arn")).Apply()
	want := `{"resource": {"a": {"b": {"disk": [{"size": 1, "part": {"n": "${var.n}"}}, {"size": 2, "name": "$${x}"}]}}}, "terraform": {"backend": {"s3": {"assume_role": {"arn": "${var.arn}"}}}}}`
	if err != nil || string(g.Bytes()) != want {
		t.Errorf("%v\n%s\n%s", err, g.Bytes(), want)
	}
}

// TestPlaces puts blocks, arguments and elements to every place that an option names,
// among them next to what has moved before.
func TestPlaces(t *testing.T) {
	const src = "# one\nvariable \"a\" {\n  type = string\n  default = 1\n}\n\nvariable \"b\" {\n  x = [\n    1, # one\n    2,\n    3\n  ]\n}\n\nlocals {\n  y = { a = 1, b = 2 }\n}\n"
	type edit func(f *hclconfig.File, e *hcledit.Editor)
	block := func(f *hclconfig.File, i int) *hclconfig.Block { return &f.Body().Blocks[i] }
	newBlock := hcledit.NewBlock("output", "o")
	const added = "output \"o\" {}\n"
	for _, c := range []struct {
		name string
		edit edit
		want func(string) string
	}{
		{"a block first", func(f *hclconfig.File, e *hcledit.Editor) { e.Add(nil, newBlock, hcledit.First()) }, func(s string) string { return added + "\n" + s }},
		{"a block last", func(f *hclconfig.File, e *hcledit.Editor) { e.Add(nil, newBlock, hcledit.Last()) }, func(s string) string { return s + "\n" + added }},
		{"before a block", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, newBlock, hcledit.Before(block(f, 1)))
		}, replaceOnce("variable \"b\"", added+"\nvariable \"b\"")},
		{"after a named block", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Add(nil, newBlock, hcledit.After(hcledit.Named("variable")))
		}, replaceOnce("variable \"b\"", added+"\nvariable \"b\"")},
		{"before a named block, after an edit", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Relabel(block(f, 0), 0, "c").Add(nil, newBlock, hcledit.Before(hcledit.Named("locals")))
		}, func(s string) string {
			return replaceOnce("locals", added+"\nlocals")(replaceOnce(`"a"`, `"c"`)(s))
		}},
		{"an argument before a named one", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(block(f, 0), "new", 1, hcledit.Before(hcledit.Named("default")))
		}, replaceOnce("  default", "  new     = 1\n  default")},
		{"an argument after one", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Set(block(f, 0), "new", 1, hcledit.After(block(f, 0).Argument("type")))
		}, replaceOnce("  default", "  new     = 1\n  default")},
		{"an element before one", func(f *hclconfig.File, e *hcledit.Editor) {
			x := block(f, 1).Argument("x").Expression
			e.Insert(x, 0, hcledit.Before(x.Parts()[1]))
		}, replaceOnce("    2,", "    0,\n    2,")},
		{"an element last", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Insert(block(f, 1).Argument("x").Expression, 4)
		}, replaceOnce("    3\n", "    3,\n    4\n")},
		{"an item after a named one", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Insert(block(f, 2).Argument("y").Expression, hcledit.Entry{Key: "c d", Value: hcledit.Int(3)}, hcledit.After(hcledit.Named("a")))
		}, replaceOnce("a = 1, b", `a = 1, "c d" = 3, b`)},
		{"an item that is there", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Insert(block(f, 2).Argument("y").Expression, hcledit.Entry{Key: "b", Value: hcledit.Null()})
		}, replaceOnce("b = 2", "b = null")},
		{"the last element goes", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Delete(block(f, 1).Argument("x").Parts()[2])
		}, replaceOnce("    2,\n    3\n", "    2\n")},
		{"elements in another order", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Sort(block(f, 1).Argument("x").Expression, func(a, b hclconfig.Expression) int { return strings.Compare(b.Raw(), a.Raw()) })
		}, replaceOnce("    1, # one\n    2,\n    3\n", "    3,\n    2,\n    1 # one\n")},
		{"items in another order", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Sort(block(f, 2).Argument("y").Expression, func(a, b hclconfig.Expression) int { return strings.Compare(b.Raw(), a.Raw()) })
		}, replaceOnce("a = 1, b = 2", "b = 2, a = 1")},
		{"an element to the front", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, 1).Argument("x").Parts()[2], hcledit.First())
		}, replaceOnce("    1, # one\n    2,\n    3\n", "    3,\n    1, # one\n    2\n")},
		{"into a block and edited there", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, 2), hcledit.Into(e, block(f, 0))).Set(block(f, 2), "z", 1).Delete(block(f, 2).Argument("y"))
		}, func(s string) string {
			s, _, _ = strings.Cut(s, "\nlocals")
			return replaceOnce("  default = 1\n", "  default = 1\n\n  locals {\n    z = 1\n  }\n")(s)
		}},
		{"out of a block", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, 2), hcledit.Into(e, block(f, 0))).Move(block(f, 2), hcledit.Into(e, nil))
		}, func(s string) string { return s }},
		{"an argument to another block", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, 0).Argument("type"), hcledit.After(block(f, 1).Argument("x")))
		}, func(s string) string {
			return replaceOnce("  ]\n", "  ]\n  type = string\n")(replaceOnce("  type = string\n", "")(s))
		}},
		{"next to what moved", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Move(block(f, 2), hcledit.Before(block(f, 1))).Move(block(f, 0), hcledit.After(block(f, 2)))
		}, func(s string) string {
			i, j := strings.Index(s, "variable \"b\""), strings.Index(s, "locals")
			return s[j:] + "\n" + s[:i] + strings.TrimSuffix(s[i:j], "\n")
		}},
		{"a heredoc with a comment behind", func(f *hclconfig.File, e *hcledit.Editor) {
			e.Replace(block(f, 1).Argument("x").Expression, hcledit.Source("<<E\na\nE\n"))
		}, func(s string) string {
			i, j := strings.Index(s, "["), strings.Index(s, "]")
			return s[:i] + "<<E\na\nE" + s[j+1:]
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := mustParse(t, "a.tf", src)
			e := hcledit.Edit(f)
			c.edit(f, e)
			g, err := e.Apply()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want(src), string(g.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if b := e.Body(nil); b == nil || !slices.Equal(b.File().Bytes(), g.Bytes()) {
				t.Error("Body has another text")
			}
		})
	}
}

func replaceOnce(old, now string) func(string) string {
	return func(s string) string { return strings.Replace(s, old, now, 1) }
}

// TestElements inserts and removes elements of lists, items of objects and properties,
// however they are laid out.
func TestElements(t *testing.T) {
	type edit func(e *hcledit.Editor, b *hclconfig.Block)
	x := func(b *hclconfig.Block) hclconfig.Expression { return b.Argument("x").Expression }
	insert := func(value any, opts ...hcledit.InsertOption) edit {
		return func(e *hcledit.Editor, b *hclconfig.Block) { e.Insert(x(b), value, opts...) }
	}
	remove := func(i int) edit { return func(e *hcledit.Editor, b *hclconfig.Block) { e.Delete(x(b).Parts()[i]) } }
	item := hcledit.Entry{Key: "a", Value: hcledit.Int(9)}
	heredoc := hcledit.Source("<<E\nt\nE\n")
	for _, c := range []struct {
		name, file, in string
		edit           edit
		want           string // or "!" and a part of the error
	}{
		{"into an empty list", "a.tf", "[]", insert(1), "[1]"},
		{"into an empty object", "a.tf", "{}", insert(item), "{ a = 9 }"},
		{"into a list of comments", "a.tf", "[\n    # none\n  ]", insert(1), "[\n    # none\n    1,\n  ]"},
		{"behind a comma", "a.tf", "[1,]", insert(2), "[1, 2,]"},
		{"before on one line", "a.tf", "[1]", insert(2, hcledit.First()), "[2, 1]"},
		{"a heredoc into an empty list", "a.tf", "[]", insert(heredoc), "[\n    <<E\nt\nE\n  ]"},
		{"a heredoc into one line", "a.tf", "[1]", insert(heredoc), "[1, (<<E\nt\nE\n  )]"},
		{"a heredoc into lines", "a.tf", "[\n    1,\n  ]", insert(heredoc), "[\n    1,\n    <<E\nt\nE\n    ,\n  ]"},
		{"behind a heredoc", "a.tf", "[\n    <<E\nt\nE\n  ]", insert(1), "[\n    <<E\nt\nE\n    ,\n    1\n  ]"},
		{"an argument of a call", "a.tf", "f(a)", insert(1, hcledit.First()), "f(1, a)"},
		{"an argument of a call that is a key", "a.tf", "{ ( f(a) ) = 1 }", func(e *hcledit.Editor, b *hclconfig.Block) { e.Insert(x(b).Parts()[0], 1) }, "{ ( f(a, 1) ) = 1 }"},
		{"the only argument of a call that is a key", "a.tf", "{ (f(a)) = 1 }", func(e *hcledit.Editor, b *hclconfig.Block) { e.Delete(x(b).Parts()[0].Parts()[0]) }, "{ (f()) = 1 }"},
		{"into an expanded call", "a.tf", "f(a...)", insert(1), "!expanded"},
		{"a value into an object", "a.tf", "{}", insert(1), "!an object takes an Entry"},
		{"an item into a list", "a.tf", "[]", insert(item), "!an object takes an Entry"},
		{"into a number", "a.tf", "1", insert(1), "!not written as a list"},
		{"what cannot be written", "a.tf", "[]", insert(struct{}{}), "!cannot be written"},
		{"next to nothing", "a.tf", "{ b = 1 }", insert(item, hcledit.Before(hcledit.Named("c"))), "!no such element"},
		{"the only element", "a.tf", "[1]", remove(0), "[]"},
		{"the only element with a comment", "a.tf", "[ # c\n    1\n  ]", remove(0), "[ # c\n  ]"},
		{"the last on one line", "a.tf", "[1, 2]", remove(1), "[1]"},
		{"an item of many lines", "a.tf", "{\n    b = 1\n\n    c = 2 # d\n  }", func(e *hcledit.Editor, b *hclconfig.Block) {
			m, _ := x(b).Members()
			e.Delete(m[1])
		}, "{\n    b = 1\n  }"},
		{"into an empty array", "a.tf.json", "[]", insert("${b}"), `["$${b}"]`},
		{"into an array", "a.tf.json", "[1, 2]", insert(3, hcledit.First()), "[3, 1, 2]"},
		{"a property", "a.tf.json", `{"b": 1}`, insert(item), `{"b": 1, "a": 9}`},
		{"a property that is there", "a.tf.json", `{"a": {"b": 1}}`, insert(item), `{"a": 9}`},
		{"a value into a JSON object", "a.tf.json", "{}", insert(1), "!an object takes an Entry"},
		{"a property into an array", "a.tf.json", "[]", insert(item), "!an object takes an Entry"},
		{"into a JSON number", "a.tf.json", "1", insert(1), "!an object takes an Entry"},
		{"next to no property", "a.tf.json", `{"b": 1}`, insert(item, hcledit.After(hcledit.Named("c"))), "!nothing of that name"},
		{"the only property", "a.tf.json", `{"b": 1}`, func(e *hcledit.Editor, b *hclconfig.Block) {
			m, _ := x(b).Members()
			e.Delete(m[0])
		}, "{}"},
		{"an array sorted", "a.tf.json", `["c", "b"]`, func(e *hcledit.Editor, b *hclconfig.Block) {
			e.Sort(x(b), func(a, b hclconfig.Expression) int { return strings.Compare(a.Raw(), b.Raw()) })
		}, `["b", "c"]`},
		{"a number sorted", "a.tf.json", `1`, func(e *hcledit.Editor, b *hclconfig.Block) {
			e.Sort(x(b), func(a, b hclconfig.Expression) int { return 0 })
		}, "!not written as a list"},
		{"a property name by a number", "a.tf.json", `{"b": 1}`, func(e *hcledit.Editor, b *hclconfig.Block) { e.Replace(x(b).Parts()[0], 1) }, "!a text as its name"},
		{"an argument renamed", "a.tf.json", `1`, func(e *hcledit.Editor, b *hclconfig.Block) { e.Rename(b, "x", "x").Rename(b, "y", "z") }, "!no argument"},
		{"renamed to one that is there", "a.tf.json", `1, "y": 2`, func(e *hcledit.Editor, b *hclconfig.Block) { e.Rename(b, "x", "y") }, "!already an argument"},
		{"an argument moved", "a.tf.json", `1, "y": 2`, func(e *hcledit.Editor, b *hclconfig.Block) { e.Move(b.Argument("x"), hcledit.Last()) }, ""},
	} {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			wrap := func(s string) string { return "locals {\n  x = " + s + "\n}\n" }
			if c.file == "a.tf.json" {
				wrap = func(s string) string { return `{"locals": {"x": ` + s + `}}` }
			}
			f := mustParse(t, c.file, wrap(c.in))
			e := hcledit.Edit(f)
			c.edit(e, f.Body().Block("locals"))
			g, err := e.Apply()
			want := wrap(c.want)
			if c.want == "" {
				want = `{"locals": {"y": 2, "x": 1}}`
			}
			if why, ok := strings.CutPrefix(c.want, "!"); ok {
				if err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("%v, not %s", err, why)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, string(g.Bytes())); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
