// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

const root = "../.."

// kinds are the kinds of documents that have a schema.
var kinds = []string{"plan", "state", "state-show", "config", "schemas", "functions", "validate", "version", "output", "modules", "workspaces", "statefile",
	"statefile-encrypted", "ui", "tf", "tftest"}

// compile returns the schemas by kind.
func compile(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	all := make(map[string]*jsonschema.Schema)
	for _, kind := range kinds {
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		s, err := c.Compile(filepath.Join(root, "docs", "schemas", kind+".schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		all[kind] = s
	}
	return all
}

// A document is one that a tool has printed, or that it reads.
type document struct {
	kind, name string
	text       []byte
	value      any
}

func (d *document) parse() error {
	if d.value != nil {
		return nil
	}
	var err error
	d.value, err = jsonschema.UnmarshalJSON(bytes.NewReader(d.text))
	return err
}

var documents []*document

// recorded returns the recordings of all releases, and the states and configurations in
// the folders of test data.
func recorded(t *testing.T) []*document {
	t.Helper()
	if documents == nil {
		documents = readDocuments(t)
	}
	return documents
}

func readDocuments(t *testing.T) []*document {
	t.Helper()
	releases, err := recordings.Releases()
	if err != nil {
		t.Fatal(err)
	}
	var all []*document
	for _, r := range releases {
		for f, err := range r.Files() {
			if err != nil {
				t.Fatal(err)
			}
			name := r.String() + "/" + f.Name
			switch {
			case f.Kind == "ui":
				all = append(all, lines(name, f.Text)...)
			case slices.Contains(kinds, f.Kind):
				all = append(all, &document{kind: f.Kind, name: name, text: f.Text})
			}
		}
	}
	for name, text := range unpack(t, filepath.Join(root, "planjson/statefile/testdata/states.zip.gz")) {
		if d := saved(name, text); d != nil {
			all = append(all, d)
		}
	}
	err = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.Contains(name, "testdata") && !strings.Contains(name, "examples") && !strings.Contains(name, "tools/record/cases") {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		switch {
		case strings.HasSuffix(name, ".tftest.json"), strings.HasSuffix(name, ".tofutest.json"):
			all = append(all, &document{kind: "tftest", name: name, text: text})
		case strings.HasSuffix(name, ".tf.json"), strings.HasSuffix(name, ".tofu.json"):
			all = append(all, &document{kind: "tf", name: name, text: text})
		case strings.HasSuffix(name, ".jsonl"):
			all = append(all, lines(name, text)...)
		case strings.HasSuffix(name, ".tfstate"), strings.HasSuffix(name, ".json"):
			if d := saved(name, text); d != nil {
				all = append(all, d)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// lines returns the messages of a stream.
func lines(name string, text []byte) (all []*document) {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte(`{"@level":`)) && json.Valid(line) {
			all = append(all, &document{kind: "ui", name: name, text: line})
		}
	}
	return all
}

// saved returns a document of a kind that its members tell.
func saved(name string, text []byte) *document {
	var m map[string]json.RawMessage
	if json.Unmarshal(text, &m) != nil {
		return nil
	}
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return m[n] == nil })
	}
	switch {
	case has("version", "serial", "lineage") && string(m["version"]) == "4":
		return &document{kind: "statefile", name: name, text: text}
	case has("serial", "lineage", "encrypted_data"):
		return &document{kind: "statefile-encrypted", name: name, text: text}
	case has("format_version", "planned_values", "configuration", "terraform_version"):
		return &document{kind: "plan", name: name, text: text}
	case has("format_version", "provider_schemas") && len(m) == 2:
		return &document{kind: "schemas", name: name, text: text}
	}
	return nil
}

func unpack(t *testing.T, name string) map[string][]byte {
	t.Helper()
	packed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for _, f := range z.File {
		if files[f.Name], err = fs.ReadFile(z, f.Name); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// notDocuments are files of test data that are wrong on purpose, by a part of their name.
var notDocuments = readLines("testdata/wrong.txt")

func wrong(d *document) bool {
	return slices.ContainsFunc(notDocuments, func(part string) bool { return strings.Contains(filepath.ToSlash(d.name), part) })
}

func readLines(name string) (all []string) {
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			all = append(all, line)
		}
	}
	return all
}

// TestAccepted checks that what the tools write and read is valid.
func TestAccepted(t *testing.T) {
	schemas := compile(t)
	count := make(map[string]int)
	seen := make(map[string]bool)
	for _, d := range recorded(t) {
		if wrong(d) {
			continue
		}
		if err := d.parse(); err != nil {
			t.Errorf("%s: %v", d.name, err)
			continue
		}
		count[d.kind]++
		if d.kind == "ui" {
			form := shape(d.value)
			if seen[form] {
				continue
			}
			seen[form] = true
		}
		if err := schemas[d.kind].Validate(d.value); err != nil {
			t.Errorf("%s %s: %v", d.kind, d.name, short(err))
		}
	}
	t.Log(count)
	for _, kind := range kinds {
		if count[kind] == 0 {
			t.Errorf("no document of the kind %s", kind)
		}
	}
}

// shape returns a text that messages share which have the same members with values of
// the same kinds.
func shape(v any) string {
	var b strings.Builder
	var write func(v any)
	write = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			b.WriteByte('{')
			for _, name := range slices.Sorted(maps.Keys(v)) {
				b.WriteString(name)
				if text, ok := v[name].(string); ok && name == "type" {
					b.WriteString(text)
				}
				write(v[name])
			}
			b.WriteByte('}')
		case []any:
			b.WriteByte('[')
			for _, e := range v {
				write(e)
			}
			b.WriteByte(']')
		default:
			fmt.Fprintf(&b, "%T", v)
		}
	}
	write(v)
	return b.String()
}

// short returns the deepest causes of an error.
func short(err error) string {
	var e *jsonschema.ValidationError
	if !errors.As(err, &e) {
		return err.Error()
	}
	text := e.Error()
	return text[:min(len(text), 900)]
}

// TestRefused makes documents with one fault, and some with what newer releases could
// add.
func TestRefused(t *testing.T) {
	schemas := compile(t)
	byKind := make(map[string][]*document)
	for _, d := range recorded(t) {
		if !wrong(d) && d.parse() == nil {
			byKind[d.kind] = append(byKind[d.kind], d)
		}
	}
	refused, accepted := 0, 0
	for _, line := range readLines("testdata/faults.txt") {
		words := strings.Fields(line)
		kind, path, want := words[0], strings.Split(words[1][1:], "/"), words[2:]
		found := false
		for _, d := range byKind[kind] {
			at, name := find(d.value, path)
			if at == nil {
				continue
			}
			found = true
			for _, c := range changes(at, name, want) {
				c.do()
				err := schemas[kind].Validate(d.value)
				c.undo()
				switch {
				case c.valid && err != nil:
					t.Errorf("%s: %s is refused in %s: %s", line, c.what, d.name, short(err))
				case !c.valid && err == nil:
					t.Errorf("%s: %s is accepted in %s", line, c.what, d.name)
				case c.valid:
					accepted++
				default:
					refused++
				}
			}
			break
		}
		if !found {
			t.Errorf("%s: no recording has it", line)
		}
	}
	t.Logf("%d refused, %d accepted", refused, accepted)
	if refused < 300 {
		t.Errorf("only %d documents with a fault", refused)
	}
}

// find returns the object that has the last member of a path, and the member's name. A
// step * is any member or element.
func find(v any, path []string) (map[string]any, string) {
	switch v := v.(type) {
	case map[string]any:
		names := []string{path[0]}
		if path[0] == "*" {
			names = slices.Sorted(maps.Keys(v))
		}
		for _, name := range names {
			value, ok := v[name]
			if ok && len(path) == 1 {
				return v, name
			}
			if ok {
				if at, last := find(value, path[1:]); at != nil {
					return at, last
				}
			}
		}
	case []any:
		for _, e := range v {
			if path[0] == "*" && len(path) > 1 {
				if at, last := find(e, path[1:]); at != nil {
					return at, last
				}
			}
		}
	}
	return nil, ""
}

// A change is one change of a document.
type change struct {
	what     string
	valid    bool // the document stays valid
	do, undo func()
}

// samples has a value of each kind of JSON.
var samples = map[string]any{
	"string": "?", "number": json.Number("7"), "boolean": true, "null": nil, "object": map[string]any{}, "array": []any{},
}

// changes returns the changes of a member: to values of kinds that words do not name,
// no member if "required" is among them, another value of an enumeration.
func changes(o map[string]any, name string, words []string) (all []change) {
	old := o[name]
	undo := func() { o[name] = old }
	for _, kind := range slices.Sorted(maps.Keys(samples)) {
		if !slices.Contains(words, kind) && !slices.Contains(words, "any") {
			all = append(all, change{"the kind " + kind, false, func() { o[name] = samples[kind] }, undo})
		}
	}
	all = append(all, change{"an absent member", !slices.Contains(words, "required"), func() { delete(o, name) }, undo})
	other := any("another-value")
	if list, ok := old.([]any); ok && len(list) > 0 {
		other = []any{"another-value"}
	}
	if slices.Contains(words, "closed") {
		all = append(all, change{"another value", false, func() { o[name] = other }, undo})
	}
	if slices.Contains(words, "open") {
		all = append(all, change{"another value", true, func() { o[name] = other }, undo})
	}
	if !slices.Contains(words, "entry") {
		all = append(all, change{"an unknown member beside", true, func() { o["zz_new"] = "x" }, func() { delete(o, "zz_new") }})
	}
	return all
}
