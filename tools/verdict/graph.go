// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/graphverdict"
)

// graph compares [hclnames.Tree.Graph] with the graphs that programs print, of modules
// in directories or in files of JSON lines. If write is set, the graphs are written into
// the files.
func graph(t tools, args []string, write bool) error {
	var total graphverdict.ConfigurationReport
	modules, passed := 0, 0
	one := func(tool, name, dir string, edges []string) error {
		name = tool + " " + name
		r, err := judgeGraph(tool, dir, edges)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		modules++
		total.Same += r.Same
		total.Nodes += r.Nodes
		for _, m := range r.Missing {
			fmt.Printf("%s: missing: %s\n", name, m)
		}
		for _, m := range r.Wrong {
			fmt.Printf("%s: wrong: %s\n", name, m)
		}
		total.Missing, total.Wrong = append(total.Missing, r.Missing...), append(total.Wrong, r.Wrong...)
		return nil
	}
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil {
			return err
		} else if info.IsDir() {
			dirs, err := modulesOf(arg)
			if err != nil {
				return err
			}
			for _, dir := range dirs {
				for tool, path := range t {
					edges, ok := toolGraph(path, dir)
					if !ok {
						passed++
						continue
					}
					if err := one(tool, dir, dir, edges); err != nil {
						return err
					}
				}
			}
			continue
		}
		src, err := os.ReadFile(arg)
		if err != nil {
			return err
		}
		var out strings.Builder
		for line := range strings.Lines(string(src)) {
			var c Case
			if err := json.Unmarshal([]byte(line), &c); err != nil {
				return err
			}
			dir, err := c.write()
			if err != nil {
				return err
			}
			if c.Graphs == nil {
				c.Graphs = map[string][]string{}
			}
			for tool, path := range t {
				edges, ok := toolGraph(path, dir)
				if !ok {
					passed++
					continue
				}
				c.Graphs[tool] = edges
				if err := one(tool, c.Name, dir, edges); err != nil {
					return err
				}
			}
			if err := os.RemoveAll(dir); err != nil {
				return err
			}
			text, err := json.Marshal(c)
			if err != nil {
				return err
			}
			out.Write(append(text, '\n'))
		}
		if write {
			if err := os.WriteFile(arg, []byte(out.String()), 0o666); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%d graphs (%d passed over), %d nodes; %d pairs the same, %d missing, %d wrong\n", modules, passed, total.Nodes, total.Same, len(total.Missing), len(total.Wrong))
	return nil
}

func modulesOf(dir string) ([]string, error) { return modules([]string{dir}) }

// toolGraph returns the edges of the graph that a program makes of a module that it
// accepts.
func toolGraph(path, dir string) ([]string, bool) {
	found, ok := validate(path, dir)
	if !ok || len(errorsOf(found)) > 0 {
		return nil, false
	}
	dot, err := command(path, dir, "graph", "-type=plan")
	return graphverdict.Edges(dot), err == nil
}

func judgeGraph(tool, dir string, edges []string) (graphverdict.ConfigurationReport, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return graphverdict.ConfigurationReport{}, err
	}
	tree, err := hclnames.LoadTree(os.DirFS("/"), strings.TrimPrefix(dir, "/"), dialectOf(tool))
	if err != nil {
		return graphverdict.ConfigurationReport{}, err
	}
	g := tree.Graph()
	return graphverdict.JudgeConfiguration(edges, addresses(g.All()), func(a string) iter.Seq[string] { return addresses(g.Dependents(a)) }), nil
}

// addresses returns the addresses of nodes.
func addresses(nodes iter.Seq[*hclnames.Node]) iter.Seq[string] {
	var out []string
	for n := range nodes {
		out = append(out, n.Address)
	}
	return slices.Values(out)
}
