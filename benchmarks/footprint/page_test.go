// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// TestPage checks what docs/footprint.md says about modules and packages of our
// own: all of it that is the same on every system and for every Go release.
func TestPage(t *testing.T) {
	depth.NeedFull(t, "it makes modules and builds them")
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("needs git:", err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "footprint.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("..") // where the program is run
	l, err := newLab(t.TempDir(), "..")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range ours {
		f := &footprint{subject: s}
		if err := l.get(f); err != nil {
			t.Error(err)
			continue
		}
		row := regexp.MustCompile("(?m)^\\| `" + s.pkg + "` \\|.*\\|$").FindString(section(string(page)))
		if want := "| " + moduleNames(f.modules) + " |"; !strings.Contains(row, want) {
			t.Errorf("%s: the page has %q, it should have %q", s.pkg, row, want)
		}
		// The standard library differs, and the sum with it.
		counts := packages(f)
		if want := counts[strings.Index(counts, " + "):] + " |"; !strings.Contains(row, want) {
			t.Errorf("%s: the page has %q, it should have %q", s.pkg, row, want)
		}
	}
}

// TestCompileTimes checks that the page's compile times are those of packages, and what is
// too much.
func TestCompileTimes(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "footprint.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := compileRow.FindAllStringSubmatch(string(page), -1)
	if len(rows) == 0 {
		t.Error("the page has no compile times")
	}
	for _, row := range rows {
		if !slices.ContainsFunc(ours, func(s subject) bool { return s.pkg == row[1] }) {
			t.Errorf("there is no package %s", row[1])
		}
	}
	if tooMuch(0.30, 0.25) || !tooMuch(0.35, 0.25) || tooMuch(0.02, 0.01) {
		t.Error("the limit is wrong")
	}
}

// TestPairs checks that the page has a row for each pair, and that both programs are there.
func TestPairs(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "footprint.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), beginPairs)
	text, _, _ := strings.Cut(rest, endPairs)
	if rows := strings.Count(text, "\n") - 2; rows != len(pairs) {
		t.Errorf("the page has %d pairs, there are %d", rows, len(pairs))
	}
	for _, p := range pairs {
		if !regexp.MustCompile("(?m)^\\| " + regexp.QuoteMeta(p.task) + " \\| " + regexp.QuoteMeta(p.peer) + " \\| [0-9.]+ \\| [0-9.]+ \\|$").MatchString(text) {
			t.Errorf("the page has no row for %s", p.name)
		}
		for _, which := range []string{"ours", "peer"} {
			if _, err := os.Stat(filepath.Join("_pairs", p.name, which, "main.go")); err != nil {
				t.Error(err)
			}
		}
	}
}

// section returns the text between the marks.
func section(page string) string {
	_, rest, _ := strings.Cut(strings.ReplaceAll(page, "\r\n", "\n"), begin)
	text, _, _ := strings.Cut(rest, end)
	return text
}

func TestModuleNames(t *testing.T) {
	got := moduleNames([]string{"golang.org/x/text", "github.com/hashicorp/hcl/v2", "github.com/hashicorp/hcl"})
	if want := "hcl, hcl/v2, x/text"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
