// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"errors"
	"fmt"
	"log"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/tofuwire/tofuwire/planjson"
)

const partsPlan = `{"format_version":"1.2","prior_state":{"format_version":"1.0","values":{"root_module":{"child_modules":[{"address":"module.m","resources":[
{"address":"module.m.data.x.y","mode":"data","type":"x","name":"y","values":{"id":1},"sensitive_values":{"pw":true}}]}]}}},
"planned_values":{"root_module":{"resources":[{"address":"x.planned","mode":"managed","type":"x","name":"planned","values":{"id":2},"sensitive_values":{}}]}},
"resource_changes":[{"address":"x.y","mode":"managed","type":"x","name":"y","change":{"actions":["update"],
"before":{"name":"a","disk":[{"key":"k","size":1}],"was":"s"},
"after":{"name":"a","disk":[{"key":"k2","size":2},{}],"tags":{"e":null},"was":"s"},
"after_unknown":{"id":true,"disk":[{},{"key":true}],"list":true,"tags":{}},
"before_sensitive":{"was":true},"after_sensitive":{"disk":[{"key":true}],"tags":true}}}]}`

func partsOf(t testing.TB) *planjson.Plan {
	t.Helper()
	plan, err := planjson.DecodePlan([]byte(partsPlan))
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

func TestChangeParts(t *testing.T) {
	c := &partsOf(t).ResourceChanges[0].Change
	for _, row := range []struct {
		path               []any
		known              string // "-" if it is not
		unknown, sensitive bool
	}{
		{nil, "-", true, true},
		{[]any{"name"}, `"a"`, false, false},
		{[]any{"id"}, "-", true, false},
		{[]any{"none"}, "-", false, false},
		{[]any{"disk"}, "-", true, true},
		{[]any{"disk", 0}, `{"key":"k2","size":2}`, false, true},
		{[]any{"disk", 0, "key"}, `"k2"`, false, true},
		{[]any{"disk", 0, "size"}, "2", false, false},
		{[]any{planjson.Value(`"disk"`), planjson.Value("1"), "key"}, "-", true, false},
		{[]any{"list", 3, "x"}, "-", true, false},
		{[]any{"tags", "e"}, "null", false, true},
		{[]any{"was"}, `"s"`, false, true},
		{[]any{1.5}, "-", false, false},
	} {
		v, ok := c.Known(row.path...)
		got := "-"
		if ok {
			got = v.String()
		}
		if got != row.known || c.IsUnknown(row.path...) != row.unknown || c.IsSensitive(row.path...) != row.sensitive {
			t.Errorf("%v: got %s, unknown %v, sensitive %v", row.path, got, c.IsUnknown(row.path...), c.IsSensitive(row.path...))
		}
	}
}

func TestIndexValues(t *testing.T) {
	x := planjson.NewPlanIndex(partsOf(t))
	for address, want := range map[string]string{"module.m.data.x.y": `{"id":1} {"pw":true}`, "x.planned": `{"id":2} {}`, "x.none": " "} {
		v, s := x.Values(address)
		if got := v.String() + " " + s.String(); got != want {
			t.Errorf("%s: got %s", address, got)
		}
	}
	if v, s := x.Values("x.y"); v.Get("name").String() != `"a"` || s.Get("tags").String() != "true" {
		t.Errorf("got %s %s", v, s)
	}
	var none *planjson.PlanIndex
	if v, s := none.Values("a.b"); v != nil || s != nil {
		t.Error("nothing has values")
	}
	if v, _ := planjson.NewPlanIndex(new(planjson.Plan)).Values("a.b"); v != nil {
		t.Error("an empty plan has values")
	}
}

func TestValueInOneCall(t *testing.T) {
	want := map[string]any{"a": []any{nil, true, "x"}}
	if diff := cmp.Diff(want, planjson.Value(`{"a":[null,true,"\u0078"]}`).Any()); diff != "" {
		t.Error(diff)
	}
	if planjson.Value(nil).Any() != nil || planjson.Value("[").Any() != nil {
		t.Error("nothing is something")
	}
	for text, want := range map[string]string{`"a\"b"`: `a"b`, "80": "80", " 1e3 ": "1e3", "true": "true", "null": "-", "{}": "-", "": "-", "tru": "-"} {
		got, ok := planjson.Value(text).ScalarText()
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%s: got %s", text, got)
		}
	}
	for got, want := range map[string]string{
		planjson.Literal("<a>").String(): `"\u003ca\u003e"`, planjson.Literal(-3).String(): "-3", planjson.Literal(true).String(): "true",
		planjson.Literal(uint64(1 << 63)).String(): "9223372036854775808",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestValueOfType(t *testing.T) {
	for _, typ := range []cty.Type{
		cty.String, cty.DynamicPseudoType, cty.List(cty.Map(cty.Number)), cty.Tuple([]cty.Type{cty.Bool, cty.Set(cty.String)}),
		cty.ObjectWithOptionalAttrs(map[string]cty.Type{"a": cty.String, "b": cty.EmptyObject}, []string{"a"}),
	} {
		v, err := planjson.ValueOf(typ)
		if err != nil {
			t.Fatal(err)
		}
		if back, err := planjson.ParseType(v); err != nil || !back.Equals(typ) {
			t.Errorf("%s became %s, %v", typ.GoString(), v, err)
		}
	}
	for _, typ := range []cty.Type{cty.NilType, cty.Capsule("x", reflect.TypeOf(0))} {
		var e *planjson.Error
		if _, err := planjson.ValueOf(typ); !errors.As(err, &e) {
			t.Errorf("%v", err)
		}
	}
}

// Fail if a bucket may become public: also if that is not known before the apply.
func ExampleChange_Known() {
	plan, err := planjson.DecodePlan([]byte(`{"format_version":"1.2","resource_changes":[{"address":"bucket.b","mode":"managed","type":"bucket","name":"b",
		"change":{"actions":["create"],"before":null,"after":{"name":"b"},"after_unknown":{"acl":true}}}]}`))
	if err != nil {
		log.Fatal(err)
	}
	for _, rc := range plan.ResourceChanges {
		acl, ok := rc.Change.Known("acl")
		switch text, _ := acl.Text(); {
		case !ok:
			fmt.Println(rc.Address, "has an acl that is not known yet")
		case text == "public":
			fmt.Println(rc.Address, "is public")
		}
	}
	// Output: bucket.b has an acl that is not known yet
}

// Say what a file is before it is decoded.
func ExampleKindOf() {
	src := []byte(`{"format_version":"1.0","terraform_version":"1.12.6","values":{"root_module":{}}}`)
	fmt.Println(planjson.KindOf(src))
	_, err := planjson.DecodePlan(src)
	fmt.Println(err)
	// Output:
	// state
	// planjson: line 1, column 1: the document is a state, not a plan
}

// Decode a document that can be of several kinds.
func ExampleDecode() {
	for _, src := range []string{
		`{"format_version":"1.2","resource_changes":[{"address":"a.b","change":{"actions":["delete"]}}]}`,
		`{"format_version":"1.0","terraform_version":"1.12.6","values":{"root_module":{}}}`,
		`{"version":4,"serial":7,"lineage":"x","outputs":{},"resources":[]}`,
	} {
		doc, err := planjson.Decode([]byte(src))
		if err != nil {
			fmt.Println(err)
			continue
		}
		switch doc := doc.(type) {
		case *planjson.Plan:
			fmt.Println("a plan that changes", len(doc.ResourceChanges))
		case *planjson.State:
			fmt.Println("a state of", doc.TerraformVersion)
		default:
			fmt.Printf("%T is neither a plan nor a state\n", doc)
		}
	}
	// Output:
	// a plan that changes 1
	// a state of 1.12.6
	// planjson: line 1, column 1: the text is the file terraform.tfstate: package planjson/statefile decodes it
}
