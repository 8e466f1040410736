// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plandiff

import (
	"fmt"
	"html"
	"strings"
	"unicode"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// A form is how Markdown is written: with the elements of HTML that GitHub and GitLab show, or
// without any.
type form struct{ plain bool }

// inSummary returns a function that writes texts of a plan, cut off after some bytes, as code
// in the line that opens a part. Where that is HTML, Markdown has no meaning in it.
func (f form) inSummary(max int) func(string) string {
	if f.plain {
		return f.code(max)
	}
	return func(s string) string { return "<code>" + escaped(s, max, "@") + "</code>" }
}

// code returns a function that writes texts of a plan, cut off after some bytes, as code.
// Nothing has a meaning in it: no markup, no address of a page, nobody's name.
func (f form) code(max int) func(string) string {
	if f.plain {
		return func(s string) string { return span(s, max) }
	}
	return func(s string) string { return "<code>" + markdownText(s, max) + "</code>" }
}

// span returns s as code in Markdown without HTML. A bar would end the cell of a table, so
// another one is written.
func span(s string, max int) string {
	s = strings.NewReplacer("\t", " ", "|", "\u00a6").Replace(shorten(printable.Text(s), max))
	if strings.Trim(s, " ") == "" {
		return "(empty)"
	}
	row := strings.Repeat("`", longestRow(s)+1)
	if s[0] == '`' || s[len(s)-1] == '`' || s[0] == ' ' && s[len(s)-1] == ' ' {
		s = " " + s + " "
	}
	return row + s + row
}

// longestRow returns the length of the longest row of backticks in s.
func longestRow(s string) int {
	longest, run := 0, 0
	for i := range len(s) {
		if run++; s[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return longest
}

// alert begins a quotation for what a reader must know first.
func (f form) alert() string {
	if f.plain {
		return "> **Caution**\n>\n"
	}
	return "> [!CAUTION]\n"
}

// part writes a part with its lines.
func (f form) part(summary, lines []byte) string {
	if f.plain {
		return fmt.Sprintf("%s\n\n%s\n", summary, lines)
	}
	return fmt.Sprintf("<details><summary>%s</summary>\n\n%s\n</details>\n", summary, lines)
}

// fold begins and ends the part of a plan in a report of several.
func (f form) fold(name, headline string, open bool) (begin, end string) {
	if f.plain {
		return fmt.Sprintf("\n### %s\n\n%s\n", name, headline), ""
	}
	word := ""
	if open {
		word = " open"
	}
	return fmt.Sprintf("\n<details%s><summary><b>%s</b> %s</summary>\n", word, name, headline), "\n</details>\n"
}

// shorten cuts a text off.
func shorten(s string, max int) string {
	if len(s) <= max {
		return s
	}
	return strings.ToValidUTF8(s[:max], "") + "..."
}

func htmlText(s string, max int) string { return html.EscapeString(shorten(printable.Text(s), max)) }

// markdownText returns s with everything escaped that has a meaning in Markdown
// or in HTML. What follows an @ or www is not a name or an address any more.
func markdownText(s string, max int) string {
	return strings.ReplaceAll(strings.ReplaceAll(escaped(s, max, ""), "@", "&#64;&#8203;"), "www.", "www&#46;")
}

// escaped escapes what has a meaning in Markdown or in HTML, and what is in more.
func escaped(s string, max int, more string) string {
	var b strings.Builder
	for _, c := range shorten(printable.Text(s), max) {
		switch {
		case c == '<' || c == '>' || c == '&':
			b.WriteString(html.EscapeString(string(c)))
		case strings.ContainsRune("\\`*_{}[]()#+!|~$:\"'", c), strings.ContainsRune(more, c):
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// markdownLink returns the address of a page in a form that ends no link, or "" if it is not an address.
func markdownLink(s string) string {
	if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
		return ""
	}
	var b strings.Builder
	for _, c := range s {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-._~:/?#@!$&*+,;=%", c) {
			b.WriteRune(c)
			continue
		}
		for _, x := range []byte(string(c)) {
			fmt.Fprintf(&b, "%%%02X", x)
		}
	}
	return b.String()
}
