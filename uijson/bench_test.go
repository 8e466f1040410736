// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uijson_test

import (
	"bytes"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
)

// stream returns lines of several recordings, n times over.
func stream(t testing.TB, n int) (text []byte, lines int) {
	t.Helper()
	for _, name := range []string{
		"tofu-1.12.6/apply-trouble/apply.jsonl",
		"tofu-1.12.6/values/apply.jsonl",
		"terraform-1.11.4/apply-trouble/apply.failures.jsonl",
		"terraform-1.11.4/tests/test.jsonl",
	} {
		text = append(text, recording(t, name)...)
	}
	text = bytes.Repeat(text, n)
	return text, bytes.Count(text, []byte("\n"))
}

// A line costs no allocation when the memory of the one before is used again,
// except for maps of outputs and the strings of the window. Events that may be kept
// share their allocations.
func TestAllocations(t *testing.T) {
	text, lines := stream(t, 20)
	for name, read := range map[string]func(r *uijson.Reader){
		"borrowed": func(r *uijson.Reader) {
			for range r.Borrowed() {
			}
		},
		"owned": func(r *uijson.Reader) {
			for range r.Events() {
			}
		},
		"envelopes": func(r *uijson.Reader) {
			for range r.Envelopes() {
			}
		},
	} {
		per := testing.AllocsPerRun(5, func() { read(uijson.NewReader(bytes.NewReader(text))) }) / float64(lines)
		if per > 0.15 && (name != "owned" || per > 0.6) {
			t.Errorf("%s: %.3f allocations a line", name, per)
		}
	}
}

func BenchmarkBorrowed(b *testing.B) {
	text, _ := stream(b, 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range uijson.NewReader(bytes.NewReader(text)).Borrowed() {
		}
	}
}

func BenchmarkEvents(b *testing.B) {
	text, _ := stream(b, 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range uijson.NewReader(bytes.NewReader(text)).Events() {
		}
	}
}

func BenchmarkEnvelopes(b *testing.B) {
	text, _ := stream(b, 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for range uijson.NewReader(bytes.NewReader(text)).Envelopes() {
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	text, _ := stream(b, 10)
	var all []*uijson.Message
	messages(text, func(line []byte) { all = append(all, decode(b, line)) })
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		for _, m := range all {
			uijson.Encode(m)
		}
	}
}
