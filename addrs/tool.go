// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package addrs

// A Tool is one of the programs whose formats this module reads and writes. The
// value is the name of its command. The tools differ in the header of a lock file,
// the CLI configuration and its default registry, and the canonical form of a
// document. In an argument, "" means [OpenTofu]. In a value read from a document, ""
// means that the document does not name its tool. The language of each tool is a Dialect of
// package hclconfig with the same name.
// Its values include [OpenTofu] and [Terraform].
type Tool string

// The tools.
const (
	OpenTofu  Tool = "tofu"
	Terraform Tool = "terraform"
)
