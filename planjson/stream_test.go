// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tofuwire/tofuwire/planjson"
)

// fixtures returns the recordings in testdata whose base name matches.
func fixtures(t testing.TB, pattern string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir("testdata", func(path string, _ os.DirEntry, err error) error {
		if ok, _ := filepath.Match(pattern, filepath.Base(path)); ok {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings %s: %v", pattern, err)
	}
	return files
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// collect gathers the values of an iterator.
func collect[T any](t testing.TB, seq func(func(*T, error) bool)) (list []*T) {
	t.Helper()
	for v, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, v)
	}
	return list
}

// read gathers what a reading hands out.
func read[T any](t testing.TB, reading func(func(*T) error) error) (list []*T) {
	t.Helper()
	err := reading(func(v *T) error {
		list = append(list, v)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func resourcesOf(m *planjson.Module) []*planjson.Resource {
	list := m.Resources
	for _, c := range m.ChildModules {
		list = append(list, resourcesOf(c)...)
	}
	return list
}

func TestStreamAgreesWithDecode(t *testing.T) {
	for _, name := range fixtures(t, "plan*.json") {
		text := readFile(t, name)
		plan, err := planjson.DecodePlan(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text)), iotest.DataErrReader(bytes.NewReader(text))} {
			changes := collect(t, planjson.ResourceChanges(r))
			if len(changes) != len(plan.ResourceChanges) {
				t.Fatalf("%s: %d changes, want %d", name, len(changes), len(plan.ResourceChanges))
			}
			for i, c := range changes {
				got, err := c.MarshalJSON()
				if err != nil {
					t.Fatal(err)
				}
				want, _ := plan.ResourceChanges[i].MarshalJSON()
				if !bytes.Equal(got, want) {
					t.Errorf("%s: change %d:\n got  %s\n want %s", name, i, got, want)
				}
			}
		}
		planned := read(t, func(f func(*planjson.Resource) error) error {
			return planjson.ReadPlan(bytes.NewReader(text), planjson.PlanReader{PlannedResource: f})
		})
		want := resourcesOf(&plan.PlannedValues.RootModule)
		checkResources(t, name, planned, want)
		want = nil
		if plan.PriorState != nil && plan.PriorState.Values != nil {
			want = resourcesOf(&plan.PriorState.Values.RootModule)
		}
		checkResources(t, name, read(t, func(f func(*planjson.Resource) error) error {
			return planjson.ReadPlan(iotest.HalfReader(bytes.NewReader(text)), planjson.PlanReader{PriorResource: f})
		}), want)
		checkOutputs(t, name, plan.PlannedValues.Outputs, func(f func(string, *planjson.Output) error) error {
			return planjson.ReadPlan(iotest.HalfReader(bytes.NewReader(text)), planjson.PlanReader{PlannedOutput: f})
		})
	}
	for _, name := range fixtures(t, "state*.json") {
		text := readFile(t, name)
		state, err := planjson.DecodeState(text)
		if err != nil {
			t.Fatal(err)
		}
		var want []*planjson.Resource
		if state.Values != nil {
			want = resourcesOf(&state.Values.RootModule)
		}
		var got []*planjson.Resource
		err = planjson.ReadState(bytes.NewReader(text), planjson.StateReader{Resource: func(r *planjson.Resource) error { got = append(got, r); return nil }})
		if err != nil {
			t.Fatal(err)
		}
		checkResources(t, name, got, want)
		var outputs map[string]*planjson.Output
		if state.Values != nil {
			outputs = state.Values.Outputs
		}
		checkOutputs(t, name, outputs, func(f func(string, *planjson.Output) error) error {
			return planjson.ReadState(iotest.HalfReader(bytes.NewReader(text)), planjson.StateReader{Output: f})
		})
	}
}

// checkOutputs compares the outputs that a stream passes on with those of the
// decoded document.
func checkOutputs(t *testing.T, name string, want map[string]*planjson.Output, read func(func(string, *planjson.Output) error) error) {
	t.Helper()
	n := 0
	err := read(func(output string, o *planjson.Output) error {
		n++
		if want[output] == nil || !planjson.Equal(o, want[output]) {
			t.Errorf("%s: output %s differs", name, output)
		}
		return nil
	})
	if err != nil || n != len(want) {
		t.Errorf("%s: %d outputs, want %d: %v", name, n, len(want), err)
	}
}

func checkResources(t *testing.T, name string, got, want []*planjson.Resource) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d resources, want %d", name, len(got), len(want))
	}
	for i := range got {
		if !planjson.Equal(got[i], want[i]) {
			t.Errorf("%s: resource %d differs: %s", name, i, got[i].Address)
		}
	}
}

// TestReadPlan reads all parts of a plan at once.
func TestReadPlan(t *testing.T) {
	text := `{"format_version":"1.2","planned_values":{"outputs":{"o":{"sensitive":true}},"root_module":{"resources":[{"address":"a.b"}],"child_modules":[{"address":"module.m","resources":[{"address":"module.m.a.b"}]}]}},` +
		`"resource_drift":[{"address":"d"}],"resource_changes":[{"address":"c"}],"output_changes":{"o":{"actions":["create"]}},` +
		`"prior_state":{"values":{"root_module":{"resources":[{"address":"p"}]}}},"configuration":{"root_module":{}}}` + "\n"
	var got []string
	resource := func(what string) func(*planjson.Resource) error {
		return func(r *planjson.Resource) error { got = append(got, what+r.Address); return nil }
	}
	change := func(what string) func(*planjson.ResourceChange) error {
		return func(c *planjson.ResourceChange) error { got = append(got, what+c.Address); return nil }
	}
	err := planjson.ReadPlan(strings.NewReader(text), planjson.PlanReader{
		FormatVersion:   func(v string) error { got = append(got, "version "+v); return nil },
		PlannedResource: resource("planned "),
		PlannedOutput: func(name string, o *planjson.Output) error {
			got = append(got, fmt.Sprintf("planned output %s %t", name, o.Sensitive))
			return nil
		},
		ResourceDrift:  change("drift "),
		ResourceChange: change("change "),
		OutputChange: func(name string, c *planjson.Change) error {
			got = append(got, "output "+name+" "+string(c.Actions[0]))
			return nil
		},
		PriorResource: resource("prior "),
	})
	want := "version 1.2, planned output o true, planned a.b, planned module.m.a.b, drift d, change c, output o create, prior p"
	if err != nil || strings.Join(got, ", ") != want {
		t.Errorf("got %s, %v; want %s", strings.Join(got, ", "), err, want)
	}
}

// TestReadMembers reads further members, which are those of the text, whatever
// the reader gives at once.
func TestReadMembers(t *testing.T) {
	for _, pattern := range []string{"plan*.json", "state*.json"} {
		for _, name := range fixtures(t, pattern) {
			text := readFile(t, name)
			want := maps.Collect(planjson.Value(text).Members())
			for _, r := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text))} {
				got := make(map[string]planjson.Value)
				further := make(map[string]func(planjson.Value) error)
				for member := range want {
					further[member] = func(v planjson.Value) error { got[member] = v; return nil }
				}
				further["no such member"] = func(planjson.Value) error { return errors.New("called") }
				version := ""
				keep := func(v string) error { version = v; return nil }
				var err error
				if pattern == "plan*.json" {
					err = planjson.ReadPlan(r, planjson.PlanReader{FormatVersion: keep, Members: further})
				} else {
					err = planjson.ReadState(r, planjson.StateReader{FormatVersion: keep, Members: further})
				}
				if err != nil {
					t.Fatal(name, err)
				}
				if _, ok := got["format_version"]; ok || version == "" {
					t.Errorf("%s: version %q, or passed on twice", name, version)
				}
				for member, v := range want {
					if member != "format_version" && !bytes.Equal(v, got[member]) {
						t.Errorf("%s: %s is %.80s, want %.80s", name, member, got[member], v)
					}
				}
			}
		}
	}
}

func TestReadMembersErrors(t *testing.T) {
	stop := errors.New("stop")
	for _, tt := range []struct {
		name, text, err string
		cause           error
	}{
		{"stop", `{"format_version":"1.2","checks":5}`, "stop", stop},
		{"text", `{"errored":"a` + "\n" + `b"}`, "planjson: line 1, column 14 (/errored): control character in a string must be escaped", nil},
		{"cut off", `{"errored":[1,{"a":"b`, "planjson: line 1, column 22 (/errored): unexpected end of JSON text", nil},
		{"invalid", `{"errored":[1,` + "\n" + `{"a":nul}]}`, "planjson: line 2, column 9 (/errored): invalid literal, expected true, false or null", nil},
		{"deep", `{"errored":` + strings.Repeat("[", 20000), "planjson: line 1, column 10011 (/errored): nested too deeply", planjson.ErrLimit},
		{"twice", `{"errored":1,"errored":1}`, `planjson: line 1, column 24 (/errored): duplicate member: "errored"`, planjson.ErrDuplicate},
		{"a state", `{"format_version":"1.0","values":{},"errored":false}`, "planjson: line 1, column 1: the document is a state, not a plan", planjson.ErrKind},
	} {
		for _, r := range []io.Reader{strings.NewReader(tt.text), iotest.OneByteReader(strings.NewReader(tt.text))} {
			err := planjson.ReadPlan(r, planjson.PlanReader{Members: map[string]func(planjson.Value) error{
				"checks":  func(planjson.Value) error { return stop },
				"errored": func(planjson.Value) error { return nil },
			}})
			if err == nil || err.Error() != tt.err || tt.cause != nil && !errors.Is(err, tt.cause) {
				t.Errorf("%s:\ngot  %v\nwant %s", tt.name, err, tt.err)
			}
		}
	}
}

func TestStreamErrors(t *testing.T) {
	for _, tt := range []struct {
		name, text, err string
		cause           error
	}{
		{"empty", "", "planjson: line 1, column 1: unexpected end of JSON text", nil},
		{"scalar", "5", "planjson: line 1, column 1: unexpected kind of value: expected an object, found a number", planjson.ErrKind},
		{"array", "[]", "planjson: line 1, column 1: unexpected kind of value: expected an object, found an array", planjson.ErrKind},
		{"trailing", "{} x", "planjson: line 1, column 4: unexpected text after the value", nil},
		{"in skipped", "{\"configuration\":\n{\"a\":tru}}", "planjson: line 2, column 9 (/configuration/a): invalid literal, expected true, false or null", nil},
		{"in element", `{"resource_changes":[{"address":"a"},` + "\n" + ` {"address":"b","change":{"actions":5}}]}`, "planjson: line 2, column 37 (/resource_changes/1/change/actions): unexpected kind of value: expected an array of strings, found a number", planjson.ErrKind},
		{"null element", `{"resource_changes":[null]}`, "planjson: line 1, column 22 (/resource_changes/0): unexpected kind of value: expected an object, found null", planjson.ErrKind},
		{"no array", `{"resource_changes":{}}`, "planjson: line 1, column 21 (/resource_changes): unexpected kind of value: expected an array, found an object", planjson.ErrKind},
		{"twice", `{"resource_changes":[],"resource_changes":[]}`, `planjson: line 1, column 43 (/resource_changes): duplicate member: "resource_changes"`, planjson.ErrDuplicate},
		{"no colon", `{"a" 1}`, "planjson: line 1, column 6 (/a): expected ':' after a member name", nil},
		{"no name", `{"a":1,}`, "planjson: line 1, column 8 (/a): expected a member name in double quotes", nil},
		{"bad name", `{"\x":1}`, "planjson: line 1, column 3: invalid escape in a string", nil},
		{"deep", `{"x":` + strings.Repeat("[", 20000), "planjson: line 1, column 10005 (/x): nested too deeply", nil},
		{"deep element", `{"resource_changes":[{"x":` + strings.Repeat("[", 20000), "planjson: line 1, column 10024 (/resource_changes/0/x" + strings.Repeat("/0", 9997) + "): nested too deeply", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.text), iotest.OneByteReader(strings.NewReader(tt.text))} {
				var err error
				for _, err = range planjson.ResourceChanges(r) {
				}
				if err == nil || err.Error() != tt.err {
					got := "nil"
					if err != nil {
						got = err.Error()
					}
					t.Errorf("got  %.300s\nwant %.300s", got, tt.err)
				}
				if tt.cause != nil && !errors.Is(err, tt.cause) {
					t.Errorf("cause of %v is not %v", err, tt.cause)
				}
			}
		})
	}
}

func TestStreamTruncated(t *testing.T) {
	text := `{"format_version":"1.2","resource_changes":[{"address":"a","change":{"actions":["no-op"],"before":-1.5}}],"x":[true,"\u00e9ü"]} `
	for n := range len(text) - 1 {
		var err error
		for _, err = range planjson.ResourceChanges(strings.NewReader(text[:n])) {
		}
		var e *planjson.Error
		if !errors.As(err, &e) || e.Offset != int64(n) {
			t.Errorf("cut to %q: %v", text[:n], err)
		}
	}
}

func TestStreamStops(t *testing.T) {
	text := `{"resource_changes":[{"address":"a"},{"address":"b"},` + strings.Repeat(" ", 1<<20) + `not JSON`
	n := 0
	for c, err := range planjson.ResourceChanges(strings.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; c.Address == "b" {
			break
		}
	}
	if n != 2 {
		t.Errorf("saw %d changes", n)
	}
	broken := errors.New("broken")
	var err error
	for _, err = range planjson.ResourceChanges(io.MultiReader(strings.NewReader(`{"resource_changes":[{"addr`), iotest.ErrReader(broken))) {
	}
	if err != broken {
		t.Errorf("a read error came as %v", err)
	}
}

// TestStreamLargeElements has elements around and above the window's size.
func TestStreamLargeElements(t *testing.T) {
	var text bytes.Buffer
	text.WriteString(`{"skipped":"` + strings.Repeat("x", 3<<20) + `","resource_changes":[`)
	sizes := []int{1, 256<<10 - 40, 256 << 10, 256<<10 + 1, 1 << 20, 5, 3 << 20}
	for i, n := range sizes {
		if i > 0 {
			text.WriteByte(',')
		}
		text.WriteString(`{"address":"` + strings.Repeat("a", n) + `"}`)
	}
	text.WriteString(`]}`)
	changes := collect(t, planjson.ResourceChanges(&text))
	if len(changes) != len(sizes) {
		t.Fatalf("%d elements", len(changes))
	}
	for i, c := range changes {
		if len(c.Address) != sizes[i] || strings.Trim(c.Address, "a") != "" {
			t.Errorf("element %d has an address of %d bytes, want %d", i, len(c.Address), sizes[i])
		}
	}
}

func FuzzStream(f *testing.F) {
	f.Add([]byte(`{"format_version":"1.2","resource_changes":[{"address":"a","change":{"actions":["no-op"]}},{"address":"b"}],"x":[1]}`), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, n uint8) {
		plan, err := planjson.DecodePlan(bytes.Clone(text))
		if err != nil || n == 0 {
			return
		}
		i := 0
		for c, err := range planjson.ResourceChanges(iotest.OneByteReader(bytes.NewReader(text))) {
			if errors.Is(err, planjson.ErrDuplicate) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !planjson.Equal(c, plan.ResourceChanges[i]) {
				t.Fatalf("change %d differs", i)
			}
			i++
		}
		if i != len(plan.ResourceChanges) {
			t.Fatalf("%d changes, want %d", i, len(plan.ResourceChanges))
		}
	})
}
