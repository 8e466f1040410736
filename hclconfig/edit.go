// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/tofuwire/tofuwire/internal/hcllex"
	"github.com/tofuwire/tofuwire/internal/jsontree"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// An Editor changes a file: it collects edits, and [Editor.Apply] makes a new
// File of them. The bytes that an edit does not touch stay what they are,
// comments, spaces, order and the spelling of numbers included; new text is
// laid out as "tofu fmt" would, or, in JSON, like what is around it.
//
// The blocks and expressions that the methods take are those of the original
// file. Edits add up: an argument that was set can be set again, and what was
// added is there for what comes next. The first edit that cannot be made
// stops the editor; Apply and Err tell which.
//
// An Editor is for one goroutine.
type Editor struct {
	f   *File
	p   patcher
	err error
	// newline and crlf are how the file ends its lines.
	newline string
}

// Edit returns an editor for the file, which itself does not change. A file
// with syntax errors cannot be edited: the editor has an error from the start.
func (f *File) Edit() *Editor {
	e := &Editor{f: f, p: patcher{text: slices.Clone(f.src)}, newline: "\n"}
	if i := bytes.IndexByte(f.src, '\n'); i > 0 && f.src[i-1] == '\r' {
		e.newline = "\r\n"
	}
	if f.err != nil {
		e.err = f.fault(-1, fmt.Errorf("%w: the file has syntax errors: %w", ErrEdit, f.err))
	}
	return e
}

// Err returns the error of the first edit that cannot be made, which Apply
// returns too, or nil.
func (e *Editor) Err() error { return e.err }

// Apply returns the file with all edits made, as a new File that shares no text
// with the editor's. The editor can go on from there: later edits add to those
// made before. The error is an [*Error], the first one that an edit met; it wraps
// [ErrEdit], or [ErrTooDeep] for a value that is nested too deeply.
func (e *Editor) Apply() (*File, error) {
	if e.err != nil {
		return nil, e.err
	}
	out, err := parse(e.f.name, slices.Clone(e.p.text), e.f.syntax, e.f.dialect)
	if err != nil {
		return nil, e.f.fault(-1, fmt.Errorf("%w: the result would not be valid: %w", ErrEdit, err))
	}
	return out, nil
}

// fail records the first error.
func (e *Editor) fail(at textspan.Span, err error) {
	if e.err != nil {
		return
	}
	var own *Error
	if errors.As(err, &own) {
		e.err = err
		return
	}
	if !errors.Is(err, ErrEdit) && !errors.Is(err, ErrTooDeep) {
		err = fmt.Errorf("%w: %w", ErrEdit, err)
	}
	e.err = e.f.fault(int(at.Start), err)
}

func (e *Editor) failf(at textspan.Span, format string, args ...any) {
	e.fail(at, fmt.Errorf("%w: %s", ErrEdit, fmt.Sprintf(format, args...)))
}

// owns reports whether the thing at s belongs to the editor's file.
func (e *Editor) owns(f *File, s textspan.Span) bool {
	if e.err != nil {
		return false
	}
	if f != e.f {
		e.failf(textspan.Of(-1, -1), "it belongs to another file")
		return false
	}
	return true
}

func (e *Editor) ownsBlock(b *Block) bool {
	if b == nil {
		e.failf(textspan.Of(-1, -1), "there is no such block")
		return false
	}
	return e.owns(b.file, b.entry)
}

// locate returns where s is now.
func (e *Editor) locate(s textspan.Span) (start, end int, ok bool) {
	start, ok1 := e.p.start(int(s.Start))
	end, ok2 := e.p.end(int(s.End))
	if !ok1 || !ok2 || start > end {
		e.failf(s, "it was removed by an earlier edit")
		return 0, 0, false
	}
	return start, end, true
}

// Set sets an argument of a block: if it is there, its expression is replaced,
// if not, it is added. The value is anything that [ValueOf] takes.
func (e *Editor) Set(in *Block, name string, value any) *Editor {
	if !e.ownsBlock(in) {
		return e
	}
	v, err := valueOf(value)
	if err != nil {
		e.fail(in.typeAt, err)
		return e
	}
	if a := in.Argument(name); a != nil {
		if _, ok := e.p.start(int(a.nameAt.Start)); ok {
			return e.Replace(a.Expression, v)
		}
	}
	if e.f.syntax == JSONSyntax {
		e.addJSONArgument(in, name, v)
	} else {
		e.addNativeArgument(in, name, v)
	}
	return e
}

// Replace replaces an expression, or a part of one, by a value. The value is
// anything that [ValueOf] takes.
func (e *Editor) Replace(x Expression, value any) *Editor {
	if !e.owns(x.file, x.at) {
		return e
	}
	v, err := valueOf(value)
	if err != nil {
		e.fail(x.at, err)
		return e
	}
	start, end, ok := e.locate(x.at)
	if !ok {
		return e
	}
	var text string
	if e.f.syntax == JSONSyntax {
		text, err = e.jsonValueText(v, x.kind, start)
	} else {
		text, err = v.native(x.kind)
		text = formatNative(text, e.indentAt(start), e.newline)
	}
	if err != nil {
		e.fail(x.at, err)
		return e
	}
	e.p.replace(start, end, text)
	return e
}

// ReplaceReference replaces what a reference names: with var.b, "x-${var.a.id}"
// becomes "x-${var.b}". The text is native source and takes the place of the
// whole reference, as far as [Reference.Text] goes.
func (e *Editor) ReplaceReference(r Reference, text string) *Editor {
	if !e.owns(r.file, r.at) {
		return e
	}
	if _, err := parseSource(text); err != nil {
		e.fail(r.at, err)
		return e
	}
	start, end, ok := e.locate(r.at)
	if !ok {
		return e
	}
	if r.inString != (textspan.Span{}) {
		quoted := jsontree.Quote(text)
		text = quoted[1 : len(quoted)-1]
	}
	e.p.replace(start, end, text)
	return e
}

// Rename gives an argument of a block another name and leaves its expression.
// It is an error if there is no argument of that name.
func (e *Editor) Rename(in *Block, from, to string) *Editor {
	if !e.ownsBlock(in) {
		return e
	}
	a := in.Argument(from)
	if a == nil {
		e.failf(in.typeAt, "there is no argument %q to rename", from)
		return e
	}
	if _, err := argKind(in.Body.spec, to); err != nil {
		e.fail(a.nameAt, err)
		return e
	}
	start, end, ok := e.locate(a.nameAt)
	if !ok {
		return e
	}
	if e.f.syntax == JSONSyntax {
		e.p.replace(start, end, jsontree.Quote(to))
		return e
	}
	if !hcllex.PlainName(to) {
		e.failf(a.nameAt, "%q cannot be the name of an argument", to)
		return e
	}
	// The equals sign keeps its column if it can.
	gap := end
	for gap < len(e.p.text) && e.p.text[gap] == ' ' {
		gap++
	}
	if gap < len(e.p.text) && e.p.text[gap] == '=' {
		e.p.replace(end, gap, spaces(max(1, gap-end+len(from)-len(to))))
	}
	e.p.replace(start, end, to)
	return e
}

// Remove removes an argument of a block, with the comment at the end of its
// line. Comments on lines of their own stay. If there is no such argument,
// nothing happens.
func (e *Editor) Remove(in *Block, name string) *Editor {
	if !e.ownsBlock(in) {
		return e
	}
	a := in.Argument(name)
	if a == nil {
		return e
	}
	s := textspan.Of(a.nameAt.Start, a.at.End)
	start, end, ok := e.locate(s)
	if !ok {
		return e
	}
	if e.f.syntax == JSONSyntax {
		e.removeJSON(start, end)
	} else {
		e.removeNative(start, end, false)
	}
	return e
}

// Add adds a block: to the content of another one, or to the file if in is
// nil. It comes behind what is there; in JSON, behind the blocks of its type.
func (e *Editor) Add(in *Block, block *BlockBuilder) *Editor {
	if e.err != nil {
		return e
	}
	body := &e.f.body
	if in != nil {
		if !e.ownsBlock(in) {
			return e
		}
		body = &in.Body
	}
	if e.f.syntax == JSONSyntax {
		e.addJSONBlock(body, block)
	} else {
		e.addNativeBlock(in, block)
	}
	return e
}

// RemoveBlock removes a block with its content, and in JSON the labels that
// would be left without any. Comments around it stay.
func (e *Editor) RemoveBlock(b *Block) *Editor {
	if !e.ownsBlock(b) {
		return e
	}
	start, end, ok := e.locate(b.entry)
	if !ok {
		return e
	}
	if e.f.syntax == JSONSyntax {
		typeAt, _ := e.p.start(int(b.typeAt.Start))
		e.removeJSONBlock(start, end, typeAt)
	} else {
		e.removeNative(start, end, true)
	}
	return e
}

// Relabel changes label i of a block. In JSON, other blocks may share the
// property that holds it; then it is an error.
func (e *Editor) Relabel(b *Block, i int, label string) *Editor {
	if !e.ownsBlock(b) {
		return e
	}
	if i < 0 || i >= len(b.labelAt) {
		e.failf(b.typeAt, "the block has no label %d", i)
		return e
	}
	at := b.labelAt[i]
	start, end, ok := e.locate(at)
	if !ok {
		return e
	}
	if e.f.syntax == NativeSyntax {
		e.p.replace(start, end, hcllex.Quote(label))
		return e
	}
	shared := 0
	for other := range e.f.body.All() {
		if i < len(other.labelAt) && other.labelAt[i] == at {
			shared++
		}
	}
	if shared > 1 {
		e.failf(at, "%d blocks share this label", shared)
		return e
	}
	e.p.replace(start, end, jsontree.Quote(label))
	return e
}

func spaces(n int) string { return string(bytes.Repeat([]byte{' '}, n)) }

// indentAt returns the white space that the line of offset begins with.
func (e *Editor) indentAt(offset int) string {
	start := e.lineStart(offset)
	end := start
	for end < len(e.p.text) && (e.p.text[end] == ' ' || e.p.text[end] == '\t') {
		end++
	}
	return string(e.p.text[start:end])
}

// lineStart returns where the line of offset begins.
func (e *Editor) lineStart(offset int) int {
	return bytes.LastIndexByte(e.p.text[:offset], '\n') + 1
}
