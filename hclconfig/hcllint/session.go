// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/findings"
	"github.com/zclconf/go-cty/cty"
)

// A target is one module that a command looks at.
type target struct {
	path string // absolute
	root string // the root of the file system it is in
	dir  string // in that file system
	// loaded is the module and what it calls, and calls reports whether it calls anything.
	loaded *hclnames.Tree
	calls  bool
	// callers are the targets that call this one, and are called by none themselves.
	callers []*target
	// calledFrom has, for each diagnostic of the report, the calls that it depends on.
	calledFrom [][]calledModule

	settings  *settings
	analyzers []*Analyzer
	report    *Report
	// kept are the diagnostics that count, with their findings.
	kept     []Diagnostic
	findings []findings.Finding
	used     map[baselineEntry]int // of the baseline
	faults   []findings.ReadFailure
	// names makes names of files in texts relative to the module.
	names *strings.Replacer
	// tree has the directories of all its modules, absolute.
	tree map[string]bool
	// shownFixes is how many fixes the report has.
	shownFixes int
}

// targets returns the modules that directories on the command line name.
func (c *command) targets(dirs []string) (list []*target, faults []findings.ReadFailure) {
	seen := map[string]bool{}
	add := func(dir string) {
		abs, err := filepath.Abs(dir)
		if err != nil || seen[abs] {
			return
		}
		seen[abs] = true
		root := filepath.VolumeName(abs) + string(filepath.Separator)
		inside, err := filepath.Rel(root, abs)
		if err == nil {
			list = append(list, &target{path: abs, root: root, dir: filepath.ToSlash(inside)})
		}
	}
	for _, dir := range dirs {
		base, tree := strings.CutSuffix(filepath.ToSlash(dir), "/...")
		if dir == "..." {
			base, tree = ".", true
		}
		if !tree {
			switch isModule, err := checkDir(dir); {
			case err != nil:
				faults = append(faults, findings.ReadFailure{Message: err.Error(), Filename: filepath.ToSlash(dir)})
			case isModule:
				add(dir)
			}
			continue
		}
		found, tests, err := c.modulesBelow(filepath.FromSlash(cmp.Or(base, "/")))
		if err == nil && len(found) == 0 && !tests {
			err = fmt.Errorf("%s has no configuration files, and neither has any directory below it", base)
		}
		if err != nil {
			faults = append(faults, findings.ReadFailure{Message: err.Error(), Filename: base})
		}
		for _, d := range found {
			add(d)
		}
	}
	return list, faults
}

// absolute returns a path that the working directory does not change.
func absolute(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		return abs
	}
	return name
}

// checkDir reports whether a directory has the files of a module. It returns an error if it
// is none, or has no configuration. Tests, also in the directory "tests", are configuration:
// the rules do not look at them.
func checkDir(dir string) (isModule bool, err error) {
	info, err := os.Stat(dir)
	switch {
	case err != nil:
		return false, err
	case !info.IsDir():
		return false, fmt.Errorf("%s is not a directory", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(entries, isConfiguration) {
		return true, nil
	}
	tests, _ := os.ReadDir(filepath.Join(dir, "tests"))
	if slices.ContainsFunc(append(entries, tests...), isTest) {
		return false, nil
	}
	return false, fmt.Errorf("%s has no configuration files", dir)
}

func isConfiguration(e fs.DirEntry) bool { return isOf(e, hclconfig.ConfigFile) }

func isTest(e fs.DirEntry) bool { return isOf(e, hclconfig.TestFile) }

func isOf(e fs.DirEntry, kind hclconfig.FileKind) bool {
	name, ok := hclconfig.ParseFilename(e.Name())
	return ok && !e.IsDir() && name.Kind == kind
}

// modulesBelow returns the directories with configuration in a tree of directories, and
// whether there are tests. Directories whose names begin with a dot are left out, and links
// are not followed.
func (c *command) modulesBelow(top string) (list []string, tests bool, err error) {
	seen := ""
	err = filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir():
			if name != top && (strings.HasPrefix(e.Name(), ".") || c.isExcluded(absolute(name))) {
				return fs.SkipDir
			}
		case isConfiguration(e):
			if dir := filepath.Dir(name); dir != seen || list == nil {
				seen = dir
				list = append(list, dir)
			}
		case isTest(e):
			tests = true
		}
		return nil
	})
	slices.Sort(list)
	return slices.Compact(list), tests, err
}

// A session has what the targets of a command share.
type session struct {
	*command
	faults []findings.ReadFailure
	force  bool
	// dirs are the directories of the targets.
	dirs []string
	// changed has the files that fixes changed, by their absolute names.
	changed map[string]*hclconfig.File

	lock sync.Mutex
	// set has the variables that callers set, by the directory of the called module and the
	// caller's.
	set map[string]map[string]map[string]bool
	// outside has the variables that callers outside the run set, by the directory of the called
	// module, of each repository that was searched, by its root.
	outside map[string]map[string]map[string]bool
}

func newSession(c *command) *session {
	return &session{command: c, changed: map[string]*hclconfig.File{}}
}

// lint looks at the targets, several at the same time: first at their trees, because who calls
// whom decides how a module is checked.
func (s *session) lint(targets []*target) {
	for _, t := range targets {
		s.dirs = append(s.dirs, t.path)
	}
	s.loadAll(targets)
	s.link(targets)
	s.each(targets, s.checked)
}

func (s *session) workers() int { return runtime.GOMAXPROCS(0) }

// again looks at a target after fixes changed its files, or those of modules around it.
func (s *session) again(t *target) {
	s.loadAll(append([]*target{t}, t.callers...))
	s.checked(t)
	for _, by := range t.callers { // whose tree is another one now
		s.checked(by)
	}
}

// checked checks a target, and keeps what counts.
func (s *session) checked(t *target) {
	if t.loaded == nil {
		return
	}
	if err := s.check(t); err != nil {
		t.faults = append(t.faults, s.fault(t, err))
		return
	}
	s.keep(t, t.loaded.Module)
}

// fault describes an error about a target.
func (s *session) fault(t *target, err error) findings.ReadFailure {
	out := findings.ReadFailure{}
	if e := new(hclconfig.Error); errors.As(err, &e) && e.Filename != "" {
		out.Filename = s.shown(filepath.Join(t.root, filepath.FromSlash(e.Filename)))
		out.Line = e.Line
		out.Message = fmt.Sprintf("%s: %v", out.Filename, e.Err)
		if e.Line > 0 {
			text := e.Err.Error()
			if t.names != nil {
				text = t.names.Replace(text)
			}
			out.Message = fmt.Sprintf("%s:%d,%d: %s", out.Filename, e.Line, e.Column, text)
		}
	} else {
		text, _, _ := strings.Cut(err.Error(), "\n") // without the stack of a panic
		out.Message = s.shown(t.path) + ": " + strings.TrimPrefix(text, "hcllint: ")
	}
	return out
}

// files returns the file system of a target, with the files that fixes changed.
func (s *session) files(t *target) fs.FS {
	fsys := os.DirFS(t.root)
	if len(s.changed) > 0 {
		fsys = hclconfig.Overlay(fsys, slices.Collect(maps.Values(s.changed))...)
	}
	return fsys
}

// namesFrom returns what makes the names of files in texts, which are those in the file
// system of the tree, relative to its root module.
func namesFrom(tree *hclnames.Tree) *strings.Replacer {
	root, seen := tree.Module.Dir, map[string]bool{".": true, "": true}
	var dirs []string
	for t := range tree.All() {
		if d := t.Module.Dir; !seen[d] {
			seen[d] = true
			dirs = append(dirs, d)
		}
	}
	slices.SortFunc(dirs, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	var pairs []string
	for _, d := range dirs {
		to := ""
		if rel, err := filepath.Rel(filepath.FromSlash(root), filepath.FromSlash(d)); err == nil && rel != "." {
			to = filepath.ToSlash(rel) + "/"
		}
		pairs = append(pairs, " "+d+"/", " "+to)
	}
	return strings.NewReplacer(pairs...)
}

// variablesFor returns the values of variables that the command line and the settings give.
func (s *session) variablesFor(t *target) (map[string]cty.Value, error) {
	out, err := t.settings.variables(t.path, nil)
	if err != nil {
		return nil, err
	}
	maps.Copy(out, s.variables)
	return out, nil
}

// keep makes the findings of a target, without those of the baseline.
func (s *session) keep(t *target, m *hclconfig.Module) {
	var at addresses
	if s.baseline != nil || s.writeBaseline != "" || s.format == "sarif" || s.format == "gitlab" {
		at = addressesOf(m)
	}
	_, fixes := findings.Needs(s.format)
	occurrences := map[baselineEntry]int{}
	t.used = map[baselineEntry]int{}
	for i, d := range t.report.Diagnostics {
		if r := t.settings.rules[d.Analyzer.Name]; r.severity != "" {
			d.Severity = r.severity
		}
		d.Message = t.names.Replace(d.Message)
		address := at.of(d.Range)
		f := s.finding(t, d)
		s.showCallers(&f, t.calledFrom[i])
		f.Address = address
		same := baselineEntry{Rule: f.Rule, Module: filepath.ToSlash(filepath.Dir(f.Range.Filename)), Address: f.Address, Message: f.Message}
		f.Occurrence = occurrences[same]
		occurrences[same]++
		if s.baseline != nil {
			if k := entryOf(f, s.baselineFile); t.used[k] < s.baseline.counts[k] {
				t.used[k]++
				continue
			}
		}
		if !s.isKept(f.Range.Filename) {
			continue
		}
		if f.Fixable && !(s.owns(t, d.Fixes[0]) && (s.filter == nil || s.keepsFix(t, d.Fixes[0]))) {
			d.Fixes, f.Fixable = nil, false
		}
		if fixes && f.Fixable {
			f.Fix = s.fixOf(t, d)
		}
		t.kept = append(t.kept, d)
		t.findings = append(t.findings, f)
	}
}

// finding returns a diagnostic as a finding.
func (s *session) finding(t *target, d Diagnostic) findings.Finding {
	name := func(file string) string { return s.shown(filepath.Join(t.root, filepath.FromSlash(file))) }
	f := findings.Finding{Rule: d.Analyzer.Name, Severity: string(d.Severity), Message: d.Message, URL: d.Analyzer.URL, Range: d.Range, Fixable: len(d.Fixes) > 0}
	f.Range.Filename = name(d.Range.Filename)
	for _, r := range d.Related {
		rel := findings.Related{Range: r.Range, Message: r.Message}
		rel.Range.Filename = name(r.Range.Filename)
		f.Related = append(f.Related, rel)
	}
	return f
}

// findings returns what counts of all targets, and collects their faults.
func (s *session) findings(targets []*target) []findings.Finding {
	type place struct {
		rule    string
		at      addrs.Range
		message string
	}
	seen := map[place]bool{}
	var out []findings.Finding
	for _, t := range targets {
		for _, f := range t.findings {
			// A rule may look into called modules, which may be targets themselves.
			key := place{f.Rule, f.Range, f.Message}
			if !seen[key] {
				seen[key] = true
				out = append(out, f)
			}
		}
		for _, f := range t.faults { // those of a called module are faults of each caller
			if !slices.Contains(s.faults, f) {
				s.faults = append(s.faults, f)
			}
		}
		s.force = s.force || t.settings != nil && t.settings.force
	}
	slices.SortStableFunc(out, func(a, b findings.Finding) int {
		return cmp.Or(strings.Compare(a.Range.Filename, b.Range.Filename), cmp.Compare(a.Range.Start.Line, b.Range.Start.Line))
	})
	return out
}

// stale returns the entries of the baseline that no finding has any more, of the modules
// that were looked at.
func (s *session) stale(targets []*target) []baselineEntry {
	used, looked := map[baselineEntry]int{}, map[string]bool{}
	for _, t := range targets {
		if t.report == nil {
			continue
		}
		for k, n := range t.used {
			used[k] += n
		}
		in := findings.Finding{}
		in.Range.Filename = s.shown(filepath.Join(t.path, "main.tf"))
		looked[entryOf(in, s.baselineFile).Module] = true
	}
	var out []baselineEntry
	for _, e := range s.baseline.Findings {
		if used[e.key()] < s.baseline.counts[e.key()] && looked[e.Module] {
			used[e.key()] = s.baseline.counts[e.key()]
			out = append(out, e)
		}
	}
	return out
}

// report returns the report of a list of findings.
func (s *session) report(targets []*target, list []findings.Finding) *findings.Report {
	out := &findings.Report{Tool: s.tool(), Program: s.name, URL: s.page, Findings: list, Faults: s.faults, Colors: s.colors}
	if s.format == "compact" || s.format == "json" {
		return out
	}
	ran := map[*Analyzer]bool{}
	for _, t := range targets {
		for _, a := range t.analyzers {
			ran[a] = true
		}
	}
	for a := range ran {
		out.Rules = append(out.Rules, findings.Rule{Name: a.Name, Doc: a.Doc, URL: a.URL, Severity: string(a.severity())})
	}
	slices.SortFunc(out.Rules, func(a, b findings.Rule) int { return strings.Compare(a.Name, b.Name) })
	out.Dir = s.working
	out.Text = func(name string) []byte {
		file := filepath.FromSlash(name)
		if !filepath.IsAbs(file) {
			file = filepath.Join(s.working, file)
		}
		if f, ok := s.changed[file]; ok {
			return f.Bytes()
		}
		src, _ := os.ReadFile(file)
		return src
	}
	return out
}
