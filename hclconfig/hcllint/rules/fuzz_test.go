// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// FuzzRules runs all rules on a file. No rule fails, each finding is in the file, and what
// the fixes make of a file without syntax errors has none either.
func FuzzRules(f *testing.F) {
	_ = filepath.WalkDir("testdata", func(name string, d fs.DirEntry, err error) error {
		if text, err := os.ReadFile(name); err == nil && !d.IsDir() && !strings.HasSuffix(name, ".txt") {
			f.Add(text, strings.Contains(name, ".json"))
		}
		return nil
	})
	schemas, err := hclconfig.DecodeSchemas([]byte(testSchemas))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, json bool) {
		name := "main.tf"
		if json {
			name = "main.tf.json"
		}
		tree, err := hclnames.LoadTree(fstest.MapFS{name: {Data: text}}, ".")
		if err != nil {
			t.Skip("needs a text that a module can be made of:", err)
		}
		report, err := hcllint.Run(tree, All(), hcllint.RunOptions{Schemas: schemas})
		if err != nil {
			t.Fatal(err)
		}
		broken := tree.Module.Files[0].Err() != nil
		report.Errors = slices.DeleteFunc(report.Errors, func(err error) bool { return errors.Is(err, fs.ErrNotExist) }) // calls of local modules
		if len(report.Errors) > 0 && !broken {
			t.Fatal(report.Errors)
		}
		for _, d := range report.Diagnostics {
			if d.Range.Filename == name && (d.Range.Start.Offset < 0 || d.Range.End.Offset > int64(len(text)) || d.Range.Start.Line < 1) {
				t.Errorf("%s is not in the file", d.Range)
			}
		}
		if broken {
			return
		}
		for _, fixed := range report.Fix() {
			if fixed.Err() != nil {
				t.Errorf("fixed: %v\n%s", fixed.Err(), fixed.Bytes())
			}
		}
	})
}
