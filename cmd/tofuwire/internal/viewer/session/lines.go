// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package session

import (
	"bytes"
	"html"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planview"
	"github.com/tofuwire/tofuwire/planjson/plandiff"
)

// maxValue is the length in bytes after which a value is cut off.
const maxValue = 20_000

// linesOf returns the lines of a difference: of all that WriteHTML writes, the
// lines with their classes, as plain text. The page never gets HTML.
func linesOf(d *plandiff.Diff) []Line {
	var b bytes.Buffer
	d.WriteHTML(&b, plandiff.TextOptions{MaxValue: maxValue}) // a Buffer has no errors
	lines := []Line{}
	for text := range strings.SplitSeq(b.String(), "\n") {
		if at := strings.Index(text, "<pre>"); at >= 0 {
			text = text[at+len("<pre>"):]
		}
		const open = `<span class="`
		text, ok := strings.CutPrefix(text, open)
		class, text, ok2 := strings.Cut(text, `">`)
		if !ok || !ok2 {
			continue // the end of an object
		}
		text = strings.TrimSuffix(text, "</span>")
		l := Line{Class: class}
		text, why, _ := strings.Cut(text, ` <span class="why">`)
		l.Text = html.UnescapeString(text)
		l.Why = html.UnescapeString(strings.TrimSuffix(why, "</span>"))
		lines = append(lines, l)
	}
	return lines
}

// plain removes the signs of an addition: what the lines show only is there.
func plain(lines []Line) []Line {
	for i, l := range lines {
		if rest := strings.TrimLeft(l.Text, " "); l.Class == "add" && strings.HasPrefix(rest, "+") {
			lines[i] = Line{Class: "plain", Text: l.Text[:len(l.Text)-len(rest)] + " " + rest[1:]}
		}
	}
	return lines
}

// addResource adds a row for the change of an object, with its lines and how
// they are made again.
func (d *Document) addResource(part string, r *plandiff.Resource, list []Line, lines func() []Line) {
	symbol := r.Symbol()
	if symbol == " " {
		symbol = "="
	}
	d.add(Row{Part: part, Class: r.Class(), Symbol: symbol, Address: r.Address, Headline: r.Headline(), Lines: len(list)}, textOf(list), lines)
}

// addOutput adds a row for the change of an output.
func (d *Document) addOutput(part string, o *plandiff.Output) {
	lines := linesOf(&plandiff.Diff{Outputs: []*plandiff.Output{o}})
	r := &plandiff.Resource{Actions: o.Actions}
	symbol := r.Symbol()
	if symbol == " " {
		symbol = "="
	}
	d.addLines(Row{Part: part, Class: r.Class(), Symbol: symbol, Address: "output." + o.Name, Headline: "output"}, lines)
}

// note returns a line of plain text.
func note(text string) Line { return Line{Class: "plain", Text: planview.OneLine(text)} }
