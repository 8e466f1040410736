// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "fmt"

// scrub appends a part of a document, which begins and ends between tokens,
// without known secrets: in strings, names of members, and numbers.
func (e *engine) scrub(dst, text []byte, replaced func()) []byte {
	e.work += len(text)
	return e.secrets.ReplaceInJSON(dst, text, e.token, e.name, replaced)
}

// name returns the name of a member without known secrets. The same name always
// becomes the same, and different ones stay different.
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
	if n := e.taken[plain]; n > 1 {
		plain = fmt.Sprintf("%s (%d)", plain, n)
	}
	e.renamed[name] = plain
	return plain
}
