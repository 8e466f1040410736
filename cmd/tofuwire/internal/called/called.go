// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package called puts the name of the program in front of the name of a subcommand, in its errors and
// usages.
package called

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"sync"
)

// Writer returns a writer to w that replaces a program's own name by another: before an error,
// as in "own: no such file", and in a usage, from "usage: own" to the next empty line. An empty
// name leaves out the name before an error. It is safe for concurrent use.
func Writer(w io.Writer, own, name string) io.Writer {
	prefix := name + ": "
	if name == "" {
		prefix = ""
	}
	return &writer{
		w: w, own: []byte(own + ": "), prefix: []byte(prefix), name: []byte(name),
		usage: regexp.MustCompile(`(?m)(^usage: |^ +|\| )` + regexp.QuoteMeta(own) + `( |$)`),
	}
}

// Under returns the writer below w, if w was made by Writer, and otherwise w: it may be a
// terminal, and is what a command that is started writes to.
func Under(w io.Writer) io.Writer {
	for {
		c, ok := w.(*writer)
		if !ok {
			return w
		}
		w = c.w
	}
}

type writer struct {
	own, prefix, name []byte
	usage             *regexp.Regexp

	mu      sync.Mutex
	w       io.Writer
	inLine  bool // something of the line is written
	inUsage bool
}

func (c *writer) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []byte
	for line := range bytes.Lines(p) {
		ends := line[len(line)-1] == '\n'
		if !c.inLine {
			out, line = c.begin(out, line)
		}
		if c.inUsage {
			line = c.usage.ReplaceAll(line, []byte("${1}"+strings.ReplaceAll(string(c.name), "$", "$$")+"${2}"))
		}
		out = append(out, line...)
		c.inLine = !ends
	}
	if _, err := c.w.Write(out); err != nil {
		return 0, err
	}
	return len(p), nil
}

// begin adds what the beginning of a line becomes to out, and returns the rest of the line.
func (c *writer) begin(out, line []byte) (more, rest []byte) {
	if rest, ok := bytes.CutPrefix(line, c.own); ok {
		out, line = append(out, c.prefix...), rest
	}
	switch {
	case bytes.HasPrefix(line, []byte("usage: ")):
		c.inUsage = true
	case len(bytes.TrimSpace(line)) == 0:
		c.inUsage = false
	}
	return out, line
}
