// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// The marks around the table of programs.
const (
	beginPairs = "<!-- pairs -->\n"
	endPairs   = "<!-- /pairs -->\n"
)

// A pair is a program with our packages and one for the same task with a peer: the folders
// ours and peer of _pairs/NAME.
type pair struct {
	name, task string
	peer       string // as the table has it
	modules    []string
}

// pairs are the programs that are compared. A module without a version has that of go.mod.
var pairs = []pair{
	{"plan", "decode a plan, print the actions", "terraform-json", []string{"github.com/hashicorp/terraform-json"}},
	{"edit", "set an argument in a file", "hclwrite", []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty"}},
	{"module", "load a module, list its variables", "terraform-config-inspect", []string{"github.com/hashicorp/terraform-config-inspect"}},
	{"lock", "hash a package, add the hash to the lock file", "hclwrite and dirhash", []string{"github.com/hashicorp/hcl/v2", "github.com/zclconf/go-cty", "golang.org/x/mod"}},
	{"linter", "a linter of one rule", "tflint-plugin-sdk v0.22.0", []string{"github.com/terraform-linters/tflint-plugin-sdk@v0.22.0"}},
	{"registry", "download and verify a package", "hc-install v0.10.0", []string{"github.com/hashicorp/hc-install@v0.10.0", "github.com/hashicorp/go-version@v1.9.0"}},
}

// A built is what a program takes.
type built struct {
	cpu  time.Duration // to compile all of it, the standard library included
	size int64         // stripped
}

// pairs measures the pairs of programs. Both programs of a pair are built in turn, each time from an
// empty build cache, and the least of the times counts.
func (l *lab) pairs() (string, error) {
	var table strings.Builder
	table.WriteString("| a program that does this: | beside | CPU time to compile | size |\n|---|---|---|---|\n")
	for _, p := range pairs {
		ours, peer, err := l.pair(os.Stdout, p, 3)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&table, "| %s | %s | %.2f | %.2f |\n", p.task, p.peer, float64(ours.cpu)/float64(peer.cpu), float64(ours.size)/float64(peer.size))
	}
	return table.String(), nil
}

// pair builds both programs of a pair some times.
func (l *lab) pair(w io.Writer, p pair, times int) (ours, peer built, err error) {
	ourDir, err := l.program(p, "ours", module+"@v0.0.0")
	if err != nil {
		return ours, peer, err
	}
	peerDir, err := l.program(p, "peer", p.modules...)
	if err != nil {
		return ours, peer, err
	}
	for range times {
		if err := errors.Join(l.build(ourDir, &ours), l.build(peerDir, &peer)); err != nil {
			return ours, peer, err
		}
		fmt.Fprintf(w, "%s: %.1f s and %d bytes, peer %.1f s and %d bytes\n", p.name, ours.cpu.Seconds(), ours.size, peer.cpu.Seconds(), peer.size)
	}
	return ours, peer, nil
}

// program makes a module with a program of a pair, which requires the modules.
func (l *lab) program(p pair, which string, modules ...string) (string, error) {
	dir := filepath.Join(l.dir, p.name+"-"+which)
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join("footprint", "_pairs", p.name, which, "main.go"))
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "main.go"), text, 0o600); err != nil {
		return "", err
	}
	commands := [][]string{{"mod", "init", "example.com/mine"}}
	for _, m := range modules {
		if !strings.Contains(m, "@") {
			m += "@" + l.versions[m]
		}
		commands = append(commands, []string{"mod", "edit", "-require=" + m})
	}
	commands = append(commands, []string{"mod", "edit", "-replace=" + module + "=" + l.clone}, []string{"mod", "tidy"})
	for _, args := range commands {
		if _, err := output(dir, "go", args...); err != nil {
			return "", err
		}
	}
	return dir, nil
}

// build builds the program in a folder from nothing, and keeps the lesser time.
func (l *lab) build(dir string, b *built) error {
	cache := filepath.Join(l.dir, "cache")
	program := filepath.Join(dir, "program")
	took, err := cpu(dir, []string{"GOCACHE=" + cache, "GOFLAGS=-mod=mod"}, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", program, ".")
	if err := errors.Join(err, os.RemoveAll(cache)); err != nil {
		return err
	}
	if b.cpu == 0 || took < b.cpu {
		b.cpu = took
	}
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	b.size = info.Size()
	return nil
}
