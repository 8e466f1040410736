// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Hash prints the hashes of provider packages in the form of lock files.
//
//	hash PATH...
//
// Each PATH is a zip file or an unpacked directory. Hash prints a line for it
// with its h1, its zh and the PATH. A directory has no zh, so there is "-"
// instead. The h1 is that of the extracted package, which tofu records.
//
// Warnings and errors go to standard error. If a package cannot be hashed, hash
// continues with the others, and the exit status is 1.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/tofuwire/tofuwire/checksum"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "hash:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, paths []string, stdout, stderr io.Writer) error {
	const usage = "usage: hash PATH... (zip files or directories)"
	if len(paths) == 0 {
		return errors.New(usage)
	}
	if len(paths) == 1 && (paths[0] == "-h" || paths[0] == "-help") {
		fmt.Fprintln(stderr, usage)
		return nil
	}
	failed := 0
	for p, err := range (checksum.Hasher{}).All(ctx, paths) {
		if err != nil {
			fmt.Fprintln(stderr, "hash:", err)
			failed++
			continue
		}
		for _, w := range p.Warnings {
			fmt.Fprintf(stderr, "hash: %s: %v\n", p.Name, w)
		}
		if p.FormsDiffer() {
			fmt.Fprintf(stderr, "hash: %s: before extraction, h1 is %s\n", p.Name, p.H1)
		}
		zh := "-"
		if p.Zip {
			zh = p.ZH.String()
		}
		if _, err := fmt.Fprintln(stdout, p.Extracted, zh, p.Name); err != nil {
			return err
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d packages could not be hashed", failed, len(paths))
	}
	return nil
}
