// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// A brokenFS cannot read some directories.
type brokenFS struct {
	fstest.MapFS
	broken map[string]error
}

func (b brokenFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := b.broken[name]; err != nil {
		return nil, err
	}
	return b.MapFS.ReadDir(name)
}

func TestModules(t *testing.T) {
	files := fstest.MapFS{}
	for _, name := range []string{
		"main.tf", "a.auto.tfvars", "x.txt", "main.tf~", ".hidden.tf", "tests/a.tftest.hcl", "live/prod/main.tofu", "live/prod/prod.tfvars.json", "live/README",
		".terraform/modules/m/main.tf", ".git/main.tf", "secret/main.tf", "gone/main.tf", "dir.tf/x.tf", "z/only.tfvars",
	} {
		files[name] = &fstest.MapFile{}
	}
	fsys := brokenFS{files, map[string]error{"secret": fs.ErrPermission, "gone": fs.ErrNotExist}}
	var got []string
	for d, err := range hclconfig.Modules(fsys) {
		if err != nil {
			if e := new(hclconfig.Error); !errors.As(err, &e) || e.Filename != d.Dir || !errors.Is(err, fs.ErrPermission) {
				t.Errorf("%v", err)
			}
			got = append(got, d.Dir+" broken")
			continue
		}
		got = append(got, fmt.Sprint(d.Dir, d.Files, d.Tests, d.Values))
	}
	want := ".[main.tf] [] [a.auto.tfvars] dir.tf[dir.tf/x.tf] [] [] live/prod[live/prod/main.tofu] [] [live/prod/prod.tfvars.json] secret broken tests[] [tests/a.tftest.hcl] [] z[] [] [z/only.tfvars]"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	for d := range hclconfig.Modules(fsys) {
		if d.Dir == "live/prod" {
			break
		}
	}
	for _, err := range hclconfig.Modules(brokenFS{files, map[string]error{".": fs.ErrNotExist}}) {
		if err == nil {
			t.Error("a root that is not there")
		}
	}
}
