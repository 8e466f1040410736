// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package edit_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/cmd/tofuwire/internal/edit"
)

// TestReadme makes steps of every kind in a file, as the README has them.
func TestReadme(t *testing.T) {
	const src = `# The network.
module "vpc" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.0.0"
  azs = ["b", # second
    "a",      # first
  ]
}
`
	name := filepath.Join(t.TempDir(), "main.tf")
	if err := os.WriteFile(name, []byte(src), 0o640); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	args := []string{"-w", "-e", `set module.vpc.version "5.8.1"`, "-e", "sort module.vpc.azs", "-e", "get module.vpc.azs[0]",
		"-e", "append module.vpc.tags {}", "-e", "wrap module.vpc.tags merge(local.tags, _)", "-e", "new output.id", "-e", "mv module.vpc module.net", name}
	if code := edit.Run(args, nil, &out, &errs); code != 0 || out.String() != "\"a\"\n" {
		t.Fatalf("exit %d, %q: %s", code, out.String(), errs.String())
	}
	got, _ := os.ReadFile(name)
	const want = `# The network.
module "net" {
  source  = "terraform-aws-modules/vpc/aws"
  version = "5.8.1"
  azs = ["a", # first
    "b",      # second
  ]
  tags = merge(local.tags, {})
}

output "id" {
}
`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if info, _ := os.Stat(name); info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v", info.Mode())
	}
}

// TestStatus: the exit status says why nothing was done, and the file stays.
func TestStatus(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "main.tf")
	if err := os.WriteFile(name, []byte("locals {\n  a = [1]\n  b = 1\n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(dir, "broken.tf")
	if err := os.WriteFile(broken, []byte("locals {\n  a = \n}\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"-e", "rm locals.none", name}, 1, "tofuwire edit: step 1: "},
		{[]string{"-e", "rm locals.b", "-e", "insert locals.a[5] 1", name}, 1, "tofuwire edit: step 2: "},
		{[]string{"-e", "ref var.none var.x", name}, 1, "tofuwire edit: step 1: "},
		{[]string{"-e", "append locals.b 1", name}, 2, "tofuwire edit: step 1: "},
		{[]string{"-e", "set locals 1", name}, 2, "tofuwire edit: step 1: "},
		{[]string{"-e", "set locals.a [", name}, 2, "tofuwire edit: step 1: "},
		{[]string{"-e", "jump locals.a", name}, 2, "tofuwire edit: step 1: "},
		{[]string{"-e", "rm locals.b", broken}, 2, "tofuwire edit: " + broken + ":2,"},
		{[]string{"-e", "rm locals.b", filepath.Join(dir, "none.tf")}, 2, "tofuwire edit: "},
		{[]string{"-w", "-diff", name}, 2, "tofuwire edit: "},
		{[]string{"-w", "-e", "rm locals.b", "-e", "rm locals.none", name}, 1, "tofuwire edit: step 2: "},
		{[]string{"-w", "-each", "-e", "rm locals.b", "-e", "insert locals.a[5] 1", name}, 1, "tofuwire edit: step 2: "},
		{[]string{"-w", "-e", "rm locals.b", "-e", "set locals.a [", name}, 2, "tofuwire edit: step 2: "},
	} {
		var out, errs bytes.Buffer
		if code := edit.Run(c.args, nil, &out, &errs); code != c.code || out.Len() > 0 || !strings.HasPrefix(errs.String(), c.says) || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: exit %d, want %d; %q %q", c.args, code, c.code, out.String(), errs.String())
		}
		if src, err := os.ReadFile(name); err != nil || string(src) != "locals {\n  a = [1]\n  b = 1\n}\n" {
			t.Fatalf("%q: %v, the file is now\n%s", c.args, err, src)
		}
	}
	var out bytes.Buffer
	if code := edit.Run([]string{name}, nil, &out, &out); code != 0 || out.String() != "locals {\n  a = [1]\n  b = 1\n}\n" {
		t.Errorf("without steps: exit %d\n%s", code, out.String())
	}
}
