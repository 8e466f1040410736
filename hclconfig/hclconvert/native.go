// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// ToNative returns the file in native syntax, laid out as by "tofu fmt", such that
// OpenTofu reads the same configuration from it. A file that is already in native
// syntax is returned unchanged. The File is nil if f has syntax errors.
//
// Templates become expressions, escapes are undone, texts of several lines
// become heredocs, and properties named "//" become comments.
//
// If only the schema of a provider can distinguish arguments and nested blocks,
// [Options] should have it. Without it ToNative guesses, if there is more than
// one possibility: an object is an argument, an array of objects represents
// blocks, and null or an empty array is an argument. A property with the name
// of a dynamic block in the same body represents blocks. Each such guess is
// reported as a warning. ToJSON writes labelled blocks of an unknown schema as
// an object of arrays of arrays of objects. These rules read all output of
// ToJSON without schemas correctly.
//
// A text of several lines that has a directive with a trim marker, and that cannot
// be a heredoc because it does not end with a line or has carriage returns, has no
// exact form: quotes trim more than JSON does.
//
// The diagnostics are as for [ToJSON]: an error reports a part that was lost.
func ToNative(f *hclconfig.File, opts Options) (*hclconfig.File, hclconfig.Diagnostics) {
	if f.Syntax() == hclconfig.NativeSyntax {
		return f, nil
	}
	if f.Err() != nil {
		return nil, f.Diagnostics()
	}
	json := newSource(f)
	root := json.root()
	wrapped := root.wrapped(nil)
	if opts.Unwrap && len(wrapped) > 0 {
		f = json.unwrap(wrapped)
		json, wrapped = newSource(f), nil
		root = json.root()
	}
	c := &nativeConverter{converter{f: json, opts: opts, diags: f.Diagnostics()}, map[int32]int{}}
	var out strings.Builder
	out.Grow(len(json.src))
	c.body(&out, root, true, schemaView{}, c.noteItems(root))
	plain := []byte(out.String())
	var kept *verifier
	var result *hclconfig.File
	for _, text := range [][]byte{hclwrite.Format(plain), plain} {
		g, err := hclconfig.ParseNative(convertedName(json.name, hclconfig.NativeSyntax), text, f.Dialect())
		native := newSource(g)
		v := &verifier{c: &c.converter, native: native, json: json}
		if err == nil {
			v.body(native.root(), root)
		} else {
			v.fail(textspan.Of(0, 1), err.Error())
		}
		if kept == nil || len(v.failed) < len(kept.failed) {
			kept, result = v, g
		}
		if len(kept.failed) == 0 {
			break
		}
	}
	return result, sorted(c.onlyCause(append(c.diags, kept.diags...), wrapped))
}

// A nativeConverter writes one JSON file in native syntax.
type nativeConverter struct {
	converter
	counted map[int32]int // what labels returned, by place: it is asked at each level
}

// A nativeItem is an argument, a block or a comment.
type nativeItem struct {
	start   int32
	arg     *argument
	block   *block
	comment string
}

// noteItems returns the comments of a body: properties named "//".
func (c *nativeConverter) noteItems(b *body) []nativeItem {
	src := c.f.src
	var out []nativeItem
	object := func(s textspan.Span) {
		for m := range c.f.json.Members(s) {
			if c.f.jsonText(m.Name) == "//" {
				out = append(out, nativeItem{start: m.Name.Start, comment: c.noteText(m.Value)})
			}
		}
	}
	at := textspan.Of(int32(jsonscan.Space(src, int(b.at.Start))), b.at.End)
	switch src[at.Start] {
	case '{':
		object(at)
	case '[':
		for s := range c.f.json.Elements(at) {
			if src[s.Start] == '{' {
				object(s)
			}
		}
	}
	return out
}

// noteText returns the value of a property named "//" as a text.
func (c *nativeConverter) noteText(s textspan.Span) string {
	src := c.f.src
	switch src[s.Start] {
	case '"':
		return c.f.jsonText(s)
	case '[':
		var lines []string
		for e := range c.f.json.Elements(s) {
			if src[e.Start] != '"' {
				return string(src[s.Start:s.End])
			}
			lines = append(lines, c.f.jsonText(e))
		}
		return strings.Join(lines, "\n")
	}
	return string(src[s.Start:s.End])
}

// body writes the content of a body.
func (c *nativeConverter) body(out *strings.Builder, b *body, root bool, schema schemaView, items []nativeItem) {
	items = slices.Clone(items)
	made := map[string]bool{}
	for i := range b.Blocks {
		n := &b.Blocks[i]
		items = append(items, nativeItem{start: n.entry.Start, block: n})
		if n.spec == hcllang.Dynamic && len(n.Labels) == 1 {
			made[n.Labels[0]] = true
		}
	}
	for i := range b.Arguments {
		a := &b.Arguments[i]
		if labels, ok := c.asBlocks(b, a, schema, made[a.Name]); ok {
			found, diags := b.decide(a, labels)
			c.diags = append(c.diags, diags...)
			for j := range found {
				items = append(items, nativeItem{start: max(found[j].entry.Start, a.nameAt.Start), block: &found[j]})
			}
			continue
		}
		items = append(items, nativeItem{start: a.nameAt.Start, arg: a})
	}
	slices.SortStableFunc(items, func(a, b nativeItem) int { return cmp.Compare(a.start, b.start) })
	gap := false // a blank line is wanted before the next part
	for i, item := range items {
		switch {
		case item.block != nil:
			content := item.block.body()
			lead, rest := c.leading(content, c.noteItems(content))
			if i > 0 && (gap || items[i-1].arg != nil || items[i-1].comment != "" && out.Len() > 0 && root && i == 1) {
				out.WriteByte('\n')
			}
			c.comment(out, lead)
			c.block(out, item.block, content, schema.nested(c, item.block), rest)
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
				c.note(textspan.Of(item.start, item.start+4), "Comment left out", "The comment is not in the native form.")
				continue
			}
			c.comment(out, []nativeItem{item})
		}
	}
}

// leading returns the comment that a block begins with, which comes before it
// in native syntax, and the other comments of the block.
func (c *nativeConverter) leading(b *body, notes []nativeItem) (lead, rest []nativeItem) {
	if len(notes) == 0 || c.opts.DropComments {
		return nil, notes
	}
	first := notes[0].start
	for i := range b.Arguments {
		if b.Arguments[i].nameAt.Start < first {
			return nil, notes
		}
	}
	for i := range b.Blocks {
		if b.Blocks[i].typeAt.Start < first {
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
			mark := "# "
			if strings.HasPrefix(line, "#") {
				mark = "#" // of a banner, which lost the first one when it was read
			}
			out.WriteString(strings.TrimRight(mark+line, " \t") + "\n")
		}
	}
}

// asBlocks reports whether an undecided property represents blocks, and how
// many labels they have. made reports that there is a dynamic block for its
// name.
func (c *nativeConverter) asBlocks(b *body, a *argument, schema schemaView, made bool) (labels int, ok bool) {
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

// labels returns how many labels the value at s has if it looks as [ToJSON]
// writes labelled blocks whose schema it does not know: the labels in objects,
// and each body an array of objects, in an array. It is -1 for anything else.
func (c *nativeConverter) labels(s textspan.Span) int {
	n, ok := c.counted[s.Start]
	if !ok {
		n = c.countLabels(s)
		c.counted[s.Start] = n
	}
	return n
}

func (c *nativeConverter) countLabels(s textspan.Span) int {
	src := c.f.src
	n := -2 // not seen
	same := func(found int) bool {
		if n == -2 {
			n = found
		}
		return n == found && n >= 0
	}
	switch src[s.Start] {
	case '{':
		for m := range c.f.json.Members(s) {
			if !same(c.labels(m.Value)) {
				return -1
			}
		}
		return max(-1, n+1)
	case '[':
		for e := range c.f.json.Elements(s) {
			found := -1
			if src[e.Start] == '{' {
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
func (c *nativeConverter) objects(s textspan.Span) bool {
	n := 0
	if c.f.src[s.Start] == '[' {
		for e := range c.f.json.Elements(s) {
			if c.f.src[e.Start] != '{' {
				return false
			}
			n++
		}
	}
	return n > 0
}

// isBlock guesses whether a property represents blocks without labels. made
// reports that there is a dynamic block for its name.
func (c *nativeConverter) isBlock(a *argument, made bool) bool {
	src := c.f.src
	objects, others, words := 0, 0, true
	switch src[a.at.Start] {
	case 'n':
		c.guess(a, "null", "as an argument; a nested block would be left out")
		return false
	case '{':
		if made {
			return true
		}
		for m := range c.f.json.Members(a.at) {
			words = words && hclsyntax.ValidIdentifier(c.f.jsonText(m.Name))
		}
		if words {
			c.guess(a, "an object", "as an argument; it might be a nested block")
		}
		return false
	case '[':
		for s := range c.f.json.Elements(a.at) {
			switch src[s.Start] {
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

func (c *nativeConverter) guess(a *argument, what, how string) {
	c.note(a.nameAt, "Property of unknown schema", "The property %q is %s, which is taken %s. Only the provider's schema can tell.", a.Name, what, how)
}

// block writes a block.
func (c *nativeConverter) block(out *strings.Builder, b *block, content *body, schema schemaView, notes []nativeItem) {
	if !hcllex.PlainName(b.Type) {
		c.lose(b.typeAt, "No native form", "%q cannot be the type of a block in native syntax.", b.Type)
		return
	}
	out.WriteString(b.Type)
	for _, l := range b.Labels {
		out.WriteString(" " + hcllex.Quote(l))
	}
	var inner strings.Builder
	c.body(&inner, content, false, schema, notes)
	if inner.Len() == 0 {
		out.WriteString(" {}\n")
		return
	}
	out.WriteString(" {\n" + inner.String() + "}\n")
}

// argument writes an argument.
func (c *nativeConverter) argument(out *strings.Builder, a *argument) {
	if !hcllex.PlainName(a.Name) {
		c.lose(a.nameAt, "No native form", "%q cannot be the name of an argument in native syntax.", a.Name)
		return
	}
	if a.kind == hcllang.KindStatic && c.f.dialect.Program() == hclconfig.OpenTofu && hcllex.HasTemplateMarks(a.raw()) && len(a.public.References()) == 0 {
		c.note(a.at, "Differs between OpenTofu and Terraform", "In JSON syntax, OpenTofu takes the strings of the argument %q for templates, and Terraform does not. They are read as OpenTofu does.", a.Name)
	}
	out.WriteString(a.Name + " = " + c.value(a.expression, true) + "\n")
}
