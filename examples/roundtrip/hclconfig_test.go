// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// TestConfig writes back the configuration files of package hclconfig, broken
// ones as well.
func TestConfig(t *testing.T) {
	n, broken := 0, 0
	err := filepath.WalkDir("../../hclconfig/testdata", func(path string, d fs.DirEntry, err error) error {
		name, ok := hclconfig.ParseFilename(path)
		if err != nil || d.IsDir() || !ok {
			return err
		}
		kind := "tf"
		if name.Syntax == hclconfig.JSONSyntax {
			kind = "tfjson"
		}
		want, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var out strings.Builder
		if err := run([]string{kind, path}, nil, &out); err != nil {
			if !errors.Is(err, hclconfig.ErrSyntax) || !strings.Contains(path, "syntax") {
				return err
			}
			broken++
		}
		if out.String() != string(want) {
			t.Errorf("%s: not the same", path)
		}
		n++
		return nil
	})
	if err != nil || n < 150 || broken != 4 {
		t.Fatal(n, broken, err)
	}
}

func TestBrokenConfig(t *testing.T) {
	for kind, text := range map[string]string{"tf": "a = [\n\x00", "tfjson": `{"a":1,}`} {
		var out strings.Builder
		err := run([]string{kind}, strings.NewReader(text), &out)
		if err == nil || !strings.Contains(err.Error(), "standard input:") || out.String() != text {
			t.Errorf("%s: %v, and wrote %q", kind, err, out.String())
		}
	}
}

func TestCanonicalConfig(t *testing.T) {
	var out strings.Builder
	if err := run([]string{"-canonical", "tf"}, strings.NewReader("a=\"${b}\"\nlong=1\n"), &out); err != nil || out.String() != "a    = b\nlong = 1\n" {
		t.Errorf("%v, and wrote %q", err, out.String())
	}
	if err := run([]string{"-canonical", "tf"}, strings.NewReader("a=["), &out); err == nil || !strings.Contains(err.Error(), "standard input") {
		t.Error(err)
	}
}
