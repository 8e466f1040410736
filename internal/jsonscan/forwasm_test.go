// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// passed checks text with a Skipper once as it is, and once for each place at which
// an item begins with pass in between, and compares. It returns how much of text one
// run of pass moved over at most.
func passed(t *testing.T, text []byte, depth int) (most int) {
	t.Helper()
	for j := range len(text) {
		var k Skipper
		i, f := k.Run(text[:j], 0, depth)
		if f != FaultEnd {
			break
		}
		// A value after a name is not where pass begins.
		if k.next != atName && (k.next != atValue || k.bits&1 != 0) {
			continue
		}
		after := Skipper{spill: slices.Clone(k.spill)}
		at, bits, level, next := pass(text, i, k.bits, k.level, depth)
		after.bits, after.level, after.next = bits, level, next
		end, fault := after.Run(text, at, depth)
		wantEnd, wantFault := k.Run(text, i, depth)
		if end != wantEnd || fault != wantFault {
			t.Fatalf("%q: from %d to %d in one pass, then %v at %d; without it %v at %d", text, i, at, fault, end, wantFault, wantEnd)
		}
		most = max(most, at-i)
	}
	return most
}

// randomItem appends a value of random kind, mostly without white space and escapes.
func randomItem(r *rand.Rand, b []byte, depth int) []byte {
	space := func() {
		if r.IntN(60) == 0 {
			b = append(b, " \n\t"[r.IntN(3)])
		}
	}
	text := func() {
		b = append(b, '"')
		for range r.IntN(1 << r.IntN(7)) {
			switch r.IntN(200) {
			case 0:
				b = append(b, []string{`\"`, `\\`, `\n`, `\u00e9`, `\ud83d\ude00`}[r.IntN(5)]...)
			case 1:
				b = append(b, []string{"é", "€", "😀", "\x7f"}[r.IntN(4)]...)
			default:
				b = append(b, "#!abcXYZ0189[]{},: "[r.IntN(19)])
			}
		}
		b = append(b, '"')
	}
	space()
	switch n := r.IntN(10); {
	case n < 3 && depth > 0:
		open, end := byte('['), byte(']')
		if r.IntN(2) == 0 {
			open, end = '{', '}'
		}
		b = append(b, open)
		for i := range r.IntN(6) {
			if i > 0 {
				b = append(b, ',')
			}
			space()
			if open == '{' {
				text()
				space()
				b = append(b, ':')
			}
			b = randomItem(r, b, depth-1)
			space()
		}
		b = append(b, end)
	case n < 6:
		text()
	case n < 8:
		b = append(b, []string{"0", "-0", "7", "10", "1234567", "12345678", "0.5", "12.25", "1.000001", "123.4567", "12e3", "-1.5E+3"}[r.IntN(12)]...)
	default:
		b = append(b, []string{"true", "false", "null"}[r.IntN(3)]...)
	}
	space()
	return b
}

// TestPass compares pass with the rest of Run: in random texts, in ones with a
// fault, and in ones that nest deeply.
func TestPass(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		text := []byte{'['}
		for len(text) < 100+r.IntN(300) {
			text = append(randomItem(r, text, 4), ',')
		}
		text = append(text, "null]"...)
		passed(t, text, MaxDepth)
		bad := slices.Clone(text)
		for range 1 + r.IntN(2) {
			bad[r.IntN(len(bad))] = "\"\\{}[],: 0.e-ntf\x00\x1f\x80\xc3\xff"[r.IntN(21)]
		}
		passed(t, bad, MaxDepth)
		passed(t, text, 1+r.IntN(4))
		passed(t, append(text, strings.Repeat(" ]", 20)...), MaxDepth)
	}
	for _, levels := range []int{60, 63, 64, 65, 130} {
		text := []byte(strings.Repeat(`[1,{"a":0,"b":`, levels/2) + `[2,3]` + strings.Repeat(`},4]`, levels/2))
		for _, depth := range []int{levels - 1, levels + 1, MaxDepth} {
			passed(t, text, depth)
		}
		passed(t, []byte(`[1,`+strings.Repeat("[", levels)), MaxDepth)
		closed := strings.Repeat("[", levels) + `1,2,[3]` + strings.Repeat("]", levels)
		for cut := range 3 {
			passed(t, []byte(closed[:len(closed)-cut]), MaxDepth)
		}
	}
	for _, c := range []string{`"#"`, `"` + strings.Repeat("x", 40) + `"`, `01`, `00.5`, `1.`, `1:`, `1/`, `12345678`, `123456789`, `1.234567`, `1.2345678`, `12345678.5`, `1234567.8`, `{ }`, `[ ]`, `{ "a":1}`, `[ 1, 2]`, `{"a" :1}`, `{"a": 1}`, `1.5.5`, `1.é`, `1é5`, `tru`, `nulls`, `falsé`, `}`, `]`, `{]`, `[}`, `{,`, `[,`, "\"\n\""} {
		for _, before := range []string{`[1,`, `{"a":1,`, `{"a":1,"b":`, `[[1,2],`, `{"a":{"b":1},"c":[2],`} {
			passed(t, []byte(before+c+`,"and":"some more text that follows","x":1}`), MaxDepth)
		}
	}
}

// TestPassGoesOn has what tools write, which is passed in one go up to the end.
func TestPassGoesOn(t *testing.T) {
	text := []byte(`[0,{"address":"module.network","mode":"managed","index":null,"schema_version":0,"cost":1.25,"sensitive":false,"none":{},"list":[],` +
		`"values":{"ids":["0f0f6a0c-91fd","eu-west-1a.0123456789.0123456789"],"ports":[80,443,8080],"enabled":true,"two":[[1],[2,3]]}},null,null,null]`)
	if most := passed(t, text, MaxDepth); most < len(text)-2*margin {
		t.Errorf("one pass went over %d of %d bytes", most, len(text))
	}
	for n := range text {
		passed(t, text[:n], MaxDepth)
	}
}

func FuzzPass(f *testing.F) {
	f.Add([]byte(`[1,{"a":"b","c":[true,false,null,0.25,"`+strings.Repeat("long ", 9)+`"],"d":{}},"and the last of them"]`), uint8(10))
	f.Fuzz(func(t *testing.T, text []byte, depth uint8) {
		if len(text) > 0 && len(text) < 1000 && (text[0] == '{' || text[0] == '[') {
			passed(t, text, int(depth))
		}
	})
}

func TestLines(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 200 {
		for _, alphabet := range []string{"\n", "ab", "\n\x0b\x09\x8a\x00\xff", "abcdefghijklmnopqrstuvwxyz\n"} {
			text := make([]byte, n)
			for i := range text {
				text[i] = alphabet[r.IntN(len(alphabet))]
			}
			want := bytes.Count(text, []byte{'\n'})
			if got, one := Lines(text), lines(text); got != want || one != want {
				t.Errorf("%q: got %d and %d, want %d", text, got, one, want)
			}
		}
	}
}

func BenchmarkLines(b *testing.B) {
	for _, every := range []int{30, 1 << 20} {
		text := bytes.Repeat(append(bytes.Repeat([]byte{'x'}, every-1), '\n'), 1<<20/every)
		b.Run(fmt.Sprintf("every=%d", every), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Lines(text)
			}
		})
	}
}

func TestIndexByte(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 100 {
		for _, alphabet := range []string{"\n", "ab", "\n\x0b\x09\x8a\x00\xff", "abcdefghijklmnopqrstuvwxyz\n"} {
			text := make([]byte, n)
			for i := range text {
				text[i] = alphabet[r.IntN(len(alphabet))]
			}
			for _, c := range []byte{'\n', 'b', 0, 0x8a, 0xff} {
				want := bytes.IndexByte(text, c)
				if got, one := IndexByte(text, c), indexByte(text, c); got != want || one != want {
					t.Errorf("%q in %q: got %d and %d, want %d", c, text, got, one, want)
				}
			}
		}
		for i := range n {
			text := make([]byte, n)
			text[i] = 'x'
			if got := indexByte(text, 'x'); got != i {
				t.Errorf("got %d of %d, want %d", got, n, i)
			}
		}
	}
}

// TestUnquoted compares unquoted with encoding/json: in random texts with all kinds
// of escapes, at all places of a word, behind what was in the slice before.
func TestUnquoted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	parts := []string{`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u00e9`, `\u20AC`, `\u0000`, `\ud83d\ude00`, `\ud83d`, `\ude00\ud83d`,
		`\ud83dx`, `\ud83d\n`, `\ud83d\u0041`, "é", "€", "😀", "a", "plain text", "12345678"}
	for n := range 4000 {
		text := strings.Repeat("x", n%9)
		for range r.IntN(6) {
			text += parts[r.IntN(len(parts))] + strings.Repeat("y", r.IntN(1<<r.IntN(6)))
		}
		var want string
		if err := json.Unmarshal([]byte(`"`+text+`"`), &want); err != nil {
			t.Fatal(err)
		}
		before := strings.Repeat("b", r.IntN(20))
		for name, got := range map[string][]byte{
			"unquoted":      unquoted([]byte(before), []byte(text)),
			"AppendUnquote": AppendUnquote([]byte(before), []byte(`"`+text+`"`)),
		} {
			if string(got) != before+want {
				t.Errorf("%s of %q: got %q, want %q", name, text, got, before+want)
			}
		}
	}
}
