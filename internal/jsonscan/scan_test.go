// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package jsonscan_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/internal/jsonscan"
)

var documents = []struct {
	name, text string
	offset     int
	fault      jsonscan.Fault
}{
	{"empty", "", 0, jsonscan.FaultEnd},
	{"spaces", " \n\t\r", 4, jsonscan.FaultEnd},
	{"null", "null", 4, jsonscan.OK},
	{"literal cut", "tru", 3, jsonscan.FaultEnd},
	{"literal wrong", "trux", 3, jsonscan.FaultLiteral},
	{"literal long", "nullx", 4, jsonscan.FaultTrailing},
	{"number", "-0.5e+10", 8, jsonscan.OK},
	{"number beyond float64", "1e400", 5, jsonscan.OK},
	{"leading zero", "01", 1, jsonscan.FaultNumber},
	{"minus alone", "-", 1, jsonscan.FaultEnd},
	{"minus letter", "-a", 1, jsonscan.FaultNumber},
	{"point alone", "1.", 2, jsonscan.FaultEnd},
	{"point letter", "[1.]", 3, jsonscan.FaultNumber},
	{"exponent alone", "1e", 2, jsonscan.FaultEnd},
	{"exponent sign alone", "1e+]", 3, jsonscan.FaultNumber},
	{"plus", "+1", 0, jsonscan.FaultValue},
	{"string", `"abcdefgh\n\u00e9ü"`, 20, jsonscan.OK},
	{"string cut", `"abc`, 4, jsonscan.FaultEnd},
	{"string cut in escape", `"abc\`, 5, jsonscan.FaultEnd},
	{"string cut in unicode escape", `"\u00`, 5, jsonscan.FaultEnd},
	{"string cut in a rune", "\"\xc3", 2, jsonscan.FaultEnd},
	{"lone surrogate", `"\ud800"`, 8, jsonscan.OK},
	{"bad escape", `"\x"`, 1, jsonscan.FaultEscape},
	{"bad unicode escape", `"\u12g4"`, 1, jsonscan.FaultEscape},
	{"control character", "\"abcdefghi\x01\"", 10, jsonscan.FaultControl},
	{"DEL", "\"\x7f\"", 3, jsonscan.OK},
	{"bad UTF-8", "\"a\xffb\"", 2, jsonscan.FaultUTF8},
	{"encoded surrogate", "\"\xed\xa0\x80\"", 1, jsonscan.FaultUTF8},
	{"byte order mark", "\ufeff{}", 0, jsonscan.FaultBOM},
	{"UTF-16", "\xff\xfe{\x00}\x00", 0, jsonscan.FaultUTF16},
	{"UTF-16, big end first", "\xfe\xff\x00{", 0, jsonscan.FaultUTF16},
	{"not UTF-16", "\xff\xff", 0, jsonscan.FaultValue},
	{"UTF-16 cut", "\xff", 0, jsonscan.FaultValue},
	{"UTF-16 inside", "[\xff\xfe]", 1, jsonscan.FaultValue},
	{"zip", "PK\x03\x04\x14", 0, jsonscan.FaultZip},
	{"not a zip", "PK\x05\x06", 0, jsonscan.FaultValue},
	{"arrays", "[ [ ] , [1 ,2] ]", 16, jsonscan.OK},
	{"array comma", "[1,]", 3, jsonscan.FaultValue},
	{"array cut", "[1", 2, jsonscan.FaultEnd},
	{"array wrong end", "[1}", 2, jsonscan.FaultArray},
	{"object", `{ "a" : { } , "b":[]}`, 21, jsonscan.OK},
	{"object comma", `{"a":1,}`, 7, jsonscan.FaultName},
	{"object name", `{1:1}`, 1, jsonscan.FaultName},
	{"object colon", `{"a" 1}`, 5, jsonscan.FaultColon},
	{"object value", `{"a":}`, 5, jsonscan.FaultValue},
	{"object wrong end", `{"a":1]`, 6, jsonscan.FaultObject},
	{"duplicate members", `{"a":1,"a":2}`, 13, jsonscan.OK},
	{"trailing", "{} {}", 3, jsonscan.FaultTrailing},
}

func TestDocument(t *testing.T) {
	for _, tt := range documents {
		t.Run(tt.name, func(t *testing.T) {
			offset, fault := jsonscan.Document([]byte(tt.text))
			if offset != tt.offset || fault != tt.fault {
				t.Errorf("got offset %d, %v; want %d, %v", offset, fault, tt.offset, tt.fault)
			}
		})
	}
}

func TestDepth(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 127, 128, 129, 1000, jsonscan.MaxDepth} {
		text := strings.Repeat(`[{"a":`, n/2) + strings.Repeat(`[`, n%2) + strings.Repeat(`]`, n%2) + "" + strings.Repeat(`}]`, n/2)
		if n%2 == 0 {
			text = strings.Repeat(`[{"a":`, n/2) + "1" + strings.Repeat(`}]`, n/2)
		}
		if i, f := jsonscan.Document([]byte(text)); f != jsonscan.OK || i != len(text) {
			t.Errorf("%d levels: %v at %d", n, f, i)
		}
		if n >= 63 { // a wrong bracket must be noticed at any level
			bad := []byte(text)
			bad[len(bad)-n/2] ^= '}' ^ ']'
			if _, f := jsonscan.Document(bad); f == jsonscan.OK {
				t.Errorf("%d levels: a wrong closing bracket passes", n)
			}
		}
	}
	deep := bytes.Repeat([]byte("["), 1_000_000)
	if i, f := jsonscan.Document(deep); f != jsonscan.FaultDepth || i != jsonscan.MaxDepth {
		t.Errorf("a million brackets: %v at %d", f, i)
	}
}

func TestTruncation(t *testing.T) {
	text := []byte(`{"a":[1.5e-3,"x\u00e9ü\n",true,null,{"b":{}}]} `)
	for n := range len(text) - 1 {
		if i, f := jsonscan.Document(text[:n]); f != jsonscan.FaultEnd || i != n {
			t.Errorf("cut to %q: %v at %d", text[:n], f, i)
		}
	}
}

func TestUnquoteQuote(t *testing.T) {
	for _, tok := range []string{
		`""`, `"a"`, `"\"\\\/\b\f\n\r\t"`, `"\u0041\u00e9\u20ac"`, `"\ud83d\ude00"`, `"\ud83dx"`, `"\ude00\ud83d"`,
		`"\ud83d\ud83d\ude00"`, `"\ud83d\u0041"`, `"ü€😀"`, `"\u2028"`, `"<>&"`,
	} {
		var want string
		if err := json.Unmarshal([]byte(tok), &want); err != nil {
			t.Fatal(err)
		}
		got := string(jsonscan.AppendUnquote(nil, []byte(tok)))
		if got != want {
			t.Errorf("%s: got %q, want %q", tok, got, want)
		}
	}
}

// What ends a string, or cannot be in it, is found at each place of a word of
// eight bytes, in names and values, and whatever number or literal follows.
func TestEachPlace(t *testing.T) {
	specials := []string{``, `"`, `\\`, `\"`, `\u0041`, `\x`, "\x1f", "ü", "\xff", "\x7f", "\n"}
	values := []string{`1`, `0`, `01`, `-0`, `10`, `1.5`, `1e5`, `true`, `tru`, `truex`, `false`, `fals`, `null`, `nul`, `nullx`, `{}`, `"v"`, ``}
	for n := range 20 {
		for _, special := range specials {
			for _, after := range []string{"", "abcdefgh", "abcdefghijklmnopq"} {
				text := `"` + strings.Repeat("a", n) + special + after + `"`
				for _, document := range []string{`[` + text + `]`, `[ ` + text + ` ,1]`, `{` + text + `:1}`, `{"a":` + text + `}`, "{\n" + strings.Repeat(" ", n) + text + ` : ` + text + "\n}"} {
					agree(t, document)
				}
			}
		}
		for _, v := range values {
			for _, end := range []string{"", "]", ",1]", " ]", "}", "\n" + strings.Repeat(" ", n) + "]"} {
				agree(t, `[`+v+end)
			}
		}
	}
}

// agree compares the verdict on a document with that of encoding/json, at once
// and in parts.
func agree(t *testing.T, document string) {
	t.Helper()
	text := []byte(document)
	end, fault := jsonscan.Document(text)
	if want := json.Valid(text) && utf8.Valid(text); want != (fault == jsonscan.OK) {
		t.Errorf("%q: %v at %d, encoding/json says %v", text, fault, end, want)
	}
	want, wantFault := jsonscan.Value(text, 0, jsonscan.MaxDepth)
	for _, n := range []int{1, 7} {
		if got, gotFault := runParts(text, n); gotFault != wantFault || wantFault != jsonscan.FaultEnd && got != want {
			t.Errorf("%q in parts of %d: %v at %d, at once %v at %d", text, n, gotFault, got, wantFault, want)
		}
	}
}

func FuzzDocument(f *testing.F) {
	for _, tt := range documents {
		f.Add([]byte(tt.text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		end, fault := jsonscan.Document(text)
		// encoding/json lets invalid UTF-8 pass; we do not.
		if want := json.Valid(text) && utf8.Valid(text); want != (fault == jsonscan.OK) {
			t.Fatalf("%q: %v at %d, encoding/json says %v", text, fault, end, want)
		}
		if end < 0 || end > len(text) {
			t.Fatalf("offset %d of %d", end, len(text))
		}
		jsonscan.Pointer(text, end)
		jsonscan.Position(text, end)
	})
}

// runParts checks text with a Skipper that sees it in parts of n bytes.
func runParts(text []byte, n int) (int, jsonscan.Fault) {
	var k jsonscan.Skipper
	for i, end := 0, 0; ; {
		end = min(end+n, len(text))
		next, f := k.Run(text[:end], i, jsonscan.MaxDepth)
		if f != jsonscan.FaultEnd || end == len(text) {
			return next, f
		}
		i = next
	}
}

func FuzzSkipper(f *testing.F) {
	for _, tt := range documents {
		f.Add([]byte(tt.text), uint8(1))
	}
	f.Add([]byte(`{"a\u00e9ü":[1.5e-3,"x\u00e9ü\n",true,null,{"b":{}}], "c" : false }`), uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, n uint8) {
		if len(text) == 0 || text[0] != '{' && text[0] != '[' || n == 0 {
			return
		}
		end, fault := jsonscan.Value(text, 0, jsonscan.MaxDepth)
		got, gotFault := runParts(text, int(n))
		if gotFault != fault || fault != jsonscan.FaultEnd && got != end {
			t.Fatalf("%q in parts of %d: %v at %d, at once %v at %d", text, n, gotFault, got, fault, end)
		}
	})
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"", "a\x00\b\f\n\r\t\"\\/<>&\u2028\u2029ü\xff\xed\xa0\x80\x7f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			// The tools write \ufffd for each byte that is not valid, as
			// encoding/json did until Go 1.26.
			got := jsonscan.AppendQuote(nil, s, true)
			if string(jsonscan.AppendUnquote(nil, got)) != string([]rune(s)) || !bytes.Contains(got, []byte(`\ufffd`)) {
				t.Fatalf("%q: got %s", s, got)
			}
			return
		}
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got := jsonscan.AppendQuote(nil, s, true)
		if !bytes.Equal(got, want) {
			t.Fatalf("got %s, want %s", got, want)
		}
		if gotBytes := jsonscan.AppendQuote(nil, []byte(s), true); !bytes.Equal(gotBytes, want) {
			t.Fatalf("from bytes: got %s, want %s", gotBytes, want)
		}
		back := jsonscan.AppendUnquote(nil, jsonscan.AppendQuote(nil, s, false))
		if string(back) != s {
			t.Fatalf("came back as %q", back)
		}
	})
}

func TestPointer(t *testing.T) {
	text := `{"a": [1, {"b/~": "x"}, []], "c": {"d": null}} `
	for _, tt := range []struct{ at, want string }{
		{`{"a"`, ""},
		{`"a"`, "/a"},
		{`[1`, "/a"},
		{`1,`, "/a/0"},
		{`{"b`, "/a/1"},
		{`"x"`, "/a/1/b~1~0"},
		{`[]`, "/a/2"},
		{`"c"`, "/c"},
		{`null`, "/c/d"},
		{`}} `, "/c"},
	} {
		if got := jsonscan.Pointer([]byte(text), strings.Index(text, tt.at)); got != tt.want {
			t.Errorf("at %s: got %q, want %q", tt.at, got, tt.want)
		}
	}
}

func TestPosition(t *testing.T) {
	text := []byte("a\nbc\n")
	for offset, want := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {2, 2}, {2, 3}, {3, 1}} {
		if l, c := jsonscan.Position(text, offset); l != want[0] || c != want[1] {
			t.Errorf("offset %d: line %d, column %d; want %v", offset, l, c, want)
		}
	}
}

func BenchmarkValue(b *testing.B) {
	var doc bytes.Buffer
	doc.WriteByte('[')
	for doc.Len() < 1<<20 {
		doc.WriteString(`{"address":"module.network[\"eu-west-1\"].terraform_data.subnet[3]","mode":"managed","schema_version":0,` +
			`"values":{"id":"0f0f6a0c-91fd","tags":{"Name":"größe","cost":"1234"},"ports":[80,443,8080],"enabled":true}},`)
	}
	doc.WriteString("null]")
	b.SetBytes(int64(doc.Len()))
	for b.Loop() {
		if _, f := jsonscan.Document(doc.Bytes()); f != jsonscan.OK {
			b.Fatal(f)
		}
	}
}

// TestUnquote compares long texts with escapes at all places with encoding/json.
func TestUnquote(t *testing.T) {
	for shift := range 14 {
		for _, unit := range []string{`\ud83d\ude00`, `\ud83d\ude00 0123456789abcdef`, `\\`, `\"a`, "plain é text\\n", `\ud83d`} {
			tok := `"` + strings.Repeat("x", shift) + strings.Repeat(unit, 70000/len(unit)*2) + `"`
			var want string
			if err := json.Unmarshal([]byte(tok), &want); err != nil {
				t.Fatal(err)
			}
			if got := jsonscan.Unquote([]byte(tok)); got != want {
				t.Errorf("%q, %d before: the text of %d bytes is wrong", unit, shift, len(tok))
			}
		}
	}
}
