// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"strings"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
)

// PlainTexts are the sensitive texts that are plain. They are hidden where they are all
// of a value of an attribute that has them at a sensitive place, and in identities.
type plainTexts struct {
	words  map[string]*word
	values *knowntext.Words // as tokens
	inside *knowntext.Words // wherever they are, if somebody asks
}

// plainTexts returns the words that are plain.
func (e *engine) plainTexts() plainTexts {
	p := plainTexts{words: make(map[string]*word)}
	var tokens, texts []string
	for text, w := range e.words {
		if e.texts.isPlain(text, w) {
			p.words[text] = w
			tokens, texts = append(tokens, `"`+text+`"`), append(texts, text)
		}
	}
	p.values = knowntext.NewWords(tokens)
	if e.asked {
		p.inside = knowntext.NewWords(texts)
	}
	return p
}

// next returns the next token in a part of a value that is a plain text with a place
// there.
func (p *plainTexts) next(a *attributes, from, to int) (start, end int) {
	for {
		start, end = p.values.Next(a.text, from, to)
		if start == to {
			return to, to
		}
		if (start == 0 || a.text[start-1] != '\\') && !startsWithColon(a.text[end:min(len(a.text), end+maxSpace)]) {
			w := p.words[string(a.text[start+1:end-1])]
			if w.isOf(a.at(start)) || a.identity {
				return start, end
			}
		}
		from = end
	}
}

// maxSpace is how much white space is looked through for a colon.
const maxSpace = 64

// scrub replaces known secrets in the text from the last checked byte up to end,
// which begins and ends between tokens: in strings, names of members, and numbers; and in
// a value the plain texts that have a place there. What says of another value that a
// part of it is sensitive does not count.
func (w *writer) scrub(end int, counted bool) {
	if w.around.isOpen && w.plain.values != nil {
		for from := w.checked; from < end; {
			start, next := w.plain.next(&w.around, from, end)
			if start < end {
				w.tokens(start, counted)
				w.replace(start, next, string(w.quoted))
				w.hiddenToken(start, next, reasonSecret)
			}
			from = next
		}
	}
	w.tokens(end, counted)
}

// tokens is scrub without plain texts.
func (w *writer) tokens(end int, counted bool) {
	from := w.checked
	w.work += end - from
	if !w.scan.Quiet(from, end) {
		w.scan.Tokens(from, end, w.token, w.name, func(start, end int, by []byte) {
			w.keep(from, start)
			from = end
			w.replace(start, end, string(by))
			if counted {
				w.hiddenToken(start, end, reasonSecret)
			}
		})
	}
	w.keep(from, end)
	w.checked = end
}

// keep reports the plain texts that stay in a part of the text, between tokens.
func (w *writer) keep(from, to int) {
	if w.plain.inside == nil || from >= to {
		return
	}
	if start, _ := w.plain.inside.Next(w.text, from, to); start == to {
		return
	}
	for i := from; i < to; {
		if w.text[i] != '"' {
			i++
			continue
		}
		next := jsonscan.StringEnd(w.text, i)
		for at := i; at < next; {
			start, end := w.plain.inside.Next(w.text, at, next)
			if start < next {
				w.report(w.tokenAt(w.text, i, next), Entry{Why: "plain", Kept: true, Length: end - start})
			}
			at = end
		}
		i = next
	}
}

// reportIdentity reports what an identity shows, which begins at start and has been gone
// through.
func (w *writer) reportIdentity(start int) {
	if !w.asked {
		return
	}
	root, value, edits := w.pointer(), w.text[start:w.i], w.edits
	if !bytes.ContainsAny(value, `"0123456789`) {
		return
	}
	for i := 0; i < len(value); {
		c := value[i]
		if c != '"' && c != '-' && (c < '0' || c > '9') {
			i++
			continue
		}
		next, length := jsonscan.ValueEnd(value, i), 0
		if length = next - i; c == '"' {
			length = len(jsonscan.UnquoteBytes(value[i:next]))
		}
		for len(edits) > 0 && edits[0].start < start+i {
			edits = edits[1:]
		}
		replaced := len(edits) > 0 && edits[0].start == start+i
		if (c != '"' || !startsWithColon(value[next:])) && !replaced && length > 0 {
			w.report(root+jsonscan.Pointer(value, i), Entry{Why: "identity", Kept: true, Length: length})
		}
		i = next
	}
}

// report calls Report, without secrets in the pointer.
func (w *writer) report(pointer string, entry Entry) {
	names := strings.Split(pointer, "/")
	for i, name := range names {
		if plain, changed := w.secrets.Replace(unescapeName.Replace(name), w.token); changed {
			names[i] = jsonscan.EscapePointer(plain)
		}
	}
	entry.Pointer, entry.Address = strings.Join(names, "/"), w.plainAddress(w.location.address)
	w.Report(entry)
}
