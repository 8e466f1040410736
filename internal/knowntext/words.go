// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext

// Words are texts that are looked for as they are, in no other form. Nil Words have no texts.
type Words struct{ table *table }

// NewWords returns the set of these texts. Empty ones are ignored.
func NewWords(texts []string) *Words {
	var list []pattern
	for _, text := range texts {
		if text != "" {
			list = append(list, pattern{text: text[:min(len(text), maxPattern)]})
		}
	}
	if list == nil {
		return nil
	}
	return &Words{newTable(list)}
}

// Next returns where the first of the words that are in text[from:to] begins and ends. If
// there is none, both are to.
func (w *Words) Next(text []byte, from, to int) (start, end int) {
	if w == nil {
		return to, to
	}
	text = text[:to]
	if start = w.table.next(text, from, to); start >= to {
		return to, to
	}
	return start, start + len(w.table.patterns[w.table.at(text[start:])].text)
}
