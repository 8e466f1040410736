// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package configshow

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

// A Recording is one line of Recordings.txt: what a tool said of a module.
type Recording struct {
	Dir     string // the folder of the case
	Tool    string // such as tofu-1.12.6
	File    string // what it printed, below dir and tool
	Module  string // the folder of the module that was shown
	root    string
	layers  []string       // folders of dir, each laid over the ones before; -NAME takes a file away
	Program string         // tofu or terraform
	Version addrs.Version  // of the program
	Want    map[string]any // the content of file
}

// Recordings reads Recordings.txt. Every recorded file must be in it, and
// every folder with configuration must be of use.
func Recordings(t *testing.T, root string) []Recording {
	t.Helper()
	src, err := os.ReadFile(root + "/recordings.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []Recording
	listed := map[string]bool{}
	for line := range strings.Lines(string(src)) {
		f := strings.Fields(line)
		names := strings.Split(f[2], ",") // the others have the same bytes
		r := Recording{root: root, Dir: f[0], Tool: f[1], File: names[0], Module: f[3], layers: f[4:]}
		version := ""
		r.Program, version, _ = strings.Cut(r.Tool, "-")
		r.Version = addrs.MustParseVersion(version)
		name := path.Join(r.Dir, r.Tool, r.File)
		src, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		r.Want = DecodeObject(t, src)
		listed[name] = true
		for _, l := range r.layers {
			listed[path.Join(r.Dir, l)] = true
		}
		out = append(out, r)
	}
	for _, pattern := range []string{"/*/*/*.json", "/*/config*"} {
		names, err := filepath.Glob(root + pattern)
		if err != nil || names == nil {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			rel := strings.TrimPrefix(filepath.ToSlash(name), root+"/")
			if _, second, _ := strings.Cut(rel, "/"); strings.Count(rel, "/") == 2 && strings.HasPrefix(second, "config") {
				continue // a JSON file of a configuration
			}
			if !listed[rel] {
				t.Errorf("%s is not in Recordings.txt", rel)
			}
		}
	}
	return out
}

// has reports whether the program is OpenTofu of at least that release.
func (r Recording) has(release string) bool {
	return r.Program == "tofu" && r.Version.Compare(addrs.MustParseVersion(release+".0")) >= 0
}

// Files returns the configuration as the tool saw it.
func (r Recording) Files(t *testing.T) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	for _, layer := range r.layers {
		if gone, ok := strings.CutPrefix(layer, "-"); ok {
			delete(out, gone)
			continue
		}
		for name, src := range ReadTree(t, path.Join(r.root, r.Dir, layer)) {
			out[name] = &fstest.MapFile{Data: []byte(src)}
		}
	}
	return out
}

// Dialect returns the dialect that the tool reads.
func (r Recording) Dialect() hclconfig.Dialect {
	if r.Program == "tofu" {
		return hclconfig.OpenTofu.At(r.Version)
	}
	return hclconfig.Terraform.At(r.Version)
}

// DecodeObject decodes a JSON object and keeps the digits of its numbers.
func DecodeObject(t *testing.T, src []byte) map[string]any {
	t.Helper()
	var out map[string]any
	d := json.NewDecoder(strings.NewReader(string(src)))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// ReadTree reads all files below a folder.
func ReadTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		src, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = string(src)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A Fixture is a configuration file of the test data.
type Fixture struct {
	Name string
	Src  []byte
}

// Fixtures returns all configuration files below some folders.
func Fixtures(t testing.TB, roots ...string) []Fixture {
	t.Helper()
	var out []Fixture
	for _, root := range roots {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			if _, ok := hclconfig.ParseFilename(path); !ok {
				return nil
			}
			src, err := os.ReadFile(path)
			out = append(out, Fixture{filepath.ToSlash(path), src})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(out) < 50 {
		t.Fatalf("only %d Fixtures", len(out))
	}
	return out
}

// MapFS returns the files of a tree as a file system.
func MapFS(tree map[string]string) fstest.MapFS {
	out := fstest.MapFS{}
	for name, src := range tree {
		out[name] = &fstest.MapFile{Data: []byte(src)}
	}
	return out
}
