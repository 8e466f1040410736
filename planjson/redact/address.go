// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package redact

import (
	"strings"

	"github.com/tofuwire/tofuwire/addrs"
)

// configAddress returns the address of the block of a resource instance.
func configAddress(address string) string {
	if !strings.Contains(address, "[") {
		return address
	}
	a, err := addrs.ParseAbsResourceInstance(address)
	if err != nil {
		return address
	}
	return a.Config().String()
}

// join puts an address behind the path of its module.
func join(path, address string) string {
	if path == "" {
		return address
	}
	return path + "." + address
}
