// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package statefile_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/statefile"
)

// full returns a state with an object of every type, each with an extra member.
func full() string {
	return `{"odd/0":0,"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l",` +
		`"outputs":{"o/p":{"odd":1,"value":"v","type":"string"}},` +
		`"resources":[{"odd":2,"mode":"managed","type":"t","name":"a","provider":"provider[\"registry.opentofu.org/a/b\"]",` +
		`"instances":[{"odd":3,"schema_version":0,"attributes":{"id":"x"}}]}],` +
		`"check_results":[{"odd":4,"object_kind":"resource","config_addr":"t.a","status":"fail",` +
		`"objects":[{"odd":5,"object_addr":"t.a","status":"fail","failure_messages":["m"]}]}]}`
}

// objectsOf returns an object of every type, those of a state.
func objectsOf(f *statefile.File) []statefile.Object {
	return []statefile.Object{f, f.Outputs["o/p"], f.Resources[0], f.Resources[0].Instances[0], f.CheckResults[0], f.CheckResults[0].Objects[0]}
}

// TestObjects checks what holds for objects of every type: a clone is equal and
// independent, the methods for encoding/json give and take the same object, extra
// members come and go.
func TestObjects(t *testing.T) {
	src := []byte(full())
	f, err := statefile.Decode(src)
	must(err)
	made := objectsOf(&statefile.File{
		Outputs: map[string]*statefile.Output{"o/p": {}}, Resources: []*statefile.Resource{{Instances: []*statefile.InstanceObject{{}}}},
		CheckResults: []*statefile.CheckResult{{Objects: []*statefile.CheckObject{{}}}},
	})
	none := []statefile.Object{(*statefile.File)(nil), (*statefile.Output)(nil), (*statefile.Resource)(nil), (*statefile.InstanceObject)(nil), (*statefile.CheckResult)(nil), (*statefile.CheckObject)(nil)}
	for i, o := range objectsOf(f) {
		clone := statefile.Clone(o)
		if !statefile.Equal(o, clone) || statefile.Equal(o, none[i]) || statefile.Equal(none[i], o) || !statefile.Equal(none[i], nil) {
			t.Errorf("%T: Equal of the clone, or of nil", o)
		}
		text, err := json.Marshal(o)
		if err != nil || !bytes.Contains(src, text) {
			t.Errorf("%T: marshalled as %s, %v", o, text, err)
		}
		if err := json.Unmarshal(text, made[i]); err != nil {
			t.Errorf("%T: unmarshalled: %v", o, err)
		}
		if again, err := json.Marshal(made[i]); err != nil || !bytes.Equal(again, text) || !statefile.Equal(made[i], o) {
			t.Errorf("%T: unmarshalled and marshalled as %s, %v", o, again, err)
		}
		if err := made[i].UnmarshalJSON([]byte("{")); err == nil {
			t.Errorf("%T: half an object is accepted", o)
		}
		must(statefile.SetExtra(clone, "more", planjson.Value("true")))
		if extra := extraOf(clone); extra["more"] != "true" || len(extra) != 2 || len(extraOf(o)) != 1 {
			t.Errorf("%T: extra members %v", o, extra)
		}
		if statefile.Equal(o, clone) {
			t.Errorf("%T: an extra member is no difference", o)
		}
		must(statefile.SetExtra(clone, "more", nil))
		if extra := extraOf(clone); len(extra) != 1 {
			t.Errorf("%T: extra members %v", o, extra)
		}
		if line, column, ok := statefile.Position(o); !ok || line != 1 || column != 1+strings.Index(full(), string(text)) {
			t.Errorf("%T: is at %d:%d, %v", o, line, column, ok)
		}
		if c := statefile.Clone(none[i]); c != nil {
			t.Errorf("%T: the clone of nil is %v", o, c)
		}
		if len(extraOf(none[i])) != 0 {
			t.Errorf("%T: nil has extra members", o)
		}
		if err := statefile.SetExtra(none[i], "x", planjson.Value("1")); !errors.Is(err, statefile.ErrAbsent) {
			t.Errorf("%T: an extra member of nil: %v", o, err)
		}
		if _, _, ok := statefile.Position(none[i]); ok {
			t.Errorf("%T: nil has a place", o)
		}
	}
	if err := statefile.SetExtra(f, "serial", planjson.Value("1")); err == nil {
		t.Error("a member with a field is set as an extra one")
	}
	f.Outputs["o/p"].Deprecated = "d"
	if out, err := statefile.Encode(f); err != nil || string(out) != strings.Replace(full(), `"type":"string"`, `"type":"string","deprecated":"d"`, 1) {
		t.Errorf("after all that, the state is %s, %v", out, err)
	}
}

func extraOf(o statefile.Object) map[string]string {
	m := map[string]string{}
	for name, v := range statefile.Extra(o) {
		m[name] = string(v)
	}
	return m
}

// TestExtras has the pointers of extra members, and stops when the caller does.
func TestExtras(t *testing.T) {
	f, err := statefile.Decode([]byte(full()))
	must(err)
	want := []string{"/odd~10", "/outputs/o~1p/odd", "/resources/0/odd", "/resources/0/instances/0/odd", "/check_results/0/odd", "/check_results/0/objects/0/odd"}
	for n := range len(want) + 1 {
		var got []string
		for pointer, value := range statefile.Extras(f) {
			if string(value) != string('0'+rune(len(got))) {
				t.Errorf("%s is %s", pointer, value)
			}
			if got = append(got, pointer); len(got) == n {
				break
			}
		}
		if n == 0 {
			n = len(want)
		}
		if strings.Join(got, " ") != strings.Join(want[:n], " ") {
			t.Errorf("got %v", got)
		}
	}
	for range statefile.Extras(nil) {
		t.Error("nil has extra members")
	}
}

func TestDuplicates(t *testing.T) {
	const twice = `{"version":4,"serial":1,"lineage":"l","lineage":"l","serial":1}`
	f, err := statefile.Decode([]byte(twice))
	must(err)
	var got []string
	for d := range statefile.Duplicates(f) {
		got = append(got, d.Pointer)
		if at := strings.LastIndex(twice, `"`+d.Pointer[1:]+`"`); d.Line != 1 || d.Column != int(d.Offset)+1 || int(d.Offset) < at {
			t.Errorf("%+v", d)
		}
	}
	if len(got) != 2 {
		t.Errorf("got %v", got)
	}
	for range statefile.Duplicates(f) {
		break
	}
	for range statefile.Duplicates(nil) {
		t.Error("nil has members that occur twice")
	}
}

// TestMade encodes states that the caller has made, in every way that there is.
func TestMade(t *testing.T) {
	f := &statefile.File{
		Version: 4, TerraformVersion: "1.12.6", Serial: 1, Lineage: "l",
		Outputs: map[string]*statefile.Output{"o": {Value: planjson.Value("1"), Type: planjson.Value(`"number"`)}},
		Resources: []*statefile.Resource{{
			Mode: addrs.Managed, Type: "t", Name: "a", Provider: `provider["registry.opentofu.org/a/b"]`,
			Instances: []*statefile.InstanceObject{{Attributes: planjson.Value(`{"id":"<"}`)}},
		}},
	}
	text, err := statefile.Encode(f)
	must(err)
	if !bytes.HasPrefix(text, []byte("{\n  \"version\": 4,")) || !bytes.HasSuffix(text, []byte("\n}\n\n")) {
		t.Errorf("not as OpenTofu 1.12 writes it: %s", text)
	}
	again, err := statefile.Decode(bytes.Clone(text))
	if err != nil || !statefile.Equal(again, f) {
		t.Errorf("%s: %v", text, err)
	}
	var w bytes.Buffer
	if err := statefile.Write(&w, f); err != nil || !bytes.Equal(w.Bytes(), text) {
		t.Errorf("written as %s, %v", w.Bytes(), err)
	}
	want := strings.Replace(string(text), "<", `\u003c`, 1)
	if out, err := statefile.Canonical(f); err != nil || string(out) != want {
		t.Errorf("canonical %s, %v", out, err)
	}
	for tool, releases := range map[addrs.Tool]map[string]string{
		addrs.OpenTofu:  {"1.7.0": "\n}\n", "1.8.0": "]}\n", "1.11.0": "]}\n", "1.12.0": "\n}\n\n", "": "\n}\n\n"},
		addrs.Terraform: {"1.11.4": "\n}\n", "": "\n}\n"},
	} {
		for version, end := range releases {
			r := planjson.Release{Tool: tool}
			if version != "" {
				r.Version = mustVersion(version)
			}
			out, err := statefile.CanonicalFor(f, r)
			if err != nil || !bytes.HasSuffix(bytes.Replace(out, []byte(`"check_results":null`), []byte("]"), 1), []byte(end)) {
				t.Errorf("%v %s: %s, %v", tool, version, out, err)
			}
		}
	}
	f.Resources[0].Instances[0].Attributes = planjson.Value("{")
	for what, err := range map[string]error{
		"Encode": second(statefile.Encode(f)), "Write": statefile.Write(&w, f), "Canonical": second(statefile.Canonical(f)), "CanonicalFor": second(statefile.CanonicalFor(f, planjson.Release{})),
	} {
		if e, ok := errors.AsType[*statefile.Error](err); !ok || e.Pointer != "/resources/0/instances/0/attributes" || errors.Unwrap(e) == nil {
			t.Errorf("%s of half a value: %v", what, err)
		}
	}
	for what, err := range map[string]error{
		"Encode": second(statefile.Encode(nil)), "Write": statefile.Write(&w, nil), "Canonical": second(statefile.Canonical(nil)), "CanonicalFor": second(statefile.CanonicalFor(nil, planjson.Release{})),
		"Cty": second((*statefile.Output)(nil).Cty()),
	} {
		if !errors.Is(err, statefile.ErrAbsent) {
			t.Errorf("%s of nil: %v", what, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestNothingThere asks what is nil, or of no form, as callers can make it.
func TestNothingThere(t *testing.T) {
	address := addrs.MustParseAbsResourceInstance("t.a")
	if _, ok := (*statefile.Index)(nil).Instance(address, ""); ok {
		t.Error("a nil index has an instance")
	}
	for range (*statefile.File)(nil).All() {
		t.Error("a nil state has objects")
	}
	if key := (*statefile.InstanceObject)(nil).Key(); !key.IsNone() {
		t.Errorf("the key of nil is %v", key)
	}
	ok := &statefile.Resource{Mode: addrs.Managed, Type: "t", Name: "a", Instances: []*statefile.InstanceObject{{}, nil, {IndexKey: planjson.Value("null"), Deposed: "00000001"}}}
	f := &statefile.File{Resources: []*statefile.Resource{nil, {Mode: addrs.Managed, Type: "t", Name: "?"}, {Module: "?", Mode: addrs.Managed, Type: "t", Name: "b"}, ok}}
	n := 0
	for i := range f.All() {
		if n++; i.Address != address {
			t.Errorf("got %s", i.Address)
		}
	}
	if n != 2 {
		t.Errorf("got %d objects", n)
	}
	for range f.All() {
		break
	}
	for what, resources := range map[string][]*statefile.Resource{
		"nil":                       {nil},
		"a module of no form":       {{Module: "?", Mode: addrs.Managed, Type: "t", Name: "b"}},
		"a dependency of no form":   {{Mode: addrs.Managed, Type: "t", Name: "a", Instances: []*statefile.InstanceObject{{Dependencies: []string{"?"}}}}},
		"an identity of no form":    {{Mode: addrs.Managed, Type: "t", Name: "a", Instances: []*statefile.InstanceObject{{Identity: planjson.Value("{")}}}},
		"attributes of no form":     {{Mode: addrs.Managed, Type: "t", Name: "a", Instances: []*statefile.InstanceObject{{Attributes: planjson.Value("{")}}}},
		"paths of no form":          {{Mode: addrs.Managed, Type: "t", Name: "a", Instances: []*statefile.InstanceObject{{SensitiveAttributes: planjson.Value("[1]")}}}},
		"a builtin type's own form": {{Mode: addrs.Managed, Type: "terraform_data", Name: "a", Provider: `provider["terraform.io/builtin/terraform"]`, Instances: []*statefile.InstanceObject{{Attributes: planjson.Value(`{"input":1}`)}}}},
	} {
		if _, err := statefile.Show(&statefile.File{Resources: resources}, nil); err == nil {
			t.Errorf("%s is shown", what)
		} else if _, ok := errors.AsType[*statefile.Error](err); !ok {
			t.Errorf("%s: %v", what, err)
		}
	}
	for what, o := range map[string]*statefile.Output{"nil": nil, "no value": {Type: planjson.Value(`"string"`)}, "no type": {Value: planjson.Value("1")}} {
		if _, err := statefile.Show(&statefile.File{Outputs: map[string]*statefile.Output{"o": o}}, nil); err == nil || !strings.Contains(err.Error(), "/outputs") {
			t.Errorf("an output that is %s: %v", what, err)
		}
	}
}

// TestMadeAsRecorded makes each state that OpenTofu 1.12 has written again, from its fields
// alone, and requires the text that OpenTofu wrote.
func TestMadeAsRecorded(t *testing.T) {
	n := 0
	for _, r := range recorded() {
		if !strings.HasPrefix(r.release, "tofu-1.12") {
			continue
		}
		f, err := statefile.Decode(r.text)
		must(err)
		fresh := new(statefile.File)
		plantest.CopyFields(fresh, f)
		if out, err := statefile.Encode(fresh); err != nil || !bytes.Equal(out, r.text) {
			t.Errorf("%s: %v\n%s\nwant\n%s", r.name, err, out, r.text)
		}
		n++
	}
	if n < 20 {
		t.Errorf("only %d states", n)
	}
}
