// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"bytes"
	"encoding/json"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/planjson"
)

const (
	knownAfterApply = "(known after apply)"
	becomesNull     = " -> null"
	becomes         = " -> "
)

// value renders a value on the open line, and leaves its last line open.
func (r *renderer) value(d *Attribute, sign string, depth int, note string) {
	null := ""
	if d.Status == Removed && d.Index < 0 && r.inside == 0 {
		null = becomesNull
	}
	switch {
	case d.Sensitive:
		r.say("(sensitive value)")
		r.finish(null, note)
	case d.Unknown && (d.Status == Added || d.Status == Unchanged):
		r.say(knownAfterApply)
		r.finish("", note)
	case d.Unknown:
		r.inside++
		r.one(d, Removed, depth)
		r.inside--
		r.say(becomes + knownAfterApply)
		r.finish("", note)
	case d.UnknownBefore:
		r.say(knownAfterApply)
		if d.After != nil || len(d.Children) > 0 {
			r.say(becomes)
			r.one(d, Added, depth)
		}
		r.finish("", note)
	case d.JSON && len(d.Children) > 0:
		if d.Status != Changed {
			sign = " "
		}
		r.document([]*Attribute{d}, sign, depth, "", note)
		r.finish(null, "")
	case len(d.Children) > 0:
		r.container(d, depth, note)
		r.finish(null, "")
	case d.Status == Moved && d.Before == nil && d.After == nil:
		r.say("(the same element)")
		r.finish("", note)
	case d.Status == Changed && d.Before != nil && d.After != nil:
		r.change(d, depth, note)
	case d.Status == Changed && d.After != nil:
		r.say("(nothing)" + becomes)
		r.scalar(d.After, Added, depth, "")
		r.finish("", note)
	default:
		v := d.After
		if d.Status == Removed {
			v = d.Before
		}
		switch {
		case v == nil:
			r.say(emptyOf(d))
			r.finish(null, note)
		case v.Kind() == planjson.KindNull:
			r.scalar(v, d.Status, depth, "")
			r.finish("", note)
		default:
			r.scalar(v, d.Status, depth, note)
			if r.isEmptyDocument(v) {
				null = ""
			}
			r.finish(null, r.note)
		}
	}
}

// finish ends a value with a word, and its line with a remark.
func (r *renderer) finish(word, note string) {
	if word != "" {
		r.say(word)
	}
	if note != "" {
		r.note = note
	}
}

// one renders the only known side of a value that is unknown on the other one.
func (r *renderer) one(d *Attribute, status Status, depth int) {
	switch {
	case d.JSON && len(d.Children) > 0:
		r.document([]*Attribute{d}, " ", depth, "", "")
	case len(d.Children) > 0:
		r.container(d, depth, "")
	case d.Before != nil:
		r.scalar(d.Before, status, depth, "")
	case d.After != nil:
		r.scalar(d.After, status, depth, "")
	case d.UnknownBefore:
		r.say(knownAfterApply)
	default:
		r.say(emptyOf(d))
	}
}

// pair renders a value and what comes in its place, which has another kind.
func (r *renderer) pair(b, a *Attribute, depth int, note string) {
	r.inside++
	r.value(b, " ", depth, "")
	r.say(becomes)
	r.value(a, " ", depth, "")
	r.inside--
	r.finish("", note)
}

// container renders something with members or elements.
func (r *renderer) container(d *Attribute, depth int, note string) {
	opening, closing := "{", "}"
	if d.Container == planjson.KindArray {
		opening, closing = "[", "]"
	}
	r.say(opening)
	r.finish("", note)
	r.end()
	inside := r.inside
	switch {
	case d.nulls == noNulls, d.Container == planjson.KindArray, d.Unknown, d.Map && d.Status == Removed:
		r.inside++
	case d.nulls == showNulls, d.Map:
		r.inside = 0
	}
	r.children(d, depth+1)
	r.inside = inside
	r.to.begin(" ", depth)
	r.say(closing)
}

// document renders a string that holds a JSON document: its difference, or two
// of other kinds, one for the other. The remark comes after its first line, the
// note after the document.
func (r *renderer) document(docs []*Attribute, sign string, depth int, remark, note string) {
	long := false
	for _, d := range docs {
		long = long || len(d.Children) > 0
	}
	r.say("jsonencode(")
	if !long {
		r.documents(docs, depth)
		r.say(")")
		r.finish("", strings.TrimSpace(remark+" "+note))
		return
	}
	r.finish("", remark)
	r.end()
	r.to.begin(sign, depth+1)
	r.documents(docs, depth+1)
	r.finish("", note)
	r.end()
	r.to.begin(" ", depth)
	r.say(")")
}

func (r *renderer) documents(docs []*Attribute, depth int) {
	r.inside++
	for i, d := range docs {
		if i > 0 {
			r.say(becomes)
		}
		if len(d.Children) > 0 {
			r.container(d, depth, "")
			continue
		}
		r.one(d, d.Status, depth)
	}
	r.inside--
}

// tree compares two JSON documents. Either may be missing. The result
// has two elements if they are of different kinds.
func tree(b, a planjson.Value, unchanged bool) []*Attribute {
	d := newDiffer(Options{Unchanged: unchanged})
	d.spelling = true
	holder := Attribute{Index: -1}
	d.attribute(spot{parent: &holder, index: -1, shape: jsonShape}, side{value: b}, side{value: a}, nil)
	return holder.Children
}

// change renders two scalars, or a scalar and an empty container.
func (r *renderer) change(d *Attribute, depth int, note string) {
	b, a := inner(d.Before), inner(d.After)
	switch {
	case b != nil && a != nil && b.Kind() != a.Kind():
		r.document(tree(b, a, false), "~", depth, "", note)
	case b != nil && a != nil: // equal
		if note != "" {
			note = " force replacement"
		}
		r.document(tree(b, a, true), " ", depth, "# whitespace changes"+note, "")
	case b == nil && a == nil && isText(d.Before, d.After):
		r.heredoc(d.Before, d.After, Changed, depth, note)
	default:
		r.scalar(d.Before, Removed, depth, "")
		r.say(becomes)
		r.scalar(d.After, Added, depth, "")
		r.finish("", note)
	}
}

// scalar renders one side of a scalar, or an empty container.
func (r *renderer) scalar(v planjson.Value, status Status, depth int, note string) {
	switch doc := inner(v); {
	case doc == nil && isText(v, nil):
		r.heredoc(v, nil, status, depth, note)
		return
	case doc == nil:
		r.add(v)
	case status == Removed:
		r.document(tree(doc, nil, false), " ", depth, "", note)
		return
	case status == Added:
		r.document(tree(nil, doc, false), " ", depth, "", note)
		return
	default:
		r.document(tree(doc, doc, true), " ", depth, "", note)
		return
	}
	r.finish("", note)
}

// isEmptyDocument reports whether a string holds an empty JSON document, which
// the tools show without a word that it is removed.
func (r *renderer) isEmptyDocument(v planjson.Value) bool {
	doc := inner(v)
	return doc != nil && doc.Len() == 0
}

// emptyOf represents a container that has only nulls.
func emptyOf(d *Attribute) string {
	if d.Status == Unchanged && !d.isObject() {
		return "(unchanged)"
	}
	return "{}"
}

// add adds a scalar or an empty container to the open line.
func (r *renderer) add(v planjson.Value) {
	switch v.Kind() {
	case planjson.KindString:
		r.addString(v)
		return
	case planjson.KindNumber, planjson.KindBool, planjson.KindNull:
		r.text = r.cut(append(r.text[:0], bytes.TrimSpace(v)...))
	case planjson.KindArray:
		r.text = append(r.text[:0], "[]"...)
	case planjson.KindObject:
		r.text = append(r.text[:0], "{}"...)
	default:
		r.text = append(r.text[:0], "(invalid)"...)
	}
	r.to.add(r.text)
}

// addString adds a string in quotes. A long one is neither copied nor held as a
// whole.
func (r *renderer) addString(v planjson.Value) {
	token := []byte(v)
	if r.max <= 0 && isPlain(token) {
		r.to.add(token)
		return
	}
	at := jsonscan.Space(token, 0)
	end, fault := jsonscan.String(token, at)
	if fault != jsonscan.OK {
		r.say("(invalid)")
		return
	}
	token = token[at:end]
	if r.max > 0 {
		if len(token) > longToken*r.max {
			text := appendQuoted(nil, jsonscan.Unquote(append(append([]byte(nil), token[:tokenPart(token, 1, longToken*r.max)]...), '"')))
			text = append(append(r.text[:0], text[:runeBefore(text, r.max)]...), "... ("...)
			r.text = append(strconv.AppendInt(text, int64(len(token)), 10), " bytes)"...)
		} else {
			r.text = r.cut(appendQuoted(r.text[:0], jsonscan.Unquote(token)))
		}
		r.to.add(r.text)
		return
	}
	r.say(`"`)
	for part := range textParts(token) {
		r.text = appendQuoted(r.text[:0], part)
		if r.to.add(r.text[1 : len(r.text)-1]); r.to.full() {
			break
		}
	}
	r.say(`"`)
}

// chunk is how much of a long string is dealt with at a time.
const chunk = 16 << 10

// indentJSON returns the lines of a JSON text in the usual layout.
func indentJSON(v planjson.Value) iter.Seq[string] {
	var b bytes.Buffer
	if json.Indent(&b, v, "", "  ") != nil {
		return strings.Lines(string(v))
	}
	return strings.SplitSeq(b.String(), "\n")
}

// cut shortens a value that is too long.
func (r *renderer) cut(b []byte) []byte {
	if r.max <= 0 || len(b) <= r.max {
		return b
	}
	return append(append([]byte(nil), b[:runeBefore(b, r.max)]...), "... ("+strconv.Itoa(len(b))+" bytes)"...)
}

// longToken is the least ratio of the length of a string's token to that of its
// shown part at which only a part of the token is read.
const longToken = 16

// tokenPart returns the end of a part of the token of a string that begins at i:
// at most n, and not within an escape or a character.
func tokenPart(token []byte, i, n int) int {
	for i < min(n, len(token)) {
		step := 1
		switch c := token[i]; {
		case c == '\\' && token[i+1] == 'u':
			step = 12 // its second half may not be a part of it
			if i+8 > len(token) || token[i+6] != '\\' || token[i+7] != 'u' {
				step = 6
			}
		case c == '\\':
			step = 2
		case c >= 0x80:
			_, step = utf8.DecodeRune(token[i:])
		}
		if i+step > n {
			break
		}
		i += step
	}
	return i
}

// runeBefore returns the last place up to n at which a character begins.
func runeBefore(b []byte, n int) int {
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return n
}

// isPlain reports whether the token of a string is also its usual spelling.
func isPlain(v planjson.Value) bool {
	for _, c := range v {
		if c < ' ' || c > '~' || c == '\\' {
			return false
		}
	}
	return len(v) >= 2 && v[0] == '"' && v[len(v)-1] == '"'
}
