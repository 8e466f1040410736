// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Samples writes recordings of each kind that has a JSON Schema into a folder, as
// KIND/NUMBER.json: the longest one below 64 KiB of each release and of each folder, and of the
// messages one of each type. The plans have their reports beside them.
//
//	go run -C tools ./schemas/samples DIR
//
// DIR is a full path. Exit status: 0, or 1 if they cannot be written.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/tools/internal/tofuwire"
	"github.com/tofuwire/tofuwire/tools/schemas"
)

const longest = 64 << 10

func main() {
	if len(os.Args) != 2 || strings.HasPrefix(os.Args[1], "-") {
		fmt.Fprintln(os.Stderr, "usage: samples DIR")
		os.Exit(1)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "samples:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	all, err := schemas.Documents("..")
	if err != nil {
		return err
	}
	best := make(map[string]map[string]schemas.Document) // by kind, and by release, folder or type of message
	for _, d := range all {
		group, _, _ := strings.Cut(filepath.ToSlash(d.Name), "/")
		if group == ".." {
			group = filepath.Dir(d.Name)
		}
		if strings.Contains(filepath.ToSlash(d.Name), "testdata/recorded/") {
			group = d.Name // each is of another tool or store
		}
		if d.Kind == "ui" {
			var m struct{ Type string }
			if err := json.Unmarshal(d.Text, &m); err != nil {
				return fmt.Errorf("%s: %w", d.Name, err)
			}
			group = m.Type
		}
		if best[d.Kind] == nil {
			best[d.Kind] = make(map[string]schemas.Document)
		}
		if old := best[d.Kind][group]; len(d.Text) < longest && len(d.Text) > len(old.Text) && d.HasType() {
			best[d.Kind][group] = d
		}
	}
	for _, kind := range schemas.Kinds {
		if len(best[kind]) == 0 {
			return errors.New("there is no recording of the kind " + kind)
		}
		if err := os.MkdirAll(filepath.Join(dir, kind), 0o755); err != nil {
			return err
		}
		number := 0
		for _, group := range slices.Sorted(maps.Keys(best[kind])) {
			number++
			if err := os.WriteFile(filepath.Join(dir, kind, fmt.Sprintf("%d.json", number)), best[kind][group].Text, 0o644); err != nil {
				return err
			}
		}
		fmt.Printf("%s %d\n", kind, number)
	}
	return reports(dir)
}

// reports writes the report of each plan.
func reports(dir string) error {
	if _, err := tofuwire.Build(); err != nil {
		return err
	}
	defer tofuwire.Remove()
	plans, err := os.ReadDir(filepath.Join(dir, "plan"))
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, "report"), 0o755)
	}
	for _, e := range plans {
		if err != nil {
			return err
		}
		var out bytes.Buffer
		tofuwire.Run([]string{"report", "-format", "json", filepath.Join(dir, "plan", e.Name())}, nil, &out, os.Stderr)
		err = os.WriteFile(filepath.Join(dir, "report", e.Name()), out.Bytes(), 0o644)
	}
	return err
}
