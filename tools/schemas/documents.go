// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

// Kinds are the kinds of documents that have a schema.
var Kinds = []string{"plan", "state", "state-show", "config", "schemas", "functions", "validate", "version", "output", "modules", "workspaces", "statefile",
	"statefile-encrypted", "ui", "tf", "tftest", "lock-info", "backend", "installed-modules", "envelope"}

// A Document is one that a tool has printed, or that it reads.
type Document struct {
	Kind string
	Name string // of the file that has it: RELEASE/CASE/FILE, or a path
	Text []byte
}

// HasType reports whether the plain profile has a type for a document: a file that is a list has
// it for each element, and the value of one output, which "output -json NAME" prints, has none.
func (d Document) HasType() bool {
	var members map[string]map[string]json.RawMessage
	switch d.Kind {
	case "tf", "tftest":
		return !bytes.HasPrefix(bytes.TrimSpace(d.Text), []byte("["))
	case "output":
		if json.Unmarshal(d.Text, &members) != nil {
			return false
		}
		for _, o := range members {
			if o["sensitive"] == nil || o["type"] == nil {
				return false
			}
		}
	}
	return true
}

// Documents returns the recordings of all releases, and the states and configurations in
// the folders of test data, of the repository in root. Files of test data that are wrong
// on purpose are not among them.
func Documents(root string) ([]Document, error) {
	releases, err := recordings.Releases()
	if err != nil {
		return nil, err
	}
	var all []Document
	for _, r := range releases {
		for f, err := range r.Files() {
			if err != nil {
				return nil, err
			}
			name := r.String() + "/" + f.Name
			switch {
			case f.Kind == "ui":
				all = append(all, lines(name, f.Text)...)
			case slices.Contains(Kinds, f.Kind):
				all = append(all, Document{f.Kind, name, f.Text})
			}
		}
	}
	states, err := unpack(filepath.Join(root, "planjson/statefile/testdata/states.zip.gz"))
	if err != nil {
		return nil, err
	}
	for name, text := range states {
		all = append(all, saved(name, text)...)
	}
	err = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(name, "testdata") && !strings.Contains(name, "examples") && !strings.Contains(name, "tools/record/cases") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch dir := filepath.ToSlash(filepath.Dir(name)); {
		case strings.HasSuffix(filepath.ToSlash(filepath.Dir(filepath.Dir(name))), "tools/schemas/testdata/recorded"):
			all = append(all, Document{path.Base(dir), name, text})
		case strings.HasSuffix(name, ".tftest.json"), strings.HasSuffix(name, ".tofutest.json"):
			all = append(all, Document{"tftest", name, text})
		case strings.HasSuffix(name, ".tf.json"), strings.HasSuffix(name, ".tofu.json"):
			all = append(all, Document{"tf", name, text})
		case strings.HasSuffix(name, ".jsonl"):
			all = append(all, lines(name, text)...)
		case strings.HasSuffix(name, ".tfstate"), strings.HasSuffix(name, ".json"):
			all = append(all, saved(name, text)...)
		}
		return nil
	})
	return slices.DeleteFunc(all, isWrong), err
}

// wrong are parts of the names of files of test data that are wrong on purpose.
var wrong = []string{"testdata/broken/jsonsyntax/", "cases/diagnostics/config-jsonsyntax/"}

func isWrong(d Document) bool {
	name := filepath.ToSlash(d.Name)
	return slices.ContainsFunc(wrong, func(part string) bool { return strings.Contains(name, part) })
}

// lines returns the messages of a stream.
func lines(name string, text []byte) (all []Document) {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"@level":`)) && json.Valid(line) {
			all = append(all, Document{"ui", name, line})
		}
	}
	return all
}

// saved returns the document of a file, if its members tell that it is one, and of
// which kind.
func saved(name string, text []byte) []Document {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return nil
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return m[n] == nil })
	}
	switch {
	case has("version", "serial", "lineage") && string(m["version"]) == "4":
		return []Document{{"statefile", name, text}}
	case has("serial", "lineage", "encrypted_data"):
		return []Document{{"statefile-encrypted", name, text}}
	case has("format_version", "planned_values", "configuration", "terraform_version"):
		return []Document{{"plan", name, text}}
	case has("format_version", "provider_schemas") && len(m) == 2:
		return []Document{{"schemas", name, text}}
	}
	return nil
}

// unpack returns the files of an archive.
func unpack(name string) (map[string][]byte, error) {
	packed, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for _, f := range z.File {
		if files[f.Name], err = fs.ReadFile(z, f.Name); err != nil {
			return nil, err
		}
	}
	return files, nil
}
