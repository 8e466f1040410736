// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/tofuwire/tofuwire/planjson"
)

// largest returns the largest recording of a kind.
func largest(b *testing.B, kind string) []byte {
	b.Helper()
	var text []byte
	for _, r := range recordings(b, kind) {
		if len(r.text) > len(text) {
			text = r.text
		}
	}
	return text
}

func BenchmarkDecode(b *testing.B) {
	for _, kind := range []string{"plan", "state", "config", "schemas", "functions", "validate"} {
		text := largest(b, kind)
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := decodeAs(kind, text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	for _, kind := range []string{"plan", "state", "config", "schemas", "functions", "validate"} {
		text := largest(b, kind)
		doc, err := decodeAs(kind, text)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(kind, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := doc.encode(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWritePlan(b *testing.B) {
	text := largest(b, "plan")
	plan, err := planjson.DecodePlan(text)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if err := planjson.Write(io.Discard, plan); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkResourceChanges(b *testing.B) {
	text := largest(b, "plan")
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range planjson.ResourceChanges(bytes.NewReader(text)) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
