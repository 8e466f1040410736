// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/planjson"
)

// oddValues are texts that are valid, or nearly so, for tests of everything.
var oddValues = []string{
	`null`, `true`, `false`, `0`, `-0`, `1.0`, `1e2`, `1E+400`, `-1e-400`, `12345678901234567890.5`, `""`, `"a"`, `"\u0061\n\ud83d\ude00"`,
	`"\ud800"`, `[]`, `{}`, ` [ 1 , [ ] , { } ] `, `{"a":1,"b":[true,null,{"c":"d"}]}`, "\t{ \"a\" : 1 ,\n\"a\" : 2 }\r\n",
	`{"":{"":[""]}}`, `{"a\/b~":[[["deep"]]]}`, `{"\u0061":1}`, strings.Repeat("[", 40) + "7" + strings.Repeat("]", 40),
	strings.Repeat(`{"k":`, 30) + `"v"` + strings.Repeat("}", 30),
	``, ` `, `nul`, `nulll`, `{`, `[`, `[1`, `[1,`, `[1,]`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{a:1}`, `{"a" 1}`, `[1 2]`,
	`{"a":1]`, `[1}`, `01`, `1.`, `-`, `+1`, `"`, `"\x"`, "\"\x01\"", "\"\xff\"", `1 2`, `{} {}`, "\ufeff{}", `truefalse`, `,`,
	`{"a":01}`, `{"a":{"b":tru}}`, `[[[1],]`,
}

func TestValueKind(t *testing.T) {
	for text, want := range map[string]planjson.Kind{
		"null": planjson.KindNull, " true": planjson.KindBool, "false ": planjson.KindBool, "-1": planjson.KindNumber, "0": planjson.KindNumber,
		`"x"`: planjson.KindString, "\n[]": planjson.KindArray, "\t{}": planjson.KindObject,
		"": planjson.KindInvalid, " ": planjson.KindInvalid, "x": planjson.KindInvalid, "+1": planjson.KindInvalid,
	} {
		if got := planjson.Value(text).Kind(); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
	if got := planjson.Value(nil).Kind(); got != planjson.KindAbsent {
		t.Errorf("nil is %v", got)
	}
	var names []string
	for k := planjson.KindAbsent; k <= planjson.KindInvalid+1; k++ {
		names = append(names, k.String())
	}
	if got, want := strings.Join(names, " "), "absent null bool number string array object invalid Kind(8)"; got != want {
		t.Errorf("kinds are %q, want %q", got, want)
	}
}

func TestValueAbsentAndNull(t *testing.T) {
	for name, row := range map[string]struct {
		v            planjson.Value
		absent, null bool
	}{
		"nil":           {nil, true, false},
		"empty":         {planjson.Value{}, false, false},
		"null":          {planjson.Value("null"), false, true},
		"spaced":        {planjson.Value(" null\n"), false, true},
		"no JSON space": {planjson.Value("\u00a0null"), false, false},
		"nullish":       {planjson.Value("nulls"), false, false},
		"string":        {planjson.Value(`"null"`), false, false},
	} {
		if (row.v == nil) != row.absent || row.v.IsNull() != row.null {
			t.Errorf("%s: absent %v, null %v", name, (row.v == nil), row.v.IsNull())
		}
	}
}

func TestValueCheck(t *testing.T) {
	for _, text := range oddValues {
		err := planjson.Value(text).Check()
		if valid := json.Valid([]byte(text)) && !strings.Contains(text, "\xff"); valid != (err == nil) {
			t.Errorf("%q: valid is %v, Check says %v", text, valid, err)
		}
		var e *planjson.Error
		if err != nil && (!errors.As(err, &e) || e.Line != 1 || e.Err == nil || e.Offset < 0 || e.Offset > int64(len(text))) {
			t.Errorf("%q: error %#v", text, err)
		}
	}
	if err := planjson.Value(nil).Check(); !errors.Is(err, planjson.ErrAbsent) {
		t.Errorf("nil: %v", err)
	}
	err := planjson.Value("{\"a\":\n[1, x]}").Check()
	want := &planjson.Error{Offset: 10, Line: 2, Column: 5, Pointer: "/a/1"}
	var got *planjson.Error
	if !errors.As(err, &got) || got.Offset != want.Offset || got.Line != want.Line || got.Column != want.Column || got.Pointer != want.Pointer {
		t.Errorf("got %#v, want %#v", got, want)
	}
}

func TestValueScalars(t *testing.T) {
	type reading struct {
		text, number     string
		i                int64
		f                float64
		b                bool
		isText, isNumber bool
		isI, isF         bool
		isB              bool
	}
	for text, want := range map[string]reading{
		`"a\u0062\n"`:          {text: "ab\n", isText: true},
		` "" `:                 {isText: true},
		`"\ud83d\ude00\ud800"`: {text: "😀\ufffd", isText: true},
		`"unfinished`:          {},
		`"a" "b"`:              {},
		`true`:                 {b: true, isB: true},
		` false`:               {isB: true},
		`truE`:                 {},
		`null`:                 {},
		`[1]`:                  {},
		`7`:                    {number: "7", i: 7, f: 7, isNumber: true, isI: true, isF: true},
		`-7`:                   {number: "-7", i: -7, f: -7, isNumber: true, isI: true, isF: true},
		`-0`:                   {number: "-0", f: math.Copysign(0, -1), isNumber: true, isI: true, isF: true},
		`0e999999999999`:       {number: "0e999999999999", isNumber: true, isI: true, isF: true},
		`1.0`:                  {number: "1.0", i: 1, f: 1, isNumber: true, isI: true, isF: true},
		`3e2`:                  {number: "3e2", i: 300, f: 300, isNumber: true, isI: true, isF: true},
		`1200e-2`:              {number: "1200e-2", i: 12, f: 12, isNumber: true, isI: true, isF: true},
		`0.5`:                  {number: "0.5", f: 0.5, isNumber: true, isF: true},
		`9223372036854775807`:  {number: "9223372036854775807", i: math.MaxInt64, f: 1 << 63, isNumber: true, isI: true, isF: true},
		`9223372036854775808`:  {number: "9223372036854775808", f: 1 << 63, isNumber: true, isF: true},
		`-9223372036854775808`: {number: "-9223372036854775808", i: math.MinInt64, f: -1 << 63, isNumber: true, isI: true, isF: true},
		`-9223372036854775809`: {number: "-9223372036854775809", f: -1 << 63, isNumber: true, isF: true},
		`18446744073709551615`: {number: "18446744073709551615", f: 1 << 64, isNumber: true, isF: true},
		`18446744073709551616`: {number: "18446744073709551616", f: 1 << 64, isNumber: true, isF: true},
		`1e400`:                {number: "1e400", isNumber: true},
		`1e99999999999999999`:  {number: "1e99999999999999999", isNumber: true},
		`1e-9999999999999999`:  {number: "1e-9999999999999999", isNumber: true, isF: true},
		`01`:                   {},
		`1x`:                   {},
		``:                     {},
	} {
		v := planjson.Value(text)
		var got reading
		got.text, got.isText = v.Text()
		n, isNumber := v.Number()
		got.number, got.isNumber = string(n), isNumber
		got.i, got.isI = v.Int64()
		if f, ok := v.Float64(); ok {
			got.f, got.isF = f, ok
		}
		got.b, got.isB = v.Bool()
		if got != want {
			t.Errorf("%s:\ngot  %+v\nwant %+v", text, got, want)
		}
	}
}

func TestValueGet(t *testing.T) {
	v := planjson.Value(` { "a" : [ 1 , {"b": null}, [] ], "n": null, "s": "x", "\u0061\u0062": 5, "dup": 1, "dup": {"last": true}, "": "empty" } `)
	for _, row := range []struct {
		path []any
		want string // "absent" for nil
	}{
		{nil, string(v)},
		{[]any{"a", 0}, "1"},
		{[]any{"a", 1}, `{"b": null}`},
		{[]any{"a", 1, "b"}, "null"},
		{[]any{"a", 1, "c"}, "absent"},
		{[]any{"a", 2, 0}, "absent"},
		{[]any{"a", 3}, "absent"},
		{[]any{"a", -1}, "absent"},
		{[]any{"a", "0"}, "absent"},
		{[]any{0}, "absent"},
		{[]any{"n"}, "null"},
		{[]any{"n", "x"}, "absent"},
		{[]any{"s"}, `"x"`},
		{[]any{"s", 0}, "absent"},
		{[]any{"ab"}, "5"},
		{[]any{"dup"}, `{"last": true}`},
		{[]any{"dup", "last"}, "true"},
		{[]any{""}, `"empty"`},
		{[]any{"A"}, "absent"},
		{[]any{planjson.Value(`"a"`), planjson.Value("1.0")}, `{"b": null}`},
		{[]any{planjson.Value(`"a"`), planjson.Value("0.5")}, "absent"},
		{[]any{planjson.Value(`{}`)}, "absent"},
		{[]any{1.0}, "absent"},
		{[]any{nil}, "absent"},
	} {
		got := v.Get(row.path...)
		if got == nil && row.want != "absent" || got != nil && string(got) != row.want {
			t.Errorf("%v: got %s, want %s", row.path, got, row.want)
		}
	}
	if got := v.Follow(planjson.Value(`["a", 1, "b"]`)); !got.IsNull() {
		t.Errorf("Follow gave %s", got)
	}
	for _, path := range []string{`["a", 9]`, `["a", {"b":1}]`, `"a"`, `[`, `[1,`} {
		if got := v.Follow(planjson.Value(path)); got != nil {
			t.Errorf("Follow(%s) gave %s", path, got)
		}
	}
}

func TestValueItems(t *testing.T) {
	v := planjson.Value(`{"b":1,"a":[10,20,"\n"],"b":2}`)
	var got []string
	for name, m := range v.Members() {
		got = append(got, name+"="+m.String())
	}
	for i, e := range v.Member("a").Elements() {
		got = append(got, string(rune('0'+i))+"="+e.String())
	}
	want := []string{"b=1", `a=[10,20,"\n"]`, "b=2", "0=10", "1=20", `2="\n"`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if v.Len() != 3 || v.Member("a").Len() != 3 || v.Member("b").Len() != 0 || planjson.Value(nil).Len() != 0 {
		t.Error("wrong lengths")
	}
	for range v.Members() {
		break
	}
	for range v.Member("a").Elements() {
		break
	}
	for range planjson.Value(`[1]`).Members() {
		t.Error("an array has members")
	}
	for range planjson.Value(`{"a":1}`).Elements() {
		t.Error("an object has elements")
	}
	// What comes before a fault is there, what comes after is not.
	n := 0
	for range planjson.Value(`[1,2,x,4]`).Elements() {
		n++
	}
	if n != 2 {
		t.Errorf("%d elements before the fault", n)
	}
}

func TestValueEqual(t *testing.T) {
	for _, group := range [][]string{
		{`1`, `1.0`, `10e-1`, ` 0.1e1 `, `1e0`},
		{`0`, `-0`, `0.00`, `0e5`, `-0e999999999`},
		{`1e400`, `10e399`, `0.1E+401`},
		{`1e999999999999999999`, `10e999999999999999998`},
		{`9007199254740993`, `9007199254740993.0`},
		{`9007199254740992`},
		{`"a"`, `"\u0061"`},
		{`"é"`, `"\u00e9"`},
		{`{"a":1,"b":[2]}`, `{ "b" : [ 2.0 ], "\u0061": 1 }`, `{"a":9,"a":1,"b":[2]}`},
		{`[1,2]`}, {`[2,1]`}, {`[]`, `[ ]`}, {`{}`, "{\n}"}, {`null`, ` null`}, {`"null"`}, {`true`}, {`false`}, {`""`}, {`"1"`},
		{`{"a":null}`}, {`{"a":{}}`}, {`{"b":1}`}, {`[null]`},
		{`x`}, {`{"a":1`}, {``}, {`[1,2,]`},
	} {
		for _, a := range group {
			for _, b := range group {
				if !planjson.Value(a).Equal(planjson.Value(b)) {
					t.Errorf("%s and %s are not equal", a, b)
				}
			}
			for _, other := range oddValues {
				if slices.Contains(group, other) || strings.TrimSpace(other) == group[0] {
					continue
				}
				if planjson.Value(a).Equal(planjson.Value(other)) && !slices.Contains(equalAnyway, [2]string{a, other}) {
					t.Errorf("%s and %s are equal", a, other)
				}
			}
		}
	}
	if !planjson.Value(nil).Equal(nil) || planjson.Value(nil).Equal(planjson.Value("null")) || planjson.Value("null").Equal(nil) ||
		planjson.Value(nil).Equal(planjson.Value{}) {
		t.Error("absent must equal absent only")
	}
}

var equalAnyway = [][2]string{{`1e400`, `1E+400`}, {`10e399`, `1E+400`}, {`0.1E+401`, `1E+400`}, {`"\u0061"`, `"a"`}, {`[ ]`, `[]`}, {"{\n}", `{}`}, {`-0e999999999`, `0`}}

func TestValueDecode(t *testing.T) {
	v := planjson.Value(`{"id":12345678901234567890,"list":[1.50],"n":null}`)
	var got any
	if err := v.Decode(&got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"id": json.Number("12345678901234567890"), "list": []any{json.Number("1.50")}, "n": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var typed struct {
		ID   uint64
		List []planjson.Value
	}
	if err := v.Decode(&typed); err != nil || typed.ID != 12345678901234567890 || string(typed.List[0]) != "1.50" {
		t.Errorf("got %+v, %v", typed, err)
	}
	var wrong struct{ ID string }
	var e *planjson.Error
	if err := v.Decode(&wrong); !errors.As(err, &e) || e.Pointer != "/id" {
		t.Errorf("got %v", err)
	}
	for _, bad := range []planjson.Value{nil, {}, planjson.Value("{"), planjson.Value("1 2")} {
		if err := bad.Decode(&got); !errors.As(err, &e) {
			t.Errorf("%q: got %v", bad, err)
		}
	}
	if err := v.Decode(nil); !errors.As(err, &e) {
		t.Errorf("into nil: %v", err)
	}
}

func TestValueMarshal(t *testing.T) {
	type outer struct {
		A planjson.Value
		B planjson.Value
	}
	text, err := json.Marshal(outer{A: planjson.Value(`{ "a": 1.0 }`)})
	if err != nil || string(text) != `{"A":{"a":1.0},"B":null}` {
		t.Errorf("got %s, %v", text, err)
	}
	var back outer
	if err := json.Unmarshal(text, &back); err != nil || string(back.A) != `{"a":1.0}` || !back.B.IsNull() {
		t.Errorf("got %+v, %v", back, err)
	}
	if _, err := json.Marshal(outer{A: planjson.Value("{")}); err == nil {
		t.Error("a broken value was marshaled")
	}
}

func TestValueOf(t *testing.T) {
	for want, x := range map[string]any{
		`null`:                               nil,
		`{"a":[1,"\u003cb\u003e"],"z":true}`: map[string]any{"z": true, "a": []any{1, "<b>"}},
		`100000000000000000000000`:           1e23,
		`0.0000001`:                          1e-7,
		`{"A":1}`:                            struct{ A int }{1},
		`"\u2028"`:                           "\u2028",
	} {
		v, err := planjson.ValueOf(x)
		if err != nil || string(v) != want {
			t.Errorf("%v: got %s, %v, want %s", x, v, err, want)
		}
	}
	var e *planjson.Error
	if _, err := planjson.ValueOf(func() {}); !errors.As(err, &e) {
		t.Errorf("a function became a value: %v", err)
	}
	v, err := planjson.Value("{ \"b\":1.50, \"a\":\"\\u0061<\\b\" }").Canonical()
	if err != nil || string(v) != `{"a":"a\u003c\b","b":1.5}` {
		t.Errorf("canonical: %s, %v", v, err)
	}
	if _, err := planjson.Value("{").Canonical(); !errors.As(err, &e) {
		t.Errorf("canonical of a broken value: %v", err)
	}
	c := bytes.Clone(v)
	c[2] = 'x'
	if string(v) != `{"a":"a\u003c\b","b":1.5}` {
		t.Error("a clone is not independent")
	}
}

// reference visits the scalars of a tree made by encoding/json.
func reference(t *testing.T, path []any, v any, visit func(path []any, v any)) {
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			reference(t, append(path[:len(path):len(path)], k), v[k], visit)
		}
	case []any:
		for i, e := range v {
			reference(t, append(path[:len(path):len(path)], i), e, visit)
		}
	default:
		visit(path, v)
	}
}

// A cursor finds what encoding/json finds, at the same places.
func TestCursorAgainstTrees(t *testing.T) {
	for _, r := range recordings(t) {
		if r.kind == "validate" || r.kind == "version" {
			continue
		}
		var tree any
		if err := planjson.Value(r.text).Decode(&tree); err != nil {
			t.Fatal(err)
		}
		want := make(map[string]string)
		reference(t, []any{}, tree, func(path []any, v any) {
			s, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			p, err := json.Marshal(path)
			if err != nil {
				t.Fatal(err)
			}
			want[string(p)] = string(s)
		})
		n := 0
		c := planjson.Value(r.text).Cursor()
		for c.Next() {
			n++
			p, err := json.Marshal(c.Path())
			if err != nil {
				t.Fatal(err)
			}
			if w, ok := want[string(p)]; !ok || !c.Value().Equal(planjson.Value(w)) {
				t.Fatalf("%s: %s is %s, want %s", r.name, p, c.Value(), w)
			}
			if n%100 == 0 && !planjson.Value(r.text).Get(c.Path()...).Equal(c.Value()) {
				t.Errorf("%s: %s is elsewhere", r.name, p)
			}
		}
		if c.Err() != nil || n != len(want) {
			t.Errorf("%s: %d scalars of %d, %v", r.name, n, len(want), c.Err())
		}
	}
}

func TestCursor(t *testing.T) {
	c := planjson.Value(`{"a":[1,{"b~/":[[null]]}],"e":{},"f":[],"z":"\n"}`).Cursor()
	var got []string
	for c.Next() {
		got = append(got, c.Pointer()+" "+c.Value().String())
	}
	want := []string{"/a/0 1", "/a/1/b~0~1/0/0 null", `/z "\n"`}
	if diff := cmp.Diff(want, got); diff != "" || c.Err() != nil || c.Next() {
		t.Error(diff, c.Err())
	}
	c = planjson.Value(` 5 `).Cursor()
	if !c.Next() || c.Pointer() != "" || len(c.Path()) != 0 || c.Next() || c.Err() != nil {
		t.Error("a scalar alone")
	}
	// Beyond the levels that need no memory, and back.
	deep := strings.Repeat(`[{"k":`, 20) + "1" + strings.Repeat(`},2]`, 20)
	c = planjson.Value(deep).Cursor()
	n := 0
	for c.Next() {
		if n++; n == 1 && (len(c.Path()) != 40 || c.Pointer() != strings.Repeat("/0/k", 20)) {
			t.Errorf("depth %d, %s", len(c.Path()), c.Pointer())
		} else if n == 3 && c.Pointer() != strings.Repeat("/0/k", 18)+"/1" {
			t.Errorf("third is at %s", c.Pointer())
		}
	}
	if n != 21 || c.Err() != nil {
		t.Errorf("%d scalars, %v", n, c.Err())
	}
}

// A cursor over bad text stops with the error that Check gives.
func TestCursorFaults(t *testing.T) {
	for _, text := range append(oddValues, strings.Repeat("[", 10_001), strings.Repeat(`{"a":`, 10_001)) {
		v := planjson.Value(text)
		c := v.Cursor()
		for c.Next() {
			if err := c.Value().Check(); err != nil {
				t.Errorf("%.40q: scalar %s: %v", text, c.Value(), err)
			}
		}
		want, got := v.Check(), c.Err()
		if (want == nil) != (got == nil) || want != nil && want.Error() != got.Error() {
			t.Errorf("%.40q: got %v, want %v", text, got, want)
		}
	}
}

// A cursor allocates nothing at usual depths.
func TestCursorAllocations(t *testing.T) {
	v := planjson.Value(strings.Repeat(`{"a":[1,"x",`, 8) + "null" + strings.Repeat("]}", 8))
	n := 0
	if got := testing.AllocsPerRun(100, func() {
		for c := v.Cursor(); c.Next(); {
			n += len(c.Value())
		}
		n += len(v.Get("a", 2, "a", 1))
	}); got > 1 { // the path of Get
		t.Errorf("%v allocations", got)
	}
}
