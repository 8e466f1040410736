// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
)

func TestShowHclconfig(t *testing.T) {
	var out strings.Builder
	if err := showHclconfig(&out); err != nil {
		t.Fatal(err)
	}
	t.Log(out.String())
	for _, want := range []string{
		"testdata/hclconfig/native/main.tf: 6 variables, 8 resources, 1 data sources, 2 module calls",
		"needs registry.opentofu.org/example/lab ~> 1.2, < 9.0.0",
		"testdata/hclconfig/json/main.tf.json: 6 variables",
		"one edit: ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the output lacks %q", want)
		}
	}
}
