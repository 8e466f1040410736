// SPDX-FileCopyrightText: The tofuwire authors
// SPDX-License-Identifier: Apache-2.0

package hclconfig

import (
	"fmt"
	"strings"
)

// ConvertOptions says how [File.ToJSON] and [File.ToNative] convert. The zero
// ConvertOptions is what most callers want.
type ConvertOptions struct {
	// Schema returns the schema of the body of a block that a provider, a
	// provisioner or a backend defines, such as a resource, and whether it is
	// known. If nil, none is known but those that are built into OpenTofu and
	// Terraform: terraform_data, the provisioners, the backends.
	//
	// The schema tells a nested block from an argument. That matters above
	// all for ToNative, since JSON syntax does not tell them apart; in ToJSON
	// it matters for arguments that are written as blocks. A name that the
	// schema does not have is taken as if there were no schema; but if its
	// Attributes are nil, everything that is not among its Blocks is an
	// argument.
	Schema func(b *Block) (Schema, bool)
	// DropComments leaves the comments out. Each is reported.
	DropComments bool
	// KeepOrder makes ToJSON write arrays at all levels, so that the order of
	// all blocks of the file stays, also where it means nothing: otherwise
	// blocks of one type stand together, and so do those with the same label.
	KeepOrder bool
}

// convertedName returns the name of a file in the other syntax.
func convertedName(name string, to Syntax) string {
	for _, e := range extensions {
		stem, ok := strings.CutSuffix(name, e.suffix)
		if !ok {
			continue
		}
		for _, other := range extensions {
			if other.name.Kind == e.name.Kind && other.name.Tofu == e.name.Tofu && other.name.Syntax == to {
				return stem + other.suffix
			}
		}
	}
	return name
}

// A converter has what both directions share.
type converter struct {
	f     *File
	opts  ConvertOptions
	diags Diagnostics
}

// lose reports something that has no exact form in the other syntax.
func (c *converter) lose(s span, summary, format string, args ...any) {
	c.diags = append(c.diags, c.f.errorAt(s, summary, format, args...))
}

// note reports something that the reader of the result should know.
func (c *converter) note(s span, summary, format string, args ...any) {
	c.diags = append(c.diags, Diagnostic{
		Severity: SeverityWarning, Summary: summary, Detail: fmt.Sprintf(format, args...), Subject: c.f.rangeOf(s),
	})
}
