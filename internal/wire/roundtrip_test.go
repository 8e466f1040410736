// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/wiretest"
)

// full is a text with every member.
const full = `{"name":"n\u0041","text":"t","kind":"k","note":"","on":true,"off":true,"maybe":false,"count":3.0,"big":18446744073709551615,` +
	`"small":-1,"raw":{"a" : [1,2]},"after":null,"kinds":["a","b","c"],"names":[],"raws":[1,"x",{}],"inner":{"id":"i","size":2,"value":1e400,"tags":["x"]},` +
	`"ptr":{"id":"p"},"list":[{"id":"0"},{"id":"1","zz":1},{"id":"2"}],"map":{"b":{"id":"b"},"a":{"id":"a"},"\u0063":{"id":"c"}},` +
	`"strings":{"x":"1","a":"2"},"next":{"text":"x","count":1},"docs":[{},{"name":"d","count":2}],"one_of":"s","one_ofs":{"i":{"id":"u"},"l":["a",["b"],{"id":"z"}]},` +
	`"empty":{"q":1},"all":{"k":{"id":"all"}},"extra":[1, 2],"more":{}}`

var texts = []struct{ name, text string }{
	{"empty", `{}`},
	{"spaces", " \n{ \t} \r\n"},
	{"full", full},
	{"indented", indent(full)},
	{"tabs", strings.ReplaceAll(indent(full), "  ", "\t")},
	{"odd spaces", strings.ReplaceAll(full, ":", " :  ")},
	{"nulls", `{"name":null,"text":null,"kind":null,"note":null,"on":null,"off":null,"maybe":null,"count":null,"big":null,"small":null,` +
		`"raw":null,"after":null,"kinds":null,"names":null,"raws":null,"inner":null,"ptr":null,"list":null,"map":null,"strings":null,"next":null,"docs":null,"one_of":null,"one_ofs":null,"empty":null,"all":null,"extra":null}`},
	{"zeros", `{"name":"","text":"","on":false,"off":false,"count":0,"big":-0,"kinds":[],"names":[],"raws":[],"list":[],"map":{},"strings":{},"docs":[],"one_ofs":{},"empty":{},"all":{}}`},
	{"shuffled", `{"next":{"on":true,"name":"x"},"zzz":1,"count":2,"name":"a","list":[{"tags":["t"],"id":"x"}],"aaa":2}`},
	{"duplicates", `{"name":"a","name":"b","list":[{"id":"1"}],"list":[{"id":"2","id":"3"}],"inner":{"id":"a"},"x":1,"inner":{"id":"b"},"x":2,"map":{"k":{"id":"1"},"k":{"id":"2"}},"map":{"k":{"id":"3"},"j":{"id":"5"},"k":{"id":"4"}}}`},
	{"escaped names", `{"n\u0061me":"a","\u0078":1,"l\u0069st":[]}`},
}

func indent(s string) string {
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(s), "", "  "); err != nil {
		panic(err)
	}
	return b.String() + "\n"
}

func TestRoundTrip(t *testing.T) {
	for _, tt := range texts {
		t.Run(tt.name, func(t *testing.T) {
			d := decode(t, tt.text)
			if got := encode(t, d); got != tt.text {
				t.Errorf("not lossless:\n in  %s\n out %s", tt.text, got)
			}
			if got := encode(t, wiretest.Clone(d)); got != tt.text {
				t.Errorf("the clone is not lossless:\n in  %s\n out %s", tt.text, got)
			}
			if !wiretest.Equal(d, decode(t, tt.text)) {
				t.Error("not equal to itself")
			}
		})
	}
}

func decode(t testing.TB, text string) *wiretest.Doc {
	t.Helper()
	d, err := wiretest.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return d
}

func encode(t testing.TB, d *wiretest.Doc) string {
	t.Helper()
	out, err := wiretest.Encode(d)
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(out) {
		t.Fatalf("not JSON: %s", out)
	}
	return string(out)
}

// fields calls f for every field of every object reachable from v that takes
// part in the codec, with the member's path.
func fields(v reflect.Value, path string, f func(field reflect.Value, member, path string)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			fields(v.Elem(), path, f)
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Pointer {
			for i := range v.Len() {
				fields(v.Index(i), fmt.Sprintf("%s/%d", path, i), f)
			}
		}
	case reflect.Map:
		if v.Type().Elem().Kind() == reflect.Pointer {
			for _, k := range v.MapKeys() {
				fields(v.MapIndex(k), path+"/"+k.String(), f)
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			tag := v.Type().Field(i).Tag.Get("json")
			if !v.Type().Field(i).IsExported() {
				continue
			}
			member, _, _ := strings.Cut(tag, ",")
			if tag != "" && member != "*" {
				f(v.Field(i), member, path+"/"+member)
			}
			sub := path + "/" + member
			if member == "*" || member == "" {
				sub = path
			}
			fields(v.Field(i), sub, f)
		}
	}
}

// TestClearAndSet clears every present field of every object, requires that
// only one contiguous part of the text went, sets it again, and requires that
// what comes out decodes to the same.
func TestClearAndSet(t *testing.T) {
	for _, tt := range texts {
		if tt.name == "duplicates" || tt.name == "nulls" {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			total := 0
			fields(reflect.ValueOf(decode(t, tt.text)), "", func(reflect.Value, string, string) { total++ })
			for n := range total {
				d := decode(t, tt.text)
				i := 0
				fields(reflect.ValueOf(d), "", func(field reflect.Value, member, path string) {
					if i++; i-1 != n {
						return
					}
					old := reflect.New(field.Type()).Elem()
					old.Set(field)
					field.SetZero()
					cleared := encode(t, d)
					checkOneChange(t, path, tt.text, cleared)
					if !old.IsZero() && field.Kind() != reflect.Struct && strings.Contains(cleared, `"`+member+`":`) && cleared == tt.text {
						t.Errorf("%s: clearing changed nothing", path)
					}
					field.Set(old)
					if again := encode(t, d); again != tt.text {
						t.Errorf("%s: setting it back gave\n %s\nfor\n %s", path, again, tt.text)
					}
				})
			}
		})
	}
}

// checkOneChange requires that b is a with one contiguous part replaced, that
// this part is no larger than a member, and that both are valid.
func checkOneChange(t *testing.T, path, a, b string) {
	t.Helper()
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if added := b[head : len(b)-tail]; len(added) > 40 {
		t.Errorf("%s: %d bytes written anew: %s", path, len(added), added)
	}
}

// TestAdd sets every zero field and takes it away again.
func TestAdd(t *testing.T) {
	for _, text := range []string{`{}`, `{ }`, "{\n}\n", `{"name":"x"}`, "{\n  \"count\": 1,\n  \"zz\": {}\n}\n", `{"zz":1}`, `{"all":{}}`, `{"all":{},"name":"a"}`} {
		d := decode(t, text)
		v := reflect.ValueOf(d).Elem()
		for i := range v.NumField() {
			f := v.Field(i)
			if !v.Type().Field(i).IsExported() || !f.IsZero() {
				continue
			}
			fill(f)
			added := encode(t, d)
			if !strings.Contains(added, `"`+strings.Split(v.Type().Field(i).Tag.Get("json"), ",")[0]+`":`) {
				t.Errorf("%q: %s was not written: %s", text, v.Type().Field(i).Name, added)
			}
			again := decode(t, added)
			if !wiretest.Equal(again, d) {
				t.Errorf("%q: %s does not come back from %s", text, v.Type().Field(i).Name, added)
			}
			// Taking it out of what was read back restores the text.
			// Members that are always written stay, as zero.
			reflect.ValueOf(again).Elem().Field(i).SetZero()
			omitted := strings.Contains(v.Type().Field(i).Tag.Get("json"), "omitempty")
			if got := encode(t, again); got != text && omitted && text != "{\n}\n" && text != "{ }" {
				t.Errorf("%q: after %s came and went: %q (by way of %q)", text, v.Type().Field(i).Name, got, added)
			}
			f.SetZero()
		}
		if got := encode(t, d); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// fill gives a field a value that is not zero.
func fill(f reflect.Value) {
	switch f.Kind() {
	case reflect.String:
		f.SetString("s<")
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Int, reflect.Int64:
		f.SetInt(-7)
	case reflect.Uint64:
		f.SetUint(7)
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
		fill(f.Elem())
	case reflect.Struct:
		if f.NumField() > 1 {
			fill(f.Field(0))
		}
	case reflect.Slice:
		if f.Type().Elem().Kind() == reflect.Uint8 {
			f.SetBytes([]byte(`{"v":[1]}`))
			return
		}
		f.Set(reflect.MakeSlice(f.Type(), 2, 2))
		fill(f.Index(0))
		fill(f.Index(1))
	case reflect.Map:
		f.Set(reflect.MakeMap(f.Type()))
		v := reflect.New(f.Type().Elem()).Elem()
		fill(v)
		f.SetMapIndex(reflect.ValueOf("k\""), v)
	}
}

// TestRandomEdits makes random structural edits and compares what the text
// then means with what the fields say, by way of a canonical text.
func TestRandomEdits(t *testing.T) {
	first := depth.Seed(t) - 1
	for i := range depth.Of[uint64](300, 1000, 20_000) {
		seed := first + i
		r := rand.New(rand.NewPCG(seed, 1))
		text := texts[r.IntN(len(texts))].text
		if r.IntN(2) == 0 {
			text = randomText(r, 4)
		}
		d := decode(t, text)
		other := decode(t, full)
		for range 1 + r.IntN(5) {
			edit(r, d, other)
		}
		out, err := wiretest.Encode(d)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !json.Valid(out) {
			t.Fatalf("seed %d: not JSON: %s\nfrom %s", seed, out, text)
		}
		back, err := wiretest.Decode(out)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, out)
		}
		if want, got := typed(d), typed(back); want != got {
			t.Fatalf("seed %d: what was written means something else:\n%s\nfrom %s\nout  %s", seed, difference(want, got), text, out)
		}
		if again := encode(t, back); again != string(out) {
			t.Fatalf("seed %d: not stable", seed)
		}
	}
}

// difference shows two long texts where they begin to differ.
func difference(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	from := max(0, i-60)
	return fmt.Sprintf("want ...%s\ngot  ...%s", want[from:min(len(want), i+60)], got[from:min(len(got), i+60)])
}

// typed shows what the fields of a document say, without regard to extra
// members.
func typed(d *wiretest.Doc) string {
	var b strings.Builder
	var show func(v reflect.Value)
	show = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() {
				b.WriteString("nil")
				return
			}
			show(v.Elem())
		case reflect.Struct:
			b.WriteString("{")
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() && !v.Field(i).IsZero() {
					at := b.Len()
					b.WriteString(v.Type().Field(i).Name + ":")
					show(v.Field(i))
					b.WriteString(" ")
					if s := b.String(); v.Field(i).Kind() == reflect.Struct && strings.HasSuffix(s, ":{} ") {
						b.Reset() // an object by value that says nothing
						b.WriteString(s[:at])
					}
				}
			}
			b.WriteString("}")
		case reflect.Slice:
			if v.Type().Elem().Kind() == reflect.Uint8 {
				// New objects are laid out like the text around them.
				b.Write(jsonscan.AppendCanonical(nil, v.Bytes()))
				return
			}
			b.WriteString("[")
			for i := range v.Len() {
				show(v.Index(i))
				b.WriteString(",")
			}
			b.WriteString("]")
		case reflect.Map:
			m := map[string]string{}
			for _, k := range v.MapKeys() {
				at := b.Len()
				show(v.MapIndex(k))
				s := b.String()
				m[k.String()] = s[at:]
				b.Reset()
				b.WriteString(s[:at])
			}
			fmt.Fprintf(&b, "%q", m)
		default:
			fmt.Fprintf(&b, "%#v", v.Interface())
		}
	}
	show(reflect.ValueOf(d))
	return b.String()
}
