// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Langverdict tries what the tables of the configuration language say with real
// programs: each argument, block and word in a file of its own, and then
// "validate -json". It writes the verdicts into internal/hcllang/testdata/verdicts.txt,
// where the tests compare them with the tables. A new release is one more column.
//
//	go run -C tools ./langverdict PROGRAM...
//
// The programs need no network and no providers.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/tofuwire/tofuwire/internal/hcllang"
)

func main() {
	out := flag.String("o", filepath.Join("..", "internal", "hcllang", "testdata", "verdicts.txt"), "the `file` with the table")
	flag.Parse()
	text, _ := os.ReadFile(*out)
	table := hcllang.ParseVerdicts(string(text))
	for _, program := range flag.Args() {
		release, verdicts, err := try(program)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
			os.Exit(1)
		}
		table.Set(release, verdicts)
	}
	if err := os.WriteFile(*out, []byte(table.String()), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// try returns the release of a program, such as "tofu-1.12.6", and which probes it
// accepts.
func try(program string) (string, map[string]bool, error) {
	version, err := run(program, ".", "version", "-json")
	if err != nil {
		return "", nil, err
	}
	var v struct {
		Version string `json:"terraform_version"`
	}
	if err := json.Unmarshal(version, &v); err != nil {
		return "", nil, err
	}
	name := "terraform-"
	if plain, _ := run(program, ".", "version"); bytes.HasPrefix(plain, []byte("OpenTofu")) {
		name = "tofu-"
	}
	verdicts := map[string]bool{}
	for _, kind := range []hcllang.FileKind{hcllang.ConfigFile, hcllang.TestFile} {
		var probes []hcllang.Probe
		for _, p := range hcllang.Probes() {
			if p.Kind == kind {
				probes = append(probes, p)
			}
		}
		if err := tryAll(program, kind, probes, verdicts); err != nil {
			return "", nil, err
		}
	}
	return name + v.Version, verdicts, nil
}

// errCrash is for a program that ends without a word.
var errCrash = errors.New("the program crashed")

// tryAll tries probes of one kind of file together; if the program crashes, in halves.
// One that it crashes of by itself gets no verdict.
func tryAll(program string, kind hcllang.FileKind, probes []hcllang.Probe, verdicts map[string]bool) error {
	err := tryTogether(program, kind, probes, verdicts)
	if !errors.Is(err, errCrash) {
		return err
	}
	if len(probes) < 2 {
		fmt.Fprintf(os.Stderr, "%s: %s: %v\n", program, probes[0].Name, err)
		return nil
	}
	n := len(probes) / 2
	return errors.Join(tryAll(program, kind, probes[:n], verdicts), tryAll(program, kind, probes[n:], verdicts))
}

// tryTogether tries the probes in one directory, each in a file of its own.
func tryTogether(program string, kind hcllang.FileKind, probes []hcllang.Probe, verdicts map[string]bool) error {
	dir, err := os.MkdirTemp("", "langverdict")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	files := map[string]hcllang.Probe{}
	suffix := map[hcllang.FileKind]string{hcllang.ConfigFile: ".tf", hcllang.TestFile: ".tftest.hcl"}[kind]
	for i, p := range probes {
		file := fmt.Sprintf("p%03d%s", i, suffix)
		files[file] = p
		if err := os.WriteFile(filepath.Join(dir, file), []byte(p.Text), 0o644); err != nil {
			return err
		}
	}
	// A file that no program accepts: if its output has no word about it, the program does not
	// read such files, and its silence means nothing.
	control := "control" + suffix
	if err := os.WriteFile(filepath.Join(dir, control), []byte("langverdict_no_such_block {}\n"), 0o644); err != nil {
		return err
	}
	text, err := run(program, dir, "validate", "-json")
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && len(text) == 0 {
		return errCrash
	}
	var result struct {
		Diagnostics []struct {
			Summary string `json:"summary"`
			Range   *struct {
				Filename string `json:"filename"`
				Start    struct {
					Line int `json:"line"`
				} `json:"start"`
			} `json:"range"`
		} `json:"diagnostics"`
	}
	if err := json.Unmarshal(text, &result); err != nil {
		return fmt.Errorf("validate: %w: %.200s", err, text)
	}
	read := false
	for _, p := range probes {
		verdicts[p.Name] = true
	}
	for _, d := range result.Diagnostics {
		if d.Range == nil {
			continue
		}
		file := filepath.Base(d.Range.Filename)
		if file == control {
			read = true
			continue
		}
		if p, ok := files[file]; ok && p.Refuses(d.Range.Start.Line, d.Summary) {
			verdicts[p.Name] = false
		}
	}
	if !read {
		for _, p := range probes {
			verdicts[p.Name] = false
		}
	}
	return nil
}

func run(program, dir string, args ...string) ([]byte, error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CHECKPOINT_DISABLE=1", "TF_CLI_CONFIG_FILE="+os.DevNull)
	return cmd.Output()
}
