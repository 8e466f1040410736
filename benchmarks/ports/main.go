// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Ports runs the tests of released programs twice: as they are, and with files of
// ours in the place of those that read plans or edit configurations. It fails if a test that passed
// before does not pass afterwards.
//
//	go run ./ports [-only NAME] [-terraform PATH] [-plugins DIR] [-work DIR]
//
// It needs the Go module proxy for the programs and what they import, and for some
// of their tests a terraform or tofu on the PATH, and the registry for the provider
// null, or with -plugins a folder with packed providers, as `tofu providers mirror`
// makes it. Tests that lack one of them fail before as well, and are counted.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A runner runs ports.
type runner struct {
	root      string // of tofuwire
	work      string // a scratch folder
	terraform string // the path of a binary, or ""
	plugins   string // a folder with providers, or ""
	out       io.Writer
}

func main() {
	r := runner{out: os.Stdout}
	only := flag.String("only", "", "run the port with this `name`")
	flag.StringVar(&r.terraform, "terraform", "", "the `path` of a terraform or tofu (the one on the PATH)")
	flag.StringVar(&r.plugins, "plugins", "", "a `folder` with packed providers")
	flag.StringVar(&r.work, "work", "", "a scratch `folder` that stays (a temporary one)")
	flag.Parse()
	if err := r.all(context.Background(), *only); err != nil {
		fmt.Fprintln(os.Stderr, "ports:", err)
		os.Exit(1)
	}
}

// all runs the ports, or one of them.
func (r *runner) all(ctx context.Context, only string) error {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/tofuwire/tofuwire").Output()
	if err != nil {
		return errors.New("run it in the folder benchmarks of a clone of tofuwire")
	}
	r.root = strings.TrimSpace(string(root))
	if r.terraform == "" {
		for _, name := range []string{"terraform", "tofu"} {
			if path, err := exec.LookPath(name); err == nil && r.terraform == "" {
				r.terraform = path
			}
		}
	}
	if r.work == "" {
		dir, err := os.MkdirTemp("", "ports")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		r.work = dir
	} else if err := os.MkdirAll(r.work, 0o755); err != nil {
		return err
	}
	var failed error
	n := 0
	for _, p := range ports {
		if only == "" || only == p.name {
			n++
			if err := r.run(ctx, p); err != nil {
				failed = errors.Join(failed, fmt.Errorf("%s: %w", p.name, err))
			}
		}
	}
	if n == 0 {
		return fmt.Errorf("there is no port with the name %q", only)
	}
	return failed
}

// run runs one port and prints what came of it.
func (r *runner) run(ctx context.Context, p port) error {
	fmt.Fprintf(r.out, "%s %s\n", p.module, p.version)
	dir, err := r.source(ctx, p.module, p.version)
	if err != nil {
		return err
	}
	work := filepath.Join(r.work, p.name)
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	// A copy, because the module cache cannot be written to, and tests do.
	if err := os.CopyFS(work, os.DirFS(dir)); err != nil {
		return err
	}
	if err := filepath.WalkDir(work, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			err = os.Chmod(path, 0o644)
		}
		return err
	}); err != nil {
		return err
	}
	overlay, err := r.overlay(p, work)
	if err != nil {
		return err
	}
	tidy := exec.CommandContext(ctx, "go", "mod", "edit", "-go=1.26.0", "-toolchain=none", "-require=github.com/tofuwire/tofuwire@v0.0.0", "-replace=github.com/tofuwire/tofuwire="+r.root)
	tidy.Dir = work
	if text, err := tidy.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod edit: %w: %s", err, text)
	}
	environment, stop, err := r.environment(ctx, p)
	if err != nil {
		return err
	}
	defer stop()
	before, err := tests(ctx, p, work, environment)
	if err != nil {
		return fmt.Errorf("before: %w", err)
	}
	after, err := tests(ctx, p, work, environment, "-overlay="+overlay)
	if err != nil {
		return fmt.Errorf("after: %w", err)
	}
	return r.compare(p, before, after)
}

// compare prints the results by package, and returns an error if a test that
// passed does not pass any more, or if none does.
func (r *runner) compare(p port, before, after map[[2]string]string) error {
	packages := map[string]bool{}
	for key := range before {
		packages[key[0]] = true
	}
	total, worse := 0, []string(nil)
	for _, pkg := range slices.Sorted(maps.Keys(packages)) {
		count := func(results map[[2]string]string) string {
			n := map[string]int{}
			for key, result := range results {
				if key[0] == pkg {
					n[result]++
				}
			}
			return fmt.Sprintf("%d pass, %d fail, %d are skipped", n["pass"], n["fail"], n["skip"])
		}
		fmt.Fprintf(r.out, "\t%s\n\t\tbefore: %s\n\t\tafter:  %s\n", strings.TrimPrefix(pkg, p.module+"/"), count(before), count(after))
	}
	for key, result := range before {
		if result == "pass" && !p.leavesOut(key[1]) {
			total++
			if after[key] != "pass" {
				worse = append(worse, key[1]+" ("+after[key]+")")
			}
		}
	}
	ourLines := 0
	for _, file := range p.files {
		src, err := os.ReadFile(filepath.Join(r.root, "benchmarks", "ports", file))
		if err != nil {
			return err
		}
		ourLines += bytes.Count(src, []byte("\n"))
	}
	fmt.Fprintf(r.out, "\tours: %d lines in %d files, and %d files of theirs edited; left as it is: %s\n", ourLines, len(p.files), len(p.edits), p.left)
	if len(p.without) > 0 {
		fmt.Fprintf(r.out, "\twithout %s: %s\n", strings.Join(p.without, ", "), p.why)
	}
	if total == 0 {
		return errors.New("no test passes, even as it is")
	}
	if len(worse) > 0 {
		slices.Sort(worse)
		return fmt.Errorf("%d tests that passed before do not pass afterwards:\n\t%s", len(worse), strings.Join(worse, "\n\t"))
	}
	return nil
}

// leavesOut reports whether a test is one that the port is without, in one, or has one.
func (p port) leavesOut(test string) bool {
	for _, name := range p.without {
		if name == test || strings.HasPrefix(test, name+"/") || strings.HasPrefix(name, test+"/") {
			return true
		}
	}
	return false
}

// source returns the folder of a module.
func (r *runner) source(ctx context.Context, module, version string) (string, error) {
	download := exec.CommandContext(ctx, "go", "mod", "download", "-json", module+"@"+version)
	download.Dir = r.work // not in the module of the benchmarks
	text, _ := download.Output()
	var got struct{ Dir, Error string }
	if err := json.Unmarshal(text, &got); err != nil || got.Dir == "" {
		return "", fmt.Errorf("needs the Go module proxy for %s@%s: %s", module, version, strings.TrimSpace(got.Error))
	}
	return got.Dir, nil
}

// overlay writes the file that says what takes which place, and what it names.
func (r *runner) overlay(p port, work string) (string, error) {
	replace := map[string]string{}
	for place, file := range p.files {
		replace[filepath.Join(work, place)] = filepath.Join(r.root, "benchmarks", "ports", file)
	}
	for _, place := range p.gone {
		if _, err := os.Stat(filepath.Join(work, place)); err != nil {
			return "", err
		}
		replace[filepath.Join(work, place)] = ""
	}
	edited := filepath.Join(r.work, p.name+"-edited")
	if err := os.MkdirAll(edited, 0o755); err != nil {
		return "", err
	}
	for _, e := range p.edits {
		src, err := os.ReadFile(filepath.Join(work, e.file))
		if err != nil {
			return "", err
		}
		if src, err = e.apply(src); err != nil {
			return "", err
		}
		file := filepath.Join(edited, strings.ReplaceAll(e.file, "/", "_"))
		if err := os.WriteFile(file, src, 0o644); err != nil {
			return "", err
		}
		replace[filepath.Join(work, e.file)] = file
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	file := filepath.Join(r.work, p.name+"-overlay.json")
	return file, os.WriteFile(file, text, 0o644)
}

// tests runs the tests of a port and returns the results by package and name.
func tests(ctx context.Context, p port, work string, environment []string, flags ...string) (map[[2]string]string, error) {
	args := append([]string{"test", "-json", "-count=1", "-vet=off", "-mod=mod"}, flags...)
	if p.run != "" {
		args = append(args, "-run", p.run)
	}
	if len(environment) > 0 { // for the tests alone, not for the downloads of go
		args = append(args, "-exec", "env "+strings.Join(environment, " "))
	}
	cmd := exec.CommandContext(ctx, "go", append(args, p.packages...)...)
	var stderr, output bytes.Buffer
	cmd.Dir, cmd.Stderr = work, &stderr
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off") // tests of theirs look for their sources, which -trimpath hides
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	results := map[[2]string]string{}
	built := true
	for d := json.NewDecoder(stdout); ; {
		var event struct{ Action, Package, Test, Output, FailedBuild string }
		if err := d.Decode(&event); err != nil {
			break
		}
		built = built && event.FailedBuild == ""
		switch event.Action {
		case "pass", "fail", "skip":
			if event.Test != "" {
				results[[2]string{event.Package, event.Test}] = event.Action
			}
		case "build-output":
			output.WriteString(event.Output)
		}
	}
	if err := cmd.Wait(); err != nil && (!built || len(results) == 0) {
		return nil, fmt.Errorf("go test: %w\n%s%s", err, output.Bytes(), stderr.Bytes())
	}
	return results, nil
}
