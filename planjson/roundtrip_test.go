// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/planjson"
)

// A visited field is a field of a decoded object with the object's span in the
// text, found by the independent reader.
type visited struct {
	field  reflect.Value
	tag    reflect.StructTag
	object *span
	path   string
}

// name returns the member's name.
func (v visited) name() string { name, _, _ := strings.Cut(v.tag.Get("json"), ","); return name }

// visit calls f for every tagged field of every object in v.
func visit(v reflect.Value, at *span, path string, f func(visited)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			visit(v.Elem(), at, path, f)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Pointer {
			for i := range v.Len() {
				visit(v.Index(i), at.elements[i], fmt.Sprint(path, "/", i), f)
			}
		}
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.Pointer {
			for _, m := range at.members {
				visit(v.MapIndex(reflect.ValueOf(m.name)), m.value, path+"/"+m.name, f)
			}
		}
	case reflect.Struct:
		if e, ok := v.Addr().Interface().(*planjson.Expression); ok {
			switch {
			case e.Block != nil:
				visit(reflect.ValueOf(e.Block), at, path, f)
			case e.Blocks != nil:
				visit(reflect.ValueOf(e.Blocks), at, path, f)
			}
			return
		}
		if o, ok := v.Addr().Interface().(*planjson.Outputs); ok {
			if o.Outputs != nil {
				visit(reflect.ValueOf(o.Outputs), at, path, f)
			}
			return
		}
		if p, ok := v.Addr().Interface().(*planjson.Plan); ok {
			if m := at.member("configuration"); m != nil {
				visit(reflect.ValueOf(p.Config()), m.value, path+"/configuration", f)
			}
		}
		for i := range v.NumField() {
			x := visited{field: v.Field(i), tag: v.Type().Field(i).Tag, object: at, path: path}
			if x.name() == "" || !v.Type().Field(i).IsExported() {
				continue
			}
			x.path += "/" + x.name()
			f(x)
			if m := at.member(x.name()); m != nil {
				visit(v.Field(i), m.value, x.path, f)
			}
		}
	}
}

// stride returns n if every n-th place of a recording is to be tried. Those of
// up to size bytes are tried in full.
func stride(r recording, size int) int {
	return depth.Of(20*(1+len(r.text)/size), 1+len(r.text)/size, 1)
}

// TestSingleEdits changes and clears every field of every object of every
// recording, one at a time, and requires exactly the text that the independent
// reader says. Of large recordings it tries some, but nightly.
func TestSingleEdits(t *testing.T) {
	edits := 0
	for _, r := range recordings(t) {
		step := stride(r, 3000)
		spans := readSpans(t, r.text)
		doc, err := decodeAs(r.kind, bytes.Clone(r.text))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		visit(reflect.ValueOf(doc.value), spans, "", func(v visited) {
			if n++; n%step != 0 {
				return
			}
			old := reflect.New(v.field.Type()).Elem()
			old.Set(v.field)
			present := v.object.member(v.name())
			for _, change := range []struct {
				what string
				make func() (want []byte, ok bool)
			}{
				{"changed", func() ([]byte, bool) { return edited(v, r.text, present) }},
				{"cleared", func() ([]byte, bool) { return cleared(v, r.text, present) }},
			} {
				want, ok := change.make()
				if !ok {
					continue
				}
				edits++
				got, err := doc.encode()
				v.field.Set(old)
				if err != nil {
					t.Fatalf("%s%s %s: %v", r.name, v.path, change.what, err)
				}
				if want == nil { // a member was added
					checkAdded(t, r, v, got)
				} else if !bytes.Equal(got, want) {
					t.Fatalf("%s%s %s:\n%s", r.name, v.path, change.what, firstDifference(want, got))
				}
			}
		})
		if out, err := doc.encode(); err != nil || !bytes.Equal(out, r.text) {
			t.Fatalf("%s: not the same after all edits were taken back", r.name)
		}
	}
	t.Logf("%d edits", edits)
}

// edited gives a field another value and returns the text that must come out,
// nil if the member was not there. It reports false if the field's kind has no
// such edit.
func edited(v visited, text []byte, present *member) (want []byte, ok bool) {
	value := ""
	f := v.field
	switch f.Interface().(type) {
	case planjson.Value:
		value = `{"edited":[1, 2]}`
		f.SetBytes([]byte(value))
	default:
		switch f.Kind() {
		case reflect.String:
			value = `"edited\u003c"`
			f.SetString("edited<")
		case reflect.Bool:
			if f.Bool() {
				return nil, false
			}
			value = "true"
			f.SetBool(true)
		case reflect.Int, reflect.Int64:
			value = "-77"
			f.SetInt(-77)
		case reflect.Uint64:
			value = "77"
			f.SetUint(77)
		case reflect.Pointer:
			p := reflect.New(f.Type().Elem())
			switch p.Elem().Kind() {
			case reflect.String:
				value = `"x"`
				p.Elem().SetString("x")
			case reflect.Bool:
				value = "false"
				if !f.IsNil() && !f.Elem().Bool() {
					value = "true"
					p.Elem().SetBool(true)
				}
			case reflect.Uint64:
				value = "77"
				p.Elem().SetUint(77)
			default:
				return nil, false
			}
			f.Set(p)
		default:
			return nil, false
		}
	}
	if present == nil {
		return nil, true
	}
	return present.value.replaced(text, value), true
}

// cleared makes a field zero and returns the text that must come out.
func cleared(v visited, text []byte, present *member) (want []byte, ok bool) {
	if present == nil || v.field.IsZero() || v.field.Kind() == reflect.Struct {
		return nil, false
	}
	always := !strings.HasSuffix(v.tag.Get("json"), ",omitempty")
	value := ""
	if always {
		switch v.field.Kind() {
		case reflect.String:
			value = `""`
		case reflect.Bool:
			value = "false"
		case reflect.Int, reflect.Int64, reflect.Uint64:
			value = "0"
		}
	}
	v.field.SetZero()
	if value != "" {
		return present.value.replaced(text, value), true
	}
	return v.object.without(text, v.name()), true
}

// checkAdded requires that got is the recording with one member more, in one
// place.
func checkAdded(t *testing.T, r recording, v visited, got []byte) {
	t.Helper()
	head := 0
	for head < len(r.text) && r.text[head] == got[head] {
		head++
	}
	if len(got) < len(r.text) || !bytes.HasSuffix(got, r.text[head:]) {
		t.Fatalf("%s%s added: other bytes moved:\n%s", r.name, v.path, firstDifference(r.text, got))
	}
	// The independent reader finds it, and without it the recording.
	object := readSpans(t, got)
	path := strings.Split(strings.TrimPrefix(v.path, "/"), "/")
	for _, step := range path[:len(path)-1] {
		i, err := strconv.Atoi(step)
		switch m := object.member(step); {
		case m != nil:
			object = m.value
		case err == nil && i < len(object.elements):
			object = object.elements[i]
		default:
			return // a name with a slash in it
		}
	}
	if without := object.without(got, v.name()); !bytes.Equal(without, r.text) {
		t.Fatalf("%s%s added and removed:\n%s", r.name, v.path, firstDifference(r.text, without))
	}
}

func firstDifference(want, got []byte) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	from := max(0, i-80)
	return fmt.Sprintf("want ...%s\ngot  ...%s", want[from:min(len(want), i+80)], got[from:min(len(got), i+80)])
}

// TestInjection puts an extra member at the beginning, in the middle and at
// the end of every object of every recording, one at a time.
func TestInjection(t *testing.T) {
	const extra = `"tofuwire.test" : [1.50, null, "\u003c"]`
	for _, r := range recordings(t) {
		step := stride(r, 3000)
		n := 0
		var inject func(v *span)
		inject = func(v *span) {
			if v.object && r.kind != "outputs" {
				if n++; n%step == 0 {
					at := []int{v.start + 1}
					for _, m := range v.members {
						at = append(at, m.value.end)
					}
					for i, at := range at {
						var b bytes.Buffer
						b.Write(r.text[:at])
						if i > 0 {
							b.WriteString(", ")
						}
						b.WriteString(extra)
						if i == 0 && len(v.members) > 0 {
							b.WriteString(" ,")
						}
						b.Write(r.text[at:])
						injected(t, r, b.Bytes())
					}
				}
			}
			for _, m := range v.members {
				inject(m.value)
			}
			for _, e := range v.elements {
				inject(e)
			}
		}
		inject(readSpans(t, r.text))
	}
}

func injected(t *testing.T, r recording, text []byte) {
	t.Helper()
	doc, err := decodeAs(r.kind, bytes.Clone(text))
	if errors.Is(err, planjson.ErrKind) {
		// Inside a map of objects the extra member is one of its entries.
		return
	}
	if err != nil {
		t.Fatalf("%s: %v", r.name, err)
	}
	if out, err := doc.encode(); err != nil || !bytes.Equal(out, text) {
		t.Fatalf("%s with an extra member: %v\n%s", r.name, err, firstDifference(text, out))
	}
}

// TestPretty decodes every recording laid out in other ways.
func TestPretty(t *testing.T) {
	for _, r := range recordings(t) {
		for _, indent := range []string{"  ", "\t", ""} {
			var b bytes.Buffer
			if indent == "" {
				if err := json.Compact(&b, r.text); err != nil {
					t.Fatal(err)
				}
			} else if err := json.Indent(&b, r.text, "", indent); err != nil {
				t.Fatal(err)
			}
			doc, err := decodeAs(r.kind, bytes.Clone(b.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if out, err := doc.encode(); err != nil || !bytes.Equal(out, b.Bytes()) {
				t.Fatalf("%s indented by %q: %v\n%s", r.name, indent, err, firstDifference(b.Bytes(), out))
			}
		}
	}
}

// TestWrongKinds gives every member of every kind of document a value of
// another JSON kind. The result is an error with the member's place, or the
// law holds.
func TestWrongKinds(t *testing.T) {
	refused := 0
	seen := make(map[string]bool)
	for _, r := range recordings(t) {
		doc, err := decodeAs(r.kind, bytes.Clone(r.text))
		if err != nil {
			t.Fatal(err)
		}
		visit(reflect.ValueOf(doc.value), readSpans(t, r.text), "", func(v visited) {
			m := v.object.member(v.name())
			key := r.kind + " " + v.field.Type().String() + " " + v.name()
			if m == nil || seen[key] {
				return
			}
			seen[key] = true
			for _, value := range []string{`null`, `true`, `-1.5`, `"text"`, `[]`, `[[]]`, `[null]`, `{}`, `{"a":5}`, `{"a":null}`} {
				text := m.value.replaced(r.text, value)
				doc, err := decodeAs(r.kind, bytes.Clone(text))
				if err == nil {
					if out, err := doc.encode(); err != nil || !bytes.Equal(out, text) {
						t.Errorf("%s%s is %s: %v", r.name, v.path, value, err)
					}
					continue
				}
				refused++
				var e *planjson.Error
				if !errors.As(err, &e) || !errors.Is(err, planjson.ErrKind) || e.Offset < int64(m.value.start) || e.Offset >= int64(m.value.start+len(value)) {
					t.Errorf("%s%s is %s: %v", r.name, v.path, value, err)
				}
			}
		})
	}
	if refused < 500 {
		t.Errorf("only %d values were refused", refused)
	}
}

// TestTruncation cuts documents of every kind at every byte.
func TestTruncation(t *testing.T) {
	done := make(map[string]bool)
	for _, r := range recordings(t) {
		if len(r.text) > 30_000 || done[r.kind] && !depth.IsFull() || len(r.text) < 3 {
			continue
		}
		done[r.kind] = true
		step := 1 + len(r.text)/300
		end := len(bytes.TrimRight(r.text, "\n"))
		for n := 0; n < end; n += step {
			_, err := decodeAs(r.kind, bytes.Clone(r.text[:n]))
			var e *planjson.Error
			if !errors.As(err, &e) || !errors.Is(err, jsonscan.FaultEnd) || e.Offset != int64(n) {
				t.Fatalf("%s cut to %d bytes: %v", r.name, n, err)
			}
		}
	}
}

// TestBadInput has input that no tool writes.
func TestBadInput(t *testing.T) {
	large := `{"format_version":"1.2","terraform_version":"` + strings.Repeat("x", depth.Of(1, 100, 100)<<20) + `"}`
	p, err := planjson.DecodePlan([]byte(large))
	if err != nil || len(p.TerraformVersion) < 1<<19 {
		t.Errorf("a large string: %v", err)
	}
	for _, tt := range []struct{ name, text, err string }{
		{"nothing", "", "planjson: line 1, column 1: unexpected end of JSON text"},
		{"white space", " \n", "planjson: line 2, column 1: unexpected end of JSON text"},
		{"null", "null", "planjson: line 1, column 1: unexpected kind of value: expected an object, found null"},
		{"string", `"x"`, "planjson: line 1, column 1: unexpected kind of value: expected an object, found a string"},
		{"array", "[]", "planjson: line 1, column 1: unexpected kind of value: expected an object, found an array"},
		{"byte order mark", "\ufeff{}", "planjson: line 1, column 1: byte order mark before the value"},
		{"trailing text", "{}\nError: no", "planjson: line 2, column 1: unexpected text after the value"},
		{"two documents", "{}\n{}\n", "planjson: line 2, column 1: unexpected text after the value"},
		{"invalid UTF-8", "{\"x\":\"a\xffb\"}", "planjson: line 1, column 8 (/x): invalid UTF-8 in a string"},
		{"arrays", `{"x":` + strings.Repeat("[", 1_000_000), "planjson: line 1, column 10005 (/x" + strings.Repeat("/0", 9999) + "): nested too deeply"},
		{"modules", `{"planned_values":{"root_module":` + strings.Repeat(`{"child_modules":[`, 200_000), "nested too deeply"},
		{"blocks", `{"configuration":{"root_module":{"resources":[{"expressions":` + strings.Repeat(`{"a":[`, 200_000), "nested too deeply"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := planjson.DecodePlan([]byte(tt.text))
			if err == nil || err.Error() != tt.err && !strings.HasSuffix(err.Error(), ": "+tt.err) {
				t.Errorf("got  %.200v\nwant %.200s", err, tt.err)
			}
		})
	}
	// Accepted, as RFC 8259 has it, and kept.
	for _, text := range []string{
		`{}`,
		`{"format_version":null}`,
		"{\"variables\":{\"a\":{\"value\":\"\\ud800\"},\"b\":{\"value\":-0},\"c\":{\"value\":1e400},\"d\":{\"value\":1E-400}}}",
		`{"format_version":"1","format_version":"2"}`,
		`{"FORMAT_VERSION":"1.2","Resource_Changes":5}`,
		`{"output_changes":{"a":{"actions":["\b\u0008\f"],"before":"\u003c<","after":null}}}`,
	} {
		p, err := planjson.DecodePlan([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if out, err := planjson.Encode(p); err != nil || string(out) != text {
			t.Errorf("%s became %s, %v", text, out, err)
		}
	}
}

// FuzzDecode checks the law on text of every kind, and that cut text is
// refused.
func FuzzDecode(f *testing.F) {
	kinds := []string{"plan", "state", "config", "schemas", "functions", "validate", "version", "outputs", "modules", "workspaces", "stateshow", "renderer"}
	for i, kind := range kinds {
		f.Add(uint8(i), []byte(`{"format_version":"1.2","x":[1.0,null]}`))
		if kind == "modules" || kind == "workspaces" || kind == "stateshow" || kind == "renderer" {
			continue
		}
		for _, r := range recordings(f, kind) {
			if len(r.text) < 6000 {
				f.Add(uint8(i), r.text)
			}
		}
	}
	f.Fuzz(func(t *testing.T, k uint8, text []byte) {
		kind := kinds[int(k)%len(kinds)]
		doc, err := decodeAs(kind, bytes.Clone(text))
		if err != nil {
			var e *planjson.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(text)) || e.Line < 1 || e.Column < 1 {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		out, err := doc.encode()
		if err != nil || !bytes.Equal(out, text) {
			t.Fatalf("not lossless: %v\n in  %q\n out %q", err, text, out)
		}
		if cut := bytes.TrimRight(text, " \t\r\n"); len(cut) > 1 && kind != "outputs" {
			if _, err := decodeAs(kind, cut[:len(cut)-1]); err == nil {
				t.Fatalf("%q is accepted without its end", text)
			}
		}
		canonical, err := doc.canonical()
		if err != nil {
			t.Fatal(err)
		}
		if kind == "outputs" && hasDuplicates(text) {
			return // the last of them may be no output, but another has said that there are some
		}
		again, err := decodeAs(kind, bytes.Clone(canonical))
		if err != nil {
			t.Fatalf("the canonical form %s of %s: %v", canonical, text, err)
		}
		if twice, err := again.canonical(); err != nil || !bytes.Equal(twice, canonical) {
			t.Fatalf("canonical is not stable: %v\n once  %s\n twice %s", err, canonical, twice)
		}
	})
}

// FuzzEdit changes one field of a plan and requires that nothing else moves.
func FuzzEdit(f *testing.F) {
	for _, r := range recordings(f, "plan") {
		if len(r.text) < 6000 {
			f.Add(r.text, uint16(3))
		}
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint16) {
		doc, err := decodeAs("plan", bytes.Clone(text))
		if err != nil {
			return
		}
		for range doc.duplicates {
			return // of which the independent reader takes the first
		}
		spans := readSpans(t, text)
		n := 0
		visit(reflect.ValueOf(doc.value), spans, "", func(visited) { n++ })
		i := 0
		visit(reflect.ValueOf(doc.value), spans, "", func(v visited) {
			if i++; i-1 != int(which)%n {
				return
			}
			present := v.object.member(v.name())
			want, ok := edited(v, text, present)
			if !ok || want == nil {
				return
			}
			got, err := doc.encode()
			if err != nil || !bytes.Equal(got, want) {
				t.Fatalf("%s: %v\n%s", v.path, err, firstDifference(want, got))
			}
		})
	})
}

func hasDuplicates(text []byte) bool {
	doc, err := planjson.DecodeOutputs(text)
	if err != nil {
		return false
	}
	for range planjson.Duplicates(doc) {
		return true
	}
	return false
}
