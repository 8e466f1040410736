// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

func files(texts map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range texts {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func mustParse(t testing.TB, name, src string, opts ...hclconfig.Option) *hclconfig.File {
	t.Helper()
	f, err := hclconfig.Parse(name, []byte(src), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func load(t testing.TB, fsys fs.FS, dir string, opts ...hclconfig.Option) *hclconfig.Module {
	t.Helper()
	m, err := hclconfig.LoadModule(fsys, dir, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestMissingDirectory names a directory as seen from the root module.
func TestMissingDirectory(t *testing.T) {
	fsys := fstest.MapFS{
		"home/live/main.tf": {Data: []byte("module \"m\" {\n  source = \"../m\"\n}\nmodule \"n\" {\n  source = \"../n\"\n}\n")},
		"home/n/main.tf":    {Data: []byte("module \"deep\" {\n  source = \"./deep\"\n}\n")},
	}
	tree, err := hclnames.LoadTree(fsys, "home/live", hclconfig.OpenTofu)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range hclcheck.Validate(tree, hclcheck.Validation{}) {
		got = append(got, d.Detail)
	}
	if want := []string{"The directory ../m could not be read for module \"m\".", "The directory ../n/deep could not be read for module \"deep\"."}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
