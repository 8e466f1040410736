// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package state is the program that reads the state as the tools save it.
package state

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// Exit statuses.
const (
	exitOK = iota
	exitNo // there is no such thing, or the tools would refuse it
	exitUnreadable
)

const help = `usage: state COMMAND ARGUMENTS

State reads the state as OpenTofu and Terraform save it, such as terraform.tfstate or the output of "state pull". It needs
neither the tool nor its providers nor the configuration. FILE can be - for standard input, once. It writes to standard
output.

  state list FILE
      Prints the addresses of all resource instances, one per line, in the order of the tools' "state list".
  state show [-reveal] FILE ADDRESS
      Prints one resource instance as in the output of "state json". Sensitive values are shown as (sensitive value)
      unless -reveal is given.
  state json [-schemas FILE] FILE
      Prints what "show -json" prints for the state. With the output of "providers schema -json" in -schemas, the output is
      byte for byte the same. Without it, attributes missing in the state are omitted, and only values marked in the state
      are sensitive.
  state output [-json] FILE
      Prints what "output", or "output -json" with all values, prints for the state.
  state mv [-out FILE] FILE SOURCE DESTINATION
  state rm [-out FILE] FILE ADDRESS...
  state replace-provider [-out FILE] FILE FROM TO
  state taint [-out FILE] FILE ADDRESS
  state untaint [-out FILE] FILE ADDRESS
      Change the state like the tools' commands of the same names. The result is written to FILE, under its lock and with
      a backup FILE.TIMESTAMP.backup, or to the FILE of -out, where - is standard output. Nothing is written if nothing
      changes.
  state mv [-tool tofu or terraform] -to OTHER [-passphrase-file PASS | -config FILE] FILE SOURCE [DESTINATION]
      Moves what has the address SOURCE in FILE to DESTINATION, or the same address, in the state OTHER. Both files are
      left as "state mv -state-out" of the tool leaves them, tofu by default, with backups. Both are written, or none.
      OTHER can be missing. Each file stays encrypted if it was; a new OTHER is if FILE is.
  state decrypt [-passphrase-file PASS | -config FILE] FILE
      Decrypts a state or saved plan. PASS is a file with the passphrase of a key provider pbkdf2, or of the first of a
      chain of up to three; one LF or CRLF at its end is ignored. FILE of -config contains the text of TF_ENCRYPTION, in
      HCL or JSON; programs that it names are started.
  state encrypt [-passphrase-file PASS | -config FILE] FILE
      Encrypts; with a passphrase, by aes_gcm and key_provider.pbkdf2.passphrase.
  state snapshot [-passphrase-file PASS | -config FILE] PLANFILE DIR
      Extracts the configuration in a saved plan to the new or empty folder DIR, so that the tools can work there.

Exit status: 0; 1 if the address does not exist, if the tools would refuse the edit, or if a lock or the lineage or serial
of the state in FILE prevents its replacement; 2 if FILE cannot be read, if decrypt, encrypt or snapshot fails, or if the
command line is wrong.

Examples: tofuwire state list terraform.tfstate
          tofuwire state mv terraform.tfstate aws_instance.web module.web.aws_instance.this
`

// A command is what a subcommand does.
type command struct {
	run  func(c *call) error
	args int // after the options: so many, or -n for n or more
}

var commands = map[string]command{
	"list":   {list, 1},
	"show":   {show, 2},
	"json":   {showJSON, 1},
	"output": {output, 1},

	"mv":               {move, -2},
	"rm":               {remove, -2},
	"replace-provider": {replaceProvider, 3},
	"taint":            {taint, 2},
	"untaint":          {untaint, 2},

	"decrypt": {decrypt, 1},
	"encrypt": {encrypt, 1},

	"snapshot": {snapshot, 2},
}

// A call is one run of the program.
type call struct {
	args           []string
	stdin          io.Reader
	consumed       bool // stdin has been read
	stdout, stderr io.Writer

	reveal, json bool
	schemas, out string
	tool, to     string

	passphrase, config string // files
}

// An exit is an error with its status.
type exit struct {
	status int
	err    error
}

func (e *exit) Error() string { return e.err.Error() }

// unreadable returns an error with the status for what cannot be read.
func unreadable(err error) error { return &exit{exitUnreadable, err} }

// no returns an error with the status for what is not there, or not allowed.
func no(format string, args ...any) error { return &exit{exitNo, fmt.Errorf(format, args...)} }

// Run runs the program and returns its exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 1 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help") {
		fmt.Fprint(stdout, help)
		return exitOK
	}
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	cmd, ok := commands[name]
	if !ok {
		fmt.Fprintf(stderr, "state: no command %q; -h lists them\n", name)
		return exitUnreadable
	}
	c := &call{stdin: stdin, stderr: stderr}
	flags := optionset.New("state " + name)
	c.define(name, flags)
	if err := flags.Parse(args[1:]); errors.Is(err, flag.ErrHelp) {
		fmt.Fprint(stdout, help)
		return exitOK
	} else if err != nil {
		fmt.Fprintf(stderr, "state: %s: %v\n", name, err)
		return exitUnreadable
	}
	if c.args = flags.Args(); len(c.args) != cmd.args && (cmd.args >= 0 || len(c.args) < -cmd.args) {
		fmt.Fprintf(stderr, "state: %s: wrong arguments; see -h\n", name)
		return exitUnreadable
	}
	out := bufio.NewWriter(stdout)
	c.stdout = out
	err := cmd.run(c)
	if err == nil {
		if err = out.Flush(); err == nil {
			return exitOK
		}
	}
	fmt.Fprintf(stderr, "state: %s: %v\n", name, err)
	if e, ok := errors.AsType[*exit](err); ok {
		return e.status
	}
	return exitUnreadable
}

// Verbs returns the names of the commands.
func Verbs() []string { return slices.Sorted(maps.Keys(commands)) }

// define defines the options of a command.
func (c *call) define(name string, flags *flag.FlagSet) {
	switch name {
	case "show":
		flags.BoolVar(&c.reveal, "reveal", false, "")
	case "output":
		flags.BoolVar(&c.json, "json", false, "")
	case "json":
		flags.StringVar(&c.schemas, "schemas", "", "")
	case "mv", "rm", "replace-provider", "taint", "untaint":
		flags.StringVar(&c.out, "out", "", "")
		if name == "mv" {
			flags.StringVar(&c.to, "to", "", "")
			flags.StringVar(&c.tool, "tool", "", "")
			flags.StringVar(&c.passphrase, "passphrase-file", "", "")
			flags.StringVar(&c.config, "config", "", "")
		}
	case "decrypt", "encrypt", "snapshot":
		flags.StringVar(&c.passphrase, "passphrase-file", "", "")
		flags.StringVar(&c.config, "config", "", "")
	}
}

// read returns the content of a file, or of standard input for "-".
func (c *call) read(name string) ([]byte, error) {
	var text []byte
	var err error
	switch {
	case name != "-":
		text, err = os.ReadFile(name)
	case c.consumed:
		err = errors.New("only one of the files can be standard input")
	default:
		c.consumed = true
		text, err = io.ReadAll(c.stdin)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	return text, nil
}

// document reads a state for a command that only reads, wherever in the file it is: in a log,
// in UTF-16 or behind a byte order mark, or compressed.
func (c *call) document(name string) (*statefile.File, error) {
	text, err := c.read(name)
	if err != nil {
		return nil, err
	}
	return decode(name, found(name, text, c.stderr))
}

// found returns the document in a text, or the text if it has none.
func found(name string, text []byte, stderr io.Writer) []byte {
	plain, err := planfile.Plain(text)
	if err != nil {
		return text
	}
	if f, err := planfile.Find("state", name, plain, stderr); err == nil {
		return f.Text
	}
	return plain
}

// file reads a state that is to be edited.
func (c *call) file(name string) (*statefile.File, error) {
	text, err := c.read(name)
	if err != nil {
		return nil, err
	}
	return decode(name, text)
}

const isEncrypted = "the file is encrypted by OpenTofu; decrypt it first, with state decrypt"

// decode decodes the state in a file.
func decode(name string, text []byte) (*statefile.File, error) {
	if planjson.KindOf(text) == planjson.DocumentPlanFile {
		return nil, unreadable(fmt.Errorf("%s: this is a saved plan, not a state", name))
	}
	f, err := statefile.Decode(text)
	if inner := found(name, text, io.Discard); err != nil && len(inner) != len(text) && planjson.KindOf(inner) == planjson.DocumentStateFile {
		return nil, unreadable(fmt.Errorf("%s: there is a state in the file, but also something else, or it is compressed or not in UTF-8; list, show, json and output read it, an edit needs the state alone", name))
	}
	if errors.Is(err, statefile.ErrEncrypted) {
		return nil, unreadable(fmt.Errorf("%s: %s", name, isEncrypted))
	}
	if err != nil {
		return nil, unreadable(fmt.Errorf("%s: %w", name, err))
	}
	return f, nil
}

// list is the command list. It keeps only the addresses of a state.
func list(c *call) error {
	name := c.args[0]
	in := c.stdin
	if name == "-" {
		name = "standard input"
	} else {
		f, err := os.Open(name)
		if err != nil {
			return unreadable(err)
		}
		defer f.Close()
		in = f
	}
	text := bufio.NewReader(in)
	var objects []object
	var err error
	if head, _ := text.Peek(64); plainState.Match(head) {
		objects, err = c.objects(name, text)
	} else {
		objects, err = c.wholeObjects(name, text)
	}
	if err != nil {
		return err
	}
	slices.SortStableFunc(objects, func(a, b object) int {
		return cmp.Or(a.AbsResource().Compare(b.AbsResource()), a.Key().Compare(b.Key()), cmp.Compare(a.deposed, b.deposed))
	})
	for i, o := range objects {
		if i > 0 && o == objects[i-1] {
			return unreadable(fmt.Errorf("%s: %s occurs twice in the state", name, o.AbsResourceInstance))
		}
	}
	last := ""
	for _, o := range objects {
		if address := o.AbsResourceInstance.String(); address != last {
			fmt.Fprintln(c.stdout, address)
			last = address
		}
	}
	return nil
}

// An object is what list keeps of an object.
type object struct {
	addrs.AbsResourceInstance
	deposed string
}

// plainState matches the beginning of a state that can be read part by part.
var plainState = regexp.MustCompile(`^\s*\{\s*"version"\s*:\s*4\b`)

// wholeObjects is objects for a text that is read as a whole.
func (c *call) wholeObjects(name string, in io.Reader) (objects []object, err error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, unreadable(err)
	}
	f, err := decode(name, found(name, text, c.stderr))
	if err != nil {
		return nil, err
	}
	for i := range f.All() {
		objects = append(objects, object{i.Address, i.Object.Deposed})
	}
	return objects, nil
}

// objects reads the objects of a state, which is the command's file.
func (c *call) objects(name string, text io.Reader) (objects []object, err error) {
	for l, err := range statefile.List(text) {
		switch {
		case err == nil:
			objects = append(objects, object{l.Address, l.Deposed})
			continue
		case errors.Is(err, statefile.ErrEncrypted):
			return nil, unreadable(fmt.Errorf("%s: %s", name, isEncrypted))
		case c.args[0] == "-":
			return nil, unreadable(fmt.Errorf("%s: %w", name, err))
		}
		// Perhaps its members are in an order that only Decode reads. If there is
		// another fault, Decode knows its place best.
		f, err := c.document(c.args[0])
		if err != nil {
			return nil, err
		}
		objects = nil
		for i := range f.All() {
			objects = append(objects, object{i.Address, i.Object.Deposed})
		}
		break
	}
	return objects, nil
}

// shown reads a state as it is shown by one of the functions of statefile.
func (c *call) shown(show func(*statefile.File, *planjson.Schemas) (*planjson.State, error)) (*planjson.State, error) {
	f, err := c.document(c.args[0])
	if err != nil {
		return nil, err
	}
	var schemas *planjson.Schemas
	if c.schemas != "" {
		text, err := c.read(c.schemas)
		if err != nil {
			return nil, err
		}
		if schemas, err = planjson.DecodeSchemas(bytes.Clone(text)); err != nil {
			return nil, unreadable(fmt.Errorf("%s: %w", c.schemas, err))
		}
	}
	s, err := show(f, schemas)
	if err != nil {
		return nil, unreadable(fmt.Errorf("%s: %w", c.args[0], err))
	}
	return s, nil
}

// showJSON is the command json.
func showJSON(c *call) error {
	s, err := c.shown(statefile.ShowExactly)
	if err != nil {
		return err
	}
	text, err := planjson.Canonical(s)
	if err != nil {
		return err
	}
	_, err = c.stdout.Write(text)
	return err
}
