// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/uijson"
)

// A Renderer renders messages as text, as the CLI shows them without -json. The
// zero Renderer writes plain text without wrapping.
//
// Text of messages is passed through [uijson.Sanitize]: no control sequence in it
// reaches the terminal.
type Renderer struct {
	// Color selects the form that the CLI uses for terminals: a rule at the
	// left, and the part of the source at fault underlined.
	Color bool

	// Width is the width of the terminal; the detail of a diagnostic is wrapped
	// to it. If zero, nothing is wrapped. The CLI uses 78 if its output is not
	// a terminal.
	Width int

	// ShowSensitive shows sensitive values in the difference of a failed
	// comparison, as the option -show-sensitive does.
	ShowSensitive bool
}

// The escape sequences that the CLI uses.
const (
	escReset     = "\x1b[0m"
	escBold      = "\x1b[1m"
	escUnderline = "\x1b[4m"
	escRed       = "\x1b[31m"
	escGreen     = "\x1b[32m"
	escYellow    = "\x1b[33m"
	escGray      = "\x1b[90m"
)

// Diagnostic returns d as the CLI shows it, several lines with a line feed at
// the end of each. The plain form begins with an empty line.
//
// The text is that of the CLI, byte for byte, with three exceptions: control
// characters, the underlined part where the CLI gets it wrong (see
// [uijson.Diagnostic.Highlight]), and the values of failed comparisons, which this
// package words itself.
//
// The result is empty if d is nil.
func (r Renderer) Diagnostic(d *uijson.Diagnostic) string {
	if d == nil {
		return ""
	}
	var b bytes.Buffer
	color := ""
	switch d.Severity {
	case uijson.SeverityError:
		color = escRed
		r.title(&b, color, "Error: ")
	case uijson.SeverityWarning:
		color = escYellow
		r.title(&b, color, "Warning: ")
	default:
		b.WriteByte('\n')
		r.esc(&b, escReset)
	}
	r.esc(&b, escBold)
	b.WriteString(uijson.Sanitize(d.Summary))
	r.esc(&b, escReset)
	b.WriteString("\n\n")
	r.esc(&b, escReset)
	r.place(&b, d)
	if d.Detail != "" {
		r.detail(&b, uijson.Sanitize(d.Detail))
	}
	if !r.Color {
		return b.String()
	}
	return ruled(&b, color)
}

// title writes the first words of a diagnostic.
func (r Renderer) title(b *bytes.Buffer, color, word string) {
	if !r.Color {
		b.WriteByte('\n')
	}
	r.esc(b, escBold)
	r.esc(b, color)
	b.WriteString(word)
	r.esc(b, escReset)
	r.esc(b, escReset)
}

// esc writes an escape sequence if there are to be any.
func (r Renderer) esc(b *bytes.Buffer, seq string) {
	if r.Color {
		b.WriteString(seq)
	}
}

// ruled returns the lines of b, each after a vertical rule.
func ruled(b *bytes.Buffer, color string) string {
	var out strings.Builder
	start, rule, end := "", "", ""
	if color != "" {
		start = color + "╷" + escReset + escReset + "\n"
		rule = color + "│" + escReset + " " + escReset
		end = color + "╵" + escReset + escReset
	}
	out.WriteString(start)
	sc := bufio.NewScanner(b)
	sc.Buffer(nil, b.Len()+1)
	for sc.Scan() {
		out.WriteString(rule)
		out.WriteString(sc.Text())
		out.WriteByte('\n')
	}
	out.WriteString(end)
	out.WriteByte('\n')
	return out.String()
}

// detail writes the long text of a diagnostic.
func (r Renderer) detail(b *bytes.Buffer, text string) {
	width := r.Width - 1
	if r.Color {
		width = r.Width - 3 // the rule and a space
	}
	for line := range strings.SplitSeq(text, "\n") {
		if width > 0 && !strings.HasPrefix(line, " ") {
			line = wrap(line, width)
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
}

// wrap breaks a line at white space into parts of at most width characters. A
// longer word gets a line of its own.
func wrap(line string, width int) string {
	var b strings.Builder
	column := 0
	for line != "" {
		word := strings.TrimLeftFunc(line, breakable)
		space := line[:len(line)-len(word)]
		if i := strings.IndexFunc(word, breakable); i >= 0 {
			word = word[:i]
		}
		line = line[len(space)+len(word):]
		n, m := utf8.RuneCountInString(space), utf8.RuneCountInString(word)
		switch {
		case word == "" && column+n > width:
			// White space at the end that does not fit.
		case word != "" && column+n+m > width && column+n > 1:
			b.WriteByte('\n')
			b.WriteString(word)
			column = m
		default:
			b.WriteString(space)
			b.WriteString(word)
			column += n + m
		}
	}
	return b.String()
}

// breakable reports whether a line may be broken in place of r.
func breakable(r rune) bool { return unicode.IsSpace(r) && r != '\u00a0' }

// place writes where the fault is, with the source.
func (r Renderer) place(b *bytes.Buffer, d *uijson.Diagnostic) {
	if d.Address != "" {
		fmt.Fprintf(b, "  with %s,\n", uijson.Sanitize(d.Address))
	}
	if d.Range == nil {
		return
	}
	fmt.Fprintf(b, "  on %s line %d", uijson.Sanitize(d.Range.Filename), d.Range.Start.Line)
	if d.Snippet == nil {
		b.WriteString(":\n  (source code not available)\n")
	} else {
		if context, ok := d.Snippet.Context.Text(); ok {
			b.WriteString(", in ")
			b.WriteString(uijson.Sanitize(context))
		}
		b.WriteString(":\n")
		r.code(b, d)
		r.values(b, d.Snippet)
		r.assertion(b, d.Snippet.TestAssertionExpr)
		r.difference(b, d.Difference)
	}
	b.WriteByte('\n')
}

// code writes the lines of source text, the part at fault underlined.
func (r Renderer) code(b *bytes.Buffer, d *uijson.Diagnostic) {
	code := d.Snippet.Code
	start, end := d.Highlight()
	var text bytes.Buffer
	text.WriteString(uijson.Sanitize(code[:start]))
	r.esc(&text, escUnderline)
	text.WriteString(uijson.Sanitize(code[start:end]))
	r.esc(&text, escReset)
	text.WriteString(uijson.Sanitize(code[end:]))
	r.esc(&text, escReset)
	number := d.Snippet.StartLine
	for line := range strings.SplitSeq(text.String(), "\n") {
		fmt.Fprintf(b, "%4d: %s\n", number, line)
		number++
	}
}

// values writes the values of the expressions in the source.
func (r Renderer) values(b *bytes.Buffer, s *uijson.Snippet) {
	call := s.FunctionCall
	if call != nil && call.Signature == nil {
		call = nil
	}
	if len(s.Values) == 0 && call == nil {
		return
	}
	r.separator(b)
	if call != nil {
		r.bar(b)
		b.WriteString("while calling ")
		r.esc(b, escBold)
		b.WriteString(uijson.Sanitize(call.CalledAs))
		r.esc(b, escReset)
		b.WriteByte('(')
		r.esc(b, escReset)
		var names []string
		for _, p := range call.Signature.Params {
			if p != nil {
				names = append(names, uijson.Sanitize(p.Name))
			}
		}
		if p := call.Signature.VariadicParam; p != nil {
			names = append(names, uijson.Sanitize(p.Name)+"...")
		}
		b.WriteString(strings.Join(names, ", ") + ")\n")
	}
	values := slices.DeleteFunc(slices.Clone(s.Values), func(v *uijson.ExpressionValue) bool { return v == nil })
	slices.SortStableFunc(values, func(v, w *uijson.ExpressionValue) int { return cmp.Compare(v.Traversal, w.Traversal) })
	for _, v := range values {
		r.bar(b)
		r.esc(b, escBold)
		b.WriteString(uijson.Sanitize(v.Traversal))
		r.esc(b, escReset)
		b.WriteByte(' ')
		b.WriteString(uijson.Sanitize(v.Statement))
		b.WriteByte('\n')
		r.esc(b, escReset)
	}
}

// separator writes the line between the source and the values.
func (r Renderer) separator(b *bytes.Buffer) {
	b.WriteString("    ")
	r.esc(b, escGray)
	b.WriteString("├────────────────")
	r.esc(b, escReset)
	b.WriteByte('\n')
	r.esc(b, escReset)
}

// bar begins a line of values.
func (r Renderer) bar(b *bytes.Buffer) {
	b.WriteString("    ")
	r.esc(b, escGray)
	b.WriteString("│")
	r.esc(b, escReset)
	b.WriteByte(' ')
}

// assertion writes both sides of a comparison that failed in a test.
func (r Renderer) assertion(b *bytes.Buffer, a *uijson.TestAssertionExpr) {
	if a == nil {
		return
	}
	r.separator(b)
	for _, side := range []struct{ name, text string }{{"LHS", a.LHS}, {"RHS", a.RHS}, {"Warning", a.Warning}} {
		if side.text == "" {
			continue
		}
		r.bar(b)
		r.esc(b, escBold)
		b.WriteString(side.name + ":")
		r.esc(b, escReset)
		b.WriteByte(' ')
		for i, line := range strings.Split(strings.TrimRight(uijson.Sanitize(side.text), "\n"), "\n") {
			if i > 0 {
				r.bar(b)
				b.WriteString("  ")
			}
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
}
