// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/lint"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/optionset"
	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/state"
)

const completionUsage = `usage: tofuwire completion bash|zsh|fish

Completion prints a completion script for a shell. It completes subcommands, options and file names.

  bash  source <(tofuwire completion bash)
  zsh   source <(tofuwire completion zsh)
  fish  tofuwire completion fish | source

Exit status: 0, or 2 for any other shell.

Example: tofuwire completion bash >/etc/bash_completion.d/tofuwire
`

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
	if isHelp(args) {
		fmt.Fprint(stdout, completionUsage)
		return 0
	}
	if len(args) != 1 || scripts[args[0]] == "" {
		fmt.Fprint(stderr, "completion: bash, zsh or fish is needed\n", completionUsage)
		return 2
	}
	fmt.Fprint(stdout, scripts[args[0]])
	return 0
}

// complete prints what can follow the words of a command line, one a line: subcommands, the verbs of
// state, or the options in the flag set of a subcommand.
func complete(words []string, stdout io.Writer) int {
	var names []string
	switch c, ok := find(first(words)); {
	case len(words) == 0:
		for _, c := range commands() {
			fmt.Fprintln(stdout, c.name)
		}
	case !ok:
	case c.name == "state" && len(words) == 1:
		names = state.Verbs()
	case c.name == "lint": // its flag set is in the library
		names = lint.Options()
	default:
		optionset.Asked = func(flags *flag.FlagSet) {
			flags.VisitAll(func(f *flag.Flag) { names = append(names, "-"+f.Name) })
		}
		defer func() { optionset.Asked = nil }()
		args := []string{"-h"}
		if c.name == "state" {
			args = []string{words[1], "-h"}
		}
		c.run(args, strings.NewReader(""), io.Discard, io.Discard)
	}
	for _, name := range names {
		fmt.Fprintln(stdout, name)
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
