// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rename

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file is replaced, never written in place: on a full disk the old text would be lost. Another name of the old
// file still has it.
func TestReplaces(t *testing.T) {
	dir := t.TempDir()
	name, old := filepath.Join(dir, "main.tf"), filepath.Join(dir, "old")
	src := "resource \"aws_vpc\" \"a\" {\n    tags = {}\n}\n"
	if err := os.WriteFile(name, []byte(src), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(name, old); err != nil {
		t.Skip(err)
	}
	var stderr strings.Builder
	if code := Run([]string{"-w", "aws_vpc.a", "aws_vpc.b", dir}, strings.NewReader(""), io.Discard, &stderr); code != 0 {
		t.Fatal(code, stderr.String())
	}
	now, _ := os.ReadFile(name)
	if before, _ := os.ReadFile(old); string(before) != src || string(now) == src {
		t.Errorf("the old file has %q, the new one %q", before, now)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, ".*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}
