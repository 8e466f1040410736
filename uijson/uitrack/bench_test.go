// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package uitrack_test

import (
	"bytes"
	"testing"

	"github.com/tofuwire/tofuwire/uijson"
	"github.com/tofuwire/tofuwire/uijson/uitrack"
)

func BenchmarkTracker(b *testing.B) {
	text := stream(b, 100)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var tr uitrack.Tracker
		for e := range uijson.NewReader(bytes.NewReader(text)).Borrowed() {
			tr.Add(e)
		}
		_ = tr.Snapshot()
	}
}
