// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/findings"
	"github.com/zclconf/go-cty/cty"
)

// usage is what -h prints before the rules. NAME stands for the name of the program, and
// BLANKS for as many blanks.
const usage = `usage: NAME [-fix | -diff] [-format FORMAT] [-only NAMES] [-skip NAMES] [-config FILE]
       BLANKS [-baseline FILE] [-write-baseline FILE] [-schemas FILE] [-var-file FILE]...
       BLANKS [-workspace NAME] DIR...

NAME runs its rules on the configurations in the directories DIR and reports the findings.
DIR is the directory of one module; DIR/... includes all directories below. Only reports are
written, except with -fix and -write-baseline. The network is not used.

  -fix                 make the fixes, in rounds until none is left, and report what remains;
                       files of called modules outside DIR do not change
  -diff                print the fixes as a unified diff and write nothing
  -format FORMAT       text (the default), json, sarif, github, gitlab or junit
  -only NAMES          run only these rules, a comma-separated list, even those off by default
  -skip NAMES          do not run these rules
  -config FILE         read this configuration instead of .tflint.hcl or .tofuwire-lint.hcl in
                       DIR or above it, up to the root of the repository
  -baseline FILE       omit the findings listed in FILE
  -write-baseline FILE write the findings to FILE and report none
  -schemas FILE        the output of "providers schema -json", for rules about providers
  -var-file FILE       values of variables, in addition to those in terraform.tfvars and
                       *.auto.tfvars; those in the environment are ignored
  -workspace NAME      the value of terraform.workspace; without it, that is what
                       .terraform/environment says, or unknown

The text has one line for each finding:

  FILE:LINE,COLUMN: SEVERITY: MESSAGE (RULE)

SEVERITY is error, warning or notice, and FILE is relative to the working directory. Errors
that prevent a check go to standard error, or into the report in the other formats.

A configuration file has a block rule "NAME" for each rule that it configures. An unknown rule is
an error, except in a .tflint.hcl or .tflint.json, where it may belong to a plugin of tflint. If
they have no plugin, an unknown rule of its own ruleset is an error as well.

A comment "tflint-ignore: NAMES" turns off rules for its line and the next one, and
"tflint-ignore-file: NAMES" at the beginning of a file for the whole file.

Exit status: 0 if nothing was found, 1 if there are findings, 2 if something could not be
checked: a directory without configuration, a syntax error, also in a called module, a called
local module that does not exist, a bad option, a rule that failed. Other findings are still
reported. Modules that are neither local nor installed are not checked.

Example: NAME -skip RULE ./modules/...

Rules (* are on by default):
`

// Command is a complete linter with explicit arguments and streams: it parses the command
// line, runs the enabled analyzers on the named modules, and writes a report. With the
// argument -h it prints its usage. Usage and errors call the program lint; [Main] calls it
// by its own name. Modules are read in the dialect of OpenTofu; for another one use [Run] with
// a tree that was loaded with it. Command returns the exit status: 0 if nothing was found, 1
// if there are findings, 2 if something could not be checked.
func Command(args []string, stdin io.Reader, stdout, stderr io.Writer, analyzers ...*Analyzer) int {
	c := &command{name: "lint", page: "https://github.com/tofuwire/tofuwire", analyzers: slices.Clone(analyzers), stdout: stdout, stderr: stderr}
	return c.exit(args)
}

// exit does all, prints the error if there is one, and returns the exit status.
func (c *command) exit(args []string) int {
	status, err := c.run(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(c.stdout, c.help())
		return 0
	case err != nil:
		fmt.Fprintf(c.stderr, "%s: %s\n", c.name, oneLine(err))
		return 2
	}
	return status
}

// oneLine returns the text of an error in one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

// A command is one run of a linter.
type command struct {
	name, page     string // of the program
	analyzers      []*Analyzer
	stdout, stderr io.Writer

	fix, diff      bool
	format         string
	only, skip     []string
	config         string
	baseline       *baseline
	baselineFile   string
	writeBaseline  string
	schemas        *hclconfig.Schemas
	variables      map[string]cty.Value
	workspace      string
	working        string    // the working directory
	settingsByFile *settings // of -config
}

func (c *command) help() string {
	var out strings.Builder
	byName := slices.DeleteFunc(slices.Clone(c.analyzers), func(a *Analyzer) bool { return a == nil })
	slices.SortFunc(byName, func(a, b *Analyzer) int { return strings.Compare(a.Name, b.Name) })
	skipped := "terraform_required_version"
	if len(byName) > 0 && !slices.ContainsFunc(byName, func(a *Analyzer) bool { return a.Name == skipped }) {
		skipped = byName[0].Name
	}
	out.WriteString(strings.NewReplacer("NAME ", c.name+" ", "BLANKS", strings.Repeat(" ", len(c.name)), "RULE ", skipped+" ").Replace(usage))
	for _, a := range byName {
		mark := " "
		if (&settings{}).isOn(a) {
			mark = "*"
		}
		summary, _, _ := strings.Cut(strings.Join(strings.Fields(a.Doc), " "), ". ")
		fmt.Fprintf(&out, "%s %s: %s\n", mark, a.Name, strings.TrimSuffix(summary, "."))
	}
	return out.String()
}

// run does all and returns the exit status.
func (c *command) run(args []string) (int, error) {
	dirs, err := c.parse(args)
	if err != nil {
		return 0, err
	}
	if _, err := ordered(c.analyzers); err != nil {
		return 0, err
	}
	if c.working, err = os.Getwd(); err != nil {
		return 0, err
	}
	targets, faults := c.targets(dirs)
	s := newSession(c)
	s.faults = faults
	s.lint(targets)
	for _, t := range targets {
		s.spare(t)
	}
	found := slices.ContainsFunc(targets, func(t *target) bool { return len(t.findings) > 0 })
	if c.fix || c.diff {
		s.mend(targets)
	}
	list := s.findings(targets)
	if !c.diff { // which leaves the findings where they are
		found = len(list) > 0
	}
	if c.baseline != nil {
		for _, e := range s.stale(targets) {
			fmt.Fprintf(c.stderr, "%s: warning: %s: no finding is like this any more: %s\n", c.name, c.baselineFile, e)
		}
	}
	if c.writeBaseline != "" {
		if err := writeBaseline(c.writeBaseline, list); err != nil {
			return 0, err
		}
		list, found = nil, false
	}
	if c.fix {
		s.save()
	}
	if c.diff {
		err = s.printDiff()
	} else {
		err = findings.Write(c.stdout, c.format, s.report(targets, list))
	}
	for _, f := range s.faults {
		fmt.Fprintf(c.stderr, "%s: %s\n", c.name, f.Message)
	}
	switch {
	case err != nil:
		return 0, err
	case len(s.faults) > 0:
		return 2, nil
	case found && !s.force:
		return 1, nil
	}
	return 0, nil
}

// parse reads the command line and the files that it names.
func (c *command) parse(args []string) (dirs []string, err error) {
	var schemas, baselineFile string
	var varFiles []string
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&c.fix, "fix", false, "")
	flags.BoolVar(&c.diff, "diff", false, "")
	flags.StringVar(&c.format, "format", "text", "")
	names := func(into *[]string) func(string) error {
		return func(s string) error {
			for name := range strings.SplitSeq(s, ",") {
				*into = append(*into, strings.TrimSpace(name))
			}
			return nil
		}
	}
	flags.Func("only", "", names(&c.only))
	flags.Func("skip", "", names(&c.skip))
	flags.StringVar(&c.config, "config", "", "")
	flags.StringVar(&baselineFile, "baseline", "", "")
	flags.StringVar(&c.writeBaseline, "write-baseline", "", "")
	flags.StringVar(&schemas, "schemas", "", "")
	flags.Func("var-file", "", func(s string) error { varFiles = append(varFiles, s); return nil })
	flags.StringVar(&c.workspace, "workspace", "", "")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	switch {
	case flags.NArg() == 0:
		return nil, errors.New("at least one DIR is needed: see -h")
	case c.fix && c.diff:
		return nil, errors.New("-fix cannot be combined with -diff")
	case !findings.Known(c.format):
		return nil, findings.Write(nil, c.format, nil)
	}
	for _, name := range slices.Concat(c.only, c.skip) {
		if !slices.ContainsFunc(c.analyzers, func(a *Analyzer) bool { return a != nil && a.Name == name }) {
			return nil, fmt.Errorf("there is no rule %q: -h lists them", name)
		}
	}
	if c.config != "" {
		c.settingsByFile = &settings{rules: map[string]ruleSettings{}}
		if err := c.settingsByFile.read(c.config, nil); err != nil {
			return nil, err
		}
	}
	if c.baselineFile = baselineFile; baselineFile != "" {
		if c.baseline, err = readBaseline(baselineFile); err != nil {
			return nil, err
		}
	}
	if c.writeBaseline != "" {
		c.baseline = nil // all findings are written
	}
	if schemas != "" {
		src, err := os.ReadFile(schemas)
		if err != nil {
			return nil, err
		}
		if c.schemas, err = hclconfig.DecodeSchemas(src); err != nil {
			return nil, fmt.Errorf("%s: %w", schemas, err)
		}
	}
	c.variables = map[string]cty.Value{}
	for _, file := range varFiles {
		src, err := os.ReadFile(file)
		if err == nil {
			err = hclnames.ReadValues(file, src, c.variables)
		}
		if err != nil {
			return nil, err
		}
	}
	return flags.Args(), nil
}

// settingsFor returns the settings that hold for a module, and the analyzers that they turn
// on.
func (c *command) settingsFor(dir string) (*settings, error) {
	s := c.settingsByFile
	if s == nil {
		var err error
		if s, err = findSettings(dir, nil); err != nil {
			return nil, err
		}
	}
	return s, s.unknown(c.analyzers)
}

// chosen returns the analyzers that run.
func (c *command) chosen(s *settings) []*Analyzer {
	return slices.DeleteFunc(slices.Clone(c.analyzers), func(a *Analyzer) bool {
		switch {
		case slices.Contains(c.skip, a.Name):
			return true
		case c.only != nil:
			return !slices.Contains(c.only, a.Name)
		}
		return !s.isOn(a)
	})
}

// shown returns the name of a file for people: relative to the working directory.
func (c *command) shown(file string) string {
	if rel, err := filepath.Rel(c.working, file); err == nil {
		file = rel
	}
	return filepath.ToSlash(file)
}
