// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exported returns every exported name of the public packages: of types,
// functions, methods, fields, constants and variables.
func exported(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for pkg, files := range public(t) {
		names[pkg[strings.LastIndexByte(pkg, '/')+1:]] = true
		for _, f := range files {
			ast.Inspect(f, func(n ast.Node) bool {
				switch d := n.(type) {
				case *ast.FuncDecl:
					names[d.Name.Name] = true
					return false
				case *ast.TypeSpec:
					names[d.Name.Name] = true
				case *ast.ValueSpec:
					for _, n := range d.Names {
						names[n.Name] = true
					}
				case *ast.Field:
					for _, n := range d.Names {
						names[n.Name] = true
					}
				}
				return true
			})
		}
	}
	return names
}

// TestDocumentedNames checks that the documents speak of names that there are.
func TestDocumentedNames(t *testing.T) {
	names := exported(t)
	code := regexp.MustCompile("`[^`\n]+`")
	name := regexp.MustCompile(`^[a-z]*\.?[A-Z]\w*(\.[A-Z]\w*)*$`)
	// Letters for something, names of other modules, and what tools call so.
	others := []string{"X", "XOptions", "NewX", "ParseX", "MustParseX", "DecodeX", "LoadX", "ErrX", "T"}
	for _, document := range []string{"API.md", "CHANGELOG.md", "COMPATIBILITY.md", "CONTRIBUTING.md", "SECURITY.md"} {
		text := string(read(t, document))
		// What is still to come in the examples of how to add something.
		if _, rest, ok := strings.Cut(text, "\n## How to add a member\n"); ok {
			_, after, _ := strings.Cut(rest, "\n## ")
			text = strings.TrimSuffix(text, rest) + after
		}
		found := 0
		for _, quoted := range code.FindAllString(text, -1) {
			quoted = strings.Trim(quoted, "`")
			if !name.MatchString(quoted) || strings.ToUpper(quoted) == quoted && len(quoted) > 1 {
				continue // no name of Go, or an argument of a command
			}
			if pkg, _, ok := strings.Cut(quoted, "."); ok && pkg != "" && strings.ToLower(pkg) == pkg {
				if _, ours := mayImport[pkg]; !ours {
					continue // of the standard library
				}
			}
			for part := range strings.SplitSeq(strings.TrimPrefix(quoted, "."), ".") {
				found++
				known := names[part]
				for _, o := range others {
					known = known || o == part
				}
				if !known {
					t.Errorf("%s speaks of %s, which no package has", document, quoted)
				}
			}
		}
		if found == 0 && document != "CONTRIBUTING.md" {
			t.Errorf("%s: no names were found", document)
		}
	}
}

// TestLimits checks that SECURITY.md and the code have the same limits.
func TestLimits(t *testing.T) {
	security := string(read(t, "SECURITY.md"))
	_, rest, _ := strings.Cut(security, "|---|")
	for _, row := range regexp.MustCompile(`(?m)^\| [a-z].*$`).FindAllString(rest, -1) {
		said := func(l limit) bool { return strings.Contains(row, l.row) }
		if !slices.ContainsFunc(limits, said) && !slices.ContainsFunc(limitsElsewhere, func(part string) bool { return strings.Contains(row, part) }) {
			t.Errorf("no line of this test is about the limit %s", row)
		}
	}
	for _, tt := range limits {
		if !strings.Contains(string(read(t, tt.file)), tt.code) {
			t.Errorf("%s does not have %q: is SECURITY.md still right?", tt.file, tt.code)
		}
		if !strings.Contains(security, tt.row) {
			t.Errorf("SECURITY.md does not say %q, as %s does", tt.row, tt.file)
		}
	}
}

// TestPromises checks that COMPATIBILITY.md says of each public package, and of no
// other, whether it is stable.
func TestPromises(t *testing.T) {
	_, table, _ := strings.Cut(string(read(t, "COMPATIBILITY.md")), "\n## Packages\n")
	table, _, _ = strings.Cut(table, "\n## ")
	said := map[string]bool{"registry/ocimirror": true, "cmd/tofuwire": true, "hclconfig/hcllsp": true} // modules of their own
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z/]+)` \\| (stable|experimental) \\| [^|]+ \\|$").FindAllStringSubmatch(table, -1) {
		if _, ok := mayImport[m[1]]; !ok && !said[m[1]] {
			t.Errorf("COMPATIBILITY.md has a row for %s, which there is not", m[1])
		}
		said[m[1]] = true
	}
	for pkg := range mayImport {
		if !said[pkg] {
			t.Errorf("COMPATIBILITY.md does not say whether %s is stable", pkg)
		}
	}
}

// TestMarkdownLinks checks that the relative links of all pages lead somewhere: to a file or
// folder, and to a heading of it if they have a fragment.
func TestMarkdownLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)|srcset="([^"]+)"|src="([^"]+)"`)
	code := regexp.MustCompile("(?s)```.*?```|`[^`\n]*`") // f[T](x) is no link
	pages, fragments := 0, 0
	for _, name := range markdownFiles(t) {
		pages++
		for _, m := range link.FindAllStringSubmatch(code.ReplaceAllString(string(read(t, name)), "code"), -1) {
			target, fragment, _ := strings.Cut(m[1]+m[2]+m[3], "#")
			if strings.Contains(target, ":") {
				continue
			}
			page := name
			if target != "" {
				page = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(page))); err != nil {
				t.Errorf("%s has a dead link to %s", name, target)
				continue
			}
			if fragment == "" {
				continue
			}
			if fragments++; !slices.Contains(headings(string(read(t, page))), fragment) {
				t.Errorf("%s links to %s, which has no heading #%s", name, page, fragment)
			}
		}
	}
	if pages < 10 || fragments < 20 {
		t.Errorf("%d pages, %d links to headings", pages, fragments)
	}
}

// TestIndex checks that docs/README.md links to each page of docs.
func TestIndex(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) < 20 {
		t.Fatal(pages, err)
	}
	for _, name := range pages {
		if page := filepath.Base(name); page != "README.md" && !strings.Contains(string(read(t, "docs/README.md")), "("+page+")") {
			t.Errorf("docs/README.md does not link to %s", page)
		}
	}
}

// TestMigrations checks that a test reads each page about moving here from something else, or has what
// it shows.
func TestMigrations(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "migrate-*.md"))
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	var tests strings.Builder
	for _, name := range goFiles(t) {
		if dir := filepath.ToSlash(filepath.Dir(name)); strings.HasSuffix(name, "_test.go") && (dir == "internal/testing/cookbook" || dir == "cmd/tofuwire/internal/edit") {
			tests.Write(read(t, name))
		}
	}
	others, err := filepath.Glob(filepath.Join(root, "benchmarks", "migration*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range others {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tests.Write(text)
	}
	for _, name := range pages {
		page := filepath.Base(name)
		if subject := strings.TrimSuffix(strings.TrimPrefix(page, "migrate-"), ".md"); subject != "tflint-plugins" && !strings.Contains(tests.String(), subject) {
			t.Errorf("no test is about %s", page)
		}
	}
	// The page for plugins of tflint has names, and no code: those in its right column are ours.
	names, found := exported(t), 0
	for _, m := range regexp.MustCompile(`(?m)^\| .* \| (.*) \|$`).FindAllSubmatch(read(t, "docs/migrate-tflint-plugins.md"), -1) {
		for _, quoted := range regexp.MustCompile("`[^`]*`").FindAll(m[1], -1) {
			for _, name := range regexp.MustCompile(`\b[A-Z]\w+`).FindAll(quoted, -1) {
				if found++; !names[string(name)] {
					t.Errorf("docs/migrate-tflint-plugins.md has %s, which no package has", name)
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d names", found)
	}
}

// markdownFiles returns the names of all pages, relative to the top folder.
func markdownFiles(t *testing.T) []string {
	t.Helper()
	var names []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (d.Name() == "testdata" || d.Name() == ".git") {
			return fs.SkipDir
		}
		if path.Ext(name) == ".md" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// headings returns the fragments that GitHub gives the headings of a page.
func headings(text string) []string {
	text = regexp.MustCompile("(?ms)^```.*?^```").ReplaceAllString(text, "")
	var all []string
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		words := regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(m[1], "$1")
		slug := strings.ReplaceAll(regexp.MustCompile(`[^\pL\pN_ -]`).ReplaceAllString(strings.ToLower(strings.TrimSpace(words)), ""), " ", "-")
		for n, first := 1, slug; slices.Contains(all, slug); n++ {
			slug = fmt.Sprint(first, "-", n)
		}
		all = append(all, slug)
	}
	return all
}

// TestPageLists checks that no list on the page of a package is shown as code,
// which is what happens to one that follows code directly.
func TestPageLists(t *testing.T) {
	list := regexp.MustCompile(`(?m)^//\t+ *- `)
	pages := 0
	for _, name := range goFiles(t) {
		if filepath.Base(name) == "doc.go" {
			pages++
			if m := list.FindString(string(read(t, name))); m != "" {
				t.Errorf("%s has a list that is shown as code", name)
			}
		}
	}
	if pages < 15 {
		t.Errorf("only %d pages were found", pages)
	}
}
