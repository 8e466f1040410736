// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/knowntext"
)

// Renames are the names of members and keys that have secrets, with what becomes of them.
type renames struct {
	secrets   *knowntext.Set
	token     string // represents strings
	quoted    []byte
	renamed   map[string]string // names of members and keys
	taken     map[string]int    // how often a text has become a name
	numbered  int               // the largest number that a name of the document ends with, if it has the token
	anyNumber bool              // numbers of names may have secrets
}

func newRenames(r *Redactor) renames {
	n := renames{secrets: knowntext.New(r.Secrets), token: r.Text}
	if n.token == "" {
		n.token = "(sensitive value)"
	}
	if n.secrets.In(n.token) {
		n.token = "***"
	}
	n.quoted = quote(n.token)
	return n
}

// replacement returns what is written for a string, a number or a bool that is to be hidden: nothing
// if it stays, as null does.
func (r *renames) replacement(token []byte) string {
	switch token[0] {
	case '"':
		if !bytes.Equal(token, r.quoted) && len(token) > 2 {
			return string(r.quoted)
		}
		return ""
	case 't':
		return "false"
	case 'f', 'n', '0':
		if token[0] != '0' || len(token) == 1 {
			return ""
		}
	}
	return "0"
}

// name returns the name of a member, or a key, without known secrets. The same name
// always becomes the same, and different ones stay different, also from those that have
// the token already.
func (r *renames) name(name string) string {
	plain, changed := r.secrets.Replace(name, r.token)
	if !changed {
		return name
	}
	if known, ok := r.renamed[name]; ok {
		return known
	}
	if r.renamed == nil {
		r.renamed, r.taken = make(map[string]string), make(map[string]int)
	}
	r.taken[plain]++
	ending := r.ending(r.taken[plain])
	for tries := 0; !r.anyNumber && r.secrets.In(ending); tries++ {
		r.taken[plain]++
		ending = r.ending(r.taken[plain])
		r.anyNumber = tries == maxTries
	}
	r.renamed[name] = plain + ending
	return plain + ending
}

// maxTries is how many numbers are tried that have no secret. If all have one, as where
// each digit is a secret, no more are.
const maxTries = 1 << 14

// ending returns what makes a name other than those before it.
func (r *renames) ending(taken int) string {
	if n := r.numbered + taken; n > 1 {
		return fmt.Sprintf(" (%d)", n)
	}
	return ""
}

// maxNumber is the largest number of a name that counts: those that are given out never
// become so large.
const maxNumber = 1 << 30

// noteNumbers takes note of the numbers at the ends of names in a part of the document
// that has been redacted before.
func (r *renames) noteNumbers(text []byte) {
	if !bytes.Contains(text, r.quoted[1:len(r.quoted)-1]) {
		return
	}
	r.numbered = max(r.numbered, 1)
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
			r.numbered = max(r.numbered, n)
		}
		text = text[i+2:]
	}
}

// quote returns s as a JSON string.
func quote(s string) []byte { return jsonscan.AppendQuote(nil, s, true) }
