// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig_test

import (
	"testing"

	"github.com/tofuwire/tofuwire/hclconfig"
)

// TestSourceOfKeys spells the keys of JSON objects in native syntax: an expression in
// a key stays one.
func TestSourceOfKeys(t *testing.T) {
	tests := map[string]string{
		`{"plain": 1}`:           "{\n  plain = 1\n}",
		`{"two words": 1}`:       "{\n  \"two words\" = 1\n}",
		`{"-1": 1}`:              "{\n  \"-1\" = 1\n}",
		`{"${1 + 1}": 1}`:        "{\n  (1 + 1) = 1\n}",
		`{"${true}": 1}`:         "{\n  (true) = 1\n}",
		`{"${var.x}": 1}`:        "{\n  (var.x) = 1\n}",
		`{"a${1}": 1}`:           "{\n  \"a${1}\" = 1\n}",
		`{"$${x}": 1}`:           "{\n  \"$${x}\" = 1\n}",
		`{"a": {"${1 - 1}": 1}}`: "{\n  a = {\n    (1 - 1) = 1\n  }\n}",
	}
	for src, want := range tests {
		f, err := hclconfig.ParseJSON("a.tf.json", []byte(`{"locals": {"x": `+src+`}}`), hclconfig.OpenTofu)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Body().Blocks[0].Argument("x").Source(); got != want {
			t.Errorf("%s: got %s, want %s", src, got, want)
		}
	}
}
