// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lazy

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

func TestRegexp(t *testing.T) {
	letters := Regexp(`^[a-c]+$`)
	first, second := letters(), letters()
	if !first.MatchString("abc") || first.MatchString("abd") || first != second {
		t.Error("the expression is not that of the pattern, or is compiled twice")
	}
}

// What every program compiles at its start, all programs pay.
func TestNothingIsCompiledAtTheStart(t *testing.T) {
	atStart := regexp.MustCompile(`(?m)^(?:var |\t)\w+\s+= regexp\.MustCompile|^\t"[\w-]+":\s+regexp\.MustCompile`)
	root, files := os.DirFS("../.."), 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			switch path.Base(name) {
			case ".git", ".ci", "testdata", "testing", "tools", "benchmarks", "examples", "docs", "fleet", "hcllinttest":
				return fs.SkipDir
			}
			return nil
		case !strings.HasSuffix(name, ".go"), strings.HasSuffix(name, "_test.go"):
			return nil
		}
		files++
		text, err := fs.ReadFile(root, name)
		if found := atStart.Find(text); found != nil {
			t.Errorf("%s: %q: use lazy.Regexp", name, found)
		}
		return err
	})
	if err != nil || files < 500 {
		t.Fatal(files, err)
	}
}
