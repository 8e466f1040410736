// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"testing"
)

// TestReports checks that the reports and the table in COMPATIBILITY.md say what
// the recordings give, and that nothing in them is wrong.
func TestReports(t *testing.T) {
	root := filepath.Join("..", "..")
	stale, err := WriteReports(root, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stale {
		t.Errorf("%s is not up to date: go run . -report", name)
	}
	reports, err := Reports(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range reports {
		for _, list := range [][]string{r.Failed, r.Extra, r.Unknown} {
			for _, s := range list {
				t.Errorf("%s: %s", r.Release, s)
			}
		}
		if r.Documents.All == 0 || r.Streams == 0 || r.Addresses == 0 {
			t.Errorf("%s: %d documents, %d runs, %d addresses", r.Release, r.Documents.All, r.Streams, r.Addresses)
		}
	}
	if len(reports) < 12 {
		t.Errorf("%d releases", len(reports))
	}
}
