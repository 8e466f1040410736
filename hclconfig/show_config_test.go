// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
)

const recordedDir = "testdata/recorded"

// A recording is one line of recordings.txt: what a tool said of a module.
type recording struct {
	dir     string         // the folder of the case
	tool    string         // such as tofu-1.12.6
	file    string         // what it printed, below dir and tool
	module  string         // the folder of the module that was shown
	layers  []string       // folders of dir, each laid over the ones before; -NAME takes a file away
	program string         // tofu or terraform
	version addrs.Version  // of the program
	want    map[string]any // the content of file
}

// recordings reads recordings.txt. Every recorded file must be in it, and
// every folder with configuration must be of use.
func recordings(t *testing.T) []recording {
	t.Helper()
	src, err := os.ReadFile(recordedDir + "/recordings.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []recording
	listed := map[string]bool{}
	for line := range strings.Lines(string(src)) {
		f := strings.Fields(line)
		names := strings.Split(f[2], ",") // the others have the same bytes
		r := recording{dir: f[0], tool: f[1], file: names[0], module: f[3], layers: f[4:]}
		version := ""
		r.program, version, _ = strings.Cut(r.tool, "-")
		r.version = addrs.MustParseVersion(version)
		name := path.Join(r.dir, r.tool, r.file)
		src, err := os.ReadFile(path.Join(recordedDir, name))
		if err != nil {
			t.Fatal(err)
		}
		r.want = decodeObject(t, src)
		listed[name] = true
		for _, l := range r.layers {
			listed[path.Join(r.dir, l)] = true
		}
		out = append(out, r)
	}
	for _, pattern := range []string{"/*/*/*.json", "/*/config*"} {
		names, err := filepath.Glob(recordedDir + pattern)
		if err != nil || names == nil {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			rel := strings.TrimPrefix(filepath.ToSlash(name), recordedDir+"/")
			if _, second, _ := strings.Cut(rel, "/"); strings.Count(rel, "/") == 2 && strings.HasPrefix(second, "config") {
				continue // a JSON file of a configuration
			}
			if !listed[rel] {
				t.Errorf("%s is not in recordings.txt", rel)
			}
		}
	}
	return out
}

// has reports whether the program is OpenTofu of at least that release.
func (r recording) has(release string) bool {
	return r.program == "tofu" && r.version.Compare(addrs.MustParseVersion(release+".0")) >= 0
}

// files returns the configuration as the tool saw it.
func (r recording) files(t *testing.T) fs.FS {
	t.Helper()
	out := fstest.MapFS{}
	for _, layer := range r.layers {
		if gone, ok := strings.CutPrefix(layer, "-"); ok {
			delete(out, gone)
			continue
		}
		for name, src := range readTree(t, path.Join(recordedDir, r.dir, layer)) {
			out[name] = &fstest.MapFile{Data: []byte(src)}
		}
	}
	return out
}

// dialect returns the dialect that the tool reads. Before 1.8, OpenTofu did not
// know .tofu files, and chose the files as Terraform does.
func (r recording) dialect() hclconfig.Dialect {
	if r.has("1.8") {
		return hclconfig.OpenTofu
	}
	return hclconfig.Terraform
}

func decodeObject(t *testing.T, src []byte) map[string]any {
	t.Helper()
	var out map[string]any
	d := json.NewDecoder(strings.NewReader(string(src)))
	d.UseNumber()
	if err := d.Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestShowConfig writes what the typed view has of each recorded module in the
// form of "configuration" in the JSON form of plans, and wants what the tool
// itself wrote: names, references with their order, constants, types, provider
// configurations, schemas applied, module calls and what they call.
func TestShowConfig(t *testing.T) {
	schemas := readSchemas(t)
	for _, r := range recordings(t) {
		t.Run(path.Join(r.dir, r.tool, r.file), func(t *testing.T) {
			m, err := hclconfig.LoadModule(r.files(t), r.module, r.dialect())
			if err != nil {
				t.Fatal(err)
			}
			if diags := m.Validate(); diags.HasErrors() {
				t.Errorf("%v", diags)
			}
			// What "show -json -module" prints has no expressions.
			s := shower{t: t, recording: r, files: r.files(t), schemas: schemas, bare: strings.HasPrefix(r.file, "show-module")}
			ours, err := json.Marshal(s.show(m))
			if err != nil {
				t.Fatal(err)
			}
			sortResources(r.want)
			if diff := cmp.Diff(r.want, decodeObject(t, ours)); diff != "" {
				t.Errorf("(-%s +ours):\n%s", r.tool, diff)
			}
		})
	}
}
