// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Package tofuwire runs the program tofuwire, which is in another module, for tools and their tests.
package tofuwire

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// variable is the environment variable with the path of the program, for processes that are started
// after it was built.
const variable = "TOFUWIRE_PROGRAM"

var scratch string // the folder of the program

// Build builds the program, once. The working directory must be one of this module.
var Build = sync.OnceValues(func() (path string, err error) {
	if path := os.Getenv(variable); path != "" {
		return path, nil
	}
	root, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/tofuwire/tofuwire").Output()
	if err != nil {
		return "", fmt.Errorf("go list: %w", err)
	}
	if scratch, err = os.MkdirTemp("", "tofuwire-"); err != nil {
		return "", err
	}
	path = filepath.Join(scratch, "tofuwire.exe") // a name that every system runs
	cmd := exec.Command("go", "build", "-buildvcs=false", "-o", path, ".")
	cmd.Dir = filepath.Join(strings.TrimSpace(string(root)), "cmd", "tofuwire")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, os.Setenv(variable, path)
})

// Remove removes the program that Build has built.
func Remove() {
	if scratch != "" {
		os.RemoveAll(scratch)
	}
}

// Run runs the program and returns its exit status; it is -1, with the reason in stderr, if it cannot
// be run.
func Run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	path, err := Build()
	if err != nil {
		fmt.Fprintln(stderr, err)
		return -1
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		fmt.Fprintln(stderr, err)
	}
	return cmd.ProcessState.ExitCode()
}
