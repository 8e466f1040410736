// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Lock adds the h1 hash of a provider's package to its lock.
package main

import (
	"context"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/checksum"
	"github.com/tofuwire/tofuwire/lockfile"
)

func main() {
	pkg, err := checksum.HashZip(context.Background(), os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	file, err := lockfile.Load(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	provider, err := addrs.ParseProvider(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	if err := file.AddHashes(provider, pkg.H1); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], file.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}
