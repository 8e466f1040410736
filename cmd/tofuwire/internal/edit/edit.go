// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package edit is the program edit: many edits of one configuration file in one
// call, with comments and layout kept.
package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/replacefile"
	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

var text = commandline.Text{
	Arguments: "FILE",
	Files:     []string{".tf", ".tofu", ".tfvars", ".hcl", ".json"},
	About: `
Edit applies the steps to FILE in order and prints the resulting file. The name of FILE ends in .tf,
.tofu, .tfvars or .hcl (native syntax; - is standard input) or in .json (JSON syntax). Comments stay
with the code they explain, and only the bytes of the edited parts change.

A step is VERB ADDRESS [ADDRESS or VALUE]; a VALUE is native source:

  get ADDRESS           print the source
  set ADDRESS VALUE     replace an argument, element, item or call argument
  append ADDRESS VALUE  add an argument to each block that matches
  insert ADDRESS VALUE  add an element x[N] or x[], an item x["KEY"], or a call
                        argument x(N) or x()
  rm ADDRESS            remove with comments
  mv FROM TO            rename or move with comments
  sort ADDRESS          sort a list, or an object by key
  wrap ADDRESS CALL     wrap in a call; _ is the expression
  ref FROM TO           change references
  new [PARENT] BLOCK    add an empty block

The steps of -e and -f are applied in the order of the command line.`,
	Exit: `
0 all steps were applied
1 an address does not exist; nothing is printed or written
2 a step is invalid, something cannot be read, or a usage error; nothing is printed or written`,
	Example: "tofuwire edit -w -e 'set resource.aws_instance.web.ami \"ami-1\"' main.tf",
}

// A job is the command line, read.
type job struct {
	sources           []func() ([]step, error) // of the options, in order
	steps             []step
	write, diff, each bool
	name              string
}

// Run runs the program. It returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	j := &job{}
	flags := j.flags()
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	j.name = flags.Arg(0)
	err := j.readSteps()
	if err == nil {
		err = j.run(stdin, stdout)
	}
	if err == nil {
		return 0
	}
	fmt.Fprintln(stderr, "tofuwire edit:", oneLine(commandline.Message(err)))
	var nowhere *nowhereError
	if errors.As(err, &nowhere) {
		return 1
	}
	return 2
}

// oneLine returns a message without line breaks.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// flags returns the command line.
func (j *job) flags() *commandline.Set {
	flags := commandline.New("tofuwire edit", text)
	flags.BoolVar(&j.write, "w", false, "write FILE, and print only the output of get")
	flags.BoolVar(&j.diff, "diff", false, "print a unified diff, and write nothing")
	flags.BoolVar(&j.each, "each", false, "apply and parse again after each step")
	flags.Func("e", "a `STEP`; may be repeated", func(text string) error {
		j.sources = append(j.sources, func() ([]step, error) { return []step{{text: text}}, nil })
		return nil
	})
	flags.Func("f", "a file `STEPS` with one step per line; may be repeated. A backslash at the end of a line continues it. A line that begins with # is a comment, except after a continued line, where it belongs to the VALUE; a backslash at the end of a comment has no effect", func(name string) error {
		j.sources = append(j.sources, func() ([]step, error) {
			src, err := os.ReadFile(name)
			return stepsOf(string(src)), err
		})
		return nil
	})
	flags.Check = func() error {
		switch {
		case j.write && j.diff:
			return errors.New("-w and -diff cannot be combined")
		case j.write && flags.Arg(0) == "-":
			return errors.New("-w needs the name of a file")
		}
		return nil
	}
	return flags
}

// readSteps reads the steps of all options.
func (j *job) readSteps() error {
	for _, read := range j.sources {
		steps, err := read()
		if err != nil {
			return err
		}
		j.steps = append(j.steps, steps...)
	}
	for i := range j.steps {
		if err := j.steps[i].parse(); err != nil {
			return &stepError{i + 1, err}
		}
	}
	return nil
}

// A stepError is an error with the number of its step.
type stepError struct {
	n   int
	err error
}

func (e *stepError) Error() string {
	text := e.err.Error()
	var own *hclconfig.Error
	if errors.As(e.err, &own) {
		text = commandline.Message(own)
	}
	return fmt.Sprintf("step %d: %s", e.n, text)
}
func (e *stepError) Unwrap() error { return e.err }

// A nowhereError says that an address leads nowhere.
type nowhereError struct{ text string }

func (e *nowhereError) Error() string { return e.text }

func nowhere(format string, args ...any) error { return &nowhereError{fmt.Sprintf(format, args...)} }

// run edits the file.
func (j *job) run(stdin io.Reader, stdout io.Writer) error {
	src, err := j.read(stdin)
	if err != nil {
		return err
	}
	f, err := j.parse(src)
	if err != nil {
		return err
	}
	printed, out, err := j.edit(f)
	if err != nil {
		return err
	}
	switch {
	case j.diff:
		_, err = stdout.Write(printed)
		if err == nil {
			err = unifieddiff.Write(stdout, j.name, string(src), string(out))
		}
	case j.write:
		if !bytes.Equal(src, out) {
			err = replacefile.Edit(j.name, out)
		}
		if err == nil {
			_, err = stdout.Write(printed)
		}
	case j.gets():
		_, err = stdout.Write(printed)
	default:
		_, err = stdout.Write(out)
	}
	return err
}

// gets reports whether a step prints something.
func (j *job) gets() bool {
	for _, s := range j.steps {
		if s.verb == "get" {
			return true
		}
	}
	return false
}

func (j *job) read(stdin io.Reader) ([]byte, error) {
	if j.name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(j.name)
}

func (j *job) parse(src []byte) (*hclconfig.File, error) {
	name := j.name
	if name == "-" {
		name = "-.tf"
	}
	var f *hclconfig.File
	var err error
	switch filepath.Ext(name) {
	case ".tf", ".tofu", ".tfvars", ".hcl":
		f, err = hclconfig.ParseNative(filepath.Base(name), src)
	case ".json":
		if bytes.HasPrefix(src, []byte("\uFEFF")) {
			return nil, fmt.Errorf("%s:1,1: JSON must not begin with a byte order mark", j.name)
		}
		f, err = hclconfig.ParseJSON(filepath.Base(name), src)
	default:
		return nil, fmt.Errorf("%s: the name does not end in .tf, .tofu, .tfvars, .hcl or .json", j.name)
	}
	if err == nil {
		err = f.Err()
	}
	if err == nil {
		return f, nil
	}
	var own *hclconfig.Error
	if errors.As(err, &own) && own.Line > 0 {
		return nil, fmt.Errorf("%s:%d,%d: %v", j.name, own.Line, own.Column, own.Err)
	}
	return nil, fmt.Errorf("%s: %w", j.name, err)
}

// edit makes the steps. It returns what they print, and the file afterwards.
func (j *job) edit(f *hclconfig.File) (printed, out []byte, err error) {
	if len(j.steps) == 0 {
		return nil, f.Bytes(), nil
	}
	s := &session{e: hcledit.Edit(f), json: f.Syntax() == hclconfig.JSONSyntax, empty: emptyLike(f)}
	for i := range j.steps {
		if err := s.do(&j.steps[i]); err != nil {
			return nil, nil, &stepError{i + 1, err}
		}
		if err := s.e.Err(); err != nil {
			return nil, nil, &stepError{i + 1, err}
		}
		if !j.each {
			continue
		}
		if f, err = s.e.Apply(); err != nil {
			return nil, nil, &stepError{i + 1, err}
		}
		if f, err = j.parse(f.Bytes()); err != nil {
			return nil, nil, &stepError{i + 1, err}
		}
		s.e, s.body = hcledit.Edit(f), nil
	}
	g, err := s.e.Apply()
	if err != nil {
		return nil, nil, &stepError{len(j.steps), err}
	}
	return s.printed.Bytes(), g.Bytes(), nil
}
