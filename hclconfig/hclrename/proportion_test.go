// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

// Twice as many modules take twice as much memory to change, counted by what is allocated.
func TestReplaceProvider_proportion(t *testing.T) {
	bounds.Growth(t, "modules", 100, 2, 2.3, func(n int) func() {
		dir := t.TempDir()
		for i := range n {
			name := filepath.Join(dir, fmt.Sprint("m", i), "main.tf")
			if err := os.Mkdir(filepath.Dir(name), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, []byte("terraform {\n  required_providers {\n    random = \"~> 3.5\"\n  }\n}\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return func() {
			if texts, err := hclrename.ReplaceProvider(os.DirFS(dir), "hashicorp/random", "acme/random"); err != nil || len(texts) != n {
				t.Fatal(len(texts), err)
			}
		}
	})
}
