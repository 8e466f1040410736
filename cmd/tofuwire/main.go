// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Tofuwire reads, checks and changes what OpenTofu and Terraform read and write: plans, states,
// configurations, lock files and the messages of runs.
//
//	tofuwire SUBCOMMAND [ARGUMENT]...
//
// tofuwire -h lists the subcommands; tofuwire SUBCOMMAND -h explains one.
package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/approve"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/comment"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/convert"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/edit"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/eval"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/format"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/gate"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/hash"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/install"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/instances"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/lint"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/lock"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/lsp"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/mirror"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/planreport"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/redact"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/rename"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/schemas"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/show"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/state"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/tag"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/validate"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/viewer"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/watch"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/why"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// A command is a subcommand.
type command struct {
	name, what string
	run        func(args []string, stdin io.Reader, stdout, stderr io.Writer) int
}

// commands returns all subcommands, in the order of the list.
func commands() []command {
	return []command{
		{"report", "show what a plan changes and why, as a comment, a page or text", planreport.Run},
		{"comment", "write a report of plans as one comment on a pull request", comment.Run},
		{"approve", "report whether a plan does what was approved", approve.Run},
		{"gate", "check a plan against policies", gate.Run},
		{"why", "show what an instance in a plan depends on and why it is replaced", why.Run},
		{"watch", "show the progress of a run", watch.Run},
		{"view", "show plans, states and runs in a browser", viewer.Run},
		{"schemas", "print the schemas of the locked providers without the tool", schemas.Run},
		{"show", "print a saved plan, without the tool and its providers", show.Run},
		{"redact", "write a document without its secrets", redact.Run},
		{"state", "read and change raw states, including encrypted ones", state.Run},
		{"validate", "check a configuration as the validate command of a release does", validate.Run},
		{"lint", "find and fix problems in configurations", lint.Run},
		{"lsp", "run a language server for editors", lsp.Run},
		{"eval", "print the values of expressions", eval.Run},
		{"instances", "print the resource instances that a configuration declares", instances.Run},
		{"fmt", "format configuration", format.Run},
		{"edit", "change a configuration file and keep its comments", edit.Run},
		{"rename", "rename a resource, variable or other object everywhere it is used", rename.Run},
		{"tag", "add tags to all resources of a module", tag.Run},
		{"convert", "convert a module to JSON or native syntax", convert.Run},
		{"lock", "record the hashes of providers for several platforms", lock.Run},
		{"install", "install providers and modules", install.Run},
		{"mirror", "fill a provider mirror, or create a static registry", mirror.Run},
		{"hash", "print the hashes of provider packages", hash.Run},
		{"fleet", "print how to install fleet, an inventory of many workspaces", fleet},
		{"completion", "print a completion script for a shell", completion},
		{"version", "print the version of this program", version},
	}
}

// find returns the subcommand of a name.
func find(name string) (command, bool) {
	for _, c := range commands() {
		if c.name == name {
			return c, true
		}
	}
	return command{}, false
}

// run is the program; it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		io.WriteString(stderr, list())
		return 2
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help", "--h":
		if len(rest) == 0 || rest[0] == "-h" || name != "help" {
			return commandline.Print("tofuwire", list(), stdout, stderr)
		}
		name, rest = rest[0], append(rest[1:], "-h")
	case "-version", "--version":
		name = "version"
	case completeName:
		return complete(rest, stdout)
	case manualName:
		if len(rest) != 1 {
			return 2
		}
		if err := manual(rest[0]); err != nil {
			return commandline.Fail("tofuwire", err, stderr)
		}
		return 0
	}
	c, ok := find(name)
	if !ok {
		return unknown(name, stderr)
	}
	return c.run(rest, stdin, stdout, stderr)
}

// unknown says that there is no such subcommand.
func unknown(name string, stderr io.Writer) int {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	kind := "subcommand"
	if name != "-" && name != "--" && name[:min(1, len(name))] == "-" {
		kind = "option"
	}
	return commandline.Fail("tofuwire", fmt.Errorf("unknown %s %q;%s %q lists them", kind, name, commandline.DidYouMean(name, names), "tofuwire -h"), stderr)
}

// list returns the list of subcommands.
func list() string {
	var b strings.Builder
	b.WriteString("usage: tofuwire SUBCOMMAND [ARGUMENT]...\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-11s %s\n", c.name, c.what)
	}
	b.WriteString("\n\"tofuwire SUBCOMMAND -h\" explains a subcommand.\n\nExample: tofu show -json plan.tfplan | tofuwire report -format md\n")
	return b.String()
}

const fleetText = `Fleet, the inventory of many workspaces, is a separate program, because it depends on Apache Beam
and clients for storage buckets:

  go install github.com/tofuwire/tofuwire/cmd/fleet@latest
`

// fleet says where fleet is.
func fleet(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := commandline.New("tofuwire fleet", commandline.Text{About: fleetText, Exit: "2 always, except with -h", Example: "tofuwire fleet"})
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	io.WriteString(stderr, fleetText)
	return 2
}

// version prints the version.
func version(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := commandline.New("tofuwire version", commandline.Text{
		About: "Version prints the version of this program, its commit if known, the version of Go, and the\nplatform.",
		Exit:  "0 the version was printed\n2 a usage error", Example: "tofuwire version",
	})
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	name, revision := "(devel)", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		if info.Main.Version != "" {
			name = info.Main.Version
		}
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = " " + s.Value
			}
		}
	}
	text := fmt.Sprintf("tofuwire %s%s %s %s/%s\n", name, revision, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return commandline.Print("tofuwire version", text, stdout, stderr)
}
