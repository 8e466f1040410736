// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package lsp

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestRun serves a client that ends in order, and one that asks for help.
func TestRun(t *testing.T) {
	var in bytes.Buffer
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`,
		`{"jsonrpc":"2.0","method":"exit"}`,
	} {
		fmt.Fprintf(&in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	var out, errs bytes.Buffer
	if code := Run([]string{"--stdio", "-log", "off"}, &in, &out, &errs); code != 0 || errs.Len() > 0 || !strings.Contains(out.String(), `"name":"tofuwire"`) {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
	out.Reset()
	if code := Run([]string{"-h"}, nil, &out, &errs); code != 0 || !strings.HasPrefix(out.String(), "usage: tofuwire lsp") || errs.Len() > 0 {
		t.Errorf("exit %d: %s%s", code, out.String(), errs.String())
	}
	for _, args := range [][]string{{"-log", "loud"}, {"-nope"}, {"x"}, {"-log"}} {
		out.Reset()
		errs.Reset()
		if code := Run(args, nil, &out, &errs); code != 2 || out.Len() > 0 || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: exit %d: %s%s", args, code, out.String(), errs.String())
		}
	}
}
