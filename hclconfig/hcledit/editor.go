// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// An Editor changes a file: it collects edits, and [Editor.Apply] makes a new
// File of them. An edit changes only the text of its subject: comments, blank
// lines, the order and the spelling of numbers stay. There is one exception. A
// line of a native file that has the layout of "tofu fmt" keeps it: if an edit
// changes the longest name of a group of arguments, the equals signs of the group
// move, and so do comments at the ends of adjacent lines, including those of
// adjacent blocks. [KeepLayout] prevents that. In JSON, new text gets the
// indentation that the file has.
//
// The methods take blocks and expressions of the file, of a file that Apply
// returned, or of a body that [Editor.Body] returned. They remain valid however
// often the text has changed since. Parts that an edit added, renamed or moved
// can be edited again. A sequence of edits has the same result as the same
// edits applied and parsed one by one.
//
// The first edit that fails stops the editor; Apply and Err return its error. An
// Editor must not be used concurrently.
type Editor struct {
	f        *hclconfig.File
	d        *draft
	opts     editOptions
	err      error
	versions map[*hclconfig.File]*snapshot // the files whose parts the editor takes
	guests   []*Editor                     // those that text came from
	longs    map[mark]*longBlock           // by their first bytes
	whole    *longBlock                    // the file, if it has arguments
	window   *region                       // what the edit reads, if it is of a long block
	shuffled shuffle                       // elements that have been moved
	// nested is how many changes there had been after the last one that moved
	// something into another block, or out of one, and sunk the same of blocks.
	nested, sunk int
	parsed       int // bytes of text parsed, for tests
	// now is the current text as a file, if it was asked for.
	now  *hclconfig.File
	refs *knownReferences // of the last rename
	// doc is the tree of a file in JSON. Such a file has no draft.
	doc *document
}

// Edit returns an editor for the file, which itself does not change. The options
// are those of all edits. A file with syntax errors cannot be edited: the editor
// has failed from the start; see [Editor.Err].
func Edit(f *hclconfig.File, opts ...EditOption) *Editor {
	if f == nil {
		f = &hclconfig.File{}
	}
	f.Body() // reads it
	e := &Editor{f: f, now: f}
	if f.Syntax() == hclconfig.JSONSyntax {
		e.doc = newDocument(f)
	} else {
		e.d = newDraft(slices.Clone(f.Bytes()), 4096)
		e.versions = map[*hclconfig.File]*snapshot{f: e.d.first}
		// Arguments outside of all blocks have no block whose text could be read by
		// itself: the file is as one long block.
		if len(f.Body().Arguments) > 0 || f.Kind() == hclconfig.ValuesFile {
			e.whole = &longBlock{kid: kid{isFile: true, since: -1}}
		}
	}
	e.opts = with(e, opts)
	if err := f.Err(); err != nil {
		e.err = fault(f, -1, fmt.Errorf("%w: the file has syntax errors: %w", ErrEdit, err))
	}
	return e
}

// Err returns the error of the first edit that failed, or nil. Apply returns the
// same error.
func (e *Editor) Err() error {
	if e == nil {
		return nil
	}
	return e.err
}

// Apply returns the edited file as a new File that shares no text with the editor's. The
// editor remains usable: later edits add to the earlier ones. The error is an
// [*hclconfig.Error], the first one that an edit met; it wraps [ErrEdit], or
// [hclconfig.ErrLimit] for a value that is nested too deeply.
func (e *Editor) Apply() (*hclconfig.File, error) {
	if e.err != nil {
		return nil, e.err
	}
	if e.now == e.f {
		// The result shares no text with the file, also if there were no edits.
		return e.f.Clone(), nil
	}
	e.long().layOutAll()
	if e.now == nil {
		return e.take(e.f.Reparse(e.bytes()))
	}
	return e.now, nil
}

// take makes out, which is the text as it is now, known.
func (e *Editor) take(out *hclconfig.File, err error) (*hclconfig.File, error) {
	if err != nil {
		return nil, fault(e.f, -1, fmt.Errorf("%w: the result would not be valid: %w", ErrEdit, err))
	}
	if e.doc != nil {
		e.doc.note(out, string(out.Bytes()))
	} else {
		e.versions[out] = e.d.snap(0, e.d.len())
	}
	e.now = out
	return out, nil
}

// bytes returns the text as it is now.
func (e *Editor) bytes() []byte {
	if e.doc != nil {
		return []byte(e.doc.root.String())
	}
	return append([]byte{}, e.d.slice(0, e.d.len())...)
}

// current returns the text as it is now as a file.
func (e *Editor) current() (*hclconfig.File, error) {
	e.long().layOutAll()
	if e.now != nil {
		return e.now, nil
	}
	src := e.bytes()
	e.parsed += len(src)
	if e.doc != nil {
		return e.take(hclconfig.ParseJSON(e.f.Filename(), src, e.f.Dialect()))
	}
	return e.take(hclconfig.ParseNative(e.f.Filename(), src, e.f.Dialect()))
}

// fileNow is current that records the error. Then it returns nil.
func (e *Editor) fileNow() *hclconfig.File {
	f, err := e.current()
	if e.fails(nil, textspan.Span{}, err) {
		return nil
	}
	return f
}

// fail records the first error, with its place in the file of at.
func (e *Editor) fail(f *hclconfig.File, at textspan.Span, err error) {
	if e.err != nil {
		return
	}
	var own *hclconfig.Error
	if errors.As(err, &own) {
		e.err = err
		return
	}
	// Every fault of an edit can be found with ErrEdit. A limit is the exception: it
	// says that the program refuses what the language allows.
	if !errors.Is(err, ErrEdit) && !errors.Is(err, hclconfig.ErrLimit) {
		err = fmt.Errorf("%w: %w", ErrEdit, err)
	}
	if f == nil {
		f, at = e.f, textspan.Of(-1, -1)
	}
	f, offset := e.inText(f, at)
	e.err = fault(f, offset, err)
}

// fails records an error, if there is one, and reports whether there is.
func (e *Editor) fails(f *hclconfig.File, at textspan.Span, err error) bool {
	if err != nil {
		e.fail(f, at, err)
	}
	return err != nil
}

// failsIn is fails for an edit of the content of a block.
func (e *Editor) failsIn(in *hclconfig.Block, err error) bool {
	f, at := headOf(in)
	return e.fails(f, at, err)
}

func (e *Editor) failf(f *hclconfig.File, at textspan.Span, format string, args ...any) {
	e.fail(f, at, fmt.Errorf("%w: %s", ErrEdit, fmt.Sprintf(format, args...)))
}

// version returns the text of a file that was read, here or in an editor that text came from, or nil.
func (e *Editor) version(f *hclconfig.File) *snapshot {
	v := e.versions[f]
	for i := 0; v == nil && i < len(e.guests); i++ {
		v = e.guests[i].versions[f]
	}
	return v
}

// find returns where the thing at s of f is now. It reports whether f is known
// and the thing is still there.
func (e *Editor) find(f *hclconfig.File, s textspan.Span) (start, end int, known, ok bool) {
	if e.doc != nil {
		_, known, ok = e.doc.find(f, s)
		return 0, 0, known, ok
	}
	v := e.version(f)
	if v == nil {
		return 0, 0, false, false
	}
	start, end, ok = e.d.find(v, int(s.Start), int(s.End))
	return start, end, true, ok
}

// findPart is find for a part.
func (e *Editor) findPart(p Part) (start, end int, known, ok bool) {
	f, s := spot(p)
	return e.find(f, s)
}

// place is find that records an error if the thing is not there.
func (e *Editor) place(f *hclconfig.File, s textspan.Span) (start, end int, ok bool) {
	if e.err != nil {
		return 0, 0, false
	}
	start, end, known, ok := e.find(f, s)
	switch {
	case ok:
	case !known:
		e.failf(nil, s, "it belongs to another file: move it with Into, or give its text to Source")
	default:
		e.failf(f, s, "it was removed by an earlier edit: take what is there from Body")
	}
	return start, end, ok
}

// placeBlock returns where a block is now.
func (e *Editor) placeBlock(b *hclconfig.Block) (start, end int, ok bool) {
	if b == nil {
		e.failf(nil, textspan.Span{}, "there is no such block: add it with Add")
		return 0, 0, false
	}
	if e.doc != nil {
		return e.place(b.File(), placeOf(b.Body.Range())) // labels may be shared
	}
	return e.place(b.File(), entryOf(b))
}

// placeBody returns where a block is now that an edit of arguments is about.
func (e *Editor) placeBody(in *hclconfig.Block) (start int, ok bool) {
	if in == nil && e.err == nil {
		return 0, true
	}
	start, _, ok = e.placeBlock(in)
	return start, ok
}

// specIn returns the language's description of the content of a block. A file that
// is not one of the language may have anything.
func (e *Editor) specIn(in *hclconfig.Block) *hcllang.Block {
	switch {
	case in != nil:
		return specOf(in)
	case e.f.Kind() == hclconfig.ValuesFile:
		return hcllang.Values
	}
	return hcllang.Open
}

// blockSpecIn is specIn for blocks: files of all kinds have those of their kind.
func (e *Editor) blockSpecIn(in *hclconfig.Block) *hcllang.Block {
	if in != nil {
		return specOf(in)
	}
	return rootOf(e.f)
}

// isAsRead reports whether all that was in f is still in the blocks that it was in.
func (e *Editor) isAsRead(f *hclconfig.File) bool {
	v, is := e.versions[f]
	return is && v.changes >= e.nested
}

// takeError takes over the error of another editor that an edit was about.
func (e *Editor) takeError(from *Editor) {
	if e.err == nil {
		e.err = from.err
	}
}

// rewrite makes a change of the text.
func (e *Editor) rewrite(start, end int, pieces ...textPiece) (gone *piece) {
	if e.now = nil; e.whole != nil && e.window == nil {
		e.whole.kids = nil
	}
	return e.d.rewrite(start, end, pieces...)
}

// Set sets an argument of a block: it replaces the expression of an existing argument, or
// adds a new one. The value is anything that [ValueOf] takes. A new argument comes on the
// line after the last one or, if there is none, before the blocks, followed by a blank
// line; count, for_each and the like come first, and depends_on comes last. An option can
// name another place. The name need not be one of the language.
//
// If in is nil, it is an argument of the file itself, as in terraform.tfvars. The language
// allows those only in a [hclconfig.ValuesFile], but a file may be of another language.
func (e *Editor) Set(in *hclconfig.Block, name string, value any, opts ...SetOption) *Editor {
	v, err := valueOf(value)
	e.long().prepareArgument(in, name, with(e, opts), true)
	e.long().prepareValue(v)
	start, ok := e.placeBody(in)
	if !ok || e.failsIn(in, err) {
		return e
	}
	if v, ok = e.settle(v); !ok {
		return e
	}
	if e.doc != nil {
		e.json().setJSON(in, name, v, with(e, opts))
	} else {
		e.native().setNative(in, start, name, v, with(e, opts))
	}
	return e
}

// Replace replaces an expression, or a part of one, by a value. The value is
// anything that [ValueOf] takes.
func (e *Editor) Replace(x hclconfig.Expression, value any) *Editor {
	v, err := valueOf(value)
	e.long().prepareAt(x.File(), spanOf(x), e.opts)
	e.long().prepareValue(v)
	start, end, ok := e.place(x.File(), spanOf(x))
	if !ok || e.fails(x.File(), spanOf(x), err) {
		return e
	}
	if v, ok = e.settle(v); !ok {
		return e
	}
	if e.doc != nil {
		e.json().replaceJSON(x, v)
	} else if r := e.native().regionAt(x.File(), int(spanOf(x).Start), start, end); r != nil {
		e.native().replaceIn(r, target{x.File(), spanOf(x), kindOf(x)}, start, end, v, e.opts)
	}
	return e
}

// ReplaceReference replaces the name in a reference: with var.b, "x-${var.a.id}" becomes
// "x-${var.b}". The text is native source and replaces the part of the reference that is
// [hclconfig.Reference.Text]. Unchanged steps, and comments between them, stay. The word
// "resource" before the address of a resource also stays, if text is such an address
// without it.
func (e *Editor) ReplaceReference(r hclconfig.Reference, text string) *Editor {
	if e.doc != nil {
		e.json().replaceReferenceJSON(r, text)
		return e
	}
	e.long().prepareAt(r.File(), placeOf(r.Range()), e.opts)
	start, end, ok := e.place(r.File(), placeOf(r.Range()))
	if !ok {
		return e
	}
	around := e.native().regionAt(r.File(), int(placeOf(r.Range()).Start), start, end)
	old := string(e.d.slice(start, end))
	text, to, err := asWritten(r, old, text)
	if e.fails(r.File(), placeOf(r.Range()), err) {
		return e
	}
	place := func(at int32) int { return start + int(at) }
	e.rewrite(start, end, referencePieces(start, end, old, text, to, place, func(s string) string { return s })...)
	e.native().layoutAfter(around, e.opts)
	return e
}

// referencePieces returns the pieces that change the reference old, which is from start to end, to
// text, which to is parsed of. What stays is kept.
func referencePieces(start, end int, old, text string, to hclsyntax.Expression, place func(at int32) int, quote func(string) string) []textPiece {
	changes, ok := replaceSteps(old, text, to)
	if !ok {
		return []textPiece{replaced(start, end, quote(text))}
	}
	var pieces []textPiece
	done := start
	for _, c := range changes {
		from, to := place(c.at.Start), place(c.at.End)
		pieces = append(pieces, kept(done, from), replaced(from, to, quote(c.text)))
		done = to
	}
	return append(pieces, kept(done, end))
}

// asWritten returns the text that a reference, which is written as old, becomes, and what it is parsed
// to: with the word "resource" in front if old has it, and text names a resource without it.
func asWritten(r hclconfig.Reference, old, text string) (string, hclsyntax.Expression, error) {
	// The tools read resource.x.y as x.y. A rename of the resource should not drop the
	// word that somebody chose to write.
	rest, ok := strings.CutPrefix(old, "resource")
	if ok && rest != "" && strings.ContainsAny(rest[:1], ". \t\r\n/#") && !strings.HasPrefix(r.Text, "resource.") && !strings.HasPrefix(text, "resource.") {
		addr, err := addrs.ParseReference(text)
		if res, ok := addr.Resource(); err == nil && ok && res.Mode() == addrs.Managed {
			text = "resource." + text
		}
	}
	to, err := parseSource(text)
	return text, to, err
}

// A stepChange is new text for a part of a reference.
type stepChange struct {
	at   textspan.Span
	text string
}

// replaceSteps returns the changes that turn the reference old into text, which to is
// parsed of: those of the steps that differ, if both have as many.
func replaceSteps(old, text string, to hclsyntax.Expression) ([]stepChange, bool) {
	from, diags := hcllex.ParseExpression([]byte(old), "", hcl.InitialPos)
	a, ok1 := from.(*hclsyntax.ScopeTraversalExpr)
	b, ok2 := to.(*hclsyntax.ScopeTraversalExpr)
	if diags.HasErrors() || !ok1 || !ok2 || len(a.Traversal) != len(b.Traversal) {
		return nil, false
	}
	var out []stepChange
	for i := range a.Traversal {
		s, t := rangeOf(a.Traversal[i].SourceRange()), rangeOf(b.Traversal[i].SourceRange())
		o, n := old[s.Start:s.End], text[t.Start:t.End]
		on, ok1 := a.Traversal[i].(hcl.TraverseAttr)
		tn, ok2 := b.Traversal[i].(hcl.TraverseAttr)
		if o == n || ok1 && ok2 && on.Name == tn.Name || sameIndex(a.Traversal[i], b.Traversal[i]) {
			continue
		}
		if ok1 && ok2 {
			// The dot and the text after it stay.
			s.Start = s.End - int32(len(on.Name))
			n = tn.Name
		}
		out = append(out, stepChange{s, n})
	}
	return out, true
}

// Rename renames an argument of a block and keeps its expression. It is an error if
// there is no argument of the old name, or already one of the new name. If in
// is nil, see [Editor.Set].
func (e *Editor) Rename(in *hclconfig.Block, from, to string) *Editor {
	e.long().prepareName(in, from, to)
	start, ok := e.placeBody(in)
	if !ok {
		return e
	}
	// The new name may be a type of blocks here. The tools would read the argument as
	// one, or refuse it.
	if _, err := argKind(e.specIn(in), to); err != nil {
		f, at := headOf(in)
		e.fail(f, at, err)
		return e
	}
	if e.doc != nil {
		e.json().renameJSON(in, from, to)
	} else {
		e.native().renameNative(in, start, from, to)
	}
	return e
}

// Remove removes an argument of a block with its comments: those on the lines
// directly above it, and the one at the end of its line. [KeepComments] keeps the
// former. If there is no such argument, Remove does nothing. If in is nil, see
// [Editor.Set].
func (e *Editor) Remove(in *hclconfig.Block, name string, opts ...RemoveOption) *Editor {
	e.long().prepareArgument(in, name, with(e, opts), false)
	start, ok := e.placeBody(in)
	if !ok {
		return e
	}
	if e.doc != nil {
		if a := e.json().holding(in, name); a != nil {
			e.json().removeItem(a)
		}
		return e
	}
	r, b, body := e.native().bodyIn(in, start)
	if body == nil {
		return e
	}
	if a := body.Argument(name); a != nil {
		e.native().deleteNative(r, b, int(nameOf(a).Start), with(e, opts))
	}
	return e
}

// Delete removes a block, an argument, an element of a list or an item of an
// object, with its comments: see [Editor.Remove]. In JSON the labels of a block
// go too, unless other blocks share them.
func (e *Editor) Delete(p Part, opts ...DeleteOption) *Editor {
	e.long().preparePart(p, with(e, opts))
	start, end, ok := e.placePart(p)
	if !ok {
		return e
	}
	if e.doc != nil {
		if b, is := p.(*hclconfig.Block); is {
			e.json().deleteBlock(b)
			return e
		}
		if x, ok := partInString(p); ok {
			e.json().editString(x, p, with(e, opts), func(sub *Editor, _ hclconfig.Expression, p Part, o option) { sub.Delete(p, o) })
			return e
		}
		e.json().deleteJSON(p)
		return e
	}
	e.native().deletePart(p, start, end, with(e, opts))
	return e
}

// Add adds a block: to the content of another one, or to the file if in is nil.
// The block comes after the existing content, but before lifecycle and depends_on,
// unless an option names another place. In JSON, the blocks of a type are
// together: the block comes after those, and the options choose a place among
// them.
func (e *Editor) Add(in *hclconfig.Block, block *BlockBuilder, opts ...AddOption) *Editor {
	if e.err != nil {
		return e
	}
	e.long().prepareBlock(in, block.typ, with(e, opts))
	if in != nil {
		if _, _, ok := e.placeBlock(in); !ok {
			return e
		}
	}
	if e.doc != nil {
		e.json().addBlockJSON(in, block, with(e, opts))
		return e
	}
	e.native().addNative(in, block, with(e, opts))
	return e
}

// Relabel changes label i of a block. In JSON, other blocks may share the property
// that holds it: then the block moves to a property of its own, which only works
// for a block that is in no other.
func (e *Editor) Relabel(b *hclconfig.Block, i int, label string) *Editor {
	e.long().preparePart(b, e.opts)
	if _, _, ok := e.placeBlock(b); !ok {
		return e
	}
	if i < 0 || i >= len(b.Labels) || !b.LabelRange(i).IsValid() {
		e.failf(b.File(), placeOf(b.TypeRange()), "the block has no label %d: change how many it has with SetHeader", i)
		return e
	}
	if e.doc != nil {
		e.json().relabelJSON(b, i, label)
		return e
	}
	at := placeOf(b.LabelRange(i))
	start, end, ok := e.place(b.File(), at)
	if !ok {
		return e
	}
	around := e.native().regionAt(b.File(), int(at.Start), start, end)
	e.rewrite(start, end, replaced(start, end, hcllex.Quote(label)))
	e.native().layoutAfter(around, e.opts)
	return e
}

// placePart returns where a part is now.
func (e *Editor) placePart(p Part) (start, end int, ok bool) {
	// Argument returns nil for a name that is not there, which is a pointer in a Part
	// that is not nil.
	f, s := (*hclconfig.File)(nil), textspan.Span{}
	if a, ok := p.(*hclconfig.Argument); p != nil && !(ok && a == nil) {
		f, s = spot(p)
	}
	if b, ok := p.(*hclconfig.Body); ok && b != nil {
		e.failf(f, s, "a body cannot be edited as a part: edit its content")
		return 0, 0, false
	}
	if b, ok := p.(*hclconfig.Block); ok && b != nil && e.doc != nil {
		s = placeOf(b.Body.Range())
	}
	if f == nil {
		e.failf(nil, textspan.Span{}, "there is no such part: add it with Set, Add or Insert")
		return 0, 0, false
	}
	return e.place(f, s)
}

// nl returns how the file ends its lines.
func (e *Editor) nl() string { return e.d.newline() }

// SetHeader changes the type and the labels of a block. The number of labels may
// change. The body and the place of the block stay. In JSON syntax, a block that
// shares its properties with others moves to a property of its own.
func (e *Editor) SetHeader(b *hclconfig.Block, typ string, labels ...string) *Editor {
	e.long().preparePart(b, e.opts)
	start, _, ok := e.placeBlock(b)
	if !ok {
		return e
	}
	if e.doc != nil {
		e.json().setHeaderJSON(b, typ, labels)
		return e
	}
	if !hcllex.PlainName(typ) {
		e.failf(b.File(), placeOf(b.TypeRange()), "%q cannot be the type of a block", typ)
		return e
	}
	r, now := e.native().regionOf(b, start)
	if now == nil {
		return e
	}
	e.native().rewriteHeader(r, now, typ, labels)
	e.native().layoutAfter(r, e.opts)
	return e
}

// ReplaceReferences changes every reference of the file that begins with the steps of
// from, to begin with those of to instead. With var.old and var.new, var.old.x[0]
// becomes var.new.x[0], and var.older stays. Keys are steps as well: module.net.aws_x.a
// does not match module.net["a"].aws_x.a, but module.net matches both. References in
// templates, in blocks that the language does not know, and in depends_on, moved and
// import count as well. Names that a for expression or a dynamic block binds do not,
// nor, in test files, names of the other module in a run block with its own module. It
// returns how many references it changed.
//
// The "to" of a moved block changes like any other reference. If the file gets a new
// moved block for the rename, the tools refuse the two as ambiguous: two objects then
// have one destination. Leave such blocks as they are, with [Editor.ReplaceReference] for
// each other reference, or remove the older one.
func (e *Editor) ReplaceReferences(from, to string) int {
	if e.err != nil {
		return 0
	}
	written := hcl.Traversal(nil)
	steps, err := stepsOf(from)
	if err == nil {
		written, err = stepsOf(to)
	}
	if e.fails(nil, textspan.Span{}, err) {
		return 0
	}
	return e.replaceKnown(steps, to, written)
}

// stepsOf parses a reference.
func stepsOf(text string) (hcl.Traversal, error) {
	x, err := parseSource(text)
	if err != nil {
		return nil, err
	}
	t, ok := x.(*hclsyntax.ScopeTraversalExpr)
	if !ok {
		return nil, fmt.Errorf("%w: %.80q is not a reference", ErrEdit, text)
	}
	return t.Traversal, nil
}

// native returns what makes the edits in native syntax.
func (e *Editor) native() *nativeEditor { return (*nativeEditor)(e) }

// long returns what knows the long blocks of a file in native syntax.
func (e *Editor) long() *longEditor { return (*longEditor)(e) }

// json returns what makes the edits in JSON syntax.
func (e *Editor) json() *jsonEditor { return (*jsonEditor)(e) }
