// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package skeletons_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

// A tutorial changes a copy of an example step by step. Its page shows the changes as blocks of
// diff, and the command with what it prints before and after them.
type tutorial struct {
	page    string // below docs
	example string
	stdin   string // a file, from the top
	lay     func(t *testing.T, top, work string) []string
}

var tutorials = []tutorial{
	{page: "write-a-gate.md", example: "gate", stdin: "planjson/testdata/terraform-1.11.4/actions/plan.json"},
	{page: "write-an-inventory.md", example: "inventory", lay: func(t *testing.T, top, work string) []string {
		states, err := recordings.Archive(os.DirFS(top), "planjson/statefile/testdata/states.zip.gz")
		if err != nil {
			t.Fatal(err)
		}
		text, err := fs.ReadFile(states, "tofu-1.12.6/apply-trouble/terraform.tfstate.failures")
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(work, "states/terraform.tfstate"), string(text))
		return nil
	}},
}

var (
	blockOfPage = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```\n")
	oldLines    = regexp.MustCompile(`(?m)^\+.*\n|^[ -]`)
	newLines    = regexp.MustCompile(`(?m)^-.*\n|^[ +]`)
)

// TestTutorials follows each page: it copies the example, makes the changes that the page shows, and
// compares what the program prints with the page.
func TestTutorials(t *testing.T) {
	depth.NeedFull(t, "it builds programs")
	top, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, tut := range tutorials {
		t.Run(tut.page, func(t *testing.T) {
			dir, work := t.TempDir(), t.TempDir()
			if tut.lay != nil {
				tut.lay(t, top, work)
			}
			take(t, filepath.Join(top, "examples", tut.example), dir)
			write(t, filepath.Join(dir, "go.mod"), "module example.com/mine\n\ngo 1.26\n\nrequire "+module+" v0.0.0\n\nreplace "+module+" => "+filepath.ToSlash(top)+"\n")
			main := filepath.Join(dir, "main.go")
			page := read(t, filepath.Join(top, "docs", tut.page))
			changes, commands := 0, 0
			for _, block := range blockOfPage.FindAllStringSubmatch(page, -1) {
				if block[1] == "diff" {
					src := read(t, main)
					before, after := oldLines.ReplaceAllString(block[2], ""), newLines.ReplaceAllString(block[2], "")
					if strings.Count(src, before) != 1 {
						t.Fatalf("the program has not exactly once what the page changes:\n%s", before)
					}
					write(t, main, strings.Replace(src, before, after, 1))
					changes++
				}
				command, printed, _ := strings.Cut(block[2], "\n")
				command, ok := strings.CutPrefix(command, "$ ./acme-"+tut.example)
				if !ok {
					continue
				}
				commands++
				out := runTutorial(t, tut, dir, work, top, strings.Fields(strings.TrimSuffix(command, " < plan.json")))
				if diff := cmp.Diff(printed, out); diff != "" {
					t.Errorf("%s prints something else (-page +program):\n%s", command, diff)
				}
			}
			if changes < 2 || commands != 2 {
				t.Errorf("the page has %d changes and %d commands", changes, commands)
			}
		})
	}
}

// runTutorial builds the program as it is now, and returns what it prints.
func runTutorial(t *testing.T, tut tutorial, dir, work, top string, args []string) string {
	t.Helper()
	program := filepath.Join(dir, "mine.exe")
	goCommand(t, dir, "build", "-o", program, ".")
	cmd := exec.Command(program, args...)
	cmd.Dir = work
	if tut.stdin != "" {
		cmd.Stdin = strings.NewReader(read(t, filepath.Join(top, tut.stdin)))
	}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out)
}
