// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// This file is what the others stand on: the places of parts in the text of a file and
// their descriptions in the language, lines and comments in a text, the options that say
// where parts go, and errors at places.

func placeOf(r addrs.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Offset), int32(r.End.Offset))
}

func rangeOf(r hcl.Range) textspan.Span {
	return textspan.Of(int32(r.Start.Byte), int32(r.End.Byte))
}

// spanOf returns where x is.
func spanOf(x hclconfig.Expression) textspan.Span {
	_, start, end := x.Place()
	return textspan.Of(int32(start), int32(end))
}

// entryOf returns the range to remove with a block.
func entryOf(b *hclconfig.Block) textspan.Span {
	_, start, end := b.Place()
	return textspan.Of(int32(start), int32(end))
}

// nameOf returns where the name of a native argument is.
func nameOf(a *hclconfig.Argument) textspan.Span {
	_, start, _ := a.Place()
	return textspan.Of(int32(start), int32(start+len(a.Name)))
}

func offsets(s textspan.Span) (int, int) { return int(s.Start), int(s.End) }

// spot returns the file that p is in, and where.
func spot(p Part) (*hclconfig.File, textspan.Span) {
	f, start, end := p.Place()
	return f, textspan.Of(int32(start), int32(end))
}

func kindOf(x hclconfig.Expression) hcllang.Kind { return hcllang.Kind(x.Kind()) }

// headOf returns the place for a fault of an edit of a block's arguments.
func headOf(in *hclconfig.Block) (*hclconfig.File, textspan.Span) {
	if in == nil {
		return nil, textspan.Span{}
	}
	return in.File(), placeOf(in.TypeRange())
}

// programOf returns the program whose language f uses.
func programOf(f *hclconfig.File) hcllang.Dialect { return hcllang.ProgramOf(int(f.Dialect())) }

// rootOf returns the language's description of the content of f.
func rootOf(f *hclconfig.File) *hcllang.Block { return hcllang.FileKind(f.Kind()).Root() }

// specOf returns the language's description of the content of b.
func specOf(b *hclconfig.Block) *hcllang.Block {
	f, start, end := b.Place()
	if f == nil {
		return hcllang.Ignored
	}
	spec := rootOf(f)
	for body := f.Body(); ; {
		in := blockBefore(body, start+1)
		if in == nil || !holds(in, start, end) {
			return provided(body, spec, start)
		}
		spec, body = spec.Inner(in.Type), &in.Body
		// A block and the only one in it may have the same place in JSON, where a block
		// is the value of a property.
		if _, s, t := in.Place(); s == start && t == end && in.Type == b.Type && len(in.Labels) == len(b.Labels) {
			return spec
		}
	}
}

// provided returns the language's description of a block at an offset in a body. The
// block is one of an undecided property.
func provided(body *hclconfig.Body, spec *hcllang.Block, at int) *hcllang.Block {
	for i := range body.Arguments {
		a := &body.Arguments[i]
		// Only the schema of a provider says whether such a property in JSON is an
		// argument or a block, and edits do without schemas.
		if _, start, end := a.Place(); a.Undecided && start <= at && at < end {
			if k := a.Kind(); k != hclconfig.KindExpression && k != hclconfig.KindIgnored {
				return hcllang.OpenStatic
			}
			return hcllang.Open
		}
	}
	return spec.Nested()
}

func holds(b *hclconfig.Block, start, end int) bool {
	_, s, t := b.Place()
	return s <= start && end <= t
}

// blockBefore returns the last block of a body that begins before offset, or nil.
func blockBefore(b *hclconfig.Body, offset int) *hclconfig.Block {
	i := sort.Search(len(b.Blocks), func(i int) bool { return int(entryOf(&b.Blocks[i]).Start) >= offset }) - 1
	if i < 0 {
		return nil
	}
	return &b.Blocks[i]
}

// blockAt returns the innermost block that begins at offset.
func blockAt(b *hclconfig.Body, offset int) *hclconfig.Block {
	var found *hclconfig.Block
	for {
		block := blockBefore(b, offset+1)
		if block == nil {
			return found
		}
		_, start, end := block.Place()
		if start == offset {
			found = block
		}
		if block.File().Syntax() == hclconfig.JSONSyntax && end <= offset {
			return found
		}
		b = &block.Body
	}
}

// around returns the innermost block around offset that does not begin there.
func around(b *hclconfig.Body, offset int) *hclconfig.Block {
	var found *hclconfig.Block
	for {
		block := blockBefore(b, offset)
		if block == nil || int(entryOf(block).End) <= offset {
			return found
		}
		found, b = block, &block.Body
	}
}

// stringAround returns the JSON string that x is a part of, if it is one. It reads the text
// back to the nearest quote only. If that is where a string ends, what follows it is the
// structure of the document: it begins with a colon, a comma or a bracket that closes
// something, and has no template in it.
func stringAround(x hclconfig.Expression) (textspan.Span, bool) {
	f, start, _ := x.Place()
	if f == nil || f.Syntax() != hclconfig.JSONSyntax {
		return textspan.Span{}, false
	}
	src := f.Bytes()
	from := bytes.LastIndexByte(src[:start], '"')
	if from < 0 {
		return textspan.Span{}, false
	}
	between := src[from+1 : start]
	if bytes.IndexByte(between, '\n') >= 0 { // which no string has
		return textspan.Span{}, false
	}
	if !escaped(src, from) && !bytes.ContainsAny(between, `$%\`) {
		if rest := bytes.TrimLeft(between, " \t\r"); len(rest) > 0 && bytes.IndexByte([]byte(":,]}"), rest[0]) >= 0 {
			return textspan.Span{}, false
		}
	}
	for from > 0 && escaped(src, from) {
		from = bytes.LastIndexByte(src[:from], '"')
	}
	return textspan.Of(int32(from), int32(jsontree.StringEnd(src, from))), true
}

// escaped reports whether the quote at i is escaped.
func escaped(src []byte, i int) bool {
	n := i
	for n > 0 && src[n-1] == '\\' {
		n--
	}
	return (i-n)%2 == 1
}

// isNative reports whether x is written in native syntax: in a native file, or as a
// part of a JSON string.
func isNative(x hclconfig.Expression) bool {
	if f := x.File(); f == nil || f.Syntax() == hclconfig.NativeSyntax {
		return f != nil
	}
	_, ok := stringAround(x)
	return ok
}

// ErrEdit is the cause of an [hclconfig.Error] for an edit that cannot be made, found
// with errors.Is.
var ErrEdit = errors.New("cannot edit")

// fault returns an Error at offset, or without a place if offset is negative.
func fault(f *hclconfig.File, offset int, err error) *hclconfig.Error {
	e := &hclconfig.Error{Filename: f.Filename(), Err: err}
	if offset >= 0 {
		p := f.Position(int64(offset))
		e.Offset, e.Line, e.Column = p.Offset, p.Line, p.Column
	}
	return e
}

// notWritable returns the error for a value that configuration cannot express.
func notWritable(format string, args ...any) error {
	return fmt.Errorf("%w: %s", hclconfig.ErrKind, fmt.Sprintf(format, args...))
}

// broken returns the text for the first error of HCL, and whether there is one.
func broken(diags hcl.Diagnostics) (string, bool) {
	for _, d := range diags {
		if d.Severity == hcl.DiagError {
			return textspan.ErrorText(d.Summary, d.Detail), true
		}
	}
	return "", false
}

// The options of each verb have a type of their own, so that a verb takes no option that has
// no effect on it. An option of two verbs satisfies both types.
type (
	// An EditOption is an option of [Edit], and so of all edits: [KeepLayout], [KeepComments].
	EditOption interface{ forEdit() }
	// A SetOption is an option of [Editor.Set]: a [Placement], [BlankLine], [KeepLayout].
	SetOption interface{ forSet() }
	// An AddOption is an option of [Editor.Add]: a [Placement], [BlankLine], [KeepLayout].
	AddOption interface{ forAdd() }
	// An InsertOption is an option of [Editor.Insert]: a [Placement], [KeepLayout].
	InsertOption interface{ forInsert() }
	// A MoveOption is an option of [Editor.Move]: [Into], a [Placement], [BlankLine],
	// [KeepComments], [KeepLayout].
	MoveOption interface{ forMove() }
	// A RemoveOption is an option of [Editor.Remove]: [KeepComments], [KeepLayout].
	RemoveOption interface{ forRemove() }
	// A DeleteOption is an option of [Editor.Delete]: [KeepComments], [KeepLayout].
	DeleteOption interface{ forDelete() }
)

// A Placement is where an added or moved part goes: [First], [Last], [Before] or [After].
type Placement interface {
	SetOption
	AddOption
	InsertOption
	MoveOption
}

type editOptions struct {
	keepComments bool
	keepLayout   bool
	where        whereKind
	part         Part // for before and after
	to           *Editor
	into         *hclconfig.Block
	hasInto      bool
	blank        blankKind
}

// slot returns before which of n parts the options want one. The index of the part that they
// name is that of named, or negative: then slot reports false.
func (o editOptions) slot(n int, named func() int) (int, bool) {
	switch o.where {
	case whereFirst:
		return 0, true
	case whereBefore, whereAfter:
		i := named()
		if i >= 0 && o.where == whereAfter {
			i++
		}
		return i, i >= 0
	}
	return n, true
}

type blankKind uint8

const (
	blankDefault blankKind = iota
	blankYes
	blankNo
)

type whereKind uint8

const (
	whereDefault whereKind = iota
	whereFirst
	whereLast
	whereBefore
	whereAfter
)

// An option is what all options are. The functions that return one say for which verbs.
//
// All verbs share one set of fields, because edits hand their options on: an Insert of
// a key that is there becomes a Replace. The types of the verbs are for the compiler of
// the caller only.
type option func(*editOptions)

func (option) forEdit()   {}
func (option) forSet()    {}
func (option) forAdd()    {}
func (option) forInsert() {}
func (option) forMove()   {}
func (option) forRemove() {}
func (option) forDelete() {}

// with returns the options of one edit.
func with[O any](e *Editor, opts []O) editOptions {
	o := e.opts
	for _, opt := range opts {
		if set, ok := any(opt).(option); ok {
			set(&o)
		}
	}
	return o
}

// KeepComments leaves the comments above the removed or moved part in place.
func KeepComments() interface {
	EditOption
	MoveOption
	RemoveOption
	DeleteOption
} {
	return option(func(o *editOptions) { o.keepComments = true })
}

// KeepLayout keeps edits from realigning the equals signs and comments of the
// surrounding lines, even if fmt would realign them.
func KeepLayout() interface {
	EditOption
	SetOption
	AddOption
	InsertOption
	MoveOption
	RemoveOption
	DeleteOption
} {
	return option(func(o *editOptions) { o.keepLayout = true })
}

// BlankLine says whether there is a blank line above the added or moved part. Without
// this option there is one above a block that is not the first thing in its file or body,
// and as a rule none above an argument. At the beginning of a file, and in JSON, it has no
// effect.
func BlankLine(above bool) interface {
	SetOption
	AddOption
	MoveOption
} {
	return option(func(o *editOptions) {
		o.blank = blankNo
		if above {
			o.blank = blankYes
		}
	})
}

// First puts the added or moved part before everything else.
func First() Placement { return option(func(o *editOptions) { o.where = whereFirst }) }

// Last puts the added or moved part after everything else.
func Last() Placement { return option(func(o *editOptions) { o.where = whereLast }) }

// Before puts the added or moved part before p, and before its comment. In JSON syntax
// blocks that share a type and labels are in one property: a block goes next to one of
// those, and an argument next to an argument or to such a property.
func Before(p Part) Placement {
	return option(func(o *editOptions) { o.where, o.part = whereBefore, p })
}

// After puts the added or moved part after p. In JSON, a block can only be put next to a
// block of its own type: for others, Apply returns an error that wraps [ErrEdit].
func After(p Part) Placement {
	return option(func(o *editOptions) { o.where, o.part = whereAfter, p })
}

// Into makes [Editor.Move] move to the file of another editor, or within the
// same one, into the content of a block, or out of all blocks if in is nil.
func Into(to *Editor, in *hclconfig.Block) MoveOption {
	return option(func(o *editOptions) { o.to, o.into, o.hasInto = to, in, true })
}

// A Part is an object that can be moved and removed, and can have comments: a
// [*hclconfig.Block], an [*hclconfig.Argument], an [hclconfig.Member] of an object, or an
// [hclconfig.Expression] that is an element of a list or an argument of a call. [Named]
// is also a Part. A [*hclconfig.Body] and any other expression are only for [TextOf] and
// [CodeOf].
type Part interface {
	// Place returns where it is.
	Place() (f *hclconfig.File, start, end int)
}

// Named is the argument of that name, or the first block of that type, in the
// body that an edit is about: Set(b, "x", 1, Before(Named("y"))).
type Named string

// Place returns no place: the target of the name depends on the edit.
func (Named) Place() (f *hclconfig.File, start, end int) { return nil, 0, 0 }

// unquoteJSON returns the meaning of a JSON string that is known to be valid.
func unquoteJSON(tok []byte) string {
	if bytes.IndexByte(tok, '\\') < 0 {
		return string(tok[1 : len(tok)-1])
	}
	return string(jsonscan.AppendUnquote(nil, tok))
}

// insideText returns the lines of text, from 0, that begin inside a heredoc or a
// string. White space matters there.
func insideText(text string) map[int]bool { return linesInside(text, false) }

// fixedLines returns the lines of text, from 0, that keep their indentation: those that begin
// inside a heredoc, a string or a comment. In a heredoc white space is a part of the value, also of
// one with a hyphen, where the line with the least of it decides. fmt leaves all of these alone.
func fixedLines(text string) map[int]bool { return linesInside(text, true) }

func linesInside(text string, comments bool) map[int]bool {
	inside := map[int]bool{}
	// To scan a text costs much more than to see that it has nothing of the kind.
	if !strings.Contains(text, "<<") && !strings.ContainsAny(text, "\"") && !strings.Contains(text, "/*") {
		return inside
	}
	tokens, _ := hclsyntax.LexConfig([]byte(text), "", hcl.InitialPos)
	open := 0
	for _, t := range tokens {
		from, to := t.Range.Start.Line, t.Range.End.Line
		switch {
		case t.Type == hclsyntax.TokenOHeredoc:
			open++
			continue
		// The end marker may be indented as well, and fmt leaves it where it is.
		case t.Type == hclsyntax.TokenCHeredoc:
			if open--; open < 0 {
				continue
			}
		case open > 0 && t.Type != hclsyntax.TokenEOF:
			// The first piece of text of a heredoc begins on a line of its own. One
			// that comes after an interpolation shares its line.
			if t.Range.Start.Column > 1 {
				from++
			}
		case comments && t.Type == hclsyntax.TokenComment && bytes.HasPrefix(t.Bytes, []byte("/*")):
			from++
		default:
			continue
		}
		for line := from; line <= to; line++ {
			inside[line-1] = true
		}
	}
	return inside
}

// unit is one level of indentation, as "tofu fmt" has it.
const unit = "  "

// bom is the byte order mark that a file may begin with.
const bom = "\uFEFF"

// lineOf returns where the line of offset begins, behind a byte order mark.
func lineOf(text string, offset int) int {
	line := strings.LastIndexByte(text[:offset], '\n') + 1
	// Nothing can come before the mark: it is one only at the very beginning.
	if line == 0 && offset >= len(bom) && strings.HasPrefix(text, bom) {
		return len(bom)
	}
	return line
}

// isInlineOnly reports whether s, the beginning of a line, has only comments that end
// on it.
func isInlineOnly(s string) bool {
	rest, open := afterComments(s)
	return rest == "" && !open
}

// restIsComment reports whether s, the rest of a line, has only comments.
func restIsComment(s string) bool {
	rest, _ := afterComments(s)
	return rest == ""
}

// afterComments returns what is in a line behind the comments that it begins with. It reports whether
// the last one of those goes on to the end of the line.
func afterComments(s string) (rest string, open bool) {
	for {
		s = strings.TrimSpace(s)
		switch {
		case strings.HasPrefix(s, "#"), strings.HasPrefix(s, "//"):
			return "", true
		case !strings.HasPrefix(s, "/*"):
			return s, false
		}
		n := strings.Index(s[2:], "*/")
		if n < 0 {
			return "", true
		}
		s = s[n+4:]
	}
}

// lineEndAt returns the place after the line of offset. A comment that begins on the
// line and ends on a later one belongs to it. What is removed or moved with the line
// would otherwise leave the rest of the comment behind, without its beginning.
func lineEndAt(text string, offset int) int {
	for i := offset; i < len(text); {
		switch stop := commentAt(text, i, len(text)); {
		case stop > i:
			i = stop
		case text[i] == '\n':
			return i + 1
		default:
			i++
		}
	}
	return len(text)
}

// commentAt returns where the comment ends that begins at i, without the line break, or i if there is
// none. It needs no scanner where nothing else can be, which is why it does not know strings.
func commentAt(text string, i, end int) int {
	switch rest := text[i:end]; {
	case strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, "//"):
		line, _, _ := strings.Cut(rest, "\n")
		return i + len(strings.TrimSuffix(line, "\r"))
	case strings.HasPrefix(rest, "/*"):
		if n := strings.Index(rest[2:], "*/"); n >= 0 {
			return i + n + 4
		}
		return end
	}
	return i
}

// commentsIn returns the comments from start to end, between which there are
// only comments and white space.
func commentsIn(text string, start, end int) []extent {
	var out []extent
	for i := start; i < end; i++ {
		if stop := commentAt(text, i, end); stop > i {
			out = append(out, extent{i, stop})
			i = stop - 1
		}
	}
	return out
}

// blankAround extends removed lines by blank lines next to them: of those above and
// below the longer run stays, and none at the beginning or end of a body. fmt does not remove blank
// lines, so those that a removed part leaves behind would stay forever.
func blankAround(text string, from, to int) (int, int) {
	first, last, above, below := from, to, 0, 0
	up, down := lineAbove(text, first), lineBelow(text, last)
	for ; up.blank; up = lineAbove(text, first) {
		first = up.start
		above++
	}
	for ; down.blank; down = lineBelow(text, last) {
		last = down.end
		below++
	}
	switch {
	case up.none || up.opens || down.none || down.shuts:
		return first, last
	case above >= below:
		return from, last
	}
	return first, to
}

type textLine struct {
	start, end                int
	none, blank, opens, shuts bool
}

func lineAbove(text string, at int) textLine {
	if at == 0 || at == len(bom) && strings.HasPrefix(text, bom) {
		return textLine{none: true}
	}
	l := textLine{start: lineOf(text, at-1), end: at}
	s := strings.TrimSpace(text[l.start:at])
	l.blank, l.opens = s == "", opensBody(s)
	return l
}

// opensBody reports whether a line ends with an opening bracket, and perhaps a comment.
//
// The scanner is asked, since a bracket may be in a string or a comment.
func opensBody(line string) bool {
	if !strings.ContainsAny(line, "{[(") {
		return false
	}
	tokens, _ := hclsyntax.LexConfig([]byte(line), "", hcl.InitialPos)
	for _, t := range slices.Backward(tokens) {
		switch t.Type {
		case hclsyntax.TokenEOF, hclsyntax.TokenNewline, hclsyntax.TokenComment:
			continue
		case hclsyntax.TokenOBrace, hclsyntax.TokenOBrack, hclsyntax.TokenOParen:
			return true
		}
		return false
	}
	return false
}

func lineBelow(text string, at int) textLine {
	if at >= len(text) {
		return textLine{none: true}
	}
	l := textLine{start: at, end: len(text)}
	if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
		l.end = at + n + 1
	}
	s := strings.TrimSpace(text[at:l.end])
	l.blank, l.shuts = s == "", strings.HasPrefix(s, "}") || strings.HasPrefix(s, "]") || strings.HasPrefix(s, ")")
	return l
}

// leading returns the white space that a line begins with.
func leading(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }

// shiftLines changes the indentation of the lines of text, except the first and
// those inside heredocs and strings.
func shiftLines(text, from, to string) string {
	if from == to || !strings.Contains(text, "\n") {
		return text
	}
	fixed := fixedLines(text + "\n")
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		if rest, ok := strings.CutPrefix(line, from); i > 0 && ok && !fixed[i] && strings.TrimSpace(line) != "" {
			line = to + rest
		}
		b.WriteString(line)
	}
	return b.String()
}

// lexComments returns the places of the comments in the text of an expression.
func lexComments(text string) []extent {
	var out []extent
	tokens, _ := hclsyntax.LexExpression([]byte(text), "", hcl.InitialPos)
	for _, t := range tokens {
		if t.Type == hclsyntax.TokenComment {
			out = append(out, extent{t.Range.Start.Byte, t.Range.Start.Byte + len(strings.TrimRight(string(t.Bytes), "\r\n"))})
		}
	}
	return out
}

// rank says where the arguments of a block belong that come first or last: the
// lower, the earlier. Others have rank 10.
//
// The order is that of the style guides of the tools: what decides how many of an object there are,
// and where it comes from, is above all others, and what it waits for is at the end. fmt does not
// change the order, so an existing one stays even if it is another.
func rank(block, name string) int {
	switch name {
	case "count", "for_each":
		return 0
	case "depends_on":
		return 30
	}
	switch block {
	case "module":
		switch name {
		case "source":
			return 1
		case "version":
			return 2
		case "providers":
			return 3
		}
	case "resource", "data", "ephemeral":
		if name == "provider" {
			return 3
		}
	}
	return 10
}

// inOrder returns the numbers of n elements.
func inOrder(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}
