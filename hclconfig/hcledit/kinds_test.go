// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// A manyParts is a block with many arguments, elements, items and blocks, in one layout.
type manyParts struct {
	unit         string
	arg, element func(i int) string // without the indentation and the line break
	opts         []EditOption
	replace      [2]string // in the text
}

func (m *manyParts) text(n int) string {
	var b strings.Builder
	b.WriteString("resource \"x\" \"y\" {\n")
	for i := range n {
		fmt.Fprintf(&b, "%s%s\n", m.unit, m.arg(i))
	}
	fmt.Fprintf(&b, "\n%slist = [\n", m.unit)
	for i := range n {
		fmt.Fprintf(&b, "%s%s%s\n", m.unit, m.unit, m.element(i))
	}
	fmt.Fprintf(&b, "%s]\n\n%sobject = {\n", m.unit, m.unit)
	for i := range n {
		fmt.Fprintf(&b, "%s%sk%05d = var.x%d\n", m.unit, m.unit, i, i)
	}
	fmt.Fprintf(&b, "%s}\n", m.unit)
	for i := range n {
		fmt.Fprintf(&b, "\n%snested \"l%d\" {\n%s%sa = %d\n%s}\n", m.unit, i, m.unit, m.unit, i, m.unit)
	}
	fmt.Fprintf(&b, "}\n\nresource \"x\" \"z\" {\n}\n\nresource \"x\" \"w\" {\n%sdeep = f({\n%s%sk = [\n", m.unit, m.unit, m.unit)
	for i := range n {
		fmt.Fprintf(&b, "%s%s%s%s\n", m.unit, m.unit, m.unit, strings.ReplaceAll(m.element(i), `"`, ""))
	}
	fmt.Fprintf(&b, "%s%s]\n%s})\n}\n", m.unit, m.unit, m.unit)
	if m.replace[0] != "" {
		return strings.ReplaceAll(b.String(), m.replace[0], m.replace[1])
	}
	return b.String()
}

// sprintf returns a function that formats a number, as often as the format has it.
func sprintf(format string) func(i int) string {
	return func(i int) string {
		return strings.ReplaceAll(strings.ReplaceAll(format, "%05d", fmt.Sprintf("%05d", i)), "%d", fmt.Sprint(i))
	}
}

var layouts = map[string]*manyParts{
	"fmt":      {unit: "  ", arg: sprintf("a%05d = var.x%05d"), element: sprintf(`"e%05d",`)},
	"comments": {unit: "  ", arg: sprintf("a%05d = var.x%05d # n"), element: sprintf(`"e%05d", # n`)},
	"comments in a column": {unit: "  ",
		arg:     func(i int) string { return fmt.Sprintf("%-40s# n", sprintf("a%d = var.x%d")(i)) },
		element: func(i int) string { return fmt.Sprintf("%-40s# n", sprintf(`"e%d",`)(i)) }},
	"not aligned": {unit: "  ", arg: sprintf("a%d = var.x%05d"), element: sprintf(`"e%05d",`)},
	"no spaces":   {unit: "  ", arg: sprintf("a%05d=var.x%05d"), element: sprintf(`"e%05d" ,`)},
	"tabs":        {unit: "\t", arg: sprintf("a%05d = var.x%05d"), element: sprintf(`"e%05d",`)},
	"four spaces": {unit: "    ", arg: sprintf("a%05d = var.x%05d"), element: sprintf(`"e%05d",`)},
	"four spaces and a heredoc": {unit: "    ", element: sprintf(`"e%05d",`), arg: func(i int) string {
		if i == 3 {
			return "a00003 = <<EOT\n  text\nEOT"
		}
		return sprintf("a%05d = var.x%05d")(i)
	}},
	"heredocs":                 {unit: "  ", arg: sprintf("a%05d = <<EOT\n${var.x}\nEOT"), element: sprintf(`"e%05d",`)},
	"comments within lines":    {unit: "  ", arg: sprintf("a%d = /* n */ var.x%05d"), element: sprintf(`/* n */ "e%05d",`)},
	"line breaks of Windows":   {unit: "  ", replace: [2]string{"\n", "\r\n"}, arg: sprintf("a%05d = var.x%05d"), element: sprintf(`"e%05d",`)},
	"no comma behind the last": {unit: "  ", replace: [2]string{",\n  ]", "\n  ]"}, arg: sprintf("a%05d = var.x%05d"), element: sprintf(`"e%05d",`)},
	"groups":                   {unit: "  ", replace: [2]string{"25\",\n", "25\",\n\n"}, arg: sprintf("a%05d = var.x%05d"), element: sprintf(`"e%05d",`)},
	"groups with headings":     {unit: "  ", replace: [2]string{"25\",\n", "25\",\n\n    # n\n\n"}, arg: sprintf("a%05d = var.x%05d"), element: sprintf(`"e%05d",`)},
	"a layout that is kept":    {unit: "  ", opts: []EditOption{KeepLayout()}, arg: sprintf("a%d = var.x%05d"), element: sprintf(`"e%05d",`)},
}

// parts are those of a manyParts, as they were read.
type parts struct {
	in, other    *hclconfig.Block
	args         []hclconfig.Argument
	blocks       []hclconfig.Block
	list, object hclconfig.Expression
	deep         hclconfig.Expression // a list in an object in a call
	elements     []hclconfig.Expression
	items        []hclconfig.Member
}

func readParts(f *hclconfig.File) *parts {
	p := &parts{in: &f.Body().Blocks[0], other: &f.Body().Blocks[1]}
	p.args, p.blocks = p.in.Body.Arguments, p.in.Body.Blocks
	p.list, p.object = p.in.Argument("list").Expression, p.in.Argument("object").Expression
	p.elements = p.list.Parts()
	p.deep = f.Body().Blocks[2].Argument("deep").Expression.Parts()[0].Parts()[1]
	p.items, _ = p.object.Members()
	return p
}

// another returns the number of a part that is not number i.
func (p *parts) another(i int) int { return (i*37 + 11) % len(p.elements) }

// kindsOfEdits has an edit of each kind: edit i of a block.
var kindsOfEdits = map[string]func(e *Editor, p *parts, i int){
	"set":        func(e *Editor, p *parts, i int) { e.Set(p.in, p.args[i].Name, i) },
	"set a list": func(e *Editor, p *parts, i int) { e.Set(p.in, p.args[i].Name, []string{"a", "b"}) },
	"add":        func(e *Editor, p *parts, i int) { e.Set(p.in, fmt.Sprintf("b%0*d", 1+i%9, i), i) },
	"add first":  func(e *Editor, p *parts, i int) { e.Set(p.in, fmt.Sprint("b", i), i, First()) },
	"add after":  func(e *Editor, p *parts, i int) { e.Set(p.in, fmt.Sprint("b", i), i, After(&p.args[i])) },
	"add before": func(e *Editor, p *parts, i int) { e.Set(p.in, fmt.Sprint("b", i), i, Before(Named(p.args[i].Name))) },
	"copy":       func(e *Editor, p *parts, i int) { e.Set(p.in, fmt.Sprint("b", i), p.args[i].Expression) },
	"remove":     func(e *Editor, p *parts, i int) { e.Remove(p.in, p.args[i].Name) },
	"delete":     func(e *Editor, p *parts, i int) { e.Delete(&p.args[i]) },
	"rename":     func(e *Editor, p *parts, i int) { e.Rename(p.in, p.args[i].Name, fmt.Sprintf("long%05d", i)) },
	"replace":    func(e *Editor, p *parts, i int) { e.Replace(p.args[i].Expression, "text") },
	"reference": func(e *Editor, p *parts, i int) {
		for _, r := range p.args[i].Expression.References() {
			e.ReplaceReference(r, "local.other.name")
		}
	},
	"wrap":          func(e *Editor, p *parts, i int) { e.Wrap(p.args[i].Expression, "f(_)") },
	"comment above": func(e *Editor, p *parts, i int) { e.SetComments(&p.args[i], Comments{Above: []string{"x"}}) },
	"comment":       func(e *Editor, p *parts, i int) { e.SetComments(&p.args[i], Comments{Behind: "another"}) },
	"move last":     func(e *Editor, p *parts, i int) { e.Move(&p.args[i], Last()) },
	"move first":    func(e *Editor, p *parts, i int) { e.Move(&p.args[i], First()) },
	"move after":    func(e *Editor, p *parts, i int) { e.Move(&p.args[i], After(&p.args[p.another(i)])) },
	"move next":     func(e *Editor, p *parts, i int) { e.Move(&p.args[i+1], Before(&p.args[i])) },
	"move into":     func(e *Editor, p *parts, i int) { e.Move(&p.args[i], Into(e, p.other)) },

	"block":            func(e *Editor, p *parts, i int) { e.Add(p.in, NewBlock("nested", "l").Set("a", i)) },
	"block first":      func(e *Editor, p *parts, i int) { e.Add(p.in, NewBlock("nested", "l").Set("a", i), First()) },
	"delete block":     func(e *Editor, p *parts, i int) { e.Delete(&p.blocks[i]) },
	"set in a block":   func(e *Editor, p *parts, i int) { e.Set(&p.blocks[i], "a", "text") },
	"label":            func(e *Editor, p *parts, i int) { e.Relabel(&p.blocks[i], 0, fmt.Sprint("q", i)) },
	"header":           func(e *Editor, p *parts, i int) { e.SetHeader(&p.blocks[i], "other", "a", fmt.Sprint("q", i)) },
	"comment of block": func(e *Editor, p *parts, i int) { e.SetComments(&p.blocks[i], Comments{Above: []string{"x"}}) },
	"move block last":  func(e *Editor, p *parts, i int) { e.Move(&p.blocks[i], Last()) },
	"move block into":  func(e *Editor, p *parts, i int) { e.Move(&p.blocks[i], Into(e, p.other)) },

	"insert":             func(e *Editor, p *parts, i int) { e.Insert(p.list, fmt.Sprint("new", i)) },
	"insert first":       func(e *Editor, p *parts, i int) { e.Insert(p.list, fmt.Sprint("new", i), First()) },
	"insert before":      func(e *Editor, p *parts, i int) { e.Insert(p.list, fmt.Sprint("new", i), Before(p.elements[i])) },
	"insert item":        func(e *Editor, p *parts, i int) { e.Insert(p.object, Entry{fmt.Sprint("new", i), Int(1)}) },
	"replace item":       func(e *Editor, p *parts, i int) { e.Insert(p.object, Entry{p.items[i].Name, Int(1)}) },
	"replace element":    func(e *Editor, p *parts, i int) { e.Replace(p.elements[i], "text") },
	"function":           func(e *Editor, p *parts, i int) { e.Replace(p.elements[i], Function("f", p.elements[i])) },
	"delete element":     func(e *Editor, p *parts, i int) { e.Delete(p.elements[i]) },
	"delete item":        func(e *Editor, p *parts, i int) { e.Delete(p.items[i]) },
	"move element":       func(e *Editor, p *parts, i int) { e.Move(p.elements[i]) },
	"move element first": func(e *Editor, p *parts, i int) { e.Move(p.elements[i], First()) },
	"move element after": func(e *Editor, p *parts, i int) { e.Move(p.elements[i], After(p.elements[p.another(i)])) },
	"move item":          func(e *Editor, p *parts, i int) { e.Move(p.items[i]) },
	"insert deep":        func(e *Editor, p *parts, i int) { e.Insert(p.deep, fmt.Sprint("new", i)) },
	"replace deep":       func(e *Editor, p *parts, i int) { e.Replace(p.deep.Parts()[i], i) },
	"delete deep":        func(e *Editor, p *parts, i int) { e.Delete(p.deep.Parts()[i]) },
	"move deep":          func(e *Editor, p *parts, i int) { e.Move(p.deep.Parts()[i], First()) },
	"move and insert": func(e *Editor, p *parts, i int) {
		if e.Move(p.elements[i]); i%2 == 0 {
			e.Insert(p.list, fmt.Sprint("new", i))
		}
	},
	"move and replace": func(e *Editor, p *parts, i int) {
		e.Move(p.items[i], First())
		e.Insert(p.object, Entry{p.items[p.another(i)].Name, Int(1)})
	},
	"set, layout kept":     func(e *Editor, p *parts, i int) { e.Set(p.in, p.args[i].Name, i, KeepLayout()) },
	"add, layout kept":     func(e *Editor, p *parts, i int) { e.Set(p.in, fmt.Sprint("b", i), i, KeepLayout()) },
	"remove, layout kept":  func(e *Editor, p *parts, i int) { e.Remove(p.in, p.args[i].Name, KeepLayout()) },
	"insert, layout kept":  func(e *Editor, p *parts, i int) { e.Insert(p.list, fmt.Sprint("new", i), KeepLayout()) },
	"delete, layout kept":  func(e *Editor, p *parts, i int) { e.Delete(p.elements[i], KeepLayout()) },
	"block, layout kept":   func(e *Editor, p *parts, i int) { e.Add(p.in, NewBlock("nested", "l").Set("a", i), KeepLayout()) },
	"move, layout kept":    func(e *Editor, p *parts, i int) { e.Move(&p.args[i], Last(), KeepLayout()) },
	"element, layout kept": func(e *Editor, p *parts, i int) { e.Move(p.elements[i], KeepLayout()) },
	"move and delete": func(e *Editor, p *parts, i int) {
		if e.Move(p.elements[i]); i%2 == 0 {
			e.Delete(p.elements[p.another(i)])
		}
	},
	"move after and set": func(e *Editor, p *parts, i int) {
		e.Move(p.elements[i], After(p.elements[p.another(i)]))
		e.Set(p.in, p.args[i].Name, i)
	},
	"insert first and set": func(e *Editor, p *parts, i int) {
		e.Insert(p.list, fmt.Sprint("new", i), First())
		e.Set(p.in, p.args[i].Name, i)
	},
	"move here and there": func(e *Editor, p *parts, i int) {
		e.Move(p.elements[i])
		e.Move(p.items[i], First())
	},
}

// costOf makes n edits of a kind, and returns how many bytes were parsed and laid out, and how many steps
// it took to find places. It reports false if an edit is refused.
func (m *manyParts) costOf(t *testing.T, kind string, n int) (cost, steps int, ok bool) {
	f, err := hclconfig.ParseNative("x.tf", []byte(m.text(n)))
	if err != nil {
		t.Fatal(err)
	}
	e, p := Edit(f, m.opts...), readParts(f)
	for i := range n {
		if kindsOfEdits[kind](e, p, i); e.Err() != nil {
			return 0, 0, false
		}
	}
	out, err := e.Apply()
	if err != nil {
		t.Fatal(err)
	}
	was, _ := Format(f.Bytes())
	if want, err := Format(out.Bytes()); string(was) == string(f.Bytes()) && len(m.opts) == 0 && !strings.HasSuffix(kind, "layout kept") && (err != nil || string(want) != string(out.Bytes())) {
		t.Errorf("%s: the result has not the layout of fmt: %v\n%s", kind, err, out.Bytes())
	}
	return e.parsed + e.d.laidOut, e.d.steps, true
}

// TestKindsOfEditsInProportion counts what edits of all kinds cost in blocks of all layouts: twice as
// many edits of a block that is twice as long cost about twice as much.
func TestKindsOfEditsInProportion(t *testing.T) {
	defer func(n int) { longText = n }(longText)
	longText = 200
	tried := 0
	every := depth.Of(7, 1, 1)
	for name, layout := range layouts {
		for kind := range kindsOfEdits {
			if (len(name)+len(kind))%every > 0 {
				continue
			}
			once, steps, ok := layout.costOf(t, kind, 40)
			if !ok {
				continue
			}
			tried++
			twice, more, _ := layout.costOf(t, kind, 80)
			if float64(twice) > 2.4*float64(once) {
				t.Errorf("%s, %s: 80 edits parse and lay out %d bytes, 40 edits %d", name, kind, twice, once)
			}
			// A place is found in a number of steps like the logarithm of the number of edits.
			if more > max(steps*3, 80*1200) {
				t.Errorf("%s, %s: 80 edits take %d steps, 40 edits %d", name, kind, more, steps)
			}
		}
	}
	if want := len(layouts) * len(kindsOfEdits) / (2 * every); tried < want {
		t.Errorf("only %d kinds were tried", tried)
	}
}
