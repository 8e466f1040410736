// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package provschema

import (
	"strings"
	"testing"
)

func TestTypeShape(t *testing.T) {
	for _, test := range []struct {
		text string
		want Kind
	}{
		{`"string"`, Scalar},
		{`"dynamic"`, Any},
		{` "dynamic" `, Any},
		{`"\u0064ynamic"`, Any},
		{`["list","string"]`, ListOf},
		{`["set",["list","string"]]`, SetOf},
		{"[\"map\" ,\n\"bool\"]", MapOf},
		{`["tuple",["string","dynamic"]]`, Tuple},
		{`["object",{"a":"string"},["a"]]`, Object},
		{`["object",1]`, Object},
		{`["list"]`, Scalar},
		{`[1,2]`, Scalar},
		{`[]`, Scalar},
		{`{}`, Scalar},
		{`null`, Scalar},
	} {
		if s := TypeShape([]byte(test.text)); s == nil || s.Kind() != test.want {
			t.Errorf("%s has the shape %+v, want kind %d", test.text, s, test.want)
		}
	}
	for _, text := range []string{"", `["list","string"`, `"dynamic" 1`, "dynamic"} {
		if s := TypeShape([]byte(text)); s != nil {
			t.Errorf("%q has the shape %+v, want none", text, s)
		}
	}
	s := TypeShape([]byte(`["map",["object",{"a\u0062":["tuple",["string","dynamic"]]}]]`))
	tuple := s.Member([]byte("any key")).Member([]byte("ab"))
	if !tuple.Is(Tuple) || !tuple.Element(1).Is(Any) || tuple.Element(2) != nil || !tuple.Element(1).Member([]byte("x")).Element(3).Is(Any) {
		t.Errorf("the parts are %+v", tuple)
	}
	if s.Member([]byte("k")).Member([]byte("none")) != nil {
		t.Error("an object has a member that its type lacks")
	}
}

// TestTypeShape_deep checks that the shape of a type ends somewhere.
func TestTypeShape_deep(t *testing.T) {
	const deep = MaxDepth + 300
	s := TypeShape([]byte(strings.Repeat(`["list",`, deep) + `["object",{}]` + strings.Repeat("]", deep)))
	n := 0
	for ; s.Is(ListOf); s = s.Each() {
		n++
	}
	if n < MaxDepth || n > MaxDepth+1 {
		t.Errorf("%d levels", n)
	}
}

// TestShape_secrets checks that each level knows whether a secret is in it.
func TestShape_secrets(t *testing.T) {
	make := func(isSensitive, isWriteOnly bool) (root, list, leaf *Shape) {
		inner := NewObject(Body, 1)
		inner.PutAttribute("leaf", nil, isSensitive, isWriteOnly)
		inner.PutAttribute("other", nil, false, false)
		root = NewObject(Body, 1)
		root.PutBlock("block", List, inner)
		list = root.Member([]byte("block"))
		return root, list, list.Each().Member([]byte("leaf"))
	}
	root, list, leaf := make(false, false)
	if root.Hides() || list.Hides() || leaf.IsSecret() || root.HasSensitive() {
		t.Error("something hides")
	}
	if !list.IsBlock() || list.IsObject() || !list.Each().IsObject() || list.Each().IsBlock() {
		t.Error("the list of blocks is none")
	}
	root, list, leaf = make(true, false)
	if !root.Hides() || !root.HasSensitive() || root.IsSecret() || !list.HasSensitive() || !leaf.IsSensitive() || !leaf.IsSecret() {
		t.Error("a sensitive attribute is not found")
	}
	if list.Each().Member([]byte("other")).IsSecret() {
		t.Error("the mark went to another attribute of the same type")
	}
	root, list, leaf = make(false, true)
	if !root.Hides() || !list.Hides() || !leaf.IsSecret() || leaf.IsSensitive() || root.HasSensitive() {
		t.Error("a write-only attribute is not told from a sensitive one")
	}
	if _, _, leaf := make(false, false); leaf.IsSecret() {
		t.Error("a mark stayed with the type")
	}
	var none *Shape
	if none.Hides() || none.IsSecret() || none.IsBlock() || none.IsObject() || none.HasSensitive() || none.Member(nil) != nil || none.Each() != nil || none.Element(0) != nil {
		t.Error("no shape says something")
	}
}

func TestNest(t *testing.T) {
	object := NewObject(NestedObject, 1)
	object.PutAttribute("a", nil, true, false)
	for mode, want := range map[string]Kind{List: ListOf, Set: SetOf, Map: MapOf, Single: NestedObject, Group: NestedObject, "unheard-of": NestedObject} {
		if s := Nest(mode, object); s.Kind() != want || !s.HasSensitive() {
			t.Errorf("%s has the shape %+v", mode, s)
		}
	}
	if s := Nest(List, nil); !s.Is(ListOf) || s.Hides() {
		t.Errorf("a list of nothing has the shape %+v", s)
	}
	body := NewObject(Body, 1)
	if body.PutBlock("b", Single, nil); body.Member([]byte("b")) != nil {
		t.Error("a block without a body has a shape")
	}
}
