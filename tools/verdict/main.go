// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Verdict compares what package hclconfig finds wrong with modules with what a
// real program does. It needs the program and nothing else: no network, and no
// provider except those of -providers.
//
//	verdict judge -tool tofu=PATH DIR...
//	verdict record -tool tofu-1.12.6=PATH [-tool terraform-1.11.4=PATH] FILE
//	verdict compare [-tool NAME=] FILE
//	verdict graph -tool NAME=PATH [-w] DIR|FILE...
//	verdict releases -tool tofu-1.12.6=PATH FILE
//
// judge looks for modules in the directories, runs "validate -json" on each, after
// "init -backend=false" where a module is called, and prints what differs. It
// writes into the directories, so they should be copies. Modules that need a
// provider which is not built in are passed over.
//
// record runs the programs on the modules of a file of JSON lines and writes their
// verdicts into it: see [Case] for its form. New lines have only the member
// files. Those in hclconfig/testdata/meaning are such files, and go test compares
// with them.
//
// With -plan all of them are about [hclcheck.Validation] with Plan: where validate
// accepts a module, "plan -json" is run on it, without a state.
// hclconfig/testdata/plan.jsonl is a file of such verdicts.
//
// compare prints how what the package finds differs from the verdicts of such a
// file, of the programs named or of all, without running anything.
//
// graph compares what depends on what in the graphs of hclcheck and of "graph
// -type=plan", of modules that validate accepts. With -w it writes the latter into
// files of JSON lines; hclconfig/testdata/graph.jsonl is one.
//
// releases runs the programs on the configurations of a text such as
// hclconfig/testdata/releases.txt and writes their verdicts into it: package
// internal/testing/releases has the form. A new release is one more program.
//
// The release in the name of a program is that of the dialect: terraform-1.11.4
// is [hclconfig.Terraform] at 1.11.4, terraform that of the newest release.
package main

import (
	"cmp"
	"encoding/json"
	"flag"
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
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// A Case is one line of a file of recorded verdicts.
type Case struct {
	Name  string            `json:"name,omitempty"`
	Files map[string]string `json:"files"`
	// Verdicts has what each program said, by its name and release.
	Verdicts map[string][]Finding `json:"verdicts,omitempty"`
	// Graphs has the edges of the graph that each program made of it.
	Graphs map[string][]string `json:"graphs,omitempty"`
}

// A Finding is one diagnostic.
type Finding struct {
	// At is FILE:LINE,COLUMN, or empty.
	At       string `json:"at,omitempty"`
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
}

// An asker runs a program on the module in a directory. It reports false if the program
// says nothing about the configuration.
type asker func(tool, dir string) ([]Finding, bool)

type tools map[string]string

func (t tools) String() string { return "" }

func (t tools) Set(s string) error {
	name, path, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("want NAME=PATH")
	}
	t[name] = path
	return nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "verdict:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("usage: verdict judge|record|compare|graph|releases -tool NAME=PATH ARGUMENT")
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	t := tools{}
	flags.Var(t, "tool", "a program, as NAME=`PATH`; NAME begins with tofu or terraform")
	only := flags.Int("max", 0, "judge at most this many modules")
	quiet := flags.Bool("q", false, "print only the totals")
	schemas := flags.String("schemas", "", "file with the schemas of providers")
	cache := flags.String("cache", "", "file that remembers what the programs said")
	flags.StringVar(&providers, "providers", "", "a filesystem mirror `folder` with providers")
	write := flags.Bool("w", false, "with graph, write the graphs into the files")
	plan := flags.Bool("plan", false, "run plan where validate accepts, and compare with Validation.Plan")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	if len(t) == 0 && args[0] != "compare" {
		return fmt.Errorf("no -tool")
	}
	v := hclcheck.Validation{Plan: *plan}
	ask := validate
	if *plan {
		ask = planned
	}
	if *schemas != "" {
		src, err := os.ReadFile(*schemas)
		if err != nil {
			return err
		}
		if v.Schemas, err = hclconfig.DecodeSchemas(src); err != nil {
			return err
		}
	}
	switch args[0] {
	case "judge":
		return judge(t, flags.Args(), *only, *quiet, v, *cache, ask)
	case "record":
		return record(t, flags.Args(), ask)
	case "graph":
		return graph(t, flags.Args(), *write)
	case "compare":
		return compare(t, flags.Args(), v)
	case "releases":
		return recordReleases(t, flags.Args())
	}
	return fmt.Errorf("no command %q", args[0])
}

// modules returns the directories below dir that have configuration files.
func modules(dirs []string) ([]string, error) {
	var out []string
	for _, root := range dirs {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if e.IsDir() && e.Name() == ".terraform" {
				return filepath.SkipDir
			}
			if name, ok := hclconfig.ParseFilename(e.Name()); ok && !e.IsDir() && name.Kind == hclconfig.ConfigFile {
				if dir := filepath.Dir(path); !slices.Contains(out[max(0, len(out)-20):], dir) {
					out = append(out, dir)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// A tally counts how verdicts compare.
type tally struct {
	modules, passed, verdict, place, summary, falseErrors, missed, wrong, warning int
}

func judge(t tools, dirs []string, most int, quiet bool, v hclcheck.Validation, cache string, ask asker) error {
	known := map[string]*[]Finding{}
	if src, err := os.ReadFile(cache); err == nil {
		if err := json.Unmarshal(src, &known); err != nil {
			return fmt.Errorf("%s: %w", cache, err)
		}
	}
	all, err := modules(dirs)
	if err != nil {
		return err
	}
	if most > 0 && len(all) > most {
		all = all[:most]
	}
	for name, path := range t {
		var total tally
		var mu sync.Mutex
		var wait sync.WaitGroup
		lines := make([]string, len(all))
		gate := make(chan bool, runtime.NumCPU())
		for i, dir := range all {
			gate <- true
			wait.Go(func() {
				defer func() { <-gate }()
				mu.Lock()
				had, ok := known[name+" "+dir]
				mu.Unlock()
				if !ok {
					if found, ok := ask(path, dir); ok {
						had = &found
					}
					mu.Lock()
					known[name+" "+dir] = had
					mu.Unlock()
				}
				if had == nil {
					mu.Lock()
					total.passed++
					mu.Unlock()
					return
				}
				want := *had
				got, err := ours(name, dir, v)
				if err != nil {
					got = []Finding{{Severity: "error", Summary: err.Error()}}
				}
				mu.Lock()
				defer mu.Unlock()
				lines[i] = total.add(name, dir, want, got)
			})
		}
		wait.Wait()
		if !quiet {
			for _, l := range lines {
				fmt.Print(l)
			}
		}
		fmt.Printf("%s: %s\n", name, &total)
	}
	if cache == "" {
		return nil
	}
	src, err := json.Marshal(known)
	if err != nil {
		return err
	}
	return os.WriteFile(cache, src, 0o666)
}

// add counts a pair of verdicts and says how they differ.
func (t *tally) add(tool, dir string, want, got []Finding) string {
	t.modules++
	// Where a program knows no place, any will do.
	got = slices.Clone(got)
	for i, f := range got {
		if slices.ContainsFunc(want, func(w Finding) bool { return (w.At == "" || w.At == ":0,0") && w.Summary == f.Summary }) {
			got[i].At = ""
		}
	}
	want = slices.Clone(want)
	for i := range want {
		if want[i].At == ":0,0" {
			want[i].At = ""
		}
	}
	w, g := errorsOf(want), errorsOf(got)
	if len(w) > 0 {
		t.wrong++
	}
	kind := "places differ"
	switch {
	case (len(w) > 0) == (len(g) > 0):
		t.verdict++
	case len(g) > 0:
		t.falseErrors++
		kind = "FALSE"
	default:
		t.missed++
		kind = "MISSED"
	}
	places, summaries := slices.Equal(project(w, false), project(g, false)), slices.Equal(project(w, true), project(g, true))
	if places {
		t.place++
		kind = "summaries differ"
	}
	if summaries {
		t.summary++
	}
	// Without errors warnings are compared as well.
	if len(w) == 0 && len(g) == 0 {
		if slices.Equal(project(want, true), project(got, true)) {
			t.warning++
			return ""
		}
		kind, w, g = "warnings differ", want, got
	} else {
		t.warning++
		if places && summaries {
			return ""
		}
	}
	out := fmt.Sprintf("%s: %s: %s\n", tool, kind, dir)
	for _, f := range w {
		if !slices.Contains(g, f) {
			out += fmt.Sprintf("  - %s: %s\n", f.At, f.Summary)
		}
	}
	for _, f := range g {
		if !slices.Contains(w, f) {
			out += fmt.Sprintf("  + %s: %s\n", f.At, f.Summary)
		}
	}
	return out
}

func errorsOf(f []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(f), func(f Finding) bool { return f.Severity != "error" })
}

// project returns the places, with the summaries if wanted, sorted and each
// once. A cycle has no place in the programs, and the order of its names is
// theirs.
func project(f []Finding, summaries bool) []string {
	var out []string
	for _, f := range f {
		s := f.At
		if strings.HasPrefix(f.Summary, "Cycle: ") {
			f.Summary, s = "Cycle", ""
		}
		if summaries {
			s += " " + f.Summary
		}
		out = append(out, s)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// dialectOf returns the dialect of the program with this name.
func dialectOf(tool string) hclconfig.Dialect {
	dialect := hclconfig.OpenTofu
	program, release, _ := strings.Cut(tool, "-")
	if program == "terraform" {
		dialect = hclconfig.Terraform
	}
	if v, err := addrs.ParseVersion(release); err == nil {
		dialect = dialect.At(v)
	}
	return dialect
}

// ours returns what package hclconfig finds.
func ours(tool, dir string, v hclcheck.Validation) ([]Finding, error) {
	dialect := dialectOf(tool)
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	tree, err := hclnames.LoadTree(os.DirFS("/"), strings.TrimPrefix(dir, "/"), dialect, hclconfig.TestDirectory(""), hclconfig.Workspace("default"))
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, d := range hclcheck.Validate(tree, v) {
		f := Finding{Severity: d.Severity.String(), Summary: d.Summary}
		if d.Subject.IsValid() {
			name, err := filepath.Rel(dir, "/"+d.Subject.Filename)
			if err != nil {
				return nil, err
			}
			f.At = fmt.Sprintf("%s:%d,%d", name, d.Subject.Start.Line, d.Subject.Start.Column)
		}
		out = append(out, f)
	}
	return out, nil
}

func record(t tools, files []string, ask asker) error {
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var out strings.Builder
		for line := range strings.Lines(string(src)) {
			var c Case
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if c.Verdicts == nil {
				c.Verdicts = map[string][]Finding{}
			}
			dir, err := c.write()
			if err != nil {
				return err
			}
			for tool, path := range t {
				found, ok := ask(path, dir)
				if !ok {
					delete(c.Verdicts, tool)
					continue
				}
				slices.SortFunc(found, func(a, b Finding) int {
					return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Summary, b.Summary))
				})
				for i := range found {
					if strings.HasPrefix(found[i].Summary, "Cycle: ") {
						found[i].Summary = "Cycle: " // the order of the names is by chance
					}
				}
				c.Verdicts[tool] = slices.Compact(found)
			}
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			text, err := json.Marshal(c)
			if err != nil {
				return err
			}
			out.Write(text)
			out.WriteByte('\n')
		}
		if err := os.WriteFile(name, []byte(out.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// write writes the files of a case into a new directory.
func (c *Case) write() (string, error) {
	dir, err := os.MkdirTemp("", "verdict-")
	if err != nil {
		return "", err
	}
	for file, text := range c.Files {
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// compare prints what differs from recorded verdicts.
func compare(t tools, files []string, v hclcheck.Validation) error {
	totals := map[string]*tally{}
	for _, name := range files {
		src, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(src)) {
			var c Case
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			dir, err := c.write()
			if err != nil {
				return err
			}
			for _, tool := range slices.Sorted(maps.Keys(c.Verdicts)) {
				if _, ok := t[tool]; len(t) > 0 && !ok {
					continue
				}
				got, err := ours(tool, dir, v)
				if err != nil {
					got = []Finding{{Severity: "error", Summary: err.Error()}}
				}
				if totals[tool] == nil {
					totals[tool] = &tally{}
				}
				fmt.Print(totals[tool].add(tool, c.Name, c.Verdicts[tool], got))
			}
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
		}
	}
	for _, tool := range slices.Sorted(maps.Keys(totals)) {
		fmt.Printf("%s: %s\n", tool, totals[tool])
	}
	return nil
}

func (t *tally) String() string {
	return fmt.Sprintf("%d modules (%d passed over, %d refused by it); same verdict %d (%d false errors, %d missed), same places %d, same summaries %d, same warnings %d",
		t.modules, t.passed, t.wrong, t.verdict, t.falseErrors, t.missed, t.place, t.summary, t.warning)
}
