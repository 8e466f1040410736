// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"maps"
	"slices"

	"github.com/aymanbagabas/go-udiff"
	"github.com/tofuwire/tofuwire/internal/textspan"
)

// A change replaces the bytes from start to end of a text.
type change struct {
	start, end int
	text       string
}

// changes returns small changes that make one text of another: of the lines that differ, only
// what differs in them. They ascend, and no two touch.
func changes(before, after []byte) []change {
	var out []change
	for _, e := range udiff.Lines(string(before), string(after)) {
		found, ok := lineByLine(e.Start, before[e.Start:e.End], []byte(e.New))
		if !ok {
			found = []change{smallest(e.Start, before[e.Start:e.End], []byte(e.New))}
		}
		out = append(out, found...)
	}
	return merged(out)
}

// lineByLine returns the changes that make each line of a text at a place the same line of another
// text. It reports false if one has more lines.
func lineByLine(at int, before, after []byte) ([]change, bool) {
	old, text := bytes.SplitAfter(before, []byte{'\n'}), bytes.SplitAfter(after, []byte{'\n'})
	if len(old) != len(text) {
		return nil, false
	}
	var out []change
	for i := range old {
		if !bytes.Equal(old[i], text[i]) {
			out = append(out, byWords(at, old[i], text[i])...)
		}
		at += len(old[i])
	}
	return out, true
}

// byWords returns the changes of a line: of the words and blanks that differ if there are as many on
// both sides, so that a rename touches names alone.
func byWords(at int, before, after []byte) []change {
	a, b := words(before), words(after)
	if len(a) != len(b) {
		return []change{smallest(at, before, after)}
	}
	var out []change
	for i := range a {
		if !bytes.Equal(a[i], b[i]) {
			out = append(out, change{at, at + len(a[i]), string(b[i])})
		}
		at += len(a[i])
	}
	return out
}

// words cuts a line into identifiers, runs of blanks, and single other characters.
func words(line []byte) [][]byte {
	kind := func(c byte) int {
		switch {
		case c == ' ' || c == '\t':
			return 1
		case isWord(c):
			return 2
		}
		return 0
	}
	var out [][]byte
	for i := 0; i < len(line); {
		end := i + 1
		for k := kind(line[i]); k > 0 && end < len(line) && kind(line[end]) == k; end++ {
		}
		out = append(out, line[i:end])
		i = end
	}
	return out
}

// smallest returns the change that makes one text of another, without what both begin and end with.
func smallest(at int, before, after []byte) change {
	start, end, text := textspan.Difference(before, after)
	return change{at + start, at + end, string(text)}
}

// merged returns changes with those that touch made one.
func merged(list []change) []change {
	var out []change
	for _, c := range list {
		if n := len(out); n > 0 && out[n-1].end >= c.start {
			out[n-1].text += c.text
			out[n-1].end = c.end
			continue
		}
		out = append(out, c)
	}
	return out
}

// textEdits returns changes as the protocol has them.
func textEdits(x *lineIndex, list []change, enc encoding) []textEdit {
	out := []textEdit{}
	for _, c := range list {
		out = append(out, textEdit{x.rangeOf(c.start, c.end, enc), c.text})
	}
	return out
}

// workspaceEdit returns the edit that gives files new texts. The document first is named first:
// some clients compare the version of that one alone.
func (v *view) workspaceEdit(texts map[string][]byte, first string) *workspaceEdit {
	names := slices.SortedFunc(maps.Keys(texts), func(a, b string) int {
		switch {
		case a == b:
			return 0
		case a == first || b != first && a < b:
			return -1
		}
		return 1
	})
	out := &workspaceEdit{}
	for _, name := range names {
		edits := textEdits(v.lines(name), changes(v.lines(name).text, texts[name]), v.enc)
		if len(edits) == 0 {
			continue
		}
		if !v.caps.has("workspace.workspaceEdit.documentChanges") {
			if out.Changes == nil {
				out.Changes = map[string][]textEdit{}
			}
			out.Changes[v.uri(name)] = edits
			continue
		}
		doc := versionedDocument{URI: v.uri(name)}
		if d := v.docs[osPath(name)]; d != nil {
			doc.Version = d.version
		}
		out.DocumentChanges = append(out.DocumentChanges, documentEdit{doc, edits})
	}
	return out
}
