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
	for _, row := range []struct {
		file, want string
		terraform  bool
	}{
		{file: "main.tf"}, {file: "main.tofu.json"}, {file: "a.tftest.hcl"}, {file: "tests/a.tftest.hcl"}, {file: "main.tf", terraform: true},
		{want: "has no configuration files"}, {file: "README.md", want: "has no configuration files"},
		{file: "modules/a/main.tf", want: "has no configuration files"}, {file: "tests/main.tf", want: "has no configuration files"},
		{file: ".main.tf", want: "has no configuration files"}, {file: "main.tf~", want: "has no configuration files"},
		{file: "terraform.tfvars", want: "has no configuration files"},
		{file: "main.tofu", want: "has no configuration files for Terraform, only such as main.tofu", terraform: true},
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
		err := Check(dir, row.terraform)
		if row.want == "" && err != nil || row.want != "" && (err == nil || !strings.HasPrefix(err.Error(), dir) || !strings.HasSuffix(err.Error(), row.want)) {
			t.Errorf("%q: %v", row.file, err)
		}
	}
	if err := Check("no/such/dir", false); err == nil || !strings.Contains(err.Error(), "no/such/dir") {
		t.Errorf("%v", err)
	}
	if err := Check("configdir.go", false); err == nil || err.Error() != "configdir.go is not a directory" {
		t.Errorf("%v", err)
	}
}
