// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package commandline reads command lines in one manner for all programs: options stand before,
// between and behind arguments, an error is one line that names what is nearest, and the same
// definitions are the help, the manual page and what completion offers.
package commandline

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/internal/terminal"
)

// A Text is what a program says of itself. Paragraphs are filled to lines of at most 100 columns; lines
// that begin with a blank stay as they are, and must fit.
type Text struct {
	// Arguments are names: NAME must be there, [NAME] may, and dots allow more than one.
	Arguments string
	// Forms are further command lines. One that begins with -NAME holds if that switch is given.
	Forms []string
	// About is a sentence that says what the program does, and paragraphs. More comes after the
	// options, and each line of Exit is a status.
	About, More, Exit, Example string
	// Files are the endings of the files that arguments name, for completion; none means all.
	Files []string
	// Command says that what follows "--" is a command, and not arguments.
	Command bool
}

// A Set is the command line of one program.
type Set struct {
	*flag.FlagSet
	Text
	// Check, if not nil, returns what is wrong with the values together. It must not open files.
	Check func() error
	// ErrorName is what errors begin with, if it is not the name.
	ErrorName string

	values              map[string]func() []string // of options
	lists               map[string]bool            // options whose values are separated by commas
	args, command       []string
	hasCommand          bool
	noColor, noProgress bool
}

// New returns a Set with the options that all programs take. The name is that of the program and
// its subcommand.
func New(name string, text Text) *Set {
	s := &Set{FlagSet: flag.NewFlagSet(name, flag.ContinueOnError), Text: text, values: map[string]func() []string{}, lists: map[string]bool{}}
	s.SetOutput(io.Discard)
	s.BoolVar(&s.noColor, "no-color", false, "use no colors, as with NO_COLOR")
	s.BoolVar(&s.noProgress, "no-progress", false, "show no progress")
	return s
}

// Args returns the arguments. Those behind "--" are among them, unless they are a command.
func (s *Set) Args() []string { return s.args }

// NArg returns the number of arguments.
func (s *Set) NArg() int { return len(s.args) }

// Arg returns an argument, or "".
func (s *Set) Arg(i int) string {
	if i < len(s.args) {
		return s.args[i]
	}
	return ""
}

// Behind returns the command that follows "--", and reports whether there was a "--".
func (s *Set) Behind() ([]string, bool) { return s.command, s.hasCommand }

// Colors reports whether what is written to w has colors.
func (s *Set) Colors(w io.Writer) bool { return terminal.Colors(w, s.noColor) }

// Progress reports whether progress is shown on w.
func (s *Set) Progress(w io.Writer) bool { return !s.noProgress && terminal.Moves(w) }

// ProgressOn returns w if progress is shown on it, and else nil.
func (s *Set) ProgressOn(w io.Writer) io.Writer {
	if s.Progress(w) {
		return w
	}
	return nil
}

// A Definition is a standard output that asks for the Set of a program: Parse stores it, and the
// program does nothing else.
type Definition struct {
	io.Writer
	Set *Set
}

// Parse reads a command line. If ok is false, the program ends with the status: help was written,
// or the one line of a usage error.
func (s *Set) Parse(args []string, stdout, stderr io.Writer) (status int, ok bool) {
	if d, is := stdout.(*Definition); is {
		d.Set = s
		return 0, false
	}
	switch err := s.read(args); {
	case errors.Is(err, flag.ErrHelp):
		return Print(s.Name(), s.Help(), stdout, stderr), false
	case err != nil:
		return Fail(cmp.Or(s.ErrorName, s.Name()), err, stderr), false
	}
	return 0, true
}

// Fail writes the one line of a usage error, and returns its exit status.
func Fail(name string, err error, stderr io.Writer) int {
	fmt.Fprintf(stderr, "%s: %s\n", name, strings.ReplaceAll(strings.TrimSpace(Message(err)), "\n", "; "))
	return 2
}

// packagePrefix is what errors of the library's packages begin with.
var packagePrefix = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(^|[\n(]|: |; )(addrs|checksum|cliconfig|hclbridge|hclcheck|hclconfig|hclconvert|hcledit|hclfuncs|hcllint|hcllinttest|hcllsp|hclnames|hclrename|install|lockfile|ocimirror|plandiff|planfile|plangraph|planjson|redact|registry|registrytest|statefile|uijson|uirun|uitrack): `)
})

// functionHint is what errors of the library's packages end with: which of their functions does it. It has these
// functions by name, because errors also quote what servers and other programs say.
var functionHint = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[:;] (use (Add|Before|Delete|First|Insert|Into|Remove|Replace|Set|SetComments|SetHeader|Source|UpdateLockFile)\b[^\n;()]*|(package [a-z/]+|([a-z]+\.)?[A-Z]\w+) (reads|decodes|decrypts|finds) (it|the document)\b)`)
})

// Message returns the text of an error for the users of a program, whom the names of packages and
// functions tell nothing.
func Message(err error) string {
	return functionHint().ReplaceAllString(packagePrefix().ReplaceAllString(err.Error(), "$1"), "")
}

// Print writes help, and returns the exit status.
func Print(name, text string, stdout, stderr io.Writer) int {
	if _, err := io.WriteString(stdout, text); err != nil {
		fmt.Fprintf(stderr, "%s: %v\n", name, err)
		return 1
	}
	return 0
}

// A setting is an option of a command line, which is set when all others are known to be allowed.
type setting struct{ name, value string }

// read reads a command line.
func (s *Set) read(args []string) error {
	settings, err := s.split(args)
	if err != nil {
		return err
	}
	for _, o := range settings {
		if err := s.FlagSet.Set(o.name, o.value); err != nil {
			return s.invalid(o, err)
		}
	}
	err = s.count()
	if err == nil && s.Check != nil {
		err = s.Check()
	}
	return err
}

// split separates options and arguments. Help counts even if something is wrong.
func (s *Set) split(args []string) (settings []setting, err error) {
	s.args = nil
	for i := 0; i < len(args); i++ {
		name, value, hasValue := cut(args[i])
		switch {
		case args[i] == "--":
			s.hasCommand = s.Command
			if s.Command {
				s.command = args[i+1:]
			} else {
				s.args = append(s.args, args[i+1:]...)
			}
			return settings, err
		case name == "":
			s.args = append(s.args, args[i])
			continue
		case name == "h" || name == "help":
			return nil, flag.ErrHelp
		}
		f := s.Lookup(name)
		switch {
		case f == nil:
			err = cmp.Or(err, s.unknown(args[i]))
			continue
		case hasValue:
		case isSwitch(f):
			value = "true"
		case i+1 == len(args):
			err = cmp.Or(err, fmt.Errorf("-%s needs a value", name))
		default:
			i++
			value = args[i]
		}
		settings = append(settings, setting{name, value})
	}
	return settings, err
}

// cut returns the name and the value of an option, or "" for an argument. The address -/aws of a provider
// is an argument.
func cut(arg string) (name, value string, hasValue bool) {
	rest, ok := strings.CutPrefix(arg, "-")
	if !ok || rest == "" || rest[0] == '/' {
		return "", "", false
	}
	return strings.Cut(strings.TrimPrefix(rest, "-"), "=")
}

func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// AsksHelp reports whether a command line has -h where an option can stand. Options that are not
// known are taken for switches.
func AsksHelp(args []string, sets ...*Set) bool {
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, _, hasValue := cut(args[i])
		if name == "h" || name == "help" {
			return true
		}
		if !hasValue && takesValue(name, sets) {
			i++
		}
	}
	return false
}

// Verb returns the place of the first argument, whose options can stand on both sides of it, or -1.
func Verb(args []string, sets ...*Set) int {
	for i := 0; i < len(args) && args[i] != "--"; i++ {
		name, _, hasValue := cut(args[i])
		switch {
		case name == "":
			return i
		case !hasValue && takesValue(name, sets):
			i++
		}
	}
	return -1
}

func takesValue(name string, sets []*Set) bool {
	return slices.ContainsFunc(sets, func(s *Set) bool {
		f := s.Lookup(name)
		return f != nil && !isSwitch(f)
	})
}

// Open returns the option whose value would follow the words, if there is one.
func (s *Set) Open(words []string) (name string, ok bool) {
	for i := 0; i < len(words) && words[i] != "--"; i++ {
		name, _, hasValue := cut(words[i])
		if hasValue || !takesValue(name, []*Set{s}) {
			continue
		}
		if i++; i == len(words) {
			return name, true
		}
	}
	return "", false
}

// unknown returns the error for an option that is not there.
func (s *Set) unknown(arg string) error {
	name, _, _ := cut(arg)
	typed, _, _ := strings.Cut(arg, "=")
	var names []string
	s.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	near := Nearest(name, names)
	if near != "" {
		near = " did you mean -" + near + "?"
	}
	return fmt.Errorf("unknown option %s;%s %q explains the options", typed, near, s.Name()+" -h")
}

// invalid returns the error for a value that is not allowed.
func (s *Set) invalid(o setting, err error) error {
	if err.Error() != "parse error" {
		return fmt.Errorf("-%s: %w", o.name, err)
	}
	if isSwitch(s.Lookup(o.name)) {
		return fmt.Errorf("-%s: %q is neither true nor false", o.name, o.value)
	}
	return fmt.Errorf("-%s: %q is not a number", o.name, o.value)
}

// ArgumentNames returns the names of the arguments of the form that holds, with brackets and dots.
func (s *Set) ArgumentNames() []string {
	line := s.Arguments
	for _, form := range s.Forms {
		first, rest, _ := strings.Cut(form, " ")
		if f := s.Lookup(strings.TrimPrefix(first, "-")); first != "--" && f != nil && f.Value.String() == "true" {
			line = rest
			break
		}
	}
	return slices.DeleteFunc(strings.Fields(line), func(word string) bool {
		return strings.HasPrefix(strings.TrimPrefix(word, "["), "-") || word == "[OPTION]..."
	})
}

// count returns an error if arguments are missing, or if there are too many.
func (s *Set) count() error {
	names := s.ArgumentNames()
	explains := fmt.Sprintf("%q explains the arguments", s.Name()+" -h")
	required, more := 0, false
	for _, name := range names {
		more = more || strings.HasSuffix(name, "...")
		if strings.HasPrefix(name, "[") {
			continue
		}
		if required++; len(s.args) < required {
			return fmt.Errorf("%s is missing; %s", plainName(name), explains)
		}
	}
	switch {
	case more || len(s.args) <= len(names):
		return nil
	case len(names) == 0:
		return fmt.Errorf("no arguments are taken, not even %q; %s", s.args[0], explains)
	case len(names) == 1:
		return fmt.Errorf("one %s at most, not %d", plainName(names[0]), len(s.args))
	}
	return fmt.Errorf("%d arguments at most, not %d; %s", len(names), len(s.args), explains)
}

// plainName returns the name of an argument without brackets and dots: ADDRESS of ADDRESS[.PATH].
func plainName(s string) string {
	return strings.TrimRight(strings.SplitN(strings.TrimPrefix(s, "["), "[", 2)[0], ".]")
}

// NotTerminal returns an error if a program would read a terminal that nobody has asked for.
func NotTerminal(stdin io.Reader) error {
	if terminal.Is(stdin) {
		return errors.New("standard input is a terminal; name a FILE, or - to type")
	}
	return nil
}
