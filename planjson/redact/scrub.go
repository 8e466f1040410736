// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"fmt"
	"strconv"
)

// scrub replaces known secrets in the text from the last checked byte up to end,
// which begins and ends between tokens: in strings, names of members, and numbers.
func (e *engine) scrub(end int, counted bool) {
	if e.learning {
		return
	}
	from := e.checked
	e.work += end - from
	if !e.scan.Quiet(from, end) {
		e.scan.Tokens(from, end, e.token, e.name, func(start, end int, by []byte) {
			e.replace(start, end, string(by))
			if counted {
				e.hiddenToken(start, end, reasonSecret)
			}
		})
	}
	e.checked = end
}

// name returns the name of a member, or a key, without known secrets. The same name
// always becomes the same, and different ones stay different, also from those that have
// the token already.
func (e *engine) name(name string) string {
	plain, changed := e.secrets.Replace(name, e.token)
	if !changed {
		return name
	}
	if known, ok := e.renamed[name]; ok {
		return known
	}
	if e.renamed == nil {
		e.renamed, e.taken = make(map[string]string), make(map[string]int)
	}
	e.taken[plain]++
	ending := e.ending(e.taken[plain])
	for tries := 0; !e.anyNumber && e.secrets.In(ending); tries++ {
		e.taken[plain]++
		ending = e.ending(e.taken[plain])
		e.anyNumber = tries == maxTries
	}
	e.renamed[name] = plain + ending
	return plain + ending
}

// maxTries is how many numbers are tried that have no secret. If all have one, as where
// each digit is a secret, no more are.
const maxTries = 1 << 14

// ending returns what makes a name other than those before it.
func (e *engine) ending(taken int) string {
	if n := e.numbered + taken; n > 1 {
		return fmt.Sprintf(" (%d)", n)
	}
	return ""
}

// maxNumber is the largest number of a name that counts: those that are given out never
// become so large.
const maxNumber = 1 << 30

// noteNumbers takes note of the numbers at the ends of names in a part of the document
// that has been redacted before.
func (f *facts) noteNumbers(text []byte) {
	if !bytes.Contains(text, f.quoted[1:len(f.quoted)-1]) {
		return
	}
	f.numbered = max(f.numbered, 1)
	for {
		i := bytes.Index(text, []byte(`)"`))
		if i < 0 {
			return
		}
		start := i
		for start > 0 && '0' <= text[start-1] && text[start-1] <= '9' {
			start--
		}
		if n, err := strconv.Atoi(string(text[start:i])); err == nil && n < maxNumber && bytes.HasSuffix(text[:start], []byte(" (")) {
			f.numbered = max(f.numbered, n)
		}
		text = text[i+2:]
	}
}
