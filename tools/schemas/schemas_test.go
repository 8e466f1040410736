// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package schemas

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/tofuwire/tofuwire/tools/internal/tofuwire"
)

const root = "../.."

// compile returns the schemas by kind, or those of the plain profile in types.
func compile(t *testing.T, profile ...string) map[string]*jsonschema.Schema {
	t.Helper()
	all := make(map[string]*jsonschema.Schema)
	for _, kind := range append(Kinds, "report") {
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		s, err := c.Compile(filepath.Join(append(append([]string{root, "docs", "schemas"}, profile...), kind+".schema.json")...))
		if err != nil {
			t.Fatal(err)
		}
		all[kind] = s
	}
	return all
}

// A document is one of which the tests change the value.
type document struct {
	Document
	value any
}

var documents []*document

// recorded returns all documents, with their values.
func recorded(t *testing.T) []*document {
	t.Helper()
	if documents == nil {
		all, err := Documents(root)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range all {
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.Text))
			if err != nil {
				t.Errorf("%s: %v", d.Name, err)
				continue
			}
			documents = append(documents, &document{d, value})
		}
	}
	return documents
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
	schemas, plain := compile(t), compile(t, "types")
	count := make(map[string]int)
	seen := make(map[string]bool)
	for _, d := range recorded(t) {
		if strings.HasSuffix(d.Name, "/statefile/testdata/old/schemas-0.12.json") {
			continue // releases before 0.13 print no description_kind; the schema is that of newer ones
		}
		count[d.Kind]++
		if d.Kind == "ui" {
			form := shape(d.value)
			if seen[form] {
				continue
			}
			seen[form] = true
		}
		if err := schemas[d.Kind].Validate(d.value); err != nil {
			t.Errorf("%s %s: %v", d.Kind, d.Name, short(err))
		}
		if err := plain[d.Kind].Validate(d.value); err != nil && d.HasType() {
			t.Errorf("plain %s %s: %v", d.Kind, d.Name, short(err))
		}
	}
	t.Log(count)
	for _, kind := range Kinds {
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
		byKind[d.Kind] = append(byKind[d.Kind], d)
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
					t.Errorf("%s: %s is refused in %s: %s", line, c.what, d.Name, short(err))
				case !c.valid && err == nil:
					t.Errorf("%s: %s is accepted in %s", line, c.what, d.Name)
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

// TestRefused_values makes documents with a value of the right kind, or in an odd place, that
// no codec takes.
func TestRefused_values(t *testing.T) {
	schemas := compile(t)
	for _, test := range []struct {
		kind, path string
		value      any
	}{
		{"statefile", "/serial", json.Number("-1")},
		{"statefile", "/resources/*/instances/*/schema_version", json.Number("-1")},
		{"plan", "/planned_values/root_module/resources/*/schema_version", json.Number("-1")},
		{"schemas", "/provider_schemas/*/resource_schemas/*/version", json.Number("-1")},
		{"state-show", "/resource/provider_name", []any{}},
		{"state-show", "/resource/schema_version", "0"},
	} {
		found := 0
		for _, d := range recorded(t) {
			if d.Kind != test.kind || found == 9 {
				continue
			}
			at, name := find(d.value, strings.Split(test.path[1:], "/"))
			if at == nil {
				continue
			}
			found++
			old := at[name]
			at[name] = test.value
			if schemas[d.Kind].Validate(d.value) == nil {
				t.Errorf("%s: %s with %v is accepted", d.Name, test.path, test.value)
			}
			at[name] = old
		}
		if found == 0 {
			t.Errorf("no recording has %s", test.path)
		}
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

// TestReport checks what "report -format json" prints of recorded plans.
func TestReport(t *testing.T) {
	strict, plain := compile(t)["report"], compile(t, "types")["report"]
	if _, err := tofuwire.Build(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tofuwire.Remove)
	file := filepath.Join(t.TempDir(), "plan.json")
	members, reports := map[string]bool{}, 0
	for _, d := range recorded(t) {
		if d.Kind != "plan" || reports == 60 && !bytes.Contains(d.Text, []byte("action_invocations")) && !bytes.Contains(d.Text, []byte("importing")) {
			continue
		}
		if err := os.WriteFile(file, d.Text, 0o666); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{file}, {"-reveal", "-against", file, file, file}} {
			var out, errs bytes.Buffer
			tofuwire.Run(append([]string{"report", "-format", "json"}, args...), nil, &out, &errs)
			value, err := jsonschema.UnmarshalJSON(&out)
			if err != nil {
				continue // a plan that cannot be compared with itself
			}
			reports++
			membersOf(value, members)
			for name, s := range map[string]*jsonschema.Schema{"strict": strict, "plain": plain} {
				if err := s.Validate(value); err != nil {
					t.Errorf("%s, %s: %v", d.Name, name, short(err))
				}
			}
		}
	}
	for _, name := range []string{"attributes", "importing", "replace_paths", "against", "messages", "before_sensitive", "after_unknown"} {
		if !members[name] {
			t.Errorf("none of %d reports has the member %s", reports, name)
		}
	}
}

func membersOf(v any, members map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			members[name] = true
			membersOf(value, members)
		}
	case []any:
		for _, e := range v {
			membersOf(e, members)
		}
	}
}
