// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllinttest

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/unifieddiff"
)

// A T is a test, such as a *testing.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Run runs analyzers on the module in a directory and reports each difference from what the
// files of the module, and of the modules that it calls, expect. It returns the report of
// the first round, or nil if there is none. The analyzers have their default options: to test
// others, run a copy of the analyzer with them in Options.
//
// If the test has a flag called update, as in
//
//	var _ = flag.Bool("update", false, "write golden files")
//
// then "go test -update" writes the golden files instead of comparing them.
func Run(t T, dir string, analyzers ...*hcllint.Analyzer) *hcllint.Report {
	t.Helper()
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Errorf("%v", err)
		return nil
	}
	// Local modules may be beside the directory, so the file system is that of the machine.
	top := filepath.VolumeName(abs) + string(filepath.Separator)
	inside, err := filepath.Rel(top, abs)
	if err != nil {
		t.Errorf("%v", err)
		return nil
	}
	fsys, name := os.DirFS(top), filepath.ToSlash(inside)
	report, tree, err := lint(fsys, name, analyzers)
	if err != nil {
		t.Errorf("%v", err)
		return nil
	}
	if len(tree.Module.Files) == 0 {
		t.Errorf("%s: no configuration files", dir)
		return nil
	}
	for _, err := range report.Errors {
		t.Errorf("%v", err)
	}
	k := kit{t: t, fsys: fsys, top: top, dir: name, analyzers: analyzers}
	for m := range tree.All() {
		if !slices.Contains(k.modules, m.Module) {
			k.modules = append(k.modules, m.Module)
		}
	}
	k.compare(report.Diagnostics)
	k.golden(report)
	return report
}

func lint(fsys fs.FS, dir string, analyzers []*hcllint.Analyzer) (*hcllint.Report, *hclnames.Tree, error) {
	tree, err := hclnames.LoadTree(fsys, dir, hclconfig.OpenTofu)
	if err != nil {
		return nil, nil, err
	}
	report, err := hcllint.Run(tree, analyzers, hcllint.RunOptions{})
	return report, tree, err
}

// A kit is one call of Run.
type kit struct {
	t         T
	fsys      fs.FS
	top, dir  string
	analyzers []*hcllint.Analyzer
	modules   []*hclconfig.Module // that in dir, and those that are called
}

// compare matches findings with expectations.
func (k *kit) compare(found []hcllint.Diagnostic) {
	t := k.t
	t.Helper()
	wants := map[string][]*want{}
	var files []*hclconfig.File
	for _, m := range k.modules {
		files = append(files, m.Files...)
	}
	for _, f := range files {
		list, err := wantsOf(f)
		if err != nil {
			t.Errorf("%s: %v", k.short(f.Filename()), err)
		}
		wants[f.Filename()] = list
	}
	for _, d := range found {
		if !slices.ContainsFunc(candidates(wants[d.Range.Filename], d), func(w *want) bool { return w.take(d.Message) }) {
			t.Errorf("%s:%d,%d: unexpected finding of %s: %s", k.short(d.Range.Filename), d.Range.Start.Line, d.Range.Start.Column, d.Analyzer.Name, d.Message)
		}
	}
	for _, f := range files {
		for _, w := range wants[f.Filename()] {
			for i, re := range w.texts {
				if !w.taken[i] {
					t.Errorf("%s:%d: no finding that matches %q", k.short(f.Filename()), w.line, re)
				}
			}
		}
	}
}

// short returns the name of a file relative to the directory of the test.
func (k *kit) short(name string) string {
	if rel, err := filepath.Rel(filepath.FromSlash(k.dir), filepath.FromSlash(name)); err == nil {
		return filepath.ToSlash(rel)
	}
	return name
}

// A want is what one comment expects.
type want struct {
	line       int
	start, end int64 // of the object in JSON; of the line otherwise
	texts      []*regexp.Regexp
	taken      []bool
}

// take reports whether the want has a place for a message that nothing has taken yet.
func (w *want) take(message string) bool {
	for i, re := range w.texts {
		if !w.taken[i] && re.MatchString(message) {
			w.taken[i] = true
			return true
		}
	}
	return false
}

// candidates returns the wants for the place of a finding: of the innermost object.
func candidates(list []*want, d hcllint.Diagnostic) (out []*want) {
	at := d.Range.Start.Offset
	for _, w := range list {
		switch {
		case at < w.start || at >= w.end:
		case len(out) > 0 && w.start > out[0].start:
			out = []*want{w}
		default:
			out = append(out, w)
		}
	}
	return out
}

// wantsOf reads the expectations in a file.
func wantsOf(f *hclconfig.File) ([]*want, error) {
	if f.Syntax() == hclconfig.JSONSyntax {
		return jsonWants(f)
	}
	var out []*want
	src := f.Bytes()
	for at, comment := range hcllint.Comments(f) {
		text, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimLeft(comment, "#/*")), "want ")
		if !ok {
			continue
		}
		w := &want{line: int(at.Start.Line), start: at.Start.Offset, end: at.End.Offset + 1}
		for w.start > 0 && src[w.start-1] != '\n' {
			w.start--
		}
		w.end = max(w.end, below(src, w.start, at.Start.Offset))
		if err := w.parse(strings.TrimSuffix(text, "*/")); err != nil {
			return out, fmt.Errorf("line %d: %w", w.line, err)
		}
		out = append(out, w)
	}
	return out, nil
}

// heredoc finds the beginning of a heredoc at the end of a line.
var heredoc = regexp.MustCompile(`<<-?([\pL_][\pL\pN_-]*)\s*$`)

// below returns the end of what a comment that is alone on its line is about besides: the next
// line, with the heredoc that begins in it.
func below(src []byte, line, comment int64) int64 {
	if len(bytes.TrimSpace(src[line:comment])) > 0 {
		return 0
	}
	rest := src[comment:]
	next := func() []byte { // takes a line
		l, after, _ := bytes.Cut(rest, []byte("\n"))
		rest = after
		return l
	}
	next()
	if m := heredoc.FindSubmatch(bytes.TrimRight(next(), "\r")); m != nil {
		for len(rest) > 0 && string(bytes.TrimSpace(next())) != string(m[1]) {
		}
	}
	return int64(len(src) - len(rest))
}

// parse reads the regular expressions after the word want.
func (w *want) parse(text string) error {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		quoted, err := strconv.QuotedPrefix(text)
		if err != nil {
			return fmt.Errorf("want is followed by %q, which is not a text in quotes", text)
		}
		text = text[len(quoted):]
		plain, err := strconv.Unquote(quoted)
		if err != nil {
			return err
		}
		re, err := regexp.Compile(plain)
		if err != nil {
			return err
		}
		w.texts, w.taken = append(w.texts, re), append(w.taken, false)
	}
	if w.texts == nil {
		return errors.New("want is followed by nothing")
	}
	return nil
}

// golden makes the fixes and compares the files with the golden ones.
func (k *kit) golden(report *hcllint.Report) {
	t, fsys := k.t, k.fsys
	t.Helper()
	files := map[string]*hclconfig.File{} // that fixes change
	for range maxRounds {
		changed := report.Fix()
		if len(changed) == 0 {
			break
		}
		for _, f := range changed {
			files[f.Filename()] = f
		}
		var err error
		if report, _, err = lint(hclconfig.Overlay(fsys, slices.Collect(maps.Values(files))...), k.dir, k.analyzers); err != nil {
			t.Errorf("after the fixes: %v", err)
			return
		}
		for _, err := range report.Errors {
			t.Errorf("after the fixes: %v", err)
		}
	}
	var names []string
	for _, m := range k.modules {
		entries, err := fs.ReadDir(fsys, m.Dir)
		if err != nil {
			t.Errorf("%v", err)
		}
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".golden") {
				names = append(names, path.Join(m.Dir, e.Name()))
			}
		}
	}
	for _, name := range names {
		wanted, err := fs.ReadFile(fsys, name)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		of := strings.TrimSuffix(name, ".golden")
		var got []byte
		if f := files[of]; f != nil {
			got = f.Bytes()
		} else if got, err = fs.ReadFile(fsys, of); err != nil {
			t.Errorf("%v", err)
		}
		if string(got) != string(wanted) && !k.update(name, got) {
			var diff strings.Builder
			_ = unifieddiff.Write(&diff, path.Base(of), string(wanted), string(got))
			t.Errorf("%s after the fixes differs from its golden file (- golden file, + after the fixes):\n%s", k.short(of), diff.String())
		}
	}
	for name, got := range files {
		if !slices.Contains(names, name+".golden") && !k.update(name+".golden", got.Bytes()) {
			t.Errorf("%s has no golden file, but fixes change it to:\n%s", k.short(name), got.Bytes())
		}
	}
}

// update writes a golden file, if the test has a flag called update and it is set.
func (k *kit) update(name string, text []byte) bool {
	f := flag.Lookup("update")
	if f == nil || f.Value.String() != "true" {
		return false
	}
	if err := os.WriteFile(filepath.Join(k.top, filepath.FromSlash(name)), text, 0o644); err != nil {
		k.t.Errorf("%v", err)
	}
	return true
}

// maxRounds is how often fixes are made.
const maxRounds = 100
