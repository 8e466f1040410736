// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lint_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/lint"
)

// TestWorkspace: what depends on the workspace is found only where somebody says which it is.
func TestWorkspace(t *testing.T) {
	dir := t.TempDir()
	src := "locals {\n  m = { (terraform.workspace) = 1, blue = 2 }\n}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.tf"), []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		variable, file string
		args           []string
		want           bool
	}{
		{"", "", nil, false},
		{"", "", []string{"-workspace", "blue"}, true},
		{"blue", "", nil, true},
		{"", "blue\n", nil, true},
		{"green", "blue\n", nil, false},
		{"blue", "green\n", []string{"-workspace", "green"}, false},
	} {
		t.Setenv("TF_WORKSPACE", c.variable)
		_ = os.RemoveAll(filepath.Join(dir, ".terraform"))
		if c.file != "" {
			_ = os.Mkdir(filepath.Join(dir, ".terraform"), 0o755)
			if err := os.WriteFile(filepath.Join(dir, ".terraform/environment"), []byte(c.file), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		var out, errs bytes.Buffer
		lint.Run(append(c.args, "-only", "terraform_map_duplicate_keys", dir), nil, &out, &errs)
		if got := strings.Contains(out.String(), "Duplicate key"); got != c.want || errs.Len() > 0 {
			t.Errorf("%+v: %s%s", c, out.String(), errs.String())
		}
	}
}
