// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
)

// judgedFiles returns the fixtures, or other projects' files if the environment names
// folders; see package depth. The tests in this file and in judge_edits_test.go read
// them, and ask the tools:
//
//	TOFUWIRE_CONFIGS=/src/modules:/src/more TOFUWIRE_TOFU=/usr/bin/tofu go test ./hclconfig/hcledit -run Judged
func judgedFiles(t *testing.T) []configshow.Fixture {
	dirs := depth.Folders()
	if len(dirs) == 0 {
		return configshow.Fixtures(t, "../testdata", "../hclconvert/testdata")
	}
	var out []configshow.Fixture
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if _, ok := hclconfig.ParseFilename(path); err != nil || d.IsDir() || !ok {
				return err
			}
			src, err := os.ReadFile(path)
			if errors.Is(err, fs.ErrNotExist) {
				return nil // a link to nowhere
			}
			out = append(out, configshow.Fixture{Name: path, Src: src})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// TestJudgedFormat compares Format with the command fmt of the tools, which get all
// files at once.
func TestJudgedFormat(t *testing.T) {
	tools := depth.Tools(t)
	files := judgedFiles(t)
	for name, tool := range tools {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			var opts []hclconfig.Option
			if name == "terraform" {
				opts = append(opts, hclconfig.Terraform)
			}
			paths := make([]string, len(files))
			for i, f := range files {
				if name, _ := hclconfig.ParseFilename(f.Name); name.Syntax != hclconfig.NativeSyntax || name.Kind != hclconfig.ConfigFile {
					continue
				}
				paths[i] = filepath.Join(dir, strconv.Itoa(i)+".tf")
				if err := os.WriteFile(paths[i], f.Src, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.CommandContext(t.Context(), tool, "fmt", "-list=false", dir)
			cmd.WaitDelay = time.Second
			said, _ := cmd.CombinedOutput()
			equal, refused := 0, 0
			for i, f := range files {
				if paths[i] == "" {
					continue
				}
				want, err := os.ReadFile(paths[i])
				if err != nil {
					t.Fatal(err)
				}
				got, err := hcledit.Format(f.Src, opts...)
				if err != nil {
					refused++
					if !bytes.Contains(said, []byte(filepath.Base(paths[i]))) {
						t.Errorf("%s: %v; the tool takes it", f.Name, err)
					}
					continue
				}
				if bytes.Contains(said, []byte("/"+filepath.Base(paths[i])+":")) || bytes.Contains(said, []byte("/"+filepath.Base(paths[i])+" line")) {
					t.Errorf("%s: the tool refuses it", f.Name)
					continue
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s (-tool +ours):\n%s", f.Name, cmp.Diff(string(want), string(got)))
					continue
				}
				equal++
				if again, err := hcledit.Format(got, opts...); err != nil || !bytes.Equal(again, got) {
					t.Errorf("%s: formatted again, it is something else", f.Name)
				}
			}
			t.Logf("%d files as the tool writes them, %d refused by both", equal, refused)
		})
	}
}
