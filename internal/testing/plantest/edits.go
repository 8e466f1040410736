// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package plantest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// A Format is what [Edits] needs of a package.
type Format struct {
	// Decode returns a pointer to the document, and how to encode it.
	Decode func(text []byte) (doc any, encode func() ([]byte, error), err error)

	// What the package says of an object, for any pointer to one of its objects.
	Clone    func(object any) any
	SetExtra func(object any, name string, value []byte) error

	// Lazy returns the part of a document that is made when it is asked for and
	// its name, or nil.
	Lazy func(object any) (name string, part any)
}

// Edits runs a program of random edits on documents that were decoded from texts, and
// judges what they encode to: what was not changed keeps its bytes, what was changed
// reads back. The judge knows the fields, what was decoded, and encoding/json, and
// shares no code with the packages. It returns the program and the first fault.
func Edits(f Format, texts [][]byte, seed uint64, steps int) (program []string, err error) {
	e := &editor{Format: f, r: rand.New(rand.NewPCG(seed, uint64(len(texts)))), origins: map[key]*origin{}, lazy: map[unsafe.Pointer]*bool{}}
	for _, text := range texts {
		doc, encode, err := f.Decode(bytes.Clone(text))
		if err != nil {
			return nil, err
		}
		tree, err := readTree(text)
		if err != nil {
			return nil, err
		}
		e.docs, e.encode = append(e.docs, reflect.ValueOf(doc)), append(e.encode, encode)
		e.trees = append(e.trees, tree)
		e.adopt(reflect.ValueOf(doc), tree)
	}
	for range steps {
		e.step()
		if e.r.IntN(8) == 0 {
			if err := e.judge(); err != nil {
				return e.log, err
			}
		}
	}
	return e.log, e.judge()
}

// A key is an object: the first field of an object by value has the address of its
// owner, so the type belongs to it.
type key struct {
	at  unsafe.Pointer
	typ reflect.Type
}

func keyOf(v reflect.Value) key { return key{v.Addr().UnsafePointer(), v.Type()} }

// An origin is where an object was read: its text, and the fields as they were.
type origin struct {
	tree   *tree
	fields map[string]string // the fields as they were read
	extras []extra
	made   bool // it was not read, and is laid out as its document
	edited bool // an extra member was set or removed
}

type extra struct{ name, value string }

type editor struct {
	Format
	r       *rand.Rand
	docs    []reflect.Value
	encode  []func() ([]byte, error)
	trees   []*tree
	origins map[key]*origin
	lazy    map[unsafe.Pointer]*bool // whether a document and its copies were asked for their lazy part
	keep    []any                    // all objects there were, so that no address is used twice
	log     []string
}

// A tree is a JSON value with its text.
type tree struct {
	text     string
	members  []node
	elements []*tree
	object   bool
}

type node struct {
	name  string
	value *tree
}

func (t *tree) member(name string) *tree {
	if t == nil {
		return nil
	}
	for _, m := range t.members {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

func readTree(text []byte) (*tree, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	return readNode(d, text)
}

func readNode(d *json.Decoder, text []byte) (*tree, error) {
	start := int(d.InputOffset())
	for start < len(text) && strings.IndexByte(" \t\r\n,:", text[start]) >= 0 {
		start++
	}
	tok, err := d.Token()
	if err != nil {
		return nil, err
	}
	t := &tree{}
	if tok == json.Delim('{') || tok == json.Delim('[') {
		t.object = tok == json.Delim('{')
		for d.More() {
			var name json.Token = ""
			if t.object {
				if name, err = d.Token(); err != nil {
					return nil, err
				}
			}
			v, err := readNode(d, text)
			if err != nil {
				return nil, err
			}
			if t.object {
				t.members = append(t.members, node{name.(string), v})
			} else {
				t.elements = append(t.elements, v)
			}
		}
		if _, err = d.Token(); err != nil {
			return nil, err
		}
	}
	t.text = string(text[start:d.InputOffset()])
	return t, nil
}

// A field is an exported field of an object with the name of its member, and the field
// without a name that has the member if it is of another kind.
type field struct {
	name         string
	value, other reflect.Value
}

func fieldsOf(v reflect.Value) (list []field) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported():
		case name == "" && !union(v):
			list[len(list)-1].other = v.Field(i)
		default:
			list = append(list, field{name: name, value: v.Field(i)})
		}
	}
	return list
}

// set returns the one of the two fields that is not zero, or the first.
func (f field) set() reflect.Value {
	if f.other.IsValid() && !f.other.IsZero() {
		return f.other
	}
	return f.value
}

// union reports whether an object is not a JSON object of its fields, as an Expression.
func union(v reflect.Value) bool {
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && f.Tag.Get("json") != "" {
			return false
		}
	}
	return true
}

func isValue(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// part returns the lazy part of an object, if somebody has asked for it.
func (e *editor) part(v reflect.Value) (string, reflect.Value) {
	if asked := e.lazy[v.Addr().UnsafePointer()]; asked == nil || !*asked {
		return "", reflect.Value{}
	}
	name, p := e.Lazy(v.Addr().Interface())
	if p == nil {
		return "", reflect.Value{}
	}
	return name, reflect.ValueOf(p)
}

// adopt notes where v and the objects in it were read.
func (e *editor) adopt(v reflect.Value, t *tree) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() && v.Elem().Kind() == reflect.Struct {
			e.adopt(v.Elem(), t)
		}
	case reflect.Slice:
		if !isValue(v.Type()) {
			for i := range v.Len() {
				e.adopt(v.Index(i), t.elements[i])
			}
		}
	case reflect.Map:
		for _, m := range t.members {
			e.adopt(v.MapIndex(reflect.ValueOf(m.name)), m.value)
		}
	case reflect.Struct:
		e.adoptStruct(v, t)
	}
}

func (e *editor) adoptStruct(v reflect.Value, t *tree) {
	o := &origin{tree: t, fields: map[string]string{}}
	e.origins[keyOf(v)] = o
	e.keep = append(e.keep, v.Addr().Interface())
	known := map[string]bool{}
	if union(v) {
		for _, f := range fieldsOf(v) {
			if k := f.value.Kind(); k == reflect.Map || k == reflect.Slice && f.value.Type().Elem().Kind() == reflect.Pointer {
				if !f.value.IsNil() {
					e.adopt(f.value, t)
				}
			}
		}
		o.fields[""] = e.print(v)
		return
	}
	for _, f := range fieldsOf(v) {
		known[f.name] = true
		if m := t.member(f.name); m != nil {
			e.adopt(f.set(), m)
		}
		o.fields[f.name] = e.print(f.set())
	}
	if e.Lazy != nil {
		if name, _ := e.Lazy(reflect.New(v.Type()).Interface()); name != "" {
			known[name] = true
			e.lazy[v.Addr().UnsafePointer()] = new(bool)
		}
	}
	for _, m := range t.members {
		if !known[m.name] {
			o.extras = append(o.extras, extra{m.name, m.value.text})
		}
	}
}

// print returns a text that differs if the value of v does.
func (e *editor) print(v reflect.Value) string {
	var b strings.Builder
	e.printTo(&b, v)
	return b.String()
}

func (e *editor) printTo(b *strings.Builder, v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		e.printTo(b, v.Elem())
	case reflect.Slice:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		if isValue(v.Type()) {
			fmt.Fprintf(b, "%q", v.Bytes())
			return
		}
		b.WriteByte('[')
		for i := range v.Len() {
			e.printTo(b, v.Index(i))
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case reflect.Map:
		if v.IsNil() {
			b.WriteString("nil")
			return
		}
		b.WriteByte('{')
		for _, k := range slices.SortedFunc(slices.Values(v.MapKeys()), func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) }) {
			fmt.Fprintf(b, "%q:", k.String())
			e.printTo(b, v.MapIndex(k))
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case reflect.Struct:
		o := e.origins[keyOf(v)]
		fmt.Fprintf(b, "%s(", v.Type().Name())
		for _, f := range fieldsOf(v) {
			fmt.Fprintf(b, "%s=", f.name)
			e.printTo(b, f.set())
			b.WriteByte(';')
		}
		if _, p := e.part(v); p.IsValid() {
			b.WriteString("part=")
			e.printTo(b, p)
		}
		if o != nil {
			// Two objects with the same fields and other texts differ.
			fmt.Fprintf(b, "from %p", o.tree)
			if o.edited {
				fmt.Fprintf(b, " with %q", o.extras)
			}
		}
		b.WriteByte(')')
	default:
		fmt.Fprintf(b, "%#v", v.Interface())
	}
}

// judge compares the text of each document with its fields.
func (e *editor) judge() error {
	for i, doc := range e.docs {
		text, err := e.encode[i]()
		if err != nil {
			return fmt.Errorf("document %d: %w", i, err)
		}
		t, err := readTree(text)
		if err != nil {
			return fmt.Errorf("document %d: %w: %s", i, err, text)
		}
		if err := e.compare(doc, t, "", e.trees[i]); err != nil {
			return fmt.Errorf("document %d: %w", i, err)
		}
		_, encode, err := e.Decode(text)
		if err != nil {
			return fmt.Errorf("document %d does not read back: %w", i, err)
		}
		if out, err := encode(); err != nil || !bytes.Equal(out, text) {
			return fmt.Errorf("document %d: the law: %w", i, err)
		}
	}
	return nil
}

// compare requires that t is what v says. from is what was in its place, if that was
// read: an object that was moved is laid out as its new surroundings.
func (e *editor) compare(v reflect.Value, t *tree, path string, from *tree) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s in %.300s", path, fmt.Sprintf(format, args...), t.text)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			if t.text != "null" {
				return bad("not null")
			}
			return nil
		}
		return e.compare(v.Elem(), t, path, from)
	case reflect.Slice:
		if isValue(v.Type()) {
			if string(v.Bytes()) != t.text && !alike(string(v.Bytes()), t.text) {
				return bad("value is %q", v.Bytes())
			}
			return nil
		}
		if len(t.elements) != v.Len() {
			return bad("%d elements", v.Len())
		}
		for i := range v.Len() {
			if err := e.compare(v.Index(i), t.elements[i], fmt.Sprint(path, "/", i), from); err != nil {
				return err
			}
		}
	case reflect.Map:
		if len(t.members) != v.Len() {
			return bad("%d members", v.Len())
		}
		for _, m := range t.members {
			x := v.MapIndex(reflect.ValueOf(m.name))
			if !x.IsValid() {
				return bad("another member %s", m.name)
			}
			if err := e.compare(x, m.value, path+"/"+m.name, from.member(m.name)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		return e.compareStruct(v, t, path, from)
	default:
		got := reflect.New(v.Type())
		if err := json.Unmarshal([]byte(t.text), got.Interface()); err != nil || got.Elem().Interface() != v.Interface() {
			return bad("not %#v (%v)", v.Interface(), err)
		}
	}
	return nil
}

func (e *editor) compareStruct(v reflect.Value, t *tree, path string, from *tree) error {
	o := e.origins[keyOf(v)]
	moved := o != nil && (o.made || from == nil || from != o.tree && !slices.Contains(from.elements, o.tree))
	same := func(a, b string) bool { return a == b || moved && alike(a, b) }
	var was *tree
	if o != nil && !moved {
		was = o.tree
	}
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%s: %s in %.300s", path, fmt.Sprintf(format, args...), t.text)
	}
	if union(v) {
		if o != nil && o.fields[""] == e.print(v) {
			if !same(o.tree.text, t.text) {
				return bad("was not changed, and was %.300s", o.tree.text)
			}
			return nil
		}
		return e.compareUnion(v, t, path, was)
	}
	changed := o == nil || o.edited
	seen := map[string]bool{}
	for _, f := range fieldsOf(v) {
		seen[f.name] = true
		f.value = f.set()
		m := t.member(f.name)
		at := path + "/" + f.name
		if o != nil && o.fields[f.name] == e.print(f.value) {
			switch old := o.tree.member(f.name); {
			case (old == nil) != (m == nil):
				return bad("%s comes or goes without a change", f.name)
			case old != nil && !same(old.text, m.text):
				return bad("%s was not changed, and was %s", f.name, old.text)
			}
			continue
		}
		changed = true
		if m == nil {
			if !empty(f.value) {
				return bad("no %s", f.name)
			}
			continue
		}
		if m.text == "null" && empty(f.value) {
			continue
		}
		if err := e.compare(f.value, m, at, was.member(f.name)); err != nil {
			return err
		}
	}
	if e.Lazy != nil {
		name, edited, err := e.compareLazy(v, t, path, was, o)
		if err != nil {
			return err
		}
		changed = changed || edited
		if name != "" {
			seen[name] = true
		}
	}
	var got, want []extra
	for _, m := range t.members {
		if !seen[m.name] {
			got = append(got, extra{m.name, m.value.text})
		}
	}
	if o != nil {
		want = o.extras
	}
	if !slices.EqualFunc(got, want, func(a, b extra) bool { return a.name == b.name && same(a.value, b.value) }) {
		return bad("extra members %q, want %q", got, want)
	}
	if !changed && !same(o.tree.text, t.text) {
		return bad("was not changed, and was %s", o.tree.text)
	}
	return e.order(v, o, t, bad)
}

// compareLazy compares the part of the struct v that is decoded when it is asked for.
// It returns the name of its member, "" if there is none, and whether it was changed.
func (e *editor) compareLazy(v reflect.Value, t *tree, path string, was *tree, o *origin) (lazy string, changed bool, err error) {
	lazy, _ = e.Lazy(reflect.New(v.Type()).Interface())
	bad := func(format, name string) (string, bool, error) {
		return lazy, changed, fmt.Errorf("%s: %s in %.300s", path, fmt.Sprintf(format, name), t.text)
	}
	name, p := e.part(v)
	if !p.IsValid() {
		if o == nil || o.tree.member(o.lazyName(e, v)) == nil {
			return lazy, false, nil
		}
		name := o.lazyName(e, v)
		if m := t.member(name); m == nil || m.text != o.tree.member(name).text {
			return bad("%s was not asked for, and has changed", name)
		}
		return lazy, false, nil
	}
	m := t.member(name)
	if m == nil {
		if e.print(p.Elem()) != e.print(reflect.New(p.Type().Elem()).Elem()) {
			return bad("no %s", name)
		}
		return lazy, false, nil
	}
	changed = o == nil || o.tree.member(name) == nil || o.tree.member(name).text != m.text
	return lazy, changed, e.compare(p, m, path+"/"+name, was.member(name))
}

func (o *origin) lazyName(e *editor, v reflect.Value) string {
	name, _ := e.Lazy(reflect.New(v.Type()).Interface())
	return name
}

// order requires that the members that an object had are in the order in which they
// were, and that members come once.
func (e *editor) order(_ reflect.Value, o *origin, t *tree, bad func(string, ...any) error) error {
	var names, old []string
	for _, m := range t.members {
		if slices.Contains(names, m.name) {
			return bad("%s twice", m.name)
		}
		names = append(names, m.name)
	}
	if o == nil {
		return nil
	}
	for _, m := range o.tree.members {
		if slices.Contains(names, m.name) {
			old = append(old, m.name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return o.tree.member(name) == nil })
	removed := map[string]bool{}
	if o.edited { // one that was removed and set again comes last
		for _, x := range o.extras {
			removed[x.name] = true
		}
	}
	drop := func(name string) bool { return removed[name] }
	if names, old = slices.DeleteFunc(names, drop), slices.DeleteFunc(old, drop); !slices.Equal(names, old) {
		return bad("members in the order %q, and were %q", names, old)
	}
	return nil
}

// alike reports whether two texts differ in white space alone.
func alike(a, b string) bool {
	var x, y bytes.Buffer
	return json.Compact(&x, []byte(a)) == nil && json.Compact(&y, []byte(b)) == nil && x.String() == y.String()
}

func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0 && !isValue(v.Type()) || v.IsNil()
	case reflect.Struct:
		for _, f := range fieldsOf(v) {
			if !empty(f.value) {
				return false
			}
		}
		return true
	}
	return v.IsZero()
}

// compareUnion requires that t is what one field of v says, or for expressions what
// the fields of two members say.
func (e *editor) compareUnion(v reflect.Value, t *tree, path string, from *tree) error {
	for _, f := range []string{"Block", "Blocks", "Outputs", "Raw", "Value"} {
		if x := v.FieldByName(f); x.IsValid() && !x.IsNil() {
			return e.compare(x, t, path, from)
		}
	}
	seen := 0
	for f, name := range map[string]string{"ConstantValue": "constant_value", "References": "references"} {
		x := v.FieldByName(f)
		if !x.IsValid() {
			continue
		}
		m := t.member(name)
		if m == nil {
			if !empty(x) {
				return fmt.Errorf("%s: no %s in %s", path, name, t.text)
			}
			continue
		}
		seen++
		if m.text == "null" && empty(x) {
			continue
		}
		if err := e.compare(x, m, path+"/"+name, from.member(name)); err != nil {
			return err
		}
	}
	if o := e.origins[keyOf(v)]; len(t.members) != seen && (o == nil || o.tree.member("constant_value") == nil && o.tree.member("references") == nil) {
		return fmt.Errorf("%s: other members than %s in %s", path, e.print(v), t.text)
	}
	return nil
}
