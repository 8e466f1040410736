// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A promise is a line of testdata/promises.txt: a phrase on a page, and the tests that
// keep it, or why it needs none.
type promise struct{ page, phrase, tests string }

// promises returns the list.
func promises(t *testing.T) []promise {
	t.Helper()
	var list []promise
	for line := range strings.Lines(string(read(t, "internal/policy/testdata/promises.txt"))) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.Split(line, " | ")
		if len(parts) != 3 {
			t.Fatalf("not PAGE | PHRASE | TESTS: %s", line)
		}
		list = append(list, promise{parts[0], parts[1], parts[2]})
	}
	return list
}

// absolute are the words with which the first paragraphs of a package promise something.
var absolute = regexp.MustCompile(`(?i)\b(never|every|all|no|only|exact|exactly|bytes?|same|without|any|both|nothing|none|safely|always)\b`)

// TestSentences checks that each sentence of README.md and SECURITY.md is in the list of
// promises, and each one with an absolute word of the other pages and of the first part of a
// package's page; that what is in the list is on its page; and that its tests exist.
func TestSentences(t *testing.T) {
	list := promises(t)
	text := map[string]string{}
	for _, page := range []string{"README.md", "SECURITY.md"} {
		for _, s := range markdownSentences(string(read(t, page))) {
			checkListed(t, list, page, s)
		}
	}
	for _, page := range proseWithPromises(t) {
		for _, s := range markdownSentences(string(read(t, page))) {
			if absolute.MatchString(s) {
				checkListed(t, list, page, s)
			}
		}
	}
	for _, pkg := range append(sortedPackages(), ".") {
		page := strings.TrimPrefix(pkg+"/doc.go", "./")
		for _, s := range firstSentences(string(read(t, page))) {
			if absolute.MatchString(s) {
				checkListed(t, list, page, s)
			}
		}
	}
	seen := map[promise]bool{}
	for _, p := range list {
		if text[p.page] == "" {
			text[p.page] = oneSpace(regexp.MustCompile(`(?m)^//`).ReplaceAllString(string(read(t, p.page)), ""))
		}
		if !strings.Contains(text[p.page], p.phrase) {
			t.Errorf("%s does not say %q", p.page, p.phrase)
		}
		if key := (promise{page: p.page, phrase: p.phrase}); seen[key] {
			t.Errorf("%s: %q is twice in the list", p.page, p.phrase)
		} else {
			seen[key] = true
		}
		if strings.HasPrefix(p.tests, "-") {
			if !slices.Contains([]string{"-pointer", "-definition", "-advice", "-measured"}, p.tests) {
				t.Errorf("%q: there is no reason %s", p.phrase, p.tests)
			}
			continue
		}
		for test := range strings.SplitSeq(p.tests, "; ") {
			dir, name, ok := strings.Cut(test, " ")
			if !ok || !hasTest(t, dir, name) {
				t.Errorf("%s: %q: there is no test %q", p.page, p.phrase, test)
			}
		}
	}
}

// proseWithPromises returns the pages for users that people have written, without README.md and
// SECURITY.md.
func proseWithPromises(t *testing.T) []string {
	t.Helper()
	pages := []string{"API.md", "COMPATIBILITY.md"}
	files, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d pages: %v", len(files), err)
	}
	for _, file := range files {
		switch name := filepath.Base(file); name {
		case "lint-rules.md", "releases.md", "terraform-json-names.md": // generated
		default:
			pages = append(pages, "docs/"+name)
		}
	}
	return pages
}

// checkListed checks that the list has a phrase of a sentence.
func checkListed(t *testing.T, list []promise, page, sentence string) {
	t.Helper()
	if !slices.ContainsFunc(list, func(p promise) bool { return p.page == page && strings.Contains(sentence, p.phrase) }) {
		t.Errorf("%s: testdata/promises.txt has no line for: %s", page, sentence)
	}
}

// sortedPackages returns the public packages, in order.
func sortedPackages() []string {
	var list []string
	for pkg := range mayImport {
		list = append(list, pkg)
	}
	slices.Sort(list)
	return list
}

// hasTest reports whether a folder has a test, fuzz target or example of this name.
func hasTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(text), "\nfunc "+name+"(")
	})
}

func oneSpace(s string) string { return strings.Join(strings.Fields(s), " ") }

// markdownSentences returns the sentences of a page, without its code, tables and headings.
func markdownSentences(text string) []string {
	text = regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?m)^[#|<].*$`).ReplaceAllString(text, "")
	text = regexp.MustCompile(`(?m)^- `).ReplaceAllString(text, "\n")
	return sentences(text)
}

// firstSentences returns the sentences of a package's page before its first heading, and
// those of the section "The promise".
func firstSentences(src string) []string {
	head, _, _ := strings.Cut(src, "\npackage ")
	head = regexp.MustCompile(`(?m)^//(\t.*)?`).ReplaceAllString(head, "")
	first, rest, _ := strings.Cut(head, "\n # ")
	if _, after, ok := strings.Cut("\n # "+rest, "\n # The promise\n"); ok {
		promise, _, _ := strings.Cut(after, "\n # ")
		first += "\n\n" + promise
	}
	_, first, _ = strings.Cut(first, "Package ") // behind the licence
	return sentences(regexp.MustCompile(`(?m)^ +- `).ReplaceAllString("Package "+first, "\n"))
}

// sentences splits paragraphs into sentences.
func sentences(text string) []string {
	var all []string
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		paragraph = oneSpace(paragraph)
		start := 0
		for _, m := range regexp.MustCompile("[.!?:]\\)? [A-Z`\\[*\"(]").FindAllStringIndex(paragraph, -1) {
			if paragraph[m[0]] == ':' {
				continue
			}
			all = append(all, paragraph[start:m[1]-2])
			start = m[1] - 1
		}
		if start < len(paragraph) {
			all = append(all, paragraph[start:])
		}
	}
	return all
}

// TestPagesBeginWithCode checks that the page of each package has code right after its first
// paragraph.
func TestPagesBeginWithCode(t *testing.T) {
	for _, pkg := range append(sortedPackages(), "registry/ocimirror") {
		_, page, _ := strings.Cut(string(read(t, pkg+"/doc.go")), "\n// Package ")
		_, after, ok := strings.Cut(page, "\n//\n")
		if !ok || !strings.HasPrefix(after, "//\t") {
			t.Errorf("%s: the first paragraph is not followed by code", pkg)
		}
	}
}

// TestFrontPage checks that the package at the root is a page and nothing else.
func TestFrontPage(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "*.go"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	f, err := parser.ParseFile(token.NewFileSet(), files[0], nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Decls) > 0 {
		t.Error("doc.go declares something")
	}
}
