// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// randomBlock returns a block with the layout of fmt: arguments, blocks, lists, objects and
// calls, with comments at most places.
func randomBlock(r *rand.Rand) string {
	var b strings.Builder
	serial := 0
	note := func(one int, before string) {
		if r.IntN(one) == 0 {
			serial++
			fmt.Fprintf(&b, "%s# c%d", before, serial)
		}
	}
	var value func(level int)
	item := func(level int, key string, comma bool) {
		note(5, "\n")
		b.WriteString("\n" + key)
		value(level + 1)
		if comma {
			b.WriteString(",")
		}
		note(3, " ")
	}
	value = func(level int) {
		serial++
		switch n := r.IntN(9); {
		case n < 3 && level < 3:
			open, shut := [...]string{"[", "{", "f("}[n], [...]string{"]", "}", ")"}[n]
			if n < 2 && r.IntN(4) == 0 { // it is one argument of several, and shares its first and last lines
				open, shut = "f(1, "+open, shut+")"
			}
			b.WriteString(open)
			note(6, " ")
			items := r.IntN(7)
			comma := n != 1 || r.IntN(2) == 0
			for i := range items {
				key := ""
				if n == 1 {
					key = fmt.Sprintf("k%d = ", serial*10+i)
				}
				item(level, key, comma && (i < items-1 || n != 2))
				if r.IntN(6) == 0 {
					b.WriteString("\n")
				}
			}
			b.WriteString("\n" + shut)
		case n == 3:
			fmt.Fprintf(&b, "[%d, %d]", serial, serial+1)
		case n == 4:
			fmt.Fprintf(&b, "{ a = %d, b = var.b }", serial)
		case n == 5:
			fmt.Fprintf(&b, "\"x-${var.v%d}\"", serial)
		case n == 6 && level == 0:
			fmt.Fprintf(&b, "<<-EOT\n    text %d ${var.h}\n  EOT\n", serial)
		default:
			fmt.Fprintf(&b, "var.v%d", serial)
		}
	}
	var body func(level int)
	body = func(level int) {
		for range 1 + r.IntN(8) {
			serial++
			if r.IntN(6) == 0 {
				b.WriteString("\n")
			}
			note(4, "\n")
			if r.IntN(4) == 0 && level < 2 {
				if r.IntN(3) == 0 {
					fmt.Fprintf(&b, "\nb%d { a = 1 }", serial)
				} else {
					fmt.Fprintf(&b, "\nb%d {", serial)
					body(level + 1)
					b.WriteString("}")
				}
			} else {
				fmt.Fprintf(&b, "\n%s%d = ", strings.Repeat("a", 1+r.IntN(4)), serial)
				value(0)
			}
			if !strings.HasSuffix(b.String(), "\n") {
				note(4, " ")
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("locals {}\n\nresource \"x\" \"y\" {")
	body(0)
	b.WriteString("}\n\nlocals {}\n")
	return b.String()
}

// keptIn returns the option KeepLayout for some edits of some trials.
func keptIn(trial, i int) []option {
	if trial > 10 && trial%4 == 0 && (trial/4>>i)&1 == 0 {
		return optionsOf[option](KeepLayout())
	}
	return nil
}

// randomEdit makes an edit of a part of f, as it was read, with options.
func randomEdit(r *rand.Rand, e *Editor, f *hclconfig.File, opts ...option) string {
	values := []Value{
		Source("1"), Source("var.a_long_name"), Source(`"${f(1)}"`), List(Int(1), Int(2)), Source("[\n  1, # one\n  2,\n]"), Source("{\n  a = 1\n  bb = 2 // two\n}"),
		Source("<<EOT\n  heredoc\nEOT\n"), Source("a ? b : c"), Object(Entry{Key: "k", Value: Bool(true)}), Source("f(\n  1,\n  2\n)"),
	}
	v := values[r.IntN(len(values))]
	var blocks []*hclconfig.Block
	for b := range f.Body().All() {
		if b.Type != "locals" {
			blocks = append(blocks, b)
		}
	}
	b := blocks[r.IntN(len(blocks))]
	name := [...]string{"z", "added", "count", "depends_on", "a_rather_long_name"}[r.IntN(5)]
	var a *hclconfig.Argument
	if len(b.Body.Arguments) > 0 {
		a = &b.Body.Arguments[r.IntN(len(b.Body.Arguments))]
	}
	pick := func() hclconfig.Expression {
		nodes := slices.Collect(a.All())
		return nodes[r.IntN(len(nodes))]
	}
	where := func(parts []Part) []Placement {
		out := optionsOf[Placement](opts...)
		switch n := r.IntN(5); {
		case n == 0:
			return append(out, First())
		case n < 3 && len(parts) > 0:
			return append(out, [...]func(Part) Placement{Before, After}[n-1](parts[r.IntN(len(parts))]))
		}
		return out
	}
	if a != nil && r.IntN(4) == 0 {
		x := pick()
		if v = (Value{form: formExpression, expr: &x}); r.IntN(2) == 0 {
			v = Function("g", v)
		}
	}
	next := func() []Placement {
		var parts []Part
		for i := range b.Body.Arguments {
			parts = append(parts, &b.Body.Arguments[i])
		}
		for i := range b.Body.Blocks {
			parts = append(parts, &b.Body.Blocks[i])
		}
		return where(parts)
	}
	kind := r.IntN(18)
	if a == nil && kind > 2 {
		kind = 0
	}
	if kind > 13 {
		return randomMove(r, e, b, a, blocks, where, opts)
	}
	switch kind {
	case 0:
		if name == "depends_on" {
			v = List(Source("x.y"))
		}
		e.Set(b, name, v, optionsOf[SetOption](next()...)...)
	case 1:
		e.Add(b, NewBlock([...]string{"lifecycle", "ingress"}[r.IntN(2)]), optionsOf[AddOption](next()...)...)
	case 2:
		if b != blocks[0] {
			e.Delete(b)
		}
	case 3:
		e.Set(b, a.Name, v, optionsOf[SetOption](opts...)...)
	case 4:
		e.Remove(b, a.Name, append(optionsOf[RemoveOption](opts...), [][]RemoveOption{nil, {KeepComments()}}[r.IntN(2)]...)...)
	case 5:
		e.Rename(b, a.Name, name)
	case 6:
		x := pick()
		// fmt itself does not keep the layout of a heredoc in a template. Of a template over several lines in a heredoc it
		// does not count the brackets, and indents what is behind it by one more or one less.
		several := strings.Contains(a.Raw(), "<<") && (v.text == "" || strings.Contains(v.text, "\n"))
		if x.Form() != hclconfig.FormLiteral && !several && !(strings.Contains(a.Raw(), "${") && strings.Contains(v.text, "<<")) {
			e.Replace(x, v)
		}
	case 7:
		e.Wrap(a.Expression, "f(_)")
	case 8:
		if refs := a.Expression.References(); len(refs) > 0 {
			e.ReplaceReference(refs[r.IntN(len(refs))], "local.other.x")
		}
	case 9:
		e.SetComments(a, Comments{Above: []string{"above"}, Behind: "behind"})
	case 10:
		if b := f.Body().Blocks[0]; r.IntN(3) == 0 {
			e.Set(&b, "l", 1)
		} else {
			e.Move(a, append(optionsOf[MoveOption](opts...), Last())...)
		}
	case 11:
		e.Delete(a, optionsOf[DeleteOption](opts...)...)
	default:
		for range 4 {
			x := pick()
			parts := x.Parts()
			switch x.Form() {
			case hclconfig.FormList, hclconfig.FormCall:
				var all []Part
				for _, p := range parts {
					all = append(all, p)
				}
				if n := r.IntN(3); n > 0 || len(parts) == 0 {
					e.Insert(x, v, optionsOf[InsertOption](where(all)...)...)
				} else {
					e.Delete(parts[r.IntN(len(parts))], optionsOf[DeleteOption](opts...)...)
				}
				return fmt.Sprint(kind, " ", x.Range())
			case hclconfig.FormObject:
				members, _ := x.Members()
				var all []Part
				for _, m := range members {
					all = append(all, m)
				}
				if n := r.IntN(3); n > 0 || len(members) == 0 {
					e.Insert(x, Entry{Key: fmt.Sprintf("new%d", r.IntN(3)), Value: v}, optionsOf[InsertOption](where(all)...)...)
				} else {
					e.Delete(members[r.IntN(len(members))], optionsOf[DeleteOption](opts...)...)
				}
				return fmt.Sprint(kind, " ", x.Range())
			}
		}
	}
	return fmt.Sprint(kind, " ", b.Type, " ", name)
}

// randomMove moves or sorts something of the block b, such as the argument a.
func randomMove(r *rand.Rand, e *Editor, b *hclconfig.Block, a *hclconfig.Argument, blocks []*hclconfig.Block, where func(parts []Part) []Placement, opts []option) string {
	var parts []Part
	for i := range b.Body.Arguments {
		parts = append(parts, &b.Body.Arguments[i])
	}
	for i := range b.Body.Blocks {
		parts = append(parts, &b.Body.Blocks[i])
	}
	kind := r.IntN(6)
	switch kind {
	case 0:
		e.Move(parts[r.IntN(len(parts))], optionsOf[MoveOption](where(parts)...)...)
	case 1:
		e.Move(a, optionsOf[MoveOption](append(where(parts), Last())...)...)
	case 2:
		e.Move(parts[r.IntN(len(parts))], append(optionsOf[MoveOption](opts...), Into(e, blocks[r.IntN(len(blocks))]))...)
	default:
		nodes := slices.Collect(a.All())
		for range 4 {
			x := nodes[r.IntN(len(nodes))]
			var all []Part
			switch x.Form() {
			case hclconfig.FormList, hclconfig.FormCall:
				for _, p := range x.Parts() {
					all = append(all, p)
				}
			case hclconfig.FormObject:
				members, _ := x.Members()
				for _, m := range members {
					all = append(all, m)
				}
			}
			switch {
			case len(all) == 0:
			case kind == 3:
				e.Sort(x, func(a, b hclconfig.Expression) int { return strings.Compare(b.Raw(), a.Raw()) })
				return fmt.Sprint("sort ", x.Range())
			default:
				e.Move(all[r.IntN(len(all))], optionsOf[MoveOption](where(all)...)...)
				return fmt.Sprint("move ", x.Range())
			}
		}
	}
	return fmt.Sprint("move ", kind, " ", b.Type)
}

var shortList, equals = regexp.MustCompile(`\[(\d+), (\d+)\]`), regexp.MustCompile(`(?m)^( *\w+) +=`)

// otherLayout gives a text in the layout of fmt longer lists on one line, or equals signs that are
// not aligned.
func otherLayout(r *rand.Rand, text string) string {
	if r.IntN(2) == 0 {
		text = shortList.ReplaceAllString(text, "[$1, $2, f($1, 2), { a = $1, b = 2, c = 3, d = 4 }, $2]")
	}
	one := 1 + r.IntN(6)
	return equals.ReplaceAllStringFunc(text, func(line string) string {
		if r.IntN(one) > 0 {
			return line
		}
		return strings.TrimRight(line, " =") + strings.Repeat(" ", 1+r.IntN(6)) + "="
	})
}

var indentation, lastComma = regexp.MustCompile(`(?m)^ +`), regexp.MustCompile(`,((?: +# c\d+)?\n\s*\])`)

// otherBytes gives a text in the layout of fmt another indentation, other line breaks or a byte
// order mark, or takes the commas behind the last elements.
func otherBytes(r *rand.Rand, text string) string {
	if r.IntN(3) == 0 {
		text = lastComma.ReplaceAllString(text, "$1")
	}
	if unit := [...]string{"", "\t", "    ", " ", "  "}[r.IntN(5)]; r.IntN(3) == 0 {
		text = indentation.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat(unit, len(s)/2) })
	}
	if r.IntN(5) == 0 {
		text = strings.ReplaceAll(text, "= var.", "= /* c */ var.")
	}
	if r.IntN(3) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if r.IntN(4) == 0 {
		text = bom + text
	}
	return text
}

var heredocInTemplate = regexp.MustCompile(`\$\{[^}]*<<`)

// kidsFault says what is wrong with what an editor knows of the long blocks, or "".
func kidsFault(e *Editor) string {
	var look func(u *kid) string
	look = func(u *kid) string {
		start, end, ok := e.long().placeOfKid(u)
		if !ok {
			return "the unit " + u.name + " is lost"
		}
		for i, k := range u.kids {
			from, to, ok := e.long().placeOfKid(k)
			if !ok || from < start || to > end || !strings.HasPrefix(string(e.d.slice(from, to)), k.name) {
				return fmt.Sprintf("kid %d of %s is not %s", i, u.name, k.name)
			}
			if fault := look(k); len(k.kids) > 0 && fault != "" {
				return fault
			}
			start = to
		}
		return ""
	}
	if e.Err() != nil || e.shuffled.c != nil { // the order is not written yet
		return ""
	}
	for _, l := range e.longs {
		if l.kids == nil || l.off {
			continue
		}
		if fault := look(&l.kid); fault != "" {
			return fault
		}
		start, end, _ := e.long().placeOfKid(&l.kid)
		f, err := hclconfig.ParseNative("x.tf", append(slices.Clone(e.d.slice(start, end)), '\n'))
		if err != nil {
			continue // Apply says so
		}
		if body := f.Body().Blocks[0].Body; len(body.Arguments)+len(body.Blocks) != len(l.kids) {
			return fmt.Sprintf("%d kids are known of %d", len(l.kids), len(body.Arguments)+len(body.Blocks))
		}
	}
	return ""
}

// TestLongBlocks wants the same of edits that read the lines around them, and lay out the
// block at the end, as of those that read and lay out the whole block each time.
func TestLongBlocks(t *testing.T) {
	defer func(n int) { longText = n }(longText)
	random := depth.Seed(t)
	known := [][2]uint64{{41, 11492}, {7211, 18688}, {31337, 499}, {91, 623}, {110, 236}, {119, 69}, {204, 57}, {7, 8579}, {7, 14231}, {8, 10039}} // they differed once
	windows, done := 0, 0
	for trial := range depth.Of(40, 1000, 20000) {
		seed := random
		if trial < len(known) {
			seed, trial = known[trial][0], int(known[trial][1])
		}
		src := randomBlock(rand.New(rand.NewPCG(seed, uint64(trial))))
		text, err := Format([]byte(src))
		if err != nil {
			t.Fatalf("%s\n%v", src, err)
		}
		if trial%2 == 1 {
			text = []byte(otherLayout(rand.New(rand.NewPCG(seed, uint64(trial))), string(text)))
		}
		opts := []EditOption{}
		if trial%3 > 0 && trial >= len(known) {
			r := rand.New(rand.NewPCG(seed, uint64(trial)))
			if text = []byte(otherBytes(r, string(text))); r.IntN(5) == 0 {
				opts = append(opts, KeepLayout())
			}
		}
		f, err := hclconfig.ParseNative("x.tf", text)
		if err != nil {
			t.Fatal(err)
		}
		editors := [2]*Editor{Edit(f, opts...), Edit(f, opts...)}
		var log []string
		n := 2 + trial%9
		for i := range n {
			for k, e := range editors {
				longText = [...]int{0, 1 << 30}[k]
				made := randomEdit(rand.New(rand.NewPCG(uint64(trial), uint64(i))), e, f, keptIn(trial, i)...)
				if k == 0 {
					log = append(log, made)
				}
				if e.window != nil {
					windows++
				}
			}
			if (editors[0].Err() == nil) != (editors[1].Err() == nil) {
				// An edit that reads a part may see a fault that the other one sees when all is done.
				if _, err := editors[1].Apply(); err == nil || editors[0].Err() == nil {
					t.Fatalf("trial %d: %s\n%q: read in parts: %v; as a whole: %v", trial, text, log, editors[0].Err(), editors[1].Err())
				}
			}
			if fault := kidsFault(editors[0]); fault != "" {
				t.Fatalf("trial %d: %s\n%q: %s", trial, text, log, fault)
			}
			if editors[0].Err() != nil {
				break
			}
		}
		if editors[0].Err() != nil {
			continue
		}
		a, err1 := editors[0].Apply()
		b, err2 := editors[1].Apply()
		if (err1 == nil) != (err2 == nil) {
			t.Fatalf("trial %d: %s\n%q: read in parts: %v; as a whole: %v", trial, text, log, err1, err2)
		}
		// See randomEdit: fmt itself does not keep the layout of a heredoc in a template.
		if err1 == nil && string(a.Bytes()) != string(b.Bytes()) && !heredocInTemplate.Match(b.Bytes()) {
			t.Fatalf("trial %d:\n%s\n%q: read in parts:\n%s\nas a whole:\n%s", trial, text, log, a.Bytes(), b.Bytes())
		}
		done++
	}
	t.Logf("%d sequences without an error, %d edits read a part of a block", done, windows)
	if windows < done {
		t.Errorf("only %d edits read a part", windows)
	}
}

// TestEditsInLongBlock has edits that need more than the lines around them.
func TestEditsInLongBlock(t *testing.T) {
	var b strings.Builder
	b.WriteString("resource \"x\" \"y\" {\n  nested {\n")
	for i := range 200 {
		fmt.Fprintf(&b, "    a%d = %d\n", i, i)
	}
	b.WriteString("  }\n}\nlocals {\n  a1 = 1\n  a2 = 2\n}\nresource \"x\" \"z\" {\n  a = 1\n  b = 2\n\n" + strings.Repeat("  # a comment that makes the block long\n", 50) + "}\n")
	text, err := Format([]byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	f, err := hclconfig.ParseNative("x.tf", text)
	if err != nil {
		t.Fatal(err)
	}
	block, locals := &f.Body().Blocks[0], &f.Body().Blocks[1]
	nested, emptied := &block.Body.Blocks[0], &f.Body().Blocks[2]
	for name, c := range map[string]struct {
		edit func(e *Editor)
		want string
	}{
		"a block comes first in a long one that has nothing any more": {
			func(e *Editor) {
				e.Set(emptied, "a", 2).Remove(emptied, "a").Remove(emptied, "b").Add(emptied, NewBlock("inner").Set("x", 1), First())
			},
			"  inner {\n    x = 1\n  }\n",
		},
		"an argument with another name moves, and a new one has its name": {
			func(e *Editor) {
				e.Rename(locals, "a1", "z").Set(locals, "a1", 3).Move(locals.Argument("a1"), Last())
			},
			"  a2 = 2\n  a1 = 3\n  z  = 1\n}\n",
		},
		"what moved within a long block is known there": {
			func(e *Editor) {
				e.Move(nested.Argument("a7"), Into(e, block)).Set(block, "end", 4).Move(nested.Argument("a8"), Into(e, block))
			},
			"{\n  a7  = 7\n  end = 4\n  a8  = 8\n  nested {\n",
		},
	} {
		e := Edit(f).Set(nested, "a5", 55) // from the second edit on a long block is known
		c.edit(e)
		g, err := e.Apply()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := string(g.Bytes()); !strings.Contains(got, c.want) {
			t.Errorf("%s: the result does not have\n%s: %s", name, c.want, got)
		}
	}
}

// optionsOf returns options as those of a verb.
func optionsOf[O any, T any](in ...T) []O {
	var out []O
	for _, o := range in {
		out = append(out, any(o).(O))
	}
	return out
}
