// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// editMany makes n edits in a file with four times as many blocks, and returns how much text was
// parsed for them and how many steps it took to find places, and the file's size.
func editMany(t *testing.T, n int, back bool) (parsed, steps, size int) {
	var b strings.Builder
	for i := range 4 * n {
		fmt.Fprintf(&b, "# %d\nresource \"x\" \"r%d\" {\n  a    = %d\n  tags = { b = 1 }\n\n  c {\n    d = [1, 2]\n  }\n}\n\n", i, i, i)
	}
	f, err := hclconfig.ParseNative("x.tf", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	e := Edit(f)
	for i := range n {
		if back {
			i = n - 1 - i
		}
		r := &f.Body().Blocks[4*i]
		switch i % 8 {
		case 0:
			e.Set(r, "a", i)
		case 1:
			e.Set(r, "brand_new", i)
		case 2:
			e.Remove(r, "a")
		case 3:
			e.Rename(r, "a", "abc")
		case 4:
			e.Insert(r.Argument("tags").Expression, Entry{Key: "k", Value: Int(1)})
		case 5:
			e.Move(r.Argument("a"), Last())
		case 6:
			e.Move(r, After(&f.Body().Blocks[4*i+1]))
		case 7:
			e.Delete(r.Block("c"))
		}
	}
	if e.err != nil {
		t.Fatal(e.err)
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	return e.parsed, e.d.steps, len(out.Bytes())
}

// TestEditsInProportion counts what edits cost: all over a file, each costs as much as
// the block that it is in, not as much as the file or the edits before.
func TestEditsInProportion(t *testing.T) {
	for _, back := range []bool{false, true} {
		parsed1, steps1, size := editMany(t, 500, back)
		parsed2, steps2, _ := editMany(t, 1000, back)
		if parsed1 > 4*size || parsed2 > parsed1*5/2 {
			t.Errorf("%d bytes parsed in a file of %d, and %d in one twice as large", parsed1, size, parsed2)
		}
		if steps1 > 500*200 || steps2 > steps1*3 {
			t.Errorf("%d steps for 500 edits, %d for 1000", steps1, steps2)
		}
	}
}

// TestEditsThatReadTheBlock counts what edits cost that read the block around, or the file: each
// reads these a few times at most, and no edit reads another block.
func TestEditsThatReadTheBlock(t *testing.T) {
	const n = 50
	for _, c := range []struct {
		name, file, line string
		edit             func(e *Editor, b *hclconfig.Body, i int)
	}{
		{"header", "x.tf", "  a%05d = %d\n", func(e *Editor, b *hclconfig.Body, i int) {
			e.SetHeader(&b.Blocks[0], "resource", "x", fmt.Sprint("y", i))
		}},
	} {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, c.line, i, i)
		}
		src, size := b.String(), b.Len()
		if c.file == "x.tf" {
			block := "resource \"x\" \"y\" {\n" + src + "}\n\n"
			src, size = strings.Repeat(block, 20), len(block)
		}
		f, err := hclconfig.Parse(c.file, []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		e := Edit(f)
		for i := range n {
			c.edit(e, f.Body(), i)
		}
		if _, err := e.Apply(); err != nil {
			t.Fatal(err)
		}
		if most := n * size * 5 / 2; e.parsed > most || e.parsed < n*size/2 {
			t.Errorf("%s: %d bytes parsed for %d edits of %d bytes, want about as many as all edits together read", c.name, e.parsed, n, size)
		}
	}
}

// otherTexts are texts with arguments, or with a list.
var otherTexts = map[string]struct {
	file, head, line, list, element, tail string
	opts                                  []EditOption
}{
	"another indentation":               {file: "x.tf", head: "locals {\n", line: "    a%d=%d\n", tail: "}\n"},
	"tabs":                              {file: "x.tf", head: "locals {\n", list: "\tlist = [\n", element: "\t\t%d,\n", tail: "\t]\n}\n"},
	"line breaks of Windows":            {file: "x.tf", head: "locals {\r\n", line: "  a%d = %d\r\n", tail: "}\r\n"},
	"a byte order mark":                 {file: "x.tf", head: bom + "locals {\n", line: "  a%d = %d\n", tail: "}\n"},
	"a layout that is kept":             {file: "x.tf", head: "locals {\n", line: "  a%d   = %d\n", tail: "}\n", opts: []EditOption{KeepLayout()}},
	"a small block that is not aligned": {file: "x.tf", head: "locals {\n  b {\n    a = 1\n    bbb = 2\n  }\n", line: "  a%05d = %d\n", tail: "}\n"},
	"arguments of a file":               {file: "x.tfvars", line: "a%05d = %d\n"},
	"arguments that are not aligned":    {file: "x.tf", head: "locals {\n", line: "  a%d = %d\n", tail: "}\n"},
	"those of a file":                   {file: "x.tfvars", line: "a%d = %d\n"},
	"a list on one line":                {file: "x.tf", head: "locals {\n", list: "  list = [", element: "%d, ", tail: "]\n}\n"},
	"a list with blank lines and notes": {file: "x.tf", head: "locals {\n", list: "  list = [\n", element: "    # above\n    %d, # behind\n\n    # free\n\n", tail: "  ]\n}\n"},
}

// TestEditsOfOtherTextsInProportion counts what many edits cost in other texts than those
// of layouts: each edit costs as much as the lines around it there too.
func TestEditsOfOtherTextsInProportion(t *testing.T) {
	for name, text := range otherTexts {
		edits := map[string]func(e *Editor, body *hclconfig.Body, in *hclconfig.Block, i int){
			"set": func(e *Editor, body *hclconfig.Body, in *hclconfig.Block, i int) {
				e.Set(in, body.Arguments[i].Name, "x")
			},
			"add": func(e *Editor, _ *hclconfig.Body, in *hclconfig.Block, i int) { e.Set(in, fmt.Sprint("b", i), i) },
			"remove": func(e *Editor, body *hclconfig.Body, in *hclconfig.Block, i int) {
				e.Remove(in, body.Arguments[i].Name)
			},
			"delete": func(e *Editor, body *hclconfig.Body, _ *hclconfig.Block, i int) { e.Delete(&body.Arguments[i]) },
			"comment": func(e *Editor, body *hclconfig.Body, _ *hclconfig.Block, i int) {
				e.SetComments(&body.Arguments[i], Comments{Behind: "note"})
			},
			"move last":  func(e *Editor, body *hclconfig.Body, _ *hclconfig.Block, i int) { e.Move(&body.Arguments[i], Last()) },
			"move first": func(e *Editor, body *hclconfig.Body, _ *hclconfig.Block, i int) { e.Move(&body.Arguments[i], First()) },
		}
		if text.list != "" {
			list := func(body *hclconfig.Body) hclconfig.Expression { return body.Argument("list").Expression }
			edits = map[string]func(e *Editor, body *hclconfig.Body, in *hclconfig.Block, i int){
				"insert": func(e *Editor, body *hclconfig.Body, _ *hclconfig.Block, i int) { e.Insert(list(body), i) },
				"delete": func(e *Editor, body *hclconfig.Body, _ *hclconfig.Block, i int) { e.Delete(list(body).Parts()[2*i]) },
				"move":   func(e *Editor, body *hclconfig.Body, _ *hclconfig.Block, i int) { e.Move(list(body).Parts()[i]) },
				"move after": func(e *Editor, body *hclconfig.Body, _ *hclconfig.Block, i int) {
					parts := list(body).Parts()
					e.Move(parts[i], After(parts[(i*37+11)%len(parts)]))
				},
			}
		}
		for kind, edit := range edits {
			cost := func(n int) (parsed, steps, size int) {
				var b strings.Builder
				b.WriteString(text.head)
				for i := range 2 * n {
					if text.line != "" {
						b.WriteString(strings.ReplaceAll(strings.ReplaceAll(text.line, "%05d", fmt.Sprintf("%05d", i)), "%d", fmt.Sprint(i)))
					}
				}
				if text.list != "" {
					b.WriteString(text.list)
					for i := range 2 * n {
						fmt.Fprintf(&b, text.element, i)
					}
				}
				b.WriteString(text.tail)
				f, err := hclconfig.Parse(text.file, []byte(b.String()))
				if err != nil {
					t.Fatal(err)
				}
				body, in := f.Body(), (*hclconfig.Block)(nil)
				if text.head != "" {
					in = &f.Body().Blocks[0]
					body = &in.Body
				}
				e := Edit(f, text.opts...)
				for i := range n {
					edit(e, body, in, i)
				}
				if _, err := e.Apply(); err != nil {
					t.Fatal(err)
				}
				return e.parsed, e.d.steps, b.Len()
			}
			parsed1, steps1, size1 := cost(150)
			parsed2, steps2, size2 := cost(300)
			if limit := 2.3 * float64(size2) / float64(size1) / 2; float64(parsed2) > limit*float64(parsed1) {
				t.Errorf("%s, %s: %d bytes parsed, and %d for twice as many edits", name, kind, parsed1, parsed2)
			}
			if steps2 > max(steps1*3, 300*500) {
				t.Errorf("%s, %s: %d steps, and %d for twice as many edits", name, kind, steps1, steps2)
			}
		}
	}
}

// TestBodyInProportion asks for the body of each block after an edit in it: that reads the block, and
// what is in it can be edited. A fault there has its place in the text as it is now.
func TestBodyInProportion(t *testing.T) {
	for name, text := range map[string][2]string{
		"x.tf":      {"", "resource \"x\" \"r%d\" {\n  a = [1]\n}\n"},
		"x.tf.json": {"{\"resource\": {\"x\": {\n\"0\": {}", ",\n\"r%d\": {\"a\": [1]}"},
	} {
		var b strings.Builder
		b.WriteString(text[0])
		for i := range 100 {
			fmt.Fprintf(&b, text[1], i)
		}
		if text[0] != "" {
			b.WriteString("\n}}}\n")
		}
		f, err := hclconfig.Parse(name, []byte(b.String()))
		if err != nil {
			t.Fatal(err)
		}
		e := Edit(f)
		blocks := f.Body().Blocks[len(f.Body().Blocks)-100:]
		for i := range blocks {
			e.Set(&blocks[i], "b", []int{i})
			e.Insert(e.Body(&blocks[i]).Argument("b").Expression, 7)
			e.Rename(&blocks[i], "a", fmt.Sprint("a", i)).Move(blocks[i].Argument("a"), Into(e, &blocks[(i+1)%100]))
			e.Body(&blocks[i])
		}
		if e.parsed > 20*b.Len() {
			t.Errorf("%s: %d bytes parsed for %d", name, e.parsed, b.Len())
		}
		x := e.Set(&blocks[50], "c", 1).Body(&blocks[50]).Argument("c").Expression
		out, err := e.Apply()
		if err != nil || strings.Count(string(out.Bytes()), ", 7") != 100 {
			t.Fatalf("%v\n%s", err, out.Bytes())
		}
		var own *hclconfig.Error
		if e.Insert(x, 8); !errors.As(e.Err(), &own) || own.Line != 1+strings.Count(string(out.Bytes())[:own.Offset], "\n") || own.Line < 50 || out.Bytes()[own.Offset] != '1' {
			t.Errorf("%s: %+v", name, own)
		}
	}
}
