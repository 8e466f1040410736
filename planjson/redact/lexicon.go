// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"hash/maphash"
	"strings"

	"github.com/tofuwire/tofuwire/internal/addrtext"
)

// A lexicon has the texts of a document: those at sensitive places, and some of those that
// are public.
type lexicon struct {
	seed     maphash.Seed
	public   map[uint64]struct{} // parts of partly sensitive values that are not marked
	learned  map[string]struct{} // sensitive texts that are looked for everywhere
	words    map[string]*word    // sensitive texts that are plain, or may be
	declared map[string]struct{} // names of the configuration
	block    string              // the last one that was declared
}

// A word is a sensitive text that is plain, or is if the document declares it.
type word struct {
	attributes map[string]struct{} // that have it
	plain      bool
}

func newLexicon(seed maphash.Seed) lexicon {
	return lexicon{seed: seed, public: map[uint64]struct{}{}, learned: map[string]struct{}{}, words: map[string]*word{}, declared: map[string]struct{}{}}
}

// show takes note of the texts in a value that is public.
func (x *lexicon) show(value []byte) {
	whole := maphash.Bytes(x.seed, value)
	if _, ok := x.public[whole]; ok {
		return
	}
	x.public[whole] = struct{}{}
	leaves(value, func(token []byte, name bool) {
		if !name {
			x.public[maphash.Bytes(x.seed, token)] = struct{}{}
		}
	})
}

// isShown reports whether a token is in a value that was shown.
func (x *lexicon) isShown(token []byte) bool {
	_, ok := x.public[maphash.Bytes(x.seed, token)]
	return ok
}

// maxDeclared is how many names are kept. A configuration has far fewer.
const maxDeclared = 1 << 16

// declare takes note of the type, the name and the modules in an address.
func (x *lexicon) declare(address string) {
	if address == x.block || len(x.declared) >= maxDeclared {
		return
	}
	x.block = address
	for name := range strings.SplitSeq(addrtext.WithoutKeys(address), ".") {
		if isIdentifier(name) {
			x.declared[name] = struct{}{}
		}
	}
}

// word takes note of a sensitive text of an attribute that is plain, or may be.
func (x *lexicon) word(text, attribute string, plain bool) {
	w := x.words[text]
	if w == nil {
		w = &word{attributes: map[string]struct{}{}, plain: plain}
		x.words[text] = w
	}
	w.attributes[attribute] = struct{}{}
}

// isPlain reports whether a word is plain.
func (x *lexicon) isPlain(text string, w *word) bool {
	if w.plain {
		return true
	}
	_, ok := x.declared[text]
	return ok
}
