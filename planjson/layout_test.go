// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson_test

import (
	"bytes"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/depth"
	"github.com/tofuwire/tofuwire/internal/testing/plantest"
	"github.com/tofuwire/tofuwire/planjson"
)

// TestLayouts writes all recordings in other layouts and orders, such as those of Python's
// and Ruby's libraries and of no library at all, and requires the same documents
// and the same text from them.
func TestLayouts(t *testing.T) {
	documents := 0
	for _, rec := range recordings(t) {
		doc, err := decodeAs(rec.kind, rec.text)
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range plantest.Layouts(rec.text) {
			other, err := decodeAs(rec.kind, text)
			if err != nil {
				t.Errorf("%s, %s: %v", rec.name, name, err)
				continue
			}
			if !planjson.Equal(doc.value.(planjson.Object), other.value.(planjson.Object)) {
				t.Errorf("%s, %s: another document", rec.name, name)
			}
			if out, err := other.encode(); err != nil || !bytes.Equal(out, text) {
				t.Errorf("%s, %s: another text, %v", rec.name, name, err)
			}
			documents++
		}
		for name, text := range plantest.Orders(rec.text) {
			other, err := decodeAs(rec.kind, text)
			if err != nil || !planjson.Equal(doc.value.(planjson.Object), other.value.(planjson.Object)) {
				t.Errorf("%s, %s: another document, %v", rec.name, name, err)
			}
		}
	}
	if documents < depth.Of(150, 900, 900) {
		t.Errorf("only %d documents", documents)
	}
}
