// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconvert_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclconvert"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
)

// TestWhiteSpace reads JSON files in other layouts, and requires the same file in native
// syntax as from the file as it is, up to comments, which keep their text.
func TestWhiteSpace(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".json") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || !json.Valid(text) {
			return err
		}
		f, err := hclconfig.Parse(filepath.Base(name), text)
		if err != nil || f.Err() != nil {
			return nil // schemas and the like, and files with faults
		}
		want, _ := hclconvert.ToNative(f, hclconvert.Options{})
		for layout, other := range plantest.Layouts(text) {
			g, err := hclconfig.Parse(filepath.Base(name), other)
			if err != nil {
				t.Errorf("%s, %s: %v", name, layout, err)
				continue
			}
			if len(g.Diagnostics()) != len(f.Diagnostics()) {
				t.Errorf("%s, %s: other diagnostics: %v", name, layout, g.Diagnostics())
			}
			if got, diags := hclconvert.ToNative(g, hclconvert.Options{}); got == nil || withoutComments(got) != withoutComments(want) {
				t.Errorf("%s, %s: another file: %v\n%s\n%s", name, layout, diags, want.Bytes(), got.Bytes())
			}
			files++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < depth.Of(40, 200, 200) {
		t.Errorf("only %d files", files)
	}
}

// withoutComments returns the text of a file without its comments, in which white space
// counts.
func withoutComments(f *hclconfig.File) string {
	var b strings.Builder
	for line := range strings.Lines(string(f.Bytes())) {
		if !strings.HasPrefix(strings.TrimSpace(line), "#") {
			b.WriteString(line)
		}
	}
	return b.String()
}
