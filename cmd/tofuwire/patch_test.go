// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// TestPatch applies the diffs that subcommands print with patch, which must give what they write, and
// compares their lengths with those of diff -u.
func TestPatch(t *testing.T) {
	patchProgram, diffProgram := depth.Tool(t, "patch"), depth.Tool(t, "diff")
	var text strings.Builder
	for i := range 60 {
		fmt.Fprintf(&text, "resource \"aws_instance\" \"n%d\" {\n  ami = \"${local.old}\"\n  tags = {\n    n = \"%d\"\n  }\n}\n\n", i, i)
	}
	text.WriteString("locals {\n old = \"x\" # end\n}")
	for name, args := range map[string][2][]string{
		"lint":   {{"lint", "-diff", "-only", "terraform_deprecated_interpolation", "."}, {"lint", "-fix", "-only", "terraform_deprecated_interpolation", "."}},
		"fmt":    {{"fmt", "-diff", "main.tf"}, {"fmt", "-w", "main.tf"}},
		"edit":   {{"edit", "-diff", "-e", "set locals.old \"y\"", "-e", "rm resource.aws_instance.n7", "main.tf"}, {"edit", "-w", "-e", "set locals.old \"y\"", "-e", "rm resource.aws_instance.n7", "main.tf"}},
		"rename": {{"rename", "local.old", "local.renamed", "."}, {"rename", "-w", "local.old", "local.renamed", "."}},
		"tag":    {{"tag", "team=web", "."}, {"tag", "-w", "team=web", "."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			write := func(text []byte) {
				if err := os.WriteFile("main.tf", text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			before := []byte(text.String())
			write(before)
			_, patch, errs := tofuwire(t, "", args[0]...)
			tofuwire(t, "", args[1]...)
			after, err := os.ReadFile("main.tf")
			if err != nil || bytes.Equal(before, after) || patch == "" {
				t.Fatalf("nothing changes: %v\n%s%s", err, patch, errs)
			}
			write(before)
			cmd := exec.Command(patchProgram, "-p0", "--posix", "main.tf")
			cmd.Stdin = strings.NewReader(patch)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s\n%s", err, out, patch)
			}
			if got, _ := os.ReadFile("main.tf"); !bytes.Equal(got, after) {
				t.Errorf("the patch makes\n%s\nnot\n%s", got, after)
			}
			other := filepath.Join(t.TempDir(), "after")
			if err := os.WriteFile(other, after, 0o666); err != nil {
				t.Fatal(err)
			}
			write(before)
			out, _ := exec.Command(diffProgram, "-u", "main.tf", other).Output()
			if ours, theirs := strings.Count(patch, "\n"), bytes.Count(out, []byte("\n")); float64(ours) > 1.1*float64(theirs) {
				t.Errorf("%d lines, and %d of diff -u", ours, theirs)
			}
		})
	}
}
