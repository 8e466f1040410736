// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lintverdict compares the rules of hcllint with those of tflint that have the same names, on
// module directories.
//
//	go run -C tools ./lintverdict [-tflint PROGRAM] [-cache DIR] [-o FILE] [LIST]
//
// LIST, or standard input, has a directory a line. It runs tflint in each, with all rules of
// its terraform ruleset, or takes what it printed from the folder -cache, and then the rules
// here. It prints each finding that only one of them has, and how many there are by rule.
// With -o it writes what tflint finds to a file; that of the modules in
// hclconfig/hcllint/rules/testdata is tflint.txt there. The exit status is 1 if there are
// differences.
//
//	go run -C tools ./lintverdict -doc ../docs/lint-rules.md
//
// writes the page of the rules from their Doc.
package main

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint"
	"github.com/tofuwire/tofuwire/hclconfig/hcllint/rules"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
)

// config turns all rules of tflint on, also the one that its preset "all" lacks.
const config = `plugin "terraform" {
  enabled = true
  preset  = "all"
}
rule "terraform_module_shallow_clone" {
  enabled = true
}
config {
  call_module_type = "none"
}
`

// A finding is one of either program.
type finding struct {
	file         string
	line, column int
	rule, text   string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d,%d: %s (%s)", f.file, f.line, f.column, f.text, f.rule)
}

func compare(a, b finding) int {
	return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.column, b.column),
		strings.Compare(a.rule, b.rule), strings.Compare(a.text, b.text))
}

func main() {
	program := flag.String("tflint", "tflint", "the `program`")
	cache := flag.String("cache", "", "a `folder` for what tflint prints")
	out := flag.String("o", "", "the `file` for what tflint finds")
	page := flag.String("doc", "", "the `file` for the page of the rules; nothing is compared then")
	flag.Parse()
	if *page != "" {
		if err := os.WriteFile(*page, []byte(document()), 0o666); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		return
	}
	n, err := run(*program, *cache, *out, flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if n > 0 {
		os.Exit(1)
	}
}

// run compares the directories of a list and returns the number of differences.
func run(program, cache, out, list string) (int, error) {
	in := io.Reader(os.Stdin)
	if list != "" {
		f, err := os.Open(list)
		if err != nil {
			return 0, err
		}
		defer f.Close()
		in = f
	}
	t := tflint{program: program, cache: cache}
	if err := t.start(); err != nil {
		return 0, err
	}
	var verdicts []string
	total := sum{rules: map[string]*[3]int{}}
	for s := bufio.NewScanner(in); s.Scan(); {
		theirs, failed, err := t.findings(s.Text())
		if err != nil {
			return 0, err
		}
		for _, f := range theirs {
			verdicts = append(verdicts, filepath.Base(s.Text())+"/"+f.String()+"\n")
		}
		ours, errs := findings(s.Text())
		total.add(s.Text(), theirs, ours, failed, errs)
	}
	total.print()
	if out != "" {
		slices.Sort(verdicts)
		return total.differences, os.WriteFile(out, []byte(strings.Join(verdicts, "")), 0o666)
	}
	return total.differences, nil
}

// A tflint runs the program, or knows what it printed.
type tflint struct{ program, cache, config string }

func (t *tflint) start() error {
	dir := t.cache
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "lintverdict"); err != nil {
			return err
		}
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	t.cache, t.config = dir, filepath.Join(dir, "config.hcl")
	return os.WriteFile(t.config, []byte(config), 0o666)
}

// output returns what tflint prints for a directory.
func (t *tflint) output(dir string) ([]byte, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	kept := filepath.Join(t.cache, fmt.Sprintf("%x.json", sha256.Sum256([]byte(abs)))[:20])
	if out, err := os.ReadFile(kept); err == nil && len(out) > 0 {
		return out, nil
	}
	cmd := exec.Command(t.program, "--config", t.config, "--format", "json")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.cache} // no TF_VAR_*
	out, err := cmd.Output()
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	return out, os.WriteFile(kept, out, 0o666)
}

// findings returns what tflint finds, and why it did not look.
func (t *tflint) findings(dir string) (out []finding, failed string, err error) {
	printed, err := t.output(dir)
	if err != nil {
		return nil, "", err
	}
	var doc struct {
		Issues []struct {
			Rule    struct{ Name string }
			Message string
			Range   struct {
				Filename string
				Start    struct{ Line, Column int }
			}
		}
		Errors []struct{ Message string }
	}
	if err := json.Unmarshal(printed, &doc); err != nil {
		return nil, "", fmt.Errorf("%s: %w", dir, err)
	}
	for _, i := range doc.Issues {
		out = append(out, finding{i.Range.Filename, max(1, i.Range.Start.Line), max(1, i.Range.Start.Column), i.Rule.Name, i.Message})
	}
	for _, e := range doc.Errors {
		failed = cmp.Or(failed, e.Message)
	}
	return out, failed, nil
}

// findings returns what the rules here find.
func findings(dir string) (out []finding, errs []error) {
	tree, err := hclnames.LoadTree(os.DirFS(dir), ".", hclconfig.Terraform, hclconfig.Workspace("default"))
	if err != nil {
		return nil, []error{err}
	}
	tree.Children = nil // as call_module_type = "none"
	var tflints []*hcllint.Analyzer
	for _, a := range rules.All() {
		if strings.HasPrefix(a.Name, "terraform_") {
			tflints = append(tflints, a)
		}
	}
	report, err := hcllint.Run(tree, tflints, hcllint.RunOptions{})
	if err != nil {
		return nil, []error{err}
	}
	for _, d := range report.Diagnostics {
		out = append(out, finding{d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column, d.Analyzer.Name, d.Message})
	}
	return out, report.Errors
}

// A sum counts findings: for each rule those that both have, only tflint, and only we.
type sum struct {
	directories, failed, differences int
	rules                            map[string]*[3]int
}

func (s *sum) add(dir string, theirs, ours []finding, failed string, errs []error) {
	s.directories++
	for _, err := range errs {
		fmt.Printf("%s: ! %v\n", dir, err)
	}
	if failed != "" {
		s.failed++
		fmt.Printf("%s: tflint: %s\n", dir, strings.ReplaceAll(failed, "\n", " "))
		return
	}
	slices.SortFunc(theirs, compare)
	slices.SortFunc(ours, compare)
	count := func(f finding, which int, mark string) {
		if s.rules[f.rule] == nil {
			s.rules[f.rule] = new([3]int)
		}
		s.rules[f.rule][which]++
		if mark != "" {
			s.differences++
			fmt.Printf("%s: %s %v\n", dir, mark, f)
		}
	}
	for len(theirs) > 0 || len(ours) > 0 {
		switch {
		case len(ours) == 0 || len(theirs) > 0 && compare(theirs[0], ours[0]) < 0:
			count(theirs[0], 1, "-")
			theirs = theirs[1:]
		case len(theirs) == 0 || compare(theirs[0], ours[0]) > 0:
			count(ours[0], 2, "+")
			ours = ours[1:]
		default:
			count(ours[0], 0, "")
			theirs, ours = theirs[1:], ours[1:]
		}
	}
}

func (s *sum) print() {
	names := []string{}
	for name := range s.rules {
		names = append(names, name)
	}
	slices.Sort(names)
	fmt.Printf("%d directories, in %d of them tflint failed\n", s.directories, s.failed)
	for _, name := range names {
		r := s.rules[name]
		fmt.Printf("%-40s %6d both %6d tflint only %6d hcllint only\n", name, r[0], r[1], r[2])
	}
}
