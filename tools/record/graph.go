// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tofuwire/tofuwire/internal/testing/graphverdict"
)

// graphs compares the graph and the order of operations of package plangraph with
// the tool's own: for each configuration of the folder graphs, which is run three
// times, with gen=1, with gen=2 and to destroy it, and for the configurations of the
// cases, each folder after the other and then to destroy all. What the tool cannot
// plan, as because the mirror lacks a provider, is named and left out. If out is not
// empty, the plan, the graph and the stream of each run are written to
// out/CONFIGURATION/RUN.*.
func graphs(ctx context.Context, w io.Writer, bin, root, providers, out string, only func(string) bool) error {
	from := filepath.Join(root, "tools", "record", "graphs")
	explained, err := graphverdict.ReadExplained(filepath.Join(from, "explained.txt"))
	if err != nil {
		return err
	}
	configurations, err := graphConfigurations(root)
	if err != nil {
		return err
	}
	total, judged, left := graphverdict.Report{}, 0, 0
	for _, c := range configurations {
		if !only(c.name) {
			continue
		}
		runs, err := runGraph(ctx, bin, providers, c.steps)
		if err != nil {
			left++
			message := strings.Join(strings.Fields(err.Error()), " ")
			fmt.Fprintf(w, "%s: left out after %d runs: %.300s\n", c.name, len(runs), message)
		}
		if len(runs) > 0 {
			judged++
		}
		for i, run := range runs {
			report, err := graphverdict.Judge(run, explained[c.name])
			if err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			fmt.Fprintf(w, "%s %d: %s\n", c.name, i+1, report)
			total.Add(report)
			if out == "" {
				continue
			}
			folder := filepath.Join(out, c.name)
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return err
			}
			if err := run.Write(filepath.Join(folder, strconv.Itoa(i+1))); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(w, "%d configurations, %d left out or not to their end: %s\n", judged, left, &total)
	if total.Faults() > 0 || judged == 0 {
		return ErrDiffer
	}
	return nil
}

// A graphConfiguration has the configurations that are planned and applied one after the other.
type graphConfiguration struct {
	name  string
	steps []graphStep
}

// A graphStep plans the configuration of a folder.
type graphStep struct {
	folder string
	args   []string
}

// graphConfigurations returns those of the folder graphs, by their names, and of
// the cases, as CASE/config.
func graphConfigurations(root string) (all []graphConfiguration, err error) {
	made, err := filepath.Glob(filepath.Join(root, "tools", "record", "graphs", "*", "main.tf"))
	if err != nil {
		return nil, err
	}
	for _, file := range made {
		dir := filepath.Dir(file)
		all = append(all, graphConfiguration{filepath.Base(dir), []graphStep{{dir, []string{"-var=gen=1"}}, {dir, []string{"-var=gen=2"}}, {dir, []string{"-var=gen=2", "-destroy"}}}})
	}
	for _, cases := range []string{"tools/record", "internal/testing/recordings"} {
		folders, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(cases), "cases", "*"))
		if err != nil {
			return nil, err
		}
		for _, folder := range folders {
			configs, err := filepath.Glob(filepath.Join(folder, "config*"))
			if err != nil {
				return nil, err
			}
			c := graphConfiguration{name: path.Base(cases) + "-" + filepath.Base(folder)}
			for _, config := range configs {
				c.steps = append(c.steps, graphStep{config, nil})
			}
			if len(configs) > 0 {
				c.steps = append(c.steps, graphStep{configs[len(configs)-1], []string{"-destroy"}})
				all = append(all, c)
			}
		}
	}
	return all, nil
}

// runGraph makes the runs of a configuration in a folder of its own, as far as the
// tool can plan them.
func runGraph(ctx context.Context, bin, providers string, steps []graphStep) (runs []graphverdict.Run, err error) {
	dir, err := os.MkdirTemp("", "graph-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	rc := "disable_checkpoint = true\n"
	if providers != "" {
		if providers, err = filepath.Abs(providers); err != nil {
			return nil, err
		}
		rc += fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", providers)
	}
	rcFile := filepath.Join(dir, "rc")
	if err := os.WriteFile(rcFile, []byte(rc), 0o666); err != nil {
		return nil, err
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TF_") })
	env = append(env, "TF_CLI_CONFIG_FILE="+rcFile, "CHECKPOINT_DISABLE=1")
	work := filepath.Join(dir, "work")
	tool := func(args ...string) ([]byte, error) {
		ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(ctx, bin, args...)
		var stderr bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stderr = work, env, &stderr
		text, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%v: %w\n%s%s", args, err, text, stderr.Bytes())
		}
		return text, err
	}
	for i, step := range steps {
		if i == 0 || step.folder != steps[i-1].folder {
			if err := replaceConfiguration(work, step.folder); err != nil {
				return runs, err
			}
			if _, err := tool("init", "-no-color", "-input=false"); err != nil {
				return runs, err
			}
		}
		if _, err := tool(append([]string{"plan", "-no-color", "-input=false", "-out=p"}, step.args...)...); err != nil {
			return runs, err
		}
		var run graphverdict.Run
		if run.Plan, err = tool("show", "-json", "p"); err != nil {
			return runs, err
		}
		if run.Graph, err = tool("graph", "-plan=p"); err != nil {
			return runs, err
		}
		run.Stream, err = tool("apply", "-json", "p")
		runs = append(runs, run)
		if err != nil { // what began is in order all the same
			return runs, err
		}
	}
	return runs, nil
}

// replaceConfiguration puts the files of a configuration into a folder in place of
// those of another one, and leaves the state.
func replaceConfiguration(work, config string) error {
	list, err := os.ReadDir(work)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), "terraform.tfstate") {
			continue
		}
		if err := os.RemoveAll(filepath.Join(work, e.Name())); err != nil {
			return err
		}
	}
	return os.CopyFS(work, os.DirFS(config))
}
