// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

const usage = `usage: %[1]s [-log LEVEL]

%[1]s is a language server for configurations of OpenTofu and Terraform: an editor starts
it and talks to it on standard input and output. It shows what lint and validate find, finds and
renames names across modules, formats, and makes fixes. It has no completion: run it beside a
server that has.

  -log LEVEL   off, error (the default), info or debug: what goes to standard error and, from
               info on, to the editor. A level in the editor's settings replaces it
  -stdio, -no-color, -no-progress   taken and ignored

Exit status: 0 after the editor has ended the session, 1 if it ended without a shutdown or a
message could not be read, 2 for a usage error.

Example: the settings of an editor name the command %[1]s
`

// Main is a complete language server with the given rules and the checks of "validate": it serves
// the client on the standard streams of the process, and exits. Its option -log sets the level of
// the log; -h explains it.
func Main(analyzers ...*hcllint.Analyzer) {
	opts := Options{Analyzers: analyzers}
	if info, ok := debug.ReadBuildInfo(); ok {
		opts.Version = info.Main.Version
	}
	os.Exit(Command(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, "lsp", opts))
}

// Command is Main with explicit arguments and streams, the name of the program, and options. It
// returns the exit status.
func Command(args []string, stdin io.Reader, stdout, stderr io.Writer, name string, opts Options) int {
	level, help, err := parseArgs(args)
	switch {
	case help:
		if _, err := fmt.Fprintf(stdout, usage, name); err != nil {
			fmt.Fprintf(stderr, "%s: %v\n", name, err)
			return 1
		}
		return 0
	case err != nil:
		fmt.Fprintf(stderr, "%s: %v; \"%s -h\" explains the options\n", name, err, name)
		return 2
	}
	opts.Log, opts.LogTo = level, stderr
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return Serve(ctx, stdin, stdout, opts)
}

// parseArgs reads the command line.
func parseArgs(args []string) (level string, help bool, err error) {
	for i := 0; i < len(args); i++ {
		arg, value, hasValue := strings.Cut(args[i], "=")
		switch strings.Replace(arg, "--", "-", 1) {
		case "-h", "-help":
			return "", true, nil
		case "-stdio", "-no-color", "-no-progress":
		case "-log":
			if !hasValue {
				if i++; i == len(args) {
					return "", false, fmt.Errorf("-log needs a value")
				}
				value = args[i]
			}
			if !slices.Contains(logLevels, value) {
				return "", slices.ContainsFunc(args[i:], isHelp), fmt.Errorf("-log: unknown value %q; off, error, info or debug", value)
			}
			level = value
		default:
			if strings.HasPrefix(arg, "-") && arg != "-" {
				err = fmt.Errorf("unknown option %s", arg)
			} else {
				err = fmt.Errorf("no arguments are taken, not even %q", args[i])
			}
			return "", slices.ContainsFunc(args[i:], isHelp), err
		}
	}
	return level, false, nil
}

func isHelp(arg string) bool { return slices.Contains([]string{"-h", "--h", "-help", "--help"}, arg) }
