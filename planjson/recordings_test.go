// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"cmp"
	"path"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
)

// A recording is what a real tool printed: testdata/TOOL-VERSION/CASE/FILE.
type recording struct {
	name string
	text []byte
	kind string
}

// recordings returns all recordings of these kinds, or of all.
func recordings(t testing.TB, kinds ...string) (list []recording) {
	t.Helper()
	for _, r := range plantest.Recordings(t, "testdata", kinds...) {
		list = append(list, recording{r.Name, r.Text, r.Kind})
	}
	return list
}

// decodeAs decodes a recording by its kind, and gives what can be done with
// any document.
func decodeAs(kind string, text []byte) (document, error) {
	switch kind {
	case "plan":
		return wrap(planjson.DecodePlan(text))
	case "state":
		return wrap(planjson.DecodeState(text))
	case "config":
		return wrap(planjson.DecodeConfig(text))
	case "schemas":
		return wrap(planjson.DecodeSchemas(text))
	case "functions":
		return wrap(planjson.DecodeFunctions(text))
	case "validate":
		return wrap(planjson.DecodeValidate(text))
	case "version":
		return wrap(planjson.DecodeVersion(text))
	case "outputs":
		return wrap(planjson.DecodeOutputs(text))
	case "modules":
		return wrap(planjson.DecodeModules(text))
	case "workspaces":
		return wrap(planjson.DecodeWorkspaces(text))
	case "stateshow":
		return wrap(planjson.DecodeStateShow(text))
	case "renderer":
		return wrap(planjson.DecodeRendererPlan(text))
	case "rendererstate":
		return wrap(planjson.DecodeRendererState(text))
	}
	panic("no such kind: " + kind)
}

type document struct {
	value     any
	version   error
	encode    func() ([]byte, error)
	write     func() ([]byte, error)
	canonical func() ([]byte, error)

	canonicalFor func(planjson.Release) ([]byte, error)

	extras     func(func(string, planjson.Value) bool)
	duplicates func(func(planjson.Duplicate) bool)
}

func wrap[D planjson.Document](doc D, err error) (document, error) {
	return document{
		value:     doc,
		version:   planjson.CheckVersion(doc),
		encode:    func() ([]byte, error) { return planjson.Encode(doc) },
		write:     func() ([]byte, error) { var b bytes.Buffer; err := planjson.Write(&b, doc); return b.Bytes(), err },
		canonical: func() ([]byte, error) { return planjson.Canonical(doc) },

		canonicalFor: func(tool planjson.Release) ([]byte, error) { return planjson.CanonicalFor(doc, tool) },

		extras:     planjson.Extras(doc),
		duplicates: planjson.Duplicates(doc),
	}, err
}

// Every recording comes out as it went in, has no member without a field and
// none twice, and passes its version check.
func TestRecordings(t *testing.T) {
	for _, r := range recordings(t) {
		doc, err := decodeAs(r.kind, bytes.Clone(r.text))
		if err != nil {
			t.Errorf("%s: %v", r.name, err)
			continue
		}
		if out, err := doc.encode(); err != nil || !bytes.Equal(out, r.text) {
			t.Errorf("%s: encoded with %v to\n%s", r.name, err, out)
		}
		for at, v := range doc.extras {
			t.Errorf("%s: no field for %s: %s", r.name, at, v)
		}
		for d := range doc.duplicates {
			t.Errorf("%s: duplicate %v", r.name, d)
		}
		if doc.version != nil {
			t.Errorf("%s: %v", r.name, doc.version)
		}
		want := map[string]string{"stateshow": "state-show", "rendererplan": "renderer-plan", "rendererstate": "renderer-state"}[r.kind]
		if got := planjson.KindOf(r.text); string(got) != cmp.Or(want, r.kind) && (r.kind != "outputs" || strings.HasSuffix(r.name, "output.json")) {
			t.Errorf("%s: a %s is said to be %q", r.name, r.kind, got)
		}
	}
}

// Recordings are canonical.
func TestRecordingsCanonical(t *testing.T) {
	for _, r := range recordings(t) {
		doc, err := decodeAs(r.kind, bytes.Clone(r.text))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := doc.canonical(); err != nil || !bytes.Equal(out, r.text) {
			t.Errorf("%s: canonical form, with %v:\n%s", r.name, err, out)
		}
	}
}

// The recordings cover both tools, old versions, and every case.
func TestRecordingsCover(t *testing.T) {
	seen := make(map[string]bool)
	for _, r := range recordings(t) {
		tool, rest, _ := strings.Cut(r.name, "/")
		seen[tool] = true
		seen[path.Dir(rest)] = true
		seen[r.kind] = true
	}
	for _, want := range []string{
		"tofu-1.12.6", "tofu-1.9.4", "tofu-1.6.3", "terraform-1.11.4",
		"actions", "apply-trouble", "checks", "commands", "diagnostics", "drift", "ephemeral", "expressions",
		"json-syntax", "keys-modules", "providers-data", "reasons", "registry-modules", "sensitive-unknown",
		"tests", "tofu-files", "values",
		"plan", "state", "config", "schemas", "functions", "validate", "version", "outputs", "modules",
	} {
		if !seen[want] {
			t.Errorf("there is no recording of %s", want)
		}
	}
}
