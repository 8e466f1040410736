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

// TestOther writes back documents of backends and locks, as the tools write them.
func TestOther(t *testing.T) {
	for kind, text := range map[string]string{
		"lock-info":         `{"ID":"1","Operation":"OperationTypePlan","Info":"","Who":"me@host","Version":"1.12.6","Created":"2026-01-01T00:00:00Z","Path":"x"}`,
		"backend":           "{\n    \"version\": 3,\n    \"backend\": {\n        \"type\": \"local\",\n        \"config\": {},\n        \"hash\": 1\n    }\n}\n",
		"installed-modules": `{"Modules":[{"Key":"","Source":"","Dir":"."}]}`,
		"envelope":          `{"meta":{},"encrypted_data":"AA==","encryption_version":"v0"}`,
	} {
		var out bytes.Buffer
		if err := run([]string{kind}, strings.NewReader(text), &out); err != nil || out.String() != text {
			t.Errorf("%s: %v %s", kind, err, out.String())
		}
		if err := run([]string{kind}, strings.NewReader(`{"format_version":"1.0"}`), &out); err == nil || !strings.HasPrefix(err.Error(), "standard input: statefile: line 1, column 1: ") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
