// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"hash/maphash"
	"strings"
)

// Texts are those of a document: those at sensitive places, and some of those that
// are public.
type texts struct {
	seed     maphash.Seed
	public   map[uint64]struct{} // parts of partly sensitive values that are not marked
	learned  map[string]struct{} // sensitive texts that are looked for everywhere
	words    map[string]*word    // sensitive texts that are plain, or may be
	declared map[string]struct{} // names of the configuration
	block    string              // the last one that was declared
}

// A word is a sensitive text that is plain, or is if the document declares it.
type word struct {
	first      string              // an attribute that has it
	attributes map[string]struct{} // others
	plain      bool
}

// isOf reports whether an attribute has the word.
func (w *word) isOf(attribute string) bool {
	_, ok := w.attributes[attribute]
	return ok || attribute == w.first
}

func newTexts(seed maphash.Seed) texts {
	return texts{seed: seed, public: map[uint64]struct{}{}, learned: map[string]struct{}{}, words: map[string]*word{}, declared: map[string]struct{}{}}
}

// addPublic takes note of the texts in a value that is public.
func (x *texts) addPublic(value []byte) {
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

// isPublic reports whether a token is in a value that is public.
func (x *texts) isPublic(token []byte) bool {
	_, ok := x.public[maphash.Bytes(x.seed, token)]
	return ok
}

// maxDeclared is how many names are kept. A configuration has far fewer.
const maxDeclared = 1 << 16

// declare takes note of the type, the name and the modules in the address of an instance,
// and of keys of instances that are plain.
func (x *texts) declare(address, block string) {
	if len(x.declared) >= maxDeclared {
		return
	}
	if strings.Contains(address, `["`) {
		for _, key := range strings.Split(address, `["`)[1:] {
			if key, _, ok := strings.Cut(key, `"]`); ok && isPlainKey(key) {
				x.declared[key] = struct{}{}
			}
		}
	}
	if block == x.block {
		return
	}
	x.block = block
	for name := range strings.SplitSeq(block, ".") {
		x.declareName(name)
	}
}

// declareName takes note of the name of a block.
func (x *texts) declareName(name string) {
	if _, ok := x.declared[name]; !ok && len(x.declared) < maxDeclared && isName(name) {
		x.declared[name] = struct{}{}
	}
}

// word takes note of a sensitive text of an attribute that is plain, or may be.
func (x *texts) word(text, attribute string, plain bool) {
	w := x.words[text]
	if w == nil {
		w = &word{first: attribute, plain: plain}
		x.words[text] = w
	}
	if w.isOf(attribute) {
		return
	}
	if w.attributes == nil {
		w.attributes = make(map[string]struct{})
	}
	w.attributes[attribute] = struct{}{}
}

// isPlain reports whether a word is plain.
func (x *texts) isPlain(text string, w *word) bool {
	if w.plain {
		return true
	}
	_, ok := x.declared[text]
	return ok
}
