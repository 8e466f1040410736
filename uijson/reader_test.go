// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/tofuwire/tofuwire/internal/testing/bounds"
	"github.com/tofuwire/tofuwire/uijson"
)

const (
	versionLine = `{"@level":"info","@message":"OpenTofu 1.12.6","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000001Z","tofu":"1.12.6","type":"version","ui":"1.2"}` + "\n"
	logLine     = `{"@level":"info","@message":"hello","@module":"tofu.ui","@timestamp":"2026-01-02T03:04:05.000002Z","type":"log"}` + "\n"
	traceLine   = `{"@caller":"x.go:1","@level":"trace","@message":"statemgr","@module":"tofu.remote","@timestamp":"2026-01-02T03:04:05.000002Z"}` + "\n"
)

// describe returns an event in few words.
func describe(e *uijson.Event) string {
	s := e.Kind.String()
	if e.Message != nil && e.Kind <= uijson.EventLog {
		s += " " + string(e.Message.Type)
	}
	if e.Err != nil {
		s += " !"
	}
	if !e.Ended {
		s += " unended"
	}
	if e.Repaired {
		s += " repaired"
	}
	return s
}

// read reads a stream and checks that nothing was lost or invented.
func read(t *testing.T, in string, opts ...uijson.Option) ([]string, error) {
	t.Helper()
	var want []string
	var wantErr error
	type reading struct {
		name   string
		src    io.Reader
		borrow bool
		opts   []uijson.Option
	}
	for i, how := range []reading{
		{"owned", strings.NewReader(in), false, nil},
		{"borrowed", strings.NewReader(in), true, nil},
		{"byte by byte", iotest.OneByteReader(strings.NewReader(in)), true, nil},
		{"in halves", iotest.HalfReader(strings.NewReader(in)), false, nil},
		{"end with data", iotest.DataErrReader(strings.NewReader(in)), true, nil},
		{"ahead", strings.NewReader(in), false, []uijson.Option{uijson.ReadAhead(16)}},
	} {
		var got []string
		var raw []byte
		var out strings.Builder
		w := uijson.NewWriter(&out)
		var size int64
		var teed bytes.Buffer
		r := uijson.NewReader(how.src, append(append([]uijson.Option{uijson.Tee(&teed)}, opts...), how.opts...)...)
		seq := r.Events()
		if how.borrow {
			seq = r.Borrowed()
		}
		var err error
		for e, eerr := range seq {
			if eerr != nil {
				err = eerr
				continue
			}
			got = append(got, describe(e))
			raw = append(raw, e.Raw...)
			if e.Offset != size {
				t.Errorf("%s: event at %d, want %d", how.name, e.Offset, size)
			}
			size += e.Size
			if err := w.WriteEvent(e); err != nil {
				t.Errorf("%s: %v", how.name, err)
			}
		}
		if size != int64(len(in)) {
			t.Errorf("%s: events of %d bytes, want %d", how.name, size, len(in))
		}
		if len(raw) == int(size) && (string(raw) != in || out.String() != in) {
			t.Errorf("%s: bytes were lost or changed:\n in  %q\n raw %q\n out %q", how.name, in, raw, out.String())
		}
		if teed.String() != in {
			t.Errorf("%s: the tee got %q of %q", how.name, teed.String(), in)
		}
		if err := r.Drain(); err != nil {
			t.Errorf("%s: Drain: %v", how.name, err)
		}
		if i == 0 {
			want, wantErr = got, err
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s differs from owned:\n%s", how.name, diff)
		}
		if fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Errorf("%s: error %v, want %v", how.name, err, wantErr)
		}
	}
	// The envelopes are of the same lines.
	var kinds []string
	for e, err := range uijson.NewReader(strings.NewReader(in), opts...).Envelopes() {
		if err == nil {
			kinds = append(kinds, e.Kind.String())
		}
	}
	var wantKinds []string
	for _, w := range want {
		kind, _, _ := strings.Cut(w, " ")
		wantKinds = append(wantKinds, kind)
	}
	if diff := cmp.Diff(wantKinds, kinds); diff != "" {
		t.Errorf("the envelopes differ:\n%s", diff)
	}
	return want, wantErr
}

// The hazards of real streams, by their numbers in the catalogue.
func TestReader_streamHazards(t *testing.T) {
	long := func(n int) string {
		line := strings.TrimSuffix(logLine, "\n")
		pad := n - len(line)
		return strings.Replace(line, "hello", strings.Repeat("x", 5+pad), 1) + "\n"
	}
	tests := []struct {
		name string
		in   string
		want []string
		err  error
	}{
		{"1 text before the stream", "\nWarning: x\n\n  detail\n" + versionLine,
			[]string{"blank", "text", "blank", "text", "message version"}, nil},
		{"2 ANSI text in the middle", versionLine + "\x1b[0m\x1b[32m\nSuccessfully configured!\x1b[0m\n" + logLine,
			[]string{"message version", "text", "text", "message log"}, nil},
		{"3 lock messages and usage text", "Acquiring state lock. This may take a few moments...\nUsage: tofu [global options]\n",
			[]string{"text", "text"}, nil},
		{"4 nothing at all", "", nil, nil},
		{"5 blank lines", versionLine + "\n \t\r\n" + logLine, []string{"message version", "blank", "blank", "message log"}, nil},
		{"6 cut in a message", versionLine + `{"@level":"info","@mess`, []string{"message version", "partial ! unended"}, io.ErrUnexpectedEOF},
		{"6 cut after a brace", versionLine + "{", []string{"message version", "partial ! unended"}, io.ErrUnexpectedEOF},
		{"6 cut in a character", versionLine + "{\"@level\":\"\xc3", []string{"message version", "partial ! unended"}, io.ErrUnexpectedEOF},
		{"6 a whole message without line feed", versionLine + strings.TrimSuffix(logLine, "\n"), []string{"message version", "message log unended"}, nil},
		{"6 text without line feed", versionLine + "panic: oh", []string{"message version", "text unended"}, nil},
		{"7 64 KiB - 1", long(65535) + logLine, []string{"message log", "message log"}, nil},
		{"7 64 KiB", long(65536) + logLine, []string{"message log", "message log"}, nil},
		{"7 64 KiB + 1", long(65537) + logLine, []string{"message log", "message log"}, nil},
		{"7 1 MiB", logLine + long(1<<20) + logLine, []string{"message log", "message log", "message log"}, nil},
		{"8 invalid UTF-8 in a message", strings.Replace(logLine, "hello", "h\xff\xfe", 1) + logLine, []string{"message log repaired", "message log"}, nil},
		{"8 invalid UTF-8 in text", "caf\xe9\n" + logLine, []string{"text", "message log"}, nil},
		{"9 future version", strings.Replace(versionLine, `"1.2"`, `"2.0"`, 1) + logLine, []string{"message version", "message log"}, nil},
		{"10 no version", logLine, []string{"message log"}, nil},
		{"11 two versions", versionLine + logLine + versionLine, []string{"message version", "message log", "message version"}, nil},
		{"12 unknown type", strings.Replace(logLine, `"log"`, `"log_new"`, 1), []string{"message log_new"}, nil},
		{"12 no type", strings.Replace(logLine, `,"type":"log"`, "", 1), []string{"message "}, nil},
		{"12 type null", strings.Replace(logLine, `"log"`, "null", 1), []string{"message "}, nil},
		{"12 type number", strings.Replace(logLine, `"log"`, "7", 1), []string{"message  !"}, nil},
		{"12 type list", strings.Replace(logLine, `"log"`, "[]", 1), []string{"message  !"}, nil},
		{"13 untyped error", `{"@level":"error","@message":"no","@module":"tofu.ui","@timestamp":"x"}` + "\n", []string{"message "}, nil},
		{"14 duplicate members", strings.Replace(logLine, `"type"`, `"type":"version","type"`, 1), []string{"message log"}, nil},
		{"14 TYPE is not type", strings.Replace(logLine, `"type"`, `"TYPE"`, 1), []string{"message "}, nil},
		{"15 null", "null\n" + logLine, []string{"json !", "message log"}, nil},
		{"15 number, string, list", "12\n\"x\"\n[1]\n", []string{"json !", "json !", "json !"}, nil},
		{"15 a document", `{"format_version":"1.0","values":{}}` + "\n", []string{"json !"}, nil},
		{"15 a document over several lines", "{\n  \"valid\": true\n}\n", []string{"text !", "text", "text"}, nil},
		{"16 merged log", versionLine + traceLine + logLine, []string{"message version", "log ", "message log"}, nil},
		{"16 merged and split by another writer", `{"@level":"in` + traceLine + logLine, []string{"damaged ! unended", "log ", "message log"}, nil},
		{"20 control characters", strings.Replace(logLine, "hello", `\u001b[31m\u0000`, 1), []string{"message log"}, nil},
		{"22 panic", versionLine + "panic: runtime error\n\ngoroutine 1 [running]:\n", []string{"message version", "text", "blank", "text"}, nil},
		{"two objects on one line", strings.TrimSuffix(versionLine, "\n") + logLine, []string{"message version unended", "message log"}, nil},
		{"object and garbage", strings.TrimSuffix(logLine, "\n") + " oops\n" + logLine, []string{"message log unended", "text", "message log"}, nil},
		{"object and a brace", strings.TrimSuffix(logLine, "\n") + "}\n" + logLine, []string{"message log unended", "text", "message log"}, nil},
		{"NUL bytes", "\x00\x00\n" + logLine, []string{"text", "message log"}, nil},
		{"NUL in a message", strings.Replace(logLine, "hello", "a\x00b", 1), []string{"message log repaired"}, nil},
		{"byte order mark", "\uFEFF" + versionLine, []string{"message version"}, nil},
		{"lone surrogates", strings.Replace(logLine, "hello", `\ud800x\udc00`, 1), []string{"message log"}, nil},
		{"CRLF", strings.ReplaceAll(versionLine+logLine, "\n", "\r\n"), []string{"message version", "message log"}, nil},
		{"white space around", "  " + strings.TrimSuffix(logLine, "\n") + " \n", []string{"message log"}, nil},
		{"white space inside", strings.ReplaceAll(logLine, `,"`, ` , "`), []string{"message log"}, nil},
		{"a wrong kind inside", `{"@level":"info","@message":"m","@module":"tofu.ui","@timestamp":"t","hook":{"action":7},"type":"apply_start"}` + "\n", []string{"message apply_start !"}, nil},
		{"nested too deeply", strings.Repeat("[", 20000) + "\n" + logLine, []string{"text", "message log"}, nil},
		{"an object nested too deeply", `{"@level":` + strings.Repeat("[", 20000) + "\n" + logLine, []string{"damaged !", "message log"}, nil},
		{"CR alone is no line end", "a\rb\n", []string{"text"}, nil},
		{"brace alone", "}\n", []string{"text"}, nil},
		{"empty object", "{}\n", []string{"json !"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := read(t, test.in)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			if !errors.Is(err, test.err) {
				t.Errorf("error %v, want %v", err, test.err)
			}
		})
	}
}

// Hazard 7: a line above the limit is read to its end, counted, and forgotten.
func TestOversizeLines(t *testing.T) {
	in := logLine + strings.Repeat("x", 1000) + "\n" + logLine
	for limit, want := range map[int][]string{
		1001:             {"message log", "text", "message log"},
		1000:             {"message log", "text", "message log"},
		999:              {"message log", "oversize !", "message log"},
		len(logLine) - 1: {"message log", "oversize !", "message log"},
		len(logLine) - 2: {"oversize !", "oversize !", "oversize !"},
		0:                {"message log", "text", "message log"},
	} {
		got, err := read(t, in, uijson.MaxLine(limit))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("limit %d: %v\n%s", limit, err, diff)
		}
	}
	got, err := read(t, logLine+strings.Repeat("x", 300000), uijson.MaxLine(1000))
	if diff := cmp.Diff([]string{"message log", "oversize ! unended"}, got); diff != "" || err != nil {
		t.Errorf("at the end: %v\n%s", err, diff)
	}
}

// A line of 100 MiB neither blocks the reader nor fills the memory.
func TestHugeLine(t *testing.T) {
	const size = 100 << 20
	var kinds []uijson.EventKind
	var largest int64
	src := io.MultiReader(strings.NewReader(logLine+`{"@message":"`), io.LimitReader(repeated('y'), size), strings.NewReader("\"}\n"+logLine))
	for e, err := range uijson.NewReader(src).Borrowed() {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, e.Kind)
		largest = max(largest, e.Size)
		if e.Kind == uijson.EventOversize && !errors.Is(e.Err, uijson.ErrLimit) {
			t.Errorf("error %v", e.Err)
		}
	}
	if diff := cmp.Diff([]uijson.EventKind{uijson.EventMessage, uijson.EventOversize, uijson.EventMessage}, kinds); diff != "" {
		t.Error(diff)
	}
	if want := int64(size + len(`{"@message":"`) + len("\"}\n")); largest != want {
		t.Errorf("size %d, want %d", largest, want)
	}
}

// A repeated is an endless stream of one byte.
type repeated byte

func (r repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(r)
	}
	return len(p), nil
}

// Many things on one line take time in proportion to its length.
func TestManyObjectsOnOneLine(t *testing.T) {
	const n = 200000
	count := 0
	for e, err := range uijson.NewReader(strings.NewReader(strings.Repeat("{}", n))).Borrowed() {
		if err != nil || e.Kind != uijson.EventJSON {
			t.Fatal(e, err)
		}
		count++
	}
	if count != n {
		t.Errorf("%d events, want %d", count, n)
	}
}

func TestEventPlaces(t *testing.T) {
	in := versionLine + "text\n" + `{"@level":"info","@message":7,"@module":"tofu.ui","type":"log"} {"a":` + "\n" + logLine
	var places []string
	for e, err := range uijson.NewReader(strings.NewReader(in)).Events() {
		if err != nil {
			t.Fatal(err)
		}
		place := fmt.Sprintf("%d@%d", e.Line, e.Offset)
		if e.Err != nil {
			place += ": " + e.Err.Error()
		}
		places = append(places, place)
	}
	n := len(versionLine) + len("text\n")
	want := []string{
		"1@0",
		fmt.Sprintf("2@%d", len(versionLine)),
		fmt.Sprintf("3@%d: uijson: line 3, column 29 (/@message): unexpected kind of value: expected a string, found a number", n),
		fmt.Sprintf("3@%d: uijson: line 3, column 7 (/a): unexpected end of JSON text", n+63),
		fmt.Sprintf("4@%d", n+63+len(` {"a":`)+1),
	}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Error(diff)
	}
}

// A message read with Borrowed is valid until the next one; its clone, and its
// strings, for ever.
func TestBorrowed(t *testing.T) {
	var in strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&in, `{"@level":"info","@message":"m%d \"q\"","@module":"tofu.ui","@timestamp":"t%d","hook":{"resource":{"addr":"a.b[%d]","resource_key":%d},"action":"create"},"type":"apply_start"}`+"\n", i, i, i, i)
	}
	var texts, times, addrs []string
	var clones []*uijson.Event
	for e, err := range uijson.NewReader(strings.NewReader(in.String())).Borrowed() {
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, e.Message.Text)
		times = append(times, e.Message.Timestamp)
		addrs = append(addrs, e.Message.Hook.Resource.Addr)
		clones = append(clones, e.Clone())
	}
	for i := range 5000 {
		if want := fmt.Sprintf("m%d \"q\"", i); texts[i] != want || clones[i].Message.Text != want {
			t.Fatalf("text %q, clone %q, want %q", texts[i], clones[i].Message.Text, want)
		}
		if want := fmt.Sprintf("t%d", i); times[i] != want {
			t.Fatalf("time %q, want %q", times[i], want)
		}
		if want := fmt.Sprintf("a.b[%d]", i); addrs[i] != want || clones[i].Message.Hook.Resource.Addr != want {
			t.Fatalf("address %q, want %q", addrs[i], want)
		}
		if want := fmt.Sprint(i); clones[i].Message.Hook.Resource.ResourceKey.String() != want {
			t.Fatalf("key %s, want %s", clones[i].Message.Hook.Resource.ResourceKey, want)
		}
	}
}

// Owned events stay valid while the stream is read on.
func TestEventsStayValid(t *testing.T) {
	in := strings.Repeat(versionLine+logLine+"text\n", 4000)
	var events []*uijson.Event
	for e, err := range uijson.NewReader(iotest.HalfReader(strings.NewReader(in))).Events() {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	var out strings.Builder
	w := uijson.NewWriter(&out)
	for _, e := range events {
		w.WriteEvent(e)
	}
	if out.String() != in {
		t.Error("events changed after they were read")
	}
}

func TestEditInFlight(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", logLine, strings.Replace(logLine, "hello", "bye <&>", 1)},
		{"with BOM and CRLF", "\uFEFF " + strings.Replace(logLine, "\n", " \r\n", 1), "\uFEFF " + strings.Replace(strings.Replace(logLine, "hello", "bye <&>", 1), "\n", " \r\n", 1)},
		{"Terraform escapes", strings.ReplaceAll(logLine, "tofu", "terraform"), strings.Replace(strings.ReplaceAll(logLine, "tofu", "terraform"), "hello", `bye \u003c\u0026\u003e`, 1)},
		{"so did OpenTofu 1.6", strings.Replace(logLine, "hello", `\u003chello`, 1), strings.Replace(logLine, "hello", `bye \u003c\u0026\u003e`, 1)},
		{"repaired", strings.Replace(logLine, "hello", "h\xff", 1), strings.Replace(logLine, "hello", "bye <&>", 1)},
		{"first of two", strings.TrimSuffix(logLine, "\n") + "x\n", strings.Replace(strings.TrimSuffix(logLine, "\n"), "hello", "bye <&>", 1) + "x\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var out bytes.Buffer
			w := uijson.NewWriter(&out)
			for e, err := range uijson.NewReader(strings.NewReader(test.in)).Borrowed() {
				if err != nil {
					t.Fatal(err)
				}
				if e.Message != nil {
					e.Message.Text = "bye <&>"
				}
				if err := w.WriteEvent(e); err != nil {
					t.Fatal(err)
				}
			}
			if out.String() != test.want {
				t.Errorf("got  %q\nwant %q", out.String(), test.want)
			}
		})
	}
}

func TestUnwrap(t *testing.T) {
	message := strings.TrimSuffix(logLine, "\n")
	quoted := valueOf(t, message).String()
	tests := []struct {
		name   string
		in     string
		hook   func([]byte) []byte
		prefix string
		edited string
	}{
		{"Terragrunt prefix", "[unit/a] " + message + "\n", nil, "[unit/a] ", ""},
		{"CRI log", "2026-01-02T03:04:05Z stdout F " + message + "\n", nil, "2026-01-02T03:04:05Z stdout F ", ""},
		{"prefix with a brace", "{unit} " + message + "\n", nil, "{unit} ", ""},
		{"HCP run log", "\x02" + message + "\n", nil, "\x02", ""},
		{"Docker log", `{"log":` + quoted + `,"stream":"stdout"}` + "\n", uijson.UnwrapMember("log"), "", strings.Replace(logLine, "hello", "bye", 1)},
		{"object in an object", `{"msg":` + message + `}` + "\n", uijson.UnwrapMember("msg"), `{"msg":`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			in := test.in + versionLine + "other\n"
			got, err := read(t, in, uijson.Unwrap(test.hook))
			if diff := cmp.Diff([]string{"message log", "message version", "text"}, got); diff != "" || err != nil {
				t.Fatalf("%v\n%s", err, diff)
			}
			for e := range uijson.NewReader(strings.NewReader(in), uijson.Unwrap(test.hook)).Events() {
				if string(e.Prefix()) != test.prefix {
					t.Errorf("prefix %q, want %q", e.Prefix(), test.prefix)
				}
				e.Message.Text = "bye"
				var out strings.Builder
				err := uijson.NewWriter(&out).WriteEvent(e)
				want := test.edited
				if want == "" {
					want = strings.Replace(test.in, "hello", "bye", 1)
				}
				if err != nil || out.String() != want {
					t.Errorf("edited: %v\n got  %s want %s", err, out.String(), want)
				}
				break
			}
		})
	}
	for name, hook := range map[string]func([]byte) []byte{
		"nothing":    func([]byte) []byte { return nil },
		"blank":      func([]byte) []byte { return []byte("  ") },
		"garbage":    func([]byte) []byte { return []byte("{") },
		"no message": func([]byte) []byte { return []byte("{}") },
		"number":     uijson.UnwrapMember("n"),
		"missing":    uijson.UnwrapMember("m"),
	} {
		got, err := read(t, `{"n":1}`+"\nx\n", uijson.Unwrap(hook))
		if diff := cmp.Diff([]string{"json !", "text"}, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

// A read error ends the stream, after everything before it.
func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	for _, in := range []string{logLine, logLine + "x", logLine + "{", ""} {
		r := uijson.NewReader(io.MultiReader(strings.NewReader(in), iotest.ErrReader(broken)))
		size := 0
		var last error
		for e, err := range r.Events() {
			if last != nil {
				t.Fatal("something after the error")
			}
			if last = err; err == nil {
				size += len(e.Raw)
			}
		}
		if last != broken || size != len(in) {
			t.Errorf("%q: error %v after %d bytes", in, last, size)
		}
		if err := r.Drain(); err != broken {
			t.Errorf("Drain: %v", err)
		}
	}
	for range uijson.NewReader(readNothing{}).Events() {
		return // io.ErrNoProgress, instead of hanging
	}
	t.Error("no error from a source that gives nothing")
}

// TestImpossibleSources has sources that do not do what an io.Reader has to.
func TestImpossibleSources(t *testing.T) {
	for _, opts := range [][]uijson.Option{nil, {uijson.ReadAhead(1 << 20)}} {
		for _, n := range []int{-1, math.MaxInt32, 0} {
			seen := 0
			var last error
			for _, err := range uijson.NewReader(impossible(n), opts...).Events() {
				if last = err; err == nil {
					seen++
				}
			}
			if last == nil || seen > 0 {
				t.Errorf("a source that reads %d bytes: %d events, %v", n, seen, last)
			}
		}
	}
}

type impossible int

func (n impossible) Read([]byte) (int, error) { return int(n), nil }

type readNothing struct{}

func (readNothing) Read([]byte) (int, error) { return 0, nil }

// Hazard 17: to leave the loop does not stop the reading.
func TestEarlyEnd(t *testing.T) {
	in := strings.Repeat(logLine, 10000)
	t.Run("break", func(t *testing.T) {
		var tee bytes.Buffer
		r := uijson.NewReader(strings.NewReader(in), uijson.Tee(&tee))
		for range r.Events() {
			break
		}
		if err := r.Drain(); err != nil || tee.String() != in {
			t.Errorf("%v, %d of %d bytes read", err, tee.Len(), len(in))
		}
		for range r.Events() {
			t.Error("an event after the end")
		}
	})
	t.Run("panic", func(t *testing.T) {
		var tee bytes.Buffer
		r := uijson.NewReader(strings.NewReader(in), uijson.Tee(&tee))
		func() {
			defer func() { recover() }()
			for range r.Envelopes() {
				panic("in the loop")
			}
		}()
		if r.Drain(); tee.Len() != len(in) {
			t.Errorf("%d of %d bytes read", tee.Len(), len(in))
		}
	})
	t.Run("no loop at all", func(t *testing.T) {
		var tee bytes.Buffer
		r := uijson.NewReader(strings.NewReader(in), uijson.Tee(&tee))
		if err := r.Drain(); err != nil || tee.Len() != len(in) {
			t.Errorf("%v, %d of %d bytes read", err, tee.Len(), len(in))
		}
	})
	t.Run("hold", func(t *testing.T) {
		r := uijson.NewReader(strings.NewReader(in), uijson.Hold())
		n := 0
		for range 3 {
			for range r.Borrowed() {
				n++
				break
			}
			for range r.Events() {
				n++
				break
			}
			for range r.Envelopes() {
				n++
				break
			}
		}
		for range r.Events() {
			n++
		}
		if n != 10000 {
			t.Errorf("%d events, want 10000", n)
		}
	})
}

// A tee that fails does not disturb the reading.
func TestTeeFails(t *testing.T) {
	full := errors.New("disk full")
	for _, w := range []io.Writer{failingWriter{full}, shortWriter{}} {
		r := uijson.NewReader(strings.NewReader(logLine+logLine), uijson.Tee(w))
		n := 0
		for _, err := range r.Events() {
			if err != nil {
				t.Error(err)
			}
			n++
		}
		if err := r.TeeErr(); n != 2 || err == nil {
			t.Errorf("%d events, tee error %v", n, err)
		}
	}
	if err := uijson.NewReader(strings.NewReader("")).TeeErr(); err != nil {
		t.Error(err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

type shortWriter struct{}

func (shortWriter) Write(p []byte) (int, error) { return len(p) / 2, nil }

func TestEnvelope(t *testing.T) {
	in := logLine + traceLine + "text\n" + strings.Replace(logLine, "hello", `a\"b\u003c`, 1)
	var got []string
	for e, err := range uijson.NewReader(strings.NewReader(in)).Envelopes() {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %s %s %q %s %s", e.Kind, e.Type, e.Level, e.Text, e.Module, e.Timestamp))
		m, err := e.Decode()
		if e.Kind == uijson.EventText {
			if !errors.Is(err, uijson.ErrNotMessage) {
				t.Errorf("text decoded: %v", err)
			}
			continue
		}
		if err != nil || m.Text != e.Text || m.Type != e.Type {
			t.Errorf("%v: decoded %+v", err, m)
		}
	}
	want := []string{
		`message log info "hello" tofu.ui 2026-01-02T03:04:05.000002Z`,
		`log  trace "statemgr" tofu.remote 2026-01-02T03:04:05.000002Z`,
		`text   ""  `,
		`message log info "a\"b<" tofu.ui 2026-01-02T03:04:05.000002Z`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The envelopes of real streams are those of the decoded messages.
func TestEnvelopesOfRecordings(t *testing.T) {
	for name, text := range recordings(t) {
		var want []string
		for e, err := range uijson.NewReader(bytes.NewReader(text)).Events() {
			if err == nil && e.Message != nil {
				m := e.Message
				want = append(want, fmt.Sprint(e.Kind, m.Type, m.Level, m.Text, m.Module, m.Timestamp))
			}
		}
		var got []string
		for e, err := range uijson.NewReader(bytes.NewReader(text)).Envelopes() {
			if err == nil && (e.Kind == uijson.EventMessage || e.Kind == uijson.EventLog) {
				got = append(got, fmt.Sprint(e.Kind, e.Type, e.Level, e.Text, e.Module, e.Timestamp))
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	tests := []struct {
		in, want string
		is       error
	}{
		{"", "uijson: line 1, column 1: unexpected end of JSON text", nil},
		{"null", "uijson: line 1, column 1: not a message of the stream", uijson.ErrNotMessage},
		{"[]", "uijson: line 1, column 1: not a message of the stream", uijson.ErrNotMessage},
		{`"x"`, "uijson: line 1, column 1: not a message of the stream", uijson.ErrNotMessage},
		{"hello", "uijson: line 1, column 1: expected a value", nil},
		{`{"hook":{"action":tru}}`, "uijson: line 1, column 22 (/hook/action): invalid literal, expected true, false or null", nil},
		{logLine + "x", "uijson: line 2, column 1: unexpected text after the value", nil},
	}
	for _, test := range tests {
		m, err := uijson.Decode([]byte(test.in))
		var e *uijson.Error
		if m != nil || !errors.As(err, &e) || e.Err == nil {
			t.Errorf("%q: %v, %v", test.in, m, err)
			continue
		}
		if err.Error() != test.want || test.is != nil && !errors.Is(err, test.is) {
			t.Errorf("%q: %v\nwant %s", test.in, err, test.want)
		}
	}
	m := uijson.NewMessage(uijson.TypeOutputs, "")
	m.Outputs = map[string]*uijson.Output{"x": {Value: uijson.Value("{")}}
	if _, err := uijson.Encode(m); err == nil || !strings.Contains(err.Error(), "/outputs/x/value") {
		t.Errorf("encoding an invalid value: %v", err)
	}
}

// After a long line, the memory for it is given back.
func TestMemoryAfterLongLine(t *testing.T) {
	long := strings.Replace(logLine, "hello", strings.Repeat("x", 8<<20), 1)
	rest := strings.Repeat(logLine, 50000)
	before := bounds.Heap()
	for _, borrow := range []bool{true, false} {
		r := uijson.NewReader(io.MultiReader(strings.NewReader(long), strings.NewReader(rest)))
		seq := r.Events()
		if borrow {
			seq = r.Borrowed()
		}
		n := 0
		for e, err := range seq {
			if err != nil || e.Kind != uijson.EventMessage {
				t.Fatal(e, err)
			}
			if n++; n != 50000 {
				continue
			}
			if more := bounds.Heap() - before; more > 4<<20 {
				t.Errorf("borrow %v: %d bytes more are in use at the end", borrow, more)
			}
		}
		if n != 50001 {
			t.Errorf("%d events", n)
		}
	}
	runtime.KeepAlive(long + rest)
}
