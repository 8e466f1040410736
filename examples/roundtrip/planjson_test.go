// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every recording of package planjson comes out as it went in, from a file and
// from standard input.
func TestPlanJSON(t *testing.T) {
	n := make(map[string]int)
	for pattern, kind := range map[string]string{
		"plan*": "plan", "state*": "state", "show-*": "config", "providers-schema*": "schemas", "functions*": "functions",
		"validate*": "validate", "version*": "version", "output*": "output",
	} {
		files, err := filepath.Glob("../../planjson/testdata/*/*/" + pattern + ".json")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := run([]string{kind, file}, nil, &got); err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s %s: %v", kind, file, err)
			}
			got.Reset()
			if err := run([]string{kind}, bytes.NewReader(want), &got); err != nil || !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s from standard input: %v", file, err)
			}
			n[kind]++
		}
		if n[kind] == 0 {
			t.Errorf("no recordings of %s", kind)
		}
	}
}

// What does not decode is an error that says where.
func TestPlanJSONErrors(t *testing.T) {
	for _, kind := range []string{"plan", "state", "config", "schemas", "functions", "validate", "version", "output"} {
		var got bytes.Buffer
		err := run([]string{kind}, strings.NewReader("{\n  \"format_version\": tru}"), &got)
		if err == nil || !strings.Contains(err.Error(), "standard input: planjson: line 2, column ") || got.Len() > 0 {
			t.Errorf("%s: %v, %s", kind, err, got.Bytes())
		}
	}
}
