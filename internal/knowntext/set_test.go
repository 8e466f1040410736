// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/tofuwire/tofuwire/internal/knowntext"
	"github.com/tofuwire/tofuwire/internal/testing/bounds"
)

const token = "(hidden)"

// base64Lines returns base64 in lines of a length.
func base64Lines(s string, length int) string {
	var lines []string
	for line := range slices.Chunk([]byte(base64.StdEncoding.EncodeToString([]byte(s))), length) {
		lines = append(lines, string(line))
	}
	return strings.Join(lines, "\n")
}

func TestReplace(t *testing.T) {
	for _, test := range []struct {
		name    string
		secrets []string
		text    string
		want    string
	}{
		{"whole", []string{"hunter2!"}, "hunter2!", token},
		{"part", []string{"hunter2!"}, "a hunter2!b hunter2!", "a " + token + "b " + token},
		{"none", []string{"hunter2!"}, "hunter2", "hunter2"},
		{"longest", []string{"abcd", "abcdef"}, "abcdefg abcdg", token + "g " + token + "g"},
		{"shorter of a longer that differs", []string{"abcd", "abcd5"}, "abcd9", token + "9"},
		{"chain of prefixes", []string{"ab", "abcd", "abcdxyz"}, "abcdxy abz", token + "xy " + token + "z"},
		{"overlap", []string{"abcdef", "defghi"}, "abcdefghij", token + "j"},
		{"one byte", []string{"x"}, "axbx", "a" + token + "b" + token},
		{"template marks", []string{"a${b}c"}, "say a$${b}c", "say " + token},
		{"quotes in JSON in a string", []string{`a"b\c12`}, `{"k":"a\"b\\c12"}`, `{"k":"` + token + `"}`},
		{"quotes in a key", []string{`a"b\c${x}`}, `a.b["a\"b\\c$${x}"].c`, `a.b["` + token + `"].c`},
		{"quotes in JSON, long", []string{strings.Repeat(`a"b`, 20)}, `{"k":"` + strings.Repeat(`a\"b`, 20) + `"}`, token},
		{"escapes of escapes", []string{"line1\nline2"}, `"{\"k\":\"line1\\nline2\"}"`, `"{\"k\":\"` + token + `\"}"`},
		{"other escapes of escapes", []string{"line1\nline2"}, `"{\"k\":\"line1\\u000aline2\"}"`, token},
		{"with HTML", []string{"a<b>&c"}, `{"k":"a\u003cb\u003e\u0026c"}`, `{"k":"` + token + `"}`},
		{"JSON in a form", []string{`a "b" <c>`}, "q=" + url.QueryEscape(`{"k":"a \"b\" \u003cc\u003e"}`), token},
		{"JSON in a path", []string{`a "b" <c>`}, "/" + url.PathEscape(`{"k":"a \"b\" \u003cc\u003e"}`), token},
		{"JSON in XML", []string{`a "b" <c>`}, `<x y="{&quot;k&quot;:&quot;a \&quot;b\&quot; \u003cc\u003e&quot;}"/>`, token},
		{"template marks in a key", []string{"a${b}%{c}$$d"}, `a.b["x = \"a$$${b}%%%{c}$$d\""]`, token},
		{"lines of base64 beside the same", []string{"user: admin\npassword: \"Cg84D69MCg84D69M\"\nkey: fm2vgCumfm2vgCum\n"},
			base64Lines("user: user: admin\npassword: \"Cg84D69MCg84D69M\"\nkey: fm2vgCumfm2vgCum\n", 68) + "\n:user: admin\npassword: \"Cg84D69MCg84D69M\"\nkey: fm2vgCumfm2vgCum\n", token},
		{"digits in a path", []string{"hunter2!pw"}, "https://x/" + hex.EncodeToString([]byte("hunter2!pw")) + "/y", token},
		{"digits in a name", []string{"hunter2!pw"}, "token/k" + strings.ToUpper(hex.EncodeToString([]byte("u:hunter2!pw"))), token},
		{"digits after a digit", []string{"hunter2!pw"}, "vgcafea" + hex.EncodeToString([]byte("hunter2!pw")), token},
		{"bytes as Go prints them", []string{"hunter2!pw"}, "body [104 117 110 116 101 114 50 33 112 119] end", token},
		{"bytes as C writes them", []string{"hunter2!pw"}, "{0x68, 0x75, 0x6e, 0x74, 0x65, 0x72, 0x32, 0x21, 0x70, 0x77}", token},
		{"xxd", []string{"a planted secret of 28 bytes"}, "00000000: 6120 706c 616e 7465 6420 7365 6372 6574  a planted secret\n00000010: 206f 6620 3238 2062 7974 6573             of 28 bytes\n", token},
		{"numbers that say nothing", []string{"hunter2!pw"}, "[104 117 110 116 101 114 50 33 112 120] 1,2,3,4,5,6,7,8", "[104 117 110 116 101 114 50 33 112 120] 1,2,3,4,5,6,7,8"},
		{"a form in settings", []string{"abc/12 34%x"}, `url = "https://x/?q=abc%%2F12%%2034%%25x"`, token},
		{"a form of a form in settings", []string{"abc/12@34"}, "%%252Fabc%%252F12%%254034", token},
		{"JSON in a table", []string{`a "b" 'c'`}, `1,"{""k"":""a \""b\"" 'c'""}"`, token},
		{"JSON in YAML", []string{`a "b" 'c'`}, `k: '{"k":"a \"b\" ''c''"}'`, token},
		{"JSON in a shell", []string{"a 'b'\tc"}, `echo '{"k":"a '\''b'\''\tc"}'`, token},
		{"JSON in a shell in other quotes", []string{"a 'b'\tc"}, `echo '{"k":"a '"'"'b'"'"'\tc"}'`, token},
		{"JSON in YAML of containers", []string{`a "b$c"`}, `{"k":"a \"b$$c\""}`, token},
		{"begins with another one, JSON in a form", []string{"abc123", "abc123\n4 6xyz"}, "%22abc123%5Cn4+6xyz%22", token},
		{"begins with another one, escaped", []string{"abc123", "abc123\n456xyz"}, `abc123\u000a456xyz`, token},
		{"begins with another one, percent", []string{"abc123", "abc123/456+xyz"}, "abc123%2F456%2bxyz", token},
		{"begins with another one, HTML", []string{"abc123", "abc123<456xyz"}, "abc123&lt;456xyz", token},
		{"begins with another one, NFC", []string{"abc123", "abc123\u00e9\u00e9456"}, "abc123\u00e9e\u0301456", token},
		{"begins with another one, CRLF", []string{"abc123", "abc123\n456xyz"}, "abc123\r\n456xyz", token},
		{"begins with another one, indented", []string{"abc123", "abc123\n456xyz"}, "  abc123\n  456xyz", token},
		{"begins with another one, wrapped", []string{"abc123abc123abc123", "abc123abc123abc123abc123abc123abc123\x00\x01"}, base64Lines("abc123abc123abc123abc123abc123abc123\x00\x01", 24), token},
		{"a long line and a short one, indented", []string{"this is the first line\nshort"}, "  this is the first line\n  short", token},
		{"as it is and indented", []string{"abc123\n456xyz", "abc123"}, "abc123\n456xyz\n abc123\n 456xyz", token},
		{"several lines as they are", []string{"abc123\n456xyz", "abc123"}, "x abc123\n456xyz\n abc123", "x " + token + "\n " + token},
		{"code points", []string{"secret"}, `\u0073ecret`, token},
		{"surrogates", []string{"key😀key"}, `key\ud83d\ude00key`, token},
		{"NFD in the text", []string{norm.NFC.String("pässwörd")}, norm.NFD.String("pässwörd"), token},
		{"NFC in the text", []string{norm.NFD.String("pässwörd")}, norm.NFC.String("pässwörd"), token},
		{"CRLF", []string{"first line\nsecond"}, "x first line\r\nsecond", token},
		{"indented", []string{"first line\n second\n"}, "    first line\n     second\n", token},
		{"one line of many", []string{"short\nthis line is 22 bytes\n"}, "> this line is 22 bytes", "> " + token},
		{"without the line end", []string{"secret-x\n"}, "secret-x,", token + ","},
		{"quotes and percent signs of settings", []string{`"bqr>Se&"_l%@`}, `p="""bqr>Se&""_l%%@"`, `p="` + token + `"`},
		{"single quotes and percent signs of settings", []string{"it's 5%x!"}, "p='it''s 5%%x!'", "p='" + token + "'"},
		{"YAML of containers", []string{"it's $5 x!"}, "p: 'it''s $$5 x!'", "p: '" + token + "'"},
		{"PowerShell", []string{"a\"b$c`d!"}, "$p = \"a\"\"b`$c``d!\"", "$p = \"" + token + "\""},
		{"percent", []string{"a/b c+d&"}, "?q=" + url.QueryEscape("a/b c+d&") + "&z", "?q=" + token + "&z"},
		{"percent in a path", []string{"a/b c+d&"}, "/" + url.PathEscape("a/b c+d&"), "/" + token},
		{"percent, more than needed", []string{"secret"}, "%73ecret", token},
		{"overlap with one in percent", []string{"abcdef", "fghijk"}, "%61bcdefghijk", token},
		{"overlap with one of code points", []string{"abcdef", "fghijk"}, `x \u0061bcdefghijk`, token},
		{"overlap with one in HTML", []string{"abcdef", "fghijk"}, "&#97;bcdefghijk", token},
		{"escapes beside", []string{"abcdef"}, `%41 \n&lt; abcdef`, `%41 \n&lt; ` + token},
		{"long, cut off", []string{strings.Repeat("0123456789", 30)}, "x" + strings.Repeat("0123456789", 30) + "y", "x" + token},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, changed := knowntext.New(test.secrets).Replace(test.text, token)
			if got != test.want || changed != (test.text != test.want) {
				t.Errorf("got %q, %v, want %q", got, changed, test.want)
			}
		})
	}
}

func TestBase64(t *testing.T) {
	set := knowntext.New([]string{"s3cr3t-value"})
	for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding, base64.RawStdEncoding} {
		for before := range 7 {
			for after := range 7 {
				text := enc.EncodeToString([]byte("?????~~"[:before] + "s3cr3t-value" + "?????~~"[:after]))
				if got, _ := set.Replace("Basic "+text+" .", token); got != "Basic "+token+" ." {
					t.Errorf("%s: got %s", text, got)
				}
			}
		}
	}
}

// TestBase64_JSON looks for secrets in JSON that base64 encodes, as it encodes the
// credentials of registries: in JSON, in JSON of JSON, and in JSON that has nothing but
// ASCII.
func TestBase64_JSON(t *testing.T) {
	for _, secret := range []string{`a"b\c12`, "line1\nline2", "a<b>&c", "tab\té1", "über漢字", "k🔑y 1", `"` + strings.Repeat(`x"`, 60)} {
		set := knowntext.New([]string{secret})
		for _, html := range []bool{false, true} {
			var b strings.Builder
			e := json.NewEncoder(&b)
			e.SetEscapeHTML(html)
			for _, name := range []string{"", "k", "ke", "key"} {
				b.Reset()
				if err := e.Encode(map[string]string{name: secret}); err != nil {
					t.Fatal(err)
				}
				once := b.String()
				b.Reset()
				if err := e.Encode(map[string]string{"a": once}); err != nil {
					t.Fatal(err)
				}
				mixed, err := json.Marshal(map[string]string{"a": once}) // with HTML
				if err != nil {
					t.Fatal(err)
				}
				ascii := regexp.MustCompile(`[^\x00-\x7f]`).ReplaceAllStringFunc(once, func(s string) string {
					return strings.Trim(strconv.QuoteToASCII(s), `"`)
				})
				for _, document := range []string{once, b.String(), string(mixed), strings.ReplaceAll(ascii, `\U0001f511`, `\ud83d\udd11`)} {
					for _, enc := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
						text := enc.EncodeToString([]byte(document))
						if got, _ := set.Replace("Basic "+text+" .", token); got != "Basic "+token+" ." && got != "Basic "+token {
							t.Errorf("%s: got %s", document, got)
						}
					}
				}
			}
		}
	}
}

func TestQuiet(t *testing.T) {
	set := knowntext.New([]string{"hunter2!", "päss"})
	for text, want := range map[string]bool{`["a","b"]`: true, `["a","hunter2!"]`: false, `["\u0068unter2!"]`: false, `{"päss":1}`: false} {
		var c knowntext.Scanner
		if c.Reset(set, []byte(text)); c.Quiet(0, len(text)) != want {
			t.Errorf("Quiet of %s is not %v", text, want)
		}
	}
	for _, set := range []*knowntext.Set{nil, knowntext.New(nil), knowntext.New([]string{""})} {
		var c knowntext.Scanner
		if c.Reset(set, []byte(`"\n"`)); !c.Quiet(0, 4) || !set.IsEmpty() {
			t.Error("an empty set finds something")
		}
	}
}

func TestReplaceInJSON(t *testing.T) {
	for _, test := range []struct{ name, secret, text, want string }{
		{"string and name", "hunter2!", `{"a hunter2!":["hunter2!",1]}`, `{"NAME":["(hidden)",1]}`},
		{"nothing", "hunter2!", `{"a":["hunter2",1, 12.5e3,"\n\u00e9é\u0000"]}`, `{"a":["hunter2",1, 12.5e3,"\n\u00e9é\u0000"]}`},
		{"after escapes", "hunter2!", `["\"","\\","\\\"","é","hunter2!"]`, `["\"","\\","\\\"","é","(hidden)"]`},
		{"escaped", "hunter2!", `[true,"\u0068unter2!",null]`, `[true,"(hidden)",null]`},
		{"across tokens", `a","b`, `["a","b"]`, `["a","b"]`},
		{"begins with a quote", `"secret`, `["secret","\"secret"]`, `["secret","(hidden)"]`},
		{"number", "1234567", `{"x":[1234567,-1234567.0, 8]}`, `{"x":[0,0, 8]}`},
		{"bytes", "hunter2!", `["68 75 6e 74 65 72 32 21","68 75 6e 74 65 72 32 22"]`, `["(hidden)","68 75 6e 74 65 72 32 22"]`},
		{"part of a number", "234567", `[12345678,"x"]`, `[0,"x"]`},
		{"number with an exponent", "1234567", `[1.234567e6,1.5e3]`, `[0,1.5e3]`},
		{"number with an exponent among others", "1234567", `[1,"1.234567e6",true,{"1.5":-1.234567E+6},7,[12.5],"x",1234567e0,1.234567e6]`, `[1,"1.234567e6",true,{"1.5":0},7,[12.5],"x",0,0]`},
		{"normal forms", norm.NFC.String("pässwörd"), `["é","` + norm.NFD.String("pässwörd") + `"]`, `["é","(hidden)"]`},
		{"a letter of ASCII in disguise", "Kelvin-secret", "[\"\u212aelvin-secret\"]", `["(hidden)"]`},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := 0
			got := knowntext.New([]string{test.secret}).ReplaceInJSON(nil, []byte(test.text), token, func(string) string { return "NAME" }, func() { n++ })
			if string(got) != test.want || (n > 0) != (test.text != test.want) {
				t.Errorf("got %s, %d changes, want %s", got, n, test.want)
			}
		})
	}
}

// TestSearch compares the search with a simple one, on texts of few letters, none
// of which is in a number.
func TestSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func(n, letters int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = 'f' + byte(r.IntN(letters))
		}
		return string(b)
	}
	found, alarms := 0, 0
	for i := range 3000 {
		letters := 2 + r.IntN(20)
		secrets := make([]string, 1+r.IntN(1+i%40))
		for i := range secrets {
			secrets[i] = word(2+r.IntN(12), letters)
		}
		text := word(r.IntN(300), letters)
		if r.IntN(2) == 0 {
			text += secrets[0] + word(r.IntN(30), letters)
		}
		want := false
		for _, s := range secrets {
			want = want || strings.Contains(text, s)
		}
		var c knowntext.Scanner
		json := []byte(`"` + text + `"`)
		c.Reset(knowntext.New(secrets), json)
		if got := !c.Quiet(0, len(json)); want && !got {
			t.Fatalf("%q in %q is not found", secrets, text)
		} else if got && !want && !knowntext.New(secrets).In(text) {
			alarms++ // letters that may be something encoded
		}
		if want {
			found++
		}
	}
	if found < 500 || found > 2900 {
		t.Errorf("%d of 3000 texts have a secret", found)
	}
	if alarms > 60 {
		t.Errorf("%d of 3000 texts without a secret are looked into", alarms)
	}
}

// TestSearch_Parts asks for each token of a text by itself. Secrets that share
// their beginnings, and the same ones twice, are found as any others.
func TestSearch_Parts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	found, clear := 0, 0
	for range 2000 {
		var secrets []string
		for range 1 + r.IntN(60) {
			secret := strings.Repeat("gh", 1+r.IntN(4)) + fmt.Sprintf("%x", r.IntN(1<<(1+r.IntN(24)))) + "x"
			secrets = append(secrets, secret, secret, secret+"y"+secret)
		}
		var text []byte
		var places [][2]int
		var want []bool
		for range 1 + r.IntN(12) {
			token := strings.Repeat("g", r.IntN(4)) + fmt.Sprintf("%x", r.Uint32())
			if r.IntN(3) == 0 {
				token += secrets[r.IntN(len(secrets))]
			}
			start := len(text)
			text = append(text, `"`+token+`",`...)
			places = append(places, [2]int{start, len(text) - 1})
			has := false
			for _, s := range secrets {
				has = has || strings.Contains(token, s)
			}
			want = append(want, has)
		}
		var c knowntext.Scanner
		c.Reset(knowntext.New(secrets), text)
		for i, p := range places {
			if got := !c.Quiet(p[0], p[1]); got != want[i] {
				t.Fatalf("%q in %s: %v, want %v", secrets, text[p[0]:p[1]], got, want[i])
			}
			if want[i] {
				found++
			} else {
				clear++
			}
		}
	}
	if found < 1000 || clear < 1000 {
		t.Errorf("%d tokens with secrets, %d without", found, clear)
	}
}

// FuzzReplace checks that nothing is left of a secret, whatever is around it and
// however it is spelled.
func FuzzReplace(f *testing.F) {
	f.Add("hunter2!", "a ", " b", uint8(0))
	f.Add("two\nlines", "\"", "\\", uint8(1))
	f.Add("pässwörd", "ä", "", uint8(2))
	f.Fuzz(func(t *testing.T, secret, before, after string, how uint8) {
		if len(strings.TrimSpace(secret)) < 6 || strings.Contains(token, strings.TrimSpace(secret)) {
			return
		}
		set := knowntext.New([]string{secret})
		spelled := secret
		switch how % 5 {
		case 1:
			b, _ := json.Marshal(secret)
			spelled = string(b[1 : len(b)-1])
			if !utf8.ValidString(secret) {
				return
			}
		case 2:
			spelled = norm.NFD.String(secret)
		case 3:
			spelled = url.QueryEscape(secret)
		case 4:
			spelled = base64.StdEncoding.EncodeToString([]byte(secret))
		}
		if strings.HasSuffix(before, `\`) {
			before += " "
		}
		out, changed := set.Replace(before+spelled+after, token)
		if !changed || strings.Contains(strings.ReplaceAll(out, token, "\x00"), spelled) {
			t.Errorf("%q (%d) is left in %q", secret, how%5, out)
		}
	})
}

// TestProportion counts what a search costs where it is hardest: text in which
// a pattern begins at every byte.
func TestProportion(t *testing.T) {
	secrets := []string{strings.Repeat("a", 1000)}
	for i := range 1000 {
		secrets = append(secrets, strings.Repeat("a", 20)+fmt.Sprint(i))
	}
	set := knowntext.New(secrets)
	bounds.Growth(t, "text", 1000, 2, 2.5, func(n int) func() {
		text := strings.Repeat(strings.Repeat("a", 30)+"b", n)
		return func() { set.Replace(text, token) }
	})
}

// TestCrosses asks whether secrets are on both sides of a place.
func TestCrosses(t *testing.T) {
	set := knowntext.New([]string{"secret", "cretion"})
	for _, test := range []struct {
		places []int
		want   bool
	}{{nil, false}, {[]int{2}, false}, {[]int{3}, true}, {[]int{1, 2, 11}, false}, {[]int{0, 10, 12}, true}, {[]int{8}, true}, {[]int{11, 12}, false}} {
		if got := set.Crosses("a secretion b", test.places); got != test.want {
			t.Errorf("at %v: %v", test.places, got)
		}
	}
	if knowntext.New(nil).Crosses("a", []int{0}) {
		t.Error("nothing crosses")
	}
}
