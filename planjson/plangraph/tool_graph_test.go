// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plangraph_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/graphverdict"
	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

// The tool is the judge: every edge between instances in its graph of a plan is
// ours, or is in the table of those that a plan does not show; every reference of
// ours is in its graph; and nothing began before what we say it waits for had
// ended. The recordings are of configurations in tools/record/graphs, made by
// go run . -graph.
func TestToolsGraph(t *testing.T) {
	plans, err := filepath.Glob("testdata/graphs/*/*.plan.json")
	if err != nil {
		t.Fatal(err)
	}
	explained, err := graphverdict.ReadExplained("testdata/graphs/explained.txt")
	if err != nil {
		t.Fatal(err)
	}
	total := graphverdict.Report{}
	for _, name := range plans {
		name = name[:len(name)-len(".plan.json")]
		run, err := graphverdict.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		report, err := graphverdict.Judge(run, explained[filepath.Base(filepath.Dir(name))])
		if err != nil {
			t.Fatal(err)
		}
		if report.Faults() > 0 {
			t.Errorf("%s: %s", name, report)
		}
		total.Add(report)
	}
	t.Log(&total)
	if total.Same < 440 || total.Ours < 200 || total.Ordered < 550 {
		t.Errorf("too little was compared: %s", &total)
	}
}

// The judge finds faults: with the plan of one run and the graph of another one.
func TestJudgeFindsFaults(t *testing.T) {
	run, err := graphverdict.Read("testdata/graphs/replace-chain/2")
	if err != nil {
		t.Fatal(err)
	}
	other, err := graphverdict.Read("testdata/graphs/create-before/2")
	if err != nil {
		t.Fatal(err)
	}
	run.Graph, run.Stream = other.Graph, other.Stream
	report, err := graphverdict.Judge(run, nil)
	if err != nil || len(report.Missing) == 0 || len(report.Early) == 0 {
		t.Errorf("%v %v", report, err)
	}
}

// In what all recorded releases printed when they applied a plan, nothing began
// before what we say it waits for had ended.
func TestRecordedOrder(t *testing.T) {
	releases, err := recordings.Releases()
	if err != nil {
		t.Fatal(err)
	}
	total, runs := graphverdict.Report{}, 0
	for _, r := range releases {
		plans := map[string][]byte{} // by the case and the plan file
		for f, err := range r.Files() {
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Args) < 2 {
				continue
			}
			file := strings.SplitN(f.Name, "/", 2)[0] + " " + f.Args[len(f.Args)-1]
			switch {
			case f.Args[0] == "show" && f.Kind == "plan" && f.Exit == 0:
				plans[file] = f.Text
			case f.Args[0] == "apply" && f.Kind == "ui" && plans[file] != nil:
				report, err := graphverdict.Judge(graphverdict.Run{Plan: plans[file], Stream: f.Text}, nil)
				if err != nil {
					t.Errorf("%s %s: %v", r, f.Name, err)
					continue
				}
				if report.Faults() > 0 {
					t.Errorf("%s %s: %s", r, f.Name, report)
				}
				total.Add(report)
				runs++
			}
		}
	}
	t.Logf("%d releases, %d runs: %d pairs in order", len(releases), runs, total.Ordered)
	if runs < 50 || total.Ordered < 300 {
		t.Errorf("too little was compared: %d runs, %d pairs", runs, total.Ordered)
	}
}
