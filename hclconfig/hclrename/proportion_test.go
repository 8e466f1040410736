// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclrename_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig/hclrename"
)

// Twice as many modules take twice as much memory to change, counted by what is allocated.
func TestReplaceProvider_proportion(t *testing.T) {
	allocated := func(n int) uint64 {
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
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		texts, err := hclrename.ReplaceProvider(os.DirFS(dir), "hashicorp/random", "acme/random")
		runtime.ReadMemStats(&after)
		if err != nil || len(texts) != n {
			t.Fatal(len(texts), err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	if half, whole := allocated(100), allocated(200); float64(whole) > 2.3*float64(half) {
		t.Errorf("%d bytes for 100 modules, %d for 200", half, whole)
	}
}
