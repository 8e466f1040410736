// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestShowRegistry(t *testing.T) {
	var out strings.Builder
	if err := showRegistry(&out); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	for _, want := range []string{
		"registry.opentofu.org/acme/widget has 3 versions; the newest allowed one is 1.0.0",
		"proven: signed",
		"for the lock file: h1:",
		"refused true",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q", want)
		}
	}
}
