// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// quoteNative returns s as a quoted string of native syntax that means s: the
// marks of templates are escaped.
func quoteNative(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	writeNative(&b, escapeTemplate(s))
	b.WriteByte('"')
	return b.String()
}

// writeNative writes what stands between the quotes for the text s, with the
// escapes of quoted strings. The marks of templates stay what they are.
func writeNative(b *strings.Builder, s string) {
	for i, r := range s {
		switch r {
		case '"', '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case '\n':
			b.WriteString(`\n`)
		case '\r':
			b.WriteString(`\r`)
		case '\t':
			b.WriteString(`\t`)
		case utf8.RuneError:
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				b.WriteString(`\ufffd`) // not UTF-8
				continue
			}
			b.WriteRune(r)
		case '\uFEFF', '\u2028', '\u2029':
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			if r < ' ' || r >= 0x7f && r < 0xa0 {
				fmt.Fprintf(b, `\u%04x`, r)
				continue
			}
			b.WriteRune(r)
		}
	}
}

// escapeTemplate returns the template that means s: "${" becomes "$${" and
// "%{" becomes "%%{". A dollar sign before that needs nothing: "$${" becomes
// "$$${", which means "$${".
func escapeTemplate(s string) string {
	if !strings.Contains(s, "${") && !strings.Contains(s, "%{") {
		return s
	}
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(s)
}

// quoteJSON returns s as a JSON string.
func quoteJSON(s string) string { return string(jsonscan.AppendQuote(nil, s, false)) }
