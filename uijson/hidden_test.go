// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/uijson"
)

const errorLine = `{"@level":"error","@message":"Error: böom","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000002Z",` +
	`"diagnostic":{"severity":"error","summary":"böom","detail":"of {\"@level\":\"x\"}"},"type":"diagnostic"}` + "\n"

// Messages are found whatever is before, behind and between them, on their line.
func TestHiddenMessages(t *testing.T) {
	message := strings.TrimSuffix(errorLine, "\n")
	log := strings.TrimSuffix(logLine, "\n")
	half := len(message) / 2
	for _, test := range []struct {
		name string
		in   string
		want []string
	}{
		{"text", "warning: x" + errorLine, []string{"message diagnostic"}},
		{"escape sequences", "\x1b[0m" + message + "\x1b[0m\n", []string{"message diagnostic unended", "text"}},
		{"progress", "10%\r20%\r" + message + "\r\n", []string{"message diagnostic"}},
		{"two messages with a prefix", "[u] " + message + log + "\n", []string{"message diagnostic unended", "message log"}},
		{"two messages with a prefix each", "[u] " + message + " [u] " + log + "\n", []string{"message diagnostic unended", "message log"}},
		{"a prefix with a brace", "{u} {" + message + "}\n", []string{"message diagnostic unended", "text"}},
		{"a prefix that is JSON", `{"a":1}[1]"x"` + errorLine, []string{"json ! unended", "message diagnostic"}},
		{"GitHub", "2026-01-02T03:04:05.0000000Z " + errorLine, []string{"message diagnostic"}},
		{"GitLab", "\x1b[0Ksection_start:1560896352:x\r\x1b[0K" + errorLine, []string{"message diagnostic"}},
		{"HCP Terraform", "\x02" + message + "\n\x03", []string{"message diagnostic", "text unended"}},
		{"NUL", "\x00" + message + "\x00\x00\n", []string{"message diagnostic unended", "text"}},
		{"a list", "[" + message + "," + log + "]\n", []string{"message diagnostic unended", "message log unended", "text"}},
		{"another order", `[u] {"type":"log",` + log[1:] + "\n", []string{"message log"}},
		{"white space inside", "[u] " + strings.ReplaceAll(log, `"@`, "\t \"@") + "\n", []string{"message log"}},
		{"an escape sequence inside", message[:40] + "\x1b[1;31m" + message[40:] + "\n", []string{"message diagnostic repaired"}},
		{"an escape sequence behind text, inside", "x " + message[:17] + "\x1b[0m" + message[17:] + "\n", []string{"message diagnostic repaired"}},
		{"a carriage return inside, and more", message[:20] + "\r" + message[20:] + log + "\n", []string{"message diagnostic unended repaired", "message log"}},
		{"not UTF-8, behind text", "x " + message[:40] + "\xff" + message[40:] + "\n", []string{"message diagnostic repaired"}},
		{"text inside", message[:18] + "NOISE" + message[18:] + "\n", []string{"damaged !"}},
		{"a line inside", message[:half] + "\nNOISE\n" + message[half:] + "\n", []string{"damaged !", "text", "text"}},
		{"a line inside, early", message[:4] + "NOISE\n" + message[4:] + "\n", []string{"damaged !", "damaged !"}},
		{"a message inside", message[:half] + logLine + message[half:] + "\n", []string{"damaged ! unended", "message log", "text"}},
		{"a message at the place of a value", message[:10] + log + message[10:] + "\n", []string{"damaged ! unended", "message log unended", "damaged !"}},
		{"half a message, then another", message[:half] + log + message[:half] + errorLine, []string{"damaged ! unended", "message log unended", "damaged ! unended", "message diagnostic"}},
		{"half a message and its prefix, at the end", "[u] " + message[:half], []string{"text unended", "partial ! unended"}},
		{"a brace and its prefix, at the end", "[u] {", []string{"partial ! unended"}},
		{"a filter", `+ jq 'select(."@level"=="error")' | grep '"@level":"error"'` + "\n", []string{"text"}},
		{"UTF-16 within", log + "\n" + wide(binary.LittleEndian, errorLine) + logLine, []string{"message log", "message diagnostic repaired", "message log"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, _ := read(t, test.in)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			var found bool
			for ev := range uijson.NewReader(strings.NewReader(test.in)).Events() {
				found = found || ev != nil && ev.Message.IsError()
			}
			if strings.Contains(test.in, `@level":"error",`) && !found {
				t.Error("the error is lost")
			}
		})
	}
}

// wide returns text in UTF-16.
func wide(order binary.AppendByteOrder, text string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// A stream in UTF-16 is like one in UTF-8.
func TestUTF16(t *testing.T) {
	in := versionLine + "text é \U0001F600\r\n\n" + errorLine + "[u] " + strings.TrimSuffix(errorLine, "\n") + "ਊ" + logLine
	for _, bom := range []string{"\uFEFF", ""} {
		want, _ := read(t, bom+in)
		for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
			for _, end := range []string{"", `{"@level":"error","@mess`, "\n"} {
				got, _ := read(t, wide(order, bom+in+end))
				all := want
				switch end {
				case "\n":
					all = append(want[:len(want):len(want)], "blank")
				case "":
				default:
					all = append(want[:len(want):len(want)], "partial ! unended")
				}
				if diff := cmp.Diff(all, got); diff != "" {
					t.Errorf("%s, %q at the end:\n%s", name, end, diff)
				}
			}
			src := wide(order, bom+in)
			var edited strings.Builder
			w := uijson.NewWriter(&edited)
			for ev := range uijson.NewReader(strings.NewReader(src)).Events() {
				if m := ev.Message; m != nil && m.Text == "Error: böom" {
					m.Text = "Error: \U0001F600"
				} else if m == nil && strings.Contains(ev.Text(), "\x00") {
					t.Errorf("%s: text %q", name, ev.Text())
				}
				if err := w.WriteEvent(ev); err != nil {
					t.Fatal(err)
				}
			}
			if want := wide(order, bom+strings.ReplaceAll(in, "Error: böom", "Error: \U0001F600")); edited.String() != want {
				t.Errorf("%s, edited: %q", name, edited.String())
			}
			for e, err := range uijson.NewReader(strings.NewReader(src)).Envelopes() {
				if err != nil {
					t.Fatal(err)
				}
				if e.Kind == uijson.EventMessage {
					if m, err := e.Decode(); err != nil || m.Text != e.Text {
						t.Errorf("%s: %v, %+v", name, err, m)
					}
				}
			}
		}
	}
}

// A line above the limit hides no message that is not above it, and what it was is known.
func TestOversizeLines_messages(t *testing.T) {
	message := strings.TrimSuffix(errorLine, "\n")
	noise := strings.Repeat("x", 1000)
	long := strings.Replace(message, "böom", strings.Repeat("b", 2000), 1)
	for in, want := range map[string][]string{
		noise + errorLine:                         {"oversize ! unended", "message diagnostic"},
		message + noise + "\n":                    {"message diagnostic unended", "oversize !"},
		message + noise:                           {"message diagnostic unended", "oversize ! unended"},
		message + noise + errorLine + logLine:     {"message diagnostic unended", "oversize ! unended", "message diagnostic", "message log"},
		noise + message + noise + logLine:         {"oversize ! unended", "message diagnostic unended", "oversize ! unended", "message log"},
		long + "\n" + logLine:                     {"oversize !", "message log"},
		long + logLine:                            {"oversize ! unended", "message log"},
		strings.Repeat(`{"@level":`, 500) + "\n":  nil,
		strings.Repeat(`{"@level":"`, 500) + "\n": nil,
	} {
		got, _ := read(t, in, uijson.MaxLine(500))
		if diff := cmp.Diff(want, got); diff != "" && want != nil {
			t.Errorf("%.30s...:\n%s", in, diff)
		}
		found := false
		for ev := range uijson.NewReader(strings.NewReader(in), uijson.MaxLine(500)).Events() {
			found = found || ev != nil && ev.Message.IsError()
		}
		if strings.Contains(in, "error") && !found {
			t.Errorf("%.30s...: the error is lost", in)
		}
	}
}
