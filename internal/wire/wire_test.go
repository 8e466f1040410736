// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/testing/wiretest"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// TestEdits shows what each kind of edit does to the text.
func TestEdits(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		edit       func(*wiretest.Doc)
		want       string
	}{
		{"scalar", `{"name":"a", "x":1}`, func(d *wiretest.Doc) { d.Name = "<b>" }, `{"name":"\u003cb\u003e", "x":1}`},
		{"scalar back", `{"name":"\u0061"}`, func(d *wiretest.Doc) { d.Name = "b"; d.Name = "a" }, `{"name":"\u0061"}`},
		{"number spelled otherwise", `{"count":1e1}`, func(d *wiretest.Doc) { d.Count = 10 }, `{"count":1e1}`},
		{"always member to zero", `{"name":"a","on":true,"count":5}`, func(d *wiretest.Doc) { d.Name, d.On, d.Count = "", false, 0 }, `{"name":"","on":false,"count":0}`},
		{"member to zero", `{"name":"a","text":"b","count":1}`, func(d *wiretest.Doc) { d.Text = "" }, `{"name":"a","count":1}`},
		{"first to zero", `{ "text":"b", "count":1 }`, func(d *wiretest.Doc) { d.Text = "" }, `{ "count":1 }`},
		{"last to zero", `{ "count":1, "names":[] }`, func(d *wiretest.Doc) { d.Names = nil }, `{ "count":1 }`},
		{"only to zero", `{ "text":"b" }`, func(d *wiretest.Doc) { d.Text = "" }, `{}`},
		{"all to zero", "{\n  \"text\":\"b\",\n  \"kind\":\"k\"\n}\n", func(d *wiretest.Doc) { d.Text, d.Kind = "", "" }, "{}\n"},
		{"null stays", `{"text":null,"ptr":null,"names":null}`, func(d *wiretest.Doc) {}, `{"text":null,"ptr":null,"names":null}`},
		{"null raw to absent", `{"after":null,"on":true}`, func(d *wiretest.Doc) { d.After = nil }, `{"on":true}`},
		{"null replaced", `{"text":null,"list":null,"map":null,"kinds":null}`, func(d *wiretest.Doc) {
			d.Text, d.List, d.Map, d.Kinds = "t", []*wiretest.Inner{{ID: "i"}}, map[string]*wiretest.Inner{"k": {ID: "j"}}, wiretest.Kinds{"q"}
		}, `{"text":"t","list":[{"id":"i"}],"map":{"k":{"id":"j"}},"kinds":["q"]}`},
		{"inserted in order", `{"name":"a","count":1,"zz":0}`, func(d *wiretest.Doc) { d.Text, d.Names = "t", []string{"n"} }, `{"name":"a","text":"t","count":1,"names":["n"],"zz":0}`},
		{"inserted before the first", `{"count":1}`, func(d *wiretest.Doc) { d.Name = "n" }, `{"name":"n","count":1}`},
		{"inserted into nothing", `{ }`, func(d *wiretest.Doc) { d.Text = "t" }, `{ "text":"t"}`},
		{"inserted in lines", "{\n\t\"name\": \"a\",\n\t\"zz\": {}\n}", func(d *wiretest.Doc) { d.Ptr = &wiretest.Inner{ID: "i", Size: 1} },
			"{\n\t\"name\": \"a\",\n\t\"ptr\": {\n\t\t\"id\": \"i\",\n\t\t\"size\": 1\n\t},\n\t\"zz\": {}\n}"},
		{"inserted into nothing, in lines", "{\n  \"ptr\": {}\n}\n", func(d *wiretest.Doc) { d.Ptr.Tags = []string{"a", "b"}; d.Ptr.Size = 2 },
			"{\n  \"ptr\": {\n    \"size\": 2,\n    \"tags\": [\n      \"a\",\n      \"b\"\n    ]\n  }\n}\n"},
		{"inserted first in lines, dropped the rest", "{\n  \"text\": \"b\"\n}\n", func(d *wiretest.Doc) { d.Name, d.Text = "n", "" }, "{\n  \"name\": \"n\"\n}\n"},
		{"colon of the neighbour", `{"name" : "a"}`, func(d *wiretest.Doc) { d.Text = "t" }, `{"name" : "a","text" : "t"}`},
		{"strings", `{"names":[ "a" , "b" , "c" ]}`, func(d *wiretest.Doc) { d.Names = []string{"a", "x", "y", "c"} }, `{"names":[ "a" , "x" , "y" , "c" ]}`},
		{"strings shorter", `{"names":["a","b","c"]}`, func(d *wiretest.Doc) { d.Names = []string{"c"} }, `{"names":["c"]}`},
		{"strings emptied", `{"names":[ "a" ]}`, func(d *wiretest.Doc) { d.Names = []string{} }, `{"names":[]}`},
		{"strings appended", `{"names":[]}`, func(d *wiretest.Doc) { d.Names = append(d.Names, "a", "b") }, `{"names":["a","b"]}`},
		{"raws", `{"raws":[1, {"a" : 1},3]}`, func(d *wiretest.Doc) { d.Raws = append(d.Raws[:2:2], wiretest.Value("[]"), d.Raws[2]) }, `{"raws":[1, {"a" : 1},[],3]}`},
		{"element changed", `{"list":[{"id":"a"} ,{"id":"b"}]}`, func(d *wiretest.Doc) { d.List[1].ID = "c" }, `{"list":[{"id":"a"} ,{"id":"c"}]}`},
		{"element removed", `{"list":[ {"id":"a"} ,{"id":"b"}, {"id":"c"} ]}`, func(d *wiretest.Doc) { d.List = append(d.List[:1:1], d.List[2]) }, `{"list":[ {"id":"a"}, {"id":"c"} ]}`},
		{"elements swapped", `{"list":[{"id":"a", "q":1},{"id":"b"}]}`, func(d *wiretest.Doc) { d.List[0], d.List[1] = d.List[1], d.List[0] }, `{"list":[{"id":"b"},{"id":"a", "q":1}]}`},
		{"element copied", `{"list":[{"id":"a", "q":1}]}`, func(d *wiretest.Doc) { d.List = append(d.List, d.List[0]) }, `{"list":[{"id":"a", "q":1},{"id":"a", "q":1}]}`},
		{"element moved up", `{"docs":[{"docs":[{"name":"x", "q":1}]}]}`, func(d *wiretest.Doc) { d.Docs = append(d.Docs, d.Docs[0].Docs[0]); d.Docs[0].Docs = nil }, `{"docs":[{},{"name":"x", "q":1}]}`},
		{"object replaced loses extra members", `{"ptr":{"id":"a","q":1}}`, func(d *wiretest.Doc) { d.Ptr = &wiretest.Inner{ID: "a"} }, `{"ptr":{"id":"a"}}`},
		{"object by value replaced", `{"inner":{"id":"a","q":1}}`, func(d *wiretest.Doc) { d.Inner = wiretest.Inner{ID: "b"} }, `{"inner":{"id":"b"}}`},
		{"object copied", `{"ptr":{"id":"a", "q":1}}`, func(d *wiretest.Doc) { d.Inner = *d.Ptr; d.Inner.ID = "b" }, `{"inner":{"id":"b", "q":1},"ptr":{"id":"a", "q":1}}`},
		{"map entry added", `{"map":{"b":{"id":"1"},"d":{"id":"2"}}}`, func(d *wiretest.Doc) { d.Map["c"] = &wiretest.Inner{ID: "x"} }, `{"map":{"b":{"id":"1"},"c":{"id":"x"},"d":{"id":"2"}}}`},
		{"map entry removed", `{"map":{"b":{"id":"1"}, "d":{"id":"2"}}}`, func(d *wiretest.Doc) { delete(d.Map, "b") }, `{"map":{"d":{"id":"2"}}}`},
		{"map entries swapped", `{"map":{"b":{"id":"1" },"d":{"id":"2"}}}`, func(d *wiretest.Doc) { d.Map["b"], d.Map["d"] = d.Map["d"], d.Map["b"] }, `{"map":{"b":{"id":"2"},"d":{"id":"1" }}}`},
		{"map key renamed", `{"map":{"b":{"id":"1" },"d":{"id":"2"}}}`, func(d *wiretest.Doc) { d.Map["e"] = d.Map["b"]; delete(d.Map, "b") }, `{"map":{"d":{"id":"2"},"e":{"id":"1" }}}`},
		{"map shadowed entry removed", `{"map":{"b":{"id":"1"},"c":{},"b":{"id":"2"}}}`, func(d *wiretest.Doc) { delete(d.Map, "b") }, `{"map":{"c":{}}}`},
		{"map shadowed entry stays", `{"map":{"b":{"id":"1"},"c":{},"b":{"id":"2"}}}`, func(d *wiretest.Doc) { d.Map["b"] = &wiretest.Inner{ID: "3"} }, `{"map":{"b":{"id":"1"},"c":{},"b":{"id":"3"}}}`},
		{"string map", `{"strings":{"b":"1" , "c":"2"}}`, func(d *wiretest.Doc) { d.Strings["a"] = "x"; d.Strings["c"] = "y" }, `{"strings":{"a":"x","b":"1" , "c":"y"}}`},
		{"duplicate changed", `{"name":"a","name":"b"}`, func(d *wiretest.Doc) { d.Name = "c" }, `{"name":"a","name":"c"}`},
		{"duplicate cleared", `{"text":"a","on":true,"text":"b"}`, func(d *wiretest.Doc) { d.Text = "" }, `{"on":true}`},
		{"one-of changed", `{"one_of":"a"}`, func(d *wiretest.Doc) { d.OneOf.Text = "b" }, `{"one_of":"b"}`},
		{"one-of emptied", `{"one_of":"a"}`, func(d *wiretest.Doc) { d.OneOf.Text = "" }, `{"one_of":""}`},
		{"one-of reshaped", `{"one_of":"a"}`, func(d *wiretest.Doc) { *d.OneOf = wiretest.OneOf{Inner: &wiretest.Inner{ID: "i"}} }, `{"one_of":{"id":"i"}}`},
		{"one-of cleared", `{"on":true,"one_of":["a"]}`, func(d *wiretest.Doc) { d.OneOf = nil }, `{"on":true}`},
		{"all members", `{"all":{"k":{"id":"a"}}}`, func(d *wiretest.Doc) { d.All.Entries["j"] = &wiretest.Inner{ID: "b"} }, `{"all":{"j":{"id":"b"},"k":{"id":"a"}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := decode(t, tt.text)
			tt.edit(d)
			if got := encode(t, d); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestFresh(t *testing.T) {
	d := &wiretest.Doc{Name: "a", Next: &wiretest.Doc{Text: "t"}, Empty: &wiretest.Empty{}, All: &wiretest.All{}}
	// What is below next is written in the other order.
	want := `{"name":"a","on":false,"count":0,"raw":null,"kinds":[],"inner":{"id":""},` +
		`"next":{"text":"t","name":"","count":0,"on":false,"raw":null,"kinds":[],"inner":{"id":""}},"empty":{},"all":{}}`
	if got := encode(t, d); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCanonical(t *testing.T) {
	d := decode(t, `{ "count" : 1.0, "x":{"b": 1e2,"a":"\u0061"}, "name":"\u0061<", "raw":{"z":1.50,"y":-0} }`)
	for _, tt := range []struct {
		form wire.Form
		want string
	}{
		{wire.Form{}, `{"name":"a\u003c","count":1,"raw":{"y":-0,"z":1.5},"x":{"a":"a","b":100}}`},
		{wire.Form{Asked: true}, `{"name":"a\u003c","on":false,"count":1,"raw":{"y":-0,"z":1.5},"kinds":[],"inner":{"id":""},"x":{"a":"a","b":100}}`},
	} {
		got, err := wiretest.Canonical(d, tt.form)
		if err != nil || string(got) != tt.want {
			t.Errorf("%+v: got  %s, %v\nwant %s", tt.form, got, err, tt.want)
		}
	}
}

func TestExtra(t *testing.T) {
	d := decode(t, "{\"name\":\"a\", \"x\":1, \"y\":[2] ,\"x\":3}\n")
	var got []string
	for name, v := range wiretest.Extra(d) {
		got = append(got, name+"="+string(v))
	}
	if s := strings.Join(got, " "); s != "x=1 y=[2] x=3" {
		t.Errorf("extra members %s", s)
	}
	for _, tt := range []struct {
		name  string
		value wiretest.Value
		want  string
	}{
		{"x", wiretest.Value("4"), "{\"name\":\"a\", \"x\":1, \"y\":[2] ,\"x\":4}\n"},
		{"z", wiretest.Value("{}"), "{\"name\":\"a\", \"x\":1, \"y\":[2] ,\"x\":4 ,\"z\":{}}\n"},
		{"x", nil, "{\"name\":\"a\", \"y\":[2] ,\"z\":{}}\n"},
		{"none", nil, "{\"name\":\"a\", \"y\":[2] ,\"z\":{}}\n"},
	} {
		if err := wiretest.SetExtra(d, tt.name, tt.value); err != nil {
			t.Fatal(err)
		}
		if got := encode(t, d); got != tt.want {
			t.Errorf("%s=%s: got %q, want %q", tt.name, tt.value, got, tt.want)
		}
	}
	d.Name = "b"
	if got := encode(t, d); got != "{\"name\":\"b\", \"y\":[2] ,\"z\":{}}\n" {
		t.Errorf("after an edit: %s", got)
	}
	if err := wiretest.SetExtra(d, "name", wiretest.Value("1")); !errors.Is(err, wire.ErrKnown) {
		t.Errorf("a known member: %v", err)
	}
	if err := wiretest.SetExtra(new(wiretest.All), "q", wiretest.Value("1")); !errors.Is(err, wire.ErrNoExtra) {
		t.Errorf("an object whose members are all known: %v", err)
	}
	for name := range wiretest.Extra(decode(t, `{"all":{"a":{}}}`).All) {
		t.Errorf("%s is an extra member of a map", name)
	}
	if err := wiretest.SetExtra(d, "q", wiretest.Value("[1,")); !errors.Is(err, jsonscan.FaultEnd) {
		t.Errorf("an invalid value: %v", err)
	}
	made := &wiretest.Doc{Name: "m", Ptr: &wiretest.Inner{ID: "p"}}
	if err := wiretest.SetExtra(made, "x", wiretest.Value("1")); err != nil {
		t.Fatal(err)
	}
	if err := wiretest.SetExtra(made.Ptr, "y", wiretest.Value("2")); err != nil {
		t.Fatal(err)
	}
	made.Text = "t"
	want := `{"name":"m","text":"t","on":false,"count":0,"raw":null,"kinds":[],"inner":{"id":""},"ptr":{"id":"p","y":2},"x":1}` + "\n"
	if got := encode(t, made); got != want {
		t.Errorf("made by the caller:\n got  %s\n want %s", got, want)
	}
}

// TestExtraAmongLists checks that an extra member of an object leaves the lists
// below it as they are, and that an edit below it stays where it is.
func TestExtraAmongLists(t *testing.T) {
	const text = "{ \"docs\" : [ {\"list\":[ {\"id\":\"a\"} ,\n{\"id\":\"b\"},{\"id\":\"c\"} ]} ,  {\"names\":[\"x\" , \"y\"]} ] }\n"
	d := decode(t, text)
	if err := wiretest.SetExtra(d, "z", wiretest.Value("1")); err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(text, "] }\n", "], \"z\" : 1 }\n", 1)
	if got := encode(t, d); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	d.Docs[0].List[1].ID = "edited"
	want = strings.Replace(want, `"b"`, `"edited"`, 1)
	if got := encode(t, d); got != want {
		t.Errorf("after an edit:\ngot  %q\nwant %q", got, want)
	}
	d.Docs[0].List[2] = &wiretest.Inner{ID: "new"}
	want = strings.Replace(want, `"c"`, `"new"`, 1)
	if got := encode(t, d); got != want {
		t.Errorf("after an element was replaced:\ngot  %q\nwant %q", got, want)
	}
	if err := wiretest.SetExtra(d, "z", nil); err != nil {
		t.Fatal(err)
	}
	d.Docs[0].List[1].ID = "b"
	d.Docs[0].List[2].ID = "c"
	if got := encode(t, d); got != text {
		t.Errorf("after all was taken back:\ngot  %q\nwant %q", got, text)
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, tt := range []struct{ name, text, err string }{
		{"empty", "", "line 1, column 1 (): unexpected end of JSON text"},
		{"null", "null", "line 1, column 1 (): unexpected kind of value: expected an object, found null"},
		{"number", " 1", "line 1, column 2 (): unexpected kind of value: expected an object, found a number"},
		{"trailing", "{}\n]", "line 2, column 1 (): unexpected text after the value"},
		{"byte order mark", "\ufeff{}", "line 1, column 1 (): byte order mark before the value"},
		{"no colon", `{"name" "a"}`, "line 1, column 9 (/name): expected ':' after a member name"},
		{"no name", `{"name":"a",}`, "line 1, column 13 (): expected a member name in double quotes"},
		{"no comma", `{"name":"a" "x"}`, "line 1, column 13 (/name): expected ',' or '}' after a member"},
		{"bad extra", "{\n\"x\":[1,2,{\"y\":01}]}", "line 2, column 16 (/x/2/y): invalid number"},
		{"bad UTF-8", "{\"x\":\"\xff\"}", "line 1, column 7 (/x): invalid UTF-8 in a string"},
		{"string", `{"name":5}`, "line 1, column 9 (/name): unexpected kind of value: expected a string, found a number"},
		{"bool", `{"on":"true"}`, "line 1, column 7 (/on): unexpected kind of value: expected a boolean, found a string"},
		{"integer", `{"count":true}`, "line 1, column 10 (/count): unexpected kind of value: expected an integer, found a boolean"},
		{"fraction", `{"count":1.5}`, "line 1, column 10 (/count): unexpected kind of value: expected an integer within the range of its field"},
		{"too large", `{"big":18446744073709551616}`, "line 1, column 8 (/big): unexpected kind of value: expected an integer within the range of its field"},
		{"negative", `{"big":-1}`, "line 1, column 8 (/big): unexpected kind of value: expected an integer within the range of its field"},
		{"object", `{"ptr":[]}`, "line 1, column 8 (/ptr): unexpected kind of value: expected an object, found an array"},
		{"array", `{"list":{}}`, "line 1, column 9 (/list): unexpected kind of value: expected an array, found an object"},
		{"element", `{"list":[{},"a"]}`, "line 1, column 13 (/list/1): unexpected kind of value: expected an object, found a string"},
		{"null element", `{"list":[{},null]}`, "line 1, column 13 (/list/1): unexpected kind of value: an element must not be null"},
		{"null entry", `{"map":{"a/b":null}}`, "line 1, column 15 (/map/a~1b): unexpected kind of value: an element must not be null"},
		{"string element", `{"names":["a",1]}`, "line 1, column 15 (/names/1): unexpected kind of value: expected a string, found a number"},
		{"null string", `{"names":[null]}`, "line 1, column 11 (/names/0): unexpected kind of value: an element must not be null"},
		{"string entry", `{"strings":{"a":[]}}`, "line 1, column 17 (/strings/a): unexpected kind of value: expected a string, found an array"},
		{"null string entry", `{"strings":{"a":null}}`, "line 1, column 17 (/strings/a): unexpected kind of value: an element must not be null"},
		{"deep raw", `{"raw":` + strings.Repeat("[", 1_000_000), "line 1, column 10007 (/raw" + strings.Repeat("/0", 9999) + "): nested too deeply"},
		{"deep objects", strings.Repeat(`{"next":`, 1_000_000), "line 1, column 80001 (" + strings.Repeat("/next", 10000) + "): nested too deeply"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := wiretest.Decode([]byte(tt.text))
			var e *wire.Error
			if !errors.As(err, &e) || err.Error() != tt.err {
				t.Errorf("got  %.300v\nwant %.300s", err, tt.err)
			}
		})
	}
}

// TestMemoryOfTinyObjects checks that memory stays in proportion to the text.
func TestMemoryOfTinyObjects(t *testing.T) {
	for _, text := range []string{
		`{"docs":[` + strings.Repeat("{},", 1_000_000) + `{}]}`,
		`{"docs":[` + strings.Repeat(`{"ptr":{}},`, 1_000_000) + `{}]}`,
	} {
		if _, err := wiretest.Decode([]byte(text)); !errors.Is(err, wire.ErrLimit) {
			t.Errorf("got %v", err)
		}
	}
	decode(t, `{"docs":[`+strings.Repeat("{},", 1000)+`{}]}`) // a small text may
}

func TestTruncated(t *testing.T) {
	for n := range len(full) - 1 {
		_, err := wiretest.Decode([]byte(full[:n]))
		var e *wire.Error
		if !errors.As(err, &e) || e.Offset != int64(n) {
			t.Errorf("cut to %q: %v", full[:n], err)
		}
	}
}

func TestEncodeErrors(t *testing.T) {
	self := &wiretest.Doc{}
	self.Next = self
	for _, tt := range []struct {
		name string
		doc  *wiretest.Doc
		edit func(*wiretest.Doc)
		ptr  string
		err  string
	}{
		{"invalid raw", nil, func(d *wiretest.Doc) { d.Ptr.Value = wiretest.Value("{") }, "/ptr/value", "invalid raw value: unexpected end of JSON text at its byte 1"},
		{"invalid raw in a list", nil, func(d *wiretest.Doc) { d.Raws[1] = wiretest.Value("x") }, "/raws/1", "invalid raw value: expected a value at its byte 0"},
		{"cut raw", nil, func(d *wiretest.Doc) { d.Raw = d.Raw[:3] }, "/raw", "invalid raw value: unexpected end of JSON text at its byte 3"},
		{"nil element", nil, func(d *wiretest.Doc) { d.List[1] = nil }, "/list/1", "nil element in an array or object"},
		{"nil entry", nil, func(d *wiretest.Doc) { d.Map["a"] = nil }, "/map/a", "nil element in an array or object"},
		{"two shapes", nil, func(d *wiretest.Doc) { d.OneOf.List = []*wiretest.OneOf{} }, "/one_of", "more than one shape of a one-of value is set"},
		{"made by the caller", &wiretest.Doc{List: []*wiretest.Inner{{}, {Value: wiretest.Value("tru")}}}, func(d *wiretest.Doc) {}, "/list/1/value", "invalid raw value: unexpected end of JSON text at its byte 3"},
		{"made with a nil element", &wiretest.Doc{List: []*wiretest.Inner{{}, nil}}, func(d *wiretest.Doc) {}, "/list/1", "nil element in an array or object"},
		{"made with a nil entry", &wiretest.Doc{Map: map[string]*wiretest.Inner{"a": {}, "b/c": nil}}, func(d *wiretest.Doc) {}, "/map/b~1c", "nil element in an array or object"},
		{"nil element after a new one", nil, func(d *wiretest.Doc) { d.List[0], d.List[2] = &wiretest.Inner{ID: "x"}, nil }, "/list/2", "nil element in an array or object"},
		{"cycle", self, func(d *wiretest.Doc) {}, strings.Repeat("/next", 9999), "nested too deeply, or an object contains itself"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.doc
			if d == nil {
				d = decode(t, full)
			}
			tt.edit(d)
			out, err := wiretest.Encode(d)
			var e *wire.Error
			if out != nil || !errors.As(err, &e) || !strings.HasPrefix(e.Pointer, tt.ptr) || len(e.Pointer) > len(tt.ptr)+len("/inner") || e.Err.Error() != tt.err {
				t.Errorf("got  %.300v with a pointer of %d bytes and %d bytes\nwant (%.300s) with %d bytes: %s", err, len(e.Pointer), len(out), tt.ptr, len(tt.ptr), tt.err)
			}
		})
	}
}

func TestClipped(t *testing.T) {
	d := decode(t, `{"raw":123,"on":true}`)
	d.Raw = d.Raw[:2:2] // pretends to be what decoding made
	if out, err := wiretest.Encode(d); err == nil {
		t.Errorf("a cut value gave %s", out)
	}
}

func TestLenient(t *testing.T) {
	// Every member of another kind than its field, with the law in force.
	text := `{"name":1,"text":[],"kind":{},"note":2,"on":"x","off":0,"maybe":"m","count":"1","big":1.5,"small":[],"kinds":["k",null],"names":[1,"a"],"raws":{},` +
		`"inner":[],"ptr":"p","list":[{"id":"a"},null,3],"map":{"a":{"id":"x"},"b":1},"strings":{"a":"x","b":null},"next":5,"docs":{},"one_ofs":[],"empty":[],"all":1,"raw":true}`
	var x wire.Decoder
	for range 2 {
		d := new(wiretest.Doc)
		problems, err := wiretest.DecodeLenient(&x, d, []byte(text), "", false)
		if err != nil {
			t.Fatal(err)
		}
		if len(problems) != 23 {
			t.Errorf("%d problems: %v", len(problems), problems)
		}
		for _, p := range problems {
			if !errors.Is(p.Err, wire.ErrKind) {
				t.Errorf("problem %v", p.Err)
			}
		}
		if got := encode(t, d); got != text {
			t.Errorf("not lossless:\n got  %s\n want %s", got, text)
		}
		d.Count = 5
		d.Names = []string{"n"}
		d.List = []*wiretest.Inner{{ID: "l"}}
		want := strings.Replace(strings.Replace(strings.Replace(text, `"count":"1"`, `"count":5`, 1), `[1,"a"]`, `["n"]`, 1), `[{"id":"a"},null,3]`, `[{"id":"l"}]`, 1)
		if got := encode(t, d); got != want {
			t.Errorf("after edits:\n got  %s\n want %s", got, want)
		}
	}
	if _, err := wiretest.DecodeLenient(&x, new(wiretest.Doc), []byte(`{"name":tru}`), "", false); err == nil {
		t.Error("invalid text passes")
	}
}

func TestReused(t *testing.T) {
	var x wire.Decoder
	d := new(wiretest.Doc)
	for i := range 50 {
		for _, tt := range texts {
			*d = wiretest.Doc{}
			text := []byte(tt.text)
			if _, err := wiretest.DecodeLenient(&x, d, text, tt.text, true); err != nil {
				t.Fatal(err)
			}
			if got := encode(t, d); got != tt.text {
				t.Fatalf("round %d, %s: %s", i, tt.name, got)
			}
			if want := decode(t, tt.text); typed(d) != typed(want) {
				t.Fatalf("round %d, %s: fields of another message", i, tt.name)
			}
		}
	}
	// Strings outlive the text that they were read from.
	const small = `{"name":"outlives","strings":{"k":"v"}}`
	first := new(wiretest.Doc)
	if _, err := wiretest.DecodeLenient(&x, first, []byte(small), "", true); err != nil {
		t.Fatal(err)
	}
	name := first.Name
	if _, err := wiretest.DecodeLenient(&x, new(wiretest.Doc), []byte(strings.ReplaceAll(small, "outlives", "another1")), "", true); err != nil {
		t.Fatal(err)
	}
	if name != "outlives" {
		t.Errorf("a string became %q", name)
	}
	line := []byte(`{"name":"abc","text":"t","count":5,"ptr":{"id":"x"},"raw":{"a":1}}`)
	lent := string(line)
	if n := testing.AllocsPerRun(100, func() {
		*d = wiretest.Doc{}
		if _, err := wiretest.DecodeLenient(&x, d, line, lent, true); err != nil {
			t.Fatal(err)
		}
	}); n > 0 {
		t.Errorf("%v allocations to decode into a reused object", n)
	}
}

// A decoder that has given up a text in the middle of lists and maps reads the next
// one as a new decoder does.
func TestAfterFailure(t *testing.T) {
	var x wire.Decoder
	const good = `{"names":["a"],"docs":[{"list":[{"tags":["t"]}],"names":["b","c"]}],"map":{"k":{"id":"1"}}}`
	for _, bad := range []string{
		`{"names":["a","b",`, `{"docs":[{"names":["a"]},{"names":["b",1`, `{"list":[{"tags":["t","u"`, `{"map":{"k":{"id":"1"},"l":{"id":"2"},`,
	} {
		if _, err := wiretest.DecodeLenient(&x, new(wiretest.Doc), []byte(bad), "", false); err == nil {
			t.Fatalf("%s passes", bad)
		}
		d := new(wiretest.Doc)
		if _, err := wiretest.DecodeLenient(&x, d, []byte(good), "", false); err != nil {
			t.Fatal(err)
		}
		if got, want := typed(d), typed(decode(t, good)); got != want {
			t.Errorf("after %s: %s, want %s", bad, got, want)
		}
		if got := encode(t, d); got != good {
			t.Errorf("after %s: %s", bad, got)
		}
	}
}

// TestPropertiesOfAppend checks that lists handed out by one slab are apart.
func TestPropertiesOfAppend(t *testing.T) {
	d := decode(t, `{"names":["a","b"],"kinds":["k"],"docs":[{"names":["c"]},{"names":["d"]}],"list":[{"tags":["t"]},{"tags":["u"]}]}`)
	_ = append(d.Names, "overwritten")
	_ = append(d.List, &wiretest.Inner{})
	_ = append(d.Docs[0].Names, "overwritten")
	_ = append(d.List[0].Tags, "overwritten")
	if d.Docs[0].Names[0] != "c" || d.Docs[1].Names[0] != "d" || d.List[1].Tags[0] != "u" {
		t.Error("an append to one list reached another")
	}
	_ = append(d.Raw, 'x')
}

func TestConcurrent(t *testing.T) {
	d := decode(t, full)
	d.List[1].ID = "edited"
	want := encode(t, d)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if out, err := wiretest.Encode(d); err != nil || string(out) != want {
					t.Errorf("%v: %s", err, out)
				}
				wiretest.Clone(d)
				wiretest.Equal(d, d)
				for range wiretest.Extra(d) {
				}
			}
		})
	}
	wg.Wait()
}

// TestWrite compares what goes to a writer with what Append returns, for
// writers that take and that refuse.
func TestWrite(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"list":[`)
	for i := range 20000 {
		fmt.Fprintf(&b, `{"id":"%d","tags":["a"]},`, i)
	}
	b.WriteString(`{"id":"last"}]}`)
	d := decode(t, b.String())
	for i := 0; i < len(d.List); i += 700 {
		d.List[i].Tags = append(d.List[i].Tags, "edited")
	}
	want := encode(t, d)
	var out bytes.Buffer
	if err := wiretest.Write(&out, d); err != nil || out.String() != want {
		t.Errorf("written text differs: %v", err)
	}
	broken := errors.New("disk full")
	if err := wiretest.Write(failing{broken}, d); err != broken {
		t.Errorf("the writer's error came as %v", err)
	}
	// A part that is too large to be gathered goes out on its own.
	large := decode(t, `{"count":1,"raw":"`+strings.Repeat("r", 200_000)+`","extra":"`+strings.Repeat("e", 200_000)+`"}`)
	large.Count = 2
	out.Reset()
	if err := wiretest.Write(&out, large); err != nil || out.String() != encode(t, large) {
		t.Errorf("written text differs: %v", err)
	}
	d.List[5] = nil
	if err := wiretest.Write(&out, d); err == nil || !strings.Contains(err.Error(), "(/list/5)") {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestDuplicates(t *testing.T) {
	text := "{\"a\":1,\"b\":[{\"x\":1,\"y\":\"x\",\"\\u0078\":2}],\n\"a\":{\"c\":\"c\"},\"c\":[],\"a\":0}"
	var got []string
	for d := range wire.Duplicates([]byte(text)) {
		got = append(got, fmt.Sprintf("%s at %d:%d", d.Pointer, d.Line, d.Column))
	}
	if s := strings.Join(got, ", "); s != "/b/0/x at 1:28, /a at 2:1, /a at 2:22" {
		t.Errorf("got %s", s)
	}
}

func TestPosition(t *testing.T) {
	d := decode(t, "{\n \"list\":[{},\n  {\"id\":\"a\"}]}")
	if line, column, ok := wiretest.Position(d.List[1]); line != 3 || column != 3 || !ok {
		t.Errorf("line %d, column %d, %v", line, column, ok)
	}
	if _, _, ok := wiretest.Position(new(wiretest.Inner)); ok {
		t.Error("a new object has a position")
	}
}

func TestEqual(t *testing.T) {
	a := decode(t, `{"name":"a","count":1,"x":[1.0]}`)
	for text, want := range map[string]bool{
		`{"x":[1],"count":1e0, "name":"\u0061"}`:              true,
		`{"name":"a","count":2,"x":[1.0]}`:                    false,
		`{"name":"a","count":1}`:                              false,
		`{"name":"a","count":1,"x":[1.0],"after":null}`:       false,
		`{"name":"z","count":1,"x":[1.0],"name":"a","x":[1]}`: true,
	} {
		if got := wiretest.Equal(a, decode(t, text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// TestLinear checks that deep and wide documents take time in proportion to
// their size: a quadratic step would not end.
func TestLinear(t *testing.T) {
	deep := strings.Repeat(`{"name":"a","name":"b","docs":[`, 4900) + strings.Repeat(`]}`, 4900)
	d := decode(t, deep)
	for e := d; e != nil; {
		e.Text = "x"
		if len(e.Docs) == 0 {
			break
		}
		e = e.Docs[0]
	}
	back := decode(t, encode(t, d))
	if back.Docs[0].Docs[0].Text != "x" {
		t.Error("the edit was lost")
	}
	wide := `{"map":{` + strings.Repeat(`"k":{"id":"1"},`, 100_000) + `"k":{"id":"2"}}}`
	d = decode(t, wide)
	d.Map["k"] = &wiretest.Inner{ID: "3"}
	if got := encode(t, d); !strings.HasSuffix(got, `"k":{"id":"3"}}}`) || len(got) != len(wide) {
		t.Error("the last duplicate was not replaced")
	}
}

// FuzzLaw checks the law on any text, and after an edit of each kind that its
// result means what the fields say.
func FuzzLaw(f *testing.F) {
	for _, tt := range texts {
		f.Add([]byte(tt.text), uint64(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, seed uint64) {
		d, err := wiretest.Decode(bytes.Clone(text))
		if err != nil {
			var e *wire.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(text)) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		if out, err := wiretest.Encode(d); err != nil || !bytes.Equal(out, text) {
			t.Fatalf("%v:\n in  %q\n out %q", err, text, out)
		}
		r := rand.New(rand.NewPCG(seed, 2))
		other := decode(t, full)
		for range 3 {
			edit(r, d, other)
		}
		out, err := wiretest.Encode(d)
		if err != nil {
			t.Fatal(err)
		}
		back, err := wiretest.Decode(out)
		if err != nil {
			t.Fatalf("%v:\n in  %q\n out %q", err, text, out)
		}
		if want, got := typed(d), typed(back); want != got {
			t.Fatalf("%s\n in  %q\n out %q", difference(want, got), text, out)
		}
	})
}

// FuzzTyped makes texts by type, which finds more than random bytes do.
func FuzzTyped(f *testing.F) {
	f.Add(uint64(1), uint64(1))
	f.Fuzz(func(t *testing.T, a, b uint64) {
		r := rand.New(rand.NewPCG(a, b))
		text := randomText(r, 4)
		d := decode(t, text)
		if out := encode(t, d); out != text {
			t.Fatalf("\n in  %s\n out %s", text, out)
		}
		duplicates := false
		for range wire.Duplicates([]byte(text)) {
			duplicates = true
		}
		total := 0
		fields(reflect.ValueOf(d), "", func(reflect.Value, string, string) { total++ })
		n, i := r.IntN(total), 0
		fields(reflect.ValueOf(d), "", func(field reflect.Value, _, path string) {
			if i++; i-1 != n || field.IsZero() {
				return
			}
			old := reflect.New(field.Type()).Elem()
			old.Set(field)
			field.SetZero()
			cleared := encode(t, d)
			if !duplicates { // of those, more than one part goes
				checkOneChange(t, path, text, cleared)
			}
			field.Set(old)
			if again := encode(t, d); again != text {
				t.Fatalf("%s: setting it back gave\n %s\nfor\n %s", path, again, text)
			}
		})
	})
}
