// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hcllang_test

import (
	"os"
	"testing"

	"github.com/tofuwire/tofuwire/internal/hcllang"
)

// TestVerdicts compares the tables with what real programs accept: see
// tools/langverdict.
func TestVerdicts(t *testing.T) {
	text, err := os.ReadFile("testdata/verdicts.txt")
	if err != nil {
		t.Fatal(err)
	}
	table := hcllang.ParseVerdicts(string(text))
	if len(table.Releases()) < 3 {
		t.Fatalf("only the releases %v", table.Releases())
	}
	if table.String() != string(text) {
		t.Error("the table is not as it is written")
	}
	unknown := 0
	for _, p := range hcllang.Probes() {
		for _, name := range table.Releases() {
			accepts, known := table.Of(name, p.Name)
			if !known {
				unknown++
				continue // the program crashes
			}
			d, r := hcllang.SplitRelease(name)
			if want := p.In(d, r); accepts != want {
				t.Errorf("%s: %s accepts it: %v, the tables say %v", p.Name, name, accepts, want)
			}
		}
	}
	if unknown > 3*len(table.Releases()) {
		t.Errorf("%d verdicts are missing", unknown)
	}
}
