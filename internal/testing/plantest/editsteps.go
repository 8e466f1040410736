// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plantest

import (
	"fmt"
	"reflect"
	"slices"
)

// walk calls f for every object in v, and for every map.
func (e *editor) walk(v reflect.Value, f func(reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			e.walk(v.Elem(), f)
		}
	case reflect.Slice:
		if !isValue(v.Type()) {
			for i := range v.Len() {
				e.walk(v.Index(i), f)
			}
		}
	case reflect.Map:
		f(v)
		for _, k := range slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return slices.Compare([]byte(a.String()), []byte(b.String())) }) {
			e.walk(v.MapIndex(k), f)
		}
	case reflect.Struct:
		f(v)
		for _, x := range fieldsOf(v) {
			e.walk(x.set(), f)
		}
		if _, p := e.part(v); p.IsValid() {
			e.walk(p, f)
		}
	}
}

// objects returns the objects of all documents.
func (e *editor) objects() (list []reflect.Value) {
	for _, d := range e.docs {
		e.walk(d, func(v reflect.Value) {
			if v.Kind() == reflect.Struct {
				list = append(list, v)
			}
		})
	}
	return list
}

// contains reports whether the object v contains the object or map in, or an object that is a part of in by value.
func (e *editor) contains(v, in reflect.Value) bool {
	found := false
	e.walk(v, func(x reflect.Value) {
		switch {
		case x.Kind() != in.Kind():
		case x.Kind() == reflect.Map:
			found = found || x.UnsafePointer() == in.UnsafePointer()
		default:
			at, start := x.UnsafeAddr(), in.UnsafeAddr()
			found = found || start <= at && at < start+in.Type().Size()
		}
	})
	return found
}

func pick[T any](e *editor, list ...T) T { return list[e.r.IntN(len(list))] }

func (e *editor) say(format string, args ...any) { e.log = append(e.log, fmt.Sprintf(format, args...)) }

// step makes one edit.
func (e *editor) step() {
	all := e.objects()
	v := pick(e, all...)
	if len(all) > 3000 {
		return
	}
	switch e.r.IntN(12) {
	case 0:
		e.setExtra(v)
	case 1:
		e.copyOver(v, all)
	case 2:
		if e.Lazy != nil {
			e.ask(pick(e, e.docs...).Elem())
		}
	default:
		if list := fieldsOf(v); len(list) > 0 {
			f := pick(e, list...)
			if f.other.IsValid() && e.r.IntN(2) == 0 {
				f.value, f.other = f.other, f.value
			}
			if f.other.IsValid() {
				f.other.SetZero()
			}
			e.change(v, v.Type().Name()+"."+f.name, f.value, all)
		}
	}
}

// ask makes the lazy part of a document.
func (e *editor) ask(v reflect.Value) {
	asked := e.lazy[v.Addr().UnsafePointer()]
	if asked == nil || *asked {
		return
	}
	*asked = true
	name, p := e.Lazy(v.Addr().Interface())
	e.say("ask for %s", name)
	if o := e.origins[keyOf(v)]; o != nil && o.tree.member(name) != nil {
		e.adopt(reflect.ValueOf(p), o.tree.member(name))
	}
}

func (e *editor) setExtra(v reflect.Value) {
	if union(v) {
		return // an expression that loses its known members may then read back as a block
	}
	name := pick(e, "x_new", "another", `odd "<é>`)
	o := e.origins[keyOf(v)]
	if o != nil && len(o.extras) > 0 && e.r.IntN(2) == 0 {
		name = pick(e, o.extras...).name
	}
	value := pick(e, "", "1.50", `{"b": 1 ,"a":[ ]}`, "null")
	err := e.SetExtra(v.Addr().Interface(), name, slices.Clone([]byte(value)[:len(value):len(value)]))
	if value == "" {
		err = e.SetExtra(v.Addr().Interface(), name, nil)
	}
	e.say("set extra member %s of %s to %s: %v", name, v.Type().Name(), value, err)
	if err != nil {
		return
	}
	if o == nil {
		o = &origin{made: true, tree: &tree{object: true}, fields: map[string]string{}}
	} else {
		c := *o // the fields of the owner still have the old one
		o = &c
	}
	o.edited, o.extras = true, slices.Clone(o.extras)
	e.origins[keyOf(v)] = o
	i := slices.IndexFunc(o.extras, func(x extra) bool { return x.name == name })
	switch {
	case value == "" && i >= 0:
		o.extras = slices.Delete(o.extras, i, i+1)
	case value == "":
	case i >= 0:
		o.extras[i].value = value
	default:
		o.extras = append(o.extras, extra{name, value})
	}
}

// copyOver copies another object over v, by value.
func (e *editor) copyOver(v reflect.Value, all []reflect.Value) {
	from, ok := e.like(v.Type(), all)
	if !ok || keyOf(from) == keyOf(v) || e.contains(from, v) || e.contains(v, from) {
		return
	}
	e.say("copy a %s over another", v.Type().Name())
	v.Set(from)
	e.copied(v, from)
}

// copied notes that v was copied from another object.
func (e *editor) copied(v, from reflect.Value) {
	delete(e.origins, keyOf(v))
	if o := e.origins[keyOf(from)]; o != nil {
		c := *o
		e.origins[keyOf(v)] = &c
	}
	e.lazy[v.Addr().UnsafePointer()] = e.lazy[from.Addr().UnsafePointer()]
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.Struct && v.Type().Field(i).IsExported() {
			e.copied(v.Field(i), from.Field(i))
		}
	}
}

// like returns an object of a type.
func (e *editor) like(t reflect.Type, all []reflect.Value) (reflect.Value, bool) {
	var list []reflect.Value
	for _, v := range all {
		if v.Type() == t {
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		return reflect.Value{}, false
	}
	return pick(e, list...), true
}

// object returns a pointer to an object: of a document, a copy, or a new one. in is
// where it is to be put.
func (e *editor) object(t reflect.Type, in reflect.Value, all []reflect.Value) (reflect.Value, string) {
	from, ok := e.like(t, all)
	if !ok || e.contains(from, in) || e.r.IntN(3) == 0 {
		p := reflect.New(t)
		e.keep = append(e.keep, p.Interface())
		if !union(p.Elem()) || e.r.IntN(2) == 0 {
			for _, f := range fieldsOf(p.Elem()) {
				if e.r.IntN(2) == 0 && !union(p.Elem()) {
					e.change(p.Elem(), "", f.value, nil)
				}
			}
		}
		return p, "a new object"
	}
	switch e.r.IntN(3) {
	case 0:
		p := reflect.New(t)
		e.keep = append(e.keep, p.Interface())
		p.Elem().Set(from)
		e.copied(p.Elem(), from)
		return p, "a copy by value"
	case 1:
		text, err := from.Addr().Interface().(interface{ MarshalJSON() ([]byte, error) }).MarshalJSON()
		if err != nil {
			break
		}
		if tree, err := readTree(text); err == nil {
			p := reflect.ValueOf(e.Clone(from.Addr().Interface()))
			made := false
			e.walk(from, func(x reflect.Value) {
				made = made || x.Kind() == reflect.Struct && (e.origins[keyOf(x)] == nil || e.origins[keyOf(x)].made)
			})
			e.adopt(p, tree)
			e.walk(p, func(x reflect.Value) {
				if x.Kind() == reflect.Struct && e.origins[keyOf(x)] != nil {
					e.origins[keyOf(x)].made = made
				}
			})
			return p, "a clone"
		}
	}
	return from.Addr(), "a shared pointer"
}

// change gives a field of v another value.
func (e *editor) change(v reflect.Value, name string, f reflect.Value, all []reflect.Value) {
	say := func(what string) {
		if name != "" {
			e.say("%s: %s", name, what)
		}
	}
	if union(v) {
		for _, x := range fieldsOf(v) {
			if x.value.UnsafeAddr() != f.UnsafeAddr() {
				x.value.SetZero()
			}
		}
	}
	switch {
	case f.Kind() == reflect.Struct:
		if from, ok := e.like(f.Type(), all); ok && keyOf(from) != keyOf(f) && !e.contains(from, v) && !e.contains(f, from) {
			f.Set(from)
			e.copied(f, from)
			say("another struct")
		}
		return
	case e.r.IntN(5) == 0:
		f.SetZero()
		say("zero")
		return
	}
	switch f.Kind() {
	case reflect.Slice:
		e.changeSlice(v, f, all, say)
	case reflect.Map:
		e.changeMap(v, f, all, say)
	default:
		if x, what := e.value(v, f.Type(), v, all); x.IsValid() {
			f.Set(x)
			say("set to " + what)
		}
	}
}

// changeSlice changes the field f of v, a slice: an element goes, comes or moves. A
// [planjson.Value] is replaced.
func (e *editor) changeSlice(v, f reflect.Value, all []reflect.Value, say func(string)) {
	if isValue(f.Type()) {
		e.r.IntN(4)
		f.SetBytes([]byte(pick(e, "false", "1.50", `"<é\u2028>"`, `{"b": 1 ,"a":[ ]}`, "[]", "true")))
		say(string(f.Bytes()))
		return
	}
	switch way := e.r.IntN(4); {
	case way == 0 && f.Len() > 0:
		i := e.r.IntN(f.Len())
		to := reflect.MakeSlice(f.Type(), 0, f.Len())
		f.Set(reflect.AppendSlice(reflect.AppendSlice(to, f.Slice(0, i)), f.Slice(i+1, f.Len())))
		say(fmt.Sprint("delete element ", i))
		return
	case way == 1 && f.Len() > 1:
		to := reflect.AppendSlice(reflect.MakeSlice(f.Type(), 0, f.Len()), f)
		reflect.Swapper(to.Interface())(e.r.IntN(f.Len()), e.r.IntN(f.Len()))
		f.Set(to)
		say("swap elements")
		return
	}
	x, what := e.value(v, f.Type().Elem(), v, all)
	if !x.IsValid() {
		return
	}
	i := e.r.IntN(f.Len() + 1)
	to := reflect.MakeSlice(f.Type(), 0, f.Len()+1)
	f.Set(reflect.AppendSlice(reflect.Append(reflect.AppendSlice(to, f.Slice(0, i)), x), f.Slice(i, f.Len())))
	say(fmt.Sprintf("insert %s at %d", what, i))
}

// changeMap changes the field f of v, a map: a member goes, comes or gets another value.
func (e *editor) changeMap(v, f reflect.Value, all []reflect.Value, say func(string)) {
	keys := f.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return slices.Compare([]byte(a.String()), []byte(b.String())) })
	if len(keys) > 0 && e.r.IntN(3) == 0 {
		k := pick(e, keys...)
		f.SetMapIndex(k, reflect.Value{})
		say(fmt.Sprintf("delete %q", k))
		return
	}
	in := v
	if f.IsNil() {
		f.Set(reflect.MakeMap(f.Type()))
	} else {
		in = f
	}
	x, what := e.value(v, f.Type().Elem(), in, all)
	if !x.IsValid() {
		return
	}
	k := reflect.ValueOf(pick(e, "new", "a", "zz", `odd "<é>`))
	if len(keys) > 0 && e.r.IntN(3) == 0 {
		k = pick(e, keys...)
	}
	f.SetMapIndex(k, x)
	say(fmt.Sprintf("set %q to %s", k, what))
}

// value returns a value of a type for a place in an object or map.
func (e *editor) value(v reflect.Value, t reflect.Type, in reflect.Value, all []reflect.Value) (reflect.Value, string) {
	x := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		x.SetString(pick(e, "x", "<é>&", "a\"b\\\n\u2028", "managed", "\U0001F600", ""))
	case reflect.Bool:
		x.SetBool(e.r.IntN(2) == 0)
	case reflect.Int, reflect.Int64:
		x.SetInt(pick(e, -1, 0, 1, int64(1)<<62))
	case reflect.Uint64:
		x.SetUint(pick(e, 0, 1, uint64(1)<<63))
	case reflect.Slice:
		if !isValue(t) {
			return reflect.Value{}, ""
		}
		x.SetBytes([]byte(pick(e, "null", "1.50", `"<é\u2028>"`, `{"b": 1 ,"a":[ ]}`)))
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			p, what := e.object(t.Elem(), in, all)
			return p, what
		}
		y, what := e.value(v, t.Elem(), in, all)
		p := reflect.New(t.Elem())
		p.Elem().Set(y)
		return p, "a pointer to " + what
	default:
		return reflect.Value{}, ""
	}
	return x, fmt.Sprintf("%q", fmt.Sprint(x.Interface()))
}
