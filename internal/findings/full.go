// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package findings

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/apparentlymart/go-textseg/v15/textseg"
	"golang.org/x/text/width"

	"github.com/tofuwire/tofuwire/internal/printable"
)

// The escape sequences of colors. No color says what the text does not.
const bold, dim, red, yellow, cyan, plain = "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[33m", "\x1b[36m", "\x1b[0m"

// in returns a text in a color, if there are colors.
func (r *Report) in(color, text string) string {
	if !r.Colors || text == "" {
		return text
	}
	return color + text + plain
}

func colorOf(severity string) string {
	switch severity {
	case "error":
		return red
	case "warning":
		return yellow
	}
	return cyan
}

// safe returns a text for a terminal, in one line.
func safe(s string) string {
	return printable.Text(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s))
}

// compact has a line for each finding.
func compact(w io.Writer, r *Report) error {
	for _, f := range r.Findings {
		at := r.in(bold, fmt.Sprintf("%s:%d,%d", safe(f.Range.Filename), f.Range.Start.Line, f.Range.Start.Column))
		line := at + ": " + r.in(colorOf(f.Severity), f.Severity) + ": " + safe(f.Message+f.calls())
		if !r.Unnamed {
			line += " " + r.in(dim, "("+f.Rule+")")
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// full has the lines of source of each finding, by file, and a count.
func full(w io.Writer, r *Report) error {
	var order []string
	byFile := map[string][]*Finding{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if byFile[f.Range.Filename] == nil {
			order = append(order, f.Range.Filename)
		}
		byFile[f.Range.Filename] = append(byFile[f.Range.Filename], f)
	}
	var out strings.Builder
	for _, name := range order {
		list := byFile[name]
		slices.SortStableFunc(list, func(a, b *Finding) int {
			return cmp.Or(cmp.Compare(a.Range.Start.Line, b.Range.Start.Line), cmp.Compare(a.Range.Start.Column, b.Range.Start.Column))
		})
		r.file(&out, name, list)
	}
	if len(r.Findings) > 0 {
		out.WriteString(r.count(len(order)) + "\n")
	}
	_, err := io.WriteString(w, out.String())
	return err
}

// file writes the findings of a file.
func (r *Report) file(out *strings.Builder, name string, list []*Finding) {
	fmt.Fprintf(out, "%s\n\n", r.in(bold, safe(cmp.Or(name, "."))))
	var text []byte
	if r.Text != nil {
		text = r.Text(name)
	}
	widest := 0
	for _, f := range list {
		widest = max(widest, len(f.place()))
	}
	for _, f := range list {
		at, severity := fmt.Sprintf("%-*s", widest, f.place()), fmt.Sprintf("%-7s", f.Severity)
		fmt.Fprintf(out, "  %s  %s  %s\n", at, r.in(colorOf(f.Severity), severity), strings.TrimSuffix(safe(f.Message), "; "))
		out.WriteString(r.source(text, f))
		for _, rel := range f.Related {
			fmt.Fprintf(out, "        see %s:%d,%d: %s\n", safe(rel.Range.Filename), rel.Range.Start.Line, rel.Range.Start.Column, safe(rel.Message))
		}
		last := f.Rule
		if f.URL != "" {
			last += "  " + f.URL
		}
		fmt.Fprintf(out, "        %s\n\n", r.in(dim, safe(last)))
	}
}

// place returns the line and the column of a finding.
func (f *Finding) place() string {
	if f.Range.Start.Line < 1 {
		return "-"
	}
	return fmt.Sprintf("%d:%d", f.Range.Start.Line, f.Range.Start.Column)
}

// count returns the last line.
func (r *Report) count(files int) string {
	of := func(n int, word string) string {
		if n == 1 {
			return "1 " + word
		}
		return fmt.Sprintf("%d %ss", n, word)
	}
	n, fixable := map[string]int{}, 0
	for _, f := range r.Findings {
		n[f.Severity]++
		if f.Fixable {
			fixable++
		}
	}
	line := fmt.Sprintf("%s in %s: %s, %s, %s", of(len(r.Findings), "finding"), of(files, "file"),
		of(n["error"], "error"), of(n["warning"], "warning"), of(len(r.Findings)-n["error"]-n["warning"], "notice"))
	if fixable > 0 {
		line += fmt.Sprintf("; %d can be fixed with -fix", fixable)
	}
	return line
}

// A cell is a character as it is printed.
type cell struct {
	text  string
	width int
}

// source returns the first line of a finding's range, and the marker below.
func (r *Report) source(text []byte, f *Finding) string {
	from, to := f.Range.Start.Offset, f.Range.End.Offset
	if f.Range.Start.Line < 1 || text == nil || from < 0 || from > int64(len(text)) {
		return ""
	}
	start := bytes.LastIndexByte(text[:from], '\n') + 1
	line := text[start:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	line = bytes.TrimSuffix(line, []byte("\r"))
	cells, first, last := cellsOf(line, int(from)-start, int(to)-start)
	number := fmt.Sprint(f.Range.Start.Line)
	cells, first, last = cut(cells, first, last, max(20, r.Width-len(number)-11))
	var code, below, marker strings.Builder
	for i, c := range cells {
		code.WriteString(c.text)
		fill := strings.Repeat(" ", c.width)
		if i >= first && i < last {
			fill = strings.Repeat("^", c.width)
		}
		if c.text == "\t" {
			fill = "\t"
		}
		switch {
		case i < first:
			below.WriteString(fill)
		case i < last:
			marker.WriteString(fill)
		}
	}
	if !strings.Contains(marker.String(), "^") {
		marker.WriteString("^")
	}
	blanks := strings.Repeat(" ", len(number))
	return "        " + r.in(dim, number+" |") + strings.TrimRight(" "+code.String(), " ") + "\n        " + r.in(dim, blanks+" |") + " " + below.String() + r.in(colorOf(f.Severity), marker.String()) + "\n"
}

// cellsOf returns the characters of a line, and which of them begin in a range of bytes.
func cellsOf(line []byte, from, to int) (cells []cell, first, last int) {
	for at := 0; at < len(line); {
		n, cluster, err := textseg.ScanGraphemeClusters(line[at:], true)
		if err != nil || n <= 0 {
			break
		}
		if at < from {
			first++
		}
		if at < max(to, from+1) {
			last++
		}
		cells = append(cells, cellOf(string(cluster)))
		at += n
	}
	return cells, first, last
}

// cellOf returns a character as it is printed: control characters as escapes.
func cellOf(cluster string) cell {
	c := cell{text: printable.Text(cluster)}
	if c.text != cluster {
		return cell{c.text, len(c.text)}
	}
	for _, x := range cluster {
		kind := width.LookupRune(x).Kind()
		switch {
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth || x == 0xFE0F:
			c.width = 2
		case !unicode.In(x, unicode.Mn, unicode.Me, unicode.Cf):
			c.width = max(c.width, 1)
		}
	}
	return c
}

// cut leaves out what does not fit in a number of columns, as far from the marked cells as can be.
func cut(cells []cell, first, last, columns int) ([]cell, int, int) {
	const tab = 8 // at most
	total := 0
	size := func(c cell) int {
		if c.text == "\t" {
			return tab
		}
		return c.width
	}
	for _, c := range cells {
		total += size(c)
	}
	if total <= columns {
		return cells, first, last
	}
	columns -= 6 // for the dots
	first = min(first, len(cells))
	lo, hi, used := first, first, 0
	for hi < len(cells) && hi < max(last, first+1) && used+size(cells[hi]) <= columns {
		used += size(cells[hi])
		hi++
	}
	for before := used + (columns-used)/2; lo > 0 && used+size(cells[lo-1]) <= before; lo-- {
		used += size(cells[lo-1])
	}
	for hi < len(cells) && used+size(cells[hi]) <= columns {
		used += size(cells[hi])
		hi++
	}
	for lo > 0 && used+size(cells[lo-1]) <= columns {
		lo--
		used += size(cells[lo])
	}
	last = min(last, hi) - lo
	out := slices.Clone(cells[lo:hi])
	first -= lo
	if lo > 0 {
		out = slices.Insert(out, 0, cell{"...", 3})
		first, last = first+1, last+1
	}
	if hi < len(cells) {
		out = append(out, cell{"...", 3})
	}
	return out, first, last
}
