// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

type recallPart struct {
	name, more string
	key        []byte
	src        Source
}

var recallTable = NewTable("name", "more", "key")

func recallMember(o any, x *Codec, k int) {
	p := o.(*recallPart)
	switch k {
	case 0:
		String(x, &p.name)
	case 1:
		String(x, &p.more)
	case 2:
		Raw(x, &p.key)
	}
}

type recallRoot struct {
	parts []*recallPart
	src   Source
}

var recallRootTable = NewTable("parts")

// decodeRecalled decodes a text with parts, which are recalled or not.
func decodeRecalled(x *Codec, text string, recalled bool) (root recallRoot, problems []Problem, err error) {
	part := func(p *recallPart, x *Codec) {
		if recalled {
			Recalled(x, p, &p.src, &p.key, recallTable, recallMember)
		} else {
			x.Object(p, &p.src, recallTable, recallMember)
		}
	}
	problems, err = x.DecodeLenient([]byte(text), text, func(x *Codec) {
		x.Object(&root, &root.src, recallRootTable, func(_ any, x *Codec, _ int) { Slice(x, &root.parts, part) })
	})
	return root, problems, err
}

// An object that is recalled is like one that is read: with its text, its place, its
// problems and errors.
func TestRecalled(t *testing.T) {
	long := strings.Repeat("n", 80)
	plain := `{"name":"` + long + `","more":"m","key":"k"}`
	x := new(Codec)
	for _, text := range []string{
		`{"parts":[` + plain + `]}`,
		`{"parts": [ ` + plain + `,` + plain + `,` + strings.Replace(plain, `"k"`, "null", 1) + `]}`,
		`{"parts":[` + strings.Replace(plain, `,"key":"k"`, "", 1) + `,` + strings.Replace(plain, `,"key":"k"`, "", 1) + `]}`,
		`{"parts":[` + strings.Replace(plain, "nnn", `\u006en\n`, 1) + `,` + strings.Replace(plain, "nnn", `\u006en\n`, 1) + `]}`,
		`{"parts":[` + strings.Replace(plain, `"m"`, "[1]", 1) + `,` + strings.Replace(plain, `"m"`, "[1]", 1) + `]}`,
		`{"parts":[` + strings.Replace(plain, `"m"`, `"m","other":[1,{}],"more":"twice"`, 1) + `,` + strings.Replace(plain, `"m"`, `"m","other":[1,{}],"more":"twice"`, 1) + `]}`,
		`{"parts":[` + plain + `,` + plain[:len(plain)-1] + `,"name":"again"}]}`,
		`{"parts":[` + plain + `,` + plain[:len(plain)-1],
		`{"parts":[` + plain + `,` + strings.Replace(plain, "nnn", "n\x01n", 1) + `]}`,
		`{"parts":[` + plain + `,{"name":"short"}]}`,
	} {
		for range 2 { // the second one recalls parts of the first
			got, problems, err := decodeRecalled(x, text, true)
			want, wantProblems, wantErr := decodeRecalled(new(Codec), text, false)
			if fmt.Sprint(problems) != fmt.Sprint(wantProblems) || fmt.Sprint(err) != fmt.Sprint(wantErr) {
				t.Fatalf("%s: %v, %v, want %v, %v", text, problems, err, wantProblems, wantErr)
			}
			if err != nil {
				continue
			}
			if len(got.parts) != len(want.parts) {
				t.Fatalf("%s: %d parts", text, len(got.parts))
			}
			for i, p := range got.parts {
				w := want.parts[i]
				if p.src.doc != got.src.doc || string(p.src.text()) != string(w.src.text()) || p.src.start != w.src.start {
					t.Errorf("%s: part %d is %s", text, i, p.src.text())
				}
				if n := len(p.key); n > 0 && cap(p.key) != n {
					t.Errorf("%s: an append to the value of part %d reaches the text", text, i)
				}
				p.src.doc = w.src.doc
				if !reflect.DeepEqual(p, w) {
					t.Errorf("%s: part %d is %+v, want %+v", text, i, p, w)
				}
			}
		}
	}
}

// What is recalled has the strings of the object before, until the codec forgets.
func TestCodec_Forget(t *testing.T) {
	text := `{"parts":[{"name":"` + strings.Repeat("n", 80) + `"}]}`
	x := new(Codec)
	first, _, _ := decodeRecalled(x, text, true)
	decodeRecalled(x, text, true)
	slot := slabOf[recallPart](x).recalled[recalledSlot([]byte(text[10:]))]
	if slot.text != text[10:len(text)-2] || slot.value.name != first.parts[0].name {
		t.Fatalf("the codec has not kept %+v", slot)
	}
	x.Forget()
	for _, slot := range slabOf[recallPart](x).recalled {
		if slot.text != "" || slot.value.src.doc != nil {
			t.Errorf("the codec keeps %+v", slot)
		}
	}
	x.Forget()
	if again, _, err := decodeRecalled(x, text, true); err != nil || again.parts[0].name != first.parts[0].name {
		t.Errorf("%v, %v", again, err)
	}
}

// An object that begins as its type expects is read like any other, and so is one that
// goes on in another way, or ends there.
func TestCodec_Led(t *testing.T) {
	read := func(text string, led bool) (p recallPart, err error) {
		_, err = new(Codec).DecodeLenient([]byte(text), "", func(x *Codec) {
			if !led {
				x.Object(&p, &p.src, recallTable, recallMember)
				return
			}
			x.Led(&p, &p.src, recallTable, recallMember, func(_ any, x *Codec) (uint64, int) {
				if !x.Literal(`"name":"`) {
					return 0, 0
				}
				p.name = x.Text()
				return 1, 0
			})
		})
		p.src.doc = nil
		return p, err
	}
	for _, text := range []string{
		`{"name":"n"}`, `{"name":"n","more":"m"}`, `{"name":"n" , "more":"m" }`, `{ "name":"n\n"}`, `{"more":"m","name":"n"}`, `{}`,
		`{"name":"n","name":"again"}`, `{"name":"n",}`, `{"name":"n"`, `{"name":"n`, `{"name":1}`, `{"name":"n" "more":"m"}`, `{"name":"` + "\x01" + `"}`, `{"name"`, `[]`,
	} {
		got, err := read(text, true)
		want, wantErr := read(text, false)
		if fmt.Sprint(err) != fmt.Sprint(wantErr) || err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v, %v", text, got, err, want, wantErr)
		}
		var a, b *Error
		if errors.As(err, &a) && errors.As(wantErr, &b) && (a.Offset != b.Offset || a.Pointer != b.Pointer) {
			t.Errorf("%s: %v, want %v", text, a, b)
		}
	}
}
