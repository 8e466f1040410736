// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// Outputs is the document that "output -json" prints: the outputs of the root
// module by name, {} if there is none. It has no version.
//
// With the name of an output, the command prints the output's value alone.
// That decodes too, into Value. A value looks like a list of outputs only if
// it is an object whose first member is an object with the members sensitive,
// type and value.
//
// Source: OpenTofu internal/command/views/output.go.
type Outputs struct {
	// Outputs has all outputs by name: every member of the document is one.
	Outputs map[string]*Output

	// Value is the value of a single output. If it is set, Outputs is nil.
	Value Value

	src wire.Source
}
