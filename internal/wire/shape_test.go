// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

// A shaped has a field of each kind that says what it wants.
type shaped struct {
	text  string
	on    bool
	count int
	raw   []byte
	names []string
	sub   *shaped
	own   part
	list  []*shaped
	byKey map[string]*part
	short *string
	maybe *bool
	some  *uint64
	old   map[string]string // says nothing

	src Source
}

// A part has one member, or is a list of parts.
type part struct {
	value []byte
	parts []*part

	src Source
}

var (
	shapedTable = &Table{Of: shapedObject{}}
	partTable   = &Table{Of: partMembers{}}
	partUnion   = &Union{Of: partShapes{}}
)

type shapedObject struct{}

func (shapedObject) Define() Definition {
	return Definition{
		Members: "text on count raw names sub own list by_key short maybe some old a_name_that_is_long_1 a_name_that_is_long_2",
		Memory:  MemoryOf([]shaped(nil)),
		Fields:  []Field{5: Ptr[*shaped](shapedTable), 6: Struct(partUnion), 7: Slice[*shaped](shapedTable), 8: Map[*part](partUnion)},
	}
}

func (shapedObject) At(o any, k int) any {
	v := o.(*shaped)
	if k < 0 {
		return &v.src
	}
	return []any{&v.text, &v.on, &v.count, &v.raw, &v.names, &v.sub, &v.own, &v.list, &v.byKey, &v.short, &v.maybe, &v.some, &v.old, &v.text, &v.text}[k]
}

type partMembers struct{}

func (partMembers) Define() Definition {
	return Definition{Members: "value", Memory: MemoryOf([]part(nil))}
}

func (partMembers) At(o any, k int) any {
	if k < 0 {
		return &o.(*part).src
	}
	return &o.(*part).value
}

type partShapes struct{}

func (partShapes) DefineUnion() UnionDefinition {
	return UnionDefinition{Memory: MemoryOf([]part(nil)), Shape: whichPart, Fields: []Field{Self(partTable), Slice[*part](partUnion)}}
}

func (partShapes) At(o any, k int) any {
	if k < 0 {
		return &o.(*part).src
	}
	return []any{o, &o.(*part).parts}[k]
}

func whichPart(text []byte) int {
	if text[0] == '[' {
		return 1
	}
	return 0
}

// TestShape asks for the values that a shape knows, and requires that they decode, with
// what they take.
func TestShape(t *testing.T) {
	known := []string{
		`{}`, `{"text":""}`, `{"text":"a\"\u00e9é"}`, `{"on":true,"maybe":false}`, `{"count":0,"some":123456789}`, `{"raw":[{"a":null}]}`,
		`{"names":[]}`, `{"names":["a","b\n"]}`, `{"sub":{"sub":{"text":"x"}}}`, `{"own":{"value":1}}`, `{"own":[[],{},{"value":null}]}`,
		`{"list":[{},{"list":[]}]}`, `{"by_key":{}}`, `{"by_key":{"a b":{"value":"x"},"\n":[[]]}}`, `{"short":"x"}`,
		`{"a_name_that_is_long_1":"x","a_name_that_is_long_2":"y"}`, `{"a_name_that_is_long_3":1,"tex":2,"texts":3,"other":{"text":4}}`, `{"":1,"t":2}`,
	}
	unknown := []string{
		``, `{`, `[]`, `{"text"}`, `{"text":}`, `{"text":1}`, `{"text":null}`, `{"text":"a"`, `{"text":"a",}`, `{"text":"a" "on":true}`, `{"text":"a","text":"b"}`, `{"te\u0078t":"a"}`,
		`{"text":"\x"}`, `{"text":"` + "\xff" + `"}`, `{"on":1}`, `{"on":tru}`, `{"on":truer}`, `{"count":01}`, `{"count":-1}`, `{"count":1.0}`, `{"count":1e3}`, `{"count":1234567890}`, `{"count":"1"}`,
		`{"raw":}`, `{"raw":[}`, `{"names":[1]}`, `{"names":["a",null]}`, `{"names":["a",]}`, `{"names":["a"}`, `{"names":{}}`, `{"sub":[]}`, `{"sub":null}`, `{"own":1}`, `{"own":[null]}`, `{"own":[{"value":}]}`,
		`{"list":[1]}`, `{"list":[{}`, `{"by_key":[]}`, `{"by_key":{"a":null}}`, `{"by_key":{"a"}}`, `{"by_key":{a:1}}`, `{"short":null}`, `{"old":{}}`, `{"x":}`, `{"x":[}`, `{1:1}`, "{\"\x00\":1,\"text\":\"\"}",
		`{"a_name_that_is_long_1":1}`, `{"list":[` + strings.Repeat(`{"list":[`, jsonscan.MaxDepth) + strings.Repeat(`]}`, jsonscan.MaxDepth) + `]}`,
	}
	var x Decoder
	s := shapeOf(shapedTable)
	if shapeOf(shapedTable) != s {
		t.Error("the shape is not kept")
	}
	spaced := strings.NewReplacer(`{`, "{ ", `}`, "\n }", `:`, " :\t", `,`, " ,\r\n\n        ", `[`, "[ ", `]`, " ]")
	for _, plain := range known {
		for _, text := range []string{plain, spaced.Replace(plain)} {
			taken := 0
			if end := s.check([]byte(text), 0, jsonscan.MaxDepth, &taken); end != len(text) {
				t.Errorf("%s: the value ends at %d of %d", text, end, len(text))
			}
			for i := range text {
				if end := s.check([]byte(text[:i]), 0, jsonscan.MaxDepth, new(int)); end >= 0 {
					t.Errorf("%s: the value ends at %d", text[:i], end)
				}
			}
			x.begin([]byte(text))
			x.dry = true
			x.members(new(shaped), shapedTable.ready())
			if x.heap.taken != uint64(taken) || x.i != len(text) {
				t.Errorf("%s: takes %d bytes, not %d", text, x.heap.taken, taken)
			}
		}
	}
	for _, text := range unknown {
		if end := s.check([]byte(text), 0, jsonscan.MaxDepth, new(int)); end >= 0 {
			t.Errorf("%.80s: the value ends at %d", text, end)
		}
	}
}
