// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import "fmt"

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
				e.hiddenToken(start, end)
			}
		})
	}
	e.checked = end
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
