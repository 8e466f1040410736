// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing/fstest"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/hclconfig"
	"github.com/tofuwire/tofuwire/hclconfig/hclcheck"
	"github.com/tofuwire/tofuwire/hclconfig/hclnames"
	"github.com/tofuwire/tofuwire/internal/hcllang"
	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

// A Language says how far the language as this library knows it is that of the
// release.
type Language struct {
	// Probes counts the blocks, arguments and words that were tried with the
	// program, see tools/langverdict; in Agreed of them the tables say what the
	// program said. Both are 0 if it was not tried.
	Probes int `json:"probes"`
	Agreed int `json:"agreed"`

	// Validated counts the configurations of the common cases that the program
	// validated; in Same of them hclcheck comes to the same verdict.
	Validated int `json:"validated"`
	Same      int `json:"same"`
}

// verdictsFile has what programs said of the probes; below the root of the library.
const verdictsFile = "internal/hcllang/testdata/verdicts.txt"

// probes compares the tables of the language with what the program said.
func (r *Report) probes(verdicts *hcllang.Verdicts) {
	d, release := hcllang.SplitRelease(r.Release)
	for _, p := range hcllang.Probes() {
		accepts, known := verdicts.Of(r.Release, p.Name)
		if !known {
			continue
		}
		r.Language.Probes++
		if accepts == p.In(d, release) {
			r.Language.Agreed++
		} else {
			r.Failed = append(r.Failed, fmt.Sprintf("language: the program accepts %s: %v", p.Name, accepts))
		}
	}
}

// validations compares what hclcheck says of the configurations of the common
// cases with what the program said, in the language of the release.
func (r *Report) validations(root string, rel recordings.Release) error {
	folders, err := fs.Glob(rel, "*/meta.json")
	if err != nil {
		return err
	}
	dialect := hclconfig.OpenTofu
	if rel.Tool == "terraform" {
		dialect = hclconfig.Terraform
	}
	version, err := addrs.ParseVersion(rel.Version)
	if err != nil {
		return err
	}
	dialect = dialect.At(version)
	for _, meta := range folders {
		folder := path.Dir(meta)
		text, err := fs.ReadFile(rel, meta)
		if err != nil {
			return err
		}
		var c commonCase
		if err := json.Unmarshal(text, &c); err != nil {
			return fmt.Errorf("%s/%s: %w", rel, meta, err)
		}
		var v hclcheck.Validation
		if schemas, err := fs.ReadFile(rel, folder+"/providers-schema.json"); err == nil {
			if v.Schemas, err = hclconfig.DecodeSchemas(schemas); err != nil {
				return err
			}
		}
		laid := layout{sources: filepath.Join(root, "internal", "testing", "recordings", "cases", folder), files: fstest.MapFS{}}
		initialized := false
		for _, s := range c.Steps {
			if err := laid.step(s); errors.Is(err, fs.ErrNotExist) {
				break // a case whose configuration is kept elsewhere
			} else if err != nil {
				return fmt.Errorf("%s/%s: %w", rel, meta, err)
			}
			if len(s.Argv) < 2 {
				continue
			}
			if s.Argv[1] == "init" && s.Exit != nil && *s.Exit == 0 {
				initialized = true
			}
			// A folder that was not initialized, or that is not this one, is not
			// about the language, and queries are no part of a module.
			other := slices.ContainsFunc(s.Argv[2:], func(arg string) bool { return !strings.HasPrefix(arg, "-") || arg == "-query" })
			if s.Argv[1] != "validate" || s.Stdout == "" || !initialized || other {
				continue
			}
			if err := r.validation(rel, folder+"/"+s.Stdout, laid.files, dialect, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// validation compares one verdict.
func (r *Report) validation(rel recordings.Release, name string, files fs.FS, dialect hclconfig.Dialect, v hclcheck.Validation) error {
	text, err := fs.ReadFile(rel, name)
	if err != nil {
		return err
	}
	var doc struct {
		Valid       bool `json:"valid"`
		Diagnostics []struct {
			Summary string `json:"summary"`
		} `json:"diagnostics"`
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		return fmt.Errorf("%s/%s: %w", rel, name, err)
	}
	tree, err := hclnames.LoadTree(files, ".", dialect, hclconfig.TestDirectory(""), hclconfig.Workspace("default"))
	if err != nil {
		return fmt.Errorf("%s/%s: %w", rel, name, err)
	}
	found := hclcheck.Validate(tree, v)
	r.Language.Validated++
	if found.HasErrors() != doc.Valid {
		r.Language.Same++
		return nil
	}
	r.Failed = append(r.Failed, fmt.Sprintf("language: %s is valid: %v, %v; hclcheck says %v", name, doc.Valid, doc.Diagnostics, found))
	return nil
}

// A layout is the configuration in the working folder of a common case.
type layout struct {
	sources string
	files   fstest.MapFS
	laid    []string // by use and add
}

// step does to the files what a step of a case does.
func (l *layout) step(s commonStep) error {
	switch {
	case s.Use != "":
		for _, name := range l.laid {
			delete(l.files, name)
		}
		l.laid = nil
		return l.lay(s.Use)
	case s.Add != "":
		return l.lay(s.Add)
	case s.Remove != "":
		for name := range l.files {
			if name == s.Remove || strings.HasPrefix(name, s.Remove+"/") {
				delete(l.files, name)
			}
		}
	case s.Write != "":
		l.files[s.Write] = &fstest.MapFile{Data: []byte(s.Text)}
	}
	return nil
}

// lay adds the files of a folder.
func (l *layout) lay(folder string) error {
	fsys := os.DirFS(filepath.Join(l.sources, folder))
	return fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(fsys, name)
		l.files[name] = &fstest.MapFile{Data: data}
		l.laid = append(l.laid, name)
		return err
	})
}
