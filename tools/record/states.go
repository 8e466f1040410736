// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/testing/recordings"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// rawExtension is that of the files that keep raw states. Each is named like the
// file beside it that keeps what "show -json" printed of the same state.
const rawExtension = ".tfstate"

// rawName returns the name of the file that keeps the raw state beside what "show
// -json" printed of it, or "" if name is no file for that.
func rawName(name string) string {
	if base, ok := strings.CutSuffix(name, ".json"); ok {
		return base + rawExtension
	}
	return ""
}

// isShow reports whether a command line without the tool prints a plan or state as
// JSON. The operand is the file that it prints, "" for the current state.
func isShow(args []string) (operand string, ok bool) {
	if len(args) == 0 || args[0] != "show" || !slices.Contains(args, "-json") {
		return "", false
	}
	for _, arg := range args[1:] {
		if name, ok := strings.CutPrefix(arg, "-state="); ok {
			operand = name
		} else if !strings.HasPrefix(arg, "-") {
			operand = arg
		} else if strings.HasPrefix(arg, "-config") || strings.HasPrefix(arg, "-module") || strings.HasPrefix(arg, "-plan=") {
			return "", false
		}
	}
	return operand, true
}

// rawState returns the state of which a command line has printed what shown has, as
// the tool saved it in a file below the working folder. It returns nil if the command
// printed something else, or if the state is not in such a file, not in clear text, or
// in an older version of the format.
func rawState(work string, args []string, shown []byte) []byte {
	name, ok := isShow(args)
	if !ok || planjson.KindOf(shown) != planjson.DocumentState {
		return nil
	}
	if name == "" {
		name = currentState(work)
	}
	if name == "" {
		return nil
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(work, name)
	}
	text, err := os.ReadFile(name)
	if err != nil || planjson.KindOf(text) != planjson.DocumentStateFile {
		return nil
	}
	return text
}

// currentState returns the file of the selected workspace, or "" if a backend other
// than the local one keeps the state.
func currentState(work string) string {
	path, dir := "terraform.tfstate", "terraform.tfstate.d"
	if text, err := os.ReadFile(filepath.Join(work, ".terraform", "terraform.tfstate")); err == nil {
		var meta struct {
			Backend *struct {
				Type   string `json:"type"`
				Config struct {
					Path string `json:"path"`
					Dir  string `json:"workspace_dir"`
				} `json:"config"`
			} `json:"backend"`
			StateStore json.RawMessage `json:"state_store"`
		}
		if json.Unmarshal(text, &meta) != nil || meta.StateStore != nil {
			return ""
		}
		if b := meta.Backend; b != nil {
			if b.Type != "local" {
				return ""
			}
			path, dir = cmp.Or(b.Config.Path, path), cmp.Or(b.Config.Dir, dir)
		}
	}
	if text, err := os.ReadFile(filepath.Join(work, ".terraform", "environment")); err == nil {
		if workspace := strings.TrimSpace(string(text)); workspace != "" && workspace != "default" {
			return filepath.Join(dir, workspace, "terraform.tfstate")
		}
	}
	return path
}

// baseSchemas returns the schemas of the providers that the cases of a release use, or
// nil if it has none.
func baseSchemas(rel recordings.Release) (*planjson.Schemas, error) {
	text, err := fs.ReadFile(rel, "base/providers-schema.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return planjson.DecodeSchemas(text)
}

// rawState judges a state as a tool has saved it: the law, the canonical form, and, if
// there is a recording of that, what show -json printed of it.
func (r *Report) rawState(f recordings.File, rel recordings.Release, schemas *planjson.Schemas) {
	file, err := statefile.Decode(bytes.Clone(f.Text))
	if err != nil {
		r.Documents.add(false, false)
		r.failed(f, "%v", err)
		return
	}
	text, err := statefile.Encode(file)
	canonical, err2 := statefile.Canonical(file)
	same, form := bytes.Equal(text, f.Text), bytes.Equal(canonical, f.Text)
	r.Documents.add(same, form)
	if !same || !form {
		r.failed(f, "identical %v, canonical %v, %v", same, form, errors.Join(err, err2))
	}
	for at := range statefile.Extras(file) {
		r.Extra = append(r.Extra, f.Kind+" "+at+" in "+f.Name)
	}
	for range file.All() {
		r.Addresses++
	}
	base, ok := strings.CutSuffix(f.Name, rawExtension)
	if !ok || schemas == nil {
		return
	}
	want, err := fs.ReadFile(rel, base+".json")
	if err != nil {
		return // it was kept by itself
	}
	shown, err := statefile.Show(file, schemas)
	if err != nil {
		r.failed(f, "%v", err)
		return
	}
	got, err := planjson.Canonical(shown)
	if err != nil || !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want)) {
		r.failed(f, "it is not shown as in %s.json, %v", base, err)
	}
}
