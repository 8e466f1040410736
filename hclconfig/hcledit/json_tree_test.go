// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// randomJSON returns a file in JSON: arguments, lists, objects and blocks, in some layout.
func randomJSON(r *rand.Rand) string {
	nl, colon := "\n", ": "
	if r.IntN(4) == 0 {
		nl, colon = "", ":"
	}
	var b strings.Builder
	serial := 0
	var value func(level int, indent string)
	items := func(open, shut, indent string, n int, item func(i int)) {
		b.WriteString(open)
		for i := range n {
			if i > 0 {
				b.WriteString(",")
			}
			if nl != "" {
				b.WriteString(nl + indent + "  ")
			}
			item(i)
		}
		if n > 0 && nl != "" {
			b.WriteString(nl + indent)
		}
		b.WriteString(shut)
	}
	value = func(level int, indent string) {
		serial++
		switch n := r.IntN(6); {
		case n == 0 && level < 3:
			items("[", "]", indent, r.IntN(5), func(int) { value(level+1, indent+"  ") })
		case n == 1 && level < 3:
			items("{", "}", indent, r.IntN(5), func(i int) {
				fmt.Fprintf(&b, "%q%s", fmt.Sprint("k", i), colon)
				value(level+1, indent+"  ")
			})
		case n == 2:
			fmt.Fprintf(&b, "%q", fmt.Sprintf("${var.v%d}", serial))
		case n == 3:
			fmt.Fprintf(&b, "%d", serial)
		default:
			fmt.Fprintf(&b, "%q", fmt.Sprint("text [", serial))
		}
	}
	items("{", "}", "", 2, func(i int) {
		fmt.Fprintf(&b, "%q%s", [...]string{"locals", "resource"}[i], colon)
		if i == 0 {
			items("{", "}", "  ", 1+r.IntN(6), func(i int) {
				fmt.Fprintf(&b, "%q%s", fmt.Sprint("a", i), colon)
				value(0, "    ")
			})
			return
		}
		items("{", "}", "  ", 1, func(int) {
			b.WriteString(`"x"` + colon)
			items("{", "}", "    ", 1+r.IntN(4), func(i int) {
				fmt.Fprintf(&b, "%q%s", fmt.Sprint("r", i), colon)
				items("{", "}", "      ", r.IntN(5), func(i int) {
					fmt.Fprintf(&b, "%q%s", fmt.Sprint("a", i), colon)
					value(0, "        ")
				})
			})
		})
	})
	return b.String() + nl
}

// randomEditJSON makes an edit of a part of f, as it was read.
func randomEditJSON(r *rand.Rand, e *Editor, f *hclconfig.File, serial int) {
	b := &f.Body().Blocks[r.IntN(len(f.Body().Blocks))]
	name := fmt.Sprint("a", r.IntN(8))
	value := []Value{Int(1), String("t"), Source("f(var.x)"), List(Int(1), String("[")), Object(Entry{"k", Int(1)})}[r.IntN(5)]
	if r.IntN(3) == 0 {
		c := &f.Body().Blocks[r.IntN(len(f.Body().Blocks))]
		switch kind := r.IntN(12); {
		case kind == 7 && b.Type != "locals":
			e.SetHeader(b, "resource", "x", fmt.Sprint("h", serial))
		case kind == 8 && b.Type != "locals":
			e.SetHeader(b, "resource", fmt.Sprint("y", r.IntN(3)), fmt.Sprint("r", serial))
		case kind == 9 && b.Type != "locals":
			e.Relabel(b, 0, fmt.Sprint("z", r.IntN(3)))
		case kind > 9 && len(b.Body.Arguments) > 0 && b != c:
			e.Move(&b.Body.Arguments[r.IntN(len(b.Body.Arguments))], Into(e, c))
		case kind < 2:
			e.Set(b, name, value)
		case kind == 2:
			e.Remove(b, name)
		case kind == 3:
			e.Add(nil, NewBlock("resource", "x", fmt.Sprint("n", serial)).Set("a1", value))
		case kind == 4 && b.Type != "locals":
			e.Relabel(b, 1, fmt.Sprint("l", serial))
		case kind == 5 && len(b.Body.Arguments) > 0:
			e.Rename(b, b.Body.Arguments[0].Name, fmt.Sprint("m", serial))
		default:
			e.Add(b, NewBlock("nested").Set("a", value))
		}
		return
	}
	var all []hclconfig.Expression
	for a := range f.Body().AllArguments() {
		for x := range a.All() {
			all = append(all, x)
		}
	}
	if len(all) == 0 {
		return
	}
	x := all[r.IntN(len(all))]
	parts := x.Parts()
	where := func(p []Part) []Placement {
		if len(p) == 0 || r.IntN(2) == 0 {
			return nil
		}
		return []Placement{[...]func(Part) Placement{Before, After}[r.IntN(2)](p[r.IntN(len(p))])}
	}
	var list []Part
	switch x.Form() {
	case hclconfig.FormList:
		for _, p := range parts {
			list = append(list, p)
		}
	case hclconfig.FormObject:
		members, _ := x.Members()
		for _, m := range members {
			list = append(list, m)
		}
	default:
		if x.File() == f {
			e.Replace(x, value)
		}
		return
	}
	switch kind := r.IntN(6); {
	case kind == 0 && len(list) > 0:
		e.Delete(list[r.IntN(len(list))])
	case kind == 1 && len(list) > 0:
		e.Move(list[r.IntN(len(list))], optionsOf[MoveOption](where(list)...)...)
	case kind == 2:
		e.Sort(x, func(a, b hclconfig.Expression) int { return strings.Compare(b.Raw(), a.Raw()) })
	case kind == 3:
		e.Wrap(x, "f(_)")
	case x.Form() == hclconfig.FormObject:
		e.Insert(x, Entry{fmt.Sprint("k", r.IntN(9)), value}, optionsOf[InsertOption](where(list)...)...)
	default:
		e.Insert(x, value, optionsOf[InsertOption](where(list)...)...)
	}
}

// TestPartsOfAnyAge makes edits with parts of the first file in an editor that nobody asks for the
// text, and in one that is asked after each edit. The results are the same, and every part of the
// first file is what it is in the other editor.
func TestPartsOfAnyAge(t *testing.T) {
	seed := depth.Seed(t)
	edits, parts := 0, 0
	for trial := range depth.Of(600, 20000, 200000) {
		text := randomJSON(rand.New(rand.NewPCG(seed, uint64(trial))))
		f, err := hclconfig.ParseJSON("x.tf.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		quiet, asked := Edit(f), Edit(f)
		for i := range 2 + trial%9 {
			before := quiet.doc.root.String()
			for _, e := range []*Editor{quiet, asked} {
				randomEditJSON(rand.New(rand.NewPCG(uint64(trial), uint64(i))), e, f, i)
			}
			if (quiet.Err() == nil) != (asked.Err() == nil) {
				t.Fatalf("trial %d, edit %d of\n%s\n%v, and %v", trial, i, before, quiet.Err(), asked.Err())
			}
			if quiet.Err() != nil {
				break
			}
			edits++
			g, err := asked.Apply()
			if err != nil {
				t.Fatalf("trial %d, edit %d of\n%s\n%v", trial, i, before, err)
			}
			if a, b := quiet.doc.root.String(), string(g.Bytes()); a != b {
				t.Fatalf("trial %d, edit %d of\n%s\nnot asked:\n%s\nasked:\n%s", trial, i, before, a, b)
			}
			for a := range f.Body().AllArguments() {
				for x := range a.All() {
					s, _, ok1 := quiet.doc.find(f, spanOf(x))
					r, _, ok2 := asked.doc.find(f, spanOf(x))
					if ok1 != ok2 {
						t.Fatalf("trial %d, edit %d of\n%s\nthe part %s is there: %v, %v", trial, i, before, x.Raw(), ok1, ok2)
					}
					if !ok1 {
						continue
					}
					parts++
					if a, _ := s.textNow(); a != first(r.textNow()) || s.n.span() != r.n.span() {
						t.Fatalf("trial %d, edit %d of\n%s\nthe part %s is %s, and %s", trial, i, before, x.Raw(), a, first(r.textNow()))
					}
				}
			}
		}
	}
	t.Logf("%d edits, %d parts", edits, parts)
	if edits < 1000 || parts < edits {
		t.Errorf("only %d edits, %d parts", edits, parts)
	}
}

func first(text string, _ hclconfig.Syntax) string { return text }

// TestEditsOfOneObjectInProportion counts how much memory many edits of one object take, and of one
// array: no edit copies what it is not about.
func TestEditsOfOneObjectInProportion(t *testing.T) {
	prepare := func(name string, n int) func() {
		var b strings.Builder
		b.WriteString("{\n  \"locals\": {")
		for i := range n {
			fmt.Fprintf(&b, "\n    \"a%d\": %d,", i, i)
		}
		b.WriteString("\n    \"list\": [0")
		for i := range n {
			fmt.Fprintf(&b, ", %d", i)
		}
		b.WriteString("]\n  },\n  \"resource\": {\n    \"x\": {\n      \"other\": {\n        \"k\": 1\n      }")
		for i := range n {
			fmt.Fprintf(&b, ",\n      \"r%d\": {\n        \"k\": 1\n      }", i)
		}
		b.WriteString("\n    }\n  }\n}\n")
		f, err := hclconfig.ParseJSON("x.tf.json", []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		return func() {
			e := Edit(f)
			in := &f.Body().Blocks[0]
			list := in.Argument("list").Expression
			parts := list.Parts()
			for i := range n {
				a := fmt.Sprint("a", i)
				switch name {
				case "set":
					e.Set(in, a, "x")
				case "add":
					e.Set(in, "b"+a, i)
				case "remove":
					e.Remove(in, a)
				case "rename":
					e.Rename(in, a, "b"+a)
				case "insert":
					e.Insert(list, i, Before(parts[i]))
				case "move":
					e.Move(parts[i], After(parts[n]))
				case "move argument":
					e.Move(in.Argument(a), Last())
				case "move into":
					e.Move(in.Argument(a), Into(e, &f.Body().Blocks[1]))
				case "move block":
					e.Move(&f.Body().Blocks[2+i], Last())
				case "label":
					e.SetHeader(&f.Body().Blocks[2+i], "resource", "x", "l"+a)
				case "header":
					e.SetHeader(&f.Body().Blocks[2+i], "resource", "y", "l"+a)
				case "relabel":
					e.Relabel(&f.Body().Blocks[2+i], 1, "l"+a)
				case "wrap":
					e.Wrap(in.Argument(a).Expression, "f(_)")
				case "block":
					e.Add(nil, NewBlock("output", a).Set("value", i))
				case "mixed":
					e.Delete(parts[i]).Insert(list, i).Set(in, "b"+a, i).Remove(in, a)
				}
			}
			if e.Err() != nil {
				t.Fatal(e.Err())
			}
		}
	}
	for _, name := range []string{
		"set", "add", "remove", "rename", "insert", "move", "move argument", "move into", "move block", "label", "relabel", "header", "wrap", "block", "mixed",
	} {
		bounds.Growth(t, name, 200, 2, 2.4, func(n int) func() { return prepare(name, n) })
	}
}

// TestLongStrings edits files with long strings, in which there are brackets: the layout is
// looked for in the beginning of a file only.
func TestLongStrings(t *testing.T) {
	for _, size := range []int{styleBytes - 60, styleBytes - 20, styleBytes, 2 * styleBytes} {
		for _, text := range []string{"[" + strings.Repeat("x", size), strings.Repeat("x", size) + "[", strings.Repeat("[", size), strings.Repeat(`\"`, size/2)} {
			f, err := hclconfig.ParseJSON("x.tf.json", []byte("{\n  \"locals\": {\n    \"a\": \""+text+"\"\n  }\n}\n"))
			if err != nil {
				t.Fatal(err)
			}
			e := Edit(f)
			e.Set(&f.Body().Blocks[0], "b", []int{1, 2})
			out, err := e.Apply()
			if err != nil || !strings.HasSuffix(string(out.Bytes()), "\",\n    \"b\": [1, 2]\n  }\n}\n") {
				t.Errorf("%d: %v: %.100q", size, err, out.Bytes()[max(0, len(out.Bytes())-60):])
			}
		}
	}
}

// TestWrappedList: the elements of a JSON list in a call are native syntax. They are not taken for the ones that were read, even
// if both look alike.
func TestWrappedList(t *testing.T) {
	for _, text := range []string{`{"locals":{"a":[3]}}`, `{"locals":{"a":[3,4]}}`} {
		f, err := hclconfig.ParseJSON("x.tf.json", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		list := f.Body().Blocks[0].Body.Arguments[0].Expression
		e := Edit(f).Wrap(list, "f(_)").Replace(list.Parts()[0], List(Int(1), String("[")))
		if _, err := e.Apply(); err == nil || !strings.Contains(err.Error(), "it was removed by an earlier edit") {
			t.Errorf("%s: %v", text, err)
		}
		g, err := Edit(f).Wrap(list, "f(_)").Wrap(list, "g(_)").Apply()
		if err != nil || !strings.Contains(string(g.Bytes()), `"${g(f([3`) {
			t.Errorf("%s wrapped twice: %v", text, err)
		}
	}
}

// TestJSONStringGone makes edits of code in a string in whose place there is no string any more.
func TestJSONStringGone(t *testing.T) {
	for _, value := range []any{1, []int{1}, nil, map[string]int{"a": 1}} {
		f, err := hclconfig.ParseJSON("x.tf.json", []byte(`{"locals": {"a": "${[2, 1]}"}}`))
		if err != nil {
			t.Fatal(err)
		}
		x := f.Body().Blocks[0].Argument("a").Expression
		e := Edit(f).Replace(x, value)
		e.Sort(x, func(a, b hclconfig.Expression) int { return 0 }).Insert(x, 3)
		if err := e.Err(); err == nil || !errors.Is(err, ErrEdit) {
			t.Errorf("%v in the place of the string: the error is %v", value, err)
		}
	}
}
