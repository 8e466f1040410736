// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/tofuwire/tofuwire/uijson"
)

// filtered writes the events of a stream that have a message, after f has edited it.
func filtered(t *testing.T, in []byte, f func(m *uijson.Message), opts ...uijson.Option) []byte {
	t.Helper()
	var out bytes.Buffer
	w := uijson.NewWriter(&out)
	for ev, err := range uijson.NewReader(bytes.NewReader(in), opts...).Borrowed() {
		if err != nil {
			break // the stream ends in the middle of a message
		}
		if ev.Message == nil {
			continue
		}
		f(ev.Message)
		if err := w.WriteEvent(ev.Clone()); err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

// A filter that redacts messages and writes their events writes nothing that it has not gone
// through, whatever is on the lines. Half a secret is one too.
func TestRedactedEvents(t *testing.T) {
	const secret = "hunter2-secret-value"
	message := `{"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","hook":{"resource":{"addr":"a.b"},"action":"create"},"type":"apply_start"}`
	half := `{"@level":"error","@message":"Error: ` + secret + `","@module":"tofu.ui","diagnostic":{"severity":"error","summary":"` + secret[:12]
	streams := map[string]string{
		"before":     secret + " " + message + "\n",
		"behind":     message + " " + secret + "\n",
		"between":    message + secret + message + "\n",
		"damaged":    half + "\n" + message + "\n",
		"partial":    message + "\n" + half,
		"joined":     half + message + "\n",
		"inside":     strings.Replace(message, `,"@module"`, secret+`,"@module"`, 1) + "\n" + message + "\n",
		"repaired":   strings.Replace(message, "Creating", "\x1b["+"31m\x00Creating", 1) + secret + "\n",
		"oversize":   `{"@level":"error","@message":"` + secret + strings.Repeat("x", 5000) + "\n" + message + "\n",
		"log":        `{"@level":"debug","@message":"POST password=` + secret + `","@module":"provider","@timestamp":"2026-01-02T03:04:05Z","body":"` + secret + `"}` + "\n" + message + "\n",
		"text":       secret + "\n" + message + "\n",
		"document":   `{"a":"` + secret + `"}` + "\n" + message + "\n",
		"wrong kind": strings.Replace(message, `"action":"create"`, `"action":["`+secret+`"]`, 1) + "\n",
		"twice":      strings.Replace(message, `"type"`, `"type":"`+secret+`","type"`, 1) + "\n",
		"a level":    `{"@level":"` + secret + `","@message":"` + "\n" + message + "\n",
		"CRLF":       secret + message + "\r\n",
	}
	remove := uijson.RemoveSecrets([]string{secret})
	filters := map[string]func(m *uijson.Message){
		"Redact": func(m *uijson.Message) {
			m.Redact(uijson.UnmarkedOutputs | uijson.UnmarkedDetails | uijson.UnmarkedInstanceKeys | uijson.UnmarkedExtra)
		},
		"RemoveSecrets": remove,
		"both":          func(m *uijson.Message) { m.Redact(0); remove(m) },
		"a copy":        func(m *uijson.Message) { m.Redact(0); *m = *uijson.Clone(m) },
	}
	for name, stream := range streams {
		for how, filter := range filters {
			out := string(filtered(t, []byte(stream), filter, uijson.MaxLine(4000)))
			if strings.Contains(out, secret[:8]) {
				t.Errorf("%s, %s: %s", name, how, out)
			}
			if strings.Contains(stream, message) && !strings.Contains(out, message+"\n") && !strings.Contains(out, message+"\r\n") {
				t.Errorf("%s, %s: the good message is not there as it was: %q", name, how, out)
			}
			damaged := 0
			for ev := range uijson.NewReader(strings.NewReader(out)).Events() {
				if ev != nil && ev.Kind == uijson.EventDamaged {
					damaged++
					if name != "a level" && ev.Message.Level != uijson.LevelError && ev.Message.Level != uijson.LevelInfo {
						t.Errorf("%s, %s: the level %q", name, how, ev.Message.Level)
					}
				}
			}
			if want := strings.Contains("damaged partial joined inside oversize a level", name); want != (damaged > 0) {
				t.Errorf("%s, %s: %d damaged messages in %q", name, how, damaged, out)
			}
		}
	}
}

// The byte order and the mark of a stream in UTF-16 stay, and so does its text.
func TestRedactedUTF16(t *testing.T) {
	message := `{"@level":"info","@message":"a.b: Creating...","@module":"tofu.ui","type":"apply_start"}` + "\n"
	encode := func(text string) []byte {
		var out []byte
		for _, u := range utf16.Encode([]rune(text)) {
			out = binary.LittleEndian.AppendUint16(out, u)
		}
		return out
	}
	out := filtered(t, encode("\uFEFF"+message+"hunter2 "+message), func(m *uijson.Message) { m.Redact(0) })
	if want := encode("\uFEFF" + message + message); !bytes.Equal(out, want) {
		t.Errorf("%q, want %q", out, want)
	}
}

// Without redaction, WriteEvent writes each line as it was, damaged ones too.
func TestUnredactedEvents(t *testing.T) {
	in := `x {"@level":"info","@message":"a","@module":"tofu.ui"} y` + "\n" + `{"@level":"error","@mess` + "\n" + `{"@level":"info","@message":"b","@module":"tofu.ui"}`
	var out strings.Builder
	w := uijson.NewWriter(&out)
	for ev, err := range uijson.NewReader(strings.NewReader(in)).Events() {
		if err != nil {
			t.Fatal(err)
		}
		if err := w.WriteEvent(ev); err != nil {
			t.Fatal(err)
		}
	}
	if out.String() != in {
		t.Errorf("%q, want %q", out.String(), in)
	}
}
