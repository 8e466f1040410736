// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// This file looks for leaks without any code of the library: with encoding/json
// and a walk of its own.

// A finder has what a document marks as sensitive, anywhere.
type finder struct {
	marks  map[string][]any // by address
	values map[string][]any
	secret map[string]bool
	public map[string]bool
	config map[string]bool // constants
}

func find(t *testing.T, src []byte) *finder {
	t.Helper()
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	f := &finder{map[string][]any{}, map[string][]any{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	f.object(doc)
	f.constants(doc["configuration"])
	if c, ok := doc["configuration"].(map[string]any); ok {
		f.variables(doc, c)
	}
	for address, values := range f.values {
		for _, v := range values {
			f.value(v, f.marks[address])
		}
	}
	return f
}

// object looks for objects with values and marks, wherever they are.
func (f *finder) object(x any) {
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			f.object(e)
		}
	case map[string]any:
		address, _ := x["address"].(string)
		if c, ok := x["change"].(map[string]any); ok && address != "" {
			f.change(address, c)
		} else if v, ok := x["values"]; ok && address != "" {
			f.values[address] = append(f.values[address], v)
			f.marks[address] = append(f.marks[address], x["sensitive_values"])
		}
		for _, name := range []string{"outputs", "output_changes"} {
			outputs, _ := x[name].(map[string]any)
			for output, o := range outputs {
				o, _ := o.(map[string]any)
				if _, ok := o["actions"]; ok {
					f.change("output."+output, o)
				} else if v, ok := o["value"]; ok {
					f.values["output."+output] = append(f.values["output."+output], v)
					f.marks["output."+output] = append(f.marks["output."+output], o["sensitive"])
				}
			}
		}
		for name, e := range x {
			if name != "configuration" && name != "values" {
				f.object(e)
			}
			if v, ok := e.(map[string]any); ok && name == "values" && address == "" {
				f.object(v)
			}
		}
	}
}

func (f *finder) change(address string, c map[string]any) {
	f.values[address] = append(f.values[address], c["before"], c["after"])
	f.marks[address] = append(f.marks[address], c["before_sensitive"], c["after_sensitive"])
}

func (f *finder) constants(x any) {
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			f.constants(e)
		}
	case map[string]any:
		for name, e := range x {
			if s, ok := e.(string); ok && name == "constant_value" {
				f.config[s] = true
			}
			f.constants(e)
		}
	case string:
		f.config[x] = true
	}
}

func (f *finder) variables(doc, config map[string]any) {
	root, _ := config["root_module"].(map[string]any)
	declared, _ := root["variables"].(map[string]any)
	given, _ := doc["variables"].(map[string]any)
	for name, d := range declared {
		d, _ := d.(map[string]any)
		v, _ := given[name].(map[string]any)
		if d["sensitive"] == true {
			f.value(v["value"], []any{true})
		}
	}
}

// value sorts the texts in v into secret and public ones: by the union of all
// marks where they fit.
func (f *finder) value(v any, marks []any) {
	for _, m := range marks {
		if m == true {
			f.all(v, f.secret)
			return
		}
	}
	switch v := v.(type) {
	case string:
		f.public[v] = true
	case []any:
		for i, e := range v {
			var in []any
			for _, m := range marks {
				if m, ok := m.([]any); ok {
					if len(m) == len(v) {
						in = append(in, m[i])
					}
				}
			}
			f.value(e, in)
		}
	case map[string]any:
		for name, e := range v {
			var in []any
			for _, m := range marks {
				if m, ok := m.(map[string]any); ok {
					in = append(in, m[name])
				}
			}
			f.value(e, in)
		}
	}
}

func (f *finder) all(v any, to map[string]bool) {
	switch v := v.(type) {
	case string:
		to[v] = true
	case []any:
		for _, e := range v {
			f.all(e, to)
		}
	case map[string]any:
		for _, e := range v {
			f.all(e, to)
		}
	}
}

// texts returns all strings of a document, also names of members.
func texts(t *testing.T, doc []byte) (all []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(doc))
	d.UseNumber()
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if s, ok := token.(string); ok {
			all = append(all, s)
		}
	}
}

// plain are the texts that are not looked for outside of their places: words, two that are
// joined, and the forms of regions, sizes and networks that the recordings have.
var plain = regexp.MustCompile(`^(([a-z]{1,12}|[A-Z][a-z]{0,11}|[A-Z]{1,12})([-_.]([a-z]{1,12}|[A-Z][a-z]{0,11}|[A-Z]{1,12}))?|(eu|us)-[a-z]+-[0-9][a-z]?|[0-9.]+/[0-9]+|[0-9]+(\.[0-9]+){3}|t3\.micro|[0-9]+ms|[0-9]+[KMG]iB?)$`)

// isSecret is the documented rule for texts that are looked for outside of their place.
func (f *finder) isSecret(s string) bool {
	return len(s) >= 6 && s != "(sensitive value)" && s != "false" && !plain.MatchString(s)
}

// recorded returns the documents of a kind that are recorded: the sample has a third of
// those of package planjson.
func recorded(t *testing.T, prefix string) map[string][]byte {
	t.Helper()
	docs := make(map[string][]byte)
	for _, root := range []string{"testdata", "../testdata"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".json" || !strings.HasPrefix(d.Name(), prefix) || strings.Contains(path, "fuzz") {
				return err
			}
			src, err := os.ReadFile(path)
			if depth.IsFull() || root == "testdata" || prefix == "providers-schema" || len(src)%3 == 0 {
				docs[path] = src
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(docs) < 4 {
		t.Fatalf("only %d recordings of %s", len(docs), prefix)
	}
	return docs
}

// A pipe cannot be read twice.
type pipe struct{ io.Reader }

// inMemory decodes, redacts and encodes a document.
func inMemory[D planjson.Document](src []byte, decode func([]byte) (D, error), redact func(D) (int, error)) ([]byte, int, error) {
	doc, err := decode(src)
	if err != nil {
		return nil, 0, err
	}
	n, err := redact(doc)
	if err != nil {
		return nil, 0, err
	}
	out, err := planjson.Encode(doc)
	return out, n, err
}

// ways returns the redacted document in each way that there is.
func ways(t *testing.T, r redact.Redactor, kind string, src []byte) map[string][]byte {
	t.Helper()
	out := make(map[string][]byte)
	memory := func(r redact.Redactor) (out []byte, n int) {
		var err error
		if kind == "plan" {
			out, n, err = inMemory(src, planjson.DecodePlan, r.Plan)
		} else {
			out, n, err = inMemory(src, planjson.DecodeState, r.State)
		}
		if err != nil {
			t.Fatalf("memory: %v", err)
		}
		return out, n
	}
	text, n := memory(r)
	out["memory"] = text
	if r.Report == nil { // nothing is passed over if somebody asks
		reported := r
		reported.Report = func(redact.Entry) {}
		text, k := memory(reported)
		if out["reported"] = text; k != n {
			t.Errorf("%d values are replaced, and %d if they are reported", n, k)
		}
	}
	for length, r := range map[string]redact.Redactor{"short": r, "long": redact.InWindows(r)} {
		write := r.WritePlan
		if kind == "state" {
			write = r.WriteState
		}
		for name, src := range map[string]io.Reader{"file": bytes.NewReader(src), "pipe": pipe{bytes.NewReader(src)}} {
			var b bytes.Buffer
			if _, err := write(&b, src); err != nil {
				t.Fatalf("%s %s: %v", length, name, err)
			}
			out[length+" "+name] = b.Bytes()
		}
	}
	return out
}

// TestLeaks looks for every text that is marked as sensitive anywhere in a
// recorded document, in all ways in which it can be redacted, and counts the
// public texts that are lost: at most a tenth.
func TestLeaks(t *testing.T) {
	// Of the recordings, and of the documents with planted secrets.
	type counts struct{ public, lost int }
	sets := map[bool]*counts{false: {}, true: {}}
	for _, kind := range []string{"plan", "state"} {
		for path, src := range recorded(t, kind) {
			f := find(t, src)
			for _, r := range []redact.Redactor{{}, {Keep: redact.All}} {
				results := ways(t, r, kind, src)
				for way, out := range results {
					if !bytes.Equal(out, results["memory"]) {
						t.Errorf("%s: %s is not what it is in memory", path, way)
					}
				}
				out := texts(t, results["memory"])
				joined := strings.Join(out, "\x00")
				for s := range f.secret {
					if f.isSecret(s) && strings.Contains(joined, s) {
						t.Errorf("%s: %q is left", path, s)
					}
				}
				if r.Keep != 0 {
					continue
				}
				left := make(map[string]bool)
				for _, s := range out {
					left[s] = true
				}
				set := sets[strings.HasPrefix(path, "testdata")]
				for s := range f.public {
					if !f.secret[s] && s != "" && !strings.Contains(s, "PLANT-") {
						set.public++
						if !left[s] {
							set.lost++
						}
					}
				}
				var again bytes.Buffer
				write := r.WritePlan
				if kind == "state" {
					write = r.WriteState
				}
				if _, err := write(&again, bytes.NewReader(results["memory"])); err != nil || !bytes.Equal(again.Bytes(), results["memory"]) {
					t.Errorf("%s: redacted once more it differs, %v", path, err)
				}
			}
		}
	}
	for planted, set := range sets {
		t.Logf("planted: %t, %d of %d public texts are lost", planted, set.lost, set.public)
		if set.public < 100 || set.lost*10 > set.public {
			t.Errorf("planted: %t, %d of %d public texts are lost", planted, set.lost, set.public)
		}
	}
}

// TestPlanted redacts documents of a configuration in which every text with
// PLANT in it is a secret: at all places at which tools say so only elsewhere.
func TestPlanted(t *testing.T) {
	for _, tool := range []string{"tofu-1.12.6", "terraform-1.11.4"} {
		read := func(name string) []byte {
			src, err := os.ReadFile(filepath.Join("testdata/planted", tool, name))
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(src, []byte("PLANT-")); n < 3 {
				t.Fatalf("%s: only %d secrets were planted in %s", tool, n, name)
			}
			return src
		}
		text, err := os.ReadFile(filepath.Join("testdata/planted", tool, "providers-schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		schemas, err := planjson.DecodeSchemas(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []redact.Redactor{{}, {Schemas: schemas}, {Schemas: schemas, Keep: redact.ProviderConfig | redact.Constants}} {
			for _, name := range []string{"plan.json", "plan.2.json", "plan.3.json", "state.json"} {
				kind, _, _ := strings.Cut(name, ".")
				for way, out := range ways(t, r, kind, read(name)) {
					if i := bytes.Index(out, []byte("PLANT-")); i >= 0 {
						t.Errorf("%s, %s, %s: %s", tool, name, way, out[max(0, i-40):i+40])
					}
				}
			}
			o, err := planjson.DecodeOutputs(read("output.json"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := r.Outputs(o); err != nil {
				t.Fatal(err)
			}
			if out, _ := planjson.Encode(o); bytes.Contains(out, []byte("PLANT-")) {
				t.Errorf("%s: %s", tool, out)
			}
		}
	}
}

// TestNoSpool checks that a document which is read once shows no value at all.
func TestNoSpool(t *testing.T) {
	for path, src := range recorded(t, "plan") {
		f := find(t, src)
		var b bytes.Buffer
		if _, err := (redact.Redactor{NoSpool: true}).WritePlan(&b, pipe{bytes.NewReader(src)}); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if _, err := planjson.DecodePlan(b.Bytes()); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		joined := strings.Join(texts(t, b.Bytes()), "\x00")
		for s := range f.secret {
			if f.isSecret(s) && strings.Contains(joined, s) {
				t.Errorf("%s: %q is left", path, s)
			}
		}
	}
}

// TestRedact_truncated checks that nothing is written of a document that breaks off.
func TestRedact_truncated(t *testing.T) {
	src, err := os.ReadFile("testdata/planted/tofu-1.12.6/plan.2.json")
	if err != nil {
		t.Fatal(err)
	}
	duplicate := bytes.Replace(src, []byte(`"resource_changes":[{"address"`), []byte(`"resource_changes":[{"address":"x","address"`), 1)
	for _, text := range [][]byte{src[:len(src)/2], src[:len(src)-2], append(bytes.Clone(src), '}'), duplicate} {
		for name, in := range map[string]io.Reader{"file": bytes.NewReader(text), "pipe": pipe{bytes.NewReader(text)}} {
			var b bytes.Buffer
			if _, err := (redact.Redactor{}).WritePlan(&b, in); err == nil || b.Len() > 0 {
				t.Errorf("%s: %v, %d bytes written", name, err, b.Len())
			}
		}
		var b bytes.Buffer
		if _, err := (redact.Redactor{NoSpool: true}).WritePlan(&b, pipe{bytes.NewReader(text)}); err == nil || bytes.Contains(b.Bytes(), []byte("PLANT-")) {
			t.Errorf("once: %v, %s", err, b.Bytes())
		}
	}
}
