// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/state"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

var completionText = commandline.Text{
	Arguments: "SHELL",
	About: `
Completion prints a completion script for a SHELL: bash, zsh or fish. It completes subcommands,
options and file names.

  bash  source <(tofuwire completion bash)
  zsh   source <(tofuwire completion zsh)
  fish  tofuwire completion fish | source`,
	Exit:    "0 the script was printed\n2 a usage error",
	Example: "tofuwire completion bash >/etc/bash_completion.d/tofuwire",
}

// completeName is the subcommand that the scripts call; it is in no list.
const completeName = "__complete"

// scripts are the completions of each shell. They ask the program, so that they never lag behind it.
var scripts = map[string]string{
	"bash": `_tofuwire() {
	local word=${COMP_WORDS[COMP_CWORD]}
	mapfile -t COMPREPLY < <(compgen -W "$(tofuwire __complete "${COMP_WORDS[@]:1:COMP_CWORD-1}")" -- "$word")
	if [ "$COMP_CWORD" -gt 1 ]; then
		mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word")
	fi
}
complete -o filenames -F _tofuwire tofuwire
`,
	"zsh": `#compdef tofuwire
_tofuwire() {
	compadd -- ${(f)"$(tofuwire __complete "${(@)words[2,CURRENT-1]}")"}
	(( CURRENT > 2 )) && _files
}
compdef _tofuwire tofuwire
`,
	"fish": `complete -c tofuwire -n "test (count (commandline -opc)) -eq 1" -f
complete -c tofuwire -a "(tofuwire __complete (commandline -opc)[2..])"
`,
}

// completion prints the completions of a shell.
func completion(args []string, _ io.Reader, stdout, stderr io.Writer) int {
	flags := commandline.New("tofuwire completion", completionText)
	flags.Check = func() error {
		if scripts[flags.Arg(0)] == "" {
			return commandline.Unknown("shell", flags.Arg(0), slices.Sorted(maps.Keys(scripts)))
		}
		return nil
	}
	if status, ok := flags.Parse(args, stdout, stderr); !ok {
		return status
	}
	return commandline.Print("tofuwire completion", scripts[flags.Arg(0)], stdout, stderr)
}

// definition returns the command line of a subcommand, and of a verb of it.
func definition(c command, args ...string) *commandline.Set {
	d := &commandline.Definition{Writer: io.Discard}
	c.run(args, strings.NewReader(""), d, io.Discard)
	return d.Set
}

// complete prints what can follow the words of a command line, one a line: subcommands, the verbs of
// state, or the options in the flag set of a subcommand.
func complete(words []string, stdout io.Writer) int {
	switch c, ok := find(first(words)); {
	case len(words) == 0:
		for _, c := range commands() {
			fmt.Fprintln(stdout, c.name)
		}
	case !ok:
	case c.name == "state" && len(words) == 1:
		for _, verb := range state.Verbs() {
			fmt.Fprintln(stdout, verb)
		}
	default:
		for _, o := range definition(c, words[1:]...).Options() {
			fmt.Fprintln(stdout, "-"+o.Name)
		}
	}
	return 0
}

// first returns the first word, or nothing.
func first(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return words[0]
}
