// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		args  []string
		stdin string
		err   string
	}{
		{nil, "", "usage: roundtrip [-canonical] KIND [FILE], where KIND is one of backend, config, envelope, functions, installed-modules, lock, lock-info, modules, output, plan, renderer-plan, schemas, state, state-show, statefile, tf, tfjson, ui, validate, version, workspaces"},
		{[]string{"plan", "a", "b"}, "", "usage: "},
		{[]string{"plans"}, "", `there is no kind "plans"; use one of backend, config, `},
		{[]string{"plan", "no-such-file"}, "", "open no-such-file: "},
		{[]string{"plan"}, `{"resource_changes":[5]}`, "standard input: planjson: line 1, column 22 (/resource_changes/0): "},
		{[]string{"state"}, `{"format_version":`, "standard input: planjson: line 1, column 19 (/format_version): "},
	} {
		var out bytes.Buffer
		err := run(tt.args, strings.NewReader(tt.stdin), &out)
		if err == nil || !strings.HasPrefix(err.Error(), tt.err) {
			t.Errorf("roundtrip %q: got %v, want %s", tt.args, err, tt.err)
		}
		if out.Len() > 0 {
			t.Errorf("roundtrip %q wrote %q", tt.args, out.String())
		}
	}
}

func TestStandardInput(t *testing.T) {
	const text = "{\n \"format_version\" : \"1.0\", \"x\":1e400}\n\n"
	var out bytes.Buffer
	if err := run([]string{"state"}, strings.NewReader(text), &out); err != nil || out.String() != text {
		t.Errorf("got %q, %v", out.String(), err)
	}
}
