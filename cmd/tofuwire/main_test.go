// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/state"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// tofuwire runs the program.
func tofuwire(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// TestHelp wants of each subcommand what its help must say, in lines that fit, on standard output, and
// the same bytes however it is asked for.
func TestHelp(t *testing.T) {
	names := [][]string{}
	for _, c := range commands() {
		names = append(names, []string{c.name})
	}
	for _, verb := range state.Verbs() {
		names = append(names, []string{"state", verb})
	}
	for _, name := range names {
		line := "tofuwire " + strings.Join(name, " ")
		code, out, errs := tofuwire(t, "", append(slices.Clone(name), "-h")...)
		if code != 0 || errs != "" || !strings.HasPrefix(out, "usage: "+line) || !strings.Contains(out, "\n\nExit status:\n  ") || !strings.Contains(out, "\n\nExample: ") || !strings.Contains(out[strings.LastIndex(out, "Example"):], line) {
			t.Errorf("%s: exit %d\n%s%s", line, code, out, errs)
		}
		for _, args := range [][]string{append([]string{"help"}, name...), append(slices.Clone(name), "--help"), append(slices.Clone(name), "-help", "x", "-y"), append(slices.Clone(name), "x", "y", "z", "-y", "-h")} {
			if code, again, errs := tofuwire(t, "", args...); code != 0 || again != out || errs != "" {
				t.Errorf("%q is not %s -h: %d\n%s%s", args, line, code, again, errs)
			}
		}
		for text := range strings.Lines(out) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(text, "\n")); n > 100 {
				t.Errorf("%s: %d columns: %s", line, n, text)
			}
		}
	}
}

// usageErrors are the arguments of each subcommand that are wrong, whatever there is to read, and the
// beginning of the line that says so. An option that is not known and one without a value come along.
var usageErrors = map[string][][2]string{
	"report":     {{"-format pdf", "-format: unknown value \"pdf\";"}, {"-format jsn", "-format: unknown value \"jsn\"; did you mean \"json\"?"}, {"- -", "only one"}, {"-limit x", "-limit: "}},
	"comment":    {{"", "PLAN is missing;"}, {"-fail-on destory x", "-fail-on: unknown case \"destory\"; did you mean \"destroy\"?"}},
	"approve":    {{"a", "PLANNED is missing;"}, {"a b c", "2 arguments at most, not 3;"}, {"- -", "only one"}, {"a b -allow erored", "-allow: unknown reason \"erored\"; did you mean \"errored\"?"}},
	"gate":       {{"a b c", "one PLAN at most, not 3"}, {"-policy no-delte", "-policy: unknown rule \"no-delte\"; did you mean \"no-delete\"?"}},
	"why":        {{"x", "ADDRESS is missing; \"tofuwire why -h\" explains the arguments"}, {"a b c", "2 arguments"}},
	"watch":      {{"a b", "one FILE at most, not 2"}, {"a -- b", "FILE and COMMAND"}, {"--", "COMMAND is missing"}},
	"view":       {{"x", "no arguments are taken, not even \"x\";"}, {"-listen 0.0.0.0:0", "0.0.0.0:0 is not"}},
	"schemas":    {{"a b", "one DIR at most"}, {"-tool tofo", "-tool: unknown value \"tofo\"; did you mean \"tofu\"? tofu or terraform"}},
	"show":       {{"", "PLANFILE is missing;"}, {"a b", "one PLANFILE at most, not 2"}, {"-key a -passphrase-file a b", "-key and"}},
	"redact":     {{"a b", "unknown kind \"a\";"}, {"plan a b", "2 arguments"}, {"-all plan", "-plan and -all"}},
	"state":      {{"", "VERB is missing;"}, {"lst", "unknown verb \"lst\"; did you mean \"list\"? \"tofuwire state -h\" lists them"}, {"list", "list: FILE is missing;"}, {"rm a", "rm: ADDRESS is missing;"}, {"mv a b c d", "mv: 3 arguments at most, not 4"}, {"-out x list a", "list: unknown option -out;"}},
	"validate":   {{"a b", "one DIR at most"}, {"-v", "-v is only"}, {"-needs -tool tofu", "-needs is about"}, {"-release x", "\"x\" is not a release"}},
	"lint":       {{"-fromat json", "unknown option -fromat; did you mean -format? \"tofuwire lint -h\" explains the options"}, {"-config", "-config needs a value"}, {". -only terraform_typed_variable", "-only: unknown rule \"terraform_typed_variable\"; did you mean \"terraform_typed_variables\"?"}, {"-fix . -diff", "-fix cannot"}},
	"lsp":        {{"x", "no arguments"}, {"-log x", "-log: unknown value"}},
	"eval":       {{"-time x 1", "-time: "}, {"-release x 1", "-release: "}, {"-functions 1", "no arguments"}, {"1 -1", "unknown option -1;"}},
	"fmt":        {{"-w", "-w needs files"}, {"-check -w x", "-check writes nothing"}, {"x -chekc", "unknown option -chekc; did you mean -check?"}},
	"edit":       {{"", "FILE is missing;"}, {"a b", "one FILE at most, not 2"}, {"-w -diff a", "-w and -diff"}, {"-w -", "-w needs"}},
	"rename":     {{"a b", "DIR is missing;"}, {"a b c d", "3 arguments at most, not 4;"}},
	"tag":        {{"a=b", "DIR is missing;"}, {"ab x", "\"ab\" is not KEY=VALUE"}},
	"convert":    {{"a b", "-to is missing"}, {"-to jsn a b", "-to: unknown value \"jsn\"; did you mean \"json\"? json or native"}},
	"lock":       {{"a b", "one DIR at most, not 2"}, {"-merge a b", "THEIRS is missing;"}, {"-merge a b c d", "3 arguments"}, {"-platform x", "-platform: "}},
	"instances":  {{"a b", "one DIR at most"}, {"-tool pulumi", "-tool: unknown value"}},
	"install":    {{"a b", "one DIR at most, not 2"}},
	"mirror":     {{"a", "DIR is missing;"}, {"-newest x a b", "-newest: \"x\" is not a number"}},
	"hash":       {{"", "PATH is missing;"}},
	"completion": {{"", "SHELL is missing;"}, {"csh", "unknown shell \"csh\"; did you mean \"zsh\"?"}},
	"version":    {{"x", "no arguments"}}, "fleet": {{"x", "no arguments"}},
}

// TestUsageErrors wants one line, nothing on standard output, status 2, and nothing written.
func TestUsageErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range commands() {
		rows := append([][2]string{{"-no-such-option", "unknown option -no-such-option;"}, {"--no-colour", "unknown option --no-colour; did you mean -no-color?"}, {"-no-color=x", "-no-color: \"x\" is neither true nor false"}}, usageErrors[c.name]...)
		for _, row := range rows {
			args := append([]string{c.name}, strings.Fields(row[0])...)
			want := row[1]
			if c.name == "state" && strings.HasPrefix(strings.TrimLeft(row[0], "-"), "no-") {
				continue // VERB is missing before that
			}
			code, out, errs := tofuwire(t, "", args...)
			if code != 2 || out != "" || strings.Count(errs, "\n") != 1 || !strings.HasPrefix(errs, "tofuwire "+c.name+": "+want) {
				t.Errorf("%q: exit %d\n%s%s, not %s", args, code, out, errs, want)
			}
		}
		if len(rows) == 3 {
			t.Errorf("%s: there is no usage error", c.name)
		}
	}
	if left, _ := os.ReadDir("."); len(left) > 0 {
		t.Errorf("%v", left)
	}
	for line, want := range map[string]string{"lnt": "tofuwire: unknown subcommand \"lnt\"; did you mean \"lint\"? \"tofuwire -h\" lists them\n", "help stat": "tofuwire: unknown subcommand \"stat\"; did you mean \"state\"? \"tofuwire -h\" lists them\n"} {
		if code, out, errs := tofuwire(t, "", strings.Fields(line)...); code != 2 || out != "" || errs != want {
			t.Errorf("%s: exit %d\n%s%s", line, code, out, errs)
		}
	}
}

// TestNoConfiguration runs the subcommands that refuse a directory without configuration.
func TestNoConfiguration(t *testing.T) {
	empty := t.TempDir()
	missing := filepath.Join(empty, "missing")
	for _, args := range [][]string{{"lint"}, {"validate"}, {"tag", "a=b"}, {"lock", "-platform", "linux_amd64"}, {"install"}} {
		for dir, want := range map[string]string{empty: "no configuration", missing: "missing"} {
			code, out, errs := tofuwire(t, "", slices.Concat(args, []string{dir})...)
			if code != 2 && code != 1 || out != "" || !strings.Contains(errs, want) {
				t.Errorf("%s %s: exit %d\n%s%s", args[0], dir, code, out, errs)
			}
		}
	}
	if left, err := os.ReadDir(empty); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// A file that is named and not there is an error, also where this document does not need it.
func TestMissingFile(t *testing.T) {
	plan := "../../planjson/testdata/terraform-1.11.4/drift/plan.drift.json"
	for _, line := range []string{
		"report PLAN", "report -format json PLAN", "comment PLAN", "gate -policy no-delete PLAN", "approve PLAN PLAN", "why PLAN terraform_data.a", "redact PLAN", "redact state STATE",
	} {
		args := strings.Fields(strings.NewReplacer("PLAN", plan, "STATE", filepath.Dir(plan)+"/state.json").Replace(line))
		for _, option := range []string{"-schemas", "-passphrase-file", "-config", "-settings", "-secrets", "-against"} {
			code, _, errs := tofuwire(t, "", append([]string{args[0], option, "nosuch"}, args[1:]...)...)
			if strings.Contains(errs, "unknown option") {
				continue
			}
			if code == 0 || !strings.Contains(errs, "nosuch") && !strings.Contains(errs, "-config is for") || strings.Contains(errs, "tofuwire/nosuch") {
				t.Errorf("%s %s nosuch: exit %d, %s", line, option, code, errs)
			}
		}
	}
}

// TestList wants the list on standard error and status 2 for no or an unknown subcommand.
func TestList(t *testing.T) {
	_, list, _ := tofuwire(t, "", "-h")
	for _, c := range commands() {
		if !strings.Contains(list, "\n  "+c.name+" ") {
			t.Errorf("%s is not in the list:\n%s", c.name, list)
		}
	}
	for _, args := range [][]string{nil, {"plan"}, {"--plan"}} {
		code, out, errs := tofuwire(t, "", args...)
		if code != 2 || out != "" || args == nil && errs != list || args != nil && !regexp.MustCompile(`^tofuwire: unknown (option|subcommand) ".*plan"; "tofuwire -h" lists them\n$`).MatchString(errs) {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if code, _, errs := tofuwire(t, "", "fleet"); code != 2 || !strings.Contains(errs, "cmd/fleet@latest") {
		t.Errorf("fleet: exit %d, %s", code, errs)
	}
}

func TestVersion(t *testing.T) {
	want := regexp.MustCompile(`^tofuwire \S+( [0-9a-f]{40})? go1\S+ \w+/\w+\n$`)
	for _, arg := range []string{"version", "-version", "--version"} {
		if code, out, _ := tofuwire(t, "", arg); code != 0 || !want.MatchString(out) {
			t.Errorf("%s: exit %d, %q", arg, code, out)
		}
	}
	if code, out, _ := tofuwire(t, "", "version", "x"); code != 2 || out != "" {
		t.Errorf("version x: exit %d, %q", code, out)
	}
}

// TestExitStatus runs subcommands on small inputs: their statuses and output come through.
func TestExitStatus(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	failed := write("failed.json", `{"format_version":"1.2","terraform_version":"1.12.0","planned_values":{"root_module":{}},"errored":true}`)
	main := write("main.tf", "locals {\n a = 1\n}\n")
	for _, row := range []struct {
		args  []string
		stdin string
		code  int
		out   string
	}{
		{[]string{"report", failed}, "", 2, "Planning failed"},
		{[]string{"gate", failed}, "", 2, ""},
		{[]string{"approve", failed, failed}, "", 2, ""},
		{[]string{"fmt"}, "a=1\n", 0, "a = 1\n"},
		{[]string{"fmt", "-check", main}, "", 3, main + "\n"},
		{[]string{"validate", dir}, "", 0, ""},
		{[]string{"rename", "local.a", "local.b", dir}, "", 0, "+  b = 1\n"},
		{[]string{"convert", "-to", "json", dir, filepath.Join(dir, "out")}, "", 0, ""},
		{[]string{"convert", "-to", "yaml", dir, filepath.Join(dir, "out")}, "", 2, ""},
		{[]string{"watch"}, "", 4, ""},
	} {
		code, out, errs := tofuwire(t, row.stdin, row.args...)
		if code != row.code || row.args[0] != "rename" && !strings.Contains(out, row.out) {
			t.Errorf("%q: exit %d, not %d\n%s%s", row.args, code, row.code, out, errs)
		}
	}
}

// TestComplete wants subcommands, verbs, options, and the values of options.
func TestComplete(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"plan.json", "notes.md", "dir/x.tf", ".hidden"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, nil, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"re":                             "report redact rename",
		"help sta":                       "state",
		"nothing ":                       "",
		"fmt -":                          "-check -diff -terraform -w -no-color -no-progress",
		"fmt x -c":                       "-check",
		"fmt --c":                        "--check",
		"state l":                        "list lock-info",
		"state rm -":                     "-out -no-color -no-progress",
		"state -out x tai":               "taint",
		"lint -format s":                 "sarif",
		"lint -format=s":                 "-format=sarif",
		"lint -only terraform_typed":     "terraform_typed_variables",
		"lint -only a,terraform_typed":   "a,terraform_typed_variables",
		"lint -fail-on ":                 "error warning notice",
		"lint -config p":                 "plan.json",
		"lint ":                          "dir/",
		"report ":                        "dir/ plan.json",
		"report -only destroy,re":        "destroy,replace destroy,read",
		"gate -policy no-d":              "no-delete= no-drift",
		"approve -allow err":             "errored",
		"comment -fail-on destroy,re":    "destroy,replace",
		"why plan.json ":                 "dir/ plan.json",
		"convert -to ":                   "json native",
		"completion p":                   "powershell",
		"lock -platform linux_amd64 -pl": "-platform",
		"lsp -log ":                      "off error info debug",
		"edit -e ":                       "",
		"fmt dir/":                       "dir/x.tf",
	} {
		words := strings.Split(line, " ")
		code, out, errs := tofuwire(t, "", append([]string{completeName}, words...)...)
		var got []string
		for text := range strings.Lines(out) {
			word, _, _ := strings.Cut(strings.TrimSuffix(text, "\n"), "\t")
			got = append(got, word)
		}
		if strings.Join(got, " ") != want || code != 0 || errs != "" {
			t.Errorf("%s: %q, not %s", line, got, want)
		}
	}
	if _, out, _ := tofuwire(t, "", completeName); len(strings.Split(strings.TrimSpace(out), "\n")) != len(commands())+1 || !strings.HasPrefix(out, "report\tshow what") {
		t.Error(out)
	}
}

// TestScripts lets bash, zsh and fish read their scripts where they are there, and bash complete with a
// program of this name.
func TestScripts(t *testing.T) {
	for shell := range scripts {
		code, out, _ := tofuwire(t, "", "completion", shell)
		if code != 0 || out != scripts[shell] {
			t.Errorf("completion %s: exit %d\n%s", shell, code, out)
		}
		t.Run(shell, func(t *testing.T) {
			if shell == "powershell" {
				t.Skip("needs an option of PowerShell that reads a script and does not run it")
			}
			cmd := exec.Command(depth.Tool(t, shell), "-n")
			cmd.Stdin = strings.NewReader(out)
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", shell, err, text)
			}
		})
	}
	bash := depth.Tool(t, "bash")
	for words, want := range map[string]string{"tofuwire li": "[li]", "tofuwire lint -format = s": "[-format=s]", "tofuwire lint -format =": "[-format=]"} {
		list := strings.Fields(words)
		script := "tofuwire() { shift; printf '%s\\n' \"[$1${2:+ $2}]\" >&2; printf -- '-format=sarif\\tx\\n'; }; compopt() { :; }\n" + scripts["bash"] +
			"COMP_WORDS=(" + words + "); COMP_CWORD=" + fmt.Sprint(len(list)-1) + "; _tofuwire; printf '%s' \"$COMPREPLY\""
		script = strings.Replace(script, "\"[$1${2:+ $2}]\"", "\"[${@: -1}]\"", 1)
		cmd := exec.Command(bash, "-c", script)
		var out, errs strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &errs
		reply := map[bool]string{true: "sarif", false: "-format=sarif"}[strings.Contains(words, "=")]
		if err := cmd.Run(); err != nil || strings.TrimSpace(errs.String()) != want || out.String() != reply {
			t.Errorf("%s: %v, asks %s, not %s; %s, not %s", words, err, errs.String(), want, &out, reply)
		}
	}
}
