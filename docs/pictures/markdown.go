// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

var (
	strong = regexp.MustCompile(`\*\*(.+?)\*\*`)
	code   = regexp.MustCompile("`([^`]+)`")
	link   = regexp.MustCompile(`\[([^\]]+)\]\(([^)]+)\)`)
)

// inline renders the marks within a line. HTML in it stays.
func inline(s string) string {
	s = code.ReplaceAllString(s, "<code>$1</code>")
	s = strong.ReplaceAllString(s, "<b>$1</b>")
	return link.ReplaceAllString(s, `<a href="$2">$1</a>`)
}

// rendered renders the Markdown that planreport writes: headings, tables, lists, quotes, fenced
// code with differences, and HTML. It is no renderer for anything else.
func rendered(text string) string {
	var b strings.Builder
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case strings.HasPrefix(line, "```"):
			fence := line[:len(line)-len(strings.TrimLeft(line, "`"))]
			b.WriteString("<pre>")
			for i++; i < len(lines) && !strings.HasPrefix(lines[i], fence); i++ {
				b.WriteString(difference(lines[i]))
			}
			b.WriteString("</pre>\n")
		case strings.HasPrefix(line, "#"):
			title := strings.TrimLeft(line, "#")
			level := len(line) - len(title)
			fmt.Fprintf(&b, "<h%d>%s</h%d>\n", level, inline(strings.TrimSpace(title)), level)
		case strings.HasPrefix(line, "|"):
			b.WriteString("<table>")
			for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
				row(&b, lines[i])
			}
			i--
			b.WriteString("</table>\n")
		case strings.HasPrefix(line, "- "):
			fmt.Fprintf(&b, "<li>%s</li>\n", inline(line[2:]))
		case strings.HasPrefix(line, "> "):
			fmt.Fprintf(&b, "<blockquote>%s</blockquote>\n", inline(line[2:]))
		case strings.HasPrefix(line, "<"):
			b.WriteString(inline(line) + "\n")
		case line != "":
			fmt.Fprintf(&b, "<p>%s</p>\n", inline(line))
		}
	}
	return b.String()
}

// row renders a row of a table; the one of lines is nothing.
func row(b *strings.Builder, line string) {
	cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
	if strings.Trim(strings.Join(cells, ""), " :-") == "" {
		return
	}
	b.WriteString("<tr>")
	for _, cell := range cells {
		fmt.Fprintf(b, "<td>%s</td>", inline(strings.TrimSpace(cell)))
	}
	b.WriteString("</tr>")
}

// difference renders a line of a difference.
func difference(line string) string {
	class := ""
	switch {
	case strings.HasPrefix(line, "+"):
		class = ` class="add"`
	case strings.HasPrefix(line, "-"):
		class = ` class="del"`
	case strings.HasPrefix(line, "!"):
		class = ` class="chg"`
	}
	return fmt.Sprintf("<div%s>%s</div>", class, html.EscapeString(line)+"&#8203;")
}

// layout is a page in the colours of a forge.
func layout(body string) string {
	return `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><style>
:root { --bg: #ffffff; --fg: #1f2328; --soft: #f6f8fa; --line: #d1d9e0; --dim: #59636e; --add: #dafbe1; --del: #ffebe9; --chg: #fff8c5; }
@media (prefers-color-scheme: dark) { :root { --bg: #0d1117; --fg: #e6edf3; --soft: #151b23; --line: #3d444d; --dim: #9198a1; --add: #12361f; --del: #3c1618; --chg: #3a2d12; } }
body { margin: 12px; background: var(--bg); color: var(--fg); font: 14px/1.5 "DejaVu Sans", sans-serif; }
.comment { border: 1px solid var(--line); border-radius: 6px; }
.head { background: var(--soft); border-bottom: 1px solid var(--line); padding: 6px 14px; color: var(--dim); }
.head b { color: var(--fg); }
.body { padding: 4px 14px 10px; }
h2, h3 { margin: 10px 0 8px; padding-bottom: 4px; border-bottom: 1px solid var(--line); font-size: 18px; }
h3 { font-size: 15px; }
p, li, blockquote { margin: 6px 0; }
blockquote { padding-left: 10px; border-left: 3px solid var(--line); color: var(--dim); }
table { border-collapse: collapse; margin: 8px 0; }
td { border: 1px solid var(--line); padding: 3px 10px; }
tr:first-child td { font-weight: bold; }
code { background: var(--soft); padding: 1px 4px; border-radius: 4px; }
code, pre { font: 12.5px/1.45 "DejaVu Sans Mono", monospace; }
pre { background: var(--soft); padding: 8px; border-radius: 6px; margin: 6px 0; overflow: hidden; }
.add { background: var(--add); } .del { background: var(--del); } .chg { background: var(--chg); }
.terminal { background: #1e1e1e; color: #d4d4d4; padding: 10px 14px; border-radius: 6px; }
@media (prefers-color-scheme: light) { .terminal { background: #fafafa; color: #24292f; border: 1px solid var(--line); } }
</style><body>` + body + "\n"
}
