// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package joblog_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/tofuwire/tofuwire/internal/joblog"
)

// command reports whether a runner takes a line for a command, as their programs look for them.
func command(line string) bool {
	lower := strings.ToLower(line)
	return strings.HasPrefix(strings.TrimFunc(line, func(c rune) bool { return unicode.IsSpace(c) || unicode.Is(unicode.Cf, c) }), "::") || strings.Contains(lower, "##[") || strings.Contains(lower, "##vso[") ||
		strings.Contains(lower, "##teamcity[") || regexp.MustCompile(`section_(start|end):|travis_fold:`).MatchString(lower)
}

var hostile = []string{
	"::error file=a.tf::x", "  \t::add-mask::x", "\u00a0::set-output name=a::b", "\ufeff::debug::x", ":::warning::x", "text ##[group]x", "a ##vso[task.setvariable variable=a]b",
	"##VSO[task.complete]", "###[x]", "####vso[a]##[b]", "##teamcity[message text='x']", "section_start:1:x\r\x1b[0K", "section_end:1:x", "travis_fold:start:x",
}

func TestLine(t *testing.T) {
	for _, line := range hostile {
		if !command(line) {
			t.Errorf("%q is no command", line)
		}
		if got := string(joblog.Line([]byte(line))); command(got) || strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(line, " ", "") {
			t.Errorf("%q: %q", line, got)
		}
	}
	for _, line := range []string{"a::b", "module.m: ok", "## heading", "# [x]", "--- a/file", "a:\n", "provider::f()"} {
		if got := string(joblog.Line([]byte(line))); got != line {
			t.Errorf("%q: %q", line, got)
		}
	}
}

func FuzzLine(f *testing.F) {
	for _, line := range hostile {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		got := string(joblog.Line([]byte(line)))
		if !strings.Contains(line, "\n") && command(got) {
			t.Errorf("%q: %q", line, got)
		}
		if !command(line) && got != line && !strings.Contains(line, "\n") && !strings.Contains(strings.ToLower(line), "travis_time:") && !regexp.MustCompile(`(?i)##[a-z]*\[`).MatchString(line) {
			t.Errorf("%q has become %q", line, got)
		}
	})
}

// TestWriter checks that lines come out in the pieces that were written, and what Actions gets.
func TestWriter(t *testing.T) {
	t.Setenv("GITHUB_ACTIONS", "")
	write := func(pieces ...string) string {
		var b strings.Builder
		w := joblog.New(&b)
		for _, p := range pieces {
			if _, err := w.Write([]byte(p)); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got := write("ok\n:", ":error::x\nlast"); got != "ok\n: :error::x\nlast" {
		t.Errorf("%q", got)
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	if got := write("ok\n", "last\n"); got != "ok\nlast\n" {
		t.Errorf("%q", got)
	}
	form := regexp.MustCompile("^ok\n::stop-commands::([A-Z2-7]{26})\n: :error::x\nlast\n::([A-Z2-7]{26})::\n$")
	first, second := form.FindStringSubmatch(write("ok\n::error::x\nlast")), form.FindStringSubmatch(write("ok\n::error::x\nlast"))
	if first == nil || second == nil || first[1] != first[2] || first[1] == second[1] {
		t.Errorf("%q, %q", first, second)
	}
}
