// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRoundtripLock(t *testing.T) {
	tests := []struct{ name, src, err string }{
		{"odd layout", "\ufeff# x\r\nprovider \"ex.com/a/b\" { version = \"1.0.0\" }", ""},
		{"value not in normal form", "provider \"aws\" {\n  version = \"v1\"\n}\n", ""},
		{"not well-formed", "\nprovider \"ex.com/a/b\" {", "lockfile: x:2,23: "},
	}
	for _, test := range tests {
		var out bytes.Buffer
		err := roundtripLock(&out, "x", []byte(test.src))
		switch {
		case test.err == "" && (err != nil || out.String() != test.src):
			t.Errorf("%s: got %q, %v", test.name, out.String(), err)
		case test.err != "" && (err == nil || !strings.HasPrefix(err.Error(), test.err)):
			t.Errorf("%s: got %v, want %s", test.name, err, test.err)
		}
	}
}
