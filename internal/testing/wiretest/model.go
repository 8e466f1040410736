// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package wiretest has types with every kind of field, for the tests of
// internal/wire.
package wiretest

import (
	"io"
	"iter"

	"github.com/tofuwire/tofuwire/internal/wire"
)

//go:generate go run -C ../../../tools ./wiregen ../internal/testing/wiretest

// Value is raw JSON.
type Value []byte

// Kind is an open enumeration.
type Kind string

// Kinds is a list of them.
type Kinds []Kind

// Doc has a field of every kind.
//
//wire:alt text! name count
type Doc struct {
	Name    string            `json:"name"`
	Text    string            `json:"text,omitempty"`
	Kind    Kind              `json:"kind,omitempty"`
	Note    *string           `json:"note,omitempty"`
	On      bool              `json:"on"`
	Off     bool              `json:"off,omitempty"`
	Maybe   *bool             `json:"maybe,omitempty"`
	Count   int               `json:"count"`
	Big     uint64            `json:"big,omitempty"`
	Small   *int64            `json:"small,omitempty"`
	Raw     Value             `json:"raw"`
	After   Value             `json:"after,omitempty"`
	Kinds   Kinds             `json:"kinds"`
	Names   []string          `json:"names,omitempty"`
	Raws    []Value           `json:"raws,omitempty"`
	Inner   Inner             `json:"inner"`
	Ptr     *Inner            `json:"ptr,omitempty"`
	List    []*Inner          `json:"list,omitempty"`
	Map     map[string]*Inner `json:"map,omitempty"`
	Strings map[string]string `json:"strings,omitempty"`
	Next    *Doc              `json:"next,omitempty" wire:"alt"`
	Docs    []*Doc            `json:"docs,omitempty"`
	OneOf   *OneOf            `json:"one_of,omitempty"`
	OneOfs  map[string]*OneOf `json:"one_ofs,omitempty"`
	Empty   *Empty            `json:"empty,omitempty"`
	Nulls   *Nulls            `json:"nulls,omitempty"`
	All     *All              `json:"all,omitempty"`

	src wire.Source
}

// Inner is an object in an object.
type Inner struct {
	ID    string   `json:"id"`
	Size  int      `json:"size,omitempty"`
	Value Value    `json:"value,omitempty"`
	Tags  []string `json:"tags,omitempty"`

	src wire.Source
}

// Empty is an object without known members.
//
//wire:empty
type Empty struct {
	src wire.Source
}

// Nulls has members that are written as null if they are nil.
type Nulls struct {
	Text   *string           `json:"text"`
	On     *bool             `json:"on"`
	Number *int              `json:"number"`
	Inner  *Inner            `json:"inner"`
	OneOfs []*OneOf          `json:"one_ofs,omitempty"`
	Keys   map[string]string `json:"keys"`
	All    All               `json:"all"`
	Alls   map[string]*All   `json:"alls,omitempty"`

	src wire.Source
}

// All is an object whose members are all entries.
type All struct {
	Entries map[string]*Inner `json:"*"`

	src wire.Source
}

// Holder has a [Doc] by value, which is made when it is asked for.
type Holder struct {
	Name string         `json:"name"`
	part wire.Lazy[Doc] `lazy:"part"`
	Text string         `json:"text,omitempty"`

	src wire.Source
}

// Part returns the Doc.
func (v *Holder) Part() *Doc { return v.part.Get() }

// Eager is a [Holder] whose Doc is always made.
type Eager struct {
	Name string `json:"name"`
	Doc  Doc    `json:"part"`
	Text string `json:"text,omitempty"`

	src wire.Source
}

// Part returns the Doc.
func (v *Eager) Part() *Doc { return &v.Doc }

// OneOf is a string, an [Inner] or a list.
type OneOf struct {
	Text  string
	Inner *Inner
	List  []*OneOf

	src wire.Source
}

const (
	shapeText = iota
	shapeInner
	shapeList
)

var oneOfUnion = &wire.Union{Of: oneOfShapes{}}

type oneOfShapes struct{}

func (oneOfShapes) DefineUnion() wire.UnionDefinition {
	return wire.UnionDefinition{
		Memory: wire.MemoryOf([]OneOf(nil)),
		Shape:  oneOfShapeOf,
		Set:    oneOfShape,
		Fields: []wire.Field{shapeText: nil, shapeInner: wire.Ptr[*Inner](innerTable), shapeList: wire.Slice[*OneOf](oneOfUnion)},
	}
}

func (oneOfShapes) At(o any, k int) any {
	v := o.(*OneOf)
	switch k {
	case shapeText:
		return &v.Text
	case shapeInner:
		return &v.Inner
	case shapeList:
		return &v.List
	}
	return &v.src
}

func oneOfShapeOf(text []byte) int {
	switch text[0] {
	case '{':
		return shapeInner
	case '[':
		return shapeList
	}
	return shapeText
}

func oneOfShape(o any) int {
	v := o.(*OneOf)
	shape, n := shapeText, 0
	if v.Text != "" {
		n++
	}
	if v.Inner != nil {
		shape = shapeInner
		n++
	}
	if v.List != nil {
		shape = shapeList
		n++
	}
	if n > 1 {
		return -1
	}
	return shape
}

func marshal(v Object) ([]byte, error) { return wire.Marshal(v.wire(), v) }

func unmarshal(text []byte, v Object) error { return wire.Unmarshal(text, v.wire(), v, false, nil) }

// An Object is a pointer to any type here.
type Object interface{ wire() wire.Type }

func about(v Object) (*wire.Source, *wire.Table) {
	t := v.wire()
	table, _ := t.(*wire.Table)
	return wire.SourceOf(t, v), table
}

// Clone returns a copy of v, or nil if it cannot be encoded.
func Clone[O Object](v O) (none O) {
	none, _ = wire.Clone(v.wire(), v).(O)
	return none
}

// Equal reports whether v and w mean the same.
func Equal[O Object](v, w O) bool { return wire.Equal(v.wire(), v, w) }

// Extra returns the members that v has no field for.
func Extra(v Object) iter.Seq2[string, Value] { return wire.Extra[Value](about(v)) }

// SetExtra sets such a member.
func SetExtra(v Object, name string, value Value) error {
	src, table := about(v)
	return wire.SetExtra(src, table, name, value)
}

// Position returns where v begins.
func Position(v Object) (line, column int, ok bool) {
	src, _ := about(v)
	return src.Position()
}

// Docs reads a Doc from a stream and hands out the elements of its member
// docs, one by one. All other members are passed over.
func Docs(r io.Reader, each func(*Doc) error) error {
	s := wire.NewStream(r)
	err := s.Object(func(name string) error {
		if name != "docs" {
			return s.Skip()
		}
		return s.Array(func() error {
			d, err := wire.Next[Doc](s, docTable)
			if err != nil {
				return err
			}
			return each(d)
		})
	})
	if err != nil {
		return err
	}
	return s.End()
}

// Decode decodes a Doc.
func Decode(text []byte) (*Doc, error) {
	var x wire.Decoder
	d := new(Doc)
	err := x.Decode(text, docTable, d)
	return d, err
}

// DecodeHolder decodes a Holder.
func DecodeHolder(text []byte) (*Holder, error) {
	var x wire.Decoder
	d := new(Holder)
	err := x.Decode(text, holderTable, d)
	return d, err
}

// DecodeEager decodes an Eager.
func DecodeEager(text []byte) (*Eager, error) {
	var x wire.Decoder
	d := new(Eager)
	err := x.Decode(text, eagerTable, d)
	return d, err
}

// DecodeLenient decodes a Doc and returns the problems.
func DecodeLenient(x *wire.Decoder, d *Doc, text []byte, lent string, reuse bool) ([]wire.Problem, error) {
	if reuse {
		return x.DecodeReused(text, lent, docTable, d)
	}
	return x.DecodeLenient(text, lent, docTable, d)
}

// Encode encodes a Doc.
func Encode(d *Doc) ([]byte, error) {
	var e wire.Encoder
	return e.Append(nil, docTable, d)
}

// EncodeAny encodes any object, canonically if form is not nil.
func EncodeAny(v Object, form *wire.Form) ([]byte, error) {
	var e wire.Encoder
	if form == nil {
		return e.Append(nil, v.wire(), v)
	}
	e.SetForm(*form)
	return e.Canonical(nil, v.wire(), v)
}

// Canonical encodes a Doc canonically.
func Canonical(d *Doc, form wire.Form) ([]byte, error) {
	var e wire.Encoder
	e.SetForm(form)
	return e.Canonical(nil, docTable, d)
}

// Write encodes a Doc to w.
func Write(w io.Writer, d *Doc) error {
	var e wire.Encoder
	return e.Write(w, docTable, d)
}

// EncodeHTML encodes a Doc with or without escapes for HTML.
func EncodeHTML(d *Doc, escape bool) ([]byte, error) {
	var e wire.Encoder
	e.SetHTML(escape)
	return e.Append(nil, docTable, d)
}

// UnmarshalLenient is UnmarshalJSON for packages that decode leniently.
func (v *Doc) UnmarshalLenient(text []byte) error {
	return wire.Unmarshal(text, docTable, v, true, nil)
}

// Origin returns where v was read, and the whole text.
func (v *Doc) Origin() (wire.Origin, []byte) {
	return v.src.Origin(), v.src.Text()
}
