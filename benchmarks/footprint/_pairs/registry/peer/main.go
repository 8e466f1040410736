// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

// Registry downloads a program and checks its signature and hash.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/hashicorp/go-version"
	"github.com/hashicorp/hc-install/product"
	"github.com/hashicorp/hc-install/releases"
)

func main() {
	v, err := version.NewVersion(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	path, err := (&releases.ExactVersion{Product: product.Terraform, Version: v, InstallDir: os.Args[2]}).Install(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(path)
}
