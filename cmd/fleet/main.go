// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Fleet makes an inventory of many workspaces: plans, states, message streams, lock
// files and configuration become tables.
//
//	fleet scan [-out DATABASE] [-parquet DIR] [options] PLACE...
//	fleet query [-format text|csv|json] DATABASE SQL
//	fleet ask [-format text|csv|json] DATABASE [QUESTION [ARGUMENT...]]
//	fleet report DATABASE > page.html
//	fleet export DATABASE DIR
//	fleet beam [options] PLACE...
//
// The exit status is 0 if all went well, 1 if documents or places have faults,
// which are in the inventory then, and 2 if fleet was called wrongly or could not
// do its work.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"

	_ "github.com/tofuwire/tofuwire/cmd/fleet/cloud" // the drivers of buckets
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/ask"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/inventory"
	"github.com/tofuwire/tofuwire/cmd/fleet/internal/page"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

// The exit statuses.
const (
	exitOK     = 0
	exitFaults = 1
	exitUsage  = 2
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

const usage = `usage: fleet scan [-out DATABASE] [-parquet DIR] [options] PLACE...
       fleet query [-format text|csv|json] DATABASE SQL
       fleet ask [-format text|csv|json] DATABASE [QUESTION [ARGUMENT...]]
       fleet report DATABASE > page.html
       fleet export DATABASE DIR
       fleet beam [options] PLACE...
`

// commands has the commands by name.
var commands = map[string]func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error){
	"scan":   scanCommand,
	"query":  queryCommand,
	"ask":    askCommand,
	"export": exportCommand,
	"report": reportCommand,
	"beam":   beamCommand,
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 || commands[args[0]] == nil {
		fmt.Fprint(stderr, usage)
		if len(args) > 0 && (args[0] == "-h" || args[0] == "-help" || args[0] == "--help" || args[0] == "help") {
			return exitOK
		}
		return exitUsage
	}
	status, err := commands[args[0]](ctx, args[1:], stdin, stdout, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case errors.Is(err, errFlags): // the flag package has printed the error
		return exitUsage
	case err != nil:
		fmt.Fprintf(stderr, "fleet %s: %s\n", args[0], commandline.Message(err))
		return max(status, exitUsage)
	}
	return status
}

// errFlags means that the error was already reported.
var errFlags = errors.New("wrong options")

// parse parses the options of a command.
func parse(flags *flag.FlagSet, stderr io.Writer, usage string, args []string) error {
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: fleet "+flags.Name()+" "+usage)
		flags.PrintDefaults()
	}
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return err
	case err != nil:
		return errFlags
	}
	return nil
}

// format is the option -format.
func format(flags *flag.FlagSet) func() (string, error) {
	s := flags.String("format", "text", "write the answer as `FORMAT`: text, csv or json")
	return func() (string, error) {
		for _, f := range ask.Formats {
			if f == *s {
				return f, nil
			}
		}
		return "", fmt.Errorf("unknown format %q", *s)
	}
}

func queryCommand(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) (int, error) {
	flags := flag.NewFlagSet("query", flag.ContinueOnError)
	format := format(flags)
	if err := parse(flags, stderr, "[-format text|csv|json] DATABASE SQL", args); err != nil {
		return exitUsage, err
	}
	f, err := format()
	if err != nil {
		return exitUsage, err
	}
	if flags.NArg() != 2 {
		flags.Usage()
		return exitUsage, errFlags
	}
	db, err := inventory.OpenReadOnly(ctx, flags.Arg(0))
	if err != nil {
		return exitUsage, err
	}
	defer db.Close()
	_, err = ask.Write(ctx, stdout, db, f, flags.Arg(1))
	return exitOK, err
}

func askCommand(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) (int, error) {
	flags := flag.NewFlagSet("ask", flag.ContinueOnError)
	format := format(flags)
	show := flags.Bool("sql", false, "write the query instead of the answer")
	if err := parse(flags, stderr, "[-format text|csv|json] [-sql] DATABASE [QUESTION [ARGUMENT...]]", args); err != nil {
		return exitUsage, err
	}
	f, err := format()
	if err != nil {
		return exitUsage, err
	}
	if flags.NArg() < 2 {
		for _, q := range ask.Questions() {
			fmt.Fprintf(stdout, "%s\n    %s\n", join(q.Name, q.Args), q.About)
		}
		return exitOK, nil
	}
	q := ask.Find(flags.Arg(1))
	if q == nil {
		return exitUsage, fmt.Errorf("unknown question %q; fleet ask DATABASE lists all", flags.Arg(1))
	}
	values, err := q.Arguments(flags.Args()[2:])
	if err != nil {
		return exitUsage, err
	}
	if *show {
		fmt.Fprintln(stdout, q.SQL)
		return exitOK, nil
	}
	db, err := inventory.OpenReadOnly(ctx, flags.Arg(0))
	if err != nil {
		return exitUsage, err
	}
	defer db.Close()
	_, err = ask.Write(ctx, stdout, db, f, q.SQL, values...)
	return exitOK, err
}

func join(name, args string) string {
	if args == "" {
		return name
	}
	return name + " " + args
}

func reportCommand(ctx context.Context, args []string, _ io.Reader, stdout, stderr io.Writer) (int, error) {
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	if err := parse(flags, stderr, "DATABASE > page.html", args); err != nil {
		return exitUsage, err
	}
	if flags.NArg() != 1 {
		flags.Usage()
		return exitUsage, errFlags
	}
	db, err := inventory.OpenReadOnly(ctx, flags.Arg(0))
	if err != nil {
		return exitUsage, err
	}
	defer db.Close()
	out := bufio.NewWriter(stdout)
	return exitOK, errors.Join(page.Write(ctx, out, db), out.Flush())
}

// beamProgram is the program that fleet beam runs. It is one of its own because
// workers run it as well, with options that Beam defines.
const beamProgram = "fleet-beam"

func beamCommand(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	name := beamProgram
	if self, err := os.Executable(); err == nil {
		if beside, err := exec.LookPath(filepath.Join(filepath.Dir(self), beamProgram)); err == nil {
			name = beside
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return exitUsage, fmt.Errorf("the program %s is neither next to fleet nor on PATH; build it with: go build -C cmd/fleet/beam -o %s", beamProgram, beamProgram)
	}
	c := exec.CommandContext(ctx, path, args...)
	c.Stdin, c.Stdout, c.Stderr = stdin, stdout, stderr
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	err = c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 0 {
		return exit.ExitCode(), nil
	}
	return exitOK, err
}
