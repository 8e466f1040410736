// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestReports checks that the reports and the table in COMPATIBILITY.md say what
// the recordings give, and that nothing in them is wrong.
func TestReports(t *testing.T) {
	root := filepath.Join("..", "..")
	reports, err := Reports(root)
	if err != nil {
		t.Fatal(err)
	}
	stale, err := WriteReports(root, reports, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range stale {
		t.Errorf("%s is not up to date: go run . -report", name)
	}
	for _, r := range reports {
		for _, list := range [][]string{r.Failed, r.Extra, r.Unknown} {
			for _, s := range list {
				t.Errorf("%s: %s", r.Release, s)
			}
		}
		if r.Language.Probes == 0 && r.Language.Validated == 0 {
			t.Errorf("%s: nothing is known of its language", r.Release)
		}
		// No command of Terraform 0.14 writes messages.
		if r.Documents.All == 0 || r.Streams == 0 && !strings.HasPrefix(r.Release, "terraform-0.14.") || r.Addresses == 0 {
			t.Errorf("%s: %d documents, %d runs, %d addresses", r.Release, r.Documents.All, r.Streams, r.Addresses)
		}
	}
	if len(reports) < 12 {
		t.Errorf("%d releases", len(reports))
	}
}

// TestConditions checks the conditions of cases and steps.
func TestConditions(t *testing.T) {
	for _, tt := range []struct {
		conditions, tool, version string
		want                      bool
	}{
		{"", "tofu", "1.6.0", true},
		{"terraform", "terraform", "0.12.31", true},
		{"terraform", "tofu", "1.6.0", false},
		{"terraform>=1.9 tofu>=1.7", "terraform", "1.10.0", true},
		{"terraform>=1.9 tofu>=1.7", "terraform", "1.8.5", false},
		{"terraform>=1.9 tofu>=1.7", "tofu", "1.7.0", true},
		{"terraform>=1.16", "terraform", "1.16.0-rc2", true}, // which has what 1.16 has
		{"terraform<1.9 tofu<1.7", "tofu", "1.6.3", true},
		{"terraform<1.9 tofu<1.7", "terraform", "1.9.0", false},
	} {
		if got, err := applies(tt.conditions, tt.tool, tt.version); got != tt.want || err != nil {
			t.Errorf("%q for %s %s: %v, %v", tt.conditions, tt.tool, tt.version, got, err)
		}
	}
	for _, bad := range []string{"opentofu", "tofu=1.6", "tofu>=x", "tofu>1.6"} {
		if _, err := applies(bad, "tofu", "1.6.0"); err == nil {
			t.Errorf("the condition %q passes", bad)
		}
	}
}
