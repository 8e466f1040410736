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
	if os.Getenv("REDACT_RUN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// TestProgram runs the program on standard input.
func TestProgram(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "REDACT_RUN=1")
	cmd.Stdin = strings.NewReader(`{"o":{"sensitive":true,"type":"string","value":"hunter2!"}}`)
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "(sensitive value)") || strings.Contains(string(out), "hunter2") || said.String() != "redact: standard input: taken for outputs\n" {
		t.Errorf("%v, %s, %s", err, out, said.String())
	}
}
