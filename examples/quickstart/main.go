// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Quickstart reads recordings of real tools, which are part of the program, and
// prints the results of each package for them. It needs no arguments, no
// network and no tofu.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
)

// sections are the parts of the output, one for each package.
var sections = []struct {
	title string
	show  func(w io.Writer) error
}{
	{"addrs: addresses and versions", showAddrs},
	{"planjson: a plan, a state and their values", showPlanjson},
	{"uijson: the message stream of a run", showUijson},
	{"hclconfig: the configuration of a module", showHclconfig},
	{"lockfile: a dependency lock file", showLockfile},
	{"checksum: the hashes of a provider package", showChecksum},
	{"registry: a provider from a registry in this process", showRegistry},
}

func main() {
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "quickstart:", err)
		os.Exit(1)
	}
}

func run(stdout io.Writer) error {
	w := bufio.NewWriter(stdout)
	for i, s := range sections {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "== %s\n", s.title)
		if err := s.show(w); err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
	}
	return w.Flush()
}
