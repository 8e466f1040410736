// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package commandline_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/commandline"
)

// TestParse has options before, between and behind arguments, with one and two dashes.
func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"a b":                         "[a b] w=false f=text steps=[]",
		"-w a b":                      "[a b] w=true f=text steps=[]",
		"a --w b -format json":        "[a b] w=true f=json steps=[]",
		"a -w=false --format=json":    "[a] w=false f=json steps=[]",
		"-e -1 a -e x":                "[a] w=false f=text steps=[-1 x]",
		"a -- -w":                     "[a -w] w=false f=text steps=[]",
		"- -format json":              "[-] w=false f=json steps=[]",
		"-e -h a":                     "[a] w=false f=text steps=[-h]",
		"-format json -format=text a": "[a] w=false f=text steps=[]",
		"a b c":                       `usage: 2 arguments at most, not 3; "p x -h" explains the arguments`,
		"-w":                          `usage: FROM is missing; "p x -h" explains the arguments`,
		"a -e":                        "usage: -e needs a value",
		"a -format=":                  `usage: -format: unknown value ""; text or json`,
		"a -format jsno":              `usage: -format: unknown value "jsno"; did you mean "json"? text or json`,
		"a -w=7x":                     `usage: -w: "7x" is neither true nor false`,
		"a -formt=json":               `usage: unknown option -formt; did you mean -format? "p x -h" explains the options`,
		"a -1":                        `usage: unknown option -1; "p x -h" explains the options`,
		"a ---w":                      `usage: unknown option ---w; "p x -h" explains the options`,
		"-nope a b c -h":              "help",
		"--help":                      "help",
		"a -format x -help":           "help",
		"a -- -h":                     "[a -h] w=false f=text steps=[]",
		"bad":                         "usage: wrong; twice",
	} {
		var w bool
		var format string
		var steps []string
		s := commandline.New("p x", commandline.Text{Arguments: "FROM [TO]", About: "X does it.", Exit: "0 always", Example: "p x a"})
		s.BoolVar(&w, "w", false, "write")
		s.Choice(&format, "format", "text", "the `FORMAT`", "text", "json")
		s.Strings(&steps, "e", "a `STEP`")
		s.Check = func() error {
			if s.Arg(0) == "bad" {
				return errors.New("wrong\ntwice")
			}
			return nil
		}
		var out, errs strings.Builder
		status, ok := s.Parse(strings.Fields(line), &out, &errs)
		got := fmt.Sprintf("%v w=%v f=%s steps=%v", s.Args(), w, format, steps)
		switch {
		case !ok && status == 0 && out.String() == s.Help() && errs.Len() == 0:
			got = "help"
		case !ok && status == 2 && out.Len() == 0:
			got = strings.Replace(strings.TrimSuffix(errs.String(), "\n"), "p x: ", "usage: ", 1)
		}
		if got != want {
			t.Errorf("%s: %s, not %s", line, got, want)
		}
	}
}

// TestForms has a switch that changes the arguments, and a command behind "--".
func TestForms(t *testing.T) {
	for line, want := range map[string]string{
		"":                "[] [] false",
		"-merge a b":      "[a b] [] false",
		"-merge a":        `p: B is missing; "p -h" explains the arguments`,
		"a":               `p: no arguments are taken, not even "a"; "p -h" explains the arguments`,
		"-- tofu -merge":  "[] [tofu -merge] true",
		"-merge a b -- x": "[a b] [x] true",
	} {
		s := commandline.New("p", commandline.Text{Forms: []string{"-merge A B", "[OPTION]... -- COMMAND..."}, Command: true})
		s.Bool("merge", false, "")
		var errs strings.Builder
		_, ok := s.Parse(strings.Fields(line), io.Discard, &errs)
		command, given := s.Behind()
		if got := fmt.Sprint(s.Args(), command, given); ok && got != want || !ok && errs.String() != want+"\n" {
			t.Errorf("%s: %s, %s, not %s", line, got, &errs, want)
		}
	}
}

// TestNearest counts changes.
func TestNearest(t *testing.T) {
	names := []string{"apply", "lint", "list", "lock", "show", "w"}
	for typed, want := range map[string]string{
		"lnt": "lint", "ilnt": "lint", "lints": "lint", "lst": "list", "lisst": "list", "lit": "lint", "appply": "apply", "aplpy": "apply", "aplyx": "apply",
		"x": "", "lint": "list", "lo": "", "shw": "show", "sohw": "show", "plan": "", "": "", "applications": "",
	} {
		if got := commandline.Nearest(typed, names); got != want {
			t.Errorf("%s: %q, not %q", typed, got, want)
		}
	}
}

// full is a device without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

// TestHelp_full wants an error, and TestHelp lines that fit.
func TestHelp_full(t *testing.T) {
	s := commandline.New("p", commandline.Text{About: "P.", Exit: "0 always " + strings.Repeat("and always ", 30)})
	s.String("o", "d", strings.Repeat("word ", 60)+"`NAME`")
	var errs strings.Builder
	if status, ok := s.Parse([]string{"-h"}, full{}, &errs); ok || status != 1 || errs.String() != "p: no space\n" {
		t.Errorf("%d, %v, %s", status, ok, &errs)
	}
	for line := range strings.Lines(s.Help()) {
		if len(line) > 101 {
			t.Errorf("%d: %s", len(line), line)
		}
	}
	if !strings.Contains(strings.Join(strings.Fields(s.Help()), " "), "-o NAME word word") || !strings.Contains(s.Help(), "(default d)") {
		t.Error(s.Help())
	}
}
