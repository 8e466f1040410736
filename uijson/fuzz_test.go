// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tofuwire/tofuwire/uijson"
)

// seeds are lines and streams that fuzzing begins with.
func seeds(f *testing.F) {
	for _, s := range []string{
		versionLine, logLine, traceLine, "", "{}", "null", "text\n", "\uFEFF{}", `{"hook":{"action":7},"type":null}`,
		`{"hook":{"action":{"addr":"action.a.b","x":1},"action":"read","resource":{"x":{}}}}`, `{"hook":{"action":"read", "action" : {}}}`,
		`{"@level":"info","@message":"\ud800","@module":"tofu.ui","type":"log","type":"x"}`,
		`{"outputs":{"a":{"value":1e400},"a":null},"workspaces":["a",1]}`,
		strings.TrimSuffix(logLine, "\n") + versionLine + "{\"a\":", "\n\r\n \n",
	} {
		f.Add([]byte(s))
	}
	all := recordings(f)
	var names []string
	for name := range all {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if i%10 == 0 && len(all[name]) < 40000 {
			f.Add(all[name])
		}
	}
}

// FuzzDecode checks the law on lines: what decodes is encoded to the same
// bytes; an edit that is taken back leaves no trace; a clone is the same.
func FuzzDecode(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		m, err := uijson.Decode(in)
		if err != nil {
			if m != nil {
				t.Fatal("a message and an error")
			}
			return
		}
		out, err := uijson.Encode(m)
		if err != nil || !bytes.Equal(in, out) {
			t.Fatalf("not lossless (%v):\n in  %q\n out %q", err, in, out)
		}
		m.Problems()
		for range m.Duplicates() {
		}
		text := m.Text
		m.Text += "x"
		edited, err := uijson.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := uijson.Decode(edited); err != nil || again.Text != m.Text {
			t.Fatalf("an edit was lost (%v): %q", err, edited)
		}
		m.Text = text
		if out, err = uijson.Encode(m); err != nil || !bytes.Equal(in, out) {
			t.Fatalf("an edit left a trace (%v):\n in  %q\n out %q", err, in, out)
		}
		if h := m.Hook; h != nil {
			was := *h
			h.Action, h.ActionAddr = "", &uijson.ActionAddress{Addr: "a"}
			for _, form := range []string{"object", "word", "none"} {
				switch form {
				case "word":
					h.Action, h.ActionAddr = "read", nil
				case "none":
					h.Action, h.ActionAddr = "", nil
				}
				edited, err := uijson.Encode(m)
				if err != nil {
					t.Fatal(err)
				}
				again, err := uijson.Decode(edited)
				if err != nil || again.Hook == nil || again.Hook.Action != h.Action || (again.Hook.ActionAddr != nil) != (h.ActionAddr != nil) {
					t.Fatalf("the action as %s was lost (%v):\n in  %q\n out %q", form, err, in, edited)
				}
			}
			*h = was
			if out, err = uijson.Encode(m); err != nil || !bytes.Equal(in, out) {
				t.Fatalf("another action left a trace (%v):\n in  %q\n out %q", err, in, out)
			}
		}
		m.Redact(0)
		for at := range m.Extras() {
			t.Fatalf("%s is left of %q", at, in)
		}
		if out, err = uijson.Encode(m); err != nil {
			t.Fatal(err)
		}
		if _, err := uijson.Decode(out); err != nil {
			t.Fatalf("redacted to something that does not decode: %q", out)
		}
		if m.Diagnostic != nil {
			start, end := m.Diagnostic.Highlight()
			if s := m.Diagnostic.Snippet; s != nil {
				_ = s.Code[start:end]
			}
		}
	})
}

// FuzzReader checks that a reader neither loses nor invents a byte, however
// the stream arrives, and that all ways of reading see the same.
func FuzzReader(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		var raw []byte
		var out bytes.Buffer
		w := uijson.NewWriter(&out)
		var kinds []uijson.EventKind
		for e, err := range uijson.NewReader(bytes.NewReader(in)).Events() {
			if err != nil {
				break // after a partial message
			}
			raw = append(raw, e.Raw...)
			kinds = append(kinds, e.Kind)
			if err := w.WriteEvent(e); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(raw, in) || !bytes.Equal(out.Bytes(), in) {
			t.Fatalf("bytes were lost or changed:\n in  %q\n raw %q\n out %q", in, raw, out.Bytes())
		}
		i := 0
		for e, err := range uijson.NewReader(iotest.HalfReader(bytes.NewReader(in))).Borrowed() {
			if err == nil {
				if i >= len(kinds) || kinds[i] != e.Kind {
					t.Fatalf("event %d is borrowed as %s, owned as %v", i, e.Kind, kinds)
				}
				i++
			}
		}
		var size int64
		n := 0
		for e, err := range uijson.NewReader(bytes.NewReader(in), uijson.MaxLine(50)).Envelopes() {
			if err == nil {
				size += e.Size
				n++
			}
		}
		if size != int64(len(in)) || i != len(kinds) {
			t.Fatalf("%d bytes of %d, %d events of %d", size, len(in), i, len(kinds))
		}
	})
}

// FuzzUnwrap checks that the hooks find their messages in any wrapping.
func FuzzUnwrap(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		uijson.UnwrapMember("log")(in)
		wrapped := append([]byte(`{"x":1,"log":`), valueOf(t, strings.TrimSuffix(logLine, "\n"))...)
		wrapped = append(wrapped, `,"y":`...)
		wrapped = append(wrapped, valueOf(t, string(in))...)
		wrapped = append(wrapped, '}')
		if got := uijson.UnwrapMember("log")(wrapped); string(got)+"\n" != logLine {
			t.Errorf("got %q of %q", got, wrapped)
		}
	})
}
