// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/findings"
	"github.com/zclconf/go-cty/cty"
)

// about is what -h prints. NAME is replaced by the last word of the name of the program.
var about = commandline.Text{
	Arguments: "[DIR]...",
	About: `
NAME runs its rules on the configurations in the directories DIR and reports the findings.
DIR is the directory of one module, by default the current one; DIR/... includes all directories
below. If one of these modules calls another, the called module is checked with the values that its
callers pass. Only -fix and -write-baseline write files. Lint does not use the network.

The format text is compact, one line for each finding, or full on a terminal, with the code:

  FILE:LINE,COLUMN: SEVERITY: MESSAGE (RULE)

If a finding applies only to some calls of the module, the message ends with "; called at
FILE:LINE,COLUMN" for these calls, and the finding has no fix. SEVERITY is error, warning or notice,
and FILE is relative to the working directory. Errors that prevent a check go to standard error, or
into the report in the other formats.

A block rule "NAME" in a configuration file configures a rule. An unknown rule is an error, except
in .tflint.hcl and .tflint.json, where it may belong to a plugin of tflint. If these files configure
no plugin, an unknown rule of tflint's own ruleset is an error as well.

A comment "tflint-ignore: NAMES" turns off rules for its line and the next one, and
"tflint-ignore-file: NAMES" at the beginning of a file for the whole file.`,
	Exit: `
0 nothing was found
1 there are findings of at least the severity of -fail-on
2 something could not be checked: a directory without configuration, a syntax error, also in a called module, a called local module that does not exist, a rule that failed, a pattern that matches nothing; or a usage error. Other findings are still reported. Modules that are neither local nor installed are not checked`,
}

// A Program is a linter with its name.
type Program struct {
	// Name is what usage and errors begin with, such as "acme lint" for a subcommand. If empty, it
	// is "lint".
	Name string
	// URL is the page of the program, for reports.
	URL string
	// Analyzers are its rules.
	Analyzers []*Analyzer
	// DecodeSchemas decodes the file of the option -schemas, such as one that a pipeline has
	// compressed. If nil, it is [hclconfig.DecodeSchemas].
	DecodeSchemas func(src []byte) (*hclconfig.Schemas, error)
}

// Run parses the command line, runs the enabled analyzers on the named modules, and writes a report.
// With the argument -h it prints its usage. Modules are read in the dialect of OpenTofu; for another
// one use the function [Run] with a tree that was loaded with it. It returns the exit status: 0 if
// nothing was found, 1 if there are findings, 2 if something could not be checked.
func (p Program) Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if p.DecodeSchemas == nil {
		p.DecodeSchemas = hclconfig.DecodeSchemas
	}
	c := &command{name: cmp.Or(p.Name, "lint"), page: p.URL, analyzers: slices.Clone(p.Analyzers), decodeSchemas: p.DecodeSchemas, stdout: stdout, stderr: stderr}
	flags := c.flags()
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	status, err := c.run(flags.Args())
	if err != nil {
		return commandline.Fail(c.name, err, stderr)
	}
	return status
}

// Command runs a [Program] with the name lint and these analyzers.
func Command(args []string, stdin io.Reader, stdout, stderr io.Writer, analyzers ...*Analyzer) int {
	return Program{URL: "https://github.com/tofuwire/tofuwire", Analyzers: analyzers}.Run(args, stdin, stdout, stderr)
}

// A command is one run of a linter.
type command struct {
	name, page     string // of the program
	analyzers      []*Analyzer
	decodeSchemas  func([]byte) (*hclconfig.Schemas, error)
	stdout, stderr io.Writer

	commandOptions
	commandFiles
	working string          // the working directory
	matched map[string]bool // patterns of -filter and -exclude
}

// commandOptions are the options of the command line.
type commandOptions struct {
	fix, diff     bool
	format        string
	only, skip    []string
	config        string
	failOn        string
	filter        []string // patterns of files; nil for all
	exclude       []string // patterns of directories
	colors        bool
	baselineFile  string
	writeBaseline string
	schemasFile   string
	varFiles      []string
	workspace     string
	roots         bool // every target is a root module
}

// commandFiles is what the files have that options name.
type commandFiles struct {
	settingsByFile *settings // of -config
	baseline       *baseline
	schemas        *hclconfig.Schemas
	variables      map[string]cty.Value
}

// tool is the name of the program in reports.
func (c *command) tool() string { return c.name[strings.LastIndexByte(c.name, ' ')+1:] }

// rules lists the rules.
func (c *command) rules() string {
	var out strings.Builder
	out.WriteString("Rules (* are on by default):\n\n")
	for _, a := range c.byName() {
		mark := " "
		if (&settings{}).isOn(a) {
			mark = "*"
		}
		summary, _, _ := strings.Cut(strings.Join(strings.Fields(a.Doc), " "), ". ")
		out.WriteString(commandline.Entry(mark+" "+a.Name+":", strings.TrimSuffix(summary, "."), 6))
	}
	return out.String()
}

// byName returns the analyzers in the order of their names.
func (c *command) byName() []*Analyzer {
	list := slices.DeleteFunc(slices.Clone(c.analyzers), func(a *Analyzer) bool { return a == nil })
	slices.SortFunc(list, func(a, b *Analyzer) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// names returns the names of the analyzers.
func (c *command) names() []string {
	var list []string
	for _, a := range c.byName() {
		list = append(list, a.Name)
	}
	return list
}

// flags returns the command line.
func (c *command) flags() *commandline.Set {
	text := about
	text.About = strings.Replace(text.About, "NAME", strings.ToUpper(c.tool()[:1])+c.tool()[1:], 1)
	text.More = c.rules()
	skipped := "terraform_required_version"
	if names := c.names(); len(names) > 0 && !slices.Contains(names, skipped) {
		skipped = names[0]
	}
	text.Example = c.name + " -skip " + skipped + " ./modules/..."
	flags := commandline.New(c.name, text)
	flags.BoolVar(&c.fix, "fix", false, "make the fixes, in rounds until none is left, and report what remains; files of called modules outside DIR do not change, and variables that a caller in the repository sets are not removed")
	flags.BoolVar(&c.diff, "diff", false, "print the fixes as a unified diff and write nothing")
	flags.Choice(&c.format, "format", "text", "the `FORMAT`: "+commandline.Or(findings.Formats()), findings.Formats()...)
	flags.List(&c.only, "only", "run only the rules `NAMES`, a comma-separated list, even those off by default", "rule", c.names)
	flags.List(&c.skip, "skip", "do not run the rules `NAMES`", "rule", c.names)
	flags.StringVar(&c.config, "config", "", "read the configuration in `FILE` instead of .tflint.hcl or .tofuwire-lint.hcl in DIR or above it, up to the root of the repository")
	flags.StringVar(&c.baselineFile, "baseline", "", "omit the findings listed in `FILE`")
	flags.StringVar(&c.writeBaseline, "write-baseline", "", "write the findings to `FILE` and report none")
	flags.StringVar(&c.schemasFile, "schemas", "", "the output of \"providers schema -json\" in `FILE`, for rules about providers")
	flags.Strings(&c.varFiles, "var-file", "values of variables in `FILE`, in addition to those in terraform.tfvars and *.auto.tfvars; those in the environment are ignored")
	flags.BoolVar(&c.roots, "roots", false, "check each module by itself, as if nobody called it")
	flags.StringVar(&c.workspace, "workspace", "", "the value of terraform.workspace, `NAME`; the default is the name in .terraform/environment, or unknown")
	severities := []string{string(Error), string(Warning), string(Notice)}
	flags.Choice(&c.failOn, "fail-on", severities[2], "exit with status 1 only if a finding is at least this severe: `SEVERITY` is error, warning or notice. All are printed", severities...)
	flags.Strings(&c.filter, "filter", "report only findings in files that match `GLOB`, relative to the working directory: * matches any text without a slash, ** any number of folders, ? a character, [...] one of several")
	flags.Strings(&c.exclude, "exclude", "with DIR/..., skip directories that match `GLOB`, relative to the working directory, and all below them")
	flags.Check = func() error {
		if c.fix && c.diff {
			return errors.New("-fix cannot be combined with -diff")
		}
		for _, pattern := range slices.Concat(c.filter, c.exclude) {
			if err := checkGlob(pattern); err != nil {
				return err
			}
		}
		c.colors = flags.Colors(c.stdout)
		return nil
	}
	return flags
}

// run does all and returns the exit status.
func (c *command) run(dirs []string) (int, error) {
	if len(dirs) == 0 {
		dirs = []string{"."}
	}
	err := c.readFiles()
	if err == nil {
		_, err = ordered(c.analyzers)
	}
	if err != nil {
		return 0, err
	}
	c.matched = map[string]bool{}
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
	found := slices.ContainsFunc(targets, func(t *target) bool { return slices.ContainsFunc(t.findings, c.fails) })
	if err := s.unmatched(); err != nil {
		return 0, err
	}
	if c.fix || c.diff {
		s.mend(targets)
	}
	list := s.findings(targets)
	if !c.diff { // which leaves the findings where they are
		found = slices.ContainsFunc(list, c.fails)
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

// readFiles reads the files that options name.
func (c *command) readFiles() error {
	if c.config != "" {
		c.settingsByFile = &settings{rules: map[string]ruleSettings{}}
		if err := c.settingsByFile.read(c.config, nil); err != nil {
			return err
		}
	}
	if c.baselineFile != "" {
		var err error
		if c.baseline, err = readBaseline(c.baselineFile); err != nil {
			return err
		}
	}
	if c.writeBaseline != "" {
		c.baseline = nil // all findings are written
	}
	if c.schemasFile != "" {
		src, err := os.ReadFile(c.schemasFile)
		if err != nil {
			return err
		}
		if c.schemas, err = c.decodeSchemas(src); err != nil {
			return fmt.Errorf("%s: %w", c.schemasFile, err)
		}
	}
	c.variables = map[string]cty.Value{}
	for _, file := range c.varFiles {
		src, err := os.ReadFile(file)
		if err == nil {
			var values map[string]cty.Value
			values, err = hclnames.ParseValues(file, src)
			maps.Copy(c.variables, values)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
