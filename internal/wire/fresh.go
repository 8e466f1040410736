// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"bytes"
	"encoding/json"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// fresh runs write in the mode writing, and then lays out what it wrote like
// the text around it.
func (x *Codec) fresh(t *Table, write func(), k int) {
	mode := x.mode
	x.mode = writing
	x.member = t != nil && t.always&(1<<k) != 0
	at := x.beginFresh()
	write()
	x.endFresh(at)
	x.mode = mode
}

func (x *Codec) writeColon() {
	switch {
	case x.colon.end > 0:
		name := x.text[x.colon.start:x.colon.end]
		x.out = append(x.out, name[bytes.LastIndexByte(name, '"')+1:]...)
	case bytes.IndexByte(x.lead, '\n') >= 0:
		x.out = append(x.out, ": "...)
	default:
		x.out = append(x.out, ':')
	}
}

// beginFresh notes where new text begins that is to be laid out like the text
// around it; endFresh lays it out.
func (x *Codec) beginFresh() int {
	x.hold++
	return len(x.out)
}

func (x *Codec) endFresh(at int) {
	x.hold--
	if x.hold > 0 || x.doc == nil {
		return // part of something new that will be laid out as a whole
	}
	line := bytes.LastIndexByte(x.lead, '\n')
	if c := x.out[at]; line < 0 || c != '{' && c != '[' {
		return
	}
	var b bytes.Buffer
	if json.Indent(&b, x.out[at:], string(x.lead[line+1:]), x.indentStep()) == nil {
		x.out = append(x.out[:at], b.Bytes()...)
	}
}

// writeObject encodes an object without regard to its source.
func (x *Codec) writeObject(o any, src *Source, t *Table, member func(any, *Codec, int)) {
	x.enter()
	x.push()
	x.out = append(x.out, '{')
	comma := false
	order, written := x.layout(src, t)
	for _, k := range order {
		always, null := written&(1<<k) != 0, t.null&(1<<k) != 0
		if !always || null {
			x.mode = probing
			member(o, x, int(k))
			x.mode = writing
			if x.zero && !always && !(x.canonical && src.seen&(t.null|t.kept)&(1<<k) != 0) {
				continue
			}
			null = null && x.zero
		}
		x.member = always
		if comma {
			x.out = append(x.out, ',')
		}
		comma = true
		x.step(t.names[k])
		x.out = jsonscan.AppendQuote(x.out, t.names[k], !x.plain)
		x.out = append(x.out, ':')
		if null {
			x.out = append(x.out, "null"...)
			continue
		}
		member(o, x, int(k))
	}
	if x.canonical && src.seen&seenExtra != 0 {
		for name, v := range Extra[[]byte](src, t) {
			if comma {
				x.out = append(x.out, ',')
			}
			comma = true
			x.out = jsonscan.AppendQuote(x.out, name, !x.plain)
			x.out = append(x.out, ':')
			x.out = jsonscan.AppendCanonical(x.out, v)
		}
	}
	x.out = append(x.out, '}')
	x.pop()
	x.leave()
}

// put writes v, which does not stand at the codec's place: from its own
// source if it has one, otherwise anew.
func put[T any](x *Codec, v *T, fields func(*T, *Codec)) {
	src := locate(x, v, fields)
	mode := x.mode
	if src.doc == nil || x.canonical {
		x.mode = writing
		at := x.beginFresh()
		fields(v, x)
		x.endFresh(at)
		x.mode = mode
		return
	}
	doc, text, i, copied, lead, colon := x.doc, x.text, x.i, x.copied, x.lead, x.colon
	x.open(src)
	fields(v, x)
	x.closed(src)
	x.doc, x.text, x.i, x.copied, x.lead, x.colon = doc, text, i, copied, lead, colon
	x.mode = mode
}
