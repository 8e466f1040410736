// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestState gives a raw state, and what is none.
func TestState(t *testing.T) {
	const (
		canonical = `{"version":4,"terraform_version":"1.9.0","serial":1,"lineage":"l","outputs":{},"resources":[],"check_results":null}` + "\n"
		odd       = `{"version":4, "serial":1,"terraform_version":"1.9.0","lineage":"l","outputs":{},"resources":[],"check_results":null}` + "\n"
	)
	for _, tt := range []struct{ in, out string }{{canonical, canonical}, {odd, odd}} {
		var out bytes.Buffer
		if err := run([]string{"statefile"}, strings.NewReader(tt.in), &out); err != nil || out.String() != tt.out {
			t.Errorf("%q, %v", out.String(), err)
		}
		out.Reset()
		if err := run([]string{"-canonical", "statefile"}, strings.NewReader(tt.in), &out); err != nil || out.String() != canonical {
			t.Errorf("canonical: %q, %v", out.String(), err)
		}
	}
	var out bytes.Buffer
	const old = `{"version":3,"modules":[]}` // of Terraform before 0.12
	if err := run([]string{"statefile"}, strings.NewReader(old), &out); err != nil || out.String() != old {
		t.Errorf("version 3: %q, %v", out.String(), err)
	}
	out.Reset()
	if err := run([]string{"statefile"}, strings.NewReader(`{"version":2,"modules":[]}`), &out); err == nil || out.Len() > 0 {
		t.Errorf("version 2: %q, %v", out.String(), err)
	}
}
