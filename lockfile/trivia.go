// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lockfile

import "strings"

// The functions of this file scan the text between the parts that have a
// meaning: blanks, ends of lines and comments.

// commentLen returns the length of the comment at the beginning of text, or 0
// if there is none. The length includes the end of the line if the comment goes
// that far.
func commentLen(text string) int {
	switch {
	case strings.HasPrefix(text, "#"), strings.HasPrefix(text, "//"):
		if i := strings.IndexByte(text, '\n'); i >= 0 {
			return i + 1
		}
		return len(text)
	case strings.HasPrefix(text, "/*"):
		if i := strings.Index(text[2:], "*/"); i >= 0 {
			return 2 + i + 2
		}
		return len(text)
	}
	return 0
}

// skipTriviaFrom returns the end of the blanks, ends of lines and comments at
// i.
func skipTriviaFrom(text string, i int) int {
	for i < len(text) {
		switch text[i] {
		case ' ', '\t', '\n', '\r':
			i++
		default:
			n := commentLen(text[i:])
			if n == 0 {
				return i
			}
			i += n
		}
	}
	return i
}

// skipBlanksFrom returns the end of the spaces and tabs at i.
func skipBlanksFrom(text string, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

// lineStart returns the beginning of the line of offset i. A byte order mark is
// not part of a line.
func lineStart(text string, i int) int {
	start := strings.LastIndexByte(text[:i], '\n') + 1
	if start == 0 && i >= len(byteOrderMark) && strings.HasPrefix(text, byteOrderMark) {
		return len(byteOrderMark)
	}
	return start
}

// lineEnd skips blanks and comments from i on. It returns where the line ends
// and where the next one begins; both are len(text) on a last line without an
// end. If something else is on the line, both are its offset.
func lineEnd(text string, i int) (end, next int) {
	for i < len(text) {
		switch {
		case text[i] == ' ' || text[i] == '\t':
			i++
		case text[i] == '\n':
			return i, i + 1
		case strings.HasPrefix(text[i:], "\r\n"):
			return i, i + 2
		default:
			n := commentLen(text[i:])
			if n == 0 {
				return i, i
			}
			if text[i+n-1] == '\n' {
				end = i + len(strings.TrimRight(text[i:i+n], "\r\n"))
				return end, i + n
			}
			i += n
		}
	}
	return i, i
}

// endsLine reports whether only blanks and comments follow i on its line. It
// returns where the next line begins.
func endsLine(text string, i int) (next int, ok bool) {
	end, next := lineEnd(text, i)
	return next, next > end || next == len(text)
}

// startsLine reports whether only blanks are before i on its line.
func startsLine(text string, i int) bool {
	for i > 0 && (text[i-1] == ' ' || text[i-1] == '\t') {
		i--
	}
	return i == 0 || text[i-1] == '\n' || text[:i] == byteOrderMark
}

// indentOf returns the blanks at the beginning of the line of i.
func indentOf(text string, i int) string {
	start := lineStart(text, i)
	return text[start:skipBlanksFrom(text, start)]
}

// leadStart returns where the comments on the lines directly above offset i
// begin, or the start of the line of i if there are none. A comment that begins
// on the first line of the file is its heading, and so is everything that
// follows it without an empty line.
func leadStart(text string, i int) int {
	start := lineStart(text, i)
	lead := start
	for lead > 0 {
		above := lineStart(text, lead-1)
		line := strings.TrimSpace(text[above:lead])
		switch {
		case strings.HasPrefix(line, "#"), strings.HasPrefix(line, "//"),
			strings.HasPrefix(line, "/*") && strings.Index(line, "*/") == len(line)-2:
			lead = above
		default:
			return lead
		}
		if above == 0 || above == len(byteOrderMark) && strings.HasPrefix(text, byteOrderMark) {
			return start
		}
	}
	return lead
}

// lineBreak returns how the lines of text end: like its first line.
func lineBreak(text string) string {
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}
