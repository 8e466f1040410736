// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package configdir

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	for _, row := range []struct{ file, want string }{
		{"main.tf", ""}, {"main.tofu.json", ""}, {"a.tftest.hcl", ""}, {"tests/a.tftest.hcl", ""},
		{"", "has no configuration files"}, {"README.md", "has no configuration files"}, {"modules/a/main.tf", "has no configuration files"},
	} {
		dir := t.TempDir()
		if row.file != "" {
			name := filepath.Join(dir, filepath.FromSlash(row.file))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, nil, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		err := Check(dir)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.HasPrefix(err.Error(), dir) || !strings.HasSuffix(err.Error(), row.want)) {
			t.Errorf("%q: %v", row.file, err)
		}
	}
	if err := Check("no/such/dir"); err == nil || !strings.Contains(err.Error(), "no/such/dir") {
		t.Errorf("%v", err)
	}
	if err := Check("configdir.go"); err == nil || err.Error() != "configdir.go is not a directory" {
		t.Errorf("%v", err)
	}
}
