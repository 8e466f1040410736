// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package commandline

import (
	"flag"
	"strings"
	"unicode/utf8"
)

// columns is the longest line of help.
const columns = 100

// An Option is an option for people.
type Option struct {
	Name, Placeholder string // without a placeholder, it is a switch
	Usage             string // with the default
}

// Options returns the options in the order of their names; those of all programs are last.
func (s *Set) Options() []Option {
	var list, common []Option
	s.VisitAll(func(f *flag.Flag) {
		o := Option{Name: f.Name}
		o.Placeholder, o.Usage = flag.UnquoteUsage(f)
		switch {
		case isSwitch(f):
			o.Placeholder = ""
			if f.DefValue == "true" {
				o.Usage += " (default true)"
			}
		case f.DefValue != "" && f.DefValue != "0" && !strings.Contains(o.Usage, "default"):
			o.Usage += " (default " + f.DefValue + ")"
		}
		if o.IsCommon() {
			common = append(common, o)
		} else {
			list = append(list, o)
		}
	})
	return append(list, common...)
}

// IsCommon reports whether all programs have the option.
func (o Option) IsCommon() bool { return o.Name == "no-color" || o.Name == "no-progress" }

// Lines returns the command lines of the program.
func (s *Set) Lines() []string {
	lines := []string{strings.TrimSpace(s.Name() + " [OPTION]... " + s.Arguments)}
	for _, form := range s.Forms {
		lines = append(lines, s.Name()+" "+form)
	}
	return lines
}

// Help returns the text of -h.
func (s *Set) Help() string {
	var b strings.Builder
	b.WriteString("usage: " + strings.Join(s.Lines(), "\n       ") + "\n\n" + filled(s.About) + "\n\nOptions:\n")
	options := s.Options()
	widest := 0
	for _, o := range options {
		if n := len(o.Head()); n <= 24 {
			widest = max(widest, n)
		}
	}
	for _, o := range options {
		b.WriteString(Entry("  "+o.Head(), o.Usage, widest+4))
	}
	if s.More != "" {
		b.WriteString("\n" + strings.Trim(s.More, "\n") + "\n")
	}
	b.WriteString("\nExit status:\n")
	for line := range strings.Lines(strings.TrimSpace(s.Exit)) {
		status, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		b.WriteString(Entry("  "+status, what, 5))
	}
	b.WriteString("\nExample: " + s.Example + "\n")
	return b.String()
}

// Head returns how an option is written.
func (o Option) Head() string { return strings.TrimSpace("-" + o.Name + " " + o.Placeholder) }

// filled returns a text whose paragraphs fill the lines. Lines that begin with a blank stay.
func filled(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		if !strings.HasPrefix(p, " ") && !strings.Contains(p, "\n ") {
			paragraphs[i] = strings.TrimSuffix(Entry("", p, 0), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// Entry returns a text that begins at a column, behind a head, in lines. Behind a long head that
// ends in a colon, it begins at once; behind another one, in a line of its own.
func Entry(head, text string, column int) string {
	var b strings.Builder
	b.WriteString(head)
	at := utf8.RuneCountInString(head)
	begin := true
	if at+1 > column && strings.HasSuffix(head, ":") {
		begin = false
	} else if at+1 > column && head != "" {
		b.WriteString("\n")
		at = 0
	}
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case begin:
			b.WriteString(strings.Repeat(" ", max(0, column-at)))
			at, begin = column, false
		case at+1+n > columns:
			b.WriteString("\n" + strings.Repeat(" ", column))
			at = column
		default:
			b.WriteString(" ")
			at++
		}
		b.WriteString(word)
		at += n
	}
	b.WriteString("\n")
	return b.String()
}
