// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllsp

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
)

// modulesOfTests returns the directories with configuration below others, copied to a folder
// without a repository above it that has settings.
func modulesOfTests(t *testing.T, tops ...string) []string {
	t.Helper()
	root := realPath(t.TempDir())
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	dirs := map[string]bool{}
	for i, top := range tops {
		into := filepath.Join(root, fmt.Sprint(i))
		err := filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
			rel, relErr := filepath.Rel(top, name)
			if err != nil || relErr != nil || e.IsDir() {
				return err
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			to := filepath.Join(into, rel)
			if isConfiguration(e) {
				dirs[filepath.Dir(to)] = true
			}
			if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
				return err
			}
			return os.WriteFile(to, src, 0o666)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var out []string
	for d := range dirs {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}

// TestParity wants the findings of "lint ." in the directory of each module: same rules, messages
// and places.
func TestParity(t *testing.T) {
	dirs := modulesOfTests(t, "../testdata/modules", "../hcllint/rules/testdata")
	if len(dirs) < 50 {
		t.Fatalf("only %d modules", len(dirs))
	}
	analyzers := rules.All()
	if !slices.Contains(analyzers, hcllint.Checker()) {
		analyzers = append(analyzers, hcllint.Checker())
	}
	s := newServer(t.Context(), newConn(nil, &bytes.Buffer{}), Options{Analyzers: analyzers})
	defer s.close()
	s.enc = utf8Encoding
	total := 0
	for _, dir := range dirs {
		t.Chdir(dir)
		var stdout, stderr bytes.Buffer
		hcllint.Command([]string{"-format", "text", "."}, nil, &stdout, &stderr, analyzers...)
		if strings.Contains(stderr.String(), "syntax") {
			continue // what can be read is looked at here
		}
		var want []string
		for line := range strings.Lines(stdout.String()) {
			name, rest, _ := strings.Cut(strings.TrimSpace(line), ":")
			if strings.Contains(name, "/") && !strings.HasPrefix(name, "tests/") {
				continue // of a called module
			}
			at, rest, _ := strings.Cut(rest, ": ")
			lineNumber, _, _ := strings.Cut(at, ",")
			want = append(want, name+":"+lineNumber+": "+rest)
		}
		var got []string
		for name, list := range s.check(s.view(), dir).files {
			rel, err := filepath.Rel(dir, osPath(name))
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range list {
				severity := map[int]string{severityError: "error", severityWarning: "warning", severityInformation: "notice"}[d.Severity]
				got = append(got, fmt.Sprintf("%s:%d: %s: %s (%s)", filepath.ToSlash(rel), d.Range.Start.Line+1, severity, d.Message, d.Code))
			}
		}
		total += len(got)
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s\n%s", dir, diff, stderr.String())
		}
	}
	if total < 100 {
		t.Errorf("only %d findings", total)
	}
}

// TestRepaired breaks each file at many places: what is understood keeps the lines, has no syntax
// error, and what is far from the place has its place.
func TestRepaired(t *testing.T) {
	src := []byte(root)
	before := (&parsedFile{path: "main.tf", text: src}).meaning(hclconfig.OpenTofu).real
	lost := 0
	for at := 0; at < len(src); at += 7 {
		for _, insert := range []string{"{", "}", "\"", "(", "= =", "<<EOT\n"} {
			text := slices.Concat(src[:at], []byte(insert), src[at:])
			m := (&parsedFile{path: "main.tf", text: text}).meaning(hclconfig.OpenTofu)
			if m.real.Err() == nil {
				continue
			}
			if len(m.understood.Bytes()) != len(text) {
				t.Fatalf("%d %q: %d bytes of %d", at, insert, len(m.understood.Bytes()), len(text))
			}
			if m.understood.Err() != nil {
				lost++
				continue
			}
			if n := len(m.understood.Body().Blocks); n < len(before.Body().Blocks)-2 {
				lost++
			}
		}
	}
	if lost > 60 {
		t.Errorf("%d texts lost more than two blocks", lost)
	}
}
