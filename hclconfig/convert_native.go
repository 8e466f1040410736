// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
)

// ToNative returns the file in native syntax, such that OpenTofu reads the
// same from it, laid out as "tofu fmt" does. A file that is in native syntax
// already is returned as it is. The File is nil if f has syntax errors.
//
// Templates become expressions, escapes are undone, texts of several lines
// become heredocs, and properties named "//" become comments.
//
// Where only the schema of a provider can tell an argument from nested blocks,
// [ConvertOptions] should have it. Without it, and unless there is no other
// possibility, an object is taken for an argument, an array of objects for
// blocks, null and an empty array for arguments; what has the name of a dynamic
// block in the same body is taken for blocks. Each such guess is reported as a
// warning. An object of arrays of arrays of objects is how ToJSON writes labelled
// blocks of an unknown schema. What ToJSON writes without schemas, these rules
// read correctly.
//
// A text of several lines that has a directive with a trim marker, and that cannot
// be a heredoc because it does not end with a line or has carriage returns, has no
// exact form: quotes trim more than JSON does.
//
// The diagnostics are as for [File.ToJSON]: an error is something that was lost.
func (f *File) ToNative(opts ConvertOptions) (*File, Diagnostics) {
	if f.syntax == NativeSyntax {
		return f, nil
	}
	if f.err != nil {
		return nil, f.Diagnostics()
	}
	c := &nativeConverter{converter{f: f, opts: opts, diags: slices.Clone(f.diags)}}
	var out strings.Builder
	out.Grow(len(f.src))
	c.body(&out, &f.body, schemaView{}, c.noteItems(&f.body))
	plain := []byte(out.String())
	var kept *verifier
	var result *File
	for _, text := range [][]byte{hclwrite.Format(plain), plain} {
		g, err := parse(convertedName(f.name, NativeSyntax), text, NativeSyntax, f.dialect)
		v := &verifier{c: &c.converter, native: g, json: f}
		if err == nil {
			v.body(&g.body, &f.body)
		} else {
			v.fail(span{0, 1}, err.Error())
		}
		if kept == nil || len(v.failed) < len(kept.failed) {
			kept, result = v, g
		}
		if len(kept.failed) == 0 {
			break
		}
	}
	return result, append(c.diags, kept.diags...).sorted()
}

// A nativeConverter writes one JSON file in native syntax.
type nativeConverter struct{ converter }

// A nativeItem is an argument, a block or a comment.
type nativeItem struct {
	start   int32
	arg     *Argument
	block   *Block
	comment string
}

// noteItems returns the comments of a body: properties named "//".
func (c *nativeConverter) noteItems(b *Body) []nativeItem {
	src := c.f.src
	var out []nativeItem
	object := func(s span) {
		for m := range jsonMembers(src, s) {
			if c.f.jsonText(m.name) == "//" {
				out = append(out, nativeItem{start: m.name.start, comment: c.noteText(m.value)})
			}
		}
	}
	at := span{int32(jsonSpace(src, int(b.at.start))), b.at.end}
	switch src[at.start] {
	case '{':
		object(at)
	case '[':
		for s := range jsonElements(src, at) {
			if src[s.start] == '{' {
				object(s)
			}
		}
	}
	return out
}

// noteText returns the value of a property named "//" as a text.
func (c *nativeConverter) noteText(s span) string {
	src := c.f.src
	switch src[s.start] {
	case '"':
		return c.f.jsonText(s)
	case '[':
		var lines []string
		for e := range jsonElements(src, s) {
			if src[e.start] != '"' {
				return string(src[s.start:s.end])
			}
			lines = append(lines, c.f.jsonText(e))
		}
		return strings.Join(lines, "\n")
	}
	return string(src[s.start:s.end])
}

// body writes the content of a body.
func (c *nativeConverter) body(out *strings.Builder, b *Body, schema schemaView, items []nativeItem) {
	items = slices.Clone(items)
	made := map[string]bool{}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		items = append(items, nativeItem{start: n.entry.start, block: n})
		if n.spec == hcllang.Dynamic && len(n.Labels) == 1 {
			made[n.Labels[0]] = true
		}
	}
	for i := range b.Arguments {
		a := &b.Arguments[i]
		if labels, ok := c.asBlocks(b, a, schema, made[a.Name]); ok {
			found, diags := a.asBlocks(make([]string, labels))
			c.diags = append(c.diags, diags...)
			for j := range found {
				if found[j].spec = hcllang.Open; a.kind == hcllang.KindStatic {
					found[j].spec = hcllang.OpenStatic
				}
				items = append(items, nativeItem{start: max(found[j].entry.start, a.nameAt.start), block: &found[j]})
			}
			continue
		}
		items = append(items, nativeItem{start: a.nameAt.start, arg: a})
	}
	slices.SortStableFunc(items, func(a, b nativeItem) int { return cmp.Compare(a.start, b.start) })
	gap := false // a blank line is wanted before what comes next
	for i, item := range items {
		switch {
		case item.block != nil:
			notes := c.noteItems(&item.block.Body)
			lead, rest := c.leading(item.block, notes)
			if i > 0 && (gap || items[i-1].arg != nil || items[i-1].comment != "" && out.Len() > 0 && b == &c.f.body && i == 1) {
				out.WriteByte('\n')
			}
			c.comment(out, lead)
			c.block(out, item.block, schema.nested(c, item.block), rest)
			gap = true
		case item.arg != nil:
			if gap {
				out.WriteByte('\n')
			}
			c.argument(out, item.arg)
			gap = false
		default:
			if gap {
				out.WriteByte('\n')
			}
			gap = false
			if c.opts.DropComments {
				c.note(span{item.start, item.start + 4}, "Comment left out", "The comment is not in the native form.")
				continue
			}
			c.comment(out, []nativeItem{item})
		}
	}
}

// leading returns the comment that a block begins with, which comes before it
// in native syntax, and the other comments of the block.
func (c *nativeConverter) leading(b *Block, notes []nativeItem) (lead, rest []nativeItem) {
	if len(notes) == 0 || c.opts.DropComments {
		return nil, notes
	}
	first := notes[0].start
	for i := range b.Body.Arguments {
		if b.Body.Arguments[i].nameAt.start < first {
			return nil, notes
		}
	}
	for i := range b.Body.Blocks {
		if b.Body.Blocks[i].typeAt.start < first {
			return nil, notes
		}
	}
	return notes[:1], notes[1:]
}

func (c *nativeConverter) comment(out *strings.Builder, list []nativeItem) {
	for _, n := range list {
		text := strings.TrimRight(n.comment, "\r\n")
		for line := range strings.SplitSeq(text, "\n") {
			// HCL's scanner knows no control characters in comments.
			line = strings.Map(func(r rune) rune {
				if r < ' ' && r != '\t' {
					return ' '
				}
				return r
			}, line)
			out.WriteString(strings.TrimRight("# "+line, " \t") + "\n")
		}
	}
}

// asBlocks reports whether a property whose meaning only a schema knows stands
// for blocks, and how many labels they have. made reports that there is a
// dynamic block for its name.
func (c *nativeConverter) asBlocks(b *Body, a *Argument, schema schemaView, made bool) (labels int, ok bool) {
	switch {
	case !a.Undecided, !b.spec.Rest.Open(), b.spec.Rest == hcllang.RestIgnored:
		return 0, false // or a mistake, which has been reported
	case schema.settles(a.Name):
		return schema.labels(a.Name), schema.isBlock(a.Name)
	}
	if n := c.labels(a.at); n > 0 {
		c.guess(a, "made of arrays of arrays of objects", "as labelled blocks; it might be an argument")
		return n, true
	}
	return 0, c.isBlock(a, made)
}

// labels returns how many labels the value at s has if it looks as [File.ToJSON]
// writes labelled blocks whose schema it does not know: the labels in objects,
// and each body an array of objects, in an array. It is -1 for anything else.
func (c *nativeConverter) labels(s span) int {
	src := c.f.src
	n := -2 // none seen
	same := func(found int) bool {
		if n == -2 {
			n = found
		}
		return n == found && n >= 0
	}
	switch src[s.start] {
	case '{':
		for m := range jsonMembers(src, s) {
			if !same(c.labels(m.value)) {
				return -1
			}
		}
		return max(-1, n+1)
	case '[':
		for e := range jsonElements(src, s) {
			found := -1
			if src[e.start] == '{' {
				found = c.labels(e)
			} else if c.objects(e) {
				found = 0
			}
			if !same(found) {
				return -1
			}
		}
		return max(-1, n)
	}
	return -1
}

// objects reports whether the value at s is an array of objects.
func (c *nativeConverter) objects(s span) bool {
	n := 0
	if c.f.src[s.start] == '[' {
		for e := range jsonElements(c.f.src, s) {
			if c.f.src[e.start] != '{' {
				return false
			}
			n++
		}
	}
	return n > 0
}

// isBlock guesses whether a property stands for blocks without labels. made
// reports that there is a dynamic block for its name.
func (c *nativeConverter) isBlock(a *Argument, made bool) bool {
	src := c.f.src
	objects, others, words := 0, 0, true
	switch src[a.at.start] {
	case 'n':
		c.guess(a, "null", "as an argument; a nested block would be left out")
		return false
	case '{':
		if made {
			return true
		}
		for m := range jsonMembers(src, a.at) {
			words = words && hclsyntax.ValidIdentifier(c.f.jsonText(m.name))
		}
		if words {
			c.guess(a, "an object", "as an argument; it might be a nested block")
		}
		return false
	case '[':
		for s := range jsonElements(src, a.at) {
			switch src[s.start] {
			case '{':
				objects++
			default:
				others++
			}
		}
		switch {
		case others > 0:
			return false
		case objects > 0:
			if !made {
				c.guess(a, "an array of objects", "as nested blocks; it might be an argument")
			}
			return true
		case !made:
			c.guess(a, "an empty array", "as an argument; nested blocks would be left out")
		}
		return made
	}
	return false
}

func (c *nativeConverter) guess(a *Argument, what, how string) {
	c.note(a.nameAt, "Property of unknown schema", "The property %q is %s, which is taken %s. Only the provider's schema can tell.", a.Name, what, how)
}

// block writes a block.
func (c *nativeConverter) block(out *strings.Builder, b *Block, schema schemaView, notes []nativeItem) {
	if !hcllex.PlainName(b.Type) {
		c.lose(b.typeAt, "No native form", "%q cannot be the type of a block in native syntax.", b.Type)
		return
	}
	out.WriteString(b.Type)
	for _, l := range b.Labels {
		out.WriteString(" " + hcllex.Quote(l))
	}
	var inner strings.Builder
	c.body(&inner, &b.Body, schema, notes)
	if inner.Len() == 0 {
		out.WriteString(" {}\n")
		return
	}
	out.WriteString(" {\n" + inner.String() + "}\n")
}

// argument writes an argument.
func (c *nativeConverter) argument(out *strings.Builder, a *Argument) {
	if !hcllex.PlainName(a.Name) {
		c.lose(a.nameAt, "No native form", "%q cannot be the name of an argument in native syntax.", a.Name)
		return
	}
	if a.kind == hcllang.KindStatic && c.f.dialect == hcllang.OpenTofu && hcllex.HasTemplateMarks(a.Raw()) && len(a.uses()) == 0 {
		c.note(a.at, "Differs between OpenTofu and Terraform", "In JSON syntax, OpenTofu takes the strings of the argument %q for templates, and Terraform does not. They are read as OpenTofu does.", a.Name)
	}
	out.WriteString(a.Name + " = " + c.value(a.Expression, true) + "\n")
}
