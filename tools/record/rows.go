// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A constraintRow is a line of the file of constraints: what a tool made of the
// version constraints of acme/widget in a module and its child modules, where
// null is a module that has none.
type constraintRow struct {
	Tool              string    `json:"tool"`
	Constraints       []*string `json:"constraints"`
	ExitCode          int       `json:"exit_code"`
	SyntaxError       *bool     `json:"syntax_error,omitempty"` // if it failed: whether because of the syntax
	LockedVersion     *string   `json:"locked_version,omitempty"`
	LockedConstraints *string   `json:"locked_constraints,omitempty"`
}

// constraints remakes the rows of the script's tool in a file of constraints.
func (c *run) constraints(ctx context.Context, file string) ([]byte, error) {
	return rows(c, file, func(row *constraintRow) error {
		if row.Tool != c.script.Name() {
			return nil
		}
		remade, err := c.constraint(ctx, row.Constraints)
		if err == nil {
			remade.Tool = row.Tool
			*row = *remade
		}
		return err
	})
}

// rows remakes the lines of a file, each a JSON object. A line that says the
// same as before stays as it is spelled.
func rows[T any](c *run, file string, remake func(*T) error) ([]byte, error) {
	src, err := os.ReadFile(filepath.Join(c.Root, filepath.FromSlash(file)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for line := range bytes.Lines(src) {
		var row T
		if err := json.Unmarshal(line, &row); err != nil {
			return nil, err
		}
		before, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		if err := os.RemoveAll(c.work); err != nil {
			return nil, err
		}
		if err := remake(&row); err != nil {
			return nil, fmt.Errorf("%s: %w", bytes.TrimSpace(line), err)
		}
		after, err := json.Marshal(row)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(before, after) {
			line = append(after, '\n')
		}
		out.Write(line)
	}
	return out.Bytes(), nil
}

// A validatedRow is a line of the file of validated files: the only file of a
// module, and the different summaries of what validate said of it.
type validatedRow struct {
	File     string   `json:"file"`
	Src      string   `json:"src"`
	Errors   []string `json:"errors,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// validated runs validate for each row of a file.
func (c *run) validated(ctx context.Context, file string) ([]byte, error) {
	return rows(c, file, func(row *validatedRow) error {
		if err := c.write(row.File, []byte(row.Src)); err != nil {
			return err
		}
		stdout, _, _, err := c.tool(ctx, []string{"validate", "-json"}, nil, false)
		if err != nil {
			return err
		}
		var doc struct {
			Diagnostics []struct {
				Severity string `json:"severity"`
				Summary  string `json:"summary"`
			} `json:"diagnostics"`
		}
		if err := json.Unmarshal(stdout, &doc); err != nil {
			return err
		}
		row.Errors, row.Warnings = nil, nil
		for _, d := range doc.Diagnostics {
			list := &row.Errors
			if d.Severity == "warning" {
				list = &row.Warnings
			}
			if !slices.Contains(*list, d.Summary) {
				*list = append(*list, d.Summary)
			}
		}
		slices.Sort(row.Errors)
		slices.Sort(row.Warnings)
		return nil
	})
}

var (
	lockedVersion     = regexp.MustCompile(`(?m)^  version +=  ?"(.*)"$`)
	lockedConstraints = regexp.MustCompile(`(?m)^  constraints = "(.*)"$`)
	syntaxError       = regexp.MustCompile(`Invalid version constraint|correct\s+version\s+constraint\s+syntax`)
)

// constraint runs init with the constraints of one row.
func (c *run) constraint(ctx context.Context, constraints []*string) (*constraintRow, error) {
	for i, constraint := range constraints {
		var b strings.Builder
		version := ""
		if constraint != nil {
			version = ", version = " + quoteHCL(*constraint)
		}
		fmt.Fprintf(&b, "terraform {\n  required_providers {\n    widget = { source = \"acme/widget\"%s }\n  }\n}\n", version)
		name := "main.tf"
		if i == 0 {
			for j := range constraints[1:] {
				fmt.Fprintf(&b, "module \"m%d\" {\n  source = \"./m%d\"\n}\n", j+1, j+1)
			}
		} else {
			name = fmt.Sprintf("m%d/main.tf", i)
		}
		if err := c.write(name, []byte(b.String())); err != nil {
			return nil, err
		}
	}
	stdout, stderr, status, err := c.tool(ctx, []string{"init", "-input=false", "-no-color"}, nil, false)
	if err != nil {
		return nil, err
	}
	row := &constraintRow{Constraints: constraints, ExitCode: status}
	if status != 0 {
		syntax := syntaxError.Match(stdout) || syntaxError.Match(stderr)
		row.SyntaxError = &syntax
		return row, nil
	}
	lock, err := os.ReadFile(c.path(".terraform.lock.hcl"))
	if err != nil {
		return nil, err
	}
	if m := lockedVersion.FindSubmatch(lock); m != nil {
		s := string(m[1])
		row.LockedVersion = &s
	}
	if m := lockedConstraints.FindSubmatch(lock); m != nil {
		s := string(m[1])
		row.LockedConstraints = &s
	}
	return row, nil
}

// quoteHCL quotes a string without template sequences for a configuration.
func quoteHCL(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	// A string can always be encoded.
	_ = enc.Encode(s)
	return strings.TrimSpace(b.String())
}
