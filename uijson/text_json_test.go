// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tofuwire/tofuwire/uijson"
)

// spread returns texts that have oneLine in one way or another over several lines, and what none of the lines may have.
func spread() map[string]string {
	wrapped := func(text string, width int) string {
		var lines strings.Builder
		for ; len(text) > width; text = text[width:] {
			lines.WriteString(text[:width] + "\n")
		}
		return lines.String() + text + "\n"
	}
	all := map[string]string{
		"plain":     wrapped(oneLine, 10),
		"base64":    wrapped(base64.StdEncoding.EncodeToString([]byte(oneLine)), 16),
		"xxd -p":    wrapped(hex.EncodeToString([]byte(oneLine)), 20),
		"fold":      wrapped(hex.EncodeToString([]byte(oneLine)), 8),
		"with more": "before\npassword: " + oneLine[:15] + "\n" + oneLine[15:] + " and after\n",
	}
	for name, dump := range dumps {
		all[name] = dump
	}
	return all
}

// left returns a line of a text that still has a part of oneLine: as it is, in base64 or as numbers.
func left(text string) string {
	code := base64.StdEncoding.EncodeToString([]byte(oneLine))
	digits := hex.EncodeToString([]byte(oneLine))
	for line := range strings.Lines(text) {
		plain := strings.NewReplacer(" ", "", "0x", "", ",", "", ":", "").Replace(line)
		for _, secret := range []string{oneLine, code[:len(code)-4], digits} {
			for i := range len(secret) - 8 + 1 {
				if strings.Contains(line, secret[i:i+8]) || secret == digits && i+16 < len(digits) && strings.Contains(plain, secret[i:i+16]) {
					return line
				}
			}
		}
		for _, part := range []string{"6465532f", "64532f", "2b747978", "025564 074570", "162 145 164 053", "114 101 116", "n   t   e", "79782b74"} {
			if strings.Contains(line, part) {
				return line
			}
		}
	}
	return ""
}

// streams are ways to print lines as a stream of messages.
var streams = map[string]func(line string) any{
	"provisioner": func(line string) any {
		return message("terraform_data.a: (local-exec): "+line, "provision_progress", "hook", map[string]any{"resource": map[string]any{"addr": "terraform_data.a"}, "output": line})
	},
	"log": func(line string) any {
		return map[string]any{"@level": "debug", "@message": line, "@module": "provider.aws", "body": line, "n": 5}
	},
	"action": func(line string) any {
		return message("x", "action_progress", "hook", map[string]any{"message": line, "error": "│ " + line})
	},
	"detail": func(line string) any {
		return message("Error: x", "diagnostic", "diagnostic", map[string]any{"severity": "error", "summary": line, "detail": "first\n" + line + "\nlast",
			"snippet": map[string]any{"code": "    " + line, "values": []any{map[string]any{"traversal": "a.b", "statement": line}}}})
	},
	"unknown": func(line string) any { return message("x", "new_type", "new", map[string]any{"list": []any{line, 3}}) },
	"container": func(line string) any {
		return map[string]any{"log": "a.b (local-exec): " + line + "\n", "stream": "stdout"}
	},
	"nested": func(line string) any {
		inner, _ := json.Marshal(message("terraform_data.a: (local-exec): "+line, "provision_progress", "hook", map[string]any{"output": line}))
		return map[string]any{"log": string(inner) + "\n", "stream": "stdout"}
	},
}

func message(text, typ, member string, payload any) any {
	return map[string]any{"@level": "info", "@message": text, "@module": "tofu.ui", "@timestamp": "2026-01-02T03:04:05.000000Z", "type": typ, member: payload}
}

// shape is a JSON document with its kinds of values in place of the values.
func shape(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := make(map[string]any)
		for name := range v {
			out[name] = shape(v[name])
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = shape(v[i])
		}
		return out
	}
	return fmt.Sprintf("%T", v)
}

// TestSecretsOverMessages spreads a secret over messages in all encodings, in all places, and behind what runners write
// before each line. Nothing of it is left, the lines stay what they were, and others keep their bytes.
func TestSecretsOverMessages(t *testing.T) {
	const other = `{"@level":"info","@message":"terraform_data.a: Creating...",  "@module":"tofu.ui","type":"apply_start","hook":{"n":1.50}}`
	remover, remove := uijson.RemoveSecretsFromText([]string{oneLine}), uijson.RemoveSecrets([]string{oneLine})
	for how, stream := range streams {
		for name, text := range spread() {
			for _, prefix := range []string{"", "2026-01-02T03:04:05.987654321Z stdout F ", "build\tapply\t2026-01-02T03:04:05.1Z ", "[12:13:14] :\t [Step 1/2] ", "some words of a program "} {
				var log strings.Builder
				for line := range strings.Lines(text) {
					doc, _ := json.Marshal(stream(strings.TrimSuffix(line, "\n")))
					log.WriteString(prefix + string(doc) + "\n" + prefix + other + "\n")
				}
				var out bytes.Buffer
				if err := remover.Copy(&out, strings.NewReader(log.String())); err != nil {
					t.Fatal(err)
				}
				checkLines(t, how+", "+name+", "+prefix, prefix, log.String(), out.String(), other)
				if how == "container" || how == "nested" {
					continue
				}
				messages := filtered(t, []byte(log.String()), remove)
				checkLines(t, "messages: "+how+", "+name, "", strings.ReplaceAll(log.String(), prefix+"{", "{"), string(messages), other)
			}
		}
	}
}

func checkLines(t *testing.T, name, prefix, was, now, other string) {
	t.Helper()
	if line := left(now); line != "" {
		t.Errorf("%s: left in %s", name, line)
	}
	a, b := strings.Split(was, "\n"), strings.Split(now, "\n")
	if len(a) != len(b) || !strings.Contains(now, uijson.Redacted) {
		t.Fatalf("%s: %s", name, now)
	}
	for i := range a {
		var before, after any
		line, ok := strings.CutPrefix(b[i], prefix)
		if a[i] == b[i] || a[i] == prefix+other {
			if a[i] != b[i] {
				t.Errorf("%s: %s", name, b[i])
			}
			continue
		}
		if err := json.Unmarshal([]byte(line), &after); err != nil || !ok {
			t.Fatalf("%s: %s %v", name, b[i], err)
		}
		if _ = json.Unmarshal([]byte(strings.TrimPrefix(a[i], prefix)), &before); !reflect.DeepEqual(shape(before), shape(after)) {
			t.Errorf("%s: %s has become %s", name, a[i], b[i])
		}
	}
}

// TestSecretsInMixedLines has lines that are not of one kind.
func TestSecretsInMixedLines(t *testing.T) {
	const gone = uijson.Redacted
	object := `{"user":"bob","password":"hunter22"}`
	digits := hex.EncodeToString([]byte(oneLine))[20:40]
	for _, tt := range []struct{ name, in, want string }{
		{"two and text", `{"a":"` + digits + `"}{"b":"x ` + oneLine + `"} ` + digits, `{"a":"` + gone + `"}{"b":"x ` + gone + `"} ` + gone},
		{"before", "t=" + oneLine + ` {"a":"b"}`, "t=" + gone + ` {"a":"b"}`},
		{"half", `{"@level":"info","hook":{"output":"` + digits + `","x":"` + digits, `{"@level":"info","hook":{"output":"` + gone + `","x":"` + gone},
		{"other half", digits + `"},"hook":{"output":"` + digits + `"},"type":"x"}`, gone + `"},"hook":{"output":"` + gone + `"},"type":"x"}`},
		{"a secret in JSON", "x " + object + " y", "x " + gone + " y"},
		{"a secret is JSON", object, gone},
		{"numbers in a text", `{"a":"00000000: 6563 7265 742b 7879 7a2d 3031  ecret+xyz-01"}`, `{"a":"00000000: ` + gone + `"}`},
		{"numbers in a list", `{"a":[101,99,114,101,116,43,120,121,122],"b":[1,2,3,4,5,6,7,8,9],"c":[1.5,115],"d":[]}`, `{"a":["` + gone + `"],"b":[1,2,3,4,5,6,7,8,9],"c":[1.5,115],"d":[]}`},
		{"words of the format", `{"@level":"info","@message":"` + digits + `","@module":"tofu.ui","type":"planned_change"}`, `{"@level":"info","@message":"` + gone + `","@module":"tofu.ui","type":"planned_change"}`},
		{"an address", `{"@level":"info","@message":"` + digits + `","@module":"tofu.ui","hook":{"resource":{"addr":"terraform_data.listed"}},"type":"planned_change"}`, `{"@level":"info","@message":"` + gone + `","@module":"tofu.ui","hook":{"resource":{"addr":"terraform_data.listed"}},"type":"planned_change"}`},
		{"a document", `{"planned_change":"` + digits + `"}`, `{"planned_change":"` + gone + `"}`},
		{"not JSON", `x = {"a" = [1, 2]} {"b": nothing} [build]`, `x = {"a" = [1, 2]} {"b": nothing} [build]`},
		{"colours", "x \x1b[1m" + oneLine[:9] + "\x1b[0m" + oneLine[9:] + " \x1b[3my", "x " + gone + " y"},
		{"colours of others", "x \x1b[1mplain\x1b[0m y", "x \x1b[1mplain\x1b[0m y"},
		{"a dump of a container", "2026-01-02T03:04:05.678901234Z stdout F 00000000: 6563 7265 742b 7879 7a2d 3031 3233 3435  ecret+xyz-012345", "2026-01-02T03:04:05.678901234Z stdout F 00000000: " + gone},
	} {
		got := removed(t, tt.in+"\n", oneLine, object, "planned_change", "see terraform_data.listed in it")
		if tt.name == "a document" {
			tt.want = strings.ReplaceAll(tt.want, "planned_change", gone)
		}
		if got = strings.TrimSuffix(got, "\n"); got != tt.want && got != strings.ReplaceAll(tt.want, "00000000: ", "") {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// TestDigitsInTimes has a secret of digits alone: it is hidden inside of longer numbers too, but a second has a
// fraction in each line of a log.
func TestDigitsInTimes(t *testing.T) {
	const gone = uijson.Redacted
	for in, want := range map[string]string{
		"2026-01-02T03:04:05.123456789Z x 12345678":                               "2026-01-02T03:04:05.123456789Z x " + gone,
		"[03:04:05,912345678] id-4212345678":                                      "[03:04:05,912345678] id-42" + gone,
		"a\tb\t2026-01-02T03:04:05.12345678Z y":                                   "a\tb\t2026-01-02T03:04:05.12345678Z y",
		"03:04:05.1234567890 is longer":                                           "03:04:05." + gone + "90 is longer",
		"4:05.12345678 is none":                                                   "4:05." + gone + " is none",
		"x3:04:05.12345678 is none":                                               "x3:04:05." + gone + " is none",
		`{"time":"2026-01-02T03:04:05.123456789Z","n":12345678,"id":"a12345678"}`: `{"time":"2026-01-02T03:04:05.123456789Z","n":0,"id":"a` + gone + `"}`,
	} {
		if got := removed(t, in+"\n", "12345678"); got != want+"\n" {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestTextRemoverUTF16 has logs as PowerShell writes them: the lines without secrets keep their bytes.
func TestTextRemoverUTF16(t *testing.T) {
	for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		encode := func(text string) (out []byte) {
			for _, u := range utf16.Encode([]rune(text)) {
				out = order.AppendUint16(out, u)
			}
			return out
		}
		for _, mark := range []string{"\uFEFF", ""} {
			// U+0A0A and U+0A00 have the byte of a line feed.
			in := encode(mark + "plain \u0a0a \u0a00 \r\nx " + oneLine + " \U0001F600\r\n" + `{"a":"` + oneLine + `"}` + "\nend " + oneLine)
			want := encode(mark + "plain \u0a0a \u0a00 \r\nx " + uijson.Redacted + " \U0001F600\r\n" + `{"a":"` + uijson.Redacted + `"}` + "\nend " + uijson.Redacted)
			if got := removed(t, string(in), oneLine); got != string(want) {
				t.Errorf("%s: %q", name, got)
			}
			if got := removed(t, string(in), "another secret"); got != string(in) {
				t.Errorf("%s: %q", name, got)
			}
		}
		long := encode("\uFEFF" + strings.Repeat("x", 9<<20) + "\n" + oneLine + "\n")
		if got, want := removed(t, string(long), oneLine), encode(uijson.Redacted+"\n"+uijson.Redacted+"\n"); got != string(want) {
			t.Errorf("%s: %d bytes", name, len(got))
		}
	}
}
