// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package graphverdict

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// A Run is what a tool printed for one plan: show -json, graph -plan, and apply
// -json.
type Run struct{ Plan, Graph, Stream []byte }

func (r *Run) parts(name string) map[string]*[]byte {
	return map[string]*[]byte{name + ".plan.json": &r.Plan, name + ".dot": &r.Graph, name + ".jsonl": &r.Stream}
}

// Write writes a run to name.plan.json, name.dot and name.jsonl.
func (r Run) Write(name string) error {
	for file, text := range r.parts(name) {
		if err := os.WriteFile(file, *text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// Read reads what Write wrote.
func Read(name string) (r Run, err error) {
	for file, text := range r.parts(name) {
		if *text, err = os.ReadFile(file); err != nil {
			return Run{}, err
		}
	}
	return r, nil
}

// ReadExplained reads the table of edges that a plan does not show: a line has
// the configuration, the block that waits, the block that it waits for, and the
// reason, divided by tabs. Without a file the table is empty.
func ReadExplained(name string) (map[string]map[[2]string]string, error) {
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	table := map[string]map[[2]string]string{}
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 4 {
			continue
		}
		if table[f[0]] == nil {
			table[f[0]] = map[[2]string]string{}
		}
		table[f[0]][[2]string{f[1], f[2]}] = f[3]
	}
	return table, err
}
