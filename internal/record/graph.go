// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tofuwire/tofuwire/internal/graphverdict"
)

// graphs runs each configuration of the folder graphs three times, with gen=1,
// with gen=2 and to destroy it, and compares the graph and the order of
// operations of package plangraph with the tool's own. If out is not empty, the
// plan, the graph and the stream of each run are written to
// out/CONFIGURATION/RUN.*.
func graphs(ctx context.Context, w io.Writer, bin, root, providers, out string, only func(string) bool) error {
	from := filepath.Join(root, "internal", "record", "graphs")
	list, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	explained, err := graphverdict.ReadExplained(filepath.Join(from, "explained.txt"))
	if err != nil {
		return err
	}
	total := graphverdict.Report{}
	for _, e := range list {
		if !e.IsDir() || !only(e.Name()) {
			continue
		}
		runs, err := runGraph(ctx, bin, providers, filepath.Join(from, e.Name()))
		if err != nil {
			return fmt.Errorf("%s: %w", e.Name(), err)
		}
		for i, run := range runs {
			report, err := graphverdict.Judge(run, explained[e.Name()])
			if err != nil {
				return fmt.Errorf("%s: %w", e.Name(), err)
			}
			fmt.Fprintf(w, "%s %d: %s\n", e.Name(), i+1, report)
			total.Add(report)
			if out == "" {
				continue
			}
			folder := filepath.Join(out, e.Name())
			if err := os.MkdirAll(folder, 0o777); err != nil {
				return err
			}
			if err := run.Write(filepath.Join(folder, strconv.Itoa(i+1))); err != nil {
				return err
			}
		}
	}
	fmt.Fprintf(w, "all: %s\n", &total)
	if total.Faults() > 0 {
		return ErrDiffer
	}
	return nil
}

// runGraph makes the three runs of a configuration in a folder of its own.
func runGraph(ctx context.Context, bin, providers, config string) (runs []graphverdict.Run, err error) {
	dir, err := os.MkdirTemp("", "graph-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(dir, os.DirFS(config)); err != nil {
		return nil, err
	}
	rc := "disable_checkpoint = true\n"
	if providers != "" {
		if providers, err = filepath.Abs(providers); err != nil {
			return nil, err
		}
		rc += fmt.Sprintf("provider_installation {\n  filesystem_mirror {\n    path = %q\n  }\n}\n", providers)
	}
	rcFile := filepath.Join(dir, ".rc")
	if err := os.WriteFile(rcFile, []byte(rc), 0o666); err != nil {
		return nil, err
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "TF_") })
	env = append(env, "TF_CLI_CONFIG_FILE="+rcFile, "CHECKPOINT_DISABLE=1")
	tool := func(args ...string) ([]byte, error) {
		cmd := exec.CommandContext(ctx, bin, args...)
		var stderr bytes.Buffer
		cmd.Dir, cmd.Env, cmd.Stderr = dir, env, &stderr
		text, err := cmd.Output()
		if err != nil {
			err = fmt.Errorf("%v: %w\n%s%s", args, err, text, stderr.Bytes())
		}
		return text, err
	}
	if _, err := tool("init", "-no-color", "-input=false"); err != nil {
		return nil, err
	}
	for _, args := range [][]string{{"-var=gen=1"}, {"-var=gen=2"}, {"-var=gen=2", "-destroy"}} {
		if _, err := tool(append([]string{"plan", "-no-color", "-input=false", "-out=p"}, args...)...); err != nil {
			return nil, err
		}
		var run graphverdict.Run
		if run.Plan, err = tool("show", "-json", "p"); err != nil {
			return nil, err
		}
		if run.Graph, err = tool("graph", "-plan=p"); err != nil {
			return nil, err
		}
		if run.Stream, err = tool("apply", "-json", "p"); err != nil {
			return nil, err
		}
		runs = append(runs, run)
	}
	return runs, nil
}
