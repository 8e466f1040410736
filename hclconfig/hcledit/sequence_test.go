// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// An op is one edit, chosen by numbers. It can be made both in a sequence
// and by itself. It finds what it is about in what the editor says is there now.
type op struct{ kind, at, arg, extra uint8 }

const opKinds = 15

// newNames are the names of new arguments.
var newNames = []string{"z", "added", "a_rather_long_name_of_an_argument", "count", "depends_on"}

// values are the values that edits set.
var values = []any{
	1, "text ${x}", []string{"a", "b"}, map[string]any{"k": 1, "long_key": "v"}, hcledit.Source("var.x"), hcledit.Template("a-${var.b}"),
	hcledit.Source("<<-EOT\n  a\n  EOT\n"), hcledit.List(hcledit.Object(hcledit.Entry{Key: "a", Value: hcledit.Int(1)})),
	hcledit.Function("f", hcledit.Source("a ? b : c"), 1), nil,
}

// apply makes the edit. body says what is there; it is the editor's own Body in a
// sequence.
func (o op) apply(e *hcledit.Editor, body *hclconfig.Body) {
	blocks := slices.Collect(body.All())
	if len(blocks) == 0 {
		e.Add(nil, hcledit.NewBlock("locals").Set("n", 1))
		return
	}
	b := blocks[int(o.at)%len(blocks)]
	value := values[int(o.extra)%len(values)]
	name := newNames[int(o.extra)%len(newNames)]
	args := b.Body.Arguments
	var a *hclconfig.Argument
	if len(args) > 0 {
		a = &args[int(o.arg)%len(args)]
	}
	switch o.kind % opKinds {
	case 0:
		if b.Type == "locals" || b.Type == "resource" || b.Type == "module" {
			e.Set(b, name, value)
		}
	case 1:
		if a != nil && b.Argument(a.Name) == a && a.Kind() == hclconfig.KindExpression {
			e.Set(b, a.Name, value)
		}
	case 2:
		if a != nil && a.Kind() == hclconfig.KindExpression && b.Argument(name) == nil {
			e.Rename(b, a.Name, name)
		}
	case 3:
		if a != nil {
			e.Remove(b, a.Name)
		}
	case 4:
		e.Add(nil, hcledit.NewBlock("output", name).Set("value", 1).Comment("why"))
	case 5:
		if b.Type == "resource" {
			e.Add(b, hcledit.NewBlock("lifecycle").Set("create_before_destroy", true))
		}
	case 6:
		if len(blocks) > 1 {
			e.Delete(b)
		}
	case 7:
		if a != nil {
			e.Move(a, []hcledit.Placement{hcledit.First(), hcledit.Last(), hcledit.After(&args[0])}[o.extra%3])
		}
	case 8:
		if roots := body.Blocks; len(roots) > 1 {
			b := &roots[int(o.at)%len(roots)]
			if b.File().Syntax() == hclconfig.JSONSyntax && b.Type != roots[int(o.arg)%len(roots)].Type {
				break // it is in another property
			}
			e.Move(b, []hcledit.Placement{hcledit.Last(), hcledit.Before(&roots[int(o.arg)%len(roots)])}[o.extra%2])
		}
	case 9:
		if a != nil && a.Kind() == hclconfig.KindExpression {
			nodes := slices.Collect(a.All())
			x := nodes[int(o.extra)%len(nodes)]
			if x.Form() != hclconfig.FormLiteral && x.Form() != hclconfig.FormInvalid && !strings.Contains(a.Raw(), "%{") {
				e.Replace(x, value)
			}
		}
	case 10:
		if a != nil && a.Kind() == hclconfig.KindExpression {
			switch a.Form() {
			case hclconfig.FormList:
				e.Insert(a.Expression, value, []hcledit.Placement{hcledit.First(), hcledit.Last()}[o.at%2])
			case hclconfig.FormObject:
				e.Insert(a.Expression, hcledit.Entry{Key: name, Value: hcledit.Int(7)})
			}
		}
	case 11:
		if a != nil && a.Kind() == hclconfig.KindExpression {
			if f := sortable(a).Form(); f == hclconfig.FormList || f == hclconfig.FormObject {
				e.Sort(sortable(a), func(x, y hclconfig.Expression) int { return strings.Compare(x.Raw(), y.Raw()) })
			}
		}
	case 12:
		if a != nil {
			if parts := a.Parts(); a.Form() == hclconfig.FormList && len(parts) > 0 {
				e.Delete(parts[int(o.extra)%len(parts)])
			}
		}
	case 14:
		if roots := body.Blocks; len(roots) > 0 {
			if b := &roots[int(o.at)%len(roots)]; len(b.Labels) > 0 {
				e.Relabel(b, int(o.arg)%len(b.Labels), name)
			}
		}
	case 13:
		if b.File().Syntax() == hclconfig.NativeSyntax && a != nil {
			c := hcledit.CommentsOf(a)
			c.Above = append(c.Above, "new")
			e.SetComments(a, c)
		}
	}
}

// sortable returns the list or object that a is, or an expression that Sort takes.
func sortable(a *hclconfig.Argument) hclconfig.Expression {
	for x := range a.All() {
		if f := x.Form(); f == hclconfig.FormList || f == hclconfig.FormObject {
			if a.File().Syntax() == hclconfig.JSONSyntax && x.Raw() != "" && x.Raw()[0] != '[' && x.Raw()[0] != '{' {
				continue
			}
			return x
		}
	}
	return a.Expression
}

// checkSequence makes edits in one editor, and one after the other with the text
// parsed anew each time, and wants the same. It returns the error that the sequence ends
// with, if there is one.
func checkSequence(t *testing.T, name string, src []byte, ops []op) error {
	f, err := hclconfig.Parse(name, src)
	if err != nil {
		return nil
	}
	e := hcledit.Edit(f)
	single := f
	for i, o := range ops {
		body := e.Body(nil)
		if body == nil {
			t.Fatalf("%q: after %v: %v", src, ops[:i], e.Err())
		}
		o.apply(e, body)
		once := hcledit.Edit(single)
		o.apply(once, single.Body())
		next, err := once.Apply()
		if (err != nil) != (e.Err() != nil) {
			t.Fatalf("%q\n%v: alone %v, in a sequence %v", src, ops[:i+1], err, e.Err())
		}
		if err != nil {
			if !errors.Is(err, hcledit.ErrEdit) || strings.Contains(err.Error(), "not be valid") {
				t.Fatalf("%q\n%v: %v", single.Bytes(), o, err)
			}
			return err
		}
		single = next
	}
	g, err := e.Apply()
	if err != nil {
		t.Fatalf("%q\n%v: %v", src, ops, err)
	}
	if !bytes.Equal(g.Bytes(), single.Bytes()) {
		t.Fatalf("%q\n%v:\nin a sequence %s\none by one %s", src, ops, g.Bytes(), single.Bytes())
	}
	return nil
}

// TestSequences also counts the sequences that end with an error: an edit that cannot be
// made is rare, in both syntaxes.
func TestSequences(t *testing.T) {
	r := depth.Rand(t)
	n := depth.Of(2, 12, 100)
	made, refused := map[bool]int{}, map[bool]int{}
	reasons := map[string]int{}
	for _, fx := range configshow.Fixtures(t, "../testdata", "../hclconvert/testdata") {
		if len(fx.Src) > 4096 {
			continue
		}
		for range n {
			var ops []op
			for range 1 + r.IntN(8) {
				ops = append(ops, op{uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256)), uint8(r.UintN(256))})
			}
			name := "x.tf"
			if strings.HasSuffix(fx.Name, ".json") {
				name += ".json"
			}
			err := checkSequence(t, name, fx.Src, ops)
			if t.Failed() {
				return
			}
			isJSON := strings.HasSuffix(name, ".json")
			if made[isJSON]++; err != nil {
				refused[isJSON]++
				text := err.Error()
				reasons[text[strings.LastIndex(text, ": ")+2:]]++
			}
		}
	}
	t.Logf("of %d native sequences %d end with an error, of %d in JSON %d: %v", made[false], refused[false], made[true], refused[true], reasons)
	for isJSON, n := range refused {
		if n > made[isJSON]/100 {
			t.Errorf("%d of %d sequences end with an error: %v", n, made[isJSON], reasons)
		}
	}
}

func FuzzSequence(f *testing.F) {
	for _, fx := range configshow.Fixtures(f, "../testdata", "../hclconvert/testdata") {
		if len(fx.Src) < 1024 {
			f.Add(fx.Src, strings.HasSuffix(fx.Name, ".json"), []byte("0123abcdefgh"))
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, json bool, choices []byte) {
		if len(src) > 4096 {
			return // no longer than a fuzzer reads quickly
		}
		name := "x.tf"
		if json {
			name = "x.tf.json"
		}
		var ops []op
		for ; len(choices) >= 4 && len(ops) < 8; choices = choices[4:] {
			ops = append(ops, op{choices[0], choices[1], choices[2], choices[3]})
		}
		checkSequence(t, name, src, ops)
	})
}

// TestHandlesStayGood makes the same edits with parts of the first file only, which
// must find their places although the text has changed since.
func TestHandlesStayGood(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"x.tf", "locals {\n  a = 1\n  b = [1, 2]\n}\n\nresource \"x\" \"y\" {\n  c = var.a\n}\n",
			"resource \"x\" \"z\" {\n  long_name = 7\n  d         = 4\n  c         = var.q\n}\n\nlocals {\n  b = [3, 2, 1, 0]\n}\n"},
		{"x.tf.json", `{"locals": {"a": 1, "b": [1, 2]}, "resource": {"x": {"y": {"c": "${var.a}"}}}}`,
			`{"resource": {"x": {"z": {"long_name": 7, "d": 4, "c": "${var.q}"}}}, "locals": {"b": [3, 2, 1, 0]}}`},
	} {
		f := mustParse(t, c.name, c.src)
		locals, res := f.Body().Block("locals"), f.Body().Block("resource")
		list, _ := locals.Argument("b").Elements()
		e := hcledit.Edit(f)
		e.Move(locals, hcledit.Last())
		e.Set(res, "d", 3).Remove(locals, "a").Relabel(res, 1, "z").Insert(locals.Argument("b").Expression, 0)
		e.Set(res, "d", 4).Replace(list[0], 3).Move(list[1], hcledit.After(list[0])).Insert(locals.Argument("b").Expression, 1, hcledit.After(list[1]))
		e.ReplaceReference(res.Argument("c").References()[0], "var.q").Move(res.Argument("c"), hcledit.Last())
		e.Set(res, "e", 5).Rename(res, "e", "long_name").Set(res, "long_name", 7)
		e.Move(e.Body(res).Argument("long_name"), hcledit.First())
		g, err := e.Apply()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if string(g.Bytes()) != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, g.Bytes(), c.want)
		}
	}
}

// TestSortHeredocs sorts elements that end with a heredoc, which needs a line break
// behind it wherever it goes.
func TestSortHeredocs(t *testing.T) {
	const doc = "a ? b : <<-EOT\n  a\n  EOT\n"
	for _, c := range []struct{ name, src, want string }{
		{"x.tf", "locals {\n  a = f(" + doc + ", 1)\n}\n", "locals {\n  a = f(1\n    , a ? b : <<-EOT\n  a\n  EOT\n  )\n}\n"},
		{"x.tf", "locals {\n  a = [" + doc + ", 1]\n}\n", "locals {\n  a = [1\n    , a ? b : <<-EOT\n  a\n  EOT\n  ]\n}\n"},
		{"x.tf.json", `{"locals": {"a": "${f(a ? b : <<-EOT\n  a\n  EOT\n, 1)}"}}`, `{"locals": {"a": "${f(1\n, a ? b : <<-EOT\n  a\n  EOT\n)}"}}`},
	} {
		f := mustParse(t, c.name, c.src)
		e := hcledit.Edit(f)
		e.Sort(f.Body().Block("locals").Argument("a").Expression, func(x, y hclconfig.Expression) int { return strings.Compare(x.Raw(), y.Raw()) })
		if got := string(apply(t, e).Bytes()); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}
