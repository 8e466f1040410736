// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// learn takes the texts in a part of a sensitive value for known secrets, if they are
// long and odd enough.
func (l *learner) learn(start, end int) {
	for i := start; i < end; {
		switch c := l.text[i]; {
		case c == '"':
			next := jsonscan.StringEnd(l.text, i)
			if text := jsonscan.Unquote(l.text[i:next]); startsWithColon(l.text[next:]) {
				l.learnName(text)
			} else if !l.learnWord(text, i) {
				l.learnText(text, 0)
			}
			i = next
		case c == '-' || '0' <= c && c <= '9':
			next := jsonscan.ValueEnd(l.text, i)
			l.learnPart(string(l.text[i:next]))
			i = next
		default:
			i++
		}
	}
}

// learnWord takes note of a text at i that is plain, or is if the document declares it,
// and reports whether it is one.
func (l *learner) learnWord(text string, i int) bool {
	if l.Plain == Everywhere {
		return false
	}
	plain := isPlain(text)
	if !plain && !isName(text) && !isPlainKey(text) || text == "true" || text == "false" {
		return false
	}
	l.texts.word(text, l.around.at(i), plain)
	return true
}

// learnName learns the name of a member of a sensitive value, or a key. Those that look like
// names of attributes are none that anybody would hide.
func (l *learner) learnName(name string) {
	if isPlain(name) && l.Plain == Places || isWord(name) && !isPhrase(name, "- ") {
		return
	}
	l.learnText(name, maxEmbedded)
}

// least returns how long a known secret is at least.
func (r *Redactor) least() int {
	if r.MinSecret == 0 {
		return 6
	}
	return r.MinSecret
}

// leafText returns what the token of a string, a number or a name says.
func leafText(token []byte) string {
	if token[0] == '"' {
		return jsonscan.Unquote(token)
	}
	return string(token)
}

// maxEmbedded is how deep JSON is looked for in strings of JSON.
const maxEmbedded = 4

// learnText learns a text, and what is in it if it is JSON.
func (l *learner) learnText(text string, depth int) {
	// What has been redacted before is no secret.
	if !strings.Contains(text, l.token) {
		l.learnPart(text)
	} else {
		for part := range strings.SplitSeq(text, l.token) {
			if part != text && !isNumbering(part) && !isPlain(strings.Trim(part, "-_. ")) {
				l.learnPart(part)
			}
		}
	}
	if inner := strings.TrimSpace(text); depth < maxEmbedded && inner != "" && (inner[0] == '{' || inner[0] == '[') {
		d := []byte(inner)
		if end, fault := jsonscan.Value(d, 0, jsonscan.MaxDepth); fault != jsonscan.OK || end != len(d) {
			return
		}
		leaves(d, func(token []byte, name bool) {
			switch text := leafText(token); {
			case name:
				l.learnName(text)
			case isWord(text) && !isPhrase(text, "-_ "): // of those that come with others, words are no secrets
			case l.Plain == Places && isPlain(text):
			default:
				l.learnText(text, depth+1)
			}
		})
	}
}

func (l *learner) learnPart(part string) {
	if len(part) < l.least() || part == "true" || part == "false" || strings.TrimSpace(part) == "" || isShortNumber(part) {
		return
	}
	l.learned[part] = struct{}{}
}

// knownSecrets returns the texts that must not occur anywhere.
func (e *engine) knownSecrets() []string {
	all := append([]string(nil), e.Secrets...)
	for text := range e.learned {
		all = append(all, text)
	}
	for text, w := range e.words {
		if !e.texts.isPlain(text, w) && len(text) >= e.least() {
			all = append(all, text)
		}
	}
	return all
}

// isNumbering reports whether text is what sets names apart from which the same
// secret was taken: " (2)".
func isNumbering(text string) bool {
	digits, ok := strings.CutPrefix(text, " (")
	digits, closed := strings.CutSuffix(digits, ")")
	return ok && closed && strings.Trim(digits, "0123456789") == ""
}

// isShortNumber reports whether a text is a number below six digits. One with an
// exponent is none: no tool writes it, and a password of hexadecimal digits can look
// like it.
func isShortNumber(s string) bool {
	digits := 0
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9':
			digits++
		case !strings.ContainsRune("+-.", r):
			return false
		}
	}
	if digits >= 6 {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// learnKeys learns the keys in references to variables that are sensitive. The values
// of ephemeral ones, and of those in called modules, are not in the document.
func (l *learner) learnKeys(module string, references []byte) {
	if l.OnlyMarked {
		return
	}
	l.work += len(references)
	leaves(references, func(token []byte, _ bool) {
		text := leafText(token)
		if !strings.HasPrefix(text, "var.") || !strings.Contains(text, "[") {
			return
		}
		ref, err := addrs.ParsePlanReference(text)
		if err != nil || ref.Kind() != addrs.VariableReference {
			return
		}
		if why := l.why[join(module, "var."+ref.Name())]; why != reasonMarked && why != reasonRule {
			return
		}
		for step := range ref.Remaining() {
			if key, ok := step.Index(); ok {
				if name, ok := key.Str(); ok {
					l.learnName(name)
				}
			}
		}
	})
}
