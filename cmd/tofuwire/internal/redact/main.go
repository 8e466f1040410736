// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package redact is the program that writes a document without its secrets.
package redact

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/progress"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

var text = commandline.Text{
	Arguments: "[KIND] [FILE]",
	Files:     planfile.Endings,
	About: `
Redact writes a document without its secrets. It reads FILE, or standard input if FILE is - or
missing, and writes to standard output. KIND is

  plan, state, config, output, validate
            what the tools print with -json; plan also a saved plan, with -schemas
  statefile the state as the tools save it, terraform.tfstate
  backend   the settings of a backend, .terraform/terraform.tfstate
  ui        the messages of a run with -json, and those of a query
auto the default: any of these, another document of the tools, a lock file, or a CLI configuration.
The detected kind is printed on standard error

A single argument is KIND if it is the name of a kind, otherwise FILE. For a file named plan, write
./plan. If the input is a log, only the document is written; the amount of text around it is printed
on standard error.`,
	Exit: `
0 the document was written
1 it was not; nothing secret was written, and standard error has the error with its line and column
2 a usage error`,
	Example: "tofu show -json plan.bin | tofuwire redact > shared.json",
}

// A job is one run of the program.
type job struct {
	schemas                     []string
	secrets, plan, report       string
	config                      string
	keep, stream, all, required bool
	lines                       bool      // -text
	shown                       io.Writer // progress; nil for none
	inputs                      planfile.Inputs
	kind, input                 string

	redactor redact.Redactor
	name     string // of the input
	stderr   io.Writer
}

// Run runs the program and returns its exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	j := &job{stderr: stderr}
	flags := commandline.New("tofuwire redact", text)
	flags.Strings(&j.schemas, "schemas", "the output of providers schema -json in `FILE`, which marks sensitive and write-only attributes. All values of a resource without a schema are then hidden, with the reason no-schema in -report")
	flags.BoolVar(&j.required, "require-schemas", false, "refuse a document that has a resource without a schema, and print its type")
	flags.StringVar(&j.inputs.Passphrase, "passphrase-file", "", "a `FILE` with the passphrase of an encrypted saved plan")
	flags.StringVar(&j.secrets, "secrets", "", "a JSON array of strings in `FILE` to hide everywhere")
	flags.StringVar(&j.plan, "plan", "", "ui, -text: the plan of the run in `FILE`, as JSON or saved; its secrets are hidden")
	flags.StringVar(&j.report, "report", "", "write lines of JSON to `FILE`: each replaced place with the reason, and sensitive words that were kept elsewhere")
	flags.BoolVar(&j.keep, "keep-unmarked", false, "keep parts that the format cannot mark as sensitive, such as the outputs of terraform_remote_state")
	flags.BoolVar(&j.stream, "stream", false, "plan, state: use little memory, however large the document is")
	flags.BoolVar(&j.all, "all", false, "ui: remove everything that could hold a secret, including string keys of instances")
	flags.StringVar(&j.config, "config", "", "the directory `DIR` with the configuration; values of its ephemeral variables, which plans do not mark, are hidden")
	flags.BoolVar(&j.lines, "text", false, "the input is any text, such as a log: only the secrets of -plan and -secrets are replaced, including those that are plain words. Each line is written as soon as it is read")
	flags.Check = func() (err error) {
		j.kind, j.input, err = arguments(flags.Args())
		switch {
		case err != nil:
			return err
		case j.lines && j.kind != "auto":
			return fmt.Errorf("-text takes no KIND; %s is not one of its options", j.kind)
		case j.lines && j.plan == "" && j.secrets == "":
			return errors.New("-text needs -plan or -secrets: a text marks nothing")
		case j.lines && (j.all || j.stream || j.report != "" || j.keep):
			return errors.New("-text cannot be combined with -all, -stream, -report and -keep-unmarked")
		case j.kind != "ui" && j.kind != "auto" && (j.plan != "" || j.all):
			return errors.New("-plan and -all need the kind ui")
		case j.input == "":
			return commandline.NotTerminal(stdin)
		}
		return nil
	}
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	j.shown = flags.ProgressOn(stderr)
	if err := j.run(stdin, stdout); err != nil {
		fmt.Fprintln(stderr, "tofuwire redact:", commandline.Message(err))
		return 1
	}
	return 0
}

func (j *job) run(stdin io.Reader, stdout io.Writer) (err error) {
	kind, file := j.kind, j.input
	if err := j.options(); err != nil {
		return err
	}
	if j.report != "" {
		f, err := os.OpenFile(j.report, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		lines := json.NewEncoder(w)
		j.redactor.Report = func(e redact.Entry) { lines.Encode(e) }
		defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
	}
	src := stdin
	if j.name = "standard input"; file != "" && file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		src, j.name = f, file
	}
	j.inputs.Schemas = j.schemas
	if j.lines {
		if err := j.filter(stdout, src); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
		return nil
	}
	shown := progress.Of(src, j.shown)
	defer shown.Close()
	if j.shown != nil && !j.stream {
		src = shown
	}
	if src, err = plain(src); err != nil {
		return fmt.Errorf("%s: %w", j.name, err)
	}
	if kind == "plan" || kind == "auto" {
		if src, err = j.converted(src); err != nil {
			return fmt.Errorf("%s: %w", j.name, err)
		}
	}
	w := bufio.NewWriter(stdout)
	if err := j.document(w, src, kind); err != nil {
		return fmt.Errorf("%s: %w", j.name, err)
	}
	return w.Flush()
}

// plain returns a reader of a text, decompressed if it is in gzip's format.
func plain(src io.Reader) (io.Reader, error) {
	buffered := bufio.NewReader(src)
	head, _ := buffered.Peek(2)
	if s, ok := src.(io.Seeker); ok && !planfile.IsGzip(head) {
		if _, err := s.Seek(0, io.SeekStart); err == nil {
			return src, nil
		}
	}
	if !planfile.IsGzip(head) {
		return buffered, nil
	}
	text, err := io.ReadAll(buffered)
	if err == nil {
		text, err = planfile.Plain(text)
	}
	return bytes.NewReader(text), err
}

// arguments returns the kind and the file of a command line.
func arguments(args []string) (kind, file string, err error) {
	isKind := func(s string) bool { return slices.Contains(kindNames(), s) }
	switch {
	case len(args) == 1 && isKind(args[0]):
		return args[0], "", nil
	case len(args) == 1:
		return "auto", args[0], nil
	case len(args) == 2 && isKind(args[0]):
		return args[0], args[1], nil
	case len(args) == 2:
		return "", "", commandline.Unknown("kind", args[0], kindNames())
	}
	return "auto", "", nil
}

// kindNames returns the words for KIND.
func kindNames() []string {
	return append(slices.Sorted(maps.Keys(kinds)), "statefile", "ui", "auto")
}

// options reads the files that options name.
func (j *job) options() error {
	r := &j.redactor
	if j.keep {
		r.Keep = redact.All
	}
	if j.secrets != "" {
		src, err := os.ReadFile(j.secrets)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(src, &r.Secrets); err != nil {
			return fmt.Errorf("%s: the file is not a JSON array of strings", j.secrets)
		}
	}
	if err := j.inputs.Check(); err != nil {
		return err
	}
	r.RequireSchemas = j.required
	if j.config != "" {
		if err := j.configuration(); err != nil {
			return err
		}
	}
	for _, name := range j.schemas {
		if err := j.addSchemas(name); err != nil {
			return err
		}
	}
	return nil
}

// addSchemas adds the schemas in a file. Those of one provider come from the first file that
// has them.
func (j *job) addSchemas(name string) error {
	more, err := planfile.ReadSchemas(name)
	if err != nil {
		return err
	}
	all := j.redactor.Schemas
	if all == nil {
		j.redactor.Schemas = more
		return nil
	}
	if all.ProviderSchemas == nil {
		all.ProviderSchemas = make(map[string]*planjson.ProviderSchema)
	}
	for provider, s := range more.ProviderSchemas {
		if all.ProviderSchemas[provider] == nil {
			all.ProviderSchemas[provider] = s
		}
	}
	return nil
}

// say writes a line to standard error.
func (j *job) say(format string, args ...any) {
	fmt.Fprintf(j.stderr, "tofuwire redact: "+j.name+": "+format+"\n", args...)
}
