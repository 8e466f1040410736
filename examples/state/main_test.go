// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestMain runs the program itself if a test asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("STATE_RUN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestProgram runs the program on standard input.
func TestProgram(t *testing.T) {
	cmd := exec.Command(os.Args[0], "list", "-")
	cmd.Env = append(os.Environ(), "STATE_RUN=1")
	cmd.Stdin = strings.NewReader(`{"version":4,"serial":1,"lineage":"l","outputs":{},"resources":[{"mode":"data","type":"a","name":"b",` +
		`"provider":"provider[\"registry.opentofu.org/hashicorp/a\"]","instances":[{"index_key":"k","schema_version":0}]}]}`)
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "data.a.b[\"k\"]\n" {
		t.Errorf("%s, %v", out, err)
	}
}
