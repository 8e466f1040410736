// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package checksum_test

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tofuwire/tofuwire/checksum"
)

// TestNamedPipe: nothing writes to the pipe, so opening it blocks forever.
func TestNamedPipe(t *testing.T) {
	dir := buildDir(t, file{name: "a"})
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("needs a system with named pipes:", err)
	}
	for _, lenient := range []bool{false, true} {
		_, err := checksum.Hasher{Lenient: lenient}.Dir(t.Context(), dir)
		if !errors.Is(err, checksum.ErrSpecialFile) || !strings.HasSuffix(err.Error(), `: entry "pipe": not a regular file`) {
			t.Errorf("got %v", err)
		}
	}
	if _, err := checksum.HashZip(t.Context(), pipe); !errors.Is(err, checksum.ErrSpecialFile) {
		t.Errorf("as a zip: %v", err)
	}

	links := t.TempDir()
	if err := syscall.Symlink(pipe, filepath.Join(links, "l")); err != nil {
		t.Fatal(err)
	}
	if _, err := checksum.HashDir(t.Context(), links); !errors.Is(err, checksum.ErrSpecialFile) {
		t.Errorf("behind a link: %v", err)
	}
}
