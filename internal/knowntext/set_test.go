// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package knowntext_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/tofuwire/tofuwire/internal/knowntext"
)

const token = "(hidden)"

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
		{"quotes in JSON in a string", []string{`a"b\c12`}, `{"k":"a\"b\\c12"}`, token},
		{"escapes of escapes", []string{"line1\nline2"}, `"{\"k\":\"line1\\nline2\"}"`, token},
		{"code points", []string{"secret"}, `\u0073ecret`, token},
		{"surrogates", []string{"key😀key"}, `key\ud83d\ude00key`, token},
		{"NFD in the text", []string{norm.NFC.String("pässwörd")}, norm.NFD.String("pässwörd"), token},
		{"NFC in the text", []string{norm.NFD.String("pässwörd")}, norm.NFC.String("pässwörd"), token},
		{"CRLF", []string{"first line\nsecond"}, "x first line\r\nsecond", token},
		{"indented", []string{"first line\n second\n"}, "    first line\n     second\n", token},
		{"one line of many", []string{"short\nthis line is 22 bytes\n"}, "> this line is 22 bytes", "> " + token},
		{"without the line end", []string{"secret-x\n"}, "secret-x,", token + ","},
		{"percent", []string{"a/b c+d&"}, "?q=" + url.QueryEscape("a/b c+d&") + "&z", "?q=" + token + "&z"},
		{"percent in a path", []string{"a/b c+d&"}, "/" + url.PathEscape("a/b c+d&"), "/" + token},
		{"percent, more than needed", []string{"secret"}, "%73ecret", token},
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

func TestInRaw(t *testing.T) {
	set := knowntext.New([]string{"hunter2!", "päss"})
	for text, want := range map[string]bool{`["a","b"]`: false, `["a","hunter2!"]`: true, `["\u0068unter2!"]`: true, `{"päss":1}`: true} {
		if set.InRaw([]byte(text)) != want {
			t.Errorf("InRaw(%s) is not %v", text, want)
		}
	}
	if knowntext.New(nil).InRaw([]byte(`"\n"`)) || !knowntext.New([]string{""}).IsEmpty() {
		t.Error("an empty set finds something")
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
	cost := func(n int) float64 {
		text := strings.Repeat(strings.Repeat("a", 30)+"b", n)
		return testing.AllocsPerRun(1, func() { set.Replace(text, token) })
	}
	if small, large := cost(1000), cost(2000); large > 2.5*small+10 {
		t.Errorf("twice the text takes %v allocations instead of %v", large, small)
	}
}
