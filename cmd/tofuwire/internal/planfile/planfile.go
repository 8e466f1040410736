// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package planfile reads plans for programs, also out of logs, and has their words for the
// reasons why a plan cannot be judged.
package planfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/progress"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/planfile"
)

// reasons are the words of the command lines for what planjson.Judgeable says.
var reasons = []struct {
	word string
	err  error
}{
	{"errored", planjson.ErrErrored},
	{"incomplete", planjson.ErrIncomplete},
	{"deferred", planjson.ErrDeferred},
	{"version", planjson.ErrVersion},
	{"duplicate", planjson.ErrDuplicate},
	{"redacted", planjson.ErrRedacted},
	{"unknown-action", planjson.ErrUnknownAction},
	{"misspelt", planjson.ErrMisspelt},
	{"no-plan", planjson.ErrNoDocument},
}

// A Reasons is the value of the option -allow: reasons that do not stop the program. It is a
// flag.Value.
type Reasons []error

// String returns the words.
func (r *Reasons) String() string {
	var words []string
	for _, x := range reasons {
		for _, err := range *r {
			if err == x.err {
				words = append(words, x.word)
			}
		}
	}
	return strings.Join(words, ",")
}

// Set adds a reason by its word.
func (r *Reasons) Set(word string) error {
	for _, x := range reasons {
		if x.word == word {
			*r = append(*r, x.err)
			return nil
		}
	}
	return commandline.Unknown("reason", word, words())
}

// words returns all reasons.
func words() []string {
	var list []string
	for _, x := range reasons {
		list = append(list, x.word)
	}
	return list
}

// Allow adds the option -allow to a command line.
func (r *Reasons) Allow(flags *commandline.Set) {
	flags.Var(r, "allow", "judge a plan despite this `REASON`; may be repeated")
	flags.Offer("allow", words)
}

// A Plan is a plan that was read.
type Plan struct {
	*planjson.Plan
	Name string // of the file, as given

	hidden map[planfile.Type]bool // types without schemas, without versions
}

// IsHidden reports whether the values of a resource are not known, because the schemas of its type
// are missing.
func (p *Plan) IsHidden(provider string, mode addrs.Mode, name string) bool {
	if len(p.hidden) == 0 {
		return false
	}
	of, _ := addrs.ParseProvider(provider)
	return p.hidden[planfile.Type{Provider: of, Mode: mode, Name: name}]
}

// A Refusal is the error for a plan that cannot be judged.
type Refusal struct {
	Name string   // of the file, as given
	Err  error    // with the place
	word []string // the reasons
}

// Error says why, in one line.
func (r *Refusal) Error() string {
	return r.Name + ": " + strings.Join(r.word, ", ") + " (" + strings.ReplaceAll(commandline.Message(r.Err), "\n", "; ") + ")"
}

// Words returns the reasons in the words of the command lines.
func (r *Refusal) Words() []string { return r.word }

// Unwrap returns the cause.
func (r *Refusal) Unwrap() error { return r.Err }

// Report writes "PROGRAM: FILE: REASON" for each reason if err is a Refusal, with the place
// in the next line, and err itself otherwise.
func Report(w io.Writer, program string, err error) {
	var r *Refusal
	if !errors.As(err, &r) {
		fmt.Fprintf(w, "%s: %s\n", program, commandline.Message(err))
		return
	}
	for _, word := range r.word {
		fmt.Fprintf(w, "%s: %s: %s\n", program, r.Name, word)
	}
	for line := range strings.SplitSeq(commandline.Message(r.Err), "\n") {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

// Source returns the text of a file, or of standard input if the name is "-".
func Source(name string, stdin io.Reader) ([]byte, error) { return source(name, stdin, nil) }

func source(name string, stdin io.Reader, shown io.Writer) ([]byte, error) {
	if name == "-" {
		src, err := io.ReadAll(progress.Of(stdin, shown))
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		return Plain(src)
	}
	src, err := ReadFile(name, shown)
	if err != nil {
		return nil, err
	}
	if src, err = Plain(src); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return src, nil
}

// ReadFile is os.ReadFile that shows its progress, if shown is not nil.
func ReadFile(name string, shown io.Writer) ([]byte, error) {
	if info, err := os.Stat(name); shown == nil || err != nil || info.Size() < progress.Large {
		return os.ReadFile(name)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(progress.Of(f, shown))
}

// Find finds the document in the text of a file, and says on stderr what was skipped.
func Find(program, name string, src []byte, stderr io.Writer) (*planjson.Found, error) {
	found, err := planjson.Find(src)
	if err != nil {
		return nil, err
	}
	if found.UTF16 {
		fmt.Fprintf(stderr, "%s: %s: the text is in UTF-16\n", program, name)
	}
	if n := found.Before + found.Inside + found.After; n > 0 {
		fmt.Fprintf(stderr, "%s: %s: skipped %d bytes around the document at line %d, column %d: %d before it, %d between its lines, %d after it\n",
			program, name, n, found.Line, found.Column, found.Before, found.Inside, found.After)
	}
	return found, nil
}

// Read reads the plan in a file, a saved plan, or in a log that the file is. What was skipped is told
// on stderr. The plan has not been judged; see [Judge].
func (in *Inputs) Read(program, name string, stdin io.Reader, stderr io.Writer) (*Plan, error) {
	src, err := source(name, stdin, in.Progress)
	if err != nil {
		return nil, err
	}
	if IsSaved(src) {
		return in.read(program, name, src, stderr)
	}
	if err := in.Check(); err != nil {
		return nil, err
	}
	found, err := Find(program, name, src, stderr)
	switch {
	case errors.Is(err, planjson.ErrNoDocument), errors.Is(err, planjson.ErrKind):
		return nil, &Refusal{name, err, []string{"no-plan"}}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, WithoutNames(err))
	}
	plan, err := planjson.DecodePlan(found.Text)
	switch {
	case err != nil && found.Kind != planjson.DocumentPlan:
		return nil, &Refusal{name, WithoutNames(err), []string{"no-plan"}}
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, WithoutNames(err))
	}
	return &Plan{Plan: plan, Name: name}, nil
}

// Judge returns a *Refusal if a plan cannot be judged for a reason that is not allowed.
func Judge(p *Plan, allow Reasons) error {
	err := planjson.Judgeable(p.Plan, allow...)
	if err == nil {
		return nil
	}
	r := &Refusal{Name: p.Name, Err: withoutKeys(err)}
	for _, x := range reasons {
		if errors.Is(err, x.err) {
			r.word = append(r.word, x.word)
		}
	}
	if len(r.word) == 0 { // it cannot even be written
		return fmt.Errorf("%s: %w", p.Name, err)
	}
	return r
}

// withoutKeys removes the pointers of duplicate members, which can be in sensitive values.
func withoutKeys(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []error
		for _, err := range joined.Unwrap() {
			list = append(list, withoutKeys(err))
		}
		return errors.Join(list...)
	}
	if errors.Is(err, planjson.ErrDuplicate) {
		return WithoutNames(err)
	}
	return err
}

// WithoutNames removes the pointer of an error: its names can be keys of a sensitive map.
func WithoutNames(err error) error {
	var e *planjson.Error
	if !errors.As(err, &e) {
		return err
	}
	place := *e
	place.Pointer = ""
	return &place
}

// Endings are those of the names that files with plans mostly have.
var Endings = []string{".json", ".jsonl", ".log", ".txt", ".tfplan", ".plan", ".bin", ".out"}
