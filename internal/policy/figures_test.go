// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package policy_test

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/semver"

	"github.com/tofuwire/tofuwire/registry/registrytest"
)

// lines counts the lines of a file that are neither empty nor a comment.
func lines(t *testing.T, name string) int {
	n := 0
	for line := range bytes.Lines(read(t, name)) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			n++
		}
	}
	return n
}

// TestFigures counts what the documents give a number of: there are exactly so many,
// or more if they say "more than".
func TestFigures(t *testing.T) {
	archives, err := filepath.Glob(filepath.Join(root, "internal/testing/recordings/testdata/releases/*.gz"))
	if err != nil {
		t.Fatal(err)
	}
	languages := 0
	for line := range bytes.Lines(read(t, "COMPATIBILITY.md")) {
		columns := strings.Split(string(line), "|")
		if len(columns) > 13 && regexp.MustCompile(`^ \w+ [0-9.]+`).MatchString(columns[1]) && !strings.Contains(columns[12], "not tried") {
			languages++
		}
	}
	faults := len(registrytest.Faults())
	types := lines(t, "uijson/testdata/types.txt")
	modules := 0
	meaning, err := filepath.Glob(filepath.Join(root, "hclconfig/testdata/meaning/*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range meaning {
		modules += lines(t, "hclconfig/testdata/meaning/"+filepath.Base(name))
	}
	rules := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^## ([a-z]+)_`).FindAllSubmatch(read(t, "docs/lint-rules.md"), -1) {
		rules[string(m[1])]++
	}
	files := func(pattern string) int {
		names, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		return len(names)
	}
	tried := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^>>> (.*)$`).FindAllSubmatch(read(t, "hclconfig/testdata/releases.txt"), -1) {
		for release := range strings.FieldsSeq(string(m[1])) {
			tried[release] = true
		}
	}
	platforms := bytes.Count(regexp.MustCompile(`(?m)^var platforms = .*$`).Find(read(t, "tools/release/archives.go")), []byte("_"))
	words := map[string]int{"four": 4, "six": 6, "ten": 10, "fourteen": 14, "sixteen": 16, "eighteen": 18, "twenty": 20, "thirty": 30}
	for _, row := range []struct {
		document, sentence string
		count              int
	}{
		{"CHANGELOG.md", `with more than (\d+) named faults`, faults},
		{"CHANGELOG.md", `on more than (\d+) recorded modules`, modules},
		{"CHANGELOG.md", `on more than (\d+) generated modules`, lines(t, "hclconfig/testdata/schemas.jsonl")},
		{"CHANGELOG.md", `on more than \d+ generated modules and (\d+) of providers`, bytes.Count(read(t, "hclconfig/testdata/kits.txt"), []byte("\n=== "))},
		{"CHANGELOG.md", `on more than (\d+) recorded plans`, lines(t, "hclconfig/testdata/plan.jsonl")},
		{"CHANGELOG.md", `for all (\d+) messages`, types},
		{"CHANGELOG.md", `tried with (\w+) of them`, languages},
		{"CHANGELOG.md", `verdicts of (\w+) releases`, len(tried)},
		{"CHANGELOG.md", `The (\w+) rules of tflint's terraform ruleset`, rules["terraform"]},
		{"CHANGELOG.md", `(\w+) rules about providers' schemas`, rules["provider"]},
		{"CHANGELOG.md", `and (\w+) from the style guides`, rules["style"]},
		{"CHANGELOG.md", `moving from (\w+) other tools`, files("docs/migrate-*.md")},
		{"CHANGELOG.md", `of (\w+) kinds of documents`, files("docs/schemas/*.json")},
		{"CHANGELOG.md", `Archives for (\w+) platforms`, platforms},
		{"COMPATIBILITY.md", `all (\d+) message types`, types},
		{"docs/comparison.md", `The (\w+) rules of`, rules["terraform"]},
		{"CONTRIBUTING.md", `what (\w+) releases printed`, len(archives)},
		{"README.md", `of (\w+) kinds of documents`, files("docs/schemas/*.json")},
		{"README.md", `more than (\w+) tasks`, bytes.Count(read(t, "docs/cookbook.md"), []byte("\n### "))},
		{"docs/benchmarks.md", `types for 32 of the (\d+)`, types},
	} {
		m := regexp.MustCompile(row.sentence).FindSubmatch(read(t, row.document))
		if m == nil {
			t.Errorf("%s does not say %q", row.document, row.sentence)
			continue
		}
		said := words[string(m[1])]
		if n, err := strconv.Atoi(string(m[1])); err == nil {
			said = n
		}
		switch {
		case said == row.count:
		case strings.Contains(row.sentence, "more than") && said > 0 && said < row.count:
		default:
			t.Errorf("%s says %q, but there are %d", row.document, m[0], row.count)
		}
	}
}

// TestRatios checks that the last rows of the table in README.md have the figures of
// docs/benchmarks.md and docs/footprint.md.
func TestRatios(t *testing.T) {
	page := string(read(t, "docs/benchmarks.md"))
	// between returns the smallest and the greatest of the ratios in rows that begin so.
	between := func(column int, ratio string, rows ...string) string {
		low, high := 10.0, 0.0
		for _, row := range rows {
			line := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(row) + `.*$`).FindString(page)
			columns := strings.Split(line, "|")
			if len(columns) <= column {
				t.Fatalf("docs/benchmarks.md has no row %q", row)
			}
			for _, m := range regexp.MustCompile(ratio).FindAllStringSubmatch(columns[column], -1) {
				x, err := strconv.ParseFloat(m[1], 64)
				if err != nil {
					t.Fatal(err)
				}
				low, high = min(low, x), max(high, x)
			}
		}
		return fmt.Sprintf("%.2f to %.2f", low, high)
	}
	const any = `(0\.\d+)`
	large := between(2, any, "50 kB |", "500 kB |", "5 MB |", "50 MB |")
	small := between(2, any, "5 kB |", "159 plans ")
	native := between(4, `^ (0\.\d+) /`, "load a module, native / JSON: time")
	others := between(4, any, "load terraform-aws-eks with its modules")
	inJSON := between(4, `/ (0\.\d+) $`, "load a module, native / JSON: time")
	least, most := func(s string) string { return s[:4] }, func(s string) string { return s[len(s)-4:] }
	compiled := regexp.MustCompile(`(?m)^\| decode a plan, print the actions \| terraform-json \| ([0-9.]+) \|`).FindStringSubmatch(string(read(t, "docs/footprint.md")))
	if compiled == nil {
		t.Fatal("docs/footprint.md has no program that decodes a plan")
	}
	for _, want := range []string{
		"| compile a program that decodes a plan: CPU time, terraform-json = 1 | " + compiled[1] + " | 1 |",
		"| decode a plan: CPU time, terraform-json = 1 | " + large + ", below 50 kB " + small + " | 1 |",
		"| load a module: CPU time, terraform-config-inspect = 1 | " + min(least(native), least(others)) + " to " + max(most(native), most(others)) + " native, " + least(inJSON) + " JSON | 1 |",
	} {
		if !strings.Contains(string(read(t, "README.md")), want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
}

// TestVersions checks that the documents, CI and go.mod name the same releases of Go,
// and that the documents and package hclconfig name the oldest and the newest recorded
// release of each tool.
func TestVersions(t *testing.T) {
	oldest := regexp.MustCompile(`(?m)^go (1\.\d+)\.`).FindSubmatch(read(t, "go.mod"))
	if oldest == nil {
		t.Fatal("go.mod names no release of Go")
	}
	minor, err := strconv.Atoi(strings.TrimPrefix(string(oldest[1]), "1."))
	if err != nil {
		t.Fatal(err)
	}
	newer := fmt.Sprintf("1.%d", minor+1)

	released := regexp.MustCompile(`(?m)^## \[v?\d`).Match(read(t, "CHANGELOG.md"))
	for page, words := range map[string]string{"README.md": "not released yet", "docs/README.md": "## Before the first release"} {
		if strings.Contains(string(read(t, page)), words) == released {
			t.Errorf("the changelog has a release: %t, but %s says something else", released, page)
		}
	}
	recorded := map[string][]string{}
	archives, err := filepath.Glob(filepath.Join(root, "internal/testing/recordings/testdata/releases/*.gz"))
	if err != nil || len(archives) == 0 {
		t.Fatal(err)
	}
	for _, name := range archives {
		m := regexp.MustCompile(`^(\w+)-(\d+\.\d+)`).FindStringSubmatch(filepath.Base(name))
		recorded[m[1]] = append(recorded[m[1]], "v"+m[2])
	}
	first, last := map[string]string{}, map[string]string{}
	for tool, versions := range recorded {
		semver.Sort(versions)
		first[tool], last[tool] = versions[0][1:], versions[len(versions)-1][1:]
	}
	for _, row := range [][2]string{
		{"README.md", "Needs Go " + string(oldest[1]) + " or newer"},
		{"CONTRIBUTING.md", "it needs Go " + string(oldest[1]) + " and bash"},
		{"COMPATIBILITY.md", "the two newest releases of Go: " + string(oldest[1]) + " and " + newer + "."},
		{".github/workflows/ci.yml", `go: ["` + string(oldest[1]) + `.x", "` + newer + `.x"]`},
		{".ci/run", "local newer=go" + newer + "."},
		{"README.md", "OpenTofu " + first["tofu"] + " to " + last["tofu"] + " and Terraform " + first["terraform"] + " to " + last["terraform"]},
		{"hclconfig/doc.go", last["tofu"] + " and " + last["terraform"]},
		{"CHANGELOG.md", "OpenTofu " + last["tofu"] + " and Terraform " + last["terraform"]},
	} {
		if !strings.Contains(string(read(t, row[0])), row[1]) {
			t.Errorf("%s does not say %q", row[0], row[1])
		}
	}
}

// TestReleaseInExamples checks that examples of pages and templates name the newest release, or
// the first one before there is any.
func TestReleaseInExamples(t *testing.T) {
	changelog := read(t, "CHANGELOG.md")
	newest := regexp.MustCompile(`(?m)^## \[(\d+\.\d+\.\d+\S*?)\]`).FindSubmatch(changelog)
	if newest == nil {
		newest = regexp.MustCompile(`(?m)^This will be v(\d+\.\d+\.\d+\S*?),`).FindSubmatch(changelog)
	}
	if newest == nil {
		t.Fatal("CHANGELOG.md names no release")
	}
	for page, want := range map[string]int{"docs/pull-requests.md": 1, "templates/gitlab.yml": 3, "cmd/tofuwire/README.md": 1} {
		found := regexp.MustCompile(`v\d+\.\d+\.\d+[-+.\w]*\b`).FindAllString(string(read(t, page)), -1)
		if len(found) != want {
			t.Errorf("%s names releases in %d places, want %d", page, len(found), want)
		}
		for _, version := range found {
			if version != "v"+string(newest[1]) {
				t.Errorf("%s has an example with %s; the newest release is v%s", page, version, newest[1])
			}
		}
	}
}

// TestPictures checks that both pictures of the packages show all of them, and their wings.
func TestPictures(t *testing.T) {
	for _, name := range []string{"docs/packages.svg", "docs/packages-dark.svg"} {
		text := string(read(t, name))
		for pkg := range mayImport {
			word := filepath.Base(pkg)
			if strings.Count(pkg, "/") > 1 {
				continue // below a wing
			}
			if !regexp.MustCompile(`[> ]` + word + `[< ]`).MatchString(text) {
				t.Errorf("%s does not show %s", name, pkg)
			}
		}
	}
}

// TestProgramPages checks that each subcommand that has a page below cmd/tofuwire/docs names all of
// its options there.
func TestProgramPages(t *testing.T) {
	pages, err := fs.Glob(os.DirFS(root), "cmd/tofuwire/docs/*.md")
	if err != nil || len(pages) < 15 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	folder := map[string]string{"report": "planreport", "view": "viewer"}
	option := regexp.MustCompile("(?:[fF]lags?|flag|set|f)\\.(?:String|Bool|Int|Int64|Duration)(?:Var)?\\((?:&[\\w.]+, )?\"([a-z-]+)\"|(?:flags?|set|f)\\.(?:Var|Func|BoolFunc|TextVar)\\((?:&?[\\w.]+, )?\"([a-z-]+)\"")
	for _, name := range pages {
		page, subcommand := string(read(t, name)), strings.TrimSuffix(filepath.Base(name), ".md")
		if !strings.HasPrefix(page, "# "+subcommand+"\n") {
			t.Errorf("%s does not begin with the name of its subcommand", name)
		}
		files, err := filepath.Glob(filepath.Join(root, "cmd/tofuwire/internal", cmp.Or(folder[subcommand], subcommand), "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", name, len(files), err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range option.FindAllSubmatch(text, -1) {
				word := "-" + string(m[1]) + string(m[2])
				if !regexp.MustCompile(`[\s\[` + "`" + `]` + word + `\b`).MatchString(page) {
					t.Errorf("%s does not name the option %s", name, word)
				}
			}
		}
	}
}
