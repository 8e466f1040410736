// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/testing/graphverdict"
)

// graph compares [hclnames.Tree.Graph] with the graphs that programs print, of modules
// in directories or in files of JSON lines. If write is set, the graphs are written into
// the files.
func graph(t tools, args []string, write bool) error {
	g := graphs{tools: t}
	for _, arg := range args {
		info, err := os.Stat(arg)
		switch {
		case err != nil:
			return err
		case info.IsDir():
			err = g.directory(arg)
		default:
			err = g.cases(arg, write)
		}
		if err != nil {
			return err
		}
	}
	fmt.Printf("%d graphs (%d passed over), %d nodes; %d pairs the same, %d missing, %d wrong\n",
		g.modules, g.passed, g.total.Nodes, g.total.Same, len(g.total.Missing), len(g.total.Wrong))
	return nil
}

// graphs judges graphs of modules by those of tools.
type graphs struct {
	tools
	total           graphverdict.ConfigurationReport
	modules, passed int
}

// judge judges the graph of one module by that of one tool.
func (g *graphs) judge(tool, name, dir string, edges []string) error {
	name = tool + " " + name
	r, err := judgeGraph(tool, dir, edges)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	g.modules++
	g.total.Same += r.Same
	g.total.Nodes += r.Nodes
	for _, m := range r.Missing {
		fmt.Printf("%s: missing: %s\n", name, m)
	}
	for _, m := range r.Wrong {
		fmt.Printf("%s: wrong: %s\n", name, m)
	}
	g.total.Missing, g.total.Wrong = append(g.total.Missing, r.Missing...), append(g.total.Wrong, r.Wrong...)
	return nil
}

// module judges the graph of one module by all tools, and returns theirs.
func (g *graphs) module(name, dir string) (map[string][]string, error) {
	graphs := map[string][]string{}
	for tool, path := range g.tools {
		edges, ok := toolGraph(path, dir)
		if !ok {
			g.passed++
			continue
		}
		graphs[tool] = edges
		if err := g.judge(tool, name, dir, edges); err != nil {
			return nil, err
		}
	}
	return graphs, nil
}

// directory judges the graphs of the modules below a directory.
func (g *graphs) directory(root string) error {
	dirs, err := modulesOf(root)
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		if _, err := g.module(dir, dir); err != nil {
			return err
		}
	}
	return nil
}

// cases judges the graphs of the cases in a file, and writes those of the tools into it.
func (g *graphs) cases(name string, write bool) error {
	src, err := os.ReadFile(name)
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
		graphs, err := g.module(c.Name, dir)
		if err != nil {
			return err
		}
		maps.Copy(c.Graphs, graphs)
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		text, err := json.Marshal(c)
		if err != nil {
			return err
		}
		out.Write(append(text, '\n'))
	}
	if !write {
		return nil
	}
	return os.WriteFile(name, []byte(out.String()), 0o666)
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
	tree, err := hclnames.LoadTree(os.DirFS("/"), strings.TrimPrefix(dir, "/"), dialectOf(tool), hclconfig.Workspace("default"))
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
