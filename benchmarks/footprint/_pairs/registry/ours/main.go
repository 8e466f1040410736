// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Registry downloads a provider and checks its signature and hashes.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/tofuwire/tofuwire/addrs"
	"github.com/tofuwire/tofuwire/registry"
)

func main() {
	ctx := context.Background()
	provider, err := addrs.ParseProvider(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	version, err := addrs.ParseVersion(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	var client registry.Client
	pkg, err := client.Package(ctx, provider, version, addrs.CurrentPlatform())
	if err != nil {
		log.Fatal(err)
	}
	result, err := client.Fetch(ctx, pkg, os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Describe())
}
