// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestUpgradePage runs the commands of docs/provider-upgrade.md that need no tool and no plan, in
// their order, on the configurations there, and compares the files with those at the end of the
// first part.
func TestUpgradePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/provider-upgrade.md")
	if err != nil {
		t.Fatal(err)
	}
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```hcl\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		blocks = append(blocks, m[1])
	}
	if len(blocks) != 6 {
		t.Fatalf("%d files", len(blocks))
	}
	// Those of the release that the page moves to, and of other providers.
	schemas, err := os.ReadFile("../../hclconfig/testdata/recorded/providers-schema.json")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("schemas.json", schemas, 0o600); err != nil {
		t.Fatal(err)
	}
	names := []string{"infra/main.tf", "smoke/main.tf"}
	for i, name := range []string{names[0], names[1], "", "", "site/main.tf", "login/main.tf"} {
		if name == "" {
			continue // what one of the others becomes
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(blocks[i]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(".git", 0o700); err != nil {
		t.Fatal(err)
	}
	word := regexp.MustCompile(`'[^']*'|\S+`)
	commands := 0
	for _, m := range regexp.MustCompile(`(?m)^\$ tofuwire (.*)\n((?:[^$`+"`"+`].*\n)*)`).FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(m[1], ".tfplan") || strings.Contains(m[1], " > ") {
			continue
		}
		var args []string
		for _, w := range word.FindAllString(m[1], -1) {
			args = append(args, strings.Trim(w, "'"))
		}
		commands++
		want := 0
		if args[0] == "lint" && m[2] != "" {
			want = 1
		}
		if code, out, errs := tofuwire(t, "", args...); code != want || out != m[2] {
			t.Errorf("%s: exit %d\n%s%s", m[1], code, out, errs)
		}
	}
	if commands != 11 {
		t.Errorf("%d commands", commands)
	}
	for i, name := range names {
		if text, err := os.ReadFile(name); err != nil || string(text) != blocks[2+i] {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
}
