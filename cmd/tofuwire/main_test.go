// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// tofuwire runs the program.
func tofuwire(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(stdin), &out, &errs)
	return code, out.String(), errs.String()
}

// TestHelp wants of each subcommand what its help must say, on standard output, and an example that
// calls it by its name here.
func TestHelp(t *testing.T) {
	for _, c := range commands() {
		code, out, errs := tofuwire(t, "", c.name, "-h")
		if code != 0 || errs != "" || !regexp.MustCompile(`^usage: (tofu COMMAND -json \| )?tofuwire `+c.name+`[ \n]`).MatchString(out) || !strings.Contains(out, "xit status") || !strings.Contains(out, "Example") || !strings.Contains(out, "tofuwire "+c.name) {
			t.Errorf("%s -h: exit %d\n%s%s", c.name, code, out, errs)
		}
		if _, again, _ := tofuwire(t, "", "help", c.name); again != out {
			t.Errorf("help %s is not %s -h", c.name, c.name)
		}
	}
}

// TestErrors wants the name that the user has typed before each error and in each usage, and not the
// name of the example.
func TestErrors(t *testing.T) {
	none := filepath.Join(t.TempDir(), "none.json")
	for _, c := range commands() {
		if c.name == "fleet" {
			continue
		}
		for _, args := range [][]string{{"-no-such-option"}, {none}, {none, none}, {none, none, none}, {"-format"}, {"-to", "json", "-x"}, {"list", none}} {
			code, _, errs := tofuwire(t, "", append([]string{c.name}, args...)...)
			if code == 0 && errs == "" {
				continue // this one accepts them
			}
			first, rest, _ := strings.Cut(errs, "\n")
			if c.name == "eval" && code == 1 && (strings.HasPrefix(first, none+": ") || strings.HasPrefix(first, "list: ")) {
				continue // a refusal begins with the expression, as in the console of a tool
			}
			if code == 0 || !strings.HasPrefix(first, "tofuwire "+c.name+": ") {
				t.Errorf("%s %q: exit %d\n%s", c.name, args, code, errs)
			}
			for line := range strings.Lines(first + "\n" + rest) {
				if _, usage, ok := strings.Cut(line, "usage: "); ok && !strings.Contains(usage, "tofuwire "+c.name) {
					t.Errorf("%s %q: %s", c.name, args, line)
				}
			}
		}
		if _, out, _ := tofuwire(t, "", c.name, "-no-such-option", "-h"); strings.Contains(out, "usage: ") && !strings.Contains(out, "tofuwire "+c.name) {
			t.Errorf("%s: %s", c.name, out)
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
		if code != 2 || out != "" || !strings.HasSuffix(errs, list) {
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
		{[]string{"convert", "-to", "yaml", dir, filepath.Join(dir, "out")}, "", 1, ""},
		{[]string{"watch"}, "", 4, ""},
	} {
		code, out, errs := tofuwire(t, row.stdin, row.args...)
		if code != row.code || row.args[0] != "rename" && !strings.Contains(out, row.out) {
			t.Errorf("%q: exit %d, not %d\n%s%s", row.args, code, row.code, out, errs)
		}
	}
}

// TestComplete wants subcommands, and the options of each.
func TestComplete(t *testing.T) {
	code, out, _ := tofuwire(t, "", completeName)
	if code != 0 || strings.Fields(out)[0] != commands()[0].name || len(strings.Fields(out)) != len(commands()) {
		t.Errorf("exit %d\n%s", code, out)
	}
	for line, want := range map[string]string{
		"fmt":        "-check -diff -terraform -w",
		"approve a":  "-allow -passphrase-file -schemas",
		"state show": "-reveal",
		"state rm a": "-out",
		"convert":    "-schemas -terraform -to",
		"nothing":    "",
	} {
		_, out, _ := tofuwire(t, "", append([]string{completeName}, strings.Fields(line)...)...)
		if got := strings.Join(strings.Fields(out), " "); got != want {
			t.Errorf("%s: %s, not %s", line, got, want)
		}
	}
	if _, out, _ := tofuwire(t, "", completeName, "lint"); !strings.HasPrefix(out, "-baseline\n") || !strings.Contains(out, "\n-fix\n") || strings.Contains(out, " ") {
		t.Errorf("lint: %s", out)
	}
	if code, _, errs := tofuwire(t, "", "completion", "csh"); code != 2 || errs == "" {
		t.Errorf("completion csh: exit %d, %s", code, errs)
	}
}

// TestScripts lets the shells that are named by TOFUWIRE_SHELLS read their script; all of them are
// printed.
func TestScripts(t *testing.T) {
	for shell := range scripts {
		code, out, _ := tofuwire(t, "", "completion", shell)
		if code != 0 || out != scripts[shell] {
			t.Errorf("completion %s: exit %d\n%s", shell, code, out)
		}
		if !slices.Contains(strings.Fields(os.Getenv("TOFUWIRE_SHELLS")), shell) {
			continue
		}
		cmd := exec.Command(shell, "-n")
		cmd.Stdin = strings.NewReader(out)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", shell, err, text)
		}
	}
}
