// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package planjson

import "github.com/tofuwire/tofuwire/internal/wire"

// Outputs is the document that "output -json" prints: the outputs of the root
// module by name, {} if there is none. It has no version.
//
// Source: OpenTofu internal/command/views/output.go.
type Outputs struct {
	// Outputs is the whole document: every member is an output.
	Outputs map[string]*Output `json:"*"`

	src wire.Source
}
