// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/state"
	"github.com/tofuwire/tofuwire/internal/commandline"
)

var completionText = commandline.Text{
	Arguments: "SHELL",
	About: `
Completion prints a completion script for a SHELL: bash, zsh, fish or powershell. It completes
subcommands, verbs, options, their values, and names of files.

  bash        source <(tofuwire completion bash)
  zsh         source <(tofuwire completion zsh)
  fish        tofuwire completion fish | source
  powershell  tofuwire completion powershell | Out-String | Invoke-Expression`,
	Exit:    "0 the script was printed\n2 a usage error",
	Example: "tofuwire completion bash >/etc/bash_completion.d/tofuwire",
}

// completeName is the subcommand that the scripts call; it is in no list. Its arguments are the words
// behind tofuwire up to the cursor; the last one is not complete. It prints a line for each
// word that can stand there: the word, a tab and its description.
const completeName = "__complete"

// scripts are the completions of each shell. They ask the program, so that they never lag behind it.
var scripts = map[string]string{
	"bash": `_tofuwire() {
	local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]} line
	local words=() i=1
	while [ "$i" -le "$COMP_CWORD" ]; do
		if [ "${COMP_WORDS[i]}" = "=" ] && [ "${#words[@]}" -gt 0 ]; then
			words[${#words[@]}-1]+="="
			if [ "$i" -lt "$COMP_CWORD" ]; then
				i=$((i + 1))
				words[${#words[@]}-1]+=${COMP_WORDS[i]}
			fi
		else
			words+=("${COMP_WORDS[i]}")
		fi
		i=$((i + 1))
	done
	local last=${words[${#words[@]}-1]}
	local skip=""
	[ "$word" = "=" ] && word=""
	[ "$last" != "$word" ] && skip=${last%"$word"}
	COMPREPLY=()
	while read -r line; do
		line=${line%%$'\t'*}
		COMPREPLY+=("${line#"$skip"}")
	done < <(tofuwire __complete "${words[@]}")
	compopt -o filenames
	case ${COMPREPLY[0]} in */ | *= | *,) compopt -o nospace ;; esac
}
complete -F _tofuwire tofuwire
`,
	"zsh": `#compdef tofuwire
_tofuwire() {
	local line
	local -a names texts
	for line in "${(@f)$(tofuwire __complete "${(@)words[2,CURRENT]}")}"; do
		[[ -z $line ]] && continue
		names+=("${line%%$'\t'*}")
		texts+=("${line/$'\t'/  }")
	done
	compadd -S '' -d texts -a names
}
compdef _tofuwire tofuwire
`,
	"fish": `complete -c tofuwire -f -a "(tofuwire __complete (commandline -opc)[2..] (commandline -ct))"
`,
	"powershell": `Register-ArgumentCompleter -Native -CommandName tofuwire -ScriptBlock {
	param($wordToComplete, $commandAst, $cursorPosition)
	$words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
	if ($wordToComplete -eq '') { $words += '' }
	& tofuwire __complete @words | ForEach-Object {
		$name, $text = $_ -split "` + "`t" + `", 2
		if (-not $text) { $text = $name }
		[System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $text)
	}
}
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

// complete prints what the last word can be.
func complete(words []string, stdout io.Writer) int {
	if len(words) == 0 {
		words = []string{""}
	}
	last := words[len(words)-1]
	offer := func(word, text string) {
		if strings.HasPrefix(word, last) {
			text, _, _ = strings.Cut(text, ". ")
			fmt.Fprintln(stdout, strings.TrimSuffix(word+"\t"+strings.ReplaceAll(text, "\n", " "), "\t"))
		}
	}
	if len(words) == 1 {
		for _, c := range commands() {
			offer(c.name, c.what)
		}
		offer("help", "explain a subcommand")
		return 0
	}
	c, ok := find(words[0])
	if !ok {
		if words[0] == "help" && len(words) == 2 {
			for _, c := range commands() {
				offer(c.name, c.what)
			}
		}
		return 0
	}
	rest := words[1 : len(words)-1]
	var verb []string
	if c.name == "state" {
		at := commandline.Verb(rest, definition(c, "mv"), definition(c, "json"))
		if at < 0 {
			for _, name := range state.Verbs() {
				offer(name, strings.TrimSpace(definition(c, name).About))
			}
			return 0
		}
		verb, rest = rest[at:at+1], slices.Delete(slices.Clone(rest), at, at+1)
	}
	completeWord(definition(c, verb...), c.name, rest, last, offer)
	return 0
}

// completeWord offers an option, the value of one, or an argument.
func completeWord(flags *commandline.Set, subcommand string, before []string, last string, offer func(word, text string)) {
	asked, isValue := flags.Open(before)
	name, _, hasValue := strings.Cut(last, "=")
	switch option := flags.Lookup(strings.TrimLeft(name, "-")); {
	case isValue:
		completeValue(flags, asked, "", last, offer)
	case strings.HasPrefix(last, "-") && hasValue && option != nil:
		completeValue(flags, option.Name, name+"=", strings.TrimPrefix(last, name+"="), offer)
	case strings.HasPrefix(last, "-"):
		for _, o := range flags.Options() {
			offer("-"+o.Name, o.Usage)
			if strings.HasPrefix(last, "--") {
				offer("--"+o.Name, o.Usage)
			}
		}
	case subcommand == "completion":
		for _, shell := range slices.Sorted(maps.Keys(scripts)) {
			offer(shell, "")
		}
	default:
		names := flags.ArgumentNames()
		if len(names) == 0 {
			return
		}
		files(last, flags.Files, strings.Contains(strings.Join(names, " "), "DIR") && !strings.Contains(strings.Join(names, " "), "FILE"), func(word string) { offer(word, "") })
	}
}

// completeValue offers the values of an option, after the text that comes before them in the word.
func completeValue(flags *commandline.Set, name, front, last string, offer func(word, text string)) {
	values, isList := flags.Offered(name)
	if i := strings.LastIndexByte(last, ','); isList && i >= 0 {
		front += last[:i+1]
	}
	for _, value := range values {
		offer(front+value, "")
	}
	if values == nil {
		placeholder := ""
		for _, o := range flags.Options() {
			if o.Name == name {
				placeholder = o.Placeholder
			}
		}
		switch placeholder {
		case "FILE", "DIR", "STEPS", "APPROVED", "URL or DIR", "OTHER":
			files(last, nil, strings.Contains(placeholder, "DIR"), func(word string) { offer(front+word, "") })
		}
	}
}

// files offers the files whose names begin with a word: directories, and files with an ending, or all.
func files(word string, endings []string, dirsOnly bool, offer func(string)) {
	dir, base := filepath.Split(word)
	in := dir
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			in = filepath.Join(home, rest)
		}
	}
	entries, err := os.ReadDir(filepath.Clean("./" + in))
	if filepath.IsAbs(in) {
		entries, err = os.ReadDir(in)
	}
	if err != nil {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") && !strings.HasPrefix(base, ".") {
			continue
		}
		info, err := os.Stat(filepath.Join(in, name))
		switch {
		case err != nil:
		case info.IsDir():
			offer(dir + name + "/")
		case !dirsOnly && (endings == nil || slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) })):
			offer(dir + name)
		}
	}
}
