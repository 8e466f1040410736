// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// absent are the summaries of what a program says if something is not
// installed: then its verdict is not about the configuration.
var absent = []string{
	"Missing required provider", "Module not installed", "Module version requirements have changed", "Module source has changed", "Inconsistent dependency lock file",
	"Failed to load plugin schemas", "Required plugins are not installed", "Provider requirements cannot be satisfied by locked dependencies",
	"Unsupported Terraform Core version", "Unsupported OpenTofu Core version", "Missing required provisioner plugin",
}

// absentParts are parts of such summaries.
var absentParts = []string{"there is no package for", "missing or corrupted provider plugins"}

var cliConfig = sync.OnceValues(func() (string, error) {
	f, err := os.CreateTemp("", "verdict-*.tfrc")
	if err != nil {
		return "", err
	}
	defer f.Close()
	method := "direct {\n    exclude = [\"*/*/*\"]\n  }"
	if providers != "" {
		method = fmt.Sprintf("filesystem_mirror {\n    path = %q\n  }", providers)
	}
	_, err = fmt.Fprintf(f, "disable_checkpoint = true\nprovider_installation {\n  %s\n}\n", method)
	return f.Name(), err
})

// providers is a filesystem mirror with the providers that modules may need, or empty.
var providers string

// command runs a program in a directory, without the network as far as it can
// be helped.
func command(tool, dir string, args ...string) ([]byte, error) {
	config, err := cliConfig()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Dir = dir
	env := slices.DeleteFunc(os.Environ(), func(s string) bool {
		return strings.HasPrefix(s, "TF_") || strings.Contains(strings.ToLower(s), "_proxy=")
	})
	cmd.Env = append(env, "CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+config, "TF_IN_AUTOMATION=1", "HTTPS_PROXY=http://127.0.0.1:1", "GIT_TERMINAL_PROMPT=0")
	var out bytes.Buffer
	cmd.Stdout = &out
	err = cmd.Run()
	return out.Bytes(), err
}

// planned runs a program's plan on a directory that its validate accepts, without a
// state. It reports false if the program says nothing about the configuration.
func planned(tool, dir string) ([]Finding, bool) {
	found, ok := validate(tool, dir)
	if !ok || len(errorsOf(found)) > 0 {
		return found, ok
	}
	src, _ := command(tool, dir, "plan", "-json", "-input=false", "-lock=false")
	out, whole := []Finding{}, false
	for line := range bytes.Lines(src) {
		var m struct {
			Type       string     `json:"type"`
			Diagnostic diagnostic `json:"diagnostic"`
		}
		if json.Unmarshal(line, &m) != nil {
			return nil, false
		}
		switch m.Type {
		case "diagnostic":
			whole = whole || m.Diagnostic.Severity == "error"
			out = append(out, m.Diagnostic.finding())
		case "change_summary":
			whole = true
		}
	}
	return out, whole && !isAbsent(out)
}

// validate runs a program's validate on a directory. It reports false if the
// program says nothing about the configuration, because something is missing.
func validate(tool, dir string) ([]Finding, bool) {
	found, err := runValidate(tool, dir)
	if err != nil {
		return nil, false
	}
	if !isAbsent(found) {
		return found, true
	}
	if err := os.RemoveAll(filepath.Join(dir, ".terraform")); err != nil {
		return nil, false
	}
	// What init refuses, validate refuses or passes over; either way it is
	// what validate says that counts.
	_, _ = command(tool, dir, "init", "-backend=false", "-input=false", "-no-color")
	found, err = runValidate(tool, dir)
	return found, err == nil && !isAbsent(found)
}

func isAbsent(found []Finding) bool {
	return slices.ContainsFunc(found, func(f Finding) bool {
		return slices.Contains(absent, f.Summary) ||
			slices.ContainsFunc(absentParts, func(part string) bool { return strings.Contains(f.Summary, part) })
	})
}

func runValidate(tool, dir string) ([]Finding, error) {
	src, runErr := command(tool, dir, "validate", "-json", "-no-color")
	var doc struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	}
	if err := json.Unmarshal(src, &doc); err != nil {
		return nil, fmt.Errorf("%s: %w (%v)", tool, err, runErr)
	}
	out := []Finding{}
	for _, d := range doc.Diagnostics {
		out = append(out, d.finding())
	}
	return out, nil
}

// A diagnostic is one that a program prints as JSON.
type diagnostic struct {
	Severity string `json:"severity"`
	Summary  string `json:"summary"`
	Range    *struct {
		Filename string `json:"filename"`
		Start    struct {
			Line   int `json:"line"`
			Column int `json:"column"`
		} `json:"start"`
	} `json:"range"`
}

func (d *diagnostic) finding() Finding {
	f := Finding{Severity: d.Severity, Summary: d.Summary}
	if d.Range != nil {
		f.At = fmt.Sprintf("%s:%d,%d", d.Range.Filename, d.Range.Start.Line, d.Range.Start.Column)
	}
	return f
}
