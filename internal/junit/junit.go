// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package junit writes JUnit's XML as its readers take it. There is no standard, and each of these
// rules has readers that lose cases, texts or the whole report without it: no two cases have one
// class and name; classes have dots in place of slashes; attributes are one line, with no
// references but the five names of XML; texts are CDATA; a case has no output of its own.
package junit

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Report is a whole report. Write counts what is in it.
type Report struct {
	Name   string
	Time   string // in seconds; left out if empty, as the others are
	Suites []Suite
}

// A Suite has the cases of a file, or of a run.
type Suite struct {
	Name, Time string
	Cases      []Case
	Output     string // what is not part of a case, for people
}

// A Case is one test or finding. At most one of the last three is set.
type Case struct {
	Name, Class, File, Time string
	Line                    int64 // 0 if there is none
	Failure, Error, Skipped *Reason
}

// A Reason says why a case did not pass.
type Reason struct{ Message, Type, Text string }

// Write writes a report.
func Write(w io.Writer, r *Report) error {
	r.distinguish()
	out := &writer{bufio.NewWriter(w)}
	fmt.Fprint(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites")
	out.attributes("name", r.Name)
	var all counts
	for i := range r.Suites {
		all.add(r.Suites[i].Cases)
	}
	all.write(out)
	out.attributes("time", r.Time)
	fmt.Fprintln(out, ">")
	for i := range r.Suites {
		out.suite(&r.Suites[i])
	}
	fmt.Fprintln(out, "</testsuites>")
	return out.Flush()
}

// distinguish makes class names of paths, and numbers the cases of one class and name.
func (r *Report) distinguish() {
	type key struct{ class, name string }
	seen := make(map[key]bool)
	for i := range r.Suites {
		for k := range r.Suites[i].Cases {
			c := &r.Suites[i].Cases[k]
			c.Class, c.Name = strings.NewReplacer("/", ".", `\`, ".").Replace(oneLine(c.Class)), oneLine(c.Name)
			name := c.Name
			for n := 2; seen[key{c.Class, c.Name}]; n++ {
				c.Name = name + " (" + strconv.Itoa(n) + ")"
			}
			seen[key{c.Class, c.Name}] = true
		}
	}
}

// counts are the numbers of cases.
type counts struct{ tests, failures, errors, skipped int }

func (n *counts) add(list []Case) {
	n.tests += len(list)
	for i := range list {
		switch c := &list[i]; {
		case c.Failure != nil:
			n.failures++
		case c.Error != nil:
			n.errors++
		case c.Skipped != nil:
			n.skipped++
		}
	}
}

func (n *counts) write(w *writer) {
	fmt.Fprintf(w, ` tests="%d" failures="%d" errors="%d" skipped="%d"`, n.tests, n.failures, n.errors, n.skipped)
}

type writer struct{ *bufio.Writer }

// attributes writes those pairs of a name and a value that have a value.
func (w *writer) attributes(pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			fmt.Fprintf(w, ` %s="%s"`, pairs[i], escape.Replace(oneLine(pairs[i+1])))
		}
	}
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func (w *writer) suite(s *Suite) {
	fmt.Fprint(w, "  <testsuite")
	w.attributes("name", s.Name)
	var n counts
	n.add(s.Cases)
	n.write(w)
	w.attributes("time", s.Time)
	fmt.Fprintln(w, ">")
	for i := range s.Cases {
		c := &s.Cases[i]
		fmt.Fprint(w, "    <testcase")
		line := ""
		if c.Line > 0 {
			line = strconv.FormatInt(c.Line, 10)
		}
		w.attributes("name", c.Name, "classname", c.Class, "file", c.File, "line", line, "time", c.Time)
		fmt.Fprint(w, ">")
		switch {
		case c.Failure != nil:
			w.reason("failure", c.Failure)
		case c.Error != nil:
			w.reason("error", c.Error)
		case c.Skipped != nil:
			w.reason("skipped", c.Skipped)
		}
		fmt.Fprintln(w, "</testcase>")
	}
	if s.Output != "" {
		fmt.Fprintf(w, "    <system-out>%s</system-out>\n", cdata(s.Output))
	}
	fmt.Fprintln(w, "  </testsuite>")
}

func (w *writer) reason(element string, r *Reason) {
	fmt.Fprintf(w, "\n      <%s", element)
	w.attributes("message", r.Message, "type", r.Type)
	fmt.Fprint(w, ">")
	if r.Text != "" {
		fmt.Fprint(w, cdata(r.Text))
	}
	fmt.Fprintf(w, "</%s>\n    ", element)
}

// cdata returns a text as character data without references.
func cdata(s string) string {
	return "<![CDATA[" + strings.ReplaceAll(valid(s), "]]>", "]]]]><![CDATA[>") + "]]>"
}

// oneLine returns a text with blanks for line ends and tabs.
func oneLine(s string) string {
	return valid(strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ", "\t", " ").Replace(s))
}

// valid replaces what XML 1.0 cannot have.
func valid(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\n' && c != '\t' && c != '\r' || c == 0xFFFE || c == 0xFFFF {
			return utf8.RuneError
		}
		return c
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
