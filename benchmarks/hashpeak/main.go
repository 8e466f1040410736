// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Hashpeak hashes one package and prints the peak of its own memory.
// It is the child process of BenchmarkHashZipMemory.
//
//	hashpeak none|dirhash|tofuwire|tofuwire-stream FILE
package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tofuwire/tofuwire/benchmarks/peak"
	"github.com/tofuwire/tofuwire/checksum"
	"golang.org/x/mod/sumdb/dirhash"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "hashpeak:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("usage: hashpeak IMPL FILE")
	}
	f, err := os.Open(args[1])
	if err != nil {
		return err
	}
	defer f.Close()
	switch args[0] {
	case "none":
	case "dirhash":
		if _, err = dirhash.HashZip(args[1], dirhash.Hash1); err == nil {
			_, err = io.Copy(sha256.New(), f)
		}
	case "tofuwire":
		_, err = checksum.HashZip(context.Background(), args[1])
	case "tofuwire-stream":
		_, err = checksum.Hasher{}.Stream(context.Background(), args[1], f)
	default:
		return fmt.Errorf("no implementation %q", args[0])
	}
	if err != nil {
		return err
	}
	return peak.Print()
}
