// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/tofuwire/tofuwire/addrs"
)

// showAddrs prints the parts of an address that cannot be split at its dots,
// and the versions that a constraint allows.
func showAddrs(w io.Writer) error {
	a, err := addrs.ParseAbsResourceInstance(`module.site["eu.north[1]"].random_pet.name["a\"b.c"]`)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n  module %s, key %s, declared as %s\n", a, a.Module(), a.Key(), a.Config())

	c, err := addrs.ParseConstraints("~> 3.1, != 3.2.0")
	if err != nil {
		return err
	}
	versions := []addrs.Version{addrs.MustParseVersion("3.2.0"), addrs.MustParseVersion("3.10.1"), addrs.MustParseVersion("4.0.0")}
	newest, _ := c.Newest(slices.Values(versions))
	fmt.Fprintf(w, "of %v, %q allows at most %s\n", versions, c, newest)
	return nil
}
