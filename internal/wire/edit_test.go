// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"

	"github.com/tofuwire/tofuwire/internal/testing/wiretest"
)

// randomText returns the text of a random document: members in random order,
// some twice, some extra, some with escaped names, white space anywhere.
func randomText(r *rand.Rand, depth int) string {
	return randomObject(r, reflect.TypeFor[wiretest.Doc](), depth)
}

func randomObject(r *rand.Rand, typ reflect.Type, depth int) string {
	var members []string
	for i := range typ.NumField() {
		name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
		if name == "*" {
			return randomMap(r, typ.Field(i).Type.Elem(), depth)
		}
		if name == "" || r.IntN(3) == 0 && depth > 0 || depth <= 0 && r.IntN(4) > 0 {
			continue
		}
		for range 1 + max(0, r.IntN(8)-6) {
			quoted := `"` + name + `"`
			if r.IntN(8) == 0 {
				quoted = fmt.Sprintf(`"\u%04x%s"`, name[0], name[1:])
			}
			members = append(members, quoted+space(r)+":"+space(r)+randomValue(r, typ.Field(i).Type, depth))
		}
	}
	for range r.IntN(3) {
		members = append(members, fmt.Sprintf(`"extra%d"%s:%s`, r.IntN(3), space(r), randomRaw(r)))
	}
	if r.IntN(2) == 0 {
		r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	}
	return "{" + space(r) + strings.Join(members, space(r)+","+space(r)) + space(r) + "}"
}

func space(r *rand.Rand) string {
	if r.IntN(3) > 0 {
		return ""
	}
	return []string{" ", "\n", "\t", "  ", "\r\n"}[r.IntN(5)]
}

func randomRaw(r *rand.Rand) string {
	return []string{`null`, `0`, `-0`, `1.50`, `"\u0061<"`, `[]`, `[1, {"a":null}]`, `{}`, `{"z":1,"a":"}"}`, `1e400`}[r.IntN(10)]
}

func randomMap(r *rand.Rand, elem reflect.Type, depth int) string {
	var members []string
	for range r.IntN(4) {
		key := []string{`"a"`, `"b"`, `"\u0061"`, `"c d"`, `""`, `"z"`}[r.IntN(6)]
		members = append(members, key+space(r)+":"+randomValue(r, elem, depth-1))
	}
	return "{" + space(r) + strings.Join(members, ","+space(r)) + "}"
}

func randomValue(r *rand.Rand, typ reflect.Type, depth int) string {
	element := func() string { return randomValue(r, typ.Elem(), depth-1) }
	switch typ.Kind() {
	case reflect.String:
		return []string{`""`, `"a"`, `"\u0061"`, `"b\n"`, `"ü<"`, `"\ud800"`}[r.IntN(6)]
	case reflect.Bool:
		return []string{"true", "false"}[r.IntN(2)]
	case reflect.Int, reflect.Int64:
		return []string{"0", "-0", "1", "-1", "2.0", "3e2"}[r.IntN(6)]
	case reflect.Uint64:
		return []string{"0", "18446744073709551615", "1.0"}[r.IntN(3)]
	case reflect.Pointer:
		if typ.Elem() == reflect.TypeFor[wiretest.OneOf]() {
			switch r.IntN(3) {
			case 0:
				return `"text"`
			case 1:
				return randomObject(r, reflect.TypeFor[wiretest.Inner](), depth-1)
			}
			return `["a",` + space(r) + `{"id":"x"}]`
		}
		if typ.Elem().Kind() == reflect.Struct {
			return randomObject(r, typ.Elem(), depth-1)
		}
		return element()
	case reflect.Struct:
		return randomObject(r, typ, depth-1)
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			return randomRaw(r)
		}
		var items []string
		for range r.IntN(5) {
			items = append(items, element())
		}
		return "[" + space(r) + strings.Join(items, space(r)+","+space(r)) + space(r) + "]"
	case reflect.Map:
		return randomMap(r, typ.Elem(), depth)
	}
	panic(typ.String())
}

// edit makes one random edit somewhere in d, perhaps with parts of other.
func edit(r *rand.Rand, d, other *wiretest.Doc) {
	all := documents(d, nil)
	v := all[r.IntN(len(all))]
	donors := documents(other, documents(d, nil))
	donor := donors[r.IntN(len(donors))]
	inner := func() *wiretest.Inner {
		switch {
		case len(donor.List) > 0 && r.IntN(2) == 0:
			return donor.List[r.IntN(len(donor.List))]
		case donor.Ptr != nil && r.IntN(2) == 0:
			return donor.Ptr
		case donor.Map["a"] != nil:
			return donor.Map["a"]
		}
		return &wiretest.Inner{ID: "new", Value: wiretest.Value(`{"n":[1]}`)}
	}
	text := []string{"", "x", "a\"<"}[r.IntN(3)]
	switch r.IntN(24) {
	case 0:
		v.Name = text
	case 1:
		v.Text, v.Kind = text, wiretest.Kind(text)
	case 2:
		v.On, v.Off = !v.On, !v.Off
	case 3:
		v.Count, v.Big = r.IntN(2), uint64(r.IntN(2))
	case 4:
		v.Raw, v.After = wiretest.Value(randomRaw(r)), nil
	case 5:
		v.After = other.Raw
	case 6:
		v.Kinds = nil
	case 7:
		v.Names = slices.Insert(slices.Clone(v.Names), r.IntN(len(v.Names)+1), text)
	case 8:
		if len(v.Names) > 0 {
			i := r.IntN(len(v.Names))
			v.Names = slices.Delete(slices.Clone(v.Names), i, i+1)
		}
	case 9:
		v.Inner = wiretest.Inner{ID: text}
	case 10:
		v.Inner = *inner()
	case 11:
		v.Ptr = inner()
	case 12:
		v.Ptr = nil
	case 13:
		v.List = slices.Insert(slices.Clone(v.List), r.IntN(len(v.List)+1), inner())
	case 14:
		if n := len(v.List); n > 0 {
			i := r.IntN(n)
			v.List = slices.Delete(slices.Clone(v.List), i, i+1)
		}
	case 15:
		slices.Reverse(v.List)
	case 16:
		if v.Map == nil {
			v.Map = map[string]*wiretest.Inner{}
		}
		v.Map[[]string{"a", "m", "zz"}[r.IntN(3)]] = inner()
	case 17:
		delete(v.Map, "a")
	case 18:
		if v.Map["a"] != nil && v.Map["b"] != nil {
			v.Map["a"], v.Map["b"] = v.Map["b"], v.Map["a"]
		} else if v.Map["a"] != nil {
			v.Map["renamed"] = v.Map["a"]
			delete(v.Map, "a")
		}
	case 19:
		if v.Strings == nil {
			v.Strings = map[string]string{}
		}
		v.Strings[[]string{"a", "m", "x"}[r.IntN(3)]] = text
	case 20:
		v.Docs = append(v.Docs, wiretest.Clone(donor))
	case 21:
		if len(v.Docs) > 1 {
			v.Docs[0], v.Docs[1] = v.Docs[1], v.Docs[0]
		}
	case 22:
		v.OneOf = []*wiretest.OneOf{nil, {Text: text}, {Inner: inner()}, {List: []*wiretest.OneOf{{Text: "l"}}}}[r.IntN(4)]
	case 23:
		if err := wiretest.SetExtra(v, fmt.Sprintf("extra%d", r.IntN(3)), []wiretest.Value{nil, wiretest.Value("1"), wiretest.Value(`{"x":2}`)}[r.IntN(3)]); err != nil {
			panic(err)
		}
	}
}

// documents appends all documents in d to list.
func documents(d *wiretest.Doc, list []*wiretest.Doc) []*wiretest.Doc {
	if d == nil {
		return list
	}
	list = append(list, d)
	list = documents(d.Next, list)
	for _, e := range d.Docs {
		list = documents(e, list)
	}
	return list
}
