// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/wiretest"
	"github.com/tofuwire/tofuwire/internal/wire"
)

// TestIntegers compares what number tokens mean to fields with what they mean
// to math/big.
func TestIntegers(t *testing.T) {
	tokens := []string{
		"0", "-0", "-0.0", "0e5", "0E-5", "0.000e99999999999999999999", "0e-99999999999999999999", "1e99999999999999999999", "1e-99999999999999999999", "1e2000000", "-1e-2000000",
		"9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "184467440737095516150e-1",
		"99999999999999999999", "100000000000000000000", "999999999999999999999999999999", "000", "1000000000000000000000e-20", "0.00000000000000000001e20", "1e19", "1.8446744073709551615e19", "1.8446744073709551616E+19",
		"12.5e1", "12.50e1", "12.55e1", "1.0", "1.5", "100e-2", "100e-3", "1e0", "1E+0", "5e-0", "123456789012345678", "1234567890123456789",
	}
	r := rand.New(rand.NewPCG(1, 8))
	for range 2000 {
		tok := fmt.Sprintf("%s%d", []string{"", "-"}[r.IntN(2)], r.Uint64()>>r.IntN(64))
		if r.IntN(2) == 0 {
			tok += fmt.Sprintf(".%0*d", 1+r.IntN(4), r.IntN(20))
		}
		if r.IntN(2) == 0 {
			tok += fmt.Sprintf("e%d", r.IntN(50)-25)
		}
		tokens = append(tokens, tok)
	}
	for _, tok := range tokens {
		if !json.Valid([]byte(tok)) {
			continue
		}
		for _, end := range []string{"", " "} {
			checkInteger(t, tok, end, "big", new(big.Int), new(big.Int).SetUint64(1<<64-1), func(d *wiretest.Doc) *big.Int { return new(big.Int).SetUint64(d.Big) })
			checkInteger(t, tok, end, "small", big.NewInt(-1<<63), big.NewInt(1<<63-1), func(d *wiretest.Doc) *big.Int { return big.NewInt(*d.Small) })
		}
	}
}

func checkInteger(t *testing.T, tok, end, member string, least, most *big.Int, field func(*wiretest.Doc) *big.Int) {
	t.Helper()
	want, fits := new(big.Int), false
	if _, exponent, _ := strings.Cut(strings.ToLower(tok), "e"); len(exponent) < 6 {
		n, _ := new(big.Rat).SetString(tok)
		fits = n.IsInt() && n.Num().Cmp(least) >= 0 && n.Num().Cmp(most) <= 0
		want = n.Num()
	} else {
		fits = strings.Trim(strings.ToLower(tok)[:strings.IndexByte(strings.ToLower(tok), 'e')], "-0.") == ""
	}
	text := `{"` + member + `":` + tok + end + `}`
	d, err := wiretest.Decode([]byte(text))
	switch {
	case !fits && !errors.Is(err, wire.ErrKind):
		t.Errorf("%s passes: %v", text, err)
	case fits && err != nil:
		t.Errorf("%s: %v", text, err)
	case fits && field(d).Cmp(want) != 0:
		t.Errorf("%s means %v", text, field(d))
	case fits && encode(t, d) != text:
		t.Errorf("%s became %s", text, encode(t, d))
	}
}

// TestPointers edits members that may be null or absent.
func TestPointers(t *testing.T) {
	str, yes, no, seven, minus := "s<", true, false, 7, int64(-7)
	empty := wiretest.All{Entries: map[string]*wiretest.Inner{}}
	for _, tt := range []struct {
		name, text string
		edit       func(*wiretest.Doc)
		want       string
	}{
		{"changed", `{"note":"a" ,"maybe":false, "small":1}`, func(d *wiretest.Doc) { d.Note, d.Maybe, d.Small = &str, &yes, &minus }, `{"note":"s\u003c" ,"maybe":true, "small":-7}`},
		{"to zero, which is not absent", `{"note":"a","maybe":true,"small":1}`, func(d *wiretest.Doc) { d.Note, d.Maybe, d.Small = new(string), &no, new(int64) }, `{"note":"","maybe":false,"small":0}`},
		{"from null", `{"note":null,"maybe":null,"small":null}`, func(d *wiretest.Doc) { d.Note, d.Maybe, d.Small = &str, &no, new(int64) }, `{"note":"s\u003c","maybe":false,"small":0}`},
		{"spelled otherwise", `{"note":"\u0073<","small":-70e-1}`, func(d *wiretest.Doc) { d.Note, d.Small = &str, &minus }, `{"note":"\u0073<","small":-70e-1}`},
		{"made", `{}`, func(d *wiretest.Doc) { d.Nulls = &wiretest.Nulls{Keys: map[string]string{}, All: empty} }, `{"nulls":{"text":null,"on":null,"number":null,"inner":null,"keys":{},"all":{}}}`},
		{"made and set", `{}`, func(d *wiretest.Doc) {
			d.Nulls = &wiretest.Nulls{Text: &str, On: &yes, Number: &seven, Keys: map[string]string{"k": "v"}, All: empty}
		}, `{"nulls":{"text":"s\u003c","on":true,"number":7,"inner":null,"keys":{"k":"v"},"all":{}}}`},
		{"longer than an escape", `{"name":"\u0061","note":"\u0062"}`, func(d *wiretest.Doc) { d.Name, *d.Note = "a longer name", "a longer note" }, `{"name":"a longer name","note":"a longer note"}`},
		{"map of maps", `{"nulls":{"alls":{"b":{"x":{"id":"1"} },"a":{}}}}`, func(d *wiretest.Doc) {
			d.Nulls.Alls["c"] = &wiretest.All{Entries: map[string]*wiretest.Inner{"y": {ID: "2"}}}
		}, `{"nulls":{"alls":{"b":{"x":{"id":"1"} },"a":{},"c":{"y":{"id":"2"}}}}}`},
		{"map by value", `{"nulls":{}}`, func(d *wiretest.Doc) { d.Nulls.All.Entries = map[string]*wiretest.Inner{"k": {ID: "1"}} }, `{"nulls":{"all":{"k":{"id":"1"}}}}`},
		{"absent stays absent", `{"nulls":{}}`, func(d *wiretest.Doc) { d.On = true }, `{"on":true,"nulls":{}}`},
		{"null to null", `{"nulls":{"text":null,"inner":null}}`, func(d *wiretest.Doc) { d.Nulls.Text = nil }, `{"nulls":{"text":null,"inner":null}}`},
		{"replaced whole", `{"nulls":{"text":"a","x":1}}`, func(d *wiretest.Doc) {
			d.Nulls = &wiretest.Nulls{Number: &seven, Keys: map[string]string{}, All: empty}
		}, `{"nulls":{"text":null,"on":null,"number":7,"inner":null,"keys":{},"all":{}}}`},
		{"one-of in a list, reshaped", `{"nulls":{"one_ofs":["a", {"id":"b"},["c"]]}}`, func(d *wiretest.Doc) {
			d.Nulls.OneOfs[0].Text, d.Nulls.OneOfs[0].Inner = "", &wiretest.Inner{ID: "i"}
			d.Nulls.OneOfs[2].List, d.Nulls.OneOfs[2].Text = nil, "l"
		}, `{"nulls":{"one_ofs":[{"id":"i"}, {"id":"b"},"l"]}}`},
		{"one-of in a map, reshaped in lines", "{\n\t\"one_ofs\": {\n\t\t\"a\": \"x\"\n\t}\n}", func(d *wiretest.Doc) {
			*d.OneOfs["a"] = wiretest.OneOf{List: []*wiretest.OneOf{{Text: "y"}}}
		}, "{\n\t\"one_ofs\": {\n\t\t\"a\": [\n\t\t\t\"y\"\n\t\t]\n\t}\n}"},
		{"one-of changed shape in place", `{"one_ofs":{"a":"x", "b":{"id":"y"}}}`, func(d *wiretest.Doc) {
			d.OneOfs["a"].Text, d.OneOfs["a"].Inner = "", d.OneOfs["b"].Inner
		}, `{"one_ofs":{"a":{"id":"y"}, "b":{"id":"y"}}}`},
		{"strings, an equal one kept", `{"names":["a","\u0062","c","d"]}`, func(d *wiretest.Doc) { d.Names = []string{"x", "b", "y", "d"} }, `{"names":["x","\u0062","y","d"]}`},
		{"entries of a made map", `{"all":{}}`, func(d *wiretest.Doc) {
			d.All = &wiretest.All{Entries: map[string]*wiretest.Inner{"b": {ID: "1"}, "a": {ID: "2"}}}
		}, `{"all":{"a":{"id":"2"},"b":{"id":"1"}}}`},
		{"duplicates around null", `{"list":null,"map":null,"list":[{"id":"a"}],"map":{"k":{"id":"b"}},"list":null,"map":null}`, func(d *wiretest.Doc) { d.On = true }, `{"on":true,"list":null,"map":null,"list":[{"id":"a"}],"map":{"k":{"id":"b"}},"list":null,"map":null}`},
		{"duplicate of a union", `{"one_of":"a","all":{"k":{"id":"1"}},"one_of":["b"],"all":{"k":{"id":"2"}}}`, func(d *wiretest.Doc) { d.OneOf.List[0].Text, d.All.Entries["k"].ID = "c", "3" }, `{"one_of":"a","all":{"k":{"id":"1"}},"one_of":["c"],"all":{"k":{"id":"3"}}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := decode(t, tt.text)
			tt.edit(d)
			got := encode(t, d)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if back := decode(t, got); typed(back) != typed(d) {
				t.Errorf("it means something else: %s", typed(back))
			}
		})
	}
}

// TestMarshal has the methods for encoding/json.
func TestMarshal(t *testing.T) {
	type holder struct {
		Doc   *wiretest.Doc
		Inner wiretest.Inner
	}
	var h holder
	text := `{"Doc":{"name":"a","x":[1.50],"list":[{"id":"\u0061","y":null}]},"Inner":{"id":"b","z":1e400}}`
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		t.Fatal(err)
	}
	h.Doc.List[0].Size = 3
	out, err := json.Marshal(h)
	want := `{"Doc":{"name":"a","x":[1.50],"list":[{"id":"\u0061","size":3,"y":null}]},"Inner":{"id":"b","z":1e400}}`
	if err != nil || string(out) != want {
		t.Errorf("got  %s, %v\nwant %s", out, err, want)
	}
	// The text that is given belongs to the caller.
	mine := []byte(`{"id":"abc","value":[1]}`)
	var i wiretest.Inner
	if err := i.UnmarshalJSON(mine); err != nil {
		t.Fatal(err)
	}
	clear(mine)
	if got, err := i.MarshalJSON(); err != nil || string(got) != `{"id":"abc","value":[1]}` {
		t.Errorf("after the caller reused its text: %s, %v", got, err)
	}
	if err := i.UnmarshalJSON([]byte(" null\n")); err != nil || i.ID != "abc" {
		t.Errorf("null made it %+v, %v", i, err)
	}
	if err := i.UnmarshalJSON([]byte(`{"id":5}`)); !errors.Is(err, wire.ErrKind) || i.ID != "abc" {
		t.Errorf("a wrong member made it %+v, %v", i, err)
	}
	i.Value = wiretest.Value("{")
	if _, err := i.MarshalJSON(); !errors.Is(err, jsonscan.FaultEnd) {
		t.Errorf("an invalid value: %v", err)
	}
	if wiretest.Clone(&i) != nil || wiretest.Equal(&i, &i) {
		t.Error("what cannot be encoded has no clone and equals nothing")
	}
}

// TestOrigin checks what an object knows of its text, by lenient packages'
// means too.
func TestOrigin(t *testing.T) {
	for _, tt := range []struct {
		name string
		doc  *wiretest.Doc
		want wire.Origin
		text string
	}{
		{"made", &wiretest.Doc{Name: "a"}, wire.None, ""},
		{"whole", decode(t, " {\"on\":true}\n"), wire.Whole, " {\"on\":true}\n"},
		{"part", decode(t, `{"next":{"on":true}}`).Next, wire.Part, `{"next":{"on":true}}`},
	} {
		origin, text := tt.doc.Origin()
		if origin != tt.want || string(text) != tt.text {
			t.Errorf("%s: got %v, %q", tt.name, origin, text)
		}
	}
	var d wiretest.Doc
	if err := d.UnmarshalLenient([]byte("null")); err != nil {
		t.Error(err)
	}
	if err := d.UnmarshalLenient([]byte(`{"name":5,"text":"t"}`)); err != nil || d.Text != "t" || d.Name != "" {
		t.Errorf("%+v, %v", d, err)
	}
	if err := d.UnmarshalLenient([]byte(`{"text":`)); !errors.Is(err, jsonscan.FaultEnd) || d.Text != "t" {
		t.Errorf("%+v, %v", d, err)
	}
}

// TestIterators_break leaves iterations before their end.
func TestIterators_break(t *testing.T) {
	d := decode(t, `{"x":1,"y":2,"name":"a","x":3}`)
	for name := range wiretest.Extra(d) {
		if name != "x" {
			t.Errorf("%s comes first", name)
		}
		break
	}
	n := 0
	for range wire.Duplicates([]byte(`{"x":1,"x":2,"x":3}`)) {
		if n++; n > 1 {
			t.Error("the iterator went on")
		}
		break
	}
	for name := range wiretest.Extra(new(wiretest.Doc)) {
		t.Errorf("an object that was not read has an extra member %s", name)
	}
	if err := wiretest.SetExtra(new(wiretest.Doc), "x", nil); err != nil {
		t.Errorf("taking a member from an object that has none: %v", err)
	}
}

// TestHTML chooses how characters that matter to HTML are written.
func TestHTML(t *testing.T) {
	d := decode(t, `{"name":"<","names":["&"]}`)
	d.Text, d.Names = "<b>", []string{"&", ">"}
	for escape, want := range map[bool]string{
		true:  `{"name":"<","text":"\u003cb\u003e","names":["&","\u003e"]}`,
		false: `{"name":"<","text":"<b>","names":["&",">"]}`,
	} {
		if got, err := wiretest.EncodeHTML(d, escape); err != nil || string(got) != want {
			t.Errorf("%v: got %s, %v", escape, got, err)
		}
	}
}

// TestChangedInput breaks the rule that a document's text must not change: what
// comes out then is anything, but nothing panics or hangs.
func TestChangedInput(t *testing.T) {
	first := depth.Seed(t) - 1
	for i := range depth.Of[uint64](200, 1000, 10_000) {
		seed := first + i
		r := rand.New(rand.NewPCG(seed, 9))
		text := []byte(randomText(r, 3))
		if seed%4 == 0 {
			text = []byte(full)
		}
		d, err := wiretest.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		if seed%2 == 0 {
			edit(r, d, decode(t, full))
		}
		for range 1 + r.IntN(4) {
			text[r.IntN(len(text))] = "{}[]\",:0\\ x"[r.IntN(11)]
		}
		_, _ = wiretest.Encode(d)
		_, _ = wiretest.Canonical(d, wire.Form{})
		wiretest.Clone(d)
		wiretest.Equal(d, d)
		wiretest.Position(d)
		_ = wiretest.SetExtra(d, "extra1", wiretest.Value("1"))
		for range wiretest.Extra(d) {
		}
	}
}
