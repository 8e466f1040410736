// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

// about is the text of -h. NAME is replaced by the name of the program.
var about = commandline.Text{
	About: `
NAME is a language server for configurations of OpenTofu and Terraform. An editor starts it and uses
its standard input and output. It reports the findings of lint and validate, finds and renames names
across modules, formats, and applies fixes. It has no completion; for that, run another server at
the same time.`,
	Exit: `
0 the editor has ended the session
1 it ended without a shutdown, or a message could not be read
2 a usage error`,
	Example: "the settings of an editor name the command NAME",
}

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
	text := about
	text.About = strings.Replace(text.About, "NAME", strings.ToUpper(name[:1])+name[1:], 1)
	text.Example = strings.Replace(text.Example, "NAME", name, 1)
	flags := commandline.New(name, text)
	flags.Choice(&opts.Log, "log", "", "the `LEVEL` of the log on standard error: off, error (the default), info or debug. With info and debug, the editor receives the log as well. The level in the editor's settings takes precedence", logLevels...)
	flags.Bool("stdio", false, "ignored")
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	opts.LogTo = stderr
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	return Serve(ctx, stdin, stdout, opts)
}
