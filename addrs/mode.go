// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

import (
	"cmp"
	"strings"
)

// A Mode says which kind of block declares a resource. It is an open
// enumeration, spelled as in the "mode" members of the JSON formats: documents
// may hold modes that this package does not know. Only the known ones can be
// part of an address.
// Its values include [Managed], [Data] and [Ephemeral].
type Mode string

// The modes of resources.
const (
	Managed   Mode = "managed"   // a resource block
	Data      Mode = "data"      // a data block
	Ephemeral Mode = "ephemeral" // an ephemeral block (OpenTofu 1.11, Terraform 1.10)
)

// compare returns -1, 0 or +1 in the order of OpenTofu: ephemeral comes
// before data, and data before managed. Other modes come first, by name.
func (m Mode) compare(other Mode) int {
	return cmp.Or(cmp.Compare(m.rank(), other.rank()), strings.Compare(string(m), string(other)))
}

func (m Mode) rank() int {
	switch m {
	case Ephemeral:
		return 1
	case Data:
		return 2
	case Managed:
		return 3
	default:
		return 0
	}
}

// prefix returns the text before the type in the address of a resource.
func (m Mode) prefix() string {
	switch m {
	case Data:
		return "data."
	case Ephemeral:
		return "ephemeral."
	default:
		return ""
	}
}
