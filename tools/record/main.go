// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tofuwire/tofuwire/tools/internal/tofuwire"
)

// options are the flags.
type options struct {
	root, bin, providers, only, out, from  string
	check, verbose, report, release, graph bool
	resolutions                            bool
	diffs, tries                           int
}

func main() {
	var o options
	flag.StringVar(&o.root, "root", filepath.Join("..", ".."), "the `folder` of the library")
	flag.StringVar(&o.bin, "bin", "tofu", "the `binary` of OpenTofu or Terraform")
	flag.StringVar(&o.providers, "providers", "", "a filesystem mirror `folder` with the providers")
	flag.StringVar(&o.only, "case", "", "run only the cases whose name matches the regular `expression`")
	flag.StringVar(&o.out, "out", "", "write every recording to this `folder`, as CASE/TOOL-VERSION/NAME")
	flag.StringVar(&o.from, "from", "", "run nothing; use what an earlier run wrote to this `folder` with -out")
	flag.BoolVar(&o.check, "check", false, "compare with what is there, write nothing")
	flag.IntVar(&o.diffs, "diffs", 6, "how many differences to print for each file")
	flag.IntVar(&o.tries, "tries", 3, "how many `times` to run a case that depends on chance, until it matches the recording")
	flag.BoolVar(&o.report, "report", false, "run nothing: make the reports of all releases, and the table in COMPATIBILITY.md")
	flag.BoolVar(&o.release, "release", false, "record the common set of cases into the archive of the binary's release, and make the reports")
	flag.BoolVar(&o.graph, "graph", false, "compare the graphs of package plangraph with the tool's, for the configurations in graphs; -out writes what was compared")
	flag.BoolVar(&o.resolutions, "resolutions", false, "record which versions of providers the tool selects, for package install")
	flag.BoolVar(&o.verbose, "v", false, "also list the files that did not change")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := Main(ctx, os.Stdout, o)
	tofuwire.Remove()
	if err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		stop()
		os.Exit(1)
	}
}

// ErrDiffer means that something was not remade as it is.
var ErrDiffer = errors.New("recordings differ from the committed ones")

// Main runs the scripts of the tool that the binary is.
func Main(ctx context.Context, w io.Writer, o options) error {
	if o.report {
		return report(w, o)
	}
	bin, err := exec.LookPath(o.bin)
	if err != nil {
		return err
	}
	if bin, err = filepath.Abs(bin); err != nil {
		return err
	}
	tool, version, err := toolVersion(ctx, bin)
	if err != nil {
		return err
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return err
	}
	if o.resolutions {
		return resolutions(ctx, w, bin, o.root, tool+" "+version)
	}
	if o.graph {
		return graphs(ctx, w, bin, o.root, o.providers, o.out, only.MatchString)
	}
	if o.release {
		if err := RecordRelease(ctx, w, o, bin, tool, version, only); err != nil {
			return err
		}
		o.report = true
		return Main(ctx, w, o)
	}
	return recordScripts(ctx, w, o, bin, tool, version, only)
}

// report writes the reports of the releases, or compares them with those that are kept.
func report(w io.Writer, o options) error {
	reports, err := Reports(o.root)
	if err != nil {
		return err
	}
	stale, err := WriteReports(o.root, reports, o.check)
	for _, name := range stale {
		fmt.Fprintln(w, name)
	}
	if err == nil && o.check && len(stale) > 0 {
		err = ErrDiffer
	}
	return err
}

// recordScripts runs the scripts of a version of a tool, as far as only wants their
// cases, and keeps or compares what they print.
func recordScripts(ctx context.Context, w io.Writer, o options, bin, tool, version string, only *regexp.Regexp) error {
	all, err := LoadScripts(o.root)
	if err != nil {
		return err
	}
	scripts := Choose(all, tool, version)
	if len(scripts) == 0 || scripts[0].Version != version && !o.check && o.out == "" {
		return fmt.Errorf("there are no recordings of %s %s; -out FOLDER makes some with the scripts of another version", tool, version)
	}
	scratch, err := os.MkdirTemp("", "record-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	root, err := filepath.Abs(o.root)
	if err != nil {
		return err
	}
	r := &Runner{Root: root, Binary: bin, Sources: NewMirrors(root, o.providers, scratch, w), Scratch: scratch, From: o.from}
	t := tally{Writer: w, verbose: o.verbose, diffs: o.diffs, tries: o.tries, unkept: make(map[string]bool)}
	for _, s := range scripts {
		if !only.MatchString(s.Case) {
			continue
		}
		fmt.Fprintf(w, "== %s, the script of %s, with %s %s\n", s.Case, s.Name(), tool, version)
		if s.Skip != "" {
			fmt.Fprintf(w, "skipped: %s\n", s.Skip)
			t.skipped++
			continue
		}
		out := ""
		if o.out != "" {
			out = filepath.Join(o.out, filepath.FromSlash(s.Case), tool+"-"+version)
		}
		if o.check || s.Version != version {
			err = t.check(ctx, r, s, out)
		} else {
			err = t.remake(ctx, r, s, out)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d files the same, %d the same except for values that differ from run to run, %d differ, %d differ by chance, %d steps failed, %d cases skipped\n",
		t.same, t.alike, t.differ, t.chances, t.failed, t.skipped)
	if len(t.unkept) > 0 {
		fmt.Fprintf(w, "%d raw states are not kept yet\n", len(t.unkept))
	}
	if t.differ+t.failed > 0 {
		return ErrDiffer
	}
	return nil
}

// toolVersion asks a binary what it is.
func toolVersion(ctx context.Context, bin string) (tool, version string, err error) {
	cmd := exec.CommandContext(ctx, bin, "version")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "CHECKPOINT_DISABLE=1"} // no CLI configuration
	text, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("%s version: %w", bin, err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	name, version, ok := strings.Cut(line, " v")
	tool, known := map[string]string{"OpenTofu": "tofu", "Terraform": "terraform"}[name]
	if !ok || !known {
		return "", "", fmt.Errorf("%s is neither OpenTofu nor Terraform: %q", bin, line)
	}
	return tool, version, nil
}

// writeAll writes recordings to a folder, under their own names.
func writeAll(dir string, recs []Recording) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, r := range recs {
		if err := os.WriteFile(filepath.Join(dir, r.Name), r.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// A tally counts and prints what became of the files.
type tally struct {
	io.Writer
	verbose bool
	diffs   int // how many differences of a file are told
	tries   int // how often a script is run that depends on chance

	same, alike, differ, chances, failed, skipped int
	unkept                                        map[string]bool // the files of raw states that the recordings lack
}

// run runs a script and reports what failed.
func (t *tally) run(ctx context.Context, r *Runner, s *Script, out string) ([]Recording, error) {
	recs, wrong, err := r.Run(ctx, s)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, err := range append(wrong, err) {
		if err != nil {
			fmt.Fprintln(t, err)
			t.failed++
		}
	}
	if out != "" {
		return recs, writeAll(out, recs)
	}
	return recs, nil
}

// remake runs a script and writes the files that keep its recordings.
func (t *tally) remake(ctx context.Context, r *Runner, s *Script, out string) error {
	recs, err := t.run(ctx, r, s, out)
	if err != nil {
		return err
	}
	pairs, err := t.pairs(r.Root, recs, false)
	for _, p := range pairs {
		if err := os.WriteFile(filepath.Join(r.Root, filepath.FromSlash(p.File)), p.New, 0o644); err != nil {
			return err
		}
		fmt.Fprintln(t, "wrote", p.File)
	}
	return err
}

// pairs returns what files keep of the recordings, before and now. With check,
// raw states that no file keeps are left out and counted.
func (t *tally) pairs(root string, recs []Recording, check bool) ([]Pair, error) {
	var pairs []Pair
	for _, r := range recs {
		for _, keep := range r.Keep {
			file, _ := cut(keep)
			part, err := Part(keep, r.Data)
			if err != nil {
				fmt.Fprintf(t, "%s: %v\n", file, err)
				t.failed++
				continue
			}
			old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			if check && r.Raw && err != nil {
				t.unkept[file] = true
				continue
			}
			pairs = append(pairs, Pair{File: file, Old: old, New: part, Encryption: r.Encryption})
		}
	}
	return pairs, nil
}

// check runs a script and compares its recordings with the files that keep
// them. As long as a recording differs that depends on chance, the script is run
// again, but not too often.
func (t *tally) check(ctx context.Context, r *Runner, s *Script, out string) error {
	chance := map[string]string{} // why a file depends on chance
	var verdicts []Verdict
	for try := 1; ; try++ {
		recs, err := t.run(ctx, r, s, out)
		if err != nil {
			return err
		}
		for _, rec := range recs {
			for _, keep := range rec.Keep {
				if file, _ := cut(keep); rec.Race != "" {
					chance[file] = rec.Race
				}
			}
		}
		pairs, err := t.pairs(r.Root, recs, true)
		if err != nil {
			return err
		}
		again := false
		for i, v := range Compare(pairs, s) {
			switch {
			case try == 1:
				verdicts = append(verdicts, v)
			case i < len(verdicts) && verdicts[i].File == v.File && verdicts[i].Diffs != nil && chance[v.File] != "":
				verdicts[i] = v
			}
			again = again || i < len(verdicts) && verdicts[i].Diffs != nil && chance[verdicts[i].File] != ""
		}
		if !again || try >= t.tries {
			break
		}
	}
	for _, v := range verdicts {
		t.tell(v, chance[v.File])
	}
	return nil
}

// tell prints a verdict and counts it.
func (t *tally) tell(v Verdict, chance string) {
	switch {
	case v.Same:
		t.same++
	case v.Diffs == nil:
		t.alike++
	case chance != "":
		t.chances++
		fmt.Fprintf(t, "%s differs by chance: %s\n", v.File, chance)
	default:
		t.differ++
		fmt.Fprintf(t, "%s differs:\n", v.File)
	}
	if v.Diffs == nil && t.verbose {
		fmt.Fprintln(t, v.File)
	}
	for i, d := range v.Diffs {
		if i == t.diffs {
			fmt.Fprintf(t, "    and %d more\n", len(v.Diffs)-i)
			break
		}
		fmt.Fprintln(t, "   ", strings.TrimPrefix(d, v.File+": "))
	}
}
