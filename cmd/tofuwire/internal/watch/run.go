// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package watch is the program watch: the progress of a run of OpenTofu or Terraform.
//
// In every case it reads the stream to its end, so it neither blocks nor kills the run.
package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/tofuwire/tofuwire/internal/commandline"
	"github.com/tofuwire/tofuwire/internal/joblog"
	"github.com/tofuwire/tofuwire/internal/terminal"
	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

// The exit statuses.
const (
	exitOK         = 0
	exitFailed     = 1
	exitUsage      = 2
	exitCancelled  = 3
	exitIncomplete = 4
	exitNoTests    = 5
)

var text = commandline.Text{
	Arguments: "[FILE]",
	Forms:     []string{"[OPTION]... -- COMMAND..."},
	Command:   true,
	About: `
Watch shows the progress of a run of OpenTofu or Terraform: the running operations in a
terminal, or else plain lines, and finally the errors and the outcome. It reads the messages
that the tool prints with -json from standard input, or starts the COMMAND after -- itself, and then
also uses its exit status. A FILE is a saved stream: the times shown are those of its messages.
Watch writes to standard output and to the files of the options.`,
	Exit: `
0 the run succeeded
1 it failed
2 watch itself failed, or a usage error
3 the run was canceled
4 the stream is incomplete or damaged
5 a test run in which nothing ran`,
	Example: "tofuwire watch -summary run.json -- tofu apply -json -auto-approve",
}

// Run is the program; it returns the exit status.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	// The terminal sends an interrupt to the tool as well, which then stops in
	// order and says so. Watch goes on until the stream ends. It must receive
	// the signal, because the tool would inherit an ignored one.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	// A reader of our output that goes away, as in "watch | head", must not end
	// watch while the tool is working: the tool would lose its own output.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return run(context.Background(), args, stdin, stdout, stderr)
}

// options are the flags.
type options struct {
	plain   bool
	tee     string
	summary string
	junit   string
	timings string
	github  string
	replay  bool
	colors  bool
	file    string
	command []string
}

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var o options
	flags := commandline.New("tofuwire watch", text)
	flags.BoolVar(&o.plain, "plain", false, "print plain lines even in a terminal")
	flags.StringVar(&o.tee, "tee", "", "write the stream, unchanged, to `FILE`")
	flags.StringVar(&o.summary, "summary", "", "write the outcome and the counts as JSON to `FILE`")
	flags.StringVar(&o.junit, "junit", "", "write the results of a test as JUnit XML to `FILE`")
	flags.StringVar(&o.timings, "timings", "", "write the times of all operations as CSV to `FILE`")
	flags.StringVar(&o.github, "github", "", "print annotations for GitHub Actions; the module is in `DIR` of the repository")
	flags.BoolVar(&o.replay, "replay", false, "standard input is a saved stream, as with FILE: show the times of its messages")
	flags.Check = func() error {
		command, given := flags.Behind()
		switch {
		case given && len(command) == 0:
			return errors.New("COMMAND is missing after --")
		case given && flags.NArg() > 0:
			return errors.New("FILE and COMMAND cannot be combined")
		case !given && flags.NArg() == 0:
			return commandline.NotTerminal(stdin)
		}
		o.command = command
		return nil
	}
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	o.colors = flags.Colors(stdout)
	if o.file = flags.Arg(0); o.file != "" && o.file != "-" {
		f, err := os.Open(o.file)
		if err != nil {
			fmt.Fprintln(stderr, "tofuwire watch:", commandline.Message(err))
			return exitUsage
		}
		defer f.Close()
		stdin, o.replay = f, true
	}
	if f, ok := stdin.(*os.File); ok && len(o.command) == 0 {
		info, err := f.Stat()
		o.replay = o.replay || err == nil && info.Mode().IsRegular() // it was saved
	}

	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	defer stop()
	s, err := follow(ctx, o, stdin, stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "tofuwire watch:", commandline.Message(err))
		return exitUsage
	}
	if err := report(o, s, stdout); err != nil {
		fmt.Fprintln(stderr, "tofuwire watch:", commandline.Message(err))
		return exitUsage
	}
	return exitOf(s.Outcome)
}

// follow follows the run to its end and returns its state.
func follow(ctx context.Context, o options, stdin io.Reader, stdout, stderr io.Writer) (*uitrack.Snapshot, error) {
	var opts []uijson.Option
	if o.tee != "" {
		f, err := os.Create(o.tee)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		opts = append(opts, uijson.Tee(f))
	}
	tracker := &uitrack.Tracker{Replay: o.replay}
	width, isTerminal := terminal.Width(stdout), terminal.Moves(stdout)
	out := joblog.New(stdout)
	var show display = newPlain(out)
	if isTerminal && !o.plain {
		live := newLive(stdout, tracker, width)
		live.color = o.colors
		show = live
	}
	// The tool's own errors share the log.
	errs := joblog.Silent(stderr)
	if isTerminal {
		errs = joblog.Document(stderr)
	}
	defer errs.Close()
	src, err := open(ctx, o.command, stdin, show.foreign(errs))
	if err != nil {
		return nil, err
	}
	// A display that is slow, or was stopped with ^S, must not stop the run.
	opts = append(opts, uijson.ReadAhead(64<<20))
	r := uijson.NewReader(src.stream, opts...)
	show.begin()
	var failure error
	for ev, err := range r.Events() {
		if err != nil {
			failure = err
			break
		}
		tracker.Add(ev)
		show.event(ev)
	}
	if err := r.Drain(); failure == nil {
		failure = err
	}
	code, known := src.wait()
	if known {
		tracker.Exit(code)
	}
	tracker.End(failure)
	show.end()
	s := tracker.Snapshot()
	if isTerminal && !o.plain {
		finish(stdout, s, o.colors, width)
	} else {
		finish(out, s, o.colors, width)
	}
	if err := out.Close(); err != nil { // before commands of our own
		return nil, err
	}
	if err := r.TeeErr(); err != nil {
		return nil, err
	}
	return s, nil
}

// report writes the requested files.
func report(o options, s *uitrack.Snapshot, stdout io.Writer) error {
	if o.github != "" {
		for _, d := range s.Diagnostics {
			if _, err := io.WriteString(stdout, uitrack.GitHubAnnotation(d.Diagnostic, o.github)); err != nil {
				return err
			}
		}
	}
	for _, out := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{o.summary, func(w io.Writer) error {
			e := json.NewEncoder(w)
			e.SetIndent("", "  ")
			return e.Encode(s.Summary())
		}},
		{o.junit, func(w io.Writer) error { return uitrack.WriteJUnit(w, s, "tofu test") }},
		{o.timings, func(w io.Writer) error { return uitrack.WriteTimings(w, s) }},
	} {
		if out.name == "" {
			continue
		}
		f, err := os.Create(out.name)
		if err != nil {
			return err
		}
		err = out.write(f)
		if cerr := f.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// exitOf returns the exit status for an outcome.
func exitOf(o uitrack.Outcome) int {
	switch o {
	case uitrack.OutcomeSuccess, uitrack.OutcomeNoChanges:
		return exitOK
	case uitrack.OutcomeNoTests:
		return exitNoTests
	case uitrack.OutcomeFailed:
		return exitFailed
	case uitrack.OutcomeCancelled:
		return exitCancelled
	}
	return exitIncomplete
}
