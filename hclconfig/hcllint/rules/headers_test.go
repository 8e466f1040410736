// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package rules_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

var header = regexp.MustCompile(`(?m)^([a-z_]+)((?: "[^"\n]*")+) \{`)

// TestHeaders has headers as they are while somebody writes them: without labels, with empty ones
// and with one too many. No rule fails for it.
func TestHeaders(t *testing.T) {
	variants := map[string]func(text string) string{
		"no labels":    func(text string) string { return header.ReplaceAllString(text, "$1 {") },
		"empty labels": func(text string) string { return header.ReplaceAllStringFunc(text, emptyLabels) },
		"one more":     func(text string) string { return header.ReplaceAllString(text, `$1$2 "more" {`) },
		"one less":     func(text string) string { return header.ReplaceAllStringFunc(text, oneLabelLess) },
	}
	files, modules := 0, 0
	walk := func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(name) != ".tf" {
			return err
		}
		src, err := os.ReadFile(name)
		if err != nil || !header.Match(src) {
			return err
		}
		if files++; files%depth.Of(3, 1, 1) != 0 {
			return nil
		}
		for variant, change := range variants {
			modules++
			text := change(string(src))
			tree, err := hclnames.LoadTree(fstest.MapFS{"main.tf": {Data: []byte(text)}}, ".")
			if err != nil {
				return err
			}
			report, err := hcllint.Run(tree, rules.All(), hcllint.RunOptions{})
			if err != nil {
				return err
			}
			for _, err := range report.Errors {
				if e := new(hclconfig.Error); !errors.As(err, &e) {
					t.Errorf("%s, %s: %v", name, variant, err)
				}
			}
		}
		return nil
	}
	for _, dir := range []string{"testdata", "../../testdata/modules", "../../testdata/broken"} {
		if err := filepath.WalkDir(dir, walk); err != nil {
			t.Fatal(err)
		}
	}
	if modules < depth.Of(40, 150, 150) {
		t.Errorf("only %d modules", modules)
	}
}

func emptyLabels(head string) string {
	return regexp.MustCompile(`"[^"]*"`).ReplaceAllString(head, `""`)
}

func oneLabelLess(head string) string { return head[:strings.LastIndex(head, ` "`)] + " {" }
