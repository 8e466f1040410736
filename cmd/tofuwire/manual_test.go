// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// TestManual writes all pages, which have every option of -h, and asks mandoc if it is there.
func TestManual(t *testing.T) {
	dir := t.TempDir()
	if code, out, errs := tofuwire(t, "", manualName, dir); code != 0 || out != "" || errs != "" {
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.1"))
	if err != nil || len(names) != len(commands())+1 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, c := range commands() {
		page, err := os.ReadFile(filepath.Join(dir, "tofuwire-"+c.name+".1"))
		if err != nil {
			t.Fatal(err)
		}
		flags := definition(c)
		if c.name == "state" {
			flags = definition(c, "")
		}
		for _, o := range flags.Options() {
			if !strings.Contains(string(page), "\n.B "+roff(o.Head())+"\n") {
				t.Errorf("%s: no %s in\n%s", c.name, o.Head(), page)
			}
		}
	}
	if out, err := exec.Command(depth.Tool(t, "mandoc"), append([]string{"-T", "lint", "-W", "warning"}, names...)...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
