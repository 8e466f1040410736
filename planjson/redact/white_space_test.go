// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact_test

import (
	"bytes"
	"iter"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
	"github.com/tofuwire/tofuwire/planjson/redact"
)

// others returns an iterator over texts with other white space or another order of
// members.
func others(text []byte) iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		for name, other := range plantest.Layouts(text) {
			if !yield(name, other) {
				return
			}
		}
		plantest.Orders(text)(yield)
	}
}

// TestWhiteSpaceAndOrder redacts recordings in other layouts and orders, in memory and as a stream,
// and requires what it makes of the text as the tool printed it.
func TestWhiteSpaceAndOrder(t *testing.T) {
	hidden := 0
	for _, kind := range []string{"plan", "state"} {
		for _, rec := range plantest.Recordings(t, "../testdata", kind) {
			want, n := redactedDocument(t, kind, rec.Text)
			for name, text := range others(rec.Text) {
				got, m := redactedDocument(t, kind, text)
				if !planjson.Equal(got, want) || m != n {
					t.Errorf("%s, %s: another document, %d values hidden, not %d", rec.Name, name, m, n)
				}
				hidden += m
			}
		}
	}
	if hidden < depth.Of(200, 1000, 1000) {
		t.Errorf("only %d values were hidden", hidden)
	}
}

// redactedDocument redacts a text in memory and as a stream, requires the same from
// both, and returns the document and the number of values that were hidden.
func redactedDocument(t *testing.T, kind string, text []byte) (planjson.Object, int) {
	t.Helper()
	var r redact.Redactor
	var stream bytes.Buffer
	var doc planjson.Object
	var report, streamReport int
	var err, streamErr error
	var out []byte
	if kind == "plan" {
		plan, decodeErr := planjson.DecodePlan(text)
		if decodeErr != nil {
			t.Fatal(decodeErr)
		}
		report, err = r.Plan(plan)
		streamReport, streamErr = r.WritePlan(&stream, bytes.NewReader(text))
		doc = plan
		out, _ = planjson.Encode(plan)
	} else {
		state, decodeErr := planjson.DecodeState(text)
		if decodeErr != nil {
			t.Fatal(decodeErr)
		}
		report, err = r.State(state)
		streamReport, streamErr = r.WriteState(&stream, bytes.NewReader(text))
		doc = state
		out, _ = planjson.Encode(state)
	}
	if err != nil || streamErr != nil {
		t.Fatal(err, streamErr)
	}
	if !bytes.Equal(out, stream.Bytes()) || report != streamReport {
		t.Error("the stream differs")
	}
	return doc, report
}
