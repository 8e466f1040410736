// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcledit_test

import (
	"bytes"
	"errors"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hcledit"
	"github.com/tofuwire/tofuwire/internal/testing/configshow"
)

// With these flags the tests in this file and in judge_edits_test.go read other
// projects' files, and ask the tools:
//
//	go test ./hclconfig/hcledit -run Judged -judge.dirs=/src/modules,/src/more -judge.tools=tofu,terraform
var (
	judgeDirs  = flag.String("judge.dirs", "", "folders with configuration, separated by commas, to be read by the tests named Judged")
	judgeTools = flag.String("judge.tools", "", "programs with the command fmt, separated by commas, to be asked by the tests named Judged")
	judgeEdits = flag.Int("judge.edits", 0, "how many random edits the tests named Judged make")
	judgeSeed  = flag.Uint64("judge.seed", 1, "where the random edits of the tests named Judged begin")
)

// judgedFiles returns the fixtures, or the files of the folders in the flag.
func judgedFiles(t *testing.T) []configshow.Fixture {
	if *judgeDirs == "" {
		return configshow.Fixtures(t, "../testdata", "../hclconvert/testdata")
	}
	var out []configshow.Fixture
	for dir := range strings.SplitSeq(*judgeDirs, ",") {
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
	if *judgeTools == "" {
		t.Skip("needs -judge.tools, the programs to compare with")
	}
	files := judgedFiles(t)
	for tool := range strings.SplitSeq(*judgeTools, ",") {
		t.Run(filepath.Base(tool), func(t *testing.T) {
			dir := t.TempDir()
			var opts []hclconfig.Option
			if strings.Contains(filepath.Base(tool), "terraform") {
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
