// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package state is the program that reads the state as the tools save it.
package state

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planfile"
	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/lazy"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// Exit statuses.
const (
	exitOK = iota
	exitNo // there is no such thing, or the tools would refuse it
	exitUnreadable
)

// about is what the program says of itself; a list of the verbs follows.
var about = commandline.Text{
	Arguments: "VERB ARGUMENT...",
	About: `
State reads the state as OpenTofu and Terraform save it, such as terraform.tfstate or the output of
"state pull". It does not need the tool, providers or the configuration. One FILE can be -, standard
input. It writes to standard output. "tofuwire state VERB -h" explains a verb:

`,
	Exit:    exits,
	Example: "tofuwire state list terraform.tfstate",
}

const exits = `
0 success
1 the address does not exist, the tools would refuse the edit, or a lock or the lineage or serial of the state in FILE prevents its replacement
2 FILE cannot be read; decrypt, encrypt or snapshot fails; or a usage error`

const editing = `

The result is written to FILE, under its lock and with a backup FILE.TIMESTAMP.backup, or to the
FILE of -out, where - is standard output. Nothing is written if nothing changes.`

// A command is what a verb does.
type command struct {
	run                func(c *call) error
	arguments, example string
	about              string
	define             func(c *call, flags *commandline.Set) // options; nil if there are none
}

var commands = map[string]command{
	"list": {list, "FILE", "list terraform.tfstate", `
Prints the addresses of all resource instances, one per line, in the order of the tools'
"state list".`, nil},
	"show": {show, "FILE ADDRESS", "show terraform.tfstate aws_instance.web", `
Prints one resource instance as in the output of "state json". Sensitive values are shown as
(sensitive value) unless -reveal is given.`, func(c *call, flags *commandline.Set) {
		flags.BoolVar(&c.reveal, "reveal", false, "show sensitive values")
	}},
	"json": {showJSON, "FILE", "json -schemas schemas.json terraform.tfstate", `
Prints what "show -json" prints for the state. With the output of "providers schema -json" in
-schemas, the output is byte for byte the same. Without it, attributes missing in the state are
omitted, and only values marked in the state are sensitive.`, func(c *call, flags *commandline.Set) {
		flags.StringVar(&c.schemas, "schemas", "", "the output of \"providers schema -json\" in `FILE`")
	}},
	"output": {output, "FILE", "output -json terraform.tfstate", `
Prints what "output", or "output -json" with all values, prints for the state.`, func(c *call, flags *commandline.Set) {
		flags.BoolVar(&c.json, "json", false, "print JSON, with sensitive values")
	}},

	"mv": {move, "FILE SOURCE [DESTINATION]", "mv terraform.tfstate aws_instance.web module.web.aws_instance.this", `
Moves a resource, an instance or a module, as the tools' "state mv" does.` + editing + `

With -to, it moves SOURCE from FILE to the state OTHER, at the address DESTINATION or SOURCE. The
result is that of "state mv -state-out" of the tool, with backups. Either both files are written or
none. OTHER need not exist. An encrypted file stays encrypted, and a new OTHER is encrypted if FILE
is. With -tool terraform, members that only OpenTofu has are removed from both files, as Terraform
does, and identities from a state that a release before 1.12 wrote.`, func(c *call, flags *commandline.Set) {
		c.defineOut(flags)
		c.defineKeys(flags)
		flags.StringVar(&c.to, "to", "", "move to the state in the file `OTHER`")
		flags.Choice(&c.tool, "tool", "", "the `TOOL` of -to: tofu (the default) or terraform", "tofu", "terraform")
		flags.Check = func() error { return c.checkMove(flags) }
	}},
	"rm":               {remove, "FILE ADDRESS...", "rm terraform.tfstate aws_instance.web", `Removes resources, instances or modules, as the tools' "state rm" does.` + editing, (*call).defineOut},
	"replace-provider": {replaceProvider, "FILE FROM TO", "replace-provider terraform.tfstate hashicorp/aws example.com/acme/aws", `Replaces a provider by another, as the tools' "state replace-provider" does.` + editing, (*call).defineOut},
	"taint":            {taint, "FILE ADDRESS", "taint terraform.tfstate aws_instance.web", `Marks an instance as tainted, as the tools' "taint" does.` + editing, (*call).defineOut},
	"untaint":          {untaint, "FILE ADDRESS", "untaint terraform.tfstate aws_instance.web", `Removes the mark of a tainted instance, as the tools' "untaint" does.` + editing, (*call).defineOut},

	"decrypt": {decrypt, "FILE", "decrypt -passphrase-file pass.txt terraform.tfstate", "Decrypts a state or saved plan.", (*call).defineKeys},
	"encrypt": {encrypt, "FILE", "encrypt -passphrase-file pass.txt plain.tfstate", `
Encrypts a state; with a passphrase, by aes_gcm and key_provider.pbkdf2.passphrase.`, (*call).defineKeys},

	"snapshot": {snapshot, "PLANFILE DIR", "snapshot plan.tfplan configuration", `
Extracts the configuration in a saved plan to the new or empty folder DIR, where the tools can use
it.`, (*call).defineKeys},
	"lock-info": {lockInfo, "FILE", "lock-info .terraform.tfstate.lock.info", `
Prints who holds the lock of a state, as one line of JSON. FILE is the lock document as a backend
stores it: the file .terraform.tfstate.lock.info, an object .tflock, the body of a request to http,
an item of DynamoDB, the metadata of a blob, a Lease of Kubernetes, as JSON or YAML. The exit status
is 1 if FILE contains no lock.`, nil},
}

func (c *call) defineOut(flags *commandline.Set) {
	flags.StringVar(&c.out, "out", "", "write to `FILE`; - is standard output")
}

func (c *call) defineKeys(flags *commandline.Set) {
	flags.StringVar(&c.passphrase, "passphrase-file", "", "a `FILE` with the passphrase of a key provider pbkdf2, or of the first of a chain of up to three; one LF or CRLF at its end is ignored")
	flags.StringVar(&c.config, "config", "", "a `FILE` with the text of TF_ENCRYPTION, in HCL or JSON; the commands of external key providers in it are run")
}

// newSet returns the command line of a verb.
func (c *call) newSet(verb string) *commandline.Set {
	cmd := commands[verb]
	flags := commandline.New("tofuwire state "+verb, commandline.Text{Arguments: cmd.arguments, About: cmd.about, Exit: exits, Example: "tofuwire state " + cmd.example})
	flags.ErrorName = "tofuwire state: " + verb
	if cmd.define != nil {
		cmd.define(c, flags)
	}
	return flags
}

// newAbout returns the command line without a verb. Its help lists the verbs with their options.
func newAbout() *commandline.Set {
	text := about
	for _, verb := range Verbs() {
		line := verb
		flags := (&call{}).newSet(verb)
		for _, o := range flags.Options() {
			if !o.IsCommon() {
				line += " [" + o.Head() + "]"
			}
		}
		first, _, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(flags.About, "\n", " ")), ". ")
		text.About += commandline.Entry("", line+" "+flags.Arguments, 2) + commandline.Entry("", strings.TrimSuffix(first, "."), 6)
	}
	return commandline.New("tofuwire state", text)
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
	c := &call{stdin: stdin, stderr: stderr}
	var sets []*commandline.Set
	for _, verb := range Verbs() {
		sets = append(sets, (&call{}).newSet(verb))
	}
	at := commandline.Verb(args, sets...)
	if at < 0 || commands[args[at]].run == nil {
		return c.noVerb(args, at, stdout, sets)
	}
	name, cmd := args[at], commands[args[at]]
	flags := c.newSet(name)
	if status, ok := flags.Parse(slices.Delete(slices.Clone(args), at, at+1), stdout, stderr); !ok {
		return status
	}
	c.args = flags.Args()
	out := bufio.NewWriter(stdout)
	c.stdout = out
	err := cmd.run(c)
	if err == nil {
		if err = out.Flush(); err == nil {
			return exitOK
		}
	}
	fmt.Fprintf(stderr, "tofuwire state: %s: %s\n", name, commandline.Message(err))
	if e, ok := errors.AsType[*exit](err); ok {
		return e.status
	}
	return exitUnreadable
}

// noVerb ends the program without a verb: with help, or a usage error.
func (c *call) noVerb(args []string, at int, stdout io.Writer, sets []*commandline.Set) int {
	flags := newAbout()
	if _, ok := stdout.(*commandline.Definition); ok || commandline.AsksHelp(args, sets...) {
		status, _ := flags.Parse([]string{"-h"}, stdout, c.stderr)
		return status
	}
	what := "VERB is missing;"
	if at >= 0 {
		what = fmt.Sprintf("unknown verb %q;%s", args[at], commandline.DidYouMean(args[at], Verbs()))
	}
	return commandline.Fail(flags.Name(), fmt.Errorf("%s %q lists them", what, "tofuwire state -h"), c.stderr)
}

// Verbs returns the names of the commands.
func Verbs() []string { return slices.Sorted(maps.Keys(commands)) }

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
	if f, err := planfile.Find("tofuwire state", name, plain, stderr); err == nil {
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
	if inner := found(name, text, io.Discard); (err != nil || planfile.IsGzip(text)) && len(inner) != len(text) && planjson.KindOf(inner) == planjson.DocumentStateFile {
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
	if head, _ := text.Peek(64); plainState().Match(head) {
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
var plainState = lazy.Regexp(`^\s*\{\s*"version"\s*:\s*[34]\b`)

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
		if schemas, err = planfile.DecodeSchemas(bytes.Clone(text)); err != nil {
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
