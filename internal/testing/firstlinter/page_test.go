// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"go/format"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
)

const guide = "../../../docs/write-a-linter.md"

// TestGuide checks that the guide shows the files of this folder whole, and how long the
// program and its test are.
func TestGuide(t *testing.T) {
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	for name, most := range map[string]int{"main.go": 30, "main_test.go": 10, "testdata/main.tf": 99, "testdata/main.tf.golden": 99} {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(src)
		if strings.HasSuffix(name, ".go") {
			// Without the licence and the comment of the package.
			text = text[strings.Index(text, "package main"):]
			if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text {
				t.Errorf("%s is not formatted: %v", name, err)
			}
		}
		if n := strings.Count(text, "\n"); n > most {
			t.Errorf("%s has %d lines, more than %d", name, n, most)
		}
		if !strings.Contains(string(page), "\n"+text+"```\n") {
			t.Errorf("the guide does not show %s as it is", name)
		}
	}
}

// TestGuideMore checks that the other code of the guide is that of more.go, whose rules
// TestMore runs.
func TestGuideMore(t *testing.T) {
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	more, err := os.ReadFile("more.go")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for _, m := range regexp.MustCompile("(?ms)^```go\n(.*?)^```").FindAllStringSubmatch(string(page), -1) {
		if strings.HasPrefix(m[1], "package ") {
			continue // TestGuide has it
		}
		blocks++
		if !strings.Contains(string(more), "\n"+m[1]) {
			t.Errorf("more.go does not have this code of the guide:\n%s", m[1])
		}
	}
	if blocks != 3 {
		t.Errorf("the guide has %d further blocks of code", blocks)
	}
}

// TestShown runs the commands that the guide shows, on the module of the test.
func TestShown(t *testing.T) {
	page, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile(`(?ms)^\$ acme-lint(.*?)\n(.*?)^(?:\x60\x60\x60|\n)`).FindAllStringSubmatch(string(page), -1)
	if len(shown) < 2 {
		t.Fatalf("the guide shows %d commands", len(shown))
	}
	for _, s := range shown {
		var out strings.Builder
		hcllint.Command(strings.Fields(s[1]), nil, &out, &out, secrets)
		if out.String() != s[2] {
			t.Errorf("acme-lint%s prints\n%s\nnot\n%s", s[1], out.String(), s[2])
		}
	}
}
