// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"slices"
	"testing"

	"github.com/tofuwire/tofuwire/internal/testing/recordings"
)

// TestReleases writes back what all releases have printed, as it is and in
// canonical form, which is the same.
func TestReleases(t *testing.T) {
	releases, err := recordings.Releases()
	if err != nil {
		t.Fatal(err)
	}
	n := make(map[string]int)
	for _, r := range releases {
		for f, err := range r.Files() {
			if err != nil {
				t.Fatal(err)
			}
			if f.Kind == "" {
				continue
			}
			for _, args := range [][]string{{f.Kind}, {"-canonical", f.Kind}} {
				if _, ok := canonical[f.Kind]; len(args) == 2 && (!ok || f.Name == "locks/terraform.lock.hcl") {
					continue // the case ends with a lock file that the tools refuse
				}
				if len(args) == 2 && bytes.Contains(f.Text, []byte(`\ufffd`)) {
					continue // bytes that were no UTF-8
				}
				var got bytes.Buffer
				if err := run(args, bytes.NewReader(f.Text), &got); err != nil || !bytes.Equal(got.Bytes(), f.Text) {
					t.Errorf("%s/%s: roundtrip %v: not the same, with %v", r, f.Name, args, err)
				}
			}
			n[f.Kind]++
		}
	}
	elsewhere := []string{"tf", "tfjson", "renderer-plan", "statefile", "lock-info", "backend", "installed-modules", "envelope"} // other tests have these
	for kind := range codecs {
		if n[kind] == 0 && !slices.Contains(elsewhere, kind) {
			t.Errorf("no recording of a %s", kind)
		}
	}
}
