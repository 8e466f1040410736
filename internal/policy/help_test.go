// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// TestHelp asks each program in examples that takes arguments for its usage with -h.
// It must print one and succeed.
func TestHelp(t *testing.T) {
	depth.NeedFull(t, "it builds all programs")
	dir := t.TempDir()
	build := exec.Command("go", "build", "-buildvcs=false", "-trimpath", "-o", dir, "./examples/...")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	programs, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(programs) < 2 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, program := range programs {
		name := strings.TrimSuffix(filepath.Base(program), ".exe")
		if name == "quickstart" { // it takes no arguments
			continue
		}
		out, err := exec.Command(program, "-h").CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "usage: "+name+" ") {
			t.Errorf("%s -h: %v\n%s", name, err, out)
		}
	}
}
