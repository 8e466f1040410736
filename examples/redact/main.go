// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Redact writes a document without its secrets.
//
//	redact [-schemas FILE] [-secrets FILE] [-keep-unmarked] [-stream] [-plan FILE] [-all] [-report FILE] KIND [FILE]
//
// KIND is plan, state, config, output, validate or ui. Redact reads FILE or,
// without one, standard input, and writes to standard output.
//
//	-schemas FILE    the output of providers schema -json, which marks sensitive and write-only attributes
//	-secrets FILE    a JSON array of strings that must not occur anywhere
//	-keep-unmarked   keep parts that the format cannot mark as sensitive
//	-stream          plan, state: use little memory, however large the document is
//	-plan FILE       ui: learn the secrets from the plan of the run
//	-all             ui: remove everything that could hold a secret, also the keys of instances that are strings
//	-report FILE     write the replaced places, with the reasons, as lines of JSON
//
// A document that does not decode gives exit status 1 and, on standard error,
// the fault with its line and column. Nothing secret has been written then.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "redact:", err)
		os.Exit(1)
	}
}

const usage = `usage: redact [-schemas FILE] [-secrets FILE] [-keep-unmarked] [-stream] [-plan FILE] [-all] [-report FILE] KIND [FILE], where KIND is plan, state, config, output, validate or ui
  -schemas FILE    the output of providers schema -json, which marks sensitive and write-only attributes
  -secrets FILE    a JSON array of strings that must not occur anywhere
  -keep-unmarked   keep parts that the format cannot mark as sensitive
  -stream          plan, state: use little memory, however large the document is
  -plan FILE       ui: learn the secrets from the plan of the run
  -all             ui: remove everything that could hold a secret, also the keys of instances that are strings
  -report FILE     write the replaced places, with the reasons, as lines of JSON`

// options are what the command line asks for.
type options struct {
	schemas, secrets, plan, report string
	keep, stream, all              bool
}

func run(args []string, stdin io.Reader, stdout io.Writer) (err error) {
	var o options
	flags := flag.NewFlagSet("redact", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&o.schemas, "schemas", "", "")
	flags.StringVar(&o.secrets, "secrets", "", "")
	flags.StringVar(&o.plan, "plan", "", "")
	flags.StringVar(&o.report, "report", "", "")
	flags.BoolVar(&o.keep, "keep-unmarked", false, "")
	flags.BoolVar(&o.stream, "stream", false, "")
	flags.BoolVar(&o.all, "all", false, "")
	if err := flags.Parse(args); err == flag.ErrHelp {
		_, err := fmt.Fprintln(stdout, usage)
		return err
	} else if err != nil {
		return fmt.Errorf("%w\n%s", err, usage)
	}
	if flags.NArg() < 1 || flags.NArg() > 2 {
		return errors.New(usage)
	}
	kind := flags.Arg(0)
	if kind != "ui" && (o.plan != "" || o.all) {
		return errors.New("-plan and -all are for the kind ui")
	}
	var r redact.Redactor
	if o.keep {
		r.Keep = redact.All
	}
	if o.secrets != "" {
		if err := readJSON(o.secrets, &r.Secrets); err != nil {
			return err
		}
	}
	if o.schemas != "" {
		src, err := os.ReadFile(o.schemas)
		if err != nil {
			return err
		}
		if r.Schemas, err = planjson.DecodeSchemas(src); err != nil {
			return fmt.Errorf("%s: %w", o.schemas, err)
		}
		if err := planjson.CheckVersion(r.Schemas); err != nil {
			return fmt.Errorf("%s: %w", o.schemas, err)
		}
	}
	if o.report != "" {
		f, err := os.OpenFile(o.report, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		w := bufio.NewWriter(f)
		lines := json.NewEncoder(w)
		r.Report = func(h redact.Entry) { lines.Encode(h) }
		defer func() { err = errors.Join(err, w.Flush(), f.Close()) }()
	}
	src, name := stdin, "standard input"
	if flags.NArg() == 2 {
		f, err := os.Open(flags.Arg(1))
		if err != nil {
			return err
		}
		defer f.Close()
		src, name = f, flags.Arg(1)
	}
	w := bufio.NewWriter(stdout)
	if err := document(w, src, kind, r, o); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return w.Flush()
}

// document redacts one document.
func document(w io.Writer, src io.Reader, kind string, r redact.Redactor, o options) (err error) {
	if kind == "ui" {
		return messages(w, src, r, o)
	}
	if o.stream {
		switch kind {
		case "plan":
			_, err = r.WritePlan(w, src)
			return err
		case "state":
			_, err = r.WriteState(w, src)
			return err
		}
	}
	text, err := io.ReadAll(src)
	if err != nil {
		return err
	}
	switch kind {
	case "plan":
		return whole(w, text, planjson.DecodePlan, r.Plan)
	case "state":
		return whole(w, text, planjson.DecodeState, r.State)
	case "config":
		return whole(w, text, planjson.DecodeConfig, r.Config)
	case "output":
		return whole(w, text, planjson.DecodeOutputs, r.Outputs)
	case "validate":
		return whole(w, text, planjson.DecodeValidate, r.Validate)
	}
	return fmt.Errorf("no kind %q: %s", kind, usage)
}

// whole redacts a document in memory.
func whole[D planjson.Document](w io.Writer, text []byte, decode func([]byte) (D, error), redact func(D) (int, error)) error {
	doc, err := decode(text)
	if err != nil {
		return withoutPointer(err)
	}
	if err := planjson.CheckVersion(doc); err != nil {
		return err
	}
	if _, err := redact(doc); err != nil {
		return err
	}
	return planjson.Write(w, doc)
}

// withoutPointer returns an error of decoding without the names of members on the way to
// its place, because a key of a map can be a secret. Its line and column say enough.
func withoutPointer(err error) error {
	if e := new(planjson.Error); errors.As(err, &e) {
		place := *e
		place.Pointer = ""
		return &place
	}
	return err
}

func readJSON(name string, v any) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(src, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
