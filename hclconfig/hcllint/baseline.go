// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/findings"
	"github.com/tofuwire/tofuwire/internal/replacefile"
)

// A baseline is a list of findings that are accepted. It knows them by rule, address and
// text: a finding that moves to another line stays the same.
type baseline struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"`
	counts   map[baselineEntry]int
}

type baselineEntry struct {
	Rule string `json:"rule"`
	// Module is the directory of the module, relative to that of the baseline.
	Module  string `json:"module"`
	Address string `json:"address"`
	Message string `json:"message"`
	// Count is how many such findings there are.
	Count int `json:"count"`
}

// key is the identity of a finding.
func (e baselineEntry) key() baselineEntry {
	e.Count = 0
	return e
}

func readBaseline(file string) (*baseline, error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var b baseline
	d := json.NewDecoder(bytes.NewReader(src))
	d.DisallowUnknownFields()
	if err := d.Decode(&b); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if b.Version != 1 {
		return nil, fmt.Errorf("%s has version %d of the baseline; only version 1 is supported", file, b.Version)
	}
	b.counts = map[baselineEntry]int{}
	for _, e := range b.Findings {
		b.counts[e.key()] += max(1, e.Count)
	}
	return &b, nil
}

// entryOf returns the entry of a finding, for a baseline in a file.
func entryOf(f findings.Finding, file string) baselineEntry {
	dir := filepath.Dir(filepath.FromSlash(f.Range.Filename))
	if to, err := filepath.Abs(filepath.Dir(file)); err == nil {
		if from, err := filepath.Abs(dir); err == nil {
			if rel, err := filepath.Rel(to, from); err == nil {
				dir = rel
			}
		}
	}
	return baselineEntry{Rule: f.Rule, Module: filepath.ToSlash(dir), Address: f.Address, Message: f.Message}
}

// writeBaseline writes the baseline of a list of findings.
func writeBaseline(file string, list []findings.Finding) error {
	b := baseline{Version: 1, Findings: []baselineEntry{}}
	counts := map[baselineEntry]int{}
	for _, f := range list {
		k := entryOf(f, file)
		if counts[k]++; counts[k] == 1 {
			b.Findings = append(b.Findings, k)
		}
	}
	for i := range b.Findings {
		b.Findings[i].Count = counts[b.Findings[i]]
	}
	slices.SortStableFunc(b.Findings, func(x, y baselineEntry) int {
		return slices.Compare([]string{x.Module, x.Rule, x.Address, x.Message}, []string{y.Module, y.Rule, y.Address, y.Message})
	})
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(b); err != nil {
		return err
	}
	if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
		return replacefile.Edit(file, out.Bytes()) // a disk that is full leaves the old one
	}
	return os.WriteFile(file, out.Bytes(), 0o666)
}

// String returns the entry for people.
func (e baselineEntry) String() string {
	return strings.TrimSpace(fmt.Sprintf("%s %s: %s (%s)", e.Module, e.Address, e.Message, e.Rule))
}
