// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclcheck_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
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
