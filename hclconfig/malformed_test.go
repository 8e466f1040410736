// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// TestDeepBlocks nests the bodies and labels of blocks, not expressions.
func TestDeepBlocks(t *testing.T) {
	for name, src := range map[string]string{
		"bodies": `{"resource":{"a":{"b":` + strings.Repeat(`{"dynamic":{"d":{"content":`, 3400),
		"arrays": `{"output":{"o":` + strings.Repeat(`[`, 10001),
		"labels": `{"output":` + strings.Repeat(`[`, 10001),
		"values": `{"output":{"o":{"value":` + strings.Repeat(`{"a":`, 10001),
	} {
		if _, err := hclconfig.ParseJSON("a.tf.json", []byte(src)); !errors.Is(err, hclconfig.ErrLimit) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, end := range []string{`{"output"`, `{"output":`, `{"output":{`, `{"output":{"o":[`, `{"output":{"o":[{}`, `{"output":{"o":[{} 1`, `{"output":{"o":{"value":1`, `{"output":{"o":{}  `} {
		if _, err := hclconfig.ParseJSON("a.tf.json", []byte(end)); !errors.Is(err, hclconfig.ErrSyntax) {
			t.Errorf("%s: %v", end, err)
		}
	}
}

// TestOddReferences spells indexes that no list has.
func TestOddReferences(t *testing.T) {
	f := mustParse(t, "a.tf", "locals {\n  a = x.y[1e900].z\n  b = x.y[true]\n  c = x.y[1.5]\n  d = x.y[*].z[0]\n}\n")
	var got []string
	for _, l := range f.Config().Locals {
		for _, r := range l.Argument.References() {
			got = append(got, r.Text)
		}
	}
	if diff := cmp.Diff([]string{"x.y[1e+900].z", "x.y", "x.y[1.5]", "x.y"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestBrokenBlocks reads blocks that lack what their type needs.
func TestBrokenBlocks(t *testing.T) {
	f, _ := hclconfig.Parse("a.tftest.hcl", []byte("run {\n}\nmock_provider {\n}\nvariables {\n  a = 1\n}\nrun \"x\" {\n}\n"))
	c := f.Config()
	if len(c.Runs) != 1 || len(c.MockProviders) != 0 || len(c.TestVariables) != 1 {
		t.Errorf("%d runs, %d mock providers, %d variables", len(c.Runs), len(c.MockProviders), len(c.TestVariables))
	}
	f, _ = hclconfig.Parse("a.tf", []byte("resource \"a b\" \"c\" {\n}\nresource \"a\" {\n}\n"))
	for _, r := range f.Config().Resources {
		if r.Addr().IsValid() {
			t.Errorf("%s is an address", r.Addr())
		}
	}
}

// TestBlocksAmongArguments: of blocks where only arguments may be, the first is
// reported.
func TestBlocksAmongArguments(t *testing.T) {
	for _, src := range []string{
		"locals {\n  a = 1\n  x {}\n  y {}\n}\n",
		"locals {\n  a = <<EOT\nEOT\n  x {}\n  y {}\n}\n",
		"terraform {\n  required_providers {\n    x {}\n    y {}\n  }\n}\n",
	} {
		f, err := hclconfig.Parse("a.tf", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		if d := f.Diagnostics(); len(d) != 1 || d[0].Summary != `Unexpected "x" block` {
			t.Errorf("%s: %v", src, d)
		}
	}
}

// A fileSystem lists no folder but its root.
type fileSystem struct{ fs.FS }

func (f fileSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	if name != "." {
		return nil, fs.ErrPermission
	}
	return fs.ReadDir(f.FS, name)
}

func TestTestsThatCannotBeListed(t *testing.T) {
	fsys := fileSystem{folder(map[string]string{"a.tf": "", "tests/a.tftest.hcl": ""})}
	if _, err := hclconfig.LoadModule(fsys, ".", hclconfig.TestDirectory("")); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("%v", err)
	}
}
