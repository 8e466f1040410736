// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/tofuwire/tofuwire/uijson"
)

const (
	oneLine  = "pl4nted/Secret+xyz-0123456789"
	fourLine = "first planted line\nsecond-planted-line\nshort\nlast planted line of it\n"
)

// removed is what Bytes and Copy return for a text, which must be the same.
func removed(t *testing.T, text string, secrets ...string) string {
	t.Helper()
	remover := uijson.RemoveSecretsFromText(secrets)
	got := remover.Bytes([]byte(text))
	var b bytes.Buffer
	if err := remover.Copy(&b, iotest.OneByteReader(strings.NewReader(text))); err != nil || b.String() != string(got) {
		t.Errorf("Copy: %q, Bytes: %q %v", b.String(), got, err)
	}
	return string(got)
}

func TestRemoveSecretsFromText(t *testing.T) {
	const gone = uijson.Redacted
	quoted, _ := json.Marshal(map[string]string{"m": fourLine})
	twice, _ := json.Marshal(string(quoted))
	for _, tt := range []struct{ name, in, want string }{
		{"in a line", "a " + oneLine + " b\r\nc\n", "a " + gone + " b\r\nc\n"},
		{"no line end", "a\n" + oneLine, "a\n" + gone},
		{"empty", "", ""},
		{"nothing", "a\n\nb\n", "a\n\nb\n"},
		{"lines", "x: first planted line\n  second-planted-line\n  short\n  last planted line of it\n", "x: " + gone + "\n  " + gone + "\n  short\n  " + gone + "\n"},
		{"frames", "│ x pl4nted/Secret\n│ +xyz-0123456789 y\n╵\n", "│ x " + gone + "\n│ +" + gone + " y\n╵\n"},
		{"colours", "\x1b[31m│\x1b[0m pl4nted/Secr\x1b[0m\n\x1b[31m│\x1b[0m et+xyz-01234\n\x1b[31m│\x1b[0m 56789 and more\n",
			"\x1b[31m│\x1b[0m " + gone + "\x1b[0m\n\x1b[31m│\x1b[0m " + gone + "\n\x1b[31m│\x1b[0m 56789 and more\n"},
		{"two characters", `x = "first planted line\nsecond-planted-line\nshort\nlast planted line of it\n"` + "\n", gone + "\n"},
		{"JSON", string(quoted) + "\n", `{"m":"` + gone + `"}` + "\n"},
		{"JSON in JSON", string(twice) + "\n", gone + "\n"},
		{"only eight", "│ 23456789\n", "│ " + gone + "\n"},
		{"only seven", "│ 3456789\n", "│ 3456789\n"},
		{"zero bytes", "\x00" + oneLine + "\x00\n\x00\x0056789\x00\x00\n" + oneLine[20:] + "\x00\x00\x00\n", "\x00" + gone + "\x00\n\x00\x0056789\x00\x00\n" + gone + "\x00\x00\x00\n"},
		{"zero bytes in a dump", "00 00 00 " + strings.Trim(fmt.Sprintf("% x", oneLine[:10]), " ") + "\n" + strings.Trim(fmt.Sprintf("% x", oneLine[20:]), " ") + " 00 00\n", gone + "\n" + gone + "\n"},
		{"middle of it", "nothing of 4nted/Secret+x here\n", "nothing of 4nted/Secret+x here\n"},
	} {
		if got := removed(t, tt.in, oneLine, fourLine, ""); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestRemoveSecretsFromTextEncoded wraps base64 of texts around a secret at each width, as
// kubectl, openssl and mail do. No line must keep eight of the letters that only the secret has.
func TestRemoveSecretsFromTextEncoded(t *testing.T) {
	for before := range 5 {
		encoded := base64.StdEncoding.EncodeToString([]byte("user"[:min(before, 4)] + strings.Repeat(oneLine, 2) + " and so on"))
		for _, width := range []int{16, 20, 64, 76} {
			var text strings.Builder
			for i := 0; i < len(encoded); i += width {
				text.WriteString("    " + encoded[i:min(i+width, len(encoded))] + "\n")
			}
			got := strings.ReplaceAll(strings.ReplaceAll(removed(t, text.String(), strings.Repeat(oneLine, 2)), "    ", ""), "\n", "")
			for i := range len(encoded) - 8 {
				// The letters of the secret alone begin and end some letters inside.
				if i >= 8 && i+8 < 4*2*len(oneLine)/3-8 && strings.Contains(got, encoded[i:i+8]) {
					t.Fatalf("width %d, %d before: %s is left in %s", width, before, encoded[i:i+8], got)
				}
			}
		}
	}
}

// TestRemoveSecretsFromTextLabels spreads a secret over lines that programs have written something
// before: no line keeps eight characters of it, and what was written before stays.
func TestRemoveSecretsFromTextLabels(t *testing.T) {
	long := strings.Repeat(oneLine, 2)
	wrapped := func(label, text string, width int) string {
		var lines strings.Builder
		for i := 0; i < len(text); i += width {
			lines.WriteString(label + text[i:min(i+width, len(text))] + "\n")
		}
		return lines.String()
	}
	for _, label := range []string{
		"null_resource.a (local-exec): ",
		"module.m[\"a b\"].null_resource.a[0] (remote-exec):     ",
		"\x1b[0m\x1b[1mnull_resource.a (local-exec):\x1b[0m \x1b[0m",
		"2026-01-02T03:04:05.6789012Z ",
		"2026-01-02T03:04:05.678901234Z stdout F ",
		"2026/01/02 03:04:05 ",
		"Jan  2 03:04:05 host app[12]: ",
		"web-1  | ",
		"[build] ",
		"03:04:05 │ null_resource.a (local-exec): ",
		"2026-01-02T03:04:05.678901Z 00O ",
		"2026-01-02T03:04:05.678901Z 01E+",
		"2026-01-02T03:04:05.678901Z ##[error]",
		"##[debug]",
		"\x1b_bk;t=1767323045678\a",
		"1767323045.678 ",
		"     2\t",
		"build\tRun tofu apply\t",
		"terraform_data.a (local-exec):     12\t",
	} {
		for name, spelled := range map[string]string{"plain": long, "base64": base64.StdEncoding.EncodeToString([]byte(long)), "hex": hex.EncodeToString([]byte(long))} {
			for _, width := range []int{12, 20, 64} {
				lines := strings.Split(strings.TrimSuffix(removed(t, wrapped(label, spelled, width), long), "\n"), "\n")
				for i, line := range lines {
					rest, ok := strings.CutPrefix(line, label)
					if !ok || len(rest) >= 8 && rest != uijson.Redacted && (name == "plain" || i+1 < len(lines)) { // the last letters of base64 depend on what follows
						t.Errorf("%s, %s, width %d: %q", label, name, width, line)
					}
				}
			}
		}
	}
	if got, want := removed(t, "x: "+base64.StdEncoding.EncodeToString([]byte(oneLine+"12"))+"\n", oneLine+"12"), "x: "+uijson.Redacted+"\n"; got != want {
		t.Errorf("a whole secret in base64: %q", got)
	}
	for _, text := range []string{"nothing of 4nted/Secret+x\n", "deploy to 4nted/Secret+x now: it\n", "it: 4nted/Secret+x here\n"} {
		if got := removed(t, text, oneLine); got != text {
			t.Errorf("%q", got)
		}
	}
	if got, want := removed(t, "a "+oneLine+" x: 4nted/Secret+x\n", oneLine), "a "+uijson.Redacted+" x: "+uijson.Redacted+"\n"; got != want {
		t.Errorf("a secret before it: %q", got)
	}
}

// TestRemoveSecretsFromTextHex wraps a secret in hexadecimal, as xxd -p and openssl do. A last line of
// less than eight characters may stay.
func TestRemoveSecretsFromTextHex(t *testing.T) {
	plain := hex.EncodeToString([]byte(oneLine))
	colons := strings.TrimSuffix(regexp.MustCompile("..").ReplaceAllString(plain, "$0:"), ":")
	for name, encoded := range map[string]string{"hex": plain, "upper": strings.ToUpper(plain), "colons": colons, "upper colons": strings.ToUpper(colons)} {
		for _, width := range []int{12, 30, 45, 60} {
			var text strings.Builder
			for i := 0; i < len(encoded); i += width {
				text.WriteString("    " + encoded[i:min(i+width, len(encoded))] + "\n")
			}
			for line := range strings.Lines(removed(t, text.String(), oneLine)) {
				if line = strings.TrimSpace(line); len(line) >= 8 && line != uijson.Redacted {
					t.Errorf("%s, width %d: %s is left", name, width, line)
				}
			}
		}
	}
	if got := removed(t, "deadbeef 00:11:22:33\n", oneLine); got != "deadbeef 00:11:22:33\n" {
		t.Errorf("%q", got)
	}
}

func TestTextRemoverLimits(t *testing.T) {
	var none *uijson.TextRemover
	text := []byte("x\n")
	var b bytes.Buffer
	if err := none.Copy(&b, bytes.NewReader(text)); err != nil || b.String() != "x\n" || &none.Bytes(text)[0] != &text[0] {
		t.Errorf("nil: %q %v", b.String(), err)
	}
	long := strings.Repeat("x", 17<<20)
	b.Reset()
	r := uijson.RemoveSecretsFromText([]string{oneLine})
	if err := r.Copy(&b, strings.NewReader(long+"\n"+oneLine+"\n"+long)); err != nil || b.String() != strings.Repeat(uijson.Redacted+"\n", 2)+uijson.Redacted {
		t.Errorf("%d bytes: %v", b.Len(), err)
	}
	fault := errors.New("fault")
	if err := r.Copy(io.Discard, iotest.ErrReader(fault)); err != fault {
		t.Error(err)
	}
	if err := r.Copy(failing{fault}, strings.NewReader("a\n")); err != fault {
		t.Error(err)
	}
	if got := removed(t, "sensitive value and x\n", "sensitive value"); got != "*** and x\n" {
		t.Errorf("%q", got)
	}
	// A piece that is in a secret everywhere takes no more time than others.
	same := strings.Repeat("a", 1<<20)
	if got := removed(t, strings.Repeat(same[:1000]+"\n", 200), same); strings.Contains(got, "aaaaaaaa") {
		t.Error("a part is left")
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// FuzzRemoveSecretsFromText states that no secret is left as it is, that lines stay lines, and
// that what has no secret left changes no more.
func FuzzRemoveSecretsFromText(f *testing.F) {
	f.Add("a "+oneLine+"\nb", oneLine, fourLine)
	f.Add("first planted line\r\n", fourLine, "x")
	f.Add(`x {"a":"nted/Secret","b":[112,108,52,110,116,101,100,47]} y`+"\n"+`{"@level":"info","@message":"6e 74 65 64 2f 53"}`, oneLine, "12345678")
	f.Add(`{"12345678":12345678,"a":[-1,2.5e3,1,2,3]}`, "12345678", "123")
	f.Add("{\"12345678\":12345678,\"\x82\":1}", "12345678", "123") // it is not UTF-8, and therefore text
	f.Fuzz(func(t *testing.T, text, one, two string) {
		got := removed(t, text, one, two)
		if strings.Contains(uijson.Redacted, one) || strings.Contains(uijson.Redacted, two) || strings.Contains("***", one) || strings.Contains("***", two) {
			t.Skip("needs a secret that is no part of what takes its place")
		}
		for _, s := range []string{one, two} {
			inJSON := len(s) > 1 || !strings.Contains(text, "{") && !strings.Contains(text, "[") // marks, words and 0 are no secrets there
			if s != "" && inJSON && !strings.Contains("true false null", s) && !strings.ContainsAny(s, "\n\r*()") && strings.Contains(strings.ReplaceAll(got, uijson.Redacted, "\n"), s) {
				t.Errorf("%q is left in %q", s, got)
			}
		}
		before, after := strings.Split(text, "\n"), strings.Split(got, "\n")
		for i := range before {
			if len(after) == len(before) && strings.HasPrefix(before[i], `{"`) && json.Valid([]byte(before[i])) && utf8.ValidString(before[i]) && !strings.ContainsAny(one+two, `"{}[]:,`) && !json.Valid([]byte(after[i])) {
				t.Errorf("%q is no JSON, as %q was", after[i], before[i])
			}
		}
		if strings.Count(got, "\n") != strings.Count(text, "\n") {
			t.Errorf("%q has other lines than %q", got, text)
		}
	})
}

func ExampleRemoveSecretsFromText() {
	secrets := []string{"hunter2-hunter2"} // redact.Redactor.KnownSecrets returns those of a plan
	log := strings.NewReader("│ Error: cannot log in as admin:hunter2-hunter2\n")
	if err := uijson.RemoveSecretsFromText(secrets).Copy(os.Stdout, log); err != nil {
		panic(err)
	}
	// Output:
	// │ Error: cannot log in as admin:(sensitive value)
}

// dumps are what programs print of a text with oneLine.
var dumps = map[string]string{
	"xxd":        "00000000: 7573 6572 3d78 2070 6c34 6e74 6564 2f53  user=x pl4nted/S\n00000010: 6563 7265 742b 7879 7a2d 3031 3233 3435  ecret+xyz-012345\n00000020: 3637 3839 2074 6169 6c                   6789 tail\n",
	"xxd -g1":    "00000000: 75 73 65 72 3d 78 20 70 6c 34 6e 74 65 64 2f 53  user=x pl4nted/S\n00000010: 65 63 72 65 74 2b 78 79 7a 2d 30 31 32 33 34 35  ecret+xyz-012345\n00000020: 36 37 38 39 20 74 61 69 6c                       6789 tail\n",
	"xxd -i":     "unsigned char s[] = {\n  0x75, 0x73, 0x65, 0x72, 0x3d, 0x78, 0x20, 0x70, 0x6c, 0x34, 0x6e, 0x74,\n  0x65, 0x64, 0x2f, 0x53, 0x65, 0x63, 0x72, 0x65, 0x74, 0x2b, 0x78, 0x79,\n  0x7a, 0x2d, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39,\n  0x20, 0x74, 0x61, 0x69, 0x6c\n};\n",
	"hexdump -C": "00000000  75 73 65 72 3d 78 20 70  6c 34 6e 74 65 64 2f 53  |user=x pl4nted/S|\n00000010  65 63 72 65 74 2b 78 79  7a 2d 30 31 32 33 34 35  |ecret+xyz-012345|\n00000020  36 37 38 39 20 74 61 69  6c                       |6789 tail|\n00000029\n",
	"hexdump":    "0000000 7375 7265 783d 7020 346c 746e 6465 532f\n0000010 6365 6572 2b74 7978 2d7a 3130 3332 3534\n0000020 3736 3938 7420 6961 006c               \n0000029\n",
	"od":         "0000000 071565 071145 074075 070040 032154 072156 062145 051457\n0000020 061545 062562 025564 074570 026572 030460 031462 032464\n0000040 033466 034470 072040 064541 000154\n0000051\n",
	"od -b":      "0000000 165 163 145 162 075 170 040 160 154 064 156 164 145 144 057 123\n0000020 145 143 162 145 164 053 170 171 172 055 060 061 062 063 064 065\n0000040 066 067 070 071 040 164 141 151 154\n0000051\n",
	"od -tx1":    " 75 73 65 72 3d 78 20 70 6c 34 6e 74 65 64 2f 53\n 65 63 72 65 74 2b 78 79 7a 2d 30 31 32 33 34 35\n 36 37 38 39 20 74 61 69 6c\n",
	"od -tu1":    "0000000 117 115 101 114  61 120  32 112 108  52 110 116 101 100  47  83\n0000020 101  99 114 101 116  43 120 121 122  45  48  49  50  51  52  53\n0000040  54  55  56  57  32 116  97 105 108\n0000051\n",
	"xxd -g4":    "00000000: 75736572 3d782070 6c346e74 65642f53  user=x pl4nted/S\n00000010: 65637265 742b7879 7a2d3031 32333435  ecret+xyz-012345\n00000020: 36373839 20746169 6c                 6789 tail\n",
	"od -tx4":    "0000000 72657375 7020783d 746e346c 532f6465\n0000020 65726365 79782b74 31302d7a 35343332\n0000040 39383736 69617420 0000006c\n0000051\n",
	"od -c":      "0000000   u   s   e   r   =   x       p   l   4   n   t   e   d   /   S\n0000020   e   c   r   e   t   +   x   y   z   -   0   1   2   3   4   5\n0000040   6   7   8   9       t   a   i   l\n0000051\n",
	"Go":         "sent [117 115 101 114 61 120 32 112 108 52 110 116 101 100 47 83 101 99 114 101 116 43 120 121 122 45 48 49 50 51 52 53 54 55 56 57 32 116 97 105 108] to it\n",
	"Go, syntax": "sent []byte{0x75, 0x73, 0x65, 0x72, 0x3d, 0x78, 0x20, 0x70, 0x6c, 0x34, 0x6e, 0x74, 0x65, 0x64, 0x2f, 0x53, 0x65, 0x63, 0x72, 0x65, 0x74, 0x2b, 0x78, 0x79, 0x7a, 0x2d, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x20, 0x74, 0x61, 0x69, 0x6c}\n",
	"JSON":       `{"type":"Buffer","data":[117,115,101,114,61,120,32,112,108,52,110,116,101,100,47,83,101,99,114,101,116,43,120,121,122,45,48,49,50,51,52,53,54,55,56,57]}` + "\n",
}

// TestRemoveSecretsFromTextDumps hides a secret in what xxd, hexdump and od print of a text with it.
// No line keeps eight bytes of it, as numbers or as text.
func TestRemoveSecretsFromTextDumps(t *testing.T) {
	for name, dump := range dumps {
		got := removed(t, dump, oneLine)
		if lines := strings.Count(got, "\n"); lines != strings.Count(dump, "\n") || strings.Count(got, uijson.Redacted) < min(2, lines) && lines > 1 || !strings.Contains(got, uijson.Redacted) {
			t.Errorf("%s: %s", name, got)
		}
		for _, left := range []string{"7465 72", "746e 6465", "6e 74 65", "6e, 0x74", "72 65 74 2b", "2b74 7978", "025564", "162 145 164 053", "114 101 116", "110,116,101", "6c346e74", "79782b74", "n   t   e", "pl4nted", "ecret+"} {
			if strings.Contains(got, left) && name != "xxd -i" {
				t.Errorf("%s: %q is left in\n%s", name, left, got)
			}
		}
		if name == "JSON" && !json.Valid([]byte(got)) {
			t.Errorf("%s", got)
		}
		if other := removed(t, dump, "another/Secret+xyz-0123456789"); strings.Contains(other, "user") != strings.Contains(dump, "user") {
			t.Errorf("%s: %s", name, other)
		}
	}
}

// TestTextRemover_marks has lines that begin with parts of a secret whose first letter is a mark of
// the tools elsewhere.
func TestTextRemover_marks(t *testing.T) {
	const secret = "AKq83jd9+TO6yj/9gXabXtz0#123kdkq>2kd92ab~~cdefgh++ijklmn"
	remover := uijson.RemoveSecretsFromText([]string{secret})
	for _, before := range []string{"", "    ", "+ ", "+", "2026-01-02T03:04:05Z ", "│ ", "terraform_data.a (local-exec): "} {
		for at := 0; at < len(secret); at += 8 {
			line := before + secret[at:at+8]
			if got, want := string(remover.Bytes([]byte(line))), before+"(sensitive value)"; got != want {
				t.Errorf("%q: %q", line, got)
			}
		}
	}
}
