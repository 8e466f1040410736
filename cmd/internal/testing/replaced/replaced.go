// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package replaced tests that programs replace the files that they change.
package replaced

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Test runs a program that changes main.tf in a new directory, which has the resource aws_vpc.a. The
// file must be replaced, never written in place: on a full disk the old text would be lost.
// Another name of the old file still has it.
func Test(t *testing.T, run func(args []string, in io.Reader, out, errs io.Writer) int, args func(dir string) []string) {
	t.Helper()
	dir := t.TempDir()
	name, old := filepath.Join(dir, "main.tf"), filepath.Join(dir, "old")
	src := "resource \"aws_vpc\" \"a\" {\n    tags = {}\n}\n"
	if err := os.WriteFile(name, []byte(src), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(name, old); err != nil {
		t.Skipf("needs a file system with hard links: %v", err)
	}
	var stderr strings.Builder
	if code := run(args(dir), strings.NewReader(""), io.Discard, &stderr); code != 0 {
		t.Fatal(code, stderr.String())
	}
	now, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if before, err := os.ReadFile(old); err != nil || string(before) != src || string(now) == src {
		t.Errorf("the old file has %q, the new one %q, %v", before, now, err)
	}
	if names, _ := filepath.Glob(filepath.Join(dir, ".*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}
