// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package joblog prints texts of others in the log of a job, so that no line is a command of the
// runner: runners take commands from what a step prints.
//
//   - GitHub Actions, Forgejo, Gitea: a line that begins with "::", behind blanks; "##[" anywhere
//   - Azure Pipelines: "##vso[" and "##[" anywhere
//   - GitLab: "section_start:" and "section_end:" anywhere
//   - TeamCity: "##teamcity[" anywhere; Travis: "travis_fold:" anywhere
//
// In each a blank is put in. In GitHub Actions such lines also stand between stop-commands.
package joblog

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/internal/lazy"
)

var (
	atStart  = lazy.Regexp(`^([\s\pZ\p{Cf}\x{FEFF}]*:):`)
	anywhere = lazy.Regexp(`(?i)#(#[a-z]*\[)|(section_(?:start|end)|travis_fold|travis_time):`)
)

// Line returns a line, which may end in a line feed, as text that no runner takes for a command.
func Line(line []byte) []byte {
	if !bytes.Contains(line, []byte("##")) && !bytes.ContainsRune(line, ':') {
		return line
	}
	line = atStart().ReplaceAll(line, []byte("$1 :"))
	return anywhere().ReplaceAllFunc(line, func(found []byte) []byte {
		if found[0] == '#' {
			return append([]byte("# "), found[1:]...)
		}
		return append(bytes.Clone(found[:len(found)-1]), ' ', ':')
	})
}

// A Writer prints texts of others. It writes whole lines. Close writes the rest.
type Writer struct {
	w     io.Writer
	rest  []byte
	token string // of the stop-commands that are in force, or ""
	stop  bool   // the log is one of GitHub Actions
	plain bool   // for Document
}

// New returns a writer of the text that goes to w.
func New(w io.Writer) *Writer {
	return &Writer{w: w, stop: os.Getenv("GITHUB_ACTIONS") == "true"}
}

// Silent is New without stop-commands.
func Silent(w io.Writer) *Writer { return &Writer{w: w} }

// Document returns a writer that changes nothing: a document is for programs.
func Document(w io.Writer) *Writer { return &Writer{w: w, plain: true} }

// Write writes the lines of text that are whole.
func (j *Writer) Write(text []byte) (int, error) {
	if j.plain {
		return j.w.Write(text)
	}
	j.rest = append(j.rest, text...)
	end := bytes.LastIndexByte(j.rest, '\n') + 1
	whole := j.rest[:end]
	j.rest = j.rest[end:]
	return len(text), j.write(whole)
}

func (j *Writer) write(text []byte) error {
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		safe := Line(line)
		if j.stop && j.token == "" && !bytes.Equal(safe, line) {
			j.token = rand.Text()
			fmt.Fprintf(&out, "::stop-commands::%s\n", j.token)
		}
		out.Write(safe)
	}
	_, err := j.w.Write(out.Bytes())
	return err
}

// Close writes a last line that has no line feed, and lets commands in again.
func (j *Writer) Close() error {
	err := j.write(j.rest)
	if err == nil && j.token != "" {
		feed := "\n"
		if len(j.rest) == 0 {
			feed = ""
		}
		_, err = fmt.Fprintf(j.w, "%s::%s::\n", feed, j.token)
	}
	j.rest, j.token = nil, ""
	return err
}
